"""Explorers: pictures with controls that unlock when an answer is committed."""

import re
from pathlib import Path

import nbformat
import pytest
from drawing import Tags, outputs_of_a_cell
from matplotlib.figure import Figure

from lib import figures
from lib.figures.style import canvas
from tools.live_views import keep_what_stands_still, needs_kernel


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list:
    return outputs_of_a_cell(monkeypatch)


@pytest.fixture(autouse=True)
def reader(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The home of a reader who has answered nothing yet."""
    monkeypatch.setenv("BERT_COURSE_HOME", str(tmp_path / "my"))
    return tmp_path / "my"


def draw_point(size: int, color: str, filled: bool) -> Figure:
    figure = canvas(1, 1)
    figure.subplots().plot(0, 0, "o", ms=size, c=color, fillstyle="full" if filled else "none")
    return figure


EXPLORE: dict = {
    "question": "What happens to <it>?",
    "options": ["it grows", "it shrinks"],
    "answer": "it grows",
    "why": "Because 2 > 1.",
    "draw": draw_point,
    "alt": lambda size, color, filled: f"A point of {size}, {color}, {filled}.",
    "controls": {"size": [1, 2, 3], "color": ["red", "blue"], "filled": [False, True]},
    "presets": {
        "a small one": {"size": 1, "color": "red", "filled": False},
        "a large one": {"size": 3, "color": "blue", "filled": True},
    },
}


def alt_of(explorer: figures.Explorer) -> str | None:
    [(box, sides), (_, attributes)] = Tags(explorer.picture.value).tags
    assert box == "div" and "aspect-ratio:96/96" in (sides["style"] or "")
    return attributes["alt"]


def test_an_explorer_is_locked_until_an_answer_is_committed():
    explorer = figures.Explorer(**EXPLORE)
    inputs = [*explorer.controls.values(), *explorer.presets.values(), explorer.reset]
    assert all(widget.disabled for widget in inputs)
    assert explorer.commit.disabled and explorer.choice.value is None
    assert alt_of(explorer) == "A point of 1, red, False."
    explorer.commit.click()
    assert all(widget.disabled for widget in inputs)

    explorer.choice.value = "it shrinks"
    assert not explorer.commit.disabled
    explorer.commit.click()
    assert "You said: it shrinks. It is: it grows." in explorer.verdict.value
    assert "Because 2 &gt; 1." in explorer.verdict.value
    assert not any(widget.disabled for widget in inputs)
    assert explorer.commit.disabled and explorer.choice.disabled
    assert alt_of(explorer) == "A point of 3, blue, True."  # the preset that shows the point


def test_controls_presets_and_reset_move_the_picture():
    explorer = figures.Explorer(**EXPLORE)
    explorer.choice.value = "it grows"
    explorer.commit.click()
    assert "<b>Right.</b>" in explorer.verdict.value and "&lt;it&gt;" in explorer.question.value
    explorer.controls["size"].value = 2
    assert alt_of(explorer) == "A point of 2, blue, True."
    explorer.presets["a small one"].click()
    assert alt_of(explorer) == explorer.still.alt
    explorer.presets["a large one"].click()
    assert explorer.values == {"size": 3, "color": "blue", "filled": True}
    assert alt_of(explorer) == "A point of 3, blue, True."
    explorer.reset.click()
    assert explorer.values == explorer.start == {"size": 1, "color": "red", "filled": False}
    assert alt_of(explorer) == explorer.still.alt


def test_a_committed_answer_counts_when_the_cell_is_run_again(reader):
    explorer = figures.Explorer(**EXPLORE)
    explorer.choice.value = "it shrinks"
    explorer.commit.click()
    again = figures.Explorer(**EXPLORE)
    assert again.choice.value == "it shrinks" and again.choice.disabled and again.commit.disabled
    assert again.verdict.value == explorer.verdict.value
    assert not again.reset.disabled and again.values == again.point
    assert again.still.alt == "A point of 1, red, False."
    assert not figures.Explorer(**EXPLORE | {"question": "Another one?"}).choice.disabled
    reworded = figures.Explorer(**EXPLORE | {"options": ["it grows", "it falls"]})
    assert reworded.choice.value is None and not reworded.choice.disabled
    for damaged in ("{", "[]"):
        (reader / "predictions.json").write_text(damaged)
        assert figures.kept_prediction(EXPLORE["question"]) is None
    (reader / "predictions.json").write_text('{"What happens to <it>?": 3}')
    assert figures.Explorer(**EXPLORE).choice.value is None


def test_an_answer_counts_where_nothing_can_be_kept(reader):
    reader.write_text("a file where the folder should be")
    explorer = figures.Explorer(**EXPLORE)
    explorer.choice.value = "it grows"
    explorer.commit.click()
    assert "<b>Right.</b>" in explorer.verdict.value


def test_each_kind_of_value_has_its_control():
    explorer = figures.Explorer(**EXPLORE)
    kinds = {name: type(control).__name__ for name, control in explorer.controls.items()}
    assert kinds == {"size": "SelectionSlider", "color": "Dropdown", "filled": "Checkbox"}
    assert len(explorer.pictures) == 12


def test_an_explorer_shows_its_picture_first_and_is_marked_live(shown):
    figures.explore(**EXPLORE)
    stage, explorer = shown
    bundle, metadata = stage._repr_mimebundle_()
    assert bundle["text/plain"] == metadata["image/png"]["alt"] == "A point of 1, red, False." == repr(stage)
    assert bundle["application/vnd.jupyter.widget-view+json"]["model_id"] == explorer.picture.model_id
    assert explorer.picture not in explorer.box.children
    assert Tags(bundle["text/html"]).tags[0][1]["alt"] == bundle["text/plain"]
    bundle, metadata = explorer._repr_mimebundle_(include=None, exclude=None)
    assert bundle["text/plain"] == "Run this cell for the controls." == repr(explorer)
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert metadata == {}


def test_what_is_stored_of_an_explorer_asks_and_does_not_answer():
    explorer = figures.Explorer(**EXPLORE)
    explorer.choice.value = EXPLORE["answer"]
    explorer.commit.click()
    bundle, metadata = explorer._repr_mimebundle_()
    output = nbformat.v4.new_output("display_data", bundle, metadata=metadata)
    assert needs_kernel(output)
    keep_what_stands_still(output)
    stored = output.data["text/html"]
    assert set(output.data) == {"text/html", "text/plain"}
    assert re.findall(r"<li>(.*?)</li>", stored) == EXPLORE["options"]
    assert "What happens to &lt;it&gt;?" in stored and EXPLORE["why"] not in stored and "Right" not in stored


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"answer": "it stays"}, "one of the different options"),
        ({"controls": {"size": range(65)}}, "65 combinations; .* 64"),
        ({"controls": {}}, "at least one control"),
        ({"controls": EXPLORE["controls"] | {"size": [1]}}, "'size' needs at least two"),
        ({"presets": {}}, "two presets at least.* has 0"),
        ({"presets": {"x": {"size": 1, "color": "red", "filled": True}}}, "two presets at least.* has 1"),
        ({"alt": lambda **_: "A point."}, "holds no number"),
        ({"draw": lambda size, **_: canvas(size, 1)}, r"size in inches is \(1.0, 1.0\) for {'size': 1"),
        ({"draw": lambda size, **_: figures.draw_bars(["a"], [size], "x")}, "x axis .* xlim="),
        (
            {"draw": lambda size, **_: figures.draw_lines([0, 1], {"a": [0, size]}, "x", "y")},
            "y axis .* ylim=",
        ),
        ({"draw": lambda size, **_: figures.draw_attention([[size]], ["a"])}, "shades .* darkest="),
        ({"presets": {"x": {"size": 1}}}, "'x' should give each of size, color, filled"),
        ({"presets": {"x": {"size": 9, "color": "red", "filled": True}}}, "a value it can take"),
        ({"alt": lambda **_: ""}, "text alternative"),
    ],
)
def test_an_explorer_that_cannot_work_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        figures.Explorer(**EXPLORE | change)


@pytest.mark.parametrize(
    "draw",
    [
        lambda size: figures.draw_bars(["a"], [size], "x", xlim=(0, 5)),
        lambda size: figures.draw_lines([0, 1], {"a": [0, size]}, "x", "y", ylim=(0, 5)),
        lambda size: figures.draw_attention([[size]], ["a"], darkest=5),
    ],
)
def test_drawings_can_be_given_one_frame(draw):
    figures.Explorer(
        **EXPLORE
        | {
            "draw": draw,
            "alt": "{size} large".format,
            "controls": {"size": [1, 2, 3]},
            "presets": {"small": {"size": 1}, "large": {"size": 3}},
        }
    )
