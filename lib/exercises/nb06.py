"""The exercises of notebook 06, multi-head attention."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from lib.analysis.attention import parses
from lib.bert import attention
from lib.exercises.exercise import Exercise, Invariant, Mistake
from lib.exercises.inside import replaced

NOTEBOOK = "06_multi_head_attention"

SIZES = [  # batch, heads, length, head size; no two alike in the first, so that a swap is seen
    (1, 2, 3, 4),
    (2, 3, 4, 5),
    (3, 4, 4, 2),
    (2, 1, 5, 3),
    (2, 6, 3, 1),
    (3, 2, 1, 5),
]


# --- split_heads ----------------------------------------------------------------------------------


def _cases_to_split(seed: int) -> Iterator[tuple[Tensor, int]]:
    generator = torch.Generator().manual_seed(seed)
    for batch, heads, length, size in SIZES:
        yield torch.randn(batch, length, heads * size, generator=generator), heads


def _split(cut: Callable[[Tensor, int, int], Any]) -> Callable[[Tensor, int], Any]:
    """A wrong version, which is told the size of a head as well."""

    def wrong(hidden: Tensor, num_heads: int) -> Any:
        return cut(hidden, num_heads, hidden.size(-1) // num_heads)

    return wrong


def _tokens_keep_their_features(candidate: Any, arguments: tuple[Tensor, int], result: Tensor) -> bool:
    theirs = result.transpose(1, 2).flatten(2)  # [B, T, D], in whatever order
    return torch.equal(theirs.sort(-1).values, arguments[0].sort(-1).values)


def _heads_keep_their_order(candidate: Any, arguments: tuple[Tensor, int], result: Tensor) -> bool:
    return torch.equal(result.transpose(1, 2).flatten(2), arguments[0])


SPLIT = Exercise(
    name="split_heads",
    notebook=NOTEBOOK,
    reference=attention.split_heads,
    cases=_cases_to_split,
    invariants=[
        Invariant(
            "tokens_mixed",
            "Features of one token have ended up with another. A head takes some features of every token;"
            " nothing moves from token to token here.",
            _tokens_keep_their_features,
        ),
        Invariant(
            "features_out_of_order",
            "Each token keeps its features, but they go to the wrong heads, or in the wrong order: head 0"
            " takes the first hidden_size / num_heads, head 1 the next, and so on.",
            _heads_keep_their_order,
        ),
    ],
    mistakes=[
        Mistake(
            "viewed_straight",
            "The shape is right and the contents are not: you cut token 0 and the next ones into strips and"
            " call them heads. Split the last dimension first, [B, T, H, K], then swap T and H.",
            _split(lambda x, heads, size: x.reshape(len(x), heads, -1, size)),
        ),
        Mistake(
            "not_transposed",
            "The features are cut into heads, but the heads still stand behind the tokens, [B, T, H, K]."
            " Swap these two, or attention would run over the heads.",
            _split(lambda x, heads, size: x.unflatten(-1, (heads, size))),
        ),
        Mistake(
            "every_other_feature",
            "Your head 0 takes every num_heads-th feature. A head takes neighbors: the last dimension"
            " becomes (num_heads, head_size), in this order.",
            _split(lambda x, heads, size: x.unflatten(-1, (size, heads)).permute(0, 3, 1, 2)),
        ),
        Mistake(
            "num_heads_as_size",
            "You took num_heads for the size of a head. There are num_heads of them, each hidden_size /"
            " num_heads wide.",
            _split(lambda x, heads, size: x.unflatten(-1, (size, heads)).transpose(1, 2)),
        ),
        Mistake(
            "swapped_the_last_two",
            "You swapped the last two dimensions, heads and features. It is the tokens and the heads that"
            " change places: dimensions 1 and 2.",
            _split(lambda x, heads, size: x.unflatten(-1, (heads, size)).transpose(2, 3)),
        ),
        Mistake(
            "swapped_the_first_two",
            "You swapped batch and tokens. It is the tokens and the heads that change places: dimensions"
            " 1 and 2.",
            _split(lambda x, heads, size: x.unflatten(-1, (heads, size)).transpose(0, 1)),
        ),
        Mistake(
            "turned_over",
            "Each head is lying on its side, [K, T]. The keys are turned over later, inside attention;"
            " here tokens come before features, [B, H, T, K].",
            _split(lambda x, heads, size: x.unflatten(-1, (heads, size)).permute(0, 2, 3, 1)),
        ),
        Mistake(
            "stacked_in_front",
            "The heads are right, but they stand before the batch, [H, B, T, K]. Stack them along"
            " dimension 1.",
            _split(lambda x, heads, size: torch.stack(x.split(size, -1))),
        ),
        Mistake(
            "listed",
            "The heads are right, each for itself. Attention wants them in one tensor, to go through all"
            " at once: torch.stack(..., dim=1).",
            _split(lambda x, heads, size: x.split(size, -1)),
        ),
        Mistake(
            "heads_in_the_batch",
            "You merged the heads into the batch, [B * H, T, K]. Some libraries do; here the heads keep a"
            " dimension of their own, [B, H, T, K].",
            _split(lambda x, heads, size: x.unflatten(-1, (heads, size)).transpose(1, 2).flatten(0, 1)),
        ),
        Mistake(
            "all_features_to_each",
            "Every head gets all of the features here. They share them out: hidden_size / num_heads each.",
            _split(lambda x, heads, size: x[:, None].repeat(1, heads, 1, 1)),
        ),
    ],
    hints=(
        "A head is a run of neighboring features. Cut the features into runs without touching the tokens,"
        " then bring the runs forward.",
        "[B, T, D] viewed as [B, T, H, K] with K = D / H cuts the features; swapping dimensions 1 and 2 makes"
        " it [B, H, T, K].",
        "hidden.view(batch, length, num_heads, hidden_size // num_heads).transpose(1, 2)",
    ),
    why="Nothing was computed: the same numbers, seen as several smaller sentences.",
    box="multi_head",
    use=lambda candidate, model: replaced(attention, "split_heads", candidate),
)


# --- merge_heads ----------------------------------------------------------------------------------


def _cases_to_merge(seed: int) -> Iterator[tuple[Tensor]]:
    generator = torch.Generator().manual_seed(seed)
    for size in SIZES:
        yield (torch.randn(size, generator=generator),)


def _no_token_moved(candidate: Any, arguments: tuple[Tensor], result: Tensor) -> bool:
    return torch.equal(result.sort(-1).values, arguments[0].transpose(1, 2).flatten(2).sort(-1).values)


MERGE = Exercise(
    name="merge_heads",
    notebook=NOTEBOOK,
    reference=attention.merge_heads,
    cases=_cases_to_merge,
    invariants=[
        Invariant(
            "tokens_mixed",
            "Row t of the result has to hold what the heads found for token t and nothing else. In yours"
            " tokens are mixed.",
            _no_token_moved,
        ),
        Invariant(
            "heads_out_of_order",
            "Every token gets its own numbers back, in the wrong order: first all of head 0, then all of"
            " head 1, and so on.",
            lambda candidate, arguments, result: torch.equal(result, arguments[0].transpose(1, 2).flatten(2)),
        ),
    ],
    mistakes=[
        Mistake(
            "not_transposed_back",
            "The shape is right and the contents are not: you glue before you bring the heads back behind"
            " the tokens, so a row mixes several tokens of one head. Swap dimensions 1 and 2 first.",
            lambda heads: heads.reshape(heads.size(0), heads.size(2), -1),
        ),
        Mistake(
            "not_glued",
            "The heads stand behind the tokens again, [B, T, H, K], but each is still by itself. Make the"
            " last two dimensions one: H * K features.",
            lambda heads: heads.transpose(1, 2),
        ),
        Mistake(
            "viewed_after_transpose",
            "transpose only renames the axes; the numbers stay where they lie in memory, and view cannot"
            " glue what does not lie side by side. Say reshape, or .contiguous() before view.",
            lambda heads: heads.transpose(1, 2).view(heads.size(0), heads.size(2), -1),
        ),
        Mistake(
            "interleaved",
            "You take one feature of each head in turn. The heads go side by side: all features of head 0,"
            " then all of head 1.",
            lambda heads: heads.permute(0, 2, 3, 1).flatten(2),
        ),
        Mistake(
            "swapped_the_last_two",
            "You swapped tokens and features before gluing. It is the heads and the tokens that change"
            " places: dimensions 1 and 2.",
            lambda heads: heads.transpose(2, 3).reshape(heads.size(0), heads.size(2), -1),
        ),
        Mistake(
            "one_after_the_other",
            "You put the heads one after the other along the tokens: H times as many tokens, each as narrow"
            " as one head. They go side by side along the features.",
            lambda heads: heads.flatten(1, 2),
        ),
        Mistake(
            "glued_tokens_and_heads",
            "You made one dimension of tokens and heads. Glue heads and features, the last two:"
            " [B, T, H * K].",
            lambda heads: heads.transpose(1, 2).flatten(1, 2),
        ),
        Mistake(
            "averaged",
            "You average the heads, and what each of them found is gone. Keep them side by side; the dense"
            " layer that follows decides how to mix them.",
            lambda heads: heads.mean(dim=1),
        ),
        Mistake(
            "added",
            "You add the heads up, and what each of them found is gone. Keep them side by side; the dense"
            " layer that follows decides how to mix them.",
            lambda heads: heads.sum(dim=1),
        ),
        Mistake(
            "batch_glued",
            "The batch is gone: you glued the texts together as well. Leave dimension 0 alone.",
            lambda heads: heads.transpose(1, 2).flatten(2).flatten(0, 1),
        ),
    ],
    hints=(
        "Undo split_heads, last step first: bring the heads back behind the tokens, then make one run of"
        " features out of them.",
        "[B, H, T, K], dimensions 1 and 2 swapped: [B, T, H, K]; the last two as one: [B, T, H * K].",
        "heads.transpose(1, 2).reshape(batch, length, num_heads * head_size)",
    ),
    why="merge_heads(split_heads(hidden, h)) is hidden again, for any h.",
    box="multi_head",
    use=lambda candidate, model: replaced(attention, "merge_heads", candidate),
)


# --- second_row_of_head_0 -------------------------------------------------------------------------


def _second_row_of_head_0() -> list[int]:
    hidden = torch.tensor([[10 * token + feature for feature in range(1, 5)] for token in range(1, 5)])
    return hidden.view(1, 2, 4, 2)[0, 0, 1].tolist()


ROW = Exercise(
    name="second_row_of_head_0",
    notebook=NOTEBOOK,
    kind="predict",
    reference=_second_row_of_head_0,
    answer="[13, 14]",
    form="An answer is a list of two numbers, such as [41, 44].",
    mistakes=[
        Mistake(
            "what_was_wanted",
            "That is what the row should hold. But view moves nothing: it deals out the sixteen numbers in"
            " the order in which they lie in memory, 11, 12, 13, ... Row 0 takes the first two.",
            [21, 22],
        ),
        Mistake(
            "next_feature_of_each",
            "That is one feature of two tokens. Numbers of one row lie side by side in memory, so here they"
            " come from the same token.",
            [12, 22],
        ),
        Mistake(
            "row_of_head_1",
            "That is where head 1 begins. Head 0 takes the first eight of the sixteen numbers; which two make"
            " its second row?",
            [31, 32],
        ),
        Mistake(
            "first_row",
            "That is the first row, number 0. Which two numbers come next?",
            [11, 12],
        ),
    ],
    hints=(
        "view computes nothing and moves nothing. It reads the same sixteen numbers with other dimensions.",
        "[1, 2, 4, 2]: one text, two heads, four rows each, two numbers a row; filled row after row.",
        "In memory lie 11, 12, 13, 14, 21, ...; row 0 of head 0 takes two of them, and row 1 the next two.",
    ),
    why="Row 1 is the place of love, but these two numbers are the second half of i.",
)


# --- word_attention -------------------------------------------------------------------------------


def _cases_of_words(seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    generator = torch.Generator().manual_seed(seed)
    for heads, sizes, special in [
        ((), (1, 2), 0),
        ((2,), (2, 1, 3), 0),
        ((2, 3), (1, 3, 2, 1), 1),
        ((), (4,), 1),
    ]:
        member = torch.block_diag(*(torch.ones(1, size) for size in sizes))  # [W, T]
        member = torch.nn.functional.pad(member, (special, special))  # [CLS] and [SEP], of no word
        length = member.size(1)
        yield torch.randn(*heads, length, length, generator=generator).softmax(-1), member


def _pooled(from_word: Callable[[Tensor], Tensor], to_word: Callable[[Tensor], Tensor]) -> Any:
    """A wrong version: how the rows of a word's pieces are pooled, and how the columns."""
    return lambda weights, member: from_word(member) @ weights @ to_word(member).T


def _mean(member: Tensor) -> Tensor:
    return member / member.sum(dim=1, keepdim=True)


def _sum(member: Tensor) -> Tensor:
    return member


def _first(member: Tensor) -> Tensor:
    return torch.nn.functional.one_hot(member.argmax(dim=1), member.size(1)).float()


WORDS = Exercise(
    name="word_attention",
    notebook=NOTEBOOK,
    kind="bug",
    reference=parses.word_attention,
    cases=_cases_of_words,
    gradients=False,
    invariants=[
        Invariant(
            "more_than_one_attention",
            "A word has one attention to share out, and a row of yours sums to more than 1. What should"
            " happen to the rows of its pieces?",
            lambda candidate, arguments, result: bool((result.sum(-1) < 1 + 1e-5).all()),
        ),
    ],
    mistakes=[
        Mistake(
            "the_draft",
            "That is the draft unchanged. Try one word of two pieces that share all attention between them:"
            " its row should sum to 1. Which of the two sides has to be a mean?",
            _pooled(_sum, _mean),
        ),
        Mistake(
            "sums_on_both_sides",
            "You sum on both sides. A word of three pieces then has three attentions to share out; from a"
            " word, take the mean of its pieces' rows.",
            _pooled(_sum, _sum),
        ),
        Mistake(
            "means_on_both_sides",
            "You take the mean on both sides. What a word gets is what its pieces get together: sum the"
            " columns.",
            _pooled(_mean, _mean),
        ),
        Mistake(
            "first_piece_asks",
            "You let the first piece ask for the whole word. The rule of Clark and others is the mean over"
            " its pieces.",
            _pooled(_first, _sum),
        ),
        Mistake(
            "turned_over",
            "Your result is turned over: rows are the words that look, columns those that are looked at.",
            lambda weights, member: (_mean(member) @ weights @ member.T).mT,
        ),
    ],
    hints=(
        "Each piece has a whole attention to share out, each row sums to 1. A word is to have one as well.",
        "[W, T] @ [T, T] pools the rows, those who look; @ [T, W] pools the columns, what is looked at.",
        "return (member / pieces) @ weights @ member.T",
    ),
    why="From a word the mean, to a word the sum: rows still share out one attention.",
)

EXERCISES = [SPLIT, MERGE, ROW, WORDS]
