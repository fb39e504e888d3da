"""Questions for a vote on positions, and on sums of vectors."""

import torch
import torch.nn.functional as F
from torch import Tensor

from lib.analysis.vectors.similarity import cosine
from lib.bert import BertModel, WordPieceTokenizer
from lib.bert.batch import build_inputs
from lib.questions import Question, Right, Wrong


def minilm_reads(input_ids: Tensor, mask: Tensor | None = None, places: Tensor | None = None) -> Tensor:
    """MiniLM's vectors of the tokens, [B, T, 384]; `places` gives each position the row of another one."""
    model = BertModel.from_pretrained("minilm").requires_grad_(False)
    table = model.embeddings.position_embeddings.weight
    if places is not None:
        table.copy_(table[places])
    hidden: Tensor = model(input_ids, mask).last_hidden_state
    return hidden


def where_the_second_text_begins() -> str:
    first, second = ["who", "loves", "this", "class"], ["i", "do"]
    vocab = {token: number for number, token in enumerate(["[CLS]", "[SEP]", *first, *second])}
    ids, token_types = build_inputs(first, second, vocab)
    tokens = [list(vocab)[number] for number in ids]
    for position, token in enumerate(tokens):
        print(f"position {position}, token type {token_types[position]}: {token}")
    return {0: "A", 4: "B", 6: "C", 7: "D"}[tokens.index("i")]


def shuffled_positions() -> str:
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    ids = tokenizer(["the dog bit the man", "the man bit the dog"])["input_ids"]
    places = torch.randperm(512, generator=torch.Generator().manual_seed(0))
    right, (one, other) = minilm_reads(ids)[0, 2], minilm_reads(ids, places=places)[[0, 1], [2, 5]]
    moved, orders = (1 - torch.cosine_similarity(one, vector, dim=0) for vector in (right, other))
    print(f"“dog” with the right table and with the shuffled one: 1 − cosine {moved:.3f}")
    print(f"“dog” in the two orders, both with the shuffled table: 1 − cosine {orders:.3f}")
    return ("AB", "DC")[int(orders < 1e-5)][int(moved > 0.001)]


def two_parts_of_a_sum() -> str:
    random = torch.Generator().manual_seed(0)
    words, places = torch.randn(2, 500, 384, generator=random)
    shares = []
    for columns in (4, 384):
        likeness = cosine((words + places)[:, :columns], places[:, :columns])  # [500, 500]
        shares.append((likeness.argmax(dim=1) == torch.arange(500)).float().mean().item())
    print(f"places found in the sum: {shares[0]:.0%} with 4 columns, {shares[1]:.0%} with 384")
    return ("BD", "AC")[int(shares[0] > 0.5)][int(shares[1] > 0.5)]


def padding_on_the_left() -> str:
    ids = WordPieceTokenizer.from_pretrained("minilm")("she opened a bank account")["input_ids"]
    padded = F.pad(ids, (5, 0))  # five [PAD], number 0, before [CLS]
    alone, behind = minilm_reads(ids)[0], minilm_reads(padded, (padded != 0).long())[0, 5:]
    moved = 1 - torch.cosine_similarity(alone, behind, dim=1)  # [7]: one number a token
    print("1 − cosine of each token's vectors:", *(f"{distance:.3f}" for distance in moved))
    if moved.max() < 1e-5:
        return "BD"[int(not torch.allclose(alone.mean(dim=0), behind.mean(dim=0), atol=1e-4))]
    return "CA"[int(moved.min() > 1e-3)]


QUESTIONS = [
    Question(
        name="where_the_second_text_begins",
        section=0,
        text="BERT reads a pair in one row. The first text has four tokens, the second has two. Which"
        " position has the first token of the second text?",
        options=(
            Wrong(
                "0, because positions are counted anew in each of the texts.",
                "positions_start_anew",
                "That two texts stand in the row is told by the token type. Positions simply go on to the"
                " end of the row.",
            ),
            Wrong(
                "4, because the four tokens of the first text come before it.",
                "special_tokens_take_no_place",
                "[CLS] stands before the first text and [SEP] behind it, and each of them takes a place.",
            ),
            Right(
                "6, because [CLS] and [SEP] have positions of their own, too.",
                "[CLS] has position 0, the first text 1 to 4 and its [SEP] position 5.",
            ),
            Wrong(
                "7, because [CLS], four tokens and [SEP] make six before it.",
                "positions_start_at_one",
                "Six tokens come before it, but the first of these has position 0, so the seventh has 6.",
            ),
        ),
        shows=where_the_second_text_begins,
        seconds=45,
        guessed=((20, 15, 50, 15), (5, 5, 83, 7)),
    ),
    Question(
        name="shuffled_positions",
        section=1,
        text="Somebody shuffles the rows of the position table in a trained MiniLM, once and for all:"
        " position 1 gets the row that belonged to 300, and so on. How does it read “the dog bit"
        " the man” and “the man bit the dog” now?",
        options=(
            Wrong(
                "As before, because each position still has a row of its own.",
                "rows_may_be_dealt_out_anew",
                "To a model that is trained anew this would be true. This one has learned to work with the"
                " old rows, and gets others.",
            ),
            Right(
                "Other than before, but it still tells the two orders apart.",
                "Places differ from each other as before, so the orders are still told apart. But the"
                " rows are not those with which the model was trained.",
            ),
            Wrong(
                "As two equal bags of words, because the table's order is lost.",
                "neighboring_rows_are_related",
                "A bag has no positions at all. Here every place still adds a row of its own, and “dog”"
                " at two places gets two vectors.",
            ),
            Wrong(
                "As before, except that it no longer tells the orders apart.",
                "positions_only_serve_the_order",
                "The orders can be told apart as long as the rows differ. And wrong rows change all"
                " vectors, because they are added to each of them.",
            ),
        ),
        shows=shuffled_positions,
        seconds=75,
        guessed=((20, 45, 25, 10), (7, 80, 8, 5)),
    ),
    Question(
        name="two_parts_of_a_sum",
        section=2,
        text="A random vector for the word and a random vector for the place are added. From the sum we"
        " look for the place. Is this easier with 4 columns, or with 384?",
        options=(
            Wrong(
                "With 4, because fewer numbers lie on top of each other there.",
                "more_columns_mix_more",
                "Each column brings one more look at the same place. The more looks agree, the surer is"
                " the answer.",
            ),
            Wrong(
                "With neither, because what has been added can't be taken apart.",
                "sums_hide_their_parts",
                "For a single column that is so: 43 may be 40 + 3 or 41 + 2. But only one place fits all"
                " 384 columns well.",
            ),
            Wrong(
                "With both alike, because word and place have their own columns.",
                "parts_have_their_own_columns",
                "Both write into every column. What they have of their own is a direction.",
            ),
            Right(
                "With 384, because random directions are nearly at right angles there.",
                "At a right angle the word adds nothing to the dot product with the place, and the more"
                " columns, the nearer are random directions to a right angle.",
            ),
        ),
        shows=two_parts_of_a_sum,
        seconds=75,
        guessed=((25, 25, 10, 40), (8, 10, 5, 77)),
    ),
    Question(
        name="padding_on_the_left",
        section=4,
        text="Somebody fills up a short text on the left, so that [PAD] stands before [CLS]. The mask is"
        " right: it closes all padding. What changes in MiniLM's vectors of the text's own tokens?",
        options=(
            Right(
                "All of them change, because each token gets another position row.",
                "The mask closes the padding for attention, but positions are counted from the row's"
                " beginning, so each token stands some places further on.",
            ),
            Wrong(
                "None of them changes, because a mask makes padding as good as absent.",
                "a_mask_removes_places",
                "The mask says only who may be looked at. The closed places are still counted.",
            ),
            Wrong(
                "Only that of [CLS] changes, because it no longer stands in front.",
                "cls_is_known_by_its_place",
                "[CLS] isn't the only one with a place: every token of the text has moved, and gets"
                " another row.",
            ),
            Wrong(
                "None of them changes, only their average, because more places count.",
                "padding_dilutes_the_average",
                "The average is taken over the places where the mask is 1, as many as before. It's the"
                " vectors that have changed.",
            ),
        ),
        shows=padding_on_the_left,
        seconds=75,
        guessed=((45, 35, 10, 10), (83, 10, 4, 3)),
    ),
]
