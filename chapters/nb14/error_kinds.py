"""Ten errors sorted into kinds: what a reader sees in them, where more than one answer is right."""

from lib.exercises.spec import Exercise, Mistake

#: the kinds that may be given to each of the ten; the first is the answer
KINDS = ("nc", "ci", "ci", "n", "di", "ci", "i", "n", "ic", "ni")
SAYS = (
    'Number 0: "isn\'t" turns "boring" around, and the brother\'s judgment is set against the writer\'s.',
    "Number 1: perfect is said twice, but the clock loses minutes. What is praised is not what counts.",
    "Number 2: a beautiful mill, praised so that you eat somewhere else. The judgment goes the other way.",
    'Number 3: "Not a single broken promise". Broken is bad, and a small word turns it around.',
    'Number 4: would you bet on "frankly absurd"? It may be praise, and it is not sure.',
    "Number 5: two hotels are compared, and the one praised is not the one you would think.",
    'Number 6: nobody is "happy to report" about an ambulance. What happened is the judgment.',
    'Number 7: "I don\'t think that there\'s anyone it would be right for". What turns "right" around?',
    "Number 8: they fixed a flaw, and now it cannot grind. The words praise what the facts deny.",
    'Number 9: it was expected to break, and "it will not". The writer has waited in vain.',
)


def agrees(answer: str, _expected: str) -> bool:
    """Whether each letter is one of the kinds that its review may be given."""
    return well_formed(answer) and all(letter in kinds for letter, kinds in zip(answer, KINDS, strict=True))


def well_formed(answer: str) -> bool:
    return len(answer) == len(KINDS) and set(answer) <= set("ncid")


def misses(place: int) -> Mistake:
    """The first letter that no reader would follow is this one."""
    right = "".join(kinds[0] for kinds in KINDS)
    other = next(letter for letter in "dnci" if letter not in KINDS[place])
    return Mistake(
        f"number_{place}",
        SAYS[place],
        lambda answer: well_formed(answer) and answer[place] not in KINDS[place],
        example=right[:place] + other + right[place + 1 :],
    )


# fmt: off
EXERCISE = Exercise(
    name="error_kinds", kind="choose", minutes=5, difficulty=2,
    reference="".join(kinds[0] for kinds in KINDS),
    form='An answer is a text of ten letters out of n, c, i and d, such as "ncidncidnc".',
    same=agrees,
    mistakes=[
        Mistake("not_ten_letters", "Give ten letters, one for each review in the order of the table, each n,"
            " c, i or d.", lambda answer: not well_formed(answer), example="nci"),
        *map(misses, range(len(KINDS))),
    ],
    hints=("Read aloud, and ask which words would mislead somebody who only adds up nice and nasty words.",
           "Look for a not or never first, then for something else that is praised, then for what happened.",
           "Three are hardly to be disputed: numbers 3 and 7 are negation, and number 6 is irony."),
    why="Your sorting is a hypothesis about why the model fails, and the next cell tests it.",
)
# fmt: on
