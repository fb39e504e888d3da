"""Task data sets: what is in the public formats comes out, and batches are pure functions of their number."""

import itertools
import json
import random
import re
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
import torch

from lib.analysis.prediction.spans import entity_spans
from lib.bert import WordPieceTokenizer
from lib.text import tasks
from lib.text.masking import IGNORED
from lib.text.tasks import Answer, ChoiceExample, QuestionExample, TaskBatches, TextExample, own

WORDS = [
    "the", "cat", "sat", "on", "a", "mat", ",", "who", "?", "dog", "##s", "ran", "run", "##ning", "very",
    "good", "bad", "film", ".",
]  # fmt: skip


@pytest.fixture(scope="module")
def tokenizer() -> WordPieceTokenizer:
    return WordPieceTokenizer(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS])


def written(path: Path, text: str) -> Path:
    path.write_bytes(text.encode())
    return path


# --- files ----------------------------------------------------------------------------------------


def test_glue_tables_give_texts_pairs_and_labels(tmp_path) -> None:
    single = written(tmp_path / "dev.tsv", 'sentence\tlabel\na "good" film \t1\nbad\u2028film\t0\n')
    assert tasks.read_glue(single, "SST-2") == [
        TextExample('a "good" film ', None, 1),
        TextExample("bad\u2028film", None, 0),
    ]
    pairs = written(
        tmp_path / "mrpc.tsv", '\ufeffQuality\t#1 ID\t#2 ID\t#1 String\t#2 String\r\n1\t7\t8\tA .\t" B\r\n'
    )
    assert tasks.read_glue(pairs, "MRPC") == [TextExample("A .", '" B', 1)]
    headless = written(tmp_path / "cola.tsv", "gj04\t0\t*\tThe dog ran cat.\n")
    assert tasks.read_glue(headless, "CoLA") == [TextExample("The dog ran cat.", None, 0)]
    unlabeled = written(tmp_path / "test.tsv", "index\tsentence\n0\tfine\n")
    assert tasks.read_glue(unlabeled, "SST-2") == [TextExample("fine", None, None)]
    assert tasks.read_glue(written(tmp_path / "t", "index\tsentence\n0\tfine\n"), "CoLA")[0].first == "fine"
    header = "index\tsentence1\tsentence2\tlabel\n"
    named = written(tmp_path / "rte.tsv", header + "0\tone\ttwo\tnot_entailment\n")
    assert tasks.read_glue(named, "RTE") == [TextExample("one", "two", 1)]
    scored = written(tmp_path / "sts.tsv", "sentence1\tsentence2\tscore\none\ttwo\t3.25\n")
    assert tasks.read_glue(scored, "STS-B") == [TextExample("one", "two", 3.25)]


@pytest.mark.parametrize(
    ("task", "text", "message"),
    [
        ("SST2", "", "There is no task 'SST2' here: use CoLA, SST-2"),
        ("SST-2", "sentence\tlabel\nno label\n", "1 of 1 examples are broken, .* line 2: it has 1 columns"),
        (
            "SST-2",
            "sentence\tlabel\nfine\t2\nbad\t0\nno\n",
            "2 of 3 .* line 2: '2' is none of the labels 0, 1",
        ),
        (
            "STS-B",
            "sentence1\tsentence2\tscore\na\tb\thigh\n",
            "line 2: 'high' is none of the labels 0.0 to 5.0",
        ),
        ("SST-2", "sentence\tlabel\n", "holds no example: give a file of SST-2"),
        ("MRPC", "sentence\tlabel\nfine\t1\n", "has no column '#1 String': give a file of MRPC"),
        ("RTE", "sentence1\tlabel\na\tentailment\n", "has no column 'sentence2'"),
    ],
)
def test_a_table_that_is_none_is_refused(task, text, message, tmp_path) -> None:
    with pytest.raises(ValueError, match=message):
        tasks.read_glue(written(tmp_path / "dev.tsv", text), task)


GRADED = "sentence1\tsentence2\tscore\na\tb\t1\nc\td\t2.5\n"
CLASSED = "sentence\tlabel\na\t1 \nb\t0\n"
NO_GRADES = [
    "nan", "inf", "-Infinity", "1_0", "", "3,5", "３.５", "٣", "²", "0x10", "1e400", "1 000", "5.01", "-1",
]  # fmt: skip
NO_CLASSES = ["１", "1.0", "1_0", "nan", "2", "-0"]
BROKEN_ROWS = [
    *(("STS-B", f"e\tf\t{cell}", f"{cell!r} is none of the labels 0.0 to 5.0") for cell in NO_GRADES),
    *(("SST-2", f"c\t{cell}", f"'{cell}' is none of the labels 0, 1") for cell in NO_CLASSES),
    *(("SST-2", f"{text}\t0", "it has no text") for text in ("", "  ", "\u3000", "\u200b\ufeff")),
]


@pytest.mark.parametrize(("task", "row", "why"), BROKEN_ROWS)
def test_a_row_that_is_no_example_is_named_by_its_line(task, row, why, tmp_path) -> None:
    whole, labels = (GRADED, [1, 2.5]) if task == "STS-B" else (CLASSED, [1, 0])
    path = written(tmp_path / "a.tsv", f"{whole}{row}\n")
    with pytest.warns(UserWarning, match=f"line 4: {re.escape(why)}"):
        assert [example.label for example in tasks.read_glue(path, task)] == labels


@pytest.mark.parametrize(
    ("cell", "grade"), [("4", 4), (" 3.5 ", 3.5), ("+4.", 4), (".5", 0.5), ("1e-05", 1e-5), ("3.80", 3.8)]
)
def test_a_plain_decimal_number_is_a_grade(cell, grade, tmp_path) -> None:
    path = written(tmp_path / "sts.tsv", f"{GRADED}e\tf\t{cell}\n")
    assert tasks.read_glue(path, "STS-B")[2].label == grade


@pytest.mark.parametrize(("column", "cell"), [("same", "1_0"), ("grade", "nan"), ("grade", "3,5")])
def test_a_number_of_the_course_that_is_none_is_named_by_its_line(
    column, cell, tmp_path, monkeypatch
) -> None:
    monkeypatch.setattr(own, "FOLDER", tmp_path)
    (tmp_path / "pairs").mkdir()
    row = {"first": "a", "second": "b", "same": "1", "grade": "4.5", column: cell}
    written(tmp_path / "pairs" / "train.tsv", "\t".join(row) + "\n" + "\t".join(row.values()) + "\n")
    with pytest.raises(ValueError, match=rf"Line 2 of .*train.tsv cannot be read \('{cell}' is no decimal"):
        (own.pairs if column == "same" else own.graded_pairs)("train")


def test_squad_that_is_none_is_refused(tmp_path) -> None:
    for text in ("3", "null", "{}", '{"data": [{}]}', '{"data": [3]}', "[" * 100_000, "sentence\tlabel"):
        with pytest.raises(ValueError, match="is not SQuAD's JSON"):
            tasks.read_squad(written(tmp_path / "no.json", text))


CONTEXT = "The cat sat on a mat."
CAT = {"text": "cat", "answer_start": 4}


def asked(name: str = "q", /, **more: Any) -> dict[str, Any]:
    """A question of a SQuAD file."""
    return {"id": name, "question": "Who sat?", "answers": [CAT]} | more


def questions_in(tmp_path: Path, *questions: dict[str, Any]) -> tasks.Examples[tasks.QuestionExample]:
    content = {"data": [{"paragraphs": [{"context": CONTEXT, "qas": list(questions)}]}]}
    return tasks.read_squad(written(tmp_path / "train.json", json.dumps(content)))


@pytest.mark.parametrize(
    ("given", "answers"),
    [
        ({"is_impossible": True}, ()),
        ({"is_impossible": "true", "answers": None}, ()),
        ({"is_impossible": True, "answers": [], "plausible_answers": [CAT]}, ()),
        ({"is_impossible": False}, (("cat", 4),)),
        ({"answers": []}, ()),
        ({"answers": [CAT, {"text": "The cat", "answer_start": 0}]}, (("cat", 4), ("The cat", 0))),
        ({"answers": [{"text": "cat", "answer_start": "4"}]}, (("cat", 4),)),
        ({"answers": [{"text": "cat", "answer_start": 4.0}]}, (("cat", 4),)),
        ({"answers": {"text": ["cat", "mat"], "answer_start": [4, 17]}}, (("cat", 4), ("mat", 17))),
        ({"answers": {"text": "cat", "answer_start": 4}}, (("cat", 4),)),
        ({"answer_start_guessed": True}, (("cat", 4),)),
    ],
)
def test_the_keys_of_squad_are_read(given, answers, tmp_path) -> None:
    (found,) = questions_in(tmp_path, asked(**given))
    assert found == ("q", "Who sat?", CONTEXT, answers, "answer_start_guessed" in given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"id": "a"}, "a question before it has this id"),
        ({"is_impossible": False, "answers": []}, "its is_impossible is false, and its answers are 0"),
        ({"is_impossible": "maybe"}, "its is_impossible is maybe, and its answers are 1"),
        ({"answers": None}, "something is missing or of another kind"),
        ({"answers": {"text": ["cat"], "answer_start": []}}, "something is missing or of another kind"),
        (
            {"answers": "{'text': ['cat'], 'answer_start': [4]}"},
            "its answers are a text, \"{'text': \\['cat'",
        ),
        ({"answers": [{"text": "cat"}]}, r"missing or of another kind \('answer_start'\)"),
        ({"answers": [{"text": "cat", "answer_start": "four"}]}, "'four' is no decimal number"),
        ({"answers": [{"text": "cat", "answer_start": "４"}]}, "'４' is no decimal number"),
        ({"answers": [{"text": "h", "answer_start": True}]}, "True is no decimal number"),
        ({"answers": [{"text": "cat", "answer_start": 4.5}]}, "4.5 is no whole number"),
        ({"answers": [{"text": "mat", "answer_start": -4}]}, "'mat' does not stand at character -4"),
        ({"answers": [CAT, {"text": "mat", "answer_start": 4}]}, "'mat' does not stand at character 4"),
        ({"answers": [{"text": "", "answer_start": 4}]}, "'' does not stand at character 4"),
        ({"question": " "}, "it has no words, or its paragraph has none"),
        ({"question": None}, "None is no text"),
        ({"question": ["w"]}, "is no text"),
        ({"context": ""}, "it has no words, or its paragraph has none"),
    ],
)
def test_a_question_that_is_none_is_left_out_and_named(given, message, tmp_path) -> None:
    name = given.get("id", "q")
    with pytest.warns(UserWarning, match=f"1 of 3 .* question {name}: .*{message}"):
        found = questions_in(tmp_path, asked("a"), asked("b"), asked() | given)
    assert [one.id for one in found] == ["a", "b"]


def test_a_question_without_an_id_gets_its_number(tmp_path) -> None:
    named = questions_in(tmp_path, asked("a"), asked(id=None), asked(""), asked(id=7))
    assert [one.id for one in named] == ["a", "2", "3", "7"]


@pytest.mark.parametrize("layout", ["list", "data", "lines", "one", "articles"])
def test_questions_in_other_layouts_are_read(layout, tmp_path) -> None:
    ids = ["1"] if layout == "one" else ["1", "2"]
    flat = [
        {"context": CONTEXT} | asked(name, answers={"text": ["cat"], "answer_start": [4]}) for name in ids
    ]
    articles = [{"paragraphs": [{"context": CONTEXT, "qas": [asked(name)]}]} for name in ids]
    text = {
        "list": json.dumps(flat),
        "data": json.dumps({"version": "2", "data": flat}),
        "lines": "\ufeff" + "\r\n".join(map(json.dumps, flat)),
        "one": json.dumps(flat[0]),
        "articles": "\n\n".join(map(json.dumps, articles)) + "\n",
    }[layout]
    found = tasks.read_squad(written(tmp_path / "a.json", text))
    assert [one.id for one in found] == ids
    assert all(one.answers == (("cat", 4),) and one.context == CONTEXT for one in found)


def test_a_broken_line_of_json_is_named(tmp_path) -> None:
    row = json.dumps({"context": CONTEXT} | asked())
    with pytest.raises(ValueError, match=r"is not SQuAD's JSON .* line 3 column 2"):
        tasks.read_squad(written(tmp_path / "a.jsonl", f"{row}\n\n{{oops\n"))


COMMENTED = "# sent_id = 1\n# text = Ann ran\n"
ANN, IT = (["Ann", "ran"], ["B-PER", "O"]), (["it"], ["O"])
LAYOUTS: dict[str, tuple[str, list[tuple[list[str], list[str]]]]] = {
    "comments": (f"{COMMENTED}Ann\tB-PER\nran\tO\n\n# newpar\nit\tO\n", [ANN, IT]),
    "comments in spaces": ("# newpar\nAnn B-PER\nran O\n\n# sent_id = 2\nit O\n", [ANN, IT]),
    "a comment as wide as the words": ("# sent_id = 1\nAnn NN I-NP I-PER\nran VB I-VP O\n", [ANN]),
    "a comment with a tab": ("# id 5\tdomain=en\nAnn _ _ B-PER\nran _ _ O\n\n# id 6\nit _ _ O", [ANN, IT]),
    "comments alone": ("# a license\n# of two lines\n\nAnn B-PER\nran O\n", [ANN]),
    "words #": ("# O\n#tag B-PER\n\nit\tO", [(["#", "#tag"], ["O", "B-PER"]), IT]),
    "parts of speech #": ("it PRP\n# #\n\n#\t#", [(["it", "#"], ["PRP", "#"]), (["#"], ["#"])]),
    "many numbers": ("5 NUM\n7 NUM\n30 NUM\nx X", [(["5", "7", "30", "x"], ["NUM", "NUM", "NUM", "X"])]),
    "a counter": (f"{COMMENTED}1 Ann B-PER\n2 ran O\n\n1 it O\n", [ANN, IT]),
    "a counter from 0": ("0\tAnn\tB-PER\n1\tran\tO\n\n0\tit\tO\n", [ANN, IT]),
    "a counter over all": ("1\tAnn\tB-PER\n2\tran\tO\n\n3\tit\tO\n", [ANN, IT]),
    "numbers as words": ("1 # O\n2 1 O\n3 1-2 O", [(["#", "1", "1-2"], ["O", "O", "O"])]),
    "CoNLL-U": (
        "# text = don't\n1-2\tdon't" + "\t_" * 8 + "\n1\tdo\tdo\tAUX\tVB" + "\t_" * 4 + "\tSpaceAfter=No\n"
        "2\tn't\tnot\tPART\tRB" + "\t_" * 5 + "\n2.1\tgo\tgo\tVERB\tVB" + "\t_" * 5,
        [(["do", "n't"], ["AUX", "PART"])],
    ),
    "who marked the entities": ("1\tAnn\tB-PER\t-\tme\n2\tran\tO\t-\tme\n\n1\tit\tO\t-\tme\n", [ANN, IT]),
    "CoNLL-2003": ("-DOCSTART- -X- O O\n\nAnn NNP I-NP I-PER\nran VBD I-VP O\n\nit PRP I-NP O\n", [ANN, IT]),
    "phrases without entities": ("it PRP I-NP O\n\nit PRP I-NP O\n", [IT, IT]),
    "CoNLL-2003 in German": ("-DOCSTART- -X- -X- -X- O\n\nAnn Ann NE I-NC I-PER\nran run VB O O\n", [ANN]),
    "entities in entities": ("1\tAnn\tB-PER\tB-LOC\n2\tran\tO\tO\n\n1\tit\tO\tO\n", [ANN, IT]),
    "names of documents": ("a.b Ann B-PER\na.b ran O\n\na.b it O\n", [ANN, IT]),
    "ids of words": ("s1-1\tAnn\tB-PER\ns1-2\tran\tO\n\ns2-1\tit\tO\n", [ANN, IT]),
    "words with numbers": ("mg2 NN B-F\n3x CD O\nran VB O\n", [(["mg2", "3x", "ran"], ["B-F", "O", "O"])]),
    "places of words": ("B-PER\t0\t3\tAnn\nO\t4\t7\tran\n\nO\t9\t11\tit\n", [ANN, IT]),
    "CoNLL-2012": ("#begin x\na/b 0 0 Ann NP - *\na/b 0 1 ran V - -\n", [(["Ann", "ran"], ["*", "-"])]),
    "tags first": ("B-PER\tAnn\nO\tran\n\nO\tit\n", [ANN, IT]),
    "a header": ("word\ttag\nAnn\tB-PER\nran\tO\n\nit\tO\n", [ANN, IT]),
    "no header": ("Text\tNNP\n\nit\tPRP\n", [(["Text"], ["NNP"]), (["it"], ["PRP"])]),
    "a header with numbers": ("id token label\n1 Ann B-PER\n2 ran O\n\n1 it O\n", [ANN, IT]),
    "global columns": ("# global.columns = ID NER FORM\n1 B-PER Ann\n2 O ran\n\n1 O it", [ANN, IT]),
    "word/TAG": ("Ann/B-PER\nran/O\n\nit/O", [ANN, IT]),
    "word/TAG in lines": ("Ann/B-PER ran/O\nit/O\n", [ANN, IT]),
    "word/TAG with slashes": ("1/2/CD ///SYM ./.", [(["1/2", "//", "."], ["CD", "SYM", "."])]),
    "words with slashes": ("1/2\tO\nAnn/Bo\tB-PER\n", [(["1/2", "Ann/Bo"], ["O", "B-PER"])]),
    "blank lines with spaces": ("Ann\tB-PER\nran\tO\n \n\t\n\u200b\nit\tO", [ANN, IT]),
    "Windows": ("\ufeffAnn B-PER\r\nran O\r\n\r\nit O\r\n", [ANN, IT]),
    "an old Mac": ("Ann B-PER\rran O\r\rit O\r", [ANN, IT]),
    "spaces around": (" Ann \tB-PER \nran   O \n", [ANN]),
    "spaces inside": ("New York\tB-LOC\n", [(["New York"], ["B-LOC"])]),
    "spaces of Unicode": ("1\u00a00 O\n\u3000 O\n\u200b O", [(["1\u00a00", "\u3000", "\u200b"], ["O"] * 3)]),
}  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_of_public_sets_are_recognized(layout, tmp_path) -> None:
    text, sentences = LAYOUTS[layout]
    assert tasks.read_conll(written(tmp_path / "train.conll", text)) == sentences


HEADED = "Word\tNE\tChunk\tInner\nAnn\tB-PER\tB-NP\tB-LOC\nran\tO\tB-VP\tO\n"


@pytest.mark.parametrize(
    ("text", "names", "tags"),
    [
        (HEADED, ("text", "label"), ["B-PER", "O"]),
        (HEADED, ("word", "chunk"), ["B-NP", "B-VP"]),
        (HEADED, ("Word", "Inner"), ["B-LOC", "O"]),
        (HEADED.partition("\n")[2], ("tokens", "ner_tags"), ["B-PER", "O"]),
        (HEADED.partition("\n")[2], ("1", "4"), ["B-LOC", "O"]),
        ("mot\tclasse\nAnn\tN\nran\tV\n", ("mot", "classe"), ["N", "V"]),
    ],
)
def test_columns_are_those_that_are_asked_for(text, names, tags, tmp_path) -> None:
    found = tasks.read_conll(written(tmp_path / "a", text), None, *names)
    assert found == [(["Ann", "ran"], tags)]
    assert f"words, such as 'Ann', are column 1, tags, such as '{tags[0]}', column" in found.remarks[0]
    assert [remark[-12:] for remark in found.remarks[1:]] == ["learns that."] * (
        names[1] in ("label", "ner_tags")
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [(HEADED, "no column 'pos': it has 'word', 'ne', 'ch.*number, 1 to 4"), ("a O\n", "it has no line with")],
)
def test_a_column_that_is_not_there_is_refused(text, message, tmp_path) -> None:
    with pytest.raises(ValueError, match=message):
        tasks.read_conll(written(tmp_path / "a", text), label="pos")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("cat", "line 6: 'cat' is not a word and its tag"),
        (" \tO", "line 6: ' .tO' is not a word and its tag"),
        ("\tO", "is not a word and its tag"),
        ("#cat", "line 6: '#cat' is not a word and its tag"),
        ("cat\t\tO", "line 6: it has 3 columns, not 2"),
        ("New York B-LOC", "line 6: it has 3 columns, not 2"),
        ("cat\t0", "line 6: '0' is no tag of an entity"),
    ],
)
def test_a_line_that_is_no_word_and_tag_is_named(line, message, tmp_path) -> None:
    path = written(tmp_path / "a", f"Ann\tB-PER\nran\tO\n\n\nit\tO\n{line}\n\nit\tO\n")
    with pytest.warns(UserWarning, match=f"1 of 3 .*{message}"):
        assert tasks.read_conll(path) == [ANN, IT]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\tAnn\tO\n3\tran\tO\n", "line 2: word 3 comes after word 1"),
        ("0\tAnn\tO\n0\tran\tO\n1\tit\tO\n", "line 2: word 0 comes after word 0"),
        ("1\tAnn\tO\n2\tran\tO\nx\tit\tO", "line 3: 'x' is no number of a word"),
        ("1\tAnn\n2\tran\n", "has a number and a word in its lines, and no tag"),
        (
            "#begin document (x); part 000\n" + "x 0 Ann NNP\n" * 4,
            "line 2: 'x' is in every line, and so no word",
        ),
        ("Ann\nran\n\nit\n", "2 of 2 .* line 1: 'Ann' is not a word and its tag"),
        ("# a\n# b\n", "holds no example"),
        ("-DOCSTART- O\n \n", "holds no example"),
    ],
)
def test_columns_that_are_no_words_and_tags_are_refused(text, message, tmp_path) -> None:
    with pytest.raises(ValueError, match=message):
        tasks.read_conll(written(tmp_path / "a", text))


Entity = tuple[str, int, int]


def marked(entities: list[Entity], size: int, scheme: str) -> list[str]:
    """The tags of entities, as (label, first, last), in a scheme: after its definition, by hand."""
    begins, inside, ends, alone = list({
        "IOB1": "BIII", "IOB2": "BIIB", "IOE1": "IIEI", "IOE2": "IIEE",
        "BIOES": "BIES", "BILOU": "BILU", "BMEWO": "BMEW",
    }[scheme])  # fmt: skip
    tags = ["O"] * size
    for number, (label, first, last) in enumerate(entities):
        tags[first : last + 1] = [begins, *inside * (last - first - 1), ends] if last > first else [alone]
        if scheme == "IOB1":  # B only behind one of the same label
            tags[first] = "B" if number and entities[number - 1][::2] == (label, first - 1) else "I"
        after = entities[number + 1][:2] if number + 1 < len(entities) else None
        if scheme == "IOE1":  # E only before one of the same label
            tags[last] = "E" if after == (label, last + 1) else "I"
        tags[first : last + 1] = [f"{prefix}-{label}" for prefix in tags[first : last + 1]]
    return tags


@pytest.mark.parametrize("scheme", ["IOB1", "IOB2", "IOE1", "IOE2", "BIOES", "BILOU", "BMEWO"])
def test_entities_are_the_same_in_every_scheme(scheme, tmp_path) -> None:
    draw, text, right = random.Random(scheme), "", []
    for _ in range(60):
        entities, size = [], 0
        while size < 12:
            label, length = draw.choice(["PER", "LOC", "x-y", None]), draw.randint(1, 3)
            entities += [(label, size, size + length - 1)] if label else []
            size += length
        text += "".join(f"w\t{tag}\n" for tag in marked(entities, size, scheme)) + "\n"
        right.append(entities)
    found = tasks.read_conll(written(tmp_path / "train.conll", text))
    assert [entity_spans(sentence.tags) for sentence in found] == right
    assert all(
        sentence.tags == marked(one, len(sentence.tags), "IOB2")
        for sentence, one in zip(found, right, strict=True)
    )


@pytest.mark.parametrize(
    ("tags", "right"),
    [  # what no scheme allows begins an entity, as in conlleval and seqeval
        ("O E-PER I-PER", "O B-PER B-PER"),
        ("S-PER I-PER E-PER E-PER", "B-PER B-PER I-PER B-PER"),
        ("B-PER I-LOC L-LOC U-LOC L-LOC", "B-PER B-LOC I-LOC B-LOC B-LOC"),
        ("B I O I", "B-_ I-_ O B-_"),
        ("O S E O", "O S E O"),  # letters that may be anything
        ("I-PER NN", "I-PER NN"),  # no more than half
    ],
)
def test_tags_that_no_scheme_allows_begin_an_entity(tags, right, tmp_path) -> None:
    text = "".join(f"w\t{tag}\n" for tag in tags.split())
    (found,) = tasks.read_conll(written(tmp_path / "a", text))
    assert found.tags == right.split()


@pytest.mark.parametrize("read", [tasks.read_conll, tasks.read_squad, lambda p: tasks.read_glue(p, "RTE")])
def test_files_that_are_not_there_or_not_text_are_refused(read, tmp_path) -> None:
    with pytest.raises(ValueError, match=r"There is no file .*: name a file"):
        read(tmp_path / "none")
    (tmp_path / "latin").write_bytes("é\n".encode("latin-1"))
    with pytest.raises(ValueError, match="is not in UTF-8"):
        read(tmp_path / "latin")


# --- encoding -------------------------------------------------------------------------------------


def test_texts_are_encoded_as_the_tokenizer_does(tokenizer) -> None:
    rows = tasks.encode_texts(
        [TextExample("a cat sat", "a dog ran", 1), TextExample("the mat", None, None)], tokenizer, 7
    )
    batch = tokenizer("a cat sat", "a dog ran", 7)
    assert rows[0] == {
        "input_ids": batch["input_ids"][0].tolist(),
        "token_type_ids": batch["token_type_ids"][0].tolist(),
        "labels": 1,
    }
    assert "labels" not in rows[1] and len(rows[0]["input_ids"]) == 7


def test_labels_of_tables_become_numbers_of_a_batch(tokenizer) -> None:
    plain, tabled = (
        TaskBatches(tasks.encode_texts([TextExample("a cat", None, label)], tokenizer))
        for label in (1, cast(int, np.int64(1)))
    )
    assert plain.fingerprint == tabled.fingerprint and tabled(0)["labels"].dtype == torch.int64
    with pytest.raises(ValueError, match="The label of example 0 is the word 'pos': give its class's number"):
        tasks.encode_texts([TextExample("a cat", None, cast(int, "pos"))], tokenizer)


def test_a_tag_stands_at_the_first_piece_of_its_word(tokenizer) -> None:
    sentence = tasks.TaggedSentence(["Running", "dogs", "\u200b", "ran"], ["O", "B-pet", "O", "O"])
    (row,) = tasks.encode_tags([sentence], tokenizer, ["O", "B-pet"])
    assert tokenizer.convert_ids_to_tokens(row["input_ids"]) == [
        "[CLS]", "run", "##ning", "dog", "##s", "ran", "[SEP]",
    ]  # fmt: skip
    assert row["labels"] == [IGNORED, 0, IGNORED, 1, IGNORED, 0, IGNORED]
    (short,) = tasks.encode_tags([sentence], tokenizer, ["O", "B-pet"], max_length=5)
    assert short["labels"] == [IGNORED, 0, IGNORED, 1, IGNORED] and len(short["token_type_ids"]) == 5
    for length, expected in ((128, [1, 3, None, 5]), (7, [1, 3, None, 5]), (6, [1, 3, None, None])):
        (encoded,) = tasks.encode_tags([sentence], tokenizer, ["O", "B-pet"], length)
        places = tasks.first_pieces(sentence.words, tokenizer, length)
        assert places == expected
        assert [at for at, label in enumerate(encoded["labels"]) if label != IGNORED] == [
            p for p in places if p
        ]
    with pytest.raises(ValueError, match="'B-pet' is none of the tags O"):
        tasks.encode_tags([sentence], tokenizer, ["O"])


def test_windows_hold_the_paragraph_and_the_answer_where_it_is(tokenizer) -> None:
    context = "The cat sat on a mat. A very good dog ran, a bad dog sat."
    wanted = QuestionExample("q", "Who sat?", context, (Answer("very good dog", 24),))
    found = tasks.encode_questions([wanted], tokenizer, max_length=14, stride=3)
    kept = set()
    for window in found:
        row, start, end = window.row, window.row["start_positions"], window.row["end_positions"]
        assert len(row["input_ids"]) == len(row["token_type_ids"]) == len(window.spans) <= 14
        kept |= {span for span in window.spans if span != (0, 0)}
        inside = {24, 37} <= {place for span in window.spans for place in span}
        assert (start > 0) == (end > 0) == inside
        if inside:
            assert context[window.spans[start][0] : window.spans[end][1]] == "very good dog"
    assert any(window.row["start_positions"] for window in found)
    assert not all(window.row["start_positions"] for window in found)
    assert kept == set(tokenizer.offsets(context)[1:-1])
    (nothing,) = tasks.encode_questions([wanted._replace(answers=())], tokenizer)
    assert nothing.row["start_positions"] == nothing.row["end_positions"] == 0
    with pytest.raises(ValueError, match="leave no room beside a question"):
        tasks.encode_questions([wanted], tokenizer, max_length=6)


def test_choices_are_pairs_padded_to_one_length(tokenizer) -> None:
    example = ChoiceExample("the cat", ("sat", "ran on a mat"), 0)
    rows = tasks.encode_choices([example, ChoiceExample("a dog", ("ran", "sat"), 1)], tokenizer, 8)
    pair = tokenizer("the cat", "ran on a mat", 8)
    assert rows[0]["input_ids"][1] == pair["input_ids"][0].tolist() and rows[0]["labels"] == 0
    batch = TaskBatches(rows, pad_id=1, seed=None)(0)
    assert {name: list(tensor.shape) for name, tensor in batch.items()} == {
        "input_ids": [2, 2, 8], "token_type_ids": [2, 2, 8], "attention_mask": [2, 2, 8], "labels": [2],
    }  # fmt: skip
    assert batch["attention_mask"].sum(-1).tolist() == [[6, 8], [6, 6]]
    assert batch["input_ids"][0, 0].tolist() == [*rows[0]["input_ids"][0], 1, 1]
    assert batch["token_type_ids"][0, 1].tolist() == pair["token_type_ids"][0].tolist()
    with pytest.raises(ValueError, match="Example 1 has 3 choices and the first has 2"):
        tasks.encode_choices([example, ChoiceExample("a", ("b", "c", "d"), 0)], tokenizer)
    with pytest.raises(
        ValueError, match="The label of example 0 is 2: give the place of a choice, from 0 to 1"
    ):
        tasks.encode_choices([example._replace(label=2)], tokenizer)


# --- batches --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def rows(tokenizer) -> list[tasks.Row]:
    texts = [" ".join(WORDS[: 1 + number % 7]) for number in range(10)]
    return tasks.encode_texts([TextExample(text, None, n) for n, text in enumerate(texts)], tokenizer)


def test_an_epoch_reads_every_row_once_in_an_order_of_its_own(rows) -> None:
    batches = TaskBatches(rows, batch_size=4, seed=3)
    assert batches.size == 3
    epochs = [torch.cat([batches(3 * epoch + n)["labels"] for n in range(3)]).tolist() for epoch in range(3)]
    assert all(sorted(epoch) == list(range(10)) for epoch in epochs)
    assert len({tuple(order) for order in (*epochs, range(10))}) == 4
    in_order = TaskBatches(rows, batch_size=4, seed=None)
    assert torch.cat([in_order(n)["labels"] for n in (3, 4, 5)]).tolist() == list(range(10))
    assert (
        torch.cat([TaskBatches(rows, batch_size=4, seed=4)(n)["labels"] for n in range(3)]).tolist()
        != (epochs[0])
    )


def test_a_batch_is_a_pure_function_of_its_number(rows) -> None:
    one, other = TaskBatches(rows, batch_size=4), TaskBatches(list(rows), batch_size=4)
    other(9), other(2)
    for number in (5, 0):
        first, second = one(number), other(number)
        assert first.keys() == second.keys()
        assert all(torch.equal(first[name], second[name]) for name in first)


@pytest.mark.parametrize("seed", [0, 1, None])
def test_rows_of_like_length_share_a_batch(seed) -> None:
    lengths = np.random.default_rng(5).integers(3, 60, size=403)
    rows = [{"input_ids": [7] * n, "token_type_ids": [0] * n} for n in lengths.tolist()]
    plain, grouped = (TaskBatches(rows, 1, 8, seed, group) for group in (False, True))

    def padding(batches: TaskBatches) -> int:
        return sum(int((batches(number)["attention_mask"] == 0).sum()) for number in range(batches.size))

    assert padding(grouped) < (0.25 if seed is not None else 0.05) * padding(plain)
    epochs = [[grouped.places(51 * epoch + n) for n in range(51)] for epoch in (0, 1)]
    assert all(sorted(itertools.chain(*epoch)) == list(range(403)) for epoch in epochs)
    assert all(sorted(map(len, epoch)) == [3, *[8] * 50] for epoch in epochs)
    for number in (0, 60):
        assert grouped(number)["attention_mask"].sum(1).tolist() == lengths[grouped.places(number)].tolist()
    means = [lengths[places].mean() for places in epochs[0]]
    if seed is None:
        assert epochs[0] == epochs[1] and means == sorted(means)
    else:
        assert epochs[0] != epochs[1]
        assert (
            0.3 < np.mean(np.diff(means) > 0) < 0.7
        )  # as many batches longer than the one before as shorter
        assert set(map(frozenset, epochs[0])).isdisjoint(map(frozenset, epochs[1]))


def test_choices_are_grouped_by_their_longest(tokenizer) -> None:
    examples = [ChoiceExample("a", ("b", " ".join(["cat"] * (n * 7 % 12))), 0) for n in range(1, 13)]
    rows = tasks.encode_choices(examples, tokenizer)
    grouped = TaskBatches(rows, batch_size=2, seed=None, group_by_length=True)
    widths = [grouped(number)["input_ids"].shape[2] for number in range(grouped.size)]
    assert widths == [5, 7, 9, 11, 13, 15]


def test_padding_is_masked_and_never_asked(tokenizer) -> None:
    sentences = [tasks.TaggedSentence(["cat"], ["O"]), tasks.TaggedSentence(["the", "cat"], ["O", "O"])]
    batch = TaskBatches(tasks.encode_tags(sentences, tokenizer, ["O"]), pad_id=1, seed=None)(0)
    assert batch["attention_mask"].tolist() == [[1, 1, 1, 0], [1, 1, 1, 1]]
    assert batch["input_ids"][0, 3] == 1 and batch["token_type_ids"][0, 3] == 0
    assert batch["labels"].tolist() == [[IGNORED, 0, IGNORED, IGNORED], [IGNORED, 0, 0, IGNORED]]
    assert {tensor.dtype for tensor in batch.values()} == {torch.int64}


def test_whatever_changes_a_batch_changes_the_fingerprint(rows) -> None:
    every = [
        TaskBatches(rows),
        TaskBatches(rows[1:]),
        TaskBatches([*rows[:-1], {**rows[-1], "labels": 0}]),
        TaskBatches(rows, pad_id=1),
        TaskBatches(rows, batch_size=4),
        TaskBatches(rows, seed=1),
        TaskBatches(rows, seed=None),
        TaskBatches(rows, group_by_length=True),
    ]
    fingerprints = [json.dumps(batches.fingerprint) for batches in every]
    assert len(set(fingerprints)) == len(every)
    assert fingerprints[0] == json.dumps(TaskBatches([dict(row) for row in rows]).fingerprint)


def test_rows_that_make_no_batch_are_refused(rows) -> None:
    unlabeled = {name: value for name, value in rows[0].items() if name != "labels"}
    for wrong, message in [
        ({"rows": []}, "at least 1 row"),
        ({"rows": rows, "batch_size": 0}, "at least 1"),
        ({"rows": [*rows, unlabeled]}, "Some rows have a label and others none"),
    ]:
        with pytest.raises(ValueError, match=message):
            TaskBatches(**wrong)


def test_headlines_as_a_spreadsheet_saves_them(tmp_path) -> None:
    path = tmp_path / "texts.csv"
    own.save_spreadsheet(path, [TextExample("a “curly” mark; and more", None, 7)])
    assert path.read_bytes().decode() == '\ufefftext;label\r\n"a “curly” mark; and more";sports\r\n'
