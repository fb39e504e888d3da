import torch
import torch.nn.functional as F

NEGATIVES = 5


def by_hand(prediction, target, noise):
    right = torch.einsum("bd,bd->b", prediction, target)
    wrong = torch.einsum("bd,sd->bs", prediction, noise)
    return F.softplus(-right).mean() + 5 * F.softplus(wrong).mean()


def with_entropy(prediction, target, noise):
    right, wrong = (prediction @ target.T).diagonal(), prediction @ noise.T
    good = F.binary_cross_entropy_with_logits(right, torch.ones_like(right))
    return good + NEGATIVES * F.binary_cross_entropy_with_logits(wrong, torch.zeros_like(wrong))


def in_a_loop(prediction, target, noise):
    total = 0
    for p, t in zip(prediction, target, strict=True):
        total = total - F.logsigmoid(p @ t) - 5 * sum(F.logsigmoid(-(p @ n)) for n in noise) / len(noise)
    return total / len(prediction)


RIGHT = [by_hand, with_entropy, in_a_loop]


def scores(prediction, target, noise):
    return (prediction * target).sum(1), prediction @ noise.T


def no_minus_at_the_noise(p, t, n):
    right, wrong = scores(p, t, n)
    return -(F.logsigmoid(right) + 5 * F.logsigmoid(wrong).mean(1)).mean()


def minus_forgotten(p, t, n):
    right, wrong = scores(p, t, n)
    return (F.logsigmoid(right) + 5 * F.logsigmoid(-wrong).mean(1)).mean()


def logarithm_of_sigmoid(p, t, n):
    right, wrong = scores(p, t, n)
    return -(torch.sigmoid(right).log() + 5 * (1 - torch.sigmoid(wrong)).log().mean(1)).mean()


def clamped(p, t, n):
    right, wrong = (one.clamp(-10, 10) for one in scores(p, t, n))
    return -(F.logsigmoid(right) + 5 * F.logsigmoid(-wrong).mean(1)).mean()


def sum_of_noise(p, t, n):
    right, wrong = scores(p, t, n)
    return -(F.logsigmoid(right) + F.logsigmoid(-wrong).sum(1)).mean()


def noise_once(p, t, n):
    right, wrong = scores(p, t, n)
    return -F.logsigmoid(right).mean() - F.logsigmoid(-wrong).mean()


def five_for_both(p, t, n):
    right, wrong = scores(p, t, n)
    return -5 * (F.logsigmoid(right) + F.logsigmoid(-wrong).mean(1)).mean()


def each_example(p, t, n):
    right, wrong = scores(p, t, n)
    return -(F.logsigmoid(right) + 5 * F.logsigmoid(-wrong).mean(1))


def whole_sum(p, t, n):
    right, wrong = scores(p, t, n)
    return -(F.logsigmoid(right) + 5 * F.logsigmoid(-wrong).mean(1)).sum()


def all_against_all(p, t, n):
    return -F.logsigmoid(p @ t.T).mean() - 5 * F.logsigmoid(-(p @ n.T)).mean()


def features_kept(p, t, n):
    return -(F.logsigmoid(p * t) + 5 * F.logsigmoid(-(p @ n.T)).mean(1)).mean()


def mean_of_scores_first(p, t, n):
    right, wrong = scores(p, t, n)
    return -(F.logsigmoid(right) + 5 * F.logsigmoid(-wrong.mean(1))).mean()


def sigmoids(p, t, n):
    right, wrong = scores(p, t, n)
    return -(torch.sigmoid(right) + 5 * torch.sigmoid(-wrong).mean(1)).mean()


def bare(p, t, n):
    right, wrong = scores(p, t, n)
    return -(right - 5 * wrong.mean(1)).mean()


def softmaxed(p, t, n):
    right, wrong = scores(p, t, n)
    return F.cross_entropy(torch.cat([right[:, None], wrong], 1), torch.zeros(len(p), dtype=torch.long))


def target_against_noise(p, t, n):
    return -(F.logsigmoid((p * t).sum(1)) + 5 * F.logsigmoid(-(t @ n.T)).mean(1)).mean()


def target_alone(p, t, n):
    return -F.logsigmoid((p * t).sum(1)).mean()


def noise_alone(p, t, n):
    return -5 * F.logsigmoid(-(p @ n.T)).mean()


def one_minus_in_the_logarithm(p, t, n):
    right, wrong = scores(p, t, n)
    return -(F.logsigmoid(right) + 5 * (1 - F.logsigmoid(wrong)).mean(1)).mean()


def noise_subtracted(p, t, n):
    right, wrong = scores(p, t, n)
    return -(F.logsigmoid(right) - 5 * F.logsigmoid(-wrong).mean(1)).mean()


def as_a_float(p, t, n):
    return by_hand(p, t, n).item()


def detached_noise(p, t, n):
    return by_hand(p, t, n.detach())


def pushed_away(p, t, n):
    right, wrong = scores(p, t, n)
    return -(F.logsigmoid(-right) + 5 * F.logsigmoid(-wrong).mean(1)).mean()


def distances(p, t, n):
    return ((p - t) ** 2).sum(1).mean()


WRONG = [
    *(no_minus_at_the_noise, minus_forgotten, logarithm_of_sigmoid, clamped, sum_of_noise, noise_once),
    *(five_for_both, each_example, whole_sum, all_against_all, features_kept, mean_of_scores_first),
    *(sigmoids, bare, softmaxed, target_against_noise, target_alone, noise_alone),
    *(one_minus_in_the_logarithm, noise_subtracted, as_a_float, detached_noise, pushed_away, distances),
]
