"""A fine-tuned model and the rows that it is for: a BERT of `lib.bert`, or another model of `transformers`.

Nothing is asked of the network, and nothing that came with a model is executed.
"""

from __future__ import annotations

import copy
import inspect
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import shorten
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
from lib.bert.checkpoint import resolve_checkpoint
from lib.bert.config import ALTERED_TYPE, MODEL_TYPE
from lib.bert.folders import validate_there
from lib.bert.model import PreTrainedBert
from lib.bert.surgery import replace_module
from lib.compression.distillation.layer_maps import distilbert_layers
from lib.compression.distillation.students import cut_student
from lib.compression.ledger.onnx import INPUTS
from lib.files import read_object, validate_fetched
from lib.training.coverage import coverage
from lib.training.own_task import Columns, Kind, OwnTask, columns_of, load_own_task, read_own_task

HEADS: dict[Kind, type[PreTrainedBert]] = {
    "classes": BertForSequenceClassification,
    "grades": BertForSequenceClassification,
    "tags": BertForTokenClassification,
    "questions": BertForQuestionAnswering,
}
#: how the names of classes end whose heads have tensors of the same names
ANSWERS = {"SequenceClassification", "TokenClassification", "QuestionAnswering", "MultipleChoice"}
#: of which a tokenizer has one at least
TOKENIZERS = ("tokenizer.json", "vocab.txt", "vocab.json", "*.model")
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
        self.tokenize = tokenizer.tokenize
        self.unk_token = tokenizer.unk_token if tokenizer.is_fast else None  # others tell no offsets
        taken = {*inspect.signature(model.forward).parameters} & {*tokenizer.model_input_names}
        if getattr(model.config, "type_vocab_size", None) == 0:  # as in DeBERTa, which passes them over
            taken.discard("token_type_ids")
        self.inputs = tuple(name for name in INPUTS if name in taken)

    def __call__(
        self, text: str, pair: str | None = None, max_length: int | None = None
    ) -> dict[str, Tensor]:
        """A text, or a pair, as a batch of one row: LongTensors [1, T]."""
        row = self.tokenizer(text, pair, truncation=True, max_length=max_length, return_tensors="pt")
        return {name: row[name] for name in self.inputs}

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """Where each piece stands in a text, as ours tells it: with (0, 0) before and after."""
        row = self.tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
        return [(0, 0), *row["offset_mapping"], (0, 0)]


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
    if str(options.model) in ("minilm", "pocket"):
        options = replace(options, model=resolve_checkpoint(str(options.model)))
    folder, columns = options.model, options.columns
    if not folder.is_dir():
        raise ValueError(
            f"There is no model in {folder}: `python course.py finetune --data my.csv --out my-model` makes "
            "one."
        )
    validate_there(folder / "config.json")
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
    cut_after = min(options.max_length, longest)
    covered = coverage([*own.task.train, *own.task.test], tokenizer)
    own.remarks.extend(covered.remarks(cut_after, longest))
    return OwnModel(model, tokenizer, own, inputs, cut_after)


def load_model(folder: Path, kind: Kind) -> tuple[Any, Any]:
    """A model with the head that such a task needs, in float32 and in eval(), and its tokenizer."""
    config = read_object(folder / "config.json")
    model_type = config.get("model_type", MODEL_TYPE)
    if model_type in (MODEL_TYPE, ALTERED_TYPE):
        model: Any = HEADS[kind].from_pretrained(folder)
        tokenizer: Any = WordPieceTokenizer.from_pretrained(folder)
        lacks = model.newly_initialized
    else:
        _validate_of_the_library(folder, config, kind)
        model, tokenizer, lacks = _of_the_library(folder)
    made = {str(name).partition("For")[2]: name for name in config.get("architectures") or ()}
    is_other = made.keys() & ANSWERS and HEADS[kind].__name__.removeprefix("BertFor") not in made
    if lacks or is_other:
        why = f"it lacks {min(lacks)}" if lacks else f"it is of {', '.join(made.values())}"
        raise ValueError(
            f"{folder} has no head for {kind} ({why}): fine-tune it first, in `transformers` "
            "if it is no BERT, or say by --kind what it was fine-tuned for."
        )
    return model, tokenizer


def _validate_of_the_library(folder: Path, config: Mapping[str, Any], kind: Kind) -> None:
    """Raise a ValueError for a folder that `transformers` would not load, or in which it would invent."""
    model_type = config["model_type"]
    if kind not in ("classes", "grades"):
        raise ValueError(
            f"{folder} holds a {model_type} model, and {kind} are read off a BERT here: other models tell "
            "classes and grades."
        )
    if model_type not in MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING_NAMES:
        raise ValueError(f"{folder} holds a {model_type} model, of which transformers makes no classifier.")
    if not any(folder.glob("*.safetensors")):
        raise ValueError(f"{folder} has no model.safetensors: save the model with save_pretrained(folder).")
    if config.get("quantization_config"):
        raise ValueError(
            f"{folder} holds quantized weights (config.json has a quantization_config): name the folder of "
            "the model that they were made of."
        )
    if not any(path for pattern in TOKENIZERS for path in folder.glob(pattern)):
        raise ValueError(
            f"{folder} has no tokenizer ({', '.join(TOKENIZERS)}), and transformers would make one up: save "
            "there the one that it learned with, tokenizer.save_pretrained(folder)."
        )
    for path in folder.glob("*.safetensors"):
        validate_fetched(path)
    for name in ("tokenizer.json", "tokenizer_config.json", "model.safetensors.index.json"):
        read_object(folder / name)


def _of_the_library(folder: Path) -> tuple[Any, LibraryTokenizer, list[str]]:
    """A model of `transformers`, its tokenizer, and the names of what its head lacks."""
    here: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
    transformers.utils.logging.set_verbosity_error()  # what a file lacks, we say
    transformers.utils.logging.disable_progress_bar()
    try:
        model, loading = transformers.AutoModelForSequenceClassification.from_pretrained(
            folder, **here, use_safetensors=True, dtype=torch.float32, output_loading_info=True,
            ignore_mismatched_sizes=True,
        )  # fmt: skip
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **here)
    except Exception as error:  # each file has its own
        why = shorten(f"{type(error).__name__}: {error}", 200, placeholder=" ...")
        raise ValueError(
            f"transformers can't load what is in {folder} ({why}): fetch all files again, or save them again."
        ) from None
    _validate_weights(folder, model, loading)
    if len(tokenizer) > (rows := getattr(model.config, "vocab_size", math.inf)):
        raise ValueError(
            f"The tokenizer in {folder} has {len(tokenizer)} pieces, and its model vectors for {rows}: save "
            "the tokenizer there that the model learned with."
        )
    if tokenizer.pad_token_id is None:
        raise ValueError(f"The tokenizer in {folder} has no token for padding: give it one, and save it.")
    if model.config.is_encoder_decoder or model.config.problem_type == "multi_label_classification":
        raise ValueError(
            f"{folder} holds a {type(model).__name__} that generates, or gives a text several classes at "
            "once: take an encoder with one class, or one grade, a text."
        )
    return model.eval(), LibraryTokenizer(tokenizer, model), sorted(loading["missing_keys"])


def _validate_weights(folder: Path, model: Any, loading: Mapping[str, Any]) -> None:
    """Raise a ValueError unless a file has the encoder that its config.json asks for, in finite numbers."""
    for name, stored, asked in sorted(loading["mismatched_keys"]):
        raise ValueError(
            f"{name} in {folder} has shape {list(stored)}, but config.json asks for {list(asked)}: the two "
            "files do not belong together."
        )
    prefix = f"{model.base_model_prefix}."
    if encoder := [name for name in sorted(loading["missing_keys"]) if name.startswith(prefix)]:
        others = f", and has {min(loading['unexpected_keys'])}" if loading["unexpected_keys"] else ""
        raise ValueError(
            f"{folder} lacks {encoder[0]}, which its config.json asks for{others}: save the model again, "
            "by save_pretrained of itself and not of a wrapper."
        )
    for name, parameter in model.named_parameters():
        if not parameter.isfinite().all():
            raise ValueError(
                f"{name} in {folder} holds numbers that are not finite: its training diverged, so take an "
                "earlier checkpoint."
            )


def _labels(config: Any, options: OwnOptions) -> Sequence[str]:
    """The model's classes by number, in the words of the rows; by their numbers where it has no words."""
    columns, names = options.columns, [str(config.id2label[n]) for n in range(config.num_labels)]
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
