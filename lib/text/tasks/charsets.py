"""Which characters the bytes of a text file stand for, where nothing in the file says it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice, pairwise
from pathlib import Path

# What languages that are written in Windows-1252 add to a to z, with the loanwords that people write in them.
ALPHABETS = (
    "äöüßàâçéèêëîïñôó",  # German
    "àâæçéèêëîïôœùûüöñ",  # French
    "áéíóúüñàèòïç",  # Spanish, Catalan, Irish
    "áâãàçéêíóôõúü",  # Portuguese
    "àèéìíòóùúîç",  # Italian
    "áäàéëèêíïîóöôúüç",  # Dutch, Afrikaans
    "æøåäöüéèêóòôà",  # Danish, Norwegian
    "åäöüéàáæø",  # Swedish, Finnish
    "äöüõéå",  # Estonian
    "áðéíóúýþæöø",  # Icelandic, Faroese
)
LETTERS = "".join(ALPHABETS)
CYRILLIC = ("абвгдежзийклмнопрстуфхцчшщъыьэюяёєіїґўђјљњћџ",)
KANA, HAN, HANGUL = (
    "".join(map(chr, codes))
    for codes in (range(0x3041, 0x30FF), range(0x4E00, 0x9FA6), range(0xAC00, 0xD7A4))
)
# Encodings to propose, with the alphabets of their languages. Of those that fit a text alike the first is the
# likeliest: fewer texts fit it.
LIKELY = {
    codec: [frozenset(alphabet) for alphabet in alphabets]
    for codec, alphabets in {
        "cp1255": ("אבגדהוזחטיךכלםמןנסעףפץצקרשת",),
        "cp1256": ("ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيپچژگ",),
        "cp1251": CYRILLIC,
        "cp1253": ("άέήίαβγδεζηθικλμνξοπρςστυφχψωϊϋόύώΐΰ",),
        "koi8_r": CYRILLIC,
        "cp866": CYRILLIC,
        "cp949": (HANGUL,),
        "cp932": (KANA + HAN,),
        "gbk": (HAN,),
        "euc_jp": (KANA + HAN,),
        "big5": (HAN,),
        "cp1254": ("çğıöşüâîû",),
        "cp1250": ("ąćęłńóśźż", "áäčďéěíĺľňóôŕřšťúůýž", "áéíóöőúüű", "ăâîşţ", "čćđšž"),
        "iso8859_2": ("ąćęłńóśźż", "áäčďéěíĺľňóôŕřšťúůýž"),
        "cp1257": ("āčēģīķļņšūž", "ąčęėįšųūž"),
        "cp1252": ALPHABETS,
        "cp850": ALPHABETS,
        "mac_roman": ALPHABETS,
    }.items()
}
JOINING = "‘’–—…·´\xa0\xad"  # may stand inside a word
MARKS = JOINING + "“”„‹›«»•€£°½"  # may stand beside one
SYMBOL_IN_WORD = re.compile(rf"[a-z{LETTERS}][^\x00-\x7f{LETTERS}{JOINING}]+[a-z{LETTERS}]")
WORD = re.compile(rf"(?:[a-z]|[^\x00-\x7f{JOINING}«»“”„•])+")
# a word with a character that ASCII does not have
TELLING = re.compile(r"[^\s!-/:-@\[-`{-~、-」！-？]*[^\x00-\x7f\s、-」！-？][^\s!-/:-@\[-`{-~、-」！-？]*")
MOST_WORDS = 1000  # that are looked at to rank encodings


def text_of(path: Path, encoding: str | None = None) -> tuple[str, str]:
    """The text of a file, and the name of its encoding.

    encoding: as Python calls it. None: UTF-8 or UTF-16, with a mark of byte order or without, else
    Windows-1252 where its letters stand as they do in the languages that are written in it. Raises ValueError
    where it is none of these, with the likeliest others and how words read in them.
    """
    content = path.read_bytes()
    text, name = _text_found(path, content) if encoding is None else _text_named(path, content, encoding)
    return text.removeprefix("\ufeff").replace("\n\ufeff", "\n"), name  # a mark for each file put into one


def _text_found(path: Path, content: bytes) -> tuple[str, str]:
    for codec, name in {"utf-8": "UTF-8", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16"}.items():
        text = _text_in(content, codec)
        # Without a mark any pairs of bytes are UTF-16; those of other texts make no line ends.
        if text is not None and (codec == "utf-8" or text.startswith("\ufeff") or re.search("[\r\n]", text)):
            return text, name
    lines = content.split(b"\n")
    broken = [number for number, line in enumerate(lines, start=1) if _text_in(line, "utf-8") is None]
    if sum(not line.isascii() for line in lines) > 2 * len(broken):
        raise ValueError(
            f"{path} is in UTF-8, but line {broken[0]} is not ({len(broken):,} such in all): mend it, or "
            "save the file anew in UTF-8."
        )
    text = _text_in(content, "cp1252")
    if text is not None and _looks_western(text):
        return text, "Windows-1252, as it is not UTF-8"
    readings = ", ".join(f"{codec} reads {words!r}" for codec, words in _readings(content))
    advice = f"name its encoding by the words that are right, --encoding {readings}; or " if readings else ""
    raise ValueError(
        f"{path} is no text in UTF-8 (line {broken[0]}) or UTF-16, and does not look like Windows-1252: "
        f"{advice}save it in UTF-8."
    )


def _readings(content: bytes) -> list[tuple[str, str]]:
    """The likeliest encodings, two and Windows-1252 or three, and how words read in each."""
    found: dict[str, tuple[float, str]] = {}
    for codec, alphabets in LIKELY.items():
        text = _text_in(content, codec)
        if text is not None:
            words = [match[0] for match in islice(TELLING.finditer(text), MOST_WORDS)]
            fitting = sum(_is_written_in(word, alphabets) for word in words)
            telling = sorted(sorted({*words}), key=lambda word: sum(not one.isascii() for one in word))
            found[codec] = fitting / max(1, len(words)), " ".join(word[:20] for word in telling[-2:])
    ranked = sorted(found, key=lambda codec: -found[codec][0])
    if "cp1252" in ranked[3:]:  # as English with symbols is
        ranked[2] = "cp1252"
    return [(codec, found[codec][1]) for codec in ranked[:3]]


def _is_written_in(word: str, alphabets: Sequence[frozenset[str]]) -> bool:
    """Whether one alphabet has the letters of a word, none large after a small one, no others beside them."""
    word = word.strip(MARKS).replace("İ", "ı")
    if any(one.islower() and next.isupper() and not next.isascii() for one, next in pairwise(word)):
        return False
    if re.search("[a-z][^\\x00-\u024f\u2010-\u20bf]+[a-z]", word):
        return False
    letters = {letter for letter in word.lower() if not letter.isascii()}.difference(JOINING)
    return any(letters <= alphabet for alphabet in alphabets)


def _text_named(path: Path, content: bytes, encoding: str) -> tuple[str, str]:
    try:
        text = _text_in(content, encoding)
    except LookupError:
        raise ValueError(
            f"There is no encoding {encoding!r}: name one as Python does, such as {', '.join(LIKELY)}."
        ) from None
    if text is None:
        raise ValueError(f"{path} is no text in {encoding}: name another encoding, or save it in UTF-8.")
    return text, encoding


def _text_in(content: bytes, codec: str) -> str | None:
    try:
        text = content.decode(codec)
    except UnicodeError:
        return None
    return None if "\0" in text else text


def _looks_western(text: str) -> bool:
    """Whether a text that was read as Windows-1252 has its characters where such texts have them.

    Nearly all lines do: no symbol stands inside a word, each word has a letter of ASCII, and one language has
    all letters. Bytes of GBK, Windows-1251 or Mac Roman make lines that do not.
    """
    text = text.lower()
    # those of Turkish read so, too, but without the other letters of Icelandic
    is_icelandic = 3 * sum(map(text.count, "áéíóúæ")) >= sum(map(text.count, "ýþð"))
    alphabets = ALPHABETS if is_icelandic else ALPHABETS[:-1]
    lines = [line for line in text.splitlines() if not line.isascii()]
    return sum(_is_western(line, alphabets) for line in lines) >= 0.95 * len(lines)


def _is_western(line: str, alphabets: Sequence[str]) -> bool:
    letters = {*line}.intersection(LETTERS)
    if SYMBOL_IN_WORD.search(line) or not any(letters.issubset(alphabet) for alphabet in alphabets):
        return False
    return all(len(word) == 1 or re.search("[a-z]", word) for word in WORD.findall(line))
