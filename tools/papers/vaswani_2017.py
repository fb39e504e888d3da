"""Vaswani et al., 2017: the Transformer, notebooks 05, 06 and 36."""

from chapters.nb05.errata import ERRATA as OF_ATTENTION
from chapters.nb36.costs import ROWS, above
from chapters.nb36.errata import ERRATA as OF_TRANSLATION
from lib import stats
from lib.records import record
from tools.measured import verdict
from tools.papers import Doubt, Paper, Place


def which_rows_carry_the_caption() -> str:
    caption = OF_TRANSLATION[0]
    claims = [
        above(row, language) == 0
        for row in ROWS
        if row.kind == "transformer" and row.german  # not the first print, whose row has French alone
        for language in ("German", "French")
    ]
    return (
        f"It promises “{caption.printed}”. But {caption.recompute()}, so of the claims of two models"
        f" in two languages {sum(claims)} of {len(claims)} hold."
    )


def what_the_division_does() -> str:
    return (
        "The paper suspects that large scores leave softmax almost no gradient, and shows no run without the"
        f" division. Here, {OF_ATTENTION[1].recompute()}."
    )


def several_heads_or_one() -> str:
    runs = record.table("ablations")
    base = runs.values("held-out text", "base", "loss")
    fewer = stats.paired_difference(base, runs.values("held-out text", "1 head", "loss"))
    more = stats.paired_difference(base, runs.values("held-out text", "8 heads", "loss"))
    return (
        "Table 3 has one run a row, in which one head loses 0.9 BLEU. In small BERTs of three seeds one head"
        f" instead of four costs {fewer.of_means:+.2f} nats ({verdict(fewer)}), and eight instead of four"
        f" {more.of_means:+.2f} ({verdict(more)})."
    )


PAPER = Paper(
    name="The Transformer",
    authors="Vaswani et al.",
    year=2017,
    title="Attention Is All You Need",
    link="https://arxiv.org/abs/1706.03762",
    read="Sections 3 and 4 with figures 1 and 2 and table 1, then sections 6.1 and 6.2 with tables 2 and 3."
    " Skip section 6.3, on parsing.",
    minutes=60,
    places=(
        Place("05", "section 2", "one row of attention, by hand and in code"),
        Place("05", "section 3", "the division by √d, with few features and with many"),
        Place("05", "stretch “what an LSTM forgets”", "recurrence beside attention: gradient and time"),
        Place("06", "section 4", "MiniLM's weights with another number of heads"),
        Place("36", "section 2", "the decoder looks across at the encoder"),
        Place("36", "stretch “a table of costs (5 min)”", "table 2, row by row against its caption"),
    ),
    doubts=(
        Doubt("Which rows carry the caption of table 2?", which_rows_carry_the_caption),
        Doubt("Does the division by √d matter?", what_the_division_does),
        Doubt("Are several heads better than one?", several_heads_or_one),
    ),
    earlier="Bahdanau et al. (2015) added attention to a recurrent translator, and the LSTM of Hochreiter and"
    " Schmidhuber (1997) was what carried a text from word to word.",
    later="GPT (Radford et al., 2018) kept the decoder alone, BERT (Devlin et al., 2019) the encoder alone,"
    " and T5 (Raffel et al., 2020) both.",
    change="In section 4 of notebook 06 set `your_heads` to 24. Vote first: do more sentences keep their"
    " neighbor than with 4 heads, or fewer?",
    questions=(
        "Section 4 gives three reasons for self-attention: which of them holds for a text of 100,000 tokens?",
        "What does the footnote on √d assume of queries and keys, and does a trained model keep to it?",
        "The model uses attention in three ways: what would be left if you took out one of them?",
        "Which row of table 3 would you want with three seeds, and why that one?",
        "How would you write the caption of table 2 so that every row carries it?",
    ),
    ice_breaker="Which earlier word did you need in order to understand the last word that you read?",
)
