"""The drawings, their text alternatives, the live view and the explorers; no front end needed."""

import io
import itertools
import re
import subprocess
import sys
import time
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import matplotlib
import numpy as np
import pytest
import torch
import transformers
from browser import chromium, watch
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from PIL import Image

from lib import figures
from lib.bert import BertConfig, BertModel, WordPieceTokenizer
from lib.bert.alterations import prune_heads
from lib.figures import display
from lib.figures.map_of_bert import BOXES
from lib.figures.rendered import HtmlTable
from lib.figures.style import SERIES, canvas, style

EVENTS = [
    ("2018-10", "BERT", "Both sides."),
    ("2013", "word2vec", "One vector."),
    ("2018-02", "ELMo", "Two."),
]
TOKENS = ["[CLS]", "she", "opened", "a", "bank", "account", "[SEP]"]
matplotlib.use("agg")


def weights(*shape: int) -> torch.Tensor:
    """Return random attention weights of `shape`, the same ones each time."""
    generator = torch.Generator().manual_seed(0)
    return torch.softmax(2 * torch.randn(*shape, generator=generator), dim=-1)


def words(length: int) -> list[str]:
    return [f"word{number}" for number in range(length)]


class Tags(HTMLParser):
    """Collects the tags of a page with their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list:
    """Collect what a cell would display."""
    outputs: list = []

    def display(output: object, display_id: bool = False) -> None:
        outputs.append(output)

    monkeypatch.setattr("IPython.display.display", display)
    return outputs


# What a picture is


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


@pytest.mark.parametrize("alt", ["", " \n"])
def test_a_picture_without_words_is_refused(alt, shown):
    with pytest.raises(ValueError, match="text alternative"):
        figures.show(figures.draw_map(), alt)
    assert not shown


def test_pngs_are_sharp_small_white_and_equal_each_time():
    data = figures.png(figures.draw_map("encoder", BOXES))
    image = Image.open(io.BytesIO(data))
    assert image.format == "PNG" and image.mode == "P"
    assert image.size == (9 * 96 * display.SHARPNESS, 4.5 * 96 * display.SHARPNESS)
    assert image.convert("RGB").getpixel((1, 1)) == (255, 255, 255)
    assert len(data) < 50_000
    assert data == figures.png(figures.draw_map("encoder", BOXES))


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


# The map


@pytest.mark.parametrize("here", [None, *BOXES])
def test_the_map_lights_each_box(here):
    figure = figures.draw_map(here, done={"pieces"})
    texts = [text for text in figure.axes[0].texts if text.get_text()]
    written = [text.get_text() for text in texts]
    for box in BOXES.values():
        assert written.count(box.notebook) >= 1
    assert written.count("✓") == 1
    bold = {text.get_text() for text in texts if text.get_fontweight() == "bold"} - {"✓"}
    lit = set() if here is None else {BOXES[here].text(n) for n in range(len(BOXES[here].places))}
    assert bold == lit
    alt = figures.describe_map(here, ["pieces"])
    assert "Checked off: pieces." in alt
    assert ("You are here" in alt) == (here is not None)


def test_the_map_fits_its_page_and_boxes_do_not_overlap():
    boxes = [(key, place) for key, box in BOXES.items() for place in box.places if not box.is_frame]
    for number, (one, (left, bottom, width, height)) in enumerate(boxes):
        assert 0 < left < left + width < 9 and 0 < bottom < bottom + height < 4.5
        for other, (left_2, bottom_2, width_2, height_2) in boxes[number + 1 :]:
            apart = (
                left + width < left_2 or left_2 + width_2 < left or bottom + height < bottom_2
            ) or bottom_2 + height_2 < bottom
            assert apart, (one, other)


def test_the_map_refuses_what_it_does_not_know():
    for draw in (figures.draw_map, figures.describe_map):
        with pytest.raises(ValueError, match="no box 'atention'"):
            draw("atention")
        with pytest.raises(ValueError, match="no box 'x'"):
            draw(None, ["pieces", "x"])
        with pytest.raises(ValueError, match="one string"):
            draw(None, "pieces")


# Attention


@settings(max_examples=12, deadline=None)
@given(length=st.integers(1, 45), others=st.integers(1, 45))
def test_attention_of_any_size_is_drawn(length, others):
    table = weights(length, others)
    figure = figures.draw_attention(table, words(length), to_tokens=words(others))
    numbers = [text for text in figure.axes[0].texts if text.get_text()]
    assert len(numbers) == (length * others if max(length, others) <= 12 else 0)
    assert figure.get_figwidth() <= 9 and figure.get_figheight() <= 7.5
    assert figures.png(figure)


def test_attention_says_that_rows_sum_to_one_only_where_they_do():
    table = weights(7, 7)
    assert "sums to 1" in figures.draw_attention(table, TOKENS).axes[0].get_ylabel()
    assert "sums to 1" not in figures.draw_attention(table.T, TOKENS).axes[0].get_ylabel()
    assert "sums to 1" not in figures.draw_attention(7 * table - 3, TOKENS).axes[0].get_ylabel()


def test_attention_tells_zero_from_nearly_zero():
    table = torch.tensor([[1.0, 0.0], [0.001, 0.999]], dtype=torch.bfloat16, requires_grad=True)
    texts = figures.draw_attention(table, ["a", "b"]).axes[0].texts
    assert [text.get_text() for text in texts] == ["1.00", "0", "0.00", "1.00"]


@settings(max_examples=8, deadline=None)
@given(layers=st.integers(1, 3), heads=st.integers(1, 13), length=st.integers(1, 20))
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
    one = figures.draw_heads(attentions[0], TOKENS)
    assert one.axes[11].get_title() == "head 11"


def test_heads_are_told_by_their_strongest_pairs_between_words():
    attentions = torch.full((2, 3, 7, 7), 0.02)
    attentions[1, 2, 5, 4] = 0.9  # account -> bank
    attentions[0, 0, 0, 6] = 1.0  # [CLS] -> [SEP], which says little
    alt = figures.describe_heads(attentions, TOKENS)
    assert alt.startswith("Attention weights of 2 layers with 3 heads on the 7 tokens [CLS] she")
    assert "Strongest heads between words: in layer 1 head 2, account looks at bank (0.90)" in alt
    assert "in head 0, she looks at opened" in figures.describe_heads(attentions[0], TOKENS)


def test_a_table_is_told_row_by_row():
    alt = figures.describe_attention(torch.eye(3), ["a", "b", "c"])
    assert alt.endswith("a at a (1.00); b at b (1.00); c at c (1.00).")


def test_masks_are_drawn_side_by_side():
    causal = torch.ones(7, 7, dtype=torch.bool).tril()
    figure = figures.draw_masks({"causal": causal, "all": torch.ones(1, 7).bool()}, TOKENS)
    assert [axes.get_title() for axes in figure.axes] == ["causal", "all"]
    crossed = [
        sum(len(np.asarray(marks.get_offsets())) for marks in axes.collections) for axes in figure.axes
    ]
    assert crossed == [21, 0]
    with pytest.raises(ValueError, match="not boolean"):
        figures.draw_masks({"weights": weights(3, 3)})
    with pytest.raises(ValueError, match="no mask"):
        figures.draw_masks({})


@settings(max_examples=8, deadline=None)
@given(size=st.sampled_from([1, 2, 16, 64]), length=st.integers(1, 20))
def test_a_score_is_the_sum_of_its_products(size, length):
    generator = torch.Generator().manual_seed(size + length)
    query = torch.randn(size, generator=generator)
    keys = torch.randn(length, size, generator=generator)
    row = torch.softmax(keys @ query / size**0.5, dim=0)
    figure, alt = figures.draw_score(query, keys, words(length), length - 1, 0)
    assert figures.png(figure)
    assert f"sum to the score {float(query @ keys[0]):.2f}" in alt
    assert alt.endswith(f"becomes the weight {float(row[0]):.2f}.")


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 3), st.integers(1, 8), st.integers(1, 6), st.integers(0, 2))
def test_a_sum_prints_every_number_and_its_total(count, length, size, digits):
    parts = {f"part {number}": 2 * weights(length, size) for number in range(count)}
    figure = figures.draw_sum(parts, words(length), "title", digits)
    assert len(figure.axes) == count + 1
    written = [text.get_text().strip() for axes in figure.axes for text in axes.texts]
    assert written.count("+") == count - 1 and written.count("=") == 1
    numbers = [text.get_text() for text in figure.axes[-1].texts]
    assert numbers == [
        f"{value:.{digits}f}" for value in (count * 2 * weights(length, size)).flatten().tolist()
    ]
    assert figures.png(figure)


def test_a_sum_knows_no_minus_zero():
    figure = figures.draw_sum({"one": [[-0.001]], "other": [[0.0]]}, ["i"])
    assert [text.get_text().strip() for axes in figure.axes for text in axes.texts] == [
        "+", "0.00", "=", "0.00", "0.00",
    ]  # fmt: skip


def test_large_tables_stand_side_by_side_each_on_its_own_scale():
    small, large = weights(40, 30), 100 * weights(20, 30)
    large[0, 0] = 1e9  # the scale leaves out the most extreme numbers
    figure = figures.draw_tables({"small": small, "large": large}, "feature", "position", "a title")
    assert [axes.get_title() for axes in figure.axes] == ["small", "large"]
    limits = [axes.images[0].get_clim() for axes in figure.axes]
    assert limits[0][1] <= 1 < limits[1][1] < 1e3
    assert figures.png(figure)


WRONG = {
    "no parts": (lambda: figures.draw_sum({}, []), "one to four parts"),
    "parts": (lambda: figures.draw_sum({"a": [[1]], "b": [[1, 2]]}, ["i"]), "of the same shape"),
    "no tables": (lambda: figures.draw_tables({}, "", ""), "between one and three"),
    "dimensions": (lambda: figures.draw_attention(weights(1, 3, 3), words(3)), r"\[1, 3, 3\]"),
    "tokens": (lambda: figures.draw_attention(weights(3, 3), words(4)), "4 tokens for 3 rows"),
    "nan": (lambda: figures.draw_attention([[float("nan")]], ["a"]), "not finite"),
    "empty": (lambda: figures.draw_attention(torch.zeros(0, 0), []), r"\[0, 0\]"),
    "no layers": (lambda: figures.draw_heads((), TOKENS), "output_attentions=True"),
    "batch": (lambda: figures.draw_heads([weights(2, 3, 7, 7)], TOKENS), "of 2 texts"),
    "mixed": (
        lambda: figures.draw_heads([weights(3, 7, 7), weights(2, 7, 7)], TOKENS),
        "differ in shape",
    ),
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
    "neurons": (
        lambda: figures.draw_score(torch.ones(4), torch.ones(7, 3), TOKENS, 0, 1),
        "4 features and the keys 3",
    ),
    "to": (
        lambda: figures.draw_score(torch.ones(3), torch.ones(7, 3), TOKENS, 0, 7),
        r"to_token=\[7\]",
    ),
    "log": (
        lambda: figures.draw_lines([1, 2], {"loss": [0, 1]}, "x", "y", logy=True),
        "'loss' holds 0",
    ),
    "points": (
        lambda: figures.draw_lines([1, 2], {"loss": [1, 2, 3]}, "x", "y"),
        "'loss' has 3 numbers; 2",
    ),
    "series": (
        lambda: figures.draw_lines([1], {name: [1] for name in "abcdefg"}, "x", "y"),
        "7 series",
    ),
    "bars": (lambda: figures.draw_bars(["a"], [1, 2], "x"), "has 2 numbers; 1"),
    "stacked bars": (lambda: figures.draw_stacked_bars(["a"], {"x": [-1]}, "pieces"), "cannot be negative"),
    "no ranges": (lambda: figures.draw_ranges([], {}, "x"), "one of them with intervals"),
    "ranges": (lambda: figures.draw_ranges(["a"], {"b": [[1, 0, 2]]}, "x"), "low, middle, high"),
    "marks": (lambda: figures.draw_ranges(["a"], {"b": [[0, 1, 2]]}, "x", {"c": [1, 2]}), "1 tokens for 2"),
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
    "layers of kinds": (lambda: figures.draw_sorted_heads([["a"], []], ["a"]), "for each layer"),
    "a kind": (lambda: figures.draw_sorted_heads([["a"]], ["b"]), "'a' is none of the kinds b"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_drawn_is_refused_in_one_sentence(case):
    call, message = WRONG[case]
    with pytest.raises(ValueError, match=message) as error:
        call()
    assert "\n" not in str(error.value)


# Charts


def test_lines_can_be_compared_between_pictures():
    high, low = (figures.draw_lines([1, 2], {"a": [0, top]}, "x", "y", ylim=(0, 5)) for top in (4, 1))
    assert high.axes[0].get_ylim() == low.axes[0].get_ylim() == (0, 5)


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
    assert shaded.get_x() == 1.5 and " new" in [text.get_text() for text in axes.texts]
    with pytest.raises(ValueError, match=r"2\.5 is to be marked"):
        figures.draw_lines([0, 1, 2, 3], series, "x", "y", marked=[2.5])
    with pytest.raises(ValueError, match="band 'c' belongs to none"):
        figures.draw_lines([0, 1, 2, 3], series, "x", "y", bands={"c": [0, 0, 0, 0]})


def test_tables_say_what_lies_below_a_row():
    table = np.arange(12.0).reshape(4, 3)
    figure = figures.draw_tables({"a": table, "b": table}, "x", "y", below=("new places", 1.5))
    for axes in figure.axes:
        assert np.asarray(axes.lines[0].get_ydata()).tolist() == [1.5, 1.5]
        assert axes.texts[0].get_text() == "new places" and axes.texts[0].get_position()[1] > 1.5
    assert not figures.draw_tables({"a": table}, "x", "y").axes[0].lines


def test_bars_can_share_an_axis():
    high, low = (figures.draw_bars(["a"], [top], "x", xlim=(0, 5)) for top in (4, 1))
    assert high.axes[0].get_xlim() == low.axes[0].get_xlim() == (0, 5)


def test_lines_are_named_at_their_ends_without_overlap():
    series = {name: [1.0, 2.0 + 0.001 * place] for place, name in enumerate("abcdef")}
    figure = figures.draw_lines([16, 512], series, "tokens", "seconds", "Title", logx=True)
    labels = [text for text in figure.axes[0].texts if text.get_text() in series]
    assert len(labels) == 6
    heights = sorted(label.get_position()[1] for label in labels)
    assert min(np.diff(heights)) > 0.07
    looks = {(str(line.get_linestyle()), line.get_marker()) for line in figure.axes[0].lines}
    assert len(looks) == 6
    assert figures.png(figure)


@settings(max_examples=8, deadline=None)
@given(count=st.integers(1, 12), groups=st.integers(1, 6))
def test_bars_carry_their_numbers(count, groups):
    values = {f"group {group}": np.arange(count) + 1000.0 * group for group in range(groups)}
    figure = figures.draw_bars(words(count), values, "MB", digits=1)
    written = [text.get_text() for text in figure.axes[0].texts]
    assert len(written) == count * groups and "0.0" in written
    assert figures.png(figure)


def test_the_parts_of_a_stacked_bar_touch_and_its_whole_stands_at_the_end():
    figure = figures.draw_stacked_bars(["a", "b"], {"kept": [3, 1], "lost": [0, 2]}, "x", baseline=("a", 3))
    axes = figure.axes[0]
    bars = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    kept, lost = bars[:2], bars[2:]
    assert [bar.get_width() for bar in [*kept, *lost]] == [3, 1, 0, 2]
    assert lost[1].get_x() == kept[1].get_width() and kept[0].get_hatch() != lost[0].get_hatch()
    assert [text.get_text() for text in axes.texts] == ["3", "3"]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["a 3"]


def test_a_baseline_is_a_dashed_line_with_its_name():
    lines = figures.draw_lines([1, 2], {"a": [0, 1]}, "x", "y", baseline=("chance", 0.5))
    assert {text.get_text() for text in lines.axes[0].texts} == {"a", "chance"}
    assert np.asarray(lines.axes[0].lines[-1].get_ydata()).tolist() == [0.5, 0.5]
    bars = figures.draw_bars(["a"], [1], "x", baseline=("chance", 0.5))
    assert [label.get_text() for label in bars.axes[0].get_xticklabels()] == ["chance 0.50"]
    assert np.asarray(bars.axes[0].lines[-1].get_xdata()).tolist() == [0.5, 0.5]
    assert figures.png(lines) and figures.png(bars)


# Ranges and sorted heads


@settings(max_examples=8, deadline=None)
@given(count=st.integers(1, 25), groups=st.integers(1, 3), others=st.integers(0, 3))
def test_ranges_are_drawn_with_their_marks(count, groups, others):
    row = np.arange(count) / count
    ranges = {f"group {group}": np.stack([row - 0.1, row, row + 0.2], axis=1) for group in range(groups)}
    marks = {f"mark {number}": row for number in range(others)}
    figure = figures.draw_ranges(words(count), ranges, "share", marks)
    assert len(figure.axes[0].lines) == groups + others
    assert len(figure.axes[0].collections) == groups  # the intervals
    assert figures.png(figure)


def test_ranges_stand_against_a_baseline():
    ranges = {"b": [[0.4, 0.6, 0.7]]}
    figure = figures.draw_ranges(["a"], ranges, "share", baseline=("a coin", 0.5))
    assert figures.describe_ranges(["a"], ranges) == "b, a 0.60 (0.40 to 0.70)."
    assert figure.axes[0].lines[-1].get_xdata() == [0.5, 0.5]
    assert [text.get_text() for text in figure.axes[0].texts] == ["a coin 0.5"]


@pytest.mark.parametrize("baseline", [None, "as BERT"])
def test_designs_are_sorted_with_every_seed_and_the_band_of_the_baseline(baseline):
    arms = {"high": [5.0, 6.0], "as BERT": [4.0, 4.2, 4.4], "low": [1.0]}
    figure, alt = figures.draw_seeds(arms, "loss", baseline, digits=1)
    axes = figure.axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["low", "as BERT", "high"]
    assert [text.get_text() for text in axes.texts] == ["1.0", "4.2", "5.5"]
    dots = [sorted(np.asarray(line.get_xdata())) for line in axes.lines if line.get_marker() == "o"]
    assert dots == [[1.0], [4.0, 4.2, 4.4], [5.0, 6.0]]
    assert len(axes.patches) == (baseline is not None)
    if baseline:
        band = axes.patches[0].get_window_extent()
        ends = axes.transData.transform([(3.8, 0), (4.6, 0)])[:, 0]  # 4.2, less and more 0.4
        assert [band.x0, band.x1] == pytest.approx(ends)
    assert figures.png(figure)
    assert "4.2 (4.0 to 4.4, seeds: 3); high 5.5" in alt
    assert ("as BERT (the baseline)" in alt) == (baseline is not None)


def test_sorted_heads_are_counted_and_lettered():
    rows = [["vertical", "block", "vertical + diagonal"], 3 * ["vertical"]]
    kinds = ["vertical", "diagonal", "vertical + diagonal", "block"]
    figure = figures.draw_sorted_heads(rows, kinds)
    assert [text.get_text() for text in figure.axes[0].texts] == ["V", "B", "VD", "V", "V", "V"]
    assert "V  vertical: 4" in [text.get_text() for text in figure.legends[0].get_texts()]
    assert figures.png(figure)
    told = figures.describe_sorted_heads(rows, kinds)
    assert told.startswith("Of 6 heads in 2 layers: 4 vertical (in layers 0, 1); 0 diagonal; 1 vertical")


# The live view


def page_of(html: str) -> str:
    [(tag, attributes)] = Tags(html).tags
    assert tag == "iframe"
    assert attributes["sandbox"] == "allow-scripts"
    assert attributes["title"]
    page = attributes["srcdoc"]
    assert page is not None
    return page


@pytest.mark.parametrize("view", ["head", "model"])
def test_the_live_view_needs_no_network(view):
    page = page_of(figures.attention_html([weights(1, 2, 7, 7)] * 3, TOKENS, view))
    for tag, attributes in Tags(page).tags:
        assert not {"src", "href", "data"} & set(attributes), tag
    assert "PYTHON_PARAMS" not in page
    assert page.count('"left_text"') == 1  # bertviz writes its data twice
    assert page.lower().count("</script") == (7 if view == "head" else 6)


def test_the_live_view_is_small_and_the_same_each_time():
    attentions = [weights(1, 12, 16, 16) for _ in range(6)]
    html = figures.attention_html(attentions, words(16))
    assert len(html) < 400_000 + 12 * 6 * 12 * 16 * 16
    assert html == figures.attention_html(attentions, words(16))
    assert not re.search(r"0\.\d{4,}", html.rsplit("const params", 1)[1].split(";", 1)[0])


def test_tokens_cannot_break_out_of_the_live_view():
    mean = ["</script><b>", "; // HACK: PYTHON_PARAMS", '"', "<!--", "&quot;", "日本", "\\"]
    page = page_of(figures.attention_html([weights(1, 2, 7, 7)], mean))
    assert [tag for tag, _ in Tags(page).tags].count("b") == 0
    assert page.lower().count("</script") == 7
    assert page.count('"left_text"') == 1
    assert "<!--" not in page.split("const params", 1)[1]


def test_layers_and_heads_of_the_live_view_keep_their_numbers():
    attentions = [weights(1, 12, 7, 7) for _ in range(6)]
    page = page_of(figures.attention_html(attentions, TOKENS, "model", layers=[4, 5], heads=[11]))
    assert '"include_layers": [4, 5]' in page and '"include_heads": [11]' in page
    assert '"total_heads": 12' in page
    page = page_of(figures.attention_html(attentions, TOKENS, layers=[4], heads=[3]))
    assert '"include_layers": [4]' in page and '"heads": [3]' in page
    page = page_of(figures.attention_html(attentions, TOKENS, layers=[0], second_text_at=3))
    assert page.count('"left_text"') == 5


def test_too_much_for_a_browser_is_refused_with_a_way_out():
    attentions = [weights(1, 12, 33, 33) for _ in range(6)]
    with pytest.raises(ValueError, match=r"78,408 weights.*layers=\[0\].*shorter"):
        figures.attention_html(attentions, words(33))
    assert figures.attention_html(attentions, words(33), layers=[0, 5])
    assert figures.attention_html(attentions, words(33), "model", heads=[0])
    with pytest.raises(ValueError, match="52,272 weights"):
        figures.attention_html(attentions, words(33), layers=[0, 5], second_text_at=9)
    with pytest.raises(ValueError, match="'head' or 'model'"):
        figures.attention_html(attentions, words(33), "neuron")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="second_text_at=33"):
        figures.attention_html(attentions, words(33), layers=[0], second_text_at=33)


def test_each_live_view_has_its_own_data_and_page():
    attentions = [weights(1, 2, 7, 7)]
    first = page_of(figures.attention_html(attentions, TOKENS))
    second = page_of(figures.attention_html(attentions, TOKENS[::-1]))
    assert first != second
    assert "window.bertviz" not in first  # nothing that two views could fight over


@pytest.fixture
def browser_page():
    """A page of a real browser that can reach nothing, and the errors it meets."""
    with chromium([]) as browser:
        page = browser.new_page(viewport={"width": 700, "height": 900}, offline=True)
        errors = watch(page)
        page.on("request", lambda request: errors.append(request.url))
        yield page
        assert [error for error in errors if not error.startswith("data:image/png")] == []


def test_a_browser_draws_live_views_and_names_the_picture(browser_page, shown):
    figures.show(figures.draw_map("attention"), "The map, attention lit.")
    views = {
        "head": figures.attention_html([weights(1, 12, 7, 7)] * 2, TOKENS, "head"),
        "model": figures.attention_html([weights(1, 3, 7, 7)] * 2, TOKENS, "model"),
    }
    picture = shown[0]._repr_mimebundle_()[0]["text/html"]
    browser_page.set_content(picture + "".join(views.values()))
    assert browser_page.get_by_role("img", name="The map, attention lit.").is_visible()

    frames = dict(zip(views, browser_page.frames[1:], strict=True))
    lines = {view: frame.locator("line").count() for view, frame in frames.items()}
    assert lines == {"head": 12 * 7 * 7, "model": 2 * 3 * 7 * 7}
    fits = "document.documentElement.scrollWidth <= window.innerWidth"
    assert all(frame.evaluate(fits) for frame in frames.values())
    frames["head"].locator("#layer").select_option("1")
    visible = frames["head"].locator("#attention line[visibility=visible]")
    assert visible.count() == 0
    frames["head"].locator("#left text").nth(4).hover(force=True)
    assert visible.count() == 12 * 7

    def colors() -> int:
        seen = (
            "lines => new Set(lines.filter(line => +line.getAttribute('stroke-opacity'))"
            ".map(line => line.getAttribute('stroke'))).size"
        )
        return frames["head"].locator("#attention line").evaluate_all(seen)

    eleven = frames["head"].get_by_role("button", name="11", exact=True)
    assert colors() == 12
    eleven.click()
    assert colors() == 1
    eleven.click()
    assert colors() == 12
    assert frames["head"].evaluate("document.documentElement.scrollHeight <= window.innerHeight")


class FakeTokenizer:
    def __call__(self, text: str, pair: str | None = None) -> dict[str, torch.Tensor]:
        self.tokens = ["[CLS]", *text.split(), "[SEP]"]
        types = [0] * len(self.tokens)
        if pair is not None:
            self.tokens += [*pair.split(), "[SEP]"]
            types += [1] * (len(self.tokens) - len(types))
        ids = torch.arange(len(types))[None]
        return {"input_ids": ids, "token_type_ids": torch.tensor([types])}

    def convert_ids_to_tokens(self, ids: list[int]) -> list[str]:
        return [self.tokens[number] for number in ids]


class FakeModel(torch.nn.Module):
    def forward(self, input_ids, token_type_ids, output_attentions):
        assert output_attentions
        length = input_ids.shape[1]
        return SimpleNamespace(attentions=tuple(weights(1, 4, length, length) for _ in range(2)))


def test_attention_is_shown_still_first_and_then_live(shown, capfd):
    model = FakeModel().eval()
    figures.show_attention(model, FakeTokenizer(), "i love", "this class", view="model")
    still, alive = shown
    assert "2 layers with 4 heads on the 7 tokens [CLS] i love [SEP] this class [SEP]" in still.alt
    bundle, metadata = alive._repr_mimebundle_()
    assert metadata == {"course": {"live": True}}
    assert bundle["text/plain"] == "Run this cell for the live view." == repr(alive)
    assert "Sentence A -> Sentence B" in unescape(bundle["text/html"])
    assert capfd.readouterr() == ("", "")


def test_one_head_alone_is_shown_as_a_table(shown):
    figures.show_attention(FakeModel().eval(), FakeTokenizer(), "i love", layers=[1], heads=[2])
    assert shown[0].alt.startswith("Layer 1, head 2. A table of attention weights.")


@pytest.mark.parametrize("view", ["head", "model"])
@pytest.mark.parametrize("layers", [[0], [1], [2, 1], [0, 3]])
def test_a_model_that_lost_heads_is_shown_layer_by_layer(shown, view, layers):
    model = BertModel(BertConfig(hidden_size=24, num_hidden_layers=4, num_attention_heads=4)).eval()
    for layer in (0, 3):
        prune_heads(model, f"encoder.layer.{layer}.attention", heads=[1, 2])
    tokenizer = WordPieceTokenizer.from_pretrained("pocket")
    figures.show_attention(model, tokenizer, "i love it", view=view, layers=layers)
    still, live = shown
    count = f"{len(layers)} layer{'s' * (len(layers) > 1)} with {4 if 1 in layers else 2} heads"
    assert count in still.alt and f'"include_layers": {layers}' in unescape(live.html)
    with pytest.raises(ValueError, match=r"have 2, 4, 4, 2 heads; choose .* layers=\[0, 3\]"):
        figures.show_attention(model, tokenizer, "i love it")
    with pytest.raises(ValueError, match=r"heads=\[3\] .* from 0 to 1"):
        figures.show_attention(model, tokenizer, "i love it", layers=[0], heads=[3])
    assert len(shown) == 2


def test_the_head_of_a_layer_that_lost_some_is_shown_alone(shown):
    model = BertModel(BertConfig(hidden_size=24, num_hidden_layers=2, num_attention_heads=4)).eval()
    prune_heads(model, "encoder.layer.0.attention", heads=[1, 2])
    tokenizer = WordPieceTokenizer.from_pretrained("pocket")
    figures.show_attention(model, tokenizer, "i", "love it", layers=[1], heads=[3])
    assert shown[0].alt.startswith("Layer 1, head 3. A table of attention weights.")


def test_a_tokenizer_or_a_model_of_another_library_gets_a_sentence(shown):
    theirs = transformers.BertTokenizer()
    with pytest.raises(ValueError, match="a BertTokenizer of another library, gives no tensors"):
        figures.show_attention(FakeModel().eval(), theirs, "i love")
    sizes = {"hidden_size": 24, "num_hidden_layers": 1, "num_attention_heads": 4}
    model = transformers.BertModel(transformers.BertConfig(**sizes)).eval()
    with pytest.raises(ValueError, match="attn_implementation='eager'"):
        figures.show_attention(model, WordPieceTokenizer.from_pretrained("pocket"), "i love")
    assert not shown


def test_nothing_is_shown_where_the_live_view_is_refused(shown):
    with pytest.raises(ValueError, match="choose fewer"):
        figures.show_attention(FakeModel().eval(), FakeTokenizer(), "word " * 90)
    with pytest.raises(ValueError, match="training mode"):
        figures.show_attention(FakeModel(), FakeTokenizer(), "i love")
    assert not shown


# Explorers


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


def test_an_explorer_praises_a_right_answer():
    explorer = figures.Explorer(**EXPLORE)
    explorer.choice.value = "it grows"
    explorer.commit.click()
    assert "<b>Right.</b>" in explorer.verdict.value
    assert "&lt;it&gt;" in explorer.question.value


def test_controls_presets_and_reset_move_the_picture():
    explorer = figures.Explorer(**EXPLORE)
    explorer.choice.value = "it grows"
    explorer.commit.click()
    explorer.controls["size"].value = 2
    assert alt_of(explorer) == "A point of 2, blue, True."
    explorer.presets["a small one"].click()
    assert alt_of(explorer) == explorer.still.alt
    begin = time.perf_counter()
    explorer.presets["a large one"].click()
    assert time.perf_counter() - begin < 0.05
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
    for damaged in ("{", "[]", '{"What happens to <it>?": 3}'):
        (reader / "predictions.json").write_text(damaged)
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
    assert metadata == display.LIVE


# What importing costs


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
        (
            {"presets": {"x": {"size": 9, "color": "red", "filled": True}}},
            "a value it can take",
        ),
        ({"alt": lambda **_: ""}, "text alternative"),
    ],
)
def test_an_explorer_that_cannot_work_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        figures.Explorer(**EXPLORE | change)


# What importing costs


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


def test_importing_figures_is_light():
    code = (
        "import sys, lib.figures; "
        "heavy = {'bertviz', 'ipywidgets', 'matplotlib', 'IPython', 'transformers', 'PIL'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stdout + done.stderr


def test_every_public_name_is_found_once_and_imported_when_it_is_used():
    files = Path(figures.__file__).parent.glob("*.py")
    defined = [name for path in files for name in figures.PUBLIC.findall(path.read_text("utf-8"))]
    assert sorted(defined) == dir(figures), "two modules define one name, so figures.NAME is either"
    assert figures.draw_map.__module__ == "lib.figures.map_of_bert"
    assert all(callable(getattr(figures, name)) for name in dir(figures) if name != "style")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        (
            "draw_pieces",
            r"no draw_pieces any more.* chapters/nb01, and `python course.py reset 01` makes",
        ),
        ("draw_method_map", r"chapters/nb19, and `python course.py reset 19` makes"),
        ("draw_nothing", r"^lib.figures has no draw_nothing\.$"),
    ],
)
def test_an_older_copy_of_a_notebook_hears_where_its_drawings_are(name, says):
    with pytest.raises(AttributeError, match=says) as error:
        getattr(figures, name)
    assert "\n" not in str(error.value)


def test_a_table_is_rendered_and_said_in_words():
    table = HtmlTable({"word": ["a", "b"], "count": [1200, 3], "share": [0.5, 0.25]}, "Counts", 2)
    assert repr(table).splitlines() == [
        "Counts",
        "word  count  share",
        "a     1,200   0.50",
        "b         3   0.25",
    ]
    assert '<caption style="text-align:left">Counts</caption>' in table._repr_html_()
    with pytest.raises(ValueError, match="draw it"):
        figures.show_table({"n": range(13)}, "Too long")
    with pytest.raises(ValueError, match="one length"):
        figures.show_table({"n": [1], "m": [1, 2]}, "Ragged")


def test_maps_stand_side_by_side_with_their_tokens():
    maps = {"even": np.full((3, 3), 1 / 3), "stripe": np.eye(3)[[0, 0, 0]]}
    figure = figures.draw_maps(maps, ["[CLS]", "a", "dog"])
    drawn = [axes for axes in figure.axes if axes.images]
    assert [axes.get_title() for axes in drawn] == ["even", "stripe"]
    assert all(
        [tick.get_text() for tick in axes.get_yticklabels()] == ["[CLS]", "a", "dog"] for axes in drawn
    )
    said = figures.describe_maps(maps, ["[CLS]", "a", "dog"])
    assert "even: most goes to [CLS] (0.33) and a (0.33); a token gives 0.78" in said
    assert "stripe: most goes to [CLS] (1.00)" in said
    with pytest.raises(ValueError, match="one to 6"):
        figures.draw_maps({str(n): np.eye(2) for n in range(7)}, ["a", "b"])


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


def test_a_schematic_keeps_its_boxes_and_arrows():
    page = figures.Schematic(8.0, 2.0)
    box = page.box(1.0, 0.5, 2.0, 1.0, "query", "[2, 0, 2]", look="tint")
    page.arrow((0.0, 1.0), box.west, label="× W")
    assert (box.top, box.below, box.west, box.east) == ((2.0, 1.5), (2.0, 0.5), (1.0, 1.0), (3.0, 1.0))
    assert {text.get_text() for text in page.axes.texts} >= {"query", "[2, 0, 2]", "× W"}
