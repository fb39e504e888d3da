"""For an exam: what distillation compares at a temperature."""

from fractions import Fraction
from random import Random

from lib.by_hand import ByHand, Slip, tex

POWERS = ((2, 1, 0), (3, 1, 0), (2, 1, 0, 0), (1, 1, 0, 0))  # of 2: softened probabilities before dividing


def shares(powers: list[int]) -> list[Fraction]:
    """Powers of 2, divided by their sum."""
    whole = sum(2**power for power in powers)
    return [Fraction(2**power, whole) for power in powers]


def divergence(first: list[int], second: list[int]) -> Fraction:
    """KL(first || second) in units of ln 2; both have the same powers in another order, so one sum."""
    apart = (one - other for one, other in zip(first, second, strict=True))
    return sum((share * gap for share, gap in zip(shares(first), apart, strict=True)), Fraction(0))


def logits(powers: list[int], temperature: int) -> str:
    """Logits as multiples of ln 2, in a formula."""
    return "(" + r",\; ".join(rf"{temperature * power} \ln\,2" if power else "0" for power in powers) + ")"


def draw(random: Random) -> ByHand:
    temperature = random.choice([2, 3])
    powers = random.choice(POWERS)
    teacher, student = random.sample(powers, len(powers)), random.sample(powers, len(powers))
    square = temperature**2
    distance = divergence(teacher, student)
    at_one = [[temperature * power for power in answer] for answer in (teacher, student)]
    answer = square * distance
    softened = [", ".join(f"${tex(share)}$" for share in shares(answer)) for answer in (teacher, student)]
    return ByHand(
        title="KL at a temperature",
        text=rf"""For one text a teacher and a student give the logits

$$z^t = {logits(teacher, temperature)} \qquad z^s = {logits(student, temperature)}$$

The student learns from the teacher alone, $\alpha = 1$, at the temperature $T = {temperature}$. Its
loss for this text is $T^2\, \text{{KL}}(t_T \,\|\, s_T)$. **How many times ln 2 is it?**""",
        answer=answer,
        solution=rf"""Divided by {temperature}, the logits are whole multiples of $\ln\,2$, so the
exponentials are powers of 2. The teacher's softened answer is {softened[0]}, the student's is
{softened[1]}. Summing $t_i \ln\,(t_i / s_i)$ gives KL, ${tex(distance)} \ln\,2$. Times $T^2 = {square}$
this is ${tex(answer)} \ln\,2$.""",
        slips=(
            Slip(distance, "That is KL alone. The factor T² was left out."),
            Slip(
                square * divergence(student, teacher),
                "KL was taken the wrong way round: the teacher's probabilities weigh the logarithms.",
            ),
            Slip(
                square * divergence(*at_one),
                "The logits were not divided by T: these are the answers at temperature 1.",
            ),
        ),
        points=6,
        decimals=2,
        unit="· ln 2",
    )
