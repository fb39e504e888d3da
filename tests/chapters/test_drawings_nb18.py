"""The drawings of notebook 18."""

from chapters.nb18 import drawings


def test_a_point_of_a_landscape_is_drawn_with_its_numbers() -> None:
    numbers = drawings.SliceNumbers(1234567, 0.5, -0.25, 32, 1.25, 0.06, 49)
    figure, told = drawings.draw_slice(numbers)
    drawn = " ".join(text.get_text() for text in figure.axes[0].texts)
    for number in ("1,234,567", "0.5", "−0.25", "32 texts", "1.25", "0.06", "49 points"):
        assert number in told and number in drawn
