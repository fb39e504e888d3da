"""Hou et al., 2020: DynaBERT, notebook 28."""

from lib.records import record
from tools.measured import lead
from tools.papers import Doubt, Paper, Place


def _right(arm: str) -> list[float]:
    return record.table("elastic").values("headlines", arm)


def alone_at_equal_arithmetic() -> str:
    inside, as_often, as_much = (
        _right(arm)
        for arm in (
            "sizes, important first, 0.25 x 0.5",
            "0.25 x 0.5 alone",
            "0.25 x 0.5 alone, equal compute",
        )
    )
    return (
        "A step at twelve sizes costs far more than a step at one. Trained alone, the smallest size gains"
        f" {lead(inside, as_often)} in as many steps, and {lead(inside, as_much)} with as much arithmetic."
        " But that arithmetic bought eleven further sizes."
    )


def does_the_order_matter() -> str:
    told = []
    for name, family in {"untrained": "untrained, {}, 0.25", "trained": "sizes, {}, 0.25 x 1"}.items():
        sorted_, as_they_were = (
            _right(family.format(order)) for order in ("important first", "as they were")
        )
        told.append(f"{name}, {lead(as_they_were, sorted_)}")
    return (
        "The important heads and neurons come first, so that a narrow network has them. At a quarter of the"
        f" width that order brings, against none: {'; '.join(told)}."
    )


def which_layers_run() -> str:
    told = []
    for name, depth in {"two thirds": "0.67", "half": "0.5"}.items():
        first, last = (
            _right(f"sizes, {rule}, 1 x {depth}") for rule in ("important first", "last layer kept")
        )
        told.append(f"at {name} of the depth, {lead(first, last)}")
    return (
        "The authors' code runs the first layer of each group, and the core of notebook 28 the last. The"
        f" last less the first, at full width: {'; '.join(told)}."
    )


PAPER = Paper(
    name="DynaBERT",
    authors="Hou et al.",
    year=2020,
    title="DynaBERT: Dynamic BERT with Adaptive Width and Depth",
    link="https://arxiv.org/abs/2004.04037",
    read="Section 3 with its figures and the algorithm, and of section 4 table 1, the figures of accuracy"
    " over size and time, and the ablation.",
    minutes=45,
    places=(
        Place("27", "section 3", "heads and neurons sorted by importance, cut anywhere"),
        Place("28", "section 1", "one step, several sizes, one set of weights"),
        Place("28", "section 3", "twelve sizes, for a limit of megabytes and milliseconds"),
        Place("28", "section 4", "the smallest size inside and alone"),
        Place("28", "stretch “which layers may go? (3 min)”", "three layers of six, by three rules"),
        Place("28", "stretch “who learns how often”", "which weights learn in how many of twelve networks"),
    ),
    doubts=(
        Doubt("Is the smallest size better alone, at equal arithmetic?", alone_at_equal_arithmetic),
        Doubt("Does it matter which parts come first?", does_the_order_matter),
        Doubt("Which layers should run at less depth?", which_layers_run),
    ),
    earlier="Slimmable networks (Yu and Huang, 2019) run at any width, LayerDrop (Fan et al., 2020) loses"
    " layers, and Michel et al. (2019) gave the importance.",
    later="AutoTinyBERT (Yin et al., 2021) searches one large network for small designs, and MatFormer"
    " (Devvrit et al., 2023) nests feed-forward networks in language models.",
    change="In section 2 of notebook 28 set `third_sizes` to `[middle]`. Vote first: which of the four sizes"
    " will gain, and which will pay for it?",
    questions=(
        "Which weights get the most gradients in a step, and which the fewest?",
        "Why two stages, first widths and then depths, and not both at once?",
        "Which row of table 1 would be missing if each size had been trained alone for as many hours?",
        "Who needs many sizes in one file, and who needs one size?",
        "The teacher of the second stage is the network itself: what can go wrong?",
    ),
    ice_breaker="Tell what you did yesterday in four words, then in eight: did the first four stay?",
)
