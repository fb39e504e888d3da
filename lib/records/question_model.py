"""A model that answers questions: MiniLM, fine-tuned on a part of SQuAD 1.1 and on the course's own passages.

    model = question_model()

The course's passages alone are too few to learn from, so this one comes with it, in data/minilm-squad:
the encoder and the head in half precision. The embeddings were frozen, so they are MiniLM's own and not
stored. The command makes it again: BERT_COURSE_DATA=FOLDER python course.py make question-model OUT
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

import torch
import typer
from safetensors.torch import load_file, save_file

from lib import command, root
from lib.bert import BertForQuestionAnswering, WordPieceTokenizer
from lib.files import replacing
from lib.records.inputs import public
from lib.text.tasks import own, read_public
from lib.training.finetuning import Recipe, fine_tune, fresh_model
from lib.training.freezing import freeze
from lib.training.task_kinds import SpanExtraction, Task

WEIGHTS = root / "data" / "minilm-squad" / "encoder_and_head.safetensors"
FROZEN = "bert.embeddings."
RECIPE = Recipe(epochs=3, batch_size=16, learning_rate=3e-4, max_length=256, precision="bf16")
SEED = 0


def question_model() -> BertForQuestionAnswering:
    """The model of data/minilm-squad, in float32 and in eval() mode."""
    model = BertForQuestionAnswering.from_pretrained("minilm")
    lacking = model.load_state_dict(load_file(WEIGHTS), strict=False)
    if lacking.unexpected_keys or any(not name.startswith(FROZEN) for name in lacking.missing_keys):
        raise ValueError(f"{WEIGHTS} does not fit MiniLM: take the course's own from git.")
    model.newly_initialized = ()  # the file has the head
    return model


def squad_in_part() -> Task:
    """The first articles of SQuAD's training set, and its dev set rebuilt from the pages of its authors."""
    train, test = (
        read_public("SQuAD 1.1", split, public(f"squad_v1.1/{file}.json"))
        for split, file in (("train", "train-prefix"), ("dev", "dev-rebuilt"))
    )
    return Task("SQuAD 1.1", SpanExtraction(math.inf), train, test)


def main(out: Annotated[Path, typer.Argument(help="the file to write")] = WEIGHTS) -> None:
    """Make the model of data/minilm-squad again: 40 minutes of one core that multiplies bfloat16.

    The environment's BERT_COURSE_DATA names the folder in which `squad_v1.1` lies.

    Example: `python course.py make question-model encoder_and_head.safetensors`
    """
    squad, tokenizer = squad_in_part(), WordPieceTokenizer.from_pretrained("minilm")
    task = Task(squad.name, squad.kind, [*squad.train, *own.passages("train")], squad.test)
    model = fresh_model(task, "minilm", SEED)
    freeze(model, "embeddings")
    result = fine_tune(model, tokenizer, task, RECIPE, seed=SEED)
    write(result.model.state_dict(), out)
    print(result.scores)


def write(state: dict[str, torch.Tensor], out: Path) -> None:
    """All but the embeddings, in half precision."""
    halved = {name: tensor.half() for name, tensor in state.items() if not name.startswith(FROZEN)}
    with replacing(out) as beside:
        save_file(halved, beside)


if __name__ == "__main__":
    command.run(lambda: typer.run(main))
