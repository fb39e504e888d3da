"""Heads as parsers: reading parses, from pieces to words, and counting who finds whom."""

import gzip
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from tiny_berts import ours, theirs

from chapters.nb06 import objects_in_ewt
from chapters.nb12 import verb_agreement
from lib.analysis.attention import parses
from lib.analysis.prediction import fill_mask, question_answering
from lib.analysis.vectors import similarity
from lib.bert import BertForMaskedLM, BertModel, WordPieceTokenizer
from lib.bert.alterations import prune_heads
from lib.records import inputs
from lib.records.subject import Subject
from lib.text import treebank
from lib.text.treebank import Link
from studies import objects as study

CONLLU = """# sent_id = 1
# text = She doesn't see it
1\tShe\tshe\tPRON\tPRP\t_\t4\tnsubj\t_\t_
2-3\tdoesn't\t_\t_\t_\t_\t_\t_\t_\t_
2\tdoes\tdo\tAUX\tVBZ\t_\t4\taux\t_\t_
3\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t_\t_
4\tsee\tsee\tVERB\tVB\t_\t0\troot\t_\t_
5\tit\tit\tPRON\tPRP\t_\t4\tobj\t_\t_

# text = Sleep and she too
1\tSleep\tsleep\tVERB\tVB\t_\t0\troot\t_\t_
2\tand\tand\tCCONJ\tCC\t_\t1\tcc\t_\t_
2.1\tsleeps\tsleep\tVERB\tVBZ\t_\t_\t_\t_\t_
"""


@pytest.fixture(scope="module")
def tokenizer() -> WordPieceTokenizer:
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "##b", "##c", "d", "'", "."]
    return WordPieceTokenizer(pieces)


@pytest.mark.parametrize("suffix", ["", ".gz"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_conllu_is_read_word_by_word(suffix: str, line_end: str, tmp_path: Path) -> None:
    content = CONLLU.replace("\n", line_end).encode()
    for part in ("dev", "test"):
        path = tmp_path / f"en_ewt-ud-{part}.conllu{suffix}"
        path.write_bytes(gzip.compress(content) if suffix else content)
    (first, second), test = treebank.read_ewt(tmp_path)
    assert test == [first, second] == treebank.read_conllu(path)
    assert first.words == ["She", "does", "n't", "see", "it"]
    assert first.governors == [3, 3, 3, -1, 3]
    assert first.tags[3] == "VERB"
    assert first.links("obj") == [Link(4, 3)]
    assert [parses.nearest_tagged(first, place, ("VERB",), -1) for place in (4, 3)] == [3, -1]
    assert second.words == ["Sleep", "and"] and second.links("obj") == []


def test_what_is_no_conllu_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "x.conllu").write_text("1 She she\n", encoding="utf-8")
    with pytest.raises(ValueError, match="has 1 columns, not 10"):
        treebank.read_conllu(tmp_path / "x.conllu")
    with pytest.raises(ValueError, match="There is no file"):
        treebank.read_conllu(tmp_path / "y.conllu")
    with pytest.raises(ValueError, match=r"no en_ewt-ud-dev\.conllu"):
        treebank.read_ewt(tmp_path)
    monkeypatch.setenv("BERT_COURSE_DATA", str(tmp_path))
    with pytest.raises(ValueError, match="the public data set ud_english_ewt"):
        inputs.public("ud_english_ewt")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Who ate my cake?", ["Who", "ate", "my", "cake", "?"]),
        ("grandma's twelve-string [MASK].", ["grandma's", "twelve-string", "[MASK]", "."]),
        ("  «Ça va»  ", ["«", "Ça", "va", "»"]),
    ],
)
def test_a_text_is_split_into_words(text: str, words: list[str]) -> None:
    assert parses.split_words(text) == words


def test_each_piece_belongs_to_its_word(tokenizer: WordPieceTokenizer) -> None:
    # a ##b ##c | d | nothing left of it | [UNK] | d ' d
    member = parses.membership(tokenizer, ["abc", "d", "\u200b", "zzz", "d'd"])
    assert member.argmax(dim=0).tolist()[1:-1] == [0, 0, 0, 1, 3, 4, 4, 4]
    assert member.sum(dim=1).tolist() == [3, 1, 0, 1, 3]
    assert member[:, [0, -1]].sum() == 0  # [CLS] and [SEP]


def test_the_word_itself_does_not_count() -> None:
    weights = torch.tensor([[0.9, 0.0, 0.1], [0.3, 0.5, 0.2], [0.0, 0.0, 1.0]])
    assert parses.most_looked_at(weights).tolist() == [2, 0, 0]


def test_a_head_that_points_at_the_governor_is_found() -> None:
    """A map with all weight on the gold link scores 100 %; a fixed offset what its share is."""
    links = [[Link(2, 0), Link(1, 0)], [], [Link(0, 2)]]
    maps = [torch.full((2, 3, 3, 3), 0.1) for _ in links]
    for its, weights in zip(links, maps, strict=True):
        for link in its:
            weights[1, 2, link.word, link.governor] = 0.8
    looks = [parses.most_looked_at(weights) for weights in maps]
    accuracy = parses.accuracy(looks, links)
    assert parses.best_head(accuracy) == (1, 2)
    assert accuracy[1, 2] == 1
    assert torch.equal(
        accuracy, parses.accuracy([parses.most_looked_at(7 * weights) for weights in maps], links)
    )
    assert objects_in_ewt.offsets(links) == {-2: 1 / 3, -1: 1 / 3, 2: 1 / 3}


def test_looks_of_a_batch_are_those_of_each_sentence(tokenizer: WordPieceTokenizer) -> None:
    model = ours(BertModel, num_attention_heads=4)
    sentences = [["d", "abc", "d"], ["abc", "d'd", "d", "d", "a"], ["d", "ab"]]
    found = parses.looks(model, tokenizer, sentences, batch_size=2)
    assert [tuple(look.shape) for look in found] == [(2, 4, 3), (2, 4, 5), (2, 4, 2)]
    for look, words in zip(found, sentences, strict=True):
        assert torch.equal(look, parses.most_looked_at(parses.word_maps(model, tokenizer, words)))


def test_the_experiment_on_a_treebank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    objects = """1\tShe\tshe\tPRON\tPRP\t_\t2\tnsubj\t_\t_
2\tfed\tfeed\tVERB\tVBD\t_\t0\troot\t_\t_
3\tthe\tthe\tDET\tDT\t_\t4\tdet\t_\t_
4\tdog\tdog\tNOUN\tNN\t_\t2\tobj\t_\t_
5\tat\tat\tADP\tIN\t_\t6\tcase\t_\t_
6\thome\thome\tNOUN\tNN\t_\t2\tobl\t_\t_

1\tWhat\twhat\tPRON\tWP\t_\t4\tobj\t_\t_
2\tdid\tdo\tAUX\tVBD\t_\t4\taux\t_\t_
3\tyou\tyou\tPRON\tPRP\t_\t4\tnsubj\t_\t_
4\teat\teat\tVERB\tVB\t_\t0\troot\t_\t_
5\tToday\ttoday\tNOUN\tNN\t_\t6\tobl\t_\t_
6\train\train\tVERB\tVB\t_\t4\tparataxis\t_\t_

1\tShe\tshe\tPRON\tPRP\t_\t2\tnsubj\t_\t_
2\tsaid\tsay\tVERB\tVBD\t_\t0\troot\t_\t_
3\the\the\tPRON\tPRP\t_\t4\tnsubj\t_\t_
4\tleft\tleave\tVERB\tVBD\t_\t2\tccomp\t_\t_
5\tin\tin\tADP\tIN\t_\t6\tcase\t_\t_
6\tMay\tMay\tPROPN\tNNP\t_\t4\tobl\t_\t_
"""
    folder = tmp_path / "ud_english_ewt"
    folder.mkdir()
    for part in ("dev", "test"):
        (folder / f"en_ewt-ud-{part}.conllu").write_text(objects, encoding="utf-8")
    monkeypatch.setenv("BERT_COURSE_DATA", str(tmp_path))
    subject = Subject("EWT", 0)
    result: dict[str, Any] = {
        "minilm": study.measure_minilm(subject).scores,
        "random weights": study.measure_random(subject).scores,
    }
    assert result["minilm"]["obj"]["links"] == 2
    assert result["minilm"]["obj"]["last verb before"] == 0.5
    assert result["minilm"]["obj"]["standing before"] == 1
    by_distance = result["minilm"]["obj"]["by distance"]
    assert {name: row["links"] for name, row in by_distance.items()} == {
        "1": 0, "2": 1, "3": 0, "4": 0, "5 or more": 0,
    }  # fmt: skip
    others = result["minilm"]["obl"]
    assert others["links"] == 3  # home, Today, May
    assert others["last verb before"] == pytest.approx(2 / 3)
    assert others["last verb or preposition before"] == 0  # a preposition stands between
    assert result["minilm"]["next subject"]["links"] == 1  # he, behind said
    assert result["minilm"]["next subject"]["last verb or preposition before"] == 1
    assert 0 <= result["random weights"]["accuracy"] <= 1


# --- models and tokenizers of another kind ---------------------------------------------------------


def test_maps_of_a_model_that_lost_heads_or_is_of_another_library(tokenizer: WordPieceTokenizer) -> None:
    model, other = ours(BertModel, num_attention_heads=4), theirs(num_attention_heads=4).bert
    other.set_attn_implementation("sdpa")
    assert list(parses.word_maps(model, tokenizer, ["ab", "d"]).shape) == [2, 4, 2, 2]
    with pytest.raises(ValueError, match="no attention weights: load it by BertModel"):
        parses.word_maps(other, tokenizer, ["ab", "d"])
    prune_heads(model, "encoder.layer.1.attention", heads=[0])
    with pytest.raises(ValueError, match="have 4, 3 heads, and they are looked at together"):
        list(parses.maps_of(model, tokenizer, [["ab", "d"]]))


def test_a_tokenizer_of_another_library_gets_a_sentence_wherever_a_text_is_read() -> None:
    model, theirs = ours(BertForMaskedLM), transformers.BertTokenizer()
    for call in (
        lambda: parses.word_maps(model.bert, theirs, ["a"]),
        lambda: fill_mask.fill_mask(model, theirs, "a [MASK]"),
        lambda: fill_mask.side_log_probs(model, theirs, "a [MASK]", "left"),
        lambda: similarity.embed(model.bert, theirs, ["a"]),
        lambda: question_answering.answer_questions(model, theirs, []),
        lambda: verb_agreement.model_agrees(model, theirs, []),
    ):
        with pytest.raises(ValueError, match="a BertTokenizer of another library"):
            call()
