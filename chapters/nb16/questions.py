"""Questions for a vote on freezing."""

import torch
import torch.nn.functional as F
from torch import nn

from lib.questions import Question, Right, Wrong


def tested_twice() -> str:
    torch.manual_seed(0)
    dense = nn.Linear(4, 100)
    model = nn.Sequential(dense, nn.Dropout(0.1), nn.Linear(100, 3))
    rows = torch.randn(5, 4)
    in_training = (model(rows) - model(rows)).abs().max().item()
    in_test = (model.eval()(rows) - model(rows)).abs().max().item()
    print(f"two passes differ by {in_training:.2f}, after eval() by {in_test:.2f}")
    return "B" if in_test else "C" if in_training else "AD"[dense.weight.grad is None]


def where_the_gradient_goes() -> str:
    layers = [nn.Linear(4, 4) for _ in range(6)]
    states = [layers[0](torch.randn(2, 4))]
    for layer in layers[1:]:
        layer.requires_grad_(False)
        states.append(layer(states[-1]))
    passed = sum(bool(part.any()) for part in torch.autograd.grad(states[-1].sum(), states))
    print(f"a gradient reaches what {passed} of 6 layers give; layer 0 learns, the others don't")
    return {1: "B", 6: "D" if layers[3].weight.requires_grad else "A"}.get(passed, "C")


def when_kept_states_are_wrong() -> str:
    table, layers = nn.Embedding(50, 4), [nn.Linear(4, 4) for _ in range(7)]  # six layers, and a head
    kept = nn.Sequential(table, *layers[:4])(torch.arange(5))
    asked = [layers[6].weight, layers[4].weight, table.weight]
    gradients = torch.autograd.grad(kept.sum(), asked, allow_unused=True)
    depends = [gradient is not None for gradient in gradients]
    print("the kept states depend on the head, on layer 4, on the word table:", depends)
    return "ABD"[depends.index(True)] if any(depends) else "C"


def a_loss_of_25() -> str:
    labels = torch.arange(100)
    idea = F.cross_entropy(torch.zeros(100, 100), labels).item()
    torch.manual_seed(0)
    sure = F.cross_entropy(10 * torch.randn(100, 100), labels).item()
    print(f"no idea: {idea:.1f} = ln 100; random logits, 10 times a normal number: {sure:.0f}")
    return "C" if idea < 20 < sure else "B" if idea < 30 else "A" if sure > 20 else "D"


QUESTIONS = [
    Question(
        name="tested_twice",
        section=0,
        text="You ask a model twice about the same rows, one right after the other, and some answers differ."
        " Nobody has called eval(). What made the difference?",
        options=(
            Wrong(
                "It learned something from being asked, so its weights are other ones now.",
                "a_model_learns_while_used",
                "Weights move in optimizer.step() alone. Asking computes answers and changes nothing.",
            ),
            Wrong(
                "Sums of real numbers are rounded anew each time, so close answers tip over.",
                "rounding_is_random",
                "Rounding is tiny, and the same sum in the same order is rounded alike. After eval()"
                " both passes agree.",
            ),
            Right(
                "Dropout is still on, and it sets other numbers to zero in every pass.",
                "Outside of training dropout has to be switched off, and eval() is what does it.",
            ),
            Wrong(
                "The rows of a batch read each other, so other neighbors give other answers.",
                "rows_of_a_batch_mix",
                "Attention looks at tokens of its own row alone. And here the neighbors were the same.",
            ),
        ),
        shows=tested_twice,
        seconds=45,
        guessed=((15, 15, 60, 10), (5, 5, 87, 3)),
    ),
    Question(
        name="where_the_gradient_goes",
        section=2,
        text="An odd choice: only layer 0, the lowest, learns, and layers 1 to 5 above it are frozen. What"
        " becomes of the backward pass?",
        options=(
            Right(
                "It goes through all six layers, but only layer 0 is moved by it.",
                "Layer 0 acts on the loss through the five above it, so its gradient has to come back"
                " through them.",
            ),
            Wrong(
                "It stops at layer 5, which is frozen, so that layer 0 never learns.",
                "frozen_layers_block_gradients",
                "Frozen means that a weight gets no gradient of its own. Gradients by the results still"
                " pass.",
            ),
            Wrong(
                "It goes straight to layer 0, and five layers of work are saved.",
                "backward_skips_frozen_layers",
                "The chain rule has no short cut: how the loss depends on layer 0 is known only through"
                " layers 5 to 1.",
            ),
            Wrong(
                "It goes through all six layers, and each of them is moved a little.",
                "frozen_weights_keep_gradients",
                "It passes through them, but the optimizer moves only weights whose requires_grad is True.",
            ),
        ),
        shows=where_the_gradient_goes,
        seconds=60,
        guessed=((40, 30, 25, 5), (80, 10, 8, 2)),
    ),
    Question(
        name="when_kept_states_are_wrong",
        section=3,
        text="For every headline you have kept the hidden states that come out of layer 3, with the word"
        " table and layers 0 to 3 frozen. Which of these changes makes the kept states wrong?",
        options=(
            Wrong(
                "The head gets another seed and learns at ten times the rate.",
                "any_change_spoils_a_cache",
                "The head stands above the kept states. Nothing below it has to be computed again.",
            ),
            Wrong(
                "Layer 4, which reads these states, learns as well from now on.",
                "a_reader_changes_what_it_reads",
                "Layer 4 reads what layer 3 gave and doesn't act on it. Kept states serve any layer above.",
            ),
            Wrong(
                "The headlines come in another order, with other neighbors.",
                "rows_of_a_batch_mix",
                "With its mask, a row's states depend on its own tokens alone. Only find the right row.",
            ),
            Right(
                "The word table learns as well from now on, at a tiny rate.",
                "All layers stand on the table, so each step there, however small, changes what layer 3"
                " gives.",
            ),
        ),
        shows=when_kept_states_are_wrong,
        seconds=45,
        guessed=((5, 35, 10, 50), (2, 15, 3, 80)),
    ),
    Question(
        name="a_loss_of_25",
        section=1,
        text="A new classifier for 100 classes has made no step yet, and its cross-entropy is about 25 nats."
        " What does this number tell you?",
        options=(
            Wrong(
                "All is well, because a hundred classes have a loss about that high.",
                "more_classes_excuse_any_loss",
                "The loss grows with the logarithm of the number of classes: ln 100 is 4.6, not 25.",
            ),
            Wrong(
                "It has no idea yet, so each of the classes gets the same share.",
                "no_idea_is_the_worst_loss",
                "Equal shares of 1/100 have a loss of ln 100 = 4.6. One can do far worse than that.",
            ),
            Right(
                "It is sure of wrong classes, because its logits are too large.",
                "A loss above ln 100 = 4.6 needs a true class that gets far less than an equal share.",
            ),
            Wrong(
                "The learning rate is too high and has thrown the weights far off.",
                "a_bad_loss_is_a_bad_rate",
                "No step has been made yet, so no rate has had any effect.",
            ),
        ),
        shows=a_loss_of_25,
        seconds=60,
        guessed=((25, 35, 35, 5), (8, 15, 75, 2)),
    ),
]
