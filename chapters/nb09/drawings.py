"""The drawings of notebook 09: where a sense is found, stacks of layers, and what a model weighs.

Each gives the figure and its text alternative: `figures.show(*drawings.draw_senses(...))`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from torch import Tensor

from lib import stats
from lib.analysis.vectors import similarity
from lib.bert import BertConfig
from lib.bert.attention import causal_mask
from lib.figures.arrays import check_tokens, to_array
from lib.figures.charts import draw_bars, draw_lines
from lib.figures.schematic import Schematic
from lib.figures.style import FAINT, INK, LIT, QUIET, SERIES, canvas, style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 5.5, 5.0  # inches of one stack, and 0.55 more for the title
LEFT, BREADTH = 0.5, 2.2  # where its boxes begin, and how wide they are
GRID = 1.36  # inches of a side of a mask


class Banks:
    """The "banks" of the stories on a line from money to river, after each layer.

    vectors [L + 1, N, D]: those of all marked words. marked: the N sentences, each with a word and its sense.
    right [L + 1, N]: whether a sense is guessed right.
    """

    def __init__(self, vectors: Tensor, marked: Sequence[Any], right: Tensor) -> None:
        rows = [number for number, row in enumerate(marked) if row.word == "bank"]
        self.river = to_array([marked[row].sense == "river" for row in rows], "senses", "N").astype(bool)
        self.right = right
        signs = 2.0 * self.river - 1
        self.nearer = []  # to the river than to the money banks, each without its own sentence
        for layer in vectors[:, rows]:
            margins = similarity.sense_margins(layer, layer.new_tensor(self.river).bool())
            self.nearer.append(signs * to_array(margins, "margins", "N"))
        self.end = 1.1 * max(abs(layer).max() for layer in self.nearer)

    def title(self, layer: int) -> str:
        """How many sentences of all words are right after a layer."""
        place = f"After layer {layer}" if layer else "Before layer 1"
        share = float(self.right[layer].float().mean())
        return f"{place}: {share:.0%} of all {self.right.shape[1]} sentences right"

    def draw(self, layer: int) -> "Figure":
        """A row of dots for each sense; the wrong ones are hollow."""
        with style():
            figure = canvas(8.0, 2.7, self.title(layer))
            axes = figure.subplots()
            for row, (name, chosen) in enumerate((("money", ~self.river), ("river", self.river))):
                places = self.nearer[layer][chosen]
                is_right = (places > 0) == (name == "river")
                heights = row + 0.15 * (to_array(range(len(places)), "heights", "N") % 5 - 2)
                for kept, fill in ((is_right, SERIES[row]), (~is_right, "white")):
                    axes.scatter(
                        places[kept], heights[kept], s=75, color=fill, edgecolor=SERIES[row], linewidth=1.6,
                        marker="os"[row], alpha=0.9, zorder=3,
                    )  # fmt: skip
            axes.axvline(0, color=INK, linewidth=1.3)
            axes.set(xlim=(-self.end, self.end), ylim=(-0.6, 1.6))
            axes.set_yticks([0, 1], ["money bank", "river bank"])
            axes.set_xlabel("cosine with the river banks minus cosine with the money banks")
        return figure

    def alt(self, layer: int) -> str:
        """The same in words, with the numbers."""
        places = ", ".join(f"{x:.2f}" for x in sorted(self.nearer[layer][self.river]))
        others = ", ".join(f"{x:.2f}" for x in sorted(self.nearer[layer][~self.river]))
        return (
            f"{self.title(layer)}. How much nearer each is to the river banks than to the money banks."
            f" River banks: {places}. Money banks: {others}."
        )


def draw_senses(right: Tensor, rival: Tensor, marked: Sequence[Any]) -> tuple["Figure", str]:
    """The share of senses that is right after each layer, beside the neighbors' average and a blind guess.

    right [L + 1, N] and rival [N]: whether each sense is right. marked: the N sentences.
    """
    senses: dict[str, set[str]] = {}
    for row in marked:
        senses.setdefault(row.word, set()).add(row.sense)
    blind = sum(1 / len(senses[row.word]) for row in marked) / len(marked)
    shares = [float(layer.float().mean()) for layer in right]
    average = float(rival.float().mean())
    lines = {"MiniLM's layers": shares, "average of neighbors": [average] * len(shares)}
    first_and_last = f"{shares[1]:.0%} after layer 1, {shares[-1]:.0%} after layer {len(shares) - 1}"
    title = f"Senses right: {shares[0]:.0%} before the layers, {first_and_last}"
    label = "after layer (0: before the first)"
    figure = draw_lines(
        range(len(shares)), lines, label, "share of senses right", title, ylim=(0, 1),
        baseline=("a blind guess", blind),
    )  # fmt: skip
    alt = (
        f"Share of {right.shape[1]} senses that are right, before the first layer and after each:"
        f" {', '.join(f'{share:.0%}' for share in shares)}. Average of the neighbors: {average:.0%}."
        f" A blind guess {blind:.0%}."
    )
    return figure, alt


def leads(right: Tensor, rival: Tensor) -> dict[str, list[Any]]:
    """The lead of the first layer and of the last over a rival, beside what luck gives."""
    names = ("layer", "only the layer is right", "only the average is right", "lead", "luck, 2√k")
    columns: dict[str, list[Any]] = {name: [] for name in names}
    for layer in (1, len(right) - 1):
        alone = int((right[layer] & ~rival).sum())
        behind = int((rival & ~right[layer]).sum())
        luck = f"{stats.luck(alone + behind):.0f}"
        for column, value in zip(names, (layer, alone, behind, alone - behind, luck), strict=True):
            columns[column].append(value)
    return columns


def mean_cosines(vectors: Tensor, marked: Sequence[Any], word: str) -> dict[str, list[Any]]:
    """The mean cosine of a word's vectors with those of its sense, of its other senses, of other words."""
    found: dict[str, list[float]] = {
        f"{word}, same sense": [],
        f"{word}, other sense": [],
        "another word": [],
    }
    same, other, foreign = found.values()
    cosines = similarity.cosine(vectors, vectors).tolist()
    for place, row in enumerate(marked):
        if row.word != word:
            continue
        for next_place, neighbor in enumerate(marked):
            if neighbor.word != word:
                foreign.append(cosines[place][next_place])
            elif neighbor.sense != row.sense:
                other.append(cosines[place][next_place])
            elif place != next_place:
                same.append(cosines[place][next_place])
    means = [f"{sum(values) / len(values):.3f}" for values in found.values()]
    return {f"{word} and": list(found), "mean cosine": means}


def draw_bert_and_gpt(tokens: Sequence[str]) -> tuple["Figure", str]:
    """BERT-base and the first GPT side by side, and what each of up to six tokens may look at."""
    base, length = BertConfig(), len(tokens)
    sizes = base.num_hidden_layers, base.hidden_size
    everything = [[True] * length] * length
    bert = Stack(
        "BERT: encoder", "word + position + token type, norm", *sizes, everything, "guess: hidden words"
    )
    gpt = Stack("GPT: decoder", "word + position", *sizes, causal_mask(length), "guess: the next word")
    title = "The same layers under another mask: BERT reads both ways, GPT from the left"
    return draw_stacks([bert, gpt], tokens, title)


def sizes_table(
    configs: Mapping[str, BertConfig], count: Callable[[BertConfig], Mapping[str, int]]
) -> dict[str, list[Any]]:
    """The sizes of some models, and their parameters by a formula."""
    columns: dict[str, list[Any]] = {"model": list(configs)}
    columns["layers"] = [config.num_hidden_layers for config in configs.values()]
    columns["width"] = [config.hidden_size for config in configs.values()]
    columns["heads"] = [config.num_attention_heads for config in configs.values()]
    totals = [sum(count(config).values()) for config in configs.values()]
    columns["parameters, million"] = [f"{total / 1e6:.1f}" for total in totals]
    tables = [count(config)["embeddings"] for config in configs.values()]
    columns["of these embeddings"] = [f"{table / 1e6:.1f}" for table in tables]
    return columns


def draw_shares(counts: Mapping[str, Mapping[str, int]]) -> tuple["Figure", str]:
    """The share of each part in the parameters of some models."""
    parts = list(next(iter(counts.values())))
    percent = {}
    for name, count in counts.items():
        percent[name] = [100 * count[part] / sum(count.values()) for part in parts]
    most = [f"in {name} {parts[shares.index(max(shares))]}" for name, shares in percent.items()]
    title = f"What holds most: {', '.join(most)}"
    figure = draw_bars(parts, percent, "percent of all parameters", title, digits=1)
    said = []
    for name, shares in percent.items():
        listed = [f"{part} {share:.1f}" for part, share in zip(parts, shares, strict=True)]
        said.append(f"{name}: {', '.join(listed)}")
    return figure, f"Percent of all parameters. {'; '.join(said)}."


def draw_hidden_tokens(sentence: str, nearer: Mapping[str, float]) -> tuple["Figure", str]:
    """How near a "bank" stays to the river banks when one token is hidden."""
    turning = [name for name, margin in nearer.items() if margin < 0]
    hidden = " or ".join(turning) or "no token"
    title = f"On the money side with this token hidden: {hidden}"
    label = "cosine with river banks minus cosine with money banks"
    figure = draw_bars(list(nearer), list(nearer.values()), label, title, digits=3)
    said = "; ".join(f"{token} {value:.3f}" for token, value in nearer.items())
    return figure, f"{sentence} How much nearer bank is to the river banks with a token hidden: {said}."


def draw_times(seconds: Mapping[str, float], work: Mapping[str, int]) -> tuple["Figure", str]:
    """The share of each part of a model in the time and in the multiplications."""
    names = sorted(seconds, key=lambda name: -seconds[name])
    total, products = sum(seconds.values()), sum(work.values())
    shares = {
        "share of the time": [seconds[name] / total for name in names],
        "share of the multiplications": [work.get(name, 0) / products for name in names],
    }
    title = f"What takes most of the time: {names[0]}"
    figure = draw_bars(names, shares, "share", title, digits=3)
    said = [
        f"{name} {time:.1%} and {part:.1%}" for name, time, part in zip(names, *shares.values(), strict=True)
    ]
    return figure, f"{1000 * total:.0f} ms. Of the time and of the multiplications: {'; '.join(said)}."


@dataclass(frozen=True)
class Stack:
    """One model: what it adds up at the bottom, its layers, who may look at whom, what it answers."""

    name: str
    embedding: str
    layers: int
    width: int
    mask: Any  # boolean [T, T], True where a row may look
    answer: str


def draw_stacks(stacks: Sequence[Stack], tokens: Sequence[str], title: str) -> tuple["Figure", str]:
    """Draw one or two stacks from their tokens, at the bottom, to their answer, at the top.

    Each mask has a row and a column for each of up to six `tokens`: dark where the row's token may look.
    """
    if not 1 <= len(stacks) <= 2:
        raise ValueError(f"There are {len(stacks)} stacks; one or two fit side by side.")
    if len(tokens) > 6:
        raise ValueError(f"There are {len(tokens)} tokens; the squares of at most six can be read.")
    page = Schematic(WIDTH * len(stacks), HEIGHT + 0.55)
    page.text(0.15, HEIGHT + 0.3, title, ha="left", fontsize=13, weight="bold")
    for place, stack in enumerate(stacks):
        _draw_stack(page, place * WIDTH, stack, tokens)
    description = []
    for stack in stacks:
        table = to_array(stack.mask, f"The mask of {stack.name}", "T, T")
        names = check_tokens(tokens, len(table), "rows")
        looks = ", ".join(f"{name} at {int(row.sum())}" for name, row in zip(names, table, strict=True))
        description.append(
            f"{stack.name}. From the bottom: tokens; {stack.embedding}, a vector of {stack.width} numbers for"
            f" each; {stack.layers} layers, each of attention, add and norm, feed-forward, add and norm;"
            f" {stack.answer}. Of {len(names)} tokens, attention lets each look at: {looks}"
        )
    alt = "Stacks of layers, bottom to top. " + ". ".join(description) + "."
    return page.figure, alt


def _draw_stack(page: Schematic, left: float, stack: Stack, tokens: Sequence[str]) -> None:
    middle = left + LEFT
    page.text(middle + BREADTH / 2, HEIGHT - 0.08, stack.name, fontsize=12, weight="bold", color=LIT)
    page.text(middle + BREADTH / 2, 0.2, " ".join(tokens), fontsize=11)
    embedding = page.box(middle - 0.3, 0.6, BREADTH + 0.6, 0.5, "embeddings", stack.embedding)
    vectors = f"{stack.width} numbers for each token"
    page.text(middle + BREADTH / 2 + 0.1, 1.28, vectors, ha="left", color=QUIET)
    page.frame(left + 0.1, 1.45, WIDTH - 0.25, 2.62, f"one of {stack.layers} layers")
    attention = page.box(middle, 1.65, BREADTH, 0.42, "attention", look="lit")
    first = page.box(middle, 2.2, BREADTH, 0.3, "add & norm")
    feed_forward = page.box(middle, 2.75, BREADTH, 0.42, "feed-forward", look="tint")
    second = page.box(middle, 3.3, BREADTH, 0.3, "add & norm")
    answer = page.box(middle, 4.35, BREADTH, 0.4, stack.answer)
    chain = [embedding, attention, first, feed_forward, second, answer]
    page.arrow((middle + BREADTH / 2, 0.32), embedding.below)
    for lower, upper in pairwise(chain):
        page.arrow(lower.top, upper.below)
    for below, norm in [(1.56, first), (2.6, second)]:  # the residual path, past what it is added to
        side = middle - 0.2
        page.arrow((middle + BREADTH / 2, below), (side, below), (side, norm.west[1]), norm.west)
    _draw_squares(page, (left + WIDTH - 0.5 - GRID, 1.75), stack, tokens)


def _draw_squares(page: Schematic, corner: tuple[float, float], stack: Stack, tokens: Sequence[str]) -> None:
    """The mask, its lower left corner at `corner`: a row for who looks, a column for who is looked at."""
    from matplotlib.patches import Rectangle

    table = to_array(stack.mask, f"The mask of {stack.name}", "T, T")
    names = check_tokens(tokens, len(table), "rows")
    left, bottom = corner
    side, top = GRID / len(names), bottom + GRID
    for row, name in enumerate(names):
        y = top - side * (row + 1)
        page.text(left - 0.07, y + side / 2, name, ha="right", fontsize=10.5)
        page.text(
            left + side * (row + 0.5), top + 0.06, name, rotation=40, ha="left", va="bottom", fontsize=10.5
        )
        for column in range(len(names)):
            shade = LIT if table[row, column] else "white"
            square = (left + side * column, y)
            page.axes.add_patch(Rectangle(square, side, side, facecolor=shade, edgecolor=FAINT, zorder=4))
    page.text(left + GRID / 2, top + 0.62, "may look at", color=QUIET, fontsize=10.5)
    page.text(left - 0.62, bottom + GRID / 2, "this token", color=QUIET, fontsize=10.5, rotation=90)
    page.text(left + GRID / 2, bottom - 0.15, "dark: yes, white: no", color=QUIET, fontsize=10)
    page.axes.add_patch(Rectangle((left, bottom), GRID, GRID, fill=False, edgecolor=INK, zorder=5))
