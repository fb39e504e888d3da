"""Models, configs and tokenizers of `transformers` in the place of ours: equal numbers, or one sentence."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import tokenizers
import torch
import transformers
from torch import Tensor

import lib.bert
from lib.analysis.attention.head_ablation import heads_off, other_weights
from lib.analysis.attention.parses import membership
from lib.analysis.prediction.fill_mask import fill_mask
from lib.analysis.vectors.similarity import embed
from lib.bert import BertConfig, BertForMaskedLM, BertForSequenceClassification, BertModel, WordPieceTokenizer
from lib.compression.designs.super_network import design_of
from lib.compression.distillation.answers import row_answers
from lib.compression.distillation.students import cut_student
from lib.compression.elastic.sizes import Size, at_size, extracted
from lib.compression.ledger.costs import measure_costs
from lib.compression.pruning.importance import importance_by_text
from lib.compression.pruning.masks import add_masks, prune
from lib.compression.quantizers.model import quantize_weights
from lib.figures.attention import draw_heads
from lib.text.tasks import TaskBatches
from lib.training.finetuning import evaluate, fine_tune, fresh_model
from lib.training.task_kinds import Classification, SpanExtraction, Task, TextExample

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefghijk"]
SIZES: dict[str, Any] = {
    "vocab_size": 16, "hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2,
    "intermediate_size": 12, "max_position_embeddings": 16, "initializer_range": 0.3,
}  # fmt: skip
EXAMPLES = [TextExample("a b c", None, 0), TextExample("d e", None, 1)]
TASK = Task("letters", Classification(("no", "yes")), EXAMPLES, EXAMPLES)
NAMES = ["BertModel", *(name for name in lib.bert.__all__ if name.startswith("BertFor"))]

their_config: Any = transformers.BertConfig(**SIZES)
their_tokenizer: Any = transformers.BertTokenizer(vocab={piece: id for id, piece in enumerate(PIECES)})
tokenizer = WordPieceTokenizer(PIECES)
batch = their_tokenizer(["a b", "c d e"], padding=True, return_tensors="pt")
rows = TASK.kind.rows(EXAMPLES, tokenizer, 16)
torch.manual_seed(0)
ours: Any = BertForSequenceClassification(BertConfig(**SIZES)).eval()


def their(kind: str = "BertForSequenceClassification") -> Any:
    config = transformers.AutoConfig.for_model(kind.partition("For")[0].lower().removesuffix("model"))
    return getattr(transformers, kind)(config.__class__(**SIZES)).eval()


def of_the_same_weights() -> Any:
    model = their()
    model.load_state_dict(ours.state_dict())
    return model


def logits(model: Any) -> Tensor:
    return model(**batch).logits.detach()


# --- what works -----------------------------------------------------------------------------------


def quantized(model: Any) -> Tensor:
    quantize_weights(model, bits=3)
    return logits(model)


def pruned(model: Any) -> Tensor:
    add_masks(model)
    prune(model, 0.5)
    return logits(model)


def narrower(model: Any) -> Tensor:
    with at_size(model, Size(0.5, 0.5)):
        return logits(model)


@pytest.mark.parametrize(
    "call",
    [
        logits,
        quantized,
        pruned,
        narrower,
        lambda model: logits(cut_student(model, [1])),
        lambda model: row_answers(model, rows),
        lambda model: embed(model, tokenizer, ["a b"]),
        lambda model: torch.tensor(evaluate(model, tokenizer, TASK.kind, EXAMPLES)[1]),
        lambda model: torch.cat(importance_by_text(model, [batch | {"labels": torch.tensor([0, 1])}])[0]),
    ],
)
def test_a_model_of_theirs_gives_the_numbers_of_ours(call: Callable[[Any], Tensor]) -> None:
    torch.testing.assert_close(call(of_the_same_weights()), call(copy.deepcopy(ours)), atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("name", NAMES)
def test_weights_go_over_by_their_names_in_both_directions(name: str) -> None:
    model, library = getattr(lib.bert, name)(BertConfig(**SIZES)), their(name)
    assert not any(model.load_state_dict(library.state_dict()))
    assert not any(library.load_state_dict(model.state_dict()))


# --- what is refused ------------------------------------------------------------------------------

REFUSED: list[tuple[Callable[[], object], str]] = [
    *[
        (partial(getattr(lib.bert, name), their_config), "config is a BertConfig of another")
        for name in NAMES
    ],
    (lambda: BertModel(their("RobertaModel").config), "RobertaConfig of another library.*if it is a BERT's"),
    (lambda: BertConfig.from_pretrained(their_config), "not of type BertConfig: save it and name its folder"),
    (lambda: BertModel.from_pretrained(their_config), "not of type BertConfig: save it and name its folder"),
    (lambda: BertModel.from_pretrained(their()), "not of type BertForSequenceClassification: save it"),
    (lambda: fresh_model(TASK, their()), "not of type BertForSequenceClassification: save it"),
    (lambda: BertModel.from_pretrained("minilm", config=their_config), "A BertConfig has no config: give"),
    (lambda: BertModel.from_pretrained("minilm", torch_dtype=torch.half), "A BertConfig has no torch_dtype"),
    (lambda: WordPieceTokenizer.from_pretrained(their_tokenizer), "not of type BertTokenizer: save it"),
    (lambda: WordPieceTokenizer(their_tokenizer), "a BertTokenizer of another library.*a WordPieceTokenizer"),
    (lambda: WordPieceTokenizer(their_tokenizer.backend_tokenizer), "a Tokenizer of another library"),
    (lambda: WordPieceTokenizer(tokenizers.BertWordPieceTokenizer()), "a BertWordPieceTokenizer of another"),
    (lambda: ours(batch), "input_ids is of type BatchEncoding, not a tensor: unpack"),
    (lambda: ours(**their_tokenizer(["a b"])), "input_ids is of type list, not a tensor"),
    (lambda: fine_tune(their(), tokenizer, TASK), "not by transformers.models.bert"),
    (lambda: fine_tune(ours, their_tokenizer, TASK), "and transformers.models.bert"),
    (lambda: evaluate(ours, their_tokenizer, TASK.kind, EXAMPLES), "a BertTokenizer of another library"),
    (lambda: evaluate(their("BertModel"), tokenizer, TASK.kind, EXAMPLES), "A BertModel gives no logits"),
    (lambda: SpanExtraction().rows([], their_tokenizer, 16), "a BertTokenizer of another library"),
    (lambda: TaskBatches(their_tokenizer(["a b", "c"])), "is a batch already: give rows of lists"),
    (lambda: TaskBatches([their_tokenizer("a", return_tensors="pt")]), "is a batch already: give rows"),
    (lambda: membership(their_tokenizer, ["a"]), "a BertTokenizer of another library"),
    (lambda: heads_off(their("BertModel"), [(0, 0)]).__enter__(), "a BertModel of another library"),
    (
        lambda: heads_off(their("DistilBertModel"), [(0, 0)]).__enter__(),
        "load that as a BertModel .* if",
    ),
    (lambda: other_weights(their("BertModel"), torch.abs, [0]).__enter__(), "a BertModel of another library"),
    (lambda: design_of(their()), "load that as a model with its head of lib.bert, if it is a BERT's"),
    (lambda: extracted(their(), Size(0.5, 0.5)), "BertForSequenceClassification of another library"),
    (lambda: measure_costs(their(), "nowhere"), "BertForSequenceClassification of another library"),
    (lambda: row_answers(their("BertForQuestionAnswering"), rows), "not one set of logits a row"),
    (lambda: row_answers(their("BertForTokenClassification"), rows), "not one set of logits a row"),
    (lambda: row_answers(their("RobertaForTokenClassification"), rows), "not one set of logits a row"),
    (lambda: row_answers(BertForMaskedLM(ours.config).eval(), rows), "not one set of logits a row"),
    (lambda: row_answers(their("BertModel"), rows), "A BertModel gives no logits"),
    (lambda: fill_mask(their(), tokenizer, "a [MASK]"), "BertForSequenceClassification fills no blanks"),
    (lambda: fill_mask(ours, tokenizer, "a [MASK]"), "fills no blanks: load it as a BertForMaskedLM"),
    (lambda: draw_heads(their(), ["a"]), "no attention weights in a BertForSequenceClassification"),
    (lambda: draw_heads(their()(**batch), ["a"]), "no attention weights in a SequenceClassifierOutput"),
    (lambda: draw_heads(ours(**batch), ["a"]), "no attention weights in a HeadOutput"),
]


@pytest.mark.parametrize(("call", "says"), REFUSED)
def test_what_has_to_be_ours_is_asked_for_in_a_sentence(
    call: Callable[[], object], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=says) as error:
        call()
    assert "\n" not in str(error.value) and not list(tmp_path.iterdir())
