import statistics

import torch


def by_a_list(base, design):
    apart = [after - before for before, after in zip(base, design, strict=True)]
    mean = sum(apart) / len(apart)
    spread = max(apart) - min(apart)
    return mean, spread, abs(mean) > spread


def by_tensors(base, design):
    apart = torch.tensor(design, dtype=torch.float64) - torch.tensor(base, dtype=torch.float64)
    mean = apart.mean().item()
    spread = (apart.max() - apart.min()).item()
    return mean, spread, bool(abs(mean) > spread)


def by_sorting(base, design):
    apart = sorted(design[seed] - base[seed] for seed in range(len(base)))
    mean = statistics.mean(apart)
    spread = apart[-1] - apart[0]
    if mean < 0:
        return mean, spread, -mean > spread
    return mean, spread, mean > spread


RIGHT = [by_a_list, by_tensors, by_sorting]


def made(
    each="after - before", mean="sum(d) / len(d)", spread="max(d) - min(d)", verdict="abs(mean) > spread"
):
    def paired_difference(base, design):
        names = {"base": base, "design": design, "statistics": statistics}
        d = [eval(each, {"before": b, "after": a}) for b, a in zip(base, design, strict=True)]
        names["d"] = d
        names["mean"] = eval(mean, names)
        names["spread"] = eval(spread, names)
        return names["mean"], names["spread"], eval(verdict, names)

    return paired_difference


def pairs_lost(base, design):
    return by_a_list(sorted(base), sorted(design))


def without_a_verdict(base, design):
    return by_a_list(base, design)[:2]


def in_words(base, design):
    mean, spread, resolved = by_a_list(base, design)
    return mean, spread, "resolved" if resolved else "not resolved"


def prints(base, design):
    print(by_a_list(base, design))


WRONG = [
    made(each="before - after"),
    made(each="abs(after - before)"),
    made(spread="max(design) - min(design)"),
    made(spread="max(max(base) - min(base), max(design) - min(design))"),
    made(spread="statistics.stdev(d)"),
    made(spread="statistics.pstdev(d)"),
    made(spread="max(d)"),
    made(spread="max(d) + min(d)"),
    made(mean="sum(d)"),
    made(mean="sum(d) / 3"),
    made(mean="statistics.median(d)"),
    made(verdict="mean > spread"),
    made(verdict="-mean > spread"),
    made(verdict="abs(mean) < spread"),
    made(verdict="all(one > 0 for one in d) or all(one < 0 for one in d)"),
    made(each="(after - before) / before"),
    pairs_lost,
    without_a_verdict,
    in_words,
    prints,
]
