"""What papers claim, beside the arms of our records that could show it; of points only the sign counts."""

from __future__ import annotations

from typing import NamedTuple

from lib.records.record import table
from lib.stats import paired_difference

#: where it is printed
ELM, ALP_KD = "Jiao et al., 2021, table 2", "Passban et al., 2021, table 1"
MOVEMENT, LECTURE = "Sanh et al., 2020, table 3", "a lecture from Huawei, 2021"
HINTON, DISTILBERT = "Hinton et al., 2015, section 3", "Sanh et al., 2019, table 4"
LOTTERY, DYNABERT = "Frankle and Carbin, 2019", "Hou et al., 2020, table 1"
PENN_STATE = "slides, Penn State, 2021"
TERNARY_BERT, BINARY_BERT = "Zhang et al., 2020, MNLI", "Bai et al., 2021, MNLI"
BAI_GLUE, ALBERT = "Bai et al., 2021, mean of GLUE", "Lan et al., 2020, table 2"
GHOST_BERT, AUTO_TINY = "Huang et al., 2021, GLUE", "Yin et al., 2021, KD-S1"
TERNARY, SPLIT = "ternary, answers, states and scores", "split, trained further"
NO_FIGURE, NO_SUCH_FIGURE = "no figure in print", "no figure of the kind in print"
NOT_COMPARED, OURS = "not compared in print", "the course's own"
RECOGNIZED = "recognized, corrected"
LEARNED, COLLAPSED = True, False


class Claim(NamedTuple):
    """A published gain in points, and the arms of a record that are compared for it.

    learned: whether both arms learned anything; a run that collapsed tests no claim.
    """

    says: str
    source: str
    published: float | None  # None where the source prints no difference of the kind
    record: str
    task: str
    arm: str
    rival: str
    learned: bool = LEARNED
    metric: str = "accuracy"


# fmt: off
CLAIMS = (
    Claim("rounding that is trained, 3 bits by row, over rounding alone", "no figure for 3 bits in print",
          None, "bits", "headlines", "3 bits per row", "all, row, 3 bits"),
    Claim("the same", "no figure for 3 bits in print", None, "bits", "SST-2", "3 bits per row",
          "all, row, 3 bits"),
    Claim("a scale a row over a scale a matrix, 4 bits", NO_FIGURE, None, "bits", "headlines",
          "all, row, 4 bits", "all, tensor, 4 bits"),
    Claim("the same", NO_FIGURE, None, "bits", "SST-2", "all, row, 4 bits", "all, tensor, 4 bits"),
    Claim("soft answers over labels, the same texts", HINTON, None, "distilled_answers", "headlines",
          "answers", "labels"),
    Claim("a class never seen: soft over hard answers, sports", HINTON, None, "distilled_answers",
          "headlines", "sports unseen, answers", "sports unseen, labels", metric=RECOGNIZED),
    Claim("the same, movies", HINTON, None, "distilled_answers", "headlines", "film unseen, answers",
          "film unseen, labels", metric=RECOGNIZED),
    Claim("the same, phones", HINTON, None, "distilled_answers", "headlines", "phones unseen, answers",
          "phones unseen, labels", metric=RECOGNIZED),
    Claim("answers beside labels, three copied layers", DISTILBERT, 2.96, "distilled_answers", "headlines",
          "cut, answers", "cut, labels"),
    Claim("the cosine of the last states beside answers", DISTILBERT, 1.46, "distilled_answers", "headlines",
          "cut, answers and cosine", "cut, answers"),
    Claim("further texts with the teacher's answers", OURS, None, "distilled_answers", "headlines",
          "answers on unlabeled", "answers"),
    Claim("a map that was searched over even steps (ELM)", ELM, 2.8, "layer_maps", "headlines", "0,1", "3,6"),
    Claim("the last layer alone over even steps (ELM)", ELM, 1.3, "layer_maps", "headlines", "0,6", "3,6"),
    Claim("the teacher's answers over labels", ALP_KD, 1.41, "layer_maps", "headlines", "0,0", "labels"),
    Claim("PKD, [CLS] states, over answers", ALP_KD, 0.42, "layer_maps", "headlines", "[CLS] 3,6", "0,0"),
    Claim("CKD with overlap over answers", ALP_KD, 0.71, "layer_maps", "headlines",
          "CKD overlap, student widened", "0,0"),
    Claim("ALP-KD over answers", ALP_KD, 0.99, "layer_maps", "headlines", "ALP", "0,0"),
    Claim("GOBO, 3 bits over 2", LECTURE, 12.7, "choosing_bits", "SST-2", "GOBO, 3 bits", "GOBO, 2 bits"),
    Claim("movement over size, 90% zeros, from the fine-tuned model", MOVEMENT, 1.8, "pruned_weights",
          "headlines", "long, movement 0.9", "long, magnitude 0.9", COLLAPSED),
    Claim("the same, all of SST-2", MOVEMENT, 1.8, "pruned_weights", "SST-2", "all phrases, movement 0.9",
          "all phrases, magnitude 0.9", COLLAPSED),
    Claim("size over chance, 90% zeros", OURS, None, "pruned_weights", "headlines", "magnitude 0.9",
          "random 0.9"),
    Claim("a ticket over a random mask", LOTTERY, None, "pruned_weights", "headlines", "tickets, ticket",
          "tickets, random mask"),
    Claim("the same, all of SST-2", LOTTERY, None, "pruned_weights", "SST-2", "all phrases, tickets, ticket",
          "all phrases, tickets, random mask"),
    Claim("half of heads and neurons gone, tuned, F1 of answers", PENN_STATE, -1.5, "pruned_questions",
          "SQuAD 1.1", "importance", "dense", metric="f1"),
    Claim("half of heads and neurons, by importance over chance", OURS, None, "pruned_structure", "SST-2",
          "half of heads and neurons, importance", "half of heads and neurons, random"),
    Claim("half of the width less the whole", DYNABERT, -0.2, "elastic", "headlines",
          "sizes, important first, 0.5 x 1", "sizes, important first, 1 x 1"),
    Claim("half of the depth less the whole", DYNABERT, -1.2, "elastic", "headlines",
          "sizes, important first, 1 x 0.5", "sizes, important first, 1 x 1"),
    Claim("a quarter of the width, important first over as they were, untrained", DYNABERT, None, "elastic",
          "headlines", "untrained, important first, 0.25", "untrained, as they were, 0.25"),
    Claim("TernaryBERT over the whole model, there with LAT, here with TWN", TERNARY_BERT, -1.0,
          "ternary_binary", "headlines", TERNARY, "teacher"),
    Claim("the same", TERNARY_BERT, -1.0, "ternary_binary", "SST-2", TERNARY, "teacher"),
    Claim("LAT over TWN, there in training, here untrained", TERNARY_BERT, 0.2, "ternary_binary", "headlines",
          "LAT, paper's layout", "TWN, paper's layout"),
    Claim("the same", TERNARY_BERT, 0.2, "ternary_binary", "SST-2", "LAT, paper's layout",
          "TWN, paper's layout"),
    Claim("BinaryBERT over the whole model", BINARY_BERT, -0.4, "ternary_binary", "headlines", SPLIT,
          "teacher"),
    Claim("the same", BINARY_BERT, -0.4, "ternary_binary", "SST-2", SPLIT, "teacher"),
    Claim("BinaryBERT's way over binary at once", BAI_GLUE, 1.9, "ternary_binary", "headlines", SPLIT,
          "binary, whole width"),
    Claim("the same", BAI_GLUE, 1.9, "ternary_binary", "SST-2", SPLIT, "binary, whole width"),
    Claim("the split over as many steps without it", NOT_COMPARED, None, "ternary_binary", "headlines", SPLIT,
          "not split, trained further"),
    Claim("the same", NOT_COMPARED, None, "ternary_binary", "SST-2", SPLIT, "not split, trained further"),
    Claim("all layers shared over layers of their own, there pretrained so", ALBERT, -2.2, "sharing",
          "headlines", "1 layer, six times, 600 steps", "6 layers, 600 steps"),
    Claim("one layer run six times over run once", NOT_COMPARED, None, "sharing", "headlines",
          "1 layer, six times, 600 steps", "1 layer, 600 steps"),
    Claim("factors for the inputs over factors for the weights, rank 96, untrained",
          NO_SUCH_FIGURE, None, "sharing", "headlines", "inputs, rank 96",
          "weights, rank 96"),
    Claim("the table of words cut as it is read over every row alike, rank 64",
          NO_SUCH_FIGURE, None, "sharing", "headlines", "words as read, rank 64",
          "words, rank 64"),
    Claim("the same", NO_SUCH_FIGURE, None, "sharing", "SST-2", "words as read, rank 64",
          "words, rank 64"),
    Claim("ghosts over none, there at full width, here at a quarter", GHOST_BERT, 0.9, "small_designs",
          "headlines", "a quarter, softmax ghosts", "a quarter, no ghosts"),
    Claim("the same", GHOST_BERT, 0.9, "small_designs", "SST-2", "a quarter, softmax ghosts",
          "a quarter, no ghosts"),
)
# fmt: on


class Shrinking(NamedTuple):
    """How many times smaller or faster a paper's model is, and an arm of ours on headlines beside MiniLM.

    cost: "bytes" of the file, or "milliseconds" for 32 texts of 32 pieces.
    """

    says: str
    source: str
    published: float
    record: str
    arm: str
    cost: str


SHRINKINGS = (
    Shrinking("TernaryBERT, file", TERNARY_BERT, 14.9, "ternary_binary", TERNARY, "bytes"),
    Shrinking("BinaryBERT, file", BINARY_BERT, 24.6, "ternary_binary", SPLIT, "bytes"),
    Shrinking(
        "a searched design, time", AUTO_TINY, 4.6, "ledger", "4 layers of half the width", "milliseconds"
    ),
)


def beside(claim: Claim) -> tuple[str, str, str]:
    """What was published, what came out here, and what our seeds say of it."""
    published = "" if claim.published is None else f"{claim.published:+g}"
    runs = table(claim.record)
    arms = (runs.values(claim.task, arm, claim.metric) for arm in (claim.rival, claim.arm))
    here = paired_difference(*([100 * value for value in values] for values in arms))
    if not claim.learned:
        return published, f"{here.of_means:+.1f}", "not tested: a run collapsed"
    if not here.is_resolved:
        return published, f"{here.of_means:+.1f}", "not resolved"
    is_other = claim.published is not None and claim.published * here.of_means < 0
    return published, f"{here.of_means:+.1f}", "the opposite is resolved" if is_other else "resolved"


def times(shrinking: Shrinking) -> float:
    """How many times less our arm costs than MiniLM."""
    whole, own = (
        table(name).runs("headlines", arm)[0].costs
        for name, arm in (("ledger", "MiniLM"), (shrinking.record, shrinking.arm))
    )
    if shrinking.cost == "bytes":
        return float(whole["file_bytes"] / own["bytes"])
    before, after = (costs["milliseconds"]["float32"]["32 x 32"] for costs in (whole, own))
    return float(before / after)
