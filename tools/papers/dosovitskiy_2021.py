"""Dosovitskiy et al., 2021: the vision transformer, notebook 38."""

from chapters.nb38.errata import ERRATA
from lib.records import record
from tools.measured import lead, percent
from tools.papers import Doubt, Paper, Place

ROWS = (100, 300, 1297)  # digits to learn from


def what_positions_tell() -> str:
    runs = record.table("pictures")
    without = "ViT without positions, 1297"
    return (
        f"By its positions alone. A small ViT names {percent(runs.values('digits', 'ViT, 1297', 'right'))} of"
        f" test digits. Without positions it names {percent(runs.values('digits', without, 'right'))}, and"
        f" {percent(runs.values('digits', without, 'shuffled'))} when their patches are shuffled. In the"
        " paper a model without positions has 61.4%, and one with them 64.2% (table 8)."
    )


def how_many_pictures() -> str:
    runs = record.table("pictures")

    def ahead(rival: str, rows: int) -> str:
        ours, theirs = (runs.values("digits", f"{name}, {rows}", "right") for name in ("ViT", rival))
        return lead(theirs, ours)

    told = [
        f"from {rows:,} it stands at {ahead('CNN', rows)} beside a CNN and at {ahead('regression', rows)}"
        " beside logistic regression"
        for rows in ROWS
    ]
    return (
        f"More digits than there are here: learning {'; '.join(told)}. In the paper it approaches or beats"
        " such rivals after pretraining on 14 to 300 million pictures."
    )


def how_far_ahead() -> str:
    return f"A lecture writes “{ERRATA[0].printed}” above table 2. But {ERRATA[0].recompute()}."


PAPER = Paper(
    name="ViT",
    authors="Dosovitskiy et al.",
    year=2021,
    title="An Image is Worth 16x16 Words: Transformers for Image Recognition at Scale",
    link="https://arxiv.org/abs/2010.11929",
    read="Sections 3.1 and 3.2 with figure 1, section 4.2 with table 2, section 4.3 with figures 3 and 4, and"
    " of the appendix the comparison of positions (table 8).",
    minutes=50,
    places=(
        Place("38", "section 1", "patches in place of words, and a ViT trained live"),
        Place("38", "section 2", "a model without positions, and positions for a larger picture"),
        Place("38", "section 3", "a ViT, a CNN and a regression from few pictures and from many"),
        Place("38", "stretch “two claims of a lecture (5 min)”", "table 2, row by row"),
    ),
    doubts=(
        Doubt("How does a ViT know where a patch lies?", what_positions_tell),
        Doubt("Does it need more pictures than its rivals?", how_many_pictures),
        Doubt("Is it far ahead of convolutional networks?", how_far_ahead),
    ),
    earlier="Cordonnier et al. (2020) had let attention read small patches, and image GPT (Chen et al., 2020)"
    " single pixels. The rivals are ResNets (He et al., 2016), pretrained as BiT (Kolesnikov et al., 2020).",
    later="DeiT (Touvron et al., 2021) did with ImageNet alone and a teacher, Swin (Liu et al., 2021) brought"
    " neighborhoods back, and the masked autoencoder (He et al., 2022) needed no labels. ConvNeXt (Liu et"
    " al., 2022) answered with a convolutional network.",
    change="In section 3 of notebook 38 set `rows` to 60. Vote first: which of the three names most digits,"
    " and how far behind is the last?",
    questions=(
        "What is a ViT told about a picture, and what is a convolutional network told?",
        "At how many pictures do the two change places in figure 3, and what else differs there?",
        "The largest set of pictures isn't public: which of the claims can you still check?",
        "Table 2 counts core-days: of what, and what is left out?",
        "Positions in one or in two dimensions do equally well in table 8: why should that be?",
    ),
    ice_breaker="Into how many pieces could one cut a photo of your neighbor, and you would still know who it"
    " is with the pieces in a heap?",
)
