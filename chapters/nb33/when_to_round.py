"""When to round: the stack of notebook 33 with few or many of its 225 steps before the rounding.

`recorded.ROUNDED_AFTER` holds what this prints, headlines right of 720, in some ten minutes on two cores:

    python -m chapters.nb33.when_to_round
"""

from __future__ import annotations

import copy
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from chapters.nb33 import compressing, earlier
from lib.bert import BertForSequenceClassification, WordPieceTokenizer
from lib.compression import floppy
from lib.compression.distillation.students import with_vocabulary
from lib.compression.quantizers.model import halve_rest, quantize_weights
from lib.records import teachers
from lib.text.tasks import own

STEPS, RATE = 225, 5e-4
LAYERS, SHARE, BITS, WORD_BITS = 3, 0.25, 2, 3
WHOLE = (0, 75, 150, 225)  # steps before the rounding
ORDERS = (0, 1, 2)  # seeds: that of the notebook, and two more

Batches = Sequence[dict[str, Tensor]]


def learn(student: BertForSequenceClassification, batches: Batches, answers: Sequence[Tensor],
          steps: int, order_of: int) -> None:  # fmt: skip
    """The function of section 3, with a seed."""
    optimizer = torch.optim.AdamW(student.parameters(), lr=RATE)
    torch.manual_seed(order_of)
    order = torch.randperm(len(batches)).tolist()
    student.train()
    for step in range(steps):
        number = order[step % len(order)]
        loss = F.cross_entropy(student(**batches[number]).logits, answers[number])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        optimizer.param_groups[0]["lr"] = RATE * (1 - (step + 1) / steps)
    student.eval()


def prepared() -> tuple[BertForSequenceClassification, WordPieceTokenizer, Batches, list[Tensor]]:
    """The small student before any lesson, its tokenizer, and the teacher's answers, as sections 1 and 3
    make them."""
    teacher = teachers.load_teacher("headlines")
    task = teachers.task_named("headlines")
    theirs = WordPieceTokenizer.from_pretrained("minilm")
    texts = [example.first for example in task.train] + own.unlabeled("headlines")[:1000]
    pieces = compressing.smaller(theirs, {piece for text in texts for piece in theirs.tokenize(text)})
    model: Any = with_vocabulary(teacher.model, theirs, pieces)
    texts.sort(key=len)
    batches = [pieces(texts[start : start + 16], max_length=32) for start in range(0, len(texts), 16)]
    with torch.no_grad():
        answers = [model(**batch).logits.softmax(dim=1) for batch in batches]
    sorted_model = earlier.sorted_by_importance(model, task.train[::17], pieces)
    return earlier.cut(sorted_model, LAYERS, SHARE), pieces, batches, answers


def main() -> None:
    """Print for each number of steps before the rounding what comes out of the file, order by order."""
    torch.set_num_threads(1)
    small, pieces, batches, answers = prepared()
    examples = teachers.task_named("headlines").test
    with tempfile.TemporaryDirectory() as folder:
        for whole in WHOLE:
            right = []
            for order_of in ORDERS:
                student = copy.deepcopy(small)
                learn(student, batches, answers, whole, order_of)
                quantize_weights(student, BITS, compressing.matrices(student), scheme="spread")
                quantize_weights(student, WORD_BITS, [compressing.WORDS], groups=1, scheme="spread")
                learn(student, batches, answers, STEPS - whole, order_of)
                halve_rest(student)
                disk = floppy.Floppy(own.CATEGORIES, pieces, model=student)
                _, percent = compressing.from_the_file(disk, Path(folder, "alone.zip"), examples)
                right.append(round(percent * len(examples) / 100))
            print(f"    {whole}: {tuple(right)},", flush=True)


if __name__ == "__main__":
    main()
