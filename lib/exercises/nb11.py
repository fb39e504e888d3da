"""The exercises of notebook 11, sentence objectives."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from lib.exercises.exercise import Exercise, Mistake, Unfit
from lib.experiments import joint_loss
from lib.text import pair_tasks, sentence_pairs

NOTEBOOK = "11_sentence_objectives"


# --- order_accuracy -------------------------------------------------------------------------------

ORDER = Exercise(
    name="order_accuracy",
    notebook=NOTEBOOK,
    kind="predict",
    reference=0.5,
    tolerance=0.001,
    form="An answer is a share between 0 and 1, such as 0.8.",
    mistakes=[
        Mistake(
            "as_good_as_the_first",
            "That would be about as good as on the first task. But both texts are of one document now,"
            " whichever comes first: what can the number still tell?",
            lambda answer: 0.75 <= answer <= 1,
            example=0.9,
        ),
        Mistake(
            "a_little",
            "You think that it learns a little. Take one pair and write down its number for AB, then for BA."
            " What does the classifier say to each?",
            lambda answer: 0.5 < answer < 0.75,
            example=0.6,
        ),
        Mistake(
            "worse_than_chance",
            "That is worse than a coin, and whoever is reliably wrong knows something. This classifier gives"
            " AB and BA the same label: how many of the two are right?",
            lambda answer: 0 <= answer < 0.5,
            example=0.25,
        ),
    ],
    hints=(
        "The number is the cosine of two bags. Swap the bags: does it change?",
        "AB and BA have the same number, so they get the same label. Their right labels are 0 and 1.",
        "Of each two, one is right: 1 / 2.",
    ),
    why="AB and BA get the same label, so one of the two is right, however the classifier was trained.",
)


# --- three_way ------------------------------------------------------------------------------------

DRAWS = 600
FIRST, SECOND = ["He locked up.", "It was late."], ["He slept.", "He woke.", "He ate."]


def _cases_of_texts(seed: int) -> Iterator[tuple[list[str], list[str]]]:
    yield FIRST, SECOND


def _draw_many(candidate: Any, first: list[str], second: list[str]) -> dict[str, str]:
    """What the candidate pairs under each label, and whether the labels are about as frequent."""
    rng = np.random.default_rng(0)
    made: dict[str, set[str]] = defaultdict(set)
    counts: Counter[str] = Counter()
    names = {"A": first, "B": second}
    for _ in range(DRAWS):
        one, two = list(first), list(second)
        result = candidate(one, two, lambda size: [f"other {n}" for n in range(size)], rng)
        if (one, two) != (first, second):
            raise Unfit("It changes the texts that it was given, which others may still need.")
        if not isinstance(result, tuple) or len(result) != 3:
            raise Unfit(
                "It should return three things: the first text, the second text and the label, as in"
                " `return first, second, 0`."
            )
        label = f"label {result[2]}"
        counts[label] += 1
        made[label].add(" then ".join(_name(text, names) for text in result[:2]))
    shares = [count / DRAWS for count in counts.values()]
    even = max(shares) - min(shares) < 0.15 and len(counts) == 3  # five standard errors and more
    labels = {label: " or ".join(sorted(made[label])) for label in sorted(made)}
    return labels | {"how often": "a third each" if even else _in_words(counts)}


def _name(text: Any, names: dict[str, list[str]]) -> str:
    """A text in a word or two."""
    if isinstance(text, list):
        for name, own in names.items():
            if text == own:
                return name
        if text and all(str(sentence).startswith("other") for sentence in text):
            return f"{len(text)} sentences of another document"
    return repr(text)


def _in_words(counts: Counter[str]) -> str:
    """Shares in quarters, so that two answers that draw otherwise are called the same."""
    return ", ".join(f"{label}: about {round(4 * counts[label] / DRAWS)}/4" for label in sorted(counts))


def _three(*cases: Callable[[Any, Any, Any], tuple[Any, Any, int]]) -> Callable[..., Any]:
    """A wrong version: one of these cases, each as likely."""

    def wrong(first: Any, second: Any, other: Any, rng: np.random.Generator) -> Any:
        return cases[int(rng.integers(len(cases)))](first, second, other)

    return wrong


def _follows(a: Any, b: Any, other: Any) -> Any:
    return a, b, 0


def _precedes(a: Any, b: Any, other: Any) -> Any:
    return b, a, 1


def _elsewhere(a: Any, b: Any, other: Any) -> Any:
    return a, other(len(b)), 2


def _coin_after_coin(first: Any, second: Any, other: Any, rng: np.random.Generator) -> Any:
    if rng.random() < 0.5:
        return first, second, 0
    if rng.random() < 0.5:
        return second, first, 1
    return first, other(len(second)), 2


def _two_draws(first: Any, second: Any, other: Any, rng: np.random.Generator) -> Any:
    if rng.random() < 1 / 3:
        return first, second, 0
    if rng.random() < 1 / 3:
        return second, first, 1
    return first, other(len(second)), 2


THREE = Exercise(
    name="three_way",
    notebook=NOTEBOOK,
    reference=pair_tasks.three_way,
    cases=_cases_of_texts,
    run=_draw_many,
    gradients=False,
    mistakes=[
        Mistake(
            "upside_down",
            "Your 1 is the pair that follows, as is_next = True would be. BERT counts the other way: 0 is the"
            " pair as it stands in the text, and everything above 0 is wrong with it.",
            _three(lambda a, b, o: (a, b, 1), lambda a, b, o: (b, a, 0), _elsewhere),
        ),
        Mistake(
            "one_and_two_exchanged",
            "1 and 2 have changed places: 1 is the same two texts the other way round, 2 is text from another"
            " document.",
            _three(_follows, lambda a, b, o: (b, a, 2), lambda a, b, o: (a, o(len(b)), 1)),
        ),
        Mistake(
            "not_swapped",
            "Your label 1 has the texts in their old order, so 0 and 1 cannot be told apart. B comes first"
            " there: return second, first, 1.",
            _three(_follows, lambda a, b, o: (a, b, 1), _elsewhere),
        ),
        Mistake(
            "both_from_elsewhere",
            "For label 2 only the second text comes from another document. Yours replaces both, and these"
            " two may even follow each other.",
            _three(_follows, _precedes, lambda a, b, o: (o(len(a)), o(len(b)), 2)),
        ),
        Mistake(
            "first_from_elsewhere",
            "For label 2 you replace the first text. It stays; the second is replaced.",
            _three(_follows, _precedes, lambda a, b, o: (o(len(a)), b, 2)),
        ),
        Mistake(
            "as_long_as_the_first",
            "The text from elsewhere is as long as the first, and stands where the second stood. Then its"
            " length alone tells label 2 from label 0: ask for other(len(second)).",
            _three(_follows, _precedes, lambda a, b, o: (a, o(len(a)), 2)),
        ),
        Mistake(
            "one_sentence_from_elsewhere",
            "You ask for one sentence from elsewhere, whatever the second text had. Short would then mean"
            " label 2: ask for other(len(second)).",
            _three(_follows, _precedes, lambda a, b, o: (a, o(1), 2)),
        ),
        Mistake(
            "same_document",
            "Your label 2 is made of the same two texts. Nothing in it comes from another document: other(n)"
            " gives you n sentences of one.",
            _three(_follows, _precedes, lambda a, b, o: (a, b, 2)),
        ),
        Mistake(
            "only_swapped",
            "There is no label 2 yet: these are the two cases of sentence order. A third of all pairs has"
            " text from another document.",
            _three(_follows, _precedes),
        ),
        Mistake(
            "only_next",
            "These are the two cases of next sentence. There is a third: B before A.",
            _three(_follows, _elsewhere),
        ),
        Mistake(
            "coin_after_coin",
            "Half of your pairs have label 0: you toss a coin, and then a second one. Draw once from three,"
            " with rng.integers(3).",
            _coin_after_coin,
        ),
        Mistake(
            "a_second_draw",
            "The second draw is made only where the first said no, so a third of it is less than a third of"
            " all. Draw one number, and compare it twice.",
            _two_draws,
        ),
        Mistake(
            "counted_from_one",
            "Your labels are 1, 2 and 3. Classes are counted from 0.",
            _three(lambda a, b, o: (a, b, 1), lambda a, b, o: (b, a, 2), lambda a, b, o: (a, o(len(b)), 3)),
        ),
    ],
    hints=(
        "One draw decides between three cases. Two need no other text than the two given.",
        "rng.integers(3) is 0, 1 or 2, each as often; it can be the label itself. other(n) is a list of n"
        " sentences.",
        "Label 2 is first, other(len(second)), 2; the two others are built of first and second alone.",
    ),
    why="0 and 1 hold the same words, so a bag cannot part them; 2 differs in its topic.",
    box="nsp_head",
)


# --- pretraining_loss -----------------------------------------------------------------------------


def _cases_of_logits(seed: int) -> Iterator[tuple[Tensor, Tensor, Tensor, Tensor]]:
    generator = torch.Generator().manual_seed(seed)
    for batch, length, vocab in [(4, 3, 5), (6, 4, 7), (3, 5, 4)]:
        labels = torch.randint(1, vocab, (batch, length), generator=generator)
        hidden = torch.rand(batch, length, generator=generator) < 0.4
        hidden[0, 0], hidden[0, 1] = True, False
        pair_labels = torch.randint(2, (batch,), generator=generator)
        pair_labels[:2] = torch.tensor([0, 1])
        yield (
            torch.randn(batch, length, vocab, generator=generator),
            labels * hidden,
            torch.randn(batch, 2, generator=generator),
            pair_labels,
        )


def _sum_of(
    words: Callable[[Tensor, Tensor], Tensor], pair: Callable[[Tensor, Tensor], Tensor]
) -> Callable[..., Tensor]:
    """A wrong version: what it makes of the words (flattened), and what of the pairs."""

    def wrong(prediction_logits: Any, labels: Any, pair_logits: Any, pair_labels: Any) -> Tensor:
        return words(prediction_logits.flatten(0, 1), labels.flatten()) + pair(pair_logits, pair_labels)

    return wrong


def _hidden(logits: Tensor, labels: Tensor) -> Tensor:
    return F.cross_entropy(logits, labels, ignore_index=0)


def _nothing(logits: Tensor, labels: Tensor) -> Tensor:
    return torch.zeros(())


def _only_next_counts(logits: Tensor, labels: Tensor) -> Tensor:
    return F.cross_entropy(logits, labels, ignore_index=1)


def _sums(prediction_logits: Any, labels: Any, pair_logits: Any, pair_labels: Any) -> Tensor:
    words = F.cross_entropy(
        prediction_logits.flatten(0, 1), labels.flatten(), ignore_index=0, reduction="sum"
    )
    return words + F.cross_entropy(pair_logits, pair_labels, reduction="sum")


def _half(prediction_logits: Any, labels: Any, pair_logits: Any, pair_labels: Any) -> Tensor:
    return joint_loss.pretraining_loss(prediction_logits, labels, pair_logits, pair_labels) / 2


def _over_every_place(logits: Tensor, labels: Tensor) -> Tensor:
    return F.cross_entropy(logits, labels, ignore_index=0, reduction="sum") / len(labels)


LOSS = Exercise(
    name="pretraining_loss",
    notebook=NOTEBOOK,
    kind="bug",
    reference=joint_loss.pretraining_loss,
    cases=_cases_of_logits,
    mistakes=[
        Mistake(
            "the_draft",
            "That is the draft unchanged. Look at what is left out of each of the two losses. Is 0 a label of"
            " pairs that may be left out?",
            _sum_of(_hidden, _hidden),
        ),
        Mistake(
            "nothing_ignored",
            "The pairs are right now. But the words lost what they needed: places where nothing is hidden"
            " have label 0 and have to be left out, or the model learns to say [PAD].",
            _sum_of(F.cross_entropy, F.cross_entropy),
        ),
        Mistake(
            "exchanged",
            "Now it is the wrong way round: 0 is left out of the pairs, where it is a class, and counted for"
            " the words, where it stands for nothing.",
            _sum_of(F.cross_entropy, _hidden),
        ),
        Mistake(
            "the_other_class_ignored",
            "You leave out the pairs of class 1 instead of those of class 0, and the model will always"
            " answer 0. Both classes count.",
            _sum_of(_hidden, _only_next_counts),
        ),
        Mistake(
            "words_only",
            "The pairs do not count any more, so their head learns nothing. The loss is a sum of two.",
            _sum_of(_hidden, _nothing),
        ),
        Mistake(
            "pairs_only",
            "The words do not count any more. The loss is a sum of two; only the second was wrong.",
            _sum_of(_nothing, F.cross_entropy),
        ),
        Mistake(
            "halved",
            "You take the mean of both losses. BERT adds them: it is the draft's sum that is right.",
            _half,
        ),
        Mistake(
            "summed",
            "You sum over hidden words and over pairs, so the loss grows with the batch. Each is a mean.",
            _sums,
        ),
        Mistake(
            "over_every_place",
            "The pairs are right now. The words are a mean over the hidden ones, and yours divides by all"
            " places.",
            _sum_of(_over_every_place, F.cross_entropy),
        ),
    ],
    hints=(
        "What does the number 0 mean among the labels of words, and what among the labels of pairs?",
        "Word labels [B, T] have 0 where nothing is hidden. Pair labels [B] have 0 for half of the pairs.",
        "The second term is nn.functional.cross_entropy(pair_logits, pair_labels), and nothing is ignored.",
    ),
    why="With class 0 left out, always answering 1 costs nothing: a loss of zero, half of the pairs right.",
)


# --- from_another ---------------------------------------------------------------------------------


def _cases_of_documents(seed: int) -> Iterator[tuple[list[list[str]], int, int]]:
    documents = [[f"{number}.{place}" for place in range(length)] for number, length in enumerate((6, 8, 7))]
    yield documents, 0, 3
    yield documents, 2, 4
    yield documents, 1, 1


def _draw_texts(candidate: Any, documents: list[list[str]], own: int, size: int) -> dict[str, Any]:
    """What many draws have in common: `size` sentences, of which documents, in a row, from where."""
    rng = np.random.default_rng(0)
    sizes, sources, starts, in_a_row = set(), set(), set(), True
    for _ in range(DRAWS):
        text = candidate(documents, own, size, rng)
        if not isinstance(text, (list, tuple)) or not all(isinstance(one, str) for one in text):
            raise Unfit("It should return a list of sentences.")
        places = [tuple(map(int, sentence.split("."))) for sentence in text]
        sizes.add(len(text))
        sources |= {document for document, _ in places}
        starts |= set(places[:1])
        in_a_row &= all(two == (one[0], one[1] + 1) for one, two in pairwise(places))
    return {
        "sentences in a text": sorted(sizes),
        "from the documents": sorted(sources),
        "in a row": in_a_row,
        "places where texts begin": len(starts),
    }


def _draft(documents: Sequence[list[str]], own: int, size: int, rng: np.random.Generator) -> list[str]:
    document = documents[int(rng.integers(len(documents)))]
    return [document[int(rng.integers(len(document)))]]


def _others(documents: Sequence[list[str]], own: int) -> list[list[str]]:
    return [document for number, document in enumerate(documents) if number != own]


def _one_sentence(documents: Any, own: int, size: int, rng: np.random.Generator) -> list[str]:
    return _draft(_others(documents, own), own, size, rng)


def _own_too(documents: Any, own: int, size: int, rng: np.random.Generator) -> list[str]:
    return sentence_pairs.from_another([[], *documents], 0, size, rng)


def _from_the_start(documents: Any, own: int, size: int, rng: np.random.Generator) -> list[str]:
    others = _others(documents, own)
    return others[rng.integers(len(others))][:size]


def _cut_at_the_end(documents: Any, own: int, size: int, rng: np.random.Generator) -> list[str]:
    document = _others(documents, own)[rng.integers(len(documents) - 1)]
    start = int(rng.integers(len(document)))
    return document[start : start + size]


def _scattered(documents: Any, own: int, size: int, rng: np.random.Generator) -> list[str]:
    document = _others(documents, own)[rng.integers(len(documents) - 1)]
    return [document[n] for n in rng.integers(len(document), size=size)]


def _last_never(documents: Any, own: int, size: int, rng: np.random.Generator) -> list[str]:
    document = _others(documents, own)[rng.integers(len(documents) - 1)]
    start = int(rng.integers(max(1, len(document) - size)))
    return document[start : start + size]


ANOTHER = Exercise(
    name="from_another",
    notebook=NOTEBOOK,
    kind="bug",
    reference=sentence_pairs.from_another,
    cases=_cases_of_documents,
    run=_draw_texts,
    gradients=False,
    mistakes=[
        Mistake(
            "the_draft",
            "That is the draft unchanged. It has two faults: how long is its text, and can it be of the"
            " document that it must not be of?",
            _draft,
        ),
        Mistake(
            "one_sentence",
            "It keeps out of its own document now. But it still returns one sentence, whatever `size` says.",
            _one_sentence,
        ),
        Mistake(
            "own_document",
            "The length is right now. But sometimes the text is of document `own` itself, under a label that"
            " says it is not.",
            _own_too,
        ),
        Mistake(
            "from_the_start",
            "All your texts begin where their document does, and beginnings are recognizable: new names,"
            ' no "he" yet. Draw the place too.',
            _from_the_start,
        ),
        Mistake(
            "cut_at_the_end",
            "Near the end of a document your text runs out of sentences and is shorter than `size`, and short"
            " means label 1 again. Draw a start from which `size` sentences are left.",
            _cut_at_the_end,
        ),
        Mistake(
            "scattered",
            "Your sentences are drawn one by one. Text that follows stands in a row, so this must, too, or"
            " incoherence gives it away.",
            _scattered,
        ),
        Mistake(
            "never_the_last",
            "The last sentence of a document never comes up: there are len(document) - size + 1 places to"
            " start from.",
            _last_never,
        ),
    ],
    hints=(
        "Everything that is drawn has to look like the text that it stands for: as long, in a row, from"
        " anywhere. And it must be of another document.",
        "There are len(documents) - 1 other documents, and len(document) - size + 1 places to start from.",
        "start = rng.integers(len(document) - size + 1); return document[start : start + size]",
    ),
    why="As long, in a row, from anywhere: nothing but what it says is left to tell it by.",
)

EXERCISES = [ORDER, THREE, LOSS, ANOTHER]
