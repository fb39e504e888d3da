"""What the cells of notebook 33 call: a smaller vocabulary, codes of one's own, and what lies in a file."""

from __future__ import annotations

import copy
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import torch
from torch import Tensor

from chapters.nb33.earlier import right_of
from lib.bert import BertForSequenceClassification, WordPieceTokenizer
from lib.bert.alterations import cut_positions
from lib.compression import packed, parts
from lib.compression.bags import Bag, Features
from lib.compression.distillation.students import with_vocabulary
from lib.compression.elastic.sizes import Size, extracted
from lib.compression.floppy import Floppy, read_floppy, word_table, write_floppy
from lib.compression.quantizers import linear
from lib.compression.quantizers.model import halve_rest, quantize_weights
from lib.text.tasks import TextExample
from lib.text.tasks.own import CATEGORIES

WORDS = "bert.embeddings.word_embeddings"


def smaller(theirs: WordPieceTokenizer, used: Iterable[str]) -> WordPieceTokenizer:
    """A tokenizer of these pieces, of all single letters, which can spell other words, and of [CLS] etc."""
    letters = {piece for piece in theirs.vocab if len(piece.removeprefix("##")) == 1 and piece.isascii()}
    special = theirs.all_special_tokens
    return WordPieceTokenizer([*special, *sorted((set(used) | letters) - set(special))])


def begin_with(bag: Bag, model: BertForSequenceClassification, features: Sequence[Features]) -> None:
    """Let a bag's table begin with the main directions of a model's word vectors, those of frequent pieces
    first: a piece counts as often as it stands in the texts, and once more."""
    ids = torch.cat([text.ids for text in features])
    vectors = word_table(model).detach()
    bag.start_from(vectors, 1 + torch.bincount(ids, minlength=len(vectors)))


def take_codes_of(codes_of: Callable[[Tensor, int, float], tuple[Tensor, Tensor]]) -> None:
    """Let `quantize_weights(..., scheme="spread")` take codes and steps from a function as `spread_codes`."""

    def spread(rows: Tensor, bits: int) -> linear.Quantized:
        codes, step = codes_of(rows.detach(), bits, linear.BEST_STEPS[bits])
        lowest = -(2 ** (bits - 1))
        step = step.to(torch.float16).to(rows.dtype)  # as a file holds it
        return linear.Quantized((codes.nan_to_num() - lowest).to(torch.uint8), step, -lowest - 0.5)

    linear.SCHEMES["spread"] = spread


def from_the_file(disk: Floppy, path: Path, examples: Sequence[TextExample]) -> tuple[int, float]:
    """Write a disk and weigh the file; read it back, and let what comes out sort the examples: percent."""
    size = write_floppy(disk, path)
    return size, right_of(read_floppy(path), examples)


def weigh(model: BertForSequenceClassification) -> int:
    """The bytes of a model as it is packed, before anything is zipped."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model")
        packed.save_packed(model.eval(), path)
        return path.stat().st_size


# --- roundings side by side -----------------------------------------------------------------------


def matrices(model: BertForSequenceClassification) -> list[str]:
    """The paths of all matrices but the table of words."""
    return [path for path in parts.paths_of(model) if path != WORDS]


def with_zeros(weight: Tensor, zeros: float) -> Tensor:
    """A matrix whose smallest weights are zero, this share of them (notebook 26)."""
    removed = int(zeros * weight.numel())
    if not removed:
        return weight
    limit = weight.abs().flatten().kthvalue(removed).values
    return weight.where(weight.abs() > limit, 0)


def rounded(
    model: BertForSequenceClassification, bits: int, scheme: str, zeros: float = 0.0
) -> BertForSequenceClassification:
    """A copy whose matrices are rounded, each row for itself, with this share of zeros made before."""
    copied = copy.deepcopy(model)
    for path in matrices(copied):
        weight = copied.get_submodule(path).get_parameter("weight")
        weight.data = with_zeros(weight.data, zeros)
    quantize_weights(copied, bits, matrices(copied), scheme=scheme)
    return copied.eval()


def codes_of_a_matrix(
    model: BertForSequenceClassification, bits: int, scheme: str, zeros: float = 0.0
) -> Tensor:
    """The codes of one matrix, that into the neurons of MiniLM's third layer, rounded in such a way."""
    weight = model.get_submodule("bert.encoder.layer.2.intermediate.dense").get_parameter("weight").detach()
    return linear.scheme_named(scheme)(with_zeros(weight, zeros), bits).codes


def bits_in_the_file(
    model: BertForSequenceClassification,
    theirs: WordPieceTokenizer,
    bits: int,
    scheme: str,
    zeros: float = 0.0,
) -> float:
    """How many bits a weight takes in a disk's file that holds one layer, the pooler and hardly a word."""
    letters = smaller(theirs, ())
    one = extracted(with_vocabulary(model, theirs, letters), Size(depth=1 / 6))
    cut_positions(one, "bert.embeddings", count=2)
    weights = sum(one.get_submodule(path).get_parameter("weight").numel() for path in matrices(one))
    one = rounded(one, bits, scheme, zeros)
    quantize_weights(one, 3, [WORDS], groups=1, scheme="spread")
    halve_rest(one)
    with tempfile.TemporaryDirectory() as folder:
        size = write_floppy(Floppy(CATEGORIES, letters, model=one), Path(folder, "one.zip"))
    return 8 * size / weights
