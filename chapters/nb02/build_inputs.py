"""One row: [CLS] first [SEP] second [SEP], in numbers, and its token types."""

from lib.bert import batch
from lib.exercises.inside import replaced
from lib.exercises.spec import Exercise, Mistake, edit

WORDS = ["i", "love", "this", "class", "she", "opened", "a", "bank", "account", "##s", "teddy"]
PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
VOCAB = {piece: number for number, piece in enumerate(PIECES)}
#: in another order, where [CLS] and [SEP] are 101 and 102 as in BERT's own
BERTS = VOCAB | {piece: 100 + number for number, piece in enumerate(["[UNK]", "[CLS]", "[SEP]", "[MASK]"])}

ZEROS = "[0] * len(tokens)"
ONES = "[1] * (len(second) + 1)"
FIRST = '["[CLS]", *first, "[SEP]"]'
SECOND = '[*second, "[SEP]"]'
IDS = "[vocab[token] for token in tokens]"
BEFORE = "tokens = ["

EXERCISE = Exercise(
    name="build_inputs",
    minutes=8,
    difficulty=1,
    reference=batch.build_inputs,
    # A text alone, pairs, texts of one piece. No text is empty.
    cases=lambda seed: [
        (["i", "love"], None, VOCAB),
        (["i"], ["she"], VOCAB),
        (["i", "love", "this", "class"], None, BERTS),
        (["she", "opened", "a", "bank", "account"], ["i", "love", "[MASK]"], BERTS),
        (["teddy", "##s"], ["this", "a", "bank", "##s"], VOCAB),
    ],
    returns=("ids", "token types"),
    gradients=False,
    mistakes=[
        Mistake(
            "first_separator_of_type_1",
            "The [SEP] behind a text belongs to it: that of the first has token type 0. The 1s begin with"
            " the second text.",
            (
                edit(ZEROS, "[0] * (len(tokens) - 1) + [1]"),
                edit(ONES, f"{ONES}; token_types[len(first) + 1] = 1"),
            ),
        ),
        Mistake(
            "no_cls",
            "There is no [CLS]. Every row begins with it, also one that nobody wants to classify: BERT has"
            " never read a row without.",
            edit('"[CLS]", *first', "*first"),
        ),
        Mistake(
            "last_separator_of_type_0",
            "The [SEP] behind a text belongs to it: the last one has token type 1, as the second text has.",
            edit(ONES, "[1] * len(second) + [0]"),
        ),
        Mistake(
            "types_1_and_2",
            "Token types count from 0: 0 for the first text, 1 for the second. There is no row for 2 in the"
            " table where they are looked up.",
            edit(ZEROS, "[1] * len(tokens)").then(ONES, "[2] * (len(second) + 1)"),
        ),
        Mistake(
            "types_without_the_special_tokens",
            "You give token types to the tokens of the texts alone. [CLS] and each [SEP] need one as well, or"
            " ids and types no longer go together.",
            edit(ZEROS, "[0] * len(first)").then(ONES, "[1] * len(second)"),
        ),
        Mistake(
            "nothing_added",
            "Only the tokens themselves: [CLS] before, and [SEP] behind each text, are missing.",
            edit(FIRST, "[*first]").then(SECOND, "[*second]").then(ONES, "[1] * len(second)"),
        ),
        Mistake(
            "no_last_separator",
            "The [SEP] at the end is missing. It stands behind each text, not only between two.",
            (
                edit(SECOND, "[*second]").then(ONES, "[1] * len(second)"),
                edit(f"return {IDS}, token_types", f"return {IDS}[:-1], token_types[:-1]"),
            ),
        ),
        Mistake(
            "no_separator_between",
            "There is no [SEP] between the two texts: it stands behind each.",
            (
                edit("tokens += ", "tokens[-1:] = ").then("token_types += ", "token_types[-1:] = "),
                edit("tokens += ", "tokens[-1:] = ")
                .then("token_types += ", "token_types[-1:] = ")
                .then(ZEROS, "[0] * (len(tokens) - 1) + [1]"),
            ),
        ),
        Mistake(
            "two_cls",
            "The second text begins with a [CLS] of its own. A row has one, at its beginning; so a pair takes"
            " 3 places more than its tokens, not 4.",
            edit(SECOND, '["[CLS]", *second, "[SEP]"]').then(ONES, "[1] * (len(second) + 2)"),
        ),
        Mistake(
            "two_separators_between",
            "Two [SEP] stand between the texts. RoBERTa does that (Liu and others, 2019); BERT has one.",
            edit(SECOND, '["[SEP]", *second, "[SEP]"]').then(ONES, "[1] * (len(second) + 2)"),
        ),
        Mistake(
            "second_first",
            "The two texts have changed places.",
            edit(
                BEFORE, f"first, second = (first, None) if second is None else (second, first)\n    {BEFORE}"
            ),
        ),
        Mistake(
            "second_forgotten",
            "Right for a text alone, but of a pair you read the first text only.",
            edit("second is not None", "False"),
        ),
        Mistake(
            "none_is_no_text",
            "`second` is None if there is no second text, and None can be neither looped over, measured nor"
            " added: ask `if second is not None` before you touch it.",
            tuple(
                edit(BEFORE, f"{touch}\n    {BEFORE}")
                for touch in ("[*second]", "len(second)", "[0 for _ in second]", "[] + second")
            ),
        ),
        Mistake(
            "separator_behind_nothing",
            "A text alone is not a pair with an empty second text: it has no second [SEP].",
            edit(BEFORE, f"second = second or []\n    {BEFORE}"),
        ),
        Mistake(
            "numbers_by_heart",
            "101 and 102 are [CLS] and [SEP] in the vocabulary of bert-base-uncased only. Look them up like"
            ' every other token: vocab["[CLS]"].',
            edit("[vocab[token]", '[{"[CLS]": 101, "[SEP]": 102}.get(token) or vocab[token]'),
        ),
        Mistake(
            "names_without_brackets",
            'The brackets belong to the names of special tokens: vocab["[CLS]"], vocab["[SEP]"].',
            (edit(FIRST, '["CLS", *first, "SEP"]'), edit(FIRST, '["[CLS]", *first, "SEP"]')),
        ),
        Mistake(
            "pieces_not_numbers",
            "The row stands in the right order, but part of it or all is text. BERT takes numbers: look each"
            " token up in vocab.",
            (edit(IDS, "tokens"), edit("[vocab[token]", '[token if token[0] == "[" else vocab[token]')),
        ),
        Mistake(
            "lists_in_a_list",
            "You put a list into the list. To add each of its entries, write ids += [...], or"
            " ids.extend(...), or [first_id, *more].",
            edit("*first", "first")
            .then("*second", "second")
            .then(ZEROS, "[0] * (len(first) + 2)")
            .then(
                "[vocab[token]", "[vocab[token] if isinstance(token, str) else [vocab[one] for one in token]"
            ),
        ),
    ],
    hints=(
        "Two steps: write the row down in tokens, special tokens included, with a type for each; then look"
        " every token up.",
        '["[CLS]", *first, "[SEP]"] has len(first) + 2 tokens, all of type 0. A second text adds'
        " len(second) + 1, all of type 1.",
        'tokens = ["[CLS]", *first, "[SEP]"]; types = [0] * len(tokens); if second is not None: tokens +='
        ' [*second, "[SEP]"] and types += [1] * (len(second) + 1); return [vocab[token] for token in tokens],'
        " types.",
    ),
    why="Two places more than tokens for a text, three for a pair.",
    box="tensors",
    use=lambda candidate, model: replaced(batch, "build_inputs", candidate),
)
