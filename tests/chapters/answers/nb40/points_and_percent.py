def both(old, new):
    return new - old, (new - old) / old * 100


def by_ratio(old, new):
    ratio = new / old
    return (ratio - 1) * old, 100 * ratio - 100


def step_by_step(old, new):
    change = -old + new
    one_percent = old / 100
    return change, change / one_percent


RIGHT = [both, by_ratio, step_by_step]
WRONG = [
    lambda old, new: (new - old, 100 * (new - old) / new),
    lambda old, new: (old - new, 100 * (old - new) / old),
    lambda old, new: (abs(new - old), abs(100 * (new - old) / old)),
    lambda old, new: (new - old, (new - old) / old),
    lambda old, new: (new - old, 100 * new / old),
    lambda old, new: (new - old, new - old),
    lambda old, new: (100 * (new - old) / old, new - old),
    lambda old, new: 100 * (new - old) / old,
    lambda old, new: (round(new - old, 1), round(100 * (new - old) / old, 1)),
    lambda old, new: (new - old, 200 * (new - old) / (new + old)),
    lambda old, new: [new - old, 100 * (new - old) / old][0],
    lambda old, new: None,
]
