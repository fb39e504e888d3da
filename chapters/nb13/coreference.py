"""Who is meant? Heads read as finders of the earlier mention (Clark et al., 2019, section 4.3).

A mention is a phrase that names somebody or something; a chain, all mentions of the same one. Each mention is
represented by its head word. Sizes in the comments: W words, N mentions to resolve, L layers, H heads, M maps
(2 ways, L layers, H heads).
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from chapters.nb13.probes import score_best_map
from lib.analysis.attention.parses import maps_of, split_words
from lib.bert import BertModel, WordPieceTokenizer

MARKED = re.compile(r"\[([^\]|]+)\|(\w+)\]")
SINGULAR = ("he", "him", "his", "himself", "she", "her", "hers", "herself", "it", "its", "itself")
PRONOUNS = frozenset([*SINGULAR, "they", "them", "their", "theirs", "themselves"])
# Who agrees with whom in `data/sentences/mentions.txt`: head words by the pronouns that may stand for them,
# as a reader knows it from the words alone. A driver may be he or she, a dog it as well.
AGREEING = {
    "he": "he him his himself uncle peter boy king tom jack david henry brother",
    "she": "she her hers herself anna maria woman wife clara lady grandmother allen lucy sister girl",
    "it": "it its itself book tree brigade boat train window wallet bus drawer market box room lamp storm"
    " bridge roof mill town water factory city garden wall ladder hat snowman yard audience song moon lake"
    " parcel hill village shop company",
    "they": "they them their theirs themselves cows daughters letters children words fishermen lamps sheep",
    "he she": "driver farmer teacher neighbor nurse patient pilot judge witness singer cousin baker youngest"
    " owner shepherd",
    "he she it": "dog cat fox parrot wolf",
}
KINDS = {word: frozenset(kinds.split()) for kinds, words in AGREEING.items() for word in words.split()}


class MentionHead(NamedTuple):
    """The place of a mention's head word, from 0, and the chain it belongs to."""

    head: int
    chain: str


class Passage(NamedTuple):
    """A text as words, with its mentions in the order of their head words."""

    words: list[str]
    mentions: list[MentionHead]


class Question(NamedTuple):
    """A mention with earlier ones at two places or more, of which `right` are in its chain, but not all."""

    place: int
    earlier: list[int]  # places of the head words of the earlier mentions, each once
    right: frozenset[int]


def read_marked(text: str) -> Passage:
    """`[Anna|a] lost [her|a] key` as a passage: a mention with its chain; the last word is its head."""
    words: list[str] = []
    mentions = []
    end = 0
    for mark in MARKED.finditer(text):
        words += split_words(text[end : mark.start()])
        words += split_words(mark[1])
        mentions.append(MentionHead(len(words) - 1, mark[2]))
        end = mark.end()
    return Passage(words + split_words(text[end:]), mentions)


def questions(passage: Passage) -> list[Question]:
    """Every mention that has an earlier one of its chain and one of another to be mistaken for."""
    answerable = []
    for mention in passage.mentions:
        before = [other for other in passage.mentions if other.head < mention.head]
        earlier = sorted({other.head for other in before})  # "Anna", and "Anna and Ben", have the same head
        right = frozenset(other.head for other in before if other.chain == mention.chain)
        if right and len(right) < len(earlier):
            answerable.append(Question(mention.head, earlier, right))
    return answerable


def asked(passages: Sequence[Passage]) -> list[tuple[Passage, Question]]:
    """All questions of some passages, in their order, each with its passage."""
    return [(passage, question) for passage in passages for question in questions(passage)]


def is_pronoun(passage: Passage, question: Question) -> bool:
    """Whether the mention to resolve is a pronoun, such as "her"."""
    return passage.words[question.place].lower() in PRONOUNS


def hits(model: BertModel, tokenizer: WordPieceTokenizer, passages: Sequence[Passage]) -> Tensor:
    """[N, M]: true where the earlier mention that gets most weight is one of the right ones.

    Maps are in the order of [2, L, H]: 0, the mention looks back; 1, the earlier one looks at the mention.
    """
    rows: dict[int, list[Tensor]] = {}
    for number, maps in maps_of(model, tokenizer, [passage.words for passage in passages]):
        ways = torch.stack([maps, maps.mT])  # [2, L, H, W, W]
        rows[number] = [
            torch.tensor([place in question.right for place in question.earlier])[
                ways[..., question.place, question.earlier].argmax(-1)
            ].flatten()
            for question in questions(passages[number])
        ]
    return torch.stack([row for number in range(len(passages)) for row in rows[number]])


def answer(
    model: BertModel, tokenizer: WordPieceTokenizer, passages: Sequence[Passage]
) -> tuple[tuple[int, int], Tensor]:
    """Every question put to the best map of the other half of the passages, so that none chooses its judge.

    Every second passage is the second half. Returned are the maps chosen on the first and on the second half,
    in the order of `hits`; and [N]: whether each question of `asked(passages)` was answered rightly.
    """
    is_hit = hits(model, tokenizer, passages)  # [N, M]
    numbers = [number for number, passage in enumerate(passages) for _ in questions(passage)]
    later = torch.tensor(numbers) % 2 > 0
    first, _ = score_best_map(is_hit[~later], is_hit[later])
    second, _ = score_best_map(is_hit[later], is_hit[~later])
    return (first, second), torch.where(later, is_hit[:, first], is_hit[:, second])


def nearest(passage: Passage, question: Question) -> bool:
    """Whether the rule "the mention just before" is right."""
    return max(question.earlier) in question.right


def same_word(passage: Passage, question: Question) -> bool:
    """Whether the rule "the last mention with the same head word, otherwise the one just before" is right."""
    word = passage.words[question.place].lower()
    same = [place for place in question.earlier if passage.words[place].lower() == word]
    return max(same or question.earlier) in question.right


def agreeing(passage: Passage, question: Question) -> bool:
    """Whether a rule that is told gender and number (`AGREEING`) is right.

    For a pronoun: "the last mention that agrees with it, otherwise the one just before"; for other mentions
    it is `same_word`.
    """
    if not is_pronoun(passage, question):
        return same_word(passage, question)
    kinds = _kinds_of(passage, question.place)
    fitting = [place for place in question.earlier if kinds & _kinds_of(passage, place)]
    return max(fitting or question.earlier) in question.right


def _kinds_of(passage: Passage, place: int) -> frozenset[str]:
    """The pronouns that may stand for a word: all four of a word that `AGREEING` does not have."""
    return KINDS.get(passage.words[place].lower(), frozenset(["he", "she", "it", "they"]))
