import torch
import torch.nn.functional as F


def in_library_words(student_logits, teacher_logits, labels, temperature, alpha):
    soft = F.kl_div(
        F.log_softmax(student_logits / temperature, dim=1),
        F.softmax(teacher_logits.detach() / temperature, dim=1),
        reduction="batchmean",
    )
    return alpha * temperature**2 * soft + (1 - alpha) * F.cross_entropy(student_logits, labels)


def from_the_formula(student_logits, teacher_logits, labels, temperature, alpha):
    t = torch.softmax(teacher_logits / temperature, dim=-1)
    s = torch.softmax(student_logits / temperature, dim=-1)
    kl = (t * (t / s).log()).sum(dim=-1).mean()
    picked = student_logits.log_softmax(dim=-1)[torch.arange(len(labels)), labels]
    return alpha * temperature * temperature * kl - (1 - alpha) * picked.mean()


def with_log_target(student_logits, teacher_logits, labels, temperature, alpha):
    own = (student_logits / temperature).log_softmax(-1)
    taught = (teacher_logits / temperature).log_softmax(-1)
    each = F.kl_div(own, taught, log_target=True, reduction="none").sum(-1)
    return (alpha * temperature**2 * each).mean() + (1 - alpha) * F.cross_entropy(student_logits, labels)


def cross_entropy_less_entropy(student_logits, teacher_logits, labels, temperature, alpha):
    taught = (teacher_logits / temperature).softmax(-1)
    cross = F.cross_entropy(student_logits / temperature, taught)
    entropy = -(taught * taught.log()).sum(-1).mean()
    return alpha * temperature**2 * (cross - entropy) + (1 - alpha) * F.cross_entropy(student_logits, labels)


RIGHT = [in_library_words, from_the_formula, with_log_target, cross_entropy_less_entropy]


def parts(student_logits, teacher_logits, labels, temperature):
    own = (student_logits / temperature).log_softmax(-1)
    taught = (teacher_logits / temperature).softmax(-1)
    return F.kl_div(own, taught, reduction="batchmean"), F.cross_entropy(student_logits, labels)


def kl(own, taught, reduction="batchmean"):
    return F.kl_div(own, taught, reduction=reduction)


def no_t_squared(s, t, labels, T, alpha):
    soft, hard = parts(s, t, labels, T)
    return alpha * soft + (1 - alpha) * hard


def t_once(s, t, labels, T, alpha):
    soft, hard = parts(s, t, labels, T)
    return alpha * T * soft + (1 - alpha) * hard


def swapped_arguments(s, t, labels, T, alpha):
    soft = kl((t / T).softmax(-1), (s / T).log_softmax(-1))
    return alpha * T**2 * soft + (1 - alpha) * F.cross_entropy(s, labels)


def other_direction(s, t, labels, T, alpha):
    soft = kl((t / T).log_softmax(-1), (s / T).softmax(-1))
    return alpha * T**2 * soft + (1 - alpha) * F.cross_entropy(s, labels)


def no_log(s, t, labels, T, alpha):
    soft = kl((s / T).softmax(-1), (t / T).softmax(-1))
    return alpha * T**2 * soft + (1 - alpha) * F.cross_entropy(s, labels)


def mean(s, t, labels, T, alpha):
    soft = kl((s / T).log_softmax(-1), (t / T).softmax(-1), "mean")
    return alpha * T**2 * soft + (1 - alpha) * F.cross_entropy(s, labels)


def summed(s, t, labels, T, alpha):
    soft = kl((s / T).log_softmax(-1), (t / T).softmax(-1), "sum")
    return alpha * T**2 * soft + (1 - alpha) * F.cross_entropy(s, labels)


def labels_softened(s, t, labels, T, alpha):
    soft, _ = parts(s, t, labels, T)
    return alpha * T**2 * soft + (1 - alpha) * F.cross_entropy(s / T, labels)


def hard_teacher(s, t, labels, T, alpha):
    soft = kl((s / T).log_softmax(-1), t.softmax(-1))
    return alpha * T**2 * soft + (1 - alpha) * F.cross_entropy(s, labels)


def hard_student(s, t, labels, T, alpha):
    soft = kl(s.log_softmax(-1), (t / T).softmax(-1))
    return alpha * T**2 * soft + (1 - alpha) * F.cross_entropy(s, labels)


def times_t(s, t, labels, T, alpha):
    soft = kl((s * T).log_softmax(-1), (t * T).softmax(-1))
    return alpha * T**2 * soft + (1 - alpha) * F.cross_entropy(s, labels)


def weights_swapped(s, t, labels, T, alpha):
    soft, hard = parts(s, t, labels, T)
    return (1 - alpha) * T**2 * soft + alpha * hard


def unweighted_labels(s, t, labels, T, alpha):
    soft, hard = parts(s, t, labels, T)
    return alpha * T**2 * soft + hard


def all_scaled(s, t, labels, T, alpha):
    soft, hard = parts(s, t, labels, T)
    return T**2 * (alpha * soft + (1 - alpha) * hard)


def soft_cross_entropy(s, t, labels, T, alpha):
    soft = F.cross_entropy(s / T, (t / T).softmax(-1))
    return alpha * T**2 * soft + (1 - alpha) * F.cross_entropy(s, labels)


def squared_logits(s, t, labels, T, alpha):
    return alpha * F.mse_loss(s, t) + (1 - alpha) * F.cross_entropy(s, labels)


def labels_only(s, t, labels, T, alpha):
    return (1 - alpha) * F.cross_entropy(s, labels)


def softmax_twice(s, t, labels, T, alpha):
    soft = kl((s.softmax(-1) / T).log_softmax(-1), (t.softmax(-1) / T).softmax(-1))
    return alpha * T**2 * soft + (1 - alpha) * F.cross_entropy(s, labels)


def detached(s, t, labels, T, alpha):
    soft, hard = parts(s.detach(), t, labels, T)
    return alpha * T**2 * soft + (1 - alpha) * hard


def a_number(s, t, labels, T, alpha):
    soft, hard = parts(s, t, labels, T)
    return (alpha * T**2 * soft + (1 - alpha) * hard).item()


WRONG = [
    no_t_squared, t_once, swapped_arguments, other_direction, no_log, mean, summed, labels_softened,
    hard_teacher, hard_student, times_t, weights_swapped, unweighted_labels, all_scaled,
    soft_cross_entropy, squared_logits, labels_only, softmax_twice, detached, a_number,
    lambda s, t, labels, T, alpha: None,
]  # fmt: skip
