"""Links between the texts of the repository, as a page of the book has them."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path
from urllib.parse import unquote

import lib

#: code and formulas, which hold what looks like a link, and links to files
LINK = re.compile(
    r"(?P<code>^```.*?^```|(?P<ticks>`+)(?!`).*?(?P=ticks)|\$\$.+?\$\$|(?<!\$)\$[^$\n]+\$)"
    r"|(?<!!)\[(?P<words>(?:[^\[\]]|\\.|\[[^\[\]]*\])*)\]\((?P<target>(?!https?:|mailto:|#)[^)\s#]+)"
    r"(?:#(?P<anchor>[^)\s]*))?\)",
    re.DOTALL | re.MULTILINE,
)


def within_the_book(text: str, page: Path, pages: Collection[Path]) -> str:
    """A text with its links to other pages of the book; a link to another file leaves its words alone.

    ValueError, in a sentence, for a link to what the repository hasn't.

    page: the file of the text, pages: those of the book. The table of notebooks is the book's first page.
    """

    def written(link: re.Match[str]) -> str:
        if link["code"]:
            return link[0]
        target = (page.parent / unquote(link["target"])).resolve()
        if not target.exists():
            raise ValueError(f"{page} links to {link['target']}, which is not there: mend the link.")
        if target == lib.root / "docs" / "notebooks.md":
            return f"[{link['words']}](../index.md)"
        if target not in pages:
            return link["words"]
        anchor = f"#{unquote(link['anchor'])}" if link["anchor"] else ""
        return f"[{link['words']}](<{link['target']}{anchor}>)"

    return LINK.sub(written, text)
