"""The lines of a text file."""

from __future__ import annotations

from pathlib import Path

from lib.text.tasks.charsets import text_of


def lines_of(path: str | Path, what: str, encoding: str | None = None) -> list[str]:
    """The lines of a text file in UTF-8, with or without a mark of byte order; only line ends cut them.

    encoding: another one than UTF-8, as Python calls it.
    Line ends are those of Unix, of Windows, or, in a file that has no others, the single \\r of old Macs.
    """
    if not Path(path).is_file():
        raise ValueError(f"There is no file {path}: name {what}.")
    try:
        text = text_of(Path(path), encoding)[0] if encoding else Path(path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path} is not in UTF-8 ({error}): name {what}, in UTF-8, or its encoding, such as gbk."
        ) from None
    text = text.replace("\r\n", "\n")
    return text.split("\n" if "\n" in text else "\r")
