"""Lan et al., 2020: ALBERT, notebook 31."""

from chapters.nb31.errata import ERRATA
from lib.analysis.cost.formulas import count_parameters
from lib.bert import BertConfig
from lib.records import record
from tools.measured import lead, percent
from tools.papers import Doubt, Paper, Place

RANK = 128  # of ALBERT's table of words


def how_much_faster() -> str:
    return (
        f"A lecture's copy of the table has {ERRATA[0].printed} for ALBERT-base. But that is"
        f" {ERRATA[0].recompute()}."
    )


def does_running_again_pay() -> str:
    runs = record.table("sharing")
    whole, once, six = (
        runs.values("headlines", f"{shape}, 600 steps")
        for shape in ("6 layers", "1 layer", "1 layer, six times")
    )
    return (
        "Taught by MiniLM, one layer that runs six times lies"
        f" {lead(whole, six)} from six layers of their own, and {lead(once, six)} from one layer that"
        " runs once. ALBERT is pretrained with its shared layer, and ours is not, so this asks for a"
        " row that the paper lacks and doesn't answer for it."
    )


def what_the_table_costs() -> str:
    runs = record.table("sharing")
    base = BertConfig()
    whole = base.vocab_size * base.hidden_size
    short = RANK * (base.vocab_size + base.hidden_size)
    saved = (whole - short) / sum(count_parameters(base).values())
    teacher, cut = (runs.values("headlines", arm) for arm in ("teacher", f"words as read, rank {RANK}"))
    return (
        f"In BERT-base two factors of rank {RANK} save {saved:.0%} of all parameters. A finished table that"
        f" is cut so, without training, leaves {percent(cut)} of the headlines right,"
        f" {lead(teacher, cut)}. To train with the short table from the start is another experiment."
    )


PAPER = Paper(
    name="ALBERT",
    authors="Lan et al.",
    year=2020,
    title="ALBERT: A Lite BERT for Self-supervised Learning of Language Representations",
    link="https://arxiv.org/abs/1909.11942",
    read="Section 3 with table 1, and of section 4 tables 2 to 5: all models, the table of words, sharing,"
    " and the order of sentences. Look at figure 1.",
    minutes=50,
    places=(
        Place("31", "section 3", "a table of words in two factors"),
        Place("31", "section 4", "one layer, six times: when it saves time, and the same weights run once"),
        Place("31", "stretch “what two tables of slides say”", "21.1 times, and two averages"),
        Place("11", "section 3", "the order of two sentences, which a bag of words can't tell"),
    ),
    doubts=(
        Doubt("Is ALBERT-base 21.1 times as fast?", how_much_faster),
        Doubt("Does a shared layer earn its further runs?", does_running_again_pay),
        Doubt("What does the short table cost?", what_the_table_costs),
    ),
    earlier="The Universal Transformer (Dehghani et al., 2019) ran one layer again and again, and RoBERTa"
    " (Liu et al., 2019) had dropped the next sentence.",
    later="DRONE (Chen et al., 2021) chose factors for what passes through a matrix, and MobileLLM (Liu et"
    " al., 2024) shares neighboring blocks, so that a phone reads fewer weights.",
    change="In section 4 of notebook 31 write `[mean_of(layers[:3])] * 3 + [mean_of(layers[3:])] * 3` for"
    " `[mean] * 6`, where `layers = whole.bert.encoder.layer`: two layers, each three times. Vote first: does"
    " a short text take as long as with one layer six times, as with six copies, or something between?",
    questions=(
        "Which costs does sharing lower: parameters, bytes, memory in training, or time?",
        "ALBERT-xxlarge wins and is slower than BERT-large: what is the fair comparison?",
        "Table 4 shares attention alone, or the feed-forward network alone: which costs more, and why?",
        "What does table 5 show about the next sentence that notebook 11 shows, too?",
        "If you could keep one of the two, the short table or the shared layer, which one?",
    ),
    ice_breaker="Read one sentence twice: what did you understand only the second time?",
)
