"""A fine-tuned model and the rows that it is for: a BERT of `lib.bert`, or another model of `transformers`.

Nothing is asked of the network, and nothing that came with a model is executed.
"""

from __future__ import annotations

import copy
import inspect
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import torch
import transformers
import typer
from torch import Tensor, nn
from transformers.models.auto.modeling_auto import MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING_NAMES

from lib.bert import (
    BertForQuestionAnswering,
    BertForSequenceClassification,
    BertForTokenClassification,
    WordPieceTokenizer,
)
from lib.bert.config import ALTERED_TYPE, MODEL_TYPE
from lib.bert.model import PreTrainedBert
from lib.bert.surgery import replace_module
from lib.compression.distillation.layer_maps import distilbert_layers
from lib.compression.distillation.students import cut_student
from lib.compression.ledger.onnx import INPUTS
from lib.training.own_task import Columns, Kind, OwnTask, columns_of, load_own_task, read_own_task

HEADS: dict[Kind, type[PreTrainedBert]] = {
    "classes": BertForSequenceClassification,
    "grades": BertForSequenceClassification,
    "tags": BertForTokenClassification,
    "questions": BertForQuestionAnswering,
}
#: the families of `transformers` that this is tested with, beside BERT, by `model_type`
TESTED_WITH = (
    "distilbert", "roberta", "xlm-roberta", "camembert", "mpnet", "electra", "deberta", "deberta-v2",
    "modernbert", "albert",
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class OwnOptions:
    """Which model, and which rows."""

    model: Annotated[
        Path, typer.Argument(help="the folder of a fine-tuned model, such as `finetune --out` wrote")
    ]
    data: Annotated[
        Path, typer.Option(help="your rows: those of which it learned, or others; as finetune reads them")
    ]
    text: Annotated[
        str | None, typer.Option(help="the column of the text; not needed where task.json lies in MODEL")
    ] = None
    second: Annotated[str | None, typer.Option(help="the column of the second text, for pairs")] = None
    label: Annotated[str | None, typer.Option(help="the column of the class, grade or tags")] = None
    kind: Annotated[Kind | None, typer.Option(help="what the model says of a text")] = None
    encoding: Annotated[
        str | None, typer.Option(help="of the file, such as cp1251; without it that is found out")
    ] = None
    test: Annotated[
        Path | None, typer.Option(help="rows to test on; without it those that finetune kept back")
    ] = None
    max_length: Annotated[int, typer.Option(min=8, help="pieces in a row; what is longer is cut")] = 128

    @property
    def columns(self) -> Columns:
        """Those of the model's task.json, but for what is given."""
        names = ("text", "second", "label", "kind", "encoding")
        known = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        return replace(columns_of(self.model), **known)


class LibraryTokenizer:
    """A tokenizer of `transformers`, called as ours is; it gives the inputs that its model takes."""

    def __init__(self, tokenizer: Any, model: nn.Module) -> None:
        self.tokenizer, self.pad_token_id = tokenizer, tokenizer.pad_token_id
        self.save_pretrained = tokenizer.save_pretrained
        taken = inspect.signature(model.forward).parameters
        self.inputs = tuple(name for name in INPUTS if name in tokenizer.model_input_names and name in taken)

    def __call__(
        self, text: str, pair: str | None = None, max_length: int | None = None
    ) -> dict[str, Tensor]:
        """A text, or a pair, as a batch of one row: LongTensors [1, T]."""
        row = self.tokenizer(text, pair, truncation=True, max_length=max_length, return_tensors="pt")
        return {name: row[name] for name in self.inputs}


@dataclass(frozen=True)
class OwnModel:
    """A model in eval(), what cuts its texts, its task, and what it is called with."""

    model: Any
    tokenizer: Any  # a WordPieceTokenizer or a `LibraryTokenizer`
    own: OwnTask
    inputs: tuple[str, ...]
    max_length: int

    def predictions(self, model: Any) -> list[Any]:
        """What a model, in whatever form, says of the test rows."""
        task = self.own.task
        return task.kind.predict(model, task.test, self.tokenizer, self.max_length)


def load_own(options: OwnOptions) -> OwnModel:
    """The model and its rows; ValueError, in a sentence, where they do not fit together."""
    folder, columns = options.model, options.columns
    if not (folder / "config.json").is_file():
        raise ValueError(
            f"There is no model in {folder}: `python course.py finetune --data my.csv --out my-model` makes "
            "one."
        )
    model, tokenizer = load_model(folder, columns.kind)
    if isinstance(model, PreTrainedBert):
        inputs, longest = INPUTS, model.config.max_position_embeddings
    else:
        inputs, longest = tokenizer.inputs, tokenizer.tokenizer.model_max_length
        positions = getattr(model.config, "max_position_embeddings", None) or -1  # in XLNet, without a bound
        if positions > 0:  # two less: RoBERTa counts places from 2
            longest = min(longest, positions - 2)
    labels = _labels(model.config, options)
    own = load_own_task(folder, options.data, columns, labels, options.test)
    if not isinstance(model, PreTrainedBert) and model.config.model_type not in TESTED_WITH:
        own.remarks.append(
            f"Careful: {folder} holds a {model.config.model_type} model, and this command is tested with "
            f"{', '.join(TESTED_WITH)}: look in the table at the end whether all forms say the same."
        )
    return OwnModel(model, tokenizer, own, inputs, min(options.max_length, longest))


def load_model(folder: Path, kind: Kind) -> tuple[Any, Any]:
    """A model with the head that such a task needs, in float32 and in eval(), and its tokenizer."""
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    model_type = config.get("model_type", MODEL_TYPE)
    if model_type in (MODEL_TYPE, ALTERED_TYPE):
        model: Any = HEADS[kind].from_pretrained(folder)
        tokenizer: Any = WordPieceTokenizer.from_pretrained(folder)
        lacks = model.newly_initialized
    else:
        model, tokenizer, lacks = _of_the_library(folder, model_type, kind)
    if lacks:
        raise ValueError(
            f"{folder} has no head for {kind} (it lacks {min(lacks)}): fine-tune it first, in `transformers` "
            "if it is no BERT, or say by --kind what it was fine-tuned for."
        )
    return model, tokenizer


def _of_the_library(folder: Path, model_type: str, kind: Kind) -> tuple[Any, LibraryTokenizer, list[str]]:
    """A model of `transformers`, its tokenizer, and the names of what its file lacks."""
    if kind not in ("classes", "grades"):
        raise ValueError(
            f"{folder} holds a {model_type} model, and {kind} are read off a BERT here: other models tell "
            "classes and grades."
        )
    if model_type not in MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING_NAMES:
        raise ValueError(f"{folder} holds a {model_type} model, of which transformers makes no classifier.")
    if not any(folder.glob("*.safetensors")):
        raise ValueError(f"{folder} has no model.safetensors: save the model with save_pretrained(folder).")
    here: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    transformers.utils.logging.set_verbosity_error()  # what a file lacks, we say
    transformers.utils.logging.disable_progress_bar()
    model, loading = transformers.AutoModelForSequenceClassification.from_pretrained(
        folder, **here, use_safetensors=True, dtype=torch.float32, output_loading_info=True
    )
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **here)
    if tokenizer.pad_token_id is None:
        raise ValueError(f"The tokenizer in {folder} has no token for padding: give it one, and save it.")
    if model.config.is_encoder_decoder or model.config.problem_type == "multi_label_classification":
        raise ValueError(
            f"{folder} holds a {type(model).__name__} that generates, or gives a text several classes at "
            "once: take an encoder with one class, or one grade, a text."
        )
    return model.eval(), LibraryTokenizer(tokenizer, model), sorted(loading["missing_keys"])


def _labels(config: Any, options: OwnOptions) -> Sequence[str]:
    """The model's classes by number, in the words of the rows; by their numbers where it has no words."""
    columns, names = options.columns, [config.id2label[number] for number in range(config.num_labels)]
    if columns.kind == "questions":
        return ()
    if (columns.kind == "grades") != (len(names) == 1):
        raise ValueError(
            f"{options.model} says {len(names)} numbers of a text, and --kind is {columns.kind}: grades are "
            "one number, and classes two or more."
        )
    if columns.kind == "grades":
        return ()
    if columns.kind == "tags":
        return names
    there = read_own_task(options.data, columns, options.test).task.kind.labels  # type: ignore[attr-defined]
    if all(re.fullmatch(r"LABEL_\d+", name) for name in names) and all(label.isdecimal() for label in there):
        if "LABEL_0" in names and "0" not in there:  # counted from 1, they would all be one off
            raise ValueError(
                f"The classes in {options.data} are {there[0]} to {there[-1]}, and those of {options.model} "
                f"{names[0]} to {names[-1]}: nothing says which of them {there[0]} is, so write the model's "
                "own names into the rows."
            )
        return [name.removeprefix("LABEL_") for name in names]
    spelled = {label.casefold(): label for label in there}
    return [spelled.get(name.casefold(), name) for name in names]


def layers_of(model: Any) -> nn.ModuleList:
    """The layers of a model; ValueError where they are not listed one by one, as where they are shared."""
    count = model.config.num_hidden_layers
    found = [
        module
        for module in model.modules()
        if isinstance(module, nn.ModuleList) and len(module) == len(set(module)) == count
    ]
    if len(found) != 1:
        raise ValueError(
            f"A {type(model).__name__} has no list of {count} layers of their own, so none can be taken out: "
            "leave --layers, and give --bits or --sparsity."
        )
    return found[0]


def keep_layers(model: Any, count: int) -> Any:
    """A copy of a model with so many of its layers: the first, the last, and some evenly between them."""
    places = distilbert_layers(count, len(layers_of(model)))
    if isinstance(model, PreTrainedBert):
        return cut_student(model, places)
    student = copy.deepcopy(model)
    layers, config = layers_of(student), student.config
    path = next(path for path, module in student.named_modules() if module is layers)
    replace_module(student, path, nn.ModuleList(layers[place] for place in places))
    for number, place in enumerate(places):
        numbered: list[Any] = [part for part in layers[place].modules() if hasattr(part, "layer_idx")]
        for part in numbered:  # by its number it looks for what it remembers
            part.layer_idx = number
    config.num_hidden_layers = count
    if getattr(config, "layer_types", None):  # which of them look far, as in ModernBERT
        config.layer_types = [config.layer_types[place] for place in places]
    return student
