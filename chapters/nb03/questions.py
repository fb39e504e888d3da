"""Questions for a vote on gradients and word vectors."""

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from lib.questions import Question, Right, Wrong


def trained(shape: tuple[int, ...], loss_of: Callable[[Tensor], Tensor]) -> Tensor:
    """Tables that begin with small random numbers, after 300 steps that lower their loss."""
    tables = 0.1 * torch.randn(shape, generator=torch.Generator().manual_seed(0))
    for _ in range(300):
        tables = tables.requires_grad_()
        [gradient] = torch.autograd.grad(loss_of(tables), tables)
        tables = tables.detach() - 2 * gradient
    return tables


def a_negative_slope() -> str:
    weight = torch.tensor(2.0, requires_grad=True)
    ((weight - 3.5) ** 2).backward()
    losses = {at: (at - 3.5) ** 2 for at in (0.0, 1.9, 2.0, 2.1)}
    print(f"slope at 2.0: {weight.grad:.1f}")
    print(*(f"at {at} the loss is {loss:.2f}" for at, loss in losses.items()), sep="\n")
    lowest = min(losses.values())
    return "BCDA"[list(losses.values()).index(lowest)]


def a_guess_that_is_right_already() -> str:
    moved = []
    for river in (torch.tensor([-0.5, 1.0]), torch.tensor([6.0, 4.0])):
        bank = torch.tensor([1.0, 0.5], requires_grad=True)
        [gradient] = torch.autograd.grad(-F.logsigmoid(bank @ river), bank)
        step = -0.5 * gradient
        print(f"yes {torch.sigmoid(bank @ river):.4f}: bank moves by {step[0]:.4f}, {step[1]:.4f}")
        moved.append((step.norm() * (step @ river).sign()).item())
    return "BDCA"[sum(moved[1] > share * moved[0] for share in (0.0, 0.5, 1.5))]


def no_noise_words() -> str:
    near = torch.eye(8).roll(1, 0) + torch.eye(8).roll(2, 0)
    real = (near + near.T).bool()  # eight words on a ring, each with two neighbors on either side
    tables = trained((2, 8, 4), lambda both: -F.logsigmoid(both[0] @ both[1].T)[real].mean())
    yes = torch.sigmoid(tables[0] @ tables[1].T)
    loss = -yes[real].log().mean()
    print(f"loss {loss:.2f}; lowest yes to neighbors {yes[real].min():.2f},", end=" ")
    print(f"to others {yes[~real].min():.2f}")
    return "D" if loss > 0.7 else "A" if loss > 0.6 else "BC"[int(yes[~real].mean() > 0.8)]


def two_spellings() -> str:
    # Rows: because, becuase, cause. Columns: how often each of five other words stands beside them.
    counts = torch.tensor([[0.5, 0.4, 0, 0, 0.1], [0.5, 0.4, 0, 0, 0.1], [0, 0, 0.5, 0.4, 0.1]])
    tables = trained((8, 8), lambda rows: -(counts * (rows[:3] @ rows[3:].T).log_softmax(1)).mean())
    because, _, cause = F.cosine_similarity(tables[1], tables[:3], dim=1).tolist()
    print(f"cosine of becuase with because {because:.2f}, with cause {cause:.2f}")
    return "B" if because > 0.8 else "A" if cause > 0.8 else "CD"[int(because > -0.3)]


QUESTIONS = [
    Question(
        name="a_negative_slope",
        section=0,
        text="A loss depends on one weight. Where we stand, the weight is 2, and the slope of the loss"
        " is −3. Which change of the weight makes the loss smaller?",
        options=(
            Right(
                "A little up, because here the loss falls as the weight grows.",
                "A slope says what happens when the weight is raised. Below 0 it says that the loss"
                " falls, so we go against the slope, up.",
            ),
            Wrong(
                "Down to 0, because the loss is smallest when the weight is 0.",
                "loss_is_least_at_zero",
                "The weight and the loss are two numbers. We want the loss near 0, wherever the weight"
                " then is.",
            ),
            Wrong(
                "A little down, because a negative slope points to smaller weights.",
                "steps_follow_the_slope",
                "The slope is negative because the loss falls to the right. Whoever goes with its sign"
                " climbs.",
            ),
            Wrong(
                "None is needed, because with this slope the loss falls already.",
                "a_falling_loss_needs_no_step",
                "The loss doesn't fall by itself. The slope says what would happen if we moved.",
            ),
        ),
        shows=a_negative_slope,
        seconds=45,
        guessed=((60, 5, 25, 10), (88, 2, 8, 2)),
    ),
    Question(
        name="a_guess_that_is_right_already",
        section=2,
        text="“bank” says yes to its neighbor “river” with a probability of 0.9997. Now this pair alone"
        " is trained on again, with the same learning rate as before. How far does “bank” move?",
        options=(
            Wrong(
                "Further than before, because a guess that was right is reinforced.",
                "right_guesses_are_reinforced",
                "A step is made by the error, not by a reward. Where there is hardly an error, there is"
                " hardly a step.",
            ),
            Wrong(
                "A bit away from “river”, because the guess is too sure of itself.",
                "sure_guesses_are_pushed_back",
                "For a real neighbor the error is the probability minus 1, which is never above 0: the"
                " step never lowers the score.",
            ),
            Wrong(
                "As far as ever, because the learning rate sets the step's length.",
                "the_rate_is_the_step",
                "The rate is only multiplied with the gradient, and the gradient is nearly 0 here.",
            ),
            Right(
                "Hardly at all, because the error is the probability minus 1.",
                "The gradient is the error times the vector of “river”, and the error is −0.0003.",
            ),
        ),
        shows=a_guess_that_is_right_already,
        seconds=60,
        guessed=((15, 10, 25, 50), (5, 3, 10, 82)),
    ),
    Question(
        name="no_noise_words",
        section=2,
        text="Somebody leaves the noise words out: each word is trained only to say yes to its real"
        " neighbors. What does the training loss do?",
        options=(
            Wrong(
                "It stays where it begins, because nothing says what is wrong.",
                "no_learning_without_errors_shown",
                "Each yes starts at about one half, and training can raise it. The loss has a way down,"
                " only not one that we wanted.",
            ),
            Wrong(
                "It falls toward 0, and the vectors gain, because noise disturbs.",
                "noise_words_disturb",
                "The loss falls, but it no longer asks for what we want to know: which words do not go"
                " together.",
            ),
            Right(
                "It falls toward 0 and says little, because yes to all is never wrong.",
                "If all vectors point the same way, each yes is sure, and no example complains. Noise is"
                " what makes the words differ.",
            ),
            Wrong(
                "It rises, because fewer examples are left for the model to learn from.",
                "losses_share_out_the_questions",
                "A loss measures only the questions that are asked, and the hard ones are those that have"
                " been left out.",
            ),
        ),
        shows=no_noise_words,
        seconds=75,
        guessed=((20, 20, 50, 10), (8, 7, 82, 3)),
    ),
    Question(
        name="two_spellings",
        section=3,
        text="A long text writes “becuase” in every second place where “because” is meant. Word vectors"
        " are learned from it by skip-gram. Where does the row of “becuase” end up?",
        options=(
            Wrong(
                "Near “cause”, which shares most of its letters with it.",
                "models_see_letters",
                "Skip-gram never sees letters. A word is a number to it, and only its neighbors tell what"
                " it is like.",
            ),
            Right(
                "Near “because”, since both have to guess the same words.",
                "What moves a row is the guesses that it has to make, and both spellings stand among the"
                " same words.",
            ),
            Wrong(
                "Far from “because”, since the two never stand together.",
                "near_rows_are_near_in_the_text",
                "Rows become similar if the words have the same neighbors, and not if they are neighbors.",
            ),
            Wrong(
                "Nowhere in particular, since it isn't an English word.",
                "vectors_come_from_a_dictionary",
                "No list of right words is involved. Whatever stands often enough in the text gets a row"
                " that fits its neighbors.",
            ),
        ),
        shows=two_spellings,
        seconds=60,
        guessed=((15, 50, 20, 15), (5, 85, 6, 4)),
    ),
]
