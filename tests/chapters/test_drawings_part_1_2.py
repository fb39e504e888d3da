"""The drawings of notebooks 00 to 13."""

from __future__ import annotations

from functools import partial
from typing import Any

import matplotlib
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.colors import to_hex
from matplotlib.patches import FancyBboxPatch, Rectangle
from pictures import Example, Refusal, check_example, check_refusal, written

from chapters.nb00 import drawings as nb00
from chapters.nb01 import drawings as nb01
from chapters.nb02 import drawings as nb02
from chapters.nb03 import drawings as nb03
from chapters.nb04 import drawings as nb04
from chapters.nb05 import drawings as nb05
from chapters.nb06 import drawings as nb06
from chapters.nb07 import drawings as nb07
from chapters.nb08 import drawings as nb08
from chapters.nb09 import drawings as nb09
from chapters.nb10 import drawings as nb10
from chapters.nb11 import drawings as nb11
from chapters.nb12 import drawings as nb12
from chapters.nb13 import drawings as nb13
from lib import figures
from lib.bert import attention, wordpiece
from lib.figures.style import LIT

EVENTS = [
    ("2018-10", "BERT", "Both sides."),
    ("2013", "word2vec", "One vector."),
    ("2018-02", "ELMo", "Two."),
]
TASKS = [
    nb00.Task("film reviews", "67,000 labeled sentences", "good or bad?"),
    nb00.Task("pairs of sentences", "2,500 labeled pairs", "does B follow from A?"),
    nb00.Task("questions on a text", "100,000 with answers", "which words answer?"),
    nb00.Task("names in a text", "14,000 labeled sentences", "person or place?"),
]
CROSSED = np.tril(np.ones((7, 7)))
TABLE = np.arange(1200.0).reshape(40, 30)
SORTED = [["vertical", "block", "vertical + diagonal"], 3 * ["vertical"]]
KINDS = ["vertical", "diagonal", "vertical + diagonal", "block"]
GIVEN = ["800 million words", "110 million parameters", *(part for task in TASKS for part in task)]
LONG = "midfielderships"
KIDS = {"kids": ["kid", "##s", "!"]}
GIRAFFE = "giraffe", ["gi", "##raf", "##fe"]
TRIED = ["giraffe", "giraff", "giraf", "gira", "gir", "gi", "##raffe", "##raff", "##raf", "##fe"]
LETTERS = ["a", "##b", "##c", "##d", "##e"]

PAIR = (("i", "love"),)  # the texts of a row of two
PAIR_TOKENS = [["[CLS]", "i", "[SEP]", "love", "[SEP]"]]
PAIR_BATCH = {"input_ids": [[101, 1045, 102, 2293, 102]], "token_type_ids": [[0, 0, 0, 1, 1]]}
TOKENS = [["[CLS]", "i", "[SEP]"], ["[CLS]", "[SEP]", "[PAD]"]]
IDS, MASK = torch.tensor([[101, 1045, 102], [101, 102, 0]]), torch.tensor([[1, 1, 1], [1, 1, 0]])
CUTS = {"head": [(0, 4)], "windows": [(0, 4), (3, 7), (6, 10)]}
SHARES = {"beginning": [1.0, 0.9], "middle": [0.05, 0.8], "end": [0.25, 0.85]}

POINTS = {"one": (["a", "b"], [[0, 0], [1, 2]]), "two": (["c"], [[3, 1]])}
ZEROS = [[0.0, 0.0]] * 4
SUMMED = (
    ["[CLS]", "love", *"four"], [0] + [1] * 5, [[0.25, 9], [-0.5, 9], *ZEROS], [[1.0, 9], [2.0, 9], *ZEROS],
    [[0.125, 9], [0.0625, 9], *ZEROS],
)  # fmt: skip


def pair_step(**changed: Any) -> nb03.PairStep:
    given: dict[str, Any] = {
        "words": ["bank", "river", "spoon"],
        "vectors": [[1.0, 0.5], [-0.5, 1.0], [1.0, 0.0]],
        "probabilities": [0.5, 0.731],
        "losses": [0.693, 1.313],
        "gradients": [[0.981, -0.5], [-0.5, -0.25], [0.731, 0.366]],
        "learning_rate": 0.4,
        "new_loss": 1.312,
    }
    return nb03.PairStep(**(given | changed))


STEP_NUMBERS = ("2.01", "1.31", "0.73", "[0.98, −0.50]", "[0.61, 0.70]", "[−0.30, 1.10]")

WORDS = ["i", "love", "this", "class"]
QUERY = torch.tensor([2.0, 0, 2])
KEYS = torch.tensor([[1.0, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 1]])
VALUES = torch.tensor([[9.0, 0], [3, 0], [0, 0], [1, 8]])
OTHER_QUERY = torch.tensor([0.0, 0, 3])


def one_row(**changed: Any) -> Any:
    """The schematic of one row of attention."""
    inputs: dict[str, Any] = {"asking": 1, "query": QUERY, "keys": KEYS, "values": VALUES} | changed
    if "weights" not in inputs:
        inputs["weights"] = (KEYS @ inputs["query"]).softmax(dim=-1)
    return nb05.draw_query_key_value(WORDS, **inputs)


HEAD_VALUES = torch.tensor([[11.0, 12, 13, 14], [21, 22, 23, 24], [31, 32, 33, 34], [41, 42, 43, 44]])
HEAD_KEYS = torch.tensor([[0.0, 0, 0, 4], [0, 0, 0, 0], [0, 0, 0, 0], [4, 0, 0, 0]])
HEAD_QUERY = torch.tensor([4.0, 0, 0, 4])
PROJECT = torch.tensor([[1, 0, 1, 0], [0, 1, 0, 1], [0.01, 0, -1, 0], [0, 0.01, 0, -1]])


def several_heads(heads: int = 2) -> dict[str, Any]:
    """What the schematic of several heads takes, with the weights of `scaled_dot_product_attention`."""
    queries, keys, values = (
        attention.split_heads(part[None], heads) for part in (HEAD_QUERY.expand(4, 4), HEAD_KEYS, HEAD_VALUES)
    )
    _, weights = attention.scaled_dot_product_attention(queries, keys, values)
    return {
        "words": WORDS, "asking": 1, "query": HEAD_QUERY, "keys": HEAD_KEYS, "values": HEAD_VALUES,
        "weights": weights[0, :, 1], "project": PROJECT,
    }  # fmt: skip


def both_of_multi_head(heads: int) -> tuple[Any, str]:
    given = several_heads(heads)
    return nb06.draw_multi_head(**given), nb06.describe_multi_head(**given)


MEN = ["the", "old", "man", "fed", "the", "hungry", "dog"]
LINKS = torch.full((7, 7), 0.01)
LINKS[6, 3], LINKS[4, 3], LINKS[2, 1], LINKS[3, 3] = 0.7, 0.9, 0.3, 0.8
VECTORS = torch.arange(16.0).view(4, 4)

NORM_STEPS: dict[str, list[float]] = {
    "token's vector": [1, 7, 9, 15],
    "minus the mean": [-7, -1, 1, 7],
    "divided by the spread": [-1.4, -0.2, 0.2, 1.4],
    "times weight, plus bias": [-1.4, -0.2, 0.4, 1.7],
}
WEIGHT, BIAS = [1, 1, 2, 0.5], [0, 0, 0, 1]
CAUSAL = np.tril(np.ones((3, 3), dtype=bool))
GPT = nb09.Stack("GPT", "token + position", 12, 768, CAUSAL, "the next word")
BANK = ["the", "bank", "gave"]


def lm_head(**changed: Any) -> nb10.MaskedLMHead:
    stations = ("hidden state", "dense", "GELU", "layer norm")
    given: dict[str, Any] = {
        "tokens": ["a", "[MASK]", "."],
        "vectors": {name: [number + 0.25, -0.004, 9.0] for number, name in enumerate(stations)},
        "guesses": {"letter": (12.5, 0.64), "book": (9.1, 0.02)},
        "vocabulary": 9000,
    }
    return nb10.MaskedLMHead(**(given | changed))


FIRST, SECOND = "The bat slept near Rosa.", "Rosa woke the bat."
ANSWERS = {"bag of words": 0.5, "pocket BERT": 1.0}
EDGES = [0.0, 0.1, 0.2, 0.4]
COUNTS = {"alike": [1, 0, 7], "unlike": [5, 2, 0]}
CLS, POOLED = np.array([0.5, -1.25, 2.0, 7.0]), np.array([0.1, -0.2, 0.3, 0.4])
NEXT = ("The calf drinks.", "It is lucky. " * 9, 6, CLS, POOLED, [2.0, -1.0], [0.953, 0.047])
BLANKS = {"the keys [MASK] old": "are", "i [MASK] this class": "love"}
ROW = [0.1, 0.5, 0.1, 0.9]  # the word itself, number 3, is no answer
PARSES = {"the gold parse": (1, "direct object"), "fixed offset": (2, "one word back")}


def pretraining_step(norm: float) -> Any:
    numbers = nb12.StepNumbers(["a", "key"], ["a", "[MASK]"], 32, 418, 57, 1000, 7.05, norm, 12345, 4e-3, 6.7)
    return nb12.draw_pretraining_step(numbers)


EXAMPLES: dict[str, Example] = {
    "00, a timeline is in order": (
        lambda: nb00.draw_timeline(EVENTS, "Title", lit="BERT"),
        ["A timeline of 3 events. 2013, word2vec: One vector. Feb 2018, ELMo: Two. Oct 2018, BERT: Both"],
        ["Title", "2013", "Feb 2018", "Oct 2018"],
    ),
    "00, pretraining and fine-tuning": (
        lambda: nb00.draw_transfer("800 million words", "110 million parameters", TASKS),
        ["4 copies", *GIVEN],
        GIVEN,
    ),
    "00, two tasks": (
        lambda: nb00.draw_transfer("800 million words", "110 million parameters", TASKS[:2]),
        ["2 copies"],
        ["film reviews"],
    ),
    "00, masks": (
        lambda: nb00.draw_masks({"causal": CROSSED, "all": np.ones((1, 7))}, list("abcdefg")),
        [],
        ["causal", "all"],
    ),
    "01, pieces of a text": (
        lambda: (nb01.draw_pieces(KIDS), nb01.describe_pieces(KIDS)),
        ["kids: kid | ##s | ! (3)."],
        ["kids", "##s", "3"],
    ),
    "01, every look-up of longest match": (
        lambda: nb01.draw_longest_match(*GIRAFFE),
        ["10 look-ups in the vocabulary cut “giraffe” into 3", *TRIED],
        [*TRIED, "not in the list", "step 2: “raffe” is left"],
    ),
    "02, texts, tokens and tensors": (
        lambda: nb02.draw_inputs(PAIR, PAIR_TOKENS, PAIR_BATCH, "One row"),
        ["The texts of a batch, row 0: i and love, become tokens and tensors. A batch of 1 rows",
         "input_ids 101 1045 102 2293 102; token_type_ids 0 0 0 1 1."],
        ["One row", "texts of row 0", "tokens", "input_ids", "token_type_ids", "1045"],
    ),
    "02, what is read of a text": (
        lambda: nb02.draw_cuts(CUTS, 10, SHARES, 0.05, "Two ways"),
        ["windows reads tokens 0 to 4 and 3 to 7 and 6 to 10 and finds: beginning 90%, middle 80%, end 85%"],
        ["Two ways", "head", "windows", "100%", "25%", "85%", "guessing finds 5%"],
    ),
    "02, a batch": (
        lambda: nb02.draw_batch(TOKENS, {"input_ids": IDS}),
        ["A batch of 2 rows of 3 tokens. row 0: [CLS] i [SEP]; input_ids 101 1045 102. "
         "row 1: [CLS] [SEP] [PAD]; input_ids 101 102 0."],
        ["[PAD]", "1045"],
    ),
    "03, points are named and linked": (
        lambda: nb03.draw_points(POINTS, "Title", links=[("a", "c")]), [], ["a", "b", "c", "one", "two"],
    ),
    "03, a training step": (
        lambda: nb03.draw_training_step(pair_step()),
        [*STEP_NUMBERS, "−0.50 river + 0.73 spoon"],
        [*STEP_NUMBERS, "−0.50 river + 0.73 spoon"],
    ),
    "03, a longer step": (
        lambda: nb03.draw_training_step(pair_step(learning_rate=1.0)), ["[0.02, 1.00]"], ["[0.02, 1.00]"],
    ),
    "04, three lookups and their sums": (
        lambda: nb04.draw_input_sum(*SUMMED),
        ["love: word -0.5000, position 1 2.0000, token type 1 0.0625, sum 1.5625", "1.3750"],
        ["0.2500 ...", "-0.5000 ...", "0.1250 ...", "1.3750 ...", "first of 2 numbers", "[6, 2]"],
    ),
    "04, tables": (
        lambda: nb04.draw_tables({"small": TABLE, "large": TABLE}, "x", "y", below=("new places", 1.5)),
        [],
        ["small", "large", "new places"],
    ),
    "05, one row of attention": (
        one_row, ["[4.58, 3.52]."], ["0.44", "0.06", "[2, 0, 2]", "[1, 8]", "[4.58, 3.52]"],
    ),
    "05, another word asks": (
        lambda: one_row(asking=2, query=OTHER_QUERY),
        ["the query of this, [0, 0, 3]", "class: key [0, 0, 1], score 3, weight 0.87"],
        ["[0, 0, 3]"],
    ),
    "06, one head blends": (partial(both_of_multi_head, 1), ["[26, 27, 28, 29]"], ["[H, T, K] = [1, 4, 4]"]),
    "06, two heads keep apart": (
        partial(both_of_multi_head, 2),
        ["It finds [41, 42].", "[41.13, 42.14, 28, 28]."],
        ["[4, 0, 0, 4]", "[4, 0]", "[0, 4]", "[13, 14]", "[41, 42, 13, 14]", "[H, T, K] = [2, 4, 2]", "1.00"],
    ),
    "06, links to the lit word": (
        lambda: (nb06.draw_links(MEN, LINKS, 3, "layer 2, head 0"), nb06.describe_links(MEN, LINKS, 3)),
        ["To fed come those of the (0.90), dog (0.70), underlined", "The others: man to old (0.30)."],
        ["hungry"],
    ),
    "06, links to a word of none": (
        lambda: (nb06.draw_links(MEN, LINKS, 0), nb06.describe_links(MEN, LINKS, 0)),
        ["no word, underlined"], MEN,
    ),
    "06, links of a full page": (
        lambda: nb06.draw_links(["word"] * 12, torch.full((12, 12), 1 / 12), 0), [], ["word"],
    ),
    "07, the steps of a norm": (
        lambda: nb07.draw_layer_norm(NORM_STEPS, WEIGHT, BIAS, "A title"),
        ["token's vector: 1, 7, 9, 15 (mean 8, spread 5)", "share the mean 8 and the spread 5",
         "divided by the spread: −1.4, −0.2, 0.2, 1.4 (mean 0, spread 1)", "a weight (1, 1, 2, 0.5)"],
        ["A title", *NORM_STEPS, "feature 3", "mean: 8", "15 − 8", "−7 / 5", "× 2 + 0", "× 0.5 + 1"],
    ),
    "08, both orders of the feed-forward half": (
        lambda: nb08.draw_feed_forward(768, 3072, "A title"),
        ["from 768 to 3,072 features"],
        ["A title", "768 to 3,072", "GELU", "3,072 to 768", "residual path", "layer norm"],
    ),
    "09, a stack": (
        lambda: nb09.draw_stacks([GPT], BANK, "A title"),
        ["12 layers", "768 numbers", "the at 1, bank at 2, gave at 3"],
        ["A title", "GPT", "token + position", "one of 12 layers", "768 numbers for each token"],
    ),
    "10, the masked-LM head": (
        lambda: nb10.draw_masked_lm_head(lm_head(), "A title"),
        ["1.25  0.00  …", "9,000 by 3", "letter with logit 12.5 and probability 64%"],
        ["A title", "3.25  0.00  …", "64%", "9.1", "a [MASK] .", "[9,000, 3]"],
    ),
    "11, a pair and its answers": (
        lambda: (
            nb11.draw_pair(FIRST, SECOND, {"bat", "rosa"}, ANSWERS, "Text 1"),
            nb11.describe_pair(FIRST, SECOND, {"bat"}, ANSWERS),
        ),
        [SECOND, "pocket BERT 1.00"],
        ["A", "B"],
    ),
    "11, a histogram and its threshold": (
        lambda: nb11.draw_histogram(EDGES, COUNTS, "cosine", "pairs", "A title", threshold=0.1),
        ["Counts between the edges 0.00, 0.10, 0.20, 0.40. alike: 1, 0, 7; unlike: 5, 2, 0."
         " The threshold is 0.10."],
        ["threshold 0.10", "cosine", "pairs"],
    ),
    "11, the next-sentence head": (
        lambda: nb11.draw_next_sentence(*NEXT),
        ["6 layers", "B follows A 0.953, another document 0.047", NEXT[1]],
        ["[0.50, −1.25, 2.00, …]", "[0.10, −0.20, 0.30, …]", "[2.00, −1.00]", "0.953", "It is lucky."],
    ),
    "12, a step that is cut": (
        partial(pretraining_step, 4.0),
        ["times 0.25", "a [MASK]", "418", "57", "1,000", "7.05", "4.00", "12,345", "0.004", "6.70"],
        ["a [MASK]", "418", "57", "1,000", "7.05", "4.00", "12,345", "0.004", "6.70"],
    ),
    "12, a step that is left": (partial(pretraining_step, 0.5), ["left as it is", "0.50"], ["0.50"]),
    "13, the largest other weight is the link": (
        lambda: nb13.draw_link_test(["she", "read", "a", "book"], ROW, 3, PARSES, "T"),
        ["read (largest weight); the gold parse: read (direct object)", "fixed offset: a (one word back)"],
        ["T", "read", "0.50", "itself", "one word back"],
    ),
    "13, sorted heads": (
        lambda: (nb13.draw_sorted_heads(SORTED, KINDS), nb13.describe_sorted_heads(SORTED, KINDS)),
        ["Of 6 heads in 2 layers: 4 vertical (in layers 0, 1); 0 diagonal; 1 vertical"],
        ["V\nB\nVD\nV\nV\nV", "V  vertical: 4"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)
def test_a_drawing_says_what_it_shows(example: Example) -> None:
    check_example(example)


NINE = torch.ones(9, 3)
MULTI = several_heads()
REFUSED: dict[str, Refusal] = {
    "00, one event": (lambda: nb00.draw_timeline(EVENTS[:1]), "There are 1 events"),
    "00, a date": (lambda: nb00.draw_timeline([*EVENTS, ("2018-13", "x", "y")]), "'2018-13' of x"),
    "00, a long sentence": (lambda: nb00.draw_timeline([*EVENTS, ("2018", "x", 81 * "y")]), "81 characters"),
    "00, no such event": (lambda: nb00.draw_timeline(EVENTS, lit="GPT"), "called 'GPT'"),
    "00, one task": (lambda: nb00.draw_transfer("text", "size", TASKS[:1]), "There are 1 tasks"),
    "00, five tasks": (lambda: nb00.draw_transfer("text", "size", (TASKS * 2)[:5]), "There are 5 tasks"),
    "00, no booleans": (lambda: nb00.draw_masks({"weights": CROSSED / 2}), "not boolean"),
    "00, no mask": (lambda: nb00.draw_masks({}), "no mask"),
    "01, few lines": (lambda: nb01.draw_pieces({"a": 60 * ["a"]}, lines=1), "lines, so lines=1"),
    "01, no pieces": (lambda: nb01.draw_pieces({"a": []}), "a text without pieces"),
    "01, no texts": (lambda: nb01.describe_pieces({}), "or none at all"),
    "01, a part of a word": (lambda: nb01.draw_longest_match("giraffe", ["gi", "##raf"]), "does not spell"),
    "01, unknown": (lambda: nb01.draw_longest_match("giraffe", ["[UNK]"]), r"\[UNK\] does not spell"),
    "01, nothing": (lambda: nb01.draw_longest_match("", []), "Nothing does not spell ''"),
    "01, many pieces": (lambda: nb01.draw_longest_match("abcde", LETTERS), "5 letters and 5 pieces"),
    "01, a long word": (lambda: nb01.draw_longest_match(LONG, [LONG]), "15 letters"),
    "02, a cut beyond": (lambda: nb02.draw_cuts({"head": [(0, 11)]}, 10, {"end": [0.5]}, 0), "between 0"),
    "02, no cut": (lambda: nb02.draw_cuts({"head": []}, 10, {"end": [0.5]}, 0), "between 0 and 10"),
    "02, a share": (lambda: nb02.draw_cuts({"head": [(0, 4)]}, 10, {"end": [1.5]}, 0), "outside of 0 to 1"),
    "02, two shares": (lambda: nb02.draw_cuts({"head": [(0, 4)]}, 10, {"end": [0.5, 0.5]}, 0), "1 are"),
    "02, few texts": (lambda: nb02.draw_inputs([["i"]], PAIR_TOKENS, PAIR_BATCH), "give each row its texts"),
    "02, no batch": (lambda: nb02.draw_batch([], {}), "no batch to draw"),
    "02, rows": (lambda: nb02.draw_batch([["i"]], {"mask": torch.ones(2, 1)}), "2 rows for 1 rows of tokens"),
    "02, columns": (lambda: nb02.draw_batch([["i"]], {"mask": torch.ones(1, 2)}), "2 columns of mask"),
    "02, wide": (lambda: nb02.draw_batch([21 * ["i"]], {"mask": torch.ones(1, 21)}), "at most 20 tokens"),
    "03, points": (lambda: nb03.draw_points({"one": (["a", "b"], [[0, 0]])}), "2 tokens for 1 points"),
    "03, losses": (lambda: pair_step(losses=[0.7]), "losses"),
    "03, gradients": (lambda: pair_step(gradients=[[0.1, 0.2]]), "gradients"),
    "03, words": (lambda: pair_step(words=["bank", "river"]), "2 tokens for 3"),
    "04, rows": (
        lambda: nb04.draw_input_sum(["i", "love"], [0, 0], [[1.0], [2.0]], [[1.0]], [[1.0], [2.0]]),
        "a row of each table for each",
    ),
    "04, no tables": (lambda: nb04.draw_tables({}, "", ""), "between one and three"),
    "05, features": (lambda: one_row(query=torch.ones(2), weights=torch.ones(4) / 4), "2 features and"),
    "05, weights": (lambda: one_row(weights=torch.ones(3)), "for 3 weights"),
    "05, values": (lambda: one_row(values=torch.ones(5, 2)), "for 5 values"),
    "05, who asks": (lambda: one_row(asking=4), "asking"),
    "05, a long sentence": (
        lambda: nb05.draw_query_key_value(["word"] * 9, 0, torch.ones(3), NINE, torch.ones(9) / 9, NINE),
        "at most 8",
    ),
    "06, three heads": (
        lambda: nb06.draw_multi_head(**MULTI | {"weights": torch.ones(3, 4) / 4}),
        "4 features cannot be shared out evenly among 3 heads",
    ),
    "06, weights": (
        lambda: nb06.draw_multi_head(**MULTI | {"weights": torch.ones(2, 3) / 3}), r"has shape \[2, 3\]",
    ),
    "06, project": (lambda: nb06.draw_multi_head(**MULTI | {"project": torch.ones(4, 2)}), r"shape \[4, 2\]"),
    "06, who asks": (lambda: nb06.draw_multi_head(**MULTI | {"asking": 4}), "asking"),
    "06, four heads": (
        lambda: nb06.draw_multi_head(**MULTI | {"weights": torch.ones(4, 4) / 4}), "at most 6 words",
    ),
    "06, a long sentence": (
        lambda: nb06.draw_links(["word"] * 40, torch.full((40, 40), 0.025), 0), "too long to draw",
    ),
    "06, tokens": (lambda: nb06.draw_links(MEN[:6], LINKS, 3), "6 tokens for 7 rows"),
    "06, lit": (lambda: nb06.draw_links(MEN, LINKS, 7), "lit"),
    "06, other numbers": (
        lambda: nb06.draw_split(VECTORS, {"split": torch.full((2, 4, 2), 99.0)}, MEN[:4]), "stand in it once",
    ),
    "07, no steps": (lambda: nb07.draw_layer_norm({}, [1.0], [1.0], ""), "of one length"),
    "07, one step": (lambda: nb07.draw_layer_norm({"a": [1.0]}, [1.0], [1.0], ""), "of one length"),
    "07, weights": (lambda: nb07.draw_layer_norm(NORM_STEPS, [1.0], [1.0], ""), "of one length"),
    "07, a short step": (
        lambda: nb07.draw_layer_norm(NORM_STEPS | {"minus the mean": [1.0]}, WEIGHT, BIAS, ""), "of one",
    ),
    "07, no norms": (lambda: nb07.draw_reach({}, [], (0, 0, 0)), "one to six blocks"),
    "07, sentences": (lambda: nb07.draw_reach({"a": [[[1]]]}, [["i", "[PAD]"]], (0, 0, 0)), "1 lists of 1"),
    "07, a cell": (lambda: nb07.draw_reach({"a": [[[1, 0]]]}, [["i"]], (0, 0, 1)), "does not reach itself"),
    "07, no such norm": (
        lambda: nb07.draw_reach({"a": [[[1]]]}, [["i"]], (0, 0, 0), borders={"b": [1]}), "no block is called",
    ),
    "07, no booleans": (lambda: nb07.draw_reach({"a": [[[0.5]]]}, [["i"]], (0, 0, 0)), "not boolean"),
    "08, no wider": (lambda: nb08.draw_feed_forward(384, 384, "A title"), "widens"),
    "09, three stacks": (lambda: nb09.draw_stacks([GPT] * 3, BANK, "A title"), "one or two"),
    "09, seven tokens": (lambda: nb09.draw_stacks([GPT], ["a"] * 7, "A title"), "at most six"),
    "09, four tokens": (lambda: nb09.draw_stacks([GPT], ["a"] * 4, "A title"), "4 tokens for 3 rows"),
    "10, one station": (lambda: lm_head(vectors={"hidden state": [1.0, 2.0]}), "The vectors should be"),
    "10, another order": (
        lambda: lm_head(vectors={name: [1.0] for name in ("dense", "hidden state", "GELU", "layer norm")}),
        "The vectors should be",
    ),
    "10, no guess": (lambda: lm_head(guesses={}), "room for one to four"),
    "10, five guesses": (lambda: lm_head(guesses=dict.fromkeys("abcde", (1.0, 0.1))), "room for one to four"),
    "11, no text": (lambda: nb11.draw_pair("", "Another.", set(), {"a": 0.5}), "give"),
    "11, no answer": (lambda: nb11.draw_pair("A text.", "Another.", set(), {}), "give"),
    "11, no probability": (lambda: nb11.draw_pair("A text.", "Another.", set(), {"a": 1.5}), "give"),
    "11, few lines": (lambda: nb11.draw_pair("a", "b", set(), {"x": 1}, lines=1), "fill 2 lines, so lines=1"),
    "11, one edge": (lambda: nb11.draw_histogram([0.1], COUNTS, "x", "y"), "each larger than"),
    "11, edges": (
        lambda: nb11.draw_histogram([0.0, 0.2, 0.1, 0.3], COUNTS, "x", "y"), "each larger than",
    ),
    "11, a pooler": (lambda: nb11.draw_next_sentence(*NEXT[:4], POOLED[:3], *NEXT[5:]), "keeps their count"),
    "11, three logits": (lambda: nb11.draw_next_sentence(*NEXT[:5], [1.0, 2.0, 3.0], NEXT[6]), "two logits"),
    "12, no blank": (
        lambda: nb12.draw_film([0], {"verbs": [0.5]}, {}, {"no blank": "are"}, 9, ""), "where the guess is",
    ),
    "12, no curve": (
        lambda: nb12.draw_film([0], {"verbs": [0.5]}, {"nouns": ("a coin", 0.5)}, BLANKS, 100, ""),
        "no curve 'nouns' for its line",
    ),
    "13, an empty layer": (lambda: nb13.draw_sorted_heads([["a"], []], ["a"]), "for each layer"),
    "13, no such kind": (lambda: nb13.draw_sorted_heads([["a"]], ["b"]), "'a' is none of the kinds b"),
    "13, ten words": (lambda: nb13.draw_link_test(10 * ["a"], np.ones(10), 0, PARSES), "two to 9"),
    "13, no such word": (
        lambda: nb13.draw_link_test(["a", "b"], [0.5, 0.5], 0, {"gold": (4, "object")}), "not possible",
    ),
}  # fmt: skip


@pytest.mark.parametrize("refusal", REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_drawn_is_refused_in_one_sentence(refusal: Refusal) -> None:
    check_refusal(refusal)


# --- where the geometry is what is said ------------------------------------------------------------


def test_what_a_mask_closes_is_crossed() -> None:
    axes = nb00.draw_masks({"causal": CROSSED}).axes[0]
    assert sum(len(np.asarray(crosses.get_offsets())) for crosses in axes.collections) == 21


def test_large_tables_have_scales_of_their_own_and_say_what_lies_below_a_row() -> None:
    large = 100 * TABLE
    large[0, 0] = 1e9  # the scale leaves out the most extreme numbers
    figure = nb04.draw_tables({"small": TABLE, "large": large}, "x", "y", below=("new places", 1.5))
    limits = [axes.images[0].get_clim() for axes in figure.axes]
    assert limits[0][1] <= 1200 < limits[1][1] < 1e6
    for axes in figure.axes:
        assert np.asarray(axes.lines[0].get_ydata()).tolist() == [1.5, 1.5]
        assert axes.texts[0].get_position()[1] > 1.5


@settings(max_examples=10, deadline=None)
@given(
    st.dictionaries(
        st.text("abc", min_size=1, max_size=12),
        st.lists(st.sampled_from(["i", "think", "##ing", "[UNK]", "[SEP]"]), min_size=1, max_size=40),
        min_size=1,
        max_size=4,
    )
)
def test_pieces_are_drawn_in_order_with_their_number(rows: dict[str, list[str]]) -> None:
    axes = nb01.draw_pieces(rows).axes[0]
    in_order = [word for label, pieces in rows.items() for word in [label, *pieces, str(len(pieces))]]
    assert [text.get_text() for text in axes.texts] == in_order
    assert max(box.get_window_extent().x1 for box in axes.patches) <= axes.get_window_extent().x1


def test_pieces_of_a_word_touch_and_words_do_not() -> None:
    boxes = nb01.draw_pieces({"kids": ["kid", "##s", "!"]}, "Two words").axes[0].patches
    edges = [(box.get_window_extent().x0, box.get_window_extent().x1) for box in boxes]
    assert edges[0][1] == pytest.approx(edges[1][0])
    assert edges[1][1] < edges[2][0]


def test_a_word_is_broken_between_lines_only_if_it_is_longer_than_one() -> None:
    long, short = ["w", *20 * ["##o"]], ["k", *9 * ["##i"]]
    patches = nb01.draw_pieces({"a": [*short, *short, *long]}).axes[0].patches
    lines = [round(box.get_y(), 2) for box in patches if isinstance(box, FancyBboxPatch | Rectangle)]
    assert len(set(lines[:10])) == len(set(lines[10:20])) == 1
    assert lines[10] > lines[9] and lines[20] >= lines[19] and len(set(lines[20:])) == 2


EXPLORED: dict[str, Any] = {
    "question": "What happens to it?",
    "options": ["it grows", "it shrinks"],
    "answer": "it grows",
    "why": "Because 2 > 1.",
    "alt": "{size} large".format,
    "controls": {"size": [1, 2, 3]},
    "presets": {"small": {"size": 1}, "large": {"size": 3}},
}


@pytest.mark.parametrize(
    "draw",
    [
        lambda size, lines=None: nb01.draw_pieces({"a": 40 * size * ["a"]}, lines=lines),
        lambda size, lines=None: nb11.draw_pair(60 * size * "a ", "b", set(), {"x": 0.5}, lines=lines),
    ],
    ids=["pieces", "a pair"],
)
def test_texts_of_any_length_can_be_given_one_frame(draw: Any) -> None:
    with pytest.raises(ValueError, match=r"inches .* lines="):
        figures.Explorer(**EXPLORED, draw=draw)
    figures.Explorer(**EXPLORED, draw=partial(draw, lines=6))


def test_what_is_drawn_is_what_longest_match_looks_up() -> None:
    asked = []

    class Vocabulary(set):
        def __contains__(self, piece: object) -> bool:
            asked.append(piece)
            return super().__contains__(piece)

    assert wordpiece.wordpiece("giraffe", Vocabulary(GIRAFFE[1])) == GIRAFFE[1]
    drawn = [text for text in written(nb01.draw_longest_match(*GIRAFFE)[0]) if text in TRIED]
    assert asked == drawn == TRIED


def test_cuts_stand_where_they_are_made_and_windows_overlap() -> None:
    axes = nb02.draw_cuts(CUTS, 10, SHARES, 0.05, "Two ways")[0].axes[0]
    places = {text.get_text(): text.get_position() for text in axes.texts}
    assert places["100%"][1] == places["head"][1] > places["85%"][1] == places["windows"][1]
    assert places["100%"][0] < places["end"][0] == pytest.approx(places["25%"][0])
    boxes = [box for box in axes.patches if isinstance(box, Rectangle)]
    read = [box for box in boxes if box.get_edgecolor()[3] == 0]  # without an outline
    assert [round(box.get_x() - read[0].get_x(), 2) for box in read] == [0, 0, 1.17, 2.34]  # of 3.9 inches
    assert read[1].get_y() > read[2].get_y() + read[2].get_height()  # overlapping windows do not touch


def test_padding_is_hatched() -> None:
    figure, _ = nb02.draw_batch(TOKENS, {"input_ids": IDS, "attention_mask": MASK})
    assert sum(bool(box.get_hatch()) for box in figure.axes[0].patches) == 1


def test_the_principal_plane_keeps_the_largest_differences() -> None:
    points = np.random.default_rng(0).normal(size=(30, 5)) * [9, 4, 1, 0.1, 0.1] + 7
    places = nb03.principal_plane(points)
    centered = points - points.mean(axis=0)
    spread = np.linalg.eigvalsh(centered.T @ centered)[::-1][:2]
    assert np.allclose((places**2).sum(axis=0), spread)
    assert np.allclose(places.mean(axis=0), 0) and abs(places[:, 0] @ places[:, 1]) < 1e-8


def test_arcs_end_at_their_words_and_weights_below_a_tenth_have_none() -> None:
    axes = nb06.draw_links(MEN, LINKS, 3).axes[0]
    drawn = [(np.asarray(line.get_xdata()), np.asarray(line.get_ydata())) for line in axes.lines]
    assert sum(len(xs) == 2 and np.ptp(ys) == 0 for xs, ys in drawn) == 2  # words underlined
    arcs = [xs for xs, _ in drawn if len(xs) == 60]
    places = [text.get_position()[0] for text in axes.texts]
    wanted = sorted((places[a], places[b]) for a, b in [(6, 3), (4, 3), (2, 1)])
    np.testing.assert_allclose(sorted((xs[0], xs[-1]) for xs in arcs), wanted)


def test_a_cut_shows_each_number_on_the_shade_of_its_token() -> None:
    ways = {"split": attention.split_heads(VECTORS[None], 2)[0], "view alone": VECTORS.view(2, 4, 2)}
    figure = nb06.draw_split(VECTORS, ways, MEN[:4])
    whole, split, _, straight, _ = (np.asarray(axes.images[0].get_array()) for axes in figure.axes)
    assert np.array_equal(whole[:, :2], split)  # head 0 keeps each token's shade
    assert np.array_equal(straight[:, 0], whole[[0, 0, 1, 1], 0])  # tokens 0, 0, 1, 1


def test_reach_is_drawn_cell_by_cell_and_padding_is_hatched() -> None:
    felt = torch.zeros(2, 3, 4, dtype=torch.bool)
    felt[0, 0] = True
    sentences = [["word", "word", "[PAD]"]] * 2
    figure = nb07.draw_reach({"a": felt, "b": felt}, sentences, (0, 0, 0), borders={"a": [4]})
    assert [len(axes.lines) for axes in figure.axes] == [1, 0, 1, 0]  # the border
    squares = [square for axes in figure.axes for square in axes.patches]
    assert len(squares) == 2 * felt.numel() and sum(bool(square.get_hatch()) for square in squares) == 16
    colors = [square.get_facecolor() for square in squares]
    assert colors.count(matplotlib.colors.to_rgba(LIT)) == 2  # the cell itself
    assert len(colors) - colors.count(matplotlib.colors.to_rgba("white")) == 2 * 4


def test_the_norm_follows_the_sum_or_comes_before_the_update() -> None:
    texts = nb08.draw_feed_forward(384, 1536, "A title")[0].axes[0].texts

    def places(label: str) -> list[float]:
        return [text.get_position()[0] for text in texts if text.get_text() == label]

    post, pre = zip(places("layer norm"), places("+"), places("384 to 1,536"), strict=True)
    assert post[0] > post[1] and pre[0] < pre[2]


def test_the_squares_are_the_causal_mask() -> None:
    axes = nb09.draw_stacks([GPT], BANK, "A title")[0].axes[0]
    squares = [patch for patch in axes.patches if isinstance(patch, Rectangle) and patch.get_fill()]
    rows = np.array([to_hex(square.get_facecolor()) == LIT for square in squares]).reshape(3, 3)
    assert (rows == CAUSAL).all() and squares[0].get_y() > squares[-1].get_y()  # the first token is on top


def test_shared_words_are_bold_and_bars_as_long_as_answers() -> None:
    texts, bars = nb11.draw_pair(FIRST, SECOND, {"bat", "rosa"}, ANSWERS, "Text 1").axes
    bold = [text.get_text() for text in texts.texts if text.get_fontweight() == "bold"]
    assert set(bold) >= {"A", "B"} and len(bold) - 2 == len(texts.patches)
    widths = [patch.get_width() for patch in bars.patches if isinstance(patch, Rectangle)]
    assert widths == pytest.approx([0.5, 1.0])


def test_every_bar_stands_in_its_bin_as_high_as_its_count() -> None:
    axes: Any = nb11.draw_histogram(EDGES, COUNTS, "cosine", "pairs", "A title", threshold=0.1)[0].axes[0]
    bars = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    assert [bar.get_height() for bar in bars] == [1, 0, 7, 5, 2, 0]
    for number, bar in enumerate(bars):
        assert EDGES[number % 3] < bar.get_x() < bar.get_x() + bar.get_width() < EDGES[number % 3 + 1]
    assert 0.1 in axes.lines[0].get_xdata()


def test_a_film_grows_in_one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    pictures: list[Any] = []

    class Place:
        def update(self, picture: Any) -> None:
            pictures.append(picture)

    def show(picture: Any, display_id: bool) -> Place:
        pictures.append(picture)
        return Place()

    monkeypatch.setattr("IPython.display.display", show)
    film = nb12.Film([0, 100, 200], {"verbs": ("a coin toss", 0.5)})
    for share in (0.1, 0.2, 0.9):
        film.add({"verbs": share}, BLANKS, "by you")
    beginnings = [picture.alt.split(".")[0] for picture in pictures]
    assert beginnings == [f"Step {n} of 200, by you" for n in (0, 100, 200)]
    assert "verbs: 0.10 at step 0, 0.20 at step 100, 0.90 at step 200" in pictures[-1].alt
    assert "i [MASK] this class love" in pictures[-1].alt and "verbs: a coin toss at 0.50" in pictures[-1].alt
    with pytest.raises(ValueError, match="each with the same curves"):
        film.add({"verbs": 1.0}, BLANKS, "by you")


def test_the_axes_of_a_film_stay_where_they_are() -> None:
    frames = set()
    for count in (1, 9):
        steps, curves = range(0, 100 * count, 100), {"verbs": [0.5] * count}
        film, _ = nb12.draw_film(steps, curves, {}, BLANKS, 1600, "A title")
        frames.add((*film.axes[0].get_xlim(), *film.axes[0].get_ylim()))
        assert {"are", "love"} <= {text.get_text() for text in film.axes[1].texts}
    assert len(frames) == 1
