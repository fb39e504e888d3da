"""Transformer-XL: a memory is the past without a gradient, and distances are those of the official code."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor
from transformers.models.xlnet.modeling_xlnet import XLNetRelativeAttention

from chapters.nb35 import reading, stories, transformer_xl
from chapters.nb35.transformer_xl import RelativeAttention, TransformerXL, relative_shift, remember

SHAPES = [(2, 3, 5, 5), (1, 2, 4, 7), (2, 1, 1, 6)]


@pytest.fixture
def model() -> TransformerXL:
    """Three layers of random weights, whose biases are not 0."""
    torch.manual_seed(0)
    model = TransformerXL(50, hidden_size=16, layers=3, heads=2)
    for name, weight in model.named_parameters():
        if name.endswith(("content_bias", "distance_bias")):
            torch.nn.init.normal_(weight)
    return model.eval()


def read(model: TransformerXL, ids: Tensor, length: int, segment: int = 4) -> Tensor:
    """The logits [B, T, V] of a text read in segments."""
    memories, found = None, []
    for start in range(0, ids.shape[1], segment):
        logits, inputs = model(ids[:, start : start + segment], memories)
        memories = reading.remember_all(memories, inputs, length)
        found.append(logits)
    return torch.cat(found, dim=1)


def test_with_all_the_past_segments_are_one_pass(model: TransformerXL) -> None:
    ids = torch.randint(50, (2, 16))
    whole = model(ids)[0]
    torch.testing.assert_close(read(model, ids, length=16), whole, atol=1e-5, rtol=0)
    assert (read(model, ids, length=4) - whole).abs().max() > 0.01


def test_a_memory_of_nothing_is_no_memory(model: TransformerXL) -> None:
    ids = torch.randint(50, (2, 8))
    alone = torch.cat([model(ids[:, :4])[0], model(ids[:, 4:])[0]], dim=1)
    torch.testing.assert_close(read(model, ids, length=0), alone)


@pytest.mark.parametrize(("distance", "heard"), [(11, True), (12, True), (13, False)])
def test_each_layer_hears_one_memory_further(model: TransformerXL, distance: int, heard: bool) -> None:
    ids = torch.randint(49, (1, 20))
    other = ids.clone()
    other[0, 16 - distance] = 49
    assert (not torch.equal(read(model, ids, 4)[0, 16], read(model, other, 4)[0, 16])) == heard


def test_no_gradient_enters_the_memory(model: TransformerXL) -> None:
    before = torch.randn(1, 3, 16, requires_grad=True)
    memory = remember(before, torch.randn(1, 2, 16, requires_grad=True), 4)
    model(torch.randint(50, (1, 4)), [memory] * 3)[0].sum().backward()
    assert before.grad is None and model.words.weight.grad is not None


@pytest.mark.parametrize("shape", SHAPES)
def test_the_shift_is_a_loop_over_pairs_and_that_of_xlnet(shape: tuple[int, ...]) -> None:
    scores = torch.randn(shape)
    rows, columns = shape[2:]
    moved = relative_shift(scores)
    for i in range(rows):
        for j in range(columns - rows + i + 1):
            distance = columns - rows + i - j
            assert torch.equal(moved[:, :, i, j], scores[:, :, i, columns - 1 - distance])
    # XLNet has distances from S down to 1 - T, since it also looks ahead: ours are those in the middle
    padded = torch.nn.functional.pad(scores, (1, rows - 1))
    theirs = XLNetRelativeAttention.rel_shift_bnij(padded, klen=columns)
    seen = torch.ones(rows, columns, dtype=torch.bool).tril(columns - rows)
    assert torch.equal(moved.masked_fill(~seen, 0), theirs.masked_fill(~seen, 0))


def test_a_score_is_the_four_terms_of_the_paper() -> None:
    torch.manual_seed(1)
    attention = RelativeAttention(8, heads=1, relative=True)
    assert attention.distance is not None
    u, v = torch.randn(2, 1, 1, 8)
    attention.content_bias.data, attention.distance_bias.data = u, v
    hidden, memory = torch.randn(1, 3, 8), torch.randn(1, 2, 8)
    source = torch.cat([memory, hidden], dim=1)[0]
    query, key, value = attention.query(hidden)[0], attention.key(source), attention.value(source)
    expected = torch.zeros(3, 8)
    for i in range(3):
        scores = []
        for j in range(i + 3):
            place = attention.distance(transformer_xl.sinusoids(torch.tensor([i + 2 - j]), 8))[0]
            scores.append(((query[i] + u[0, 0]) @ key[j] + (query[i] + v[0, 0]) @ place) / 8**0.5)
        expected[i] = torch.stack(scores).softmax(0) @ value[: i + 3]
    torch.testing.assert_close(attention(hidden, memory)[0], attention.output(expected))


def test_streams_go_on_from_segment_to_segment() -> None:
    streams = stories.streams_of(torch.arange(23), count=2)
    parts = list(stories.segments(streams, 4))
    assert [ids.tolist() for ids, _ in parts] == [
        [[0, 1, 2, 3], [11, 12, 13, 14]],
        [[4, 5, 6, 7], [15, 16, 17, 18]],
    ]
    assert all(torch.equal(following, ids + 1) for ids, following in parts)


def test_what_cannot_be_read_gets_a_sentence() -> None:
    with pytest.raises(ValueError, match="choose shorter segments"):
        next(stories.segments(torch.zeros(2, 16, dtype=torch.long), 16))
    with pytest.raises(ValueError, match="choose 0"):
        reading.remember_all(None, [torch.zeros(1, 2, 3)], -1)


def test_training_lowers_the_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "STREAMS", 4)
    text = torch.arange(400) % 7
    monkeypatch.setattr(reading, "story_ids", lambda _part: text)
    torch.manual_seed(0)
    model = TransformerXL(7, hidden_size=16, layers=1, heads=2)
    before = sum(reading.losses_by_place(model, 4, segment=8))
    reading.train(model, length=4, steps=40, segment=8)
    after = reading.losses_by_place(model, 4, segment=8)
    assert len(after) == 8 and sum(after) < before / 2
