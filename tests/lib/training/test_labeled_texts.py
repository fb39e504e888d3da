"""Batches of labeled texts lose no row, and a model's share of right answers is counted over all of them."""

import torch

from lib.bert import BertForSequenceClassification, WordPieceTokenizer
from lib.text.tasks import TextExample
from lib.training.labeled_texts import accuracy, batches_of

EXAMPLES = [TextExample(f"{'rain ' * (7 - number)}in town", None, number % 3) for number in range(7)]


def test_every_text_comes_once_and_with_its_label():
    pieces = WordPieceTokenizer.from_pretrained("minilm")
    rows = [
        (ids[mask.bool()].tolist(), int(label))
        for inputs, labels in batches_of(EXAMPLES, 2)
        for ids, mask, label in zip(inputs["input_ids"], inputs["attention_mask"], labels, strict=True)
    ]
    assert [len(ids) for ids, _ in rows] == sorted(len(ids) for ids, _ in rows)
    expected = [(pieces.encode(example.first), example.label) for example in reversed(EXAMPLES)]
    assert rows == expected


def test_accuracy_is_a_share_of_all_examples():
    model = BertForSequenceClassification.from_pretrained("minilm", num_labels=3)
    with torch.no_grad():
        model.classifier.weight.zero_()
        model.classifier.bias.copy_(torch.tensor([0.0, 1.0, 0.0]))
    assert accuracy(model, EXAMPLES) == sum(example.label == 1 for example in EXAMPLES) / len(EXAMPLES)
    assert not model.training
