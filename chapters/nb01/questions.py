"""Questions for a vote on cutting words into pieces, and on learning the pieces."""

from collections import Counter
from itertools import islice

from lib import text
from lib.bert import WordPieceTokenizer, vocabulary
from lib.bert.wordpiece import wordpiece
from lib.questions import Question, Right, Wrong

PAIRS = {
    "A": ("a girafe sleeps", "a giraffe sleeps"),
    "B": ("he walked home", "he walks home"),
    "C": ("we're ill today", "were ill today"),
    "D": ("Apple buys turkey", "apple buys Turkey"),
}


def stories(first: int, last: int) -> list[str]:
    """The paragraphs of the reader's stories from number `first` to the one before `last`."""
    return [paragraph for story in text.reader()[first:last] for paragraph in story]


def tokens_of(words: Counter[str], vocab: set[str]) -> int:
    """The number of pieces of a text of which each word is counted."""
    return sum(times * len(wordpiece(word, vocab)) for word, times in words.items())


def tokens_of_ten_words() -> str:
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    usual = "he sat on the bank and looked at the river"
    rare = "my giraffe googled a midfielder who plays pickleball with selfies"
    counts = [len(tokenizer.encode(words)) - len(words.split()) for words in (usual, rare)]
    print(f"tokens beyond the number of words: {counts[0]} (usual words), {counts[1]} (rare words)")
    outcome = {(0, 0): "A", (2, 2): "D"}
    return outcome.get((counts[0], counts[1]), "CB"[int(min(counts) > 20)])


def the_longest_beginning() -> str:
    letters = set("together")
    vocab = {"to", "tog", "##gether", *letters, *(f"##{letter}" for letter in letters)}
    pieces = wordpiece("together", vocab)
    print(*pieces)
    outcomes = {("to", "##gether"): "A", ("[UNK]",): "C"}
    return outcomes.get(tuple(pieces), "B" if pieces[0] == "tog" else "D")


def ever_more_merges() -> str:
    learned, new = (vocabulary.count_words(story) for story in (stories(0, 5), stories(5, 15)))
    letters = {sign for letter in "".join(learned + new) for sign in (letter, f"##{letter}")}
    merges = islice(vocabulary.merges(learned, vocabulary.frequency), 240)
    pieces = [merge.piece for merge in merges]
    lists = [letters.union(pieces[:steps]) for steps in (0, 80, 160, 240)]
    none, some, more, most = (tokens_of(new, known) for known in lists)
    print("tokens after 0, 80, 160 and 240 merges:", none, some, more, most)
    return "D" if some >= none else "BCA"[sum([most < more, more - most > 0.7 * (none - some)])]


def two_texts_read_alike() -> str:
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    alike = []
    for letter, pair in PAIRS.items():
        one, other = (tokenizer.tokenize(words) for words in pair)
        print(f"{letter}:", *one, "|", *other)
        if one == other:
            alike.append(letter)
    return "".join(alike)


QUESTIONS = [
    Question(
        name="tokens_of_ten_words",
        section=0,
        text="A text of ten English words, without any punctuation, is read by MiniLM. How many tokens"
        " does the model get?",
        options=(
            Wrong(
                "Exactly 10, because a word is what the model reads as a token.",
                "a_token_is_a_word",
                "A token may be a part of a word, and two tokens that are no words, [CLS] and [SEP], stand"
                " around every text.",
            ),
            Wrong(
                "About 50, because a model reads a text letter by letter.",
                "models_see_letters",
                "Letters are only the last resort, for a word of which no longer part is in the list.",
            ),
            Right(
                "At least 12, because some words may fall into several pieces.",
                "[CLS] and [SEP] make it 12 if each word is in the list, and each word that isn't takes"
                " two tokens or more.",
            ),
            Wrong(
                "Exactly 12, because [CLS] and [SEP] come before and after.",
                "every_word_is_in_the_list",
                "The two marks are counted rightly. But the list is fixed, and a word that it lacks is cut"
                " into pieces, each of them a token.",
            ),
        ),
        shows=tokens_of_ten_words,
        seconds=45,
        guessed=((20, 5, 45, 30), (5, 2, 83, 10)),
    ),
    Question(
        name="the_longest_beginning",
        section=2,
        text="A vocabulary holds “to”, “tog”, “##gether” and every single letter, with and without ##."
        " WordPiece cuts the word “together”. What comes out?",
        options=(
            Wrong(
                "to ##gether, because two pieces are the fewest that spell it",
                "longest_match_finds_the_fewest",
                "Nothing counts the pieces. The rule takes the longest beginning, “tog”, and never comes"
                " back to a choice.",
            ),
            Right(
                "tog ##e ##t ##h ##e ##r, because “tog” is the longest beginning",
                "After “tog” the rest is “ether”, and its longest beginning in the list is one letter,"
                " again and again.",
            ),
            Wrong(
                "[UNK], because after “tog” no piece of the list is “##ether”",
                "one_miss_is_unknown",
                "The rest may be cut again: only where not even a single letter fits is the word unknown.",
            ),
            Wrong(
                "t ##o ##g ##e ##t ##h ##e ##r, because “together” isn't in the list",
                "unlisted_words_are_spelled",
                "A word that isn't in the list is cut into the longest pieces that are, and letters are"
                " only the last resort.",
            ),
        ),
        shows=the_longest_beginning,
        seconds=75,
        guessed=((40, 40, 10, 10), (12, 80, 5, 3)),
    ),
    Question(
        name="ever_more_merges",
        section=3,
        text="Byte-pair encoding learns from one book, and we let it merge for longer and longer. After"
        " each merge we cut a text from another book, and count its tokens. What does this number do?",
        options=(
            Wrong(
                "It falls by about the same number of tokens with every merge.",
                "all_merges_save_alike",
                "A merge saves one token wherever its pair stands, and the pairs are taken in order: the"
                " first ones stand everywhere, the later ones rarely.",
            ),
            Wrong(
                "It falls at first, and rises when the pieces fit the first book only.",
                "too_many_pieces_overfit",
                "A piece that occurs only in the first book isn't used in the second, and does no harm"
                " there: it only saves nothing.",
            ),
            Right(
                "It falls quickly at first and then slowly, because later pairs are rarer.",
                "Each merge takes the most frequent pair that is left, so each saves less than the ones"
                " before it.",
            ),
            Wrong(
                "It rises, because a longer list of pieces cuts a text into more tokens.",
                "longer_lists_make_longer_texts",
                "More pieces in the list means longer pieces to choose from, and so fewer of them in a text.",
            ),
        ),
        shows=ever_more_merges,
        seconds=75,
        guessed=((20, 20, 45, 15), (5, 13, 80, 2)),
    ),
    Question(
        name="two_texts_read_alike",
        section=4,
        text="MiniLM computes exactly the same vectors for both texts of one of these pairs. Which pair"
        " is it?",
        options=(
            Wrong(
                "“a girafe sleeps” and “a giraffe sleeps”",
                "tokenizers_mend_spelling",
                "Nothing is corrected: the misspelled word falls into other pieces, and so it has other"
                " vectors.",
            ),
            Wrong(
                "“he walked home” and “he walks home”",
                "tokenizers_find_the_stem",
                "Search engines often cut endings off. BERT keeps them: “walked” and “walks” are two"
                " tokens with two numbers.",
            ),
            Wrong(
                "“we're ill today” and “were ill today”",
                "signs_are_dropped",
                "A punctuation mark is set apart, and stays as a token of its own.",
            ),
            Right(
                "“Apple buys turkey” and “apple buys Turkey”",
                "All letters are made small before anything else, so the model can't know which of the two"
                " it was given: the firm or the fruit, the bird or the country.",
            ),
        ),
        shows=two_texts_read_alike,
        seconds=60,
        guessed=((10, 20, 25, 45), (3, 5, 7, 85)),
    ),
]
