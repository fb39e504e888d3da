"""Padding rows of ids, with a draft whose mask is right for one model only."""

from lib.bert import batch
from lib.exercises.mistakes import Edit
from lib.exercises.spec import Exercise, Mistake, edit

IDS = "torch.tensor(input_ids)"
MASK = "torch.tensor(attention_mask)"
ROW = "list(row) + [pad_id] * (longest - len(row))"


def mask(of_ids: str) -> Edit:
    """The mask that a condition on the padded `ids` makes."""
    return edit(MASK, of_ids.replace("ids", IDS))


# fmt: off
EXERCISE = Exercise(
    name="pad_batch", kind="bug", minutes=4, difficulty=1, reference=batch.pad_batch,
    cases=lambda seed: [([[101, 1045, 2293, 102], [101, 102]], 0), ([[0, 31, 8, 2], [0, 2]], 1),
        ([[0, 5, 0, 6], [5], [7, 6, 5]], 9), ([[4, 3, 2]], 0), ([[1, 2], [2, 1, 7, 4]], 3)],
    returns=("input_ids", "attention_mask"), gradients=False,
    mistakes=[
        Mistake("the_draft", "For BERT the mask is right, for others it isn't. Ask of each wrong entry why"
            " the function put it there, and which part of the code decides that.",
            mask("(ids != 0).long()")),
        Mistake("numbers_by_heart", "Padding has the number 1 in RoBERTa's vocabulary alone. The function is"
            " given its number: pad_id.",
            (mask("(ids != 1).long()"),
             mask("(ids != 1).long()").then(ROW, "list(row) + [1] * (longest - len(row))"))),
        Mistake("larger_than_padding", "Ids on either side of pad_id are tokens too: it need not be the"
            " smallest number, nor the largest.",
            (mask("(ids > pad_id).long()"), mask("(ids < pad_id).long()"), mask("(ids >= pad_id).long()"))),
        Mistake("both_numbers", "Padding is out now, but so are tokens that happen to have the number 0. Only"
            " pad_id matters.", mask("((ids != pad_id) & (ids != 0)).long()")),
        Mistake("padded_with_0", "Rows are filled up with 0 now, which in some vocabularies is a token: fill"
            " them with pad_id.",
            tuple(edit(ROW, ROW.replace("pad_id", "0")).then(MASK, of_ids.replace("ids", IDS))
                for of_ids in (MASK, "(ids != 0).long()", "(ids != pad_id).long()"))),
        Mistake("padded_on_the_left", "Padding stands behind the ids of a row, as in the draft: BERT counts"
            " positions from the left.",
            edit(ROW, "[pad_id] * (longest - len(row)) + list(row)")
                .then("[1] * len(row) + [0] * (longest - len(row))",
                    "[0] * (longest - len(row)) + [1] * len(row)")),
    ],
    hints=("Run the draft on [[0, 31, 8, 2], [0, 2]] with pad_id 1, and look at both tensors.",
           "Which number tells you that a place was filled up? It is one of the arguments.",
           "attention_mask = (input_ids != pad_id).long()"),
    why="Safer still is to count: len(row) ones, then zeros. A text may hold the token [PAD] itself.",
)
# fmt: on
