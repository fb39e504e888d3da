"""Dai et al., 2019: Transformer-XL, notebook 35."""

from statistics import mean

from lib import stats
from lib.records import record
from tools.measured import verdict
from tools.papers import Doubt, Paper, Place

NONE, MEMORY, LONGER = "no memory", "memory 16", "no memory, segments of 32"
RESTART, RESTART_MEMORY = "positions restart, no memory", "positions restart, memory 16"


def losses(arm: str, rows: int | None = None) -> list[float]:
    """Nats a word of a recorded model, one number for each seed; rows: of memory at the test."""
    return record.table("memory").values("stories", arm, "loss" if rows is None else f"loss with {rows}")


def change(before: list[float], after: list[float]) -> str:
    """How far the second losses lie above the first."""
    found = stats.paired_difference(before, after)
    return f"{found.of_means:+.2f} nats ({verdict(found)})"


def would_longer_segments_do() -> str:
    return (
        "They bring a part of it. With as many words in each step, segments of 32 change the loss of segments"
        " of 16 by"
        f" {change(losses(NONE), losses(LONGER))}, and 16 rows of memory change it by"
        f" {change(losses(NONE), losses(MEMORY))}."
    )


def does_more_memory_help_later() -> str:
    told = [f"{mean(losses(MEMORY, rows)):.2f} with {rows}" for rows in (0, 16, 48, 64)]
    return (
        f"Not here. A model that learned with 16 rows has {', '.join(told)} rows at the test: from 16 to 64"
        f" rows {change(losses(MEMORY, 16), losses(MEMORY, 64))}. The paper does lengthen the memory at the"
        " test, and its models train far longer than these 300 steps."
    )


def does_it_need_distances() -> str:
    return (
        "Without them no gain is seen. Where the places of each segment count from 0, the memory changes the"
        f" loss by {change(losses(RESTART), losses(RESTART_MEMORY))}, and with distances by"
        f" {change(losses(NONE), losses(MEMORY))}."
    )


PAPER = Paper(
    name="Transformer-XL",
    authors="Dai et al.",
    year=2019,
    title="Transformer-XL: Attentive Language Models Beyond a Fixed-Length Context",
    link="https://arxiv.org/abs/1901.02860",
    read="Sections 3.2 and 3.3 with figure 2, then section 4.2 with its two ablations, section 4.3 with"
    " table 8 and section 4.5 with table 9. Appendix B is for whoever writes the shift.",
    minutes=50,
    places=(
        Place("35", "section 1", "which place of a segment costs most, without a memory"),
        Place("35", "section 2", "a memory in each layer, trained live, and how far back it hears"),
        Place("35", "stretch “longer memories, longer segments (5 min)”", "what else might do, and the time"),
        Place("35", "stretch “distances, and a shift (13 min)”", "positions that restart, and appendix B"),
    ),
    doubts=(
        Doubt("Would longer segments do as well?", would_longer_segments_do),
        Doubt("Does a longer memory at the test help?", does_more_memory_help_later),
        Doubt("Does the memory need relative positions?", does_it_need_distances),
    ),
    earlier="Al-Rfou et al. (2018) trained deep Transformers on segments that know nothing of each other."
    " Shaw et al. (2018) had told attention the distance of two words. Recurrent networks had long carried"
    " a state from segment to segment without a gradient.",
    later="XLNet (Yang et al., 2019) took over memory and distances. The Compressive Transformer (Rae et al.,"
    " 2020) keeps what the memory would drop in a shorter form.",
    change="In section 2 of notebook 35 set `memory_length` to 4. Vote first: how far back is the farthest"
    " word that still counts, and does place 1 stay as cheap as with 16?",
    questions=(
        "What is lost when segments are read apart, and which of the losses does the ablation on One Billion"
        " Word isolate?",
        "Why does a layer remember what came into it, and what does this make of the reach?",
        "Which of the four terms of the score would you leave out, and how would you test it?",
        "Table 8 compares the models in groups: on what does the number 900 depend?",
        "“Up to 1,800+ times faster” than what, and who would have run the slower way?",
    ),
    ice_breaker="Which sentence of today did you understand only because of something said yesterday?",
)
