"""Questions for a vote on a BERT that has to fit on a disk."""

from math import comb

import torch

from lib.compression.quantizers.linear import dequantize, quantize_spread, quantize_symmetric
from lib.questions import Question, Right, Wrong


def what_saves_time() -> str:
    matrix = torch.randn(1536, 384)  # the first of a feed-forward network
    zeros = matrix.masked_fill(matrix.abs() < matrix.abs().median(), 0)
    loaded = dequantize(*quantize_symmetric(matrix, 2))
    multiplied = {"zeros": zeros, "codes": loaded, "neurons": matrix[:768], "words": matrix}
    products = {change: each.numel() for change, each in multiplied.items()}
    print(f"multiplications a token, {matrix.numel():,} before: {products}")
    return "ABCD"[list(products.values()).index(min(products.values()))]


def what_two_bits_change_most() -> str:
    row = torch.linspace(-2, 2, 41)[None]
    row[0, 0] = -6
    rounded = dequantize(*quantize_spread(row, 2))
    errors = (rounded - row).abs()[0]
    place = int(errors.argmax())
    print(f"levels {rounded.unique()}; {row[0, place]:.2f} is changed most, by {errors[place]:.2f}")
    return "D" if errors.max() < 2 * errors.median() else "A" if place == 0 else "CB"[place == 20]


def ten_to_nothing() -> str:
    chances = {}
    for name, won, lost in (("X", 10, 0), ("Y", 60, 50)):
        tossed = won + lost
        ways = sum(comb(tossed, heads) for heads in range(won, tossed + 1))
        chances[name] = ways / 2**tossed
    print(f"a coin does as well in {chances['X']:.1%} of the cases for X, {chances['Y']:.1%} for Y")
    return "D" if chances["X"] < chances["Y"] / 2 else "A" if chances["X"] > chances["Y"] else "B"


def bytes_of_a_multilingual_bert() -> str:
    words = 120_000 * 768
    layers = 12 * 12 * 768 * 768  # a layer has twelve squares of 768
    saved = {"layers": layers // 2, "words": words * 9 // 10, "zeros": 0, "pooler": 768 * 768}
    print(f"millions of numbers: {words / 1e6:.0f} in the table, {layers / 1e6:.0f} in the layers")
    print("millions saved:", {change: round(count / 1e6) for change, count in saved.items()})
    return "ABCD"[list(saved.values()).index(max(saved.values()))]


QUESTIONS = [
    Question(
        name="what_saves_time",
        section=0,
        text="A MiniLM runs in PyTorch, which multiplies in float32. Which of these changes makes it clearly"
        " faster?",
        options=(
            Wrong(
                "Setting half of the weights of each layer to zero.",
                "zeros_are_skipped",
                "A zero is a number like any other to the product: it is fetched and multiplied.",
            ),
            Wrong(
                "Storing all weights in the file as codes of two bits.",
                "a_small_file_runs_faster",
                "Before anything is multiplied, every code becomes a float32 again.",
            ),
            Right(
                "Taking half of the neurons out of each of the layers.",
                "Matrices with half of the rows or columns need half of the multiplications.",
            ),
            Wrong(
                "Taking half of the pieces out of the table of words.",
                "a_lookup_compares_all_rows",
                "A lookup copies the rows of its tokens, however many others the table has.",
            ),
        ),
        shows=what_saves_time,
        seconds=45,
        guessed=((15, 20, 55, 10), (5, 8, 84, 3)),
    ),
    Question(
        name="what_two_bits_change_most",
        section=2,
        text="A row is rounded to two bits, in steps that suit its spread. One weight is several times as"
        " large as the spread. Which of the row's weights is changed most?",
        options=(
            Right(
                "The largest, because it becomes the last of the four levels.",
                "The last level is one and a half steps. A far weight loses all that it has beyond it.",
            ),
            Wrong(
                "The smallest, because there is no level at zero and it has to move.",
                "no_level_at_zero_hurts_most",
                "It moves by half a step, like any weight at the border of two steps. A far one moves more.",
            ),
            Wrong(
                "One that lies midway between two levels, half a step from either.",
                "half_a_step_is_the_worst",
                "That is the most between the levels. Beyond the last one there is no such limit.",
            ),
            Wrong(
                "None more than the others, because all of them share one step.",
                "the_codes_set_the_error",
                "They share a step and not an error: it depends on where a weight lies.",
            ),
        ),
        shows=what_two_bits_change_most,
        seconds=60,
        guessed=((50, 15, 25, 10), (82, 5, 10, 3)),
    ),
    Question(
        name="ten_to_nothing",
        section=4,
        text="File X beats its rival by 10 to 0, counting the headlines that only one of the two gets right."
        " File Y beats its rival by 60 to 50. Which lead is less likely to be luck with the headlines?",
        options=(
            Wrong(
                "Y's, because 110 headlines decide there, and many are surer than ten.",
                "more_cases_are_surer",
                "More tosses also stray further from a draw: of 110, by 21 in either direction.",
            ),
            Wrong(
                "Both alike, because each file is ten headlines ahead of its rival.",
                "a_lead_is_its_size",
                "A lead has to be compared with what luck may do, and luck grows with the tosses.",
            ),
            Wrong(
                "It can't be said before files of other seeds have been compared.",
                "only_seeds_can_tell_luck",
                "Other seeds tell of luck in training. Luck with the headlines can be told from counts.",
            ),
            Right(
                "X's, because ten of ten went one way, which a coin seldom does.",
                "Luck gives ten tosses a lead of up to about 6, and 110 tosses one of up to about 21.",
            ),
        ),
        shows=ten_to_nothing,
        seconds=60,
        guessed=((30, 15, 15, 40), (8, 4, 6, 82)),
    ),
    Question(
        name="bytes_of_a_multilingual_bert",
        section=3,
        text="A multilingual BERT has 120,000 pieces, twelve layers and 768 features. Your texts are in one"
        " language. The file holds float32 as it is. Which change saves the most bytes?",
        options=(
            Wrong(
                "Keeping only six of its twelve layers, which are evenly spread.",
                "layers_hold_most_bytes",
                "Twelve layers have some 85 million numbers, so that saves 42. The table alone has 92.",
            ),
            Right(
                "Keeping only that tenth of the pieces which stands in your texts.",
                "The table has 120,000 × 768 numbers, 92 million, and nine tenths of it can go.",
            ),
            Wrong(
                "Setting nine tenths of all weights in its twelve layers to zero.",
                "a_zero_takes_no_place",
                "A zero of float32 takes four bytes, like any other number, if nothing leaves it out.",
            ),
            Wrong(
                "Taking away its pooler, which your task's head doesn't read at all.",
                "whole_parts_are_large_parts",
                "The pooler is one matrix of 768 × 768: less than a million numbers of some 180.",
            ),
        ),
        shows=bytes_of_a_multilingual_bert,
        seconds=75,
        guessed=((30, 50, 17, 3), (8, 87, 4, 1)),
    ),
]
