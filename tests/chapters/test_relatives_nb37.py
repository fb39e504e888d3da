"""Masks drawn once or often, replaced tokens, spans, and labels nobody wrote."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from chapters.nb37 import connectives, electra, how_often, spans
from lib.records import small_bert
from lib.records.small_bert import Texts


@pytest.fixture(scope="module")
def texts() -> Texts:
    return small_bert.grammar_texts()


@pytest.fixture(scope="module")
def ids(texts: Texts) -> Tensor:
    return how_often.few_sentences(texts, seed=0, read=1)[0]


def test_the_same_draw_hides_the_same_places(texts: Texts, ids: Tensor) -> None:
    first, again, other = (how_often.hide(ids, texts, draw) for draw in (7, 7, 8))
    assert all(torch.equal(one, two) for one, two in zip(first, again, strict=True))
    assert not torch.equal(first[1], other[1])
    special = torch.isin(ids, torch.tensor(texts.tokenizer.all_special_ids))
    assert bool((first[1][special] == -100).all())


def test_a_guess_by_frequency_is_better_than_none(texts: Texts, ids: Tensor) -> None:
    """Better than all tokens alike, and without any count it is that."""
    alike = float(torch.tensor(len(texts.tokenizer) - len(texts.tokenizer.all_special_ids)).log())
    assert how_often.guess_by_frequency([], texts) == pytest.approx(alike, abs=1e-3)
    assert how_often.guess_by_frequency([ids], texts) < alike


@pytest.mark.parametrize("masks", [0, 3])
def test_no_more_masks_than_epochs(masks: int, texts: Texts) -> None:
    with pytest.raises(ValueError, match="give a number from 1 to 2"):
        how_often.train_with_masks(masks, texts, 0, epochs=2)


def test_a_perfect_generator_replaces_nothing(ids: Tensor) -> None:
    inputs, replaced = electra.replace_tokens(ids, torch.ones_like(ids).bool(), ids)
    assert torch.equal(inputs, ids) and not replaced.any()


def test_labels_are_among_the_chosen(ids: Tensor) -> None:
    chosen = torch.rand(ids.shape) < 0.3
    _, replaced = electra.replace_tokens(ids, chosen, ids.flip(0))
    assert not (replaced & ~chosen).any()


def test_no_gradient_passes_through_a_sample(texts: Texts, ids: Tensor) -> None:
    """The generator's gradient is that of its own loss, whatever the discriminator's weighs."""
    gradients = []
    for weight in (0.0, 50.0):
        torch.manual_seed(0)
        model = electra.Electra(texts, 0)
        electra.electra_loss(model, ids, texts, draw=1, weight=weight).backward()
        gradients.append(model.generator.bert.embeddings.word_embeddings.weight.grad)
    alone, both = gradients
    assert alone is not None and both is not None and torch.equal(alone, both)


def test_the_auc_counts_pairs() -> None:
    assert electra.ranked_right(torch.tensor([3.0, 1.0]), torch.tensor([0.0, 2.0])) == 0.75
    assert electra.ranked_right(torch.zeros(3), torch.zeros(5)) == 0.5


def test_equal_compute_gives_electra_fewer_steps(texts: Texts) -> None:
    model = electra.Electra(texts, 0)
    alone = [(model.discriminator.config, False)]
    both = [(model.generator.config, False), (model.discriminator.config, True)]
    assert 0 < electra.steps_for(4e9, texts, 0, both) < electra.steps_for(4e9, texts, 0, alone)


WORDS = ["i", "think", "teddy", "bears", "make", "great", "pre", "##sents", "for", "kids"]


def test_one_sentence_is_hidden_in_five_ways() -> None:
    table = spans.five_ways(WORDS, [2, 7], [(2, 4), (5, 8)])
    assert table["reads"][0].split()[6:8] == ["pre", "[MASK]"]
    assert table["reads"][1].split()[6:8] == ["[MASK]", "[MASK]"]
    assert table["reads"][3] == "i think <0> make <1> for kids"
    assert table["is asked for"][3] == "<0> teddy bears <1> great pre ##sents <2>"
    assert table["reads"][4] == "i think [MASK] make [MASK] for kids"
    assert table["is asked for"][4].split() == WORDS


@pytest.mark.parametrize("places", [[], [(0, 1)], [(0, 2), (3, 10)], [(4, 5), (6, 7), (8, 9)]])
def test_what_is_read_and_written_holds_each_token_once(places: list[tuple[int, int]]) -> None:
    sentinels = ["<0>", "<1>", "<2>", "<3>"]
    read, target = spans.span_corruption(WORDS, places, sentinels)
    assert len(read) + len(target) == len(WORDS) + 2 * len(places) + 1
    assert sorted(token for token in read + target if token not in sentinels) == sorted(WORDS)


def test_spans_that_touch_are_refused() -> None:
    with pytest.raises(ValueError, match="starts at 3, and the one before it stops at 3: join the two"):
        spans.span_corruption(WORDS, [(1, 3), (3, 4)], ["a", "b", "c"])


def test_a_connective_is_chosen_among_the_given_words() -> None:
    blanks = ["she stayed at home, [MASK] it rained.", "he was tired, [MASK] he went to bed."]
    assert set(connectives.guess_connectives(blanks, ["but", "so", "because"])) <= {"but", "so", "because"}
