"""The exercises of notebook 10, the masked language model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from lib.exercises.exercise import Exercise, Invariant, Mistake
from lib.experiments import leakage
from lib.text import masking

NOTEBOOK = "10_masked_language_model"


# --- who_cheats -----------------------------------------------------------------------------------

CHEATS = Exercise(
    name="who_cheats",
    notebook=NOTEBOOK,
    kind="choose",
    reference={"b", "c"},
    answer='["b", "c"]',
    form='An answer is a list of letters, such as ["a", "e"].',
    mistakes=[
        Mistake(
            "depth_alone",
            "Depth alone does not do it. In a, what leaves a place moves only to the right, in every layer:"
            " on which path would it come back?",
            lambda letters: "a" in letters,
            example=["a", "b", "c"],
        ),
        Mistake(
            "glued_is_mixed",
            "In d the two stacks never look at each other. One carries a word only to the right, the other"
            " only to the left; they meet at the end, where nobody looks any more.",
            lambda letters: "d" in letters,
            example=["b", "c", "d"],
        ),
        Mistake(
            "one_layer",
            "e is the single layer of the puzzle. A neighbor there has nothing to show but its own token.",
            lambda letters: "e" in letters,
            example=["b", "c", "e"],
        ),
        Mistake(
            "missed_the_mixed",
            "Follow place 3 in b: who sees it in the first layer, and who looks at these in the second?",
            lambda letters: set(letters) == {"c"},
            example=["c"],
        ),
        Mistake(
            "missed_the_neighbors",
            "Two neighbors are enough: in c, place 4 sees place 3, and in the next layer place 3 sees place"
            " 4.",
            lambda letters: set(letters) == {"b"},
            example=["b"],
        ),
    ],
    hints=(
        "A place cheats if its own token can go somewhere in one layer and come back in a later one.",
        "Ask two things of each: who sees place 3 after the first layer? Does place 3 ever look there?",
        "Away and back takes two layers, and looks in both directions.",
    ),
    why="Away and back: two layers, one look in each direction. One way only, at any depth, never returns.",
    box="mlm_head",
)


# --- corrupt --------------------------------------------------------------------------------------

MASK_ID = 4


def _cases_to_corrupt(seed: int) -> Iterator[tuple[Tensor, Tensor, Tensor, Tensor, int]]:
    """A draw of each kind beside pieces that were not chosen; then random batches; then none chosen."""
    yield (
        torch.tensor([[2, 11, 12, 13, 14, 15, 3]]),
        torch.tensor([[False, True, True, True, False, False, False]]),
        torch.tensor([[0.3, 0.5, 0.85, 0.95, 0.5, 0.85, 0.1]]),
        torch.tensor([[91, 92, 93, 94, 95, 96, 97]]),
        MASK_ID,
    )
    generator = torch.Generator().manual_seed(seed)
    for rows, length, share in [(2, 20, 0.5), (3, 30, 0.8), (1, 6, 0.0)]:
        yield (
            torch.randint(5, 90, (rows, length), generator=generator),
            torch.rand(rows, length, generator=generator) < share,
            torch.rand(rows, length, generator=generator),
            torch.randint(100, 200, (rows, length), generator=generator),
            MASK_ID,
        )


Draws = tuple[Tensor, Tensor, Tensor, Tensor, int]


def _leaves_the_rest(candidate: Any, arguments: Draws, result: Any) -> bool:
    input_ids, chosen = arguments[:2]
    return torch.equal(result[0][~chosen], input_ids[~chosen])


def _asks_for_the_chosen(candidate: Any, arguments: Draws, result: Any) -> bool:
    input_ids, chosen = arguments[:2]
    return torch.equal(result[1] == input_ids, chosen) and bool((result[1][~chosen] == -100).all())


def _read(
    read: Callable[..., Tensor] | None = None, labels: Callable[..., Tensor] | None = None
) -> Callable[..., tuple[Tensor, Tensor]]:
    """A wrong version that goes wrong in what is read, in the labels, or in both."""

    def wrong(ids: Tensor, chosen: Tensor, draws: Tensor, random_ids: Tensor, mask: int) -> Any:
        right = masking.corrupt(ids, chosen, draws, random_ids, mask)
        mine = read(ids, chosen, draws, random_ids, mask) if read else right[0]
        return mine, labels(ids, chosen, draws, mine) if labels else right[1]

    return wrong


CORRUPT = Exercise(
    name="corrupt",
    notebook=NOTEBOOK,
    reference=masking.corrupt,
    cases=_cases_to_corrupt,
    returns=("the pieces to read", "the labels"),
    gradients=False,
    invariants=[
        Invariant(
            "others_changed",
            "A piece that was not chosen has to stay as it is. Somewhere `chosen` is missing.",
            _leaves_the_rest,
        ),
        Invariant(
            "labels_of_the_chosen",
            "The labels are wrong: at every chosen place the piece that stood there, and -100 elsewhere.",
            _asks_for_the_chosen,
        ),
    ],
    mistakes=[
        Mistake(
            "all_masked",
            "You put [MASK] at every chosen place. Of these 80 % become [MASK]; `draws` decides, and 10 % get"
            " another piece, 10 % stay.",
            _read(lambda ids, chosen, draws, random_ids, mask: ids.masked_fill(chosen, mask)),
        ),
        Mistake(
            "none_swapped",
            "The [MASK]s are right. But between 0.8 and 0.9 a chosen piece becomes the one in `random_ids`;"
            " yours stays.",
            _read(lambda ids, chosen, draws, random_ids, mask: ids.masked_fill(chosen & (draws < 0.8), mask)),
        ),
        Mistake(
            "of_all_pieces",
            "You let `draws` decide over every piece. It is 80 % of the chosen, not 80 % of the text: combine"
            " `draws` with `chosen`.",
            _read(
                lambda ids, chosen, draws, random_ids, mask: torch.where(
                    (draws >= 0.8) & (draws < 0.9), random_ids, ids.masked_fill(draws < 0.8, mask)
                )
            ),
        ),
        Mistake(
            "masks_overwritten",
            "draws < 0.9 is also true where draws < 0.8, so the pieces of `random_ids` overwrite the"
            " [MASK]s. Ask for both: draws >= 0.8 and draws < 0.9.",
            _read(
                lambda ids, chosen, draws, random_ids, mask: torch.where(
                    chosen & (draws < 0.9), random_ids, ids
                )
            ),
        ),
        Mistake(
            "never_stays",
            "None of the chosen stays: from a draw of 0.9 on a piece stays as it is.",
            _read(
                lambda ids, chosen, draws, random_ids, mask: torch.where(
                    chosen, torch.where(draws < 0.8, torch.full_like(ids, mask), random_ids), ids
                )
            ),
        ),
        Mistake(
            "ends_swapped",
            "The shares are right, but the ranges are not those of the docstring: `random_ids` from 0.8 to"
            " 0.9, unchanged from 0.9.",
            _read(
                lambda ids, chosen, draws, random_ids, mask: torch.where(
                    chosen & (draws >= 0.9), random_ids, ids.masked_fill(chosen & (draws < 0.8), mask)
                )
            ),
        ),
        Mistake(
            "label_everywhere",
            "You give every place a label. Then most of the loss is about pieces that stand there in plain"
            " sight: -100 where nothing was chosen.",
            _read(labels=lambda ids, chosen, draws, read: ids),
        ),
        Mistake(
            "label_of_what_is_read",
            "Your labels hold what the model reads. It is to say what stood there before.",
            _read(labels=lambda ids, chosen, draws, read: read.masked_fill(~chosen, -100)),
        ),
        Mistake(
            "no_label_where_it_stayed",
            "Where a chosen piece stayed as it is, your label is -100. It was chosen all the same: the model"
            " has to name it, and cannot know that it may trust it.",
            _read(labels=lambda ids, chosen, draws, read: ids.masked_fill(read == ids, -100)),
        ),
        Mistake(
            "label_behind_masks_alone",
            "Only the [MASK]s have a label in yours. The swapped pieces and those that stayed are asked for"
            " too.",
            _read(labels=lambda ids, chosen, draws, read: ids.masked_fill(~chosen | (draws >= 0.8), -100)),
        ),
        Mistake(
            "label_upside_down",
            "The -100s stand at the chosen places, so only the others would be learned. Turn the condition"
            " around.",
            _read(labels=lambda ids, chosen, draws, read: ids.masked_fill(chosen, -100)),
        ),
        Mistake(
            "zero_for_ignored",
            "0 is a piece, [PAD]. The loss leaves out -100 and nothing else.",
            _read(labels=lambda ids, chosen, draws, read: ids * chosen),
        ),
        Mistake(
            "turned_around",
            "You return the labels first. What the model reads comes first, then the labels.",
            lambda *draws: masking.corrupt(*draws)[::-1],
        ),
    ],
    hints=(
        "Two questions for each place: was it chosen? If so, in which of three ranges does its draw lie?",
        "All four tensors are [B, T]. A condition such as chosen & (draws < 0.8) is [B, T] too, and"
        " torch.where(condition, a, b) takes from a where it is true.",
        "read = torch.where(chosen & (draws < 0.8), mask_token_id, input_ids); a second torch.where puts in"
        " `random_ids`; labels = torch.where(chosen, input_ids, -100).",
    ),
    why="The loss is asked at all chosen places, also where nothing changed.",
    box="mlm_head",
)


# --- masked_lm_loss -------------------------------------------------------------------------------


def _cases_of_loss(seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Rows with different numbers of labels; one of them is piece 0, which is a label like any other."""
    generator = torch.Generator().manual_seed(seed)
    for labels in ([[-100, 3, -100, -100]], [[-100, 0, 2, 5, -100], [1, -100, -100, -100, -100]]):
        rows = torch.tensor(labels)
        yield 2 * torch.randn(*rows.shape, 7, generator=generator), rows
    rows = torch.randint(7, (3, 6), generator=generator)
    yield torch.randn(3, 6, 7, generator=generator), rows.masked_fill(rows > 3, -100)


def _each(logits: Tensor, labels: Tensor) -> Tensor:
    return F.cross_entropy(logits.flatten(0, 1), labels.flatten(), reduction="none").view(labels.shape)


def _with(change: Callable[[Tensor, Tensor], Tensor]) -> Callable[[Tensor, Tensor], Tensor]:
    return lambda logits, labels: change(_each(logits, labels), labels)


LOSS = Exercise(
    name="masked_lm_loss",
    notebook=NOTEBOOK,
    kind="bug",
    reference=masking.masked_lm_loss,
    cases=_cases_of_loss,
    mistakes=[
        Mistake(
            "the_draft",
            "That is the draft unchanged. Count what the mean divides by: all places, most of which add 0 to"
            " the sum.",
            _with(lambda each, labels: each.mean()),
        ),
        Mistake(
            "sum",
            "The sum is right, but a longer batch would have a larger loss. Divide by the number of chosen"
            " places.",
            _with(lambda each, labels: each.sum()),
        ),
        Mistake(
            "divided_by_rows",
            "You divide by the number of texts. It is the number of chosen places.",
            _with(lambda each, labels: each.sum() / len(labels)),
        ),
        Mistake(
            "mean_of_rows",
            "You take the mean in each text, then the mean of these. A place in a text with few chosen then"
            " counts more than others; every chosen place is to count the same.",
            _with(lambda each, labels: (each.sum(1) / (labels != -100).sum(1)).mean()),
        ),
        Mistake(
            "counted_above_zero",
            "labels > 0 misses piece 0. What was not chosen has the label -100: compare with that.",
            _with(lambda each, labels: each.sum() / (labels > 0).sum()),
        ),
        Mistake(
            "counted_nonzero",
            "labels.count_nonzero() counts the -100s too, and misses piece 0: count labels != -100.",
            _with(lambda each, labels: each.sum() / labels.count_nonzero()),
        ),
        Mistake(
            "counted_losses_above_zero",
            "You leave out piece 0. It is a label like any other; only -100 is left out.",
            lambda logits, labels: F.cross_entropy(
                logits.flatten(0, 1), labels.flatten().masked_fill(labels.flatten() == 0, -100)
            ),
        ),
        Mistake(
            "times_the_rate",
            "0.15 is what the rate should be on average. Divide by the number of places that were chosen in"
            " this batch.",
            _with(lambda each, labels: each.mean() / 0.15),
        ),
    ],
    hints=(
        "A place that was not chosen adds 0 to the sum. Should it be counted when you divide?",
        "The losses are [B * T]; as many of them count as labels are not -100.",
        'return losses.sum() / (labels != -100).sum(), or leave out reduction="none": -100 is left out then.',
    ),
    why="The mean over what was asked; how many other places there are no longer matters.",
    box="mlm_head",
)


# --- seen -----------------------------------------------------------------------------------------


def _cases_to_see(seed: int) -> Iterator[tuple[list[Tensor]]]:
    """Four places: both sides, left then right, neighbors; then random masks."""
    both = ~torch.eye(4, dtype=torch.bool)
    left = torch.ones(4, 4, dtype=torch.bool).tril(-1)
    near = both.tril(1) & both.triu(-1)
    for masks in ([both], [both, both], [left, left.T], [near, near, near], [left] * 3):
        yield (list(masks),)
    generator = torch.Generator().manual_seed(seed)
    yield ([torch.rand(6, 6, generator=generator) < 0.25 for _ in range(3)],)


def _layers(step: Callable[[Tensor, Tensor], Tensor]) -> Callable[[list[Tensor]], Tensor]:
    """A wrong version that takes another step from layer to layer."""

    def wrong(masks: list[Tensor]) -> Tensor:
        known = masks[0]
        for mask in masks[1:]:
            known = step(mask, known)
        return known

    return wrong


def _meet(one: Tensor, other: Tensor) -> Tensor:
    return one.float() @ other.float() > 0


SEEN = Exercise(
    name="seen",
    notebook=NOTEBOOK,
    reference=leakage.seen,
    cases=_cases_to_see,
    gradients=False,
    invariants=[
        Invariant(
            "boolean",
            "A place has seen another or it has not: return a boolean tensor, such as (product > 0).",
            lambda candidate, arguments, result: result.dtype == torch.bool,
        ),
    ],
    mistakes=[
        Mistake(
            "forgets",
            "Your places forget: after a layer they know only what this layer showed them. What was known"
            " before stays known: known | ...",
            _layers(_meet),
        ),
        Mistake(
            "turned_over",
            "The product is the wrong way around. Row i of the layer's mask says at whom i looks; what these"
            " know stands in the rows of `known`: mask @ known.",
            _layers(lambda mask, known: known | _meet(known, mask)),
        ),
        Mistake(
            "only_direct",
            "You join the masks: who looked at whom. But a look shows all that the other has seen so far, not"
            " its own token alone.",
            _layers(lambda mask, known: known | mask),
        ),
        Mistake(
            "only_direct_and_new",
            "You join in the last layer's own look as if it showed a place's own token. After the first layer"
            " a place shows only what it has heard.",
            _layers(lambda mask, known: known | mask | _meet(mask, known)),
        ),
        Mistake(
            "last_mask",
            "That is the mask of the last layer. What did those that are looked at know by then?",
            _layers(lambda mask, known: mask),
        ),
        Mistake(
            "knows_itself",
            "You let every place know its own token from the start. That is what the puzzle forbids: a place"
            " begins with its position alone.",
            lambda masks: leakage.seen(masks) | torch.eye(len(masks[0]), dtype=torch.bool),
        ),
    ],
    hints=(
        "Go layer by layer. Whom i has seen: what it knew before, and all that those know at whom it looks.",
        "[T, T] @ [T, T]: row i of the mask picks rows of `known`; above 0 means that somebody knew.",
        "known = known | (mask.float() @ known.float() > 0)",
    ),
    why="On the diagonal stand those who see themselves.",
    box="mlm_head",
)


# --- why_they_stay --------------------------------------------------------------------------------

STAY = Exercise(
    name="why_they_stay",
    notebook=NOTEBOOK,
    kind="choose",
    reference={"b"},
    answer='["b"]',
    form='An answer is a list of one letter, such as ["a"].',
    mistakes=[
        Mistake(
            "saves_time",
            "The loss is computed at these places as at the others: nothing is saved.",
            lambda letters: "a" in letters,
            example=["a"],
        ),
        Mistake(
            "closes_the_cheat",
            "[MASK] closes it. A piece that stays is, on the contrary, in plain sight.",
            lambda letters: "c" in letters,
            example=["c"],
        ),
        Mistake(
            "makes_it_easier",
            "One place in ten gets easier, but that is not what it is for: the aim is what the model does"
            " with words that it can see.",
            lambda letters: "d" in letters,
            example=["d"],
        ),
    ],
    hints=(
        "Think of the model after pretraining, when it reads your sentence. How many [MASK]s are in it?",
        "Were every chosen place a [MASK], the model would be asked for nothing at a word that it can see.",
        "It is asked at words in plain sight as well, most of them true, some of them swapped.",
    ),
    why="Any word may be asked for, and may be wrong, so the model has to weigh each against its neighbors.",
    box="mlm_head",
)

EXERCISES = [CHEATS, CORRUPT, LOSS, SEEN, STAY]
