"""What Sphinx is to make of formulas, folds and stretches: an extension, and the anchors of headings."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from docutils import nodes

from tools import formulas
from tools.slides import STRETCH

LONG = 22  # characters of a formula in a line, which a narrow page has no room for
RAW = re.compile(r"\\[a-zA-Z]+")


def anchor(heading: str) -> str:
    """The anchor that JupyterLab gives a heading, by which the course's links name it."""
    return heading.strip().replace(" ", "-")


@cache
def formula(source: str, is_display: bool) -> str:
    """A formula as MathML. ValueError, in a sentence without its place, where it can't be one."""
    try:
        written = formulas.mathml(source.strip(), is_display)
    except Exception as error:  # the converter's own are of many kinds
        raise ValueError(f"the formula {source.strip()} can't be read ({type(error).__name__})") from None
    if raw := RAW.search(re.sub(r"<[^>]*>", "", written)):
        raise ValueError(f"the formula {source.strip()} has {raw[0]}, which the page would print as it is")
    return written


def _inline(translator: Any, node: nodes.Element) -> None:
    written = _at(translator, node.astext(), False)
    is_long = len("".join(re.sub(r"<[^>]*>", "", written).split())) > LONG
    translator.body.append(written.replace("<math ", '<math class="long" ', 1) if is_long else written)
    raise nodes.SkipNode


def _display(translator: Any, node: nodes.Element) -> None:
    translator.body.append(f'<div class="formula">{_at(translator, node.astext(), True)}</div>')
    raise nodes.SkipNode


def _at(translator: Any, source: str, is_display: bool) -> str:
    try:
        return formula(source, is_display)
    except ValueError as error:
        raise ValueError(f"In {translator.builder.current_docname} {error}: write it otherwise.") from None


def _open_fold(translator: Any, node: nodes.Element) -> None:
    [where] = node["classes"]
    held = "The code" if where == "above-input" else "The result"
    translator.body.append(f'<details class="hide {where}"><summary>{held}</summary>\n')


def _close_fold(translator: Any, _node: nodes.Element) -> None:
    translator.body.append("</details>\n")


def fold_stretches(app: Any, doctree: nodes.document, name: str) -> None:
    """Fold what stands below the heading of a stretch; the heading stays in sight."""
    for section in list(doctree.findall(nodes.section)):
        if section[0].astext().startswith(STRETCH):
            begin = '<details class="stretch"><summary>Beyond the core: open this stretch</summary>'
            section.insert(1, nodes.raw("", begin, format="html"))
            section.append(nodes.raw("", "</details>", format="html"))


def setup(app: Any) -> dict[str, bool]:
    """What Sphinx calls."""
    from myst_nb.sphinx_ import HideCodeCellNode

    app.add_node(HideCodeCellNode, override=True, html=(_open_fold, _close_fold))
    app.add_html_math_renderer("mathml", inline_renderers=(_inline, None), block_renderers=(_display, None))
    app.connect("doctree-resolved", fold_stretches)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
