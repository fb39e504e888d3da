"""The drawings and tables of notebook 21: students, guesses, a category that was never named, a step."""

from collections import Counter
from collections.abc import Sequence
from statistics import mean
from typing import TYPE_CHECKING

from torch import Tensor
from torch.nn import Module

from lib import records, stats
from lib.figures.charts import draw_bars
from lib.figures.panels import draw_panels
from lib.figures.schematic import Schematic
from lib.records import frontier
from lib.records.table import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Columns = dict[str, list[str]]


# ---------------------------------------------------------------------------------------------
# Tables, each as columns and a caption.


def two_students(
    record: Table, student: Module, teacher: Module, share_of_time: float
) -> tuple[Columns, str]:
    """Two students of one shape, their teacher and a count of words.

    share_of_time: what the student takes for a text, as a share of its teacher's time.
    """
    recorded = {dot.name: dot for dot in frontier.dots_until("19")}
    words = recorded["TF-IDF"]
    time_of_words = words.milliseconds / recorded["MiniLM"].milliseconds
    rows = {
        "counting words (TF-IDF), 1,080 labels": (
            "baseline", f"{words.megabytes:.1f}", f"{time_of_words:.0%}",
        ),
        "student, 1,080 labels": ("labels", _megabytes(student), f"{share_of_time:.0%}"),
        "student, 3,090 answers, no label": (
            "temperature 1", _megabytes(student), f"{share_of_time:.0%}",
        ),
        "MiniLM, the teacher": ("teacher", _megabytes(teacher), "100%"),
    }  # fmt: skip
    columns = {"": list(rows), "right, %": [percent(record, arm) for arm, _, _ in rows.values()]}
    columns["MB"] = [size for _, size, _ in rows.values()]
    columns["time for one text"] = [time for _, _, time in rows.values()]
    return columns, f"720 test headlines, mean of {len(record.seeds())} seeds"


def _megabytes(model: Module) -> str:
    """What the weights of a model weigh, four bytes each."""
    return f"{4e-6 * sum(weight.numel() for weight in model.parameters()):.1f}"


def three_layers(record: Table) -> tuple[Columns, str]:
    """What three layers of the fine-tuned MiniLM reach: as copied, with labels, with answers."""
    rows = {
        "3 layers, as copied": "cut",
        "3 layers, 1,080 labels": "cut, labels",
        "3 layers, 3,090 answers, no label": "cut, answers on unlabeled",
        "6 layers, the teacher": "teacher",
    }
    columns = {"": list(rows), "right, %": [percent(record, arm) for arm in rows.values()]}
    return columns, f"720 test headlines, mean of {len(record.seeds())} seeds, answers at T = 2"


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


def draw_found(category: str, found: dict[str, float]) -> tuple["Figure", str]:
    """Draw how much of a category is found that was never named.

    found: by what a student learned from, 0 to 1.
    """
    shares = [100 * share for share in found.values()]
    title = f"How much is found of {category}, never named"
    figure = draw_bars(list(found), shares, "found, %", title, 0, None, ("random", 100 / 9))
    phrases = [f"{name} {share:.0f}" for name, share in zip(found, shares, strict=True)]
    return figure, f"{title}. In percent: {'; '.join(phrases)}. At random: 11."


def found_in_record(record: Table) -> str:
    """How much hard and soft answers found in the record, a line for each category that was left out."""
    told = []
    for shown in UNSEEN:
        hard, soft = _found_in(record, shown)
        difference = stats.paired_difference(hard, soft)
        told.append(
            f"{shown}: {mean(hard):.0f}% after hard answers, {mean(soft):.0f}% after soft"
            f" ({'' if difference.is_resolved else 'not '}resolved)"
        )
    return "\n".join(told)


def _found_in(record: Table, shown: str) -> list[list[float]]:
    """What was found of a category after hard and after soft answers, a number for each seed."""
    arms = [f"{UNSEEN[shown]} unseen, {answers}" for answers in ("labels", "answers")]
    return [values(record, arm, "recognized, corrected") for arm in arms]


SOFT = {1: "temperature 1", 2: "answers on unlabeled", 4: "temperature 4", 8: "temperature 8"}


def draw_further_texts(record: Table) -> tuple["Figure", str]:
    """Draw what further texts bring, and what softness brings, to students of one shape; and two rivals."""
    arms = {
        "A: 1,080 texts, labels": "labels",
        "B: 1,080 texts, soft answers, T = 2": "answers",
        "C: 3,090 texts, hard answers": "hard answers on unlabeled",
    }
    arms |= {f"D: 3,090 texts, soft answers, T = {one}": SOFT[one] for one in (1, 2, 4)}
    arms["rival: a count of words"] = "baseline on unlabeled"
    reached = {name: values(record, arm) for name, arm in arms.items()}
    reached["rival: a bag of word vectors"] = taught_bag()
    labels, _, hard, soft, *_ = [mean(seeds) for seeds in reached.values()]
    title = f"Further texts bring {hard - labels:.0f} points, softness {soft - hard:.0f} (T = 1)"
    figure, text = draw_panels(list(reached), {"right, %": list(reached.values())}, title, {"right, %": 1})
    return figure, f"{title}. {text}"


def gains_of_softness(record: Table, temperatures: Sequence[int]) -> str:
    """What soft answers bring over hard ones on all texts, a line for each temperature."""
    told = []
    for temperature in temperatures:
        difference = gain(record, "hard answers on unlabeled", SOFT[temperature])
        told.append(f"T = {temperature}: {difference}")
    return "\n".join(told)


# ---------------------------------------------------------------------------------------------
# One step, and the picture that grows.


def draw_step() -> tuple["Figure", str]:
    """Draw one step of distillation: what a headline becomes in both models, and whom the loss changes."""
    page = Schematic(10.4, 3.5)
    page.text(0.15, 3.25, "One step of distillation", ha="left", weight="bold", fontsize=13)
    upper, lower, height = 2.05, 0.75, 0.75
    headline = page.box(0.15, (upper + lower) / 2, 1.5, height, "headline", "no label")
    teacher = page.box(2.35, upper, 2.0, height, "teacher", "learns nothing", "tint")
    student = page.box(2.35, lower, 2.0, height, "student", "learns", "lit")
    taught = page.box(5.3, upper, 2.0, height, "soft answer", "of the teacher", "tint")
    own = page.box(5.3, lower, 2.0, height, "soft answer", "of the student")
    loss = page.box(8.3, (upper + lower) / 2, 1.9, height, "loss", "KL of the two", "edge")
    for model, answer in ((teacher, taught), (student, own)):
        corner = (2.0, model.west[1])
        page.arrow(headline.east, (2.0, headline.east[1]), corner, model.west)
        page.arrow(model.east, answer.west, label="logits / T")
        page.arrow(answer.east, (7.8, answer.east[1]), (7.8, loss.west[1]), loss.west)
    page.arrow(loss.below, (loss.below[0], 0.35), (student.below[0], 0.35), student.below)
    page.text((loss.below[0] + student.below[0]) / 2, 0.17, "the gradient changes the student alone")
    return page.figure, (
        "A headline without a label goes into the teacher, which learns nothing, and into the student. Both"
        " divide their logits by T and give a soft answer. The loss is the KL of the two answers, and its"
        " gradient goes back to the student alone."
    )


def rivals() -> list[frontier.Dot]:
    """The bags of word vectors with the same teacher, which notebook 33 builds."""
    return [dot for dot in frontier.dots_until("33") if dot.name.startswith("bags")]
