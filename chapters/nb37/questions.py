"""Questions for a vote on BERT's relatives and what was changed in them."""

import torch

from chapters.nb37.electra import ranked_right
from chapters.nb37.two_streams import permutation_masks
from lib import stats
from lib.questions import Question, Right, Wrong


def seed_by_seed() -> str:
    first, second = [80.0, 84.0, 88.0], [85.0, 86.0, 87.0]
    leads = [b - a for a, b in zip(first, second, strict=True)]
    paired = stats.paired_difference(first, second)
    print(f"leads, seed by seed: {leads}\ntheir mean: {paired}")
    if paired.is_resolved:
        return "A" if min(leads) > 0 else "D"
    return "C" if max(leads) - min(leads) < max(first) - min(first) else "B"


def hidden_places(draw: int) -> tuple[int, ...]:
    """Fifteen of a text's hundred places, by the number of the draw."""
    chances = torch.rand(100, generator=torch.Generator().manual_seed(draw))
    return tuple(sorted(chances.topk(15).indices.tolist()))


def drawn_anew_and_read_once() -> str:
    more = []
    for readings in (1, 10):
        once = {hidden_places(draw=0) for _ in range(readings)}
        anew = {hidden_places(draw=reading) for reading in range(readings)}
        print(f"readings: {readings}, different draws: once {len(once)}, anew {len(anew)}")
        more.append(len(anew) - len(once))
    return "B" if more[0] == 0 else "C" if more[0] > 0 else "D"


def three_less_for_every_score() -> str:
    replaced, original = torch.tensor([2.0, 4.0, 0.5]), torch.tensor([-1.0, -3.0, 1.0, -2.0])
    auc, right = [], []
    for lower in (0.0, 3.0):
        auc.append(ranked_right(replaced - lower, original - lower))
        right.append(((replaced > lower).sum() + (original <= lower).sum()).item())
        print(f"scores less {lower:.0f}: {right[-1]} of 7 called rightly, AUC {auc[-1]:.2f}")
    return "ACDB"[2 * (right[0] != right[1]) + (auc[0] != auc[1])]


def words_for_the_guess_at_place_1() -> str:
    order = torch.tensor([3, 0, 4, 1, 2])
    content, query = permutation_masks(order)
    seen = query[1].nonzero().flatten().tolist()
    print("the order of reading:", order.tolist())
    print("the guess at place 1 looks at", seen)
    print("the content stream there at  ", content[1].nonzero().flatten().tolist())
    return {(0, 3, 4): "A", (0,): "B", (0, 2, 3, 4): "C", (0, 1, 3, 4): "D"}[tuple(seen)]


QUESTIONS = [
    Question(
        name="seed_by_seed",
        section=0,
        text="With three seeds design A gets 80, 84 and 88% right, and design B gets 85, 86 and 87%. Is B's"
        " lead resolved, if runs are paired by their seed?",
        options=(
            Wrong(
                "Yes, because B's mean over all of the seeds is higher by 2 points.",
                "a_higher_mean_is_resolved",
                "One of two designs always has the higher mean, by luck alone if they are equal.",
            ),
            Wrong(
                "No, because any lead is lost in the 8 points by which seeds move A.",
                "seeds_hide_what_is_paired",
                "Pairing takes out what a seed does to both. Leads of 2, 2.5 and 1.5 points would be"
                " resolved here. What counts is how far the leads lie apart.",
            ),
            Right(
                "No, because the leads, seed by seed, differ by more than their mean.",
                "The leads are 5, 2 and −1 points: their mean of 2 is less than the 6 points that they lie"
                " apart.",
            ),
            Wrong(
                "Yes, because B is ahead with most of the seeds, with two of three.",
                "most_seeds_decide",
                "Of two equal designs one always leads with at least two of three seeds.",
            ),
        ),
        shows=seed_by_seed,
        seconds=75,
        guessed=((25, 15, 40, 20), (7, 5, 80, 8)),
    ),
    Question(
        name="drawn_anew_and_read_once",
        section=2,
        text="A corpus is so large that training reads each of its texts once. What does it change for the"
        " model, if the hidden places are drawn anew at each reading, and not once beforehand?",
        options=(
            Wrong(
                "More tokens of each text are hidden and asked for.",
                "new_draws_hide_more_of_a_text",
                "A draw hides 15% of a text in either case. More places come up only when the text is read"
                " again.",
            ),
            Right(
                "Nothing, because each text has one draw either way.",
                "A text that is read once meets one draw, whenever this was made.",
            ),
            Wrong(
                "Less is learned by heart, so new texts go better.",
                "new_draws_always_help",
                "By heart a model learns what returns. Here no question returns, not even with draws made"
                " beforehand.",
            ),
            Wrong(
                "The loss falls more slowly, as no question returns.",
                "a_loss_falls_by_repetition",
                "No question returns in either case, because no text is read twice.",
            ),
        ),
        shows=drawn_anew_and_read_once,
        seconds=60,
        guessed=((15, 45, 30, 10), (5, 85, 5, 5)),
    ),
    Question(
        name="three_less_for_every_score",
        section=3,
        text="A detector says “replaced” where its score is above 0. Now 3 is subtracted from every score."
        " Which measure can change?",
        options=(
            Wrong(
                "Neither accuracy nor AUC, because the order stays.",
                "accuracy_sees_the_order_alone",
                "The order stays, but tokens with scores between 0 and 3 are now called original.",
            ),
            Wrong(
                "Both accuracy and AUC, because all scores change.",
                "whatever_moves_scores_moves_every_measure",
                "AUC compares two scores with each other, and both have lost the same 3.",
            ),
            Wrong(
                "AUC but not accuracy, which counts answers only.",
                "auc_hangs_on_the_threshold",
                "It is the answers that change, because they hang on the threshold. AUC has none.",
            ),
            Right(
                "Accuracy but not AUC, which needs no threshold.",
                "Accuracy counts calls, which depend on the threshold. AUC asks which of two scores is"
                " higher, and that stays.",
            ),
        ),
        shows=three_less_for_every_score,
        seconds=60,
        guessed=((25, 20, 10, 45), (5, 5, 5, 85)),
    ),
    Question(
        name="words_for_the_guess_at_place_1",
        section=4,
        text="XLNet reads a text of five places, counted from 0, in the order 3, 0, 4, 1, 2. Which words may"
        " the guess for place 1 use?",
        options=(
            Right(
                "Those at places 3, 0 and 4, which were read before.",
                "The order says what has been read. Place 1 comes fourth, so three words are known.",
            ),
            Wrong(
                "The one at place 0 alone, which stands left of it.",
                "attention_reads_in_one_direction",
                "That is the order from left to right. Here place 0 counts because it is read before, and so"
                " do 3 and 4.",
            ),
            Wrong(
                "Those at 0, 2, 3 and 4, which is all but its own.",
                "any_order_means_all_other_words",
                "Over many orders a word is guessed from all sides, but in one order only from what was read"
                " before.",
            ),
            Wrong(
                "Those at 3, 0, 4 and 1, which is all read by then.",
                "a_guess_sees_its_own_word",
                "With its own word in sight there is nothing to guess. That is why there is a query stream"
                " beside the content stream.",
            ),
        ),
        shows=words_for_the_guess_at_place_1,
        seconds=60,
        guessed=((55, 10, 15, 20), (85, 5, 5, 5)),
    ),
]
