"""The bet of notebook 23 with further seeds: no lesson, a map that ends with 6, and one that doesn't.

`recorded.FURTHER` holds what this prints, headlines right of 720, in some three minutes on one core:

    python -m chapters.nb23.further_seeds
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from chapters.nb23.earlier import answers_loss
from lib.bert import BertForSequenceClassification, WordPieceTokenizer
from lib.compression.distillation import students
from lib.records import teachers
from lib.text.tasks import own
from lib.training import known_tasks
from lib.training.labeled_texts import accuracy

SEEDS = (3, 4, 5)
LESSONS = {"0,0": (0, 0), "0,6": (0, 6), "0,2": (0, 2)}


def lesson_of(taught_by: tuple[int, ...], mine: Any, theirs: Any, real: Tensor) -> Tensor | float:
    """The function of section 4."""
    loss: Tensor | float = 0.0
    for place, layer in enumerate(taught_by, start=1):
        if layer > 0:
            state = mine.hidden_states[place][real]
            goal = theirs.hidden_states[layer][real]
            loss = loss + (2 - 2 * F.cosine_similarity(state, goal, dim=-1)).mean()
    return loss


def teach_all(
    teacher: BertForSequenceClassification,
    lessons: Mapping[str, tuple[int, ...]],
    seed: int,
    steps: int = 100,
) -> dict[str, BertForSequenceClassification]:
    """The function of section 4: students that share first weights and batches, one for each lesson."""
    pieces = WordPieceTokenizer.from_pretrained("minilm")
    texts = own.unlabeled("headlines")
    pupils = {}
    for name in lessons:
        student = students.new_layers(teacher, 2, seed).train()
        weights = [weight for weight in student.parameters() if weight.requires_grad]
        pupils[name] = student, torch.optim.AdamW(weights, lr=5e-4)
    torch.manual_seed(seed)
    shuffled = torch.randperm(len(texts))
    for rows in shuffled[: 16 * steps].split(16):
        batch = pieces([texts[int(row)] for row in rows])
        real = batch["attention_mask"].bool()
        with torch.no_grad():
            theirs = teacher(**batch, output_hidden_states=True)
        for name, (student, optimizer) in pupils.items():
            mine = student(**batch, output_hidden_states=True)
            loss = answers_loss(mine.logits, theirs.logits)
            loss = loss + lesson_of(lessons[name], mine, theirs, real)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return {name: student.eval() for name, (student, _) in pupils.items()}


def main() -> None:
    """Print seed by seed how many of the test headlines each student sorts right."""
    torch.set_num_threads(1)
    teacher: Any = teachers.load_teacher("headlines").model.eval()
    examples = known_tasks.load_task("headlines").test
    for seed in SEEDS:
        taught = teach_all(teacher, LESSONS, seed)
        right = {name: round(accuracy(one, examples) * len(examples)) for name, one in taught.items()}
        print(f"    {seed}: {right},", flush=True)


if __name__ == "__main__":
    main()
