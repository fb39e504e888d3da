"""Parameters and multiply-adds: the formula, the hooks and PyTorch's own counter say the same."""

from typing import Any

import torch
from torch.utils.flop_counter import FlopCounterMode

from lib.analysis.cost.formulas import count_multiplications, count_parameters
from lib.bert import BertConfig, BertForMaskedLM, BertForSequenceClassification, BertModel
from lib.bert.alterations import factorize, prune_heads, share_layers
from lib.compression.ledger.counting import count_multiply_adds, unique_parameters

SIZES: dict[str, Any] = {
    "vocab_size": 53, "hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 3,
    "intermediate_size": 40, "max_position_embeddings": 20,
}  # fmt: skip
CONFIG = BertConfig(**SIZES, id2label={0: "a", 1: "b", 2: "c"})
IDS = torch.randint(53, (4, 7), generator=torch.Generator().manual_seed(0))


def test_hooks_count_what_the_formula_says() -> None:
    model, parts = BertModel(CONFIG).eval(), count_multiplications(CONFIG, length=7)
    linear = parts["projections"] + parts["feed-forward"] + 24 * 24  # the pooler reads [CLS] alone
    assert count_multiply_adds(model, lambda: model(IDS)) == (4 * linear, 4 * parts["attention"])


def test_hooks_on_linears_alone_miss_what_attention_multiplies() -> None:
    """PyTorch's counter, which sees operations and not modules, finds both."""
    model = BertModel(CONFIG).eval()
    counted = count_multiply_adds(model, lambda: model(IDS))
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        model(IDS, output_attentions=True)
    assert counter.get_total_flops() == 2 * counted.total > 2 * counted.linear
    assert counted.attention == 4 * 2 * 2 * 7 * 7 * 24  # texts, layers, products, T, T, D


def test_their_model_is_counted_as_ours() -> None:
    from transformers import BertConfig as TheirConfig
    from transformers import BertForSequenceClassification as Theirs

    ours = BertForSequenceClassification(CONFIG).eval()
    theirs = Theirs(TheirConfig(**SIZES, num_labels=3)).eval()
    counted = count_multiply_adds(theirs, lambda: theirs(IDS))
    assert counted == count_multiply_adds(ours, lambda: ours(IDS))
    assert unique_parameters(theirs) == unique_parameters(ours)


def test_altered_models_are_counted_as_they_run() -> None:
    model = BertModel(CONFIG).eval()
    before = count_multiply_adds(model, lambda: model(IDS))
    prune_heads(model, "encoder.layer.0.attention", heads=[1])
    pruned = count_multiply_adds(model, lambda: model(IDS))
    assert before.attention - pruned.attention == 4 * 2 * 7 * 7 * 8  # one head, 8 wide, in one of the layers
    assert before.linear - pruned.linear == 4 * 7 * 4 * 24 * 8
    factorize(model, "encoder.layer.1.attention.self.query", rank=2)
    factorized = count_multiply_adds(model, lambda: model(IDS))
    assert pruned.linear - factorized.linear == 4 * 7 * (24 * 24 - 2 * 48)
    assert factorized.attention == pruned.attention


def test_a_layer_that_runs_twice_counts_twice_and_its_parameters_once() -> None:
    model = BertModel(CONFIG).eval()
    two_layers, parameters = count_multiply_adds(model, lambda: model(IDS)), unique_parameters(model)
    share_layers(model, "encoder", layers=[0, 0])
    assert count_multiply_adds(model, lambda: model(IDS)) == two_layers
    assert unique_parameters(model) == parameters - count_parameters_of_a_layer(CONFIG)


def count_parameters_of_a_layer(config: BertConfig) -> int:
    counted = count_parameters(config)
    return (counted["attention"] + counted["feed-forward"]) // config.num_hidden_layers


# ---------------------------------------------------------------------------------------------
# Invariants of the formulas


def test_invariant_the_formula_is_the_sum_over_unique_tensors() -> None:
    assert unique_parameters(BertModel(CONFIG)) == sum(count_parameters(CONFIG).values())


def test_invariant_a_tied_decoder_is_counted_once() -> None:
    encoder = sum(count_parameters(CONFIG).values()) - (24 * 24 + 24)  # no pooler
    head = 24 * 24 + 24 + 2 * 24 + 53  # dense, norm, and of the decoder its bias alone
    assert unique_parameters(BertForMaskedLM(CONFIG)) == encoder + head
