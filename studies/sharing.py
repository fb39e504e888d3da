"""Fewer weights in as many layers: matrices in two factors, layers that share, and a layer that halts.

Without training a matrix is cut to the factors that are the best for itself or for what passes through it,
and the table of words to those that are the best for its rows as they are or as often as they are read.
Networks whose layers share are taught by their teacher's answers and states; equally long are those with
equally many weights whose layers run once. All learn at one rate, which may suit one shape better.
"""

from __future__ import annotations

import copy
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import torch

from chapters.nb31.curves import distances_and_angles
from chapters.nb31.tensor_train import tensor_train_numbers, through_a_tensor_train
from chapters.nb31.thinker import judge_thinker, train_thinker
from lib.bert.model import PreTrainedBert
from lib.compression.distillation.knowledge import HIDDEN_STATES, INPUTS, LOGITS, real_tokens
from lib.compression.distillation.layer_maps import ANSWER, LayerPairs, uniform_layer_map
from lib.compression.distillation.losses import SoftenedKL, squared_error
from lib.compression.distillation.matches import Match
from lib.compression.distillation.objective import Distillation
from lib.compression.distillation.students import cut_student
from lib.compression.factorizing import factorize_linears, factorize_words, inputs_of, piece_counts
from lib.compression.ledger.counting import unique_parameters
from lib.compression.packed import save_packed
from lib.compression.sharing import albert_groups, share_in_groups
from lib.records.study import Arm, Measured, Study, measure_teacher
from lib.records.subject import Subject
from lib.training.devices import processes
from lib.training.features import encoder_of
from lib.training.known_tasks import evenly

MOST_ROWS = 4000  # of SST-2
READ = 192  # texts that pass through, for factors that are chosen by inputs
RANKS, WORD_RANKS = (96, 128, 192), (32, 64, 96, 128, 192)
BATCH, RATE = 16, 3e-4
SHORT, LONG = 100, 600  # steps

Change = Callable[[PreTrainedBert, Subject], PreTrainedBert]


# --- what becomes of the teacher ------------------------------------------------------------------


def whole(model: PreTrainedBert, _subject: Subject) -> PreTrainedBert:
    """As it is."""
    return model


def for_weights(rank: int, model: PreTrainedBert, _subject: Subject) -> PreTrainedBert:
    """All matrices of the layers cut to a rank, each for itself."""
    factorize_linears(model, rank)
    return model


def for_inputs(rank: int, model: PreTrainedBert, subject: Subject) -> PreTrainedBert:
    """The same, for what training texts bring to each of them in the whole model."""
    batches = subject.batches(evenly(subject.rows("labeled", MOST_ROWS), READ), BATCH)
    device = processes().device
    texts = [
        {name: tensor.to(device) for name, tensor in batches(number).items()}
        for number in range(batches.size)
    ]
    factorize_linears(model, rank, inputs=inputs_of(model, texts))
    return model


def words(rank: int, model: PreTrainedBert, _subject: Subject) -> PreTrainedBert:
    """The table of words cut to a rank, each row counted once."""
    factorize_words(model, rank)
    return model


def words_as_read(rank: int, model: PreTrainedBert, subject: Subject) -> PreTrainedBert:
    """The same, each row counted as often as the training texts have it."""
    batches = subject.batches(subject.rows("unlabeled", MOST_ROWS), BATCH)
    counts = piece_counts((batches(number) for number in range(batches.size)), model.config.vocab_size)
    factorize_words(model, rank, counts.to(next(model.parameters()).device))
    return model


def words_in_a_train(rank: int, model: PreTrainedBert, _subject: Subject) -> PreTrainedBert:
    """The table of words as a tensor train has it."""
    table: Any = encoder_of(model).embeddings.word_embeddings.weight
    table.data.copy_(through_a_tensor_train(table, rank))
    return model


def both(word_rank: int, rank: int, model: PreTrainedBert, subject: Subject) -> PreTrainedBert:
    """Matrices for their inputs, and then words as they are read."""
    return words_as_read(word_rank, for_inputs(rank, model, subject), subject)


def cut(layers: Sequence[int], model: PreTrainedBert, _subject: Subject) -> PreTrainedBert:
    """These layers alone, each run once."""
    return cut_student(model, layers)


def shared(groups: int, model: PreTrainedBert, _subject: Subject) -> PreTrainedBert:
    """As many layers as before, of which each group is one, begun as the mean."""
    share_in_groups(model, albert_groups(model.config.num_hidden_layers, groups))
    return model


# --- what is measured -----------------------------------------------------------------------------


def measure_untrained(change: Change, subject: Subject) -> Measured:
    """The teacher so changed: its answers, its parameters, and the bytes of its file."""
    model = change(copy.deepcopy(subject.teacher.model), subject).eval()
    return Measured(subject.judge(model), weighed(model), model)


def measure_taught(change: Change, steps: int, subject: Subject) -> Measured:
    """The teacher so changed, then taught by what it was: answers and states."""
    teacher = subject.teacher.model
    model = change(copy.deepcopy(teacher), subject)
    objective = Distillation(model, teacher, answers_and_states(model, teacher))
    rows = subject.rows("unlabeled", MOST_ROWS)
    seconds = subject.train(objective, rows, steps, RATE, batch_size=BATCH)
    model.eval()
    costs = weighed(model) | {"steps": steps, "processor_seconds": seconds}
    return Measured(subject.judge(model) | moves(model, subject), costs, model)


def measure_moves(subject: Subject) -> Measured:
    """How far the teacher's layers move a token."""
    return Measured(moves(subject.teacher.model, subject))


def measure_thinker(hops: int, price: float, steps: int, subject: Subject) -> Measured:
    """A layer that halts: its right answers on trails of this length, and the steps that it takes."""
    model = train_thinker(hops, price, subject.at_most(steps), subject.seed, processes().device)
    accuracy, taken = judge_thinker(model, hops)
    return Measured({"accuracy": accuracy, "steps": taken})


def answers_and_states(student: PreTrainedBert, teacher: PreTrainedBert) -> list[Match]:
    """The teacher's answers, and its states at even distances, as many as the student has."""
    runs = [len(encoder_of(model).encoder.layer) for model in (student, teacher)]
    pairs = LayerPairs(tuple(enumerate(uniform_layer_map(*runs))))
    return [Match(LOGITS, ANSWER, SoftenedKL()), Match(HIDDEN_STATES, pairs, squared_error)]


@torch.no_grad()
def moves(model: PreTrainedBert, subject: Subject) -> dict[str, list[float]]:
    """Distances and angles between what goes into each layer and what comes out, on some training texts."""
    batches = subject.batches(evenly(subject.rows("labeled", MOST_ROWS), READ), READ)
    batch = {name: tensor.to(next(model.parameters()).device) for name, tensor in batches(0).items()}
    read = {name: batch[name] for name in INPUTS if name in batch}
    states = model(**read, output_hidden_states=True).hidden_states
    distances, angles = distances_and_angles(states, real_tokens(batch))
    return {"distances": distances.tolist(), "angles": angles.tolist()}


def weighed(model: PreTrainedBert) -> dict[str, int]:
    """How many numbers a model holds, and the bytes of its file."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "model")
        save_packed(model, file)
        return {"parameters": unique_parameters(model), "bytes": file.stat().st_size}


# --- the arms -------------------------------------------------------------------------------------

SHAPES: dict[str, Change] = {
    "6 layers": whole,
    "3 layers": partial(cut, (0, 2, 4)),
    "3 layers, each twice": partial(shared, 3),
    "1 layer": partial(cut, (0,)),
    "1 layer, six times": partial(shared, 1),
}
CUTS: dict[str, Callable[..., PreTrainedBert]] = {"weights": for_weights, "inputs": for_inputs}


def untrained(ranks: Sequence[int] = RANKS, word_ranks: Sequence[int] = WORD_RANKS) -> dict[str, Arm]:
    """Factors of these ranks, and both ways to choose them."""
    changes: dict[str, Change] = {}
    for rank in ranks:
        changes |= {f"{name}, rank {rank}": partial(change, rank) for name, change in CUTS.items()}
    for rank in word_ranks:
        changes |= {f"words, rank {rank}": partial(words, rank)}
        changes |= {f"words as read, rank {rank}": partial(words_as_read, rank)}
    return {name: partial(measure_untrained, change) for name, change in changes.items()}


def taught(steps: int, *ranks: int) -> dict[str, Arm]:
    """All shapes, and matrices of these ranks."""
    changes = dict(SHAPES)
    for rank in ranks:
        changes |= {f"{name}, rank {rank}": partial(change, rank) for name, change in CUTS.items()}
    return {
        f"{name}, {steps} steps": partial(measure_taught, change, steps) for name, change in changes.items()
    }


FACTORS = partial(both, 128, 128)  # half of the matrices, a third of the table
TRAINS = {
    f"words in a train, {tensor_train_numbers(rank):,}": partial(
        measure_untrained, partial(words_in_a_train, rank)
    )
    for rank in (155, 220)
}
HEADLINES: dict[str, Arm] = {
    "teacher": measure_teacher,
    "moves": measure_moves,
    **untrained(),
    "both": partial(measure_untrained, FACTORS),
    **TRAINS,
    **taught(SHORT, 96),
    **taught(LONG),
    f"both, {SHORT} steps": partial(measure_taught, FACTORS, SHORT),
}
SST2: dict[str, Arm] = {"teacher": measure_teacher, **untrained(), "both": HEADLINES["both"]}
TRAILS: dict[str, Arm] = {
    f"{hops} hops, price {price:g}": partial(measure_thinker, hops, price, 300)
    for hops, price in ((1, 0.01), (2, 0.01), (3, 0.01), (3, 0.1))
}
STUDY = Study(
    "sharing",
    "MiniLM with matrices in two factors and with layers that share, and a layer that halts",
    {"headlines": HEADLINES, "SST-2": SST2, "trails": TRAILS},
    examples_of={"trails": ()},
    keep=frozenset({f"both, {SHORT} steps", f"1 layer, six times, {LONG} steps", f"3 layers, {LONG} steps"}),
    minutes=120,
)
