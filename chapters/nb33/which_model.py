"""Which model suits three jobs."""

from lib.exercises.spec import Exercise, Mistake

JOBS = ("20 MB and 5 ms", "no further texts", "1,000 a second")
RIGHT = {JOBS[0]: "e", JOBS[1]: "b", JOBS[2]: "f"}


def chosen(job: str, *letters: str) -> object:
    """A rule: whether an answer gives one of these letters for a job."""
    return lambda answer: str(answer.get(job, "")).strip().lower() in letters


# fmt: off
EXERCISE = Exercise(
    name="which_model", kind="choose", minutes=4, difficulty=2, reference=RIGHT,
    answer='{"20 MB and 5 ms": "e", "no further texts": "b", "1,000 a second": "f"}',
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
        Mistake("taught_by_further_texts", "For the second job nothing but labeled texts may be read, and"
            " d, e and f were taught on texts without labels. Without them e would not be in this table.",
            chosen(JOBS[1], "d", "e", "f"), example=RIGHT | {JOBS[1]: "e"}),
        Mistake("over_five_ms", "For the second job that model needs labels alone, but takes some 10 ms, and"
            " 5 are allowed.", chosen(JOBS[1], "a", "c"), example=RIGHT | {JOBS[1]: "c"}),
        Mistake("too_slow", "A thousand a second leave 1 ms for each. b takes 2.4 and e 2.3 ms: some"
            " 420 and 430 a second.", chosen(JOBS[2], "b", "e"), example=RIGHT | {JOBS[2]: "b"}),
        Mistake("far_too_slow", "A thousand a second leave 1 ms for each, and that model takes 4 ms or more.",
            chosen(JOBS[2], "a", "c", "d"), example=RIGHT | {JOBS[2]: "a"}),
    ],
    hints=("Strike out what breaks a limit, and take the best of what is left.",
           "A thousand a second are 1 ms each. Without further texts only a, b and c can be made.",
           "Three jobs, three letters: a BERT with few layers, one in eight bits, one without attention."),
    why="What breaks a limit is out, however accurate it is, and texts are a limit too.",
)
# fmt: on
