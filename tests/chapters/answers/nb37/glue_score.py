import statistics


def plain(row):
    total, count = 0.0, 0
    for column, score in row.items():
        if column in ("AX", "MNLI-m", "MNLI-mm"):
            continue
        total += sum(score) / len(score) if isinstance(score, tuple) else score
        count += 1
    if "MNLI-m" in row:
        total += (row["MNLI-m"] + row["MNLI-mm"]) / 2
        count += 1
    return total / count


def by_weights(row):
    weight = {"MNLI-m": 0.5, "MNLI-mm": 0.5, "AX": 0.0}
    value = {c: statistics.mean(s) if isinstance(s, tuple) else s for c, s in row.items()}
    return sum(weight.get(c, 1.0) * value[c] for c in row) / sum(weight.get(c, 1.0) for c in row)


def by_task(row):
    tasks = {}
    for column, score in row.items():
        if column != "AX":
            name = "MNLI" if column.startswith("MNLI") else column
            tasks.setdefault(name, []).append(score)
    means = []
    for scores in tasks.values():
        flat = [sum(s) / 2 if isinstance(s, tuple) else s for s in scores]
        means.append(sum(flat) / len(flat))
    return statistics.fmean(means)


RIGHT = [plain, by_weights, by_task]


def mean_of(score):
    return sum(score) / 2 if isinstance(score, tuple) else score


def ten_columns(row):
    found = [mean_of(score) for column, score in row.items() if column != "AX"]
    return sum(found) / len(found)


def with_ax(row):
    rest = {column: score for column, score in row.items() if column != "AX"}
    tasks = len(rest) - ("MNLI-m" in row)
    return (plain(rest) * tasks + mean_of(row.get("AX", 0.0))) / (tasks + ("AX" in row))


def firsts(row):
    return plain({c: s[0] if isinstance(s, tuple) else s for c, s in row.items()})


def seconds(row):
    return plain({c: s[1] if isinstance(s, tuple) else s for c, s in row.items()})


def matched_alone(row):
    return plain({**row, "MNLI-mm": row["MNLI-m"]} if "MNLI-m" in row else row)


def no_wnli(row):
    return plain({c: s for c, s in row.items() if c != "WNLI"})


def by_nine(row):
    tasks = len([c for c in row if c != "AX"]) - ("MNLI-m" in row)
    return plain(row) * tasks / 9


def flat(row):
    numbers = []
    for column, score in row.items():
        if column != "AX":
            numbers += list(score) if isinstance(score, tuple) else [score]
    return sum(numbers) / len(numbers)


def paper(row):
    return ten_columns({c: s[0] if isinstance(s, tuple) else s for c, s in row.items() if c != "WNLI"})


WRONG = [
    ten_columns,
    with_ax,
    firsts,
    seconds,
    matched_alone,
    no_wnli,
    by_nine,
    flat,
    paper,
    lambda row: round(plain(row), 1),
    lambda row: plain(row) / 100,
    lambda row: max(mean_of(score) for score in row.values()),
]
