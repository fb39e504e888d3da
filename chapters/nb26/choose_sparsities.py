"""How far each part of a model is pruned, so that few weights are left and little is lost."""

from collections.abc import Iterator, Mapping
from typing import Any

import torch

from lib.compression.pruning import sensitivity
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

Scan = dict[str, list[tuple[float, float]]]

LEVELS = (0.0, 0.6, 0.8, 0.9)

ALL = "product(*scan.values())"
LIMIT = "kept * sum(sizes.values()) + 0.001"
PAIRS = "for name, (sparsity, accuracy) in zip(scan, choice, strict=True):"
SUM = "total += accuracy"
IF = "if left <= limit and total > best_total:"


def cases(seed: int) -> Iterator[tuple[Scan, dict[str, int], float]]:
    """The one of the text, which is met exactly; sizes named in another order; curves that rise; low ones.

    Where a choice just meets the limit, all numbers are sums of powers of 2, so that no rounding decides.
    """
    text: Scan = {
        "A": [(0.0, 0.82), (0.5, 0.80), (0.75, 0.70)],
        "B": [(0.0, 0.82), (0.5, 0.81), (0.75, 0.79)],
    }
    yield text, {"A": 100, "B": 100}, 0.375
    yield text, {"A": 400, "B": 100}, 0.4375
    yield text, {"B": 100, "A": 400}, 0.3125
    three: Scan = {
        "one": [(0.0, 0.82), (0.5, 0.81), (0.875, 0.62)],
        "two": [(0.875, 0.74), (0.5, 0.80), (0.0, 0.82)],
        "three": [(0.0, 0.82), (0.5, 0.83), (0.875, 0.80)],
    }
    yield three, {"three": 200, "one": 800, "two": 400}, 0.5
    yield three, {"three": 200, "one": 800, "two": 400}, 0.75
    rising: Scan = {
        "big": [(0.0, 0.80), (0.5, 0.83), (0.875, 0.60)],
        "small": [(0.0, 0.82), (0.5, 0.81), (0.875, 0.70)],
    }
    yield rising, {"small": 400, "big": 800}, 0.3125
    yield {"A": [(0.0, 0.90), (0.5, 0.66)], "B": [(0.0, 0.72), (0.5, 0.50)]}, {"A": 100, "B": 100}, 0.75
    yield {"alone": [(0.0, 0.8), (0.5, 0.8), (0.75, 0.7), (0.875, 0.6)]}, {"alone": 64}, 0.25
    generator = torch.Generator().manual_seed(seed)
    for names, kept in ((3, 0.37), (4, 0.29), (5, 0.43), (4, 0.21)):
        lost = torch.rand(names, 4, generator=generator).mul(0.3).cumsum(1)  # [names, sparsities]
        sizes = {f"part {number}": 101 + 211 * (number * 2 % names) for number in range(names)}
        scan = {
            name: [
                (level, round(0.9 - 0.5 * float(loss), 3)) for level, loss in zip(LEVELS, row, strict=True)
            ]
            for name, row in zip(sizes, lost, strict=True)
        }
        yield scan, dict(reversed(sizes.items())), kept


def run(candidate: Any, scan: Scan, sizes: dict[str, int], kept: float) -> Any:
    """The choice; whichever of equally good ones was made, the reference's stands for it."""
    chosen = candidate(scan, sizes, kept)
    best = sensitivity.choose_sparsities(scan, sizes, kept)
    is_choice = isinstance(chosen, Mapping) and chosen.keys() == scan.keys()
    if not is_choice or not all(_is_scanned(chosen[name], scan[name]) for name in scan):
        return chosen
    left = _left(chosen, sizes)
    is_best = abs(_accuracy(chosen, scan) - _accuracy(best, scan)) < 1e-9
    return best if is_best and left <= kept * sum(sizes.values()) + 1e-6 else chosen


def _is_scanned(sparsity: Any, curve: list[tuple[float, float]]) -> bool:
    return isinstance(sparsity, (int, float)) and any(sparsity == level for level, _ in curve)


def _left(chosen: Mapping[str, float], sizes: Mapping[str, int]) -> float:
    return sum((1 - sparsity) * sizes[name] for name, sparsity in chosen.items())


def _accuracy(chosen: Mapping[str, float], scan: Scan) -> float:
    return sum(dict(scan[name])[sparsity] for name, sparsity in chosen.items())


def _one_after_the_other(scan: Scan, sizes: dict[str, int], kept: float, by_loss: bool) -> dict[str, float]:
    """Begin with the lowest sparsities, and raise, as long as too much is left, what costs least next."""
    curves = {name: sorted(curve) for name, curve in scan.items()}
    at = dict.fromkeys(curves, 0)

    def cost(name: str) -> float:
        (low, before), (high, after) = curves[name][at[name] : at[name] + 2]
        return (before - after) if by_loss else (before - after) / ((high - low) * sizes[name])

    while _left({name: curves[name][at[name]][0] for name in scan}, sizes) > kept * sum(sizes.values()):
        open_ones = [name for name in scan if at[name] + 1 < len(curves[name])]
        if not open_ones:
            break
        at[min(open_ones, key=cost)] += 1
    return {name: curves[name][at[name]][0] for name in scan}


def greedy_by_loss(scan: Scan, sizes: dict[str, int], kept: float) -> dict[str, float]:
    """The next step of least loss, whatever it frees."""
    return _one_after_the_other(scan, sizes, kept, by_loss=True)


def greedy_by_weight(scan: Scan, sizes: dict[str, int], kept: float) -> dict[str, float]:
    """The next step of least loss for each weight that goes."""
    return _one_after_the_other(scan, sizes, kept, by_loss=False)


def too_many(arguments: tuple[Any, ...], answer: Any, _expected: Any) -> bool:
    """Whether a choice of the right form keeps more than it may."""
    scan, sizes, kept = arguments
    is_choice = isinstance(answer, Mapping) and answer.keys() == scan.keys()
    return (
        is_choice
        and all(_is_scanned(answer[name], scan[name]) for name in scan)
        and _left(answer, sizes) > kept * sum(sizes.values()) + 1e-6
    )


# fmt: off
EXERCISE = Exercise(
    name="choose_sparsities", minutes=10, difficulty=3, reference=sensitivity.choose_sparsities, cases=cases,
    run=run, gradients=False,
    invariants=[
        Invariant("of_the_scan", "Give a dict from every name of the scan to a sparsity that stands in that"
            " name's own list.",
            lambda _, arguments, result: isinstance(result, Mapping) and result.keys() == arguments[0].keys()
                and all(_is_scanned(result[name], arguments[0][name]) for name in result)),
    ],
    mistakes=[
        Mistake("share_pruned", "You take `kept` for the share that goes. It is the share that stays: a"
            " matrix of sparsity s keeps (1 - s) of its weights.",
            (edit("(1 - sparsity) * sizes", "sparsity * sizes"),
             edit(LIMIT, "(1 - kept) * sum(sizes.values())"))),
        Mistake("uniform", "You give every name the same sparsity. Names may differ: try every combination.",
            edit(f"in {ALL}", f"in (c for c in {ALL} if len({{s for s, _ in c}}) == 1)")),
        Mistake("greedy", "You go one step at a time, and take the cheapest next one. An early step may bar a"
            " better pair of steps, so try all combinations: itertools.product(*scan.values()).",
            (greedy_by_loss, greedy_by_weight)),
        Mistake("sizes_ignored", "You average the shares, as if all names had equally many weights. Add up"
            " weights: (1 - s) * size, against kept times the sum of all sizes.",
            edit("(1 - sparsity) * sizes[name]", "(1 - sparsity) * sum(sizes.values()) / len(sizes)")),
        Mistake("strict", "A choice that just meets the limit counts: compare with <=, not with <.",
            edit(LIMIT, "kept * sum(sizes.values()) - 0.001")),
        Mistake("order_of_names", "You pair the scan and the sizes by their order. The names may stand in any"
            " order: look a size up by its name.",
            edit(PAIRS, "for name, (sparsity, accuracy) in zip(sizes, choice):")),
        Mistake("accuracy_weighted", "You weight accuracies by sizes. Sizes count in the limit alone; the"
            " accuracies are added up as they are.",
            edit(SUM, "total += accuracy * sizes[name]")),
        Mistake("lowest_alone", "You compare the lowest accuracy of each choice. Asked is for the highest"
            " sum.", edit(IF, f"total = min(accuracy for _, accuracy in choice)\n        {IF}")),
        Mistake("fewest_weights", "You look for the fewest weights. As long as the limit is kept, only"
            " accuracy counts.", edit(IF, f"total = -left\n        {IF}")),
        Mistake("most_weights", "You come as near to the limit as you can. As long as it is kept, only"
            " accuracy counts.", edit(IF, f"total = left\n        {IF}")),
        Mistake("limit_ignored", "You take the best sparsity of each name by itself, and the weights that are"
            " left are more than allowed. Leave out the choices that keep too many.",
            edit("left <= limit and ", "")),
        Mistake("first_found", "You take the first choice that keeps few enough. Compare all of those, and"
            " take the most accurate.", edit(IF, "if left <= limit and best_choice is None:")),
        Mistake("keeps_too_many", "Your choice keeps more weights than kept times their number. Add up (1 -"
            " s) * size over all names.", when=too_many, example=edit(LIMIT, f"1.3 * {LIMIT}")),
        Mistake("accuracies_multiplied", "You multiply the accuracies. What parts lose is assumed to add up:"
            " take the highest sum.",
            edit(IF, "total = 1.0\n        for _, value in choice:\n            total *= value\n"
                f"        {IF}")),
    ],
    hints=("A choice has one pair (sparsity, accuracy) for each name. Try every choice, drop those that keep"
           " too many weights, and take the highest sum of accuracies.",
           "itertools.product(*scan.values()) gives all choices, each a tuple of pairs in the order of scan's"
           " names; sizes[name] is the size that belongs to a name.",
           "For each choice go through `for name, (sparsity, accuracy) in zip(scan, choice):` and add up what"
           " is left, (1 - sparsity) * sizes[name], and the accuracies. It fits if left <= kept *"
           " sum(sizes.values()) + 0.001."),
    why="Of all choices that are small enough none has a higher sum of accuracies.",
)
# fmt: on
