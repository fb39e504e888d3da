"""Pictures to explore: a question first, then the controls.

An explorer is a thin shell over a drawing. Every picture is drawn beforehand, so a control answers at
once; the controls unlock when the reader has committed an answer to the question above them.
"""

import itertools
from collections.abc import Callable, Mapping, Sequence
from html import escape
from numbers import Real
from typing import TYPE_CHECKING, Any

from .display import LIVE, Picture, img, picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_PICTURES = 64
PLACEHOLDER = "Run this cell for the controls."

Values = Mapping[str, Any]


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
        self.answer = answer
        self.why = why
        self.names = list(controls)
        self.start = dict(next(iter(presets.values())))
        self.pictures = self._draw_all(draw, alt, controls)
        self._build(question, options, controls, presets)

    @property
    def values(self) -> dict[str, Any]:
        """What the controls are set to."""
        return {name: self.controls[name].value for name in self.names}

    @property
    def still(self) -> Picture:
        """The picture of the first preset, where the controls start."""
        return self._picture_of(self.start)

    def set(self, values: Values) -> None:
        """Set all controls at once."""
        for name, value in values.items():
            self.controls[name].value = value

    def _draw_all(
        self,
        draw: Callable[..., "Figure"],
        alt: Callable[..., str],
        controls: Mapping[str, Sequence[Any]],
    ) -> dict[tuple[Any, ...], Picture]:
        pictures = {}
        for combination in itertools.product(*controls.values()):
            values = dict(zip(self.names, combination, strict=True))
            pictures[combination] = picture(draw(**values), alt(**values))
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
        self.box = ipywidgets.VBox(
            [
                self.question,
                self.choice,
                ipywidgets.HBox([self.commit, self.verdict]),
                ipywidgets.HBox([*self.presets.values(), self.reset], layout={"flex_flow": "wrap"}),
                ipywidgets.VBox(list(self.controls.values())),
                self.picture,
            ]
        )

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
        if chosen is None:
            return
        self.choice.disabled = self.commit.disabled = True
        said = "Right." if chosen == self.answer else f"You said: {chosen}. It is: {self.answer}."
        self.verdict.value = f'<span role="status"><b>{escape(said)}</b> {escape(self.why)}</span>'
        for widget in [*self.controls.values(), *self.presets.values(), self.reset]:
            widget.disabled = False
        self._on_move(None)

    def _on_move(self, change: Any) -> None:
        now = self._picture_of(self.values)
        self.picture.value = img(now.data, now.alt, now.width)

    def __repr__(self) -> str:
        return PLACEHOLDER

    def _repr_mimebundle_(
        self, include: Any = None, exclude: Any = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        return self.box._repr_mimebundle_() | {"text/plain": PLACEHOLDER}, dict(LIVE)


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
    """Show a picture, then a question about it, then controls that unlock with the answer.

    `draw(**values)` makes the picture and `alt(**values)` its text alternative. `controls` maps the
    name of each argument to the values it can take: numbers become a slider, False and True a check
    box, anything else a list. Every combination is drawn at once, at most 64, so that a control
    answers without waiting. `presets` maps a label, which names what is to be seen, to a value for
    every control; the first is where the controls start and what the still picture shows.
    `answer` is one of the `options`; `why` is shown with the verdict.
    """
    from IPython.display import display

    explorer = Explorer(question, options, answer, why, draw, alt, controls, presets)
    still = display(explorer.still, display_id=True)
    display(explorer)
    # From then on there is one picture, the one that moves.
    explorer.commit.on_click(lambda _: still.update({"text/plain": ""}, raw=True))


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
    if not presets:
        raise ValueError("There is no preset; name at least one, where the controls start.")
    for label, preset in presets.items():
        if set(preset) != set(controls) or any(preset[n] not in controls[n] for n in controls):
            raise ValueError(
                f"The preset {label!r} should give each of {', '.join(controls)} a value it can take."
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
