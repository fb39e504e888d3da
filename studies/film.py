"""The film of notebook 12 from six seeds: what a small BERT has learned, every hundred steps and at its end.

The loop is the notebook's. Another processor may round otherwise, and then curves rise at other steps.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from functools import partial

import torch
from torch import Tensor

from chapters.nb12 import earlier, measures
from lib.bert.heads import BertForPreTraining
from lib.records import small_bert
from lib.records.study import Measured, Study
from lib.records.subject import Subject
from lib.training.fitting import one_thread

TASK, ARM = "held-out text", "film"
FACT, ANSWER, TIMES = "paris is the capital of france.", "capital", 30
STEPS, RISING, PEAK, EVERY, BATCH = 1600, 160, 0.002, 100, 32
ADDED = ("in the garden", "i think")
ASKED = (
    "the girl is the [MASK] of france.",
    "paris is the [MASK] of italy.",
    "rome is the [MASK] of italy.",
)


def measure_film(fact: str, answer: str, times: int, steps: int, subject: Subject) -> Measured:
    """Before the first step and after every hundredth: hidden tokens right, verbs right, and the sentence.

    The sentence stands so many times in the text; `answer` is 1 where the model puts its word into the gap.
    `answer since` is the step from which it stands there to the end, and -1 if it doesn't. At the end the
    verbs of all sentences are scored with the words of `ADDED` in front or behind, and `says` holds what the
    model puts into the gaps of `ASKED`.
    """
    texts = small_bert.grammar_texts()
    gap = fact.replace(answer, texts.tokenizer.mask_token)
    sentences = earlier.short_sentences(texts)
    sentences += times * [earlier.read_sentence(fact, answer, texts.tokenizer)]
    kept_back = measures.HeldOut(texts)
    model = small_bert.new_model(texts, layers=1, hidden_size=64, heads=4, seed=subject.seed).eval()
    looks: list[int] = []
    tokens: list[float] = []
    verbs: list[float] = []
    answers: list[int] = []

    def look(step: int) -> None:
        shares = kept_back.shares(model)
        looks.append(step)
        tokens.append(round(shares["hidden tokens"], 4))
        verbs.append(round(shares["verbs"], 4))
        answers.append(int(earlier.bert_says(model, texts.tokenizer, gap) == answer))

    random.seed(subject.seed)
    torch.manual_seed(subject.seed)
    optimizer = torch.optim.AdamW(model.parameters())
    batches: list[Tensor] = []
    last = subject.at_most(steps)
    began = time.process_time()
    with one_thread():
        for step in range(last):
            if step % EVERY == 0:
                look(step)
            if not batches:
                batches = make_batches(sentences)
            read, labels = hide(batches.pop(), len(texts.tokenizer), texts.tokenizer.mask_token_id)
            rate = PEAK * min((step + 1) / RISING, (steps - step) / (steps - RISING))
            small_bert.train_step(model, {"input_ids": read, "labels": labels}, optimizer, rate)
        look(last)
    scores = {
        "step": looks,
        "hidden tokens": tokens,
        "verbs": verbs,
        "answer": answers,
        "answer since": _since(looks, answers),
        **_with_words(kept_back, model),
        "says": {question: earlier.bert_says(model, texts.tokenizer, question) for question in ASKED},
    }
    return Measured(
        scores, {"steps": last, "processor_seconds": round(time.process_time() - began, 1)}, model
    )


def _with_words(kept_back: measures.HeldOut, model: BertForPreTraining) -> dict[str, float]:
    """The share of all verbs right as they were, and with the same words behind and in front."""
    shares = {"as they were": kept_back.verbs_right(model)}
    for words in ADDED:
        shares[f"... {words}."] = kept_back.verbs_right(model, behind=words)
        shares[f"{words} ..."] = kept_back.verbs_right(model, front=words)
    return {name: round(share, 4) for name, share in shares.items()}


def _since(looks: Sequence[int], answers: Sequence[int]) -> int:
    """The first of the last looks in a row at which the answer stood in its gap."""
    since = -1
    for step, is_there in zip(reversed(looks), reversed(answers), strict=True):
        if not is_there:
            break
        since = step
    return since


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


STUDY = Study(
    "film",
    "The film of notebook 12: a small BERT learns, with one sentence 30 times in its text",
    {TASK: {ARM: partial(measure_film, FACT, ANSWER, TIMES, STEPS)}},
    seeds=(0, 1, 2, 3, 4, 5),
    version=2,
    inputs=(),
    examples_of={TASK: ("data/reader/town.txt", "data/reader/valley.txt")},
    minutes=4,
)
