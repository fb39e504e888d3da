"""From the course to a folder of pages: staged, written by Sphinx, cleaned, looked at, put in its place."""

from __future__ import annotations

import importlib.util
import io
import json
import logging
import re
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat

import lib
from lib.files import replacing, write_whole
from tools import copies, glossary
from tools.book import checks, font, pages, staging
from tools.copies import LEARNER

HERE = Path(__file__).parent
MARK = ".nojekyll"  # which GitHub Pages wants, too, or it leaves out folders that begin with "_"
MARKED = "Made by `python course.py site`, which may replace this folder.\n"
#: what Sphinx and its theme leave that no page asks for
LEFTOVER = ("**/*.map", "**/*-macros.html", ".buildinfo", "objects.inv", "_sources", "_static/locales")
#: a short formula with the signs that must not be parted from it, as browsers do
AT_A_FORMULA = re.compile(
    r'[(“]<math xmlns[^>]*display="inline"(?:(?!</math>).)*</math>[.,;:?!)”]*'
    r'|<math xmlns[^>]*display="inline"(?:(?!</math>).)*</math>[.,;:?!)”]+'
)
ADDRESS = "ADDRESS"  # of the repository, as the README has it

SETTINGS: dict[str, Any] = {
    "project": "BERT, inside out",
    "author": "The BERT, inside out developers",
    "copyright": "The BERT, inside out developers",
    "language": "en",
    "extensions": ["myst_nb", "sphinx_copybutton", "tools.book.writing"],
    "exclude_patterns": ["extra", "static"],
    "templates_path": [str(HERE / "templates")],
    "html_theme": "sphinx_book_theme",
    "html_title": "BERT, inside out",
    "html_static_path": ["static"],
    "html_extra_path": ["extra"],
    "html_css_files": ["book.css"],
    "html_js_files": [("book.js", {"defer": "defer"})],
    "html_copy_source": False,  # or lecturers' notes are published as they are
    "html_show_sourcelink": False,
    "html_show_search_summary": False,  # or a search quotes what waits for a prediction
    "html_show_sphinx": False,
    "html_use_index": False,
    "html_domain_indices": False,
    "html_math_renderer": "mathml",
    "html_context": {"default_mode": "auto"},
    "html_theme_options": {
        "home_page_in_toc": True,
        "show_toc_level": 2,
        "show_navbar_depth": 1,
        "navigation_with_keys": False,
        "navbar_persistent": [],
        "use_download_button": False,
        "use_fullscreen_button": False,
        "search_bar_text": "Search the course",
        "toc_title": "On this page",
        "extra_footer": (
            "Text and pictures under CC BY 4.0, code under the MIT license. Formulas are set in STIX Two"
            " Math, © The STIX Fonts Project Authors, under the SIL Open Font License 1.1."
        ),
    },
    "nb_execution_mode": "off",
    "nb_merge_streams": True,
    "myst_enable_extensions": ["dollarmath", "amsmath", "deflist"],
    "myst_heading_anchors": 3,
    "myst_heading_slug_func": "tools.book.writing.anchor",
    "copybutton_selector": "div.cell_input pre, div.highlight-text pre",
}


@dataclass(frozen=True)
class Account:
    """What was built."""

    folder: Path
    pages: int
    megabytes: float


def build(target: Path) -> Account:
    """Write the book into the folder `target`, whole or not at all.

    ValueError, in a sentence, for a folder that holds something else, a text that can't become a page, and a
    link that leads nowhere. What was built there before stays then.
    """
    target = target.resolve()  # of a link or "..", the folder itself, which is replaced
    refuse_what_is_in_the_way(target)
    refuse_without_the_extra()
    with tempfile.TemporaryDirectory(prefix="course-site-") as room, replacing(target) as site:
        source = Path(room, "source")
        stage(source)
        run_sphinx(source, site, Path(room, "doctrees"))
        finish(site)
        written = checks.pages_of(site)
        for trouble in [*checks.dead_links(site, written), *checks.fetched_from_elsewhere(written)]:
            raise ValueError(f"The site isn't built: {trouble}")
        size = sum(path.stat().st_size for path in site.rglob("*") if path.is_file())
    return Account(target, len(written), size / 1e6)


def refuse_what_is_in_the_way(target: Path) -> None:
    """ValueError where the folder's place belongs to something else, or is where somebody stands."""
    if Path.cwd().is_relative_to(target):
        raise ValueError(f"{target} is the folder you are in, or above it: name another behind -o.")
    ours = (target / MARK).is_file() and (target / MARK).read_text(encoding="utf-8") == MARKED
    if target.exists() and not ours and (not target.is_dir() or any(target.iterdir())):
        raise ValueError(
            f"{target} holds something that `python course.py site` hasn't made: name another folder"
            " behind -o."
        )


def refuse_without_the_extra() -> None:
    """ValueError where a package is missing that only the site needs."""
    for package in ("sphinx", "myst_nb", "sphinx_book_theme", "sphinx_copybutton", "ziamath"):
        if importlib.util.find_spec(package) is None:
            raise ValueError(
                f"The extra for the site is not installed ({package} is missing): type `python course.py site"
                " -o site`, which installs it, or `python -m pip install -e .[site]`."
            )


# ---------------------------------------------------------------------------------------------
# Staging


def stage(source: Path) -> None:
    """Write all that Sphinx reads into the folder `source`."""
    notebooks = copies.every_notebook()
    terms = glossary.glossary(notebooks)
    docs = pages.of_docs()
    of_the_book = {*notebooks, *docs.values()}
    pictures, downloads = source / "extra" / "pictures", source / "extra" / "downloads"
    for folder in (pictures, downloads, source / "static", source / "notebooks"):
        folder.mkdir(parents=True)
    book = staging.Book(of_the_book, pages.anchors(terms), pictures)
    for path in notebooks:
        try:
            page = staging.staged(path, book)
        except ValueError as error:
            raise ValueError(f"{path.name} can't become a page: {error}") from None
        nbformat.write(page, source / "notebooks" / path.name)
        write_whole(downloads / path.name, download(path))
    for name, path in docs.items():
        text = (
            pages.glossary_page(terms, of_the_book) if name == "glossary" else pages.page(path, of_the_book)
        )
        write_whole(source / "docs" / path.name, text)
    table = (lib.root / "docs" / "notebooks.md").read_text(encoding="utf-8")
    first = pages.first_page(table, [path.stem for path in notebooks])
    write_whole(source / "index.md", first)
    for name in ("book.css", "book.js"):
        shutil.copyfile(HERE / name, source / "static" / name)
    shutil.copyfile(lib.root / "docs" / "map-of-bert.png", source / "static" / "map-of-bert.png")


def download(path: Path) -> str:
    """The learner's edition of a notebook, and before it a cell for where the course isn't installed."""
    edition = copies.nothing_spoiled(path, LEARNER)
    edition["cells"].insert(0, elsewhere())
    return json.dumps(edition, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def elsewhere() -> dict[str, Any]:
    """A text cell that says what to type where the course is not installed."""
    text = (
        "Where the course is not installed, type these three lines into a cell above the first one, with the"
        f" address of its repository for {ADDRESS}, and run it:\n\n```\n"
        f"!git clone -q {ADDRESS} bert-inside-out\n%cd bert-inside-out\n"
        "%pip install -q -c constraints.txt -e .\n```\n"
    )
    return {"cell_type": "markdown", "id": "elsewhere", "metadata": {}, "source": text.splitlines(True)}


# ---------------------------------------------------------------------------------------------
# Sphinx


def run_sphinx(source: Path, site: Path, doctrees: Path) -> None:
    """Let Sphinx write the pages. ValueError with its first warning, for there should be none."""
    from sphinx.application import Sphinx
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    said = io.StringIO()
    logging.getLogger("fontTools").setLevel(logging.WARNING)
    with patch_docutils(), docutils_namespace():
        app = Sphinx(
            source, None, site, doctrees, "html", SETTINGS, status=None, warning=said, freshenv=True
        )  # fmt: skip
        app.build()
    if warnings := [line for line in said.getvalue().splitlines() if line.strip()]:
        first = re.sub(r"\x1b\[[\d;]*m", "", warnings[0]).replace(f"{source}/", "")
        more = f" (and {len(warnings) - 1} more)" if len(warnings) > 1 else ""
        raise ValueError(f"The site isn't built, for Sphinx warns: {first}{more}")


def finish(site: Path) -> None:
    """Take away what no page needs, and give the pages their font."""
    for pattern in LEFTOVER:
        for path in site.glob(pattern):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    characters: set[str] = set()
    for path in sorted(site.rglob("*.html")):
        page = path.read_text(encoding="utf-8")
        characters |= font.characters_of(page)
        path.write_text(mended(page), encoding="utf-8")
    (site / "_static" / "formulas.woff").write_bytes(font.math_font(characters))
    (site / MARK).write_text(MARKED, encoding="utf-8")


def mended(page: str) -> str:
    """A page without a nameless column, and with no sign parted from a formula."""
    page = page.replace('<th class="head"><p></p></th>', "<td></td>")
    return AT_A_FORMULA.sub(r'<span class="together">\g<0></span>', page)
