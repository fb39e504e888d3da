"""Which hidden states and attentions make pairs, in a draft that takes the wrong attentions."""

from collections.abc import Iterator

from chapters.nb22 import lessons
from lib.exercises.spec import Exercise, Mistake, edit

STATES = "[(m, m * step) for m in range(student_layers + 1)]"
ATTENTIONS = "[(m, m * step + step - 1) for m in range(student_layers)]"


def cases(seed: int) -> Iterator[tuple[int, int]]:
    """Layers of the student, and of the teacher: the notebook's, as many on both sides, the paper's."""
    yield from ((2, 6), (3, 6), (6, 6), (4, 12), (1, 6), (2, 4))


# fmt: off
EXERCISE = Exercise(
    name="places_in_outputs", kind="bug", minutes=5, difficulty=2, reference=lessons.places_in_outputs,
    cases=cases, returns=("the places of hidden states", "the places of attentions"),
    mistakes=[
        Mistake("first_of_each_group", "That is still the draft. Its attentions of the teacher stand at 0 and"
            " 3 for the student of two layers, and these are layers 1 and 4. Which places hold layers 3 and"
            " 6?", edit("m * step + step - 1", "m * step")),
        Mistake("not_shifted", "Both tuples of attentions, the student's and the teacher's, begin with layer"
            " 1 at place 0: layer l stands at place l - 1.",
            (edit(ATTENTIONS, "states[1:]"), edit("m * step + step - 1", "m * step + step"),
             edit("(m, m * step + step - 1)", "(m + 1, m * step + step - 1)"))),
        Mistake("states", "The hidden states begin with the embeddings, so layer l stands at place l. Their"
            " pairs, (0, 0) first and the last layers last, were right in the draft.",
            (edit("return states", "return states[1:]"), edit("return states", "return states[:-1]"),
             edit(STATES, ATTENTIONS))),
        Mistake("top_layers", "Your attentions come from the teacher's top layers. They have to come from the"
            " layers whose hidden states teach: every N / M-th.",
            edit("m * step + step - 1", "m + teacher_layers - student_layers")),
    ],
    hints=("Write down both tuples of a teacher with six layers, place by place: what stands at place 0?",
           "hidden_states has N + 1 entries, attentions has N. The last layer stands at place N in one and at"
           " place N - 1 in the other.",
           "attentions = [(m, m * step + step - 1) for m in range(student_layers)]"),
    why="The same layer, and two places for it: N in hidden_states, N - 1 in attentions.",
)
# fmt: on
