RIGHT = ["nicndcinin", "ciinicinci", "nccndiinin"]
WRONG = [
    "n" * 10,
    "i" * 10,
    "d" * 10,
    "nicidcinin",  # number 3 called irony
    "nicndcnnin",  # number 6 called negation
    "nicndcidin",  # number 7 called doubtful
    "dicndcinin",
    "nicndcini",
    "nicndcininn",
    "abcdefghij",
    "",
    ["n", "i", "c", "n", "d", "c", "i", "n", "i", "n"],
    7,
]
