"""For an exam: a head's importance, by a gate that nobody builds."""

from fractions import Fraction
from random import Random
from statistics import mean

from lib.by_hand import ByHand, Slip, plain, tex, tex_row


def draw(random: Random) -> ByHand:
    texts, tokens, features = 2, 2, 2
    given = [
        [[random.randrange(-2, 4) for _ in range(features)] for _ in range(tokens)] for _ in range(texts)
    ]
    sizes = [-5, -4, -3, -2, -1, 1, 2, 3, 4, 5]  # tenths
    gradient = [
        [[Fraction(random.choice(sizes), 10) for _ in range(features)] for _ in range(tokens)]
        for _ in range(texts)
    ]
    products = [
        [
            [one * slope for one, slope in zip(vector, slopes, strict=True)]
            for vector, slopes in zip(vectors, gradients, strict=True)
        ]
        for vectors, gradients in zip(given, gradient, strict=True)
    ]
    derivatives = [sum((sum(token, Fraction(0)) for token in text), Fraction(0)) for text in products]
    answer = mean(map(abs, derivatives))
    lines = "\n".join(
        f"| {name} | {token + 1} | ${tex_row(given[text][token])}$ | ${tex_row(gradient[text][token])}$ |"
        for text, name in enumerate("AB")
        for token in range(tokens)
    )
    return ByHand(
        title="A gate behind a head",
        text=f"""A head gives two features for each token. The table has what it gives in two texts of two
tokens, and the gradient of the text's loss by it:

| text | token | the head gives | gradient |
|---|---:|---|---|
{lines}

**What is the head importance over these two texts?**""",
        answer=answer,
        solution=rf"""What is given times its gradient, summed over features and tokens, is the derivative
by the gate: {plain(derivatives[0])} in text A and {plain(derivatives[1])} in text B. The sign is dropped in
each text, then the mean is taken:
$({plain(abs(derivatives[0]))} + {plain(abs(derivatives[1]))}) / 2 = {tex(answer)}$.""",
        slips=(
            Slip(
                mean(sum((abs(one) for token in text for one in token), Fraction(0)) for text in products),
                "The sign was dropped before the sum. One gate moves the head at all tokens of a text,"
                " so their"
                " products cancel first.",
            ),
            Slip(
                abs(mean(derivatives)),
                "The sign was dropped after the mean over texts. A head that helps one text and harms"
                " the other"
                " then looks worthless.",
            ),
            Slip(2 * answer, "The texts were added up. Head importance is the mean over them."),
        ),
        points=5,
        decimals=2,
    )
