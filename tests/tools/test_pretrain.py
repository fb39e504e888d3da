"""`pretrain`: a run that was killed, pieces of one's own, and what is refused before it costs time."""

import json
import os
import re
import subprocess
import sys
import time

import pytest
import torch
from datasets import Dataset
from safetensors.torch import load_file
from typer.testing import CliRunner

from lib.bert import WordPieceTokenizer
from lib.bert.heads import BertForPreTraining
from lib.text import reader
from lib.training.checkpoints import read_log
from lib.training.preparing import corpus_documents
from tools.__main__ import app


def test_a_killed_run_goes_on_from_the_command_line(tmp_path, invoke) -> None:
    words = " ".join(f"word{number % 9} is here." for number in range(400))
    (tmp_path / "text.txt").write_text(f"{words}\n\n{words}\n", encoding="utf-8")

    def options(out: str) -> list[str]:
        return [
            "--corpus", str(tmp_path / "text.txt"), "--out", str(tmp_path / out), "--hidden-size", "24",
            "--layers", "1", "--heads", "2", "--length", "32", "--batch-size", "2",
            "--gradient-accumulation", "2", "--steps", "40", "--save-every", "5", "--precision", "no",
            "--dropout", "0.1",
        ]  # fmt: skip

    assert invoke(*options("whole")).endswith(" done")
    environment = {**os.environ, "OMP_NUM_THREADS": str(torch.get_num_threads()), "TQDM_DISABLE": "1"}
    command = [sys.executable, "-m", "tools.pretrain", *options("killed")]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while process.poll() is None and len(read_log(tmp_path / "killed")) < 12:
        time.sleep(0.01)
    process.kill()
    process.communicate()
    assert process.returncode == (1 if os.name == "nt" else -9)
    saved = int(max(path.name for path in (tmp_path / "killed" / "checkpoints").glob("step-???????"))[5:])
    before = [entry["seconds"] for entry in read_log(tmp_path / "killed") if entry["step"] <= saved]
    assert 10 <= saved < 40 and len(before) == saved
    assert invoke(*options("killed"), "--resume").endswith(" done")
    whole, resumed = (load_file(tmp_path / name / "model.safetensors") for name in ("whole", "killed"))
    assert whole.keys() == resumed.keys()
    assert all(torch.equal(resumed[name], weights) for name, weights in whole.items())
    log = read_log(tmp_path / "killed")
    assert [entry["step"] for entry in log] == list(range(1, 41))
    assert [entry["seconds"] for entry in log[:saved]] == before  # these steps were not made again


@pytest.fixture(scope="module")
def invoke():
    """Runs the command in this process; what it prints, or the sentence that it ends with."""

    def run(*options: str) -> str:
        done = CliRunner().invoke(app, ["pretrain", *options])
        assert done.exception is None or isinstance(done.exception, ValueError | SystemExit), done.exception
        return f"{done.output} {done.exception or 'done'}"

    return run


def test_the_command_learns_its_pieces_and_says_what_is_wrong(tmp_path, invoke) -> None:
    for name in ("one", "other"):
        text = "\n\n".join("\n".join(document) for document in reader()[:40])
        (tmp_path / f"{name}.txt").write_text(text + "\n", encoding="utf-8")

    def run(corpus: str, *options: str) -> str:
        command = ["--corpus", str(tmp_path / corpus), "--out", str(tmp_path / "run"), "--precision", "no"]
        command += ["--hidden-size", "24", "--layers", "1", "--heads", "2", "--length", "32", "--steps", "1"]
        return invoke(*command, "--gradient-accumulation", "1", "--batch-size", "2", *options)

    new = str(tmp_path / "new")
    assert run("one.txt", "--pieces", "400", "--objective", "three-way").endswith(" done")
    head = BertForPreTraining.from_pretrained(tmp_path / "run").cls.seq_relationship
    assert head.out_features == 3
    assert len(WordPieceTokenizer.from_pretrained(tmp_path / "run" / "vocabulary")) == 400
    for corpus, options, sentence in (
        (
            "other.txt",
            ["--pieces", "400", "--resume"],
            r"made with corpus\.0 = .*one\.txt.* has .*other\.txt",
        ),
        ("one.txt", ["--pieces", "500", "--resume"], "vocabulary was made with pieces = 400, .* has 500"),
        ("one.txt", ["--pieces", "400"], "holds a run already"),
        ("one.txt", ["--pieces", "9", "--out", new], "have no room for the special tokens"),
        ("one.txt", ["--length", "513", "--out", new], "beyond the 512 positions"),
        ("one.txt", ["--mask", "0.9", "--random", "0.2", "--out", new], "shares that sum to at most 1"),
        ("one.txt", ["--objective", "nxt", "--out", new], "Invalid value for '--objective'"),
        (
            "one.txt",
            ["--start-from", str(tmp_path / "run"), "--vocabulary", "minilm", "--out", new],
            "knows other pieces",
        ),
        ("none.txt", ["--out", new], "There is no text at"),
    ):
        assert re.search(sentence, found := run(corpus, *options)), found


TEXTS = ["The cat sits.", "The dog runs.\n\nIt is\u2028wet.", "Cats meow."]
ROWS = [{"text": text, "id": number} for number, text in enumerate(TEXTS)]
LINES = "".join(json.dumps(row) + "\n" for row in ROWS)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("c.jsonl", LINES),
        ("c.csv", "id;text\n" + "".join(f'{number};"{text}"\n' for number, text in enumerate(TEXTS))),
        # siblings
        ("c.json", json.dumps({"data": ROWS}, indent=1)),
        ("c.ndjson", LINES + '{"text": "", "id": 7}\n{"text": null, "id": 8}\n'),
        ("C.TSV", "\ufefftext\tid\n" + "".join(f'"{text}"\t0\n' for text in TEXTS)),
        ("c.parquet", None),
    ],
)
def test_the_texts_of_a_table_are_documents(name, content, tmp_path) -> None:
    if content is None:
        Dataset.from_list(ROWS).to_parquet(tmp_path / name)
    else:
        (tmp_path / name).write_text(content, encoding="utf-8", newline="")
    found = list(corpus_documents(tmp_path / name))
    assert found == [["The cat sits."], ["The dog runs.", "It is", "wet."], ["Cats meow."]]


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("c.html", "<p>The cat sits.</p>\n", r"c\.html is no text file \(\.txt, \.txt\.gz\): save its text"),
        ("c.jsonl", LINES.replace('"text"', '"body"'), "c.jsonl has no column 'text': it has 'body', 'id'"),
        # siblings
        ("c.jsonl", LINES + '{"text": ["The", "cat"]}\n', r"c\.jsonl, line 4: 'text' holds no text but"),
        ("c", "The cat sits.\n", r"c is no text file"),
        ("c.csv", "text\nein m\udcfcder Tag\n", r"c\.csv is no text in utf-8: .* save it in UTF-8"),
    ],
)
def test_what_holds_no_texts_is_refused(name, content, sentence, tmp_path, invoke) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8", errors="surrogateescape")
    out = tmp_path / "run"
    found = invoke("--corpus", str(tmp_path / name), "--out", str(out), "--pieces", "60")
    assert re.search(sentence, found), found
    assert not [path for path in out.rglob("*") if path.suffix != ".lock"]


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        (("--learning-rate", "nan"), "a finite rate above 0"),
        (("--learning-rate", "inf"), "a finite rate above 0"),
        (("--warmup", "nan"), "a share of the steps"),
        (("--dropout", "nan"), "a share from 0 to below 1"),
        (("--mask-rate", "nan"), "a share between 0 and 1"),
        (("--seed", "-1"), "Invalid value for '--seed'"),
        (("--first", "0"), "Invalid value for '--first'"),
        (("--gradient-accumulation", "0"), "Invalid value for"),
        (("--heads", "7"), "heads"),
    ],
)
def test_what_cannot_be_is_said_before_anything_is_packed(option, sentence, tmp_path, invoke) -> None:
    (tmp_path / "text.txt").write_text("one two\n", encoding="utf-8")
    found = invoke("--corpus", str(tmp_path / "text.txt"), "--out", str(tmp_path / "run"), *option)
    assert re.search(sentence, found), found
    assert not (tmp_path / "run").exists()
