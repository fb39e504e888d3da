"""Neurons: what is kept is what GELU gave, and a name holds only where it was not chosen."""

from typing import Any

import pytest
import torch

from chapters.nb08 import neurons
from lib.bert import BertModel, WordPieceTokenizer

ANIMALS = ["dog", "cat", "cow", "duck"]
REST = ["runs", "sings", "red", "old", "the", "a", "on", "in"]


@pytest.fixture(scope="module")
def minilm() -> BertModel:
    return BertModel.from_pretrained("minilm")


@pytest.fixture(scope="module")
def tokenizer() -> WordPieceTokenizer:
    return WordPieceTokenizer.from_pretrained("minilm")


def made_up(values: dict[str, list[int]]) -> neurons.Firing:
    """Twenty texts in which every word stands once; `values` gives each word's two neurons."""
    pieces = [*ANIMALS, *REST] * 20
    text = torch.arange(20).repeat_interleave(len(ANIMALS) + len(REST))
    torch.manual_seed(0)
    noise = 0.1 * torch.randn(len(pieces), 2)
    return neurons.Firing(pieces, text, torch.tensor([values.get(piece, [0, 0]) for piece in pieces]) + noise)


def test_a_neuron_for_all_words_of_a_group_passes() -> None:
    fired = made_up({animal: [0, 3] for animal in ANIMALS})
    named = neurons.name_neuron(fired, ANIMALS)
    assert (named.neuron, named.places) == (1, 20)  # two other words in ten other texts
    assert named.precision == 1
    assert named.recall > 0.8


def test_a_neuron_that_knows_half_of_the_words_by_heart_fails() -> None:
    fired = made_up({"dog": [3, 0], "cow": [3, 0]})
    named = neurons.name_neuron(fired, ANIMALS)  # chosen with dog and cow, judged on cat and duck
    assert (named.neuron, named.recall, named.precision) == (0, 0, 0)


def test_a_neuron_that_fires_everywhere_in_other_texts_is_not_precise() -> None:
    fired = made_up({animal: [3, 0] for animal in ANIMALS} | {"red": [3, 0], "old": [3, 0]})
    assert neurons.name_neuron(fired, ANIMALS).precision == pytest.approx(0.5, abs=0.1)


def test_strong_places_are_shown_in_texts_of_even_number() -> None:
    fired = made_up({"cat": [3, 0]})
    fired.values[17, 0] = 9  # in text 1
    lines = fired.strongest(0, 3)
    assert len(lines) == 3 and all("[cat]" in line for line in lines)
    assert "dog [cat] cow duck runs sings" in lines[0]
    assert len(fired.strongest(0, 2, every=10)) == 2
    assert "[cat]" not in fired.strongest(0, 2, every=10)[1]


def test_controls_are_other_words_as_frequent() -> None:
    fired = made_up({})
    others = neurons.frequency_matched_controls(fired, ANIMALS, seed=1)
    assert len(set(others)) == len(ANIMALS) and not {*others} & {*ANIMALS}
    assert others == neurons.frequency_matched_controls(fired, ANIMALS, seed=1)
    assert others != neurons.frequency_matched_controls(fired, ANIMALS, seed=2)


def test_what_is_kept_is_what_leaves_gelu(minilm: BertModel, tokenizer: WordPieceTokenizer) -> None:
    texts = ["she never opened a bank account", "no"]
    fired = neurons.firing(minilm, tokenizer, texts)
    assert fired.pieces[:3] == ["[CLS]", "she", "never"] and fired.pieces[-3:] == ["[CLS]", "no", "[SEP]"]
    assert fired.text.tolist() == [0] * 8 + [1] * 3
    assert fired.values.shape == (11, 6 * 1536)
    with torch.no_grad():
        ids = tokenizer(texts[1])["input_ids"]
        state = minilm(ids, output_hidden_states=True).hidden_states[2]
        layer: Any = minilm.encoder.layer[2]
        wide = layer.intermediate(layer.attention(state))[0]  # [3, 1536]
    assert torch.allclose(fired.values[8:, 2 * 1536 : 3 * 1536], wide, atol=1e-4)


def test_the_neuron_of_the_notebook_denies(minilm: BertModel, tokenizer: WordPieceTokenizer) -> None:
    fired = neurons.firing(minilm, tokenizer, ["nobody came", "everybody came"])
    assert fired.values[1, 829] > 2 > 0.5 > fired.values[5, 829]
