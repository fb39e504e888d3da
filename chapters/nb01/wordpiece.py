"""Cutting a word into pieces by longest match."""

from lib.bert import wordpiece
from lib.exercises.inside import replaced
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

# fmt: off
EXERCISE = Exercise(
    name="wordpiece", minutes=15, difficulty=2, reference=wordpiece.wordpiece,
    # Words that are whole, that fall into pieces, that cannot be finished; no word is empty.
    cases=lambda seed: [("kids", {"kids", "kid", "##s"}, "[UNK]"),
        ("presidents", {"p", "pre", "##re", "##s", "##side", "##nt", "president", "##ts"}, "[UNK]"),
        ("i", {"i", "##i"}, "[UNK]"), ("kidz", {"k", "kid", "##id", "##s"}, "[UNK]"),
        ("kidpre", {"kid", "pre"}, "[UNK]"),  # a piece is there, but not in the form for this place
        ("Kid", {"kid", "##id"}, "[UNK]"),
        ("unable", {"un", "una", "##able"}, "[UNK]"),  # the longest is not the cleverest
        ("stones", {"s", "st", "##ones", "##tones", "##on", "##es"}, "[UNK]"),
        ("qed", {"q", "##e"}, "<unknown>")],
    gradients=False,
    invariants=[
        Invariant("unknown_stands_alone", "A word that cannot be finished is unknown as a whole: drop its"
            " pieces, return [unk_token] alone.",
            lambda candidate, arguments, pieces: len(pieces) == 1 or arguments[2] not in pieces),
        Invariant("marks", "The first piece stands without ##, each later one with it, in the vocabulary and"
            " in your list.",
            lambda candidate, arguments, pieces: all(
                str(piece).startswith("##") == (at > 0) for at, piece in enumerate(pieces))),
        Invariant("in_the_vocabulary", "You return a piece that is not in the vocabulary as it stands there,"
            " ## included.",
            lambda candidate, arguments, pieces: {*arguments[1], arguments[2]}.issuperset(map(str, pieces))),
        Invariant("spells_the_word", "Without their ## your pieces do not spell the word. Where does the next"
            " piece begin?",
            lambda candidate, arguments, pieces: list(pieces) == [arguments[2]]
                or "".join(p.removeprefix("##") for p in pieces) == arguments[0]),
        Invariant("gives_up_too_early", "You give up on a word that longest match can finish. Print what you"
            " look up at each place: is it every beginning of what is left, from all of it down to one"
            " letter?",
            lambda candidate, arguments, pieces: list(pieces) != [arguments[2]]
                or wordpiece.wordpiece(*arguments) == [arguments[2]]),
        Invariant("takes_the_longest", "Your pieces spell the word, but at one place, read from the left, a"
            " longer one is in the vocabulary. Longest match takes that, even where it then gets stuck: BERT"
            " was trained so.",
            lambda candidate, arguments, pieces: list(pieces) in ([arguments[2]],
                wordpiece.wordpiece(*arguments))),
    ],
    mistakes=[
        Mistake("no_marks", "You find the right pieces but return them without their ##: return a piece as"
            " you looked it up.", edit("append(prefix + word[start:end])", "append(word[start:end])")),
        Mistake("whole_word_only", "Inside a word you find nothing. Find the longest beginning, then that of"
            " the rest, which has a ##.", edit("end -= 1", "end = start")),
    ],
    hints=("Be greedy: take the longest beginning that is in the vocabulary, then do the same with the rest."
           " Where nothing fits, the whole word is unknown.",
           "start is where the next piece begins; end runs from len(word) down to start + 1. Look up"
           " word[start:end], with ## before it if start > 0.",
           "while end > start and prefix + word[start:end] not in vocab: end -= 1. If end == start then,"
           " return [unk_token]; else append that piece, and start = end."),
    why="Greedy, never looking back: fast.", box="pieces",
    use=lambda candidate, model: replaced(wordpiece, "wordpiece", candidate),
)
# fmt: on
