"""`make`: the whole recipe of the pocket BERT on a small text."""

import os
import subprocess
import sys

import torch

from lib import records
from lib.bert import BertModel
from lib.text import reader


def test_the_whole_recipe_in_two_steps(tmp_path) -> None:
    documents = ["\n".join(document) for document in reader()]
    (tmp_path / "text.txt").write_text("\n\n".join(4 * documents) + "\n", encoding="utf-8")
    article = " = One = \n\n" + " The town lies by the river . " * 40 + "\n"
    (tmp_path / "wiki.txt").write_text(2 * article, encoding="utf-8")
    options = ["--corpus", str(tmp_path / "text.txt"), "--wikitext", str(tmp_path / "wiki.txt")]
    options += ["--work", str(tmp_path / "work"), "--size", "3000", "--length", "48", "--batch-size", "2"]
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "", "TQDM_DISABLE": "1"}
    two_processes = ["torch.distributed.run", "--standalone", "--nproc_per_node=2", "-m", "tools.pocket_bert"]
    typed = ["tools", "make", "pocket-bert"]
    first, second = str(tmp_path / "run"), str(tmp_path / "more")
    for launcher, chunks, start, out in ((two_processes, 2, "minilm", first), (typed, 1, first, second)):
        command = [sys.executable, "-m", *launcher, *options, "--steps", "2"]
        command += ["--warmup-steps", "1", "--decay-steps", "1"]
        command += [
            "--gradient-accumulation",
            str(chunks),
            "--seed",
            "1",
            "--start-from",
            start,
            "--out",
            out,
        ]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
        assert not done.returncode, done.stderr
        assert done.stdout.count("held out: loss") == done.stdout.count("wikitext: loss") == 1
    [row] = records.table("record", tmp_path / "more").rows
    record = row.scores | row.costs
    assert record["start"] == "minilm" and len(record["runs"]) == 2
    assert record["scores"] == record["runs"][1]["scores"] != record["runs"][0]["scores"]
    assert record["tokens"] == [192, 384, 480, 576] and len(record["right"]) == 4
    assert record["vocabulary"]["pieces a word"] >= 1 and record["scores"]["held out"]["words"] >= 0
    whole, half = (BertModel.from_pretrained(tmp_path / "more" / part) for part in (".", "half"))
    for one, other in zip(whole.parameters(), half.parameters(), strict=True):
        torch.testing.assert_close(one, other, atol=1e-3, rtol=1e-3)
