"""The lines of a text file."""

from __future__ import annotations

from pathlib import Path


def lines_of(path: str | Path, what: str) -> list[str]:
    """The lines of a text file in UTF-8, with or without a mark of byte order; only line ends cut them.

    Line ends are those of Unix, of Windows, or, in a file that has no others, the single \\r of old Macs.
    """
    if not Path(path).is_file():
        raise ValueError(f"There is no file {path}: name {what}.")
    try:
        text = Path(path).read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is not in UTF-8 ({error}): name {what}, in UTF-8.") from None
    return text.split("\n" if "\n" in text else "\r")
