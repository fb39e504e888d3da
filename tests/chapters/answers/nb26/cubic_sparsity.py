def formula(step, steps, final):
    return final * (1 - (1 - step / steps) ** 3)


def left_to_prune(step, steps, final):
    left = (steps - step) / steps
    return final - final * left * left * left


def as_in_the_paper(step, steps, final, initial=0.0):
    return final + (initial - final) * (1 - step / steps) ** 3


RIGHT = [formula, left_to_prune, as_in_the_paper]
WRONG = [
    lambda step, steps, final: final * (step / steps) ** 3,
    lambda step, steps, final: final * step / steps,
    lambda step, steps, final: final * (1 - step / steps) ** 3,
    lambda step, steps, final: final * (1 - (1 - step / steps) ** 2),
    lambda step, steps, final: 1 - final * (1 - (1 - step / steps) ** 3),
    lambda step, steps, final: 1 - (1 - final * step / steps) ** 3,
    lambda step, steps, final: 1 - (1 - step / steps) ** 3,
    lambda step, steps, final: final * (1 - (1 - (step + 1) / steps) ** 3),
    lambda step, steps, final: final * (1 - (1 - step // steps) ** 3),
    lambda step, steps, final: final * (1 - 1 - step / steps) ** 3,
    lambda step, steps, final: final,
]
