"""Questions for a vote on designs of small networks."""

import torch
import torch.nn.functional as F

from lib.questions import Question, Right, Wrong


def best_of_a_hundred_tomorrow() -> str:
    generator = torch.Generator().manual_seed(0)
    today = torch.randint(2, (1000, 100, 10), generator=generator).sum(dim=2)  # 1,000 classes
    tomorrow = torch.randint(2, (1000, 100, 10), generator=generator).sum(dim=2)
    best = today.argmax(dim=1, keepdim=True)
    then = tomorrow.gather(1, best).double().mean().item()
    print(f"the best of 100 today: {today.gather(1, best).double().mean():.1f} of 10 right")
    print(f"the same student tomorrow: {then:.1f}, means of 1,000 classes")
    return {5: "A", 9: "B", 7: "C"}.get(round(then), "D")


def features_set_to_0_before_a_norm() -> str:
    left = torch.tensor([1.0, 4.0])
    with_zeros = torch.tensor([1.0, 4.0, 0.0, 0.0])
    cut = F.layer_norm(left, (2,))
    zeroed = F.layer_norm(with_zeros, (4,))[:2]
    print(f"1 and 4 after a norm, cut:  {cut}")
    print(f"with two zeros beside them: {zeroed}")
    return "A" if zeroed.allclose(cut) else "C" if zeroed.allclose(cut / 2) else "D"


def best_of_thirty_tries() -> str:
    generator = torch.Generator().manual_seed(0)
    places = torch.rand(1000, 60, generator=generator).argsort(dim=1) + 1  # 1,000 searches
    found = places[:, :30].amin(dim=1).double()  # the best of thirty tries; 1 is the best of all
    mean = found.mean().item()
    print(f"place of the best one found: {mean:.1f} of 60, mean of 1,000 searches")
    print(f"it is the best of all in {(found == 1).double().mean():.0%} of the searches")
    return {30: "A", 15: "B", 1: "C", 2: "D"}[round(mean)]


def two_layers_by_six_and_three() -> str:
    layers = torch.tensor([[1.0, 6.0], [1.0, 3.0]])
    around, each = torch.linalg.solve(layers, torch.tensor([13.0, 7.0])).tolist()
    two = around + 2 * each
    print(f"around the layers {around:.1f} ms, each layer {each:.1f} ms, two layers {two:.1f} ms")
    return {5: "B", 1: "C"}.get(round(two), "A" if two < 4.5 else "D")


QUESTIONS = [
    Question(
        name="two_layers_by_six_and_three",
        section=1,
        text="A BERT of six layers takes 13 ms for a text, and the same BERT with three of them 7 ms. How"
        " long will it take with two of its layers?",
        options=(
            Wrong(
                "4.3 ms, because two layers are a third of six.",
                "all_is_in_proportion",
                "A third of the layers takes a third of the layers' time. What is around them takes as long"
                " as before.",
            ),
            Right(
                "5 ms, because each layer takes 2 ms, and the rest 1 ms.",
                "Three layers fewer save 6 ms, so a layer takes 2 ms, and 1 ms is left for what is around.",
            ),
            Wrong(
                "1 ms, because the next step saves 6 ms as well.",
                "a_step_saves_the_same",
                "The first step took three layers away, and this one takes one.",
            ),
            Wrong(
                "3.5 ms, because each cut takes half of the time.",
                "every_cut_halves",
                "Half of the layers took about half of the time. From three to two goes a third of them.",
            ),
        ),
        shows=two_layers_by_six_and_three,
        seconds=60,
        guessed=((45, 35, 5, 15), (10, 85, 0, 5)),
    ),
    Question(
        name="features_set_to_0_before_a_norm",
        section=2,
        text="A design keeps 192 of 384 features. A colleague doesn't cut the others off but sets them to 0"
        " before each layer norm. Compared with the cut network, what does the norm give for the 192?",
        options=(
            Wrong(
                "The same numbers, because zeros add nothing to a sum.",
                "zeros_leave_a_mean_alone",
                "They add nothing to the sum, but the norm divides by the number of features, and the zeros"
                " count there.",
            ),
            Wrong(
                "The same numbers, because a norm makes any spread 1.",
                "norms_undo_every_change",
                "It makes mean 0 and spread 1 over all features, the zeros among them. The 192 alone then"
                " have another mean and spread.",
            ),
            Wrong(
                "Numbers half as large, because half the features are 0.",
                "all_is_in_proportion",
                "A norm doesn't divide by how many features are 0. It subtracts a mean and divides by a"
                " spread, and both have changed.",
            ),
            Right(
                "Other numbers, because zeros count in mean and spread.",
                "A zero is a value like any other for a mean, so a design's norm has to take its own features"
                " alone.",
            ),
        ),
        shows=features_set_to_0_before_a_norm,
        seconds=60,
        guessed=((25, 20, 10, 45), (5, 10, 5, 80)),
    ),
    Question(
        name="best_of_thirty_tries",
        section=3,
        text="A space holds 60 designs, and a search at random tries 30 different ones. Which place in the"
        " order of all 60 has the best one that it finds, on average?",
        options=(
            Wrong(
                "About 30th, because random draws lie in the middle.",
                "luck_averages_out",
                "The draws do, on average. But the search keeps the best of thirty draws and not their mean.",
            ),
            Wrong(
                "About 15th, because half of the tries are good ones.",
                "all_is_in_proportion",
                "Some fifteen tries lie in the better half, spread over all of its places. The best of these"
                " lies near the top.",
            ),
            Wrong(
                "Always first, because 30 tries are many for a space of 60.",
                "many_tries_find_the_best",
                "The best design is among the thirty in half of the searches only.",
            ),
            Right(
                "About second, because half of the best ones are tried.",
                "The best is tried with a chance of one half, else the second best with about one half, and"
                " so on. That leaves little for a clever search.",
            ),
        ),
        shows=best_of_thirty_tries,
        seconds=60,
        guessed=((15, 25, 15, 45), (5, 10, 5, 80)),
    ),
    Question(
        name="best_of_a_hundred_tomorrow",
        section=4,
        text="A hundred students guess ten tosses of a coin. The best of them has nine right. How many of"
        " ten will this student have right tomorrow, on average?",
        options=(
            Right(
                "Five, because nothing of today's luck stays.",
                "The student was chosen for luck, among a hundred. Tomorrow's coins don't know who was"
                " chosen.",
            ),
            Wrong(
                "Nine, because the best was found by a test.",
                "the_best_on_record_is_the_best",
                "Among a hundred who guess, somebody nearly always has nine or so. The test found the"
                " luckiest one.",
            ),
            Wrong(
                "Seven, because luck and skill count alike.",
                "all_shares_are_equal",
                "Half of the lead would stay if half of it were skill. Nobody has skill with a coin.",
            ),
            Wrong(
                "Below five, because luck evens out later.",
                "luck_evens_out",
                "Coins have no memory. The good day isn't paid back, it is only followed by usual ones.",
            ),
        ),
        shows=best_of_a_hundred_tomorrow,
        seconds=45,
        guessed=((60, 10, 15, 15), (85, 0, 10, 5)),
    ),
]
