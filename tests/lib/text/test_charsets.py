"""Bytes without a mark are read as UTF-8, UTF-16 or Windows-1252, or somebody is asked what they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from lib.text.tasks.charsets import text_of

GERMAN = "Größe paßt, sehr schön\nÜbel: für 30 € erwarte ich „mehr“ – na ja\n"


@pytest.mark.parametrize(
    "text",
    [
        GERMAN,
        "J’ai adoré ce cœur…là-bas, créé à l’été\n« À propos » de Noël\n",
        "¡Muy bueno! ¿Dónde está el niño?\nnº 3, la 2ª vez\n",
        "As avaliações são ótimas, não há dúvidas\nAção e coração\n",
        "È bellissimo, però costa più di così\n",
        "Rødgrød med fløde på æblekage\nså dårlig kvalitet, også Øl\n",
        "Það er ágætt, þýðing, ég elska það\n",
        "“great” value for £5, it’s a naïve café\nZoë gave it 25 °C and ½ litre\n",
        "Il·lustració preciosa, però l’últim capítol és massa curt\n",
        "Täysin hyödytön öljy, mutta äiti tykkäsi yöllä\n",
        "Eén keer is genoeg, ’t is geïnstalleerd, coördinatie\n",
    ],
)
def test_windows_1252_is_known_by_its_letters(text: str, tmp_path: Path) -> None:
    path = tmp_path / "my.csv"
    path.write_bytes(text.encode("cp1252"))
    assert text_of(path) == (text, "Windows-1252, as it is not UTF-8")


@pytest.mark.parametrize(
    ("codec", "text"),
    [
        ("gbk", "这本书很好看,好\n质量太差了，不推荐,坏\niPhone很好,好\n"),
        ("gbk", "a great book,好\na bad one,坏\n"),
        ("cp1251", "Отличный товар,да\nне рекомендую никому,нет\n"),
        ("cp932", "とても良い本です,良\nテスト結果は悪い,悪\n"),
        ("cp949", "아주 좋은 책입니다,긍정\n별로예요,부정\n"),
        ("cp1250", "Bardzo dobra książka, polecam każdemu\nMoże być żółta\n"),
        ("mac_roman", GERMAN),
        ("mac_roman", "J’ai adoré ce cœur, créé à l’été\n"),
        ("big5", "這本書很好看\n品質太差，不推薦\n"),
        ("cp1250", "Skvělý výrobek, doporučuji\nPříliš žluťoučký\n"),
        ("cp1253", "Πολύ καλό προϊόν, το συνιστώ\n"),
        ("cp1254", "Çok güzel bir ürün, beğendim\nKargo geç geldi\n"),
        ("cp1255", "מוצר טוב מאוד\nלא אהבתי\n"),
        ("koi8_r", "Отличный товар\n"),
        ("cp850", "Größe passt, sehr schöner Stoff\n"),
        ("cp1257", "Šią knygą perskaičiau per vieną dieną, ačiū\n"),
        ("cp874", "สินค้าดีมาก\nไม่ชอบ\n"),
        ("cp1250", "Foarte bun, dar calitatea nu e aşa cum mă aşteptam şi ţin la bani\n"),
    ],
)
def test_other_encodings_are_asked_for_and_read_where_they_are_named(
    codec: str, text: str, tmp_path: Path
) -> None:
    path = tmp_path / "my.csv"
    path.write_bytes(text.encode(codec))
    with pytest.raises(ValueError, match=r"does not look like Windows-1252: name its encoding.*--encoding"):
        text_of(path)
    assert text_of(path, codec) == (text, codec)


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_unicode_needs_no_mark(codec: str, tmp_path: Path) -> None:
    path = tmp_path / "my.csv"
    path.write_bytes("text,label\n好ü,1\n".encode(codec))
    assert text_of(path) == ("text,label\n好ü,1\n", "UTF-16" if "16" in codec else "UTF-8")


@pytest.mark.parametrize(
    ("content", "encoding", "message"),
    [
        (GERMAN.encode() + b"\xc3\n", None, r"is no text in UTF-8 \(line 3\) or UTF-16, and does not"),
        (b"PK\x03\x04\x14\0\x06\0\x08\0\0\0!\0\n", None, "Windows-1252: save it in UTF-8"),
        (b"review,stars\nx\0yy,1\n", None, "is no text in UTF-8"),
        (b"x\n", "gkb", "There is no encoding 'gkb': name one"),
        (b"x\n", "hex", "There is no encoding 'hex'"),
        (b"\xff\n", "utf-8", "is no text in utf-8: name another"),
        (b"\x81\n", "cp1252", "is no text in cp1252: name another"),
    ],
)
def test_what_is_no_text_is_said(content: bytes, encoding: str | None, message: str, tmp_path: Path) -> None:
    path = tmp_path / "my.csv"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=message):
        text_of(path, encoding)
