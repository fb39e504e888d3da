"""Zhang et al., 2020: TernaryBERT, notebook 29."""

from lib.records import record
from tools.measured import lead
from tools.papers import Doubt, Paper, Place

RULE, LOWER, LAT = ("TWN, paper's layout", "least error, paper's layout", "LAT, paper's layout")
ANSWERS, ALL = "ternary, answers", "ternary, answers, states and scores"


def does_a_lower_error_help() -> str:
    runs = record.table("ternary_binary")
    told = [
        f"on {task} ten rounds that lower the squared error stand at"
        f" {lead(runs.values(task, RULE), runs.values(task, LOWER))}, and LAT, which weighs each error, at"
        f" {lead(runs.values(task, RULE), runs.values(task, LAT))}"
        for task in runs.tasks()
    ]
    return (
        "Without training no gain is seen. Beside the rule of thumb, with three fine-tuned MiniLMs,"
        f" {'; '.join(told)}."
    )


def what_the_inside_adds() -> str:
    runs = record.table("ternary_binary")
    told = []
    for task in runs.tasks():
        right = lead(runs.values(task, ANSWERS), runs.values(task, ALL))
        alike = lead(runs.values(task, ANSWERS, "agreement"), runs.values(task, ALL, "agreement"))
        told.append(f"on {task} accuracy changes by {right}, and agreement with the teacher by {alike}")
    return (
        f"With states and scores beside the answers, {'; '.join(told)}. So what the inside is seen to bring"
        " is likeness."
    )


def how_many_times_smaller() -> str:
    [ternary] = set(record.table("ternary_binary").values("headlines", ALL, "bytes"))
    whole = record.table("ledger").runs("headlines", "MiniLM")[0].costs["file_bytes"]
    return (
        f"Two bits for 32 would be 16 times. MiniLM's file is {whole / ternary:.1f} times smaller, and the"
        " paper's is 14.9 times: positions, token types, norms and biases stay in 32 bits, and scales are"
        " added. The smaller the model, the more this weighs."
    )


PAPER = Paper(
    name="TernaryBERT",
    authors="Zhang et al.",
    year=2020,
    title="TernaryBERT: Distillation-aware Ultra-low Bit BERT",
    link="https://arxiv.org/abs/2009.12812",
    read="All of the method: the two ways to three values, which parts share a scale, and the loss of"
    " distillation. Of the experiments, the table of GLUE's development sets and the ablations of scales and"
    " of the loss.",
    minutes=45,
    places=(
        Place("29", "section 1", "the same three codes with two thresholds: a guess, or half of the answers"),
        Place("29", "section 2", "rounds that lower the error, in the paper's layout of scales"),
        Place(
            "29",
            "section 3",
            "training by labels, by a teacher, with matrices at rest; three recorded lessons",
        ),
        Place("29", "section 4", "a layer without multiplications on the clock, and the file weighed"),
    ),
    doubts=(
        Doubt("Does a lower error help?", does_a_lower_error_help),
        Doubt("Does the teacher's inside make the student more accurate?", what_the_inside_adds),
        Doubt("Are two bits 16 times smaller than 32?", how_many_times_smaller),
    ),
    earlier="Ternary weight networks (Li et al., 2016) gave the rule of thumb, and Hou and Kwok (2018) the"
    " importance of each error. For BERT there were eight bits (Q8BERT, Zafrir et al., 2019) and mixed bits"
    " (Q-BERT, Shen et al., 2019). TinyBERT (Jiao et al., 2020) had taught a student its teacher's inside.",
    later="BinaryBERT (Bai et al., 2021) split a ternary network into a binary one. BitNet b1.58 (Ma et al.,"
    " 2024) trains language models with three values from the beginning.",
    change="In “Now yours” of notebook 29, change the 0.7 in the class `Three` to 1.4, so that more weights"
    " become 0. Vote first: is what twenty steps bring back larger or smaller than with 0.7?",
    questions=(
        "Why does each word have a scale of its own, while a whole matrix has one?",
        "The teacher has the student's shape: which problems of distillation does this avoid?",
        "In the paper LAT is a little ahead of the rule of thumb: which spread must you know to believe it?",
        "The paper compares with Q-BERT and Q8BERT: what differs between the rows beside the bits?",
        "Who gains from three values today, if no processor of yours has an instruction for them?",
    ),
    ice_breaker="If all prices in your supermarket had to be one of three, which three would you choose?",
)
