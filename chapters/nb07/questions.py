"""Questions for a vote on layer norm."""

import torch
import torch.nn.functional as F
from torch import Tensor

from lib.bert import BertModel, WordPieceTokenizer
from lib.questions import Question, Right, Wrong

ALONE = "she opened a bank account"
COMPANY = ["he sat on the bank", "we sold our old boat", "nobody saw the dog leave"]  # as long

TOKENS = {"A": [102.0, 102, 106, 106], "B": [-2.0, -2, -6, -6], "C": [20.0, 20, 60, 60], "D": [2.0, 6, 2, 6]}


def minilm_reads(texts: list[str]) -> Tensor:
    """MiniLM's vectors of the tokens of texts, [B, T, 384]."""
    batch = WordPieceTokenizer.from_pretrained("minilm")(texts)
    hidden: Tensor = BertModel.from_pretrained("minilm")(**batch).last_hidden_state.detach()
    return hidden


def ten_times_and_three_more() -> str:
    numbers = torch.tensor([1.0, 7.0, 9.0, 15.0])
    moved = 10 * numbers + 3
    for name, group in {"before": numbers, "after": moved}.items():
        print(f"{name}: mean {group.mean():.0f}, standard deviation {group.std(correction=0):.0f}")
    ratio = (moved.std(correction=0) / numbers.std(correction=0)).item()
    return {1: "C", 10: "B", 100: "D"}.get(round(ratio), "A")


def one_feature_stands_out() -> str:
    token = torch.tensor([1.0, 7.0, 9.0, 15.0, 8.0])
    louder = torch.tensor([1.0, 7.0, 9.0, 15.0, 108.0])
    usual, beside = (F.layer_norm(numbers, (5,))[:4] for numbers in (token, louder))
    print(f"last feature 8:   {usual}\nlast feature 108: {beside}")
    ratio, shift = (beside.std() / usual.std()).item(), (beside.mean() - usual.mean()).abs().item()
    return "D" if ratio < 0.9 else "C" if ratio > 1.1 else "AB"[int(shift > 0.01)]


def alone_and_in_a_batch() -> str:
    alone, beside = minilm_reads([ALONE])[0], minilm_reads([ALONE, *COMPANY])[0]
    difference = (alone - beside).abs().amax(dim=1)  # [7]: one number a token
    print(f"largest number {alone.abs().max():.1f}, largest difference {difference.max():.0e}")
    if difference[1:].max() < 1e-4:
        return "BD"[int(difference[0] > 1e-4)]
    return "AC"[int(difference.max() > 1)]


def a_norm_without_the_mean() -> str:
    wanted = F.rms_norm(torch.tensor([2.0, 2.0, 6.0, 6.0]), (4,))
    print(f"wanted: {wanted}")
    alike = []
    for letter, token in TOKENS.items():
        normalized = F.rms_norm(torch.tensor(token), (4,))
        print(f"{letter}: {normalized}")
        alike += [letter] * torch.allclose(normalized, wanted)
    return "".join(alike)


QUESTIONS = [
    Question(
        name="ten_times_and_three_more",
        section=0,
        text="Every number of a list is multiplied by 10, and then 3 is added to it. What happens to the"
        " mean and to the standard deviation of the list?",
        options=(
            Wrong(
                "The mean and the deviation both become ten times plus 3.",
                "spread_moves_with_the_mean",
                "Adding 3 moves all numbers alike, so they lie as far apart as before.",
            ),
            Right(
                "The mean becomes ten times plus 3, the deviation ten times.",
                "The standard deviation measures distances from the mean, and a number added to all"
                " changes no distance.",
            ),
            Wrong(
                "The mean becomes ten times plus 3, the deviation stays.",
                "spread_ignores_scale",
                "Numbers that are ten times as large lie ten times as far apart.",
            ),
            Wrong(
                "The mean becomes ten times plus 3, the deviation 100 times.",
                "deviation_is_the_variance",
                "The variance does, because it is a mean of squares. The standard deviation is its root.",
            ),
        ),
        shows=ten_times_and_three_more,
        seconds=45,
        guessed=((20, 55, 10, 15), (6, 85, 3, 6)),
    ),
    Question(
        name="one_feature_stands_out",
        section=2,
        text="A token has five features between 0 and 20. Before a layer norm, somebody adds 100 to one"
        " of them. What happens to the other four behind the norm (with weight 1 and bias 0)?",
        options=(
            Wrong(
                "Nothing, because each feature is normalized by itself.",
                "features_are_normalized_alone",
                "All features of a token share one mean and one spread, and both have just become larger.",
            ),
            Wrong(
                "They all fall alike, because only the mean has risen.",
                "an_outlier_moves_only_the_mean",
                "The mean has risen, but so has the spread, and all are divided by it.",
            ),
            Wrong(
                "They grow, because the norm brings them up to the large one.",
                "norms_lift_the_small_features",
                "The norm keeps the token's pattern. What is small beside the others stays small beside"
                " them.",
            ),
            Right(
                "They move close together, because all share a larger spread.",
                "One large feature makes most of the spread, and dividing by it leaves the others nearly"
                " equal.",
            ),
        ),
        shows=one_feature_stands_out,
        seconds=60,
        guessed=((20, 25, 15, 40), (5, 10, 5, 80)),
    ),
    Question(
        name="alone_and_in_a_batch",
        section=4,
        text="MiniLM reads a text alone, and then in one batch with three others that are just as long."
        " How do the two vectors of a token of this text differ?",
        options=(
            Wrong(
                "By a little, because the norms take their means over the whole batch.",
                "norms_mix_tokens",
                "That is batch norm. BERT has layer norm, whose mean runs over the features of one token.",
            ),
            Right(
                "By rounding at most, because no step of BERT leads from text to text.",
                "Attention stays inside its text, and a layer norm inside its token. So a text's vectors"
                " don't depend on its company.",
            ),
            Wrong(
                "By much, because tokens of the other texts can be looked at, too.",
                "rows_of_a_batch_mix",
                "A query meets the keys of its own row only. The rows of a batch are computed side by side.",
            ),
            Wrong(
                "Only that of [CLS] differs, because it alone reads all that there is.",
                "only_cls_reads_the_whole_text",
                "Each text has a [CLS] of its own, which like any token sees its own text alone.",
            ),
        ),
        shows=alone_and_in_a_batch,
        seconds=60,
        guessed=((30, 50, 10, 10), (10, 85, 3, 2)),
    ),
    Question(
        name="a_norm_without_the_mean",
        section=4,
        text="RMSNorm, a norm of many later models, only divides the features of a token by the root of"
        " their mean square. Which token comes out of it just as [2, 2, 6, 6] does?",
        options=(
            Wrong(
                "[102, 102, 106, 106]: each feature 100 larger",
                "every_norm_subtracts_the_mean",
                "Layer norm would make these two equal, because it subtracts the mean. Without this step"
                " the 100 stays in.",
            ),
            Wrong(
                "[−2, −2, −6, −6]: each sign turned around",
                "squares_hide_the_sign",
                "The root is the same for both, but it only divides: the signs stay as they are.",
            ),
            Right(
                "[20, 20, 60, 60]: each feature ten times as large",
                "The root of the mean square is ten times as large as well, and so the factor cancels.",
            ),
            Wrong(
                "[2, 6, 2, 6]: the same features in another order",
                "norms_keep_only_statistics",
                "Both are divided by the same number, and each feature stays in its place.",
            ),
        ),
        shows=a_norm_without_the_mean,
        seconds=60,
        guessed=((30, 15, 50, 5), (8, 4, 86, 2)),
    ),
]
