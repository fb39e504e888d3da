"""Pretraining: masked words and pairs of texts, on one process or many, on a CPU or on GPUs.

What a step does is a pure function of the seed, the step and the chunk of the batch, so a run that was
killed goes on exactly where it stood, and two processes compute what one would. More than one process is the
business of Accelerate: start this module with `accelerate launch` or `torchrun`.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import torch
import torch.nn.functional as F
import typer
from accelerate import Accelerator
from torch import Tensor, nn
from tqdm import tqdm

from lib import command
from lib.bert import BertConfig, WordPieceTokenizer
from lib.bert.heads import BertForPreTraining
from lib.text import documents
from lib.text.masking import IGNORED, Masking, SpanMasking
from lib.text.packing import train_tokenizer
from lib.text.pair_rows import SHORTEST_ROW, PairRows
from lib.text.pair_tasks import NO_PAIRS, PAIR_TASKS, PairTask
from lib.text.pretraining_batches import PretrainingBatches
from lib.training import checkpoints
from lib.training.preparing import (
    check_early,
    named,
    pack_once,
    processes,
    refuse_other_pieces,
    refuse_overwriting,
    refuse_uneven,
    tokenizer_once,
)

LOG = "log.jsonl"


def learning_rate(step: int, steps: int, warm: int, peak: float) -> float:
    """The rate of a step, counted from 0: up to `peak` in `warm` equal strides, then down a line to 0.

    The first step has peak / warm. Steps warm - 1 and warm both have the peak; a step after the last would
    have 0.
    """
    return peak * min((step + 1) / warm, (steps - step) / max(1, steps - warm))


@dataclass(frozen=True)
class Schedule:
    """How long and how fast: AdamW with a linear warm-up and a linear decay to 0 (Devlin et al., 2019, A.2).

    chunks: batches of `PretrainingBatches` that make up one step, over all processes together.
    """

    steps: int
    chunks: int = 1
    learning_rate: float = 1e-3
    warmup: float = 0.1  # share of the steps
    weight_decay: float = 0.01
    clip: float = 1.0  # the gradient's norm is cut to this

    def __post_init__(self) -> None:
        if self.steps < 1 or self.chunks < 1:
            raise ValueError(f"{self.steps} steps of {self.chunks} chunks: give at least 1 of each.")
        if self.learning_rate <= 0 or not 0 <= self.warmup <= 1:
            raise ValueError(
                f"The learning rate is {self.learning_rate} and the warm-up {self.warmup}: give a rate above "
                "0 and a share of the steps from 0 to 1."
            )

    def rate(self, step: int) -> float:
        """The learning rate of a step, counted from 0."""
        warm = max(1, round(self.warmup * self.steps))
        return learning_rate(step, self.steps, warm, self.learning_rate)


class PretrainingSums(nn.Module):
    """A model under its losses: sums over the places that count, so that they can be added up over chunks."""

    def __init__(self, model: BertForPreTraining):
        super().__init__()
        self.model = model

    def forward(
        self, input_ids: Tensor, token_type_ids: Tensor, labels: Tensor, pair_labels: Tensor
    ) -> dict[str, Tensor]:
        """Sums over the chunk: `masked_lm` and `pair` (losses), `right` and `pairs_right` (answers).

        The decoder, the largest product of all, sees the chosen places only: [N, D] of [B, T, D].
        """
        output = self.model.bert(input_ids, token_type_ids=token_type_ids)
        chosen = labels != IGNORED  # [B, T]
        logits = self.model.cls.predictions(output.last_hidden_state[chosen]).float()  # [N, V]
        pair_logits = self.model.cls.seq_relationship(output.pooler_output).float()  # [B, C]
        return {
            "masked_lm": F.cross_entropy(logits, labels[chosen], reduction="sum"),
            "pair": F.cross_entropy(pair_logits, pair_labels, reduction="sum"),
            "right": (logits.argmax(-1) == labels[chosen]).sum(),
            "pairs_right": (pair_logits.argmax(-1) == pair_labels).sum(),
        }


def optimizer_of(model: nn.Module, schedule: Schedule) -> torch.optim.AdamW:
    """AdamW in one kernel; biases and norms, which are vectors, are not decayed."""
    matrices = [parameter for parameter in model.parameters() if parameter.dim() > 1]
    vectors = [parameter for parameter in model.parameters() if parameter.dim() == 1]
    groups = [
        {"params": matrices, "weight_decay": schedule.weight_decay},
        {"params": vectors, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=schedule.learning_rate, fused=True)


def has_bf16() -> bool:
    """Whether what the run computes on multiplies bfloat16 in hardware."""
    if processes().device.type == "cuda":
        return torch.cuda.is_bf16_supported(including_emulation=False)
    capabilities = torch.cpu.get_capabilities() if hasattr(torch.cpu, "get_capabilities") else {}
    return bool(capabilities.get("amx_bf16") or capabilities.get("avx512_bf16"))


class Run:
    """One pretraining run in a folder: `Run(...).train()`, or a part of it with `train(until=...)`."""

    def __init__(
        self,
        model: BertForPreTraining,
        batches: PretrainingBatches,
        schedule: Schedule,
        folder: str | Path,
        precision: str = "no",
        save_every: int = 500,
        resume: bool = False,
    ) -> None:
        self.batches, self.schedule, self.save_every = batches, schedule, save_every
        self.folder = Path(folder)
        processes()
        self.accelerator = Accelerator(mixed_precision=precision)
        refuse_uneven(schedule.chunks)
        self.model = model
        sums = PretrainingSums(model.train())
        self.sums, self.optimizer = self.accelerator.prepare(sums, optimizer_of(sums, schedule))
        self.step = 0
        self._begin(resume)

    @property
    def made_by(self) -> dict[str, Any]:
        """What the numbers of a run depend on: `checkpoints` compares it when a run goes on."""
        return {
            "schedule": asdict(self.schedule),
            "batches": self.batches.fingerprint,
            "config": self.model.config.to_dict(),
            "processes": self.accelerator.num_processes,
            "threads": torch.get_num_threads(),
            "torch": torch.__version__,
            "precision": self.accelerator.mixed_precision,
            "device": self.accelerator.device.type,
        }

    def train(self, until: int | None = None) -> None:
        """Go on to the last step, or to step `until`; weights are saved at the end and on the way."""
        last = self.schedule.steps if until is None else until
        bar = tqdm(total=last, initial=self.step, unit="step", disable=None if self._is_main else True)
        started = time.perf_counter()
        while self.step < last:
            measured = self.one_step()
            seconds = time.perf_counter() - started
            self._write_log(measured | {"seconds": round(seconds, 3)})
            started = time.perf_counter()
            bar.set_postfix(
                loss=f"{measured['masked_lm']:.3f}", right=f"{measured['right']:.3f}", refresh=False
            )
            bar.update()
            if self.step % self.save_every == 0 or self.step == last:
                self.save()
        bar.close()

    def one_step(self) -> dict[str, float]:
        """One update of the weights. Returns the means over the whole batch, before the update."""
        numbers = self._chunks()
        chunks = [self.batches(number) for number in numbers]
        counted = [[(chunk["labels"] != IGNORED).sum(), chunk["labels"].numel()] for chunk in chunks]
        chosen, tokens = self._sum(torch.tensor(counted).float().sum(0))  # of all chunks of all processes
        chosen = chosen.clamp(min=1)  # where nothing at all is hidden, the loss is 0 and not 0 / 0
        pairs = self.schedule.chunks * self.batches.rows.batch_size
        total: dict[str, Tensor] = {}
        for place, (number, chunk) in enumerate(zip(numbers, chunks, strict=True)):
            torch.manual_seed(_seed(self.batches.rows.seed, number))  # dropout
            chunk = {name: tensor.to(self.accelerator.device) for name, tensor in chunk.items()}
            is_last = place == len(chunks) - 1  # only then do processes exchange their gradients
            with nullcontext() if is_last else self.accelerator.no_sync(self.sums):
                with self.accelerator.autocast():
                    sums = self.sums(**chunk)
                loss = sums["masked_lm"] / chosen + self._pair_weight * sums["pair"] / pairs
                # gradients are averaged over processes, and here they are to be added
                self.accelerator.backward(loss * self.accelerator.num_processes)
            total = {name: total.get(name, 0) + value.detach().float() for name, value in sums.items()}
        rate = self.schedule.rate(self.step)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        norm = self.accelerator.clip_grad_norm_(self.sums.parameters(), self.schedule.clip)
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.step += 1
        summed = {name: float(self._sum(value)) for name, value in total.items()}
        return {
            "step": self.step,
            "masked_lm": summed["masked_lm"] / float(chosen),
            "right": summed["right"] / float(chosen),
            "pair": summed["pair"] / pairs,
            "pairs_right": summed["pairs_right"] / pairs,
            "gradient_norm": float(norm),
            "learning_rate": rate,
            "tokens": int(tokens),
        }

    def save(self) -> None:
        """A checkpoint to resume from, and the weights as a model folder."""
        if not self._is_main:
            return
        tensors = {"model": self.model.state_dict(), "optimizer": self._memory()}
        # a tied tensor is stored once
        del (
            tensors["model"]["cls.predictions.decoder.weight"],
            tensors["model"]["cls.predictions.decoder.bias"],
        )
        self.model.save_pretrained(self.folder)
        self.batches.rows.tokenizer.save_pretrained(self.folder)
        # the checkpoint comes last: a run that is killed in between makes these steps, and the files, again
        checkpoints.save(self.folder / "checkpoints", self.step, tensors, self.made_by)

    def _begin(self, resume: bool) -> None:
        """Start at step 0 in a new folder, or where the newest checkpoint stands."""
        refuse_overwriting(self.folder, resume)
        if found := checkpoints.newest(self.folder / "checkpoints", self.made_by):
            self.step, tensors = found
            self.model.load_state_dict(tensors["model"], strict=False)
            self._remember(tensors["optimizer"])
        steps = self.accelerator.gather(torch.tensor([self.step], device=self.accelerator.device))
        if steps.unique().numel() > 1:
            raise ValueError(
                f"Not all processes found the same checkpoint: {self.folder} has to be on a disk that all of "
                "their machines see."
            )
        if self._is_main:
            self._cut_log()

    @property
    def _is_main(self) -> bool:
        return bool(self.accelerator.is_main_process)

    @property
    def _pair_weight(self) -> float:
        return 0.0 if self.batches.rows.task == NO_PAIRS else 1.0

    def _chunks(self) -> list[int]:
        """The numbers of the chunks of this step that are this process's."""
        first = self.step * self.schedule.chunks
        rank, processes = self.accelerator.process_index, self.accelerator.num_processes
        return [first + chunk for chunk in range(rank, self.schedule.chunks, processes)]

    def _sum(self, value: Tensor) -> Tensor:
        """The sum over all processes."""
        return self.accelerator.reduce(value.to(self.accelerator.device), "sum")

    def _memory(self) -> dict[str, Tensor]:
        """What AdamW remembers of each parameter, by name."""
        names = {parameter: name for name, parameter in self.model.named_parameters()}
        return {
            f"{names[parameter]}/{key}": value
            for parameter, remembered in self.optimizer.state.items()
            for key, value in remembered.items()
        }

    def _remember(self, memory: dict[str, Tensor]) -> None:
        parameters = dict(self.model.named_parameters())
        for key, value in memory.items():
            name, _, what = key.rpartition("/")
            self.optimizer.state[parameters[name]][what] = value.to(parameters[name].device)

    def _write_log(self, measured: dict[str, float]) -> None:
        if self._is_main:
            self.folder.mkdir(parents=True, exist_ok=True)
            with (self.folder / LOG).open("a", encoding="utf-8") as file:
                file.write(json.dumps(measured) + "\n")

    def _cut_log(self) -> None:
        """Leave out what was logged after the checkpoint: those steps come again."""
        if (self.folder / LOG).is_file():
            entries = read_log(self.folder)
            kept = (json.dumps(entry) + "\n" for entry in entries if entry["step"] <= self.step)
            beside = self.folder / (LOG + ".new")
            beside.write_text("".join(kept), encoding="utf-8")
            os.replace(beside, self.folder / LOG)


def read_log(folder: str | Path) -> list[dict[str, float]]:
    """What a run wrote down, a record a step; a last line that a kill cut short is left out."""
    path = Path(folder) / LOG
    lines = path.read_text(encoding="utf-8").split("\n") if path.is_file() else []
    return [json.loads(line) for line in lines[:-1]]  # after the last line end there is nothing, or a part


def _seed(seed: int, chunk: int) -> int:
    return int(np.random.SeedSequence([seed, 2, chunk]).generate_state(1)[0])


def fit_pair_head(model: BertForPreTraining, task: PairTask) -> None:
    """Give the model as many classes for pairs as the task has; a new head is drawn at random."""
    if task.classes != model.cls.seq_relationship.out_features:
        model.config.id2label = {number: f"LABEL_{number}" for number in range(task.classes)}
        model.cls.seq_relationship = nn.Linear(model.config.hidden_size, task.classes)
        model.init_module(model.cls.seq_relationship)


def main(
    corpus: Annotated[
        list[str], typer.Option(help="a text file, a folder of them, or hub:NAME; may be given again")
    ],
    out: Annotated[Path, typer.Option(help="the run's folder: packed corpus, log, checkpoints, the model")],
    first: Annotated[int | None, typer.Option(help="read only so many documents of each corpus")] = None,
    vocabulary: Annotated[
        str,
        typer.Option(help="the tokenizer: a folder, minilm, pocket; without it the start's, or minilm"),
    ] = "",
    pieces: Annotated[
        int,
        typer.Option(min=0, help="learn a vocabulary of so many pieces from the corpus, into OUT/vocabulary"),
    ] = 0,
    start: Annotated[
        str, typer.Option("--start-from", help="start from this model's weights, not from random ones")
    ] = "",
    hidden_size: Annotated[int, typer.Option(help="of a new model")] = 384,
    layers: Annotated[int, typer.Option(help="of a new model")] = 6,
    heads: Annotated[int, typer.Option(help="of a new model")] = 12,
    dropout: Annotated[float, typer.Option(help="while pretraining; 0 suits a run of few epochs")] = 0.0,
    length: Annotated[int, typer.Option(min=SHORTEST_ROW, help="pieces in a row")] = 128,
    batch_size: Annotated[int, typer.Option(min=1, help="rows that a process reads at a time")] = 16,
    chunks: Annotated[int, typer.Option(min=1, help="batches in a step, over all processes")] = 8,
    steps: Annotated[int, typer.Option(min=1, help="updates of the weights")] = 1000,
    learning_rate: Annotated[float, typer.Option(help="at the end of the warm-up")] = 5e-4,
    warmup: Annotated[float, typer.Option(help="share of the steps")] = 0.06,
    objective: Annotated[
        Literal["none", "next", "order", "three-way"], typer.Option(help="of the pairs")
    ] = "next",
    mask_rate: Annotated[float, typer.Option(help="share of the pieces that is hidden")] = 0.15,
    mask: Annotated[float, typer.Option(help="share of the hidden that becomes [MASK]")] = 0.8,
    random: Annotated[float, typer.Option(help="share of the hidden that becomes another piece")] = 0.1,
    whole_words: Annotated[bool, typer.Option(help="hide whole words instead of pieces")] = False,
    spans: Annotated[bool, typer.Option(help="hide runs of 1 to 10 whole words")] = False,
    precision: Annotated[
        Literal["auto", "bf16", "no"], typer.Option(help="auto: bf16 where the hardware has it")
    ] = "auto",
    save_every: Annotated[int, typer.Option(min=1, help="steps from one checkpoint to the next")] = 200,
    seed: Annotated[int, typer.Option(help="of weights, order, masks and dropout")] = 0,
    resume: Annotated[bool, typer.Option(help="go on with the run in OUT, exactly where it stood")] = False,
) -> None:
    """Pretrain a BERT on plain or gzipped text: one paragraph a line, a blank line between documents.

    A data set of the hub is streamed, its pieces written to OUT as they come, two bytes each:
    --corpus hub:wikimedia/wikipedia:20231101.en --first 100000

    One process:  python -m lib.training.pretraining --corpus texts --out run

    Several GPUs: accelerate launch -m lib.training.pretraining --corpus texts --out run --chunks 8

    Two CPU processes: torchrun --nproc_per_node 2 -m lib.training.pretraining --corpus texts --out run

    A run that was killed: the same command and --resume.
    """
    masking = (SpanMasking if spans else Masking)(mask_rate, mask, random, whole_words)
    schedule = Schedule(steps, chunks, learning_rate, warmup)
    check_early(corpus, schedule.chunks, length, start, out, resume)
    torch.manual_seed(seed)

    def read() -> Iterable[list[str]]:
        return chain.from_iterable(islice(documents(place), first) for place in corpus)

    if pieces:
        source = {"pieces": pieces, "corpus": named(corpus)}
        tokenizer = tokenizer_once(out / "vocabulary", source, lambda: train_tokenizer(read(), pieces))
    else:
        tokenizer = WordPieceTokenizer.from_pretrained(vocabulary or start or "minilm")
    rates: dict[str, Any] = {"hidden_dropout_prob": dropout, "attention_probs_dropout_prob": dropout}
    if start:
        refuse_other_pieces(start, tokenizer)
        model = BertForPreTraining.from_pretrained(start, **rates)
    else:
        sizes: dict[str, Any] = {
            "hidden_size": hidden_size,
            "num_hidden_layers": layers,
            "num_attention_heads": heads,
        }
        config = BertConfig(vocab_size=len(tokenizer), intermediate_size=4 * hidden_size, **sizes, **rates)
        model = BertForPreTraining(config)
    task = PAIR_TASKS[objective]
    fit_pair_head(model, task)
    packed = pack_once(read(), tokenizer, out / "corpus", corpus, first=first)
    rows = PairRows(packed, tokenizer, length, batch_size, task, seed)
    chosen = ("bf16" if has_bf16() else "no") if precision == "auto" else precision
    run = Run(model, PretrainingBatches(rows, masking), schedule, out, chosen, save_every, resume)
    processes().print(
        f"{packed.card['tokens']:,} pieces, {rows.lost:.1%} of them in no window; precision {chosen}"
    )
    run.train()


if __name__ == "__main__":
    command.run(lambda: typer.run(main))
