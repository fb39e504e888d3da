"""The leaderboard's score: all printed rows come out, by the rule of each source."""

from pathlib import Path

import pytest

from chapters.nb37 import glue


@pytest.mark.parametrize("board", [glue.MARCH_2020, glue.APRIL_2021], ids=["March 2020", "April 2021"])
def test_every_printed_score_comes_out(board: glue.Board) -> None:
    assert len(board) == 10
    for name, (printed, row) in board.items():
        glue.validate_row(name, row)
        assert glue.glue_score(row) == pytest.approx(printed, abs=0.0501), name


def test_the_paper_counts_otherwise() -> None:
    for name, (printed, row) in glue.PAPER.items():
        assert glue.paper_average(row) == pytest.approx(printed, abs=0.05), name
        assert abs(glue.glue_score(row) - printed) > 0.4, name


def places(board: glue.Board, task: str | None = None) -> dict[str, int]:
    rows = {name: row if task is None else glue.without(row, task) for name, (_, row) in board.items()}
    return glue.ranks({name: glue.glue_score(row) for name, row in rows.items()})


def test_one_task_decides_where_people_stand() -> None:
    found = {task: places(glue.MARCH_2020, task)[glue.PEOPLE] for task in glue.TASKS}
    assert places(glue.MARCH_2020)[glue.PEOPLE] == found["WNLI"] == 9
    assert min(found, key=lambda task: found[task]) == "QQP" and found["QQP"] == 5


def test_a_rank_that_hangs_on_wnli() -> None:
    assert places(glue.APRIL_2021)["NEZHA"] == 7 and places(glue.APRIL_2021, "WNLI")["NEZHA"] == 9


def test_of_each_task_one_number() -> None:
    row = glue.MARCH_2020[glue.PEOPLE][1]
    numbers = glue.by_task(row)
    assert numbers["MNLI"] == pytest.approx(92.4) and numbers["MRPC"] == pytest.approx(83.55)
    assert sum(numbers.values()) / 9 == pytest.approx(glue.glue_score(row))


def test_equal_scores_share_a_rank() -> None:
    assert glue.ranks({"a": 1.0, "b": 2.0, "c": 1.0}) == {"a": 2, "b": 1, "c": 2}


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"QQP ": 71.0}, "has the column 'QQP ', which GLUE has not"),
        ({"MNLI-m": 84.0, "RTE": 60.0}, "one half of MNLI"),
        ({"AX": 40.0}, "no score that counts"),
        ({}, "no score that counts"),
    ],
)
def test_a_row_that_cannot_be_scored_is_refused_in_one_sentence(row: glue.Row, says: str) -> None:
    with pytest.raises(ValueError, match="mine") as refused:
        glue.validate_row("mine", row)
    assert says in str(refused.value)


def test_a_task_that_is_not_there_cannot_be_left_out() -> None:
    with pytest.raises(ValueError, match="no 'SQuAD' in this row"):
        glue.without({"RTE": 60.0}, "SQuAD")


def test_a_board_is_saved_as_a_spreadsheet_saves_it(tmp_path: Path) -> None:
    glue.save_board(glue.MARCH_2020, tmp_path / "board.csv")
    lines = (tmp_path / "board.csv").read_text("utf-8-sig").splitlines()
    assert lines[0].split(",") == ["system", *glue.TASKS] and len(lines) == 12
    assert lines[9].startswith("people,66.40,97.80,83.55,") and lines[11].endswith(",3000,146")
