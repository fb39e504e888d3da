"""`python course.py make pocket-bert`: its pieces, its corpora, its pretraining and its scores in one go.

Several processes are started on this module. What the recipe consists of is in `studies.pocket_bert`.
"""

from __future__ import annotations

from dataclasses import asdict

import torch
import typer

from lib import command
from lib.bert import WordPieceTokenizer
from lib.bert.heads import BertForPreTraining
from lib.records.inputs import digest_of_model, digests
from lib.text.packing import PackedCorpus
from lib.text.pretraining_batches import PretrainingBatches
from lib.training.checkpoints import read_log
from lib.training.devices import processes
from lib.training.options import with_options
from lib.training.preparing import validate_early, validate_pieces
from lib.training.pretraining import RowOptions, RunOptions, fit_pair_head, pretraining_trainer
from studies.pocket_bert import (
    FEW_SCORED,
    HeldOutCurve,
    RecipeOptions,
    TrapezoidOptions,
    curve,
    earlier,
    followed,
    held_out_scores,
    keep_start,
    start_of,
    write_run,
)


def main(recipe: RecipeOptions, rows: RowOptions, steps: TrapezoidOptions, run: RunOptions) -> None:
    """Make the pocket BERT: choose its pieces, pack the corpora, pretrain from MiniLM's weights, score it.

    Every fiftieth document is held out, and the scores are on those. OUT/half holds the model in half
    precision, OUT/record.json its curve and scores. The twin is the same command with --start-from random.

    To train on for days, give --decay-steps 0, and more --steps with --resume, as often as you like; then
    --decay-steps once, for the end.

    Example: `python course.py make pocket-bert --corpus texts --work work --out run`

    Several GPUs: accelerate launch -m tools.pocket_bert, and the same options

    Two CPU processes: torchrun --nproc_per_node 2 -m tools.pocket_bert, and the same options
    """
    longest = max(rows.length, steps.long_length if steps.last_share else 0)
    known = "minilm" if recipe.start == "random" else recipe.start
    validate_early(recipe.corpus, steps.gradient_accumulation, longest, known, run.checkpoints)
    keep_start(run.out, recipe.start, run.resume)
    tokenizer = recipe.tokenizer()
    if recipe.start not in ("minilm", "random"):
        validate_pieces(recipe.start, tokenizer)
    held_out_texts: list[list[str]] = []
    packed = recipe.packed(tokenizer, held_out_texts)
    cost = recipe.cost(tokenizer, held_out_texts)
    torch.manual_seed(0)
    model = start_of(recipe.start, list(tokenizer.vocab))
    fit_pair_head(model, rows.task)
    model.to(processes().device)
    held_out = PretrainingBatches(rows.pairs(packed["held out"], tokenizer, seed=0))
    scored = [held_out(number) for number in range(FEW_SCORED)]
    pretraining_trainer(
        model,
        run.prefetched(steps.batches(packed["train"], tokenizer, rows, run.seed)),
        steps.schedule(),
        run.checkpoints,
        [HeldOutCurve(model, scored, run.score_every, run.out / "held_out.jsonl")],
        compiled=run.compile,
        betas=(0.9, steps.second_beta),
        gradient_accumulation=steps.gradient_accumulation,
        precision=run.chosen_precision,
    ).train(until=steps.steps)
    if processes().is_main_process:
        model.half().float().eval()  # what is scored is what is stored
        scores = scores_of(model, tokenizer, packed, rows)
        model.half().save_pretrained(run.out / "half")
        tokenizer.save_pretrained(run.out / "half")
        record(recipe, rows, steps, run, packed, cost, scores)


def scores_of(
    model: BertForPreTraining,
    tokenizer: WordPieceTokenizer,
    packed: dict[str, PackedCorpus],
    rows: RowOptions,
) -> dict[str, dict[str, float]]:
    """What the model scores on each corpus that it was not trained on, said as it is known."""
    scores = {}
    for name in [name for name in packed if name != "train"]:
        scores[name] = held_out_scores(model, rows.pairs(packed[name], tokenizer, seed=0))
        typer.echo(f"{name}: " + ", ".join(f"{what} {value:.3f}" for what, value in scores[name].items()))
    return scores


def record(
    recipe: RecipeOptions,
    rows: RowOptions,
    steps: TrapezoidOptions,
    run: RunOptions,
    packed: dict[str, PackedCorpus],
    cost: dict[str, float],
    scores: dict[str, dict[str, float]],
) -> None:
    """Write OUT/record.json, which goes on where the run's start was a run: its curve, scores and seconds."""
    log, before = read_log(run.out), earlier(recipe.start)
    this = asdict(steps) | asdict(rows) | {"seed": run.seed, "scores": scores}
    result = {
        "start": before.get("start", recipe.start),
        "runs": [*before.get("runs", []), this],
        "length": rows.length,
        "tokens in the corpus": packed["train"].card["tokens"],
        "vocabulary": cost,
        "scores": scores,
        **followed(before, curve(log)),
        "fingerprints": {name: part.card["fingerprint"] for name, part in packed.items()},
    }
    seconds = sum(entry["seconds"] for entry in log) + before.get("seconds", 0.0)
    inputs = digests(["minilm"]) | (
        {} if result["start"] == "random" else {"pocket": digest_of_model(run.out / "half")}
    )
    write_run(run.out, run.seed, result, seconds, inputs)


if __name__ == "__main__":
    command.run(lambda: typer.run(with_options(main)))
