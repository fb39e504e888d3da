"""Masks, reach, blocks and convolved queries of notebook 34, by their invariants and beside transformers."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
import transformers
from torch import Tensor

from chapters.nb34 import blocks, earlier, masks, motifs
from lib.bert import BertConfig, BertModel
from lib.bert.heads import SpanOutput
from lib.bert.wordpiece import WordPieceTokenizer
from lib.text.tasks import QuestionExample
from lib.text.tasks.squad import Answer


def heads(length: int, batch: int = 2) -> Tensor:
    """Queries, keys and values [3, B, H, T, K]."""
    return torch.randn(3, batch, 2, length, 8, generator=torch.Generator().manual_seed(0))


# --- masks ----------------------------------------------------------------------------------------


def test_a_window_may_be_nothing_or_wider_than_the_text() -> None:
    assert torch.equal(masks.sparse_mask(5, 0, []), torch.eye(5, dtype=torch.bool))
    assert masks.sparse_mask(5, 4, []).all()
    assert masks.sparse_mask(3, 16, []).all()  # a text shorter than the window sees all of itself


@pytest.mark.parametrize("everyone", [[], [0], [0, 5]])
def test_the_pairs_are_those_of_longformer(everyone: list[int]) -> None:
    """Token j is replaced: whose vector changes after one layer looks at it. Its window counts both sides."""
    torch.manual_seed(0)
    length, window = 24, 4
    config = transformers.LongformerConfig(
        hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32, vocab_size=100,
        attention_window=2 * window, max_position_embeddings=64, pad_token_id=1,
    )  # fmt: skip
    model = transformers.LongformerModel(config).eval()
    ids = torch.randint(5, 99, (1, length))
    is_global = torch.zeros(1, length, dtype=torch.long)
    is_global[0, everyone] = 1
    pairs = torch.zeros(length, length, dtype=torch.bool)
    with torch.no_grad():
        before = model(ids, global_attention_mask=is_global).last_hidden_state
        for place in range(length):
            replaced = ids.clone()
            replaced[0, place] = 99
            after = model(replaced, global_attention_mask=is_global).last_hidden_state
            pairs[:, place] = (after - before).abs().amax(dim=(0, 2)) > 1e-6
    assert torch.equal(pairs, masks.sparse_mask(length, window, everyone))


@pytest.mark.parametrize("layers", [0, 1, 3, 200])
def test_windows_reach_their_width_times_the_layers(layers: int) -> None:
    heard = masks.reach(masks.sparse_mask(40, 3, []), layers)
    assert torch.equal(heard, masks.sparse_mask(40, 3 * layers, []))


def test_one_open_token_brings_everybody_within_two_looks() -> None:
    mask = masks.sparse_mask(30, 1, [7])
    assert not masks.reach(mask, 1).all()
    assert masks.reach(mask, 2).all()


def test_log_sparse_layers_fill_the_triangle_at_the_fifth() -> None:
    mask = masks.log_sparse_mask(32)
    heard = [int(masks.reach(mask, layers).sum()) for layers in range(6)]
    assert heard == [32, 161, 357, 491, 527, 528]
    assert torch.equal(masks.reach(mask, 5), torch.ones(32, 32).tril().bool())


@pytest.mark.parametrize(
    ("place", "places"), [(0, [0]), (1, [1, 0]), (8, [8, 7, 6, 4, 0]), (6, [6, 5, 4, 2])]
)
def test_distances_double(place: int, places: list[int]) -> None:
    assert masks.log_sparse_places(place) == places


def test_who_cannot_hear_of_a_token_does_not_change_with_it() -> None:
    torch.manual_seed(0)
    model = BertModel(BertConfig(100, 24, 3, 4, 24, max_position_embeddings=40)).eval()
    mask = masks.sparse_mask(30, 2, [])
    ids = torch.arange(10, 40)[None]
    replaced = ids.clone()
    replaced[0, 15] = 99
    with torch.no_grad():
        before = model(ids, mask[None, None]).last_hidden_state
        after = model(replaced, mask[None, None]).last_hidden_state
    silent = ~masks.reach(mask, 3)[:, 15]
    assert torch.equal(before[0, silent], after[0, silent])


# --- blocks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("window", [1, 2, 8, 16, 32])
def test_blocks_equal_a_mask(window: int) -> None:
    query, key, value = heads(32)
    expected = F.scaled_dot_product_attention(query, key, value, masks.sparse_mask(32, window, []))
    assert torch.allclose(blocks.local_attention(query, key, value, window), expected, atol=1e-6)


@pytest.mark.parametrize(("length", "window"), [(10, 4), (3, 4), (8, 0)])
def test_what_cannot_be_cut_into_blocks_gets_a_sentence(length: int, window: int) -> None:
    query, key, value = heads(length)
    with pytest.raises(ValueError, match="pad them to a multiple of the window"):
        blocks.local_attention(query, key, value, window)
    with pytest.raises(ValueError, match="into segments of"):
        blocks.segment_attention(query, key, value, window)


def test_segments_are_read_alone() -> None:
    query, key, value = heads(32)
    segment = torch.arange(32) // 8
    expected = F.scaled_dot_product_attention(query, key, value, segment[:, None] == segment)
    assert torch.allclose(blocks.segment_attention(query, key, value, 8), expected, atol=1e-6)


def test_gathered_keys_equal_a_mask() -> None:
    query, key, value = heads(21)
    expected = F.scaled_dot_product_attention(query, key, value, masks.log_sparse_mask(21))
    assert torch.allclose(blocks.gathered_attention(query, key, value), expected, atol=1e-6)


# --- motifs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kernel", [1, 2, 3, 9])
def test_no_place_sees_a_later_one(kernel: int) -> None:
    generator = torch.Generator().manual_seed(0)
    x, weight = torch.randn(1, 6, 4, generator=generator), torch.randn(5, 4, kernel, generator=generator)
    before = motifs.causal_convolution(x, weight)
    later = x.clone()
    later[:, 3:] += 1
    after = motifs.causal_convolution(later, weight)
    assert before.shape == (1, 6, 5)
    assert torch.equal(before[:, :3], after[:, :3])
    if kernel == 1:
        assert torch.allclose(before, x @ weight[..., 0].T, atol=1e-6)


def test_a_motif_returns_eight_times() -> None:
    series, starts = motifs.draw_series(3, torch.Generator().manual_seed(0))
    returns = motifs.returning(starts)
    assert series.shape == returns.shape == (3, motifs.LENGTH)
    assert (starts.diff(dim=1) >= motifs.MOTIF).all()
    assert (returns.sum(1) == (motifs.TIMES - 1) * (motifs.MOTIF - 2)).all()
    for row, there in zip(series, returns, strict=True):
        assert len(row[there].unique()) == motifs.MOTIF - 2


def test_a_forecaster_does_not_look_ahead() -> None:
    torch.manual_seed(0)
    model = motifs.Forecaster(3, layers=2).eval()
    series, _ = motifs.draw_series(2, torch.Generator().manual_seed(0))
    later = series.clone()
    later[:, 50:] = 0
    assert torch.allclose(model(series)[:, :50], model(later)[:, :50], atol=1e-5)


def test_keys_one_place_earlier_name_the_point_before_the_value() -> None:
    x = torch.tensor([[[4.0], [7.0], [1.0], [5.0], [4.0], [7.0]]])
    values = torch.nn.Linear(1, 1)
    torch.nn.init.ones_(values.weight)
    torch.nn.init.zeros_(values.bias)
    embedded = torch.nn.functional.one_hot(x[..., 0].long(), 8).float()  # one feature a number

    def value_of(_: Tensor) -> Tensor:
        return values(x)

    weight = 20 * torch.eye(8)[..., None]
    found = motifs.attend_earlier(embedded, weight, weight, value_of)  # type: ignore[arg-type]
    assert found[0, 5].item() == pytest.approx(1, abs=1e-3)  # after a 7 came a 1
    same = motifs.attend(embedded, weight, weight, value_of)  # type: ignore[arg-type]
    assert same[0, 5].item() == pytest.approx(7, abs=1e-3)  # who finds a 7 is handed a 7


def test_the_mean_so_far_is_little_better_than_zero() -> None:
    assert 0.85 < motifs.error_of_means() < 1


def test_the_rate_rises_and_falls() -> None:
    rates = [motifs.rate_at(step) for step in range(motifs.STEPS)]
    assert rates.index(max(rates)) == motifs.WARM_UP - 1
    assert rates[-1] < 0.01 * motifs.RATE


# --- what 15 built --------------------------------------------------------------------------------


def test_the_best_words_are_cut_out_of_the_paragraph() -> None:
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    paragraph = "The sheet has floated on a bath of red seaweed."
    length = 3 + len(tokenizer.tokenize(paragraph)) + 1
    starts, ends = torch.zeros(1, length), torch.zeros(1, length)
    starts[0, 3 + 8], ends[0, 3 + 10] = 5.0, 5.0
    words = earlier.best_words(SpanOutput(starts, ends), 3, paragraph, tokenizer)
    assert words == "red seaweed"
    question = QuestionExample("a", "On what?", paragraph, (Answer("red seaweed", 35),))
    assert earlier.mean_f1([words], [question]) == 1.0
