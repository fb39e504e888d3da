"""The drawings and tables of notebook 21: two students, guesses, a category that was never named, ways."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import TYPE_CHECKING

from torch import Tensor

from lib import records, stats
from lib.figures.charts import draw_bars
from lib.figures.panels import draw_panels
from lib.figures.schematic import Box, Schematic
from lib.records.table import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Columns = dict[str, list[str]]


# ---------------------------------------------------------------------------------------------
# Tables, each as columns and a caption.


def two_students(
    record: Table, megabytes: Mapping[str, float], times: Mapping[str, float]
) -> tuple[Columns, str]:
    """Two students of one shape, their teacher and a count of words.

    megabytes: of "student" and "teacher". times: for each batch that was timed, the student's time as a share
    of its teacher's.
    """
    rows = {
        "counting words (TF-IDF), 1,080 labels": ("baseline", None),
        "student, 1,080 labels": ("labels", "student"),
        "student, 3,090 answers (T = 2), no label": ("answers on unlabeled", "student"),
        "MiniLM, the teacher": ("teacher", "teacher"),
    }
    columns = {"": list(rows), "right, %": [percent(record, arm) for arm, _ in rows.values()]}
    columns["MB"] = ["-" if size is None else f"{megabytes[size]:.1f}" for _, size in rows.values()]
    for batch, share in times.items():
        of = {None: "-", "student": f"{share:.0%}", "teacher": "100%"}
        columns[f"time, {batch}"] = [of[size] for _, size in rows.values()]
    seeds = len(record.seeds())
    return columns, f"720 test headlines, mean of {seeds} seeds; the times are shares of MiniLM's, here"


def two_guesses(
    texts: Sequence[str], logits: Tensor, labels: Sequence[int], names: Sequence[str]
) -> tuple[Columns, str]:
    """The first and the second guess of a model for each text, logits [N, C], with their probabilities."""
    shares, places = logits.softmax(dim=-1).topk(2)
    columns = {"headline": list(texts), "label": [names[label] for label in labels]}
    for rank, name in enumerate(("first guess", "second guess")):
        columns[name] = [
            f"{names[int(place[rank])]} {float(share[rank]):.2f}"
            for place, share in zip(places, shares, strict=True)
        ]
    return columns, f"What the teacher says of {len(columns['headline'])} test headlines"


def three_losses(record: Table) -> tuple[Columns, str]:
    """What half of a masked language model has learned from one, two and three of DistilBERT's losses."""
    arms = {
        "masked words": "masked words",
        "masked words, answers": "masked words and answers",
        "masked words, answers, cosine": "DistilBERT",
    }
    columns = {"three layers learn from": list(arms)}
    for measure in ("perplexity", "agreement"):
        found = [record.values("reviews", f"blanks, {arm}", measure) for arm in arms.values()]
        columns[measure] = [f"{mean(seeds):.3g} ({min(seeds):.3g} to {max(seeds):.3g})" for seeds in found]
    whole = record.values("reviews", "blanks, teacher", "perplexity")[0]
    return columns, f"Hidden tokens; the whole pocket BERT has a perplexity of {whole:.1f}"


# ---------------------------------------------------------------------------------------------
# Numbers for a printout.


def values(record: Table, arm: str, metric: str = "accuracy") -> list[float]:
    """What an arm reached on headlines, in percent, a number for each seed."""
    return [100 * value for value in record.values("headlines", arm, metric)]


def percent(record: Table, arm: str) -> str:
    """The mean of the seeds, such as "65.4"."""
    return f"{mean(values(record, arm)):.1f}"


def gain(record: Table, base: str, better: str) -> str:
    """How much better one arm is than another, such as "+1.2 points, resolved"."""
    difference = stats.paired_difference(values(record, base), values(record, better))
    return f"{difference.of_means:+.1f} points, {'' if difference.is_resolved else 'not '}resolved"


def taught_bag() -> list[float]:
    """What a bag of word vectors reaches with the same teacher and texts, for each seed (notebook 33)."""
    return [100 * value for value in records.table("floppy").values("headlines", "rival, 100 kB")]


def usual_confusion(first: Tensor, true: Tensor) -> float:
    """The share of wrong guesses that a rule corrects which doesn't read the text.

    For a wrong guess it takes all other wrong guesses of the same category, and answers the category that
    was most often right there. first, true: [N].
    """
    wrong = (first != true).nonzero().flatten().tolist()
    hits = 0
    for row in wrong:
        others = [int(true[other]) for other in wrong if other != row and first[other] == first[row]]
        if others:
            hits += Counter(others).most_common(1)[0][0] == int(true[row])
    return hits / len(wrong)


# ---------------------------------------------------------------------------------------------
# Bars.

UNSEEN = {"sports": "sports", "movies": "film", "phones": "phones"}  # a record has the old names


def draw_found(category: str, hard: float, soft: float, record: Table) -> tuple["Figure", str]:
    """Draw how much of a category that was never named is found: just now, and in the record.

    hard, soft: after hard and after soft answers, 0 to 1.
    """
    names, after = [f"{category}, just now"], {"hard answers": [100 * hard], "soft answers": [100 * soft]}
    for shown in UNSEEN:
        names.append(f"{shown}, recorded")
        for kind, seeds in zip(after.values(), _found_in(record, shown), strict=True):
            kind.append(mean(seeds))
    title = (
        f"{category.capitalize()}: {100 * hard:.0f}% right after hard answers, {100 * soft:.0f}% after soft"
    )
    figure = draw_bars(names, after, "found, %", title, 0, None, ("random", 100 / 9))
    phrases = [
        f"{name} {of_hard:.0f} after hard answers and {of_soft:.0f} after soft ones"
        for name, of_hard, of_soft in zip(names, *after.values(), strict=True)
    ]
    return figure, f"{title}. In percent: {'; '.join(phrases)}. At random: 11."


def found_in_record(record: Table) -> str:
    """How much more soft answers found in the record, for each category that was left out."""
    told = []
    for shown in UNSEEN:
        difference = stats.paired_difference(*_found_in(record, shown))
        told.append(
            f"{shown} {difference.of_means:+.0f} ({'' if difference.is_resolved else 'not '}resolved)"
        )
    return ", ".join(told)


def _found_in(record: Table, shown: str) -> list[list[float]]:
    """What was found of a category after hard and after soft answers, a number for each seed."""
    arms = [f"{UNSEEN[shown]} unseen, {answers}" for answers in ("labels", "answers")]
    return [values(record, arm, "recognized, corrected") for arm in arms]


def draw_further_texts(record: Table) -> tuple["Figure", str]:
    """Draw what further texts bring, and what softness brings, to students of one shape; and two rivals."""
    arms = {
        "1,080 texts, labels": "labels",
        "1,080 texts, soft answers (T = 2)": "answers",
        "3,090 texts, hard answers": "hard answers on unlabeled",
        "3,090 texts, soft answers (T = 2)": "answers on unlabeled",
        "a count of words, taught": "baseline on unlabeled",
    }
    reached = {name: values(record, arm) for name, arm in arms.items()}
    reached["a bag of word vectors, taught"] = taught_bag()
    labels, _, hard, soft = [mean(seeds) for seeds in reached.values()][:4]
    is_sure = gain(record, "hard answers on unlabeled", "answers on unlabeled").endswith(", resolved")
    title = f"Further texts bring {hard - labels:.0f} points, softness {soft - hard:.0f}"
    title += "" if is_sure else " (not resolved)"
    figure, text = draw_panels(list(reached), {"right, %": list(reached.values())}, title, {"right, %": 1})
    return figure, f"{title}. {text}"


# ---------------------------------------------------------------------------------------------
# The ways to a small model.

LEFT, RIGHT, WIDTH = 1.75, 7.0, 2.6  # of the boxes, in inches
TOP, BOTTOM, HEIGHT = 2.75, 0.3, 0.75
ENDS = {  # of a transfer: whether the model is large and whether it knows the task, before and after
    1: ((True, False), (True, True)),
    2: ((True, False), (False, False)),
    3: ((False, False), (False, True)),
    4: ((True, False), (False, True)),
    5: ((True, True), (False, True)),
}


@dataclass(frozen=True)
class Transfer:
    """One of the five ways. name: what is done. examples: who does it, or where."""

    number: int
    name: str
    examples: str = ""

    @property
    def description(self) -> str:
        """Name and examples in words."""
        return f"{self.name} ({self.examples})" if self.examples else self.name


def draw_transfers(transfers: Sequence[Transfer], shown: int, title: str) -> tuple["Figure", str]:
    """Draw a large and a small model, before and after they know the task, and the arrows between them.

    shown: the number of the transfer whose words are bold, because the page is about it.
    """
    numbers = [transfer.number for transfer in transfers]
    if sorted(numbers) != list(ENDS) or shown not in ENDS:
        raise ValueError(f"Transfers {numbers}, {shown} shown: give each of 1 to 5 once, and one of them.")
    page = Schematic(10.4, 4.15)
    page.text(0.15, 3.9, title, ha="left", weight="bold", fontsize=13)
    boxes = {
        (is_large, knows_task): page.box(
            RIGHT if knows_task else LEFT, TOP if is_large else BOTTOM, WIDTH, HEIGHT,
            "large model" if is_large else "small model", "knows the task" if knows_task else "knows English",
            look=("lit" if knows_task else "plain") if not is_large else "tint",
        )
        for is_large in (True, False) for knows_task in (False, True)
    }  # fmt: skip
    for transfer in transfers:
        before, after = (boxes[end] for end in ENDS[transfer.number])
        _arrow(page, before, after, transfer, transfer.number == shown)
    phrases = [
        f"{transfer.number}, {_ends(transfer.number)}: {transfer.description}" for transfer in transfers
    ]
    return page.figure, f"Five arrows between a large and a small model. {'; '.join(phrases)}."


def _arrow(page: Schematic, before: Box, after: Box, transfer: Transfer, is_shown: bool) -> None:
    """The arrow of a transfer and its words, which stand where no other arrow does."""
    paper = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
    look = {"fontsize": 10, "weight": "bold" if is_shown else "normal", "bbox": paper}
    words = f"{transfer.number}  {transfer.name}" + f"\n{transfer.examples}" * bool(transfer.examples)
    if before.bottom == after.bottom:  # along a row
        page.arrow(before.east, after.west)
        page.text((before.east[0] + after.west[0]) / 2, before.east[1], words, **look)
    elif before.left == after.left:  # down a column
        page.arrow(before.below, after.top)
        page.text(before.below[0], (before.bottom + after.top[1]) / 2, words, **look)
    else:
        start, end = (before.east[0] - 0.15, before.bottom), (after.left + 0.15, after.top[1])
        page.arrow(start, end)
        page.text((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, words, **look)


def _ends(number: int) -> str:
    """Such as "large to small, both know English"."""
    (from_large, before), (to_large, after) = ENDS[number]
    sizes = " to ".join("large" if is_large else "small" for is_large in (from_large, to_large))
    knowledge = [("the task" if knows else "English") for knows in (before, after)]
    return f"{sizes}, from {knowledge[0]} to {knowledge[1]}"
