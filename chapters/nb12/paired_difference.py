"""The difference between two designs seed by seed: its mean, its spread, and the verdict."""

from collections.abc import Iterator

from chapters.nb12 import pairs
from lib.exercises.spec import Exercise, Mistake, edit

EACH = "differences.append(design_loss - base_loss)"
MEAN = "sum(differences) / len(differences)"
SPREAD = "max(differences) - min(differences)"
RESOLVED = "abs(mean) > spread"
SQUARES = "sum((one - mean) ** 2 for one in differences)"

Losses = list[float]


def cases(seed: int) -> Iterator[tuple[Losses, Losses]]:
    """Readable pairs of each kind, then losses as in the record."""
    yield [4.0, 3.0, 5.0], [3.0, 2.5, 4.0]  # better, and resolved
    yield [4.0, 3.0, 5.0], [4.5, 2.5, 6.0]  # not resolved
    yield [2.0, 6.0, 4.0], [3.0, 7.25, 5.5]  # worse, and resolved although the seeds lie far apart
    yield [4.0, 3.0, 5.0], [4.125, 3.25, 6.0]  # of one sign, and not resolved
    yield [4.0, 3.0, 5.0], [5.0, 4.0, 3.0]  # what is not resolved has a mean of 0
    yield [3.568, 3.480, 3.587], [3.564, 3.547, 3.628]
    yield [3.568, 3.480, 3.587], [3.084, 3.070, 3.119]
    yield [3.0, 3.5, 3.1, 3.3, 3.6], [3.2, 3.6, 3.2, 3.5, 3.7]


# fmt: off
EXERCISE = Exercise(
    name="paired_difference", minutes=6, difficulty=1, reference=pairs.paired_difference, cases=cases,
    returns=("the mean", "the spread", "the verdict"), gradients=False, tolerance=1e-6,
    mistakes=[
        Mistake("the_other_way", "Your signs are the wrong way around: a design with a lower loss than the"
            " base gets a negative difference. Subtract the base from the design.",
            edit(EACH, "differences.append(base_loss - design_loss)")),
        Mistake("sizes_alone", "You drop the sign of each difference. Where one seed says better and another"
            " says worse, that is just what the spread has to show: drop the sign of the mean alone, and only"
            " for the verdict.", edit(EACH, "differences.append(abs(design_loss - base_loss))")),
        Mistake("spread_of_the_losses", "Your spread is that of the losses. Both runs of a pair met the same"
            " seed, which cancels when you subtract: take the highest less the lowest of the differences.",
            (edit(SPREAD, "max(design) - min(design)"), edit(SPREAD, "max(base) - min(base)"),
             edit(SPREAD, "max(max(base) - min(base), max(design) - min(design))"))),
        Mistake("from_zero", "Your spread isn't the distance from the lowest to the highest difference. Take"
            " max(differences) - min(differences).",
            (edit(SPREAD, "max(differences)"), edit(SPREAD, "max(differences) + min(differences)"),
             edit(SPREAD, "max(abs(one) for one in differences)"),
             edit(SPREAD, "max(abs(one - mean) for one in differences)"),
             edit(SPREAD, "(max(differences) - min(differences)) / 2"))),
        Mistake("pairs_lost", "You compare runs of different seeds. The first loss of the one belongs to the"
            " first loss of the other, so sort neither list.",
            (edit("zip(base, design,", "zip(sorted(base), sorted(design),"),
             edit("zip(base, design,", "zip(base, design[::-1],"))),
        Mistake("standard_deviation", "Your spread is a standard deviation. The rule is simpler: the highest"
            " difference less the lowest one.",
            (edit(SPREAD, f"({SQUARES} / len(differences)) ** 0.5"),
             edit(SPREAD, f"({SQUARES} / (len(differences) - 1)) ** 0.5"))),
        Mistake("a_sum", "Your mean is a sum: divide by the number of seeds.",
            (edit(MEAN, "sum(differences)"), edit(MEAN, "sum(differences) / 3"))),
        Mistake("the_middle_one", "Your mean is the middle difference. Add all and divide by their number.",
            edit(MEAN, "sorted(differences)[len(differences) // 2]")),
        Mistake("worse_alone", "Your verdict misses designs that are better than the base: their mean is"
            " negative, so compare its size, abs(mean), with the spread.", edit(RESOLVED, "mean > spread")),
        Mistake("better_alone", "Your verdict misses designs that are worse than the base: compare the size"
            " of the mean, abs(mean), with the spread.", edit(RESOLVED, "-mean > spread")),
        Mistake("turned_around", "Your verdict is turned around: resolved means that the mean is larger than"
            " the spread.", edit(RESOLVED, "abs(mean) < spread")),
        Mistake("same_sign", "Your verdict asks whether all differences have one sign. The rule asks more:"
            " the mean has to be larger than the spread.",
            edit(RESOLVED, "min(differences) > 0 or max(differences) < 0")),
    ],
    hints=("Subtract first, one pair after the other. Everything else looks at the differences alone.",
           "Three losses and three losses give three differences, and these give one mean and one spread.",
           "differences = [one - other for one, other in zip(design, base)]; then sum(...) / len(...), and"
           " max(...) - min(...); resolved is abs(mean) > spread."),
    why="What a seed does to both runs of a pair alike cancels when you subtract.", box="mlm_head",
)
# fmt: on
