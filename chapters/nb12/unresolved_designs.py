"""How many designs differ from the base by no more than another seed would."""

from lib.exercises.spec import Exercise, Mistake

READ = ("left side", "1 layer", "4 layers", "1 head", "8 heads")


def unresolved_designs() -> int:
    """The designs in READ that the recorded losses do not tell from the base."""
    # Not above: only who answers or solves this exercise waits for the record.
    from chapters.nb12 import pretraining_choices
    from lib import records
    from lib.stats import difference

    losses = pretraining_choices.losses_of(records.table("ablations"))
    return sum(not difference(losses["base"], losses[name]).is_resolved for name in READ)


# fmt: off
EXERCISE = Exercise(
    name="unresolved_designs", kind="predict", minutes=4, difficulty=2, reference=unresolved_designs,
    form="An answer is a whole number from 0 to 5.",
    mistakes=[
        Mistake("no_count", "There are five designs to look at, so it is a whole number from 0 to 5.",
            lambda number: not (0 <= number <= len(READ) and number == int(number)), example=6),
        Mistake("the_others", "You counted those that differ by more than the spread. How many are left?",
            lambda number: number == len(READ) - unresolved_designs(),
            example=lambda: len(READ) - unresolved_designs()),
    ],
    hints=("Compare two lengths: from point to point, and from the lowest to the highest seed.",
           "For each design take the longer of two lines, its own and the base's: is the base's point"
           " nearer?",
           "sum(not stats.difference(losses['base'], losses[name]).is_resolved for name in the five names)"),
    why="Three seeds are few: with more of them, a small difference may yet turn out to be one.",
)
# fmt: on
