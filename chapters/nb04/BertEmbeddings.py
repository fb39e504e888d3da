"""BERT's input: three lookups, one sum, layer norm, dropout."""

from collections.abc import Iterator
from typing import Any

import torch

from lib.bert import BertConfig
from lib.bert.embeddings import BertEmbeddings
from lib.exercises.inside import replaced, run_layer, with_weights_of
from lib.exercises.spec import Exercise, Mistake, edit

WORDS, TYPES = "self.word_embeddings(input_ids)", "self.token_type_embeddings(token_type_ids)"
PLACES = "self.position_embeddings.weight[: input_ids.size(1)]"
ADDED = f"total = total + {PLACES}"
NORM, END = "self.LayerNorm(total)", "self.dropout(self.LayerNorm(total))"
ZEROS = "token_type_ids = torch.zeros_like(input_ids)"


def cases(seed: int) -> Iterator[tuple[Any, ...]]:
    """In eval(), and in train() at a rate of 1. A state in pairs, as with padding, asks for no gradients."""
    config = BertConfig(12, 6, 1, 2, hidden_dropout_prob=1.0, layer_norm_eps=0.1)
    for texts, typed, training in ((1, False, False), (2, True, False), (3, True, False), (2, True, True)):
        torch.manual_seed(seed)
        state = {name: torch.randn_like(t) for name, t in BertEmbeddings(config).state_dict().items()}
        ids = torch.randint(1, 12, (texts, texts + 3))
        ids[2:, -3:] = config.pad_token_id
        types = torch.randint(0, 2, ids.shape) if typed else None
        yield config, tuple(state.items()) if texts == 3 else state, ids, types, training


def run(candidate: Any, config: Any, state: Any, input_ids: Any, token_type_ids: Any, training: bool) -> Any:
    """As a layer, under the names that a learner knows."""
    return run_layer(candidate, config, state, input_ids, token_type_ids, training)


def is_normalized(state: dict[str, torch.Tensor], answer: torch.Tensor) -> bool:
    """Whether vectors are what LayerNorm with these weights gives: a mean of 0, before them."""
    normalized = (answer - state["LayerNorm.bias"]) / state["LayerNorm.weight"]
    return bool((normalized.mean(dim=-1).abs() < 1e-4).all())


# fmt: off
EXERCISE = Exercise(
    name="BertEmbeddings", minutes=8, difficulty=2, reference=BertEmbeddings, cases=cases, run=run,
    mistakes=[
        Mistake("wrong_positions", "Row 0 of the position table belongs to the first token of every text, row"
            " 1 to the second, and so on, padding too: add its first T rows, T being input_ids.size(1).",
            (edit(ADDED, "pass"), edit("size(1)", "size(0)"), edit(": input_ids.size(1)", ":1"),
             edit(PLACES, f"{PLACES}.flip(0)"),
             edit(PLACES, "self.position_embeddings.weight[-input_ids.size(1) :]"),
             edit("[: input_ids.size(1)]", ""), edit(": input_ids.size(1)", "input_ids.size(1)"),
             *(edit(": input_ids.size(1)", other) for other in ("input_ids", "1 : input_ids.size(1) + 1")),
             edit(": input_ids.size(1)", "((input_ids > 0).cumsum(1) - 1).clamp(min=0) * (input_ids > 0)"))),
        Mistake("wrong_types", "Each token has a type, the one in token_type_ids. Without these it is 0,"
            " whose row is not zero.",
            (edit(f" + {TYPES}", ""), edit(ZEROS, "pass"),
             edit(ZEROS, "pass").then(TYPES, f"(0.0 if token_type_ids is None else {TYPES})"))),
        Mistake("wrong_norm", "First add the three, then give the sum to self.LayerNorm: it has a weight, a"
            " bias and an eps.",
            (edit(END, "total"), edit(NORM, f"sum(map(self.LayerNorm, ({WORDS}, {PLACES}, {TYPES})))"),
             edit(NORM, f"(self.LayerNorm({WORDS}) + {PLACES} + {TYPES})"),
             edit(NORM, f"(self.LayerNorm({WORDS} + {PLACES}) + {TYPES})"),
             edit(NORM, f"(self.LayerNorm({WORDS} + {TYPES}) + {PLACES})"),
             edit(NORM, f"self.LayerNorm(self.LayerNorm({WORDS}) + {PLACES} + {TYPES})"),
             edit(NORM, f"self.LayerNorm({NORM})"), edit(NORM, "torch.softmax(total, dim=-1)"),
             edit(NORM, "nn.functional.layer_norm(total, total.shape[-1:], eps=self.LayerNorm.eps)"))),
        Mistake("wrong_dropout", "Right in eval() or in train(), but not in both. What leaves LayerNorm goes"
            " through self.dropout, and only that: it knows when to drop out.",
            (*(edit(END, other) for other in (NORM, "self.LayerNorm(self.dropout(total))")),
             *(edit(END, f"nn.functional.dropout({NORM}{p})") for p in ("", ", self.dropout.p")),
             edit(WORDS, f"self.dropout({WORDS})").then(END, NORM))),
        Mistake("multiplied", "You multiply where BERT adds: the vector of a token is the sum of three rows.",
            (edit(ADDED, f"total = total * {PLACES}"), edit(f"{WORDS} + {TYPES}", f"{WORDS} * {TYPES}"),
             edit(f"{WORDS} + {TYPES}", f"{WORDS} * {TYPES}").then(ADDED, f"total = total * {PLACES}"),
             edit(f"{WORDS} + {TYPES}", f"{WORDS} * {PLACES} + {TYPES}").then(ADDED, ""))),
        Mistake("joined", "You put the three side by side, which makes a vector three times as long. Add"
            " them: [B, T, D].",
            (edit(NORM, "self.LayerNorm(torch.cat([total] * 3, dim=-1))"),
             edit(END, f"torch.cat([{WORDS}, {PLACES}.expand_as(total), {TYPES}], dim=-1)"))),
        Mistake("words_scaled", "You multiply the word vectors, as the Transformer of 2017 does. BERT adds"
            " the rows as they are.", edit(WORDS, f"{WORDS} * self.word_embeddings.weight.size(1) ** 0.5")),
        Mistake("averaged", "You divide the sum by three. BERT adds the rows; the norm sets the length.",
            edit(NORM, "self.LayerNorm(total / 3)")),
        Mistake("types_not_whole", "nn.Embedding looks rows up by whole numbers, and torch.zeros makes real"
            " ones: torch.zeros_like(input_ids) has the shape and the type.",
            edit(ZEROS, "token_type_ids = torch.zeros(input_ids.shape)")),
        Mistake("subtracted", "You subtract one of the rows. The three are added.",
            (edit(ADDED, f"total = total - {PLACES}"), edit(f" + {TYPES}", f" - {TYPES}"))),
        Mistake("in_other_tables", "Each number belongs to a table of its own: input_ids to word_embeddings,"
            " places to position_embeddings, token_type_ids to token_type_embeddings.",
            (edit(PLACES, "self.position_embeddings(token_type_ids)"),
             edit(TYPES, "self.position_embeddings(token_type_ids)"),
             edit(PLACES, "self.token_type_embeddings(token_type_ids)"),
             edit(PLACES, "self.word_embeddings.weight[: input_ids.size(1)]"),
             edit(TYPES, "self.word_embeddings(token_type_ids)"),
             edit(TYPES, "self.token_type_embeddings(input_ids)"))),
        Mistake("types_are_0_if_left_out", "All is right where types are given. Where token_type_ids is None,"
            " every token has type 0, whose row is added, too: torch.zeros_like(input_ids).",
            when=lambda arguments, _answer, _expected: arguments[3] is None,
            example=edit(ZEROS, "token_type_ids = torch.ones_like(input_ids)")),
        Mistake("dropout_elsewhere", "All is right in eval(). In train() what leaves LayerNorm is dropped"
            " out: nothing before it, and nothing behind.",
            when=lambda arguments, _answer, _expected: arguments[4],
            example=edit(f"{WORDS} + {TYPES}", f"self.dropout({WORDS} + {TYPES})").then(END, NORM)),
        Mistake("not_normalized", "What comes out is not normalized: self.LayerNorm takes the sum of all"
            " three, and only dropout follows.",
            when=lambda arguments, answer, _: not (arguments[4] or is_normalized(dict(arguments[1]), answer)),
            example=edit(END, f"self.dropout({NORM} + total)")),
        Mistake("other_sum", "The norm is right, but what goes into it is another sum: one row for each word,"
            " one for its place, from 0 to T - 1, and one for its type, each once.",
            when=lambda arguments, answer, _: arguments[4] or is_normalized(dict(arguments[1]), answer),
            example=edit(NORM, f"self.LayerNorm(total + {WORDS})")),
    ],
    hints=("Three lookups, one sum: what the token is, where it stands, which text it is in. Then the norm.",
           "word_embeddings(input_ids) is [B, T, D], the first T rows of position_embeddings.weight [T, D].",
           "total = self.word_embeddings(input_ids) + self.position_embeddings.weight[: input_ids.size(1)] +"
           " self.token_type_embeddings(token_type_ids); return self.dropout(self.LayerNorm(total))."),
    why="All that BERT ever learns about where a word stands comes in through this sum.", box="positions",
    use=lambda candidate, model: replaced(model, "embeddings",
        with_weights_of(model.embeddings, candidate(model.config))),
)
# fmt: on
