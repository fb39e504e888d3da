"""Text files as people have them: cut short, marked, broken. What can be read is, and the rest is refused."""

import gzip
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from chapters.nb03.word2vec import Settings
from lib.text import corpus, read_conllu, vectors
from lib.text.grammar import tables
from lib.text.grammar.events import frames
from lib.text.grammar.lexicon import NOUN_IN_KIND
from lib.text.grammar.storytelling import plots
from lib.text.vectors import FOLDER
from lib.text.wikitext import wikitext
from studies import word_vectors

SENTENCE = "1\tthe\t_\tDET\t_\t_\t2\tdet\t_\t_\n2\tcat\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n"


def written(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


# --- corpora --------------------------------------------------------------------------------------


def test_a_mark_of_byte_order_is_no_part_of_a_word(tmp_path) -> None:
    text = "\ufeffOne.\n\nTwo.\n"
    plain = written(tmp_path / "a.txt", text)
    packed = written(tmp_path / "b.txt.gz", gzip.compress(text.encode()))
    for path in (plain, packed):
        assert list(corpus.documents(path)) == [["One."], ["Two."]]
    assert list(wikitext(written(tmp_path / "w", "\ufeffOne . \n"))) == [["One ."]]


def test_an_empty_name_is_not_the_working_folder(tmp_path, monkeypatch) -> None:
    written(tmp_path / "a.txt", "One.\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="A corpus without a name"):
        list(corpus.documents(""))
    assert list(corpus.documents(".")) == [["One."]]


@pytest.mark.parametrize("name", ["A.TXT", "b.Txt.GZ"])
def test_an_ending_is_the_same_in_capitals(name, tmp_path) -> None:
    path = written(tmp_path / name, gzip.compress(b"One.\n") if "GZ" in name else "One.\n")
    assert list(corpus.documents(path)) == list(corpus.documents(tmp_path)) == [["One."]]
    assert not corpus.passed_over(path) and not corpus.passed_over("hub:a/b")


@pytest.mark.parametrize("name", ["c.html", "c.jsonl", "c.xz", "c.md", "txt"])
def test_what_is_no_text_is_not_read_as_text(name, tmp_path) -> None:
    path = written(tmp_path / name, "<p>One.</p>\n")
    written(tmp_path / ".hidden", "")
    with pytest.raises(ValueError, match=r"is no text file \(\.txt, \.txt\.gz\): save its text as one"):
        list(corpus.documents(path))
    with pytest.raises(ValueError, match="There is no text at"):
        list(corpus.documents(tmp_path))
    assert corpus.passed_over(tmp_path) == [name]


# --- treebanks ------------------------------------------------------------------------------------


def test_a_comment_may_hold_any_character(tmp_path) -> None:
    path = written(tmp_path / "x.conllu", f"\ufeff# text = the\u2028cat\x0b\x85\n{SENTENCE}")
    (parse,) = read_conllu(path)
    assert parse.words == ["the", "cat"] and parse.governors == [1, -1]


@pytest.mark.parametrize("head", ["3", "99", "_", "-1", "x"])
def test_a_head_that_the_sentence_lacks_is_refused(head, tmp_path) -> None:
    path = written(tmp_path / "x.conllu", SENTENCE.replace("\t2\tdet", f"\t{head}\tdet"))
    with pytest.raises(ValueError, match="'the' hangs on a word that its sentence of 2 words lacks"):
        read_conllu(path)


@pytest.mark.parametrize(
    "content",
    [b"junk", gzip.compress(20 * SENTENCE.encode())[:-9], gzip.compress(b"\xff\xfe\n")],
    ids=["no gzip", "torn", "not UTF-8"],  # a name made of gzip's bytes would hold the time of day
)
def test_a_broken_treebank_is_refused(content, tmp_path) -> None:
    with pytest.raises(ValueError, match=r"x\.conllu\.gz cannot be read .*: give a whole file"):
        read_conllu(written(tmp_path / "x.conllu.gz", content))


# --- the grammar's tables -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shape", "line"),
    [
        ("NOUNS", "pet dog cat"),
        ("NOUNS", "pet: dog, cat"),
        ("WORDS", "pet:"),
        ("FORMS", "see: saw"),
        ("PHRASES", "key: cabinet"),
        ("FRAME", "person"),
        ("FRAME", "person open door.x"),
        ("FRAME", "person open door window"),
    ],
)
def test_a_line_of_the_grammar_that_cannot_be_read_is_named(shape, line, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(tables, "FOLDER", tmp_path)
    form = getattr(tables, shape)
    written(tmp_path / "x.txt", f"# a comment\n\n[heading]\n{form.example}\n")
    assert tables.sections("x.txt", form) == {"heading": [form.example]}
    written(tmp_path / "x.txt", f"# a comment\n\n[heading]\n{line}\n")
    with pytest.raises(
        ValueError, match=r"data/grammar/x\.txt, line 4: '.*' cannot be read; write as in"
    ) as error:
        tables.sections("x.txt", form)
    assert repr(line) in str(error.value) and form.example in str(error.value)


@pytest.mark.parametrize(
    "line",
    [
        "a",
        "b: dog.s",  # a role behind a sentence
        "a find:might k",
        "a run | ",
        "WHEN a run a see k",
        "a run UNTIL b stop",
        "a want TO",
        "a be ! sad",
    ],
)
def test_a_line_of_a_plot_that_cannot_be_told_is_named(line, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(tables, "FOLDER", tmp_path)
    start = f"{tables.ROLES.example}\nr: room\n{tables.SENTENCE.example}\n"
    written(tmp_path / "plots.txt", start)
    assert tables.plots() == [[f"{tables.ROLES.example} | r: room", tables.SENTENCE.example]]
    written(tmp_path / "plots.txt", f"{start}{line}\n")
    with pytest.raises(ValueError, match=r"data/grammar/plots\.txt, line 4: '.*' cannot be read; write"):
        tables.plots()


def test_a_plot_begins_with_roles_and_a_table_with_a_heading(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(tables, "FOLDER", tmp_path)
    with pytest.raises(ValueError, match=r"There is no .*x\.txt: restore data/grammar"):
        tables.sections("x.txt", tables.WORDS)
    written(tmp_path / "x.txt", "pet: dog\n")
    with pytest.raises(ValueError, match=r'line 1: .* cannot be read; write as in "\[kitchen\]"'):
        tables.sections("x.txt", tables.WORDS)
    written(tmp_path / "plots.txt", "a: name\na run\n\na run\n")
    with pytest.raises(ValueError, match=r"line 4: 'a run' cannot be read; write as in \"a: name"):
        tables.plots()


def test_the_card_of_the_grammar_counts_its_nouns_frames_and_plots() -> None:
    card = (tables.FOLDER / "README.md").read_text(encoding="utf-8")
    assert f"{len(NOUN_IN_KIND)} nouns" in card
    assert f"{len(frames())} things that can happen" in card
    assert f"{len(plots())} short stories" in card


# --- word vectors ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "kept", "message"),
    [
        ("vectors.safetensors", 4, "cannot be read"),
        ("vectors.safetensors", 5000, "cannot be read"),
        ("words.tsv", 5000, "cannot be read|vectors for"),
        ("words.tsv", 0, "cannot be read|vectors for"),
    ],
)
def test_vectors_that_were_cut_short_are_refused(name, kept, message, tmp_path) -> None:
    for other in ("vectors.safetensors", "words.tsv"):
        content = (FOLDER / other).read_bytes()
        written(tmp_path / other, content[:kept] if other == name else content)
    with pytest.raises(ValueError, match=f"({message}).*: restore data/vectors"):
        vectors(tmp_path)


def test_words_cut_between_two_lines_are_missed(tmp_path) -> None:
    lines = (FOLDER / "words.tsv").read_bytes().splitlines(keepends=True)
    written(tmp_path / "words.tsv", b"".join(lines[:-7]))
    written(tmp_path / "vectors.safetensors", (FOLDER / "vectors.safetensors").read_bytes())
    with pytest.raises(ValueError, match=r"vectors for .* words: restore"):
        vectors(tmp_path)


@pytest.mark.parametrize("count", [-1, 0, 10**6])
def test_a_count_of_neighbors_that_cannot_be_is_refused(count) -> None:
    with pytest.raises(ValueError, match=f"There are no {count} nearest words: ask for 1 to"):
        vectors().neighbors("bank", count)


@pytest.mark.parametrize(
    "wrong", [{"epochs": 0}, {"size": -1}, {"window": 0}, {"learning_rate": float("nan")}, {"threshold": 0.0}]
)
def test_settings_that_learn_nothing_are_refused(wrong) -> None:
    with pytest.raises(ValueError, match="give"):
        Settings(**wrong)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--corpus", "none"], "There is no text at none"),
        (["--corpus", "few.txt"], "No word stands five times in few.txt"),
        (["--corpus", "few.txt", "--out", "few.txt"], "few.txt is a file"),
    ],
)
def test_the_command_for_vectors_says_what_is_wrong(options, message, tmp_path, monkeypatch) -> None:
    written(tmp_path / "few.txt", "Few words.\n")
    monkeypatch.chdir(tmp_path)
    app = typer.Typer()
    app.command()(word_vectors.main)
    answer = CliRunner().invoke(app, [*["--out", "out"][: 0 if "--out" in options else 2], *options])
    assert isinstance(answer.exception, ValueError) and message in str(answer.exception)
    zero = CliRunner().invoke(app, ["--corpus", "few.txt", "--out", "out", "--epochs", "0"])
    assert zero.exit_code == 2 and not (tmp_path / "out").exists()
