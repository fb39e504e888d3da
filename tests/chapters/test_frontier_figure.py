"""What small models cost and reach, drawn: the frontier, its families, and what is said of it."""

from typing import Any

import pytest

from chapters.nb19 import drawings
from chapters.nb19.drawings import Candidate

MODELS = [
    Candidate("MiniLM", "baseline", 91.0, (0.85, 0.84, 0.86)),
    Candidate("8 bits", "quantization", 23.0, (0.85,)),
    Candidate("4 bits", "quantization", 12.0, (0.80, 0.82)),
    Candidate("2 x 128", "distillation", 6.3, (0.78,)),
    Candidate("pruned", "pruning", 23.0, (0.79,)),
]


def test_the_frontier_has_whom_no_cheaper_model_beats() -> None:
    assert [one.name for one in drawings.pareto_front(MODELS)] == ["2 x 128", "4 bits", "8 bits"]
    alone = Candidate("best", "x", 1.0, (0.9,))
    assert drawings.pareto_front([*MODELS, alone]) == [alone]


def test_models_stand_at_their_cost_and_mean_score() -> None:
    figure, _ = drawings.draw_frontier(MODELS, "A title", "MB", "accuracy", {"TF-IDF": 0.72}, ["pruned"])
    axes = figure.axes[0]
    lines: Any = axes.lines
    drawn = {line.get_label(): line for line in lines}
    assert axes.get_xscale() == "log"
    assert list(drawn["quantization"].get_xdata()) == [23.0, 12.0]
    assert list(drawn["quantization"].get_ydata()) == pytest.approx([0.85, 0.81])
    assert list(drawn["TF-IDF"].get_ydata()) == [0.72, 0.72]
    stair = drawn["no cheaper model is better"]
    assert list(stair.get_ydata())[:3] == pytest.approx([0.78, 0.81, 0.85])
    assert [text.get_text() for text in axes.texts] == ["2 x 128", "4 bits", "8 bits", "pruned"]


def test_families_are_told_apart_without_color() -> None:
    many = [Candidate(f"m{n}", f"family {n}", 1.0 + n, (0.5,)) for n in range(12)]
    lines: Any = drawings.draw_frontier(many, "", "MB", "accuracy")[0].axes[0].lines
    looks = [
        (line.get_marker(), line.get_markerfacecolor() == "white")
        for line in lines
        if str(line.get_label()).startswith("family")
    ]
    assert len(set(looks)) == 12


def test_what_is_drawn_is_said() -> None:
    said = drawings.draw_frontier(MODELS, "a title", "megabytes", "accuracy", {"TF-IDF": 0.72})[1]
    assert said.startswith("accuracy over megabytes")
    assert (
        "from the cheapest: 2 x 128 (distillation) 0.780 at 6.3; 4 bits (quantization) 0.810 (0.800 to"
        in said
    )
    assert "Below it: pruned (pruning) 0.790 at 23; MiniLM (baseline) 0.850 (0.840 to 0.860) at 91." in said
    assert said.endswith("Dashed: TF-IDF 0.720.")
    assert "Below" not in drawings.draw_frontier(MODELS[:1], "a title", "megabytes", "accuracy")[1]


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ([], "no models to draw"),
        ([Candidate("a", "x", 0.0, (0.5,))], "give a cost above 0"),
        ([Candidate("a", "x", 1.0, ())], "for each seed a score"),
        ([Candidate("a", "x", 1.0, (85.0,))], "from 0 to 1"),
        ([Candidate("a", f"family {n}", 1.0, (0.5,)) for n in range(13)], "More than 12 families"),
    ],
)
def test_what_cannot_be_drawn_is_refused(wrong: list[Candidate], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        drawings.draw_frontier(wrong, "A title", "cost", "score")
    with pytest.raises(ValueError, match=says):
        drawings.draw_frontier(wrong, "a title", "cost", "score")


def test_names_and_baselines_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="'9 bits' is none of the models"):
        drawings.draw_frontier(MODELS, "", "MB", "accuracy", named=["9 bits"])
    with pytest.raises(ValueError, match="The baseline 'chance' is 50"):
        drawings.draw_frontier(MODELS, "", "MB", "accuracy", {"chance": 50})


def test_names_of_models_that_score_alike_do_not_cross() -> None:
    alike = [Candidate(f"{bits} bits per row", "x", 3.0 * bits, (0.7 + bits / 1e4,)) for bits in (3, 4, 6, 8)]
    figure = drawings.draw_frontier(alike, "A title", "MB", "accuracy")[0]
    figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in figure.axes[0].texts]
    assert not any(one.overlaps(other) for n, one in enumerate(boxes) for other in boxes[:n])
