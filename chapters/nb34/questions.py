"""Questions for a vote on attention that looks at fewer pairs."""

import torch
from torch.nn.functional import scaled_dot_product_attention

from chapters.nb34.masks import reach, sparse_mask
from lib.questions import Question, Right, Wrong


def everything_hidden_but_itself() -> str:
    torch.manual_seed(0)
    query, key, value = torch.randn(3, 8, 4)  # eight tokens
    mask = torch.ones(8, 8, dtype=torch.bool)
    mask[5] = torch.arange(8) == 5  # token 5 looks at itself alone
    found = scaled_dot_product_attention(query, key, value, mask)[5]
    print(f"its value: {value[5]}\nit gets:   {found}\nmean of all values: {value.mean(dim=0)}")
    outcomes = [value[5], torch.zeros(4), value[5] / 8, value.mean(dim=0)]
    return "ABCD"[[found.allclose(outcome) for outcome in outcomes].index(True)]


def an_open_column() -> str:
    mask = sparse_mask(1000, 4, everyone=[])
    mask[:, 0] = True  # all look at [CLS], which looks at its own window
    heard = reach(mask, layers=2)[500]
    print("token 500 has heard of", heard.nonzero().flatten().tolist())
    if not heard[:400].any():
        return "C"
    return "B" if heard.all() else "AD"[heard[:500].all()]


def row_and_column_of_a_table() -> str:
    row, column = torch.arange(20) // 4, torch.arange(20) % 4  # of 20 cells in five rows
    mask = (row[:, None] == row) | (column[:, None] == column)
    heard = [reach(mask, layers).double().mean().item() for layers in range(10)]
    print("pairs that have heard of each other, by layers:")
    print(", ".join(f"{layers}: {share:.0%}" for layers, share in enumerate(heard[:4])))
    return {1: "A", 2: "B", 7: "C"}.get(heard.index(1.0), "D")


def products_under_a_mask() -> str:
    query, key = torch.randn(2, 640, 64)
    mask = sparse_mask(640, 32, everyone=[])
    scores = query @ key.T
    weights = scores.masked_fill(~mask, -torch.inf).softmax(dim=-1)
    print(f"the mask leaves {mask.sum():,} of {mask.numel():,} pairs")
    print(f"{scores.numel():,} scores, {weights.numel():,} weights, of 4 bytes each")
    saved = [part.numel() < mask.numel() for part in (scores, weights)]
    return "A" if saved[0] else "B" if saved[1] else "CD"[weights.nbytes < scores.nbytes]


QUESTIONS = [
    Question(
        name="everything_hidden_but_itself",
        section=0,
        text="A mask hides from token 5 all tokens but itself. What does attention give at token 5?",
        options=(
            Right(
                "Its own value as it is, because all of the weight is there.",
                "Softmax shares out a weight of 1 among what may be seen, and here that is one token.",
            ),
            Wrong(
                "A vector of zeros, because nothing else is left to look at.",
                "a_token_does_not_look_at_itself",
                "A token's own key is one of the keys. The mask leaves it open, so it gets a weight.",
            ),
            Wrong(
                "Its own value made smaller, because other weights are lost.",
                "weights_are_cut_scores",
                "The scores are hidden before the softmax, so no weight is lost: the row still sums to 1.",
            ),
            Wrong(
                "The mean of all values, because hidden scores count as 0.",
                "a_hidden_score_is_0",
                "A score of 0 would still get a weight. A hidden score is minus infinity, whose weight is 0.",
            ),
        ),
        shows=everything_hidden_but_itself,
        seconds=45,
        guessed=((50, 15, 25, 10), (85, 5, 5, 5)),
    ),
    Question(
        name="an_open_column",
        section=2,
        text="In a long text all tokens look at [CLS], the first one, and otherwise at a window of four."
        " [CLS] itself looks at its window alone. What has token 500 heard of after two layers?",
        options=(
            Right(
                "Of those around it and the first few: [CLS] hears these.",
                "[CLS] passes on only what it has heard, and that is its own window. To know the text it has"
                " to look at the text.",
            ),
            Wrong(
                "Of all tokens, because [CLS] sums up the whole text.",
                "only_cls_reads_the_whole_text",
                "[CLS] knows what it has looked at. Being looked at by all tells it nothing.",
            ),
            Wrong(
                "Of the tokens around it alone: [CLS] is no real word.",
                "cls_carries_nothing",
                "After one layer [CLS] holds what stands in its window, and token 500 looks at it.",
            ),
            Wrong(
                "Of all tokens before it, because [CLS] stands in front.",
                "attention_reads_in_one_direction",
                "The place of [CLS] doesn't matter. What counts is which tokens it looks at.",
            ),
        ),
        shows=an_open_column,
        seconds=75,
        guessed=((40, 35, 15, 10), (75, 15, 5, 5)),
    ),
    Question(
        name="row_and_column_of_a_table",
        section=2,
        text="A model reads a table of five rows and four columns. Each cell looks at its own row and its own"
        " column. After how many layers has every cell heard of every other?",
        options=(
            Wrong(
                "One, because all rows and columns are read in it.",
                "one_layer_passes_on_twice",
                "In one layer a cell gets what its row and column were before. What these have heard of in"
                " this layer comes with the next.",
            ),
            Right(
                "Two, because each row crosses each column in a cell.",
                "The cell in my row and your column hears of you in the first layer, and I look at it in the"
                " second.",
            ),
            Wrong(
                "Seven, because news moves by one cell in each layer.",
                "news_moves_one_word_a_layer",
                "A layer reads all rows and all columns at once, and a look along a row passes over any"
                " distance.",
            ),
            Wrong(
                "Never, because most of the pairs stay hidden.",
                "a_hidden_pair_is_never_heard_of",
                "A hidden pair can't look at each other. One can still hear of the other from a third.",
            ),
        ),
        shows=row_and_column_of_a_table,
        seconds=60,
        guessed=((15, 50, 15, 20), (5, 85, 5, 5)),
    ),
    Question(
        name="products_under_a_mask",
        section=3,
        text="A program computes all scores as query @ key.T, sets nine tenths of them to minus infinity, and"
        " goes on with softmax and the product with the values. What does this mask save?",
        options=(
            Wrong(
                "Nine tenths of the products of queries with keys.",
                "masked_places_cost_nothing",
                "The scores are there before the mask is looked at. To save them a program must cut the keys"
                " into blocks.",
            ),
            Wrong(
                "Nine tenths of the products of weights with values.",
                "zeros_are_skipped",
                "A matrix product doesn't look for zeros: a weight of 0 is multiplied like any other.",
            ),
            Right(
                "None of the products, and none of the memory either.",
                "A mask changes numbers in a full table. It changes neither the table's size nor the products"
                " that are made of it.",
            ),
            Wrong(
                "None of the products, but nine tenths of the memory.",
                "a_zero_takes_no_place",
                "Minus infinity takes four bytes like any other number, and so does a weight of 0.",
            ),
        ),
        shows=products_under_a_mask,
        seconds=60,
        guessed=((35, 15, 40, 10), (10, 10, 75, 5)),
    ),
]
