"""Learning a vocabulary: against a slow and plain version, and against the library's trainer."""

import json
import math
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st

from lib import text
from lib.bert.vocabulary import (
    Merge,
    Rule,
    count_words,
    frequency,
    learn_from_above,
    learn_vocabulary,
    likelihood_gain,
    likelihood_ratio,
    merge_pair,
    merges,
    not_merged,
)
from lib.bert.wordpiece import WordPieceTokenizer, wordpiece

RULES = [frequency, likelihood_ratio, likelihood_gain]
WORDS = count_words(text.library())
SPECIAL = list(WordPieceTokenizer.all_special_tokens)


class Plain:
    """Words as pieces, counted afresh after every merge."""

    def __init__(self, words: dict[str, int]) -> None:
        self.words = [([word[0], *(f"##{c}" for c in word[1:])], times) for word, times in words.items()]

    def pairs(self) -> Counter[tuple[str, str]]:
        return Counter(pair for pieces, times in self.words for pair in list(pairwise(pieces)) * times)

    def pieces(self) -> Counter[str]:
        return Counter(piece for pieces, times in self.words for piece in pieces * times)

    def merge(self, first: str, second: str) -> None:
        self.words = [(merge_pair(pieces, first, second), times) for pieces, times in self.words]

    def best(self, rule: Rule, min_count: int) -> Merge | None:
        pieces, pairs = self.pieces(), self.pairs()
        candidates = [
            Merge(*pair, often, rule(often, pieces[pair[0]], pieces[pair[1]], pieces.total()))
            for pair, often in pairs.items()
            if often >= min_count
        ]
        return min(candidates, key=lambda m: (-m.score, -m.times, m.first, m.second), default=None)


words_and_counts = st.dictionaries(st.text("abc", min_size=1, max_size=7), st.integers(1, 5), max_size=6)


@settings(max_examples=150, deadline=None)
@given(words_and_counts, st.sampled_from(RULES), st.integers(1, 3))
def test_merges_are_the_best_of_each_moment(words: dict[str, int], rule: Rule, min_count: int) -> None:
    plain = Plain(words)
    for merge in merges(words, rule, min_count):
        assert merge == plain.best(rule, min_count)
        plain.merge(merge.first, merge.second)
    assert plain.best(rule, min_count) is None


def test_the_librarys_trainer_merges_by_frequency() -> None:
    """With its WordPiece trainer too, which hands the work to this one; ties it breaks in any order."""
    lines = [line.lower() for line in text.library()]
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(continuing_subword_prefix="##"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=400, continuing_subword_prefix="##", show_progress=False
    )
    tokenizer.train_from_iterator(lines, trainer)
    plain = Plain(WORDS)
    theirs = json.loads(tokenizer.to_str())["model"]["merges"]
    for first, second in theirs:
        pairs = plain.pairs()
        assert pairs[first, second] == max(pairs.values())
        plain.merge(first, second)
    assert len(theirs) > 300


def test_without_ties_ours_is_the_vocabulary_of_the_librarys_wordpiece_trainer() -> None:
    words = {"ki": 90, "kid": 400, "kids": 200, "king": 37, "si": 21, "sin": 11, "sing": 55}
    counts = [merge.times for merge in merges(words, frequency)]
    assert len(set(counts)) == len(counts)
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordPiece(unk_token="[UNK]"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    trainer = tokenizers.trainers.WordPieceTrainer(vocab_size=100, show_progress=False)
    tokenizer.train_from_iterator([word for word, times in words.items() for _ in range(times)], trainer)
    theirs = tokenizer.get_vocab()
    pieces = [merge.piece for merge in merges(words, frequency)]
    assert sorted(theirs, key=theirs.__getitem__)[-len(pieces) :] == pieces
    assert set(theirs) <= set(learn_vocabulary(words, 100, frequency))


@pytest.mark.parametrize("rule", RULES)
def test_a_smaller_vocabulary_is_the_beginning_of_a_larger_one(rule: Rule) -> None:
    large = learn_vocabulary(WORDS, 500, rule)
    assert len(large) == len(set(large)) == 500
    assert large[:5] == SPECIAL
    assert learn_vocabulary(WORDS, 200, rule) == large[:200]
    assert learn_vocabulary(dict(reversed(WORDS.items())), 200, rule) == large[:200]


def test_every_word_of_known_characters_can_be_cut() -> None:
    vocab = set(learn_vocabulary({"ab": 2, "c": 1}, 12))
    assert wordpiece("bcab", vocab) == ["b", "##c", "##a", "##b"]
    assert wordpiece("ab", vocab) == ["ab"]
    assert wordpiece("abd", vocab) == ["[UNK]"]


def test_the_pairs_may_give_out() -> None:
    words = {"abab": 3, "xyz": 1}
    assert not set(learn_vocabulary(words, 1000, min_count=2)) & {"xyz", "xy", "##yz"}
    assert list(merges({}, frequency)) == []
    assert list(merges({"a": 5}, frequency)) == []


def test_from_above_whole_words_come_first_and_their_beginnings_do_not() -> None:
    words = {"the": 10, "then": 4, "thinner": 3, "thicker": 3}
    #: "thi" occurs six times, as the beginning of two words that are not frequent enough to be whole
    learned = learn_from_above(words, min_count=4)
    characters = sorted(set("".join(words)))
    marked = [f"##{c}" for c in characters]
    assert learned[:5] == SPECIAL
    assert learned[5 : 5 + len(characters)] == characters
    rest = learned[5 + len(characters) :]
    assert rest[0] == "the"
    assert {"then", "thi"} <= set(rest)
    assert not {"th", "##he", "thin", "thinner"} & set(rest)
    assert set(marked) <= set(rest)


@pytest.mark.parametrize("min_count", [2, 10, 100_000])
def test_from_above_the_list_can_cut_every_word_and_loads(min_count: int, tmp_path: Path) -> None:
    learned = learn_from_above(WORDS, min_count)
    assert len(learned) == len(set(learned))
    assert learn_from_above(dict(reversed(WORDS.items())), min_count) == learned
    tokenizer = WordPieceTokenizer(learned)
    assert all("[UNK]" not in tokenizer.tokenize(word) for word in WORDS)
    assert all(word in tokenizer.vocab for word, times in WORDS.items() if times >= min_count)


@pytest.mark.parametrize("rule", RULES)
def test_what_was_merged_is_two_pieces(rule: Rule) -> None:
    assert not_merged(learn_vocabulary(WORDS, 500, rule)) == []


def test_what_was_not_merged_is_found() -> None:
    assert not_merged(["[MASK]", "t", "##h", "th", "the", "##he", "##e"]) == []
    assert not_merged(["[MASK]", "t", "##h", "##e", "the", "##he", "[", "[a"]) == ["[a"]
    assert not_merged(["the", "##her", "##h", "##e", "##r", "t"]) == ["the", "##her"]


def test_words_are_those_of_the_tokenizer() -> None:
    lines = ["She opened a bank-account!", "ÉTÉ  été\n", "中文 don't", "", " "]
    expected: Counter[str] = Counter()
    for line in lines:
        normalized = tokenizers.normalizers.BertNormalizer().normalize_str(line)
        expected.update(
            word for word, _ in tokenizers.pre_tokenizers.BertPreTokenizer().pre_tokenize_str(normalized)
        )
    assert count_words(lines) == expected
    assert count_words(lines)["ete"] == 2


def test_rules_on_numbers_to_check_by_hand() -> None:
    assert frequency(6, 8, 12, 40) == 6
    assert likelihood_ratio(6, 8, 12, 40) == 2.5

    def log_likelihood(*counts: int) -> float:
        return sum(count * math.log(count / sum(counts)) for count in counts)

    # Of 40 pieces 8 and 12 may pair: 2 and 6 are left, and 6 pairs, among 34.
    gain = log_likelihood(2, 6, 6, 20) - log_likelihood(8, 12, 20)
    assert likelihood_gain(6, 8, 12, 40) == pytest.approx(gain)
    always_together = log_likelihood(5, 20) - log_likelihood(5, 5, 20)
    assert likelihood_gain(5, 5, 5, 30) == pytest.approx(always_together)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: learn_vocabulary({"ab": 1}, 8), "2 characters .* take 9 places, and size is 8: enlarge"),
        (lambda: learn_vocabulary({}, 100), "no words to learn from"),
        (lambda: learn_from_above({}, 1), "no words to learn from"),
    ],
)
def test_what_cannot_be_learned(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
