"""Our WordPiece against the library's: the same ids, offsets and text, one sentence for bad input.

The texts hold characters from before Unicode 9 only: what came later, the library's tables and each Python's
sort differently.
"""

import itertools
import json
import pickle
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tokenizers
import torch
import transformers
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.bert.checkpoint import resolve_checkpoint
from lib.bert.wordpiece import WordPieceTokenizer, longest_first, normalize, wordpiece

OURS = WordPieceTokenizer.from_pretrained("minilm")
THEIRS = transformers.AutoTokenizer.from_pretrained(resolve_checkpoint("minilm"))
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
SMALL = [
    *SPECIAL, "hello", "Hello", "h", "##é", "##e", "##llo", "w", "##ö", "##rld", "!", "一", "##一", "ά", "α",
]  # fmt: skip

HARD = [
    "",
    " ",
    "i think teddy [MASK] make great presents for kids",
    "She opened a bank account; he sat on the river-bank.",
    "[MASK]",
    "[mask] [Mask] [ MASK ]",
    "[SEP]x[CLS][PAD][UNK]",
    "a[MASK]b [MASK][MASK]  [MASK]\n",
    "[CLS[SEP]] [[MASK]]",
    "café cafe\u0301 CAFÉ naïve Ærøskøbing Łódź straße ẞ",
    "\u0301",
    "\u0301a\u0301\u0323\u0302b",
    "[MASK]\u0301a",
    "q\u0307\u0323 vie\u0323\u0302t việt",
    "中文字 漢字かな交じり文 カタカナ ガ か\u3099",
    "x中y\u3400z\uf900\U00020000\u3007",
    "\U0002b740\U0002b820\U0002b920",  # Chinese to the library: the first and the last
    "한국어 \u1112\u1161\u11ab",
    "😀😀 x😀y 👍🏽 👩\u200d👧 🇫🇷 ☃\ufe0f",
    "\x00a\x01b\x07\x7fc\x80\x85d\x0be\x0cf\u200bg\u200eh\ufeffi\u00adj",
    "\ufffd a\ufffdb \ue000 \U000f0000",
    "\t a\r\nb\u00a0c\u1680d\u2003e\u2028f\u2029g\u202fh\u205fi\u3000j\u180ek",
    "x" * 100,
    "x" * 101,
    "x" * 50 + "\u0301" * 60 + "x" * 50,
    "é" * 101 + " " + "-" * 101,
    "İstanbul ISTANBUL ı dİs",
    "ΟΔΟΣ ΟΔΟς Σ ΆΈΪ ᾳ ᾼ ΐ",
    "ﬁn ﬀ ﬆ ǆ Ǆ ǅ ŉ ſ",
    "Å K Ω ℃ ½ ² ™ № …",
    "\u037e \u0387 \u1fef \u2260 \u00b4 \u1fed",  # they decompose, some into ASCII punctuation
    "don't I'm 's we've 'tis rock 'n' roll — “quoted” «très» ‚low„ 50% $3.50 C++ a_b #1 @me ~/x^2 `c`|<y>=z",
    "hello.world!what?yes,no;ok:fine",
    "##ing a ##b # # [unused1] [unused",
    "Ꮳ Ა გ ა Ⅷ Ⓐ 𝐀 𝔄 ａＡ１！",
    "नमस्ते हिन्दी ไทย עִבְרִית العَرَبِيَّة தமிழ்",
    "\u0378 a\u0378b \ufdd0 \U0010ffff \U000e0041",  # unassigned, and a tag
    "zzqx xqzzv\u4e00",
]


def theirs_encoded(text: str, pair: str | None = None, tokenizer: Any = THEIRS) -> Any:
    """One row of a batch: outside of one, the library takes an empty second text for none."""
    pairs = None if pair is None else [pair]
    row = tokenizer([text], pairs, return_offsets_mapping=True, verbose=False)
    return {name: value[0] for name, value in row.items()}


def assert_same(text: str, pair: str | None = None, ours: WordPieceTokenizer = OURS, theirs: Any = THEIRS):
    expected = theirs_encoded(text, pair, theirs)
    ids = ours.encode(text, pair)
    assert ours.convert_ids_to_tokens(ids) == theirs.convert_ids_to_tokens(expected["input_ids"])
    assert ids == expected["input_ids"]
    assert ours.offsets(text, pair) == expected["offset_mapping"]
    assert ours(text, pair)["token_type_ids"].tolist() == [expected["token_type_ids"]]
    assert ours.tokenize(text) == theirs.tokenize(text)
    assert ours.decode(ids) == theirs.decode(ids)
    assert ours.decode(ids, skip_special_tokens=True) == theirs.decode(ids, skip_special_tokens=True)


def pretrained(folder: Path, vocab: str | None, **options: Any) -> WordPieceTokenizer:
    if vocab is not None:
        (folder / "vocab.txt").write_text(vocab, encoding="utf-8", newline="\n")
    (folder / "tokenizer_config.json").write_text(json.dumps(options), encoding="utf-8")
    return WordPieceTokenizer.from_pretrained(folder)


# ---------------------------------------------------------------- the pieces of a word


letters = st.text("abc", min_size=1, max_size=3)


@settings(deadline=None)
@given(st.sets(letters), st.sets(letters), st.text("abc", max_size=12), st.sampled_from(["[UNK]", "<unk>"]))
def test_wordpiece_equals_the_library_on_any_vocabulary(
    first: set[str], later: set[str], word: str, unknown: str
):
    vocab = [unknown, *sorted(first), *("##" + piece for piece in sorted(later))]
    model = tokenizers.models.WordPiece({piece: i for i, piece in enumerate(vocab)}, unk_token=unknown)
    for kind in (set, dict.fromkeys, list):
        assert wordpiece(word, kind(vocab), unknown) == [token.value for token in model.tokenize(word)]


# ---------------------------------------------------------------- the same as the library


@pytest.mark.parametrize("text", HARD, ids=ascii)
def test_hard_texts(text: str):
    assert_same(text)
    assert_same(text, "a second text")
    assert_same("[MASK] first", text)


@pytest.mark.parametrize("text", HARD, ids=ascii)
@pytest.mark.parametrize(
    "options",
    [
        {"do_lower_case": False},
        {"do_lower_case": True, "strip_accents": False},
        {"do_lower_case": False, "strip_accents": True, "tokenize_chinese_chars": False},
    ],
    ids=str,
)
def test_hard_texts_with_other_options(text: str, options: dict[str, bool], tmp_path: Path):
    words = normalize_words(text, **options)
    vocab = list(dict.fromkeys([*SPECIAL, *SMALL, *words]))
    ours = pretrained(tmp_path, "\n".join(vocab) + "\n", tokenizer_class="BertTokenizer", **options)
    theirs = transformers.BertTokenizer(vocab=dict(ours.vocab), **options)
    assert_same("Héllo Wörld! " + text, ours=ours, theirs=theirs)


def normalize_words(text: str, **options: bool) -> list[str]:
    """The words that the library's own normalizer and pre-tokenizer make of a text."""
    normalizer = tokenizers.normalizers.BertNormalizer(
        lowercase=options["do_lower_case"],
        strip_accents=options.get("strip_accents"),
        handle_chinese_chars=options.get("tokenize_chinese_chars", True),
    )
    splitter = tokenizers.pre_tokenizers.BertPreTokenizer()
    return [word for word, _ in splitter.pre_tokenize_str(normalizer.normalize_str(text))]


USUAL = [(True, True, True), (False, False, True)]  # of uncased and of cased models


@pytest.mark.parametrize(
    ("lowercase", "strip_accents", "chinese"),
    [
        pytest.param(*options, marks=() if options in USUAL else pytest.mark.slow)
        for options in itertools.product((True, False), repeat=3)
    ],
)
def test_every_character_of_unicode_3_2(lowercase: bool, strip_accents: bool, chinese: bool):
    options = {"do_lower_case": lowercase, "strip_accents": strip_accents, "tokenize_chinese_chars": chinese}
    moved = "\u166d\u1734\u1885\u1886"  # Unicode has since put these four into other categories
    old = unicodedata.ucd_3_2_0  # the same in every Python
    for character in map(chr, range(0x110000)):
        if old.category(character) in ("Cn", "Co", "Cs") or character in moved:
            continue
        parts = [normalize(part, lowercase, strip_accents, chinese) for part in f"a{character}b"]
        expected = normalize_words(f"a{character}b", **options)
        assert "".join(parts).split() == expected, f"U+{ord(character):04X}"


#: control, ASCII, Latin; combining; Greek; Cyrillic; Hangul, in parts and whole; more Latin and Greek;
#: spaces, punctuation, format; kana; Chinese; compatibility ideographs; ligatures; wide forms; emoji
RANGES = [
    (0x0, 0x24F), (0x300, 0x34E), (0x384, 0x3FF), (0x400, 0x45F), (0x1100, 0x1112), (0x1161, 0x1175),
    (0xAC00, 0xAC20), (0x1E00, 0x1FFE), (0x2000, 0x205E), (0x3000, 0x30FF), (0x4E00, 0x4E20),
    (0xF900, 0xF920), (0xFB00, 0xFB06), (0xFF01, 0xFF5E), (0x1F600, 0x1F640),
]  # fmt: skip
#: a sampled list and not `st.characters`, whose content depends on the Unicode of the running Python
ALPHABET = [chr(number) for first, last in RANGES for number in range(first, last + 1)]
CHUNKS = [*SPECIAL, "[mask]", "[", "]", "##", "the", "ing", "İ", "Σ", "e\u0301", "x" * 99, " ", "  ", "\n"]
texts = st.lists(
    st.one_of(st.sampled_from(ALPHABET), st.sampled_from("abcdefgho .,'é"), st.sampled_from(CHUNKS)),
    max_size=16,
).map("".join)


@settings(max_examples=400, deadline=None)
@given(texts, st.none() | texts)
def test_any_text_and_any_pair(text: str, pair: str | None):
    assert_same(text, pair)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=4), st.integers(3, 24), st.booleans())
def test_any_batch(rows: list[tuple[str, str]], max_length: int, paired: bool):
    firsts = [first for first, _ in rows]
    seconds = [second for _, second in rows] if paired else None
    for length in (None, max_length):
        batch = OURS(firsts, seconds, max_length=length)
        options = {"padding": True, "truncation": length is not None, "return_tensors": "pt"}
        expected = THEIRS(firsts, seconds, max_length=length, verbose=False, **options)
        assert batch.keys() == expected.keys()
        for name, value in expected.items():
            assert torch.equal(batch[name], value) and batch[name].dtype == torch.long


@settings(deadline=None)
@given(st.integers(0, 12), st.integers(0, 12), st.integers(3, 30))
def test_the_longer_text_gives_way_first(first: int, second: int, max_length: int):
    text, pair = "a " * first, "b " * second
    expected = THEIRS([text], [pair], truncation=True, max_length=max_length, return_offsets_mapping=True)
    assert [OURS.encode(text, pair, max_length=max_length)] == expected["input_ids"]
    assert [OURS.offsets(text, pair, max_length=max_length)] == expected["offset_mapping"]
    assert sum(longest_first(first, second, max_length - 3)) == min(first + second, max_length - 3)


def test_without_max_length_nothing_is_cut():
    assert len(OURS.encode("a " * 1000)) == 1002


def test_decode_joins_each_piece_as_the_library_does():
    before = OURS.vocab["a"]
    for number in range(len(OURS)):
        assert OURS.decode([before, number]) == THEIRS.decode([before, number])
        assert OURS.decode([number, before]) == THEIRS.decode([number, before])


@pytest.mark.parametrize("ids", [[], [101, 102], torch.tensor([101, 7592, 999, 102]), (100, 103, 0)], ids=str)
@pytest.mark.parametrize("skip", [True, False])
def test_decode_takes_any_row_of_ids(ids: Any, skip: bool):
    assert OURS.decode(ids, skip_special_tokens=skip) == THEIRS.decode(ids, skip_special_tokens=skip)


def test_tokens_and_ids_of_the_vocabulary():
    assert len(OURS) == len(THEIRS) == 30522
    assert OURS.vocab == THEIRS.get_vocab()
    for name in ("pad", "unk", "cls", "sep", "mask"):
        assert getattr(OURS, f"{name}_token") == getattr(THEIRS, f"{name}_token")
        assert getattr(OURS, f"{name}_token_id") == getattr(THEIRS, f"{name}_token_id")
    assert sorted(OURS.all_special_ids) == sorted(THEIRS.all_special_ids)
    tokens = ["[CLS]", "bank", "##s", "no such piece"]
    assert OURS.convert_tokens_to_ids(tokens) == THEIRS.convert_tokens_to_ids(tokens)


def test_a_tokenizer_can_be_sent_to_another_process():
    assert pickle.loads(pickle.dumps(OURS)).encode("a café") == OURS.encode("a café")


# ---------------------------------------------------------------- folders


def test_pieces_may_hold_what_splits_lines_elsewhere(tmp_path: Path):
    pieces = [*SPECIAL, "a\u2028b", "\x85", "\u3000"]
    WordPieceTokenizer(pieces).save_pretrained(tmp_path)
    assert list(WordPieceTokenizer.from_pretrained(tmp_path).vocab) == pieces
    (tmp_path / "vocab.txt").write_bytes("\r\n".join(pieces).encode())  # line ends of Windows
    assert list(WordPieceTokenizer.from_pretrained(tmp_path).vocab) == pieces


def test_a_vocabulary_is_a_dict_or_a_list():
    listed = WordPieceTokenizer(SMALL)
    shuffled = dict(sorted(listed.vocab.items()))
    assert list(shuffled) != SMALL
    assert WordPieceTokenizer(shuffled).convert_ids_to_tokens(range(len(SMALL))) == SMALL


# ---------------------------------------------------------------- bad input

LINES = "\n".join(SMALL) + "\n"


@pytest.mark.parametrize(
    ("vocab", "options", "message"),
    [
        (None, {}, "There is no vocab.txt in"),
        ("a\nb\n", {}, r"lacks \[PAD\], \[UNK\], \[CLS\], \[SEP\], \[MASK\]"),
        ("", {}, "Id 0 of the vocabulary is empty"),
        (LINES.replace("[MASK]\n", ""), {}, r"lacks \[MASK\]"),
        (LINES + "hello\n", {}, "'hello', as id 5 is"),
        (LINES + "\nlast\n", {}, "is empty"),
        (LINES, {"tokenizer_class": "BertJapaneseTokenizer"}, "Japanese dictionary"),
        (LINES, {"truncation_side": "left"}, "has texts cut at their beginning"),
    ],
)
def test_a_bad_folder(vocab: str | None, options: dict[str, str], message: str, tmp_path: Path):
    with pytest.raises(ValueError, match=message):
        pretrained(tmp_path, vocab, **options)


def test_lower_case_that_sentence_transformers_makes_before(tmp_path: Path):
    (tmp_path / "sentence_bert_config.json").write_text('{"do_lower_case": true}')
    assert pretrained(tmp_path, LINES, do_lower_case=True).lowercase
    with pytest.raises(ValueError, match=r"asks for lower case, .* keeps capitals"):
        pretrained(tmp_path, LINES, do_lower_case=False)


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("vocab.txt", "[PAD]\ncaf\xe9\n".encode("latin-1"), "not text in UTF-8"),
        ("tokenizer.json", b"{}", "holds no WordPiece vocabulary"),
        ("tokenizer.json", b'{"model": []}', "holds no WordPiece vocabulary"),
        ("tokenizer.json", b"[1]", "holds no JSON object"),
        ("tokenizer.json", b"\xff", "not valid JSON"),
        ("tokenizer_config.json", b"3", "holds no JSON object"),
        ("tokenizer_config.json", b"{", "not valid JSON"),
    ],
)
def test_damaged_files_are_refused_in_one_sentence(tmp_path: Path, name: str, content: bytes, says: str):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError, match=says) as error:
        WordPieceTokenizer.from_pretrained(tmp_path)
    assert "\n" not in str(error.value)
    if name == "tokenizer.json":
        with pytest.raises(ValueError, match=r"another tokenizer\.json"):
            OURS.save_pretrained(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: OURS.encode(None), TypeError, "of type NoneType: give a str"),  # type: ignore[arg-type]
        (lambda: OURS.encode(b"a"), TypeError, "of type bytes: give a str"),  # type: ignore[arg-type]
        (lambda: OURS.encode(["a"]), TypeError, r"tokenizer\(texts\)"),  # type: ignore[arg-type]
        (lambda: OURS.encode("a", 1), TypeError, "of type int"),  # type: ignore[arg-type]
        (lambda: OURS(None), TypeError, "A batch is a str or a list"),  # type: ignore[arg-type]
        (lambda: OURS(b"a"), TypeError, "A batch is a str or a list"),  # type: ignore[arg-type]
        (lambda: OURS(["a", None]), TypeError, "of type NoneType"),  # type: ignore[list-item]
        (lambda: OURS([]), ValueError, "no text in this batch"),
        (lambda: OURS(["a", "b"], ["c"]), ValueError, "2 texts and 1 pairs"),
        (lambda: OURS("a", max_length=1), ValueError, "alone take 2 places"),
        (lambda: OURS.encode("a", "b", max_length=2), ValueError, "alone take 3 places"),
        (lambda: OURS.encode("a\ud83d"), ValueError, r"half a character at 1 \('\\ud83d'"),
        (lambda: OURS.decode([30522]), ValueError, "no id 30522"),
        (lambda: OURS.decode([-1]), ValueError, "no id -1"),
        (lambda: OURS.decode([1.0]), TypeError, "integer"),  # type: ignore[list-item]
        (lambda: OURS.convert_tokens_to_ids("bank"), TypeError, "takes a list of tokens"),
        (lambda: WordPieceTokenizer({"[PAD]": 1}), ValueError, "The ids of a vocabulary are 0, 1, 2"),
        (lambda: WordPieceTokenizer({"a": 0, "b": 0}), ValueError, "The ids of a vocabulary are 0, 1, 2"),
        (lambda: WordPieceTokenizer({"a": 0, "b": 2}), ValueError, "The ids of a vocabulary are 0, 1, 2"),
    ],
)
def test_bad_arguments(call: Callable[[], object], error: type[Exception], message: str):
    with pytest.raises(error, match=message) as raised:
        call()
    assert "\n" not in str(raised.value)
