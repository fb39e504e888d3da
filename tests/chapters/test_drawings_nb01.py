"""The drawings of notebook 01."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.patches import FancyBboxPatch, Rectangle
from pictures import check_one_frame, for_each_example, for_each_refusal, written

from chapters.nb01 import drawings as nb01
from lib.bert import wordpiece

LONG = "midfielderships"
KIDS = {"kids": ["kid", "##s", "!"]}
GIRAFFE = "giraffe", ["gi", "##raf", "##fe"]
TRIED = ["giraffe", "giraff", "giraf", "gira", "gir", "gi", "##raffe", "##raff", "##raf", "##fe"]
GROWTH = {
    0: {"kid": ["k", "##i", "##d"], "kids": ["k", "##i", "##d", "##s"]},
    1200: {"kid": ["kid"], "kids": ["kid", "##s"]},
}
LISTS = {"letters": ["k", "##i", "##d"], "words": ["kid"]}
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
LANGUAGES = {"English": ["a", "b"], "Greek": ["a", "##b", "[UNK]"], "Thai": ["[UNK]"]}
LETTERS = ["a", "##b", "##c", "##d", "##e"]

test_a_drawing_says_what_it_shows = for_each_example({
    "pieces of a text": (
        lambda: (nb01.draw_pieces(KIDS), nb01.describe_pieces(KIDS)),
        ["kids: kid | ##s | ! (3)."],
        ["kids", "##s", "3"],
    ),
    "words, the most broken and the longest whole one": (
        lambda: nb01.draw_words({"kid": ["kid"], "kids": ["kid", "##s"], "a": ["a"]}),
        ["“kids” falls into 2 pieces, and “kid” is one piece", "kids: kid | ##s (2)"],
        ["kid", "##s", "2"],
    ),
    "words, none of them whole": (
        lambda: nb01.draw_words({"kids": ["kid", "##s"]}), ["“kids” falls into 2 pieces."], ["##s"]
    ),
    "sentences after so many merges": (
        lambda: (nb01.draw_after(GROWTH, 1200), nb01.describe_after(GROWTH, 1200)),
        ["After 1,200 merges.", "kids: kid | ##s (2)"],
        ["kid", "##s"],
    ),
    "a sentence while the list grows": (
        lambda: nb01.draw_growth(GROWTH, "kid", "kid"),
        ["“kid” is one piece after 1,200 merges", "0 merges: k | ##i | ##d (3)"],
        ["0 merges", "##i", "kid"],
    ),
    "a word that stays in parts": (
        lambda: nb01.draw_growth(GROWTH, "kids", "kids"), ["“kids” stays in parts."], ["##s"]
    ),
    "one sentence in many languages": (
        lambda: nb01.draw_languages(LANGUAGES),
        ["English needs 2 pieces, Greek 3; Thai is lost as [UNK].", "Greek 3, 1"],
        ["English", "Thai", "3"],
    ),
    "languages of which none is lost": (
        lambda: nb01.draw_languages({"English": ["a"], "Greek": ["a", "##b"]}),
        ["English needs 1 pieces, Greek 2."],
        ["Greek"],
    ),
    "one sentence by several lists": (
        lambda: nb01.draw_three_lists(
            {name: [*SPECIAL, *pieces] for name, pieces in LISTS.items()}, "kid kid"
        ),
        ["6 pieces by letters, 2 pieces by words", "words: kid | kid (2)"],
        ["letters", "##i", "kid"],
    ),
    "every look-up of longest match": (
        lambda: nb01.draw_longest_match(*GIRAFFE),
        ["10 look-ups in the vocabulary cut “giraffe” into 3", *TRIED],
        [*TRIED, "not in the list", "step 2: “raffe” is left"],
    ),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "few lines": (lambda: nb01.draw_pieces({"a": 60 * ["a"]}, lines=1), "lines, so lines=1"),
    "no pieces": (lambda: nb01.draw_pieces({"a": []}), "a text without pieces"),
    "no texts": (lambda: nb01.describe_pieces({}), "or none at all"),
    "a part of a word": (lambda: nb01.draw_longest_match("giraffe", ["gi", "##raf"]), "does not spell"),
    "unknown": (lambda: nb01.draw_longest_match("giraffe", ["[UNK]"]), r"\[UNK\] does not spell"),
    "nothing": (lambda: nb01.draw_longest_match("", []), "Nothing does not spell ''"),
    "many pieces": (lambda: nb01.draw_longest_match("abcde", LETTERS), "5 letters and 5 pieces"),
    "a long word": (lambda: nb01.draw_longest_match(LONG, [LONG]), "15 letters"),
})  # fmt: skip


@settings(max_examples=10, deadline=None)
@given(
    st.dictionaries(
        st.text("abc", min_size=1, max_size=12),
        st.lists(st.sampled_from(["i", "think", "##ing", "[UNK]", "[SEP]"]), min_size=1, max_size=40),
        min_size=1,
        max_size=4,
    )
)
def test_pieces_are_drawn_in_order_with_their_number(rows: dict[str, list[str]]) -> None:
    axes = nb01.draw_pieces(rows).axes[0]
    in_order = [word for label, pieces in rows.items() for word in [label, *pieces, str(len(pieces))]]
    assert [text.get_text() for text in axes.texts] == in_order
    assert max(box.get_window_extent().x1 for box in axes.patches) <= axes.get_window_extent().x1


def test_pieces_of_a_word_touch_and_words_do_not() -> None:
    boxes = nb01.draw_pieces({"kids": ["kid", "##s", "!"]}, "Two words").axes[0].patches
    edges = [(box.get_window_extent().x0, box.get_window_extent().x1) for box in boxes]
    assert edges[0][1] == pytest.approx(edges[1][0])
    assert edges[1][1] < edges[2][0]


def test_a_word_is_broken_between_lines_only_if_it_is_longer_than_one() -> None:
    long, short = ["w", *20 * ["##o"]], ["k", *9 * ["##i"]]
    patches = nb01.draw_pieces({"a": [*short, *short, *long]}).axes[0].patches
    lines = [round(box.get_y(), 2) for box in patches if isinstance(box, FancyBboxPatch | Rectangle)]
    assert len(set(lines[:10])) == len(set(lines[10:20])) == 1
    assert lines[10] > lines[9] and lines[20] >= lines[19] and len(set(lines[20:])) == 2


def test_texts_of_any_length_can_be_given_one_frame() -> None:
    check_one_frame(lambda size, lines=None: nb01.draw_pieces({"a": 40 * size * ["a"]}, lines=lines))


def test_sentences_have_one_frame_after_any_number_of_merges() -> None:
    sizes = {tuple(nb01.draw_after(GROWTH, merges).get_size_inches()) for merges in GROWTH}
    assert len(sizes) == 1


def test_the_table_of_units_counts_what_is_lost() -> None:
    table = nb01.units_table({"words": ["a", "[UNK]"], "letters": ["a", "b", "c", "d"]}, [5, 26], 2)
    assert table["tokens for each word"] == [1.0, 2.0]
    assert table["tokens lost as [UNK]"] == ["50.0%", "0.0%"]


def test_the_table_of_merges_numbers_them() -> None:
    table = nb01.merges_table([("t", "##h", "th", 7), ("th", "##e", "the", 5)])
    assert [column[1] for column in table.values()] == [2, "th", "##e", "the", 5]


def test_the_tables_of_the_stretches_find_what_is_not_merged() -> None:
    vocab = [*SPECIAL, "k", "##i", "##d", "##id", "kids"]
    halves = nb01.halves_table("kid", {piece: place for place, piece in enumerate(vocab)})
    assert halves["in BERT's list"] == ["yes", "no"]
    assert halves["in BERT's list, too"] == ["yes", "yes"]
    odd = nb01.odd_table({"ours": vocab}, {"ours": ["kids"]})
    assert [column[0] for column in odd.values()] == ["ours", 2, 1, "50.0%"]


def test_what_is_drawn_is_what_longest_match_looks_up() -> None:
    asked = []

    class Vocabulary(set):
        def __contains__(self, piece: object) -> bool:
            asked.append(piece)
            return super().__contains__(piece)

    assert wordpiece.wordpiece("giraffe", Vocabulary(GIRAFFE[1])) == GIRAFFE[1]
    drawn = [text for text in written(nb01.draw_longest_match(*GIRAFFE)[0]) if text in TRIED]
    assert asked == drawn == TRIED
