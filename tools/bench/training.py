"""Measures pretraining on this machine: parts of `python course.py bench`, each a Markdown table."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from itertools import repeat
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor

from lib import root
from lib.analysis.cost.formulas import count_multiplications
from lib.analysis.cost.timing import median_of_pairs, seconds_of, spread
from lib.bert import BertConfig
from lib.bert.attention import SelfAttention
from lib.bert.heads import BertForPreTraining
from lib.text import documents
from lib.text.masking import IGNORED
from lib.training.devices import Precision, has_bf16
from lib.training.fitting import InMemory
from lib.training.loop import Batch, Trainer
from lib.training.optim import adamw
from lib.training.pretraining import PretrainingObjective
from lib.training.schedules import Constant
from tools.bench.tables import table

SIZES = [(4, 256), (6, 384)]  # layers, hidden size
ROWS, LENGTH = 16, 128
Step = Callable[[Batch], object]


def sgemm_peak() -> float:
    """The most float32 operations a second that a matrix product reaches here, over a few large sizes."""
    best = 0.0
    for size in (1024, 2048, 3072):
        first, second = torch.randn(size, size), torch.randn(size, size)
        seconds = min(seconds_of(lambda: first @ second) for _ in range(8))  # noqa: B023
        best = max(best, 2 * size**3 / seconds)
    return best


def operations(config: BertConfig, chosen: int) -> float:
    """Floating-point operations of one step on ROWS x LENGTH pieces whose decoder sees `chosen` places.

    Two for a multiply-add; forward, and twice as much backward.
    """
    encoder = ROWS * sum(count_multiplications(config, LENGTH).values())
    decoder = chosen * config.hidden_size * (config.hidden_size + config.vocab_size)
    return 3 * 2 * (encoder + decoder)


def config_of(layers: int, hidden_size: int, vocab_size: int) -> BertConfig:
    """A BERT of that size without dropout, with heads 32 wide."""
    return BertConfig(
        vocab_size=vocab_size, hidden_size=hidden_size, num_hidden_layers=layers,
        num_attention_heads=hidden_size // 32, intermediate_size=4 * hidden_size,
        hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
    )  # fmt: skip


def batch_of(vocab_size: int) -> Batch:
    """Random pieces, 15 % of them hidden: what is in them changes no time."""
    generator = torch.Generator().manual_seed(0)
    ids = torch.randint(5, vocab_size, (ROWS, LENGTH), generator=generator)
    hidden = torch.rand(ROWS, LENGTH, generator=generator) < 0.15
    return {
        "input_ids": ids.masked_fill(hidden, 4),
        "token_type_ids": torch.zeros_like(ids),
        "labels": ids.masked_fill(~hidden, IGNORED),
        "pair_labels": torch.zeros(ROWS, dtype=torch.long),
    }


def theirs(config: BertConfig) -> Step:
    """A step as `transformers` is mostly used: BertForMaskedLM, sdpa, `torch.optim.AdamW` as it comes."""
    from transformers import BertConfig as TheirConfig
    from transformers import BertForMaskedLM

    model = BertForMaskedLM(TheirConfig(**config.to_dict(), attn_implementation="sdpa")).train()
    return _stepping(
        lambda batch: model(batch["input_ids"], labels=batch["labels"]).loss,
        torch.optim.AdamW(model.parameters()),
    )


def every_place(config: BertConfig) -> Step:
    """Our model with a score for every piece at every place."""
    model = BertForPreTraining(config).train()

    def loss(batch: Batch) -> Tensor:
        logits = model.cls.predictions(model.bert(batch["input_ids"]).last_hidden_state)  # [B, T, V]
        return F.cross_entropy(logits.flatten(0, 1), batch["labels"].flatten(), ignore_index=IGNORED)

    return _stepping(loss, torch.optim.AdamW(model.parameters()))


def chosen_places(config: BertConfig) -> Step:
    """The decoder on the chosen places only."""
    objective = PretrainingObjective(BertForPreTraining(config).train())
    return _stepping(partial(loss_at_chosen, objective), torch.optim.AdamW(objective.parameters()))


def loss_at_chosen(objective: PretrainingObjective, batch: Batch) -> Tensor:
    """The mean over the hidden places, [], as the trainer's steps have it."""
    mean: Tensor = objective(**batch)["masked_lm"].sum / objective.counts(batch)["hidden"]
    return mean


def _trained(model: BertForPreTraining, precision: Precision = "no") -> Step:
    """A whole step of the trainer: AdamW in one kernel, the gradient's norm cut, everything measured."""
    objective = PretrainingObjective(model, pair_weight=0.0)
    batches = InMemory([batch_of(model.config.vocab_size)])
    trainer = Trainer(objective, batches, adamw(objective), Constant(10**6, 1e-3), precision=precision)
    return lambda batch: trainer.step()


def fused_optimizer(config: BertConfig) -> Step:
    """And AdamW in one kernel: what `lib.training.pretraining` does, by its trainer."""
    return _trained(BertForPreTraining(config))


class FusedProjections(SelfAttention):
    """Query, key and value in one product of three times the width, the same weights glued."""

    def forward(self, hidden: Tensor, mask: Tensor | None = None) -> Tensor:
        parts = (self.query, self.key, self.value)
        weight, bias = torch.cat([part.weight for part in parts]), torch.cat([part.bias for part in parts])
        rows, length, size = hidden.shape
        heads = F.linear(hidden, weight, bias).view(rows, length, 3, self.num_heads, -1)
        query, key, value = heads.permute(2, 0, 3, 1, 4)  # [B, H, T, K] each
        context = F.scaled_dot_product_attention(query, key, value, mask)
        return context.transpose(1, 2).reshape(rows, length, size)


def fused_projections(config: BertConfig) -> Step:
    """And query, key and value in one product."""
    model = BertForPreTraining(config).train()
    for module in model.modules():
        if isinstance(module, SelfAttention):
            module.__class__ = FusedProjections
    return _trained(model)


def compiled(config: BertConfig) -> Step:
    """The fused optimizer, and every layer through `torch.compile`, which needs a C++ compiler."""
    model = BertForPreTraining(config).train()
    for layer in model.bert.encoder.layer:
        layer.compile()
    return _trained(model)


def bfloat16(config: BertConfig) -> Step:
    """The trainer's step with products in bfloat16."""
    return _trained(BertForPreTraining(config), "bf16")


def _stepping(loss: Callable[[Batch], Tensor], optimizer: torch.optim.Optimizer) -> Step:
    def step(batch: Batch) -> None:
        loss(batch).backward()
        optimizer.step()
        optimizer.zero_grad()

    return step


def variants() -> dict[str, Callable[[BertConfig], Step]]:
    """What is tried, by name; what this machine cannot do is left out."""
    steps: dict[str, Callable[[BertConfig], Step]] = {
        "every place decoded": every_place,
        "chosen places decoded": chosen_places,
        "and AdamW fused": fused_optimizer,
        "and projections fused": fused_projections,
    }
    if shutil.which("g++") or shutil.which("clang++"):
        steps["AdamW fused, layers compiled"] = compiled
    return steps


def pretraining() -> str:
    """Pieces a second beside `transformers`, same batches in turn; what each step bought; the share of sgemm.

    With 9,000 pieces, the pocket BERT's vocabulary, and, for what we do, with BERT's 30,522. Where the
    hardware multiplies bfloat16, a second table has it beside the same `transformers` in float32.
    """
    peak = sgemm_peak()
    exact = [(9000, name, make) for name, make in variants().items()]
    exact.append((30522, "and AdamW fused", fused_optimizer))
    rounded = [(size, "bfloat16", bfloat16) for size in (9000, 30522)] if has_bf16() else []
    header = ["ours, a batch of 16 × 128", "pieces/s", "transformers", "times as fast", "share of sgemm"]
    tables = [
        table(header, [_compared(layers, size, *tried, peak) for layers, size in SIZES for tried in kind])
        for kind in (exact, rounded)
        if kind
    ]
    return "\n\n".join([*tables, f"The measured sgemm peak: {peak / 1e9:.0f} GFLOP/s."])


def _compared(
    layers: int, hidden_size: int, vocab_size: int, name: str, make: Callable[[BertConfig], Step], peak: float
) -> list[str]:
    """The row of one variant."""
    config, batch = config_of(layers, hidden_size, vocab_size), batch_of(vocab_size)
    ours, other = make(config), theirs(config)
    measured = median_of_pairs(lambda: other(batch), lambda: ours(batch), pairs=7)
    seconds, ratio = measured.second.median, measured.ratio
    places = ROWS * LENGTH if make is every_place else int((batch["labels"] != IGNORED).sum())
    return [
        f"{layers} × {hidden_size}, {vocab_size:,} pieces: {name}",
        f"{ROWS * LENGTH / seconds:,.0f}",
        f"{ROWS * LENGTH / measured.first.median:,.0f}",
        f"{ratio.median:.2f} ({ratio.lower:.2f} to {ratio.upper:.2f})",
        f"{operations(config, places) / seconds / peak:.2f}",
    ]


READER = """
import resource, sys
from lib.text import documents
read = sum(len(paragraph) for document in documents(sys.argv[1]) for paragraph in document)
print(read, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def corpus() -> str:
    """The memory of the corpus reader, over texts of 1 MB to 1 GB: the reader's texts, again and again."""
    text = "\n\n".join("\n".join(document) for document in documents(root / "data" / "reader")) + "\n\n"
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for size in (10**6, 10**8, 10**9):
            path = Path(folder, "text.txt")
            with path.open("w", encoding="utf-8") as file:
                file.writelines(repeat(text, max(1, size // len(text))))
            start = time.perf_counter()
            done = subprocess.run(
                [sys.executable, "-c", READER, str(path)], capture_output=True, text=True, check=True
            )
            read, peak = map(int, done.stdout.split())
            seconds = time.perf_counter() - start
            rows.append([f"{read / 1e6:,.0f} million characters", f"{peak / 1e3:,.0f}", f"{seconds:.1f}"])
    return table(["a corpus read", "peak memory, MB", "s, with Python's start"], rows)


def first_step(data: Path) -> str:
    """Seconds from the start of the command to the end of step 1, on our texts and on those of `data`.

    The first time the command packs the corpus; after that it opens what it packed.
    """
    rows = []
    for name, place in (("data/reader", root / "data" / "reader"), (data.name, data)):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder, "run")
            command = [sys.executable, "-m", "tools.pretrain", "--steps", "1"]
            command += ["--corpus", str(place), "--out", str(out)]
            run = partial(subprocess.run, command, check=True, capture_output=True)
            packing = seconds_of(run)
            again = []
            for _ in range(3):
                shutil.rmtree(out / "checkpoints")  # as if there had been no step yet
                (out / "log.jsonl").unlink()
                again.append(seconds_of(run))
        rows.append([name, f"{packing:.1f}", f"{spread(again).median:.1f}"])
    return table(["from start to the end of step 1, s", "corpus packed first", "packed already"], rows)
