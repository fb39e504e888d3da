"""The pocket BERT: which pieces it keeps, what it takes from MiniLM, and the whole recipe on a small text."""

import os
import subprocess
import sys

import pytest
import torch

from lib.bert import BertModel, WordPieceTokenizer
from lib.bert.vocabulary import count_words
from lib.text import reader
from lib.training import pocket


@pytest.fixture(scope="module")
def full() -> WordPieceTokenizer:
    return WordPieceTokenizer.from_pretrained("minilm")


@pytest.fixture(scope="module")
def pieces(full) -> list[str]:
    words = count_words(paragraph for document in reader() for paragraph in document)
    return pocket.useful_pieces(words, full, 3000, pocket.leaned_on())


def test_the_pieces_kept_are_old_ones_in_the_old_order(full, pieces) -> None:
    ids = full.convert_tokens_to_ids(pieces)
    assert len(pieces) == 3000 and ids == sorted(ids) and ids[0] == full.pad_token_id
    assert {"teddy", "bank", "president", "a", "##a", "[MASK]", "##9", "!"} <= set(pieces)


def test_a_smaller_vocabulary_breaks_few_words_more(full, pieces) -> None:
    text = " ".join(paragraph for document in reader() for paragraph in document)
    counts = [len(tokenizer.tokenize(text)) for tokenizer in (full, WordPieceTokenizer(pieces))]
    assert 1.0 < counts[1] / counts[0] < 1.1
    assert "[UNK]" not in WordPieceTokenizer(pieces).tokenize(text)


def test_the_start_is_minilm_row_by_row(full, pieces) -> None:
    model, minilm = pocket.from_minilm(pieces).eval(), BertModel.from_pretrained("minilm")
    text = "he sat on the river bank"
    with torch.inference_mode():
        ours = model.bert(WordPieceTokenizer(pieces)(text)["input_ids"]).last_hidden_state
        theirs = minilm(full(text)["input_ids"]).last_hidden_state
    torch.testing.assert_close(ours, theirs)


def test_every_fiftieth_document_is_held_out(tmp_path) -> None:
    (tmp_path / "text.txt").write_text("\n\n".join(f"document {n}" for n in range(120)), encoding="utf-8")
    held_out = list(pocket.held_out_documents([tmp_path]))
    assert held_out == [["document 49"], ["document 99"]]
    assert len(list(pocket.training_documents([tmp_path]))) == 118


def test_the_whole_recipe_in_two_steps(tmp_path) -> None:
    documents = ["\n".join(document) for document in reader()]
    (tmp_path / "text.txt").write_text("\n\n".join(4 * documents) + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "lib.training.pocket", "--corpus", str(tmp_path / "text.txt")]
    command += ["--out", str(tmp_path / "run")]
    sizes = ["--size", "3000", "--length", "48", "--batch-size", "2", "--chunks", "1", "--steps", "2"]
    environment = {**os.environ, "TQDM_DISABLE": "1"}
    done = subprocess.run(
        [*command, *sizes], env=environment, check=True, capture_output=True, text=True, timeout=300
    )
    assert "held out: loss" in done.stdout and "words" in done.stdout and "pairs" in done.stdout
    assert BertModel.from_pretrained(tmp_path / "run").config.vocab_size == 3000
