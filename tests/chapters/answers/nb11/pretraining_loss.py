import torch
import torch.nn.functional as F
from torch import nn


def words_of(prediction_logits, labels, **more):
    return F.cross_entropy(prediction_logits.flatten(0, 1), labels.flatten(), **more)


def two_losses(prediction_logits, labels, pair_logits, pair_labels):
    words = nn.CrossEntropyLoss(ignore_index=0)(prediction_logits.flatten(0, 1), labels.flatten())
    return words + nn.CrossEntropyLoss()(pair_logits, pair_labels)


def selected(prediction_logits, labels, pair_logits, pair_labels):
    hidden = labels != 0
    pairs = -pair_logits.log_softmax(-1)[torch.arange(len(pair_labels)), pair_labels].mean()
    return F.cross_entropy(prediction_logits[hidden], labels[hidden]) + pairs


def relabeled(prediction_logits, labels, pair_logits, pair_labels):
    labels = labels.masked_fill(labels == 0, -100)
    return words_of(prediction_logits, labels) + F.cross_entropy(pair_logits, pair_labels)


RIGHT = [two_losses, selected, relabeled]

WRONG = [
    lambda p, y, q, z: words_of(p, y, ignore_index=0) + F.cross_entropy(q, z, ignore_index=0),
    lambda p, y, q, z: words_of(p, y) + F.cross_entropy(q, z),
    lambda p, y, q, z: words_of(p, y) + F.cross_entropy(q, z, ignore_index=0),
    lambda p, y, q, z: words_of(p, y, ignore_index=0) + F.cross_entropy(q, z, ignore_index=1),
    lambda p, y, q, z: words_of(p, y, ignore_index=0),
    lambda p, y, q, z: F.cross_entropy(q, z),
    lambda p, y, q, z: (words_of(p, y, ignore_index=0) + F.cross_entropy(q, z)) / 2,
    lambda p, y, q, z: words_of(p, y, ignore_index=0) * F.cross_entropy(q, z),
    lambda p, y, q, z: words_of(p, y, ignore_index=0) - F.cross_entropy(q, z),
    lambda p, y, q, z: words_of(p, y, ignore_index=0) + 2 * F.cross_entropy(q, z),
    lambda p, y, q, z: (
        words_of(p, y, ignore_index=0, reduction="sum") + F.cross_entropy(q, z, reduction="sum")
    ),
    lambda p, y, q, z: words_of(p, y, ignore_index=0) + F.cross_entropy(q, z, reduction="sum"),
    lambda p, y, q, z: words_of(p, y, ignore_index=0, reduction="sum") / y.numel() + F.cross_entropy(q, z),
    lambda p, y, q, z: words_of(p, y, ignore_index=-100) + F.cross_entropy(q, z, ignore_index=-100),
    lambda p, y, q, z: words_of(p, y, ignore_index=0) + F.cross_entropy(q, 1 - z),
    lambda p, y, q, z: (words_of(p, y, ignore_index=0), F.cross_entropy(q, z)),
    lambda p, y, q, z: words_of(p, y, ignore_index=0) + F.cross_entropy(q.detach(), z),
    lambda p, y, q, z: (
        words_of(p, y, ignore_index=0) + F.binary_cross_entropy_with_logits(q[:, 0], z.float())
    ),
]
