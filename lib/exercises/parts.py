"""The reader's own parts of a BERT: each is kept when it passes its check, and notebook 09 joins them.

What is kept is a file of Python in the reader's home, `parts/NAME.py`: the answer as it stood in its
notebook, with the imports and helpers that it needs.
"""

from __future__ import annotations

import ast
import linecache
import textwrap
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from lib.bert.attention import capture_attentions
from lib.exercises import registry, stages, traces
from lib.exercises.inside import replaced
from lib.exercises.solutions import free_names
from lib.exercises.spec import Exercise
from lib.files import home, write_whole

FOLDER = "parts"  # in the reader's home
#: on the way from a text to its vector
NAMES = (
    "wordpiece",
    "build_inputs",
    "BertEmbeddings",
    "EncoderLayer",
    "split_heads",
    "scaled_dot_product_attention",
    "layer_norm",
    "gelu",
    "mean_pool",
)
INNER = NAMES[4:8]  # what layers call
TOLERANCE = 1e-3  # of a vector's features, which are about 1; rounding moves them by a hundredth of that


class Parts(dict[str, Any]):
    """The nine parts by name: the reader's own where one passed and works, else the course's.

    own: the names of the reader's.
    """

    def __init__(self, own: Mapping[str, Any]) -> None:
        super().__init__({name: own.get(name, registry.get(name).reference) for name in NAMES})
        self.own = tuple(own)

    @contextmanager
    def inside(self, model: nn.Module) -> Iterator[None]:
        """As long as the context lasts, a model's layers attend, normalize and activate by these parts."""
        with ExitStack() as stack:
            stack.enter_context(capture_attentions(model))  # or PyTorch's fused attention would run
            for name in INNER:
                if name in self.own:
                    stack.enter_context(_put_in(registry.get(name), self[name], model))
            yield


def keep(exercise: Exercise, candidate: Any) -> None:
    """Keep an answer that has passed, if it is a part of BERT and the reader's own.

    ValueError if it uses something of its notebook that no line of Python makes anew, such as a tensor.
    """
    if exercise.name not in NAMES or not traces.is_theirs(_file_of(candidate)):
        return
    source = _with_what_it_needs(exercise.name, candidate)
    heading = f"# Your {exercise.name}, as it passed its check in notebook {exercise.notebook[:2]}.\n\n"
    write_whole(_place(exercise.name), heading + source)


def own_parts() -> Parts:
    """The nine parts from a text to its vector, the reader's own where they passed; lines say whose.

    Each is tried in MiniLM beside those before it. One that stops there, or changes the vectors, is named,
    and the course's takes its place.
    """
    own: dict[str, Any] = {}
    missing = [name for name in NAMES if not _place(name).is_file()]
    faults = {}
    model, tokenizer = stages.STAGES["minilm"].load()
    expected = _vectors(model, tokenizer)
    with ExitStack() as inside:
        for name in (name for name in NAMES if name not in missing):
            with ExitStack() as trial:
                try:
                    candidate = _load(name)
                    trial.enter_context(_put_in(registry.get(name), candidate, model))
                    faults[name] = _apart(_vectors(model, tokenizer), expected)
                except Exception as error:  # whatever the reader's code raises
                    faults[name] = traces.in_words(error)[0].replace("Your code stopped", "there it stopped")
                if not faults[name]:
                    own[name] = candidate
                    inside.push(trial.pop_all())
    _say_whose(own, {name: fault for name, fault in faults.items() if fault}, missing)
    return Parts(own)


def _apart(found: list[torch.Tensor], expected: list[torch.Tensor]) -> str:
    """How vectors differ from what they should be, in words; nothing if they don't."""
    if any(one.shape != other.shape for one, other in zip(found, expected, strict=True)):
        return "there it gives another shape"
    apart = max(float((one - other).abs().max()) for one, other in zip(found, expected, strict=True))
    if apart <= TOLERANCE:
        return ""
    return f"there it changes the vectors, by up to {apart:.2g}"


def _say_whose(own: Mapping[str, Any], faults: Mapping[str, str], missing: list[str]) -> None:
    """Print which parts are the reader's, and why others aren't."""
    in_order = sorted(NAMES, key=lambda name: registry.get(name).notebook)
    numbered = {name: f"{name} ({registry.get(name).notebook[:2]})" for name in in_order}
    yours = [numbered[name] for name in in_order if name in own]
    print(
        textwrap.fill(
            f"{len(own)} of {len(NAMES)} parts are yours{':' if own else '.'} {', '.join(yours)}", 88
        )
    )
    for name, fault in faults.items():
        print(
            f"Your {numbered[name]} passed its check, but not inside MiniLM, so the course's runs: {fault}."
        )
    if missing:
        listed = ", ".join(numbered[name] for name in in_order if name in missing)
        print(textwrap.fill(f"Not passed yet, so the course's run: {listed}", 88))


def _vectors(model: Any, tokenizer: Any) -> list[torch.Tensor]:
    """What MiniLM computes for the sentences of its stage."""
    with torch.no_grad():
        return [vector.clone() for vector in stages.STAGES["minilm"].run(model, tokenizer)]


@contextmanager
def _put_in(exercise: Exercise, candidate: Any, model: Any) -> Iterator[None]:
    """As the exercise's own `use`; a GELU also where a layer calls that of PyTorch."""
    if exercise.name != "gelu":
        assert exercise.use is not None
        with exercise.use(candidate, model):
            yield
        return
    theirs = F.gelu

    def gelu(x: torch.Tensor, approximate: str = "none") -> Any:
        with replaced(F, "gelu", theirs):  # which the candidate may call
            return candidate(x)

    with replaced(F, "gelu", gelu):
        yield


# ---------------------------------------------------------------------------------------------
# Files


def _place(name: str) -> Path:
    return home() / FOLDER / f"{name}.py"


def _load(name: str) -> Any:
    """What the kept file of a part defines under its name."""
    path = _place(name)
    source = path.read_text(encoding="utf-8")
    traces.remember({str(path): source.splitlines(keepends=True)})
    module = ModuleType(name)
    exec(compile(source, str(path), "exec"), vars(module))
    return vars(module)[name]


def _with_what_it_needs(name: str, candidate: Any) -> str:
    """The source of a definition, below that of what it takes from around it."""
    imports: dict[str, str] = {}
    definitions: dict[str, str] = {}
    _gather(name, candidate, imports, definitions)
    return "\n\n\n".join(filter(None, ["\n".join(imports.values()), *definitions.values()])) + "\n"


def _gather(name: str, value: Any, imports: dict[str, str], definitions: dict[str, str]) -> None:
    """Add to both tables how a name gets its value, and first how those get theirs that it needs."""
    if name in imports or name in definitions:
        return
    function = _function_of(value)
    if isinstance(value, ModuleType):
        renamed = "" if value.__name__ == name else f" as {name}"
        imports[name] = f"import {value.__name__}{renamed}"
    elif function is not None and traces.is_theirs(function.__code__.co_filename):
        statement, source = _statement(name, function.__code__.co_filename)
        definitions[name] = ""  # a place in the table: a function may call itself
        for needed in sorted(free_names(statement) & function.__globals__.keys() - {name}):
            _gather(needed, function.__globals__[needed], imports, definitions)
        del definitions[name]
        definitions[name] = source
    elif getattr(value, "__module__", "__main__") not in ("__main__", None) and hasattr(
        value, "__qualname__"
    ):
        renamed = "" if value.__qualname__ == name else f" as {name}"
        imports[name] = f"from {value.__module__} import {value.__qualname__}{renamed}"
    else:
        try:
            is_plain = ast.literal_eval(repr(value)) == value
        except (ValueError, SyntaxError):
            is_plain = False
        if not is_plain:
            raise ValueError(
                f"it uses `{name}` ({type(value).__name__}) of this notebook: pass it as an argument, or make"
                " it inside"
            )
        imports[name] = f"{name} = {value!r}"


def _function_of(value: Any) -> FunctionType | None:
    """A function, or one of a class's own; None of all else."""
    value = getattr(value, "_torchdynamo_orig_callable", value)
    if isinstance(value, type):
        return next((part for part in vars(value).values() if isinstance(part, FunctionType)), None)
    return value if isinstance(value, FunctionType) else None


def _file_of(value: Any) -> str | None:
    """The file, or the cell, that defines a function or class."""
    function = _function_of(value)
    return None if function is None else function.__code__.co_filename


def _statement(name: str, file: str) -> tuple[ast.stmt, str]:
    """The last statement of a file or cell that binds a name, and its lines."""
    lines = linecache.getlines(file)
    found: ast.stmt | None = None
    for node in ast.parse("".join(lines)).body:
        match node:
            case ast.FunctionDef(name=bound) | ast.ClassDef(name=bound) if bound == name:
                found = node
            case ast.Assign(targets=[ast.Name(id=bound)]) if bound == name:
                found = node
    if found is None:
        raise ValueError(f"`{name}` stands inside another function: define it at the left edge of a cell")
    decorators = getattr(found, "decorator_list", [])
    first = min(node.lineno for node in [found, *decorators])
    return found, "".join(lines[first - 1 : found.end_lineno]).rstrip()
