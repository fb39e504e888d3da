"""Filling blanks: our functions against the model's own answers and against `transformers`' pipeline."""

import pytest
import torch
import transformers
from tiny_berts import ours

from lib.analysis.prediction.fill_mask import (
    blank_log_probs,
    fill_mask,
    follow_guess,
    side_log_probs,
    word_probabilities,
)
from lib.bert import WordPieceTokenizer
from lib.bert.heads import BertForMaskedLM, BertForPreTraining

TEXT = "paris is the [MASK] of france ."


@pytest.fixture(scope="module")
def tokenizer() -> WordPieceTokenizer:
    return WordPieceTokenizer.from_pretrained("minilm")


@pytest.fixture(scope="module")
def model(tokenizer) -> BertForMaskedLM:
    sizes = {"vocab_size": len(tokenizer), "hidden_size": 24, "num_hidden_layers": 3}
    made: BertForMaskedLM = ours(BertForMaskedLM, **sizes, initializer_range=0.5)
    return made


def test_guesses_are_those_of_transformers(model, tokenizer, tmp_path) -> None:
    model.save_pretrained(tmp_path)
    tokenizer.save_pretrained(tmp_path)
    theirs = transformers.pipeline("fill-mask", model=str(tmp_path), top_k=4)(TEXT)
    ours = fill_mask(model, tokenizer, TEXT, count=4)
    assert [guess.piece for guess in ours] == [guess["token_str"] for guess in theirs]
    assert [guess.probability for guess in ours] == pytest.approx([g["score"] for g in theirs], rel=1e-4)


def test_both_models_with_a_head_will_do(model, tokenizer) -> None:
    pretraining = BertForPreTraining(model.config).eval()
    pretraining.load_state_dict(model.state_dict(), strict=False)
    assert fill_mask(pretraining, tokenizer, TEXT) == fill_mask(model, tokenizer, TEXT)


def test_a_layer_speaks_through_the_same_head(model, tokenizer) -> None:
    text = "[MASK] is the [MASK] of france"
    log_probs = blank_log_probs(model, tokenizer, text)
    assert log_probs.shape == (4, 2, len(tokenizer))
    output = model(**tokenizer(text), output_hidden_states=True)
    assert torch.allclose(log_probs[-1].exp(), output.logits[0, [1, 4]].softmax(-1), atol=1e-6)
    second = model.cls.predictions(output.hidden_states[2])[0, [1, 4]].softmax(-1)
    assert torch.allclose(log_probs[2].exp(), second, atol=1e-6)


def test_the_last_step_is_the_guess(model, tokenizer) -> None:
    steps = follow_guess(model, tokenizer, TEXT)
    assert len(steps) == 4
    assert steps[-1].rank == 1 and steps[-1].guess == fill_mask(model, tokenizer, TEXT, count=1)[0]
    assert steps[-1].probability == pytest.approx(steps[-1].guess.probability)
    final = tokenizer.vocab[steps[-1].guess.piece]
    for step, row in zip(steps, blank_log_probs(model, tokenizer, TEXT)[:, 0], strict=True):
        order = row.argsort(descending=True).tolist()
        assert order.index(final) + 1 == step.rank
        assert tokenizer.vocab[step.guess.piece] == order[0]


def test_a_side_knows_nothing_of_the_other(model, tokenizer) -> None:
    left, right = (side_log_probs(model, tokenizer, TEXT, side) for side in ("left", "right"))
    other = "paris is the [MASK] near lyon ?"
    assert torch.allclose(side_log_probs(model, tokenizer, other, "left"), left, atol=1e-5)
    assert not torch.allclose(side_log_probs(model, tokenizer, other, "right"), right, atol=1e-3)
    other = "london was a [MASK] of france ."
    assert torch.allclose(side_log_probs(model, tokenizer, other, "right"), right, atol=1e-5)
    assert not torch.allclose(side_log_probs(model, tokenizer, other, "left"), left, atol=1e-3)
    assert left.exp().sum() == pytest.approx(1, abs=1e-4)


def test_given_words_get_their_probability(model, tokenizer) -> None:
    best = fill_mask(model, tokenizer, TEXT, count=3)
    words = [guess.piece for guess in best if not guess.piece.startswith("##")]
    found = word_probabilities(model, tokenizer, TEXT, words)
    assert found == pytest.approx([guess.probability for guess in best if guess.piece in words])


def test_what_cannot_be_filled_is_refused(model, tokenizer) -> None:
    with pytest.raises(ValueError, match="There is no blank"):
        fill_mask(model, tokenizer, "paris is the capital of france")
    with pytest.raises(ValueError, match="There are 2 blanks"):
        follow_guess(model, tokenizer, "[MASK] is the [MASK] of france")
    with pytest.raises(ValueError, match="There are 2 blanks"):
        side_log_probs(model, tokenizer, "[MASK] is the [MASK] of france", "left")
    with pytest.raises(ValueError, match="take another word"):
        word_probabilities(model, tokenizer, TEXT, ["capital", "tokenizers"])
    with pytest.raises(ValueError, match="training mode"):
        fill_mask(BertForMaskedLM(model.config).train(), tokenizer, TEXT)
