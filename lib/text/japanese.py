"""Japanese, which is written without spaces between its words."""


def japanese_words(sentence: str) -> list[str]:
    """The words of a Japanese sentence, as fugashi and the dictionary of unidic-lite cut it.

    Both packages are optional: a ValueError says how to get them.
    """
    try:
        import fugashi
        import unidic_lite  # noqa: F401  (fugashi finds the dictionary in it)
    except ImportError:
        raise ValueError(
            "Japanese words are cut by a dictionary, and it is not installed: run `python -m pip install "
            "fugashi unidic-lite`, then restart the kernel."
        ) from None
    return [word.surface for word in fugashi.Tagger()(sentence)]
