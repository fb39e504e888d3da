"""How many maps there are for a student of three layers and a teacher of four."""

from functools import partial

from lib.exercises.spec import Exercise, Mistake, near

close = partial(near, within=0.4)


# fmt: off
EXERCISE = Exercise(
    name="maps_for_three", kind="predict", minutes=3, difficulty=2, reference=35, tolerance=0.001,
    form="An answer is a whole number, such as 28.",
    mistakes=[
        Mistake("falling_too", "That is 5 · 5 · 5, every way to write three numbers from 0 to 4. Maps that"
            " fall, such as (3, 1, 0), are among them, and they do not count.", 125),
        Mistake("no_zeros_and_falling", "That is 4 · 4 · 4: without zeros, and with maps that fall. A layer"
            " may go without a teacher, and what teaches has to increase.", 64),
        Mistake("all_three_taught", "These are the maps in which all three layers are taught. A layer may"
            " also go without a teacher, so add those with two layers taught, with one, and with none.", 4),
        Mistake("none_forgotten", "One is missing: (0, 0, 0), where no layer teaches.", 34),
        Mistake("one_number_alone", "You counted one kind alone. Add up: none taught, one taught, two taught,"
            " all three taught.", close(12, 18), example=18),
        Mistake("some_kinds", "One kind is missing. There are four: none taught, one, two, all three.",
            close(31, 30, 22, 23, 17, 16, 13, 19), example=31),
        Mistake("who_is_taught", "You chose the teacher's layers and not the student's: one layer can be"
            " taught at three places, and two at three pairs of places.", 15),
        Mistake("equal_too", "You let one layer teach twice, as in (2, 2, 3). The numbers have to increase.",
            63),
        Mistake("of_the_notebook", "28 is the count for a student of two layers and a teacher of six. Here it"
            " is three of four.", 28),
    ],
    hints=("Sort the maps by how many of the student's three layers are taught at all.",
           "With k taught there are C(3, k) ways to say which of the student's, and C(4, k) sets of the"
           " teacher's, which stand in increasing order.",
           "1 · 1 + 3 · 4 + 3 · 6 + 1 · 4"),
    why="A student of four layers and a teacher of twelve have 13^4 = 28,561 maps, and 1,820 that increase.",
)
# fmt: on
