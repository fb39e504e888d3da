"""What earlier notebooks built, a model's answer and new heads (00, 14), and the stories by their kind."""

import math
from typing import Literal

import torch

from chapters.nb15.drawings import HeadShape
from lib.analysis.prediction import question_answering
from lib.bert import BertForQuestionAnswering, WordPieceTokenizer
from lib.text.tasks import ChoiceExample, TaskBatches, own
from lib.training import finetuning, known_tasks

#: the course's task of each head, what its softmax runs over, and what the head reads
HEADS = {
    "class": ("reviews", "classes", "[CLS], pooler"),
    "grade": ("graded_pairs", "", "[CLS], pooler"),
    "tags": ("entities", "tags", "every token"),
    "span": ("passages", "tokens", "every token"),
    "choice": ("stories", "choices", "[CLS], pooler"),
}


def ask(model: BertForQuestionAnswering, question: str, text: str) -> str:
    """Notebook 00: the words of a text that a model marks; section 2 takes apart how."""
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    return question_answering.answer(model, tokenizer, question, text).text


def two_kinds_of_stories(split: Literal["train", "test"]) -> dict[str, list[ChoiceExample]]:
    """The honest stories, then those with a planted cue; data/tasks/stories says how both were written."""
    return {"first kind": own.stories(split, "honest"), "second kind": own.stories(split, "cue")}


def new_heads() -> list[HeadShape]:
    """Notebook 14: the published encoder with a new head for each task, and its loss on three examples."""
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    heads = []
    for name, (data, things, reads) in HEADS.items():
        task = known_tasks.load_task(data)
        model = finetuning.fresh_model(task, "minilm", seed=0).eval()
        rows = task.kind.rows(task.train[:3], tokenizer, 256)
        batch = TaskBatches(rows, tokenizer.pad_token_id, 3, seed=None)(0)
        with torch.inference_mode():
            output = model(**batch)  # logits, and the mean loss of the three
        logits = (*output.start_logits.shape, 2) if name == "span" else tuple(output.logits.shape)
        over = logits[1] if name in ("span", "choice") else logits[-1]
        note = f"over {over} {things}; a guess: {math.log(over):.2f}" if things else "a squared difference"
        weights = tuple([*model.parameters()][-2].shape)
        heads.append(HeadShape(name, reads, weights, logits, note, output.loss.item()))
    return heads
