"""The path that training took, seen on a plane: where it runs, and how much of it the plane can show."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from lib.analysis.landscape.directions import Direction, Weights, cosine, direction_between, inner

PIECE = 1 << 20  # weights that are multiplied at a time


class Projection(NamedTuple):
    """A path on a plane, and what the plane does not show of it.

    coordinates: of each snapshot along the two directions, from the origin. off_plane: how far each lies
    beside the plane, in the space of the weights. explained: of the squared distances from the origin,
    summed over snapshots, the share that lies in the plane.
    """

    coordinates: Tensor  # [N, 2]
    off_plane: Tensor  # [N]
    explained: float


class PathDirections(NamedTuple):
    """The two directions, each of length 1, in which a path varies most, and each one's share of variance."""

    first: Direction
    second: Direction
    explained: tuple[float, float]


def project(path: Sequence[Weights], origin: Weights, first: Weights, second: Weights) -> Projection:
    """The point of the plane origin + a * first + b * second that is nearest to each snapshot of a path.

    By least squares, which dot products with the directions would be only if these stood at a right angle.
    """
    if not path:
        raise ValueError("The path is empty: give a list of at least one snapshot.")
    gram = torch.tensor(
        [[inner(one, other) for other in (first, second)] for one in (first, second)], dtype=torch.float64
    )
    if gram.det() <= 1e-9 * gram[0, 0] * gram[1, 1]:
        raise ValueError(
            "The two directions point the same way, or one has no length: they span no plane, so give others."
        )
    products = []
    for snapshot in path:
        way = direction_between(snapshot, origin)  # as large as the model: one at a time
        products.append([inner(way, first), inner(way, second), inner(way, way)])
    table = torch.tensor(products, dtype=torch.float64)
    along, squares = table[:, :2], table[:, 2]
    coordinates = torch.linalg.solve(gram, along.T).T  # [N, 2]
    inside = (coordinates * along).sum(1)  # [N], the squared length of each point's place in the plane
    total = float(squares.sum())
    return Projection(
        coordinates.float(),
        (squares - inside).clamp(min=0).sqrt().float(),
        float(inside.sum()) / total if total else 1.0,
    )


def angle(first: Direction, second: Direction) -> float:
    """The angle between two directions, in degrees."""
    return math.degrees(math.acos(cosine(first, second)))


def random_walk(seed: int, size: int = 100_000) -> list[Weights]:
    """A control: as many snapshots as a run of five passes has, after steps at random in `size` dimensions.

    The steps shrink as the learning rate does.
    """
    generator = torch.Generator().manual_seed(seed)
    rates = 1 - torch.arange(5) / 5
    steps = rates[:, None] * torch.randn(5, size, generator=generator)
    places = torch.cat([torch.zeros(1, size), steps.cumsum(dim=0)])
    return [{"w": place} for place in places]


def place_on_plane(way: Tensor, one: Tensor, other: Tensor) -> Tensor:
    """The numbers [2] for which a * one + b * other comes nearest to `way`, all three vectors [P].

    `project` does this for whole models; here for vectors, to be read.
    """
    both = torch.stack([one, other])  # [2, P]
    gram, along = both @ both.mT, both @ way  # [2, 2] and [2]: all dot products that are needed
    return torch.linalg.solve(gram, along)


def principal_directions(path: Sequence[Weights]) -> PathDirections:
    """The principal components of a path's direction_betweens to its end (Li et al., 2018, section 7).

    The plane they span shows as much of this path as a plane can, so it says little about where another one
    would run. Each points to the side on which the path begins. They are found from the products of the
    snapshots with each other, so that no matrix of all weights is decomposed.
    """
    if len(path) < 4:
        raise ValueError(f"A path of {len(path)} snapshots spans no plane of its own: give at least four.")
    products = _products(path)
    centering = torch.eye(len(products), dtype=torch.float64) - 1 / len(products)
    values, vectors = torch.linalg.eigh(centering @ products @ centering)  # rising
    if values[-2] <= 1e-9 * values[-1]:
        raise ValueError("The snapshots lie on one line, which spans no plane: give a path that turns.")
    directions = []
    for number in (-1, -2):
        mixture = centering @ vectors[:, number] / values[number].sqrt()  # [N - 1]
        if products[0] @ mixture < 0:
            mixture = -mixture
        directions.append(_mixed(path, mixture.tolist()))
    explained = (values / values.sum()).tolist()
    return PathDirections(directions[0], directions[1], (explained[-1], explained[-2]))


def _products(path: Sequence[Weights]) -> Tensor:
    """The dot products of a path's direction_betweens to its end with each other: [N - 1, N - 1]."""
    products = torch.zeros(len(path) - 1, len(path) - 1, dtype=torch.float64)
    for name, end in path[-1].items():
        flat = [snapshot[name].detach().flatten() for snapshot in path[:-1]]
        for start in range(0, end.numel(), PIECE):
            piece = slice(start, start + PIECE)
            rows = torch.stack([row[piece] for row in flat]).double() - end.detach().flatten()[piece]
            products += (rows @ rows.T).cpu()
    return products


def _mixed(path: Sequence[Weights], mixture: Sequence[float]) -> Direction:
    """The sum of the direction_betweens to a path's end, each times its factor [N - 1]."""
    total = {name: torch.zeros_like(tensor) for name, tensor in path[-1].items()}
    for snapshot, factor in zip(path[:-1], mixture, strict=True):
        for name, way in direction_between(snapshot, path[-1]).items():
            total[name].add_(way, alpha=factor)
    return total
