"""Notebook 36: the answers beside published code, the decoder's invariants, and what is refused."""

from __future__ import annotations

import math
import random

import pytest
import sacrebleu
import torch
from torch import nn
from transformers.models.bart.modeling_bart import shift_tokens_right

from chapters.nb36 import answers, reading, rivals, translator
from chapters.nb36.translator import BEGIN, END, PAD, Translator, Words
from lib.bert import BertConfig
from lib.bert.attention import SelfAttention
from lib.text.spanish import pairs

DATA = pairs(40, 3)
ENGLISH, SPANISH = Words(pair.english for pair in DATA), Words(pair.spanish for pair in DATA)


def small() -> Translator:
    torch.manual_seed(0)
    return Translator(len(ENGLISH), len(SPANISH), size=32, heads=2).eval()


def batch() -> tuple[torch.Tensor, torch.Tensor]:
    few = DATA[:5]
    return ENGLISH.batch([one.english for one in few]), SPANISH.batch([one.spanish for one in few])


@pytest.mark.parametrize("seed", range(20))
def test_bleu_is_that_of_sacrebleu(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(10):
        references = [rng.choices("abcd", k=rng.randint(1, 12)) for _ in range(rng.randint(1, 8))]
        hypotheses = [
            [*one[: rng.randint(1, 12)], *rng.choices("abcd", k=rng.randint(0, 3))] for one in references
        ]
        theirs = sacrebleu.corpus_bleu(
            [" ".join(one) for one in hypotheses], [[" ".join(one) for one in references]],
            tokenize="none", smooth_method="none", force=True,
        ).score  # fmt: skip
        assert answers.bleu(hypotheses, references) == pytest.approx(theirs, abs=1e-9)


def test_bleu_by_hand() -> None:
    written, reference = "el gato espera en mi la cocina", "el gato espera en mi cocina"
    assert answers.bleu([written.split()], [reference.split()]) == pytest.approx(64.3, abs=0.05)


def test_bleu_needs_as_many_references() -> None:
    with pytest.raises(ValueError, match=r"2 hypotheses and 1 references"):
        rivals.paired_bleu([["a"], ["b"]], [["a"]])
    with pytest.raises(ValueError, match="at least one"):
        rivals.paired_bleu([], [])


def test_shifted_reads_what_bart_reads() -> None:
    ids = torch.tensor([[5, 6, 7, 2, 0, 0], [8, 9, 4, 5, 6, 2]])
    inputs, labels = answers.shifted(ids, 1)
    assert inputs.equal(shift_tokens_right(ids, pad_token_id=0, decoder_start_token_id=1))
    assert labels[ids != 0].equal(ids[ids != 0]) and (labels[ids == 0] == -100).all()


def test_with_the_source_as_states_cross_attention_is_self_attention() -> None:
    torch.manual_seed(0)
    layer = SelfAttention(BertConfig(hidden_size=24, num_attention_heads=4)).eval()
    states = torch.randn(2, 5, 24)
    seen, weights = answers.cross_attention(states, states, layer.query, layer.key, layer.value, 4, None)
    torch.testing.assert_close(seen, layer(states))
    torch.testing.assert_close(weights.sum(-1), torch.ones(2, 4, 5))


def test_padding_of_the_source_gets_no_weight_and_changes_nothing() -> None:
    torch.manual_seed(0)
    query, key, value = (nn.Linear(8, 8) for _ in range(3))
    states, source = torch.randn(1, 3, 8), torch.randn(1, 6, 8)
    mask = torch.tensor([[True, True, True, True, False, False]])
    seen, weights = answers.cross_attention(states, source, query, key, value, 2, mask)
    shorter, _ = answers.cross_attention(states, source[:, :4], query, key, value, 2, None)
    assert not weights[..., 4:].any()
    torch.testing.assert_close(seen, shorter)


@pytest.mark.parametrize("place", range(1, 5))
def test_a_changed_word_leaves_what_comes_before_it(place: int) -> None:
    model = small()
    source, target = batch()
    inputs, _ = answers.shifted(target, BEGIN)
    other = inputs.clone()
    other[:, place] = (other[:, place] + 1) % len(SPANISH)
    with torch.no_grad():
        one, two = model(source, inputs), model(source, other)
    torch.testing.assert_close(one[:, :place], two[:, :place])
    assert not torch.allclose(one[:, place], two[:, place])


def test_a_translation_does_not_depend_on_what_else_is_in_the_batch() -> None:
    model = small()
    sentences = [pair.english for pair in DATA[:6]]
    together = translator.translate(model, sentences, ENGLISH, SPANISH)
    alone = [translator.translate(model, [one], ENGLISH, SPANISH)[0] for one in sentences]
    assert together == alone and all(len(one) <= translator.LONGEST for one in together)


def test_a_source_without_words_gets_a_sentence() -> None:
    without: list[list[list[str]]] = [[], [[]], [["the"], []]]
    for sentences in without:
        with pytest.raises(ValueError, match="no words"):
            translator.translate(small(), sentences, ENGLISH, SPANISH)


def test_words_and_back() -> None:
    ids = SPANISH.batch([pair.spanish for pair in DATA[:3]])
    assert [SPANISH.text(row) for row in ids.tolist()] == [pair.spanish for pair in DATA[:3]]
    assert (ids == END).sum() == 3 and ids.min() >= PAD


def test_true_links_are_right_and_row_t_is_of_the_word_predicted() -> None:
    maps = [
        torch.stack(
            [torch.isin(torch.arange(len(pair.english)), torch.tensor(links)).float() for links in pair.links]
        )
        for pair in DATA
    ]
    assert translator.share_right(maps, DATA) == 1.0
    assert 0.3 < translator.share_right(translator.diagonal(DATA), DATA) < 0.8
    looked = translator.look(small(), DATA[:3], ENGLISH, SPANISH)
    assert [list(one.shape) for one in looked] == [[len(p.spanish), len(p.english)] for p in DATA[:3]]


def test_it_learns() -> None:
    corpus = translator.Corpus(DATA, DATA[:2], [])
    losses = []
    for steps in (1, 25):
        model = translator.train(corpus, ENGLISH, SPANISH, steps, 0)
        source, target = batch()
        inputs, labels = answers.shifted(target, BEGIN)
        losses.append(
            nn.functional.cross_entropy(model(source, inputs).flatten(0, 1), labels.flatten()).item()
        )
    assert losses[1] < losses[0] - 1


def test_nothing_of_the_tests_is_learned() -> None:
    data = translator.corpus(learned=300, tested=20)
    learned = {tuple(pair.english) for pair in data.learned}
    assert tuple(translator.LAST_ROW) not in learned and len(data.tested) == len(data.unseen) == 20
    assert not any(tuple(pair.english) in learned for pair in [*data.tested, *data.unseen])


def test_a_count_of_pairs_and_a_dictionary() -> None:
    learned = torch.tensor([[1, 2, 1, 2, 1, 2]])
    by_pairs = rivals.pair_loss(learned, torch.tensor([[1, 2, 1, 2]]), 4, trust=1.0)
    against_them = rivals.pair_loss(learned, torch.tensor([[1, 1, 2, 2]]), 4, trust=1.0)
    first, after_1, after_2 = 4 / 10, (3 + 4 / 10) / 4, (2 + 4 / 10) / 3
    assert by_pairs == pytest.approx(-math.log(first * after_1 * after_2 * after_1) / 4, abs=1e-5)
    assert by_pairs < against_them
    dictionary = rivals.Dictionary(DATA)
    assert dictionary.translate([["the", "unheard"]])[0][1] == "unheard"


def test_rows_hold_no_special_tokens() -> None:
    from lib.bert import WordPieceTokenizer

    tokenizer = WordPieceTokenizer.from_pretrained("pocket")
    rows = reading.rows_of([["a story", "it rained all day and all night"]], tokenizer, 4)
    assert rows.shape[1] == 4 and not torch.isin(rows, torch.tensor([tokenizer.cls_token_id])).any()
