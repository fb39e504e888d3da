"""Jiao et al., 2020: TinyBERT, notebook 22 (and 19 for its costs)."""

from lib.analysis.cost.formulas import count_multiplications, count_parameters
from lib.bert import BertConfig
from lib.records import record
from tools.measured import lead
from tools.papers import Doubt, Paper, Place

TINY = BertConfig(num_hidden_layers=4, hidden_size=312, intermediate_size=1200)
TOKENS = 128


def which_inside_helps() -> str:
    runs = record.table("distilled_inside")
    answers = runs.values("headlines", "answers")
    told = "; ".join(
        f"{arm}, {lead(answers, runs.values('headlines', arm))}" for arm in ("embeddings", "states", "scores")
    )
    return (
        "In table 3 the embeddings matter least. In 90 processor seconds each, and against answers"
        f" alone, one lesson before the answers brings: {told}."
    )


def does_more_text_pay() -> str:
    runs = record.table("distilled_inside")
    answers, plain, augmented, both = (
        runs.values("headlines", arm)
        for arm in ("answers", "TinyBERT", "TinyBERT, augmented", "TinyBERT, both stages")
    )
    return (
        "Table 2 credits each stage without counting its hours. In equal processor seconds TinyBERT's"
        f" task stage lies {lead(answers, plain)} from answers alone, with augmented texts"
        f" {lead(answers, augmented)}, and with a general stage before {lead(answers, both)}. That is"
        " far shorter than the paper's 23 epochs, so it tests the price and not the method."
    )


def how_much_smaller() -> str:
    base = BertConfig()
    stored = [sum(count_parameters(config).values()) for config in (base, TINY)]
    work = [sum(count_multiplications(config, TOKENS).values()) for config in (base, TINY)]
    return (
        "The paper says 7.5 times smaller and 9.4 times faster. Counted by its shape, the model has"
        f" {stored[0] / stored[1]:.1f} times fewer parameters and {work[0] / work[1]:.1f} times fewer"
        " multiplications, so its clock shows half of what the count promises."
    )


PAPER = Paper(
    name="TinyBERT",
    authors="Jiao et al.",
    year=2020,
    title="TinyBERT: Distilling BERT for Natural Language Understanding",
    link="https://arxiv.org/abs/1909.10351",
    read="Section 3 with figures 1 and 2, the settings in section 4, and tables 1 to 4. Skip the appendix"
    " but the algorithm of augmentation.",
    minutes=50,
    places=(
        Place("22", "section 1", "equal attention, other answers, and which layer teaches which"),
        Place("22", "section 2", "a learned map between two widths, and one whole step"),
        Place("22", "section 3", "scores, which are compared without a map"),
        Place("22", "section 4", "which weights a lesson moves, and what each lesson brings"),
        Place("22", "stretch “scores or weights?”", "why scores are compared before the softmax"),
        Place(
            "22",
            "stretch “TinyBERT in two stages”",
            "its stages, what each part is worth, and five points in which the code differs from the paper",
        ),
        Place("22", "stretch “more headlines than there are”", "augmentation"),
        Place("19", "stretch “one model, three counts”", "7.5, 9.4 and 19 times"),
    ),
    doubts=(
        Doubt("Which of the lessons on the inside helps?", which_inside_helps),
        Doubt("Do further texts and a general stage pay in equal time?", does_more_text_pay),
        Doubt("How much smaller and faster is it?", how_much_smaller),
    ),
    earlier="FitNets (Romero et al., 2015) put a learned map between two widths, and Patient KD (Sun et al.,"
    " 2019) compared states of several layers.",
    later="MiniLM (Wang et al., 2020) compares relations, which need no map, and MobileBERT (Sun et al.,"
    " 2020) rebuilds the teacher so that widths agree.",
    change='In section 4 of notebook 22 change `plans`: (lesson, 2) and ("answers", 2) for 3 and 1. Vote'
    " first: does the student end higher, lower, or about the same?",
    questions=(
        "Why does the paper compare scores before the softmax, and MiniLM weights after it?",
        "Which row of table 3 would change most if every model had equal hours?",
        "The code differs from the paper in five points (22): which could change table 1?",
        "What does table 4 say about the map of layers, and what does it leave out?",
        "What would a row “TinyBERT's shape, labels alone” have to show?",
    ),
    ice_breaker="You must teach your trade to a child in an hour: do you show your notes or your answers?",
)
