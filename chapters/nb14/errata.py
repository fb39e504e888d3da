"""What others print of the subject of notebook 14, and what comes out when it is computed again."""

from lib.errata import Erratum
from lib.text.tasks.glue import GLUE

BERT_LARGE, OPENAI_GPT = 86.7, 82.1  # MNLI, matched, test: Devlin and others, 2019, table 1


def _eleven_tasks() -> str:
    of_glue = [name for name in GLUE if name != "WNLI"]  # left out in the paper: footnote 8
    others = ["SQuAD 1.1", "SQuAD 2.0", "SWAG"]
    return (
        f"GLUE has {len(GLUE)} tasks; the paper's {len(of_glue) + len(others)} are {len(of_glue)} of them,"
        f" without WNLI, and {', '.join(others)}"
    )


def _gain_on_mnli() -> str:
    return (
        f"{BERT_LARGE} less GPT's {OPENAI_GPT}, the best before it in table 1, are"
        f" {BERT_LARGE - OPENAI_GPT:.1f} points, as the abstract of the second version says"
    )


ERRATA = [
    Erratum(
        "The tasks on which BERT was the best so far",
        "Wu, CU Boulder, 2020, slide 20",
        "11 GLUE tasks",
        _eleven_tasks,
        "rows",
    ),
    Erratum(
        "By how much BERT-large is ahead on MNLI",
        "Devlin and others, 2018, abstract of the first version; so shown by Shinnou, ROCLING 2020, slide 6",
        "86.7 (5.6% absolute improvement)",
        _gain_on_mnli,
        "unit",
    ),
]
