"""Whether the measure of notebook 28 sees a map that joins two."""

import pytest
import torch

from chapters.nb28.fused_maps import unlike

WHOLE = torch.eye(4).reshape(1, 4, 2, 2).expand(2, 4, 2, 2)  # two layers of four heads that share nothing


def joined(*heads: int) -> list[torch.Tensor]:
    """One text's maps of a network with one head, which in each layer is the mean of some of the whole's."""
    return [WHOLE[:, list(heads)].mean(dim=1, keepdim=True)]


@pytest.mark.parametrize(
    ("heads", "one", "two"), [((2,), 0.0, 0.5), ((1, 3), 1.0, 0.0), ((0, 1, 2, 3), 3.0, 1.0)]
)
def test_a_map_is_as_far_as_what_it_was_made_of(heads: tuple[int, ...], one: float, two: float) -> None:
    assert unlike(joined(*heads), [WHOLE]) == pytest.approx({"one head": one, "mean of two": two}, abs=1e-6)


def test_layer_0_is_left_out() -> None:
    (small,) = joined(1)
    small = small.clone()
    small[0] = 9.0
    assert unlike([small], [WHOLE])["one head"] == pytest.approx(0.0, abs=1e-6)
