"""For an exam: what may be reported of a search."""

from fractions import Fraction
from random import Random
from statistics import mean

from lib.by_hand import ByHand, Slip, plain

MAPS = ("none", "3,6", "1,5", "2,4")
SEARCHED, JUDGES, ALL = (0, 1), (2, 3), (0, 1, 2, 3)


def lead(scores: list[list[int]], row: int, seeds: tuple[int, ...]) -> Fraction:
    """How far a map lies above no lesson, on average over these seeds."""
    return mean(Fraction(scores[row][seed] - scores[0][seed]) for seed in seeds)


def best(values: list[int]) -> int | None:
    """The place of the largest value; None if it is there twice."""
    return values.index(max(values)) if values.count(max(values)) == 1 else None


def draw(random: Random) -> ByHand:
    winner = lucky = None
    while not winner or not lucky or winner == lucky:  # one winner, one luckiest run, neither of no lesson
        scores = [[random.randrange(57, 67) for _ in ALL] for _ in MAPS]
        winner = best([sum(row[seed] for seed in SEARCHED) for row in scores])
        lucky = best([max(row[seed] for seed in SEARCHED) for row in scores])
    answer = lead(scores, winner, JUDGES)
    rows = zip(MAPS, scores, strict=True)
    table = "\n".join(f"| {name} | {' | '.join(map(str, row))} |" for name, row in rows)
    return ByHand(
        title="The honest winner",
        text=f"""A search tries layer maps with the seeds 0 and 1 and chooses by the mean. Later all maps
are run with two further seeds. The table has the percent of headlines that each student gets right:

| map | seed 0 | seed 1 | seed 2 | seed 3 |
|---|---:|---:|---:|---:|
{table}

**Which lead of the winner over no lesson (map *none*) may be reported, in points?** It may be
negative.""",
        answer=answer,
        solution=rf"""With the seeds 0 and 1 the map *{MAPS[winner]}* has the highest mean. These seeds
chose it, so their luck is in its score. The seeds 2 and 3 took no part in the choice: there its lead is
${scores[winner][2]} - {scores[0][2]}$ points and ${scores[winner][3]} - {scores[0][3]}$ points, on average
{plain(answer)}.""",
        slips=(
            Slip(
                lead(scores, winner, SEARCHED),
                "That is the lead that the search saw. The luck that made the winner win is in it.",
            ),
            Slip(
                lead(scores, lucky, JUDGES),
                f"The map {MAPS[lucky]} has the best single run. The search chooses by the mean of both"
                " seeds.",
            ),
            Slip(
                lead(scores, winner, ALL),
                "The mean was taken over all seeds, and two of them have chosen the winner.",
            ),
        ),
        points=4,
        decimals=1,
        unit="points",
    )
