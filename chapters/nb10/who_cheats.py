"""Which masks let a place see its own token."""

from lib.exercises.spec import Exercise, Mistake

# fmt: off
EXERCISE = Exercise(
    name="who_cheats", kind="choose", minutes=4, difficulty=2, reference={"b", "c"}, answer='["b", "c"]',
    form='An answer is a list of letters, such as ["a", "e"].',
    mistakes=[
        Mistake("depth_alone", "Depth alone does not do it. In a, what leaves a place moves only to the"
            " right, in every layer: on which path would it come back?",
            lambda letters: "a" in letters, example=["a", "b", "c"]),
        Mistake("glued_is_mixed", "In d the two stacks never look at each other. One carries a word only to"
            " the right, the other only to the left; they meet at the end, where nobody looks any more.",
            lambda letters: "d" in letters, example=["b", "c", "d"]),
        Mistake("one_layer", "e is the single layer of the puzzle. A neighbor there has nothing to show but"
            " its own token.", lambda letters: "e" in letters, example=["b", "c", "e"]),
        Mistake("missed_the_mixed", "Follow place 3 in b: who sees it in the first layer, and who looks at"
            " these in the second?", {"c"}),
        Mistake("missed_the_neighbors", "Two neighbors are enough: in c, place 4 sees place 3, and in the"
            " next layer place 3 sees place 4.", {"b"}),
    ],
    hints=("A place cheats if its own token can go somewhere in one layer and come back in a later one.",
           "Ask two things of each: who sees place 3 after the first layer? Does place 3 ever look there?",
           "Away and back takes two layers, and looks in both directions."),
    why="Away and back: two layers, one look in each direction. One way only, at any depth, never returns.",
    box="mlm_head",
)
# fmt: on
