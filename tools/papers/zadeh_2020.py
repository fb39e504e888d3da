"""Zadeh et al., 2020: GOBO, notebook 25."""

import math

from chapters.nb25.errata import ERRATA
from lib.bert import BertConfig
from lib.records import record
from tools.measured import lead, percent
from tools.papers import Doubt, Paper, Place

THRESHOLD = -4.0  # of the logarithm of the density; below it a weight is an outlier


def values_or_outliers() -> str:
    runs = record.table("choosing_bits")
    arms = {
        "one scale a matrix": "linear, matrix, 3 bits",
        "the same with the outliers kept": "linear, outliers kept, 3 bits",
        "GOBO": "GOBO, 3 bits",
        "32 bits": "teacher",
    }
    told = ", ".join(f"{name} {percent(runs.values('SST-2', arm))}" for name, arm in arms.items())
    ahead = " and ".join(
        f"{lead(runs.values(task, arms['the same with the outliers kept']), runs.values(task, arms['GOBO']))}"
        f" on {task}"
        for task in ("SST-2", "headlines")
    )
    return (
        f"On SST-2, with three bits and no training: {told}. So most of it is keeping the outliers. What the"
        f" chosen values add to that is {ahead}."
    )


def who_has_28() -> str:
    base = BertConfig()
    rows = base.vocab_size + base.max_position_embeddings + base.type_vocab_size
    layer = 4 * base.hidden_size**2 + 2 * base.hidden_size * base.intermediate_size
    numbers = rows * base.hidden_size + base.num_hidden_layers * layer
    return (
        "GOBO with two bits for matrices and tables alike can have the 28 MB that a lecture prints: its codes"
        f" alone are {2 * numbers / 8 / 2**20:.1f} MiB. The same lecture prints “{ERRATA[0].printed}” for"
        f" Q-BERT, whose tables have eight bits: {ERRATA[0].recompute()}."
    )


def whose_unit() -> str:
    def beyond(deviation: float) -> str:
        reach = math.sqrt(2 * (-THRESHOLD - math.log(deviation) - math.log(2 * math.pi) / 2))
        return f"{reach:.2f} deviations, {1e4 * math.erfc(reach / math.sqrt(2)):.1f} of 10,000 normal weights"

    return (
        "A density belongs to a unit of length, so it counts them in the unit of the weights. With a standard"
        f" deviation of 0.05 the border lies at {beyond(0.05)}; with all weights times ten, at {beyond(0.5)}."
    )


PAPER = Paper(
    name="GOBO",
    authors="Zadeh et al.",
    year=2020,
    title="GOBO: Quantizing Attention-Based NLP Models for Low Latency and Energy Efficient Inference",
    link="https://arxiv.org/abs/2005.03842",
    read="What it says of the weights of BERT, how outliers are found and values chosen, and the tables of"
    " accuracy. Leave the hardware to whoever studies it.",
    minutes=45,
    places=(
        Place("25", "section 1", "eight values for a matrix against seven for each of its rows"),
        Place("25", "section 2", "the book of values step by step, and where its gain comes from"),
        Place("25", "section 3", "sizes in print, and their bits added up"),
        Place("25", "stretch “an outlier in another unit”", "the same weights in three units"),
    ),
    doubts=(
        Doubt("Is it the values or the outliers?", values_or_outliers),
        Doubt("Which model has 28 MB?", who_has_28),
        Doubt("Does the threshold count standard deviations?", whose_unit),
    ),
    earlier="Deep Compression (Han et al., 2016) had already given weights a codebook by k-means. For BERT"
    " there were eight bits (Q8BERT, Zafrir et al., 2019) and groups with mixed bits (Q-BERT, Shen et al.,"
    " 2019), both with training.",
    later="LLM.int8() (Dettmers et al., 2022) keeps outlying features apart, GPTQ (Frantar et al., 2022) lets"
    " exact weights make up for rounded ones, and NF4 (Dettmers et al., 2023) has one book for all.",
    change="In section 1 of notebook 25, let `compute_weights` have `bits=2`. Vote first: do four chosen"
    " values a matrix keep more answers than seven values a row, which kept about three quarters?",
    questions=(
        "What does the paper assume of the weights of a layer, and how could you test it?",
        "Why does it stop when the sum of distances no longer falls, and not the sum of squares?",
        "The weights take three bits and the activations 32: which costs fall, and which don't?",
        "How many bits do the tables have, and what does that make of the ratio for the whole model?",
        "Who needs a method without training, if a few hundred steps bring three bits as far?",
    ),
    ice_breaker="You may describe the heights of everybody here by four numbers: which four?",
)
