"""The training loop: one for pretraining, fine-tuning, distillation, quantization-aware training and pruning.

It knows nothing of a task. What is learned is an `Objective`, what it is learned from are `Batches`, what
happens besides is a `Callback`. What a step does is a pure function of the seed, the step and the number of
the micro-batch, so a run that was killed goes on exactly where it stood, and two processes compute what one
would. More than one process is the business of Accelerate: start a program with `accelerate launch` or
`torchrun`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch
from accelerate import Accelerator
from torch import Tensor, nn
from torch.optim import Optimizer
from tqdm import tqdm

from lib.command import Stopped
from lib.training.checkpoints import Checkpoints
from lib.training.devices import Precision, validate_even
from lib.training.optim import LR_FACTOR, load_optimizer_state, optimizer_state, validate_coverage
from lib.training.schedules import Schedule

Batch = dict[str, Tensor]

MEASURED = ("step", "loss", "gradient_norm", "learning_rate")  # in each step, beside terms and counts


class Term(NamedTuple):
    """A part of the loss, as a sum over one micro-batch; of weight 0 what is only reported, as accuracies.

    What counts is its mean over the whole step, over all micro-batches in all processes: the loss is the sum
    of `weight` times mean.
    """

    sum: Tensor  # []
    over: str  # what it is divided by: the name of one of the objective's counts
    weight: float = 1.0


class Objective(nn.Module):
    """What is learned: it owns all that is trained, and says how bad it is.

    `forward(**batch)` returns the named terms of one micro-batch, under other names than those of counts and
    of what `Trainer.step` adds. What a checkpoint holds is its state dict. Each step calls `train()`: what
    has to stay in eval() all the same, as a teacher without dropout, is put back by an override.
    """

    def counts(self, batch: Batch) -> dict[str, Tensor | int]:
        """What the terms are divided by, from the batch alone: `rows`, unless an objective says otherwise.

        It is asked before anything is computed, for a step divides by what all its micro-batches hold.
        """
        return {"rows": len(next(iter(batch.values())))}

    @property
    def fingerprint(self) -> Any:
        """All that the numbers depend on (JSON), compared when a run goes on: tensors and their shapes."""
        tensors = {name: list(tensor.shape) for name, tensor in self.state_dict().items()}
        return {"kind": type(self).__name__, "tensors": tensors}


class Batches(Protocol):
    """All batches that there are: a pure function of the number, from 0, always the same."""

    def __call__(self, number: int) -> Batch: ...

    @property
    def fingerprint(self) -> Any:
        """All that they depend on (JSON)."""


class Callback:
    """Something to be done around a step; what a callback does not need it leaves out.

    `state_dict` holds all that it has to find again when a run goes on.
    """

    shows_bar = False  # whether it shows how far the run is: then the trainer does not

    def before_step(self, trainer: Trainer) -> None:
        """Before the batches of a step are read; `trainer.steps_done` is its number, from 0."""

    def after_backward(self, trainer: Trainer) -> None:
        """When all gradients of the step are there and not yet clipped."""

    def after_step(self, trainer: Trainer, measured: dict[str, float]) -> None:
        """After the update, with what `Trainer.step` is about to return."""

    def before_save(self, trainer: Trainer) -> None:
        """Before a checkpoint is written, in the process that writes it."""

    def state_dict(self) -> dict[str, Tensor]:
        return {}

    def load_state_dict(self, state: dict[str, Tensor]) -> None:
        """Take over what `state_dict` gave."""

    @property
    def fingerprint(self) -> Any:
        """All that its doing depends on (JSON)."""
        return type(self).__name__


class Trainer:
    """Trains an objective: `train()` to the end, with a bar, a log and checkpoints, or `step()` by step.

    It trains where the objective's parameters are. A step reads `gradient_accumulation` micro-batches, over
    all processes together, and makes one update: the gradient's norm is cut to `clip`, each group of the
    optimizer gets the schedule's learning rate times its own factor (`lib.training.optim`). precision "bf16"
    computes the forward pass in autocast. `seed` is of what the objective itself draws, such as dropout.

    With several processes, what is frozen has to be so from the beginning to the end: gradients of the others
    alone are exchanged.
    """

    def __init__(
        self,
        objective: Objective,
        batches: Batches,
        optimizer: Optimizer,
        schedule: Schedule,
        callbacks: Sequence[Callback] = (),
        checkpoints: Checkpoints | None = None,
        *,
        gradient_accumulation: int = 1,
        clip: float = 1.0,
        precision: Precision = "no",
        seed: int = 0,
    ) -> None:
        validate_even(gradient_accumulation)
        validate_coverage(optimizer, objective)
        if precision not in ("no", "bf16"):
            raise ValueError(f"The precision is {precision!r}: give 'no', which is float32, or 'bf16'.")
        if not clip > 0:
            raise ValueError(f"The gradient's norm is cut to {clip}: give a number above 0, or math.inf.")
        self.objective, self.batches, self.optimizer = objective, batches, optimizer
        self.schedule, self.callbacks, self.checkpoints = schedule, callbacks, checkpoints
        self.gradient_accumulation, self.clip = gradient_accumulation, clip
        self.precision, self.seed = precision, seed
        self.steps_done = 0
        self.device = next(objective.parameters()).device
        # the objective is where it is, and autocast is ours: Accelerate would allow one precision a process
        self.accelerator = Accelerator(mixed_precision="no", device_placement=False)
        self._parallel = self.accelerator.prepare_model(objective)

    def train(self, until: int | None = None) -> None:
        """Go on to the schedule's last step, or to step `until`; with checkpoints, from the newest of them.

        ValueError where the folder of the checkpoints holds another run, or another process is in it.
        """
        last = self.schedule.steps if until is None else until
        if last is None:
            raise ValueError("The schedule has no last step yet: say up to which, train(until=...).")
        if self.schedule.steps is not None and last > self.schedule.steps:
            raise ValueError(f"Step {last} is beyond the schedule's {self.schedule.steps}: train that far.")
        with self._own_folder():
            self._go_on()
            shown = self._is_main and not any(callback.shows_bar for callback in self.callbacks)
            silent = None if shown else True  # None: silent where nobody looks at a terminal
            with tqdm(total=last, initial=self.steps_done, unit="step", disable=silent) as bar:
                try:
                    self._train(last, bar)
                except KeyboardInterrupt:
                    begins = "from its start" if self.checkpoints is None else "to go on where it was saved"
                    raise Stopped(
                        f"the training, after step {self.steps_done} of {last}. Run it again {begins}."
                    ) from None

    def _train(self, last: int, bar: Any) -> None:
        """The steps up to `last`, told by a bar."""
        while self.steps_done < last:
            started = time.perf_counter()
            measured = self.step()
            self._write_log(measured | {"seconds": round(time.perf_counter() - started, 3)})
            bar.set_postfix(loss=f"{measured['loss']:.3f}", refresh=False)
            bar.update()
            if self._is_due(last):
                self._save()

    def step(self) -> dict[str, float]:
        """One update of what is trained. Returns what was measured over the whole step, before the update.

        That is the mean of each term and each count, by name; `step` (from 1), `loss`, `gradient_norm` and
        `learning_rate`. ValueError where the loss or the norm is not finite: then no update is made.
        """
        for callback in self.callbacks:
            callback.before_step(self)
        validate_coverage(self.optimizer, self.objective)  # something may have been thawed
        self.objective.train()
        rate = self.schedule(self.steps_done)
        terms, counts = self._gradients()
        for callback in self.callbacks:
            callback.after_backward(self)
        norm = self.accelerator.clip_grad_norm_(self._parallel.parameters(), self.clip)
        means = {name: float(term.sum) / counts[term.over] for name, term in terms.items()}
        measured = {
            "step": self.steps_done + 1,
            **means,
            **counts,
            "loss": sum(term.weight * means[name] for name, term in terms.items()),
            "gradient_norm": float(norm),
            "learning_rate": rate,
        }
        self._validate_finite(measured)
        for group in self.optimizer.param_groups:
            group["lr"] = rate * group.get(LR_FACTOR, 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.steps_done += 1
        for callback in self.callbacks:
            callback.after_step(self, measured)
        return measured

    def fingerprint(self, steps: int) -> dict[str, Any]:
        """What the numbers of the first `steps` steps depend on (JSON), compared when a run goes on."""
        groups = [
            {key: value for key, value in group.items() if key not in ("params", "lr")}
            | {"parameters": len(group["params"])}
            for group in self.optimizer.param_groups
        ]
        return {
            "objective": self.objective.fingerprint,
            "batches": self.batches.fingerprint,
            "optimizer": {"kind": type(self.optimizer).__name__, "groups": groups},
            "schedule": self.schedule.fingerprint(steps),
            "callbacks": [callback.fingerprint for callback in self.callbacks],
            "gradient_accumulation": self.gradient_accumulation,
            "clip": self.clip,
            "seed": self.seed,
            "precision": self.precision,
            "processes": self.accelerator.num_processes,
            "threads": torch.get_num_threads(),
            "torch": torch.__version__,
            "device": self.device.type,
        }

    # --- a step -------------------------------------------------------------------------------------

    def _gradients(self) -> tuple[dict[str, Term], dict[str, float]]:
        """The gradients of a step, left in the parameters; its terms and counts, over all processes."""
        numbers = self._numbers()
        batches = [self.batches(number) for number in numbers]
        counts = self._global_counts(batches)
        terms: dict[str, Term] = {}
        for number, batch in zip(numbers, batches, strict=True):
            torch.manual_seed(_seed(self.seed, number))  # dropout, and whatever else the objective draws
            # only with the last one do processes exchange their gradients
            with nullcontext() if number == numbers[-1] else self.accelerator.no_sync(self._parallel):
                for name, term in self._backward(batch, counts).items():
                    before = terms[name].sum if name in terms else 0.0
                    terms[name] = term._replace(sum=before + term.sum.detach().float())
        sums = self._sum(torch.stack([term.sum for term in terms.values()]))
        summed = {name: term._replace(sum=sums[place]) for place, (name, term) in enumerate(terms.items())}
        return summed, {name: float(count) for name, count in counts.items()}

    def _backward(self, batch: Batch, counts: dict[str, Tensor]) -> dict[str, Term]:
        """Adds the gradients of one micro-batch; returns its terms."""
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.precision == "bf16"):
            terms: dict[str, Term] = self._parallel(
                **{name: tensor.to(self.device) for name, tensor in batch.items()}
            )
        self._validate_terms(terms, counts)
        # of weight 0 too: what lies behind such a loss gets a gradient of 0, in all processes alike
        parts = [term for term in terms.values() if term.sum.requires_grad]
        loss = torch.stack([term.weight * term.sum / counts[term.over] for term in parts]).sum()
        # gradients are averaged over processes, and here they are to be added
        (loss * self.accelerator.num_processes).backward()
        return terms

    def _global_counts(self, batches: Sequence[Batch]) -> dict[str, Tensor]:
        """What the terms of a step are divided by, over its micro-batches in all processes; at least 1."""
        counted = [self.objective.counts(batch) for batch in batches]
        here = [[float(count) for count in counts.values()] for counts in counted]
        total = self._sum(torch.tensor(here).sum(0))
        # where there is nothing to count, the mean is 0 and not 0 / 0
        return dict(zip(counted[0], total.clamp(min=1), strict=True))

    def _numbers(self) -> list[int]:
        """The numbers of the micro-batches of this step that are this process's."""
        first = self.steps_done * self.gradient_accumulation
        rank, processes = self.accelerator.process_index, self.accelerator.num_processes
        return [first + place for place in range(rank, self.gradient_accumulation, processes)]

    def _sum(self, value: Tensor) -> Tensor:
        """The sum over all processes."""
        return self.accelerator.reduce(value.to(self.device), "sum")

    def _validate_terms(self, terms: Any, counts: dict[str, Tensor]) -> None:
        if not isinstance(terms, dict):
            raise ValueError(
                f"{type(self.objective).__name__}.forward returned a {type(terms).__name__}: return named "
                'terms, such as {"cross_entropy": Term(loss.sum(), "rows")}.'
            )
        for name, term in terms.items():
            if term.over not in counts:
                raise ValueError(
                    f"The term {name!r} is divided by {term.over!r}, which is not counted: take one of "
                    f"{', '.join(counts)}, or count it in the objective's counts()."
                )
            if term.weight and not term.sum.requires_grad:
                raise ValueError(
                    f"The term {name!r} has no gradient: give it weight 0 if it is only reported, or let "
                    "some of what it depends on be trained."
                )
        if taken := terms.keys() & {*counts, *MEASURED}:
            raise ValueError(f"A step reports something else as {min(taken)!r}: give that term another name.")

    def _validate_finite(self, measured: dict[str, float]) -> None:
        if not (math.isfinite(measured["loss"]) and math.isfinite(measured["gradient_norm"])):
            raise ValueError(
                f"In step {measured['step']} the loss is {measured['loss']} and the gradient's norm "
                f"{measured['gradient_norm']}, so the weights were left as they were: try a lower learning "
                "rate, a longer warm-up, or full precision."
            )

    # --- a run and its folder -----------------------------------------------------------------------

    @property
    def _is_main(self) -> bool:
        return bool(self.accelerator.is_main_process)

    def _own_folder(self) -> AbstractContextManager[None]:
        """The run's folder to ourselves: one process holds the lock for all that share the run."""
        return self.checkpoints.locked() if self.checkpoints and self._is_main else nullcontext()

    def _go_on(self) -> None:
        """Take over the newest checkpoint, if it is further than we are."""
        if self.checkpoints is None:
            return
        if not self.steps_done:
            self.checkpoints.validate_start()
        checkpoint = self.checkpoints.newest(self.fingerprint)
        if checkpoint and checkpoint[0] > self.steps_done:
            self.steps_done, tensors = checkpoint
            self._load(tensors)
        steps = self.accelerator.gather(torch.tensor([self.steps_done], device=self.device))
        if steps.unique().numel() > 1:
            raise ValueError(
                f"Not all processes found the same checkpoint: {self.checkpoints.folder} has to be on a disk "
                "that all of their machines see."
            )
        if self._is_main:
            self.checkpoints.begin(self.steps_done)

    def _is_due(self, last: int) -> bool:
        every = self.checkpoints.every if self.checkpoints else 0
        return bool(every) and (self.steps_done % every == 0 or self.steps_done == last)

    def _write_log(self, measured: dict[str, float]) -> None:
        if self.checkpoints and self._is_main:
            self.checkpoints.write_log(measured)

    def _save(self) -> None:
        if not (self.checkpoints and self._is_main):
            return
        for callback in self.callbacks:
            callback.before_save(self)
        first_names = _first_names(self.objective)
        tensors = {
            "objective": {
                name: tensor
                for name, tensor in self.objective.state_dict().items()
                if first_names[name] == name  # a tied tensor is stored once
            },
            "optimizer": optimizer_state(self.optimizer, self.objective),
            "callbacks": {
                f"{place}/{name}": tensor
                for place, callback in enumerate(self.callbacks)
                for name, tensor in callback.state_dict().items()
            },
        }
        # after the callbacks: a run that is killed in between makes these steps, and their files, again
        self.checkpoints.save(self.steps_done, tensors, self.fingerprint(self.steps_done))

    def _load(self, tensors: dict[str, dict[str, Tensor]]) -> None:
        stored = tensors["objective"]
        first_names = _first_names(self.objective)
        self.objective.load_state_dict({name: stored[first] for name, first in first_names.items()})
        load_optimizer_state(self.optimizer, self.objective, tensors["optimizer"])
        for place, callback in enumerate(self.callbacks):
            prefix = f"{place}/"
            callback.load_state_dict(
                {
                    name.removeprefix(prefix): tensor
                    for name, tensor in tensors["callbacks"].items()
                    if name.startswith(prefix)
                }
            )


def _first_names(module: nn.Module) -> dict[str, str]:
    """For each name in the module's state dict the first one that the same tensor has."""
    first: dict[int, str] = {}
    tensors = module.state_dict(keep_vars=True)  # else each name would bring a tensor object of its own
    return {name: first.setdefault(id(tensor), name) for name, tensor in tensors.items()}


def _seed(seed: int, number: int) -> int:
    return int(np.random.SeedSequence([seed, 2, number]).generate_state(1)[0])
