"""Exercises: each proven both ways, and checks that survive whatever they are given."""

from __future__ import annotations

import ast
import inspect
import json
import linecache
import math
import multiprocessing
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
import pytest
import torch
from sabotage.hand_ins import CHECK, NAME, RIGHT, SABOTAGED
from torch import Tensor, nn

from lib import exercises, root
from lib.bert import BertConfig, attention
from lib.bert.attention import SelfAttention
from lib.exercises import blank, compare, notebook, processes, registry, sandbox
from lib.exercises.inside import load_weights
from lib.exercises.mistakes import source_of
from lib.exercises.report import Report
from lib.exercises.solutions import runnable_source
from lib.exercises.spec import Exercise, Invariant, Mistake
from lib.exercises.stages import STAGES, Stage
from lib.exercises.trials import Trials
from tools import editions

EVERY = exercises.all()
BY_CODE = [exercise for exercise in EVERY if exercise.by_code]


def said(capsys: pytest.CaptureFixture[str]) -> str:
    """What was printed since last time, its lines joined: where they break is for the page alone."""
    return " ".join(capsys.readouterr().out.split())


@cache
def prepared(exercise: Exercise) -> Trials:
    """The cases of an exercise, prepared once for all tests, its wrong versions with them."""
    return exercise.prepare()


def here(exercise: Exercise, candidate: Any) -> Report:
    """Judge without a process of its own: quicker, and as good for an answer that behaves."""
    return exercise.judge(candidate, prepared(exercise))


def names(value: Any) -> str:
    return getattr(value, "name", "")


def called(value: Any) -> str:
    """A name for a parameter that is the same in every worker."""
    return getattr(value, "__name__", None) or (value if isinstance(value, str) else type(value).__name__)


# --- every exercise of the course -----------------------------------------------------------------


@pytest.mark.parametrize("exercise", EVERY, ids=names)
def test_the_reference_passes(exercise: Exercise) -> None:
    report = exercise.check(exercise.reference if exercise.by_code else exercise.expected())
    assert report.passed, str(report)
    assert report.mistake is None
    assert report.status == "passed"


@pytest.mark.parametrize("exercise", EVERY, ids=names)
def test_a_wrong_version_fails_with_its_own_message(exercise: Exercise) -> None:
    for mistake in exercise.mistakes:
        for version in examples(exercise, mistake):
            report = here(exercise, version)
            assert not report.passed, mistake.name
            assert (report.mistake, report.message) == (mistake.name, mistake.says)


def examples(exercise: Exercise, mistake: Mistake) -> Iterator[Any]:
    """Answers that make a mistake; each variant that an edit has in a right version written otherwise too."""
    if not exercise.by_code:
        example = mistake.wrong if mistake.example is None else mistake.example
        yield example() if callable(example) else example
        return
    shown = mistake if mistake.example is None else Mistake(mistake.name, "", mistake.example)
    yield from shown.versions(exercise.reference, exercise.alike)


@pytest.mark.parametrize("exercise", EVERY, ids=names)
def test_mistakes_can_be_told_apart(exercise: Exercise) -> None:
    said = {(mistake.name, mistake.says) for mistake in exercise.mistakes}
    assert len(said) == len({name for name, _ in said}) == len({says for _, says in said})
    for mistake in exercise.mistakes:
        predicate = callable(mistake.wrong) if not exercise.by_code else mistake.wrong is None
        assert not predicate or mistake.example is not None, f"{mistake.name} needs an example"


@pytest.mark.parametrize("exercise", EVERY, ids=names)
def test_an_exercise_is_complete(exercise: Exercise) -> None:
    assert exercise.mistakes
    assert len(exercise.hints) == 3
    assert exercise.notebook[:2].isdigit()
    if exercise.by_code:
        assert exercise.reference.__name__ == exercise.name
        module = exercise.reference.__module__
        assert module.startswith(("lib.", "chapters.")) and not module.startswith("lib.exercises")
        assert module != registry.names()[exercise.name]  # no check loads its answer


IN_FILES = [exercise for exercise in EVERY if registry.names()[exercise.name].endswith(f".{exercise.name}")]


@cache
def exercise_cells(notebook: str) -> dict[str, tuple[str, ast.stmt]]:
    """What the exercise cells of a notebook define, by name: the cell's source and the statement."""
    book = nbformat.read(root / "notebooks" / f"{notebook}.ipynb", as_version=4)
    cells = [cell.source for cell in book.cells if "exercise" in cell.metadata.get("tags", [])]
    return {
        name: (source, statement)
        for source in cells
        for statement in ast.parse(source).body
        for name in editions.bound_names(statement)
    }


def parameters(node: Any) -> dict[str, list[tuple[str, str]]]:
    """The names and defaults of what a function takes, or each method of a class that a learner writes."""
    if isinstance(node, ast.ClassDef):
        return {m.name: parameters(m)[m.name] for m in node.body if isinstance(m, ast.FunctionDef)}
    arguments = node.args
    named = [*arguments.posonlyargs, *arguments.args]
    blank_ones = [""] * (len(named) - len(arguments.defaults))
    defaults = [*blank_ones, *map(ast.unparse, arguments.defaults)]
    return {node.name: list(zip((one.arg for one in named), defaults, strict=True))}


@pytest.mark.parametrize("exercise", IN_FILES, ids=names)
def test_the_stub_asks_for_what_the_reference_is(exercise: Exercise) -> None:
    source, statement = exercise_cells(exercise.notebook)[exercise.name]
    minutes = f"{exercise.minutes} minute{'s' * (exercise.minutes != 1)}"
    assert f"Difficulty {exercise.difficulty} of 3, {minutes}" in " ".join(source.split())
    if exercise.by_code:
        asked = parameters(statement)
        given = parameters(ast.parse(source_of(exercise.reference)).body[0])
        for name, stub in asked.items():  # what the reference can do besides has a default
            assert stub == given[name][: len(stub)]
            assert all(default for _, default in given[name][len(stub) :])


@pytest.mark.parametrize("exercise", EVERY, ids=names)
def test_nothing_written_is_blank(exercise: Exercise) -> None:
    assert here(exercise, ...).status == "blank"
    assert here(exercise, None).status == "blank"


@pytest.mark.parametrize("exercise", [e for e in EVERY if not e.by_code], ids=names)
def test_a_solution_of_a_value_is_right_and_a_wrong_value_does_not_show_it(
    exercise: Exercise,
) -> None:
    space: dict[str, Any] = {}
    exec(runnable_source(exercise), space)
    assert here(exercise, space[exercise.name]).passed
    for odd in ("?", 987654, [], {}, [[1]], object(), torch.ones(2)):
        report = here(exercise, odd)
        assert not report.passed
        assert report.status == "failed"
        assert exercise.answer not in str(report) or not exercise.answer


@pytest.mark.parametrize("exercise", BY_CODE, ids=names)
def test_what_is_no_function_gets_a_sentence(exercise: Exercise) -> None:
    for odd in (3, "text", [1], torch.ones(2)):
        assert "what was given is" in here(exercise, odd).message


# --- attention: every right answer, however written -----------------------------------------------


def by_hand(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Any:
    scores = torch.matmul(query, key.transpose(-2, -1)) / query.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), -1e9)
    powers = (scores - scores.amax(-1, keepdim=True)).exp()
    weights = powers / powers.sum(-1, keepdim=True)
    return weights @ value, weights


def with_einsum(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Any:
    scores = torch.einsum("...td,...sd->...ts", query, key).div(query.size(-1) ** 0.5)
    if mask is not None:
        scores = scores + (1.0 - mask.to(scores.dtype)) * torch.finfo(scores.dtype).min / 2
    weights = nn.functional.softmax(scores, -1)
    return [torch.einsum("...ts,...sv->...tv", weights, value), weights]


def scaled_beforehand(q: Tensor, k: Tensor, v: Tensor, m: Tensor | None = None) -> Any:
    scores = (q / q.size(-1) ** 0.5) @ k.mT
    weights = (scores if m is None else torch.where(m, scores, -torch.inf)).softmax(-1)
    weights = weights if m is None else weights * m + 1e-9 * ~m
    return weights @ v, weights


def all_arguments(*given: Any, **named: Any) -> Any:
    return by_hand(*given, **named)


class Callable_:
    def __call__(self, query: Tensor, key: Tensor, value: Tensor, mask: Any = None) -> Any:
        return by_hand(query, key, value, mask)


@pytest.mark.parametrize(
    "answer", [by_hand, with_einsum, scaled_beforehand, all_arguments, Callable_()], ids=called
)
def test_every_right_attention_passes(answer: Callable[..., Any]) -> None:
    report = exercises.get(NAME).check(answer)
    assert report.passed, str(report)


def into_place(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Any:
    query /= query.size(-1) ** 0.5
    return by_hand(query * query.size(-1) ** 0.5, key, value, mask)


def without_gradient(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Any:
    with torch.no_grad():
        return by_hand(query, key, value, mask)


def half_a_gradient(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Any:
    _, weights = by_hand(query, key, value, mask)
    return weights.detach() @ value, weights


def no_gradient_where_masked(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Any:
    scores = query @ key.mT / query.size(-1) ** 0.5
    if mask is not None:
        scores = scores.detach().masked_fill(~mask, -torch.inf)
    weights = scores.softmax(-1)
    return weights @ value, weights


def forgets_to_return(query: Tensor, key: Tensor, value: Tensor, mask: Any = None) -> Any:
    by_hand(query, key, value, mask)


def in_single_precision(query: Tensor, key: Tensor, value: Tensor, mask: Any = None) -> Any:
    return tuple(part.float() for part in by_hand(query, key, value, mask))


def on_two_dimensions(query: Tensor, key: Tensor, value: Tensor, mask: Any = None) -> Any:
    return by_hand(query.flatten(0, -2), key.flatten(0, -2), value.flatten(0, -2), None)


def takes_too_little(query: Tensor, key: Tensor) -> Any:
    return query @ key.mT


def doubled(query: Tensor, key: Tensor, value: Tensor, mask: Any = None) -> Any:
    output, weights = by_hand(query, key, value, mask)
    return 2 * output, weights


@pytest.mark.parametrize(
    ("answer", "says", "mistake"),
    [
        (into_place, "changes its argument `query`", "changes_input"),
        (without_gradient, "no gradient flows back to `query`", "no_gradient"),
        (half_a_gradient, "part of the way is cut", "wrong_gradient"),
        (no_gradient_where_masked, "no gradient flows back to `query`", "no_gradient"),
        (forgets_to_return, "Is a `return` missing", "returns_nothing"),
        (in_single_precision, "dtype torch.float64", "wrong_dtype"),
        (on_two_dimensions, "should have the shape", None),
        (takes_too_little, "will be called as", None),
        (doubled, "Right: weights. `output` is the right one times 2", "factor"),
        ("attention", "should be a function", None),
    ],
    ids=called,
)
def test_a_wrong_attention_is_told_why(answer: Any, says: str, mistake: str | None) -> None:
    report = exercises.get(NAME).check(answer)
    assert not report.passed
    assert says in report.message
    assert report.mistake == mistake


def test_expected_stands_beside_yours() -> None:
    report = exercises.get(NAME).check(doubled)
    assert "Called with query [3, 4]" in report.details
    assert "expected" in report.details
    assert "yours" in report.details
    assert "largest difference" in report.details


def test_of_lists_both_are_shown_and_what_they_break_comes_first() -> None:
    exercise = exercises.get("wordpiece")
    report = here(exercise, lambda word, vocab, unk_token="[UNK]": [])
    assert report.mistake in {invariant.name for invariant in exercise.invariants}
    report = here(exercise, lambda word, vocab, unk_token="[UNK]": ["?"] * 3)
    assert "expected: [" in report.details
    assert "yours:    ['?', '?', '?']" in report.details


def test_of_dicts_the_entries_are_named() -> None:
    exercise = exercises.get("count_parameters")
    report = here(exercise, lambda config: exercise.reference(config) | {"attention": 1, "feed-forward": 2})
    assert "Right: embeddings, pooler. These differ: attention, feed-forward." in report.message


def test_small_dicts_are_shown_whole() -> None:
    assert compare.shapes({"vocab": {"a": 0, "##b": 1}}) == "vocab {'a': 0, '##b': 1}"
    assert compare.shapes({"state": {"w": torch.ones(2, 3)}}) == "state {'w': [2, 3]}"
    assert compare.shapes({"state": dict.fromkeys(range(9))}) == "state a dict of 9"


def test_an_exception_is_cut_to_the_learners_lines() -> None:
    def wrong(query: Tensor, key: Tensor, value: Tensor, mask: Any = None) -> Any:
        return query @ value @ value

    report = exercises.get(NAME).check(wrong)
    assert report.status == "error"
    assert "return query @ value @ value" in report.message
    assert "RuntimeError" in report.message
    assert os.path.join("lib", "exercises") not in str(report) and "chapters" not in str(report)


# --- part 1: every right answer, however written --------------------------------------------------


def with_a_flag(token: str, vocab: Any, unk_token: str = "[UNK]") -> Any:
    start, pieces = 0, []
    while start < len(token):
        end, current = len(token), None
        while start < end:
            piece = ("##" if start else "") + token[start:end]
            if piece in vocab:
                current = piece
                break
            end -= 1
        if current is None:
            return [unk_token]
        pieces.append(current)
        start = end
    return pieces


def with_recursion(word: str, vocab: Any, unk_token: str = "[UNK]") -> Any:
    def cut(rest: str, mark: str) -> list[str] | None:
        for end in range(len(rest), 0, -1):
            if mark + rest[:end] in vocab:
                more = cut(rest[end:], "##") if rest[end:] else []
                return None if more is None else [mark + rest[:end], *more]
        return None

    return cut(word, "") or [unk_token]


def eating_the_word(word: str, vocab: Any, unk_token: str = "[UNK]") -> Any:
    pieces = []
    while word not in ("", "##"):
        end = next((n for n in range(len(word), 0, -1) if word[:n] in vocab and word[:n] != "##"), 0)
        if not end:
            return [unk_token]
        pieces.append(word[:end])
        word = "##" + word[end:]
    return tuple(pieces)


def over_the_vocabulary(word: str, vocab: Any, unk_token: str = "[UNK]") -> Any:
    pieces: list[str] = []
    written = ""
    while written != word:
        mark = "##" if written else ""
        fits = [piece for piece in vocab if (mark + word[len(written) :]).startswith(piece)]
        fits = [piece for piece in fits if piece.startswith("##") == bool(mark) and piece != "##"]
        if not fits:
            return [unk_token]
        pieces.append(max(fits, key=len))
        written += pieces[-1].removeprefix(mark)
    return pieces


def with_exp(length: int, hidden_size: int) -> Tensor:
    table = torch.zeros(length, hidden_size)
    position = torch.arange(0, length, dtype=torch.float).unsqueeze(1)
    speed = torch.exp(torch.arange(0, hidden_size, 2).float() * -(math.log(10000.0) / hidden_size))
    table[:, 0::2] = torch.sin(position * speed)
    table[:, 1::2] = torch.cos(position * speed)
    return table


def number_by_number(length: int, size: int) -> Tensor:
    turns = (math.sin, math.cos)
    rows = range(length)
    return torch.tensor([[turns[k % 2](p / 10000 ** (k // 2 * 2 / size)) for k in range(size)] for p in rows])


def with_stack(length: int, hidden_size: int) -> Tensor:
    pair = torch.arange(hidden_size // 2)
    angle = torch.outer(torch.arange(length).float(), 10_000 ** (-2 * pair / hidden_size))
    return torch.stack((angle.sin(), angle.cos()), dim=2).reshape(length, hidden_size)


def with_a_phase(length: int, hidden_size: int) -> Tensor:
    odd = torch.arange(hidden_size) % 2
    power = torch.pow(10_000.0, (torch.arange(hidden_size) - odd) / hidden_size)
    return torch.sin(torch.arange(length)[:, None] / power + odd * math.pi / 2)


def slice_by_slice(hidden: Tensor, num_heads: int) -> Tensor:
    size = hidden.shape[2] // num_heads
    heads = hidden.new_empty(hidden.shape[0], num_heads, hidden.shape[1], size)
    for h in range(num_heads):
        heads[:, h] = hidden[..., h * size : (h + 1) * size]
    return heads


def with_the_square(h: Tensor, w: Tensor, b: Tensor, eps: float = 1e-12) -> Tensor:
    mean = h.mean(-1).unsqueeze(-1)
    return torch.addcmul(b, w, (h - mean) * torch.rsqrt((h**2).mean(-1, True) - mean**2 + eps))


def with_var_mean(h: Tensor, w: Tensor, b: Tensor, eps: float = 1e-12) -> Tensor:
    variance, mean = torch.var_mean(h, dim=-1, correction=0, keepdim=True)
    return (h - mean) / (variance + eps).sqrt() * w + b


def with_sums(h: Tensor, w: Tensor, b: Tensor, eps: float = 1e-12) -> Tensor:
    centered = h - h.sum(-1, keepdim=True) / h.shape[-1]
    return b + w * centered * (centered.square().sum(-1, keepdim=True) / h.shape[-1] + eps) ** -0.5


def text_by_text(hidden: Tensor, attention_mask: Tensor) -> Tensor:
    rows = zip(hidden, attention_mask, strict=True)
    return torch.stack([text[mask > 0].mean(dim=0) for text, mask in rows])


def with_zeros_and_a_count(hidden: Tensor, attention_mask: Tensor) -> Tensor:
    total = hidden.masked_fill((attention_mask == 0).unsqueeze(-1), 0).sum(1)
    return total / attention_mask.sum(-1).unsqueeze(-1)


class FromParts(nn.Module):
    """A layer of the parts that its notebook gives."""

    def __init__(self, config: BertConfig):
        super().__init__()
        size, wide, eps = config.hidden_size, config.intermediate_size, config.layer_norm_eps
        output = {"dense": nn.Linear(size, size), "LayerNorm": nn.LayerNorm(size, eps=eps)}
        self.attention = nn.ModuleDict({"self": SelfAttention(config), "output": nn.ModuleDict(output)})
        self.intermediate = nn.ModuleDict({"dense": nn.Linear(size, wide)})
        self.output = nn.ModuleDict(
            {"dense": nn.Linear(wide, size), "LayerNorm": nn.LayerNorm(size, eps=eps)}
        )
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, hidden: Tensor, mask: Tensor | None = None) -> Tensor:
        attention: Any = self.attention
        update = attention["output"]["dense"](attention["self"](hidden, mask))
        hidden = attention["output"]["LayerNorm"](hidden + self.dropout(update))
        update = self.output["dense"](nn.functional.gelu(self.intermediate["dense"](hidden)))
        return self.output["LayerNorm"](hidden + self.dropout(update))


class OwnSelf(nn.Module):
    def __init__(self, size: int, heads: int, rate: float):
        super().__init__()
        self.heads = heads
        self.rate = rate
        self.query, self.key, self.value = (nn.Linear(size, size) for _ in range(3))

    def forward(self, hidden: Tensor, mask: Tensor | None) -> Tensor:
        query, key, value = (
            project(hidden).unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for project in (self.query, self.key, self.value)
        )
        _, weights = by_hand(query, key, value, mask)
        weights = nn.functional.dropout(weights, self.rate, self.training)
        return (weights @ value).transpose(1, 2).flatten(2)


class OwnHalf(nn.Module):
    def __init__(self, wide: int, size: int, eps: float, rate: float):
        super().__init__()
        self.dense = nn.Linear(wide, size)
        self.LayerNorm = nn.LayerNorm(size, eps)
        self.rate = rate

    def forward(self, update: Tensor, hidden: Tensor) -> Tensor:
        return self.LayerNorm(nn.functional.dropout(self.dense(update), self.rate, self.training) + hidden)


class FromOwnModules(nn.Module):
    """A layer with modules of its own, attention included; dropout as a function."""

    def __init__(self, config: BertConfig):
        super().__init__()
        size, wide, rate = config.hidden_size, config.intermediate_size, config.hidden_dropout_prob
        own = OwnSelf(size, config.num_attention_heads, config.attention_probs_dropout_prob)
        half = OwnHalf(size, size, config.layer_norm_eps, rate)
        self.attention = nn.ModuleDict({"self": own, "output": half})
        self.intermediate = nn.ModuleDict({"dense": nn.Linear(size, wide)})
        self.output = OwnHalf(wide, size, config.layer_norm_eps, rate)

    def forward(self, hidden: Tensor, mask: Tensor | None = None) -> Tensor:
        hidden = self.attention["output"](self.attention["self"](hidden, mask), hidden)
        return self.output(nn.functional.gelu(self.intermediate["dense"](hidden)), hidden)


class WithTablesAsModules(nn.Module):
    """The input, each table looked up by a module, types of 0 made by hand."""

    def __init__(self, config: BertConfig):
        super().__init__()
        size = config.hidden_size
        self.word_embeddings = nn.Embedding(config.vocab_size, size)
        self.position_embeddings = nn.Embedding(config.max_position_embeddings, size)
        self.token_type_embeddings = nn.Embedding(config.type_vocab_size, size)
        self.LayerNorm = nn.LayerNorm(size, config.layer_norm_eps)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, input_ids: Tensor, token_type_ids: Tensor | None = None) -> Tensor:
        if token_type_ids is None:
            token_type_ids = input_ids * 0
        places = self.position_embeddings(torch.arange(input_ids.shape[1]))
        total = self.token_type_embeddings(token_type_ids) + places + self.word_embeddings(input_ids)
        return self.dropout(self.LayerNorm(total))


class WithWeights(WithTablesAsModules):
    """The same by indexing the tables."""

    def forward(self, input_ids: Tensor, token_type_ids: Tensor | None = None) -> Tensor:
        texts, length = input_ids.shape
        total = self.word_embeddings.weight[input_ids]
        total = total + self.position_embeddings.weight.narrow(0, 0, length).expand(texts, -1, -1)
        types = self.token_type_embeddings.weight
        total = total + (types[0] if token_type_ids is None else types[token_type_ids])
        norm = self.LayerNorm
        total = nn.functional.layer_norm(total, total.shape[-1:], norm.weight, norm.bias, norm.eps)
        return nn.functional.dropout(total, self.dropout.p, self.training)


def piece_by_piece(first: Any, second: Any, vocab: Any) -> Any:
    ids, token_types = [vocab["[CLS]"]], [0]
    for number, text in enumerate([first] if second is None else [first, second]):
        for piece in [*text, "[SEP]"]:
            ids.append(vocab[piece])
            token_types.append(number)
    return ids, token_types


def counted_afterwards(first: Any, second: Any, vocab: Any) -> Any:
    tokens = ["[CLS]"] + list(first) + ["[SEP]"]  # noqa: RUF005
    length = len(tokens)
    tokens = tokens + list(second or []) + ["[SEP]"] if second else tokens
    return list(map(vocab.get, tokens)), [int(at >= length) for at in range(len(tokens))]


class HeadWithNames(nn.Module):
    """The stub of the masked-LM head, one step a line."""

    def __init__(self, config: Any, word_embeddings: nn.Embedding) -> None:
        super().__init__()
        size = config.hidden_size
        norm = nn.LayerNorm(size, eps=config.layer_norm_eps)
        self.transform = nn.ModuleDict({"dense": nn.Linear(size, size), "LayerNorm": norm})
        self.decoder = nn.Linear(size, config.vocab_size)
        self.decoder.weight = word_embeddings.weight

    def forward(self, hidden: Tensor) -> Tensor:
        x = self.transform["dense"](hidden)
        x = nn.functional.gelu(x)
        return self.decoder(self.transform["LayerNorm"](x))


class HeadWithProducts(HeadWithNames):
    def forward(self, hidden: Tensor) -> Tensor:
        x = self.transform["dense"](hidden)
        x = self.transform["LayerNorm"](x * (1 + torch.erf(x / math.sqrt(2))) / 2)
        return torch.einsum("btd,vd->btv", x, self.decoder.weight) + self.decoder.bias


class AdapterFromDownAtZero(nn.Module):
    """With `down` at zero instead of `up`: new, it returns what comes in, and it can learn."""

    def __init__(self, hidden_size: int, size: int) -> None:
        super().__init__()
        self.down, self.up = nn.Linear(hidden_size, size), nn.Linear(size, hidden_size)
        for tensor in (self.down.weight, self.down.bias, self.up.bias):
            nn.init.zeros_(tensor)

    def forward(self, x: Tensor) -> Tensor:
        return torch.add(self.up(nn.functional.gelu(self.down(x))), x)


def step_in_another_order(model: Any, batch: dict[str, Tensor], optimizer: Any, rate: float) -> Tensor:
    model.zero_grad()
    logits = model(batch["input_ids"], token_type_ids=batch["token_type_ids"]).prediction_logits
    loss = nn.CrossEntropyLoss()(logits.transpose(1, 2), batch["labels"])
    loss.backward()
    nn.utils.clip_grad_norm_([p for p in model.parameters() if p.requires_grad], max_norm=1)
    for group in optimizer.param_groups:
        group.update(lr=rate)
    optimizer.step()
    return loss.detach()


def step_by_names(model: Any, batch: dict[str, Tensor], optimizer: Any, rate: float) -> float:
    logits = model(batch["input_ids"], batch["attention_mask"], batch["token_type_ids"]).logits
    loss = nn.functional.cross_entropy(logits, batch["labels"])
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    for group in optimizer.param_groups:
        group["lr"] = rate
    optimizer.step()
    optimizer.zero_grad()
    return loss.item()


def step_by_the_models_loss(model: Any, batch: dict[str, Tensor], optimizer: Any, rate: float) -> Tensor:
    optimizer.zero_grad()
    for group in optimizer.param_groups:
        group["lr"] = rate
    loss: Tensor = model(**batch).loss
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    return loss.detach()


def step_on_hidden_places(model: Any, batch: dict[str, Tensor], optimizer: Any, rate: float) -> float:
    chosen = batch["labels"] != -100
    hidden = model.bert(batch["input_ids"]).last_hidden_state[chosen]
    loss = nn.functional.cross_entropy(model.cls.predictions(hidden), batch["labels"][chosen])
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    for group in optimizer.param_groups:
        group["lr"] = rate
    optimizer.step()
    optimizer.zero_grad()
    return float(loss.detach())


RIGHT_ANSWERS: dict[str, list[Callable[..., Any]]] = {
    "build_inputs": [piece_by_piece, counted_afterwards],
    "mean_pool": [
        text_by_text,
        with_zeros_and_a_count,
        lambda h, m: torch.einsum("btd,bt->bd", h, m.float()) / m.sum(1)[:, None],
    ],
    "scaled_dot_product_attention": [by_hand, with_einsum, scaled_beforehand],
    "BertEmbeddings": [WithTablesAsModules, WithWeights],
    "EncoderLayer": [FromParts, FromOwnModules],
    "Predictions": [HeadWithNames, HeadWithProducts],
    "wordpiece": [with_a_flag, with_recursion, eating_the_word, over_the_vocabulary],
    "sinusoidal_positions": [with_exp, number_by_number, with_stack, with_a_phase],
    "split_heads": [
        slice_by_slice,
        lambda hidden, num_heads: torch.stack(hidden.chunk(num_heads, dim=-1), dim=1),
        lambda x, h: x.reshape(x.size(0), x.size(1), h, -1).permute(0, 2, 1, 3).contiguous(),
        lambda x, h: x.unflatten(-1, (h, -1)).swapaxes(-2, -3),
    ],
    "merge_heads": [
        lambda heads: torch.cat(heads.unbind(dim=1), dim=-1),
        lambda heads: heads.swapaxes(1, 2).flatten(start_dim=2),
        lambda x: x.permute(0, 2, 1, 3).contiguous().view(x.size(0), x.size(2), -1),
        lambda x: torch.einsum("bhtk->bthk", x).reshape(x.shape[0], x.shape[2], -1),
    ],
    "layer_norm": [
        with_the_square,
        with_var_mean,
        with_sums,
        lambda h, w, b, eps=1e-12: nn.functional.layer_norm(h, h.shape[-1:], w, b, eps),
    ],
    "train_step": [step_in_another_order, step_on_hidden_places],
    "fine_tune_step": [step_by_names, step_by_the_models_loss],
    "Adapter": [AdapterFromDownAtZero],
    "merge_low_rank": [
        lambda weight, a, b, alpha: weight + alpha / len(a) * torch.einsum("or,ri->oi", b, a),
        lambda weight, a, b, alpha: torch.addmm(weight, b, a, alpha=alpha / a.size(0)),
    ],
    "gelu": [
        nn.functional.gelu,
        lambda x: x * torch.distributions.Normal(0.0, 1.0).cdf(x),
        lambda x: x / 2 * torch.erfc(-x * 0.5**0.5),
        lambda x: torch.special.ndtr(x) * x,
    ],
}


@pytest.mark.parametrize(
    ("name", "answer"), [(n, a) for n, answers in RIGHT_ANSWERS.items() for a in answers]
)
def test_every_right_answer_passes(name: str, answer: Callable[..., Any]) -> None:
    report = here(exercises.get(name), answer)
    assert report.passed, str(report)


def test_every_exercise_with_a_place_in_the_model_has_right_answers() -> None:
    assert {exercise.name for exercise in EVERY if exercise.use} <= RIGHT_ANSWERS.keys()


# --- stubs ----------------------------------------------------------------------------------------


def stub_docstring(query: Tensor, mask: Any = None) -> Any:
    """Only a docstring."""


def stub_dots(query: Tensor) -> Any: ...


def stub_pass(query: Tensor) -> Any:
    pass


def stub_return(query: Tensor) -> Any:
    """Returns None."""
    return None


def stub_raises(query: Tensor) -> Any:
    raise NotImplementedError


def stub_raises_with_words(query: Tensor) -> Any:
    raise NotImplementedError("write me")


def gap(query: Tensor) -> Any:
    scores: Any = ...
    return scores


def gap_in_a_call(query: Tensor) -> Any:
    return torch.softmax(query, dim=...)  # type: ignore[arg-type]


def two_gaps(query: Tensor) -> Any:
    keys: Any = ...
    values: Any = ...
    return query @ keys @ values


class StubModule(nn.Module):
    """Only docstrings."""

    def __init__(self, config: Any) -> None:
        """Nothing yet."""
        super().__init__()

    def forward(self, hidden: Tensor, mask: Any = None) -> Any:
        """Nothing yet."""


class StubForward(nn.Module):
    size: int

    def __init__(self, config: Any) -> None:
        super().__init__()
        self.size = config

    def forward(self, hidden: Tensor) -> Any:
        """Nothing yet."""


class StubEmpty(nn.Module):
    pass


def written_ellipsis(query: Tensor) -> Any:
    return query[..., 0]


def written_ellipsis_and_index(query: Tensor, index: int) -> Any:
    return query[..., index] + query[...]


def written_constant(query: Tensor) -> Any:
    return "x"


class Written(StubForward):
    def forward(self, hidden: Tensor) -> Any:
        return hidden


STUBS = [value for name, value in list(globals().items()) if name.lower().startswith("stub")]
WRITTEN = [written_ellipsis, written_ellipsis_and_index, written_constant, Written, 0, [], "", False]


@pytest.mark.parametrize("stub", [*STUBS, None, ..., [..., ...], (None,)], ids=called)
def test_a_stub_is_blank(stub: Any) -> None:
    assert blank.is_blank(stub)


@pytest.mark.parametrize("answer", [*WRITTEN, torch.zeros(2)], ids=called)
def test_what_is_written_is_not_blank(answer: Any) -> None:
    assert not blank.is_blank(answer)


@pytest.mark.parametrize(
    ("answer", "gaps"),
    [(gap, 1), (gap_in_a_call, 1), (two_gaps, 2), ([3, ...], 1), ({"batch": ..., "layer": 1}, 1)],
    ids=called,
)
def test_a_gap_is_left_to_fill(answer: Any, gaps: int) -> None:
    assert blank.unwritten(answer, "it").startswith(f"it is not finished: {gaps} `...`")
    assert not blank.unwritten(written_ellipsis, "it")


# --- the other kinds ------------------------------------------------------------------------------


def value(kind: str, reference: Any, **more: Any) -> Exercise:
    return Exercise(name="answer", notebook="05_attention", kind=kind, reference=reference, **more)


@pytest.mark.parametrize(
    ("reference", "right", "wrong"),
    [
        (12, [12, 12.0, torch.tensor(12), torch.tensor([12.0])], [13, "12", None, True, [12]]),
        (0.1, [0.1, 0.1 + 1e-9, 1 / 10], [0.2, float("nan"), float("inf")]),
        ("mean", ["mean", " Mean "], ["median", 3]),
        ([1, 2], [[1, 2], (1, 2), torch.tensor([1, 2]), torch.Size([1, 2])], [[2, 1], [1], {1, 2}]),
        ({"a", "b"}, [{"a", "b"}, ["b", "a"], ("A", "b", "b")], [{"a"}, ["a", "c"], "ab", [["a"]]]),
        ({"x": 1}, [{"x": 1}], [{"x": 2}, {"y": 1}, [("x", 1)]]),
        (True, [True], [False, 1, "yes"]),
        (lambda: 2 + 2, [4], [5]),
    ],
)
def test_values_are_compared_by_what_they_mean(reference: Any, right: list[Any], wrong: list[Any]) -> None:
    exercise = value("predict", reference)
    assert all(here(exercise, answer).passed for answer in right)
    assert not any(here(exercise, answer).passed for answer in wrong)


def test_dimensions_may_be_written_in_any_form() -> None:
    exercise = exercises.get("dims_of_norms")
    right = {"batch": [1, 0], "layer": -1, "instance": (-2,)}
    assert here(exercise, right).passed
    for wrong in (right | {"layer": 0}, {"layer": 2}, right | {"layer": "2"}, right | {"layer": None}):
        assert not here(exercise, wrong).passed


def test_learned_positions_are_not_most_alike_where_they_are_nearest() -> None:
    assert exercises.get("order_of_likeness").expected() == [1, 6, 3, 9]


def test_an_order_says_how_far_it_is_right() -> None:
    exercise = value("order", ["c", "a", "b"])
    assert here(exercise, ["c", "a", "b"]).passed
    assert "one 1 of" in here(exercise, ["c", "b", "a"]).message
    assert "something else has to come first" in here(exercise, ["a", "c", "b"]).message
    assert "Each of a, b, c is needed" in here(exercise, ["c", "a"]).message
    assert "An answer is a list" in here(exercise, [3, 1, 2]).message


def test_a_value_exercise_has_no_cases_and_a_function_has() -> None:
    with pytest.raises(ValueError, match="has no cases"):
        value("predict", 3, cases=lambda seed: [])
    with pytest.raises(ValueError, match="has cases"):
        value("function", by_hand)
    with pytest.raises(ValueError, match="no kind of exercise"):
        value("riddle", 3)


class Doubling(nn.Module):
    """A reference that is a class, with a parameter."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.linear = nn.Linear(size, size)
        self.dropout = nn.Dropout(0.5)

    def forward(self, hidden: Tensor) -> Tensor:
        return hidden + self.dropout(self.linear(hidden))


class NoResidual(Doubling):
    def forward(self, hidden: Tensor) -> Tensor:
        return self.dropout(self.linear(hidden))


class NoDropout(Doubling):
    def forward(self, hidden: Tensor) -> Tensor:
        return hidden + self.linear(hidden)


class OtherNames(nn.Module):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.layer = nn.Linear(size, size)


class OneMore(Doubling):
    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.more = nn.Parameter(torch.ones(1))


class OtherShape(Doubling):
    def __init__(self, size: int) -> None:
        super().__init__(size)
        self.linear = nn.Linear(size, size + 1)


def load_and_run(candidate: Any, state: dict[str, Tensor], hidden: Tensor) -> Any:
    layer = candidate(hidden.size(-1))
    load_weights(layer, state)
    return layer.eval()(hidden)


def drops(candidate: Any, arguments: tuple[Any, ...], result: Any) -> bool:
    layer = candidate(arguments[1].size(-1)).train()
    return not torch.equal(layer(arguments[1]), layer(arguments[1]))


MODULE = Exercise(
    name="Doubling",
    notebook="05_attention",
    reference=Doubling,
    cases=lambda seed: [(Doubling(3).state_dict(), torch.randn(2, 3))],
    run=load_and_run,
    invariants=[Invariant("no_dropout", "Nothing is dropped in training.", drops)],
    mistakes=[Mistake("no_residual", "The input is not added.", NoResidual)],
)


@pytest.mark.parametrize(
    ("answer", "passed", "mistake", "says"),
    [
        (Doubling, True, None, "equal to the reference"),
        (NoResidual, False, "no_residual", "The input is not added"),
        (NoDropout, False, "no_dropout", "Nothing is dropped"),
        (OtherNames, False, None, "no parameter `linear.weight`"),
        (OneMore, False, None, "a parameter `more` that no checkpoint has"),
        (OtherShape, False, None, "has the shape [4, 3]; it should be [3, 3]"),
        (Doubling(3), False, None, "the class itself"),
        (StubModule, False, None, "not written yet"),
    ],
    ids=called,
)
def test_a_class_is_judged_by_its_state_and_by_how_it_trains(
    answer: Any, passed: bool, mistake: str | None, says: str
) -> None:
    report = MODULE.check(answer)
    assert (report.passed, report.mistake) == (passed, mistake), str(report)
    assert says in report.message


# --- sabotage -------------------------------------------------------------------------------------

NOT_ABOUT_THE_ANSWER = {  # these are about cells, or about where the answer comes from
    *("imports_gone", "half_a_cell", "magics", "raises_at_the_top", "last_one_wins", "left_running"),
    *("other_cells_broken", "check_copied", "imports_reference", "calls_reference", "alias"),
    *("assigned", "wrapped", "loud_at_the_top", "loop_above", "loop_below", "exit_above"),
    *("death_above", "gigabytes_above", "lines_above", "own_test_below", "shown_above", "compared"),
}


def as_in_a_notebook(cells: tuple[str, ...]) -> Any:
    """The function that a notebook's cells define, its source known to linecache alone."""
    space: dict[str, Any] = {"__name__": "__main__"}
    for number, source in enumerate(cells):
        if source.startswith("check("):
            continue
        file = f"cell-{number}-of-{len(cells)}"
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
        exec(compile(source, file, "exec"), space)
    return space[NAME]


@pytest.mark.parametrize("kind", [kind for kind in SABOTAGED if kind not in NOT_ABOUT_THE_ANSWER])
def test_no_answer_hurts_the_notebook(kind: str) -> None:
    case = SABOTAGED[kind]
    answer = sandbox.carried(as_in_a_notebook(case.cells))
    loops = case.status == "timeout"
    report = sandbox.run(exercises.get(NAME), answer, seconds=1.0 if loops else 60.0, memory=2**30)
    assert report.status == case.status, str(report)
    assert report.passed == (case.status == "passed")


def test_what_was_printed_is_shown_and_cut() -> None:
    source = RIGHT.replace("    scores", "    print('scores', 'x' * 5000)\n    scores", 1)
    source = source.replace("/ math.sqrt(query.size(-1))", "")
    report = exercises.get(NAME).check(as_in_a_notebook(("import math, torch", source)))
    assert report.mistake == "no_scale"
    assert "your code printed:\nscores xxx" in report.details
    assert report.details.count("scores") == 1
    assert "bytes more" in report.details
    assert len(report.details) < 4_000


LOCK = "import math, threading, torch\nlock = threading.Lock()"
BOX = "import math, threading, torch\nclass Box:\n    lock = 0\nbox = Box()\nbox.lock = threading.Lock()"


@pytest.mark.parametrize(
    ("start", "helper", "blamed"),
    [
        (LOCK, "def helper(): lock", "`lock` (lock)"),
        (BOX, "def helper(): [lambda: box for _ in range(2)]", "`box` (Box)"),
        (
            LOCK.replace("lock = threading.Lock()", "locks = [1, threading.Lock()]"),
            "class helper:\n    def f(self): locks",
            "`locks` (list)",
        ),
    ],
)
def test_what_cannot_travel_is_named(start: str, helper: str, blamed: str) -> None:
    source = RIGHT.replace("    scores", "    helper()\n    scores", 1)
    report = exercises.get(NAME).check(as_in_a_notebook((start, helper, source)))
    assert report.status == "error"
    assert blamed in report.message


def test_a_traceback_shows_the_lines_of_a_cell() -> None:
    source = RIGHT.replace("torch.softmax", "torch.soft_max")
    report = exercises.get(NAME).check(as_in_a_notebook(("import math, torch", source)))
    assert "weights = torch.soft_max(scores, dim=-1)" in report.message
    assert "line 5 of your cell" in report.message


def test_an_answer_cannot_print_its_own_verdict() -> None:
    verdict = json.dumps(asdict(Report(True, "passed", status="passed")))
    source = RIGHT.replace("    scores", f"    print({verdict!r})\n    scores", 1)
    report = exercises.get(NAME).check(as_in_a_notebook(("import torch", source)))
    assert report.status == "error"  # math is not imported


def test_it_works_where_processes_cannot_be_forked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_context", multiprocessing.get_context("spawn"))
    monkeypatch.setattr(processes, "_ahead", [])
    sandbox.warm_up()
    ahead = processes._ahead[0].process.pid
    wrong = as_in_a_notebook(("import math, torch", RIGHT.replace("dim=-1", "dim=-2")))
    assert exercises.get(NAME).check(wrong).mistake == "softmax_over_queries"
    (waits,) = processes._ahead  # it was used, and another waits
    assert waits.process.pid != ahead
    waits.connection.close()
    assert waits.wait(60) == 0


def test_a_script_without_a_main_guard_runs_once(tmp_path: Path) -> None:
    script = tmp_path / "answers.py"
    script.write_text(
        "import multiprocessing, sys\n"
        "print('runs', flush=True)\n"
        "from lib import exercises\n"
        "from lib.exercises import processes\n"
        "if sys.argv[1] == 'spawn':\n"
        "    processes._context = multiprocessing.get_context('spawn')\n"
        "def causal_mask(length):\n"
        "    return NOTHING\n"
        "print(exercises.get('causal_mask').check(causal_mask).message)\n"
    )
    for way in ("forkserver", "spawn"):
        ran = subprocess.run([sys.executable, str(script), way], cwd=root, capture_output=True, text=True)
        assert ran.stderr == ""
        assert ran.stdout.count("runs") == 1
        assert "answers.py, line 8: return NOTHING" in ran.stdout


# --- in a notebook --------------------------------------------------------------------------------


@pytest.fixture
def friendly(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A notebook that has just been opened; the reader's folder."""
    monkeypatch.setenv("BERT_COURSE_STRICT", "0")
    monkeypatch.setenv("BERT_COURSE_HOME", str(tmp_path))
    monkeypatch.setattr(notebook, "_passed", {})
    monkeypatch.setattr(notebook, "_hints_given", {})
    yield tmp_path


@pytest.mark.parametrize(
    ("wish", "pytest_version", "strict"),
    [
        (None, None, False),
        (None, "9.0", True),
        ("1", None, True),
        ("0", "9.0", False),
        ("", "9.0", True),
    ],
)
def test_when_checks_are_strict(
    wish: str | None, pytest_version: str | None, strict: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, setting in (("BERT_COURSE_STRICT", wish), ("PYTEST_VERSION", pytest_version)):
        if setting is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, setting)
    assert notebook.is_strict() == strict


def test_a_failed_check_prints(friendly: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exercises.check(NAME, doubled)
    printed = said(capsys)
    assert printed.startswith("Not yet.")
    assert f'hint("{NAME}")' in printed
    assert "\x1b" not in printed
    assert exercises.progress() == []


def test_a_failed_check_raises_where_strict(friendly: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BERT_COURSE_STRICT", "1")
    with pytest.raises(exercises.CheckFailed, match="numbers are not") as caught:
        exercises.check(NAME, doubled)
    assert len(caught.value._render_traceback_()) == 1
    with pytest.raises(exercises.CheckFailed, match="not written yet"):
        exercises.check(NAME, stub_docstring)


def test_a_passed_check_lights_its_box(friendly: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exercises.check(NAME, by_hand)
    assert said(capsys).startswith("Passed.")
    assert exercises.progress() == [exercises.get(NAME).box]
    exercises.check(NAME, by_hand)
    assert exercises.progress() == [exercises.get(NAME).box]
    assert [path.name for path in friendly.iterdir()] == ["progress.json"]


def test_a_check_that_was_given_something_else(friendly: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exercises.check("scaled_dot_attention", by_hand)
    assert f"Did you mean {NAME}" in said(capsys)
    exercises.check(NAME, exercises.get("causal_mask").reference)
    assert f"This check is for {NAME}, but it was given causal_mask" in said(capsys)
    exercises.check(NAME)
    assert CHECK.strip() in said(capsys)


def test_a_check_says_when_it_judges_an_older_version(
    friendly: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    right = "def causal_mask(length):\n    ..."
    older = "this is about the one before it"
    monkeypatch.setattr("__main__.In", ["", right, "def causal_mask(length):\n    return ("], raising=False)
    exercises.check("causal_mask", exercises.get("causal_mask").reference)
    assert older in said(capsys)
    monkeypatch.setattr("__main__.In", ["def causal_mask(:", right, "x = ("])
    exercises.check("causal_mask", exercises.get("causal_mask").reference)
    assert older not in said(capsys)


def test_three_hints_then_the_solution(friendly: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for start in ("Hint 1 of 3 (the idea)", "Hint 2 of 3 (the shapes)", "Hint 3 of 3 (the line)"):
        exercises.hint(NAME)
        assert said(capsys).startswith(start)
    exercises.hint(NAME)
    assert f'solution("{NAME}")' in said(capsys)
    exercises.hint(NAME, 1)
    assert said(capsys).startswith("Hint 1")
    exercises.hint("closest_pair", 2)
    assert said(capsys).startswith("Hint 2 of 3: ")
    exercises.hint("nothing")
    assert "no exercise" in said(capsys)
    exercises.solution(NAME)
    shown = capsys.readouterr().out
    assert inspect.getsource(exercises.get(NAME).reference).strip() in shown
    space: dict[str, Any] = {}
    exec(shown, space)
    assert exercises.get(NAME).check(space[NAME]).passed
    exercises.solution("nothing")
    assert "no exercise" in said(capsys)


def test_use_runs_the_model_with_the_answer_inside(
    friendly: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def scaled_dot_product_attention(
        query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None
    ) -> Any:
        return by_hand(query, key, value, mask)

    exercises.use(scaled_dot_product_attention)
    printed = said(capsys)
    assert "with your scaled" in printed and "where it was called 12 times" in printed
    assert float(printed.split("original ")[1].split()[0].rstrip(".")) < 1e-4
    exercises.check(NAME, by_hand)
    exercises.use(by_hand)  # recognized as what passed, whatever it is called
    assert "where it was called 12 times" in said(capsys)
    exercises.use(exercises.get(NAME).reference)  # as the solved edition does
    assert "with the course's answer" in said(capsys)


@pytest.mark.parametrize("exercise", [e for e in EVERY if e.use], ids=names)
def test_use_puts_an_answer_in_and_takes_it_out(
    exercise: Exercise, friendly: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def gap(candidate: Any) -> float:
        notebook._passed[exercise.name] = candidate
        exercises.use(candidate)
        return float(said(capsys).split("original ")[1].split()[0].rstrip("."))

    assert gap(next(examples(exercise, exercise.mistakes[0]))) > 1e-3
    assert all(gap(answer) < 1e-5 for answer in [exercise.reference, *RIGHT_ANSWERS[exercise.name]])


def test_an_answer_stays_in_the_model_as_long_as_is_asked(
    friendly: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    calls = []

    def scaled_dot_product_attention(query: Tensor, key: Tensor, value: Tensor, mask: Any = None) -> Any:
        calls.append(1)
        return by_hand(query, key, value, mask)

    query = torch.ones(2, 3)
    notebook._passed[NAME] = scaled_dot_product_attention
    with exercises.using(scaled_dot_product_attention):
        attention.scaled_dot_product_attention(query, query, query)
    attention.scaled_dot_product_attention(query, query, query)
    assert len(calls) == 1
    for _ in range(2):  # the second time it takes its own place
        exercises.install(scaled_dot_product_attention)
    attention.scaled_dot_product_attention(query, query, query)
    exercises.uninstall()
    attention.scaled_dot_product_attention(query, query, query)
    assert len(calls) == 2
    assert attention.scaled_dot_product_attention is exercises.get(NAME).reference
    model = object()
    with exercises.using(stub_docstring, model) as given:  # of no exercise, and not written
        assert given is model
    assert "passed its check" in said(capsys)


@pytest.mark.parametrize("stage", STAGES.values(), ids=STAGES)
def test_a_stage_computes_the_same_twice(stage: Stage) -> None:
    with torch.no_grad():
        first, second = (stage.run(*stage.load()) for _ in range(2))
    assert len(first) >= 8
    assert all(torch.equal(one, other) for one, other in zip(first, second, strict=True))


def test_use_says_what_stopped_the_answer(
    friendly: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BERT_COURSE_STRICT", "1")

    def stops(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Any:
        return query @ value, no_such_name  # type: ignore[name-defined]  # noqa: F821

    notebook._passed[NAME] = stops
    exercises.use(stops)
    printed = said(capsys)
    assert printed.startswith("Inside the model it does not run. Your code stopped with")
    assert "return query @ value" in printed
    assert "Traceback" not in printed


def test_use_waits_for_the_check(
    friendly: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BERT_COURSE_STRICT", "1")

    def scaled_dot_product_attention(query: Tensor, key: Tensor, value: Tensor, mask: Any = None) -> Any:
        """Nothing yet."""

    exercises.use(scaled_dot_product_attention)
    assert "write it first" in said(capsys)
    exercises.use(...)
    assert "passed its check" in said(capsys)
    exercises.use(exercises.get("causal_mask").reference)
    assert "no place of its own" in said(capsys)


# --- the registry ---------------------------------------------------------------------------------

EXTRA = """
from lib.exercises.spec import Exercise, Mistake, edit

def triple(x):
    return 3 * x

EXERCISES = [
    Exercise("triple", "90_mine", triple, cases=lambda seed: [(1,), (5,)],
             mistakes=[Mistake("twice", "That is twice.", edit("3 *", "2 *"))]),
]
"""


def test_a_lecturers_own_exercises(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(EXTRA)
    found = registry.with_extra(tmp_path)
    assert set(found) == {*registry.course(), "triple"}
    assert found["triple"].check(lambda x: x + x + x).passed
    assert found["triple"].check(lambda x: x + x).mistake == "twice"
    assert "triple" not in registry.course()


def test_an_exercise_of_the_same_name_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(EXTRA.replace('"triple", "90', f'"{NAME}", "90'))
    with pytest.raises(ValueError, match="rename one"):
        registry.with_extra(tmp_path)
    with pytest.raises(ValueError, match="is no folder"):
        registry.with_extra(tmp_path / "nothing")


def test_of_a_dict_the_entries_that_differ_are_shown() -> None:
    by_key = compare.side_by_side({"size": 3, "from": [1, 2]}, {"size": 3, "from": [1]}, 1e-5)
    assert by_key == "from: expected [1, 2], yours [1]"
    assert compare.shapes({"documents": 40 * ["a"], "size": 3}) == "documents a list of 40, size 3"


def test_large_tensors_are_shown_where_they_differ_most() -> None:
    expected = torch.zeros(2, 9, 9)
    yours = expected.clone()
    yours[1, 2, 3] = 5
    shown = compare.side_by_side(expected, yours, 1e-5)
    assert "the matrix at [1]" in shown
    assert "largest difference: 5 at [1, 2, 3]" in shown
    assert max(map(len, shown.splitlines())) < 150
