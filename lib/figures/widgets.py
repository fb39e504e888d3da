"""Pictures to explore: a picture and a question, and controls that unlock with the answer.

An explorer is a thin shell over a drawing. Every picture is drawn beforehand, so a control answers at
once, and all have one frame, so that what changes is the data. What the reader committed is kept: the
controls stay unlocked when the cell is run again.
"""

import contextlib
import itertools
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from html import escape
from numbers import Real
from typing import TYPE_CHECKING, Any

from tqdm import tqdm

from lib.files import home, kept, write_json

from .display import Picture, img, picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_PICTURES = 64
PLACEHOLDER = "Run this cell for the controls."
PREDICTIONS = "predictions.json"  # in the reader's home: each question with the answer committed to it

Values = Mapping[str, Any]


class LivePicture:
    """The place of an explorer's picture: it moves where a kernel runs, elsewhere it is the still one."""

    def __init__(self, still: Picture, widget: Any) -> None:
        self.still = still
        self.widget = widget

    def __repr__(self) -> str:
        return repr(self.still)

    def _repr_mimebundle_(
        self, include: Any = None, exclude: Any = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        bundle, metadata = self.still._repr_mimebundle_()
        return self.widget._repr_mimebundle_() | bundle, metadata


class Explorer:
    """The widgets of `explore` and what they do; its attributes are the widgets themselves."""

    def __init__(
        self,
        question: str,
        options: Sequence[str],
        answer: str,
        why: str,
        draw: Callable[..., "Figure"],
        alt: Callable[..., str],
        controls: Mapping[str, Sequence[Any]],
        presets: Mapping[str, Values],
    ) -> None:
        if answer not in options or len(set(options)) != len(options):
            raise ValueError(f"The answer {answer!r} should be one of the different options.")
        _check_grid(controls, presets)
        self.asked = question
        self.options = list(options)
        self.answer = answer
        self.why = why
        self.names = list(controls)
        self.start, self.point = (dict(values) for values in itertools.islice(presets.values(), 2))
        self.pictures = self._draw_all(draw, alt, controls)
        self._build(question, options, controls, presets)
        prediction = kept_prediction(question)
        if prediction is not None and prediction in options:
            self.choice.value = prediction
            self._unlock(prediction)

    @property
    def values(self) -> dict[str, Any]:
        """What the controls are set to."""
        return {name: self.controls[name].value for name in self.names}

    @property
    def still(self) -> Picture:
        """The picture of the first preset, where the controls start and which gives nothing away."""
        return self._picture_of(self.start)

    def set(self, values: Values) -> None:
        """Set all controls at once."""
        with self.picture.hold_sync():  # one new picture, not one for each control
            for name, value in values.items():
                self.controls[name].value = value

    def _draw_all(
        self, draw: Callable[..., "Figure"], alt: Callable[..., str], controls: Mapping[str, Sequence[Any]]
    ) -> dict[tuple[Any, ...], Picture]:
        pictures: dict[tuple[Any, ...], Picture] = {}
        first: tuple[Values, dict[str, Any]] | None = None
        combinations = list(itertools.product(*controls.values()))
        # an explorer's code is folded, and then JupyterLab has no [*] to say that it runs
        for combination in tqdm(combinations, "pictures", delay=1, leave=False, file=sys.stdout):
            values = dict(zip(self.names, combination, strict=True))
            figure = draw(**values)
            pictures[combination] = picture(figure, alt(**values))
            if not re.search(r"\d", pictures[combination].alt):
                raise ValueError(f"The text alternative of {values} holds no number; say what is to be read.")
            first = first or (values, _frame(figure))
            _check_same_frame(*first, values, _frame(figure))
        return pictures

    def _picture_of(self, values: Values) -> Picture:
        return self.pictures[tuple(values[name] for name in self.names)]

    def _build(
        self,
        question: str,
        options: Sequence[str],
        controls: Mapping[str, Sequence[Any]],
        presets: Mapping[str, Values],
    ) -> None:
        import ipywidgets

        self.question = ipywidgets.HTML(f"<b>{escape(question)}</b>")
        self.choice = ipywidgets.RadioButtons(options=list(options), value=None, layout={"width": "auto"})
        self.commit = ipywidgets.Button(description="Commit", button_style="primary", disabled=True)
        self.verdict = ipywidgets.HTML("The controls unlock when you have committed an answer.")
        self.controls = {
            name: _control(name, list(values), self.start[name]) for name, values in controls.items()
        }
        wide = {"width": "auto"}
        self.presets = {
            label: ipywidgets.Button(description=label, disabled=True, layout=wide) for label in presets
        }
        self.reset = ipywidgets.Button(description="Reset", disabled=True, layout=wide)
        self.picture = ipywidgets.HTML()
        self.shortcuts = ipywidgets.HBox(
            [*self.presets.values(), self.reset], layout={"flex_flow": "wrap", "display": "none"}
        )  # their labels name what is to be seen, so they come with the answer
        self.box = ipywidgets.VBox(
            [
                self.question,
                self.choice,
                ipywidgets.HBox([self.commit, self.verdict]),
                self.shortcuts,
                ipywidgets.VBox(list(self.controls.values())),
            ]
        )
        self._on_move(None)

        self.choice.observe(self._on_choice, names="value")
        self.commit.on_click(self._on_commit)
        for control in self.controls.values():
            control.observe(self._on_move, names="value")
        for label, button in self.presets.items():
            button.on_click(lambda _, values=presets[label]: self.set(values))
        self.reset.on_click(lambda _: self.set(self.start))

    def _on_choice(self, change: Any) -> None:
        self.commit.disabled = change["new"] is None

    def _on_commit(self, button: Any) -> None:
        chosen = self.choice.value
        if chosen is not None:
            keep_prediction(self.asked, chosen)
            self._unlock(chosen)

    def _unlock(self, chosen: str) -> None:
        """Show the verdict and the preset that makes the point, and hand the controls over."""
        self.choice.disabled = self.commit.disabled = True
        outcome = "Right." if chosen == self.answer else f"You said: {chosen}. It is: {self.answer}."
        self.verdict.value = f'<span role="status"><b>{escape(outcome)}</b> {escape(self.why)}</span>'
        for widget in [*self.controls.values(), *self.presets.values(), self.reset]:
            widget.disabled = False
        self.shortcuts.layout.display = "flex"
        self.set(self.point)

    def _on_move(self, change: Any) -> None:
        now = self._picture_of(self.values)
        # The box has its height before the browser has decoded the picture, so nothing below it moves.
        ratio = f"max-width:{now.width}px;aspect-ratio:{now.width}/{now.height}"
        self.picture.value = f'<div style="{ratio}">{img(now.data, now.alt, now.width)}</div>'

    @property
    def listed(self) -> str:
        """What stands for the widgets where no kernel runs: the question and its options, not the answer."""
        options = "".join(f"<li>{escape(option)}</li>" for option in self.options)
        return (
            f'<div class="explorer"><p><b>{escape(self.asked)}</b></p><ul>{options}</ul>'
            f"<p>{PLACEHOLDER}</p></div>"
        )

    def __repr__(self) -> str:
        return PLACEHOLDER

    def _repr_mimebundle_(
        self, include: Any = None, exclude: Any = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        words = {"text/html": self.listed, "text/plain": PLACEHOLDER}
        return self.box._repr_mimebundle_() | words, {}


def explore(
    question: str,
    options: Sequence[str],
    answer: str,
    why: str,
    draw: Callable[..., "Figure"],
    alt: Callable[..., str],
    controls: Mapping[str, Sequence[Any]],
    presets: Mapping[str, Values],
) -> None:
    """Show a picture, under it a question, and controls that unlock with the answer and move the picture.

    `draw(**values)` makes the picture and `alt(**values)` its text alternative. `controls` maps the
    name of each argument to the values it can take: numbers become a slider, False and True a check
    box, anything else a list. Every combination is drawn at once, at most 64, so that a control
    answers without waiting; all pictures need one size, the same ends of their axes and the same shades, and
    text alternatives with numbers. `presets` maps a label, which names what is to be seen, to a value for
    every control, two or more: the first is where the controls start and what the still picture shows, so
    it must not give the answer away; the second is where the picture goes when the answer is committed.
    `answer` is one of the `options`; `why` is shown with the verdict. What was committed is kept in the
    reader's home, and counts when the cell is run again.
    """
    from IPython.display import display

    explorer = Explorer(question, options, answer, why, draw, alt, controls, presets)
    display(LivePicture(explorer.still, explorer.picture))
    display(explorer)


def kept_prediction(question: str) -> str | None:
    """The answer that the reader committed to a question; None if there is none."""
    return kept(PREDICTIONS).get(question)


def keep_prediction(question: str, chosen: str) -> None:
    """Keep the answer to a question, where the disk lets us."""
    with contextlib.suppress(OSError):  # a course on a read-only disk is still a course
        write_json(home() / PREDICTIONS, kept(PREDICTIONS) | {question: chosen})


def _frame(figure: "Figure") -> dict[str, Any]:
    """What has to be the same in all pictures: the size, and the ends of the axes and of the shades."""
    frame: dict[str, Any] = {
        "size in inches": tuple(round(float(side), 2) for side in figure.get_size_inches())
    }
    for number, axes in enumerate(figure.axes):
        which = f" of axes {number}" if len(figure.axes) > 1 else ""
        frame[f"x axis{which}"] = _ends(axes.get_xlim())
        frame[f"y axis{which}"] = _ends(axes.get_ylim())
        for image in axes.images:
            frame[f"shades{which}"] = _ends(image.get_clim())
    return frame


def _ends(limits: Sequence[float | None]) -> tuple[float, ...]:
    return tuple(float(f"{limit:.6g}") for limit in limits if limit is not None)


def _check_same_frame(
    values: Values, frame: Mapping[str, Any], other_values: Values, other: Mapping[str, Any]
) -> None:
    for name in {**frame, **other}:
        if frame.get(name) != other.get(name):
            raise ValueError(
                f"The pictures of an explorer need one frame, and the {name} is {frame.get(name)} for "
                f"{values} but {other.get(name)} for {other_values}; fix it, for instance with xlim=, ylim=, "
                "darkest= or lines=."
            )


def _check_grid(controls: Mapping[str, Sequence[Any]], presets: Mapping[str, Values]) -> None:
    count = 1
    for name, values in controls.items():
        if len(values) < 2:
            raise ValueError(f"The control {name!r} needs at least two values to choose from.")
        count *= len(values)
    if not controls or count > MOST_PICTURES:
        raise ValueError(
            f"The controls have {count} combinations; give at least one control and at most "
            f"{MOST_PICTURES} combinations."
        )
    for label, preset in presets.items():
        if set(preset) != set(controls) or any(preset[n] not in controls[n] for n in controls):
            raise ValueError(
                f"The preset {label!r} should give each of {', '.join(controls)} a value it can take."
            )
    if len(presets) < 2:
        raise ValueError(
            "An explorer needs two presets at least: where the controls start, and what shows the point once "
            f"the answer is committed; it has {len(presets)}."
        )


def _control(name: str, values: list[Any], start: Any) -> Any:
    import ipywidgets

    if all(isinstance(value, bool) for value in values):
        return ipywidgets.Checkbox(value=start, description=name, indent=False, disabled=True)
    numbers = all(isinstance(value, Real) for value in values)
    kind = ipywidgets.SelectionSlider if numbers else ipywidgets.Dropdown
    return kind(
        options=[(f"{value:g}" if numbers else str(value), value) for value in values],
        value=start,
        description=name,
        disabled=True,
        style={"description_width": "initial"},
    )
