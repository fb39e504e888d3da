def in_two_parts(step, steps, warm, peak):
    if step < warm:
        return peak * (step + 1) / warm
    return peak * (steps - step) / (steps - warm)


def as_a_line(step, steps, warm, peak):
    up = (step + 1) * peak / warm
    down = peak - (step - warm) * peak / (steps - warm)
    return up if up < down else down


def one_minus(step, steps, warm, peak):
    return peak * (step + 1) / warm if step + 1 <= warm else peak * (1 - (step - warm) / (steps - warm))


RIGHT = [in_two_parts, as_a_line, one_minus]


def falls(step, steps, warm, peak):
    return peak * (steps - step) / (steps - warm)


WRONG = [
    lambda step, steps, warm, peak: peak * step / warm if step < warm else falls(step, steps, warm, peak),
    lambda step, steps, warm, peak: peak * (step + 1) / warm if step < warm else peak,
    lambda step, steps, warm, peak: peak * (step + 1) / warm,
    lambda step, steps, warm, peak: falls(step, steps, warm, peak),
    lambda step, steps, warm, peak: (
        peak * (step + 1) / warm if step < warm else peak * (steps - step) / steps
    ),
    lambda step, steps, warm, peak: peak * (step + 1) / warm if step < warm else peak * (1 - step / steps),
    lambda step, steps, warm, peak: (
        peak * (step + 1) / warm if step < warm else peak * (steps - step) / (steps - warm + 1)
    ),
    lambda step, steps, warm, peak: (
        peak * (step + 1) / warm if step < warm else peak * (steps - 1 - step) / (steps - 1 - warm)
    ),
    lambda step, steps, warm, peak: (step + 1) / warm if step < warm else (steps - step) / (steps - warm),
    lambda step, steps, warm, peak: (
        peak * (step + 1) / (warm + 1) if step < warm else falls(step, steps, warm, peak)
    ),
    lambda step, steps, warm, peak: (
        peak * (step + 1) / warm if step < warm else peak * ((steps - step) / (steps - warm)) ** 2
    ),
    lambda step, steps, warm, peak: peak * min(1, (step + 1) / warm) * min(1, (steps - step) / steps),
    lambda step, steps, warm, peak: peak * max((step + 1) / warm, (steps - step) / (steps - warm)),
    lambda step, steps, warm, peak: (
        falls(step, steps, warm, peak) if step < warm else peak * (step + 1) / warm
    ),
    lambda step, steps, warm, peak: peak * min(step / warm, (steps - step) / (steps - warm)),
    lambda step, steps, warm, peak: None if step < 0 else print(step),
    lambda step, steps, warm, peak: (
        peak * (step + 1) // warm if step < warm else peak * (steps - step) // (steps - warm)
    ),
]
