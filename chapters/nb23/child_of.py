"""The child of two genes, in a draft that looks at one neighbor alone."""

from collections.abc import Iterator

from lib.compression.distillation import layer_search
from lib.compression.distillation.layer_search import Gene
from lib.exercises.spec import Exercise, Mistake


def cases(seed: int) -> Iterator[tuple[Gene, Gene, int]]:
    """Two genes and their cut: nothing falls, a neighbor falls, one falls behind a zero; the ends."""
    yield (1, 4), (3, 6), 1
    yield (5, 6), (1, 3), 1
    yield (5, 0, 0), (0, 0, 3), 2
    yield (3, 0, 0), (0, 0, 3), 1
    yield (0, 2, 5), (1, 3, 4), 2
    yield (0, 5, 0, 0, 0, 10), (0, 0, 3, 4, 0, 12), 2
    yield (0, 0, 5, 10), (3, 6, 9, 12), 3
    yield (4, 0, 6), (1, 2, 3), 0
    yield (4, 0, 6), (1, 2, 3), 3
    yield (0, 0), (0, 0), 1
    yield (2, 6, 0, 0), (0, 0, 3, 5), 2


def draft(first: Gene, second: Gene, cut: int) -> Gene:
    child = list(first[:cut] + second[cut:])
    for place in range(1, len(child)):
        if child[place] <= child[place - 1]:
            child[place] = 0
    return tuple(child)


def not_repaired(first: Gene, second: Gene, cut: int) -> Gene:
    return first[:cut] + second[cut:]


def in_order(first: Gene, second: Gene, cut: int) -> Gene:
    return tuple(sorted(first[:cut] + second[cut:]))


def dropped(first: Gene, second: Gene, cut: int) -> Gene:
    return tuple(layer for layer in layer_search.child_of(first, second, cut) if layer)


def equal_ones_kept(first: Gene, second: Gene, cut: int) -> Gene:
    found: list[int] = []
    for layer in first[:cut] + second[cut:]:
        found.append(layer if layer >= max(found, default=0) else 0)
    return tuple(found)


def raised(first: Gene, second: Gene, cut: int) -> Gene:
    found: list[int] = []
    for layer in first[:cut] + second[cut:]:
        found.append(max([layer, *found]))
    return tuple(found)


def from_the_end(first: Gene, second: Gene, cut: int) -> Gene:
    found: list[int] = []
    for layer in reversed(first[:cut] + second[cut:]):
        later = [other for other in found if other]
        found.append(0 if later and layer >= min(later) else layer)
    return tuple(reversed(found))


def last_taught_alone(first: Gene, second: Gene, cut: int) -> Gene:
    child = list(first[:cut] + second[cut:])
    for place in range(1, len(child)):
        before = [layer for layer in (first[:cut] + second[cut:])[:place] if layer]
        if before and child[place] <= before[-1]:
            child[place] = 0
    return tuple(child)


def all_before_as_they_were(first: Gene, second: Gene, cut: int) -> Gene:
    child = first[:cut] + second[cut:]
    return tuple(
        layer if layer > max(child[:place], default=0) and layer < min(child[place + 1 :], default=99) else 0
        for place, layer in enumerate(child)
    )


EXERCISE = Exercise(
    name="child_of",
    kind="bug",
    minutes=4,
    difficulty=2,
    reference=layer_search.child_of,
    cases=cases,
    mistakes=[
        Mistake(
            "neighbor_alone",
            "That is still the draft. It compares each number with the one just before it, and a 0 stands"
            " between the 5 and the 3 of (5, 0, 3). With what should the 3 be compared?",
            draft,
        ),
        Mistake(
            "last_taught_alone",
            "You compare with the last number before that is not 0 in the child as it was. In (2, 6, 3, 5)"
            " the 3 falls and becomes 0, and then the 5 has to be compared with the 6.",
            last_taught_alone,
        ),
        Mistake(
            "not_repaired",
            "Your child is cut and joined, and nothing is repaired: (5, 3) stays as it is, although 3 is not"
            " larger than 5.",
            not_repaired,
        ),
        Mistake(
            "in_order",
            "You sorted the numbers, which gives them to other layers of the student. A number that falls"
            " becomes 0, and all others keep their place.",
            in_order,
        ),
        Mistake(
            "equal_ones_kept",
            "You let a number stay that is equal to one before it. It has to be larger: in (3, 0, 3) the last"
            " becomes 0.",
            equal_ones_kept,
        ),
        Mistake(
            "raised",
            "You raised what falls to the largest number before it. It becomes 0: this layer of the student"
            " goes without a teacher.",
            raised,
        ),
        Mistake(
            "from_the_end",
            "You began at the end, so the earlier of two numbers gave way. Here the first parent's part stays"
            " and what comes later falls.",
            from_the_end,
        ),
        Mistake(
            "both_give_way",
            "You set both numbers of a pair that is out of order to 0. Only the later one falls.",
            all_before_as_they_were,
        ),
        Mistake(
            "dropped",
            "You left the zeros out. A gene has a number for each layer of the student, and 0 says that"
            " nobody teaches it.",
            dropped,
        ),
    ],
    hints=(
        "Go through the draft by hand for the child (5, 0, 3). At which place should something happen?",
        "Compare each number with the largest of all before it, not with its neighbor.",
        "if child[place] <= max(child[:place]): child[place] = 0",
    ),
    why="A number has to be larger than all numbers before it, and zeros between them change nothing.",
)
