"""Patches, positions, the ViT and completed digits of notebook 38, by invariants and beside transformers."""

from __future__ import annotations

import copy
from collections.abc import Callable

import pytest
import torch
import torch.nn.functional as F
import transformers
from torch import Tensor, nn
from transformers.models.vit.modeling_vit import ViTEmbeddings

from chapters.nb38 import answers, completion, pictures, published, rivals, uses, vit
from chapters.nb38.completion import GRAYS, KNOWN, PIXELS, PixelWriter
from chapters.nb38.errata import ERRATA
from chapters.nb38.pictures import Digits

LEARNED, TESTED = pictures.digits()


def random(*shape: int) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(0))


# --- patches and positions ------------------------------------------------------------------------


@pytest.mark.parametrize(("channels", "height", "width", "size"), [(1, 8, 8, 2), (3, 6, 9, 3), (2, 4, 4, 1)])
def test_cut_and_linear_layer_are_a_convolution(channels: int, height: int, width: int, size: int) -> None:
    torch.manual_seed(0)
    convolution = nn.Conv2d(channels, 5, kernel_size=size, stride=size)
    images = random(2, channels, height, width)
    cut = answers.patches(images, size)
    assert cut.shape == (2, height * width // size**2, channels * size**2)
    expected = convolution(images).flatten(2).transpose(1, 2)
    assert torch.allclose(F.linear(cut, convolution.weight.flatten(1), convolution.bias), expected, atol=1e-6)


@pytest.mark.parametrize(("height", "width", "size"), [(8, 8, 3), (9, 8, 2), (8, 9, 2)])
def test_sides_that_the_patch_does_not_divide_get_a_sentence(height: int, width: int, size: int) -> None:
    with pytest.raises(ValueError, match="divides both sides"):
        answers.patches(random(1, 1, height, width), size)


def test_what_is_cut_can_be_put_together() -> None:
    images = TESTED.images[:3]
    for size in (1, 2, 4, 8):
        assert torch.equal(pictures.unpatch(answers.patches(images, size), 8), images)


@pytest.mark.parametrize("new", [1, 3, 4, 7])
def test_positions_are_resized_as_those_of_vit(new: int) -> None:
    config = transformers.ViTConfig(hidden_size=6, image_size=8, patch_size=2, num_attention_heads=2)
    embeddings = ViTEmbeddings(config)
    torch.manual_seed(0)
    nn.init.normal_(embeddings.position_embeddings)
    given = torch.zeros(1, 1 + new * new, 6)
    expected = embeddings.interpolate_pos_encoding(given, 2 * new, 2 * new)[0]
    found = answers.resize_positions(embeddings.position_embeddings[0], new)
    assert found.shape == (1 + new * new, 6)
    assert torch.allclose(found, expected, atol=1e-6)


def test_as_many_places_as_before_change_nothing() -> None:
    table = random(1 + 25, 3)
    assert torch.allclose(answers.resize_positions(table, 5), table, atol=1e-6)


# --- digits ---------------------------------------------------------------------------------------


def test_digits_are_the_same_in_every_process() -> None:
    assert (len(LEARNED), len(TESTED)) == (1297, 500)
    assert LEARNED.images.shape[1:] == (1, 8, 8) and 0 <= LEARNED.images.min() <= LEARNED.images.max() <= 1
    together = torch.cat([LEARNED.images, TESTED.images]).flatten(1)
    assert len(together.unique(dim=0)) == 1797  # no test digit is among those learned
    assert torch.equal(pictures.digits()[1].labels, TESTED.labels)


def test_shuffling_keeps_the_patches() -> None:
    images = TESTED.images[:20]
    before, after = (answers.patches(one, 2) for one in (images, pictures.shuffled(images, 2)))
    assert not torch.equal(before, after)
    for one, other in zip(before, after, strict=True):
        assert sorted(one.tolist()) == sorted(other.tolist())


def test_some_are_drawn_once() -> None:
    few = pictures.some(LEARNED, 300, seed=1)
    assert len(few) == 300 and len(few.images.flatten(1).unique(dim=0)) == 300


# --- the model ------------------------------------------------------------------------------------


def test_without_positions_an_order_changes_nothing() -> None:
    torch.manual_seed(0)
    images = TESTED.images[:10]
    moved = pictures.shuffled(images, 2)
    unplaced, placed = vit.without_positions(), vit.ViT()
    nn.init.normal_(placed.positions)
    with torch.no_grad():
        assert torch.allclose(unplaced(images), unplaced(moved), atol=1e-5)
        assert not torch.allclose(placed(images), placed(moved), atol=1e-2)


def test_patches_and_positions_moved_together_change_nothing() -> None:
    """Quiz, question 2: to a ViT one order of places is as good as another."""
    torch.manual_seed(0)
    order = torch.randperm(16)

    def in_order(images: Tensor, size: int) -> Tensor:
        return answers.patches(images, size)[:, order]

    model = vit.ViT()
    nn.init.normal_(model.positions)
    moved = copy.deepcopy(model)
    moved.cut = in_order
    moved.positions = nn.Parameter(torch.cat([model.positions[:1], model.positions[1:][order]]))
    with torch.no_grad():
        assert torch.allclose(model(TESTED.images[:5]), moved(TESTED.images[:5]), atol=1e-5)


@pytest.mark.parametrize("make", [vit.ViT, vit.without_positions, rivals.cnn])
def test_networks_learn_a_few_digits(make: Callable[[], nn.Module]) -> None:
    torch.manual_seed(0)
    few = pictures.some(LEARNED, 4, seed=0)
    model = make()
    before = F.cross_entropy(model(few.images), few.labels)
    vit.learn(model, few, steps=20)
    assert F.cross_entropy(model(few.images), few.labels) < 0.8 * before
    assert 0 <= vit.share_right(model, few) <= 1


def test_positions_that_are_taken_away_stay_away() -> None:
    torch.manual_seed(0)
    model = vit.without_positions()
    vit.learn(model, LEARNED, steps=2)
    assert not model.positions.any()


# --- completion -----------------------------------------------------------------------------------


def test_grays_are_whole_numbers_that_go_back() -> None:
    values = completion.grays(TESTED.images)
    assert values.shape == (500, PIXELS) and int(values.max()) < GRAYS
    assert torch.equal(completion.pictures(values), TESTED.images)


def test_a_writer_does_not_look_ahead() -> None:
    torch.manual_seed(0)
    model = PixelWriter()
    values = completion.grays(TESTED.images[:2])
    later = values.clone()
    later[:, KNOWN:] = 0
    with torch.no_grad():
        before = model(completion.inputs_of(values))[:, : KNOWN + 1]
        after = model(completion.inputs_of(later))[:, : KNOWN + 1]
    assert torch.allclose(before, after, atol=1e-5)


def test_the_upper_half_stays() -> None:
    torch.manual_seed(0)
    completed = completion.complete(PixelWriter(), TESTED.images[:3])
    assert torch.equal(completed[:, :, :4], TESTED.images[:3, :, :4])
    assert not torch.equal(completed, TESTED.images[:3])
    assert completion.squared_error(completed, completed) == 0


def test_counts_know_the_grays_of_a_pixel() -> None:
    first = LEARNED[:1]
    same = Digits(first.images.repeat(2000, 1, 1, 1), first.labels.repeat(2000))
    assert completion.histogram_nats(same, first) < 0.01
    assert 1.6 < completion.histogram_nats(LEARNED, TESTED) < 1.8


# --- what is published ----------------------------------------------------------------------------


def test_the_table_says_what_the_text_says_of_it() -> None:
    assert all(0 < row.lead < 1.5 for row in published.ROWS)
    assert all(row.large_21k < row.bit for row in published.ROWS)
    assert {len(column) for column in published.columns().values()} == {len(published.ROWS)}


def test_three_of_ten_uses_are_no_vision() -> None:
    assert len(uses.USES) == 10 and sum(not use.is_vision for use in uses.USES) == 3


def test_what_is_computed_of_the_claims() -> None:
    lead, others = (erratum.recompute() for erratum in ERRATA)
    assert "0.05 to 1.34 points" in lead and "7 of its 7 rows" in lead
    assert others.startswith("3 of the 10 uses")
