"""Matrices in two factors: the best for themselves, for what they read, and for what is looked up."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from tiny_berts import drawn, shaken
from torch import Tensor, nn

from lib.bert import BertConfig, BertForMaskedLM, BertForSequenceClassification
from lib.bert.alterations import factorize as cut
from lib.bert.alterations import put_factors
from lib.bert.factors import factorize, factorize_for_inputs, factorize_table
from lib.compression.distillation.knowledge import INPUTS
from lib.compression.factorizing import factorize_linears, factorize_words, inputs_of, piece_counts
from lib.compression.packed import load_packed, save_packed
from lib.compression.parts import module_part
from lib.compression.quantizers.model import quantize_weights

CONFIG = BertConfig(53, 24, 2, 4, 40, max_position_embeddings=20)
WORDS = "bert.embeddings.word_embeddings"
DENSE = "bert.encoder.layer.1.intermediate.dense"


@pytest.fixture
def model() -> BertForSequenceClassification:
    torch.manual_seed(0)
    made: BertForSequenceClassification = shaken(BertForSequenceClassification(CONFIG).eval())
    return made


@pytest.fixture
def batches() -> list[dict[str, Tensor]]:
    generator = torch.Generator().manual_seed(0)
    mask = (torch.arange(9) < torch.tensor([[9], [5], [7]])).long()
    ids = torch.randint(1, 53, (2, 3, 9), generator=generator) * mask
    return [{"input_ids": row, "attention_mask": mask} for row in ids]


# --- a matrix -------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(6, 4), (4, 7), (5, 5)])
def test_the_error_is_what_the_left_out_singular_values_hold(shape: tuple[int, int]) -> None:
    weight = drawn(*shape)
    values, before = torch.linalg.svdvals(weight), float("inf")
    for rank in range(1, min(shape) + 1):
        left, right = factorize(weight, rank)
        assert (left.shape, right.shape) == ((shape[0], rank), (rank, shape[1]))
        error = (weight - left @ right).norm()
        torch.testing.assert_close(error, values[rank:].norm(), atol=1e-5, rtol=1e-5)
        torch.testing.assert_close(left.norm(dim=0), right.norm(dim=1))
        assert error < before
        before = float(error)


@pytest.mark.parametrize("shape", [(6, 4), (4, 7), (5, 5)])
def test_for_inputs_the_outputs_err_least(shape: tuple[int, int]) -> None:
    weight, inputs = drawn(*shape), drawn(30, shape[1], seed=1) * torch.arange(1, shape[1] + 1) ** 2
    outputs = inputs @ weight.T
    for rank in range(1, min(shape) + 1):
        left, right = factorize_for_inputs(weight, inputs, rank)
        plain = torch.matmul(*factorize(weight, rank))
        error = (outputs - inputs @ (left @ right).T).norm()
        torch.testing.assert_close(
            error, torch.linalg.svdvals(outputs)[rank:].norm(), atol=2e-4 * float(outputs.norm()), rtol=1e-3
        )
        assert error <= (outputs - inputs @ plain.T).norm() + 1e-4 * outputs.norm()
        torch.testing.assert_close(left.T @ left, torch.eye(rank), atol=1e-5, rtol=0)


@pytest.mark.parametrize("shape", [(6, 4), (4, 7)])
def test_where_all_inputs_and_rows_count_alike_it_is_the_plain_one(shape: tuple[int, int]) -> None:
    weight = drawn(*shape)
    plain = torch.matmul(*factorize(weight, 2))
    for_inputs = torch.matmul(*factorize_for_inputs(weight, torch.eye(shape[1]), 2))
    torch.testing.assert_close(for_inputs, plain, atol=1e-5, rtol=1e-5)
    table = torch.matmul(*factorize_table(weight, torch.full((shape[0],), 7), 2))
    torch.testing.assert_close(table, plain, atol=1e-5, rtol=1e-5)


def test_a_row_that_is_looked_up_often_is_kept() -> None:
    table = drawn(10, 6)
    counts = torch.zeros(10).index_fill(0, torch.tensor([3, 8]), 5)
    restored = torch.matmul(*factorize_table(table, counts, 2))
    torch.testing.assert_close(restored[[3, 8]], table[[3, 8]], atol=1e-5, rtol=1e-5)
    assert (restored - table).norm() > 1


# --- a model --------------------------------------------------------------------------------------


def test_a_table_in_factors_reads_the_product_and_is_loaded_again(model, batches, tmp_path: Path) -> None:
    table = model.get_submodule(WORDS).weight.detach()
    counts = piece_counts(batches, CONFIG.vocab_size)
    assert counts.sum() == 2 * (9 + 5 + 7) and counts[0] == 0
    factorize_words(model, 8, counts)
    left, right = factorize_table(table, counts, 8)
    parts = model.get_submodule(WORDS)
    assert parts[0].padding_idx == CONFIG.pad_token_id and not parts.training
    torch.testing.assert_close(parts(torch.arange(53)), left @ right)
    factorize_linears(model, 6)
    model.save_pretrained(tmp_path)
    again = BertForSequenceClassification.from_pretrained(tmp_path)
    assert again.changes == model.changes and len(model.changes) == 1 + 12
    assert torch.equal(again(**batches[0]).logits, model(**batches[0]).logits)


def test_factors_are_rounded_and_packed_like_any_matrix(model, batches, tmp_path: Path) -> None:
    factorize_words(model, 8)
    factorize_linears(model, 6, inputs=inputs_of(model, batches))
    assert module_part(f"{WORDS}.0") == module_part(f"{WORDS}.1") == "word_embeddings"
    quantize_weights(model, bits=4)
    save_packed(model, tmp_path / "small")
    assert torch.equal(load_packed(tmp_path / "small")(**batches[0]).logits, model(**batches[0]).logits)


def test_inputs_are_those_of_real_tokens(model, batches) -> None:
    inputs = inputs_of(model, batches)
    assert len(inputs) == 12 and inputs[DENSE].shape == (2 * 21, 24)
    read = model.bert.encoder.layer[0].attention.self.query, "bert.encoder.layer.0.attention.self.query"
    hidden = model(**batches[0], output_hidden_states=True).hidden_states[0]
    torch.testing.assert_close(inputs[read[1]][:21], hidden[batches[0]["attention_mask"].bool()])
    assert not any(module._forward_pre_hooks for module in model.modules())


def test_at_full_rank_no_answer_changes(model, batches) -> None:
    before = [model(**batch).logits for batch in batches]
    inputs = inputs_of(model, batches)
    factorize_words(model, 24, piece_counts(batches, CONFIG.vocab_size))
    factorize_linears(model, 24, inputs=inputs)
    after = [model(**{name: batch[name] for name in INPUTS if name in batch}).logits for batch in batches]
    torch.testing.assert_close(after, before, atol=2e-5, rtol=1e-4)


def test_the_bias_stays_with_the_second_factor(model) -> None:
    bias = model.get_submodule(DENSE).bias
    put_factors(model, DENSE, *factorize(model.get_submodule(DENSE).weight, 3))
    first, second = model.get_submodule(DENSE)
    assert first.bias is None and second.bias is bias


def rounded(model: nn.Module) -> nn.Module:
    quantize_weights(model, bits=4, paths=[WORDS])
    return model


REFUSED: list[tuple[Callable[[Any], object], str]] = [
    (lambda model: factorize(drawn(4, 7), 5), "from 1 to 4"),
    (lambda model: factorize_table(drawn(4, 7), torch.ones(4), 5), "from 1 to 4"),
    (lambda model: cut(model, WORDS, 25), "give one from 1 to 24"),
    (lambda model: cut(BertForMaskedLM(CONFIG), WORDS, 3), "without a masked-LM head"),
    (lambda model: cut(model, "bert.embeddings.LayerNorm", 3), "name a module of type Linear"),
    (lambda model: put_factors(model, DENSE, drawn(24, 3), drawn(3, 40)), "factorize its own weight"),
    (lambda model: put_factors(model, DENSE, drawn(40, 3), drawn(4, 24)), r"give \[rows, r\]"),
    (lambda model: cut(rounded(model), WORDS, 3), "are computed"),
]


@pytest.mark.parametrize(("call", "sentence"), REFUSED)
def test_what_cannot_be_cut_is_said_and_nothing_changed(call, sentence: str, model) -> None:
    with pytest.raises(ValueError, match=sentence):
        call(model)
    assert "factorize" not in {change.name for change in model.changes}
    assert isinstance(model.get_submodule(DENSE), nn.Linear)
