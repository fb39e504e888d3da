"""Replaced tokens to be found (ELECTRA; Clark et al., 2020), in a small BERT, beside a masked one.

A small generator fills hidden places with samples. The discriminator says of every token whether it was
replaced. Left out of the paper: the two share no embeddings here, and each chosen place shows [MASK].
Sizes in the comments: B sentences, T tokens, D hidden size, V tokens of the vocabulary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from chapters.nb37 import how_often
from lib.analysis.cost.formulas import count_multiplications, count_training
from lib.bert import BertConfig, BertModel
from lib.bert.heads import BertForPreTraining
from lib.records.small_bert import Texts, agreement_test, new_model
from lib.text.masking import Masking
from lib.text.sentence_rows import SentenceRows

BUDGET = 2e11  # multiply-adds of a run
WEIGHT = 50.0  # of the discriminator's loss (section 3.2)
RATE = 7e-4  # of generator and discriminator; the masked model keeps its own
ALL_MASKED = Masking(mask=1.0, random=0.0)


def replace_tokens(ids: Tensor, chosen: Tensor, sampled: Tensor) -> tuple[Tensor, Tensor]:
    """What the discriminator reads, and whether each of its tokens differs from the true one.

    ids, chosen (bool) and sampled are [B, T]; a sample that hits the true token is labeled False.
    """
    inputs = torch.where(chosen, sampled, ids)
    labels = inputs != ids
    return inputs, labels


class Electra(nn.Module):
    """A generator, one layer of 32, and a discriminator, two layers of 64, with a score for every token."""

    def __init__(self, texts: Texts, seed: int):
        super().__init__()
        self.generator = new_model(texts, 1, 32, 4, seed)
        self.discriminator: BertModel = new_model(texts, 2, 64, 4, seed).bert
        self.head = nn.Sequential(nn.Linear(64, 64), nn.GELU(), nn.Linear(64, 1))

    def scores(self, inputs: Tensor) -> Tensor:
        """[B, T]: the higher, the likelier is a token one that was replaced."""
        return self.head(self.discriminator(inputs).last_hidden_state).squeeze(-1)


@torch.no_grad()
def sample(model: BertForPreTraining, masked: Tensor, chosen: Tensor, generator: torch.Generator) -> Tensor:
    """[B, T]: at chosen places a token drawn by the model's probabilities there, elsewhere what is read."""
    logits = model.cls.predictions(model.bert(masked).last_hidden_state[chosen])  # [N, V]
    drawn = torch.multinomial(logits.softmax(dim=-1), 1, generator=generator).squeeze(-1)
    sampled = masked.clone()
    sampled[chosen] = drawn
    return sampled


def electra_loss(model: Electra, ids: Tensor, texts: Texts, draw: int, weight: float = WEIGHT) -> Tensor:
    """The generator's masked-LM loss plus `weight` times the discriminator's, as in equation 4."""
    masked, labels = how_often.hide(ids, texts, draw, ALL_MASKED)
    chosen = labels != -100
    logits = model.generator.cls.predictions(model.generator.bert(masked).last_hidden_state[chosen])
    generator_loss = cross_entropy(logits, ids[chosen])
    draws = torch.Generator().manual_seed(draw)
    sampled = masked.clone()
    sampled[chosen] = torch.multinomial(logits.detach().softmax(dim=-1), 1, generator=draws).squeeze(-1)
    inputs, replaced = replace_tokens(ids, chosen, sampled)
    return generator_loss + weight * binary_cross_entropy_with_logits(model.scores(inputs), replaced.float())


def work_of(config: BertConfig, ids: Tensor, targets: float, everywhere: bool) -> float:
    """Multiply-adds of a training step on `ids` [B, T], with `targets` places a row to guess.

    everywhere: the head is a score for every token instead (64 x 64 and 64 to one).
    """
    rows, length = ids.shape
    if not everywhere:
        return rows * count_training(config, length, targets)
    head = length * (config.hidden_size**2 + config.hidden_size)
    return 3.0 * rows * (sum(count_multiplications(config, length).values()) + head)


def steps_for(budget: float, texts: Texts, seed: int, models: list[tuple[BertConfig, bool]]) -> int:
    """How many steps these multiply-adds last, where a step trains all of the models.

    models: the config of each, and whether it says something of every token.
    """
    batch = reader(texts, seed)
    left, step = budget, 0
    while left > 0:
        ids = batch(step)
        targets = float((how_often.hide(ids, texts, step)[1] != -100).sum()) / len(ids)
        left -= sum(work_of(config, ids, targets, everywhere) for config, everywhere in models)
        step += 1
    return step


def reader(texts: Texts, seed: int, *, held_out: bool = False) -> Callable[[int], Tensor]:
    """Batch number -> ids [B, T]: sentences in an order that `seed` draws, all of them before one again."""
    corpus = texts.held_out if held_out else texts.train
    rows = SentenceRows(corpus, texts.tokenizer, how_often.LENGTH, how_often.BATCH, seed)
    unused = np.random.default_rng(0)
    return lambda number: torch.from_numpy(rows.draw(number, unused).ids)


def train_masked(
    texts: Texts, seed: int, budget: float = BUDGET, most: int | None = None
) -> tuple[BertForPreTraining, int]:
    """A masked model of two layers of 64, and its steps."""
    model = new_model(texts, 2, 64, 4, seed)
    steps = min(steps_for(budget, texts, seed, [(model.config, False)]), most or 10**9)
    batch = reader(texts, seed)

    def loss_of(step: int) -> Tensor:
        return how_often.masked_loss(model, *how_often.hide(batch(step), texts, step))

    for _ in how_often.steps_of(model, loss_of, steps):
        pass
    return model.eval(), steps


def train_electra(
    texts: Texts, seed: int, budget: float = BUDGET, most: int | None = None, rate: float = RATE,
    weight: float = WEIGHT,
) -> tuple[Electra, int]:  # fmt: skip
    """Generator and discriminator together, and their steps."""
    model = Electra(texts, seed)
    both = [(model.generator.config, False), (model.discriminator.config, True)]
    steps = min(steps_for(budget, texts, seed, both), most or 10**9)
    batch = reader(texts, seed)

    def loss_of(step: int) -> Tensor:
        return electra_loss(model, batch(step), texts, step, weight)

    for _ in how_often.steps_of(model, loss_of, steps, rate):
        pass
    return model.eval(), steps


def ranked_right(replaced: Tensor, original: Tensor) -> float:
    """The AUC: the share of pairs, a score of each, in which the replaced one is higher; a tie is a half."""
    higher = (replaced[:, None] > original[None, :]).double().mean()
    equal = (replaced[:, None] == original[None, :]).double().mean()
    return float(higher + equal / 2)


@torch.inference_mode()
def held_out_tokens(
    model: Electra, texts: Texts, masked: BertForPreTraining | None = None
) -> tuple[Tensor, Tensor]:
    """Scores [N] of the tokens of held-out sentences, and whether each was replaced; no [CLS] and no [SEP].

    The samples are the generator's, the same ones in each call. With a masked model it gives the scores:
    minus the log probability of the token that stands there.
    """
    read = reader(texts, how_often.SCORED_SEED, held_out=True)
    special = torch.tensor(texts.tokenizer.all_special_ids)  # never replaced, so too easy
    scores, labels = [], []
    for number in range(how_often.SCORED):
        ids = read(number)
        hidden, targets = how_often.hide(ids, texts, 10_000 + number, ALL_MASKED)
        chosen = targets != -100
        sampled = sample(model.generator, hidden, chosen, torch.Generator().manual_seed(number))
        inputs, replaced = replace_tokens(ids, chosen, sampled)
        if masked is None:
            score = model.scores(inputs)
        else:
            log_probs = masked.cls.predictions(masked.bert(inputs).last_hidden_state).log_softmax(dim=-1)
            score = -log_probs.gather(-1, inputs[..., None]).squeeze(-1)
        counted = ~torch.isin(ids, special)
        scores.append(score[counted])
        labels.append(replaced[counted])
    return torch.cat(scores), torch.cat(labels)


def detection(model: Electra, texts: Texts, masked: BertForPreTraining | None = None) -> dict[str, float]:
    """How well replaced tokens are found in held-out sentences, by `model` or by a masked model.

    `auc`; `all original`, the accuracy of always answering so; without `masked` also `accuracy` and `recall`,
    the found share of the replaced.
    """
    score, label = held_out_tokens(model, texts, masked)
    found = {
        "auc": ranked_right(score[label], score[~label]),
        "all original": float((~label).double().mean()),
    }
    if masked is None:
        found["accuracy"] = float(((score > 0) == label).double().mean())
        found["recall"] = float((score[label] > 0).double().mean())
    return found


class Verbs(NamedTuple):
    """Sentences of one test: [MASK] stands for the verb, of which two forms are given (notebook 12)."""

    batch: dict[str, Tensor]
    at: Tensor  # bool [B, T], where the verb stands
    right: Tensor  # [B]
    wrong: Tensor  # [B]


def verbs(texts: Texts) -> Iterator[Verbs]:
    """All sentences whose two forms of the verb are one token each, 64 at a time."""
    tokenizer = texts.tokenizer
    pairs = [one for one in agreement_test() if one.right in tokenizer.vocab and one.wrong in tokenizer.vocab]
    for start in range(0, len(pairs), 64):
        some = pairs[start : start + 64]
        batch = tokenizer([pair.text for pair in some])
        right, wrong = (
            torch.tensor(tokenizer.convert_tokens_to_ids(forms))
            for forms in ([pair.right for pair in some], [pair.wrong for pair in some])
        )
        yield Verbs(batch, batch["input_ids"] == tokenizer.mask_token_id, right, wrong)


@torch.inference_mode()
def finds_wrong_verbs(model: Electra, texts: Texts) -> float:
    """The share of sentences in which the wrong form of the verb looks more like a replaced token."""
    better = []
    for batch, at, right, wrong in verbs(texts):
        scores = []
        for form in (right, wrong):
            ids = batch["input_ids"].clone()
            ids[at] = form
            hidden = model.discriminator(ids, attention_mask=batch["attention_mask"]).last_hidden_state
            scores.append(model.head(hidden).squeeze(-1)[at])
        better.append(scores[1] > scores[0])
    return float(torch.cat(better).double().mean())


@torch.inference_mode()
def verbs_right(model: BertForPreTraining, texts: Texts) -> float:
    """The share of verbs whose right form the masked model finds likelier."""
    better = []
    for batch, at, right, wrong in verbs(texts):
        logits = model.cls.predictions(model.bert(**batch).last_hidden_state[at])  # [B, V]
        rows = torch.arange(len(right))
        better.append(logits[rows, right] > logits[rows, wrong])
    return float(torch.cat(better).double().mean())
