"""Two ways to search 729 million designs: evolution and draws at random, six times each, in one network.

`recorded.SEARCHES` and `recorded.ALIKE` hold what this prints, in some ten minutes on one core:

    python -m chapters.nb32.large_space
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from chapters.nb32 import corners
from chapters.nb32.corners import HEADS, NEURONS, Design
from lib.bert import BertForSequenceClassification, WordPieceTokenizer
from lib.compression.elastic import width
from lib.records import teachers
from lib.text.tasks import TextExample, own
from lib.training import known_tasks
from lib.training.devices import in_16_bits
from lib.training.labeled_texts import batches_of

STEPS, RATE = 40, 2e-4
SEARCHES = range(6)
TRIES, FIRST, PARENTS, CHANCE = 120, 10, 3, 0.15
PLACES = (10, 20, 30, 60, 90, 120)
#: what the predictor of section 1 found on one machine, for a text, a layer, a head and a neuron
MILLISECONDS = (0.2, 0.28, 0.071, 0.00101)
WHOLE: Design = tuple((layer, max(HEADS), max(NEURONS)) for layer in range(6))
SAME_IN_ALL_LAYERS = [
    tuple((layer, heads, neurons) for layer in layers)
    for layers in corners.LAYERS.values()
    for neurons in NEURONS
    for heads in HEADS
]


def milliseconds(design: Design) -> float:
    """The prediction of section 1."""
    text, layer, head, neuron = MILLISECONDS
    return text + sum(layer + head * heads + neuron * neurons for _, heads, neurons in design)


LIMIT = milliseconds(WHOLE) / 2


def drawn(rng: random.Random) -> Design:
    """A design of six layers, each with its own numbers."""
    return tuple((layer, rng.choice(HEADS), rng.choice(NEURONS)) for layer in range(6))


def changed(design: Design, rng: random.Random) -> Design:
    """A design near this one."""
    new = []
    for layer, heads, neurons in design:
        if rng.random() < CHANCE:
            heads = rng.choice(HEADS)
        if rng.random() < CHANCE:
            neurons = rng.choice(NEURONS)
        new.append((layer, heads, neurons))
    return tuple(new)


def search(fitness: Callable[[Design], float], at_random: int, seed: int) -> dict[Design, float]:
    """The designs judged, in their order: so many at random, and all others near the best."""
    rng = random.Random(seed)
    judged: dict[Design, float] = {}
    while len(judged) < TRIES:
        if len(judged) < at_random:
            new = drawn(rng)
        else:
            best = sorted(judged, key=judged.__getitem__)[-PARENTS:]
            new = changed(rng.choice(best), rng)
        if new not in judged and milliseconds(new) <= LIMIT:
            judged[new] = fitness(new)
    return judged


def trained(
    teacher: BertForSequenceClassification,
    train: Sequence[TextExample],
    texts: Sequence[str],
) -> BertForSequenceClassification:
    """The network of section 2: sorted, and forty steps at a design drawn at random."""
    network = width.rewired(
        teacher, [inputs | {"labels": labels} for inputs, labels in batches_of(train, 16)]
    )
    network.bert.embeddings.requires_grad_(False)
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    optimizer = torch.optim.AdamW(network.parameters(), lr=RATE)
    rng = random.Random(0)
    for step in range(STEPS):
        inputs = tokenizer(rng.sample(texts, 16), max_length=64)
        design = rng.choice(SAME_IN_ALL_LAYERS)
        with torch.no_grad():
            answers = teacher(**inputs).logits.softmax(dim=-1)
        loss = F.cross_entropy(corners.at_design(network, inputs, design), answers)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        optimizer.param_groups[0]["lr"] = RATE * (1 - (step + 1) / STEPS)
    return network


def fitness_of(
    network: BertForSequenceClassification, teacher: BertForSequenceClassification, texts: Sequence[str]
) -> Callable[[Design], float]:
    """Minus the mean KL divergence of a design's answers from the teacher's, on some texts without labels."""
    inputs = WordPieceTokenizer.from_pretrained("minilm")(list(texts), max_length=64)
    with torch.no_grad(), in_16_bits():
        wanted = teacher(**inputs).logits.float().softmax(dim=-1)

    @torch.no_grad()
    def fitness(design: Design) -> float:
        with in_16_bits():
            logits = corners.at_design(network, inputs, design)
        said = logits.float().log_softmax(dim=-1)
        return -F.kl_div(said, wanted, reduction="batchmean").item()

    return fitness


@torch.no_grad()
def right(network: BertForSequenceClassification, design: Design, test: Sequence[TextExample]) -> int:
    """How many headlines a design sorts rightly inside the network."""
    count = 0
    for inputs, labels in batches_of(test, 40):
        with in_16_bits():
            guesses: Tensor = corners.at_design(network, inputs, design).argmax(dim=-1)
        count += int((guesses == labels).sum())
    return count


def main() -> None:
    """Print of each search the best fitness after so many designs, and what its winner sorts of 720."""
    torch.set_num_threads(1)
    teacher: Any = teachers.load_teacher("headlines").model.eval()
    task = known_tasks.load_task("headlines")
    unlabeled = own.unlabeled("headlines")
    texts = [example.first for example in task.train] + unlabeled
    network = trained(teacher, task.train[::12], texts).eval()
    fitness = fitness_of(network, teacher, unlabeled[:64])
    alike = {one: fitness(one) for one in SAME_IN_ALL_LAYERS if milliseconds(one) <= LIMIT}
    winner = max(alike, key=alike.__getitem__)
    print(f"{(round(alike[winner], 3), right(network, winner, task.test))} of {len(alike)}")
    for kind, at_random in {"evolution": FIRST, "at random": TRIES}.items():
        for number in SEARCHES:
            judged = search(fitness, at_random, number)
            scores = list(judged.values())
            best = tuple(round(max(scores[:place]), 3) for place in PLACES)
            winner = max(judged, key=judged.__getitem__)
            print(f"{kind}: {(best, right(network, winner, task.test))}", flush=True)


if __name__ == "__main__":
    main()
