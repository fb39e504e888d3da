"""Questions for a vote on printed numbers, their rows, units and wholes."""

import torch

from lib.analysis.cost.formulas import count_parameters
from lib.bert import BertConfig
from lib.questions import Question, Right, Wrong


def where_the_parameters_lie() -> str:
    parts = count_parameters(BertConfig())
    whole = sum(parts.values())
    for name, count in parts.items():
        print(f"{name:12} {count / 1e6:5.1f} million, {count / whole:.0%}")
    largest = max(parts, key=lambda name: parts[name])
    return {"embeddings": "A", "attention": "B", "feed-forward": "C", "pooler": "D"}[largest]


def half_on_one_of_two_tasks() -> str:
    student, teacher = torch.tensor([10.0, 90.0]), torch.tensor([20.0, 90.0])
    ratio_of_means = (student.mean() / teacher.mean()).item()
    mean_of_ratios = (student / teacher).mean().item()
    print(f"the means are {student.mean():.0f} and {teacher.mean():.0f}")
    print(f"ratio of the means {ratio_of_means:.0%}, mean of the ratios {mean_of_ratios:.0%}")
    return {75: "A", 91: "B", 90: "C", 95: "D"}[round(100 * ratio_of_means)]


def one_point_of_accuracy() -> str:
    before, after = 100 - 95, 100 - 96
    print(f"errors in 100 cases: {before}, then {after}")
    percent = 100 * (before - after) / before
    print(f"that is {percent:.0f}% fewer errors")
    return {1: "A", 5: "B", 20: "C", 25: "D"}[round(percent)]


def cases_that_the_other_got_wrong() -> str:
    generator = torch.Generator().manual_seed(0)
    first, second = torch.rand(2, 100_000, generator=generator) < 0.8  # each right in 80%
    chosen = second[~first].double().mean().item()
    print(f"right in all cases: {first.double().mean():.0%} and {second.double().mean():.0%}")
    print(f"where the first is wrong the second is right in {chosen:.0%}")
    return {80: "A", 20: "B", 50: "C", 0: "D"}[round(100 * chosen, -1)]


QUESTIONS = [
    Question(
        name="where_the_parameters_lie",
        section=0,
        text="BERT-base has 110 million parameters. Where do most of them lie?",
        options=(
            Wrong(
                "In the table of words, because it has more than 30,000 rows.",
                "the_table_of_words_holds_most",
                "It holds 24 of the 110 million. In MiniLM, which is narrower and has as many words, it does"
                " hold more than half.",
            ),
            Wrong(
                "In attention, because every layer has four matrices for it.",
                "attention_holds_most",
                "Four matrices of 768 × 768 are a third of a layer. The two of the feed-forward network are"
                " four times as wide.",
            ),
            Right(
                "In the feed-forward networks, because they are most of a layer.",
                "Each has two matrices of 768 × 3,072, twice as many numbers as attention's four: two thirds"
                " of every layer.",
            ),
            Wrong(
                "In the pooler, because each answer has to pass through it.",
                "whole_parts_are_large_parts",
                "The pooler is one matrix of 768 × 768. How often something is used says nothing about its"
                " size.",
            ),
        ),
        shows=where_the_parameters_lie,
        seconds=45,
        guessed=((30, 25, 40, 5), (10, 10, 80, 0)),
    ),
    Question(
        name="half_on_one_of_two_tasks",
        section=2,
        text="On two tasks the teacher has 20 and 90, and the student 10 and 90. What is the student's mean"
        " in percent of the teacher's?",
        options=(
            Wrong(
                "75%, which is the mean of 50% and 100%.",
                "a_mean_of_ratios_is_a_ratio_of_means",
                "This mean of two ratios gives the task with low scores as much weight as the other one. It"
                " is another number.",
            ),
            Right(
                "91%, because the means are 50 and 55.",
                "The task with low scores has little weight in either mean, so a halved score there is hardly"
                " seen.",
            ),
            Wrong(
                "90%, because ten points were lost.",
                "lost_points_are_lost_percent",
                "Ten points were lost on one of two tasks, and percent are of the teacher's mean, which isn't"
                " 100.",
            ),
            Wrong(
                "95%, because the mean fell by five.",
                "points_are_percent",
                "It fell by five points, of 55. That is 9 percent of what there was.",
            ),
        ),
        shows=half_on_one_of_two_tasks,
        seconds=60,
        guessed=((30, 50, 10, 10), (10, 80, 5, 5)),
    ),
    Question(
        name="one_point_of_accuracy",
        section=3,
        text="A model's accuracy rises from 95% to 96%. By how much does the number of its errors fall?",
        options=(
            Wrong(
                "By 1%, because what one gains the other loses.",
                "points_are_percent",
                "Errors fall by one point, from 5 to 4 in a hundred. In percent, that is a share of the 5.",
            ),
            Wrong(
                "By 5%, because errors are 5% of all cases.",
                "the_share_is_the_change",
                "5% is how many errors there were. The change is one of these five.",
            ),
            Right(
                "By 20%, because one error of five is gone.",
                "The whole is the number of errors before, 5 in a hundred, and one of them is gone.",
            ),
            Wrong(
                "By 25%, because four of them are left.",
                "percent_are_of_what_is_left",
                "Percent are of what was there before the change, and these were five.",
            ),
        ),
        shows=one_point_of_accuracy,
        seconds=45,
        guessed=((35, 10, 50, 5), (5, 5, 85, 5)),
    ),
    Question(
        name="cases_that_the_other_got_wrong",
        section=4,
        text="Two models are right in 80% of the cases each, independently of one another. In what share of"
        " the cases that the first gets wrong is the second right?",
        options=(
            Right(
                "80%, because one's errors tell nothing of the other's.",
                "The cases were chosen by the first model's luck, which is nothing to the second. The first"
                " would do as well on the second's errors.",
            ),
            Wrong(
                "20%, because equal models fail on the same cases.",
                "equal_scores_are_equal_answers",
                "Equally good doesn't mean equal. Here they are independent, so one's error says nothing"
                " about the other.",
            ),
            Wrong(
                "50%, because neither of the two is better.",
                "all_shares_are_equal",
                "That would be so where exactly one of them is right. Here the second may also be wrong"
                " together with the first.",
            ),
            Wrong(
                "0%, because else it would be the better model.",
                "who_mends_errors_is_better",
                "It makes errors of its own elsewhere, on cases that were left out of this count.",
            ),
        ),
        shows=cases_that_the_other_got_wrong,
        seconds=75,
        guessed=((50, 15, 30, 5), (80, 5, 10, 5)),
    ),
]
