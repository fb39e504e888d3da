"""Hinton et al., 2015: distillation, notebook 21."""

from statistics import mean

from lib.records import record
from tools.measured import lead, percent
from tools.papers import Doubt, Paper, Place

LABELS, HARD = "labels", "hard answers on unlabeled"
SOFT = {1: "temperature 1", 2: "answers on unlabeled", 4: "temperature 4", 8: "temperature 8"}


def softness_or_texts() -> str:
    runs = record.table("distilled_answers")
    labels, hard, soft = (runs.values("headlines", arm) for arm in (LABELS, HARD, SOFT[1]))
    return (
        "A student with soft answers to further texts differs from a student with labels in two things."
        f" Further texts with hard answers bring {lead(labels, hard)}. Soft answers instead of hard ones, at"
        f" T = 1, bring {lead(hard, soft)}."
    )


def how_high_a_temperature() -> str:
    runs = record.table("distilled_answers")
    hard = runs.values("headlines", HARD)
    told = "; ".join(f"T = {t}, {lead(hard, runs.values('headlines', arm))}" for t, arm in SOFT.items())
    return (
        "On digits and with wide layers, the paper finds all temperatures above 8 much alike. On headlines,"
        f" where all nine categories are named, soft answers less hard ones are: {told}."
    )


def a_class_never_named() -> str:
    runs = record.table("distilled_answers")
    hard, soft = (
        runs.values("headlines", f"sports unseen, {answers}", "recognized, corrected")
        for answers in ("labels", "answers")
    )
    as_trained = mean(runs.values("headlines", "sports unseen, answers", "recognized"))
    return (
        "The paper's student gets 98.6% of the threes, after its bias for 3 was raised by the 3.5"
        f" that are best on the test set. Ours recognizes {as_trained:.0%} of *sports* as it is. With"
        " a bias by which *sports* wins as often as with the teacher, it recognizes"
        f" {percent(soft)} after soft answers and {percent(hard)} after hard ones."
    )


PAPER = Paper(
    name="Distillation",
    authors="Hinton et al.",
    year=2015,
    title="Distilling the Knowledge in a Neural Network",
    link="https://arxiv.org/abs/1503.02531",
    read="Sections 1 to 4 with table 1, and section 6 with table 5. Skip section 5, on specialists.",
    minutes=45,
    places=(
        Place("21", "section 1", "two students of one shape: labels, or answers to further texts"),
        Place("21", "section 2", "a temperature, the loss, and why T² stands in it"),
        Place("21", "section 3", "a category that nobody named, chosen by you"),
        Place("21", "section 4", "softness and further texts, one taken away at a time"),
        Place("21", "stretch “how loud is too loud?”", "four temperatures beside hard answers"),
    ),
    doubts=(
        Doubt("Softness, or further texts?", softness_or_texts),
        Doubt("Does a higher temperature teach more?", how_high_a_temperature),
        Doubt("Does the student recognize a class that it never met?", a_class_never_named),
    ),
    earlier="Bucilă et al. (2006) let an ensemble label further examples for a small model, and Ba and"
    " Caruana (2014) taught a shallow network the logits of a deep one.",
    later="DistilBERT (Sanh et al., 2019) distilled during pretraining, and TinyBERT (Jiao et al., 2020)"
    " taught the layers as well as the answers.",
    change='In section 3 of notebook 21 change `category` from "sports" to "phones", the category nearest to'
    " another one. Vote first: will soft answers lead by more, by less, or not at all?",
    questions=(
        "What exactly is “dark knowledge”, and which experiment of the paper needs it?",
        "Section 2.1 shows that at high temperatures the method compares logits: what is lost then?",
        "The bias of the missing class was chosen on the test set: what would an honest choice have been?",
        "In table 5, what do soft targets replace: labels, texts, or regularization?",
        "Which control would you add to table 1 before you credit softness?",
    ),
    ice_breaker="Name an animal, and say which animal a child would most likely mistake it for.",
)
