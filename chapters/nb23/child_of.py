"""The child of two genes, in a draft that looks at one neighbor alone."""

from collections.abc import Iterator

from chapters.nb23 import choices
from lib.exercises.spec import Exercise, Mistake, edit

Gene = tuple[int, ...]
JOINED, LARGEST, GIVEN = "first[:cut] + second[cut:]", "max(child[:place])", "return tuple(child)"


def cases(seed: int) -> Iterator[tuple[Gene, Gene, int]]:
    """Two genes and their cut: nothing falls, a neighbor falls, one falls behind a zero; the ends."""
    yield (1, 4), (3, 6), 1
    yield (5, 6), (1, 3), 1
    yield (5, 0, 0), (0, 0, 3), 2
    yield (3, 0, 0), (0, 0, 3), 1
    yield (0, 5, 0, 0, 0, 10), (0, 0, 3, 4, 0, 12), 2
    yield (0, 0, 5, 10), (3, 6, 9, 12), 3
    yield (4, 0, 6), (1, 2, 3), 0
    yield (4, 0, 6), (1, 2, 3), 3
    yield (2, 6, 0, 0), (0, 0, 3, 5), 2


# fmt: off
EXERCISE = Exercise(
    name="child_of", kind="bug", minutes=4, difficulty=2, reference=choices.child_of, cases=cases,
    mistakes=[
        Mistake("neighbor_alone", "So far it does what the draft does. Take the child below from left to"
            " right by hand: with what does the docstring compare each place, and with what does the code?",
            edit(LARGEST, "child[place - 1]")),
        Mistake("last_taught_alone", "You compare with the last number before that is not 0 in the child as"
            " it was. In (2, 6, 3, 5) the 3 falls and becomes 0, and then the 5 has to be compared with the"
            " 6.",
            edit(LARGEST, f"[0, *filter(None, ({JOINED})[:place])][-1]")),
        Mistake("not_repaired", "Your child is cut and joined, and nothing is repaired: (5, 3) stays as it"
            " is, although 3 is not larger than 5.", edit(LARGEST, "-1")),
        Mistake("in_order", "You sorted the numbers, which gives them to other layers of the student. A"
            " number that falls becomes 0, and all others keep their place.",
            edit(GIVEN, f"return tuple(sorted({JOINED}))")),
        Mistake("equal_ones_kept", "You let a number stay that is equal to one before it. It has to be"
            " larger: in (3, 0, 3) the last becomes 0.",
            edit("<=", "<")),
        Mistake("raised", "You raised what falls to the largest number before it. It becomes 0: this layer of"
            " the student goes without a teacher.",
            edit("child[place] = 0", f"child[place] = {LARGEST}")),
        Mistake("from_the_end", "You began at the end, so the earlier of two numbers gave way. Here the first"
            " parent's part stays and what comes later falls.",
            edit("range(1, len(child))", "reversed(range(len(child) - 1))")
                .then(f"<= {LARGEST}", ">= min(filter(None, child[place + 1 :]), default=99)")),
        Mistake("dropped", "You left the zeros out. A gene has a number for each layer of the student, and 0"
            " says that nobody teaches it.",
            edit(GIVEN, "return tuple(filter(None, child))")),
    ],
    hints=("Go through the draft by hand for the child (5, 0, 3). At which place should something happen?",
           "Compare each number with the largest of all before it, not with its neighbor.",
           "if child[place] <= max(child[:place]): child[place] = 0"),
    why="A number has to be larger than all numbers before it, and zeros between them change nothing.",
)
# fmt: on
