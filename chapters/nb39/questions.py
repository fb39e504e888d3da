"""Questions for a vote on searching by vectors, in one language and in two."""

import torch
from torch import nn
from torch.nn.functional import cosine_similarity

from lib.questions import Question, Right, Wrong


def one_vector_ten_times_as_long() -> str:
    question, passage = torch.tensor([1.0, 2.0, 2.0]), torch.tensor([2.0, 2.0, 1.0])
    cosines, products = [], []
    for vector in (passage, 10 * passage):
        cosines.append(cosine_similarity(question, vector, dim=0).item())
        products.append((question @ vector).item())
    print(f"cosine:      {cosines[0]:.3f}, then {cosines[1]:.3f}")
    print(f"dot product: {products[0]:.1f}, then {products[1]:.1f}")
    return "BADC"[(products[1] > 2 * products[0]) + 2 * (cosines[1] > 2 * cosines[0])]


def what_the_student_sees() -> str:
    torch.manual_seed(0)
    # perro duerme, perro come, gato duerme, gato come
    spanish = torch.tensor([[1, 0, 1, 0], [1, 0, 0, 1], [0, 1, 1, 0], [0, 1, 0, 1]]).double()
    english = spanish @ torch.randn(4, 8).double()  # the teacher's vectors of four sentences
    student = torch.linalg.pinv(spanish[:3]) @ english[:3]  # from three pairs, no English word
    apart = torch.cdist(spanish[3:] @ student, english)[0]
    print("from a new sentence to its translation, the last of four:", apart.round(decimals=1).tolist())
    return "D" if apart.argmin() == 3 else "A"


def a_bag_that_finds_as_many() -> str:
    torch.manual_seed(0)
    vector_of = nn.Embedding(4, 8)  # the, dog, follows, cat
    one, other = torch.tensor([0, 1, 2, 0, 3]), torch.tensor([0, 3, 2, 0, 1])
    bags = [vector_of(text).mean(dim=0) for text in (one, other)]
    cosine = cosine_similarity(bags[0], bags[1], dim=0).item()
    print("“the dog follows the cat” and “the cat follows the dog” as bags:")
    print(f"their cosine is {cosine:.3f}")
    return "BA"[cosine < 0.999]


def a_thousand_passages_more() -> str:
    generator = torch.Generator().manual_seed(0)
    scores = torch.randn(1000, 2000, generator=generator)  # of a question with each passage
    scores[:, 0] += 4  # its right one
    before = (scores[:, :1000].argmax(dim=1) == 0).double().mean().item()
    after = (scores.argmax(dim=1) == 0).double().mean().item()
    print(f"the right passage is first in {before:.0%} of 1,000, then in {after:.0%}")
    return "A" if after > before else "C" if after == before else "DB"[after > 0.7 * before]


QUESTIONS = [
    Question(
        name="one_vector_ten_times_as_long",
        section=0,
        text="A passage's vector is made ten times as long. What happens to its cosine with the vector of a"
        " question, and to their dot product?",
        options=(
            Right(
                "The cosine stays, and the dot product is ten times as large.",
                "The dot product grows with the lengths of both vectors. The cosine divides by them.",
            ),
            Wrong(
                "Both stay as they are, because the direction is the same.",
                "dot_product_is_only_direction",
                "That is true of the cosine. A dot product adds up products of numbers, and one of each two"
                " is ten times as large.",
            ),
            Wrong(
                "Both are ten times as large, because all the numbers are.",
                "cosine_is_a_dot_product",
                "A cosine is divided by both lengths, so it never leaves −1 to 1.",
            ),
            Wrong(
                "The dot product stays, and the cosine is ten times as large.",
                "a_dot_product_is_divided_by_the_lengths",
                "It is the other way round: of the two the cosine is the one that is divided by the lengths.",
            ),
        ),
        shows=one_vector_ten_times_as_long,
        seconds=45,
        guessed=((55, 20, 15, 10), (85, 5, 5, 5)),
    ),
    Question(
        name="what_the_student_sees",
        section=1,
        text="A student learns to read Spanish from pairs of sentences, by imitating a teacher that reads"
        " English. What of the English sentence does it get in training?",
        options=(
            Wrong(
                "Its words, set beside the Spanish words they translate.",
                "a_student_needs_a_dictionary",
                "Nobody says which word belongs to which. The student finds that out, because words return in"
                " other sentences.",
            ),
            Wrong(
                "Its words, which the student is trained to write down.",
                "to_understand_a_language_is_to_translate_it",
                "The student writes nothing. It gives a vector, which has to come near the teacher's.",
            ),
            Wrong(
                "Nothing, because all languages share one space anyway.",
                "all_languages_share_a_space",
                "They don't by themselves: to the teacher Spanish words are pieces without meaning. Training"
                " puts both into one space.",
            ),
            Right(
                "Its vector alone, which the teacher has made of it.",
                "The loss compares two vectors, the student's of the Spanish sentence and the teacher's of"
                " the English one.",
            ),
        ),
        shows=what_the_student_sees,
        seconds=60,
        guessed=((30, 15, 10, 45), (10, 5, 5, 80)),
    ),
    Question(
        name="a_bag_that_finds_as_many",
        section=1,
        text="In a test with 100 translations a bag of vectors, the mean over the pieces, finds 95 of them."
        " A network with attention finds 95, too. What follows?",
        options=(
            Wrong(
                "That a bag of vectors knows the order of words, too.",
                "equal_scores_are_equal_answers",
                "A mean is the same in any order, so the bag can't know it, whatever it scores.",
            ),
            Right(
                "That the order of words is hardly needed in this test.",
                "The bag doesn't see the order and finds 95 all the same. Whether attention knows it, this"
                " test doesn't ask.",
            ),
            Wrong(
                "That attention is of no use for the vectors of texts.",
                "one_part_speaks_for_all",
                "It was of no use here. Texts that differ in their order alone no bag can tell apart.",
            ),
            Wrong(
                "That the network with attention has learned too little.",
                "the_larger_model_has_to_win",
                "It may have learned all that this test asks for. What it knows beyond that earns nothing"
                " here.",
            ),
        ),
        shows=a_bag_that_finds_as_many,
        seconds=60,
        guessed=((10, 50, 25, 15), (5, 80, 10, 5)),
    ),
    Question(
        name="a_thousand_passages_more",
        section=2,
        text="A collection of 1,000 passages gets 1,000 more on the same subjects. Each question still has"
        " one right passage. How does the share of questions change whose right passage comes first?",
        options=(
            Wrong(
                "It rises, because the search has more to choose from.",
                "more_passages_are_searched_better",
                "More to choose from is more that can be mistaken for the right one.",
            ),
            Right(
                "It falls, as now and then a new passage comes first.",
                "No old score changes, so no right passage moves up, and some get a better rival.",
            ),
            Wrong(
                "It stays, because right passages keep their scores.",
                "a_score_is_a_place",
                "They do. But whether a score is the first depends on all others, and there are more of"
                " them.",
            ),
            Wrong(
                "It is halved, because chance is half as large.",
                "all_is_in_proportion",
                "Chance is halved. A search that knows something loses only where a new passage is more"
                " alike.",
            ),
        ),
        shows=a_thousand_passages_more,
        seconds=60,
        guessed=((10, 50, 25, 15), (0, 85, 10, 5)),
    ),
]
