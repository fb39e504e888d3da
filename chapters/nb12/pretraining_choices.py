"""One choice of pretraining changed at a time, at equal compute: the arms, and the yardstick for all of them.

Every arm gets the same number of multiply-adds, by the formula of `lib.analysis.cost.formulas`, so what it
gets does not depend on how busy the machine is; what costs more a step makes fewer steps. Nothing else is
tuned to an arm: all have the same learning rate, which may suit one better than another.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from chapters.nb12.one_way import SIDES, Glued, see_one_side
from chapters.nb12.verb_agreement import in_one_piece, model_agrees
from lib.analysis.cost.formulas import count_training
from lib.analysis.prediction.held_out import Scored, score
from lib.bert.heads import BertForPreTraining
from lib.records.small_bert import Texts, agreement_test, new_model
from lib.records.table import Table
from lib.text.masking import IGNORED, Masking, SpanMasking
from lib.text.pair_rows import PairRows
from lib.text.pair_tasks import NEXT_SENTENCE, NO_PAIRS, PairTask
from lib.text.pretraining_batches import Corruption, NextPieces, PretrainingBatches, RowSource
from lib.text.sentence_rows import SentenceRows
from lib.training.pretraining import pretraining_trainer
from lib.training.schedules import LinearDecay

LENGTH, BATCH = 20, 32  # most pieces in a row, rows in a step
LEARNING_RATE = 4e-3
BUDGET = 4e10  # multiply-adds of a run: some 350 steps of the base
SEEDS = (0, 1, 2)
SCORED, SCORED_SEED = 12, 1000  # held-out batches, and the seed of their masks
HELD_OUT = "held-out text"  # what the record calls that on which all are scored


@dataclass(frozen=True)
class PretrainingChoice:
    """A way to pretrain; what is not named is as in the arm called "base"."""

    masking: Masking = field(default_factory=Masking)
    rows: str = "whole sentences"  # or "windows", full of text that begins and ends anywhere
    task: PairTask = NO_PAIRS
    sees: str = "both sides"  # or "left side" or "right side", or "glued": a model of each
    says: str = "hidden pieces"  # or "next pieces"
    layers: int = 2
    hidden_size: int = 64
    heads: int = 4


#: by the name that a reader calls them
ARMS: dict[str, PretrainingChoice] = {
    "base": PretrainingChoice(),
    **{f"{rate} %": PretrainingChoice(Masking(rate / 100)) for rate in (5, 10, 30, 50)},
    # to [MASK], left as they are, to another piece: the order of BERT's Table 8
    "100/0/0": PretrainingChoice(Masking(mask=1.0, random=0.0)),
    "80/0/20": PretrainingChoice(Masking(mask=0.8, random=0.2)),
    "80/20/0": PretrainingChoice(Masking(mask=0.8, random=0.0)),
    "0/20/80": PretrainingChoice(Masking(mask=0.0, random=0.8)),
    "0/0/100": PretrainingChoice(Masking(mask=0.0, random=1.0)),
    "whole words": PretrainingChoice(Masking(whole_words=True)),
    "spans": PretrainingChoice(SpanMasking()),
    "windows": PretrainingChoice(rows="windows"),
    "next sentence": PretrainingChoice(rows="windows", task=NEXT_SENTENCE),
    "left side": PretrainingChoice(sees="left side"),
    "right side": PretrainingChoice(sees="right side"),
    "glued": PretrainingChoice(sees="glued"),
    "left to right": PretrainingChoice(sees="left side", says="next pieces"),
    "1 layer": PretrainingChoice(layers=1),
    "4 layers": PretrainingChoice(layers=4),
    "32 wide": PretrainingChoice(hidden_size=32),
    "128 wide": PretrainingChoice(hidden_size=128),
    "1 head": PretrainingChoice(heads=1),
    "2 heads": PretrainingChoice(heads=2),
    "8 heads": PretrainingChoice(heads=8),
}


def losses_of(table: Table) -> dict[str, list[float]]:
    """Each recorded arm's held-out losses, one for each seed."""
    return {name: table.values(HELD_OUT, name, "loss") for name in table.arms(HELD_OUT)}


def steps_of(table: Table) -> dict[str, int]:
    """How many steps each recorded arm made with its first seed."""
    return {name: table.values(HELD_OUT, name, "steps")[0] for name in table.arms(HELD_OUT)}


#: what stands at a place that is asked
SHOWN = {
    "[MASK]": Masking(mask=1.0, random=0.0),
    "the right piece": Masking(mask=0.0, random=0.0),
    "another piece": Masking(mask=0.0, random=1.0),
}


def pretrain_and_measure(
    arm: PretrainingChoice, seed: int, texts: Texts, budget: float, most_steps: int | None = None
) -> dict[str, Any]:
    """Pretrain an arm for `budget` multiply-adds, and measure it on held-out text and on verbs that agree.

    `targets` is how many places a step asks, on average. All arms are scored on the same places, 15 % of the
    pieces in whole words: `right` of all, and by what stands there. Of `verbs` that many are `verbs right`.
    Two models that are glued have half of the budget each; `steps` are those of one.
    """
    sides = SIDES if arm.sees == "glued" else (arm.sees,)
    share = budget / len(sides)
    runs = [_pretrain(replace(arm, sees=side), seed, texts, share, most_steps) for side in sides]
    models = [model.eval() for model, _, _ in runs]
    model: Scored = Glued(*models).eval() if arm.sees == "glued" else models[0]
    return {"steps": runs[0][1], "targets": runs[0][2]} | _measure(arm, model, texts)


def _pretrain(
    arm: PretrainingChoice, seed: int, texts: Texts, budget: float, most_steps: int | None
) -> tuple[BertForPreTraining, int, float]:
    """An arm's model at its end, after how many steps, and how many places a step asked."""
    model = new_model(texts, arm.layers, arm.hidden_size, arm.heads, seed)
    if arm.sees in SIDES:
        see_one_side(model, arm.sees)
    batches = _batches_of(arm, texts, seed)
    steps, targets = _afford(budget, model, batches, most_steps)
    pretraining_trainer(model, batches, LinearDecay(steps, LEARNING_RATE)).train()
    return model, steps, targets


def _batches_of(arm: PretrainingChoice, texts: Texts, seed: int) -> PretrainingBatches:
    """What an arm reads, and what it is to say."""
    place = (texts.train, texts.tokenizer, LENGTH, BATCH)
    is_windows = arm.rows == "windows"
    rows: RowSource = PairRows(*place, arm.task, seed) if is_windows else SentenceRows(*place, seed)
    corruption: Corruption = NextPieces() if arm.says == "next pieces" else arm.masking
    return PretrainingBatches(rows, corruption)


def _afford(
    budget: float, model: BertForPreTraining, batches: PretrainingBatches, most_steps: int | None
) -> tuple[int, float]:
    """How many steps these multiply-adds last, and how many places one of them asks on average."""
    steps = total = 0
    while budget > 0 and steps != most_steps:
        labels = batches(steps)["labels"]  # [B, T], where T differs from step to step
        rows, length = labels.shape
        targets = int((labels != IGNORED).sum())
        budget -= rows * count_training(model.config, length, targets / rows)
        steps, total = steps + 1, total + targets
    return steps, total / steps


def _measure(arm: PretrainingChoice, model: Scored, texts: Texts) -> dict[str, Any]:
    rows = SentenceRows(texts.held_out, texts.tokenizer, LENGTH, BATCH, SCORED_SEED)
    pairs = in_one_piece(agreement_test(), texts.tokenizer)
    if arm.says == "next pieces":
        held_out = PretrainingBatches(rows, NextPieces(among=Masking()))
        shown, shift = {}, -1
    else:
        held_out = PretrainingBatches(rows)
        looks = {name: PretrainingBatches(rows, masking) for name, masking in SHOWN.items()}
        shown = {
            f"right at {name}": score(model, batches, SCORED)["pieces"] for name, batches in looks.items()
        }
        shift = 0
    agrees = model_agrees(model, texts.tokenizer, pairs, shift)
    scores = score(model, held_out, SCORED)
    return {
        "loss": scores["loss"],
        "right": scores["pieces"],
        **shown,
        "verbs right": sum(agrees),
        "verbs": len(agrees),
    }
