JOBS = ("20 MB and 5 ms", "1 MB", "1,000 a second")


def answer(first, second, third):
    return dict(zip(JOBS, (first, second, third), strict=True))


RIGHT = [answer("e", "f", "f"), answer("E", " f", "F"), answer("e ", "F", "f")]
WRONG = [
    *(answer(letter, "f", "f") for letter in "abcdf"),
    *(answer("e", letter, "f") for letter in "abcde"),
    *(answer("e", "f", letter) for letter in "abcde"),
    {},
    {"1 MB": "f"},
    "e",
    None,
]
