"""The shape of a BERT: one small record, stored as ``config.json`` beside the weights."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from lib.files import read_object

MODEL_TYPE = "bert"
#: in the config.json of an altered model (`lib.bert.alterations`), which `transformers` cannot build
ALTERED_TYPE = "altered-bert"
#: keys of config.json that follow from the model when it is saved
WRITTEN_ANEW = ("model_type", "architectures", "label2id")


def _two_labels() -> dict[int, str]:
    return {0: "LABEL_0", 1: "LABEL_1"}


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
    id2label: dict[int, str] = field(default_factory=_two_labels)
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
            if not isinstance(value, int) or value < 1:
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
            if rate is not None and not 0 <= rate <= 1:  # NaN neither
                raise ValueError(f"{name} is {rate!r}: give a share from 0 to 1.")
        for name in ("initializer_range", "layer_norm_eps"):
            if not 0 <= getattr(self, name) < math.inf:
                raise ValueError(f"{name} is {getattr(self, name)!r}: give a number that is not negative.")
        if not 0 <= self.pad_token_id < self.vocab_size:
            raise ValueError(
                f"pad_token_id is {self.pad_token_id}, but the vocabulary has {self.vocab_size} pieces: "
                "change one of them."
            )
        if self.hidden_act != "gelu":
            raise ValueError(
                f"hidden_act is {self.hidden_act!r}, but this BERT knows 'gelu' (the exact one) only: "
                "choose a checkpoint that uses it."
            )
        if not self.id2label:
            raise ValueError("id2label is empty: a model needs one label at least (num_labels=1).")
        self.id2label = {int(number): label for number, label in self.id2label.items()}

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
        there when the model is saved. `num_labels=3` is short for an `id2label` of three unnamed labels.
        """
        path = Path(folder) / "config.json"
        if not path.is_file():
            raise ValueError(
                f"There is no config.json in {folder}: name a folder that save_pretrained wrote."
            )
        stored = read_object(path)
        if stored.get("model_type", "bert") not in (MODEL_TYPE, ALTERED_TYPE):
            raise ValueError(
                f"{path} describes a {stored['model_type']!r} model, not a BERT: choose a BERT checkpoint."
            )
        if stored.get("position_embedding_type", "absolute") != "absolute":
            raise ValueError(f"{path} asks for relative positions: choose a checkpoint with absolute ones.")
        if stored.get("is_decoder"):
            raise ValueError(f"{path} describes a decoder, which reads one way only: choose an encoder.")
        if (num_labels := changes.pop("num_labels", None)) is not None:
            if not isinstance(num_labels, int) or num_labels < 1:
                raise ValueError(f"num_labels is {num_labels!r}: give a whole number of at least 1.")
            changes["id2label"] = {number: f"LABEL_{number}" for number in range(num_labels)}
        known = {f.name for f in dataclasses.fields(cls)} - {"other"}
        # transformers writes null where it means its default, which is ours too.
        settings = {key: value for key, value in stored.items() if key in known and value is not None}
        other = {key: value for key, value in stored.items() if key not in known and key not in WRITTEN_ANEW}
        return cls(**({"other": other} | settings | changes))

    def to_dict(self) -> dict[str, Any]:
        """The record as `transformers` would write it, ready for ``config.json``."""
        known = dataclasses.asdict(self)
        other = known.pop("other")
        if self.attention_size == self.hidden_size:
            del known["attention_head_size"]
        labels = {"label2id": {label: number for number, label in self.id2label.items()}}
        return {"model_type": MODEL_TYPE} | known | labels | other
