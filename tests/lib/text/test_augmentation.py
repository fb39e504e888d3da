"""Sentences made of others: what may stand for a word, and how often it does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from tiny_berts import CONFIG

from lib.bert import WordPieceTokenizer
from lib.bert.heads import BertForMaskedLM
from lib.compression.distillation.augmentation import Augmenter, basic_words, variants
from lib.text.vectors import WordVectors

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abcdefghijklmnopqrstuvwxyz", "##s", "##y", "film",
          "good", "bad", "class", "book", "was", "the", "."]  # fmt: skip


@pytest.fixture(scope="module")
def augmenter() -> Augmenter:
    torch.manual_seed(0)
    model = BertForMaskedLM(replace(CONFIG, vocab_size=len(PIECES), max_position_embeddings=64)).eval()
    words = {"films": 3, "movies": 2, "books": 2, "cats": 1}
    vectors = WordVectors(words, torch.tensor([[1.0, 0], [0.9, 0.1], [0.5, 0.5], [0, 1.0]]))
    return Augmenter(model, WordPieceTokenizer(PIECES), vectors, count=3)


def test_what_may_stand_where(augmenter: Augmenter) -> None:
    words = basic_words("The films was GOOD, 7 xyz.")
    assert words == ["the", "films", "was", "good", ",", "7", "xyz", "."]
    found = augmenter.candidates(words)
    assert found[1] == ["movies", "books", "cats"]  # several pieces: its neighbors
    assert list(found) == [1, 3]  # no stop word, number, mark, nor a word of pieces without a vector
    assert 0 < len(found[3]) <= 3
    assert not any(piece.startswith(("##", "[")) for piece in found[3])


def test_guesses_are_those_of_the_masked_lm_for_the_blank_beside_the_whole_sentence(
    augmenter: Augmenter,
) -> None:
    tokenizer = augmenter.tokenizer
    found = replace(augmenter, count=len(PIECES)).candidates(["good", "film"])
    for place, masked in enumerate(("[MASK] film", "good [MASK]")):
        batch = tokenizer(masked, "good film")
        with torch.no_grad():
            logits = augmenter.model(**batch).logits[0, batch["input_ids"][0] == tokenizer.mask_token_id][0]
        best = tokenizer.convert_ids_to_tokens(logits.argsort(descending=True).tolist())
        assert found[place] == [piece for piece in best if not piece.startswith(("##", "["))]


def test_inv_augmentation_without_chance_leaves_the_sentence_alone(augmenter: Augmenter) -> None:
    assert augmenter.augment("The good film.", np.random.default_rng(0), p=0.0) == ["the good film ."]


@pytest.mark.parametrize("rounds", [0, 1, 20])
def test_inv_augmentation_gives_at_most_a_sentence_a_round_and_the_original_first(
    augmenter: Augmenter, rounds: int
) -> None:
    found = augmenter.augment("the good film", np.random.default_rng(0), rounds)
    assert found[0] == "the good film" and len(found) <= rounds + 1 and len(set(found)) == len(found)
    assert all(sentence.startswith("the ") for sentence in found)
    assert found == augmenter.augment("the good film", np.random.default_rng(0), rounds)


def test_each_word_changes_at_its_rate() -> None:
    rng = np.random.default_rng(0)
    found = [variants(["a"], {0: ["b", "c"]}, rng, rounds=1, p=0.4)[-1] for _ in range(2000)]
    assert found.count("b") / 2000 == pytest.approx(0.2, abs=0.04)
    assert found.count("c") / 2000 == pytest.approx(0.2, abs=0.04)
    with pytest.raises(ValueError, match="probability of 2"):
        variants(["a"], {}, rng, p=2)
