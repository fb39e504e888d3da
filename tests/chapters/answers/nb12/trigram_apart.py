RIGHT = ["half", "Half", " half "]
WRONG = [
    "most",
    "hardly any",
    "Most",
    "none",
    "all",
    0.5,
    ["half"],
    50,
    "few",
    True,
]
