"""How many times fewer weights a whole BERT has when its matrices have twenty times fewer."""

from functools import partial

from lib.exercises.spec import Exercise, Mistake, near

MATRICES, MODEL, SPARSITY = 84.93, 109.48, 0.95  # of BERT-base, in millions
LEFT = (1 - SPARSITY) * MATRICES
close = partial(near, within=0.06)

# fmt: off
EXERCISE = Exercise(
    name="model_ratio", kind="predict", minutes=4, difficulty=2, reference=MODEL / (MODEL - MATRICES + LEFT),
    tolerance=0.05, answer="109.48 / (109.48 - 84.93 + 0.05 * 84.93)",
    form="An answer is a number from 1, such as 6.5.",
    mistakes=[
        Mistake("matrices_alone", "That is the ratio of the matrices: 84.93 to 4.25. The model has other"
            " parameters, which no mask touches, and they stay.", close(1 / (1 - SPARSITY)), example=20),
        Mistake("rest_forgotten", "You compare the whole model before with the matrices alone afterwards."
            " What is not pruned is still there.", near(MODEL / LEFT, within=0.3), example=25.8),
        Mistake("all_matrices_gone", "You left nothing of the matrices. A twentieth of them stays.",
            close(MODEL / (MODEL - MATRICES)), example=4.46),
        Mistake("upside_down", "That is the share that is left. Asked for is how many times fewer there are:"
            " before over after.", near((MODEL - MATRICES + LEFT) / MODEL, within=0.006), example=0.263),
        Mistake("millions", "That is how many million parameters are left. Divide what there was by it.",
            near(MODEL - MATRICES + LEFT, within=0.3), example=28.8),
        Mistake("rest_pruned_too", "You took the share of the matrices in the model for the whole answer. Add"
            " up what is left: the rest, and a twentieth of the matrices.",
            close(MODEL / MATRICES, MATRICES / (MODEL - MATRICES)), example=1.29),
    ],
    hints=("Count what is left: of the matrices a twentieth, of everything else all.",
           "Everything else is 109.48 - 84.93 = 24.55 million: tables, biases, norms, pooler.",
           "109.48 / (24.55 + 0.05 · 84.93)"),
    why="The tables, which nobody pruned, hold most of what is left.",
)
# fmt: on
