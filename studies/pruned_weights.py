"""MiniLM with more and more of its weights at 0: by which rule, with or without training, and what is lost.

On the course's headlines, whose nine categories leave room between a guess and the whole model, and on SST-2:
4,000 phrases of it for some hundred steps, and all 67,349 for thousands, which takes minutes of a graphics
card and many hours of a processor. Masks are on the encoder's matrices; the tables are frozen in all arms.
Within a family all arms have equally many steps, in that of SparseBERT about as many seconds. An arm called
dense learns as long with no weight pruned.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import torch
from torch import Tensor, nn

from lib.analysis.attention.head_ablation import hidden_batches, losses
from lib.bert import BertForMaskedLM, WordPieceTokenizer
from lib.bert.model import PreTrainedBert
from lib.compression.distillation.knowledge import LABELS
from lib.compression.distillation.layer_maps import ANSWER
from lib.compression.distillation.losses import cross_entropy
from lib.compression.distillation.matches import Match
from lib.compression.distillation.methods import sparse_bert
from lib.compression.distillation.objective import Distillation
from lib.compression.pruning.magnitude import (
    AtRandom,
    Choice,
    Tensors,
    by_matrix,
    keep_highest,
    magnitude_mask,
    over_all,
)
from lib.compression.pruning.masks import (
    GradualPruning,
    add_masks,
    masks_of,
    originals,
    prune,
    remaining,
    set_masks,
)
from lib.compression.pruning.movement import (
    STRENGTH,
    THRESHOLD,
    PenaltyGrows,
    SoftlyPruned,
    above_threshold,
    add_scores,
    decay_of_weights,
    movement_update,
    score_rate,
)
from lib.compression.pruning.schedule import CubicRamp
from lib.compression.pruning.sensitivity import choose_sparsities
from lib.records.baselines import measure_word_counts
from lib.records.students import MAX_LENGTH, PRECISION
from lib.records.study import Arm, Measured, Study
from lib.records.subject import Subject
from lib.text.tasks import Row
from lib.training.devices import processes
from lib.training.features import encoder_of
from lib.training.finetuning import evaluate, fresh_model
from lib.training.loop import Callback, Objective
from lib.training.optim import parameter_groups
from studies.methods.tickets import (
    find_ticket,
    rewind,
    shuffle_survivors,
    shuffled_masks,
    snapshot,
    sparsity_after,
)

Ranked = Literal["size", "score", "movement"]
CUTS: tuple[tuple[Ranked, float], ...] = (("size", 0.9), ("score", 0.9), ("movement", 0.9))
Rule = Literal["magnitude", "global", "random", "movement", "soft movement", "two of four"]


def two_of_four(scores: Tensors, _sparsity: float) -> dict[str, Tensor]:
    """Of every four neighbors in a row the two of highest score stay. Scores and masks [out, in], by path."""
    masks = {}
    for path, score in scores.items():
        groups = score.reshape(-1, 4)
        mask = torch.zeros_like(groups, dtype=torch.bool)
        masks[path] = mask.scatter_(1, groups.topk(2, dim=1).indices, True).view(score.shape)
    return masks


CHOICES: dict[Rule, Choice] = {
    "magnitude": by_matrix,
    "global": over_all,
    "random": AtRandom(0),
    "movement": by_matrix,
    "soft movement": above_threshold,
    "two of four": two_of_four,
}
SCORED: tuple[Rule, ...] = ("movement", "soft movement")
EVERY = 10  # steps between two choices of masks
RAMP = 0.8  # of the steps: after it masks of a given sparsity stay, and what is left learns on
ROUNDS, SHARE = 3, 0.3  # of the search for a ticket, and what each round prunes of what is left
FEW_PHRASES = 4000  # of SST-2
FEW_LAYERS, BEFORE, AFTER, RATE = (0, 2, 5), 30, 70, 4e-4  # of small or not needed
SCANNED, KEPT, PART_RATE = (0.5, 0.7, 0.9), 0.3, 2e-4  # of the parts that notebook 26 scans
IN_A_LAYER = {"attention": "attention", "feed-forward in": "intermediate", "feed-forward out": "output"}
WATCHED, WATCHED_WEIGHTS = "bert.encoder.layer.3.intermediate.dense", 300  # noted before and after


@dataclass(frozen=True, kw_only=True)
class Training:
    """How arms learn.

    score_rate: at which scores learn; five times the paper's unless said otherwise, for a hundredth of its
    steps: in the soft form a score has to fall by 2.2 to prune. In the hard form only the order of scores
    counts, which AdamW's rate does not change. strength: how heavily scores weigh in the soft form. first:
    the share of the steps before anything is pruned, in which scores learn already. most: so many rows.
    """

    batch_size: int = 16
    rate: float = 2e-4
    score_rate: float = 5e-2
    strength: float = STRENGTH
    first: float = 0.0
    most: int | None = None


SHORTLY = Training()
ON_FEW = Training(most=FEW_PHRASES)
#: scores learn at the paper's rate, and for a while before anything is pruned (Sanh et al., 2020)
AT_LENGTH = Training(batch_size=64, rate=1e-4, score_rate=1e-2, first=0.1)


@dataclass(frozen=True, kw_only=True)
class Pruning:
    """How a model is pruned, from where, and what it learns meanwhile.

    sparsity: of the matrices; the soft rule finds its own. inside: it learns the teacher's answers and what
    is inside of it (SparseBERT), and no labels. at_once: all is pruned before the first step. watched: some
    weights are noted before and after, from the first seed.
    """

    rule: Rule
    sparsity: float
    steps: int
    training: Training = SHORTLY
    start: Literal["fine-tuned", "pretrained"] = "fine-tuned"
    inside: bool = False
    at_once: bool = False
    watched: bool = False


# --- one arm --------------------------------------------------------------------------------------


def measure_pruned(pruning: Pruning, subject: Subject) -> Measured:
    """A model that was pruned while it learned, still under its masks."""
    model = _starting_model(pruning, subject)
    (add_scores if pruning.rule in SCORED else add_masks)(model)
    if pruning.at_once:
        prune(model, pruning.sparsity, CHOICES[pruning.rule])
    before = watched_weights(model)
    objective, callbacks = _objective(pruning, model, subject)
    rows = subject.rows("unlabeled" if pruning.inside else "labeled", pruning.training.most)
    seconds = _fit(subject, objective, rows, pruning.steps, pruning.training, callbacks)
    left = remaining(model)
    scores = subject.judge(model) | {"sparsity": 1 - left.kept / left.masked}
    if pruning.watched and not subject.seed:
        scores["watched"] = [_rounded(before), _rounded(watched_weights(model)), _watched_mask(model)]
    costs = {"of_matrices": left.of_masked, "of_model": left.of_model, "steps": pruning.steps}
    return Measured(scores, costs | {"processor_seconds": seconds}, model)


def _starting_model(pruning: Pruning, subject: Subject) -> PreTrainedBert:
    """A copy of the fine-tuned model, or the pretrained one with a fresh head; its tables are frozen."""
    if pruning.start == "fine-tuned":
        return _frozen_tables(copy.deepcopy(subject.teacher.model))
    return _fresh(subject)


def _fresh(subject: Subject) -> PreTrainedBert:
    model = fresh_model(subject.task, "minilm", subject.seed).eval()
    return _frozen_tables(model.to(next(subject.teacher.model.parameters()).device))


def _frozen_tables(model: PreTrainedBert) -> PreTrainedBert:
    encoder_of(model).embeddings.requires_grad_(False)
    return model


def _objective(
    pruning: Pruning, model: PreTrainedBert, subject: Subject
) -> tuple[Objective, Sequence[Callback]]:
    """What an arm learns, and what prunes it on the way."""
    learned: Objective = _on_labels(model)
    if pruning.inside:
        learned = Distillation(model, subject.teacher.model, sparse_bert(model.config.num_hidden_layers))
    if pruning.at_once:
        return learned, ()
    training, choice = pruning.training, CHOICES[pruning.rule]
    first, last = round(training.first * pruning.steps), max(1, round(RAMP * pruning.steps))
    if pruning.rule == "soft movement":
        learned, ramp = SoftlyPruned(learned, model), CubicRamp(THRESHOLD, last, first, every=EVERY)
        gradual = GradualPruning(model, ramp, choice, every=EVERY)
        return learned, (gradual, PenaltyGrows(learned, ramp, THRESHOLD, training.strength))
    ramp = CubicRamp(pruning.sparsity, last, first, every=EVERY)
    return learned, [GradualPruning(model, ramp, choice, EVERY if pruning.rule in SCORED else None)]


def _on_labels(model: nn.Module) -> Distillation:
    """Fine-tuning: the labels and no teacher."""
    return Distillation(model, None, [Match(LABELS, ANSWER, cross_entropy)])


def _fit(
    subject: Subject,
    objective: Objective,
    rows: Sequence[Row],
    steps: int,
    training: Training = SHORTLY,
    callbacks: Sequence[Callback] = (),
    pad_id: int = 0,
) -> float:
    """Scores learn at a rate of their own, and only weights decay."""
    groups = parameter_groups(objective, score_rate(training.score_rate / training.rate), decay_of_weights())
    return subject.train(
        objective,
        rows,
        steps,
        training.rate,
        batch_size=training.batch_size,
        callbacks=callbacks,
        optimizer=torch.optim.AdamW(groups, fused=True),
        pad_id=pad_id,
    )


def watched_weights(model: nn.Module) -> Tensor:
    """Some weights of one matrix, always the same, whether they are pruned or not."""
    weight = originals(model)[WATCHED][1].detach().flatten()
    return weight[_watched_places(len(weight))].clone()


def _watched_mask(model: nn.Module) -> list[int]:
    """1 for those that are kept, 0 for those that are not."""
    mask = originals(model)[WATCHED][0].flatten()
    return [int(bit) for bit in mask[_watched_places(len(mask))]]


def _watched_places(count: int) -> Tensor:
    return torch.randperm(count, generator=torch.Generator().manual_seed(0))[:WATCHED_WEIGHTS]


def _rounded(values: Tensor) -> list[float]:
    return [round(float(value), 5) for value in values]


# --- what shares its work -------------------------------------------------------------------------


def measure_whole(subject: Subject) -> Measured:
    """The dense model."""
    return Measured(dict(subject.teacher.scores))


def measure_one_answer(subject: Subject) -> Measured:
    """How often the commonest label is right."""
    labels = Counter(example.label for example in subject.task.test)
    return Measured({"accuracy": max(labels.values()) / labels.total()})


def measure_untrained(levels: dict[Rule, tuple[float, ...]], subject: Subject) -> dict[str, Measured]:
    """The fine-tuned model, pruned and not trained again."""
    model = copy.deepcopy(subject.teacher.model)
    add_masks(model)
    full_masks, measured = masks_of(model), dict[str, Measured]()
    for rule, shares in levels.items():
        set_masks(model, full_masks)
        for share in shares:
            prune(model, share, CHOICES[rule])
            measured[f"{rule} {share}, untrained"] = Measured(subject.judge(model) | {"sparsity": share})
    return measured


def measure_tickets(steps: int, training: Training, subject: Subject) -> dict[str, Measured]:
    """A ticket of the pretrained model and its controls, all trained alike from the rewound weights."""
    model, rows = _fresh(subject), subject.rows("labeled", training.most)
    add_masks(model)
    start, full_masks = snapshot(model), masks_of(model)
    seconds: list[float] = []

    def train(one: Any) -> None:
        seconds.append(_fit(subject, _on_labels(one), rows, steps, training))

    ticket = find_ticket(model, start, train, ROUNDS, SHARE)[-1]
    searching = sum(seconds)
    masks = {"dense": full_masks, "ticket": ticket, "random mask": shuffled_masks(ticket, subject.seed)}
    measured: dict[str, Measured] = {}
    for name, chosen in (masks | {"shuffled weights": ticket}).items():
        set_masks(model, chosen)
        rewind(model, start)
        if name == "shuffled weights":
            shuffle_survivors(model, subject.seed)
        train(model)
        sparsity = 0.0 if name == "dense" else sparsity_after(ROUNDS, SHARE)
        spent = round(seconds[-1] + (searching if name == "ticket" else 0.0), 1)
        scores = subject.judge(model) | {"sparsity": sparsity}
        measured[f"tickets, {name}"] = Measured(scores, {"processor_seconds": spent}, copy.deepcopy(model))
    return measured


def measure_knowledge(
    levels: tuple[float, ...], steps: int, blanks: int, subject: Subject
) -> dict[str, Measured]:
    """What the pocket BERT loses when: its guesses of hidden pieces (their loss in nats), and a task that it
    learns before or after it is pruned."""
    tokenizer, task = WordPieceTokenizer.from_pretrained("pocket"), subject.task
    rows = task.kind.rows(task.train, tokenizer, MAX_LENGTH)
    batches = hidden_batches(tokenizer, blanks, subject.seed)
    general = BertForMaskedLM.from_pretrained("pocket").eval()
    add_masks(general)
    measured: dict[str, Measured] = {}
    tuned: PreTrainedBert | None = None
    for level in levels:
        prune(general, level)
        measured[f"hidden pieces, {level}"] = Measured({"loss": float(losses(general, batches).mean())})
        model = _frozen_tables(fresh_model(task, "pocket", subject.seed).eval())
        add_masks(model)
        prune(model, level)
        _fit(subject, _on_labels(model), rows, steps, pad_id=tokenizer.pad_token_id)
        tuned = tuned or model
        prune(tuned, level)
        for name, one in (("pruned, then tuned", model), ("tuned, then pruned", tuned)):
            scores, _ = evaluate(one, tokenizer, task.kind, task.test)
            measured[f"{name}, {level}"] = Measured(dict(scores))
    return measured


def measure_three_layers(
    start: Literal["pretrained", "fine-tuned"], cuts: tuple[tuple[Ranked, float], ...], subject: Subject
) -> dict[str, Measured]:
    """Three layers, whole and pruned at once, all trained alike from where they noted their scores.

    The score is that of movement pruning, added up over the steps before the cut. A cut is by the size of the
    weight or of the score, or leaves the highest scores (movement), and has a sparsity.
    """
    begun = _three_layers(_pretrained(subject) if start == "pretrained" else subject.teacher.model)
    scores = _noted_scores(begun, subject)
    whole = copy.deepcopy(begun)
    _learn(whole, AFTER, subject)
    measured = {f"three layers, {start}, whole": Measured(_scored(whole, subject) | {"sparsity": 0.0})}
    for ranked, level in cuts:
        model = copy.deepcopy(begun)
        masks = {}
        for layer, score in zip(_dense_layers(model), scores, strict=True):
            if ranked == "movement":
                masks[layer] = keep_highest(score, level)
            else:
                masks[layer] = magnitude_mask(score if ranked == "score" else layer.weight, level)
        _learn(model, AFTER, subject, masks)
        found = _scored(model, subject) | {"sparsity": level}
        measured[f"three layers, {start}, {ranked} {level}"] = Measured(found)
    return measured


def measure_shares(trained: tuple[int, ...], subject: Subject) -> dict[str, Measured]:
    """One share of zeros for all parts, and shares that a scan of the parts chose, before any training and
    after so many steps; the whole model learns as long.

    A sixth of the test rows judges the scan, and the others what comes out.
    """
    teacher, test = _frozen_tables(copy.deepcopy(subject.teacher.model)), subject.task.test
    sixth = max(1, len(test) // 6)
    few, others = test[:sixth], test[sixth:]
    whole, scan = _accuracy(teacher, few, subject), dict[str, list[tuple[float, float]]]()
    for name in _six_parts(teacher):
        scan[name] = [(0.0, whole)]
        for level in SCANNED:
            model = copy.deepcopy(teacher)
            _put_on({layer: magnitude_mask(layer.weight, level) for layer in _six_parts(model)[name]})
            scan[name].append((level, _accuracy(model, few, subject)))
    sizes = {
        name: sum(layer.weight.numel() for layer in layers) for name, layers in _six_parts(teacher).items()
    }
    chosen = choose_sparsities(scan, sizes, KEPT)
    measured: dict[str, Measured] = {}
    for name, shares in {"whole": None, "one": dict.fromkeys(chosen, 1 - KEPT), "chosen": chosen}.items():
        zeros = 0.0
        if shares:
            zeros = sum(shares[part] * size for part, size in sizes.items()) / sum(sizes.values())
        for steps in (0, *trained):
            model = copy.deepcopy(teacher)
            masks = {
                layer: magnitude_mask(layer.weight, share)
                for part, share in (shares or {}).items()
                for layer in _six_parts(model)[part]
            }
            _put_on(masks)
            if steps:
                _learn(model, steps, subject, masks, rate=PART_RATE)
            scores = {"accuracy": _accuracy(model, others, subject), "sparsity": zeros}
            measured[f"shares, {name}, {steps} steps"] = Measured(scores, {"steps": steps})
    return measured


def _six_parts(model: PreTrainedBert) -> dict[str, list[nn.Linear]]:
    """The matrices of the encoder, by half of the layers and by place in a layer."""
    layers = encoder_of(model).encoder.layer
    halves = {"lower": layers[: len(layers) // 2], "upper": layers[len(layers) // 2 :]}
    return {
        f"{half} {name}": [
            one for layer in chosen for one in getattr(layer, inside).modules() if isinstance(one, nn.Linear)
        ]
        for half, chosen in halves.items()
        for name, inside in IN_A_LAYER.items()
    }


def _accuracy(model: PreTrainedBert, examples: Sequence[Any], subject: Subject) -> float:
    scores, _ = evaluate(model, subject.tokenizer, subject.task.kind, examples, MAX_LENGTH)
    return scores["accuracy"]


def _scored(model: PreTrainedBert, subject: Subject) -> dict[str, Any]:
    """Its scores on the test rows: a teacher has no part in them."""
    scores, _ = evaluate(model, subject.tokenizer, subject.task.kind, subject.task.test, MAX_LENGTH)
    return dict(scores)


def _pretrained(subject: Subject) -> PreTrainedBert:
    return fresh_model(subject.task, "minilm", subject.seed).eval().to(processes().device)


def _three_layers(model: PreTrainedBert) -> PreTrainedBert:
    """A copy of some layers of a model, whose tables are frozen."""
    few = copy.deepcopy(model)
    encoder = encoder_of(few).encoder
    encoder.layer = nn.ModuleList(encoder.layer[number] for number in FEW_LAYERS)
    return _frozen_tables(few)


def _dense_layers(model: nn.Module) -> list[nn.Linear]:
    return [one for one in encoder_of(model).encoder.modules() if isinstance(one, nn.Linear)]


def _noted_scores(model: PreTrainedBert, subject: Subject) -> list[Tensor]:
    """The scores of the weights of a model's layers, [out, in] each, after its first steps."""
    layers = _dense_layers(model)
    scores = [torch.zeros_like(layer.weight) for layer in layers]

    def note() -> None:
        for place, layer in enumerate(layers):
            assert layer.weight.grad is not None
            scores[place] = movement_update(scores[place], layer.weight.detach(), layer.weight.grad, 1.0)

    _learn(model, BEFORE, subject, note=note)
    return scores


def _learn(
    model: PreTrainedBert,
    steps: int,
    subject: Subject,
    masks: dict[nn.Linear, Tensor] | None = None,
    note: Callable[[], None] | None = None,
    rate: float = RATE,
) -> None:
    """So many steps of 16 texts as notebook 26 makes them: masks go on again after each. The rate falls to 0,
    and stays as it is while something is noted."""
    torch.manual_seed(subject.seed)
    batches = subject.batches(subject.rows())
    optimizer = torch.optim.AdamW([one for one in model.parameters() if one.requires_grad], lr=rate)
    model.train()
    _put_on(masks)
    for step in range(subject.at_most(steps)):
        if note is None:
            optimizer.param_groups[0]["lr"] = rate * (1 - step / steps)
        batch = batches(step)
        labels = batch.pop("labels")
        with torch.autocast(labels.device.type, torch.bfloat16, enabled=PRECISION == "bf16"):
            loss = nn.functional.cross_entropy(model(**batch).logits, labels)
        optimizer.zero_grad()
        loss.backward()
        if note is not None:
            note()
        optimizer.step()
        _put_on(masks)
    model.eval()


def _put_on(masks: dict[nn.Linear, Tensor] | None) -> None:
    for layer, mask in (masks or {}).items():
        layer.weight.data *= mask


# --- the arms -------------------------------------------------------------------------------------


def pruned(rule: Rule, sparsity: float, steps: int, training: Training = SHORTLY, **settings: Any) -> Arm:
    """An arm of one rule."""
    return partial(
        measure_pruned, Pruning(rule=rule, sparsity=sparsity, steps=steps, training=training, **settings)
    )


def at_levels(
    rule: Rule, levels: tuple[float, ...], steps: int, training: Training = SHORTLY
) -> dict[str, Arm]:
    """An arm of one rule for each level."""
    return {f"{rule} {level}": pruned(rule, level, steps, training) for level in levels}


def taught_sparse(sparsity: float, labels: int, inside: int, training: Training = SHORTLY) -> dict[str, Arm]:
    """By where they start and what they learn, and in how many steps; the last is SparseBERT."""
    return {
        "fine-tuned, labels": pruned("magnitude", sparsity, labels, training),
        "pretrained, labels": pruned("magnitude", sparsity, labels, training, start="pretrained"),
        "fine-tuned, inside": pruned("magnitude", sparsity, inside, training, inside=True),
        "pretrained, inside": pruned(
            "magnitude", sparsity, inside, training, start="pretrained", inside=True
        ),
    }


def named(pattern: str, arms: dict[str, Arm], *chosen: str) -> dict[str, Arm]:
    """The chosen arms, or all of them, under other names."""
    return {pattern.format(name): partial(_under, pattern, arms[name]) for name in chosen or arms}


def _under(pattern: str, arm: Arm, subject: Subject) -> Measured | dict[str, Measured]:
    measured = arm(subject)
    if isinstance(measured, Measured):
        return measured
    return {pattern.format(name): one for name, one in measured.items()}


LEVELS: dict[Rule, tuple[float, ...]] = {
    "magnitude": (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95),
    "global": (0.3, 0.5, 0.7, 0.8, 0.9),
    "random": (0.1, 0.3, 0.5, 0.7, 0.9),
}
ON_SST2: dict[Rule, tuple[float, ...]] = {"magnitude": (0.3, 0.5, 0.7, 0.9), "random": (0.3, 0.5)}
ON_ALL: dict[Rule, tuple[float, ...]] = {
    "magnitude": (0.5, 0.7, 0.9, 0.95, 0.97),
    "global": (0.5, 0.7, 0.9, 0.95, 0.97),
}
HEADLINES: dict[str, Arm] = {
    "whole": measure_whole,
    "counting words": measure_word_counts,
    "one answer": measure_one_answer,
    "untrained": partial(measure_untrained, LEVELS),
    "tickets": partial(measure_tickets, 75, SHORTLY),
    "knowledge": partial(measure_knowledge, (0.0, 0.5, 0.7, 0.8, 0.9), 100, 16),
    "dense": pruned("magnitude", 0.0, 100),
    **at_levels("magnitude", (0.5, 0.7, 0.9, 0.95), 100),
    **at_levels("random", (0.5, 0.9), 100),
    **at_levels("global", (0.9,), 100),
    "magnitude at once 0.9": pruned("magnitude", 0.9, 100, at_once=True),
    "magnitude at once 0.5": pruned("magnitude", 0.5, 100, at_once=True),
    "two of four": pruned("two of four", 0.5, 100, at_once=True),
    "pattern, untrained": partial(measure_untrained, {"two of four": (0.5,)}),
    "three layers, pretrained": partial(measure_three_layers, "pretrained", CUTS),
    "three layers, fine-tuned": partial(measure_three_layers, "fine-tuned", CUTS[:2]),
    "shares": partial(measure_shares, (20, 100)),
    "long, dense": pruned("magnitude", 0.0, 300),
    "long, magnitude 0.9": pruned("magnitude", 0.9, 300, watched=True),
    "long, magnitude 0.5": pruned("magnitude", 0.5, 300),
    "long, random 0.9": pruned("random", 0.9, 300),
    "long, movement 0.9": pruned("movement", 0.9, 300, watched=True),
    "long, soft movement": pruned("soft movement", 0.9, 300, watched=True),
    **taught_sparse(0.95, 400, 300),
    **named("{}, 0.8", taught_sparse(0.8, 400, 300), "fine-tuned, labels", "pretrained, inside"),
}
SST2: dict[str, Arm] = {
    "whole": measure_whole,
    "untrained": partial(measure_untrained, ON_SST2),
    "tickets": partial(measure_tickets, 75, ON_FEW),
    "dense": pruned("magnitude", 0.0, 300, ON_FEW),
    **at_levels("magnitude", (0.7, 0.9, 0.95), 300, ON_FEW),
    **at_levels("global", (0.9,), 300, ON_FEW),
    **at_levels("random", (0.9,), 300, ON_FEW),
    **at_levels("movement", (0.9,), 300, ON_FEW),
    "soft movement": pruned("soft movement", 0.9, 300, ON_FEW),
    "pretrained, inside": taught_sparse(0.95, 300, 220, ON_FEW)["pretrained, inside"],
}
ALL_OF_SST2: dict[str, Arm] = {
    "whole": measure_whole,
    "untrained": partial(measure_untrained, ON_ALL),
    "tickets": partial(measure_tickets, 600, AT_LENGTH),
    "dense": pruned("magnitude", 0.0, 3000, AT_LENGTH),
    **at_levels("magnitude", (0.7, 0.9, 0.95, 0.97), 3000, AT_LENGTH),
    **at_levels("movement", (0.7, 0.9, 0.97), 3000, AT_LENGTH),
    **at_levels("random", (0.9,), 3000, AT_LENGTH),
    **{
        f"soft movement, {strength}": pruned(
            "soft movement", 0.9, 3000, replace(AT_LENGTH, strength=strength)
        )
        for strength in (25.0, 100.0, 400.0)
    },
    **{
        name: arm
        for name, arm in taught_sparse(0.95, 3000, 2000, AT_LENGTH).items()
        if name != "fine-tuned, labels"  # it is "magnitude 0.95"
    },
}
STUDY = Study(
    "pruned_weights",
    "MiniLM with more and more of its weights at 0",
    {"headlines": HEADLINES, "SST-2": SST2 | named("all phrases, {}", ALL_OF_SST2)},
    inputs_of={"knowledge": ("pocket", "data/reader")},
    minutes=98,
)
