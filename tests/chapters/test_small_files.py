"""The two small files of notebook 17, which turn one MiniLM from task to task and leave it as it was."""

import pytest
import torch
from safetensors.torch import load_file

from chapters.nb17 import small_files
from lib.bert import BertForSequenceClassification, WordPieceTokenizer
from lib.bert.added import remove_added
from lib.text.tasks import own

LABELS = {"subjects": 5, "headlines": 9}


@pytest.mark.parametrize("task", LABELS)
def test_a_file_holds_updates_of_rank_two_and_a_head(task: str) -> None:
    held = load_file(small_files.small_file(task))
    shapes = {tuple(tensor.shape) for name, tensor in held.items() if not name.startswith("classifier.")}
    assert len(held) == 26 and shapes == {(2, 384), (384, 2)}
    assert held["classifier.bias"].shape == (LABELS[task],)
    assert small_files.small_file(task).stat().st_size < 100_000


@torch.no_grad()
def test_files_are_exchanged_and_taken_out_to_the_bit() -> None:
    model = BertForSequenceClassification.from_pretrained("minilm", num_labels=5).eval()
    published = {name: tensor.clone() for name, tensor in model.bert.state_dict().items()}
    text = WordPieceTokenizer.from_pretrained("minilm")(["the striker scored twice in the final"])
    logits = []
    for task in ("subjects", "headlines", "subjects"):
        small_files.put_in(model, small_files.small_file(task))
        logits.append(model(**text).logits)
        assert logits[-1].shape == (1, LABELS[task])
    assert torch.equal(logits[0], logits[2])
    assert own.CATEGORIES[int(logits[1].argmax())] == "sports"
    remove_added(model)
    now = model.bert.state_dict()
    assert now.keys() == published.keys()
    assert all(torch.equal(now[name], published[name]) for name in published)
