"""The drawings and their text alternatives."""

import io
import itertools
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pytest
import torch
from drawing import TOKENS, Tags, outputs_of_a_cell, weights, words
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from PIL import Image
from programs import python

from lib import figures
from lib.figures import display
from lib.figures.map_of_bert import BOXES
from lib.figures.rendered import HtmlTable
from lib.figures.style import SERIES, canvas, style

ARMS = {"high": [5.0, 6.0], "as BERT": [4.0, 4.2, 4.4], "low": [1.0]}
MAPS = {"even": np.full((3, 3), 1 / 3), "stripe": np.eye(3)[[0, 0, 0]]}
PANELS = {"accuracy, %": [[50, 60], [70, 80], [90, 91]], "seconds": [3, 20, 100]}
RANGES = {"b": [[0.4, 0.6, 0.7]]}
NAMES, EYE = ["[CLS]", "a", "dog"], torch.eye(3)
#: one strong head between words, and one to [SEP], which says little
HEADS = torch.full((2, 3, 7, 7), 0.02)
HEADS[1, 2, 5, 4], HEADS[0, 0, 0, 6] = 0.9, 1.0


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list:
    return outputs_of_a_cell(monkeypatch)


def texts_of(axes) -> list[str]:
    return [text.get_text() for text in axes.texts]


# --- what holds for every drawing -----------------------------------------------------------------

DRAWINGS = {
    "map": (
        lambda: (figures.draw_map("attention", ["pieces"]), figures.describe_map("attention", ["pieces"])),
        ["You are here: attention (notebook 05).", "Checked off: pieces."],
    ),
    "attention": (
        lambda: (figures.draw_attention(EYE, NAMES), figures.describe_attention(EYE, NAMES)),
        ["[CLS] at [CLS] (1.00); a at a (1.00); dog at dog (1.00)."],
    ),
    "heads": (
        lambda: (figures.draw_heads(HEADS, TOKENS, title="Two"), figures.describe_heads(HEADS, TOKENS)),
        [
            "Attention weights of 2 layers with 3 heads on the 7 tokens [CLS] she",
            "Strongest heads between words: in layer 1 head 2, account looks at bank (0.90)",
        ],
    ),
    "heads of a layer": (
        lambda: (figures.draw_heads(HEADS[0], TOKENS), figures.describe_heads(HEADS[0], TOKENS)),
        ["in head 0, she looks at opened"],
    ),
    "maps": (
        lambda: (figures.draw_maps(MAPS, NAMES), figures.describe_maps(MAPS, NAMES)),
        ["even: most goes to [CLS] (0.33) and a (0.33); a token gives 0.78", "most goes to [CLS] (1.00)"],
    ),
    "score": (
        lambda: figures.draw_score([1.0, 2.0], [[0.5, 1.0], [0.0, 0.0]], ["i", "love"], 1, 0),
        ["sum to the score 2.50", "is 1.77", "becomes the weight 0.85."],
    ),
    "panels": (
        lambda: figures.draw_panels(["head", "top", "all"], PANELS, digits={"accuracy, %": 1}),
        ["head: accuracy, % 55.0, seconds 3; top:"],
    ),
    "ranges": (
        lambda: (figures.draw_ranges(["a"], RANGES, "share"), figures.describe_ranges(["a"], RANGES)),
        ["b, a 0.60 (0.40 to 0.70)."],
    ),
    "seeds": (
        lambda: figures.draw_seeds(ARMS, "loss", "as BERT", digits=1),
        ["as BERT (the baseline) 4.2 (4.0 to 4.4, seeds: 3); high 5.5"],
    ),
}


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_fits_the_page_and_its_words_hold_its_numbers(name):
    draw, words_of_it = DRAWINGS[name]
    figure, alt = draw()
    assert all(part in alt for part in words_of_it), alt
    assert figure.get_figwidth() <= 10 and figure.get_figheight() <= 8
    assert figures.png(figure) == figures.png(draw()[0])


WRONG = {
    "a box": (lambda: figures.draw_map("atention"), "no box 'atention'"),
    "a box to describe": (lambda: figures.describe_map("atention"), "no box 'atention'"),
    "a box that is done": (lambda: figures.draw_map(None, ["pieces", "x"]), "no box 'x'"),
    "boxes": (lambda: figures.draw_map(None, "pieces"), "one string"),
    "dimensions": (lambda: figures.draw_attention(weights(1, 3, 3), words(3)), r"\[1, 3, 3\]"),
    "tokens": (lambda: figures.draw_attention(weights(3, 3), words(4)), "4 tokens for 3 rows"),
    "nan": (lambda: figures.draw_attention([[float("nan")]], ["a"]), "not finite"),
    "empty": (lambda: figures.draw_attention(torch.zeros(0, 0), []), r"\[0, 0\]"),
    "no layers": (lambda: figures.draw_heads((), TOKENS), "output_attentions=True"),
    "batch": (lambda: figures.draw_heads([weights(2, 3, 7, 7)], TOKENS), "of 2 texts"),
    "mixed": (lambda: figures.draw_heads([weights(3, 7, 7), weights(2, 7, 7)], TOKENS), "differ in shape"),
    "pruned": (
        lambda: figures.draw_heads([weights(2, 7, 7), weights(3, 7, 7), weights(2, 7, 7)], TOKENS),
        r"have 2, 3, 2 heads; choose .* layers=\[0, 2\]",
    ),
    "texts": (
        lambda: figures.draw_heads([weights(2, 7, 7), weights(2, 5, 5)], TOKENS, layers=[0]),
        "one model on one text",
    ),
    "cross": (lambda: figures.draw_heads([weights(2, 7, 5)], TOKENS), r"\(\[2, 7, 5\]\); give self-att"),
    "none": (lambda: figures.draw_heads((None, None), TOKENS), "attn_implementation='eager'"),
    "no attentions": (lambda: figures.draw_heads(None, TOKENS), "output_attentions=True"),
    "layer": (
        lambda: figures.draw_heads(weights(2, 3, 7, 7), TOKENS, layers=[2]),
        r"layers=\[2\] .* from 0 to 1",
    ),
    "no heads": (lambda: figures.draw_heads(weights(2, 3, 7, 7), TOKENS, heads=[]), "heads=\\[\\]"),
    "seven maps": (lambda: figures.draw_maps({str(n): np.eye(2) for n in range(7)}, ["a", "b"]), "one to 6"),
    "neurons": (
        lambda: figures.draw_score(torch.ones(4), torch.ones(7, 3), TOKENS, 0, 1),
        "4 features and the keys 3",
    ),
    "to": (lambda: figures.draw_score(torch.ones(3), torch.ones(7, 3), TOKENS, 0, 7), r"to_token=\[7\]"),
    "log": (lambda: figures.draw_lines([1, 2], {"loss": [0, 1]}, "x", "y", logy=True), "'loss' holds 0"),
    "points": (lambda: figures.draw_lines([1, 2], {"loss": [1, 2, 3]}, "x", "y"), "has 3 numbers; 2"),
    "series": (lambda: figures.draw_lines([1], {name: [1] for name in "abcdefg"}, "x", "y"), "7 series"),
    "marked": (lambda: figures.draw_lines([1], {"a": [1]}, "x", "y", marked=[2.5]), r"2\.5 is to be marked"),
    "a band": (lambda: figures.draw_lines([1], {"a": [1]}, "x", "y", bands={"c": [0]}), "band 'c' belongs"),
    "bars": (lambda: figures.draw_bars(["a"], [1, 2], "x"), "has 2 numbers; 1"),
    "stacked bars": (lambda: figures.draw_stacked_bars(["a"], {"x": [-1]}, "pieces"), "cannot be negative"),
    "no panels": (lambda: figures.draw_panels(["x"], {}), "There are 0 panels"),
    "six panels": (lambda: figures.draw_panels(["x"], {str(n): [1] for n in range(6)}), "between 1 and 5"),
    "a panel": (lambda: figures.draw_panels(["x", "y", "z"], {"a": [1, 2]}), "give 3 numbers"),
    "below 0": (lambda: figures.draw_panels(["x"], {"a": [-3]}), "of 0 or more"),
    "no ranges": (lambda: figures.draw_ranges([], {}, "x"), "one of them with intervals"),
    "ranges": (lambda: figures.draw_ranges(["a"], {"b": [[1, 0, 2]]}, "x"), "low, middle, high"),
    "marks": (lambda: figures.draw_ranges(["a"], RANGES, "x", {"c": [1, 2]}), "1 tokens for 2"),
    "baseline": (
        lambda: figures.draw_bars(["a"], [1], "x", xlim=(0, 1), baseline=("chance", 2)),
        "'chance' is 2, outside of the axis from 0 to 1",
    ),
    "log baseline": (
        lambda: figures.draw_lines([1, 2], {"a": [1, 2]}, "x", "y", logy=True, baseline=("chance", 0)),
        "no place on the axis",
    ),
    "designs": (lambda: figures.draw_seeds({"a": [1]}, "x"), "There are 1 designs"),
    "no design": (lambda: figures.draw_seeds({"a": [1], "b": [2]}, "x", "c"), "'c' is none of the designs"),
    "no words": (lambda: figures.show(figures.draw_map(), ""), "text alternative"),
    "blank words": (lambda: figures.show(figures.draw_map(), " \n"), "text alternative"),
    "a long table": (lambda: figures.show_table({"n": range(13)}, "Too long"), "draw it"),
    "a ragged table": (lambda: figures.show_table({"n": [1], "m": [1, 2]}, "Ragged"), "one length"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_drawn_is_refused_in_one_sentence(case, shown):
    call, message = WRONG[case]
    with pytest.raises(ValueError, match=message) as error:
        call()
    assert "\n" not in str(error.value) and not shown


# --- what a picture is ----------------------------------------------------------------------------


def test_a_shown_picture_carries_its_words_twice_and_is_displayed_once(shown):
    figures.show(figures.draw_map("attention"), 'A map: "attention" & <more>\n is lit.')
    [output] = shown
    bundle, metadata = output._repr_mimebundle_()
    [(tag, attributes)] = Tags(bundle["text/html"]).tags
    assert tag == "img"
    assert attributes["alt"] == 'A map: "attention" & <more> is lit.'
    assert metadata["image/png"]["alt"] == attributes["alt"] == bundle["text/plain"] == repr(output)
    source = attributes["src"]
    assert source is not None and source.endswith(bundle["image/png"])
    assert "width:864px" in bundle["text/html"] and "max-width:100%" in bundle["text/html"]


def test_a_picture_of_pyplot_is_closed(shown):
    from matplotlib import pyplot

    before = pyplot.get_fignums()
    figure, axes = pyplot.subplots()
    axes.plot([1, 2])
    figures.show(figure, "A line.", width=300)
    assert pyplot.get_fignums() == before
    assert "width:300px" in shown[0]._repr_mimebundle_()[0]["text/html"]


def test_pngs_are_sharp_small_and_white():
    data = figures.png(figures.draw_map("encoder", BOXES))
    image = Image.open(io.BytesIO(data))
    assert image.format == "PNG" and image.mode == "P"
    assert image.size == (9 * 96 * display.SHARPNESS, 4.5 * 96 * display.SHARPNESS)
    assert image.convert("RGB").getpixel((1, 1)) == (255, 255, 255)
    assert len(data) < 50_000


def test_style_is_undone_afterwards():
    before = matplotlib.rcParams["font.size"]
    with style():
        assert isinstance(canvas(3, 2, "title"), Figure)
    assert matplotlib.rcParams["font.size"] == before


def test_series_differ_in_gray():
    def gray(color: str) -> float:
        red, green, blue = (int(color[place : place + 2], 16) / 255 for place in (1, 3, 5))
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    assert all(abs(gray(a) - gray(b)) > 0.1 for a, b in itertools.pairwise(SERIES))


def test_a_table_is_rendered_and_said_in_words():
    table = HtmlTable({"word": ["a", "b"], "count": [1200, 3], "share": [0.5, 0.25]}, "Counts", 2)
    assert repr(table).splitlines() == [
        "Counts",
        "word  count  share",
        "a     1,200   0.50",
        "b         3   0.25",
    ]
    assert '<caption style="text-align:left">Counts</caption>' in table._repr_html_()


# --- the map and schematics -----------------------------------------------------------------------


@pytest.mark.parametrize("here", [None, *BOXES])
def test_the_map_lights_each_box(here):
    texts = [text for text in figures.draw_map(here, done={"pieces"}).axes[0].texts if text.get_text()]
    written = [text.get_text() for text in texts]
    assert all(box.notebook in written for box in BOXES.values()) and written.count("✓") == 1
    bold = {text.get_text() for text in texts if text.get_fontweight() == "bold"} - {"✓"}
    assert bold == (set() if here is None else {BOXES[here].text(n) for n in range(len(BOXES[here].places))})


def test_the_map_fits_its_page_and_boxes_do_not_overlap():
    boxes = [place for box in BOXES.values() for place in box.places if not box.is_frame]
    assert all(0 < x < x + width < 9 and 0 < y < y + height < 4.5 for x, y, width, height in boxes)
    for (x, y, width, height), (x_2, y_2, width_2, height_2) in itertools.combinations(boxes, 2):
        beside = x + width < x_2 or x_2 + width_2 < x
        assert beside or y + height < y_2 or y_2 + height_2 < y


def test_a_schematic_keeps_its_boxes_and_arrows():
    page = figures.Schematic(8.0, 2.0)
    box = page.box(1.0, 0.5, 2.0, 1.0, "query", "[2, 0, 2]", look="tint")
    page.arrow((0.0, 1.0), box.west, label="× W")
    assert (box.top, box.below, box.west, box.east) == ((2.0, 1.5), (2.0, 0.5), (1.0, 1.0), (3.0, 1.0))
    assert {*texts_of(page.axes)} >= {"query", "[2, 0, 2]", "× W"}


# --- attention ------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [1, 12, 13, 45])
def test_attention_of_any_size_is_drawn(length):
    figure = figures.draw_attention(weights(length, length), words(length))
    numbers = [text for text in texts_of(figure.axes[0]) if text]
    assert len(numbers) == (length**2 if length <= 12 else 0)
    assert figure.get_figwidth() <= 9 and figure.get_figheight() <= 7.5
    assert figures.png(figure)


def test_attention_says_that_rows_sum_to_one_only_where_they_do():
    table = weights(7, 7)
    for drawn, sums in ((table, True), (table.T, False), (7 * table - 3, False)):
        assert ("sums to 1" in figures.draw_attention(drawn, TOKENS).axes[0].get_ylabel()) == sums


def test_attention_tells_zero_from_nearly_zero():
    table = torch.tensor([[1.0, 0.0], [0.001, 0.999]], dtype=torch.bfloat16, requires_grad=True)
    assert texts_of(figures.draw_attention(table, ["a", "b"]).axes[0]) == ["1.00", "0", "0.00", "1.00"]


@pytest.mark.parametrize(("layers", "heads", "length"), [(1, 1, 1), (1, 13, 20), (3, 2, 12), (3, 13, 20)])
def test_any_number_of_heads_is_drawn(layers, heads, length):
    attentions = [weights(1, heads, length, length) for _ in range(layers)]
    figure = figures.draw_heads(attentions, words(length))
    titles = [axes.get_title() for axes in figure.axes if axes.get_title()]
    assert titles == [f"{layer}-{head}" for layer in range(layers) for head in range(heads)]
    assert figures.png(figure)


def test_chosen_heads_keep_their_numbers():
    attentions = weights(6, 12, 7, 7)
    figure = figures.draw_heads(attentions, TOKENS, layers=[5, 2], heads=[0, 11], title="Two")
    assert [axes.get_title() for axes in figure.axes] == ["5-0", "5-11", "2-0", "2-11"]
    assert figures.draw_heads(attentions[0], TOKENS).axes[11].get_title() == "head 11"


def test_maps_stand_side_by_side_with_their_tokens():
    drawn = [axes for axes in figures.draw_maps(MAPS, NAMES).axes if axes.images]
    assert [axes.get_title() for axes in drawn] == ["even", "stripe"]
    assert all([tick.get_text() for tick in axes.get_yticklabels()] == NAMES for axes in drawn)


# --- charts ---------------------------------------------------------------------------------------


def test_lines_can_carry_markers_a_band_and_what_lies_beyond():
    series = {"a": [0.0, 1.0, 2.0, 3.0], "b": [3.0, 2.0, 1.0, 0.0]}
    axes = figures.draw_lines(
        [0, 1, 2, 3], series, "x", "y", marked=[1, 3], bands={"b": [0.0, 0.5, 1.0, 0.0]}, beyond=("new", 1.5)
    ).axes[0]
    assert [line.get_markevery() for line in axes.lines] == [[1, 3], [1, 3]]
    [band] = axes.collections
    corners = np.asarray(band.get_paths()[0].vertices)  # [N, 2]
    assert corners[:, 1].min() == 0.0 and corners[:, 1].max() == 3.0
    assert [2, 0.0] in corners.tolist()  # 1.0 below b, which is 1.0 there
    [shaded] = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    assert shaded.get_x() == 1.5 and " new" in texts_of(axes)


def test_lines_are_named_at_their_ends_without_overlap():
    series = {name: [1.0, 2.0 + 0.001 * place] for place, name in enumerate("abcdef")}
    axes = figures.draw_lines([16, 512], series, "tokens", "seconds", "Title", logx=True).axes[0]
    heights = sorted(text.get_position()[1] for text in axes.texts if text.get_text() in series)
    assert len(heights) == 6 and min(np.diff(heights)) > 0.07
    assert len({(str(line.get_linestyle()), line.get_marker()) for line in axes.lines}) == 6


@pytest.mark.parametrize(("count", "groups"), [(1, 1), (12, 6)])
def test_bars_carry_their_numbers(count, groups):
    values = {f"group {group}": np.arange(count) + 1000.0 * group for group in range(groups)}
    written = texts_of(figures.draw_bars(words(count), values, "MB", digits=1).axes[0])
    assert len(written) == count * groups and "0.0" in written


def test_the_parts_of_a_stacked_bar_touch_and_its_whole_stands_at_the_end():
    figure = figures.draw_stacked_bars(["a", "b"], {"kept": [3, 1], "lost": [0, 2]}, "x", baseline=("a", 3))
    axes = figure.axes[0]
    bars = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    kept, lost = bars[:2], bars[2:]
    assert [bar.get_width() for bar in [*kept, *lost]] == [3, 1, 0, 2]
    assert lost[1].get_x() == kept[1].get_width() and kept[0].get_hatch() != lost[0].get_hatch()
    assert texts_of(axes) == ["3", "3"]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["a 3"]


def test_a_baseline_is_a_dashed_line_with_its_name():
    lines = figures.draw_lines([1, 2], {"a": [0, 1]}, "x", "y", baseline=("chance", 0.5)).axes[0]
    assert {*texts_of(lines)} == {"a", "chance"}
    assert np.asarray(lines.lines[-1].get_ydata()).tolist() == [0.5, 0.5]
    bars = figures.draw_bars(["a"], [1], "x", baseline=("chance", 0.5)).axes[0]
    assert [label.get_text() for label in bars.get_xticklabels()] == ["chance 0.50"]
    assert np.asarray(bars.lines[-1].get_xdata()).tolist() == [0.5, 0.5]
    ranges = figures.draw_ranges(["a"], RANGES, "share", baseline=("a coin", 0.5)).axes[0]
    assert ranges.lines[-1].get_xdata() == [0.5, 0.5] and texts_of(ranges) == ["a coin 0.5"]


def test_panels_draw_means_and_the_range_of_seeds():
    drawn = figures.draw_panels(
        ["head", "top", "all"], PANELS, "A title", {"seconds": 1}, {"seconds": ("limit", 50)}
    )
    figure: Any = drawn[0]
    first, second = figure.axes
    assert [bar.get_width() for bar in first.patches] == [55, 75, 90.5]
    assert {*texts_of(second)} >= {"3.0", "20.0", "100.0"}
    ends = [tuple(np.asarray(line)[:, 0]) for line in first.collections[0].get_segments()]
    assert ends == [(50, 60), (70, 80), (90, 91)]
    assert not second.collections  # one seed has no range
    assert [tick.get_text() for tick in second.get_xticklabels()] == ["limit 50.0"]
    assert first.get_ylim()[0] > first.get_ylim()[1]  # the first label on top


@pytest.mark.parametrize(("count", "groups", "others"), [(1, 1, 0), (25, 3, 3)])
def test_ranges_are_drawn_with_their_marks(count, groups, others):
    row = np.arange(count) / count
    ranges = {f"group {group}": np.stack([row - 0.1, row, row + 0.2], axis=1) for group in range(groups)}
    marks = {f"mark {number}": row for number in range(others)}
    axes = figures.draw_ranges(words(count), ranges, "share", marks).axes[0]
    assert len(axes.lines) == groups + others and len(axes.collections) == groups  # the intervals


@pytest.mark.parametrize("baseline", [None, "as BERT"])
def test_designs_are_sorted_with_every_seed_and_the_band_of_the_baseline(baseline):
    axes = figures.draw_seeds(ARMS, "loss", baseline, digits=1)[0].axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["low", "as BERT", "high"]
    assert texts_of(axes) == ["1.0", "4.2", "5.5"]
    dots = [sorted(np.asarray(line.get_xdata())) for line in axes.lines if line.get_marker() == "o"]
    assert dots == [[1.0], [4.0, 4.2, 4.4], [5.0, 6.0]]
    assert len(axes.patches) == (baseline is not None)
    if baseline:
        band = axes.patches[0].get_window_extent()
        ends = axes.transData.transform([(3.8, 0), (4.6, 0)])[:, 0]  # 4.2, less and more 0.4
        assert [band.x0, band.x1] == pytest.approx(ends)


@pytest.mark.parametrize("title", [None, "A title that is as long as the picture is wide, or nearly so"])
def test_a_title_and_a_legend_do_not_cover_each_other(title):
    for figure in (
        figures.draw_ranges(["a", "b"], {"x": [[0, 1, 2], [0, 1, 2]]}, "share", {"y": [1, 2]}, title),
        figures.draw_bars(["a", "b"], {"x": [1, 2], "y": [2, 1]}, "share", title),
    ):
        figure.canvas.draw()
        boxes = [legend.get_window_extent() for legend in figure.legends]
        written = [text.get_window_extent() for text in figure.texts if text.get_text() == title]
        assert boxes and len(written) == (1 if title else 0)
        assert not any(box.overlaps(text) for box in boxes for text in written)


def test_a_legend_of_four_parts_stays_in_the_figure():
    parts = {f"multiply, float32: {number},000": [number, 1] for number in range(1, 5)}
    figure = figures.draw_stacked_bars(["a", "b"], parts, "microseconds", "A title")
    figure.canvas.draw()
    box = figure.legends[0].get_window_extent()
    assert box.x0 >= 0 and box.x1 <= figure.bbox.x1


# --- what importing costs -------------------------------------------------------------------------


def test_importing_figures_is_light():
    code = (
        "import sys, lib.figures; "
        "heavy = {'bertviz', 'ipywidgets', 'matplotlib', 'IPython', 'transformers', 'PIL'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = python("-c", code)
    assert done.stdout.strip() == "[]", done.stdout + done.stderr


def test_every_public_name_is_found_once_and_imported_when_it_is_used():
    files = Path(figures.__file__).parent.glob("*.py")
    defined = [name for path in files for name in figures.PUBLIC.findall(path.read_text("utf-8"))]
    assert sorted(defined) == dir(figures), "two modules define one name, so figures.NAME is either"
    assert figures.draw_map.__module__ == "lib.figures.map_of_bert"
    assert all(callable(getattr(figures, name)) for name in dir(figures) if name != "style")
    with pytest.raises(AttributeError, match=r"^lib.figures has no draw_nothing\.$"):
        _ = figures.draw_nothing  # type: ignore[attr-defined]
