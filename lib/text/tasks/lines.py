"""The lines of a text file."""

from __future__ import annotations

from pathlib import Path


def lines_of(path: str | Path, what: str, encoding: str | None = None) -> list[str]:
    """The lines of a text file, with or without a mark of byte order; only line ends cut them.

    encoding: as Python names it; UTF-8 where none is given.
    Line ends are those of Unix, of Windows, or, in a file that has no others, the single \\r of old Macs.
    """
    if not Path(path).is_file():
        raise ValueError(f"There is no file {path}: name {what}.")
    try:
        text = Path(path).read_bytes().decode(encoding or "utf-8")
    except LookupError:
        raise ValueError(f"Python knows no encoding {encoding!r}: give such as utf-8 or cp1252.") from None
    except UnicodeDecodeError as error:
        name = encoding or "UTF-8"
        raise ValueError(f"{path} is not in {name} ({error}): name {what}, in {name}.") from None
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    return text.split("\n" if "\n" in text else "\r")
