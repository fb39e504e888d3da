"""MATE-KD: a masked LM rewrites texts so that student and teacher disagree, and the student learns not to.

Rashid et al., 2021. Two objectives take turns, each with a trainer of its own: the generator climbs what
separates teacher and student on rewritten text, then the student descends it, on the text as well. A piece
is a choice, through which no gradient flows, so the generator's choice is passed on as a vector with a
single one and differentiated as if it were soft (straight through, Jang et al., 2017). All three models
share one vocabulary.

    rewriter = MaskedLMRewriter(generator, tokenizer)
    adversary = Trainer(Adversary(rewriter, student, teacher), ...)
    learner = Trainer(RewrittenDistillation(student, teacher, *mate_kd(), rewriter), ...)

Sizes in the comments: B texts, T tokens, N tokens that are chosen, V pieces, D hidden size, C classes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lib.compression.distillation.knowledge import INPUTS, LABELS, LOGITS, observe
from lib.compression.distillation.layer_maps import ANSWER
from lib.compression.distillation.losses import Distance, SoftCrossEntropy, SoftenedKL, cross_entropy
from lib.compression.distillation.matches import UNITS, Match, named, parts_of, terms_of
from lib.compression.distillation.objective import Distillation
from lib.names import stable_name
from lib.training.features import encoder_of, in_eval
from lib.training.loop import Batch, Objective, Term
from studies.methods.rewriting import MaskedLMRewriter, Rewrite, with_gumbel_noise


def gumbel_softmax(logits: Tensor, temperature: float = 1.0) -> Tensor:
    """A draw from the softmax of logits [N, V] as vectors with a single 1, with the gradient of a soft one.

    Forward the entries are exactly 0 and 1; backward they are softmax((logits + noise) / temperature).
    """
    soft = (with_gumbel_noise(logits) / temperature).softmax(dim=-1)
    hard = F.one_hot(soft.argmax(dim=-1), logits.size(-1)).to(soft.dtype)
    return hard + (soft - soft.detach())


def mixed_vectors(model: nn.Module, input_ids: Tensor, chosen: Tensor, pieces: Tensor) -> Tensor:
    """The model's own word vectors [B, T, D] of a text, those of `pieces` [N, V] at the chosen places.

    input_ids [B, T]; chosen boolean [B, T], with N that are true.
    """
    table = encoder_of(model).embeddings.word_embeddings
    with torch.autocast(input_ids.device.type, enabled=False):  # a row of the table stays as it is
        written = pieces @ table.weight  # [N, D]
        return table(input_ids).masked_scatter(chosen[..., None], written)


class Adversary(Objective):
    """The max step: the generator learns, from student and teacher, where they disagree most.

    The gradient flows through both of them to the pieces, and neither changes: they are in eval() meanwhile.
    "divergence" is climbed; the teacher's entropy is reported beside it, because a cross-entropy can also
    be raised by text of which the teacher himself is unsure. distance: KL, unless given; the official code
    has SoftCrossEntropy().
    """

    def __init__(
        self,
        rewriter: MaskedLMRewriter,
        student: nn.Module,
        teacher: nn.Module,
        distance: Distance | None = None,
    ) -> None:
        super().__init__()
        sizes = [len(rewriter.tokenizer.vocab)]
        sizes += [encoder_of(model).config.vocab_size for model in (rewriter.generator, student, teacher)]
        if len(set(sizes)) > 1:
            raise ValueError(
                f"Tokenizer, generator, student and teacher know {sizes} pieces: they need one vocabulary"
                " (students.with_vocabulary cuts a table to another's pieces)."
            )
        self.generator = rewriter.generator
        self._others = rewriter, student, teacher  # a tuple: no modules of this one
        self.distance = distance or SoftenedKL()

    def forward(self, **batch: Tensor) -> dict[str, Term]:
        rewriter, student, teacher = self._others
        chosen = rewriter.choose(batch)
        pieces = gumbel_softmax(rewriter.guesses(batch, chosen))  # [N, V]
        with _held(student), _held(teacher):
            own, taught = (_logits(model, batch, chosen, pieces) for model in (student, teacher))
        sure = taught.detach().log_softmax(dim=-1)
        return {
            "divergence": Term(self.distance(own, taught).sum(), "rows", -1.0),
            "teacher_entropy": Term(-(sure.exp() * sure).sum(), "rows", 0.0),
        }

    @property
    def fingerprint(self) -> Any:
        share = self._others[0].share
        return {**super().fingerprint, "distance": stable_name(self.distance), "share": share}


def _logits(model: nn.Module, batch: Batch, chosen: Tensor, pieces: Tensor) -> Tensor:
    """What a model says of the mixture of text and written pieces, [B, C]."""
    inputs = {name: batch[name] for name in INPUTS if name in batch and name != "input_ids"}
    logits: Tensor = model(
        inputs_embeds=mixed_vectors(model, batch["input_ids"], chosen, pieces), **inputs
    ).logits
    return logits.float()


@contextmanager
def _held(model: nn.Module) -> Iterator[None]:
    """In eval(), and without gradients of its own: what is recorded here leaves none in its parameters."""
    learned = [(parameter, parameter.requires_grad) for parameter in model.parameters()]
    model.requires_grad_(False)
    try:
        with in_eval(model):
            yield
    finally:
        for parameter, was in learned:
            parameter.requires_grad_(was)


class RewrittenDistillation(Distillation):
    """The min step: a student learns from texts, and from the teacher's answers to rewritten ones.

    rewrite: a `MaskedLMRewriter`, which is not trained here, or a `RandomRewriter`. No label is carried over
    to a rewritten text: the teacher reads it and says what it is.
    """

    def __init__(
        self,
        student: nn.Module,
        teacher: nn.Module,
        matches: Sequence[Match],
        on_rewritten: Sequence[Match],
        rewrite: Rewrite,
    ) -> None:
        super().__init__(student, teacher, matches)
        self.on_rewritten = named(on_rewritten)
        if any(match.knowledge.gold for match in self.on_rewritten.values()):
            raise ValueError("Nobody knows the label of a rewritten text: match the teacher's answers there.")
        self.rewrite = rewrite

    def counts(self, batch: Batch) -> dict[str, Tensor | int]:
        """Also what matches on rewritten text are divided by, [] each, counted in the text itself."""
        units = (match.knowledge.unit for match in self.on_rewritten.values())
        return {**super().counts(batch), **{unit: UNITS[unit](batch).sum() for unit in units}}

    def forward(self, **batch: Tensor) -> dict[str, Term]:
        terms = super().forward(**batch)
        rewritten = self.rewrite(batch)
        parts = parts_of(self.on_rewritten.values())
        assert self.teacher is not None
        with torch.no_grad():
            teacher = observe(self.teacher, rewritten, parts)
        student = observe(self.student, rewritten, parts)
        further = terms_of(self.on_rewritten, student, teacher, rewritten)
        return terms | {f"rewritten_{name}": term for name, term in further.items()}


def mate_kd(distance: Distance | None = None) -> tuple[list[Match], list[Match]]:
    """MATE-KD's three losses, a third each: labels and answers on the text, answers on rewritten text.

    distance: the cross-entropy at temperature 1 of the official code, unless given.
    """
    soft = distance or SoftCrossEntropy()
    on_text = [Match(LABELS, ANSWER, cross_entropy, 1 / 3), Match(LOGITS, ANSWER, soft, 1 / 3)]
    return on_text, [Match(LOGITS, ANSWER, soft, 1 / 3)]
