"""Skip-gram and CBOW with negative sampling, and the word vectors that the course keeps."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from functools import partial
from pathlib import Path

import pytest
import torch
import typer
from tqdm import tqdm
from typer.testing import CliRunner

from chapters.nb03 import word2vec
from chapters.nb03.word2vec import BREAK, Settings, Word2Vec
from lib.analysis.vectors import similarity
from lib.bert import WordPieceTokenizer
from lib.text import (
    Analogy,
    WordVectors,
    analogies,
    answer_analogies,
    bank,
    cast,
    nearest_to_third,
    score_analogies,
    senses,
    vectors,
)
from lib.text.vectors import FOLDER, save
from lib.text.words import lowercase_words
from studies import word_vectors

LEFT, RIGHT = ["red", "green", "blue"], ["cat", "dog", "bird"]


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


# --- from text to examples ------------------------------------------------------------------------


def test_words_are_lowercase_letters_with_an_apostrophe_inside() -> None:
    found = lowercase_words("Don't say 'Élan', Teddy: 42 x_y's!")
    assert found == ["don't", "say", "élan", "teddy", "x", "y's"]


def test_the_most_frequent_words_come_first_and_rare_ones_not_at_all() -> None:
    documents = [["a a a b", "b c"], ["a b c c c d"]]
    counts = word2vec.frequent_words(documents, most=10, min_count=2)
    assert list(counts.items()) == [("a", 4), ("c", 4), ("b", 3)]
    assert list(word2vec.frequent_words(documents, most=1, min_count=1)) == ["a"]


def test_ids_leave_out_what_is_not_listed_and_mark_where_a_paragraph_ends() -> None:
    ids = word2vec.ids_of([["a b x", "b"], ["a"]], ["a", "b"])
    assert ids.tolist() == [0, 1, BREAK, 1, BREAK, 0, BREAK]


def test_frequent_words_are_thinned_by_the_root_of_their_share() -> None:
    counts = torch.tensor([9_000, 990, 10])
    ids = torch.cat([torch.arange(3).repeat_interleave(counts), torch.full((50,), BREAK)])
    kept = word2vec.thinned(ids, counts, 0.01, generator())
    left = Counter(kept.tolist())
    assert left[BREAK] == 50 and left[2] == 10  # a word rarer than the threshold is kept
    for word, count in ((0, 9_000), (1, 990)):
        expected = count * math.sqrt(0.01 / (count / 10_000))
        assert abs(left[word] - expected) < 4 * math.sqrt(expected)


def by_hand(ids: list[int], window: int) -> set[tuple[int, int]]:
    """Pairs of places whose words are neighbors."""
    return {
        (one, other)
        for one, other in itertools.permutations(range(len(ids)), 2)
        if abs(one - other) <= window and BREAK not in ids[min(one, other) : max(one, other) + 1]
    }


@pytest.mark.parametrize("window", [1, 2, 4])
def test_neighbors_are_those_within_reach_and_never_across_a_break(window: int) -> None:
    ids = [0, 1, 2, BREAK, 3, 4, 5, 6, 7, BREAK, BREAK, 8, BREAK, 9, 10]  # each word once: place and word
    place = {word: number for number, word in enumerate(ids) if word != BREAK}
    seen = set()
    for seed in range(40):
        around = word2vec.neighbors(torch.tensor(ids), window, generator(seed))
        assert around.shape == (len(ids), 2 * window)
        found = {
            (here, place[word]) for here, row in enumerate(around.tolist()) for word in row if word != BREAK
        }
        if window == 1:
            assert found == by_hand(ids, 1)
        seen |= found
    assert seen == by_hand(ids, window)  # every reach from 1 to the window is drawn at some time


def test_near_words_count_for_more() -> None:
    around = word2vec.neighbors(torch.arange(20_000), 5, generator())
    share = (around[10:-10] != BREAK).float().mean(dim=0)  # left 1 to 5, right 1 to 5
    expected = torch.tensor([1.0, 0.8, 0.6, 0.4, 0.2])
    torch.testing.assert_close(share, expected.repeat(2), atol=0.02, rtol=0)


def test_both_ways_learn_from_the_same_neighbors() -> None:
    ids = torch.tensor([0, 1, 2, 3, BREAK, 4, 0, BREAK, 2, BREAK])
    words, guessed = word2vec.skipgram_examples(ids, 2, generator())
    around, middle = word2vec.cbow_examples(ids, 2, generator())
    pairs = Counter(zip(words.squeeze(1).tolist(), guessed.tolist(), strict=True))
    turned = Counter(
        (word, other)
        for word, row in zip(middle.tolist(), around.tolist(), strict=True)
        for other in row
        if other != BREAK
    )
    assert pairs == turned
    assert words.shape == (len(guessed), 1) and around.shape == (6, 4)  # the lonely word is no example


# --- the loss -------------------------------------------------------------------------------------


def test_an_empty_place_has_no_part_in_the_mean() -> None:
    model = Word2Vec(6, 3)
    torch.nn.init.normal_(model.outputs.weight, generator=generator())
    targets, noise = torch.tensor([4, 5]), torch.tensor([0, 1])
    padded = model(torch.tensor([[1, BREAK, 2], [BREAK, 3, BREAK]]), targets, noise)
    table = model.inputs.weight
    means = torch.stack([(table[1] + table[2]) / 2, table[3]])
    plain = word2vec.negative_sampling_loss(means, model.outputs(targets), model.outputs(noise))
    torch.testing.assert_close(padded, plain)
    padded.backward()
    assert isinstance(table.grad, torch.Tensor)
    assert table.grad.any(dim=1).tolist() == [False, True, True, True, False, False, False]


# --- learning -------------------------------------------------------------------------------------


def two_worlds() -> list[list[str]]:
    """A text in which colors stand among colors and animals among animals."""
    lines = []
    for seed in range(100):
        words = LEFT if seed % 2 else RIGHT
        order = torch.randint(0, 3, (12,), generator=generator(seed)).tolist()
        lines.append(" ".join(words[number] for number in order))
    return [lines]


@pytest.mark.parametrize("examples", [word2vec.skipgram_examples, word2vec.cbow_examples])
def test_words_of_one_company_come_to_stand_together(examples: word2vec.Examples) -> None:
    counts = word2vec.frequent_words(two_worlds(), most=10)
    ids = word2vec.ids_of(two_worlds(), counts)
    settings = Settings(size=8, window=2, epochs=8, threshold=1.0, batch_size=128, learning_rate=0.05)
    learned = [
        word2vec.learn_vectors(ids, torch.tensor(list(counts.values())), examples, settings) for _ in range(2)
    ]
    assert torch.equal(*learned)  # the seed decides everything
    found = WordVectors(counts, learned[0])
    for world in (LEFT, RIGHT):
        for word in world:
            assert {name for name, _ in found.neighbors(word, 2)} == set(world) - {word}


# --- asking ---------------------------------------------------------------------------------------


def test_a_progress_bar_that_is_off_changes_no_number(monkeypatch: pytest.MonkeyPatch) -> None:
    ids, counts = torch.arange(400) % 7, torch.full((7,), 57)
    monkeypatch.setattr(word2vec, "BLOCK", 100)  # so that there is a rate to fall
    learned = []
    for is_off in (False, True):
        monkeypatch.setattr(word2vec, "tqdm", partial(tqdm, disable=is_off))
        learned.append(word2vec.learn_vectors(ids, counts, settings=Settings(size=4, threshold=1.0)))
    assert torch.equal(*learned)


@pytest.fixture
def small() -> WordVectors:
    table = torch.tensor([[1.0, 0, 0], [2, 2, 0], [0.9, 0, 0.1], [3, 3, 1], [0, 0, 4.0]])
    return WordVectors(dict.fromkeys(["man", "king", "woman", "queen", "the"], 10) | {"the": 9_960}, table)


def test_neighbors_leave_out_the_word_itself(small: WordVectors) -> None:
    assert [name for name, _ in small.neighbors("man", 4)] == ["woman", "king", "queen", "the"]
    assert small.nearest(small["man"], 1) == [("man", pytest.approx(1.0))]


def test_company_is_a_mean_in_which_frequent_words_say_little(small: WordVectors) -> None:
    around = small.around("The king, the prince, a man!", "man")
    heavy, light = 1e-4 / (1e-4 + 10 / 10_000), 1e-4 / (1e-4 + 0.996)
    king, the = small.directions[1], small.directions[4]
    torch.testing.assert_close(around, (heavy * king + 2 * light * the) / (heavy + 2 * light))


def test_a_vector_that_is_not_there_is_named(small: WordVectors, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="give a longer text"):
        small.around("A man.", "man")
    with pytest.raises(ValueError, match="no vector for 'prince'"):
        small["prince"]
    with pytest.raises(ValueError, match="restore data/vectors"):
        vectors(tmp_path)


def test_an_analogy_is_answered_with_and_without_its_own_words(small: WordVectors) -> None:
    question = Analogy("royal", "man", "king", "woman", "queen")
    asked = small.analogy("man", "king", "woman")
    for excluding in (True, False):
        (expected, _), *_ = small.nearest(asked, 1, without=question[1:4] if excluding else ())
        assert answer_analogies(small, [question], excluding) == [expected]
    assert answer_analogies(small, [question]) == ["queen"]
    assert nearest_to_third(small, [question]) == ["queen"]
    other = question._replace(kind="other")
    assert score_analogies([question, question, other], ["queen", "man", "queen"]) == {
        "royal": 0.5,
        "other": 1,
    }


def test_what_is_written_can_be_read_again(tmp_path: Path) -> None:
    counts = Counter({"one": 7, "don't": 5, "élan": 5})
    learned = torch.randn(3, 6, generator=generator()) * torch.tensor([[0.1], [1.0], [30.0]])
    save(counts, learned, tmp_path)
    again = vectors(tmp_path)
    assert again.counts == counts and again.vectors.dtype == torch.float32
    step = learned.abs().amax(dim=1, keepdim=True) / 127
    assert bool(((again.vectors - learned).abs() <= step / 2 + 1e-6).all())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["vectors.safetensors", "words.tsv"]


def test_the_command_makes_the_files(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("\n".join(two_worlds()[0]) + "\n", encoding="utf-8")
    command = ["--corpus", str(corpus), "--out", str(tmp_path / "out"), "--size", "4"]
    app = typer.Typer()
    app.command()(word_vectors.main)
    answer = CliRunner().invoke(app, command)
    assert answer.exit_code == 0, answer.output
    assert "6 words, which stand 1,200 times" in answer.output
    assert set(vectors(tmp_path / "out").words) == {*LEFT, *RIGHT}
    assert "python course.py make word-vectors --corpus" in CliRunner().invoke(app, ["--help"]).output


# --- what the course keeps ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def kept() -> WordVectors:
    return vectors()


def test_they_are_small_and_whole(kept: WordVectors) -> None:
    assert sum((FOLDER / name).stat().st_size for name in ("words.tsv", "vectors.safetensors")) <= 4_000_000
    assert len(kept.words) == len(kept.vectors) >= 20_000
    assert list(kept.counts.values()) == sorted(kept.counts.values(), reverse=True)
    assert bool(kept.vectors.isfinite().all()) and bool((kept.vectors.norm(dim=1) > 0).all())


def test_they_know_the_words_that_the_notebooks_lean_on(kept: WordVectors) -> None:
    for sentence in [*cast(), *(sentence for _, sentence in bank())]:
        words = lowercase_words(sentence.replace("[MASK]", ""))
        assert set(words) <= kept.counts.keys(), sentence
    assert {row.word for row in senses()} <= kept.counts.keys()


def test_the_questions_can_be_asked_and_none_comes_twice(kept: WordVectors) -> None:
    questions = analogies()
    assert len(questions) == len(set(questions)) >= 150
    for question in questions:
        assert set(question[1:]) <= kept.counts.keys(), question
        assert len(set(question[1:])) == 4, question
    assert min(Counter(question.kind for question in questions).values()) >= 20


def test_the_card_prints_what_comes_out(kept: WordVectors) -> None:
    questions = analogies()
    answers = (
        answer_analogies(kept, questions),
        answer_analogies(kept, questions, excluding=False),
        nearest_to_third(kept, questions),
    )
    card = (FOLDER / "README.md").read_text(encoding="utf-8")
    for kind in {question.kind for question in questions}:
        asked = [number for number, question in enumerate(questions) if question.kind == kind]
        right = [sum(given[number] == questions[number].answer for number in asked) for given in answers]
        assert f"| {kind} | {right[0]} of {len(asked)} | {right[1]} | {right[2]} |" in card
    every = [sum(map(lambda a, q: a == q.answer, given, questions)) for given in answers]
    assert f"| together | {every[0]} of {len(questions)} | {every[1]} | {every[2]} |" in card
    own = sum(answer in question[1:4] for answer, question in zip(answers[1], questions, strict=True))
    assert f"{own} of the {len(questions)} answers are words of the question" in card
    for word in ("bank", "river", "paris", "king"):
        found = ", ".join(name for name, _ in kept.neighbors(word, 5))
        assert f"{word}: {found}." in " ".join(card.split())


def test_the_words_around_tell_the_ten_banks_apart(kept: WordVectors) -> None:
    around = torch.stack([kept.around(sentence, "bank") for _, sentence in bank()])
    is_river = torch.tensor([sense == "river" for sense, _ in bank()])
    assert bool((similarity.sense_margins(around, is_river) > 0).all())


def test_pieces_of_the_cast_are_whole_words() -> None:
    """Notebook 03 counts rows of MiniLM's table by words."""
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    for sentence in cast()[2:4]:
        assert tokenizer.tokenize(sentence) == sentence.split()


def test_the_courses_small_texts_are_enough_to_learn_from() -> None:
    texts = word2vec.own_texts()
    assert all(isinstance(text, str) for text in texts)
    assert sum(len(text.split()) for text in texts) > 200_000
