"""Rashid et al., 2021: MATE-KD, notebook 24."""

from statistics import mean

from chapters.nb24.errata import ERRATA
from lib.records import record
from tools.measured import lead
from tools.papers import Doubt, Paper, Place

MATE, MASKED_LM, PLAIN = "MATE-KD", "a masked LM's pieces", "no rewriting"
AS_LONG, REAL = "no rewriting, as long", "as many real texts"
TURN = 10  # steps of the generator before the student has its turn


def is_it_the_mean() -> str:
    erratum = ERRATA[2]
    return (
        f"A lecture's copy of the table prints {erratum.printed} for the student without a teacher. But"
        f" {erratum.recompute()}."
    )


def ahead_at_equal_seconds() -> str:
    runs = record.table("how_to_teach")

    def seconds(task: str, arm: str) -> str:
        return f"{mean(runs.values(task, arm, 'processor_seconds')):.0f} s"

    def ahead(task: str, rival: str) -> str:
        return lead(runs.values(task, rival), runs.values(task, MATE))

    return (
        f"No lead is seen. On reviews MATE-KD takes {seconds('reviews', MATE)}, where as many steps without"
        f" rewriting take {seconds('reviews', PLAIN)}. Beside a student that trains on the same texts for"
        f" {seconds('reviews', AS_LONG)} it stands at {ahead('reviews', AS_LONG)}. On SST-2 it takes"
        f" {seconds('SST-2', MATE)}, and stands at {ahead('SST-2', REAL)} beside one that reads 4,000 more"
        f" real texts in {seconds('SST-2', REAL)}."
    )


def is_it_the_adversary() -> str:
    runs = record.table("how_to_teach")
    told = [
        f"{lead(runs.values(task, MASKED_LM), runs.values(task, MATE))} on {task}"
        for task in ("reviews", "SST-2")
    ]
    climbed = runs.values("SST-2", MATE, "divergence")
    first = mean(mean(steps[:TURN]) for steps in climbed)
    second = mean(mean(steps[TURN:]) for steps in climbed)
    return (
        "The control is a masked language model that rewrites as often and learns nothing. Beside it MATE-KD"
        f" stands at {' and '.join(told)}. But its generator didn't succeed here: on SST-2 the divergence was"
        f" {first:.2f} in its first turn and {second:.2f} in its second, so a strong one wasn't tested."
    )


PAPER = Paper(
    name="MATE-KD",
    authors="Rashid et al.",
    year=2021,
    title="MATE-KD: Masked Adversarial TExt, a Companion to Knowledge Distillation",
    link="https://arxiv.org/abs/2105.05912",
    read="The method with figure 1, its two steps and the algorithm, then table 1 on development sets, and"
    " the examples of table 6.",
    minutes=40,
    places=(
        Place("24", "section 2", "texts rewritten by a masked language model, and who labels them"),
        Place("24", "section 3", "three students that read real, rewritten and random texts"),
        Place(
            "24",
            "stretch “texts chosen against the student”",
            "how a choice lets a gradient through, and what a record has of MATE-KD",
        ),
    ),
    doubts=(
        Doubt("Is the student's 78.78 the mean of its row?", is_it_the_mean),
        Doubt("Is MATE-KD ahead at equal seconds?", ahead_at_equal_seconds),
        Doubt("Is it the adversary that helps?", is_it_the_adversary),
    ),
    earlier="Hinton et al. (2015) distilled answers, TinyBERT (Jiao et al., 2020) had a masked language model"
    " propose other words, and FreeLB (Zhu et al., 2020) moved word vectors against the model. Jang et al."
    " (2017) let gradients through a choice.",
    later="MiniMax-kNN (Kamalloo et al., 2021) chooses the hardest of real neighbors. Agarwal et al. (2023)"
    " let a student that writes read its own texts, and the teacher answers them.",
    change="In section 2 of notebook 24 call `rewrite` with `share=0.6`. Vote first: of 100 headlines, how"
    " many keep the teacher's first guess, and what does the student of rewritten texts in section 3 get?",
    questions=(
        "Why does a rewritten text keep no label, and who answers for it?",
        "What is to stop the generator from writing nonsense?",
        "Through which models does the gradient flow in the generator's step, and which of them learn?",
        "Table 1 has other kinds of augmentation: did they train for as long?",
        "Which control would convince you that the adversary is worth its seconds?",
    ),
    ice_breaker="Change one word of “the film was surprisingly good” so that your neighbor can't say whether"
    " it is praise.",
)
