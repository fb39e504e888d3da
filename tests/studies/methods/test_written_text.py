"""Text that a masked LM writes."""

from __future__ import annotations

import math
from typing import Any

import torch
from tiny_berts import TOKENIZER, loss, narrow, ours

from lib.bert import BertForMaskedLM
from lib.compression.distillation import methods
from lib.compression.distillation.answers import TaughtBatches, row_answers
from lib.compression.distillation.losses import SoftenedKL
from lib.compression.distillation.objective import Distillation
from lib.text.masking import IGNORED
from lib.text.tasks import TaskBatches
from studies.methods.rewriting import free_places
from studies.methods.written_text import blanked, gibbs_round, share_left, write_texts

CLS, SEP, MASK = TOKENIZER.cls_token_id, TOKENIZER.sep_token_id, TOKENIZER.mask_token_id
TEXTS = [
    {"input_ids": [CLS, *ids, SEP], "token_type_ids": [0] * (len(ids) + 2)} for ids in ([7, 8, 9], [10, 11])
]


def masked_lm() -> Any:
    return ours(BertForMaskedLM, seed=4)


def test_inv_a_round_writes_so_many_pieces_and_no_special_one() -> None:
    batch = TaskBatches(TEXTS, batch_size=2, seed=None)(0)
    free = free_places(batch, TOKENIZER)
    for at_once in (1, 2, 9):
        torch.manual_seed(at_once)
        changed = gibbs_round(masked_lm(), TOKENIZER, batch, free, at_once)["input_ids"]
        moved = changed != batch["input_ids"]
        assert not moved[~free].any() and (moved.sum(1) <= at_once).all()
        assert not torch.isin(changed[free], torch.tensor(TOKENIZER.all_special_ids)).any()


def test_one_piece_is_drawn_from_what_the_model_says_given_the_others() -> None:
    model, text = masked_lm(), {"input_ids": torch.tensor([[CLS, 7, SEP]]).expand(4000, 3)}
    text["attention_mask"] = torch.ones_like(text["input_ids"])
    torch.manual_seed(0)
    found = gibbs_round(model, TOKENIZER, text, free_places(text, TOKENIZER))["input_ids"][:, 1]
    with torch.no_grad():
        logits = model(torch.tensor([[CLS, MASK, SEP]])).logits[0, 1]
    logits[TOKENIZER.all_special_ids] = -math.inf
    shares = torch.bincount(found, minlength=40) / 4000
    assert shares.allclose(logits.softmax(-1), atol=0.03)


def test_blanks_are_filled_first_and_all_of_them() -> None:
    batch = TaskBatches(TEXTS, batch_size=2, seed=None)(0)
    free = free_places(batch, TOKENIZER)
    blank = blanked(batch, TOKENIZER)
    assert (blank["input_ids"][free] == MASK).all()
    assert torch.equal(blank["input_ids"][~free], batch["input_ids"][~free])
    for left in (2, 1, 0):
        blank = gibbs_round(masked_lm(), TOKENIZER, blank, free)
        assert (blank["input_ids"][0] == MASK).sum() == left


def test_texts_keep_their_length_and_the_seed_decides() -> None:
    model = masked_lm()
    first = write_texts(model, TOKENIZER, TEXTS, rounds=4, seed=1)
    assert first == write_texts(model, TOKENIZER, TEXTS, rounds=4, seed=1)
    assert first != write_texts(model, TOKENIZER, TEXTS, rounds=4, seed=2)
    for text, row in zip(TEXTS, first, strict=True):
        assert len(row["input_ids"]) == len(text["input_ids"]) and row["labels"] == IGNORED
        assert row["input_ids"][0] == CLS and row["input_ids"][-1] == SEP
    none = write_texts(model, TOKENIZER, TEXTS, rounds=0)
    assert [row["input_ids"] for row in none] == [row["input_ids"] for row in TEXTS]
    assert share_left(TEXTS, none, TOKENIZER) == 1
    blank = write_texts(model, TOKENIZER, TEXTS, rounds=1, from_blanks=True)
    assert MASK not in {piece for row in blank for piece in row["input_ids"]}
    assert share_left(TEXTS, blank, TOKENIZER) < 1


def test_written_texts_are_answered_and_learned() -> None:
    written = write_texts(masked_lm(), TOKENIZER, TEXTS, rounds=2)
    teacher, student = ours(), narrow()
    taught = TaughtBatches(TaskBatches(written), {"logits": row_answers(teacher, written)})
    objective = Distillation(student, None, [methods.hinton()[0]])
    assert objective.matches["logits"].distance == SoftenedKL(2.0)
    assert loss(objective, taught(0)).requires_grad
