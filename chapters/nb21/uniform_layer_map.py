"""Which layer of the teacher teaches which of the student, evenly."""

from collections.abc import Iterator

from lib.compression.distillation import layer_maps
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

ALL = "[step * layer for layer in range(student_layers + 1)]"
SHORT = "[round(teacher_layers * layer / (student_layers + 1)) for layer in range(student_layers + 1)]"


def cases(seed: int) -> Iterator[tuple[int, int]]:
    """Layers of the student and of the teacher: the common pairs first, then equally many, then one."""
    yield from ((3, 6), (2, 6), (4, 12), (6, 12), (5, 5), (1, 4))


def whole_numbers(_candidate: object, _arguments: tuple[int, int], result: list[int]) -> bool:
    return all(type(layer) is int for layer in result)


# fmt: off
EXERCISE = Exercise(
    name="uniform_layer_map", minutes=3, difficulty=1, reference=layer_maps.uniform_layer_map, cases=cases,
    invariants=[
        Invariant("whole_numbers", "Layer numbers are whole: divide by //.", whole_numbers),
    ],
    mistakes=[
        Mistake("without_embeddings", "Layer 0 is missing. The list has M + 1 numbers: the embeddings, layer"
            " 0 on both sides, learn from the embeddings.",
            edit(ALL, "[step * layer for layer in range(1, student_layers + 1)]")),
        Mistake("skip", "These are the layers between, as PKD-Skip has them. Here layer 0 and the last belong"
            " to the list.", edit(ALL, "[step * layer for layer in range(1, student_layers)]")),
        Mistake("from_0", "You count the teacher's layers from 0. Here layer 0 are the embeddings, and the"
            " layers count from 1.",
            (edit(ALL, "[step * layer - 1 for layer in range(student_layers + 1)]"),
             edit(ALL, "[step * layer - 1 for layer in range(1, student_layers + 1)]"),
             edit(ALL, "[0] + [step * layer - 1 for layer in range(1, student_layers + 1)]"),
             edit(ALL, "[step * layer for layer in range(student_layers)] + [teacher_layers - 1]"))),
        Mistake("step_of_one", "These are the teacher's first layers. The steps are N / M, so that the last"
            " one is reached.", edit(ALL, "list(range(student_layers + 1))")),
        Mistake("the_last_ones", "These are the teacher's last layers. Even steps of N / M begin at 0.",
            edit(ALL, "list(range(teacher_layers - student_layers, teacher_layers + 1))")),
        Mistake("student_steps", "Your steps are M. A step is N / M: three layers for a teacher of six take"
            " every second one.",
            (edit("teacher_layers // student_layers", "student_layers"),
             edit(ALL, "list(range(0, teacher_layers + 1, student_layers))"))),
        Mistake("copied_layers", "These are the layers that DistilBERT copies, counted from 0. Asked is which"
            " states teach.", layer_maps.distilbert_layers),
        Mistake("pairs", "You return pairs. The list holds the teacher's layers alone: place m is layer m of"
            " the student.", edit(ALL, "[(layer, step * layer) for layer in range(student_layers + 1)]")),
        Mistake("one_step_late", "You begin one step too late, and end beyond the teacher's last layer. Layer"
            " m learns from m * step, so layer 0 from layer 0.", edit("step * layer", "step * (layer + 1)")),
        Mistake("every_layer", "You list all layers of the teacher. Only as many teach as the student has: M"
            " + 1, with layer 0.", edit(ALL, "list(range(teacher_layers + 1))")),
        Mistake("student_for_teacher", "Your list has a place for each layer of the teacher. Asked is, for"
            " each of the student, which of the teacher's it learns from.",
            (edit(ALL, "[layer // step for layer in range(teacher_layers + 1)]"),
             edit(ALL, "[step * layer for layer in range(teacher_layers + 1)]"))),
        Mistake("steps_themselves", "You list the steps. Layer m is m steps up: multiply the step by m.",
            (edit(ALL, "[0] + [step] * student_layers"), edit(ALL, "[step] * student_layers"),
             edit(ALL, "[step] * (student_layers + 1)"))),
        Mistake("steps_too_short", "You divide by M + 1. From layer 0 to layer N there are M steps, each of N"
            " / M.",
            (edit("teacher_layers // student_layers", "teacher_layers // (student_layers + 1)"),
             edit(ALL, SHORT.replace("round", "int")), edit(ALL, SHORT))),
    ],
    hints=("Layer 0 learns from layer 0 and layer M from layer N, with equal steps between.",
           "The step is the whole number N // M; the list has M + 1 numbers.",
           "[teacher_layers // student_layers * layer for layer in range(student_layers + 1)]"),
    why="TinyBERT matches hidden states by this map, in the next notebook.",
)
# fmt: on
