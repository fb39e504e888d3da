"""What each part of a layer, head or neuron, is worth to a text: one gate a text, its size, the mean."""

from collections.abc import Iterator

import torch
from torch import Tensor

from chapters.nb27 import cutting
from lib.exercises.spec import Exercise, Mistake, edit

PRODUCT, VIEW = "given * gradient", "products.view(texts, tokens, parts, features // parts)"
SUM, WORTH = "by_part.sum(dim=(1, 3))", "by_text.abs().mean(dim=0)"


def cases(seed: int) -> Iterator[tuple[Tensor, Tensor, int]]:
    """The two heads of the notebook; then other sizes: one text, one token, parts of one feature."""
    yield (
        torch.tensor([[[2.0, 1.0, 1.0, 1.0], [0.0, 1.0, 1.0, -1.0]]]),
        torch.tensor([[[0.5, -0.2, 0.1, 0.2], [0.3, -0.4, 0.2, 0.5]]]),
        2,
    )
    generator = torch.Generator().manual_seed(seed)
    for shape, parts in [((3, 4, 6), 3), ((2, 5, 6), 2), ((1, 3, 4), 4), ((4, 1, 6), 3), ((3, 3, 5), 5)]:
        yield torch.randn(shape, generator=generator), torch.randn(shape, generator=generator), parts


# fmt: off
EXERCISE = Exercise(
    name="part_importance", minutes=6, difficulty=2, reference=cutting.part_importance, cases=cases,
    gradients=False,
    mistakes=[
        Mistake("absolute_too_early", "You take the absolute value before all is added up. One gate moves a"
            " part at all tokens of a text and in all its features, so these cancel each other first.",
            (edit(PRODUCT, "(given * gradient).abs()"),
             edit(SUM, "by_part.sum(dim=3).abs().sum(dim=1)"),
             edit(SUM, "by_part.sum(dim=1).abs().sum(dim=2)"),
             edit(SUM, "by_part.sum(dim=3).abs().mean(dim=1)"),
             edit(SUM, "by_part.abs().mean(dim=(1, 3))"))),
        Mistake("absolute_too_late", "You take the absolute value when texts are added up, so they cancel"
            " each other: a part that helps one text and harms the next looks like one that does nothing.",
            (edit(WORTH, "by_text.mean(dim=0).abs()"), edit(WORTH, "by_text.sum(dim=0).abs()"))),
        Mistake("without_abs", "A part counts either way, whether closing it raises the loss or lowers it:"
            " take the absolute value of each text's sum.",
            (edit(".abs()", ""), edit(WORTH, "-by_text.mean(dim=0)"))),
        Mistake("squared", "You take squares where absolute values are asked for.",
            (edit(".abs()", ".square()"), edit(WORTH, "by_text.square().mean(dim=0).sqrt()"),
             edit(WORTH, "by_text.norm(dim=0)"))),
        Mistake("one_alone", "You need both, what is given and its gradient: a part that gives nothing loses"
            " nothing, however steep the loss is, and a large output may not matter to it.",
            (edit(PRODUCT, "gradient"), edit(PRODUCT, "given"), edit(PRODUCT, "gradient.abs()"),
             edit(PRODUCT, "given.abs()"))),
        Mistake("added_for_multiplied", "You combine what is given and its gradient otherwise than by their"
            " product: that is what the chain rule gives for a gate.",
            tuple(edit(PRODUCT, other)
                for other in ("given + gradient", "given - gradient", "given / gradient"))),
        Mistake("parts_compared", "Parts are what is compared: add up over tokens and features, take the mean"
            " over texts, so that [parts] is left.",
            (edit(WORTH, "by_text.abs()"), edit(WORTH, "by_text.abs().mean(dim=1)"),
             edit(WORTH, "by_text.abs().mean()"), edit(SUM, "by_part.sum(dim=(1, 2))"),
             edit(SUM, "by_part.sum(dim=(2, 3))"))),
        Mistake("texts_added_up", "You add up over texts where a mean is asked for: more texts would make"
            " every part worth more.", edit(".mean(dim=0)", ".sum(dim=0)")),
        Mistake("mean_for_sum", "Within a text you take a mean over tokens or features. One gate moves them"
            " all at once, so they are added up.",
            (edit(SUM, "by_part.mean(dim=(1, 3))"), edit(SUM, "by_part.mean(dim=1).sum(dim=2)"),
             edit(SUM, "by_part.sum(dim=1).mean(dim=2)"))),
        Mistake("parts_interleaved", "A part's features lie side by side, so the last dimension is cut into"
            " (parts, features // parts), in this order.",
            edit(VIEW, "products.view(texts, tokens, features // parts, parts).transpose(2, 3)")),
        Mistake("largest_text", "You take the text to which a part matters most, or least. Asked is the mean"
            " over texts.", tuple(edit(".mean(dim=0)", f".{of}(dim=0)") for of in ("amax", "amin"))),
        Mistake("one_direction", "You count texts alone in which a part raises the loss, or lowers it. It"
            " counts either way: the absolute value, not relu.",
            (edit(".abs()", ".relu()"), edit(WORTH, "(-by_text).relu().mean(dim=0)"))),
        Mistake("normalized", "You divide by a length or a sum. How much a part is worth counts, not its"
            " share.",
            tuple(edit(f"return {WORTH}", f"worth = {WORTH}\n    return {divided}") for divided in
                ("worth / worth.sum()", "worth / worth.norm()", "worth / worth.max()", "worth.softmax(0)"))),
    ],
    hints=("Multiply feature by feature. One gate moves a part at every token of a text: what does closing it"
           " change in that text? Only then comes the absolute value, and the mean over texts last.",
           "The product is [B, T, D]; cut D into [parts, D // parts]; the sum over tokens and the part's"
           " features is [B, parts]; the mean over texts is [parts].",
           "(given * gradient).view(B, T, parts, -1).sum((1, 3)).abs().mean(0)"),
    why="One backward pass, and every head and every neuron has its price.",
)
# fmt: on
