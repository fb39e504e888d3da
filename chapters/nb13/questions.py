"""Questions for a vote on controls, on attention as evidence, and on the best of many."""

import torch

from lib.questions import Question, Right, Wrong
from lib.stats import luck

BLANK = "the cows ate the [MASK] grass"
BEFORE = {"world": "grass is red", "opposite": "grass is not red", "mention": "somebody said red"}


def a_lead_that_is_not_resolved() -> str:
    torch.manual_seed(0)
    explains = []
    for chance in (0.5, 0.65):
        wins = (torch.rand(10_000, 20) < chance).sum(dim=1)
        share = (2 * wins - 20 <= luck(20)).float().mean().item()
        print(f"A wins each case with {chance:.0%}: its lead not resolved in {share:.0%} of tries")
        explains.append(share > 0.05)
    return ("DC", "BA")[explains[0]][explains[1]]


def one_who_only_repeats() -> str:
    rises = []
    for name, before in BEFORE.items():
        words = f"{before} {BLANK}".split()
        share = (1 + 5 * words.count("red")) / (10 + 5 * words.count("red"))  # 9 say “green”
        print(f"{name}: share of red {share:.0%}, and 10% after no sentence")
        if share > 0.1:
            rises.append(name)
    return {"world": "A", "world mention": "B", "": "C"}.get(" ".join(rises), "D")


def a_weight_of_nine_tenths() -> str:
    weights = torch.tensor([0.9, 0.05, 0.05])  # of “book” for [CLS], read and old
    values = torch.tensor([[0.1, 0.0], [3.0, 1.0], [0.0, 4.0]], requires_grad=True)
    mixture = weights @ values
    [slopes] = torch.autograd.grad(mixture[0], values)
    arrives = weights * values.detach().norm(dim=1)
    print(f"[CLS] enters {slopes[0, 0]:.2f} times; lengths of what arrives: {arrives}")
    rest = (mixture - weights[0] * values[0]).norm() / mixture.norm()
    return "A" if arrives.argmax() == 0 else "C" if rest < 0.2 else "DB"[int(slopes[0, 0] > 0.89)]


def the_best_of_many_coins() -> str:
    torch.manual_seed(0)
    answers = torch.rand(108, 144) < 0.5  # 144 coins answer 108 questions: right or wrong
    choosing, fresh = answers[:54].float().mean(dim=0), answers[54:].float().mean(dim=0)
    best = choosing.argmax()
    print(f"best coin: {choosing[best]:.0%} where it was chosen, {fresh[best]:.0%} on fresh ones")
    first, second = choosing[best] > 0.58, fresh[best] > 0.65
    return ("CD", "AB")[int(first)][int(second)]


QUESTIONS = [
    Question(
        name="a_lead_that_is_not_resolved",
        section=0,
        text="In 20 cases exactly one of two methods is right: 12 times A, 8 times B. By the rule of"
        " notebook 02 this lead is not resolved. What may you say?",
        options=(
            Right(
                "Luck alone could explain it, and A may be better all the same.",
                "A rule that isn't passed decides nothing. With more cases the same method may come out"
                " ahead clearly.",
            ),
            Wrong(
                "The two are equally good, because the test found no difference.",
                "not_resolved_means_equal",
                "Even a method that wins 65 of 100 such cases mostly fails to show it in 20. No proof of a"
                " difference is no proof of equality.",
            ),
            Wrong(
                "A is better than B, but only by a little, as 12 and 8 are close.",
                "a_higher_mean_is_resolved",
                "The rule can't even tell which of the two is better: coins make a lead of 4 among 20"
                " quite often.",
            ),
            Wrong(
                "B is the better choice, because A has failed to pass the test.",
                "the_burden_is_on_one_side",
                "The test treats both alike, and B has passed it even less: it won fewer cases.",
            ),
        ),
        shows=a_lead_that_is_not_resolved,
        seconds=60,
        guessed=((50, 30, 15, 5), (85, 9, 5, 1)),
    ),
    Question(
        name="one_who_only_repeats",
        section=1,
        text="A model understands nothing: it only gives more to words that were just mentioned. After"
        " which sentences does it give “red” a larger share than after none? World: “grass is red.”"
        " Opposite: “grass is not red.” Mention: “somebody said red.”",
        options=(
            Wrong(
                "Only after the world, because just this sentence says so.",
                "only_a_claim_raises_a_word",
                "To see what a sentence claims, one must understand it. This model sees only that the word"
                " is there.",
            ),
            Wrong(
                "After the world and the mention, as the opposite denies it.",
                "not_lowers_a_word",
                "Whoever understands “not” would do so. For one who counts mentions, “not” is a word like"
                " any other.",
            ),
            Wrong(
                "After none of the three, because it has not understood any.",
                "no_understanding_no_effect",
                "It reacts to the words, and “red” stands in all three. That is why a rise alone shows"
                " nothing.",
            ),
            Right(
                "After all three, because the word is mentioned in each.",
                "So the opposite and the mention are the controls: only a model that follows tells them"
                " from the world.",
            ),
        ),
        shows=one_who_only_repeats,
        seconds=75,
        guessed=((15, 25, 10, 50), (4, 8, 3, 85)),
    ),
    Question(
        name="a_weight_of_nine_tenths",
        section=2,
        text="In one head of a layer, “book” gives [CLS] the attention weight 0.9. What is certain?",
        options=(
            Wrong(
                "[CLS] is the token that matters most for “book” here.",
                "attention_weight_is_importance",
                "What arrives is the weight times what is handed over. If [CLS] hands over a short vector,"
                " little arrives, and many heads seem to rest there.",
            ),
            Right(
                "The value of [CLS] has the factor 0.9 in the mixture for “book”.",
                "That is what a weight means, and all that it means. How much it is depends on the value.",
            ),
            Wrong(
                "Without [CLS] “book” would lose most of what this head finds.",
                "a_weight_is_what_would_be_lost",
                "If [CLS] is closed, softmax shares its weight out among the others, and their values may"
                " be larger.",
            ),
            Wrong(
                "[CLS] takes over nine tenths of the meaning of “book”.",
                "attention_flows_outward",
                "A row belongs to the token that asks and receives. “book” collects from [CLS], not the"
                " other way round.",
            ),
        ),
        shows=a_weight_of_nine_tenths,
        seconds=60,
        guessed=((35, 40, 15, 10), (10, 80, 7, 3)),
    ),
    Question(
        name="the_best_of_many_coins",
        section=4,
        text="144 coins each answer 54 questions with yes or no. You take the coin that was right most"
        " often, and let it answer 54 fresh questions. What do you find, most probably?",
        options=(
            Right(
                "Clearly over half at first, about half on the fresh ones.",
                "The choice has used the luck of the first questions up. So a head, too, is scored on"
                " sentences that did not choose it.",
            ),
            Wrong(
                "Clearly over half both times, as the best was chosen.",
                "the_best_on_record_is_the_best",
                "It was chosen for what it happened to do. A coin has nothing that it could carry over.",
            ),
            Wrong(
                "About half right both times, because coins only guess.",
                "luck_averages_out",
                "One coin is near a half. The best of 144 is chosen for its luck, and lies well above.",
            ),
            Wrong(
                "About half at first, and clearly under half on the fresh.",
                "luck_evens_out",
                "Coins have no memory, and owe nothing for their luck. The first share is high because the"
                " coin was chosen by it.",
            ),
        ),
        shows=the_best_of_many_coins,
        seconds=60,
        guessed=((50, 10, 30, 10), (87, 4, 6, 3)),
    ),
]
