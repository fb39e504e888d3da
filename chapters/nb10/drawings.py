"""The drawings of notebook 10: one blank through the masked-LM head, guesses, noise, and mixes.

Each `draw_` gives the figure and its text alternative.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
import torch.nn.functional as F

from lib.analysis.prediction import fill_mask
from lib.figures.arrays import to_array
from lib.figures.charts import draw_bars, draw_lines
from lib.figures.schematic import Schematic
from lib.figures.style import LIT, QUIET

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class MaskedLMHead:
    """What the head computes at one blank.

    tokens: the text, one of them [MASK]. vectors: by station, "hidden state", "dense", "GELU" and
    "layer norm", the vector at the blank, each [D]. guesses: by token, logit and probability, the best
    first, at most four. vocabulary: how many tokens are scored.
    """

    tokens: Sequence[str]
    vectors: Mapping[str, Any]
    guesses: Mapping[str, tuple[float, float]]
    vocabulary: int

    def __post_init__(self) -> None:
        sizes = {name: len(to_array(vector, repr(name), "D")) for name, vector in self.vectors.items()}
        if list(sizes) != STATIONS or len(set(sizes.values())) != 1:
            raise ValueError(f"The vectors should be {', '.join(STATIONS)}, of one length; they are {sizes}.")
        if not 1 <= len(self.guesses) <= 4:
            raise ValueError(f"There are {len(self.guesses)} guesses; the picture has room for one to four.")

    @property
    def size(self) -> int:
        """The hidden size, D."""
        return len(self.vectors["hidden state"])

    def begin(self, station: str) -> str:
        """The first two numbers of a vector."""
        first, second = (round(float(number), 2) + 0.0 for number in self.vectors[station][:2])  # no −0.00
        return f"{first:.2f}  {second:.2f}  …".replace("-", "−")


STATIONS = ["hidden state", "dense", "GELU", "layer norm"]
COLUMNS = (0.15, 1.2, 1.95)  # of the guesses, in inches from the left


def draw_masked_lm_head(head: MaskedLMHead, title: str | None = None) -> tuple["Figure", str]:
    """Draw the way of one blank through the encoder and the masked-LM head, with its numbers."""
    page = Schematic(9.6, 4.1 if title else 3.8)
    if title:
        page.text(0.15, 3.88, title, ha="left", fontsize=13, weight="bold")
    shape = f"[{head.size}]"
    text = page.box(0.1, 2.62, 2.75, 0.66, "the tokens", " ".join(head.tokens))
    table = page.box(3.1, 2.62, 1.9, 0.66, "word embeddings E", f"[{head.vocabulary:,}, {head.size}]", "tint")
    encoder = page.box(5.6, 2.62, 1.8, 0.66, "encoder", "both sides mix")
    hidden = page.box(8.0, 2.62, 1.4, 0.66, "hidden state", head.begin("hidden state"))
    for left, right in ((text, table), (table, encoder), (encoder, hidden)):
        page.arrow(left.east, right.west)

    # The head runs from right to left, so that its ends stand under the hidden state and under E.
    page.frame(3.0, 0.12, 6.5, 1.6, "")
    page.text(6.2, 1.52, "the masked-LM head, from right to left", color=QUIET)
    dense, gelu, norm = (
        page.box(left, 0.6, 1.3, 0.7, name, head.begin(name))
        for left, name in zip((8.05, 6.55, 5.05), STATIONS[1:], strict=True)
    )
    decoder = page.box(3.3, 0.6, 1.5, 0.7, "decoder", "E t + bias", "lit")
    for right, left in pairwise((dense, gelu, norm, decoder)):
        page.arrow(right.west, left.east)
    for box, size in ((dense, shape), (gelu, shape), (norm, f"t {shape}")):
        page.text(box.below[0], 0.42, size, fontsize=10)
    page.text(decoder.below[0], 0.42, f"logits [{head.vocabulary:,}]", fontsize=10)
    page.arrow(hidden.below, dense.top)
    page.text(8.55, 2.17, f"the vector at [MASK], {shape}", ha="right", fontsize=10)
    page.arrow(table.below, decoder.top)
    page.text(4.2, 2.17, "the same tensor E", ha="left", color=LIT, fontsize=10, weight="bold")

    page.arrow(decoder.west, (2.75, decoder.west[1]))
    for x, name in zip(COLUMNS, ("guess", "logit", "softmax"), strict=True):
        page.text(x, 1.65, name, ha="left", fontsize=10)
    for row, (token, (logit, probability)) in enumerate(head.guesses.items()):
        cells = (token, f"{logit:.1f}", f"{probability:.0%}")
        for x, words in zip(COLUMNS, cells, strict=True):
            page.text(x, 1.35 - 0.3 * row, words, ha="left", weight="bold" if row == 0 else "normal")
    ways = ", ".join(f"after {name} {head.begin(name)}" for name in STATIONS[1:])
    description = ", ".join(
        f"{token} with logit {logit:.1f} and probability {probability:.0%}"
        for token, (logit, probability) in head.guesses.items()
    )
    alt = (
        f"The tokens {' '.join(head.tokens)} are looked up in the word embeddings E, {head.vocabulary:,} by"
        f" {head.size}, and pass the encoder. The hidden state at [MASK], {head.size} numbers that begin"
        f" {head.begin('hidden state')}, passes the masked-LM head: {ways}. The decoder multiplies"
        f" E, the same tensor, by this vector and adds a bias, which gives {head.vocabulary:,} logits."
        f" Softmax makes probabilities of them: {description}."
    )
    return page.figure, alt


def follow_blank(model: Any, tokenizer: Any, sentence: str) -> tuple["Figure", str]:
    """Send a sentence with one [MASK] through a masked language model, and draw the way of its blank."""
    ids = torch.tensor([tokenizer.encode(sentence)])  # [1, T]
    head = model.cls.predictions
    with torch.no_grad():
        states = model.bert(ids).last_hidden_state  # [1, T, D]
        hidden = states[ids == tokenizer.mask_token_id][0]  # [D]
        dense = head.transform.dense(hidden)
        vectors = {"hidden state": hidden, "dense": dense, "GELU": F.gelu(dense)}
        vectors["layer norm"] = head.transform(hidden)
        logits = head(hidden)  # [V]
    scored = {}
    for guess in fill_mask.best_guesses(tokenizer, logits.log_softmax(dim=0), 4):
        scored[guess.piece] = (logits[tokenizer.vocab[guess.piece]].item(), guess.probability)
    words = tokenizer.convert_ids_to_tokens(ids[0].tolist())[1:-1]
    drawn = MaskedLMHead(words, vectors, scored, len(tokenizer))
    return draw_masked_lm_head(drawn, "One table, used twice: E looks tokens up and scores the guesses")


# ---------------------------------------------------------------------------------------------
# Guesses, in a line or a table


def say(guesses: Sequence[Any]) -> str:
    """Guesses in one line, each with its probability."""
    return " · ".join(f"{guess.piece} {guess.probability:.0%}" for guess in guesses)


def table_of_sights(blanks: Sequence[str], *sights: Sequence[Any]) -> dict[str, list[str]]:
    """The columns of a table: the blanks, and the guesses from the left alone and from both sides."""
    left, both = sights
    return {
        "blank": list(blanks),
        "from the left": [say(guesses) for guesses in left],
        "from both sides": [say(guesses) for guesses in both],
    }


# ---------------------------------------------------------------------------------------------
# Results


def draw_noise(losses: Mapping[str, Sequence[float]], blind: float) -> tuple["Figure", str]:
    """Draw the loss of models that name random tokens, over the steps, in means of ten steps."""
    curves = {name: np.reshape(run, (-1, 10)).mean(axis=1) for name, run in losses.items()}
    seeing = [name for name, curve in curves.items() if curve[-1] < blind / 2]
    title = f"Below a blind guess: {', '.join(seeing) or 'none'}"
    steps = range(10, 10 * len(next(iter(curves.values()))) + 1, 10)
    figure = draw_lines(
        steps, curves, "step", "nats a token", title, ylim=(0, 5.2), baseline=("blind guess", blind)
    )
    ends = "; ".join(f"{name} {curve[-1]:.2f}" for name, curve in curves.items())
    said = f"Loss on random tokens over {steps[-1]} steps. A blind guess costs {blind:.2f} nats."
    return figure, f"{said} At the end: {ends}."


MIXES = {"80/10/10": "base", "80/20/0": "80/20/0", "100/0/0": "100/0/0"}  # [MASK] / kept / random
KINDS = {"80/10/10": "BERT's mix", "80/20/0": "none random", "100/0/0": "[MASK] alone"}
SIGHTS = {"the right token in sight": "the right piece", "a wrong token in sight": "another piece"}


def draw_mixes(recorded: Any) -> tuple["Figure", str]:
    """Draw how often tiny BERTs name the right token, by their mix and by what stands in its place."""
    bars: dict[str, list[float]] = {}
    ranges = []
    for sight, key in SIGHTS.items():
        bars[sight] = []
        for mix, arm in MIXES.items():
            shares = 100 * np.array(recorded.values("held-out text", arm, f"right at {key}"))
            bars[sight].append(float(shares.mean()))
            ranges.append(
                f"{mix}, {sight}: {shares.mean():.0f}% ({shares.min():.0f}% to {shares.max():.0f}%)"
            )
    gaps = {mix: abs(right - wrong) for mix, right, wrong in zip(MIXES, *bars.values(), strict=True)}
    title = f"{max(gaps, key=lambda mix: gaps[mix])} trusts the token in sight most"
    names = [f"{mix}, {KINDS[mix]}" for mix in MIXES]
    figure = draw_bars(names, bars, "named right, % (mean of three seeds)", title, digits=0)
    said = "Share of held-out tokens named right, by [MASK] / kept / random, with the range of three seeds"
    return figure, f"{said}. {'; '.join(ranges)}."


def draw_ranks(paths: Sequence[Sequence[int]]) -> tuple["Figure", str]:
    """Draw the median rank of several final guesses after each layer."""
    median = np.median(paths, axis=0)  # [L + 1]
    layers = range(len(median))
    title = f"Median rank of the final guess: {median[0]:,.0f} at the input, {median[-1]:,.0f} at the end"
    figure = draw_lines(layers, {"median": median}, "layers", "rank of the final guess", title, logy=True)
    ranks = ", ".join(f"{rank:,.1f}".removesuffix(".0") for rank in median)
    return (
        figure,
        f"Median rank of the final guess of {len(paths)} blanks after 0 to {layers[-1]} layers: {ranks}.",
    )
