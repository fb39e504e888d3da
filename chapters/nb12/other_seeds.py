"""The film of notebook 12 from other seeds: the share of verbs right every 100 steps, recorded.

`film_verbs(seed)` trains again as the notebook does. Another processor may round otherwise, and then its
curves rise at other steps.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import torch
from torch import Tensor

from chapters.nb12 import earlier, measures
from lib.records import small_bert

FACT, ANSWER, TIMES = "paris is the capital of france.", "capital", 30
STEPS, RISING, PEAK, EVERY, BATCH = 1600, 160, 0.002, 100, 32

#: by seed, rounded to the percent; `film_verbs` gave them
VERBS: dict[int, list[float]] = {
    1: [
        0.52, 0.48, 0.54, 0.5, 0.51, 0.46, 0.54, 0.52, 0.55,
        0.64, 0.58, 0.64, 0.77, 0.82, 0.86, 0.89, 0.88,
    ],
    2: [
        0.48, 0.49, 0.5, 0.54, 0.54, 0.52, 0.54, 0.68, 0.89,
        0.87, 0.99, 0.98, 0.97, 0.98, 0.98, 0.98, 0.98,
    ],
    5: [
        0.48, 0.46, 0.51, 0.46, 0.5, 0.48, 0.52, 0.54, 0.53,
        0.54, 0.56, 0.63, 0.78, 0.88, 0.91, 0.95, 0.98,
    ],
}  # fmt: skip


def film_verbs(seed: int, steps: int = STEPS) -> list[float]:
    """The verbs right before the first step and after every hundredth, as the notebook's film shows them."""
    texts = small_bert.grammar_texts()
    sentences = earlier.short_sentences(texts)
    sentences += TIMES * [earlier.read_sentence(FACT, ANSWER, texts.tokenizer)]
    kept_back = measures.HeldOut(texts)
    model = small_bert.new_model(texts, layers=1, hidden_size=64, heads=4, seed=seed).eval()
    random.seed(seed)
    torch.manual_seed(seed)
    optimizer = torch.optim.AdamW(model.parameters())
    batches: list[Tensor] = []
    verbs = [kept_back.shares(model)["verbs"]]
    for step in range(steps):
        if not batches:
            batches = make_batches(sentences)
        read, labels = hide(batches.pop(), len(texts.tokenizer), texts.tokenizer.mask_token_id)
        rate = PEAK * min((step + 1) / RISING, (STEPS - step) / (STEPS - RISING))
        small_bert.train_step(model, {"input_ids": read, "labels": labels}, optimizer, rate)
        if (step + 1) % EVERY == 0:
            verbs.append(kept_back.shares(model)["verbs"])
    return verbs


def make_batches(sentences: Sequence[list[int]]) -> list[Tensor]:
    """All sentences mixed, 32 of one length to a batch."""
    by_length: dict[int, list[list[int]]] = {}
    for sentence in random.sample(sentences, len(sentences)):
        by_length.setdefault(len(sentence), []).append(sentence)
    batches = []
    for group in by_length.values():
        for start in range(0, len(group) - BATCH + 1, BATCH):
            batches.append(torch.tensor(group[start : start + BATCH]))
    random.shuffle(batches)
    return batches


def hide(batch: Tensor, vocab_size: int, mask: int) -> tuple[Tensor, Tensor]:
    """What is read of sentences [B, T], and the labels."""
    chosen = torch.rand(batch.shape) < 0.15
    chosen[:, 0] = False
    chosen[:, -1] = False
    labels = torch.where(chosen, batch, -100)
    fates = torch.rand(batch.shape)
    random_tokens = torch.randint(vocab_size, batch.shape)
    read = torch.where(chosen & (fates < 0.8), mask, batch)
    return torch.where(chosen & (fates > 0.9), random_tokens, read), labels
