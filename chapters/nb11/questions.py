"""Questions for a vote on next sentence, sentence order, and a loss of two tasks."""

import string
from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor

from lib.bert import BertModel, WordPieceTokenizer
from lib.questions import Question, Right, Wrong

COSINES = torch.tensor([[0.3], [0.4], [0.3], [0.4], [0.0], [0.1]])  # of six pairs

NUMBERS: dict[str, Callable[[set[str], set[str]], float]] = {
    "A": lambda a, b: len(a) - len(b),
    "B": lambda a, b: torch.cosine_similarity(average(a), average(b), dim=0).item(),
    "C": lambda a, b: len(a & b) / len(a | b),
    "D": lambda a, b: len(a) + len(b),
}


def average(words: set[str]) -> Tensor:
    """The average of the words' vectors, which here count their letters: [26]."""
    rows = [[word.count(letter) for letter in string.ascii_lowercase] for word in sorted(words)]
    return torch.tensor(rows).float().mean(dim=0)


def two_rows() -> dict[str, Tensor]:
    """A batch of two pairs of texts with the same A."""
    first, second = "he bought some milk", "he watched the birds"
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    return tokenizer(["the man went to the store"] * 2, [first, second])


def cls_apart(batch: dict[str, Tensor]) -> Tensor:
    """How far the vectors of [CLS] lie apart in two rows, before MiniLM's layers and after each: [7]."""
    model = BertModel.from_pretrained("minilm").requires_grad_(False)
    states = model(**batch, output_hidden_states=True).hidden_states
    return torch.stack([(state[0, 0] - state[1, 0]).norm() for state in states])


def how_cls_hears_of_b() -> str:
    batch = two_rows()
    opened = cls_apart(batch)
    batch["attention_mask"] *= 1 - batch["token_type_ids"]  # nobody may look at B
    closed = cls_apart(batch)
    for name, apart in {"all open": opened, "B closed": closed}.items():
        print(f"{name}: at the input {apart[0]:.2f} apart, after six layers {apart[-1]:.2f}")
    late = "C" if closed[-1] > 1e-3 else "AB"[int(opened[-1] > 1e-3)]
    return "D" if opened[0] > 1e-3 else late


def all_words_weigh_the_same() -> str:
    common, rare = {"the", "is", "in"}, ({"cow", "barn"}, {"pianist", "hall"})
    cosines = []
    for weight in (4.0, 1.0):  # of a rare word; a common one weighs 1
        squared_length = len(common) + len(rare[0]) * weight**2  # the same for both texts
        cosines.append((len(common) + len(rare[0] & rare[1]) * weight**2) / squared_length)
        print(f"a rare word weighs {weight:.0f}: cosine {cosines[-1]:.2f}")
    ratio = cosines[1] / cosines[0]
    return "DBCA"[sum([ratio > 0, ratio > 0.99, ratio > 1.01])]


def numbers_that_tell_the_order() -> str:
    a, b = {"the", "man", "went", "to", "town"}, {"he", "bought", "milk"}
    able = []
    for letter, number in NUMBERS.items():
        print(f"{letter}: AB {number(a, b):.2f}, BA {number(b, a):.2f}")
        if abs(number(a, b) - number(b, a)) > 1e-6:
            able.append(letter)
    return "".join(able)


def a_label_that_is_ignored() -> str:
    labels = torch.tensor([0, 0, 1, 1, 2, 2])  # 0: B follows A; 1: B precedes A; 2: another document
    head = torch.zeros(2, 3, requires_grad=True)  # a weight and a bias for each class
    for _ in range(200):
        loss = F.cross_entropy(COSINES * head[0] + head[1], labels, ignore_index=1)
        head = (head - 5 * torch.autograd.grad(loss, head)[0]).detach().requires_grad_()
    guesses = (COSINES * head[0] + head[1]).argmax(dim=1)
    print(f"labels (1 is “precedes”) {labels.tolist()}, answers {guesses.tolist()}")
    return {0: "D", 6: "A"}.get(int((guesses == 1).sum()), "CB"[int((guesses == labels).sum() > 3)])


QUESTIONS = [
    Question(
        name="how_cls_hears_of_b",
        section=0,
        text="[CLS] is the same token at the same place in every row. All the same, its last vector can"
        " tell whether text B follows text A. How does it get to know B?",
        options=(
            Wrong(
                "The pooler behind the last layer reads the vectors of all tokens.",
                "pooler_reads_all_tokens",
                "The pooler is one dense layer on the vector of [CLS] alone. What that vector knows, it"
                " has learned in the layers.",
            ),
            Right(
                "In every layer, its attention collects from the tokens of A and B.",
                "[CLS] asks as every token does, and both texts stand in its row. With B closed, it can't"
                " tell one B from another.",
            ),
            Wrong(
                "Its token type tells it what kind of text stands in second place.",
                "token_types_carry_the_text",
                "A token type is 0 or 1 and says which text a token belongs to. That of [CLS] is always 0.",
            ),
            Wrong(
                "Its first vector is the sum of the vectors of all tokens in the row.",
                "cls_begins_as_its_sentence",
                "It begins as one row of the word table plus its position and type, the same in every text.",
            ),
        ),
        shows=how_cls_hears_of_b,
        seconds=60,
        guessed=((20, 55, 15, 10), (6, 88, 3, 3)),
    ),
    Question(
        name="all_words_weigh_the_same",
        section=2,
        text="Two texts share common words such as “the”, but the rare words of each are its own."
        " Somebody gives rare words the weight of common ones. What happens to the cosine of the"
        " two bags?",
        options=(
            Right(
                "It rises, because the words they don't share count for less now.",
                "The shared part stays and the lengths shrink. So rare words must weigh more, or all texts"
                " look alike.",
            ),
            Wrong(
                "It falls, because all weights together have become smaller.",
                "cosine_is_a_dot_product",
                "A cosine is divided by the lengths, and these have fallen. What counts is the share of"
                " what both have.",
            ),
            Wrong(
                "It stays, because the words that they share weigh the same.",
                "only_shared_words_count",
                "In the sum of products only shared words stand, but the lengths by which it is divided"
                " are made of all words.",
            ),
            Wrong(
                "It becomes 0, because no rare word shows a common topic.",
                "common_words_do_not_count",
                "“the” is a word like any other to a bag, so two texts that share it have a cosine above 0.",
            ),
        ),
        shows=all_words_weigh_the_same,
        seconds=75,
        guessed=((40, 20, 30, 10), (80, 7, 10, 3)),
    ),
    Question(
        name="numbers_that_tell_the_order",
        section=3,
        text="A classifier gets a single number for a pair of texts, and has to say whether they have"
        " changed places. With which number is this possible at all?",
        options=(
            Right(
                "the number of words in A minus that in B",
                "It changes its sign when the two change places. Whether it helps is another question:"
                " only if first texts tend to be longer or shorter.",
            ),
            Wrong(
                "the cosine of their averages of word vectors",
                "better_vectors_know_the_order",
                "However good the vectors are, a cosine doesn't change when its two sides change places.",
            ),
            Wrong(
                "the share of words that A and B have in common",
                "overlap_knows_the_order",
                "What both have in common is the same for AB and BA, so both get the same answer.",
            ),
            Wrong(
                "the number of words in A and B together",
                "any_length_knows_the_order",
                "A sum has no order, so AB and BA get the same number.",
            ),
        ),
        shows=numbers_that_tell_the_order,
        seconds=75,
        guessed=((45, 35, 10, 10), (84, 10, 4, 2)),
    ),
    Question(
        name="a_label_that_is_ignored",
        section=4,
        text="A head sorts pairs into three classes: B follows A, B precedes A, or B is from another"
        " document. By mistake its loss ignores the label of “precedes”. What will the trained head"
        " answer to held-out pairs?",
        options=(
            Wrong(
                "“Precedes” to nearly all, because nothing is left to hold it back.",
                "ignored_labels_win",
                "Nothing pulls it there, either: an ignored label has no gradient, and every other pair"
                " takes from “precedes”.",
            ),
            Wrong(
                "Mostly the right class, because two labels of three are enough.",
                "half_the_labels_suffice",
                "Two labels teach two answers. No pair that counts ever asks for the third one.",
            ),
            Wrong(
                "Each class about equally often, because it is left to guess.",
                "no_loss_means_guessing",
                "The loss doesn't vanish. It goes on teaching the two classes whose labels count.",
            ),
            Right(
                "Hardly ever “precedes”, because no pair that counts asks for it.",
                "Each pair that counts has another label, and softmax takes from “precedes” what it"
                " gives to that label.",
            ),
        ),
        shows=a_label_that_is_ignored,
        seconds=60,
        guessed=((25, 15, 15, 45), (6, 6, 3, 85)),
    ),
]
