"""What others print of the subject of notebook 22, and what comes out when it is computed again."""

from datetime import date

from lib.errata import Erratum

LECTURE, EMNLP_2021 = date(2021, 7, 28), date(2021, 11, 7)  # the conference: its first day
MOBILEBERT = "2004.02984"  # its number in arXiv, which begins with year and month


def _conference_of_tinybert() -> str:
    return (
        f"EMNLP 2021 began {(EMNLP_2021 - LECTURE).days} days after the lecture; the table under the heading,"
        " of February 2021, has 2020 in its column YEAR, and slide 12 has EMNLP 2020 Findings"
    )


def _year_of_mobilebert() -> str:
    year, month = 2000 + int(MOBILEBERT[:2]), int(MOBILEBERT[2:4])
    return f"{year}: arXiv {MOBILEBERT} is of {year}-{month:02}, and ACL {year} published it"


ERRATA = [
    Erratum(
        "At which conference TinyBERT is the most influential paper",
        "Liu, Huawei, 2021, slide 18",
        "No.1 of the Most Influential EMNLP 2021 Papers",
        _conference_of_tinybert,
    ),
    Erratum(
        "When MobileBERT was published",
        "Liu, Huawei, 2021, slide 69",
        "MobileBERT [sun et al., 2021]",
        _year_of_mobilebert,
    ),
]
