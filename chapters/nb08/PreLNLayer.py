"""A pre-LN layer, whose draft has the norms on the residual path."""

from collections.abc import Iterator
from typing import Any

import torch

from lib.bert import BertConfig, encoder
from lib.exercises.inside import run_layer
from lib.exercises.mistakes import Edit
from lib.exercises.spec import Exercise, Mistake, edit

ADDED, RETURNED = "hidden = hidden + half.dropout(update)", "return hidden + half.dropout(update)"
PATH = (
    ("self(half.LayerNorm", "self(hidden := half.LayerNorm"),
    ("intermediate(half.LayerNorm", "intermediate(hidden := half.LayerNorm"),
)
PLAIN = (
    ("self(half.LayerNorm(hidden)", "self(hidden"),
    ("intermediate(half.LayerNorm(hidden)", "intermediate(hidden"),
)


def cases(seed: int) -> Iterator[tuple[Any, ...]]:
    """In eval() with and without a mask, then in train() with a dropout of 1, where every update vanishes."""
    for length, masked, training in [(3, False, False), (5, True, False), (4, False, True)]:
        torch.manual_seed(seed)
        config = BertConfig(
            hidden_size=8,
            num_attention_heads=2,
            intermediate_size=12,
            hidden_dropout_prob=1.0,
            attention_probs_dropout_prob=0.0,
        )
        state = encoder.PreLNLayer(config).state_dict()
        state = {name: tensor + 0.3 * torch.randn_like(tensor) for name, tensor in state.items()}
        mask = torch.arange(length) < torch.tensor([[length], [2]])  # [2, T]
        yield config, state, torch.randn(2, length, 8), mask[:, None, None, :] if masked else None, training


def sums(text: str) -> Edit:
    """Both sums in other words."""
    return edit(ADDED, f"hidden = {text}").then(RETURNED, f"return {text}")


EXERCISE = Exercise(
    name="PreLNLayer",
    kind="bug",
    minutes=6,
    difficulty=2,
    reference=encoder.PreLNLayer,
    cases=cases,
    run=run_layer,
    mistakes=[
        Mistake(
            "on_the_path",
            "As in the draft, the sums of both halves are not those of pre-LN. Follow hidden from the top"
            " down: is what reaches each plus sign still what came in?",
            edit(*PATH[0]).then(*PATH[1]),
        ),
        Mistake(
            "one_half",
            "One half is fixed. In the other, the norm still stands on the residual path: hidden itself has"
            " to reach the sum as it came in.",
            (edit(*PATH[0]), edit(*PATH[1])),
        ),
        Mistake(
            "post_ln",
            "This is post-LN, BERT's own order: it adds, then normalizes the sum. Here only what goes into"
            " the update is normalized.",
            encoder.EncoderLayer,
        ),
        Mistake(
            "one_half_post_ln",
            "One half is right. The other adds and then normalizes the sum, which is post-LN.",
            (
                edit(*PLAIN[0]).then(ADDED, "hidden = half.LayerNorm(hidden + half.dropout(update))"),
                edit(*PLAIN[1]).then(RETURNED, "return half.LayerNorm(hidden + half.dropout(update))"),
            ),
        ),
        Mistake(
            "norm_of_the_update",
            "You normalize what comes out of the update. Normalize what goes into it, and add what comes out"
            " as it is.",
            tuple(
                sums(f"hidden + {update}").then(*PLAIN[0]).then(*PLAIN[1])
                for update in ("half.LayerNorm(half.dropout(update))", "half.dropout(half.LayerNorm(update))")
            ),
        ),
        Mistake(
            "norm_twice",
            "The norm is where each update begins, and then a sum is normalized too. The sums go on as they"
            " are.",
            (
                sums("half.LayerNorm(hidden + half.dropout(update))"),
                edit(RETURNED, "return half.LayerNorm(hidden + half.dropout(update))"),
                edit(ADDED, "hidden = half.LayerNorm(hidden + half.dropout(update))"),
            ),
        ),
        Mistake(
            "no_norm",
            "An update begins without its norm: half.LayerNorm(hidden) is what goes in, in both halves.",
            (edit(*PLAIN[0]).then(*PLAIN[1]), edit(*PLAIN[0]), edit(*PLAIN[1])),
        ),
        Mistake(
            "no_sum",
            "The norms are in place, but a half does not add what came in: each returns hidden plus its"
            " update.",
            (
                sums("half.dropout(update)"),
                edit(ADDED, "hidden = half.dropout(update)"),
                edit(RETURNED, "return half.dropout(update)"),
            ),
        ),
        Mistake(
            "no_dropout",
            "Right in eval(). In train() the update goes through half.dropout before it is added; yours does"
            " not, or not in both halves.",
            (
                sums("hidden + update"),
                edit("hidden = hidden + half.dropout", "hidden = hidden + "),
                edit("return hidden + half.dropout", "return hidden + "),
            ),
        ),
        Mistake(
            "dropout_of_the_sum",
            "Right in eval(). In train() you drop out of the sum, the path included: only the update goes"
            " through half.dropout.",
            sums("half.dropout(hidden + update)"),
        ),
        Mistake(
            "norms_swapped",
            "The norms are not each in its own half: self.attention.output.LayerNorm belongs to the"
            " attention, self.output.LayerNorm to the feed-forward half.",
            (
                edit("self(half.", "self(self.output.").then("te(half.", "te(self.attention.output."),
                edit("te(half.", "te(self.attention.output."),
                edit("self(half.", "self(self.output."),
            ),
        ),
        Mistake(
            "mask_ignored",
            "Right without padding. The mask has to reach the attention: self.attention.self(..., mask).",
            edit(", mask)", ")"),
        ),
    ],
    hints=(
        "Follow what came in with a finger. In pre-LN it runs from the bottom to the top and meets nothing"
        " but plus signs; is that so in the draft?",
        "Everything is [B, T, D]. The norm's result needs no name of its own, and hidden must not be"
        " overwritten by it.",
        "hidden = hidden + half.dropout(half.dense(self.attention.self(half.LayerNorm(hidden), mask))), and"
        " the same in the other half.",
    ),
    why="Only the update is normalized; what came in meets nothing but sums.",
)
