"""The drawings of notebook 33."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from nbformat.v4 import new_output
from pictures import for_each_example

from chapters.nb33 import drawings as nb33
from chapters.nb33 import recorded
from tools.live_views import keep_what_stands_still

FILES = {
    "a BERT and bags": {1_400_000: [79.0, 81.0]},
    "a BERT alone": {1_300_000: [79.0]},
    "bags alone": {90_000: [76.0], 270_000: [77.0]},
}


def marks(figure: Any, marker: str) -> list[list[float]]:
    """The places over x of the dots of a kind, line by line."""
    drawn = [line for axes in figure.axes for line in axes.lines if line.get_marker() == marker]
    return [np.asarray(line.get_xdata()).tolist() for line in drawn if len(line.get_xdata())]


test_a_drawing_says_what_it_shows = for_each_example({
    "the lines of a stack": (
        lambda: nb33.draw_stack("A stack"), ["sort, cut, teach, round"], [name for name, _ in nb33.LINES],
    ),
    "files over their bytes": (
        lambda: nb33.draw_files(FILES, 80.7, "Files", (1_300_000, 74.5)),
        [
            "a BERT and bags: 80.0% in 1,400,000 bytes; a BERT alone: 79.0% in 1,300",
            "bags alone: 76.0% in 90,000",
            "your disk: 74.5% in 1,300,000 bytes",
        ],
        [*nb33.DISKS.values()],
    ),
})  # fmt: skip


def test_files_of_both_kinds_stand_over_their_bytes() -> None:
    figure, _ = nb33.draw_files(FILES, 80.7, "Files", (1_300_000, 74.5))
    assert marks(figure, "o") + marks(figure, "s") == [[1_400_000], [90_000, 270_000]]
    assert marks(figure, "^") == [[1_300_000]]
    assert marks(figure, "D") == [[1_300_000]]


def test_tables_have_a_row_for_each_result() -> None:
    columns, _ = nb33.bag_table(187_020, 67.1, 80.6)
    assert columns["bytes"][1] == "187,020" and columns["right, %"] == ["80.6", "67.1", "52.9"]
    columns, _ = nb33.roundings_table(75.0, {"2 bits": (2.14, 64.2)})
    assert [column[0] for column in columns.values()] == ["not rounded", "32", "75.0"]
    assert [column[1] for column in columns.values()] == ["2 bits", "2.1", "64.2"]
    columns, _ = nb33.stack_table({"rounded": (1_234_567, 64.58)})
    assert [column[0] for column in columns.values()] == ["rounded", "1,234,567", "64.6"]
    columns, _ = nb33.bag_table(187_020, 67.1, 80.6, (52_250_756, 77.4))
    assert columns["bytes"][1:3] == ["52,250,756", "187,020"]


def test_leads_are_told_disk_by_disk_and_roundings_by_their_steps(capsys: pytest.CaptureFixture[str]) -> None:
    lines = recorded.leads("headlines")
    assert (
        len(lines) == 4
        and len(recorded.leads("SST-2")) == 2
        and all("resolved" in line and "s of training" in line for line in lines)
    )
    assert "+3.6 points, resolved; 301 s of training, bags 26 s" in lines[1]
    nb33.show_rounded_after(recorded.rounded_after())
    assert "0 steps before: 72.8%, from 71.5 to 73.6" in capsys.readouterr().out
    assert [*recorded.files("headlines")] == [*FILES]


def test_every_byte_of_a_file_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    nb33.show_parts({"vocab.txt": 11_902, "file": 1_266_108})
    assert capsys.readouterr().out.split()[-1] == "208,452"


def test_the_place_of_the_file_is_shown_and_not_stored(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shown: list[Any] = []

    def display(data: dict[str, str], raw: bool, metadata: dict[str, Any]) -> None:
        shown.append(new_output("display_data", data, metadata=metadata))

    monkeypatch.setattr("IPython.display.display", display)
    nb33.show_place(tmp_path / "mine.zip")
    (output,) = shown
    assert str(tmp_path / "mine.zip") in output.data["text/html"]
    keep_what_stands_still(output)
    assert [*output.data] == ["text/plain"] and str(tmp_path) not in output.data["text/plain"]
