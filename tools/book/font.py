"""The font of the formulas: STIX Two Math, cut to what the pages hold.

It is read at build time from the package `ziamath`, which carries it, under the SIL Open Font License. The
cut one keeps the font's own fields of copyright and license.
"""

from __future__ import annotations

import importlib.resources
import io
import re
from html import unescape

MATH = re.compile(r"<math\b.*?</math>", re.DOTALL)
#: what elements draw, without holding it: roots, bars and braces
DRAWN = set("\u221a\u203e\u00af_\u23de\u23df")
#: letters that a browser slants by itself, as `<mi>x</mi>`: Latin, and Greek
SLANTED = {*map(chr, range(0x1D434, 0x1D468)), *map(chr, range(0x1D6E2, 0x1D71C)), "\u210e"}
ALWAYS = {*map(chr, range(0x20, 0x7F)), *map(chr, range(0x391, 0x3CA)), *SLANTED, *DRAWN}


def characters_of(page: str) -> set[str]:
    """The characters in the formulas of a page in HTML."""
    return set(unescape("".join(re.sub(r"<[^>]*>", "", formula) for formula in MATH.findall(page))))


def math_font(characters: set[str]) -> bytes:
    """The font with these characters and all that formulas make of them, as WOFF; the same at every call."""
    from fontTools import subset
    from fontTools.ttLib import TTFont

    file = importlib.resources.files("ziamath") / "fonts" / "STIXTwoMath-Regular.ttf"
    font = TTFont(io.BytesIO(file.read_bytes()), recalcTimestamp=False)
    options = subset.Options(
        layout_features=["*"], name_IDs=["*"], name_languages=["*"], hinting=False, recalc_timestamp=False
    )
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=sorted(map(ord, characters | ALWAYS)))
    cutter.subset(font)
    font.flavor = "woff"
    written = io.BytesIO()
    font.save(written, reorderTables=True)
    return written.getvalue()
