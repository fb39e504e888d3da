JOBS = ("20 MB and 5 ms", "no further texts", "1,000 a second")


def answer(first, second, third):
    return dict(zip(JOBS, (first, second, third), strict=True))


RIGHT = [answer("e", "b", "f"), answer("E", " b", "F"), answer("e ", "B", "f")]
WRONG = [
    *(answer(letter, "b", "f") for letter in "abcdf"),
    *(answer("e", letter, "f") for letter in "acdef"),
    *(answer("e", "b", letter) for letter in "abcde"),
    {},
    {"no further texts": "b"},
    "e",
    None,
]
