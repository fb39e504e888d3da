import torch


def as_a_line(teacher_logits, temperature, tau_max):
    return teacher_logits * (1 - (temperature - 1) / tau_max)


def with_a_counter(teacher_logits, temperature, tau_max):
    counter = tau_max + 1 - temperature
    return teacher_logits * counter / tau_max


def in_two_parts(teacher_logits, temperature, tau_max):
    return teacher_logits - teacher_logits * (temperature - 1) / tau_max


def detached(teacher_logits, temperature, tau_max):
    share = torch.tensor((tau_max - temperature + 1) / tau_max)
    return share * teacher_logits


RIGHT = [as_a_line, with_a_counter, in_two_parts, detached]

WRONG = [
    lambda z, t, tau: z * (1 - t / tau),
    lambda z, t, tau: z * t / tau,
    lambda z, t, tau: z * (t - 1) / tau,
    lambda z, t, tau: z / t,
    lambda z, t, tau: (z / t).softmax(-1),
    lambda z, t, tau: z.softmax(-1) * (1 - (t - 1) / tau),
    lambda z, t, tau: z * (1 - (t - 1) / max(tau - 1, 1)),
    lambda z, t, tau: 1 - (t - 1) / tau,
    lambda z, t, tau: torch.full_like(z, 1 - (t - 1) / tau),
    lambda z, t, tau: z * (tau - t + 1) / t,
    lambda z, t, tau: z,
    lambda z, t, tau: -z * (1 - (t - 1) / tau),
    lambda z, t, tau: z * tau / t,
    lambda z, t, tau: None,
]
