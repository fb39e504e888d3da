"""The nearest text or none, whose draft compares products where it means cosines."""

from collections.abc import Iterator

import torch
from torch import Tensor

from chapters.nb39 import answers
from lib.exercises.spec import Exercise, Mistake, edit

LENGTHS = "vectors.norm(dim=1) * question.norm()  # [N]"
COSINES = "vectors @ question / lengths"
BELOW = "cosines[best] < threshold"


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor, float]]:
    """The text's two cases, one with three thresholds; right angles; below 0; one text; others, drawn."""
    question = torch.tensor([1.0, 0.0])
    vectors = torch.tensor([[3.0, 4.0], [0.8, 0.6]])
    for threshold in (0.7, 0.9, 0.5):
        yield question, vectors, threshold
    yield 2 * question, torch.tensor([[0.6, 0.8], [0.0, 1.0]]), 0.7
    yield 0.1 * question, torch.tensor([[3.0, 4.0], [8.0, 6.0], [0.0, 2.0]]), 0.7
    yield torch.tensor([5.0, 0.0]), torch.tensor([[0.1, 0.2], [0.05, 0.05]]), 0.4
    yield torch.tensor([2.0, 0.0]), torch.tensor([[0.0, 1.0], [-3.0, 0.5]]), 0.0
    yield torch.tensor([1.0, 1.0]), torch.tensor([[-1.0, -2.0]]), -1.0
    yield torch.tensor([1.0, 0.0]), torch.tensor([[-9.0, 1.0], [1.0, 3.0]]), 0.2
    yield torch.tensor([2.0, 0.0]), torch.tensor([[2.0, 9.0], [0.5, 0.2], [0.5, 0.4]]), 0.3
    generator = torch.Generator().manual_seed(seed)
    for texts, size, threshold in ((5, 4, 0.3), (8, 6, 0.9), (6, 3, -0.5), (7, 5, 0.2), (4, 8, 0.6)):
        drawn = torch.randn(texts, size, generator=generator)
        yield (
            3 * torch.randn(size, generator=generator),
            drawn * torch.rand(texts, 1, generator=generator) * 5,
            threshold,
        )


# fmt: off
EXERCISE = Exercise(
    name="answer_with_source", kind="bug", minutes=5, difficulty=1,
    reference=answers.answer_with_source, cases=cases, gradients=False,
    alike=[edit(COSINES, "(vectors @ question) / lengths")],
    mistakes=[
        Mistake("products", "That is still the draft's answer. Work out by hand what the draft compares in"
            " the first row of the page's table, and what its docstring wants compared.",
            edit(COSINES, "vectors @ question")),
        Mistake("question_alone", "You divide by the question's length alone, so a long vector still wins"
            " over a near one. Divide by the length of each text's vector, too.",
            edit(LENGTHS, "question.norm()")),
        Mistake("texts_alone", "The place is right, but you compare the threshold with a number that still"
            " grows with the question's length. Divide by it, too.",
            (edit(LENGTHS, "vectors.norm(dim=1)"),)),
        Mistake("found_by_product", "You choose the text by the product, and take a cosine only for the"
            " threshold. The cosine decides both.",
            edit("best = int(cosines.argmax())", "best = int((vectors @ question).argmax())")),
        Mistake("never_none", "You always give a place. Below the threshold the answer is None.",
            edit(BELOW, "False")),
        Mistake("equal_refused", "A cosine that equals the threshold is enough: refuse only below it.",
            edit(BELOW, "cosines[best] <= threshold")),
        Mistake("first_above", "You give the first text above the threshold. Asked for is the best one.",
            lambda question, vectors, threshold: next((
                place for place, vector in enumerate(vectors)
                if vector @ question / vector.norm() / question.norm() >= threshold), None)),
        Mistake("columns_normalized", "You divide each *column* by its length, over all texts. The length"
            " of a text's vector runs along its row: dim=1.",
            edit("vectors.norm(dim=1)", "1").then("vectors @", "(vectors / vectors.norm(dim=0)) @")),
        Mistake("one_length_for_all", "You divide by one length for the whole matrix. Each text has its own:"
            " norm(dim=1).", edit("vectors.norm(dim=1)", "vectors.norm()")),
        Mistake("the_cosine", "You give the cosine. Asked for is the text's place, an int.",
            edit("return best", "return cosines[best].item()")),
        Mistake("by_distance", "You take the text at the smallest distance. A vector in the same direction"
            " may be long, and then it is far away.",
            edit("best = int(cosines.argmax())", "best = int((vectors - question).norm(dim=1).argmin())")),
        Mistake("minus_one", "Where you refuse you give a number. In Python -1 is a place, too: the last one."
            " Give None.",
            (edit("return None", "return -1"), edit("return None", "return 0"))),
        Mistake("refuses_the_near", "You refuse exactly where you should answer: a cosine *below* the"
            " threshold is too low.", edit(BELOW, "cosines[best] >= threshold")),
        Mistake("without_sign", "You drop the sign of the cosine. A vector in the opposite direction has a"
            " cosine of -1, and is the farthest of all.",
            edit(COSINES, "(vectors @ question / lengths).abs()")),
    ],
    hints=("In the first row the draft's scores are 3 and 0.8. The cosines are 3/5 and 0.8, because a cosine"
           " doesn't change when a vector is made longer.",
           "vectors @ question is [N], a product for each text. By what has each to be divided?",
           "vectors.norm(dim=1) is [N]; question.norm() is one number."),
    why="Making a vector longer changes no answer now, nor does the order of the texts.",
)
# fmt: on
