"""Devlin et al., 2019: BERT, notebooks 10, 12 and 14."""

from chapters.nb10.errata import ERRATA as OF_MASKING
from chapters.nb14.errata import ERRATA as OF_TASKS
from lib.records import record
from tools.papers import Doubt, Paper, Place

MNLI_OF_TABLE_8 = (84.2, 84.3, 84.1, 84.4, 83.7, 83.6)  # six mixes, one run each, development set


def what_table_8_varies() -> str:
    heading = OF_MASKING[0]
    return f"Its heading is “{heading.printed}”. Made again and counted, tokens {heading.recompute()}."


def how_far_ahead() -> str:
    return f"The abstract of the first version says “{OF_TASKS[1].printed}”. But {OF_TASKS[1].recompute()}."


def would_another_seed_do() -> str:
    runs = record.table("ways_of_training").values("headlines", "all")
    apart, printed = 100 * (max(runs) - min(runs)), max(MNLI_OF_TABLE_8) - min(MNLI_OF_TABLE_8)
    return (
        f"The paper gives no spread, and all six scores of MNLI in table 8 lie within {printed:.1f} points."
        f" Another {len(runs)} seeds of one and the same training (14) lie {apart:.1f} points apart, on a"
        " smaller test, so one run each can't give the order of these six."
    )


PAPER = Paper(
    name="BERT",
    authors="Devlin et al.",
    year=2019,
    title="BERT: Pre-training of Deep Bidirectional Transformers for Language Understanding",
    link="https://arxiv.org/abs/1810.04805",
    read="Sections 3 and 5 with figures 1 and 2 and tables 5 and 6, table 1 of section 4.1, and of the"
    " appendix A.1 and C.2 with table 8.",
    minutes=60,
    places=(
        Place("10", "section 2", "why a token has to be taken out of the input"),
        Place("10", "section 3", "which tokens are chosen, and the three fates"),
        Place("10", "stretch “what is chosen, and what becomes of it”", "table 8, beside tiny BERTs"),
        Place("12", "section 4", "eight designs, three seeds, one rule for luck"),
        Place("12", "stretch “the tables of the paper”", "tables 5 and 8, beside what was measured here"),
        Place("14", "section 2", "fine-tuning, its rate, and five other seeds"),
    ),
    doubts=(
        Doubt("Does table 8 vary masking *rates*?", what_table_8_varies),
        Doubt("Is BERT-large 5.6 points ahead on MNLI?", how_far_ahead),
        Doubt("Would another seed give table 8 the same order?", would_another_seed_do),
    ),
    earlier="ELMo (Peters et al., 2018) set two one-way LSTMs side by side, and GPT (Radford et al., 2018)"
    " fine-tuned a Transformer that reads from the left. Texts with gaps are older: Taylor's cloze test is"
    " of 1953.",
    later="RoBERTa (Liu et al., 2019) trained longer, without next sentences, and drew the masks anew each"
    " time. Wettig et al. (2023) asked whether 15% is the best share to hide.",
    change="In section 2 of notebook 12 change the 0.15 of `hide` to 0.5 and run the film again. Vote first:"
    " will the verbs come earlier, later or never?",
    questions=(
        "Which rows of table 5 tell what both directions are worth, and what else differs between them?",
        "What reason does the paper give for each of the three fates, and which of them could be tested?",
        "What is the fairest comparison between BERT and GPT that the paper contains?",
        "Table 6 says that larger is better: for which sizes of the task's data, and how do you know?",
        "Which single experiment would you ask for before you accept the paper?",
    ),
    ice_breaker="Finish the sentence “she plays the …”, and find out what your neighbor would have needed to"
    " read to guess your word.",
)
