"""Bai et al., 2021: BinaryBERT, notebook 30."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import mean

from lib.records import record
from lib.stats import paired_difference
from tools.measured import lead
from tools.papers import Doubt, Paper, Place

SPLIT, CONTROL = "split, trained further", "not split, trained further"
NETWORKS = ("landscape", "ternary, landscape", "binary, landscape")  # 32 bits, three values, two


def is_it_the_split() -> str:
    runs = record.table("ternary_binary")
    told = " and ".join(
        f"{lead(runs.values(task, SPLIT), runs.values(task, CONTROL))} on {task}" for task in runs.tasks()
    )
    return (
        "The paper compares two whole recipes. The control of notebook 30 trains as long without the split,"
        f" and ends {told} from the split network."
    )


def what_one_bit_weighs() -> str:
    runs = record.table("ternary_binary")
    split, binary = (
        mean(runs.values("headlines", arm, "bytes")) / 1e6 for arm in (SPLIT, "binary, whole width")
    )
    return (
        "Every weight became two, so the paper's network has 16.5 MB and one that is binary at once 13.4."
        f" In MiniLM it is {split:.1f} MB against {binary:.1f}."
    )


def is_it_steepness() -> str:
    runs = record.table("ternary_binary")
    resolved = []
    for task in runs.tasks():
        networks = [runs.values(task, arm, "eigenvalues") for arm in NETWORKS]
        parts = list(networks[0][0])
        steps = [[is_steeper(*pair, part) for pair in pairwise(networks)] for part in parts]
        resolved.append(f"{sum(map(all, steps))} of {len(parts)} parts on {task}")
    return (
        "The paper says that the loss becomes steeper from full precision to ternary to binary. By the top"
        f" eigenvalue where MiniLM's trainings ended, this order is resolved in {' and '.join(resolved)}. But"
        " the claim is about the way there, which these numbers don't describe."
    )


def is_steeper(
    first: Sequence[Mapping[str, float]], second: Sequence[Mapping[str, float]], part: str
) -> bool:
    gain = paired_difference([seed[part] for seed in first], [seed[part] for seed in second])
    return gain.of_means > 0 and gain.is_resolved


PAPER = Paper(
    name="BinaryBERT",
    authors="Bai et al.",
    year=2021,
    title="BinaryBERT: Pushing the Limit of BERT Quantization",
    link="https://aclanthology.org/2021.acl-long.334/",
    read="Sections 1 to 3, figure 2, tables 1 and 2. Skip the appendix on the split until you have done"
    " exercise 2 of notebook 30.",
    minutes=45,
    places=(
        Place("30", "section 1", "a ternary network becomes two binary ones that answer alike"),
        Place("30", "section 3", "the three stages and their control"),
        Place("30", "stretch “how curved are the three networks?”", "curvature where three trainings ended"),
    ),
    doubts=(
        Doubt("Is it the *split* that helps?", is_it_the_split),
        Doubt("What does “one bit” weigh?", what_one_bit_weighs),
        Doubt("Is a steep landscape the reason?", is_it_steepness),
    ),
    earlier="TernaryBERT (Zhang et al., 2020), whose ternary network is the first stage; notebook 29.",
    later="BiT (Liu et al., 2022) put the activations into one bit as well, and OneBit (Xu et al., 2024) the"
    " weights of large language models.",
    change="Exchange the two shares of the split in exercise 2: which of the accuracy and the tensor"
    " notices it?",
    questions=(
        "Which two properties must the split keep?",
        "Why does the table of words not halve?",
        "What is trained in stage three that stage one did not train?",
        "Which row of table 1 would you want with three seeds?",
        "What would convince you that the steep landscape is the reason?",
    ),
    ice_breaker="Two numbers that are never 0 add up to one of three values: how?",
)
