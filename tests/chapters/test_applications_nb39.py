"""Notebook 39: the exercises' invariants, the students, the libraries, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
from sklearn.metrics import top_k_accuracy_score
from torch.nn.functional import cosine_similarity

from chapters.nb39 import answers, library, reading, students
from chapters.nb39.errata import ERRATA, parameters
from lib import root
from lib.analysis.prediction.question_answering import FoundAnswer
from lib.bert import BertConfig, BertModel, WordPieceTokenizer
from lib.text.sentence_pairs import split_sentences

LEARNED, TESTED = students.corpus(learned=60, tested=20)


@pytest.mark.parametrize("k", [1, 2, 5])
def test_without_ties_recall_is_the_accuracy_of_the_k_best(k: int) -> None:
    scores = torch.rand(40, 7, generator=torch.Generator().manual_seed(0))
    right = torch.randint(7, (40,), generator=torch.Generator().manual_seed(1))
    theirs = top_k_accuracy_score(right, scores, k=k, labels=range(7))
    assert answers.recall_at(scores, right, k) == pytest.approx(theirs)


def test_a_search_that_likes_all_texts_alike_finds_nothing() -> None:
    assert answers.recall_at(torch.zeros(3, 4), torch.tensor([0, 1, 2]), 3) == 0
    assert answers.recall_at(torch.zeros(3, 4), torch.tensor([0, 1, 2]), 4) == 1


@pytest.mark.parametrize("seed", range(5))
def test_order_and_lengths_change_no_answer(seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    question, vectors = torch.randn(6, generator=generator), torch.randn(9, 6, generator=generator)
    longer = vectors * (0.1 + 5 * torch.rand(9, 1, generator=generator))
    order = torch.randperm(9, generator=generator)
    place = answers.answer_with_source(question, vectors, -1.0)
    assert place is not None and place == answers.answer_with_source(7 * question, longer, -1.0)
    shuffled = answers.answer_with_source(question, longer[order], -1.0)
    assert shuffled is not None and int(order[shuffled]) == place
    central = answers.central_sentences(vectors, 3)
    assert central == answers.central_sentences(longer, 3)
    again = answers.central_sentences(longer[order], 3)
    assert sorted(order[again].tolist()) == central


def test_a_threshold_between_two_cosines() -> None:
    question, vectors = torch.tensor([1.0, 0.0]), torch.tensor([[3.0, 4.0], [0.8, 0.6]])
    cosines = cosine_similarity(vectors, question[None])
    assert answers.answer_with_source(question, vectors, float(cosines.max())) == 1
    assert answers.answer_with_source(question, vectors, 0.81) is None


# --- students ---------------------------------------------------------------------------------------


def test_nothing_of_the_test_is_learned_and_no_target_stands_twice() -> None:
    assert not {*LEARNED.english} & {*TESTED.english}
    assert len({*TESTED.english}) == len(TESTED) == 20


@pytest.mark.parametrize("kind", [students.Transformer, students.Bag])
def test_a_student_learns_and_padding_does_not_count(
    kind: type[students.Transformer] | type[students.Bag],
) -> None:
    pieces = students.spanish_tokenizer(LEARNED.spanish)
    torch.manual_seed(0)
    student = kind(len(pieces))
    goals = torch.randn(60, students.TEACHER_SIZE)
    optimizer = torch.optim.AdamW(student.parameters(), lr=student.rate)
    losses = []
    for _ in range(12):
        loss = 1 - cosine_similarity(student(pieces(LEARNED.spanish)), goals).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0] - 0.05
    together = students.encode(student, pieces, TESTED.spanish)
    alone = students.encode(student, pieces, TESTED.spanish[:1])
    torch.testing.assert_close(together[:1], alone, atol=1e-4, rtol=1e-4)


def test_a_bag_does_not_see_who_does_what() -> None:
    swapped = students.swapped_sentences(8)
    pieces = students.spanish_tokenizer(swapped.spanish)
    vectors = students.encode(students.Bag(len(pieces)), pieces, swapped.spanish)
    torch.testing.assert_close(vectors[0::2], vectors[1::2], atol=1e-5, rtol=1e-5)
    for texts in (swapped.english, swapped.spanish):
        for one, other in zip(texts[0::2], texts[1::2], strict=True):
            assert one != other and sorted(one.split()) == sorted(other.split())


def test_what_students_refuse() -> None:
    with pytest.raises(ValueError, match="ask for 1 to 60"):
        LEARNED.first(61)
    with pytest.raises(ValueError, match="ask for 1 to 60"):
        LEARNED.first(0)
    with pytest.raises(ValueError, match="even number"):
        students.swapped_sentences(3)
    pieces = students.spanish_tokenizer(LEARNED.spanish)
    with pytest.raises(ValueError, match="one at least"):
        students.encode(students.Bag(len(pieces)), pieces, [])


def test_letters_find_what_is_spelled_alike() -> None:
    scores = students.scores_by_letters(["la lámpara"], ["the cat", "the lampara"])
    assert scores.shape == (1, 2) and scores[0, 1] > scores[0, 0]


# --- libraries --------------------------------------------------------------------------------------


def notebook(folder: Path, name: str, *texts: str) -> None:
    cells = [{"cell_type": "markdown", "metadata": {}, "source": [text]} for text in texts]
    cells.append({"cell_type": "markdown", "metadata": {"tags": ["stretch"]}, "source": ["## 9. No\n\nNo."]})
    (folder / name).write_text(json.dumps({"cells": cells}), encoding="utf-8")


def test_opening_paragraphs_have_their_source(tmp_path: Path) -> None:
    first = "## 2. A title (3 min)\n\n**What** is [this](x.md)?\nIt [0, 1] is.\n\nMore."
    notebook(tmp_path, "05_one.ipynb", "# Title", first)
    notebook(tmp_path, "39_own.ipynb", "## 1. Left out\n\nIt quotes.")
    found = library.opening_paragraphs(tmp_path)
    assert found == [library.Paragraph("What is this? It [0, 1] is.", "05, section 2: A title")]


def test_the_course_has_paragraphs_of_many_notebooks() -> None:
    found = library.opening_paragraphs()
    assert len({paragraph.source[:2] for paragraph in found}) > 30
    assert all(paragraph.text and "](" not in paragraph.text for paragraph in found)


def test_an_empty_library_gets_a_sentence(tmp_path: Path) -> None:
    model = BertModel(BertConfig(vocab_size=9, hidden_size=8, num_hidden_layers=1, num_attention_heads=1))
    with pytest.raises(ValueError, match="The library is empty"):
        library.vectors_of(
            model, WordPieceTokenizer.from_pretrained("minilm"), library.opening_paragraphs(tmp_path)
        )


# --- reading ----------------------------------------------------------------------------------------


def test_the_exam_holds_what_it_says() -> None:
    exam = reading.exam()
    assert (len(exam.passages), len(exam.questions)) == (80, 96)
    for question, place in zip(exam.questions, exam.right.tolist(), strict=True):
        assert exam.passages[place] == question.context


def test_of_several_answers_the_surest_counts() -> None:
    sure, unsure = FoundAnswer("a", 0, 1, 5.0, 1.0), FoundAnswer("b", 0, 1, 6.0, 5.5)
    assert reading.surest([[unsure, sure], [sure, sure]]) == [sure, sure]


def test_summaries_keep_between_nothing_and_all() -> None:
    exam = reading.exam()
    assert not reading.kept_answers(exam, lambda sentences: []).any()
    everything = reading.kept_answers(exam, lambda sentences: list(range(len(sentences))))
    assert everything.float().mean() > 0.95
    by_chance = [reading.kept_by_chance(exam, count, draws=2) for count in (1, 3, 99)]
    assert by_chance[0] < by_chance[1] < by_chance[2]
    assert all(len(split_sentences(passage)) >= 3 for passage in exam.passages)


def test_what_is_computed_of_tinybert() -> None:
    assert [parameters(12, 768, 3072), parameters(4, 312, 1200)] == [109_482_240, 14_350_248]
    assert "7.6" in ERRATA[0].recompute() and "2.5 points, which are 3.1%" in ERRATA[1].recompute()


def test_the_grammar_is_where_the_page_says() -> None:
    assert (root / "data" / "grammar_spanish" / "nouns.txt").is_file()
