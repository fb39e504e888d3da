"""WikiText as text again (Merity et al., 2017): its files are cut into words, with marks of their own.

What a BERT's tokenizer cuts anyway, such as a space before a comma, is left as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ARTICLE = re.compile(r" = [^=].*= ")
HEADING = re.compile(r" = .* = ")  # of any depth, = = = such = = =, an article's included
CUT = re.compile(r" @([-,.])@ ")  # 5 @,@ 000
APART = re.compile(r" (n)? ?'(s|t|re|ve|ll|d|m)\b")  # did n't, it 's


def detokenize(line: str) -> str:
    """Numbers, hyphens and short forms are joined again; what was too rare to keep is [UNK], as in BERT."""
    line = CUT.sub(r"\1", line).replace("<unk>", "[UNK]")
    return APART.sub(lambda found: f"{found[1] or ''}'{found[2]}", line).strip()


def wikitext(path: str | Path) -> Iterator[list[str]]:
    """The articles of a WikiText file, each the list of its paragraphs, without headings."""
    article: list[str] = []
    for line in Path(path).read_text(encoding="utf-8-sig").split("\n"):
        if ARTICLE.fullmatch(line) and article:
            yield article
            article = []
        if line.strip() and not HEADING.fullmatch(line):
            article.append(detokenize(line))
    if article:
        yield article
