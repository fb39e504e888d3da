"""Questions for a vote on the loop over layers, on who may look where, and on counting parameters."""

from collections.abc import Sequence
from functools import cache

import torch
from torch import Tensor

from lib.analysis.cost.formulas import count_parameters
from lib.bert import BertConfig, BertModel, WordPieceTokenizer
from lib.questions import Question, Right, Wrong

FLOODED, ROBBED = "the bank was flooded", "the bank was robbed"
BANK = 2  # its place, behind [CLS] and "the"


@cache
def minilm() -> BertModel:
    """MiniLM, loaded once, without gradients."""
    return BertModel.from_pretrained("minilm").requires_grad_(False)


def minilm_reads(text: str, masks: Sequence[Tensor | None], order: Sequence[int] = range(6)) -> Tensor:
    """MiniLM's hidden states, [7, T, 384]; each layer has a mask, [T, T], True where a token may look."""
    states = [minilm().embeddings(WordPieceTokenizer.from_pretrained("minilm")(text)["input_ids"])]
    for number, mask in zip(order, masks, strict=True):
        states.append(minilm().encoder.layer[number](states[-1], mask))
    return torch.cat(states)


def each_token_alone() -> str:
    alone = [torch.eye(6, dtype=torch.bool)] * 6
    flooded, robbed = minilm_reads(FLOODED, alone), minilm_reads(ROBBED, alone)
    apart = (flooded - robbed)[:, BANK].norm(dim=1)  # [7]
    print("“bank” and “bank”, distance after each layer:", *(f"{one:.2f}" for one in apart[1:]))
    if apart[1] < 1e-4:
        return "DC"[int(apart.max() > 1e-4)]
    return "AB"[int(apart[1] > 0.5)]


def layers_in_reverse() -> str:
    usual = minilm_reads(FLOODED, [None] * 6)
    reverse = minilm_reads(FLOODED, [None] * 6, order=range(5, -1, -1))
    print(f"shapes: {list(usual[-1].shape)}, {list(reverse[-1].shape)}")
    if usual.shape != reverse.shape:
        return "C"
    likeness = torch.cosine_similarity(usual[-1], reverse[-1], dim=1)  # [6]
    print("cosine of each token's vectors:", *(f"{one:.2f}" for one in likeness))
    return "ADB"[int(likeness.mean() > 0.9) + int(likeness.mean() > 0.9999)]


def one_layer_sees_both_sides() -> str:
    both, left, moved = torch.ones(6, 6).bool(), torch.ones(6, 6).tril().bool(), []
    print("“robbed” in place of “flooded” moves the last vectors of “bank” and “was” by")
    for name, masks in {"last": [left] * 5 + [both], "first": [both] + [left] * 5}.items():
        apart = (minilm_reads(FLOODED, masks) - minilm_reads(ROBBED, masks))[-1].norm(dim=1)
        print(f"only the {name} layer open: {apart[BANK]:.1f} and {apart[BANK + 1]:.1f}")
        moved.append(apart[BANK : BANK + 2] > 1e-3)
    return "B" if moved[0][0] else "D" if moved[0][1] else "AC"[int(moved[1][0])]


def twice_as_many_positions() -> str:
    usual = count_parameters(BertConfig())
    longer = count_parameters(BertConfig(max_position_embeddings=1024))
    for part in usual:
        print(f"{part}: {usual[part]:,}, then {longer[part]:,}")
    ratio = sum(longer.values()) / sum(usual.values())
    return "CDAB"[int(ratio > 1) + int(ratio > 1.5) + int(ratio > 3)]


QUESTIONS = [
    Question(
        name="each_token_alone",
        section=0,
        text="In all six layers of MiniLM a mask lets each token look at itself alone. “bank” stands at"
        " the same place of “the bank was flooded” and “the bank was robbed”. How do its two vectors"
        " differ?",
        options=(
            Wrong(
                "A little in each layer, because the norms run over the whole text.",
                "norms_mix_tokens",
                "A layer norm takes its mean and spread over the features of one token. No other token has"
                " a say.",
            ),
            Wrong(
                "Clearly, because the feed-forward network joins what it has read.",
                "feed_forward_joins_words",
                "It joins the features of one token. What other tokens say has to be brought there by"
                " attention.",
            ),
            Wrong(
                "Not after the first layer, but more and more in the later ones.",
                "depth_mixes_tokens",
                "Each layer does the same with each token. If none of them brings news, six of them don't.",
            ),
            Right(
                "Not at all, because no other step leads from token to token.",
                "Norms, feed-forward networks and plus signs work on each token by itself, and the two"
                " banks begin with the same vector.",
            ),
        ),
        shows=each_token_alone,
        seconds=60,
        guessed=((15, 20, 10, 55), (4, 6, 3, 87)),
    ),
    Question(
        name="layers_in_reverse",
        section=1,
        text="Somebody runs the six trained layers of MiniLM in reverse order, the last one first. What"
        " comes out for a text?",
        options=(
            Right(
                "Vectors of the right shape, but others than before.",
                "Each layer takes and gives one vector a token, so any order runs. But each was trained on"
                " what the layer before it hands on.",
            ),
            Wrong(
                "The same vectors, because sums have no order.",
                "the_order_of_a_sum_never_matters",
                "What a layer adds depends on what comes in, so the updates themselves are others.",
            ),
            Wrong(
                "An error, because the layers fit only in one order.",
                "a_wrong_order_is_an_error",
                "All layers have the same sizes, so nothing is reported.",
            ),
            Wrong(
                "Nearly the same vectors, because all layers are alike.",
                "all_layers_do_the_same",
                "They are built alike, but they hold different numbers, and those have learned different"
                " work.",
            ),
        ),
        shows=layers_in_reverse,
        seconds=45,
        guessed=((50, 20, 15, 15), (85, 5, 5, 5)),
    ),
    Question(
        name="one_layer_sees_both_sides",
        section=2,
        text="Of six layers, the first five have GPT's mask, and only the last one lets tokens look to"
        " both sides. In “the bank was flooded”, can the last vector of “bank” depend on “flooded”?",
        options=(
            Wrong(
                "No, because five closed layers have shut the way from right to left.",
                "a_hidden_pair_is_never_heard_of",
                "A mask closes the ways of its own layer only. The vector of “flooded” is there in every"
                " layer.",
            ),
            Right(
                "Yes, because in the last layer “bank” looks at “flooded” directly.",
                "One look is enough: any distance is one step in attention, and one open layer suffices.",
            ),
            Wrong(
                "No, that would take the first layer to be open, not the last one.",
                "only_the_first_layer_reads_words",
                "Each token keeps its own vector along the plus signs, so “flooded” can be found in the"
                " last layer as well.",
            ),
            Wrong(
                "No, one layer brings news only from “was”, the word next to it.",
                "news_moves_one_word_a_layer",
                "A query meets all open keys at once, near or far. Going word by word is what a recurrent"
                " network does.",
            ),
        ),
        shows=one_layer_sees_both_sides,
        seconds=75,
        guessed=((20, 50, 15, 15), (6, 84, 5, 5)),
    ),
    Question(
        name="twice_as_many_positions",
        section=3,
        text="You design a BERT-base that reads up to 1,024 tokens in place of 512. Everything else stays."
        " How many more parameters does it have?",
        options=(
            Wrong(
                "About twice as many, because it handles twice as many tokens.",
                "attention_has_weights_for_each_token",
                "All tokens share the same matrices, however many there are. That is why one model reads"
                " short and long texts.",
            ),
            Wrong(
                "About four times as many, because attention is a square.",
                "attention_scores_are_parameters",
                "The scores are a square, but they are computed anew for each text. A parameter is a"
                " number that training sets and a file keeps.",
            ),
            Wrong(
                "None at all, because no part has a fixed number of tokens.",
                "any_length_needs_no_new_positions",
                "One part has: the position table, with a row for each place that may occur.",
            ),
            Right(
                "Less than 1% more, because only the position table grows.",
                "512 more rows of 768 numbers are 0.4 million, beside some 110 million.",
            ),
        ),
        shows=twice_as_many_positions,
        seconds=75,
        guessed=((20, 20, 15, 45), (4, 6, 6, 84)),
    ),
]
