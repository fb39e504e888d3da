"""Papineni et al., 2002: BLEU, notebook 36."""

from statistics import mean

from chapters.nb36.answers import bleu
from chapters.nb36.bleu import mean_of_sentences
from lib.records import record
from lib.text.spanish import pairs
from tools.papers import Doubt, Paper, Place


def without_no() -> tuple[list[list[str]], list[list[str]]]:
    """Sentences of the grammar of notebook 36 that deny something, each without its *no*, and as it is."""
    denied = [pair.spanish for pair in pairs(200, seed=1) if "no" in pair.spanish]
    return [[word for word in words if word != "no"] for words in denied], denied


def does_it_see_meaning() -> str:
    silent, denied = without_no()
    synonym = bleu([["el", "auto", "rojo", "espera"]], [["el", "coche", "rojo", "espera"]])
    return (
        "It sees words. A translator that makes no mistake but drops every *no* has"
        f" {bleu(silent, denied):.0f} on {len(denied)} sentences that deny something, and says the opposite"
        f" in all of them. *El auto rojo espera* has {synonym:.0f} where the one reference says *coche*."
    )


def pooled_or_averaged() -> str:
    silent, denied = without_no()
    return (
        f"No. These {len(denied)} sentences have {bleu(silent, denied):.1f} together, and"
        f" {mean_of_sentences(silent, denied):.1f} on average: by itself a sentence without one correct run"
        " of four words has 0. Exercise 3 of the notebook knows this mistake."
    )


def how_much_is_luck() -> str:
    scores = record.table("translator").values("spanish", "600 steps", "bleu")
    return (
        f"Not by itself. Three seeds of one and the same translator, trained for 600 steps, have"
        f" {', '.join(f'{score:.1f}' for score in scores)}: the mean is {mean(scores):.1f}, and they lie"
        f" {max(scores) - min(scores):.1f} apart. The paper asks how sure a score is by cutting the test into"
        " blocks of sentences, which says nothing of another training."
    )


PAPER = Paper(
    name="BLEU",
    authors="Papineni et al.",
    year=2002,
    title="BLEU: a Method for Automatic Evaluation of Machine Translation",
    link="https://aclanthology.org/P02-1040/",
    read="All of its eight pages, with a pencil: work through the examples of section 2 by hand. Read section"
    " 3, on blocks of sentences, and section 5, on human judges, twice.",
    minutes=40,
    places=(
        Place("36", "section 3", "a small translator, and sentences that break it"),
        Place("36", "section 4", "BLEU by hand and in code, and two systems scored"),
        Place(
            "36", "stretch “where to look, what to write (3 min)”", "BLEU beside two other shares, recorded"
        ),
        Place("36", "stretch “a table of costs (5 min)”", "what a later paper claimed by BLEU"),
    ),
    doubts=(
        Doubt("Does BLEU see what turns a meaning around?", does_it_see_meaning),
        Doubt("Is BLEU of a corpus the mean of its sentences?", pooled_or_averaged),
        Doubt("Does a lead of one BLEU show a better system?", how_much_is_luck),
    ),
    earlier="People judged translations, which took weeks or months. Speech recognition had its word error"
    " rate, on which the paper models its idea.",
    later="NIST (Doddington, 2002) and METEOR (Banerjee and Lavie, 2005) followed at once. Callison-Burch et"
    " al. (2006) showed where BLEU fails, chrF (Popović, 2015) counts letters, and sacrebleu (Post, 2018)"
    " made scores comparable.",
    change="In notebook 36, section 4, put `by_model = [words[::-1] for words in by_model]` before the lines"
    " that print the scores. Vote first: does the translator, read backward, still beat the dictionary?",
    questions=(
        "Which cheat does the clipping of counts stop, and which does the brevity penalty stop?",
        "Why is the penalty computed over the whole corpus, and not sentence by sentence?",
        "The examples have several references: what changes with a single one, as in notebook 36?",
        "The correlation with judges rests on five systems, two of them people: how sure is it?",
        "What has to be printed beside a BLEU score so that another paper can compare with it?",
    ),
    ice_breaker="Write “I am tired, but I have to finish this” in other words: how many words do you share"
    " with your neighbor?",
)
