"""What has to be true of the finished pages: no link leads nowhere, and nothing is asked of the network."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path
from posixpath import dirname, join, normpath
from urllib.parse import unquote, urldefrag

TAG = re.compile(r"<[a-zA-Z][^<>]*>")
LINK = re.compile(r"\s(?:href|src)=\"([^\"]*)\"")
ANCHOR = re.compile(r"\s(?:id|name)=\"([^\"]*)\"")
FETCHED = re.compile(
    r"<(?:link|script|img|iframe|source|video|audio)\b[^<>]*\s(?:href|src)=\"(?:https?:)?//[^\"]*\""
)


def pages_of(site: Path) -> dict[str, str]:
    """The pages of a site, by their paths inside it."""
    return {
        path.relative_to(site).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(site.rglob("*.html"))
    }


def dead_links(site: Path, pages: Mapping[str, str]) -> Iterator[str]:
    """A sentence for each link inside the site to a file or an anchor that is not there."""
    there = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    anchors = {name: {unescape(anchor) for tag in TAG.findall(text) for anchor in ANCHOR.findall(tag)}
               for name, text in pages.items()}  # fmt: skip
    for name, text in pages.items():
        for target in sorted({link for tag in TAG.findall(text) for link in LINK.findall(tag)}):
            if re.match(r"[a-z]+:|//", target):
                continue
            address, anchor = map(unquote, urldefrag(unescape(target)))
            file = normpath(join(dirname(name), address.partition("?")[0])) if address else name
            if file not in there:
                yield f"{name} links to {target}, which is not there."
            elif anchor and file in anchors and anchor not in anchors[file]:
                yield f"{name} links to {target}, where there is no such place."


def fetched_from_elsewhere(pages: Mapping[str, str]) -> Iterator[str]:
    """A sentence for each page that asks something of the network."""
    for name, text in pages.items():
        if found := FETCHED.search(text):
            yield f"{name} would ask the network for {found[0]}"
