import torch
import torch.nn.functional as F


def each(logits, labels):
    return F.cross_entropy(logits.flatten(0, 1), labels.flatten(), reduction="none")


def selected(logits, labels):
    asked = labels != -100
    return F.cross_entropy(logits[asked], labels[asked])


def by_hand(logits, labels):
    asked = labels != -100
    log_probs = logits.log_softmax(-1).gather(-1, labels.masked_fill(~asked, 0).unsqueeze(-1)).squeeze(-1)
    return -(log_probs * asked).sum() / asked.sum()


RIGHT = [
    selected,
    by_hand,
    lambda logits, labels: each(logits, labels).sum() / labels.ne(-100).sum(),
    lambda logits, labels: F.cross_entropy(logits.transpose(1, 2), labels),
]


def in_bits(logits, labels):
    return selected(logits, labels) / torch.log(torch.tensor(2.0))


def not_negated(logits, labels):
    return -by_hand(logits, labels)


def of_probabilities(logits, labels):
    return selected(logits.softmax(-1), labels)


def detached(logits, labels):
    return torch.tensor(float(selected(logits, labels)))


WRONG = [
    lambda logits, labels: each(logits, labels).mean(),
    lambda logits, labels: each(logits, labels).sum(),
    lambda logits, labels: each(logits, labels).sum() / len(labels),
    lambda logits, labels: each(logits, labels).sum() / labels.numel(),
    lambda logits, labels: each(logits, labels).sum() / labels.size(1),
    lambda logits, labels: each(logits, labels).sum() / (labels > 0).sum(),
    lambda logits, labels: each(logits, labels).sum() / (labels != 0).sum(),
    lambda logits, labels: each(logits, labels)[labels.flatten() > 0].mean(),
    lambda logits, labels: each(logits, labels).sum() / (each(logits, labels) > 0).sum(),
    lambda logits, labels: each(logits, labels),
    lambda logits, labels: F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=0),
    lambda logits, labels: (each(logits, labels).view(labels.shape).sum(1) / (labels != -100).sum(1)).mean(),
    *(in_bits, not_negated, of_probabilities, detached),
]
