"""One mask for a sentence, or many: RoBERTa's question (Liu et al., 2019, section 4.1), in a small BERT.

Before RoBERTa the masks were drawn while the text was prepared. BERT's code wrote every text ten times, with
a mask of its own each, and 40 epochs went over them, so that the model met each mask four times.
Sizes in the comments: B sentences of a batch, T tokens, V tokens of the vocabulary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy
from tqdm import tqdm

from lib.analysis.prediction.held_out import score
from lib.bert.heads import BertForPreTraining
from lib.records.small_bert import Texts, new_model
from lib.text.masking import Masking
from lib.text.pretraining_batches import PretrainingBatches
from lib.text.sentence_rows import SentenceRows
from lib.training.optim import adamw
from lib.training.schedules import LinearDecay

LENGTH, BATCH = 20, 32  # most tokens of a sentence, sentences in a step
READ = 40  # batches that are read again and again: 1,280 sentences
EPOCHS = 30
LEARNING_RATE = 4e-3
SCORED, SCORED_SEED = 12, 1000  # held-out batches, and the seed of their masks

Batches = list[Tensor]


def few_sentences(texts: Texts, seed: int, read: int | None = None) -> Batches:
    """Batches [B, T] of sentences, each batch of one length; `seed` draws which. `read`: how many."""
    rows = SentenceRows(texts.train, texts.tokenizer, LENGTH, BATCH, seed)
    unused = np.random.default_rng(0)
    return [
        torch.from_numpy(rows.draw(number, unused).ids) for number in range(READ if read is None else read)
    ]


def hide(ids: Tensor, texts: Texts, draw: int, masking: Masking | None = None) -> tuple[Tensor, Tensor]:
    """What the model reads and what it is to say, [B, T] each: BERT's 15% in 80, 10, 10 unless `masking`.

    The same `draw` hides the same places again. Labels are -100 where nothing was chosen.
    """
    masking = masking or Masking()
    tokenizer = texts.tokenizer
    candidates = ~np.isin(ids.numpy(), tokenizer.all_special_ids)
    rng = np.random.default_rng([3, draw])
    begins = np.ones_like(candidates)  # tokens are chosen one by one, so no word need begin anywhere
    inputs, labels = masking.corrupt(
        ids.numpy(), candidates, begins, len(tokenizer), tokenizer.mask_token_id, rng
    )
    return torch.from_numpy(inputs), torch.from_numpy(labels)


def masked_loss(model: BertForPreTraining, inputs: Tensor, labels: Tensor) -> Tensor:
    """The mean cross-entropy at the chosen places, in nats; the head sees these places alone."""
    chosen = labels != -100
    hidden = model.bert(inputs).last_hidden_state[chosen]
    return cross_entropy(model.cls.predictions(hidden), labels[chosen])


def steps_of(
    model: nn.Module, loss_of: Callable[[int], Tensor], steps: int, rate: float = LEARNING_RATE
) -> Iterator[float]:
    """Adam's steps, the rate up and then down a line to 0; the loss before each of them."""
    optimizer, schedule = adamw(model), LinearDecay(steps, rate)
    for step in range(steps):
        loss = loss_of(step)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for group in optimizer.param_groups:
            group["lr"] = schedule(step)
        optimizer.step()
        optimizer.zero_grad()
        yield loss.item()


def train(model: nn.Module, loss_of: Callable[[int], Tensor], steps: int, rate: float) -> list[float]:
    """All of Adam's steps, under a bar that grows; the loss before each."""
    return list(tqdm(steps_of(model, loss_of, steps, rate), total=steps))


def train_with_masks(
    masks: int, texts: Texts, seed: int, epochs: int = EPOCHS
) -> tuple[BertForPreTraining, float]:
    """A small BERT that read each sentence `epochs` times behind `masks` masks in turn, and its last loss.

    masks: 1 is one mask for good, `epochs` a new one each time. The loss is the mean of the last epoch.
    """
    if not 1 <= masks <= epochs:
        raise ValueError(f"{masks} masks for {epochs} epochs: give a number from 1 to {epochs}.")
    batches = few_sentences(texts, seed)
    model = new_model(texts, 2, 64, 4, seed)

    def loss_of(step: int) -> Tensor:
        epoch, number = divmod(step, len(batches))
        draw = 1000 * (epoch % masks) + number
        return masked_loss(model, *hide(batches[number], texts, draw))

    losses = list(steps_of(model, loss_of, epochs * len(batches)))
    last = losses[-len(batches) :]
    return model.eval(), sum(last) / len(last)


def held_out_score(model: BertForPreTraining, texts: Texts) -> dict[str, float]:
    """`loss` and share of hidden tokens `right`, on sentences that nobody read, all models the same ones."""
    rows = SentenceRows(texts.held_out, texts.tokenizer, LENGTH, BATCH, SCORED_SEED)
    found = score(model, PretrainingBatches(rows), SCORED)
    return {"loss": found["loss"], "right": found["pieces"]}


def guess_by_frequency(batches: Batches, texts: Texts) -> float:
    """The loss of a rule that reads nothing: each hidden token is guessed by how often it was read."""
    counts = torch.ones(len(texts.tokenizer))  # one each, so that no token is impossible
    for ids in batches:
        counts += torch.bincount(ids.flatten(), minlength=len(counts))
    counts[texts.tokenizer.all_special_ids] = 0
    log_probs = (counts / counts.sum()).log()
    rows = SentenceRows(texts.held_out, texts.tokenizer, LENGTH, BATCH, SCORED_SEED)
    unused = np.random.default_rng(0)
    losses = []
    for number in range(SCORED):
        ids = torch.from_numpy(rows.draw(number, unused).ids)
        _, labels = hide(ids, texts, number)
        losses.append(-log_probs[labels[labels != -100]])
    return float(torch.cat(losses).mean())
