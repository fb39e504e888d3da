"""The child of two genes, in a draft that looks at one neighbor alone."""

from collections.abc import Iterator

from lib.compression.distillation import layer_search
from lib.compression.distillation.layer_search import Gene
from lib.exercises.spec import Exercise, Mistake, edit

JOINED, STAYS = "first[:cut] + second[cut:]", "layer > max(found, default=0)"


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
    name="child_of", kind="bug", minutes=4, difficulty=2, reference=layer_search.child_of, cases=cases,
    mistakes=[
        Mistake("neighbor_alone", "That is still the draft. It compares each number with the one just before"
            " it, and a 0 stands between the 5 and the 3 of (5, 0, 3). With what should the 3 be compared?",
            edit(STAYS, "layer > [0, *found][-1]", of=layer_search.repaired)),
        Mistake("last_taught_alone", "You compare with the last number before that is not 0 in the child as"
            " it was. In (2, 6, 3, 5) the 3 falls and becomes 0, and then the 5 has to be compared with the"
            " 6.",
            edit(STAYS, "layer > [0, *filter(None, gene[: len(found)])][-1]", of=layer_search.repaired)),
        Mistake("not_repaired", "Your child is cut and joined, and nothing is repaired: (5, 3) stays as it"
            " is, although 3 is not larger than 5.", edit(f"repaired({JOINED})", JOINED)),
        Mistake("in_order", "You sorted the numbers, which gives them to other layers of the student. A"
            " number that falls becomes 0, and all others keep their place.",
            edit(f"repaired({JOINED})", f"tuple(sorted({JOINED}))")),
        Mistake("equal_ones_kept", "You let a number stay that is equal to one before it. It has to be"
            " larger: in (3, 0, 3) the last becomes 0.",
            edit("layer > max", "layer >= max", of=layer_search.repaired)),
        Mistake("raised", "You raised what falls to the largest number before it. It becomes 0: this layer of"
            " the student goes without a teacher.",
            edit(f"layer if {STAYS} else 0", "max([layer, *found])", of=layer_search.repaired)),
        Mistake("from_the_end", "You began at the end, so the earlier of two numbers gave way. Here the first"
            " parent's part stays and what comes later falls.",
            edit("in gene", "in gene[::-1]", of=layer_search.repaired)
                .then(STAYS, "layer < min(filter(None, found), default=99)")
                .then("tuple(found)", "tuple(found[::-1])")),
        Mistake("dropped", "You left the zeros out. A gene has a number for each layer of the student, and 0"
            " says that nobody teaches it.",
            edit(f"repaired({JOINED})", f"tuple(filter(None, repaired({JOINED})))")),
    ],
    hints=("Go through the draft by hand for the child (5, 0, 3). At which place should something happen?",
           "Compare each number with the largest of all before it, not with its neighbor.",
           "if child[place] <= max(child[:place]): child[place] = 0"),
    why="A number has to be larger than all numbers before it, and zeros between them change nothing.",
)
# fmt: on
