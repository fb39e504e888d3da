"""Joulin et al., 2016: FastText.zip, notebook 33."""

from statistics import mean

from chapters.nb33.recorded import ALONE, BESIDE, LEADS, RIVAL
from lib.records import record
from tools.measured import lead, percent
from tools.papers import Doubt, Paper, Place

SMALLEST = f"{RIVAL}100 kB"


def what_attention_buys() -> str:
    runs = record.table("floppy")
    told = [
        f"{lead(runs.values(task, f'{RIVAL}{rival}'), runs.values(task, arm))} on {task} in {disk}"
        for task, rows in LEADS.items()
        for disk, arm, rival in rows
        if not arm.endswith(BESIDE)
    ]
    bert, bags = (
        mean(runs.values("headlines", arm, "processor_seconds")) for arm in (ALONE, f"{RIVAL}360 kB")
    )
    return (
        "That depends on the bytes and on the texts. With the same teacher, beside the best bags that fit, a"
        f" small BERT stands at {', '.join(told)}. On the largest disk of headlines it trained"
        f" {bert / bags:.0f} times as long."
    )


def who_taught_it() -> str:
    runs = record.table("floppy")
    labels, same, further = (
        runs.values("headlines", SMALLEST + ending)
        for ending in (", labels alone", ", labeled texts alone", "")
    )
    return (
        f"Not alone. Bags in 100 kB reach {percent(labels)} of headlines from labels, {percent(same)} from a"
        f" teacher that answers the same texts, {lead(labels, same)}, and {percent(further)} where it answers"
        f" further texts as well, {lead(same, further)}. The paper's models learn from labels, and from many"
        " more of them."
    )


def what_the_bytes_are() -> str:
    parts = record.table("floppy").runs("headlines", SMALLEST)[0].costs
    whole = parts["bytes"]
    vectors, words = (
        (parts["bytes of bag.safetensors"] + parts["bytes of runs.safetensors"]) / whole,
        parts["bytes of vocab.txt"] / whole,
    )
    return (
        f"No. Of the {whole:,} bytes of the smallest bags {vectors:.0%} are vectors and their dense layers,"
        f" and {words:.0%} are the list of pieces. Runs of letters need no list, because a checksum says"
        " which vector is theirs."
    )


PAPER = Paper(
    name="FastText.zip",
    authors="Joulin et al.",
    year=2016,
    title="FastText.zip: Compressing text classification models",
    link="https://arxiv.org/abs/1612.03651",
    read="All but the appendix: how the table of vectors is cut into codes, why the length of a vector is"
    " kept apart, what is dropped and what is hashed, then the figures of accuracy over size.",
    minutes=40,
    places=(
        Place("33", "section 1", "a bag of vectors built, taught, rounded and weighed"),
        Place("33", "section 2", "every byte on a disk, and steps that suit a spread"),
        Place("33", "section 4", "what attention buys, and how much of it is luck"),
        Place("33", "stretch “other texts, or more texts? (6 min)”", "SST-2, and who taught the files"),
    ),
    doubts=(
        Doubt("Does a small classifier need attention?", what_attention_buys),
        Doubt("Is it the model that is good?", who_taught_it),
        Doubt("Is a model as large as its vectors?", what_the_bytes_are),
    ),
    earlier="The classifier is that of “Bag of Tricks” (Joulin et al., 2017, first printed in 2016), and near"
    " to it are deep averaging networks (Iyyer et al., 2015). Product quantization (Jégou et al., 2011) comes"
    " from the search for images, and hashed features from Weinberger et al. (2009).",
    later="fastText's library has had this compression since. Tang et al. (2019) taught small networks"
    " without attention what a fine-tuned BERT answers.",
    change="In section 1 of notebook 33 give the bag `size=8` in place of 64. Vote first: how many of a"
    " hundred headlines does it lose, and how many of its bytes?",
    questions=(
        "Why is the length of a vector stored apart from its direction?",
        "Which features may be dropped, and what must not happen to any text?",
        "Did a network with attention or convolutions get the same number of bytes in this paper?",
        "On which of the paper's tasks should the order of words matter most, and does the table show it?",
        "What would a phone need beside the bytes that the paper counts?",
    ),
    ice_breaker="Sort the words of the last headline that you read by the alphabet: does your neighbor still"
    " know what it was about?",
)
