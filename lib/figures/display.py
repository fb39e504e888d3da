"""The one way a picture reaches the page: sharp, small, and with words for who cannot see it."""

import base64
import io
import sys
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CSS_PIXELS_PER_INCH = 96
SHARPNESS = 2  # PNG pixels for each CSS pixel, for projectors and dense screens
LIVE = {"course": {"live": True}}  # metadata of outputs that a committed notebook does not keep


def png(figure: "Figure") -> bytes:
    """Render a figure as a PNG of at most 255 colors, `SHARPNESS` times its size on the page."""
    from PIL import Image

    rendered = io.BytesIO()
    figure.savefig(rendered, format="png", dpi=CSS_PIXELS_PER_INCH * SHARPNESS)
    # A palette makes a drawing two to three times smaller, and nobody sees the difference; with
    # fewer colors the shades of a heat map would shift.
    image = Image.open(rendered).convert("RGB")
    palette = image.quantize(colors=255, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    small = io.BytesIO()
    palette.save(small, format="PNG", optimize=True)
    return small.getvalue()


def img(data: bytes, alt: str, width: int) -> str:
    """Return the `<img>` of a PNG, `width` CSS pixels wide where there is room for it."""
    source = base64.b64encode(data).decode("ascii")
    return (
        f'<img alt="{escape(alt)}" src="data:image/png;base64,{source}" '
        f'style="width:{width}px;max-width:100%;height:auto;background:#fff">'
    )


class Picture:
    """A PNG and its text alternative, as one output of a cell."""

    def __init__(self, data: bytes, alt: str, width: int) -> None:
        if not alt.strip():
            raise ValueError("A picture needs a text alternative; pass alt=, what the picture shows.")
        self.data = data
        self.alt = " ".join(alt.split())
        self.width = width

    @property
    def height(self) -> int:
        """In CSS pixels, where the page has room for the whole width."""
        across, down = (
            int.from_bytes(self.data[place : place + 4]) for place in (16, 20)
        )  # the PNG's header
        return round(self.width * down / across)

    def __repr__(self) -> str:
        return self.alt

    def _repr_mimebundle_(
        self, include: Any = None, exclude: Any = None
    ) -> tuple[dict[str, str], dict[str, Any]]:
        # Front ends take the <img>: most drop the metadata, and with it the words.
        bundle = {
            "text/html": img(self.data, self.alt, self.width),
            "image/png": base64.b64encode(self.data).decode("ascii"),
            "text/plain": self.alt,
        }
        return bundle, {"image/png": {"alt": self.alt, "width": self.width}}


def picture(figure: "Figure", alt: str, width: int | None = None) -> Picture:
    """Render a figure as a `Picture`; `width` is in CSS pixels, the figure's own size if None."""
    return Picture(png(figure), alt, width or round(figure.get_figwidth() * CSS_PIXELS_PER_INCH))


def show(figure: "Figure", alt: str, width: int | None = None) -> None:
    """Display a figure once, with its text alternative, and close it.

    The output is one bundle: `text/html` with an `<img alt>`, `image/png` with the same words in its
    metadata. `width` is in CSS pixels, the figure's own size if None. An empty `alt` raises a
    ValueError.
    """
    from IPython.display import display

    display(picture(figure, alt, width))
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:  # else pyplot cannot know the figure, and would not show it again
        pyplot.close(figure)


class Screen:
    """One place on the page for a picture that changes: each one shown takes the place of the one before.

    >>> screen = Screen()
    >>> for step in range(3):
    ...     screen.show(draw_lines(...), alt=f"After {step} steps ...")
    """

    def __init__(self) -> None:
        self._place: Any = None

    def show(self, figure: "Figure", alt: str) -> None:
        """Show a figure with its text alternative where the one before was, the first below the cell."""
        from IPython.display import display

        if self._place is None:
            self._place = display(picture(figure, alt), display_id=True)
        else:
            self._place.update(picture(figure, alt))
