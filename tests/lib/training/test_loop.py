"""The training loop: five ways to learn that have little in common are trained on it, stopped, and go on.

Each is an objective, a callback or a parametrization of some thirty lines; none is known to the loop.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from IPython.core.interactiveshell import InteractiveShell
from torch import Tensor, nn
from torch.nn.utils import parametrize

from lib.bert import BertConfig
from lib.bert.heads import BertForSequenceClassification
from lib.command import Stopped
from lib.training.checkpoints import Checkpoints, read_log
from lib.training.freezing import GradualUnfreezing, layer_factors, layer_rates
from lib.training.loop import Batch, Callback, Objective, Term, Trainer
from lib.training.optim import LR_FACTOR, adamw, load_optimizer_state, optimizer_state, parameter_groups
from lib.training.schedules import Constant, LinearDecay, Trapezoid, learning_rate

STEPS, FEATURES, CLASSES = 6, 8, 3
CONFIG = BertConfig(
    vocab_size=50, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32,
    hidden_dropout_prob=0.1, id2label={number: str(number) for number in range(CLASSES)},
)  # fmt: skip


@dataclass(frozen=True)
class RandomTexts:
    """Texts of random ids whose class is a matter of their first; as many a batch as its number says."""

    seed: int = 0

    def __call__(self, number: int) -> Batch:
        generator = torch.Generator().manual_seed(self.seed + number)
        ids = torch.randint(CONFIG.vocab_size, (4 + number % 3, 6), generator=generator)
        return {"input_ids": ids, "labels": ids[:, 0] % CLASSES}

    @property
    def fingerprint(self) -> dict[str, int]:
        return {"seed": self.seed}


@dataclass(frozen=True)
class RandomVectors:
    """Vectors, and the class that a fixed matrix gives them."""

    def __call__(self, number: int) -> Batch:
        generator = torch.Generator().manual_seed(number)
        features = torch.randn(5, FEATURES, generator=generator)
        return {"features": features, "labels": features[:, :CLASSES].argmax(-1)}

    @property
    def fingerprint(self) -> str:
        return "vectors"


def answers(logits: Tensor, labels: Tensor) -> dict[str, Term]:
    """The loss of a classifier [B, C], and the share that is right."""
    loss = F.cross_entropy(logits, labels, reduction="sum")
    return {
        "cross_entropy": Term(loss, "rows"),
        "right": Term((logits.argmax(-1) == labels).sum(), "rows", 0),
    }


# --- a classifier with a learning rate for each layer, thawed from the top ------------------------


class Classification(Objective):
    def __init__(self, model: BertForSequenceClassification):
        super().__init__()
        self.model = model

    def forward(self, input_ids: Tensor, labels: Tensor) -> dict[str, Term]:
        return answers(self.model(input_ids).logits, labels)


def thawing_classifier(checkpoints: Checkpoints | None) -> Trainer:
    """The head at the full rate, each layer below at half of that above (Howard and Ruder, 2018)."""
    objective = Classification(BertForSequenceClassification(CONFIG))
    thaw = GradualUnfreezing(objective, every=3)
    rates = layer_rates(CONFIG.num_hidden_layers, top=0.5, decay=0.5)
    optimizer = adamw(objective, rate_of=layer_factors(rates, peak=1.0))
    schedule = LinearDecay(STEPS, 1e-2, warmup=0.3)
    return Trainer(
        objective, RandomTexts(), optimizer, schedule, [thaw], checkpoints, gradient_accumulation=2
    )


# --- a student and the projection that compares it with its teacher -------------------------------


def teaches(network: nn.Sequential) -> int:
    """How wide the vectors behind its first layer are."""
    return len(next(network.parameters()))


class Distillation(Objective):
    """Answers from the labels, and hidden vectors that are the teacher's up to a learned projection."""

    def __init__(self, student: nn.Sequential, teacher: nn.Sequential):
        super().__init__()
        self.student, self.teacher = student, teacher.requires_grad_(False)
        self.projection = nn.Linear(teaches(student), teaches(teacher), bias=False)

    def train(self, mode: bool = True) -> "Distillation":
        super().train(mode)
        self.teacher.eval()
        return self

    def forward(self, features: Tensor, labels: Tensor) -> dict[str, Term]:
        hidden, taught = self.student[:3](features), self.teacher[:3](features)
        distance = F.mse_loss(self.projection(hidden), taught, reduction="sum")
        return answers(self.student[3](hidden), labels) | {"hidden": Term(distance, "rows", weight=0.1)}


def student(checkpoints: Checkpoints | None) -> Trainer:
    small, large = (
        nn.Sequential(nn.Linear(FEATURES, size), nn.GELU(), nn.Dropout(0.2), nn.Linear(size, CLASSES))
        for size in (4, 16)
    )
    objective = Distillation(small, large)
    return Trainer(objective, RandomVectors(), adamw(objective), Constant(STEPS, 1e-2), (), checkpoints)


# --- a weight in a few bits whose step is learned ---------------------------------------------------


class LearnedStep(nn.Module):
    """A weight rounded to multiples of a step that learns too (LSQ; Esser et al., 2020, equations 1 to 3)."""

    def __init__(self, weight: Tensor, bits: int = 4):
        super().__init__()
        self.largest = 2 ** (bits - 1) - 1
        self.step = nn.Parameter(2 * weight.detach().abs().mean() / math.sqrt(self.largest))  # []

    def forward(self, weight: Tensor) -> Tensor:
        scaled = (weight / self.step).clamp(-self.largest - 1, self.largest)
        return (scaled + (scaled.round() - scaled).detach()) * self.step  # straight through


class LinearClassification(Objective):
    def __init__(self, linear: nn.Linear):
        super().__init__()
        self.linear = linear

    def forward(self, features: Tensor, labels: Tensor) -> dict[str, Term]:
        return answers(self.linear(features), labels)


def quantized(checkpoints: Checkpoints | None) -> Trainer:
    linear = nn.Linear(FEATURES, CLASSES)
    parametrize.register_parametrization(linear, "weight", LearnedStep(linear.weight))
    objective = LinearClassification(linear)
    return Trainer(objective, RandomVectors(), adamw(objective), Constant(STEPS, 1e-2), (), checkpoints)


# --- a mask over small weights, drawn anew on the way ----------------------------------------------


class Masked(nn.Module):
    """A weight times a mask."""

    def __init__(self, weight: Tensor):
        super().__init__()
        self.mask: Tensor
        self.register_buffer("mask", torch.ones_like(weight))

    def forward(self, weight: Tensor) -> Tensor:
        return weight * self.mask


class MagnitudePruning(Callback):
    """After every update a larger share of the weights is masked, the smallest (Zhu and Gupta, 2017)."""

    def __init__(self, weight: Any, share: float):
        self.weight, self.share = weight, share
        self.shares: list[float] = []

    def after_step(self, trainer: Trainer, measured: dict[str, float]) -> None:
        now = self.share * (1 - (1 - trainer.steps_done / STEPS) ** 3)
        size = self.weight.original.detach().abs()
        self.weight[0].mask.copy_(size > size.quantile(now))
        self.shares.append(now)

    def state_dict(self) -> dict[str, Tensor]:
        return {"shares": torch.tensor(self.shares, dtype=torch.float64)}

    def load_state_dict(self, state: dict[str, Tensor]) -> None:
        self.shares = state["shares"].tolist()


def pruned(checkpoints: Checkpoints | None) -> Trainer:
    linear = nn.Linear(FEATURES, CLASSES)
    parametrize.register_parametrization(linear, "weight", Masked(linear.weight))
    pruning = MagnitudePruning(dict(linear.named_modules())["parametrizations.weight"], share=0.5)
    objective = LinearClassification(linear)
    return Trainer(
        objective, RandomVectors(), adamw(objective), Constant(STEPS, 1e-2), [pruning], checkpoints
    )


# --- two widths of one network in a step ------------------------------------------------------------


class Elastic(Objective):
    """The whole network and its first half learn in the same step (Yu et al., 2019; Hou et al., 2020)."""

    def __init__(self, size: int = 8):
        super().__init__()
        self.inner, self.outer = nn.Linear(FEATURES, size), nn.Linear(size, CLASSES)
        self.widths = {"half": size // 2, "whole": size}

    def forward(self, features: Tensor, labels: Tensor) -> dict[str, Term]:
        terms: dict[str, Term] = {}
        for name, width in self.widths.items():
            hidden = F.gelu(F.linear(features, self.inner.weight[:width], self.inner.bias[:width]))  # [B, W]
            logits = F.linear(hidden, self.outer.weight[:, :width], self.outer.bias)
            terms |= {f"{name}_{what}": term for what, term in answers(logits, labels).items()}
        return terms


def elastic(checkpoints: Checkpoints | None) -> Trainer:
    objective = Elastic()
    optimizer = torch.optim.SGD(parameter_groups(objective), momentum=0.9)
    return Trainer(objective, RandomVectors(), optimizer, Trapezoid(0.1, 2, 4, 2), (), checkpoints)


# --- what holds for all of them -----------------------------------------------------------------------

RECIPES: dict[str, Callable[[Checkpoints | None], Trainer]] = {
    recipe.__name__: recipe for recipe in (thawing_classifier, student, quantized, pruned, elastic)
}


def new(recipe: str, checkpoints: Checkpoints | None = None) -> Trainer:
    torch.manual_seed(0)
    return RECIPES[recipe](checkpoints)


def state(trainer: Trainer) -> dict[str, Tensor]:
    """All that a trainer has learned and remembers."""
    return {
        **trainer.objective.state_dict(),
        **optimizer_state(trainer.optimizer, trainer.objective),
        **{name: tensor for callback in trainer.callbacks for name, tensor in callback.state_dict().items()},
    }


@pytest.mark.parametrize("recipe", RECIPES)
def test_what_was_stopped_goes_on_bit_for_bit(recipe: str, tmp_path: Path) -> None:
    whole = new(recipe)
    before = {name: tensor.clone() for name, tensor in whole.objective.state_dict().items()}
    for _ in range(STEPS):
        whole.step()
    new(recipe, Checkpoints(tmp_path, every=2)).train(until=3)
    again = new(recipe, Checkpoints(tmp_path, every=2, resume=True))
    with torch.no_grad():
        for tensor in again.objective.state_dict().values():
            tensor.fill_(9.0)  # what it starts from does not matter
    again.train(until=3)
    assert again.steps_done == len(read_log(tmp_path)) == 3  # no step was made
    again.train()
    ours, theirs = state(whole), state(again)
    assert ours.keys() == theirs.keys()
    assert all(torch.equal(ours[name], theirs[name]) for name in ours)
    assert [entry["step"] for entry in read_log(tmp_path)] == [1, 2, 3, 4, 5, 6]
    frozen = {name for name in before if torch.equal(before[name], ours[name])}
    assert frozen == {name for name in before if name.startswith(("teacher.", "model.bert.embeddings."))} | (
        {name for name in before if "encoder.layer.0." in name}
    )


def test_a_layer_learns_at_its_own_rate_and_only_once_it_is_thawed() -> None:
    trainer = new("thawing_classifier")
    assert {group[LR_FACTOR] for group in trainer.optimizer.param_groups} == {1.0, 0.5, 0.25, 0.125}
    for step in range(3):
        trainer.step()
        assert {group["lr"] for group in trainer.optimizer.param_groups} == {
            trainer.schedule(step) * group[LR_FACTOR] for group in trainer.optimizer.param_groups
        }
    learned = {name.partition("/")[0] for name in optimizer_state(trainer.optimizer, trainer.objective)}
    assert learned == {f"model.{part}.{what}" for part in ("classifier", "bert.pooler.dense")
                       for what in ("weight", "bias")}  # fmt: skip


def test_a_student_drops_out_and_its_teacher_does_not() -> None:
    trainer = new("student")
    trainer.step()
    dropouts = {
        name: part.training for name, part in trainer.objective.named_modules() if name.endswith(".2")
    }
    assert dropouts == {"student.2": True, "teacher.2": False}


def test_what_a_step_measures_is_the_mean_over_its_micro_batches() -> None:
    trainer = new("thawing_classifier")
    for module in trainer.objective.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
    batches = [RandomTexts()(number) for number in (0, 1)]  # of 4 rows and 5
    together = {name: torch.cat([batch[name] for batch in batches]) for name in batches[0]}
    with torch.no_grad():
        assert isinstance(trainer.objective, Classification)
        logits = trainer.objective.model(together["input_ids"]).logits
    expected = F.cross_entropy(logits, together["labels"]).item()
    measured = trainer.step()
    assert measured["cross_entropy"] == measured["loss"] == pytest.approx(expected, rel=1e-5)
    assert measured["rows"] == 9 and measured["step"] == trainer.steps_done == 1
    assert measured["right"] == pytest.approx((logits.argmax(-1) == together["labels"]).float().mean().item())


# --- what the loop refuses ------------------------------------------------------------------------------


def test_a_loss_that_is_not_finite_stops_the_run(tmp_path: Path) -> None:
    trainer = new("student", Checkpoints(tmp_path, every=2))
    trainer.step()
    broken = trainer.batches(1)
    broken["features"][0, 0] = math.nan
    trainer.batches = type("Broken", (), {"__call__": lambda _, number: broken, "fingerprint": None})()
    before = [parameter.clone() for parameter in trainer.objective.parameters()]
    with pytest.raises(ValueError, match=r"In step 2 the loss is nan .* try a lower learning rate"):
        trainer.train()
    assert all(map(torch.equal, before, trainer.objective.parameters()))
    assert not read_log(tmp_path)


class StopAfterTwo(Callback):
    def after_step(self, trainer: Trainer, measured: dict[str, float]) -> None:
        if trainer.steps_done == 2:
            raise KeyboardInterrupt


def test_a_stop_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """In a notebook too: IPython would show the whole way to the line that was running."""
    objective = Elastic()
    trainer = Trainer(objective, RandomVectors(), adamw(objective), Constant(STEPS, 1e-2), [StopAfterTwo()])
    with pytest.raises(Stopped, match=f"the training, after step 2 of {STEPS}") as stopped:
        trainer.train()
    shell = InteractiveShell.instance()
    shell.user_ns["stopped"] = stopped.value
    shell.run_cell("raise stopped")
    printed = capsys.readouterr().out
    assert "Traceback" not in printed and printed.startswith("Stopped: the training")


class Thaw(Callback):
    def before_step(self, trainer: Trainer) -> None:
        trainer.objective.requires_grad_(True)


def test_what_is_thawed_and_not_the_optimizers_is_refused() -> None:
    objective = Elastic()
    objective.inner.requires_grad_(False)
    trainer = Trainer(objective, RandomVectors(), adamw(objective), Constant(STEPS, 1e-2), [Thaw()])
    with pytest.raises(ValueError, match=r"inner.weight is trainable, but the optimizer does not have it"):
        trainer.step()
    with pytest.raises(ValueError, match=r"inner.weight is trainable, but the optimizer does not have it"):
        Trainer(objective, RandomVectors(), trainer.optimizer, Constant(STEPS, 1e-2))


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (torch.tensor(1.0), r"Elastic\.forward returned a Tensor: return named terms"),
        ({"loss": Term(torch.tensor(1.0), "tokens")}, "by 'tokens', .* take one of rows, or count it"),
        ({"right": Term(torch.tensor(1.0), "rows")}, "The term 'right' has no gradient: give it weight 0"),
    ],
)
def test_what_is_no_term_is_refused(given: Any, sentence: str, monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = new("elastic")
    monkeypatch.setattr(trainer.objective, "forward", lambda **batch: given)
    with pytest.raises(ValueError, match=sentence):
        trainer.step()


def test_a_parameter_that_the_model_no_longer_has_is_refused() -> None:
    objective = LinearClassification(nn.Linear(FEATURES, CLASSES))
    optimizer = adamw(objective)
    objective.linear = nn.Linear(FEATURES, CLASSES).requires_grad_(False)
    with pytest.raises(ValueError, match="a parameter that is none of this LinearClassification's"):
        Trainer(objective, RandomVectors(), optimizer, Constant(STEPS, 1e-2))


def test_settings_that_cannot_be_are_refused() -> None:
    objective = Elastic()
    make = {"gradient_accumulation": 0}, {"clip": 0.0}, {"clip": math.nan}, {"precision": "fp16"}
    for settings, sentence in zip(make, ("cannot be shared by", "above 0", "above 0", "'bf16'"), strict=True):
        with pytest.raises(ValueError, match=sentence):
            Trainer(objective, RandomVectors(), adamw(objective), Constant(STEPS, 1e-2), **settings)  # type: ignore[arg-type]
    trainer = Trainer(objective, RandomVectors(), adamw(objective), Trapezoid(1e-2, warm=1))
    with pytest.raises(ValueError, match="no last step yet: say up to which"):
        trainer.train()
    trainer.train(until=2)
    with pytest.raises(ValueError, match="Step 7 is beyond the schedule's 6"):
        new("student").train(until=7)


def test_another_callback_or_optimizer_cannot_go_on(tmp_path: Path) -> None:
    new("pruned", Checkpoints(tmp_path)).train(until=1)
    again = new("pruned", Checkpoints(tmp_path, resume=True))
    again.callbacks = []
    with pytest.raises(ValueError, match=r"callbacks = \['MagnitudePruning'\], and this run has \[\]"):
        again.train()
    again = new("pruned", Checkpoints(tmp_path, resume=True))
    again.optimizer = adamw(again.objective, weight_decay=0.5)
    with pytest.raises(ValueError, match=r"optimizer.groups.1.weight_decay = 0.01, and this run has 0.5"):
        again.train()


# --- optimizers -------------------------------------------------------------------------------------------


def test_every_trainable_parameter_has_its_group() -> None:
    module = nn.Linear(4, 2)
    module.register_parameter("step", nn.Parameter(torch.tensor(0.1)))
    groups = parameter_groups(module)
    assert {(group["weight_decay"], len(group["params"])) for group in groups} == {(0.01, 1), (0.0, 2)}
    module.weight.requires_grad_(False)
    assert sum(len(group["params"]) for group in parameter_groups(module)) == 2
    with pytest.raises(ValueError, match="bias has the learning-rate factor nan: give a finite number"):
        parameter_groups(module, rate_of=lambda name, parameter: math.nan)
    with pytest.raises(ValueError, match="step has the learning-rate factor None: give a finite number"):
        parameter_groups(module, rate_of=lambda name, parameter: {"bias": 1.0}.get(name))  # type: ignore[arg-type,return-value]
    with pytest.raises(ValueError, match=r"bias has the weight decay -1.0"):
        parameter_groups(module, decay_of=lambda name, parameter: -1.0)
    with pytest.raises(ValueError, match="Nothing in this Linear is trainable"):
        parameter_groups(module.requires_grad_(False))


def test_an_optimizer_finds_its_memory_by_name() -> None:
    torch.manual_seed(0)
    first = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3))
    optimizer = adamw(first)
    first(torch.ones(1, 3)).sum().backward()
    optimizer.step()
    kept = optimizer_state(optimizer, first)
    other = adamw(first, rate_of=lambda name, parameter: float(name[0] == "1"))  # in other groups
    load_optimizer_state(other, first, kept)
    found = optimizer_state(other, first)
    assert found.keys() == kept.keys() and all(torch.equal(found[name], kept[name]) for name in kept)
    with pytest.raises(ValueError, match=r"The optimizer has no 7.weight"):
        load_optimizer_state(other, first, {"7.weight/step": torch.tensor(1.0)})


# --- schedules --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("schedule", "rates"),
    [
        (LinearDecay(8, peak=1.0, warmup=0.5), [0.25, 0.5, 0.75, 1, 1, 0.75, 0.5, 0.25]),
        (Constant(5, 2.0), [2, 2, 2, 2, 2]),
        (Constant(5, 2.0, warm=4), [0.5, 1, 1.5, 2, 2]),
        (Trapezoid(1.0, warm=2, decay_from=5, decay=4), [0.5, 1, 1, 1, 1, 1, 0.75, 0.5, 0.25]),
    ],
)
def test_a_rate_rises_stays_and_falls(schedule: Any, rates: list[float]) -> None:
    assert [schedule(step) for step in range(schedule.steps)] == pytest.approx(rates)


def test_a_trapezoid_without_a_top_is_a_triangle() -> None:
    line = Trapezoid(0.3, warm=6, decay_from=6, decay=94)
    assert [line(step) for step in range(100)] == [learning_rate(step, 100, 6, 0.3) for step in range(100)]


def test_the_end_of_a_trapezoid_is_decided_on_the_way(tmp_path: Path) -> None:
    def trainer(resume: bool, *end: int) -> Trainer:
        torch.manual_seed(0)
        objective = Elastic()
        schedule = Trapezoid(1e-2, 2, *end)
        return Trainer(
            objective, RandomVectors(), adamw(objective), schedule, (), Checkpoints(tmp_path, resume=resume)
        )

    trainer(False).train(until=4)
    with pytest.raises(ValueError, match=r"schedule\.decay = None, and this run has 2"):
        trainer(True, 3, 2).train()  # it would have begun already
    trainer(True, 4, 2).train()
    assert [entry["learning_rate"] for entry in read_log(tmp_path)] == [5e-3, 1e-2, 1e-2, 1e-2, 1e-2, 5e-3]
    with pytest.raises(ValueError, match=r"schedule\.decay = 2, and this run has 3"):
        trainer(True, 4, 3).train()


@pytest.mark.parametrize(
    "make",
    [
        lambda: LinearDecay(0),
        lambda: LinearDecay(10, 0.0),
        lambda: LinearDecay(10, math.nan),
        lambda: LinearDecay(10, math.inf),
        lambda: LinearDecay(10, warmup=1.5),
        lambda: Constant(10, -1.0),
        lambda: Trapezoid(math.inf, 1),
        lambda: Trapezoid(1.0, 5, 4, 3),
        lambda: Trapezoid(1.0, 5, 5, 0),
    ],
)
def test_a_schedule_that_cannot_be_is_refused(make: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match=r"give|begin the decay after"):
        make()
