"""Neurons: what is kept is what GELU gave, and lists of words are compared with lists as frequent."""

from typing import Any

import pytest
import torch

from chapters.nb08 import neurons
from lib import text
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
    """Twenty sentences in which every word stands once; `values` gives each word's two neurons."""
    tokens = [*ANIMALS, *REST] * 20
    sentence = torch.arange(20).repeat_interleave(len(ANIMALS) + len(REST))
    torch.manual_seed(0)
    spread = 0.1 * torch.randn(len(tokens), 2)
    means = torch.tensor([values.get(token, [0, 0]) for token in tokens])
    return neurons.Firing(tokens, sentence, means + spread)


def test_what_stands_at_the_strongest_places() -> None:
    fired = made_up({animal: [0, 3] for animal in ANIMALS} | {"red": [0, 2]})
    assert fired.words == sorted([*ANIMALS, *REST]) and fired.averages.shape == (12, 2)
    assert fired.averages[fired.words.index("dog"), 1].item() == pytest.approx(3, abs=0.1)
    assert set(fired.strongest_words(1, count=5)) == {*ANIMALS, "red"}
    assert set(fired.strongest_words(1, without=["dog", "cat"], count=4)) == {"cow", "duck"}
    assert neurons.best_neuron(fired, ANIMALS, count=4) == 1
    assert fired.among(["dog"]).sum() == 20


def test_strong_places_are_shown_with_their_neighbors() -> None:
    fired = made_up({"cat": [3, 0]})
    lines = fired.strongest(0, 3)
    assert len(lines) == 3 and all("[cat]" in line for line in lines)
    assert "dog [cat] cow duck runs sings" in lines[0]
    assert len(fired.strongest(0, 2, every=10)) == 2
    assert "[cat]" not in fired.strongest(0, 2, every=20)[1]
    with pytest.raises(ValueError, match="no neuron 2: give a number from 0 to 1"):
        fired.strongest(2, 3)


def test_the_words_of_a_list_stand_somewhere() -> None:
    fired = made_up({})
    assert neurons.words_of("Dog cat", fired) == ["dog", "cat"]
    with pytest.raises(ValueError, match="stand at 0 places"):
        neurons.words_of("whale shark", fired)


def test_random_lists_are_other_words_as_frequent() -> None:
    fired = made_up({})
    others = neurons.random_list(fired, ANIMALS, seed=1)
    assert len(set(others)) == len(ANIMALS) and not {*others} & {*ANIMALS}
    assert others == neurons.random_list(fired, ANIMALS, seed=1)
    assert others != neurons.random_list(fired, ANIMALS, seed=2)


def test_the_sentences_are_sorted_and_no_story_is_in_both() -> None:
    halves = neurons.sentences()
    for half in halves:
        lengths = [len(sentence) for sentence in half]
        assert lengths == sorted(lengths) and len(lengths) > 300
    stories = [" ".join(document) for document in text.reader()]
    first, other = ({k for k, story in enumerate(stories) if half[-1] in story} for half in halves)
    assert {k % 2 for k in first} == {0} and {k % 2 for k in other} == {1}


def test_what_is_kept_is_what_leaves_gelu(minilm: BertModel, tokenizer: WordPieceTokenizer) -> None:
    texts = ["she never opened a bank account", "no"]
    fired = neurons.firing(minilm, tokenizer, texts)
    assert fired.tokens[:3] == ["[CLS]", "she", "never"] and fired.tokens[-3:] == ["[CLS]", "no", "[SEP]"]
    assert fired.sentence.tolist() == [0] * 8 + [1] * 3
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
    length = dict(neurons.loudest(minilm, fired, ["nobody"], count=1536))[829]
    column: Any = minilm.encoder.layer[0]
    value = column.output.dense.weight[:, 829].detach().norm()
    assert length == pytest.approx(fired.values[1, 829].item() * value.item(), rel=1e-4)
