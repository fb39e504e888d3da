"""Peters et al., 2018: ELMo, notebooks 10, 09 and 16."""

from statistics import mean

from lib import stats
from lib.records import record
from tools.measured import lead, percent, verdict
from tools.papers import Doubt, Paper, Place

HELD_OUT = "held-out text"


def glued_or_mixed() -> str:
    runs = record.table("ablations")
    mixed, glued = (runs.values(HELD_OUT, arm, "right") for arm in ("base", "glued"))
    loss = stats.paired_difference(
        *(runs.values(HELD_OUT, arm, "loss") for arm in ("base", "glued")),
    )
    return (
        "ELMo's two directions never read each other. Two one-sided tiny models whose scores are added name"
        f" {percent(glued)} of hidden tokens, one that mixes both sides {percent(mixed)}: glued less mixed"
        f" is {lead(mixed, glued)}, and {loss.of_means:+.1f} nats ({verdict(loss)}). ELMo adds no scores: a"
        " task's model on top mixes the states, so the proof of notebook 10 doesn't hold for it."
    )


def what_two_directions_bring() -> str:
    runs = record.table("ablations")
    left, right, both = (runs.values(HELD_OUT, arm, "right") for arm in ("left side", "right side", "base"))
    return (
        "At equal computing a tiny model of both sides names more hidden tokens than one of the left side,"
        f" {lead(left, both)}, and against one of the right side it is {lead(right, both)}. So which"
        " direction one drops may matter as much as dropping one."
    )


def are_frozen_vectors_enough() -> str:
    runs = record.table("ways_of_training")
    named = {"headlines": ("headlines", "accuracy"), "names in a text, F1": ("entities", "f1")}
    told = []
    for name, (task, metric) in named.items():
        frozen, tuned = (mean(runs.values(task, way, metric)) for way in ("head", "all"))
        told.append(f"{100 * frozen:.0f} frozen and {100 * tuned:.0f} trained on {name}")
    return (
        "ELMo's vectors stay frozen, with a task's own network on top. MiniLM with a small head has"
        f" {', and '.join(told)}. With a larger network on top, frozen vectors of BERT"
        " come within 0.3 points at finding names (Devlin et al., 2019, table 7)."
    )


PAPER = Paper(
    name="ELMo",
    authors="Peters et al.",
    year=2018,
    title="Deep contextualized word representations",
    link="https://arxiv.org/abs/1802.05365",
    read="Section 3, table 1 of section 4, and sections 5.1 to 5.3 with their tables.",
    minutes=45,
    places=(
        Place("10", "section 1", "what one side can't know, and two sides glued"),
        Place("10", "stretch “two one-sided models, glued”", "a proof, and a fair race on text"),
        Place("09", "section 1", "a word with two senses, layer by layer"),
        Place("16", "section 2", "what learns, and what a frozen BERT gives"),
        Place("16", "stretch “features without training”", "which layers a classifier should read"),
    ),
    doubts=(
        Doubt("Are two glued directions as good as one that mixes?", glued_or_mixed),
        Doubt("What does the second direction bring?", what_two_directions_bring),
        Doubt("Are frozen vectors enough?", are_frozen_vectors_enough),
    ),
    earlier="word2vec (Mikolov et al., 2013) and GloVe (Pennington et al., 2014) have one vector for a word,"
    " and CoVe (McCann et al., 2017) took context vectors from a translator.",
    later="In the same year ULMFiT (Howard and Ruder, 2018) and GPT (Radford et al., 2018) fine-tuned the"
    " whole network, and BERT (Devlin et al., 2019) mixed both sides in every layer.",
    change="In section 1 of notebook 10 write `first * second` for `first + second` in `middle`. Vote first:"
    " will the glued model still end at a blind guess?",
    questions=(
        "Why may the two directions not see each other while the model is pretrained?",
        "What do the weights of the layers in section 5.1 say that the last layer alone doesn't?",
        "Which task of table 1 gains most, and what does that say about its older systems?",
        "How does the paper show that lower layers hold grammar, and is there a control?",
        "Would you rather ship ELMo's vectors for all tasks, or one fine-tuned model for each?",
    ),
    ice_breaker="Say a sentence with “play” in it, and let your neighbor say one in which it means another"
    " thing.",
)
