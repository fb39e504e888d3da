"""What others print of the subject of notebook 31, and what comes out when it is computed again."""

from lib.errata import Erratum

#: of MNLI and SST-2, the two tasks that both tables have (Shinnou, ROCLING 2020)
ALBERT_BASE_V2, DISTILBERT = (84.6, 92.9), (81.8, 92.7)


def _faster_than_bert_base() -> str:
    return (
        f"{21.1 / 17.7:.1f} times as fast as BERT-base, which has 17.7x in the same column: it counts from"
        " BERT-xlarge, and in training. ALBERT-xxlarge, with 1.2x where BERT-large has 3.8x, is"
        f" {3.8 / 1.2:.1f} times slower than that"
    )


def _on_the_same_tasks() -> str:
    means = [sum(scores) / len(scores) for scores in (ALBERT_BASE_V2, DISTILBERT)]
    return (
        f"{means[0]:.2f} and {means[1]:.2f} on the two tasks that both have, MNLI and SST-2: apart by"
        f" {means[0] - means[1]:.1f}, not by {82.3 - 76.8:.1f}"
    )


def _first_layer_of_alexnet() -> str:
    """The first convolution of Krizhevsky and others, 2012: 96 maps of 55 x 55, windows of 11 x 11 x 3."""
    places, maps, window = 55 * 55, 96, 11 * 11 * 3
    own, shared = places * maps * window, maps * window
    return (
        f"without biases {own:,} and {shared:,} in its first layer, with biases"
        f" {own + places * maps:,} and {shared + maps:,}: the printed pair has biases on one side only, and a"
        " slip of 400 on the other"
    )


ERRATA = [
    Erratum(
        "Speed-up of ALBERT-base, in a table beside BERT",
        "Shinnou, ROCLING 2020, slide 78",
        "21.1x",
        _faster_than_bert_base,
        "base",
    ),
    Erratum(
        "ALBERT-base beside DistilBERT, by averages of five tasks and of nine",
        "Shinnou, ROCLING 2020, slide 79",
        "82.3 and 76.8: ALBERT is better than DistilBERT",
        _on_the_same_tasks,
        "rows",
    ),
    Erratum(
        "How many weights of AlexNet are saved where places share them",
        "Johns Hopkins, 2022, slide 59",
        "105,415,600 weights vs 34,944 weights",
        _first_layer_of_alexnet,
        "rows",
    ),
]
