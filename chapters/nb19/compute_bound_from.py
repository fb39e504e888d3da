"""From how many tokens on a layer's operations take longer than its bytes."""

from lib.exercises.spec import Exercise, Mistake, near

BANDWIDTH, RATE = 20e9, 80e9  # bytes and operations a second
INPUTS, OUTPUTS = 384, 1536


def fetching(tokens: int) -> float:
    """The seconds in which weights and vectors move."""
    return 4 * (INPUTS * OUTPUTS + tokens * (INPUTS + OUTPUTS)) / BANDWIDTH


def multiplying(tokens: int) -> float:
    """The seconds of the operations, two for each multiply-add."""
    return 2 * tokens * INPUTS * OUTPUTS / RATE


def first() -> int:
    """The smallest number of tokens with which multiplying takes longer."""
    tokens = 1
    while multiplying(tokens) <= fetching(tokens):
        tokens += 1
    return tokens


# fmt: off
EXERCISE = Exercise(
    name="compute_bound_from", kind="predict", minutes=3, difficulty=2, reference=first, answer="9",
    form="An answer is a whole number of tokens, such as 50.",
    mistakes=[
        Mistake("vectors_forgotten", "Nearly. With eight tokens the weights take exactly as long as the"
            " operations, 0.118 ms. But the vectors of eight tokens have to come, too.", near(8, within=0.3),
            example=8),
        Mistake("one_token", "With one token fetching takes 0.118 ms, and multiplying 0.015. Let the tokens"
            " grow until the second is longer.", near(1, 0), example=1),
        Mistake("multiply_adds", "You counted multiply-adds. Each of them is two operations.",
            near(16, 17, within=0.5), example=17),
        Mistake("bytes_forgotten", "A weight has 32 bits, so four bytes come for each.",
            near(2, 3, within=0.3), example=3),
        Mistake("bits", "You counted bits. The bandwidth is in bytes.", near(64, 66, 67, 75, 76), example=67),
        Mistake("never", "The weights come once for all tokens. With more tokens the operations grow, and the"
            " weights' bytes don't.", lambda answer: answer > 1000, example=1024),
    ],
    hints=("Each further token brings 0.0147 ms of operations. The weights come once.",
           "n tokens: multiplying takes 0.0147 n ms. Fetching takes 0.118 ms for the weights and 0.0004 n for"
           " the vectors.",
           "With eight tokens fetching still takes 0.121 ms and multiplying 0.118. And with one more?"),
    why="Nine times 0.0147 ms is 0.133, and the bytes of nine tokens take 0.121.",
)
# fmt: on
