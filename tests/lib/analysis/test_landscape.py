"""The loss as a landscape: directions, slices, paths, curvature, on nets whose answers are known."""

import copy
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
import torch
from sklearn.decomposition import PCA
from tiny_berts import batch_of, ours
from torch import Tensor, nn

from chapters.nb18.paths import principal_directions, project
from lib.analysis.landscape.curvature import ENCODER_PARTS, Hessian, top_eigenvalue
from lib.analysis.landscape.directions import (
    Direction,
    cosine,
    direction_between,
    filter_normalize,
    filter_normalized,
    inner,
    length,
    random_direction,
    select,
    weights_of,
)
from lib.analysis.landscape.losses import Batch, mean_loss
from lib.bert import BertForMaskedLM

FIVE = [-1.0, -0.5, 0.0, 0.5, 1.0]


def relu_net(seed: int = 0) -> nn.Sequential:
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 3)).double()
    return net.eval()


def smooth_net(seed: int = 0) -> nn.Sequential:
    torch.manual_seed(seed)
    return nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2)).double().eval()


def points(net: nn.Sequential, rows: int = 12, seed: int = 1) -> dict[str, Tensor]:
    generator = torch.Generator().manual_seed(seed)
    first, last = net[0], net[-1]
    assert isinstance(first, nn.Linear) and isinstance(last, nn.Linear)
    x = torch.randn(rows, first.in_features, generator=generator, dtype=torch.float64)
    return {"x": x, "y": torch.randint(last.out_features, (rows,), generator=generator)}


def classify(net: nn.Module, batch: Batch) -> Tensor:
    return nn.functional.cross_entropy(net(batch["x"]), batch["y"])


def full_hessian(net: nn.Sequential, batch: Batch) -> Tensor:
    """All second derivatives [P, P], by torch.autograd.functional."""
    shapes = {name: parameter.shape for name, parameter in net.named_parameters()}

    def of(flat: Tensor) -> Tensor:
        parts = flat.split([shape.numel() for shape in shapes.values()])
        weights = {name: part.view(shape) for (name, shape), part in zip(shapes.items(), parts, strict=True)}
        return nn.functional.cross_entropy(
            torch.func.functional_call(net, weights, (batch["x"],)), batch["y"]
        )

    flat = torch.cat([parameter.detach().flatten() for parameter in net.parameters()])
    found: Tensor = torch.autograd.functional.hessian(of, flat)
    return found


# Directions


def test_a_vector_does_not_move_and_a_filter_is_one_row() -> None:
    assert not filter_normalize(torch.randn(4), torch.randn(4)).any()
    weight = torch.randn(3, 2, 2, 2)
    found = filter_normalize(torch.randn(3, 2, 2, 2), weight)
    torch.testing.assert_close(found.flatten(1).norm(dim=1), weight.flatten(1).norm(dim=1))


def test_a_direction_has_each_parameter_once_and_no_buffers() -> None:
    model = ours(BertForMaskedLM)
    model.register_buffer("counts", torch.zeros(3))
    direction = random_direction(weights_of(model), seed=0)
    assert set(direction) == {name for name, _ in model.named_parameters()}
    assert "cls.predictions.decoder.weight" not in direction, "it is the word embeddings' tensor"
    assert "counts" not in direction


def test_a_seed_gives_one_direction_and_another_seed_another() -> None:
    weights = weights_of(relu_net())
    first, again, other = (random_direction(weights, seed) for seed in (0, 0, 1))
    assert all(torch.equal(first[name], again[name]) for name in weights)
    assert abs(cosine(first, other)) < 0.6


def test_a_difference_leads_from_one_checkpoint_to_the_other() -> None:
    start, end = weights_of(relu_net(0)), weights_of(relu_net(1))
    way = direction_between({**end, "a buffer": torch.zeros(1)}, start)
    assert set(way) == set(start)
    torch.testing.assert_close(start["0.weight"] + way["0.weight"], end["0.weight"])


def test_a_pattern_takes_a_part() -> None:
    weights = weights_of(ours())
    parts = {name: set(select(weights, pattern)) for name, pattern in ENCODER_PARTS.items()}
    assert len(parts["query and key"]) == 8 and len(parts["value"]) == 4
    assert parts["attention output"] == {
        f"bert.encoder.layer.{layer}.attention.output.dense.{kind}"
        for layer in (0, 1)
        for kind in ("weight", "bias")
    }
    assert len(parts["feed-forward"]) == 8 and not parts["feed-forward"] & parts["attention output"]


# Losses


def losses_along(
    net: nn.Module, batches: Sequence[Batch], direction: Direction, at: Sequence[float], **loss: Any
) -> Tensor:
    """The loss at the net's weights + t * direction for every t of `at`; the net stays where it is."""
    losses = []
    for t in at:
        moved = copy.deepcopy(net)
        with torch.no_grad():
            for name, step in direction.items():
                moved.get_parameter(name).add_(step, alpha=t)
        losses.append(mean_loss(moved, batches, **loss))
    return torch.tensor(losses, dtype=torch.float64)


def test_a_rescaled_relu_net_has_the_same_normalized_line_and_another_raw_one() -> None:
    net, rescaled = relu_net(), relu_net()
    with torch.no_grad():
        rescaled[0].weight.mul_(10)  # type: ignore[operator]
        rescaled[0].bias.mul_(10)  # type: ignore[operator]
        rescaled[2].weight.div_(10)  # type: ignore[operator]
    batches = [points(net)]
    raw, normalized = [], []
    for scaled in (net, rescaled):
        direction = random_direction(weights_of(scaled), 0)
        raw.append(losses_along(scaled, batches, direction, FIVE, loss=classify))
        direction = filter_normalized(direction, weights_of(scaled))
        normalized.append(losses_along(scaled, batches, direction, FIVE, loss=classify))
    torch.testing.assert_close(normalized[0], normalized[1])
    assert (raw[0] - raw[1]).abs().max() > 1


def test_batches_count_by_their_rows() -> None:
    net = relu_net()
    whole = points(net)
    halves = [{name: tensor[rows] for name, tensor in whole.items()} for rows in (slice(3), slice(3, 12))]
    assert mean_loss(net, halves, classify) == pytest.approx(mean_loss(net, [whole], classify))


# Paths


def path_in(
    origin: Direction, first: Direction, second: Direction, places: Sequence[tuple[float, float]]
) -> list[Direction]:
    return [{name: origin[name] + a * first[name] + b * second[name] for name in origin} for a, b in places]


def test_a_path_in_the_plane_is_found_exactly_although_the_directions_are_oblique() -> None:
    origin = weights_of(relu_net())
    first, wild = random_direction(origin, 0), random_direction(origin, 1)
    second = {name: first[name] + 0.2 * wild[name] for name in origin}
    assert cosine(first, second) > 0.9
    places = [(0.0, 0.0), (1.0, 0.0), (0.3, -2.0), (-1.0, 0.5)]
    found = project(path_in(origin, first, second, places), origin, first, second)
    np.testing.assert_allclose(found.coordinates, places, atol=1e-6)
    assert found.explained == pytest.approx(1) and found.off_plane.max() < 1e-5


def test_what_a_plane_does_not_show_is_said() -> None:
    origin = {"w": torch.zeros(3)}
    x, y, z = torch.eye(3)
    found = project([{"w": 3 * x + 4 * z}, {"w": 5 * y}], origin, {"w": x}, {"w": y + x})
    np.testing.assert_allclose(found.coordinates, [[3, 0], [-5, 5]], atol=1e-6)
    np.testing.assert_allclose(found.off_plane, [4, 0], atol=1e-5)
    assert found.explained == pytest.approx((9 + 25) / (25 + 25))


ORIGIN = weights_of(relu_net())
FIRST, OTHER = random_direction(ORIGIN, 0), random_direction(ORIGIN, 1)
TWICE = {name: 2 * tensor for name, tensor in FIRST.items()}
STRAIGHT = path_in(ORIGIN, FIRST, FIRST, [(float(place), 0.0) for place in range(5)])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: project([ORIGIN], ORIGIN, FIRST, TWICE), "span no plane"),
        (lambda: project([], ORIGIN, FIRST, OTHER), "at least one snapshot"),
        (lambda: principal_directions([ORIGIN] * 3), "at least four"),
        (lambda: principal_directions(STRAIGHT), "lie on one line"),
        (lambda: mean_loss(ours(), batch_of()), r"write \[batch\]"),  # type: ignore[arg-type]
        (lambda: mean_loss(ours(), [{"input_ids": batch_of()["input_ids"]}]), "answered no loss"),
        (lambda: Hessian(ours(), [batch_of()], weights_of(ours())), "not copies"),
        (lambda: Hessian(ours().train(), [batch_of()]), r"model\.eval"),
        (lambda: filter_normalize(torch.randn(2, 3), torch.randn(3, 2)), r"\[2, 3\] and the weight \[3, 2\]"),
        (lambda: direction_between({}, ORIGIN), r"0\.weight .* not at all"),
        (
            lambda: direction_between(ORIGIN | {"0.weight": torch.zeros(1)}, ORIGIN),
            r"0\.weight .* shape \[1\]",
        ),
        (lambda: select(ORIGIN, "convolution"), "No parameter's name holds 'convolution'"),
    ],
)
def test_what_has_no_direction_plane_loss_or_gradient_is_refused(
    call: Callable[[], object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_principal_directions_are_those_of_sklearn() -> None:
    path = [weights_of(relu_net(seed)) for seed in range(6)]
    flat = np.stack([torch.cat([t.flatten() for t in weights.values()]).numpy() for weights in path])
    wanted = PCA(2).fit(flat[:-1] - flat[-1])
    found = principal_directions(path)
    assert found.explained == pytest.approx(wanted.explained_variance_ratio_.tolist())
    for direction, component in zip((found.first, found.second), wanted.components_, strict=True):
        flattened = torch.cat([tensor.flatten() for tensor in direction.values()]).numpy()
        np.testing.assert_allclose(flattened * np.sign(flattened @ component), component, atol=1e-9)
        assert inner(direction_between(path[0], path[-1]), direction) >= 0, (
            "it points to where the path begins"
        )


# Curvature


def test_products_and_the_top_eigenvalue_are_those_of_the_whole_hessian() -> None:
    net = smooth_net()
    batch = points(net)
    whole = full_hessian(net, batch)
    values = torch.linalg.eigvalsh(whole)
    hessian = Hessian(net, [batch], loss=classify)
    found = [top_eigenvalue(hessian, 1e-10, 500, seed) for seed in (0, 1)]
    largest = float(values[values.abs().argmax()])
    assert [top.value for top in found] == pytest.approx([largest, largest], rel=1e-6)
    for top in found:
        image = hessian @ top.vector
        assert all(torch.allclose(image[name], top.value * top.vector[name], atol=1e-3) for name in image)
    vector = random_direction(weights_of(net), 0)
    product = torch.cat([part.flatten() for part in (hessian @ vector).values()])
    torch.testing.assert_close(product, whole @ torch.cat([part.flatten() for part in vector.values()]))


class Quadratic(nn.Module):
    """Half of theta · A theta."""

    def __init__(self, matrix: Tensor) -> None:
        super().__init__()
        self.theta = nn.Parameter(torch.ones(len(matrix), dtype=matrix.dtype))
        self.unused = nn.Parameter(torch.ones(2, dtype=matrix.dtype))
        self.matrix = matrix


def bowl(model: nn.Module, batch: Batch) -> Tensor:
    assert isinstance(model, Quadratic)
    return batch["scale"].mean() * model.theta @ model.matrix @ model.theta / 2


@pytest.mark.parametrize("values", [[1.0, 2.0, 5.0], [1.0, 2.0, -5.0]])
def test_a_quadratic_bends_by_its_matrix_also_downward(values: list[float]) -> None:
    turn = torch.linalg.qr(torch.randn(3, 3, generator=torch.Generator().manual_seed(0)).double()).Q
    model = Quadratic(turn @ torch.tensor(values).double().diag() @ turn.T).eval()
    single, triple = ({"scale": torch.full((2,), scale).double()} for scale in (1.0, 3.0))
    top = top_eigenvalue(Hessian(model, [single], loss=bowl), 1e-10)
    assert top.value == pytest.approx(values[-1])
    torch.testing.assert_close(top.vector["theta"].abs(), turn[:, 2].abs(), atol=1e-4, rtol=0)
    assert not top.vector["unused"].any()
    assert top_eigenvalue(Hessian(model, [triple], loss=bowl)).value == pytest.approx(3 * values[-1], 1e-3)
    mean = Hessian(model, [single, triple], loss=bowl)
    assert top_eigenvalue(mean).value == pytest.approx(2 * values[-1], 1e-3), "the mean over batches"


def test_a_linear_loss_does_not_bend() -> None:
    net = nn.Linear(3, 1).eval()
    top = top_eigenvalue(Hessian(net, [{"x": torch.ones(2, 3)}], loss=lambda m, batch: m(batch["x"]).mean()))
    assert top.value == 0


def test_the_curvature_of_bert_agrees_with_finite_differences_part_by_part() -> None:
    """Through attention too, whose fused kernel has no second derivative."""
    model, batches = ours().double(), [batch_of()]
    center = mean_loss(model, batches)
    for pattern in (*ENCODER_PARTS.values(), "."):
        chosen = {n: p for n, p in model.named_parameters() if n in select(weights_of(model), pattern)}
        top = top_eigenvalue(Hessian(model, batches, chosen), 1e-8, 300)
        assert set(top.vector) == set(chosen) and length(top.vector) == pytest.approx(1)
        step = 1e-4
        around = losses_along(model, batches, top.vector, [-step, step])
        assert (float(around.sum()) - 2 * center) / step**2 == pytest.approx(top.value, rel=2e-2)
