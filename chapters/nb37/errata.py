"""What others print of the subject of notebook 37, and what comes out when it is computed again."""

from lib.errata import Erratum

#: TinyBERT of six layers in two tables of one lecture (from Huawei, July 2021, slides 16 and 80)
TINY_BERT = {
    "MNLI-m": 84.6,
    "QNLI": 90.4,
    "SST-2": 93.1,
    "CoLA": 51.1,
    "STS-B": 83.7,
    "MRPC": 87.3,
    "RTE": 70.0,
}
MISMATCHED, QQP_F1, QQP_ACCURACY = 83.2, 71.6, 89.1
#: averages of DistilBERT and of BERT-base, from its paper and from a page on the web, both in one keynote
DISTILBERT = ((75.2, 78.0), (76.8, 77.6))
WITHOUT_WNLI = ((55.6, 43.7), (44.4, 43.7))


def _two_averages() -> str:
    eight = sum(TINY_BERT.values())
    first = (eight + MISMATCHED + QQP_F1) / 9
    second = (eight + QQP_ACCURACY) / 8
    one_rule = (eight + QQP_F1) / 8
    return (
        f"{first:.1f} counts MNLI twice and QQP by F1, {QQP_F1}; {second:.1f} counts MNLI-m alone and QQP by"
        f" accuracy, {QQP_ACCURACY}; all other columns are equal. With F1 in the second table: {one_rule:.1f}"
    )


def _two_shares() -> str:
    shares = [100 * student / teacher for student, teacher in DISTILBERT]
    eight = [
        100 * (9 * student - wnli[0]) / (9 * teacher - wnli[1])
        for (student, teacher), wnli in zip(DISTILBERT, WITHOUT_WNLI, strict=True)
    ]
    return (
        f"{shares[0]:.1f}% by the first table and {shares[1]:.1f}% by the second, two trainings with other"
        f" metrics; without WNLI {eight[0]:.1f}% and {eight[1]:.1f}%"
    )


ERRATA = [
    Erratum(
        "TinyBERT of six layers, average on GLUE's test sets",
        "Liu, Huawei, 2021, slides 16 and 80",
        "79.4 and 81.2",
        _two_averages,
        "rows",
    ),
    Erratum(
        "How much of BERT's performance DistilBERT keeps",
        "Shinnou, ROCLING 2020, slide 70, beside two tables",
        "Keep about 95% performance of original BERT",
        _two_shares,
        "rows",
    ),
]
