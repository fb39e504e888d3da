import statistics


def by_means(student, teacher, left_out):
    tasks = [task for task in student if task not in left_out]
    return 100 * statistics.fmean(student[t] for t in tasks) / statistics.fmean(teacher[t] for t in tasks)


def by_sums(student, teacher, left_out):
    tasks = set(student) - set(left_out)
    return sum(student[t] for t in tasks) / sum(teacher[t] for t in tasks) * 100


def weighted(student, teacher, left_out):
    total = sum(score for task, score in teacher.items() if task not in left_out)
    shares = 0.0
    for task, score in student.items():
        if task not in left_out:
            shares += teacher[task] / total * (score / teacher[task])
    return 100 * shares


RIGHT = [by_means, by_sums, weighted]


def mean_of_ratios(student, teacher, left_out):
    return statistics.fmean(100 * student[t] / teacher[t] for t in student if t not in left_out)


def all_tasks(student, teacher, left_out):
    return 100 * sum(student.values()) / sum(teacher.values())


def one_side(student, teacher, left_out):
    kept = [student[t] for t in student if t not in left_out]
    return 100 * statistics.fmean(kept) / statistics.fmean(teacher.values())


def sums_of_one_side(student, teacher, left_out):
    return 100 * sum(student[t] for t in student if t not in left_out) / sum(teacher.values())


def only(student, teacher, left_out):
    tasks = [t for t in student if t in left_out] or list(student)
    return by_sums({t: student[t] for t in tasks}, {t: teacher[t] for t in tasks}, [])


def by_place(student, teacher, left_out):
    pairs = zip(student.values(), teacher.values(), teacher, strict=True)
    kept = [(s, t) for s, t, task in pairs if task not in left_out]
    return 100 * sum(s for s, _ in kept) / sum(t for _, t in kept)


def changes(student, teacher, left_out):
    for task in left_out:
        del student[task]
        del teacher[task]
    return 100 * sum(student.values()) / sum(teacher.values())


WRONG = [
    mean_of_ratios,
    all_tasks,
    one_side,
    sums_of_one_side,
    only,
    by_place,
    changes,
    lambda student, teacher, left_out: by_sums(student, teacher, left_out) / 100,
    lambda student, teacher, left_out: by_sums(teacher, student, left_out),
    lambda student, teacher, left_out: round(by_sums(student, teacher, left_out), 1),
    lambda student, teacher, left_out: 100 - by_sums(student, teacher, left_out),
    lambda student, teacher, left_out: None,
]
