"""Markdown with formulas between dollars, as HTML: each tool says what it makes of a formula."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

FORMULA = re.compile(r"\$\$(?P<display>.+?)\$\$|\$(?P<inline>(?=\S)[^$\n]+?(?<=\S))\$(?!\d)", re.DOTALL)

Written = Callable[[str, bool], str]  # LaTeX, and whether it stands on a line of its own, to HTML


def markdown(written: Written, options: Mapping[str, Any] | None = None) -> MarkdownIt:
    """A reader of Markdown with tables that writes formulas in this way."""

    def render(_: Any, tokens: Sequence[Token], index: int, *rest: Any) -> str:
        return written(tokens[index].content, tokens[index].block)

    reader = MarkdownIt("commonmark", {"html": True, **(options or {})}).enable("table")
    reader.inline.ruler.before("escape", "formula", _read)
    reader.add_render_rule("formula", render)
    return reader


def mathml(source: str, is_display: bool) -> str:
    """A formula as MathML, which browsers draw themselves."""
    known = re.sub(r"\{aligned\}", "{align*}", source)  # to the converter
    return convert(known, display="block" if is_display else "inline")


def latex(source: str, is_display: bool) -> str:
    """A formula as it is, between the signs by which MathJax knows it."""
    text = escape(source, quote=False)
    return rf"\[{text}\]" if is_display else rf"\({text}\)"


def _read(state: StateInline, silent: bool) -> bool:
    """The rule by which Markdown finds a formula between dollars."""
    found = FORMULA.match(state.src, state.pos)
    if found and not silent:
        token = state.push("formula", "math", 0)
        token.content = found["display"] or found["inline"]
        token.block = bool(found["display"])
    state.pos = found.end() if found else state.pos
    return bool(found)
