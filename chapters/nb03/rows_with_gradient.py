"""How many rows of the table a loss reaches."""

from lib.exercises.spec import Exercise, Mistake


def rows_with_gradient() -> int:
    """The rows that get a gradient when the two sentences on banks are looked up."""
    import torch

    from lib.bert import WordPieceTokenizer
    from lib.text import cast

    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    pieces = [piece for sentence in cast() if "bank" in sentence for piece in tokenizer.tokenize(sentence)]
    table = torch.nn.Embedding(30_522, 2)
    table(torch.tensor(tokenizer.convert_tokens_to_ids(pieces))).sum().backward()
    assert table.weight.grad is not None
    return int(table.weight.grad.any(dim=1).sum())


# fmt: off
EXERCISE = Exercise(
    name="rows_with_gradient", kind="predict", minutes=3, difficulty=1, reference=rows_with_gradient,
    answer="10",
    form="An answer is a whole number, such as 42.",
    mistakes=[
        Mistake("counted_twice", "You counted every word. One of them stands in both sentences, and both look"
            " up the same row.", 11),
        Mistake("every_row", "Most of the table was not looked at. What was not looked up did not matter to"
            " the loss, so its gradient is 0.", lambda answer: 30_000 < answer < 31_000, example=30_522),
        Mistake("numbers", "You counted numbers: a row has 384 of them. The question is how many rows.",
            lambda answer: answer > 0 and answer % 384 == 0, example=3840),
        Mistake("specials_too", "Only the words were looked up here; [CLS] and [SEP] were not added.",
            lambda answer: 12 <= answer <= 15, example=12),
        Mistake("without_the_shared", "A word that stands in both sentences has a gradient as well: the two"
            " that reach its row add up.", 9),
        Mistake("none", "A number that is added to the loss changes it, so its gradient is 1, not 0.", 0),
        Mistake("one_sentence", "Those are the words of one sentence. The loss adds up what both of them look"
            " up.", lambda answer: answer in (5, 6), example=5),
        Mistake("sentences", "Each word looks up a row of its own; a sentence has no row.",
            lambda answer: answer in (1, 2), example=2),
    ],
    hints=("A row gets a gradient if the loss depends on it.",
           "The loss depends on the rows that were looked up, and on no others.",
           "Count the different words of both sentences."),
    why="One row for each different word; a word that comes twice gets the sum of two gradients.",
)
# fmt: on
