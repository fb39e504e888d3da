"""The shared sentences: how many, how varied, and whether their card tells the truth."""

import re
from collections import Counter
from pathlib import Path

import pytest
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, TfidfVectorizer

from lib.analysis.attention.parses import Link, accuracy, best_head, looks, split_words
from lib.analysis.vectors.similarity import cosine, embed
from lib.bert import BertModel, WordPieceTokenizer
from lib.text import bank, cast, library, queries, sentences


def words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+(?:'[a-z]+)?", text.lower())


def stems(text: str) -> set[str]:
    """The content words, cut to five letters so that "freeze" meets "freezing"."""
    return {word[:5] for word in words(text) if word not in ENGLISH_STOP_WORDS}


def test_library_is_360_different_sentences_of_8_to_20_words():
    texts = library()
    assert len(texts) == len({" ".join(words(text)) for text in texts}) == 360
    assert all(8 <= len(text.split()) <= 20 for text in texts)
    assert all(text.isascii() and text == " ".join(text.split()) and text.endswith(".") for text in texts)


def test_library_has_no_opening_pattern():
    openings = Counter(tuple(words(text)[:2]) for text in library())
    assert max(openings.values()) <= 3


def test_queries_share_no_content_word_with_their_answers():
    texts = library()
    assert len(queries()) == len({query.text for query in queries()}) == 12
    for query in queries():
        assert 1 <= query.line <= len(texts)
        assert stems(query.text)
        assert not stems(query.text) & stems(texts[query.line - 1]), query.text
        assert query.why.endswith("."), query.text
    assert sum(bool(query.note) for query in queries()) == 2


def test_word_overlap_puts_another_sentence_first():
    texts = library()
    vectorizer = TfidfVectorizer()
    tfidf = vectorizer.fit_transform(texts)
    for query in queries():
        asked, answer = set(words(query.text)), query.line - 1
        overlap = [len(asked & set(words(text))) / len(asked | set(words(text))) for text in texts]
        assert overlap[answer] < max(overlap), query.text
        score = (tfidf @ vectorizer.transform([query.text]).T).toarray()[:, 0]
        assert score[answer] < score.max(), query.text


@pytest.mark.slow
def test_minilm_finds_the_answers_that_the_file_says_it_finds():
    model, tokenizer = BertModel.from_pretrained("minilm"), WordPieceTokenizer.from_pretrained("minilm")
    library_vectors = embed(model, tokenizer, library())
    scores = cosine(embed(model, tokenizer, [query.text for query in queries()]), library_vectors)
    for query, score in zip(queries(), scores, strict=True):
        rank = 1 + int((score > score[query.line - 1]).sum())
        assert (rank <= 2) == (not query.note), f"{query.text}: rank {rank}"


def test_bank_has_the_word_once_in_five_sentences_of_each_sense():
    assert Counter(sense for sense, _ in bank()) == {"money": 5, "river": 5}
    assert len({text for _, text in bank()}) == 10
    assert all(words(text).count("bank") == text.count("bank") == 1 for _, text in bank())
    assert len({words(text).index("bank") for _, text in bank()}) >= 5
    assert bank()[:2] == [("money", cast()[2]), ("river", cast()[3])]


def test_objects_stand_at_many_distances_from_their_verbs():
    rows = sentences.objects()
    assert len(rows) == len({row.sentence for row in rows}) == 108
    distances: Counter[int] = Counter()
    for row in rows:
        found = split_words(row.sentence)
        assert found.count(row.verb) == found.count(row.object) == 1, row.sentence
        assert row.sentence[0].isupper() and row.sentence[-1] in ".?!" and row.sentence.isascii()
        distances[found.index(row.object) - found.index(row.verb)] += 1
    assert max(distances.values()) < 0.3 * len(rows)  # what a fixed offset can get
    assert sum(count for distance, count in distances.items() if distance < 0) == 8
    assert min(distances) == -4 and max(distances) == 8


def test_the_head_for_objects_finds_as_many_as_the_card_says():
    model, tokenizer = BertModel.from_pretrained("minilm"), WordPieceTokenizer.from_pretrained("minilm")
    words = [split_words(row.sentence) for row in sentences.objects()]
    links = [
        [Link(its.index(row.object), its.index(row.verb))]
        for its, row in zip(words, sentences.objects(), strict=True)
    ]
    scores = accuracy(looks(model, tokenizer, words), links)
    assert best_head(scores) == (2, 0)
    assert scores[2, 0] == pytest.approx(66 / 108)


def test_cast_is_lower_case_with_its_masks():
    assert len(set(cast())) == 6
    assert [text.count("[MASK]") for text in cast()] == [1, 1, 0, 0, 1, 0]
    assert all(text.replace("[MASK]", "").islower() for text in cast())


def test_a_missing_file_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setattr(sentences, "FOLDER", tmp_path)
    with pytest.raises(ValueError, match=r"There is no .*bank\.tsv: restore"):
        bank()


def test_a_cloze_has_one_blank_and_an_answer_of_one_piece():
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    rows = sentences.cloze()
    assert len(rows) == len({row.sentence for row in rows}) == 10
    for row in rows:
        assert row.sentence.count("[MASK]") == 1 and row.sentence.endswith(".")
        for word in (row.answer, *row.also):
            assert tokenizer.tokenize(word) == [word] and row.accepts(f" {word.capitalize()}")
            assert word not in words(row.sentence)
        assert not row.accepts("")
