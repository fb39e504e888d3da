"""Questions for a vote on the training step, and on luck over seeds."""

import math

import torch
import torch.nn.functional as F

from lib.questions import Question, Right, Wrong
from lib.stats import difference, paired_difference


def two_empty_models() -> str:
    losses = []
    for size in (1000, 30_000):
        logits = torch.zeros(1, size)  # an empty model prefers no token
        losses.append(F.cross_entropy(logits, torch.tensor([7])).item())
        print(f"{size:,} tokens: loss {losses[-1]:.2f} nats")
    ratio = losses[1] / losses[0]
    return "DABC"[int(ratio > 0.99) + int(ratio > 1.01) + int(ratio > 10)]


def a_clipped_gradient() -> str:
    weights = torch.zeros(3, requires_grad=True)
    weights.grad = torch.tensor([60.0, -80.0, 0.5])
    torch.nn.utils.clip_grad_norm_([weights], 1.0)
    print(f"clipped: {weights.grad}, norm {weights.grad.norm():.2f}")
    outcomes = {(0.6, -0.8, 0.005): "D", (1.0, -1.0, 0.5): "A", (0.0, 0.0, 0.0): "B"}
    return outcomes.get(tuple(round(number, 3) for number in weights.grad.tolist()), "C")


def three_seeds_in_pairs() -> str:
    base, design = [3.00, 3.40, 3.20], [2.90, 3.29, 3.10]
    pairs, apart = paired_difference(base, design), difference(base, design)
    print(f"seed by seed: {pairs}\nmean against mean: {apart}")
    if pairs.is_resolved:
        return "DA"[int(not apart.is_resolved)]
    return "BC"[int(pairs.spread < 0.1)]


def asked_at_all_places() -> str:
    hidden, loss, rival = 0.15, 0.8, 3.0
    bounds = loss, loss / hidden  # in the blanks: if all places cost alike, or if it copies
    blind = math.log(1000)
    print(f"X in the blanks: between {bounds[0]:.1f} and {bounds[1]:.1f} nats; Y: {rival:.1f}")
    print(f"a blind copier: {hidden * blind:.1f} over all places, {blind:.1f} in the blanks")
    if bounds[0] < rival < bounds[1]:
        return "C"
    return "DAB"[int(bounds[1] < rival) + 2 * int(bounds[0] > rival)]


QUESTIONS = [
    Question(
        name="two_empty_models",
        section=0,
        text="Two BERTs have learned nothing yet, and each gives all of its tokens the same probability."
        " One has a vocabulary of 1,000 tokens, the other of 30,000. Which has the larger loss on"
        " hidden tokens?",
        options=(
            Wrong(
                "Neither: both of them know nothing, and so lose the same.",
                "ignorance_has_one_price",
                "Both guess blindly, but among more tokens a blind guess gives the right one less.",
            ),
            Right(
                "The second one, but only by half: 10.3 nats against 6.9.",
                "A blind guess among V tokens costs ln V, and a logarithm grows slowly.",
            ),
            Wrong(
                "The second one, by far: its loss is thirty times as large.",
                "loss_is_one_over_probability",
                "The probability of the right token is a thirtieth, and the loss is the logarithm of it.",
            ),
            Wrong(
                "The first one, because each of its mistakes weighs more.",
                "small_vocabularies_err_more",
                "A loss doesn't weigh mistakes by the size of the vocabulary. It takes the probability of"
                " the right token.",
            ),
        ),
        shows=two_empty_models,
        seconds=60,
        guessed=((25, 45, 20, 10), (6, 84, 7, 3)),
    ),
    Question(
        name="a_clipped_gradient",
        section=2,
        text="Three weights have the gradients 60, −80 and 0.5, so their norm is about 100. Gradient"
        " clipping has the limit 1. What does it hand to the optimizer?",
        options=(
            Wrong(
                "1, −1 and 0.5: whatever is above the limit is cut off there.",
                "clipping_cuts_each_weight",
                "That would turn the step another way: the third weight would count half as much as the"
                " first. The norm is clipped, not each number.",
            ),
            Wrong(
                "0, 0 and 0: a batch that is above the limit is passed over.",
                "clipping_skips_the_batch",
                "The batch still says which way to go. Only how far is limited.",
            ),
            Wrong(
                "60, −80 and 0.5: the learning rate is lowered instead.",
                "clipping_lowers_the_rate",
                "The rate belongs to the schedule and stays. Clipping changes the gradients themselves, of"
                " this one batch.",
            ),
            Right(
                "0.6, −0.8 and 0.005: all are multiplied by one number.",
                "Divided by 100 they have the norm 1, and they point the same way as before.",
            ),
        ),
        shows=a_clipped_gradient,
        seconds=60,
        guessed=((40, 10, 10, 40), (10, 3, 5, 82)),
    ),
    Question(
        name="asked_at_all_places",
        section=2,
        text="Two BERTs hide 15% of the tokens. X is asked at all places, also those in sight, and has a"
        " loss of 0.8 nats. Y is asked only at the hidden ones, and has 3.0. Which fills blanks better?",
        options=(
            Wrong(
                "X, because its loss is only about a quarter as large.",
                "any_two_losses_compare",
                "Losses can be compared only if the same questions were asked. Most of X's questions have"
                " their answer in the input.",
            ),
            Wrong(
                "Y, because the harder of two tasks teaches a model more.",
                "harder_tasks_teach_more",
                "That may be, but these two numbers don't show it. X's share of hard questions is just"
                " diluted.",
            ),
            Right(
                "That can't be told, because X may copy what is in sight.",
                "If X copies perfectly, its loss in the blanks is 0.8 / 0.15, more than 5. If all places"
                " cost it alike, it is 0.8. Ask both in the blanks.",
            ),
            Wrong(
                "Both alike, because more questions make each one cheaper.",
                "losses_share_out_the_questions",
                "A mean isn't lower because it has more terms. It depends on which questions are in it.",
            ),
        ),
        shows=asked_at_all_places,
        seconds=90,
        guessed=((35, 20, 40, 5), (10, 7, 81, 2)),
    ),
    Question(
        name="three_seeds_in_pairs",
        section=4,
        text="From three seeds, a BERT ends at the losses 3.00, 3.40 and 3.20. A new design ends, from the"
        " same seeds, at 2.90, 3.29 and 3.10. Is its gain resolved, by the paired rule?",
        options=(
            Right(
                "Yes, because every seed gains about 0.1, and the gains hardly differ.",
                "The mean of the differences is 0.103 and their spread 0.01. What the seeds do to both"
                " runs alike cancels in the pairs.",
            ),
            Wrong(
                "No, because the seeds lie 0.4 apart, and the designs only 0.1.",
                "seeds_hide_what_is_paired",
                "So it would be if the runs weren't paired. A hard seed is hard for both designs, and"
                " falls out of the difference.",
            ),
            Wrong(
                "No, because three runs are too few for any judgment at all.",
                "three_seeds_never_tell",
                "Three pairs are few, and the rule takes this into account: of equal designs it calls"
                " about one in twelve resolved.",
            ),
            Wrong(
                "Yes, because a design with a lower mean loss is the better one.",
                "a_higher_mean_is_resolved",
                "One of two means is always lower, even if both designs are the same. The question is"
                " whether luck makes such a difference.",
            ),
        ),
        shows=three_seeds_in_pairs,
        seconds=90,
        guessed=((45, 30, 15, 10), (82, 10, 4, 4)),
    ),
]
