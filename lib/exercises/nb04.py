"""The exercises of notebook 04, BERT's input."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lib.analysis.vectors import similarity
from lib.bert import BertConfig, BertModel
from lib.bert.embeddings import BertEmbeddings, sinusoidal_positions
from lib.exercises.exercise import Exercise, Invariant, Mistake
from lib.exercises.inside import load_weights

NOTEBOOK = "04_the_input"


# --- BertEmbeddings -------------------------------------------------------------------------------


class _Tables(nn.Module):
    """The tables under the names that checkpoints know; what is done with them varies."""

    def __init__(self, config: BertConfig):
        super().__init__()
        size = config.hidden_size
        self.word_embeddings = nn.Embedding(config.vocab_size, size, padding_idx=config.pad_token_id)
        self.position_embeddings = nn.Embedding(config.max_position_embeddings, size)
        self.token_type_embeddings = nn.Embedding(config.type_vocab_size, size)
        self.LayerNorm = nn.LayerNorm(size, eps=config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)


def _types(tables: Any, ids: Tensor, types: Tensor | None) -> Tensor:
    return tables.token_type_embeddings(torch.zeros_like(ids) if types is None else types)


def _other(
    words: Any = lambda tables, ids: tables.word_embeddings(ids),
    places: Any = lambda tables, ids: tables.position_embeddings.weight[: ids.size(1)],
    types: Any = _types,
    together: Any = lambda words, places, types: words + places + types,
    finish: Any = lambda tables, total: tables.dropout(tables.LayerNorm(total)),
) -> type[nn.Module]:
    """The input in five steps, one of which a mistake replaces."""

    def forward(tables: Any, input_ids: Tensor, token_type_ids: Tensor | None = None) -> Any:
        looked_up = (
            words(tables, input_ids),
            places(tables, input_ids),
            types(tables, input_ids, token_type_ids),
        )
        return finish(tables, together(*looked_up))

    return type("BertEmbeddings", (_Tables,), {"forward": forward})


def _each_normalized(tables: Any, input_ids: Tensor, token_type_ids: Tensor | None = None) -> Tensor:
    places = tables.position_embeddings.weight[: input_ids.size(1)]
    parts = tables.word_embeddings(input_ids), places, _types(tables, input_ids, token_type_ids)
    return tables.dropout(sum(tables.LayerNorm(part) for part in parts))


def _input_cases(seed: int) -> Iterator[tuple[Any, ...]]:
    """In eval(), where a rate of 1 has to do nothing, with types and without; in train(), at a rate of 1.

    What is dropped out at a rate of 1 vanishes, so dropout is judged without depending on random draws.
    """
    for texts, length, with_types, training in [
        (1, 3, False, False),
        (2, 5, True, False),
        (3, 7, False, False),
        (2, 5, True, True),
    ]:
        torch.manual_seed(seed)
        config = BertConfig(
            vocab_size=20,
            hidden_size=6,
            num_attention_heads=2,
            max_position_embeddings=9,
            hidden_dropout_prob=1.0,
        )
        state = {name: torch.randn_like(t) for name, t in BertEmbeddings(config).state_dict().items()}
        ids = torch.randint(10, 20, (texts, length))
        types = torch.randint(0, 2, (texts, length)) if with_types else None
        yield config, state, ids, types, training


def _run_input(
    candidate: Any,
    config: BertConfig,
    state: dict[str, Tensor],
    input_ids: Tensor,
    token_type_ids: Tensor | None,
    training: bool,
) -> Any:
    """Build it, give it the reference's tables, call it in train() or eval()."""
    embeddings = candidate(config)
    load_weights(embeddings, state)
    embeddings.train(training)
    return embeddings(input_ids) if token_type_ids is None else embeddings(input_ids, token_type_ids)


@contextmanager
def _at_the_door(candidate: Any, model: BertModel) -> Iterator[None]:
    """The model with the learner's embeddings in the place of its own, tables carried over."""
    original = model.embeddings
    theirs = candidate(model.config)
    theirs.load_state_dict(original.state_dict())
    model.embeddings = theirs.eval()
    try:
        yield
    finally:
        model.embeddings = original


def _use(candidate: Any, model: BertModel) -> AbstractContextManager[None]:
    return _at_the_door(candidate, model)


INPUT = Exercise(
    name="BertEmbeddings",
    notebook=NOTEBOOK,
    reference=BertEmbeddings,
    cases=_input_cases,
    run=_run_input,
    mistakes=[
        Mistake(
            "no_positions",
            "The positions are missing from your sum, so a word is the same wherever it stands. Row 0 of"
            " the position table belongs to the first piece of every text, row 1 to the second, and so on.",
            _other(places=lambda t, ids: torch.zeros(())),
        ),
        Mistake(
            "no_types",
            "The token types are missing from your sum. Texts of type 0 need theirs too: row 0 is not zero.",
            _other(types=lambda t, ids, types: torch.zeros(())),
        ),
        Mistake(
            "words_alone",
            "That is the word vector, normalized. Two more vectors are added to it: position and token type.",
            _other(together=lambda words, places, types: words),
        ),
        Mistake(
            "types_ignored",
            "Right for a single text. Where token_type_ids are given, use them: pieces of a second text are"
            " of type 1.",
            _other(types=lambda t, ids, types: t.token_type_embeddings(torch.zeros_like(ids))),
        ),
        Mistake(
            "types_must_be_given",
            "token_type_ids may be left out; then it is None, and every piece is of type 0:"
            " torch.zeros_like(input_ids).",
            _other(types=lambda t, ids, types: t.token_type_embeddings(types)),
        ),
        Mistake(
            "nothing_by_default",
            "Where token_type_ids are left out you add nothing. Every piece is of type 0 then, and row 0 of"
            " the table is not zero.",
            _other(types=lambda t, ids, types: 0.0 if types is None else t.token_type_embeddings(types)),
        ),
        Mistake(
            "second_by_default",
            "Without token_type_ids you take type 1. A text that comes alone is the first: type 0,"
            " torch.zeros_like.",
            _other(
                types=lambda t, ids, types: t.token_type_embeddings(
                    torch.ones_like(ids) if types is None else types
                )
            ),
        ),
        Mistake(
            "position_of_the_word",
            "You look positions up by input_ids, by what the piece is. They go by where it stands:"
            " 0, 1, 2, ..., torch.arange(input_ids.size(1)).",
            _other(places=lambda t, ids: t.position_embeddings(ids)),
        ),
        Mistake(
            "position_of_the_text",
            "You number the texts of the batch. Positions number the pieces within a text, which is"
            " dimension 1 of input_ids.",
            _other(places=lambda t, ids: t.position_embeddings.weight[: ids.size(0), None]),
        ),
        Mistake(
            "texts_for_pieces",
            "You take as many positions as there are texts. input_ids is [B, T]: T is input_ids.size(1).",
            _other(places=lambda t, ids: t.position_embeddings.weight[: ids.size(0)]),
        ),
        Mistake(
            "from_one",
            "Your first position is 1. BERT counts from 0, where [CLS] stands.",
            _other(places=lambda t, ids: t.position_embeddings.weight[1 : ids.size(1) + 1]),
        ),
        Mistake(
            "one_row",
            "You add one and the same position to every piece: weight[T] is a single row. A colon before it"
            " takes the first T: weight[:T].",
            _other(places=lambda t, ids: t.position_embeddings.weight[ids.size(1)]),
        ),
        Mistake(
            "whole_table",
            "You add the whole position table, whatever the length of the text. Take its first T rows.",
            _other(places=lambda t, ids: t.position_embeddings.weight),
        ),
        Mistake(
            "times_root",
            "You multiply the words by √D, as Vaswani and others (2017, section 3.4) do. BERT adds them"
            " as they are.",
            _other(words=lambda t, ids: t.word_embeddings(ids) * t.word_embeddings.embedding_dim**0.5),
        ),
        Mistake(
            "multiplied",
            "You multiply the three. BERT adds them.",
            _other(together=lambda words, places, types: words * places * types),
        ),
        Mistake(
            "side_by_side",
            "You lay the three side by side, which makes vectors of 3 · D. BERT adds them: the size stays D.",
            _other(
                together=lambda words, places, types: torch.cat(
                    [words, places.expand_as(words), types], dim=-1
                )
            ),
        ),
        Mistake(
            "no_norm",
            "The sum is right; it still has to go through self.LayerNorm.",
            _other(finish=lambda t, total: t.dropout(total)),
        ),
        Mistake(
            "sum_alone",
            "The sum is right; it still has to go through self.LayerNorm and then self.dropout.",
            _other(finish=lambda t, total: total),
        ),
        Mistake(
            "each_normalized",
            "You normalize the three and then add. Add first, then normalize the sum.",
            type("BertEmbeddings", (_Tables,), {"forward": _each_normalized}),
        ),
        Mistake(
            "no_dropout",
            "Right in eval(), but in train() nothing is dropped out: what leaves LayerNorm goes through"
            " self.dropout.",
            _other(finish=lambda t, total: t.LayerNorm(total)),
        ),
        Mistake(
            "dropout_before_the_norm",
            "Right in eval(), but in train() you drop out the sum. Normalize first, then drop out.",
            _other(finish=lambda t, total: t.LayerNorm(t.dropout(total))),
        ),
        Mistake(
            "dropout_in_eval",
            "You drop out in eval() too: F.dropout does not know in which state the module is. Use"
            " self.dropout.",
            _other(finish=lambda t, total: F.dropout(t.LayerNorm(total), t.dropout.p)),
        ),
        Mistake(
            "returns_a_tuple",
            "The numbers are right, but they come in a tuple. Return the tensor alone.",
            _other(finish=lambda t, total: (t.dropout(t.LayerNorm(total)),)),
        ),
    ],
    hints=(
        "Three lookups, one sum: what the piece is, where it stands, which text it is in. Then LayerNorm,"
        " then dropout.",
        "word_embeddings(input_ids) is [B, T, D]; the first T rows of position_embeddings.weight are [T, D],"
        " the same for every text; token_type_embeddings(token_type_ids) is [B, T, D].",
        "if token_type_ids is None: token_type_ids = torch.zeros_like(input_ids); then"
        " total = self.word_embeddings(input_ids) + self.position_embeddings.weight[: input_ids.size(1)]"
        " + self.token_type_embeddings(token_type_ids); return self.dropout(self.LayerNorm(total)).",
    ),
    why="All that BERT ever learns about where a word stands comes in through this sum.",
    box="positions",
    use=_use,
)


# --- sinusoidal_positions -------------------------------------------------------------------------


def _side_by_side(even: Tensor, odd: Tensor) -> Tensor:
    """Even and odd columns in turn: two [T, D / 2] to [T, D]."""
    return torch.stack([even, odd], dim=-1).flatten(1)


def _wrong(
    first: int = 0,
    base: float = 10_000.0,
    exponent: Callable[[Tensor, int, int], Tensor] = lambda column, length, size: column / size,
    angles: Callable[[Tensor, Tensor], Tensor] = lambda position, power: position / power,
    lay: Callable[[Tensor], Tensor] = lambda angle: _side_by_side(angle.sin(), angle.cos()),
) -> Callable[[int, int], Tensor]:
    """The table in five steps, one of which a mistake replaces."""

    def wrong(length: int, hidden_size: int) -> Tensor:
        position = torch.arange(first, first + length).float()[:, None]  # [T, 1]
        column = torch.arange(0, hidden_size, 2).float()  # [D / 2]
        return lay(angles(position, base ** exponent(column, length, hidden_size)))

    return wrong


def _each_column_its_own(length: int, hidden_size: int) -> Tensor:
    column = torch.arange(hidden_size)
    angle = torch.arange(length)[:, None] / 10_000 ** (column / hidden_size)  # [T, D]
    return torch.where(column % 2 == 0, angle.sin(), angle.cos())


def _without_minus(length: int, hidden_size: int) -> Tensor:
    speed = torch.exp(torch.arange(0, hidden_size, 2) * (math.log(10_000) / hidden_size))
    angle = torch.arange(length)[:, None] * speed
    return _side_by_side(angle.sin(), angle.cos())


def _starts_as_it_should(candidate: Any, arguments: tuple[int, int], result: Tensor) -> bool:
    start = torch.tensor([0.0, 1.0]).repeat(arguments[1] // 2)
    return torch.allclose(result[0], start, atol=1e-4)


def _goes_round(candidate: Any, arguments: tuple[int, int], result: Tensor) -> bool:
    squares = result[:, 0::2] ** 2 + result[:, 1::2] ** 2
    return torch.allclose(squares, torch.ones_like(squares), atol=1e-3)


def _fastest_first(candidate: Any, arguments: tuple[int, int], result: Tensor) -> bool:
    return torch.allclose(result[:, 0], torch.arange(arguments[0]).sin(), atol=1e-3)


POSITIONS = Exercise(
    name="sinusoidal_positions",
    notebook=NOTEBOOK,
    reference=sinusoidal_positions,
    cases=lambda seed: [(3, 4), (5, 8), (6, 6), (1, 16), (48, 32)],
    gradients=False,
    tolerance=1e-4,  # an angle of 47 in single precision is off by some millionths, and so is its sine
    invariants=[
        Invariant(
            "starts_as_it_should",
            "Look at position 0: all its angles are 0, so its row has to read 0, 1, 0, 1, ...",
            _starts_as_it_should,
        ),
        Invariant(
            "goes_round",
            "Columns 2i and 2i + 1 are the sine and the cosine of one angle, so their squares sum to 1. Yours"
            " do not: do the two share their angle?",
            _goes_round,
        ),
        Invariant(
            "fastest_first",
            "Column 0 divides by 10000^0 = 1, so it has to be the sine of the position itself: sin 0, sin 1,"
            " sin 2, ... Yours is not.",
            _fastest_first,
        ),
    ],
    mistakes=[
        Mistake(
            "halves",
            "All sines first, then all cosines. The numbers are right, the order is not: they take turns,"
            " sines in columns 0, 2, 4, ..., cosines in 1, 3, 5, ...",
            _wrong(lay=lambda angle: torch.cat([angle.sin(), angle.cos()], dim=-1)),
        ),
        Mistake(
            "scrambled",
            "You stack sines and cosines along a new first axis and reshape, so rows get mixed up. Stack"
            " along a new last one (dim=-1), and the two take turns when it is flattened.",
            _wrong(lay=lambda angle: torch.stack([angle.sin(), angle.cos()]).reshape(len(angle), -1)),
        ),
        Mistake(
            "counts_from_one",
            "Your first position is 1. Count from 0, so that the first row reads 0, 1, 0, 1, ...",
            _wrong(first=1),
        ),
        Mistake(
            "base_1000",
            "Your base is 1,000, so even the slowest hand comes round too soon. The formula has 10,000.",
            _wrong(base=1_000.0),
        ),
        Mistake(
            "not_divided_by_size",
            "The exponent is not divided by hidden_size, so from the second pair on the angle all but stands"
            " still. It has to run from 0 to just under 1.",
            _wrong(exponent=lambda column, length, size: column),
        ),
        Mistake(
            "floor_division",
            "Your exponent is 0 everywhere, so all pairs turn at the same speed: // rounds down. Divide"
            " with /.",
            _wrong(exponent=lambda column, length, size: column // size),
        ),
        Mistake(
            "divided_by_length",
            "You divide the exponent by the length of the text. A position's vector must not depend on how"
            " much text follows: divide by hidden_size.",
            _wrong(exponent=lambda column, length, size: column / length),
        ),
        Mistake(
            "half_the_exponent",
            "Your exponent is i / hidden_size, with i the number of the pair: it stops at a half. The formula"
            " has 2i, which is the even column itself.",
            _wrong(exponent=lambda column, length, size: column / 2 / size),
        ),
        Mistake(
            "double_the_exponent",
            "Doubled twice: arange(0, hidden_size, 2) is 2i already, so 2 times it is 4i. Divide it by"
            " hidden_size as it is.",
            _wrong(exponent=lambda column, length, size: 2 * column / size),
        ),
        Mistake(
            "each_column_its_own",
            "Odd columns have angles of their own in yours. A sine and the cosine right of it share one"
            " angle, that of the even column; only so is a step of k positions a rotation.",
            _each_column_its_own,
        ),
        Mistake(
            "swapped",
            "Sine and cosine have changed places: sines belong in even columns, cosines in odd ones.",
            _wrong(lay=lambda angle: _side_by_side(angle.cos(), angle.sin())),
        ),
        Mistake(
            "sine_only",
            "Odd columns hold the sine as well. They hold the cosine: with both, no two places in a wave look"
            " alike.",
            _wrong(lay=lambda angle: _side_by_side(angle.sin(), angle.sin())),
        ),
        Mistake(
            "angles_alone",
            "These are the angles; their sines and cosines are missing.",
            _wrong(lay=lambda angle: _side_by_side(angle, angle)),
        ),
        Mistake(
            "multiplied",
            "You multiply by the power of 10,000 where the formula divides: later columns should turn more"
            " slowly, and yours race.",
            _wrong(angles=lambda position, power: position * power),
        ),
        Mistake(
            "without_minus",
            "Your angles grow from column to column instead of shrinking. To divide by a power of 10,000 with"
            " exp, its exponent needs a minus: exp(-2i · log(10000) / hidden_size).",
            _without_minus,
        ),
        Mistake(
            "math_of_a_table",
            "math.sin takes one number. For a whole table of angles use torch.sin, or angle.sin().",
            _wrong(lay=lambda angle: _side_by_side(math.sin(angle), math.cos(angle))),  # type: ignore[arg-type]
        ),
        Mistake(
            "degrees",
            "You take the angles for degrees. They are radians as they stand: position 1 begins with sin(1) ="
            " 0.84, not with the sine of one degree.",
            _wrong(angles=lambda position, power: torch.deg2rad(position / power)),
        ),
        Mistake(
            "transposed",
            "Right, but lying on its side: positions are rows, features columns, [length, hidden_size].",
            _wrong(lay=lambda angle: _side_by_side(angle.sin(), angle.cos()).T),
        ),
    ],
    hints=(
        "A clock with hidden_size / 2 hands, each slower than the one before. Every hand is written down as"
        " two numbers: the sine and the cosine of its angle.",
        "position [length, 1] divided by the powers [hidden_size / 2] broadcasts to the angles"
        " [length, hidden_size / 2]; columns 0::2 of the table take their sines, 1::2 their cosines.",
        "angle = torch.arange(length)[:, None] / 10_000 ** (torch.arange(0, hidden_size, 2) / hidden_size);"
        " then table[:, 0::2] = angle.sin(), and the cosine likewise.",
    ),
    why="BERT learns its positions instead; these need no training and never run out.",
)


# --- order_of_likeness ----------------------------------------------------------------------------

DISTANCES = (1, 4, 8, 16, 64)


def _order_of_likeness() -> list[int]:
    """The distances, most alike positions first, in the learned table of MiniLM."""
    table = BertModel.from_pretrained("minilm").embeddings.position_embeddings.weight.detach()
    cosines = similarity.cosine(table, table)  # [512, 512]
    return sorted(DISTANCES, key=lambda distance: -float(cosines.diagonal(distance).mean()))


LIKENESS = Exercise(
    name="order_of_likeness",
    notebook=NOTEBOOK,
    kind="order",
    reference=_order_of_likeness,
    form="An answer is a list of the five distances, most alike first, such as [64, 16, 8, 4, 1].",
    mistakes=[
        Mistake(
            "steadily",
            "The nearer, the more alike: so it is with the sinusoidal table, and so most people guess."
            " MiniLM's own table does not fall steadily. Its stripes repeat down the picture: which two of"
            " your distances could have changed places?",
            sorted(DISTANCES),
        ),
        Mistake(
            "upside_down",
            "The other way around, for the ends at least: neighbors are most alike. Put 1 first.",
            sorted(DISTANCES, reverse=True),
        ),
    ],
    hints=(
        "Look along one column of the learned table, from the top down: does what it shows come back?",
        "Where it comes back after n positions, positions n apart are alike again.",
        "Two neighbors of the list of plain distances change places. 1 stays first and 64 last.",
    ),
    why="The cosine falls and rises again: near is not always alike. The next picture shows all distances.",
)

EXERCISES = [INPUT, POSITIONS, LIKENESS]
