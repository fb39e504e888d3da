"""The drawings and tables of notebook 00: a timeline, pretraining once for many tasks, masks, guesses."""

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from lib import figures
from lib.analysis.prediction.fill_mask import Guess
from lib.figures.arrays import Array, check_tokens, to_array
from lib.figures.attention import NAMES_UP_TO, name_tokens
from lib.figures.schematic import Schematic
from lib.figures.style import FAINT, INK, LIT, QUIET, canvas, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


# ---------------------------------------------------------------------------------------------
# A timeline: what happened, when, and why it matters, the earliest first.

Event = tuple[str, str, str]  # when ("2013" or "2018-10"), a name, a sentence

HISTORY: list[Event] = [
    (
        "2013-01",
        "word2vec",
        "A vector for each word, learned from its neighbors, the same in every sentence.",
    ),
    ("2014-09", "attention", "A network that translates word by word learns which words to look at."),
    (
        "2017-06",
        "Transformer",
        "Attention replaces reading word by word: an encoder reads, a decoder writes.",
    ),
    ("2018-02", "ELMo", "A word's vector depends on its sentence: two networks, one for each direction."),
    ("2018-06", "GPT", "A decoder, pretrained on the next word and then fine-tuned as a whole."),
    ("2018-10", "BERT", "An encoder, pretrained on hidden words: one network for both directions."),
    ("2019-07", "RoBERTa", "The same network, pretrained longer and on more text, is better still."),
    ("2019-10", "DistilBERT", "Half the layers, taught by BERT: 40% smaller and nearly as good."),
]
MOST_EVENTS = 12
LONGEST = 80  # characters of a sentence, what a line holds
EVENT_ROW = 0.46  # inches for a name and its sentence
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def draw_timeline(
    events: Sequence[Event], title: str | None = None, lit: str | None = None
) -> tuple["Figure", str]:
    """Draw events in their order: when, a bold name, and a sentence of at most 80 characters.

    An event is `("2018-10", "BERT", "Reads both sides of a gap.")`, or `("2013", ...)` where the month is not
    known; they are sorted, 2 to 12 of them. The rows stand at equal distances, whatever the time between
    them, because a scale of years would tear rows and dates apart. `lit` is the name of the event that all
    this leads to.
    """
    rows = _sorted_events(events, lit)
    with style():
        figure = canvas(9.0, EVENT_ROW * len(rows) + (0.55 if title else 0.2), title)
        axes = figure.subplots()
        axes.set(xlim=(0, 9), ylim=(len(rows) - 0.4, -0.6))
        axes.axis("off")
        axes.plot([1.3, 1.3], [0, len(rows) - 1], color=QUIET, linewidth=2)
        for row, (_, when, name, sentence) in enumerate(rows):
            color = LIT if name == lit else QUIET
            axes.plot(1.3, row, "o", color=color, markersize=11 if name == lit else 6, zorder=3)
            axes.text(1.1, row, when, ha="right", va="center", fontsize=10.5, color=color)
            axes.text(1.6, row - 0.2, name, va="center", fontweight="bold", color=LIT if name == lit else INK)
            axes.text(1.6, row + 0.2, sentence, va="center", fontsize=10.5, color=INK)
    description = [f"{when}, {name}: {sentence}" for _, when, name, sentence in rows]
    alt = f"A timeline of {len(rows)} events. {' '.join(description)}"
    return figure, alt


def _sorted_events(events: Sequence[Event], lit: str | None) -> list[tuple[float, str, str, str]]:
    """Each event as (year with its fraction, date as it is written, name, sentence), the earliest first."""
    if not 2 <= len(events) <= MOST_EVENTS:
        raise ValueError(f"There are {len(events)} events; a timeline takes 2 to {MOST_EVENTS}.")
    rows = []
    for date, name, sentence in events:
        found = re.fullmatch(r"(\d{4})(?:-(0[1-9]|1[0-2]))?", date)
        if found is None:
            raise ValueError(f"The date {date!r} of {name} should be written as '2018' or '2018-10'.")
        year, month = int(found[1]), int(found[2] or 0)
        when = f"{MONTHS[month - 1]} {year}" if month else f"{year}"
        if len(sentence) > LONGEST:
            raise ValueError(
                f"The sentence of {name} has {len(sentence)} characters; {LONGEST} fit the page."
            )
        rows.append((year + ((month - 0.5) / 12 if month else 0.5), when, name, sentence))
    if lit is not None and lit not in {name for _, _, name, _ in rows}:
        raise ValueError(f"No event is called {lit!r}.")
    return sorted(rows)


# ---------------------------------------------------------------------------------------------
# A schematic of the idea of BERT: pretrain once on plain text, fine-tune a copy for each task.

MOST_TASKS = 4
TASK_ROW = 0.95  # inches for a task
TITLE = "Pretrain once, fine-tune a copy for each task"


class Task(NamedTuple):
    """A task that a pretrained model is fine-tuned for."""

    name: str  # what goes in, such as "film reviews"
    examples: str  # how many labeled ones there are, such as "67,000 labeled"
    answer: str  # what the new output head is asked, such as "good or bad?"


def draw_transfer(corpus: str, parameters: str, tasks: Sequence[Task]) -> tuple["Figure", str]:
    """Draw pretraining, from a corpus to a model, and a fine-tuned copy of that model for each task.

    `corpus` and `parameters` say how large the text and the model are ("3,300 million words"). Takes 2 to 4
    tasks and raises a ValueError for another number.
    """
    _check_number(tasks)
    height = TASK_ROW * len(tasks) + 0.65  # of the two frames
    middle = (height - 0.3) / 2
    page = Schematic(10.4, height + 0.35)
    page.text(0.1, height + 0.15, TITLE, ha="left", fontsize=12, weight="bold")
    page.frame(0.1, 0.1, 2.7, height - 0.2, "pretrain: once, no labels")
    page.frame(3.3, 0.1, 7.0, height - 0.2, "fine-tune: a copy for each task, with labels")
    text = page.box(0.3, middle - 1.1, 2.3, 0.55, "plain text", corpus)
    model = page.box(0.3, middle - 0.27, 2.3, 0.55, "BERT", parameters, look="lit")
    old_head = page.box(0.3, middle + 0.56, 2.3, 0.55, "output head", "which word is hidden?")
    page.arrow(text.top, model.below)
    page.arrow(model.top, old_head.below)
    trunk = 3.05  # where the line from the model forks
    for number, task in enumerate(tasks):
        bottom = height - 0.5 - TASK_ROW * (number + 1) + 0.1
        data = page.box(3.5, bottom, 2.7, 0.6, task.name, task.examples)
        copy = page.box(6.5, bottom, 1.4, 0.6, "BERT", f"copy {number + 1}", look="tint")
        head = page.box(8.2, bottom, 1.95, 0.6, "new output head", task.answer)
        above = bottom + 0.76
        page.arrow(model.east, (trunk, model.east[1]), (trunk, above), (copy.top[0], above), copy.top)
        page.arrow(data.east, copy.west)
        page.arrow(copy.east, head.west)
    copies = " ".join(
        f"Copy {number}: {task.name}, {task.examples}, and the head answers: {task.answer}"
        for number, task in enumerate(tasks, start=1)
    )
    alt = (
        f"{TITLE}. Left, pretraining: once, without labels, BERT with {parameters} reads {corpus} of plain "
        "text, and an output head on top of it answers: which word is hidden? Right, fine-tuning: arrows "
        f"lead from BERT to {len(tasks)} copies, without that head; each copy gets labeled examples and a "
        f"new output head. {copies}"
    )
    return page.figure, alt


def _check_number(tasks: Sequence[Task]) -> None:
    if not 2 <= len(tasks) <= MOST_TASKS:
        raise ValueError(f"There are {len(tasks)} tasks; the drawing takes 2 to {MOST_TASKS}.")


# ---------------------------------------------------------------------------------------------
# Masks: which places a row may look at.


def draw_masks(masks: Mapping[str, Any], tokens: Sequence[str] | None = None) -> "Figure":
    """Draw boolean masks side by side: dark where a row may look, crossed out where it may not.

    Each mask is `[T, T]` (or `[1, T]`, the same for every row), True = may look.
    """
    if not masks:
        raise ValueError("There is no mask to draw; give a dict of a name and a mask for each.")
    tables = {name: to_array(mask, f"The mask {name!r}", "T, T") for name, mask in masks.items()}
    for name, table in tables.items():
        if not np.isin(table, (0, 1)).all():
            raise ValueError(f"The mask {name!r} is not boolean; give True where a row may look.")
    tallest = max(table.shape[0] for table in tables.values())
    with style():
        side = min(3.0, 9.0 / len(tables))
        figure = canvas(max(3.0, side * len(tables)), side * (0.5 if tallest == 1 else 1) + 0.6)
        grid = figure.subplots(1, len(tables), squeeze=False)[0]
        for place, (axes, (name, table)) in enumerate(zip(grid, tables.items(), strict=True)):
            _draw_mask(axes, table)
            columns = [] if tokens is None else check_tokens(tokens, table.shape[1], "columns")
            name_tokens(axes, columns if place == 0 and len(table) > 1 else [], columns, 9.5)
            axes.set_title(name, fontsize=11, loc="center")
        grid[0].set_ylabel("from", color=QUIET)
        figure.supxlabel("to  (dark: may look; crossed out: may not)", color=QUIET, fontsize=10.5)
    return figure


def _draw_mask(axes: "Axes", table: Array) -> None:
    from matplotlib.colors import ListedColormap

    axes.imshow(table, cmap=ListedColormap(["white", LIT]), vmin=0, vmax=1, aspect="equal")
    axes.spines[:].set_visible(True)
    axes.set_xticks(np.arange(table.shape[1] + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(table.shape[0] + 1) - 0.5, minor=True)
    axes.grid(which="minor", color=FAINT)
    axes.tick_params(which="minor", length=0)
    if max(table.shape) <= NAMES_UP_TO:
        rows, columns = np.nonzero(table == 0)
        axes.scatter(columns, rows, marker="x", color=QUIET, linewidths=1, s=900 / table.shape[1] ** 1.5)


def draw_two_halves(words: Sequence[str]) -> tuple["Figure", str]:
    """Draw what each word may look at in an encoder and in a decoder."""
    count = len(words)
    everything = np.ones((count, count), dtype=bool)
    before = np.tril(everything)
    figure = draw_masks({"encoder (BERT): both sides": everything, "decoder (GPT): left only": before}, words)
    alt = (
        f"Two tables, a row and a column for each word of: {' '.join(words)}. In the encoder, BERT, all"
        f" {everything.sum()} places are dark: each word may look at each. In the decoder, GPT, a word may"
        f" look at itself and at what stands before it, {before.sum()} places."
    )
    return figure, alt


# ---------------------------------------------------------------------------------------------
# Tables of cosines, and of guesses


def _words(sentence: str) -> set[str]:
    return set(sentence.lower().strip(".").split())


def pairs_of(texts: Mapping[str, str], cosines: Tensor) -> dict[str, list[Any]]:
    """A table of the pairs of three named texts: their cosine [3, 3], and how many words they share."""
    names = list(texts)
    pairs = [(0, 1), (0, 2), (1, 2)]
    return {
        "pair": [f"{names[i]} and {names[j]}" for i, j in pairs],
        "cosine": [cosines[i, j].item() for i, j in pairs],
        "words in common": [len(_words(texts[names[i]]) & _words(texts[names[j]])) for i, j in pairs],
    }


def best_answers(query: str, sentences: Sequence[str], cosines: Tensor) -> dict[str, list[Any]]:
    """A table: the two sentences of largest cosine [N], and one that shares most words with the query."""
    shared = [len(_words(query) & _words(sentence)) for sentence in sentences]
    found = [*cosines.topk(2).indices.tolist(), shared.index(max(shared))]
    return {
        "by": ["meaning, first", "meaning, second", "words in common"],
        "cosine": cosines[found].tolist(),
        "words in common": [shared[number] for number in found],
        "sentence": [sentences[number] for number in found],
    }


def best_guesses(blanks: Sequence[str], guesses: Sequence[Sequence[Guess]]) -> dict[str, list[str]]:
    """A table of sentences with a blank and the best guesses for it, with their probabilities."""
    told = [", ".join(f"{guess.piece} {guess.probability:.2f}" for guess in best) for best in guesses]
    return {"sentence": list(blanks), "best guesses": told}


def beside_full_size(
    published: Mapping[str, str], guesses: Sequence[Sequence[Guess]]
) -> dict[str, list[str]]:
    """A table: blanks, the published guesses of a full-size BERT, and ours."""
    ours = [", ".join(guess.piece for guess in best) for best in guesses]
    return {
        "sentence": list(published),
        "full-size BERT, published": list(published.values()),
        "pocket BERT, live": ours,
    }


def draw_pronouns(pronouns: Sequence[str], shares: Mapping[str, Sequence[float]]) -> tuple["Figure", str]:
    """Draw the probabilities of pronouns for the first word, by how the sentence ends."""
    bars = {word: [row[number] for row in shares.values()] for number, word in enumerate(pronouns)}
    best = [pronouns[list(row).index(max(row))] for row in shares.values()]
    said = "; ".join(
        f"before {end} " + ", ".join(f"{word} {share:.2f}" for word, share in zip(pronouns, row, strict=True))
        for end, row in shares.items()
    )
    figure = figures.draw_bars(
        [f"... {end}" for end in shares],
        bars,
        "probability of the first word",
        f"More probable: {', then '.join(best[:-1])}; in the control {best[-1]}",
    )
    return figure, f"Probabilities of the first word of [MASK] smiled and: {said}."


def draw_head_that_looks(
    attentions: Sequence[Tensor], tokens: Sequence[str], looking: int, wanted: int
) -> tuple["Figure", str]:
    """Draw the head, of all layers, in which one token looks most at another.

    attentions: of each layer [1, H, T, T]. looking and wanted: the places of the two tokens.
    """
    weights = torch.cat(list(attentions))  # [L, H, T, T]
    strongest = int(weights[:, :, looking, wanted].argmax())
    layer, head = divmod(strongest, weights.size(1))
    title = f"Layer {layer + 1}, head {head + 1}: {tokens[looking]} looks at {tokens[wanted]}"
    figure = figures.draw_attention(weights[layer, head], tokens, title)
    return figure, figures.describe_attention(weights[layer, head], tokens)


def he_and_she(rows: Mapping[str, Sequence[float]]) -> dict[str, list[Any]]:
    """A table: the probabilities of he and she under each attention mask."""
    return {
        "in the sixth place": list(rows),
        "he": [row[0] for row in rows.values()],
        "she": [row[1] for row in rows.values()],
    }


def ranks_of(
    asked: Sequence[Sequence[Any]], ranks: Sequence[int], firsts: Sequence[str]
) -> dict[str, list[Any]]:
    """A table: questions, the rank of the intended answer, and what came first where it did not."""
    instead = ["" if rank == 1 else first for rank, first in zip(ranks, firsts, strict=True)]
    return {"question": [row[0] for row in asked], "rank": list(ranks), "what came first instead": instead}


def two_sizes(weights: int, read: float, base_read: float) -> dict[str, list[str]]:
    """A table: parameters and tokens of the pocket BERT and of BERT-base (Devlin et al., 2019)."""
    return {
        "": ["parameters", "tokens read in pretraining"],
        "pocket BERT": [f"{weights / 1e6:.0f} million", f"{read / 1e6:.0f} million"],
        "BERT-base": ["110 million", f"{base_read / 1e9:.0f} billion"],
        "ratio": [f"{110e6 / weights:.0f} times", f"{base_read / read:.0f} times"],
    }
