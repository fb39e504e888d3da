"""Which characters the bytes of a text file stand for, where nothing in the file says it."""

from __future__ import annotations

import re
from pathlib import Path

# tried where neither UTF-8 nor Windows-1252 fits
LIKELY = ("gbk", "big5", "cp932", "cp949", "cp1250", "cp1251", "mac_roman", "cp1252")

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
    "áðéíóúýþæöø",  # Icelandic, Faroese
    "äöüõéå",  # Estonian
)
LETTERS = "".join(ALPHABETS)
JOINING = "‘’–—…·´\xa0\xad"  # may stand inside a word
SYMBOL_IN_WORD = re.compile(rf"[a-z{LETTERS}][^\x00-\x7f{LETTERS}{JOINING}]+[a-z{LETTERS}]")
WORD = re.compile(rf"(?:[a-z]|[^\x00-\x7f{JOINING}«»“”„•])+")


def text_of(path: Path, encoding: str | None = None) -> tuple[str, str]:
    """The text of a file, and the name of its encoding.

    encoding: as Python calls it. None: UTF-8 or UTF-16, with a mark of byte order or without, else
    Windows-1252 where its letters stand as they do in the languages that are written in it. Raises ValueError
    where it is none of these.
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
    text = _text_in(content, "cp1252")
    if text is not None and _looks_western(text):
        return text, "Windows-1252, as it is not UTF-8"
    lines = enumerate(content.split(b"\n"), start=1)
    line = next(number for number, one in lines if _text_in(one, "utf-8") is None)
    others = (codec for codec in LIKELY if codec != "cp1252")
    likely = [codec for codec in others if _text_in(content, codec) is not None]
    advice = f"name its encoding, such as --encoding {', '.join(likely)}, or " if likely else ""
    raise ValueError(
        f"{path} is no text in UTF-8 (line {line}) or UTF-16, and does not look like Windows-1252: {advice}"
        "save it in UTF-8."
    )


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
    lines = [line for line in text.lower().splitlines() if not line.isascii()]
    return sum(map(_is_western, lines)) >= 0.95 * len(lines)


def _is_western(line: str) -> bool:
    letters = {*line}.intersection(LETTERS)
    if SYMBOL_IN_WORD.search(line) or not any(letters.issubset(alphabet) for alphabet in ALPHABETS):
        return False
    return all(len(word) == 1 or re.search("[a-z]", word) for word in WORD.findall(line))
