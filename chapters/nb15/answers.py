"""What notebook 15 asks its readers to write, and no other part of the course needs: where labels stand."""

from collections.abc import Sequence


def first_token_labels(word_ids: Sequence[int | None], tags: Sequence[int]) -> list[int]:
    """A label for each token: the tag of its word at the word's first token, and -100 at all others.

    word_ids: for each token the number of its word, as a fast tokenizer of `transformers` gives them; None at
    [CLS], [SEP] and padding. tags: a number for each word.
    """
    labels = []
    before = None
    for word in word_ids:
        if word is None or word == before:
            labels.append(-100)  # cross_entropy leaves these out
        else:
            labels.append(tags[word])
        before = word
    return labels
