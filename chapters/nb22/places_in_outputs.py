"""Which hidden states and attentions make pairs, in a draft that takes the wrong attentions."""

from collections.abc import Iterator

from lib.compression.distillation import outputs
from lib.compression.distillation.outputs import Pairs
from lib.exercises.spec import Exercise, Mistake


def cases(seed: int) -> Iterator[tuple[int, int]]:
    """Layers of the student, and of the teacher: the notebook's, as many on both sides, the paper's."""
    yield from ((2, 6), (3, 6), (6, 6), (4, 12), (1, 6), (2, 4))


def pairs_of(student_layers: int, teacher_layers: int) -> Pairs:
    """The right pairs of hidden states."""
    return outputs.places_in_outputs(student_layers, teacher_layers)[0]


def draft(student_layers: int, teacher_layers: int) -> tuple[Pairs, Pairs]:
    pairs = pairs_of(student_layers, teacher_layers)
    return pairs, pairs[:-1]


def numbers_of_layers(student_layers: int, teacher_layers: int) -> tuple[Pairs, Pairs]:
    pairs = pairs_of(student_layers, teacher_layers)
    return pairs, pairs[1:]


def teacher_not_shifted(student_layers: int, teacher_layers: int) -> tuple[Pairs, Pairs]:
    pairs = pairs_of(student_layers, teacher_layers)
    return pairs, [(own - 1, taught) for own, taught in pairs[1:]]


def student_not_shifted(student_layers: int, teacher_layers: int) -> tuple[Pairs, Pairs]:
    pairs = pairs_of(student_layers, teacher_layers)
    return pairs, [(own, taught - 1) for own, taught in pairs[1:]]


def without_embeddings(student_layers: int, teacher_layers: int) -> tuple[Pairs, Pairs]:
    states, attentions = outputs.places_in_outputs(student_layers, teacher_layers)
    return states[1:], attentions


def states_shifted_too(student_layers: int, teacher_layers: int) -> tuple[Pairs, Pairs]:
    attentions = outputs.places_in_outputs(student_layers, teacher_layers)[1]
    return attentions, attentions


def states_as_draft_of_attentions(student_layers: int, teacher_layers: int) -> tuple[Pairs, Pairs]:
    states, attentions = outputs.places_in_outputs(student_layers, teacher_layers)
    return states[:-1], attentions


def teacher_first(student_layers: int, teacher_layers: int) -> tuple[Pairs, Pairs]:
    states, attentions = outputs.places_in_outputs(student_layers, teacher_layers)
    return [pair[::-1] for pair in states], [pair[::-1] for pair in attentions]


def top_layers(student_layers: int, teacher_layers: int) -> tuple[Pairs, Pairs]:
    states = pairs_of(student_layers, teacher_layers)
    above = teacher_layers - student_layers
    return states, [(layer, layer + above) for layer in range(student_layers)]


EXERCISE = Exercise(
    name="places_in_outputs",
    kind="bug",
    minutes=5,
    difficulty=2,
    reference=outputs.places_in_outputs,
    cases=cases,
    returns=("the places of hidden states", "the places of attentions"),
    mistakes=[
        Mistake(
            "first_of_each_group",
            "That is still the draft. Its attentions of the teacher stand at 0 and 3 for the student of two"
            " layers, and these are layers 1 and 4. Which places hold layers 3 and 6?",
            draft,
        ),
        Mistake(
            "numbers_of_layers",
            "Your attentions have the numbers of the layers. The tuple of attentions begins with layer 1 at"
            " place 0, so that layer l stands at place l - 1, and the last number is out of range.",
            numbers_of_layers,
        ),
        Mistake(
            "teacher_not_shifted",
            "The student's attentions are right, and the teacher's stand one place too far: its tuple begins"
            " with layer 1, too.",
            teacher_not_shifted,
        ),
        Mistake(
            "student_not_shifted",
            "The teacher's attentions are right, and the student's stand one place too far: its tuple begins"
            " with layer 1, too.",
            student_not_shifted,
        ),
        Mistake(
            "without_embeddings",
            "The hidden states lack the first pair, (0, 0): the student's embeddings learn from the"
            " teacher's.",
            without_embeddings,
        ),
        Mistake(
            "states_shifted_too",
            "Only the attentions begin with layer 1. The hidden states begin with the embeddings, so layer l"
            " stands at place l there, and these pairs were right in the draft.",
            states_shifted_too,
        ),
        Mistake(
            "last_state_missing",
            "The hidden states lack the last pair: the student's last layer learns from the teacher's last.",
            states_as_draft_of_attentions,
        ),
        Mistake(
            "teacher_first",
            "Your pairs have the teacher's place first. The student's place comes first, then the teacher's.",
            teacher_first,
        ),
        Mistake(
            "top_layers",
            "Your attentions come from the teacher's top layers. They have to come from the layers whose"
            " hidden states teach: every N / M-th.",
            top_layers,
        ),
    ],
    hints=(
        "Write down both tuples of a teacher with six layers, place by place: what stands at place 0?",
        "hidden_states has N + 1 entries, attentions has N. The last layer stands at place N in one and at"
        " place N - 1 in the other.",
        "attentions = [(m, m * step + step - 1) for m in range(student_layers)]",
    ),
    why="The same layer, and two places for it: N in hidden_states, N - 1 in attentions.",
)
