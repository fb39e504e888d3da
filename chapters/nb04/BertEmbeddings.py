"""BERT's input: three lookups, one sum, layer norm, dropout."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor

from lib.bert import BertConfig, BertModel
from lib.bert.embeddings import BertEmbeddings
from lib.exercises.inside import load_weights, replaced
from lib.exercises.spec import Exercise, Mistake, edit

WORDS, TYPES = "self.word_embeddings(input_ids)", "self.token_type_embeddings(token_type_ids)"
PLACES = "self.position_embeddings.weight[: input_ids.size(1)]"
TOTAL = f"total = {WORDS} + {TYPES}"
ADDED = f"total = total + {PLACES}"
NORM, END = "self.LayerNorm(total)", "self.dropout(self.LayerNorm(total))"
ZEROS = "token_type_ids = torch.zeros_like(input_ids)"


def cases(seed: int) -> Iterator[tuple[Any, ...]]:
    """In eval(), where a rate of 1 has to do nothing, with types and without; in train(), at a rate of 1.

    What is dropped out at a rate of 1 vanishes, so dropout is judged without depending on random draws.
    With padding the state comes as pairs, whose gradients nobody asks for: whether the row of [PAD] gets
    one depends on how it is looked up, and both ways are right.
    """
    config = BertConfig(
        vocab_size=12, hidden_size=6, num_attention_heads=2, max_position_embeddings=12,
        hidden_dropout_prob=1.0, layer_norm_eps=0.1,
    )  # fmt: skip
    for texts, length, with_types, padded, training in (
        (1, 3, False, False, False),
        (2, 5, True, False, False),
        (3, 7, False, False, False),
        (2, 6, True, True, False),
        (2, 5, True, False, True),
    ):
        torch.manual_seed(seed)
        state = {name: torch.randn_like(t) for name, t in BertEmbeddings(config).state_dict().items()}
        ids = torch.randint(1, 12, (texts, length))
        types = torch.randint(0, 2, (texts, length)) if with_types else None
        if padded:
            ids[0, -3:] = config.pad_token_id
        yield config, tuple(state.items()) if padded else state, ids, types, training


def run(
    candidate: Any,
    config: BertConfig,
    state: Any,
    input_ids: Tensor,
    token_type_ids: Tensor | None,
    training: bool,
) -> Any:
    """Build it, give it the reference's tables, call it in train() or eval()."""
    embeddings = candidate(config)
    load_weights(embeddings, dict(state))
    embeddings.train(training)
    return embeddings(input_ids) if token_type_ids is None else embeddings(input_ids, token_type_ids)


@contextmanager
def use(candidate: Any, model: BertModel) -> Iterator[None]:
    """The model with the learner's embeddings in the place of its own, tables carried over."""
    theirs = candidate(model.config)
    theirs.load_state_dict(model.embeddings.state_dict())
    with replaced(model, "embeddings", theirs.eval()):
        yield


EXERCISE = Exercise(
    name="BertEmbeddings",
    minutes=8,
    difficulty=2,
    reference=BertEmbeddings,
    cases=cases,
    run=run,
    mistakes=[
        Mistake(
            "no_positions",
            "The positions are missing from your sum, so a word is the same wherever it stands. Row 0 of"
            " the position table belongs to the first token of every text, row 1 to the second, and so on.",
            edit(ADDED, "pass"),
        ),
        Mistake(
            "no_types",
            "The token types are missing from your sum. Texts of type 0 need theirs too: row 0 is not zero.",
            edit(f" + {TYPES}", ""),
        ),
        Mistake(
            "types_ignored",
            "Right for a single text. Where token_type_ids are given, use them: tokens of a second text are"
            " of type 1.",
            edit(TYPES, "self.token_type_embeddings(input_ids * 0)"),
        ),
        Mistake(
            "types_must_be_given",
            "token_type_ids may be left out; then it is None, and every token is of type 0:"
            " torch.zeros_like(input_ids).",
            edit(ZEROS, "pass"),
        ),
        Mistake(
            "truth_of_a_tensor",
            "A tensor has no single truth value: write `if token_type_ids is None`.",
            edit("token_type_ids is None", "not token_type_ids"),
        ),
        Mistake(
            "nothing_by_default",
            "Where token_type_ids are left out you add nothing. Every token is of type 0 then, and row 0 of"
            " the table is not zero.",
            edit(ZEROS, "pass").then(TYPES, f"(0.0 if token_type_ids is None else {TYPES})"),
        ),
        Mistake(
            "position_of_the_word",
            "You look positions up by input_ids, by what the token is. They go by where it stands:"
            " 0, 1, 2, ..., torch.arange(input_ids.size(1)).",
            edit(": input_ids.size(1)", "input_ids"),
        ),
        Mistake(
            "texts_for_tokens",
            "You take as many positions as there are texts. input_ids is [B, T]: T is input_ids.size(1).",
            (
                edit("size(1)", "size(0)"),
                edit(ADDED, "total = self.position_embeddings.weight[: len(input_ids)] + total"),
            ),
        ),
        Mistake(
            "from_one",
            "Your first position is 1. BERT counts from 0, where [CLS] stands.",
            edit(": input_ids.size(1)", "1 : input_ids.size(1) + 1"),
        ),
        Mistake(
            "whole_table",
            "You add the whole position table, whatever the length of the text. Take its first T rows.",
            (
                edit(PLACES, "self.position_embeddings.weight"),
                edit(ADDED, "total = self.position_embeddings.weight + total"),
            ),
        ),
        Mistake(
            "padding_stands_still",
            "You do not count the padding. Positions number all places, whatever stands there: attention is"
            " kept off the padding later, by a mask.",
            tuple(
                edit(": input_ids.size(1)", f"((input_ids > 0).cumsum(1) - 1).clamp(min=0){places}")
                for places in ("", " * (input_ids > 0)")
            ),
        ),
        Mistake(
            "times_root",
            "You multiply the words by √D, as Vaswani and others (2017, section 3.4) do. BERT adds them"
            " as they are.",
            edit(WORDS, f"{WORDS} * self.word_embeddings.embedding_dim**0.5"),
        ),
        Mistake(
            "side_by_side",
            "You lay the three side by side, which makes vectors of 3 · D. BERT adds them: the size stays D.",
            edit(
                TOTAL, f"total = torch.cat([{WORDS}, {PLACES}.expand(*input_ids.shape, -1), {TYPES}], -1)"
            ).then(f"{ADDED}  #", "return total  #"),
        ),
        Mistake(
            "sum_alone",
            "The sum is right; it still has to go through self.LayerNorm and then self.dropout.",
            edit(END, "total"),
        ),
        Mistake(
            "each_normalized",
            "You normalize the three and then add. Add first, then normalize the sum.",
            edit(END, f"self.dropout(sum(map(self.LayerNorm, ({WORDS}, {PLACES}, {TYPES}))))")
            .then(TOTAL, "total = 0.0")
            .then(ADDED, "pass"),
        ),
        Mistake(
            "another_norm",
            "That is not what self.LayerNorm does: it has a weight, a bias and an eps of its own. Call it.",
            tuple(
                edit(NORM, f"nn.functional.layer_norm(total, total.shape[-1:]{more})")
                for more in (", self.LayerNorm.weight, self.LayerNorm.bias", "", ", eps=self.LayerNorm.eps")
            ),
        ),
        Mistake(
            "no_dropout",
            "Right in eval(), but in train() nothing is dropped out: what leaves LayerNorm goes through"
            " self.dropout.",
            edit(END, NORM),
        ),
        Mistake(
            "dropout_before_the_norm",
            "Right in eval(), but in train() you drop out before you normalize. Normalize first, then drop"
            " out.",
            (
                edit(END, "self.LayerNorm(self.dropout(total))"),
                edit(END, NORM).then(WORDS, f"self.dropout({WORDS})"),
            ),
        ),
        Mistake(
            "dropout_in_eval",
            "You drop out in eval() too: F.dropout does not know in which state the module is. Use"
            " self.dropout.",
            tuple(edit(END, f"nn.functional.dropout({NORM}{p})") for p in ("", ", self.dropout.p", ", 0.1")),
        ),
    ],
    hints=(
        "Three lookups, one sum: what the token is, where it stands, which text it is in. Then LayerNorm,"
        " then dropout.",
        "word_embeddings(input_ids) is [B, T, D]; the first T rows of position_embeddings.weight are [T, D],"
        " the same for every text; token_type_embeddings(token_type_ids) is [B, T, D].",
        "if token_type_ids is None: token_type_ids = torch.zeros_like(input_ids); then"
        " total = self.word_embeddings(input_ids) + self.position_embeddings.weight[: input_ids.size(1)]"
        " + self.token_type_embeddings(token_type_ids); return self.dropout(self.LayerNorm(total)).",
    ),
    why="All that BERT ever learns about where a word stands comes in through this sum.",
    box="positions",
    use=use,
)
