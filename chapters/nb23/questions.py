"""Questions for a vote on how much of a lead is luck."""

import torch

from lib.questions import Question, Right, Wrong
from lib.stats import difference, paired_difference


def leads_within_each_seed() -> str:
    first, second = [60.0, 70.0, 65.0], [62.0, 73.0, 67.0]
    paired = paired_difference(first, second)
    apart = difference(first, second)
    print(f"within each seed: {paired}")
    print(f"as if the seeds were unknown: {apart}")
    letters = {(True, False): "B", (True, True): "C", (False, False): "A"}
    return letters.get((paired.is_resolved, apart.is_resolved), "D")


def ten_times_as_many_maps() -> str:
    torch.manual_seed(0)
    best_of_28 = torch.randn(1000, 28).amax(dim=1).mean().item()
    best_of_280 = torch.randn(1000, 280).amax(dim=1).mean().item()
    print("equally good maps, and the luck of a run is 1 point")
    print(f"lead of the best of 28: {best_of_28:.1f} points, of the best of 280: {best_of_280:.1f}")
    ratio = best_of_280 / best_of_28
    return "B" if ratio < 0.95 else "C" if ratio < 1.1 else "A" if ratio < 2 else "D"


def a_judge_that_helped_to_choose() -> str:
    torch.manual_seed(0)
    luck = torch.randn(4000, 28, 3)  # of 28 equal maps with three seeds, 4,000 searches
    chosen = luck.mean(dim=2).argmax(dim=1)
    reported = luck[torch.arange(4000), chosen, 2].mean().item()
    print(f"in truth 0; the chosen map scores {reported:+.1f} under seed 2, on average")
    return "C" if reported > 0.2 else "B" if reported < -0.2 else "A"


def a_pattern_after_the_fact() -> str:
    torch.manual_seed(0)
    scores = torch.randn(4000, 40)  # of 40 equal runs, 4,000 times
    traits = torch.rand(30, 40).argsort(dim=1) < 20  # thirty things, each of half of the runs
    five_best = scores.topk(5, dim=1).indices
    fits = traits[:, five_best].all(dim=2)  # [traits, times]: all of the five have it
    one, some = fits[0].float().mean().item(), fits.any(dim=0).float().mean().item()
    print(f"equal runs: one trait fits in {one:.0%} of the cases, some of thirty in {some:.0%}")
    return "D" if some > 5 * one else "AC"[one > 0.1]


QUESTIONS = [
    Question(
        name="leads_within_each_seed",
        section=0,
        text="Under the seeds 0, 1 and 2 design A scores 60, 70 and 65, and design B 62, 73 and 67, on the"
        " same rows. Is B's lead resolved by these runs?",
        options=(
            Wrong(
                "No, because other seeds move each design far more than B leads.",
                "seeds_hide_what_is_paired",
                "They move both designs alike, so compare within each seed. There B leads by 2, 3 and 2.",
            ),
            Right(
                "Yes, because within each of the seeds B leads by nearly as much.",
                "The differences are 2, 3 and 2: their mean is far larger than what they differ by.",
            ),
            Wrong(
                "Yes, because the mean of its three scores is the higher one.",
                "a_higher_mean_is_resolved",
                "Some mean is always the higher one. What counts is how well the seeds agree on the lead.",
            ),
            Wrong(
                "No, because nobody can compare two designs with three seeds.",
                "three_seeds_never_tell",
                "Three are few, but differences that agree so well are more than luck mostly gives.",
            ),
        ),
        shows=leads_within_each_seed,
        seconds=60,
        guessed=((35, 45, 10, 10), (10, 82, 3, 5)),
    ),
    Question(
        name="ten_times_as_many_maps",
        section=2,
        text="All maps are equally good, and each is trained once. The best of 28 leads the mean of all by"
        " luck alone. What becomes of this lead if ten times as many maps are tried?",
        options=(
            Right(
                "It grows a bit, as the luckiest of more maps is luckier.",
                "Each further try is another chance of an even luckier run, though such runs get rare.",
            ),
            Wrong(
                "It shrinks, because luck averages out over so many maps.",
                "luck_averages_out",
                "It averages out in a mean. The best is no mean, it is where luck was greatest.",
            ),
            Wrong(
                "It stays, because each map has as much luck as before.",
                "the_luckiest_is_as_lucky_as_any",
                "Each has as much, but the best is chosen, and now it is chosen among more.",
            ),
            Wrong(
                "It grows tenfold, because there is ten times the luck.",
                "all_is_in_proportion",
                "Luck isn't added up over maps. Very lucky runs are rare, so the best grows slowly.",
            ),
        ),
        shows=ten_times_as_many_maps,
        seconds=60,
        guessed=((50, 25, 15, 10), (82, 8, 7, 3)),
    ),
    Question(
        name="a_judge_that_helped_to_choose",
        section=3,
        text="Of 28 maps you choose the one with the highest mean over the seeds 0, 1 and 2. To be careful,"
        " you report its score under seed 2 alone. Is this score fair?",
        options=(
            Wrong(
                "Yes, because a single seed is no maximum over any others.",
                "a_single_score_is_no_choice",
                "It is one of three numbers that made this map win, so it is high more often than not.",
            ),
            Wrong(
                "No, it is too low, because the two others' luck is missing.",
                "fewer_seeds_score_lower",
                "On average a seed's score isn't lowered by leaving out others. It was lifted by the choice.",
            ),
            Right(
                "No, it is too high, because seed 2 took part in the choice.",
                "A map that wins by the mean was likely lucky under each of the three seeds. Take a fourth.",
            ),
            Wrong(
                "Yes, because no run with seed 2 learned from the test rows.",
                "unlearned_rows_stay_fair",
                "No run learned from them, but you did: they told you which map to take.",
            ),
        ),
        shows=a_judge_that_helped_to_choose,
        seconds=60,
        guessed=((25, 10, 50, 15), (6, 4, 84, 6)),
    ),
    Question(
        name="a_pattern_after_the_fact",
        section=4,
        text="You sort 40 runs and look for what the five best share. All five began after noon, as half of"
        " all runs did. By chance that happens in one case of 42. What does it show?",
        options=(
            Wrong(
                "That noon matters, because one in 42 is too rare for luck.",
                "a_rare_pattern_is_no_luck",
                "It is rare for a pattern named beforehand. You looked at many, and then some rare one fits.",
            ),
            Wrong(
                "That noon matters, because five of five runs agree on it.",
                "agreement_of_the_chosen_counts",
                "The five were chosen for their scores, and the pattern because it fits these five.",
            ),
            Wrong(
                "Nothing, and new runs could not show anything about it.",
                "what_was_seen_can_never_be_tested",
                "New runs had no part in the choice of the pattern, so they can refute it.",
            ),
            Right(
                "Little, until new runs at both times of day have confirmed it.",
                "Among many patterns some fit by luck. New runs had no part in finding this one.",
            ),
        ),
        shows=a_pattern_after_the_fact,
        seconds=75,
        guessed=((40, 20, 10, 30), (8, 5, 2, 85)),
    ),
]
