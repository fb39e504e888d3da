"""What others print of the subject of notebook 24, and what comes out when it is computed again."""

from lib.errata import Erratum


def _last_scale(epochs: int = 15, tau_max: int = 10) -> str:
    counter = 0
    for epoch in range(epochs):
        counter += epoch % int(epochs / tau_max) == 0  # nothing holds it at tau_max
    return f"{counter / tau_max:g} in the last of {epochs} epochs at tau_max = {tau_max}"


def _epochs_at_the_first_rate() -> str:
    return f"{sum(epoch < int(epoch / 2) for epoch in range(200))} of 200"


def _score_without_a_teacher() -> str:
    others, wnli = [56.6, 92.7, 89.5, 87.2, 90.8, 84.1, 91.3, 65.7], 56.3  # the printed row, and the caption
    tasks = len(others) + 1
    return (
        f"the mean of the row's eight numbers and WNLI is {(sum(others) + wnli) / tasks:.2f}; for the printed"
        f" one WNLI would have to be {78.78 * tasks - sum(others):.1f}, so the mean or the caption is wrong"
    )


ERRATA = [
    Erratum(
        "How far the scale of the target rises in the script for CIFAR, which the paper lets end at 1, where"
        " the epochs are no multiple of tau_max",
        "Jafari and others, 2021, equation of stage I, and the authors' script for CIFAR",
        "1",
        _last_scale,
        "run",
    ),
    Erratum(
        "For how many of 200 epochs the authors' schedule trains a resnet at its rate of 0.1: its condition"
        " is epoch < int(epoch/2)",
        "Mirzadeh and others, 2020, the authors' code",
        "half of them",
        _epochs_at_the_first_rate,
        "run",
    ),
    Erratum(
        "The score of DistilRoBERTa without a teacher, in a table of MATE-KD whose caption gives WNLI as 56.3"
        " for all models",
        "Liu, Huawei, 2021, slide 34, from Rashid and others, 2021",
        "78.78",
        _score_without_a_teacher,
        "rows",
    ),
]
