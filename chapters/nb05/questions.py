"""Questions for a vote on attention."""

import torch

from lib.bert.attention import scaled_dot_product_attention
from lib.questions import Question, Right, Wrong


def one_vector_added_to_all_keys() -> str:
    query = torch.tensor([2.0, 0.0, 2.0])
    keys = torch.tensor([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    added = torch.tensor([1.0, 5.0, -2.0])
    before = (query @ keys.T).softmax(dim=0)
    after = (query @ (keys + added).T).softmax(dim=0)
    print(f"before: {before}\nafter:  {after}\nsum:    {after.sum():.2f}")
    return "B" if torch.allclose(before, after) else "ACD"[int(after.sum() < 0.99)]


def a_long_key() -> str:
    query = torch.tensor([1.0, 1.0])
    keys = torch.tensor([[1.0, 1.0], [2.0, 2.0], [7.0, 0.0], [-6.0, 6.0]])
    products = keys @ query
    for key, product in zip(keys.tolist(), products.tolist(), strict=True):
        print(f"{key} · [1, 1] = {product:.0f}")
    return "ABCD"[int(products.argmax())]


def twice_the_value() -> str:
    query = 3**0.5 * torch.tensor([[2.0, 0.0, 2.0]])  # times √d, by which the function divides
    keys = torch.tensor([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    values = torch.tensor([[9.0, 0.0], [3.0, 0.0], [0.0, 0.0], [1.0, 8.0]])
    doubled = torch.tensor([[9.0, 0.0], [3.0, 0.0], [0.0, 0.0], [2.0, 16.0]])
    old, new = (scaled_dot_product_attention(query, keys, value) for value in (values, doubled))
    print(f"weights: {old[1]}, then {new[1]}\nnew vector: {old[0]}, then {new[0]}")
    rise, same = (new[1] - old[1])[0, 3].item(), torch.allclose(old[0], new[0])
    return "B" if rise > 0.01 else "D" if rise < -0.01 else "AC"[int(same)]


def a_mask_after_softmax() -> str:
    scores, open_to = torch.tensor([2.0, 0.0, 0.0, 2.0]), torch.tensor([1.0, 1.0, 1.0, 0.0])
    inside = scores.masked_fill(open_to == 0, -torch.inf).softmax(dim=0)
    behind = scores.softmax(dim=0) * open_to
    for name, weights in {"mask before softmax": inside, "mask after softmax": behind}.items():
        print(f"{name}: {weights}, sum {weights.sum():.2f}")
    if behind.isnan().any():
        return "B"
    return "CDA"[int(behind.sum() < 0.99) + int(behind[3] > 0.01)]


QUESTIONS = [
    Question(
        name="a_long_key",
        section=0,
        text="Notebook 03 scored two vectors by their dot product. Which of these four has the largest dot"
        " product with [1, 1]?",
        options=(
            Wrong(
                "[1, 1], because it is the same vector",
                "equal_vectors_score_most",
                "Equal vectors have the largest cosine, 1. Their dot product, here 2, grows with the"
                " lengths, and these are short.",
            ),
            Wrong(
                "[2, 2], because it points the same way",
                "dot_product_is_only_direction",
                "The direction is the best one, and the product is 4. But a longer vector may get more"
                " with a worse direction.",
            ),
            Right(
                "[7, 0], because all products add up to 7",
                "1 · 7 + 1 · 0 = 7. A dot product counts both how well the directions agree and how long"
                " the vectors are.",
            ),
            Wrong(
                "[−6, 6], because its numbers are large",
                "dot_product_is_only_length",
                "It is the longest of the four, but 1 · (−6) + 1 · 6 = 0: it stands at a right angle.",
            ),
        ),
        shows=a_long_key,
        seconds=45,
        guessed=((15, 25, 50, 10), (4, 8, 85, 3)),
    ),
    Question(
        name="twice_the_value",
        section=2,
        text="In “i love this class” somebody doubles the value vector of “class”. Queries and keys stay"
        " as they are. What changes in the row of “love”?",
        options=(
            Right(
                "Only its new vector, because the weights come from queries and keys alone.",
                "The weights are ready before a value is looked at. The average then takes the same share"
                " of a value that is twice as large.",
            ),
            Wrong(
                "Its weight for “class” rises, because “class” has more to hand over now.",
                "values_are_matched",
                "What a token hands over plays no part in being found. Only its key does.",
            ),
            Wrong(
                "Neither weights nor new vector, because softmax brings the sum back to 1.",
                "softmax_normalizes_the_output",
                "The weights sum to 1, and the new vector is an average with them. It's as large as the"
                " values make it.",
            ),
            Wrong(
                "Its weight for “class” falls, so that a large value gets no more than its share.",
                "weights_make_up_for_values",
                "No step evens that out. A large value counts for more in the average.",
            ),
        ),
        shows=twice_the_value,
        seconds=60,
        guessed=((50, 25, 15, 10), (85, 8, 5, 2)),
    ),
    Question(
        name="one_vector_added_to_all_keys",
        section=3,
        text="A colleague adds one and the same vector, with large numbers, to the key of every token."
        " Queries and values stay as they are. What happens to the attention weights of “love”?",
        options=(
            Wrong(
                "Tokens whose keys now point where the query points take nearly all of the weight.",
                "a_key_is_judged_alone",
                "Softmax compares: what counts is how far a score lies above the others of its row, and"
                " all of them rose by the same number.",
            ),
            Right(
                "Nothing, because every score in the row grows by the same number.",
                "q · (k + c) is q · k + q · c, and softmax divides the common factor out.",
            ),
            Wrong(
                "Their order stays, but the weights get sharper, because the scores are larger.",
                "shifting_is_scaling",
                "Multiplying scores sharpens them, adding moves all alike: try both on 2, 0, 0, 2.",
            ),
            Wrong(
                "The row no longer sums to 1 and has to be normalized once more.",
                "weights_are_cut_scores",
                "Softmax is computed from the changed scores, and it sums to 1 whatever goes in.",
            ),
        ),
        shows=one_vector_added_to_all_keys,
        seconds=60,
        guessed=((30, 35, 25, 10), (10, 75, 10, 5)),
    ),
    Question(
        name="a_mask_after_softmax",
        section=4,
        text="Somebody forgets the mask before the softmax, and multiplies the weights after it: by 1"
        " where a token may look, by 0 where it may not. How does this differ from a mask of −∞ before the"
        " softmax?",
        options=(
            Wrong(
                "Closed places still get a weight, because softmax has seen their scores.",
                "masks_always_leak",
                "They did get one, but it is multiplied by 0. What remains of it is the share that is"
                " missing from the others.",
            ),
            Wrong(
                "It gives NaN, because a row of weights must not contain any zeros.",
                "zero_weights_break_attention",
                "A weight of 0 is fine. NaN comes only where a row has no open place at all, before the"
                " softmax.",
            ),
            Wrong(
                "It doesn't differ, because closed places have the weight 0 either way.",
                "masking_early_or_late_is_the_same",
                "The closed weights agree, but the open ones don't: the closed scores stood in the sum by"
                " which all were divided.",
            ),
            Right(
                "The open weights sum to less than 1, because they were shared with closed places.",
                "Softmax has dealt out one whole among all places. What the closed ones got is thrown"
                " away, and nobody deals it out again.",
            ),
        ),
        shows=a_mask_after_softmax,
        seconds=75,
        guessed=((15, 10, 35, 40), (5, 5, 10, 80)),
    ),
]
