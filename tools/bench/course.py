"""What `python course.py bench` measures of the model, the exercises, the notebooks and the texts."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from lib.analysis.attention import parses
from lib.analysis.cost.timing import PeakMemory, median_of_pairs, seconds_of, spread
from lib.text import analogies, answer_analogies, nearest_to_third, score_analogies
from lib.text import vectors as word_vectors
from tools.bench.tables import compared, milliseconds, table

BATCHES = [(32, 32), (16, 64), (4, 512)]  # texts in a batch, pieces in a text


def speed() -> str:
    """Our BERT beside that of `transformers`, same weights, same batches: six layers, 384 wide.

    Forward: no gradients, dropout off. Forward and backward: as in training, dropout on. The second half of
    each batch is padded, from half of its length or later, as batches of real text are.
    """
    from transformers import BertConfig as TheirConfig
    from transformers import BertModel as TheirModel

    from lib.bert import BertConfig, BertModel

    size: dict[str, Any] = {
        "vocab_size": 30522,
        "hidden_size": 384,
        "num_hidden_layers": 6,
        "num_attention_heads": 12,
        "intermediate_size": 1536,
    }
    ours = BertModel(BertConfig(**size))
    theirs = TheirModel(TheirConfig(**size, attn_implementation="sdpa"))
    ours.load_state_dict(theirs.state_dict())

    def forward(model: torch.nn.Module, batch: dict[str, torch.Tensor]) -> None:
        with torch.no_grad():
            model(**batch)

    def forward_backward(model: torch.nn.Module, batch: dict[str, torch.Tensor]) -> None:
        model(**batch).last_hidden_state.square().mean().backward()
        model.zero_grad()

    rows = []
    for texts, length in BATCHES:
        generator = torch.Generator().manual_seed(texts)
        input_ids = torch.randint(1000, 30522, (texts, length), generator=generator)
        lengths = torch.full((texts, 1), length)
        lengths[texts // 2 :] = torch.randint(
            length // 2, length + 1, (texts - texts // 2, 1), generator=generator
        )
        batch = {"input_ids": input_ids, "attention_mask": (torch.arange(length) < lengths).long()}
        for name, run, training in (
            ("forward", forward, False),
            ("forward and backward", forward_backward, True),
        ):
            ours.train(training)
            theirs.train(training)
            measured = median_of_pairs(lambda: run(ours, batch), lambda: run(theirs, batch))  # noqa: B023
            rows.append([f"{name}, {texts} × {length}", *compared(measured)])
    return table(["batch × length", "ours, ms", "transformers, ms", "ours / transformers"], rows)


def imports() -> str:
    """What `import lib.bert` costs in a fresh process, over `import torch` alone."""

    def start(code: str) -> Callable[[], object]:
        return lambda: subprocess.run([sys.executable, "-P", "-c", code], check=True)

    nothing = spread([seconds_of(start("pass")) for _ in range(5)]).median
    measured = median_of_pairs(start("import torch, lib.bert"), start("import torch"), pairs=9)
    torch_alone = measured.second.median
    rows = [
        ["import torch", f"{torch_alone - nothing:.2f}"],
        ["import lib.bert, over that", f"{(measured.ratio.median - 1) * torch_alone:.2f}"],
    ]
    return table(["in a fresh process", "s"], rows)


def check() -> str:
    """The check of one exercise, on a right answer."""
    from lib import exercises
    from lib.bert.attention import scaled_dot_product_attention

    exercise = exercises.get("scaled_dot_product_attention")

    def run() -> None:
        assert exercise.check(scaled_dot_product_attention).passed

    first = seconds_of(run)
    later = spread([seconds_of(run) for _ in range(15)])
    rows = [["the first in a process", f"{1e3 * first:.1f}"], ["a later one", milliseconds(later)]]
    return table(['check("scaled_dot_product_attention", ...)', "ms"], rows)


def notebooks() -> str:
    """Each notebook's solved edition, run from a fresh kernel: seconds, its budget, and peak memory."""
    import nbformat

    from lib.exercises import registry
    from tools import copies, editions
    from tools.testing import budgets

    rows, allowed = [], budgets()
    for path in copies.every_notebook():
        book = editions.solve(nbformat.read(path, as_version=4), registry.course())
        with PeakMemory() as peak:
            start = time.perf_counter()
            editions.run(book, path.name, strict=True)
            seconds = time.perf_counter() - start
        disk = path.stat().st_size
        memory = f"{peak.bytes / 1e9:.2f}"
        rows.append([path.stem, f"{seconds:.1f}", f"{allowed[path.stem]:.1f}", memory, f"{disk / 1e6:.2f}"])
    return table(["notebook", "s", "s in budgets.toml", "peak memory, GB", "on disk, MB"], rows)


def wordpiece(text: Path) -> str:
    """Our WordPiece beside that of `transformers`, line by line through a corpus."""
    from transformers import AutoTokenizer

    from lib.bert import WordPieceTokenizer
    from lib.bert.checkpoint import resolve_checkpoint

    ours = WordPieceTokenizer.from_pretrained("minilm")
    theirs = AutoTokenizer.from_pretrained(resolve_checkpoint("minilm"), model_max_length=10**9)
    lines = text.read_text(encoding="utf-8").split("\n")  # splitlines would cut at rarer characters too
    start = time.perf_counter()
    our_ids = [ours.encode(line) for line in lines]
    middle = time.perf_counter()
    their_ids = [theirs.encode(line) for line in lines]
    end = time.perf_counter()
    differing = sum(one != other for one, other in zip(our_ids, their_ids, strict=True))
    moved = sum(
        ours.offsets(line) != theirs(line, return_offsets_mapping=True)["offset_mapping"] for line in lines
    )
    rows = [
        ["lines", f"{len(lines):,}"],
        ["ids", f"{sum(map(len, our_ids)):,}"],
        ["lines whose ids differ", f"{differing:,}"],
        ["lines whose offsets differ", f"{moved:,}"],
        ["ours, s", f"{middle - start:.2f}"],
        ["transformers, s", f"{end - middle:.2f}"],
    ]
    return table([f"WordPiece on {text.parent.name}/{text.name}", ""], rows)


def objects(treebank: Path) -> str:
    """One head of MiniLM as a finder of direct objects, beside an offset and beside random weights."""
    start = time.perf_counter()
    minilm = parses.objects_of_minilm(treebank)
    random = [parses.objects_of_random_weights(treebank, seed)["accuracy"] for seed in range(3)]
    layer, head = minilm["head"]
    direct, others = minilm["obj"], minilm["obl"]
    rows = [
        ["direct objects", f"{direct['links']:,}"],
        [f"MiniLM, layer {layer} head {head} (from 0), chosen on dev", f"{direct['accuracy']:.1%}"],
        [f"best fixed offset, {minilm['offset']:+}, chosen on dev", f"{direct['offset']:.1%}"],
        ["random weights, best of 72 heads on test, 3 seeds", f"{min(random):.1%} to {max(random):.1%}"],
        ["the last verb before the object, by gold tags", f"{direct['last verb before']:.1%}"],
        [
            f"the head on the {direct['standing before']} objects before their verb",
            f"{direct['accuracy standing before']:.1%}",
        ],
        [f"the head on {others['links']:,} words linked by a preposition (obl)", f"{others['accuracy']:.1%}"],
        ["the last verb before those", f"{others['last verb before']:.1%}"],
        ["s", f"{time.perf_counter() - start:.0f}"],
    ]
    return table(["an object looks most at its verb: UD English EWT, test", ""], rows)


def vectors() -> str:
    """How many analogies the course's word vectors answer, by kind, and what a guesser would get."""
    learned, questions = word_vectors(), analogies()
    answers = (
        answer_analogies(learned, questions),
        answer_analogies(learned, questions, excluding=False),
        nearest_to_third(learned, questions),
    )
    shares = [score_analogies(questions, words) for words in answers]
    rows = [[kind, *(f"{share[kind]:.0%}" for share in shares)] for kind in shares[0]]
    right = [
        sum(answer == question.answer for answer, question in zip(words, questions, strict=True))
        for words in answers
    ]
    rows.append([f"right of {len(questions)}", *map(str, right)])
    return table(
        ["analogies", "question's words excluded", "nothing excluded", "nearest to the third word"], rows
    )
