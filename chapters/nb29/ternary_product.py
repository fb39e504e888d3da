"""A dense layer of ternary weights: sums and differences, and one multiplication at the end."""

from collections.abc import Iterator

import torch
import torch.nn.functional as F
from torch import Tensor

from lib.compression.quantizers import ternary
from lib.exercises.spec import Exercise, Mistake, edit

RESULT = "scale * (torch.stack(added, dim=1) - torch.stack(removed, dim=1))"


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor, float]]:
    """The weights of the text with features to add; a square matrix; one row; no code at all; random ones."""
    x = torch.tensor([[2.0, 0.0, -1.0, 3.0, 1.0, 5.0, 4.0, 6.0]])
    yield x, torch.tensor([[1, 0, 0, 1, -1, 0, 0, 1]], dtype=torch.int8), 0.5
    yield (
        torch.tensor([[1.0, 10.0], [100.0, 1000.0]]),
        torch.tensor([[1, -1], [0, -1]], dtype=torch.int8),
        2.0,
    )
    torch.manual_seed(seed)
    for rows, inputs, outputs, dtype in [(3, 5, 4, torch.float32), (4, 4, 4, torch.float64)]:
        codes = torch.randint(-1, 2, (outputs, inputs), dtype=torch.int8)
        yield torch.randn(rows, inputs, dtype=dtype), codes, 0.37
    yield torch.randn(2, 3), torch.zeros(2, 3, dtype=torch.int8), 1.5
    yield 100 * torch.randn(1, 300), torch.ones(2, 300, dtype=torch.int8), 0.1  # sums beyond eight bits


def has_both_sums(arguments: tuple[Tensor, Tensor, float], answer: Tensor, _expected: Tensor) -> bool:
    """Whether an answer is one number times the sums of code 1 plus another times those of code -1."""
    x, codes, _ = arguments
    sums = torch.stack([x @ (codes == code).to(x.dtype).T for code in (1, -1)], dim=-1).view(-1, 2)
    factors = torch.linalg.lstsq(sums, answer.reshape(-1, 1)).solution
    return torch.allclose(sums @ factors, answer.reshape(-1, 1), rtol=1e-4)


# fmt: off
EXERCISE = Exercise(
    name="ternary_product", minutes=6, difficulty=2, reference=ternary.ternary_product, cases=cases,
    gradients=False,
    mistakes=[
        Mistake("added_and_removed_exchanged", "Your signs are exchanged: a code of 1 adds its feature, a"
            " code of -1 takes it away.",
            edit(RESULT, "scale * (torch.stack(removed, dim=1) - torch.stack(added, dim=1))")),
        Mistake("all_added", "You add the features of code -1 too. They are taken away.",
            edit(RESULT, "scale * (torch.stack(added, dim=1) + torch.stack(removed, dim=1))")),
        Mistake("removed_forgotten", "The features of code -1 are missing: take their sum away.",
            edit(RESULT, "scale * torch.stack(added, dim=1)")),
        Mistake("zeros_count", "Features of code 0 count in yours. A code of 0 neither adds nor takes away:"
            " ask for codes == 1 and codes == -1.",
            (edit("x[:, row < 0]", "x[:, row <= 0]"), edit("x[:, row > 0]", "x[:, row >= 0]"),
             edit(RESULT, "scale * x.sum(dim=1, keepdim=True).expand(-1, len(codes))"))),
        Mistake("scale_forgotten", "The scale is missing: one multiplication for each output, at the end.",
            edit("scale * ", "")),
        Mistake("codes_not_turned", "codes are [out, in], and you read them as [in, out]. A *row* of codes"
            " makes one output: x @ codes.T.",
            (edit("for row in codes]  # [N] each", "for row in codes.T]")
             .then("for row in codes]\n", "for row in codes.T]\n"),
             lambda x, codes, scale: scale * (x @ codes.to(x.dtype)),
             lambda x, codes, scale: scale * (x.T @ codes.to(x.dtype)))),
        Mistake("rounded_features", "Your features lose their digits: x has to stay in real numbers, only the"
            " codes are whole.",
            (lambda x, codes, scale: scale * (x.long() @ codes.long().T).to(x.dtype),
             lambda x, codes, scale: scale * (x.int() @ codes.int().T).to(x.dtype),
             lambda x, codes, scale: scale * (x.to(torch.int8) @ codes.T).to(x.dtype),
             lambda x, codes, scale: scale * (x.round() @ codes.to(x.dtype).T))),
        Mistake("mean_for_sum", "You take means where sums are asked for.",
            tuple(edit("x[:, row > 0].sum(dim=1)", f"x[:, row > 0].mean(dim=1){end}")
                .then("x[:, row < 0].sum(dim=1)", f"x[:, row < 0].mean(dim=1){end}")
                for end in ("", ".nan_to_num()"))),
        Mistake("over_the_batch", "You add up all rows of x. Each row of x is an input of its own, with an"
            " output of its own: sum over dim=1, the features that are picked.",
            edit("x[:, row > 0].sum(dim=1)", "x[:, row > 0].sum()")
                .then("x[:, row < 0].sum(dim=1)", "x[:, row < 0].sum()")
                .then(RESULT, "scale * (torch.stack(added) - torch.stack(removed))")),
        Mistake("scale_in_one_part", "Your scale reaches one of the two sums alone. It belongs to their"
            " difference: put that in parentheses.",
            (edit(RESULT, "scale * torch.stack(added, dim=1) - torch.stack(removed, dim=1)"),
             edit(RESULT, "torch.stack(added, dim=1) - scale * torch.stack(removed, dim=1)"))),
        Mistake("divided_by_the_scale", "You divide by the scale. A weight is scale times its code, so the"
            " sums are multiplied by it.",
            edit(RESULT, "(torch.stack(added, dim=1) - torch.stack(removed, dim=1)) / scale")),
        Mistake("rows_picked", "You pick rows of x, which are the inputs of the batch. A row of codes says"
            " which *features* count, and these are columns: x[:, row == 1].",
            edit("x[:, row > 0].sum(dim=1)", "x[row > 0].sum(dim=0)")
                .then("x[:, row < 0].sum(dim=1)", "x[row < 0].sum(dim=0)")),
        Mistake("whole_codes_in_a_product", "A matrix product wants one type for both sides, and x is real,"
            " while codes are int8 and a comparison of them is bool. Turn these into x.dtype, or pick"
            " features and sum.",
            (lambda x, codes, scale: x @ codes.T, lambda x, codes, scale: x @ (codes == 1).T,
             lambda x, codes, scale: F.linear(x, codes), lambda x, codes, scale: x @ codes)),
        Mistake("scale_squared", "Your scale counts twice. Each output is multiplied by it once.",
            edit(RESULT, f"scale * {RESULT}")),
        Mistake("scale_added", "You add the scale. The sums are multiplied by it.",
            edit(RESULT, RESULT.replace("scale *", "scale +"))),
        Mistake("all_codes_at_once", "You pick with all codes at once. They are [out, in], and each row picks"
            " for itself: go through the rows, or use a matrix product.",
            (lambda x, codes, scale: x[:, codes == 1], lambda x, codes, scale: x[codes == 1])),
        Mistake("float32_for_the_type_of_x", "You make codes float32. x may be of another type, float64:"
            " codes.to(x.dtype).", lambda x, codes, scale: scale * (x @ codes.float().T)),
        Mistake("other_combination", "You have the sums of both kinds of features, but put them together"
            " otherwise: scale times (those that are added minus those that are taken away).",
            when=has_both_sums,
            example=edit(RESULT,
                "scale * (3 * torch.stack(added, dim=1) - 2 * torch.stack(removed, dim=1))")),
    ],
    hints=("For one output, which features are added, which are taken away, and which are left alone?",
           "codes == 1 is boolean [out, in]; (codes == 1).to(x.dtype) has a 1 where a feature is added, so x"
           " times its transpose are the sums, [N, out].",
           "plus = x @ (codes == 1).to(x.dtype).T; minus = x @ (codes == -1).to(x.dtype).T; return scale *"
           " (plus - minus)"),
    why="One multiplication an output, whatever the number of features.",
)
# fmt: on
