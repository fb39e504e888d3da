"""Questions for a vote on comparing texts, filling blanks and padding."""

import torch

from lib.analysis.prediction.fill_mask import word_probabilities
from lib.analysis.vectors import similarity
from lib.bert import BertForMaskedLM, BertModel, WordPieceTokenizer
from lib.questions import Question, Right, Wrong


def one_vector_doubled() -> str:
    first, second = torch.tensor([2.0, 1.0]), torch.tensor([1.0, 2.0])
    before = torch.cosine_similarity(first, second, dim=0)
    after = torch.cosine_similarity(2 * first, second, dim=0)
    print(f"before: {before:.2f}, doubled: {after:.2f}")
    if torch.isclose(before, after):
        return "B"
    return "DCA"[int(after > before) + int(after > 1.9 * before)]


def a_word_behind_the_blank() -> str:
    pocket = BertForMaskedLM.from_pretrained("pocket")
    tokenizer = WordPieceTokenizer.from_pretrained("pocket")
    text = "my [MASK] is a nurse, and {} works at night."
    [with_she] = word_probabilities(pocket, tokenizer, text.format("she"), ["father"])
    [with_he] = word_probabilities(pocket, tokenizer, text.format("he"), ["father"])
    print(f"father, before “she”: {with_she:.3f}, before “he”: {with_he:.3f}")
    ratio = with_he / with_she
    return "CBDA"[int(ratio > 0.99) + int(ratio > 1.01) + int(ratio > 1.5)]


def what_stands_at_padding() -> str:
    model = BertModel.from_pretrained("minilm")
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    batch = tokenizer(["i love this class", "i hate this class", "she opened a bank account"])
    states = model(**batch, output_hidden_states=True).hidden_states
    before, (love, hate) = states[0][0, -1], states[-1][:2, -1]  # of [PAD], at the last place
    print(f"[PAD] behind “love”: length {love.norm():.1f}, moved by {(love - before).norm():.1f}")
    print(f"behind “hate” its vector is another one, {(love - hate).norm():.1f} away")
    return "A" if not love.any() else "DC"[int((love - hate).norm() > 0.01)]


def the_same_words_in_another_order() -> str:
    model = BertModel.from_pretrained("minilm")
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    texts = ["the dog bit the man", "the man bit the dog"]
    first, second = similarity.embed(model, tokenizer, texts)
    cosine = torch.cosine_similarity(first, second, dim=0)
    print(f"cosine of the two texts: {cosine:.3f}")
    return "BADC"[int(cosine > -0.5) + int(cosine > 0.5) + int(cosine > 0.9999)]


QUESTIONS = [
    Question(
        name="one_vector_doubled",
        section=0,
        text="Two texts are compared by the cosine of their vectors, that is by the angle between two"
        " arrows. Somebody doubles every number of one of the two vectors. What happens to the cosine?",
        options=(
            Wrong(
                "It doubles, because each product of two numbers doubles.",
                "cosine_is_a_dot_product",
                "The sum of products doubles indeed, but it is divided by the two lengths, and one of"
                " these has doubled as well.",
            ),
            Right(
                "It stays as it was, because the arrow keeps its direction.",
                "A longer arrow makes the same angle: product and length double alike.",
            ),
            Wrong(
                "It grows, but less than twofold, because it never exceeds 1.",
                "a_limit_dampens_growth",
                "That no cosine exceeds 1 is true, and the reason is the division by the lengths, which"
                " here undoes the doubling entirely.",
            ),
            Wrong(
                "It falls, because the tips of the two arrows lie further apart.",
                "near_means_a_short_distance",
                "The tips may come nearer or move apart, but the cosine looks at the angle alone.",
            ),
        ),
        shows=one_vector_doubled,
        seconds=60,
        guessed=((25, 45, 15, 15), (10, 80, 5, 5)),
    ),
    Question(
        name="a_word_behind_the_blank",
        section=1,
        text="A BERT guesses the blank in “my [MASK] is a nurse, and she works at night.” Then “she” is"
        " replaced by “he”. What happens to the probability of “father” at [MASK]?",
        options=(
            Right(
                "It rises clearly, because the words on both sides of the blank count.",
                "BERT reads the whole text before it guesses, so a word on the right changes the guess as"
                " one on the left does.",
            ),
            Wrong(
                "It stays exactly as it was, because “she” and “he” stand behind the blank.",
                "bert_reads_left_to_right",
                "A model that writes goes from left to right. BERT has the whole text before it at once,"
                " and so every word can count for every blank.",
            ),
            Wrong(
                "It falls, because “nurse” goes less well with “he” in texts.",
                "a_guess_rates_the_sentence",
                "The model isn't asked how usual the sentence is, but which word fits the blank when all"
                " other words are given.",
            ),
            Wrong(
                "It hardly changes, because a word that far from the blank counts for little.",
                "far_words_count_little",
                "In BERT each word is one step away from each other one, and training finds out which of"
                " them matter, near or far.",
            ),
        ),
        shows=a_word_behind_the_blank,
        seconds=60,
        guessed=((50, 25, 5, 20), (85, 5, 5, 5)),
    ),
    Question(
        name="what_stands_at_padding",
        section=4,
        text="MiniLM reads a short text beside a longer one. The attention mask closes the places of padding."
        " What does the last layer give at these places?",
        options=(
            Wrong(
                "Zeros, because places of padding hold no word at all.",
                "padding_is_zero",
                "[PAD] has a row in the table like any token, and each layer renews its vector: what comes"
                " out isn't zero.",
            ),
            Wrong(
                "Nothing, because closed places aren't computed at all.",
                "masked_places_cost_nothing",
                "The batch is a rectangle, and each layer computes a vector for each place of it. Closed"
                " means only that nobody looks there.",
            ),
            Right(
                "Vectors that hold the text, because padding looks at it.",
                "The mask says at whom nobody may look, and not who may look. So whoever averages has to"
                " leave these vectors out himself.",
            ),
            Wrong(
                "The vector of [PAD] itself, because closed places can't look.",
                "closed_places_look_at_nothing",
                "The mask closes one direction only: no token looks at padding, but padding looks at the"
                " words of its text.",
            ),
        ),
        shows=what_stands_at_padding,
        seconds=75,
        guessed=((30, 25, 30, 15), (10, 8, 74, 8)),
    ),
    Question(
        name="the_same_words_in_another_order",
        section=4,
        text="MiniLM reads “the dog bit the man” and “the man bit the dog”. The vector of each text is the"
        " average of its tokens' vectors. What is the cosine of the two?",
        options=(
            Wrong(
                "About 0, because the two texts tell of different events.",
                "different_meaning_is_a_right_angle",
                "Near 0 are texts that have nothing to do with each other. These two share their subject,"
                " and training moves such texts together.",
            ),
            Wrong(
                "Close to −1, because each says the opposite of the other.",
                "opposites_point_apart",
                "Opposites are about the same thing, so their vectors are mostly alike. A cosine near −1"
                " hardly ever occurs between texts.",
            ),
            Wrong(
                "Exactly 1, because an average doesn't depend on the order.",
                "text_vectors_ignore_order",
                "An average of fixed word vectors wouldn't. But BERT gives “dog” a vector that depends on"
                " its place and on the words around it.",
            ),
            Right(
                "Just under 1, because the order changes each token's vector a little.",
                "The words and the subject are the same, and so the vectors are close. But each depends on"
                " the place and the neighbors, so they aren't equal.",
            ),
        ),
        shows=the_same_words_in_another_order,
        seconds=60,
        guessed=((10, 10, 40, 40), (5, 2, 18, 75)),
    ),
]
