"""One row: [CLS] first [SEP] second [SEP], in numbers, and its token types."""

from lib.bert import batch
from lib.exercises.inside import replaced
from lib.exercises.spec import Exercise, Mistake, edit

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "i", "love", "this", "she", "opened", "bank", "##s"]
VOCAB = {piece: number for number, piece in enumerate(PIECES)}
BERTS = VOCAB | {"[UNK]": 100, "[CLS]": 101, "[SEP]": 102, "[MASK]": 103}  # as in BERT's own

ZEROS = "[0] * len(tokens)"
ONES = "[1] * (len(second) + 1)"
FIRST = '["[CLS]", *first, "[SEP]"]'
SECOND = '[*second, "[SEP]"]'
BEFORE = "tokens = ["

# fmt: off
EXERCISE = Exercise(
    name="build_inputs", minutes=8, difficulty=1, reference=batch.build_inputs,
    cases=lambda seed: [(["i", "love"], None, VOCAB), (["i", "love", "this", "bank"], None, BERTS),
        (["she", "opened", "this", "bank"], ["i", "love", "[MASK]"], BERTS),
        (["bank", "##s"], ["this", "bank", "##s"], VOCAB)],
    returns=("ids", "token types"), gradients=False,
    mistakes=[
        Mistake("separator_of_the_other_type", "The [SEP] behind a text belongs to it and has its type: 0"
            " behind the first, 1 behind the second.",
            (edit(ZEROS, "[0] * (len(tokens) - 1) + [1]"),
             edit(ONES, f"{ONES}; token_types[len(first) + 1] = 1"), edit(ONES, "[1] * len(second) + [0]"))),
        Mistake("types_1_and_2", "Token types count from 0: 0 for the first text, 1 for the second. The table"
            " has no row for 2.", edit(ZEROS, "[1] * len(tokens)").then(ONES, "[2] * (len(second) + 1)")),
        Mistake("types_without_the_special_tokens", "[CLS] and each [SEP] need a token type as well, or ids"
            " and types no longer go together.",
            edit(ZEROS, "[0] * len(first)").then(ONES, "[1] * len(second)")),
        Mistake("special_tokens", "Count the special tokens: one [CLS], at the beginning of every row, and"
            " one [SEP] behind each text, so two places more than tokens for a text alone, and three for a"
            " pair.",
            (edit('"[CLS]", *first', "*first"),
             edit(FIRST, "[*first]").then(SECOND, "[*second]").then(ONES, "[1] * len(second)"),
             edit(SECOND, "[*second]").then(ONES, "[1] * len(second)"),
             edit("tokens], token_types", "tokens[:-1]], token_types[:-1]"),
             edit("tokens += ", "tokens[-1:] = ").then("token_types += ", "token_types[-1:] = "),
             edit(SECOND, '["[CLS]", *second, "[SEP]"]').then(ONES, "[1] * (len(second) + 2)"),
             edit(SECOND, '["[SEP]", *second, "[SEP]"]').then(ONES, "[1] * (len(second) + 2)"),
             edit(BEFORE, f"second = second or []\n    {BEFORE}"))),
        Mistake("none_is_no_text", "Where there is no second text, `second` is None: ask `if second is not"
            " None` before you touch it.",
            tuple(edit(BEFORE, f"{touch}\n    {BEFORE}")
                for touch in ("len(second)", "[0 for _ in second]", "[] + second"))),
        Mistake("numbers_by_heart", "101 and 102 are [CLS] and [SEP] in BERT's own vocabulary only: look them"
            ' up as vocab["[CLS]"].',
            edit("[vocab[token]", '[{"[CLS]": 101, "[SEP]": 102}.get(token) or vocab[token]')),
    ],
    hints=("Write the row down in tokens, special tokens included, with a type for each; then look all up.",
           '["[CLS]", *first, "[SEP]"] has len(first) + 2 tokens, all of type 0. A second text adds'
           " len(second) + 1, all of type 1.",
           'tokens = ["[CLS]", *first, "[SEP]"]; types = [0] * len(tokens); a second text adds [*second,'
           ' "[SEP]"] and [1] * (len(second) + 1); ids = [vocab[token] for token in tokens].'),
    box="tensors",
    use=lambda candidate, model: replaced(batch, "build_inputs", candidate),
)
# fmt: on
