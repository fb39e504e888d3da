"""The number that GPTQ rounds in place of a weight, once the weight before it has lost something."""

from lib.exercises.spec import Exercise, Mistake

# fmt: off
EXERCISE = Exercise(
    name="second_weight", kind="predict", minutes=4, difficulty=2, reference=0.14, tolerance=0.002,
    form="An answer is a number, such as 0.35.",
    mistakes=[
        Mistake("rounded", "That is what the second weight becomes in the end. The question is for the number"
            " that is rounded to it.", 0.1),
        Mistake("nearest", "That is 0.16 rounded as if the first weight had lost nothing. Correct it first.",
            0.2),
        Mistake("not_corrected", "That is the second weight as it was. What has the first one lost, and which"
            " part of that can the second make up for?", 0.16),
        Mistake("wrong_sign", "A sign is wrong. H₁₂ is negative, so e₂ = -(H₁₂ / H₂₂) e₁ has the sign of e₁:"
            " both inputs mostly have opposite signs, so both weights should lose. The number is 0.16 - e₂.",
            0.18),
        Mistake("not_divided", "You forgot to divide by H₂₂: the second input is larger, so a smaller"
            " correction is enough.", 0.12),
        Mistake("upside_down", "You divided H₂₂ by H₁₂. The correction is H₁₂ / H₂₂ of what the first weight"
            " has lost.", 0.08),
        Mistake("loss_alone", "That is what the second weight is to lose. Which number loses that, if 0.16"
            " was right?", 0.02),
        Mistake("size_of_the_loss", "That has the size of the correction. Mind its sign, and apply it to"
            " 0.16.", -0.02),
    ],
    hints=("0.24 becomes 0.2. What is e₁, the old number less the new one?",
           "e₂ = -(H₁₂ / H₂₂) e₁ with e₁ = 0.04, H₁₂ = -1 and H₂₂ = 2; the second weight should be 0.16 -"
           " e₂.",
           "e₂ = -(-1 / 2) · 0.04 = 0.02, so the number is 0.16 - 0.02."),
    why="It becomes 0.1: E is 0.0040, and 0.0080 if 0.16 becomes 0.2, though 0.2 is nearer.",
)
# fmt: on
