"""Which designs nobody beats in both cost and accuracy."""

import random
from collections.abc import Iterator

from lib.compression.designs import search
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

KEY = "(points[place][0], -points[place][1], place)"
TEST = "if not front or points[place][1] > points[front[-1]][1]:"

Points = list[tuple[float, float]]


def cases(seed: int) -> Iterator[tuple[Points]]:
    """The five of the text; equal points, equal costs, equal accuracies, none, one; below 0; in a dent."""
    yield ([(4.0, 0.74), (2.0, 0.70), (3.0, 0.76), (5.0, 0.78), (2.5, 0.69)],)
    yield ([(2.0, 0.7), (2.0, 0.7), (1.0, 0.7), (1.0, 0.7)],)
    yield ([(1.0, 0.6), (1.0, 0.7), (2.0, 0.7), (3.0, 0.8)],)
    yield ([],)
    yield ([(3.0, 0.0)],)
    yield ([(1.0, -3.0), (2.0, -1.0), (0.5, -2.0), (-1.0, -4.0)],)
    yield ([(3.0, 0.9), (1.0, 0.2), (2.0, 0.3), (4.0, 0.95)],)
    rng = random.Random(seed)
    for count in (6, 9, 12, 12):
        yield ([(float(rng.randint(1, 6)), rng.randint(3, 8) / 10) for _ in range(count)],)


def corners(points: Points) -> list[int]:
    """The points of the front between which no straight line passes above them."""
    kept: list[int] = []
    for place in search.pareto_front(points):
        while len(kept) > 1 and _is_below(points[kept[-1]], points[kept[-2]], points[place]):
            kept.pop()
        kept.append(place)
    return kept


def _is_below(point: tuple[float, float], left: tuple[float, float], right: tuple[float, float]) -> bool:
    """Whether a point lies below the line through two others."""
    rise = (right[1] - left[1]) / (right[0] - left[0])
    return point[1] < left[1] + rise * (point[0] - left[0])


def _all_there(arguments: tuple[Points], result: list[int]) -> bool:
    places = range(len(arguments[0]))
    return isinstance(result, list) and all(type(place) is int and place in places for place in result)


# fmt: off
EXERCISE = Exercise(
    name="pareto_front", minutes=8, difficulty=2, reference=search.pareto_front, cases=cases, gradients=False,
    invariants=[
        Invariant("places", "Asked is a list of places, whole numbers from 0 below the number of points, not"
            " the points themselves.", lambda _, arguments, result: _all_there(arguments, result)),
    ],
    mistakes=[
        Mistake("equals_stay", "Of points that are equal in both numbers, you keep several. Neither beats the"
            " other, and the first alone is asked for.",
            edit(TEST, TEST.replace("]:", "] or points[place] == points[front[-1]]:"))),
        Mistake("equals_go", "Points that are equal throw each other out. To beat another a point has to be"
            " better in one of the two numbers; of equal ones the first stays.",
            edit("return front", "return [place for place in front if points.count(points[place]) == 1]")),
        Mistake("last_of_equals", "Of equal points you keep the last. The first is asked for.",
            edit(KEY, "(points[place][0], -points[place][1], -place)")),
        Mistake("better_in_both", "You throw a point out only where another is better in both numbers. One"
            " that costs the same and is more accurate, or is as accurate and costs less, beats it, too.",
            edit("return front",
                "return [place for place in sorted(range(len(points)), key=lambda one: points[one][0]) if"
                " points[place] not in points[:place] and not any(cost < points[place][0] and accuracy >"
                " points[place][1] for cost, accuracy in points)]")),
        Mistake("accuracy_no_better", "A point that costs more and is only as accurate is beaten: accuracy"
            " has to rise, not to stay.", edit(TEST, TEST.replace(" > ", " >= "))),
        Mistake("equal_costs", "Where two points cost the same, you take the one that you meet first. The"
            " more accurate one beats the other: sort by falling accuracy where costs are equal.",
            (edit(KEY, "points[place][0]"), edit(KEY, "points[place]"))),
        Mistake("from_zero", "You begin with a best accuracy of 0, so points at 0 or below it are lost. Begin"
            " with none, or with -inf.",
            edit("return front", "return [place for place in front if points[place][1] > 0]")),
        Mistake("order_of_the_list", "The places are right, and their order isn't: the cheapest first,"
            " whatever its place in the list.",
            (edit("return front", "return sorted(front)"), edit("return front", "return front[::-1]"))),
        Mistake("worst", "You keep the points that are beaten: costs should be low and accuracies high.",
            edit(TEST, TEST.replace(" > ", " < ")).then(KEY, "(points[place][0], points[place][1], place)")),
        Mistake("all_sorted", "You sort all points by cost and throw none out. A point stays only where it is"
            " more accurate than all that cost less.",
            (edit(TEST, "if True:"), edit(TEST, "if True:").then(KEY, "points[place][0]"))),
        Mistake("the_best_alone", "You return one point. Each point stays that no other beats: a cheap one"
            " and an accurate one can both be on the front.", edit("return front", "return front[-1:]")),
        Mistake("convex_hull", "You keep the corners of the convex hull. A point that lies below the line"
            " between two others is beaten by neither: no design stands on that line, so the point stays.",
            corners),
    ],
    hints=("Go from the cheapest point to the dearest, and keep a point when it is more accurate than all"
           " that you have kept. Where two cost the same, look at the more accurate one first.",
           "sorted(range(len(points)), key=...) gives places; the key (cost, -accuracy) puts the more"
           " accurate of two equal costs first, and sorted keeps the order of equal keys.",
           "for place in order: if not front or points[place][1] > points[front[-1]][1]:"
           " front.append(place)"),
    why="Whatever your limit is, the design to take stands on this list.",
)
# fmt: on
