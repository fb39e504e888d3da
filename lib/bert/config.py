"""The shape of a BERT: one small record, stored as ``config.json`` beside the weights."""

from __future__ import annotations

import dataclasses
import math
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from lib.bert.folders import validate_name, validate_there
from lib.files import read_object

MODEL_TYPE = "bert"
#: in the config.json of an altered model (`lib.bert.alterations`), which `transformers` cannot build
ALTERED_TYPE = "altered-bert"
#: keys of config.json that follow from the model when it is saved; a masked-LM head here is always tied
WRITTEN_ANEW = ("model_type", "architectures", "label2id", "num_labels", "tie_word_embeddings")
#: keys that shape a model which is not ours, unless they hold this or null
SHAPING: dict[str, tuple[Any, str]] = {
    "position_embedding_type": ("absolute", "asks for relative positions: choose one with absolute ones"),
    "is_decoder": (False, "describes a decoder, which reads one way only: choose an encoder"),
    "add_cross_attention": (False, "looks at a second model's answers: choose an encoder alone"),
    "pruned_heads": ({}, "has had heads removed by another library: choose one that has them all"),
    "quantization_config": (None, "holds quantized weights: choose one with floating-point numbers"),
    "per_layer_config": (None, "describes layers of unlike shapes: choose one whose layers are alike"),
}
#: a BERT's relatives: their checkpoints have its tensors under its names, but compute otherwise
RELATIVES = re.compile(
    "(XLM)?(Roberta|Camembert|Albert|Electra|MPNet|Deberta"
    "|(Distil|Mobile|Modern|Jina|Nomic|Megatron|Squeeze|Conv|RoC)Bert)"
)
#: what can be done with a model of another family
ELSE = (
    "choose a BERT here ('minilm' is one); many other encoders can be fine-tuned for classes or grades by "
    "transformers' Trainer, as notebook 14 shows, and then be made smaller by compress"
)


def _unnamed(labels: int) -> dict[int, str]:
    """So many labels, under the names that `transformers` gives them."""
    if type(labels) is not int or labels < 1:
        raise ValueError(f"num_labels is {labels!r}: give a whole number of at least 1.")
    return {number: f"LABEL_{number}" for number in range(labels)}


@dataclass
class BertConfig:
    """Sizes and rates of a BERT, under the names that `transformers` uses.

    The defaults are those of BERT-base (Devlin et al., 2019, section 3).
    """

    vocab_size: int = 30522
    hidden_size: int = 768
    num_hidden_layers: int = 12
    num_attention_heads: int = 12
    intermediate_size: int = 3072
    hidden_act: str = "gelu"
    hidden_dropout_prob: float = 0.1
    attention_probs_dropout_prob: float = 0.1
    classifier_dropout: float | None = None
    max_position_embeddings: int = 512
    type_vocab_size: int = 2
    initializer_range: float = 0.02
    layer_norm_eps: float = 1e-12
    pad_token_id: int = 0
    id2label: dict[int, str] = field(default_factory=lambda: _unnamed(2))
    #: width of a head where it is not hidden_size / num_attention_heads; `transformers` knows no such BERT
    attention_head_size: int | None = None
    #: what else a config.json said, which does not shape the model and is written back as it was
    other: dict[str, Any] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        for name in (
            "vocab_size",
            "hidden_size",
            "num_hidden_layers",
            "num_attention_heads",
            "intermediate_size",
            "max_position_embeddings",
            "type_vocab_size",
        ):
            value = getattr(self, name)
            if type(value) is not int or value < 1:
                raise ValueError(f"{name} is {value!r}: give a whole number of at least 1.")
        if self.attention_head_size is None and self.hidden_size % self.num_attention_heads:
            raise ValueError(
                f"hidden_size {self.hidden_size} is not divisible by num_attention_heads "
                f"{self.num_attention_heads}: every head gets an equal slice, so change one of them."
            )
        if not isinstance(self.head_size, int) or self.head_size < 1:
            raise ValueError(
                f"attention_head_size is {self.head_size!r}: give a whole number of at least 1, or None."
            )
        for name in ("hidden_dropout_prob", "attention_probs_dropout_prob", "classifier_dropout"):
            rate = getattr(self, name)
            if rate is not None and not (_is_number(rate) and 0 <= rate <= 1):  # NaN neither
                raise ValueError(f"{name} is {rate!r}: give a share from 0 to 1.")
        for name in ("initializer_range", "layer_norm_eps"):
            value = getattr(self, name)
            if not (_is_number(value) and 0 <= value < math.inf):
                raise ValueError(f"{name} is {value!r}: give a number that is not negative.")
            setattr(self, name, float(value))  # transformers reads no 0 for 0.0
        if not (type(self.pad_token_id) is int and 0 <= self.pad_token_id < self.vocab_size):
            raise ValueError(
                f"pad_token_id is {self.pad_token_id!r}, but the vocabulary has {self.vocab_size} pieces: "
                "change one of them."
            )
        if self.hidden_act != "gelu":
            raise ValueError(
                f"hidden_act is {self.hidden_act!r}, but this BERT knows 'gelu' (the exact one) only: "
                "choose a checkpoint that uses it."
            )
        if not self.id2label:
            raise ValueError("id2label is empty: a model needs one label at least (num_labels=1).")
        names = dict(enumerate(self.id2label)) if isinstance(self.id2label, list) else self.id2label
        by_number = {str(number): str(label) for number, label in names.items()}  # the keys of JSON are text
        if by_number.keys() != set(map(str, range(len(names)))):
            raise ValueError(
                f"id2label numbers its labels {', '.join(by_number)}: number them from 0 to {len(names) - 1}."
            )
        self.id2label = {number: by_number[str(number)] for number in range(len(names))}

    @property
    def head_size(self) -> int:
        """Width of one head's queries, keys and values."""
        if self.attention_head_size is not None:
            return self.attention_head_size
        return self.hidden_size // self.num_attention_heads

    @property
    def attention_size(self) -> int:
        """Width of all heads side by side: hidden_size, unless heads have a size of their own."""
        return self.num_attention_heads * self.head_size

    @property
    def num_labels(self) -> int:
        """How many classes the sequence and token heads tell apart."""
        return len(self.id2label)

    @classmethod
    def from_pretrained(cls, folder: str | Path, **changes: Any) -> Self:
        """Read ``folder/config.json``; keyword arguments replace what it says.

        Keys that do not shape a BERT encoder (``use_cache``, ...) are kept in `other`, so that they are still
        there when the model is saved. `num_labels=3` is short for an `id2label` of three unnamed labels, in
        the file as here, where `problem_type` goes with the labels that it was said of. ValueError for a key
        that would make another model than ours of the weights: see `SHAPING` and `RELATIVES`.
        """
        validate_name(folder)
        path = Path(folder) / "config.json"
        validate_there(path)
        written = read_object(path)
        stored = {key: value for key, value in written.items() if value is not None}
        if stored.get("model_type", MODEL_TYPE) not in (MODEL_TYPE, ALTERED_TYPE):
            raise ValueError(f"{path} describes a {stored['model_type']!r} model, not a BERT: {ELSE}.")
        if others := [name for name in stored.get("architectures", ()) if RELATIVES.match(name)]:
            raise ValueError(f"{path} is of a {others[0]}, not of a BERT: {ELSE}.")
        for key, (usual, says) in SHAPING.items():
            if stored.get(key, usual) != usual:
                raise ValueError(f"{path} {says} ({key} is {stored[key]!r}).")
        if (num_labels := changes.pop("num_labels", None)) is not None:
            changes["id2label"] = _unnamed(num_labels)
        if "id2label" in changes:
            written.pop("problem_type", None)
        elif "num_labels" in stored:
            unnamed = _unnamed(stored["num_labels"])
            if len(stored.setdefault("id2label", unnamed)) != len(unnamed):
                raise ValueError(
                    f"{path} says {len(unnamed)} num_labels and {len(stored['id2label'])} in id2label: say "
                    "which, num_labels=..."
                )
        known = {f.name for f in dataclasses.fields(cls)} - {"other"}
        if unknown := changes.keys() - known - {"other"}:
            raise ValueError(f"A BertConfig has no {min(unknown)}: give entries of it, such as num_labels=3.")
        # null, which was left out, means the default, which is transformers' too
        settings = {key: value for key, value in stored.items() if key in known}
        other = {key: value for key, value in written.items() if key not in known and key not in WRITTEN_ANEW}
        return cls(**({"other": other} | settings | changes))

    def to_dict(self) -> dict[str, Any]:
        """The record as `transformers` would write it, ready for ``config.json``."""
        known = dataclasses.asdict(self)
        other = known.pop("other")
        if self.attention_size == self.hidden_size:
            del known["attention_head_size"]
        labels = {"label2id": {label: number for number, label in self.id2label.items()}}
        return {"model_type": MODEL_TYPE} | known | labels | other


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
