"""The exercises of notebook 02, text to tensors."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch import Tensor

from lib.bert import batch
from lib.exercises.exercise import Exercise, Invariant, Mistake
from lib.exercises.inside import replaced

NOTEBOOK = "02_text_to_tensors"


# --- shape_of_the_batch ---------------------------------------------------------------------------

SHAPE = Exercise(
    name="shape_of_the_batch",
    notebook=NOTEBOOK,
    kind="predict",
    reference=[2, 17],
    form="An answer is two numbers, rows and columns, such as [3, 20].",
    mistakes=[
        Mistake(
            "nothing_added",
            "You counted the pieces of the longer pair. To those come [CLS] before, [SEP] between and [SEP]"
            " behind.",
            [2, 14],
        ),
        Mistake(
            "plus_two",
            "A text takes two places more than it has pieces, a pair three: there is a [SEP] after each of"
            " the two.",
            [2, 16],
        ),
        Mistake(
            "plus_four",
            "You give each text of the pair a [CLS] and a [SEP]. The pair has one [CLS], at its beginning.",
            [2, 18],
        ),
        Mistake(
            "shorter_pair",
            "That is how many the shorter pair takes. A batch is as wide as its longest row; the others are"
            " filled up.",
            [2, 12],
        ),
        Mistake(
            "a_row_for_each_text",
            "Two texts of a pair share one row: [CLS] first [SEP] second [SEP]. So there are fewer rows.",
            lambda shape: shape[0] == 4,
            example=[4, 10],
        ),
        Mistake(
            "one_long_row",
            "You put all in one row. Each pair has a row of its own.",
            lambda shape: shape[0] == 1,
            example=[1, 29],
        ),
        Mistake(
            "columns_first",
            "Rows come first: [B, T], B texts (here pairs) of T pieces.",
            [17, 2],
        ),
    ],
    hints=(
        "One row for each pair. Which one needs more places?",
        "Count the words of the longer pair. What is added to it, and how often?",
        "6 + 8 pieces, one [CLS] and two [SEP].",
    ),
    why="6 + 8 pieces, and 3 for a pair. The shorter pair, 4 + 5 + 3, is filled up.",
)


# --- build_inputs ---------------------------------------------------------------------------------

WORDS = ["i", "love", "this", "class", "she", "opened", "a", "bank", "account", "##s", "teddy"]
PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
VOCAB = {piece: number for number, piece in enumerate(PIECES)}
#: in another order, where [CLS] and [SEP] are 101 and 102 as in BERT's own
BERTS = {piece: 101 + number for number, piece in enumerate(["[CLS]", "[SEP]", "[MASK]", *WORDS])}


def _rows(seed: int) -> Iterator[tuple[Any, ...]]:
    """A text alone, pairs, texts of one piece; two vocabularies. No text is empty."""
    yield ["i", "love"], None, VOCAB
    yield ["i"], ["she"], VOCAB
    yield ["i", "love", "this", "class"], None, BERTS
    yield ["she", "opened", "a", "bank", "account"], ["i", "love", "[MASK]"], BERTS
    yield ["teddy", "##s"], ["this", "a", "bank", "##s"], VOCAB


def _from(start: int, length: int) -> list[int]:
    """Token types that turn from 0 to 1 at `start`."""
    return [int(at >= start) for at in range(length)]


Tokens = Callable[[list[str], list[str]], list[str]]


def _row(
    alone: Callable[[list[str]], list[str]] = lambda first: ["[CLS]", *first, "[SEP]"],
    pair: Tokens = lambda first, second: ["[CLS]", *first, "[SEP]", *second, "[SEP]"],
    types: Callable[[int, int, int], list[int]] = lambda all, first, second: _from(all - second, all),
    give: Callable[[list[int], list[int], list[str]], Any] = lambda ids, types, tokens: (ids, types),
    look_up: Callable[[dict[str, int], str], int] = lambda vocab, token: vocab[token],
) -> Any:
    """A row in steps, one of which a mistake replaces.

    types: from how many tokens there are, how many pieces the first text has, and how many tokens belong to
    the second, its [SEP] included.
    """

    def wrong(first: Any, second: Any, vocab: Any) -> Any:
        first = list(first)
        tokens = alone(first) if second is None else pair(first, list(second))
        seconds = 0 if second is None else min(len(second) + 1, len(tokens))
        ids = [look_up(vocab, token) for token in tokens]
        return give(ids, types(len(tokens), len(first), seconds), tokens)

    return wrong


def _as_two_texts(unpack: Callable[[Any], Any]) -> Any:
    """Treats every text as the first of a pair, and stumbles over a second that is None."""

    def wrong(first: Any, second: Any, vocab: Any) -> Any:
        unpack(second)
        return batch.build_inputs(first, second, vocab)

    return wrong


def _by_number(vocab: dict[str, int], token: str) -> int:
    return {"[CLS]": 101, "[SEP]": 102}.get(token) or vocab[token]


def _nested(first: Sequence[str], second: Sequence[str] | None, vocab: dict[str, int]) -> Any:
    ids: list[Any] = [vocab["[CLS]"], [vocab[piece] for piece in first], vocab["[SEP]"]]
    if second is not None:
        ids += [[vocab[piece] for piece in second], vocab["[SEP]"]]
    return ids, batch.build_inputs(first, second, vocab)[1]


BUILD = Exercise(
    name="build_inputs",
    notebook=NOTEBOOK,
    reference=batch.build_inputs,
    cases=_rows,
    returns=("ids", "token types"),
    gradients=False,
    invariants=[
        Invariant(
            "one_type_for_each_id",
            "There have to be as many token types as ids, special tokens included: BERT adds the two piece by"
            " piece.",
            lambda candidate, arguments, result: len(result[0]) == len(result[1]),
        ),
    ],
    mistakes=[
        Mistake(
            "types_upside_down",
            "Upside down: the first text, and [CLS], have token type 0, the second text has 1.",
            _row(types=lambda all, first, second: [1] * (all - second) + [0] * second),
        ),
        Mistake(
            "last_separator_of_type_0",
            "The [SEP] behind a text belongs to it: the last one has token type 1, as the second text has.",
            _row(
                types=lambda all, first, second: (
                    [0] * (all - second) + [1] * (second - 1) + [0] * (second > 0)
                )
            ),
        ),
        Mistake(
            "first_separator_of_type_1",
            "The [SEP] behind a text belongs to it: the one in the middle has token type 0. The 1s begin with"
            " the second text.",
            _row(
                types=lambda all, first, second: (
                    [0] * (first + 1) + [1] * (all - first - 1) if second else [0] * all
                )
            ),
        ),
        Mistake(
            "types_all_0",
            "Every token type is 0, so BERT is not told where the second text begins: from there on they"
            " are 1.",
            _row(types=lambda all, first, second: [0] * all),
        ),
        Mistake(
            "types_1_and_2",
            "Token types count from 0: 0 for the first text, 1 for the second. There is no row for 2 in the"
            " table where they are looked up.",
            _row(types=lambda all, first, second: [1] * (all - second) + [2] * second),
        ),
        Mistake(
            "types_without_the_special_tokens",
            "You give token types to the pieces of the texts alone. [CLS] and each [SEP] need one as well, or"
            " ids and types no longer go together.",
            _row(types=lambda all, first, second: [0] * first + [1] * max(second - 1, 0)),
        ),
        Mistake(
            "nothing_added",
            "Only the pieces themselves: [CLS] before, and [SEP] behind each text, are missing.",
            _row(
                alone=lambda first: first,
                pair=lambda first, second: [*first, *second],
                types=lambda all, first, second: _from(first, all),
            ),
        ),
        Mistake(
            "no_cls",
            "There is no [CLS]. Every row begins with it, also one that nobody wants to classify: BERT has"
            " never read a row without.",
            _row(
                alone=lambda first: [*first, "[SEP]"],
                pair=lambda first, second: [*first, "[SEP]", *second, "[SEP]"],
            ),
        ),
        Mistake(
            "no_last_separator",
            "The [SEP] at the end is missing. It stands behind each text, not only between two.",
            _row(
                alone=lambda first: ["[CLS]", *first],
                pair=lambda first, second: ["[CLS]", *first, "[SEP]", *second],
                types=lambda all, first, second: _from(first + 2 if second else all, all),
            ),
        ),
        Mistake(
            "no_separator_between",
            "There is no [SEP] between the two texts: it stands behind each.",
            _row(pair=lambda first, second: ["[CLS]", *first, *second, "[SEP]"]),
        ),
        Mistake(
            "two_cls",
            "The second text begins with a [CLS] of its own. A row has one, at its beginning; so a pair takes"
            " 3 places more than its pieces, not 4.",
            _row(
                pair=lambda first, second: ["[CLS]", *first, "[SEP]", "[CLS]", *second, "[SEP]"],
                types=lambda all, first, second: _from(first + 2, all),
            ),
        ),
        Mistake(
            "two_separators_between",
            "Two [SEP] stand between the texts. RoBERTa does that (Liu and others, 2019); BERT has one.",
            _row(
                pair=lambda first, second: ["[CLS]", *first, "[SEP]", "[SEP]", *second, "[SEP]"],
                types=lambda all, first, second: _from(first + 2, all),
            ),
        ),
        Mistake(
            "second_first",
            "The two texts have changed places.",
            _row(
                pair=lambda first, second: ["[CLS]", *second, "[SEP]", *first, "[SEP]"],
                types=lambda all, first, second: _from(all - first - 1 if second else all, all),
            ),
        ),
        Mistake(
            "second_forgotten",
            "Right for a text alone, but of a pair you read the first text only.",
            _row(
                pair=lambda first, second: ["[CLS]", *first, "[SEP]"],
                types=lambda all, first, second: [0] * all,
            ),
        ),
        *(
            Mistake(
                "none_is_no_text",
                "`second` is None if there is no second text, and None can be neither looped over nor"
                " measured: ask `if second is not None` before you touch it.",
                _as_two_texts(unpack),
            )
            for unpack in (lambda s: [*s], len, lambda s: [0 for _ in s], lambda s: operator.add([], s))
        ),
        Mistake(
            "numbers_by_heart",
            "101 and 102 are [CLS] and [SEP] in the vocabulary of bert-base-uncased only. Look them up like"
            ' every other piece: vocab["[CLS]"].',
            _row(look_up=_by_number),
        ),
        Mistake(
            "pieces_not_numbers",
            "The pieces stand in the right order, but as text. BERT takes numbers: look each up in vocab.",
            _row(give=lambda ids, types, tokens: (tokens, types)),
        ),
        Mistake(
            "lists_in_a_list",
            "You put a list into the list. To add each of its entries, write ids += [...], or"
            " ids.extend(...), or [first_id, *more].",
            _nested,
        ),
        Mistake(
            "returns_swapped",
            "Both lists are right, in the wrong order: return the ids first, then the token types.",
            _row(give=lambda ids, types, tokens: (types, ids)),
        ),
        Mistake(
            "returns_ids_alone",
            "The ids are right. Return the token types beside them: return ids, token_types.",
            _row(give=lambda ids, types, tokens: ids),
        ),
    ],
    hints=(
        "Two steps: write the row down in pieces, special tokens included, with a type for each; then look"
        " every piece up.",
        '["[CLS]", *first, "[SEP]"] has len(first) + 2 tokens, all of type 0. A second text adds'
        " len(second) + 1, all of type 1.",
        'tokens = ["[CLS]", *first, "[SEP]"]; types = [0] * len(tokens); if second is not None: tokens +='
        ' [*second, "[SEP]"] and types += [1] * (len(second) + 1); return [vocab[token] for token in tokens],'
        " types.",
    ),
    why="Two places more than pieces for a text, three for a pair.",
    box="tensors",
    use=lambda candidate, model: replaced(batch, "build_inputs", candidate),
)


# --- pad_batch ------------------------------------------------------------------------------------


def _batches(seed: int) -> Iterator[tuple[Any, ...]]:
    """Padding of number 0, 1 and more; rows in which 0 is a token. `pad_id` never stands in a row."""
    yield [[101, 1045, 2293, 102], [101, 102]], 0
    yield [[0, 31, 8, 2], [0, 2]], 1
    yield [[0, 5, 0, 6], [5], [7, 6, 5]], 9
    yield [[4, 3, 2]], 0
    yield [[1, 2], [2, 1, 7]], 3


def _masked(mask: Callable[[Tensor, int], Tensor]) -> Any:
    """Pads as it should, then takes the mask that a mistake makes of the ids."""

    def wrong(rows: Any, pad_id: int) -> Any:
        input_ids, _ = batch.pad_batch(rows, pad_id)
        return input_ids, mask(input_ids, pad_id)

    return wrong


PAD = Exercise(
    name="pad_batch",
    notebook=NOTEBOOK,
    kind="bug",
    reference=batch.pad_batch,
    cases=_batches,
    returns=("input_ids", "attention_mask"),
    gradients=False,
    mistakes=[
        Mistake(
            "the_draft",
            "The mask still asks for the number 0. Print it for the rows [[0, 31, 2], [0, 2]] and pad_id 1:"
            " which places should be 1?",
            _masked(lambda ids, pad_id: (ids != 0).long()),
        ),
        Mistake(
            "upside_down",
            "Upside down: the mask is 1 at the ids of a row and 0 at padding.",
            _masked(lambda ids, pad_id: (ids == pad_id).long()),
        ),
        Mistake(
            "larger_than_padding",
            "Ids smaller than pad_id are pieces too: it need not be the smallest number.",
            _masked(lambda ids, pad_id: (ids > pad_id).long()),
        ),
        Mistake(
            "booleans",
            "The places are right, but these are True and False, and asked for are the numbers 1 and 0: keep"
            " .long().",
            _masked(lambda ids, pad_id: ids != pad_id),
        ),
        Mistake(
            "both_numbers",
            "Padding is out now, but so are pieces that happen to have the number 0. Only pad_id matters.",
            _masked(lambda ids, pad_id: ((ids != pad_id) & (ids != 0)).long()),
        ),
        Mistake(
            "all_ones",
            "Every place is 1, so padding counts as a piece again.",
            _masked(lambda ids, pad_id: torch.ones_like(ids)),
        ),
        Mistake(
            "padded_with_0",
            "The mask is right, but the rows are filled up with 0 now: fill them with pad_id.",
            lambda rows, pad_id: (batch.pad_batch(rows, 0)[0], batch.pad_batch(rows, pad_id)[1]),
        ),
    ],
    hints=(
        "Run the draft on [[0, 31, 2], [0, 2]] with pad_id 1, and look at both tensors.",
        "Which number tells you that a place was filled up? It is one of the arguments.",
        "attention_mask = (input_ids != pad_id).long()",
    ),
    why="Safer still is to count: len(row) ones, then zeros. A text may hold the piece [PAD] itself.",
)

EXERCISES = [SHAPE, BUILD, PAD]
