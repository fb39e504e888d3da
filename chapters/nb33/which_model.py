"""Which model suits three jobs."""

from lib.exercises.spec import Exercise, Mistake

JOBS = ("20 MB and 5 ms", "1 MB", "1,000 a second")
RIGHT = {JOBS[0]: "e", JOBS[1]: "f", JOBS[2]: "f"}


def chosen(job: str, *letters: str) -> object:
    """A rule: whether an answer gives one of these letters for a job."""
    return lambda answer: str(answer.get(job, "")).strip().lower() in letters


# fmt: off
EXERCISE = Exercise(
    name="which_model", kind="choose", minutes=4, difficulty=2, reference=RIGHT,
    answer='{"20 MB and 5 ms": "e", "1 MB": "f", "1,000 a second": "f"}',
    form='An answer is a dict of a letter for each job, such as {"20 MB and 5 ms": "a", ...}.',
    same=lambda answer, expected: {str(job): str(letter).strip().lower()
            for job, letter in answer.items()} == expected,
    mistakes=[
        Mistake("eight_bits_are_too_large", "For the first job b is accurate and fast enough, but its file"
            " has 23.7 MB, and 20 are allowed.",
            chosen(JOBS[0], "b"), example=RIGHT | {JOBS[0]: "b"}),
        Mistake("few_bits_are_slow", "For the first job c is small enough, but few bits alone save no time:"
            " it takes 9.6 ms, and 5 are allowed.", chosen(JOBS[0], "c"), example=RIGHT | {JOBS[0]: "c"}),
        Mistake("large_files", "For the first job a and d have files of more than 50 MB, and 20 are allowed.",
            chosen(JOBS[0], "a", "d"), example=RIGHT | {JOBS[0]: "d"}),
        Mistake("more_would_fit", "For the first job f fits, but another that fits both limits sorts more"
            " headlines.", chosen(JOBS[0], "f"), example=RIGHT | {JOBS[0]: "f"}),
        Mistake("floppy_is_too_large", "For the second job e's 1.4 MB are more than 1 MB. Which is smaller?",
            chosen(JOBS[1], "e"), example=RIGHT | {JOBS[1]: "e"}),
        Mistake("file_too_large", "For the second job that file is far larger than 1 MB.",
            chosen(JOBS[1], "a", "b", "c", "d"), example=RIGHT | {JOBS[1]: "c"}),
        Mistake("too_slow", "A thousand a second leave 1 ms for each. b takes 2.4 and e 2.3 ms: some"
            " 420 and 430 a second.", chosen(JOBS[2], "b", "e"), example=RIGHT | {JOBS[2]: "b"}),
        Mistake("far_too_slow", "A thousand a second leave 1 ms for each, and that model takes 4 ms or more.",
            chosen(JOBS[2], "a", "c", "d"), example=RIGHT | {JOBS[2]: "a"}),
    ],
    hints=("Strike out what breaks a limit, and take the best of what is left.",
           "A thousand a second are 1 ms each. Two of the three jobs leave one model alone.",
           "The first job is for a BERT with few layers, the others for what has no attention."),
    why="What breaks a limit is out, however accurate it is.",
)
# fmt: on
