"""Questions for a vote on attention with several heads."""

import torch

from lib.bert import BertConfig
from lib.bert.attention import SelfAttention
from lib.questions import Question, Right, Wrong


def what_sums_to_one() -> str:
    torch.manual_seed(0)
    query, key = torch.randn(2, 5, 8)  # five tokens
    weights = (query @ key.T / 8**0.5).softmax(dim=-1)
    rows, columns = weights.sum(dim=1), weights.sum(dim=0)
    print(f"rows:    {rows}\ncolumns: {columns}")
    is_one = [torch.allclose(sums, torch.ones(5)) for sums in (rows, columns)]
    return ("CA", "DB")[int(is_one[0])][int(is_one[1])]


def what_one_head_reads() -> str:
    torch.manual_seed(0)
    attention = SelfAttention(BertConfig(hidden_size=12, num_attention_heads=3)).eval()
    hidden = torch.randn(1, 5, 12, requires_grad=True)
    [slopes] = torch.autograd.grad(attention(hidden)[0, 0, :4].sum(), hidden)  # head 0 at token 0
    counts = slopes[0] != 0  # [5, 12]
    tokens, features = int(counts.any(dim=1).sum()), int(counts.any(dim=0).sum())
    print(f"head 0 depends on {tokens} of 5 tokens, on {features} of 12 features of each")
    return ("DA", "CB")[int(tokens == 5)][int(features == 12)]


def twice_as_many_heads() -> str:
    counts = {}
    for heads in (12, 24):
        attention = SelfAttention(BertConfig(hidden_size=768, num_attention_heads=heads))
        counts[heads] = sum(weight.numel() for weight in attention.parameters())
        print(f"{heads} heads of {768 // heads} features: {counts[heads]:,} parameters")
    ratio = counts[24] / counts[12]
    return "ADBC"[int(ratio > 0.99) + int(ratio > 1.0) + int(ratio > 1.9)]


def two_heads_change_places() -> str:
    torch.manual_seed(0)
    merged = torch.randn(5, 12)  # five tokens: what three heads of four features found
    swapped = torch.cat([merged[:, 4:8], merged[:, :4], merged[:, 8:]], dim=1)
    projection = torch.nn.Linear(12, 12)  # W_O
    changed = ((projection(merged) - projection(swapped)).abs() > 1e-6).any(dim=0)  # [12]
    print(f"shapes: {list(merged.shape)}, {list(swapped.shape)}; output features that change:")
    print(changed.tolist())
    return "D" if merged.shape != swapped.shape else "BCA"[int(changed.any()) + int(changed.all())]


QUESTIONS = [
    Question(
        name="what_sums_to_one",
        section=0,
        text="Notebook 05 draws the attention weights of a text as a table: each row belongs to a token"
        " that asks, each column to one that is asked. Which sums must be 1?",
        options=(
            Wrong(
                "That of each column, because each token is shared out once.",
                "attention_is_shared_by_columns",
                "Nothing limits what a token gets in all: ten tokens may look at the same one.",
            ),
            Wrong(
                "That of each row and each column, because both are shares.",
                "weights_sum_to_one_both_ways",
                "Softmax runs along the row of the one who asks. What a column then sums to is left open.",
            ),
            Wrong(
                "That of the whole table, because a text has one attention.",
                "a_text_has_one_attention",
                "Each token has an attention of its own, so the whole table sums to the number of tokens.",
            ),
            Right(
                "That of each row, because each token that asks has one softmax.",
                "Each query shares out one whole among all keys, without regard to the other queries.",
            ),
        ),
        shows=what_sums_to_one,
        seconds=45,
        guessed=((15, 20, 10, 55), (4, 6, 2, 88)),
    ),
    Question(
        name="what_one_head_reads",
        section=2,
        text="MiniLM has 12 heads in a layer, and 384 features a token. It reads a text of 120 tokens."
        " What does one head get to read?",
        options=(
            Wrong(
                "10 of the tokens, each as all of its 384 features",
                "heads_share_out_the_words",
                "Every head reads all tokens. What is shared out are the features of queries, keys and"
                " values.",
            ),
            Right(
                "all of the tokens, each as 32 features made of all 384",
                "The head's matrices turn each whole vector into a query, a key and a value of 32"
                " features. The cut comes after the multiplication.",
            ),
            Wrong(
                "all of the tokens, each as 32 of its own 384 features",
                "heads_read_slices_of_the_input",
                "The cut comes after the multiplication with W_Q, W_K and W_V, and these read all 384"
                " features.",
            ),
            Wrong(
                "10 of the tokens, each as 32 of its own 384 features",
                "heads_cut_words_and_features",
                "If words were shared out, a word in one head could never look at a word in another.",
            ),
        ),
        shows=what_one_head_reads,
        seconds=75,
        guessed=((10, 40, 40, 10), (2, 80, 16, 2)),
    ),
    Question(
        name="twice_as_many_heads",
        section=3,
        text="A new BERT is built with 24 heads a layer and not with 12. Its hidden size stays 768. What"
        " happens to the number of parameters of its attention?",
        options=(
            Wrong(
                "It halves, because each head has half as many features.",
                "smaller_heads_save_parameters",
                "Each head has half as many, and there are twice as many heads.",
            ),
            Wrong(
                "It grows a little, because each new head has a bias.",
                "a_head_has_a_fixed_cost",
                "A bias belongs to a feature, not to a head, and there are 768 features of queries before"
                " and after.",
            ),
            Wrong(
                "It doubles, because each head has its own three matrices.",
                "more_heads_more_parameters",
                "Each head has its own, but they are half as wide: 24 · 768 · 32 is 12 · 768 · 64.",
            ),
            Right(
                "It stays the same, because the same matrices are cut finer.",
                "The queries of all heads come from one matrix of 768 by 768. The number of heads says"
                " only where its result is cut.",
            ),
        ),
        shows=twice_as_many_heads,
        seconds=60,
        guessed=((5, 10, 40, 45), (2, 4, 10, 84)),
    ),
    Question(
        name="two_heads_change_places",
        section=3,
        text="In a trained layer somebody lets two of twelve heads change places, with their parts of W_Q,"
        " W_K and W_V. W_O stays as it is. What happens to the layer's output?",
        options=(
            Right(
                "All its features change, because W_O knows each head by its place.",
                "Merging puts the findings side by side, and each place has rows of its own in W_O. Now"
                " each of the two is multiplied by the other's rows.",
            ),
            Wrong(
                "It stays the same, because heads run side by side in no order.",
                "the_order_of_a_sum_never_matters",
                "They don't wait for each other, but their findings are put together in a fixed order, and"
                " W_O was trained for it.",
            ),
            Wrong(
                "Only the features of these two heads change, and all others stay.",
                "parts_have_their_own_columns",
                "Before W_O that is so. Then each feature of the output is a sum over all features of all"
                " heads.",
            ),
            Wrong(
                "There is no output, because the sizes no longer fit W_O.",
                "a_wrong_order_is_an_error",
                "All heads have the same size, so nothing is reported. It's a fault that only the numbers"
                " show.",
            ),
        ),
        shows=two_heads_change_places,
        seconds=75,
        guessed=((45, 30, 20, 5), (80, 10, 8, 2)),
    ),
]
