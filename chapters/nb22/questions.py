"""Questions for a vote on distilling the inside."""

import torch
from torch import nn

from lib.bert import WordPieceTokenizer
from lib.questions import Question, Right, Wrong


def which_weights_a_loss_can_move() -> str:
    layers = [nn.Linear(4, 4) for _ in range(6)]
    compared = nn.Sequential(*layers[:3])(torch.randn(2, 4))
    weights = [layer.weight for layer in layers]
    gradients = torch.autograd.grad(compared.square().sum(), weights, allow_unused=True)
    moved = [number for number, gradient in enumerate(gradients, 1) if gradient is not None]
    print("layers that get a gradient:", moved)
    return {"123456": "A", "3": "B", "123": "C"}.get("".join(str(layer) for layer in moved), "D")


def what_a_narrow_student_can_reach() -> str:
    torch.manual_seed(0)
    states = torch.randn(200, 4) * torch.tensor([4.0, 2.0, 1.0, 0.5])  # of the teacher
    _, _, directions = torch.linalg.svd(states, full_matrices=False)
    said = states @ directions[:2].T  # two numbers a token, the best there are
    error = (said @ directions[:2] - states).square().sum() / states.square().sum()
    print(f"two numbers a token, one matrix to four: {error:.0%} of the mean square stays missing")
    return "A" if error < 1e-4 else "B" if error < 0.4 else "D"


def what_a_relation_notices() -> str:
    values = torch.tensor([[0.5, 0.0, 1.0], [0.0, 0.5, 0.5], [1.0, -0.5, 0.0]])
    turn = torch.tensor([[0.6, 0.8, 0.0], [-0.8, 0.6, 0.0], [0.0, 0.0, 1.0]])
    kinds = [values, values @ turn, -values, values.flip(1), 2 * values]
    relations = [(each @ each.T).softmax(dim=-1) for each in kinds]
    moved = [round((each - relations[0]).abs().max().item(), 3) for each in relations[1:]]
    print("relations move by (turned, sign, order, double):", *moved)
    return "ABCD"[moved.index(max(moved))]


def another_tokenizer() -> str:
    text = "zucchini smells wonderful"
    minilm = len(WordPieceTokenizer.from_pretrained("minilm").encode(text))
    pocket = len(WordPieceTokenizer.from_pretrained("pocket").encode(text))
    answers, maps, states = [[9], [9]], [[minilm] * 2, [pocket] * 2], [[minilm, 384], [pocket, 384]]
    shapes = {"A": answers, "B": maps, "C": states, "D": maps}
    print(f"answers {answers}, states through a map {states}, attention and relations {maps}")
    return next(letter for letter, (one, other) in shapes.items() if one == other)


QUESTIONS = [
    Question(
        name="which_weights_a_loss_can_move",
        section=0,
        text="A student has six layers. Its loss compares what comes out of layer 3 with a fixed target, and"
        " nothing else. Which layers can this loss move?",
        options=(
            Wrong(
                "All six of them, because one loss trains the whole model.",
                "a_loss_moves_everything",
                "It moves only what the compared numbers depend on, and layer 6 comes after them.",
            ),
            Wrong(
                "Layer 3 alone, because what is compared was made by it.",
                "a_loss_moves_its_own_layer",
                "What layer 3 gives depends on what it got, so the gradient goes on to layers 2 and 1.",
            ),
            Right(
                "Layers 1 to 3, because what is compared depends on them.",
                "A gradient goes back from the loss to all that comes before, and to nothing after.",
            ),
            Wrong(
                "Layers 4 to 6, because they read what the loss changes.",
                "gradients_go_forward",
                "They read it, but no number of the loss depends on what they make of it.",
            ),
        ),
        shows=which_weights_a_loss_can_move,
        seconds=45,
        guessed=((25, 15, 55, 5), (6, 4, 88, 2)),
    ),
    Question(
        name="what_a_narrow_student_can_reach",
        section=2,
        text="A student is free to give any 192 numbers for each token. One learned matrix turns them into"
        " 384, to match a teacher's. These vary in all 384 directions, but in a few far more than in the"
        " rest. How small can the squared error get?",
        options=(
            Wrong(
                "It can get to 0, because the matrix is learned until both agree.",
                "a_learned_map_fixes_any_mismatch",
                "Whatever the matrix is, what it makes of 192 numbers lies in 192 directions.",
            ),
            Right(
                "It stays above 0, but small, because few directions hold most.",
                "The best map takes the directions in which the teacher varies most, and misses the rest.",
            ),
            Wrong(
                "It can get to 0, because 192 numbers can hold the other 192, too.",
                "one_number_can_hold_two",
                "Digits of one number could hide another, but a matrix can't take them apart again.",
            ),
            Wrong(
                "It stays at about half, because half of the numbers are missing.",
                "all_is_in_proportion",
                "So it is if all directions vary alike. Here a few hold most, and the matrix can take these.",
            ),
        ),
        shows=what_a_narrow_student_can_reach,
        seconds=75,
        guessed=((25, 45, 5, 25), (7, 84, 1, 8)),
    ),
    Question(
        name="what_a_relation_notices",
        section=3,
        text="MiniLM compares how the values of a head are related, by their dot products and a softmax. You"
        " change all value vectors of the head in one and the same way. Which change does the loss notice?",
        options=(
            Wrong(
                "All are turned by one orthogonal matrix.",
                "relations_see_directions",
                "A turn keeps all lengths and angles, so it keeps all dot products.",
            ),
            Wrong(
                "All of their numbers get the other sign.",
                "relations_see_signs",
                "Both factors of each product change their sign, so the product stays.",
            ),
            Wrong(
                "All get their features in another order.",
                "relations_need_the_same_features",
                "A dot product is a sum over features, and all vectors were reordered alike.",
            ),
            Right(
                "All are made twice as long as they were.",
                "All dot products become four times as large, and softmax makes sharper relations of them.",
            ),
        ),
        shows=what_a_relation_notices,
        seconds=60,
        guessed=((30, 15, 15, 40), (8, 4, 6, 82)),
    ),
    Question(
        name="another_tokenizer",
        section=3,
        text="To save bytes, a student that sorts headlines gets a vocabulary of its own, which cuts a text"
        " into other tokens than its teacher's. Which lesson can it still take as it is?",
        options=(
            Right(
                "The teacher's answers, one share for each class.",
                "They belong to the text and not to its tokens: nine numbers, however it was cut.",
            ),
            Wrong(
                "The attention weights, as heads have no width.",
                "attention_fits_any_model",
                "They have no width, but a row and a column for each token, and the tokens are others.",
            ),
            Wrong(
                "All hidden states, if a regressor maps them.",
                "a_learned_map_fixes_any_mismatch",
                "A regressor changes the features of a token. Which token is to be compared it can't say.",
            ),
            Wrong(
                "The value relations, as they fit any width.",
                "relations_fit_any_model",
                "They fit any width. But they relate tokens to tokens, and the tokens are others.",
            ),
        ),
        shows=another_tokenizer,
        seconds=60,
        guessed=((50, 10, 15, 25), (87, 3, 4, 6)),
    ),
]
