"""Where a student's texts come from, what a teacher says of them, and what students learn from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import TYPE_CHECKING

from torch import Tensor

from lib import records, stats
from lib.figures.charts import draw_bars
from lib.figures.panels import draw_panels
from lib.figures.ranges import draw_seeds
from lib.figures.schematic import Schematic

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEFT, WIDTH, HEIGHT, STEP = 0.25, 3.7, 0.5, 0.62  # of the rungs, in inches
READERS, LOSS, RIGHT = 5.0, 7.4, 9.35
FLOOR, MOST_RUNGS = 0.4, 8


@dataclass(frozen=True)
class Rung:
    """A kind of text: its name, how it is made, and whether the student's errors choose it."""

    name: str
    made: str
    by_errors: bool = False


def draw_ladder(rungs: Sequence[Rung], title: str) -> tuple["Figure", str]:
    """Draw the kinds of text one above the other, the first on top; teacher and student read from them.

    A kind that the student's errors choose is tinted, and an arrow leads from the loss back to it.
    """
    if not 2 <= len(rungs) <= MOST_RUNGS:
        raise ValueError(f"There are {len(rungs)} kinds of text; 2 to {MOST_RUNGS} fit.")
    top = FLOOR + STEP * len(rungs)
    page = Schematic(RIGHT + 0.1, top + 0.45)
    page.text(LEFT, top + 0.22, title, ha="left", weight="bold", fontsize=13)
    middle = FLOOR + (top - FLOOR - STEP + HEIGHT) / 2
    loss = page.box(LOSS, middle - 0.3, 1.6, 0.6, "KL", "how far apart")
    for name, y, end in (("teacher", middle + 0.75, loss.top), ("student", middle - 0.75, loss.below)):
        reader = page.box(READERS, y - 0.3, 1.6, 0.6, name, "answers")
        page.arrow((LEFT + WIDTH + 0.1, middle), (READERS - 0.5, middle), (READERS - 0.5, y), reader.west)
        page.arrow(reader.east, (end[0], y), end)
    for number, rung in enumerate(rungs):
        y = top - STEP * (number + 1)
        look = "tint" if rung.by_errors else "plain"
        box = page.box(LEFT, y, WIDTH, HEIGHT, rung.name, rung.made, look)
        if rung.by_errors:  # around everything, back to the rung
            x, west = loss.east[0] + 0.2, box.west
            page.arrow(loss.east, (x, middle), (x, 0.15), (0.08, 0.15), (0.08, west[1]), west)
    description = "; ".join(
        f"{rung.name}, {rung.made}{' (chosen by the KL)' if rung.by_errors else ''}" for rung in rungs
    )
    alt = (
        f"{len(rungs)} kinds of text, the top one first: {description}. Teacher and student read a text,"
        " and the KL says how far apart their answers are."
    )
    return page.figure, alt


# ---------------------------------------------------------------------------------------------
# What a teacher says, as tables: columns and a caption.

Columns = dict[str, list[str]]
COUNT_OF_WORDS, GUESS = 52.9, 100 / 9


def certainty(said: Mapping[str, Tensor], names: Sequence[str]) -> tuple[Columns, str]:
    """How sure a model is of each kind of text on average, and its most frequent answer, logits [N, C]."""
    columns: Columns = {"": list(said), "how sure, mean": [], "most frequent answer": []}
    for logits in said.values():
        shares = logits.softmax(dim=-1)
        often = shares.argmax(dim=-1).bincount(minlength=len(names))
        columns["how sure, mean"].append(f"{shares.amax(dim=-1).mean():.0%}")
        columns["most frequent answer"].append(
            f"{names[int(often.argmax())]} {often.max() / len(logits):.0%}"
        )
    count = len(next(iter(said.values())))
    return columns, f"What the teacher says of {count} texts of each kind"


def before_and_after(
    texts: Mapping[str, Sequence[str]], answers: Mapping[str, Tensor], names: Sequence[str]
) -> tuple[Columns, str]:
    """Two texts and their rewritten versions: one that kept the teacher's first guess, and one that did not.

    texts, answers: "real" and "rewritten", in the same order, logits [N, C].
    """
    shares = {name: answers[name].softmax(dim=-1) for name in ("real", "rewritten")}
    same = shares["real"].argmax(dim=-1) == shares["rewritten"].argmax(dim=-1)  # [N]
    middle = range(len(same) * 2 // 5, len(same))  # neither the shortest nor the longest
    rows = [next(row for row in middle if bool(same[row]) is kept) for kept in (True, False)]
    columns = {name: [texts[name][row] for row in rows] for name in ("real", "rewritten")}
    for name, when in {"real": "before", "rewritten": "after"}.items():
        columns[f"teacher, {when}"] = [
            f"{names[int(shares[name][row].argmax())]} {shares[name][row].max():.2f}" for row in rows
        ]
    sure = shares["rewritten"].amax(dim=-1).mean()
    caption = f"Of {len(same):,} rewritten headlines {same.float().mean():.0%} keep the teacher's first guess"
    return columns, f"{caption}, of which it is {sure:.0%} sure on average"


# ---------------------------------------------------------------------------------------------
# What students learn.


def points(arm: str, task: str = "headlines") -> list[float]:
    """What a recorded student reaches, in percent, a number for each seed."""
    return [100 * accuracy for accuracy in records.table("how_to_teach").values(task, arm)]


def gain(arm: str, rival: str, task: str = "headlines") -> str:
    """How many points an arm is ahead of its rival, and whether that is resolved."""
    difference = stats.paired_difference(points(rival, task), points(arm, task))
    return f"{difference.of_means:+.1f} ({'' if difference.is_resolved else 'not '}resolved)"


def draw_readers(right: Mapping[str, float]) -> tuple["Figure", str]:
    """Draw what students of several kinds of text get right, 0 to 1, beside a count of words."""
    names = {"real": "real headlines", "rewritten": "rewritten headlines", "random": "tokens at random"}
    bars = {names.get(name, name): 100 * share for name, share in right.items()}
    bars["a count of words, from labels"] = COUNT_OF_WORDS
    title = "What students of 1,080 texts get right: " + ", ".join(
        f"{100 * one:.0f}%" for one in right.values()
    )
    figure = draw_bars(list(bars), list(bars.values()), "right, %", title, 1, None, ("a guess", GUESS))
    phrases = [f"{name} {value:.1f}" for name, value in bars.items()]
    return figure, f"{title}. In percent: {', '.join(phrases)}. A guess: 11.1."


def readers_in_record() -> str:
    """What three seeds of the record reach, with a teacher that knows fewer tokens, and how good it is."""
    arms = {
        "tokens at random": "tokens at random",
        "written texts": "written from texts",
        "real headlines": "as many real texts",
    }
    reached = [f"{name} {mean(points(arm)):.1f}%" for name, arm in arms.items()]
    taught_by = (
        f"a teacher that reads the pocket BERT's tokens and is right on {mean(points('teacher, cut')):.1f}%"
    )
    return f"recorded, three seeds, {taught_by}:\n{', '.join(reached)}"


def draw_ladder_in_record() -> tuple["Figure", str]:
    """Draw what students get right that read written texts instead of real ones."""
    arms = {
        "tokens at random": "tokens at random",
        "written from blanks": "written from blanks",
        "written from texts": "written from texts",
        "real headlines": "as many real texts",
    }
    panel = {"right, %": [points(arm) for arm in arms.values()]}
    title = "Real headlines teach far more than written ones"
    figure, text = draw_panels(list(arms), panel, title, {"right, %": 1}, {"right, %": ("a guess", GUESS)})
    return figure, f"{title}. {text} A guess: 11.1."


def draw_beside() -> tuple["Figure", str]:
    """Draw what texts bring that are read beside real ones of SST-2, at equal steps."""
    beside = {
        "rewritten": ("a masked LM's pieces", "no rewriting"),
        "by a generator (its KL fell)": ("MATE-KD", "no rewriting"),
        "2 hardest of 8 neighbors": ("2 hardest", "no neighbors"),
        "4,000 more real texts": ("direct", "labeled texts"),
    }
    gains = {
        name: [more - less for more, less in zip(points(arm, "SST-2"), points(rival, "SST-2"), strict=True)]
        for name, (arm, rival) in beside.items()
    }
    title = "Read beside 4,000 texts of SST-2: more real texts gain beyond the spread"
    figure, text = draw_seeds(gains, "points gained, equal steps", title=title, digits=1)
    return figure, f"{title}. {text}"


def draw_gap() -> tuple["Figure", str]:
    """Draw annealing and an assistant less plain distillation."""
    ways = {"annealing": ("annealing", "answers and labels"), "assistant": ("through an assistant", "direct")}
    gains = {}
    for way, (arm, rival) in ways.items():
        for task in ("headlines", "SST-2"):
            both = zip(points(arm, task), points(rival, task), strict=True)
            gains[f"{way}, {task}"] = [more - less for more, less in both]
    title = "Annealing and an assistant: seeds on both sides of 0 in three rows"
    figure, text = draw_seeds(gains, "points more than plain distillation", title=title, digits=1)
    return figure, f"{title}. {text}"
