"""What is kept of a score, and by how much a score has changed."""


def retention(student: dict[str, float], teacher: dict[str, float], left_out: list[str]) -> float:
    """The student's mean over the tasks not left out, in percent of the teacher's over the same tasks."""
    of_student = []
    of_teacher = []
    for task in teacher:
        if task not in left_out:
            of_student.append(student[task])
            of_teacher.append(teacher[task])
    return 100 * (sum(of_student) / len(of_student)) / (sum(of_teacher) / len(of_teacher))


def points_and_percent(old: float, new: float) -> tuple[float, float]:
    """The change from old to new, and that change in percent of old."""
    points = new - old
    return points, 100 * points / old
