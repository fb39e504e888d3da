"""Models, configs and tokenizers of `transformers` in the place of ours: equal numbers, or one sentence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from tiny_berts import SIZES, TOKENIZER, answers, batch_of, ours, rows, theirs
from tiny_task import EXAMPLES, TASK
from torch import Tensor

import lib.bert
from lib.analysis.attention.head_ablation import heads_off, other_weights
from lib.analysis.attention.parses import membership
from lib.analysis.prediction.fill_mask import fill_mask
from lib.analysis.vectors.similarity import embed
from lib.bert import BertConfig, BertForMaskedLM, BertForSequenceClassification, BertModel, WordPieceTokenizer
from lib.compression.designs.super_network import design_of
from lib.compression.distillation.answers import row_answers
from lib.compression.elastic.sizes import Size, at_size, extracted
from lib.compression.ledger.costs import measure_costs
from lib.compression.pruning.importance import importance_by_text
from lib.figures.attention import draw_heads
from lib.text.tasks import TaskBatches
from lib.training.finetuning import evaluate, fine_tune, fresh_model

CONFIG: Any = transformers.BertConfig(**SIZES)
FOREIGN: Any = transformers.BertTokenizer(vocab=dict(TOKENIZER.vocab))


def their(kind: str) -> Any:
    return getattr(transformers, kind)(CONFIG).eval()


def narrower(model: Any) -> Tensor:
    with at_size(model, Size(0.5, 0.5)):
        return answers(model)


@pytest.mark.parametrize(
    "call",
    [
        lambda model: answers(model, TOKENIZER(["a b", "c d e"])),
        lambda model: answers(model, FOREIGN(["a b", "c"], padding=True, return_tensors="pt")),
        narrower,
        lambda model: row_answers(model, rows()),
        lambda model: embed(model, TOKENIZER, ["a b"]),
        lambda model: torch.tensor(evaluate(model, TOKENIZER, TASK.kind, EXAMPLES)[1]),
        lambda model: torch.cat(importance_by_text(model, [batch_of()])[0]),
    ],
)
def test_a_model_of_theirs_gives_the_numbers_of_ours(call: Callable[[Any], Tensor]) -> None:
    other = theirs()
    other.load_state_dict(ours().state_dict())
    torch.testing.assert_close(call(other), call(ours()), atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("kind", ["BertModel", "BertForMaskedLM", "BertForPreTraining"])
def test_weights_go_over_by_their_names_in_both_directions(kind: str) -> None:
    model, other = ours(getattr(lib.bert, kind)), their(kind)
    assert not any(model.load_state_dict(other.state_dict()))
    assert not any(other.load_state_dict(model.state_dict()))


REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: BertForSequenceClassification(CONFIG), "config is a BertConfig of another library"),
    (lambda: BertModel(transformers.RobertaConfig()), "RobertaConfig of another library.*if it is a BERT's"),
    (lambda: BertConfig.from_pretrained(CONFIG), "not of type BertConfig: save it and name its folder"),
    (lambda: BertModel.from_pretrained(theirs()), "not of type BertForSequenceClassification: save it"),
    (lambda: fresh_model(TASK, theirs()), "not of type BertForSequenceClassification: save it"),
    (lambda: BertModel.from_pretrained("minilm", config=CONFIG), "A BertConfig has no config: give"),
    (lambda: WordPieceTokenizer.from_pretrained(FOREIGN), "not of type BertTokenizer: save it"),
    (lambda: WordPieceTokenizer(FOREIGN), "a BertTokenizer of another.*as a WordPieceTokenizer"),
    (lambda: ours()(**FOREIGN(["a b"])), "input_ids is of type list, not a tensor"),
    (lambda: fine_tune(theirs(), TOKENIZER, TASK), "not by transformers.models.bert"),
    (lambda: evaluate(ours(), FOREIGN, TASK.kind, EXAMPLES), "a BertTokenizer of another"),
    (lambda: TASK.kind.rows(EXAMPLES, FOREIGN, 16), "a BertTokenizer of another library"),
    (lambda: evaluate(their("BertModel"), TOKENIZER, TASK.kind, EXAMPLES), "A BertModel gives no logits"),
    (lambda: TaskBatches(FOREIGN(["a", "c"])), "is a batch already: give rows of lists"),
    (lambda: TaskBatches([FOREIGN("a", return_tensors="pt")]), "is a batch already: give rows"),
    (lambda: membership(FOREIGN, ["a"]), "a BertTokenizer of another library"),
    (lambda: heads_off(their("BertModel"), [(0, 0)]).__enter__(), "a BertModel of another library"),
    (lambda: other_weights(their("BertModel"), torch.abs, [0]).__enter__(), "a BertModel of another library"),
    (lambda: design_of(theirs()), "load that as a model with its head of lib.bert, if it is a BERT's"),
    (lambda: extracted(theirs(), Size(0.5, 0.5)), "BertForSequenceClassification of another library"),
    (lambda: measure_costs(theirs(), "nowhere"), "BertForSequenceClassification of another library"),
    (lambda: row_answers(their("BertForQuestionAnswering"), rows()), "not one set of logits a row"),
    (lambda: row_answers(ours(BertForMaskedLM), rows()), "not one set of logits a row"),
    (lambda: fill_mask(theirs(), TOKENIZER, "a [MASK]"), "BertForSequenceClassification fills no blanks"),
    (lambda: draw_heads(theirs(), ["a"]), "no attention weights in a BertForSequenceClassification"),
    (lambda: draw_heads(theirs()(**batch_of()), ["a"]), "no attention weights in a SequenceClassifierOutput"),
]


@pytest.mark.parametrize(("call", "says"), REFUSED)
def test_what_has_to_be_ours_is_asked_for_in_a_sentence(
    call: Callable[[], object], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=says) as error:
        call()
    assert "\n" not in str(error.value) and not list(tmp_path.iterdir())
