"""Questions for a vote on what a student should read."""

import torch
import torch.nn.functional as F

from lib.questions import Question, Right, Wrong


def two_places_at_once() -> str:
    pairs = {("new", "york"): 0.5, ("san", "francisco"): 0.5}
    firsts = {first: share for (first, _), share in pairs.items()}
    seconds = {second: share for (_, second), share in pairs.items()}
    drawn = {(one, other): p * q for one, p in firsts.items() for other, q in seconds.items()}
    wrong = sum(share for pair, share in drawn.items() if pair not in pairs)
    print("drawn at once:", {" ".join(pair): share for pair, share in drawn.items()})
    same = any(one == other for one, other in drawn)
    return "B" if same else "D" if wrong > 0.1 else "A" if len(drawn) > 1 else "C"


def a_tenth_output() -> str:
    torch.manual_seed(0)
    logits = torch.randn(90, 10, requires_grad=True)  # 90 headlines, the tenth says "no category"
    labels = torch.arange(90) % 9
    [gradient] = torch.autograd.grad(F.cross_entropy(logits, labels), logits)
    lowered = (gradient[:, 9] > 0).double().mean().item()
    print(f"headlines at which a step lowers the tenth logit: {lowered:.0%}")
    raised = (gradient[:, 9] < 0).double().mean().item()
    return "B" if lowered == 1 else "C" if lowered + raised == 0 else "AD"[lowered > raised]


def right_on_the_others() -> str:
    pool, neighbors = 360, 150
    right_on_all = 0.80 * pool
    right_on_neighbors = 0.89 * neighbors
    others = (right_on_all - right_on_neighbors) / (pool - neighbors)
    print(f"right on the pool {right_on_all:.0f}, on the neighbors {right_on_neighbors:.0f}")
    print(f"so on the {pool - neighbors} others: {others:.0%}")
    return "A" if others < 0.79 else "B" if others < 0.81 else "C" if others <= 1 else "D"


def only_the_sure_ones() -> str:
    torch.manual_seed(0)
    place = torch.randn(5000)  # of a text; at 0 two categories meet
    is_wrong = (place + 0.7 * torch.randn(5000)).sign() != place.sign()
    sure = torch.sigmoid(3 * place.abs()) > 0.95
    errors = is_wrong[sure].double().mean().item()
    farther = (place[sure].abs().mean() / place.abs().mean()).item()
    print(f"sure and wrong: {errors:.1%}; from the border {farther:.1f} times as far as all texts")
    return "A" if errors == 0 else "C" if farther > 1.1 else "B" if farther > 0.9 else "D"


QUESTIONS = [
    Question(
        name="two_places_at_once",
        section=0,
        text="“She lives in [MASK] [MASK].” A masked language model knows New York and San Francisco. You"
        " draw both words at once, each from the probabilities of its place. What may come out?",
        options=(
            Wrong(
                "One of the two names, because the model knows which words go together.",
                "masked_places_are_drawn_together",
                "It knows pairs, but each place gives shares of its own, made before anything was drawn.",
            ),
            Wrong(
                "The same word twice, because both of the places have one context.",
                "equal_contexts_give_equal_words",
                "The places have positions, so the first place has names' beginnings, the second their ends.",
            ),
            Wrong(
                "Always one and the same name, because one is more probable than the other.",
                "drawing_takes_the_likeliest",
                "To draw is not to take the most probable: a share of one half comes half of the time.",
            ),
            Right(
                "Also “New Francisco”, because neither place sees the other's word.",
                "Both draws are independent of each other, so half of the pairs mix two names.",
            ),
        ),
        shows=two_places_at_once,
        seconds=60,
        guessed=((25, 5, 20, 50), (7, 2, 6, 85)),
    ),
    Question(
        name="a_tenth_output",
        section=1,
        text="So that a classifier can refuse nonsense, you give its head a tenth output, “no category”, and"
        " train as before, on headlines of nine categories. What does training teach this output?",
        options=(
            Wrong(
                "To be high for texts that are like none of the headlines.",
                "an_output_knows_its_name",
                "The model never learns what you call an output. It would have to see such texts.",
            ),
            Right(
                "To be low for each headline, and to be high for no text.",
                "Each label is another class, so each step lowers the tenth share. No text ever raised it.",
            ),
            Wrong(
                "Nothing at all, because no label ever asks about it.",
                "no_labels_no_gradient",
                "Softmax shares out 100% among ten, so each label also asks for the nine others to fall.",
            ),
            Wrong(
                "To be high for headlines between two of the categories.",
                "none_means_undecided",
                "Those have a label as well, one of nine, and for them the tenth share is lowered, too.",
            ),
        ),
        shows=a_tenth_output,
        seconds=75,
        guessed=((30, 40, 20, 10), (6, 82, 9, 3)),
    ),
    Question(
        name="right_on_the_others",
        section=4,
        text="A pool has 360 texts, and 150 of them are the nearest neighbor of some text of yours. The"
        " teacher is right on 80% of the pool, and on 89% of these 150. On what share of the 210 others is"
        " it right?",
        options=(
            Right(
                "Less than 80% of them, because 80% is the mean of both groups.",
                "288 are right in all and 134 of the 150, so 154 of the 210 others: 74%.",
            ),
            Wrong(
                "About 80% of them, because that is the share on the whole pool.",
                "a_mean_holds_for_each_part",
                "It is a mean of two parts. If one lies above it, the other has to lie below.",
            ),
            Wrong(
                "About 89% of them, because it is one and the same teacher.",
                "one_part_speaks_for_all",
                "The same teacher, other texts. If the 150 are easier than all 360, the 210 have to be"
                " harder.",
            ),
            Wrong(
                "It can't be said before somebody has counted these 210 texts.",
                "what_was_not_counted_is_unknown",
                "Nobody has to: the whole and one part are known, so the other part is what is left.",
            ),
        ),
        shows=right_on_the_others,
        seconds=60,
        guessed=((55, 20, 5, 20), (85, 6, 3, 6)),
    ),
    Question(
        name="only_the_sure_ones",
        section=4,
        text="A teacher labels a pool of real texts, and you keep those of which it is at least 95% sure."
        " What do you give your student to read?",
        options=(
            Wrong(
                "Texts with right answers only, as the wrong ones were unsure.",
                "sure_is_right",
                "Fewer answers are wrong, but not none: a teacher can be sure and wrong.",
            ),
            Wrong(
                "A smaller pool of the same kind, as confidence isn't content.",
                "a_choice_by_confidence_is_a_sample",
                "Texts at the border of two categories are the unsure ones, and they are gone.",
            ),
            Right(
                "Easier texts than the pool's, and some answers still wrong.",
                "What is left lies far from the borders, so nothing is said on where these run.",
            ),
            Wrong(
                "Mostly texts at the borders, where two categories are told apart.",
                "confidence_is_highest_at_borders",
                "At a border both categories are near, so there a teacher is least sure.",
            ),
        ),
        shows=only_the_sure_ones,
        seconds=60,
        guessed=((25, 10, 55, 10), (7, 4, 86, 3)),
    ),
]
