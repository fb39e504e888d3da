"""Questions for a vote on distilling answers."""

import torch
import torch.nn.functional as F

from chapters.nb21.earlier import answers
from lib.bert import WordPieceTokenizer
from lib.questions import Question, Right, Wrong
from lib.records.teachers import load_teacher
from lib.text.tasks import own


def the_same_share_for_the_label() -> str:
    given = torch.tensor([[0.6, 0.1, 0.1, 0.1, 0.1], [0.6, 0.4, 1e-6, 1e-6, 1e-6]])
    labels = torch.zeros(2, dtype=torch.long)
    spread, piled = F.cross_entropy(given.log(), labels, reduction="none").tolist()
    raised, _ = F.cross_entropy(given.log() + 3, labels, reduction="none").tolist()
    print(f"spread {spread:.3f}, with logits raised by 3 {raised:.3f}; on one class {piled:.3f}")
    higher = round(spread - piled, 3)
    return "C" if abs(raised - spread) > 0.001 else "B" if higher > 0 else "A" if higher else "D"


def which_share_grows_most() -> str:
    answer = torch.tensor([0.90, 0.09, 0.01])
    softened = (answer.log() / 2).softmax(dim=0)
    factors = softened / answer
    print(f"T = 1: {answer}\nT = 2: {softened}\ngrown by factors of {factors}")
    if torch.isclose(factors[1], factors[2], rtol=0.01):
        return "D"
    return "CBA"[int(factors.argmax())]


def hard_answers_on_learned_rows() -> str:
    rows = own.headlines("train")[::45]
    labels = torch.tensor([row.label for row in rows])
    texts = [row.first for row in rows]
    teacher = load_teacher("headlines").model.eval()
    said = answers(teacher, WordPieceTokenizer.from_pretrained("minilm"), texts).argmax(dim=-1)
    same = (said == labels).double().mean().item()
    print(f"on headlines that taught the teacher, its first guess is the label in {same:.0%}")
    return "B" if same > 0.95 else "A" if same > 0.9 else "C" if same > 0.5 else "D"


def two_classes() -> str:
    logits = torch.tensor([[4.0, 0.0], [0.2, 0.0]])
    soft = logits.softmax(dim=-1)
    hard = soft.argmax(dim=-1)
    left = soft.size(1) - 2  # numbers that are free once the first guess's share is known
    print(f"two mails with the same hard answer: {soft[0]} and {soft[1]}")
    print(f"free to say which other class is near: {left} numbers; with nine classes 7")
    surer = (soft[0, 0] - soft[1, 0]).item()
    return "C" if left else "B" if surer < 0.01 else "A" if hard[0] == hard[1] else "D"


QUESTIONS = [
    Question(
        name="the_same_share_for_the_label",
        section=0,
        text="Two models give the true class 0.6. One spreads the remaining 0.4 over all other classes, the"
        " other puts nearly all of it on one wrong class. Which has the lower cross-entropy with the label?",
        options=(
            Wrong(
                "The first, because none of its wrong classes comes near the true one.",
                "cross_entropy_punishes_the_runner_up",
                "The second class matters for how sure a decision is. The loss reads -ln 0.6 in both cases.",
            ),
            Wrong(
                "The second, because its answer is surer and so has less entropy.",
                "cross_entropy_is_the_answer_s_entropy",
                "The answer's own entropy is lower, but cross-entropy with a label asks for one"
                " probability only.",
            ),
            Wrong(
                "That can't be said, because the loss is computed from the logits.",
                "a_loss_needs_more_than_probabilities",
                "Logits go through softmax, and what counts in the end is the probability of the label.",
            ),
            Right(
                "Neither, because only the share of the true class goes into it.",
                "The loss is -ln of the true class's probability, so a label can't tell the wrong classes"
                " apart.",
            ),
        ),
        shows=the_same_share_for_the_label,
        seconds=60,
        guessed=((35, 15, 10, 40), (10, 5, 3, 82)),
    ),
    Question(
        name="which_share_grows_most",
        section=2,
        text="A teacher gives three classes 0.90, 0.09 and 0.01. At T = 2 the answer is softer. Which of the"
        " three grows by the largest factor?",
        options=(
            Right(
                "The 0.01, because what is smallest gains most from softening.",
                "T = 2 takes square roots before it divides by their sum, and a root lifts 0.01 tenfold and"
                " 0.09 hardly more than threefold.",
            ),
            Wrong(
                "The 0.09, because the runner-up is nearest to the first class.",
                "temperature_lifts_the_runner_up",
                "It gains the most in points, 0.09 to 0.22. As a factor the whisper of 0.01 gains more.",
            ),
            Wrong(
                "The 0.90, because a higher temperature makes logits larger.",
                "temperature_multiplies_logits",
                "Logits are divided by T, so they come closer to each other, and 0.90 falls.",
            ),
            Wrong(
                "The 0.09 and the 0.01 alike, because T divides every logit.",
                "one_divisor_is_one_factor",
                "It does divide each logit by the same number, but probabilities are powers: p becomes the"
                " root of p.",
            ),
        ),
        shows=which_share_grows_most,
        seconds=75,
        guessed=((35, 30, 5, 30), (75, 10, 2, 13)),
    ),
    Question(
        name="hard_answers_on_learned_rows",
        section=4,
        text="A teacher was fine-tuned on 1,080 headlines and sorts 80% of new ones rightly. A student"
        " learns from the same 1,080, with the teacher's first guesses in place of the labels. Compared with"
        " learning from the labels, it will be",
        options=(
            Wrong(
                "worse, because its teacher gets only 80% of headlines right.",
                "a_teacher_errs_as_often_on_its_own_rows",
                "80% is its share on new headlines. Those that taught it, it has nearly all right.",
            ),
            Right(
                "about the same, because there its first guesses repeat the labels.",
                "On rows that it learned from, the teacher answers what the label said, so nothing is added"
                " and nothing lost.",
            ),
            Wrong(
                "better, because a teacher's answers carry more than labels do.",
                "every_answer_has_dark_knowledge",
                "Soft answers do. A first guess alone says one class, as the label says one class.",
            ),
            Wrong(
                "worse, because what a copy is copied from loses at each step.",
                "a_copy_of_a_copy_fades",
                "Copied are answers, and these are equal here. A student learns from them as from labels.",
            ),
        ),
        shows=hard_answers_on_learned_rows,
        seconds=60,
        guessed=((30, 40, 25, 5), (10, 78, 10, 2)),
    ),
    Question(
        name="two_classes",
        section=4,
        text="You distill a filter that knows two classes only, spam and no spam. What does a teacher's soft"
        " answer to a mail tell a student beyond the teacher's first guess?",
        options=(
            Right(
                "How sure the teacher is of its first guess, and nothing besides.",
                "Two shares add up to 1, so there is one number: how sure. Which other class is near needs a"
                " third.",
            ),
            Wrong(
                "Nothing at all, because there is no third class to be whispered.",
                "softness_is_only_about_other_classes",
                "A mail with 0.98 and one with 0.55 have the same first guess. The student learns which is"
                " which.",
            ),
            Wrong(
                "Which of the wrong classes is nearly right, as it does with nine.",
                "every_answer_has_dark_knowledge",
                "There is but one wrong class here, so there is nothing to rank.",
            ),
            Wrong(
                "Whether the teacher's first guess is right, in case of each mail.",
                "sure_is_right",
                "A teacher can be sure and wrong. What it says is how sure it is.",
            ),
        ),
        shows=two_classes,
        seconds=60,
        guessed=((45, 30, 15, 10), (80, 12, 4, 4)),
    ),
]
