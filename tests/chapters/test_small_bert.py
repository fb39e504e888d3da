"""Small BERTs pretrained while one watches: their text, the arms, agreement, and what is resolved."""

import copy
from itertools import pairwise

import pytest
import torch
import torch.nn.functional as F
from torch.utils.flop_counter import FlopCounterMode

from chapters.nb12 import ngram_scores, pretraining_choices
from chapters.nb12.one_way import SIDES, Glued, see_one_side
from chapters.nb12.verb_agreement import (
    Score,
    between,
    in_one_piece,
    model_agrees,
    ngrams_agree,
    total,
)
from lib.analysis.cost.formulas import count_multiplications, count_training
from lib.analysis.prediction.held_out import score, whole_words_hidden
from lib.records import small_bert
from lib.text import documents, reader, sentences
from lib.text.masking import IGNORED, Masking
from lib.text.ngrams import BlankFiller, NGrams
from lib.text.pair_rows import PairRows
from lib.text.pair_tasks import NO_PAIRS
from lib.text.pretraining_batches import PretrainingBatches
from lib.text.sentence_rows import SentenceRows
from lib.training.loop import Trainer
from lib.training.optim import adamw
from lib.training.pretraining import PretrainingObjective, pretraining_trainer
from lib.training.schedules import LinearDecay

FORMS = ("is", "are", "was", "were", "has", "have")


@pytest.fixture(scope="module")
def texts(tmp_path_factory) -> small_bert.Texts:
    return small_bert.pack_texts(*small_bert.hold_out(reader()), 900, tmp_path_factory.mktemp("texts"))


@pytest.fixture(scope="module")
def model(texts):
    return small_bert.new_model(texts, layers=2, hidden_size=16, heads=2, seed=0).eval()


def batches(texts, corpus=None):
    rows = PairRows(texts.train if corpus is None else corpus, texts.tokenizer, 32, 4, NO_PAIRS)
    return PretrainingBatches(rows)


def test_every_eighth_document_is_held_out(texts):
    assert len(texts.held_out) == len(reader()) // 8
    assert len(texts.train) + len(texts.held_out) == len(reader())
    assert len(texts.tokenizer) == 900


def test_the_domains_share_no_document():
    inside = set(map(tuple, small_bert.in_domain()))
    outside = set(map(tuple, documents(small_bert.reader_folder / "coast.txt")))
    assert inside and outside and not inside & outside
    assert len(inside | outside) == len(reader())


@pytest.fixture(scope="module")
def grammar_texts() -> small_bert.Texts:
    return small_bert.grammar_texts()


def sentences_of(corpus, tokenizer):
    """The sentences of a packed corpus, as text."""
    found = SentenceRows(corpus, tokenizer, 64, 1)
    return {tokenizer.decode(corpus.tokens[start : start + n].tolist()) for start, n in found.sentences}


def test_none_of_the_scored_sentences_is_read(grammar_texts):
    drawn = {pair.text for pair in small_bert.grammar.agreement_pairs(small_bert.DRAWN, seed=1)}
    assert len(small_bert.agreement_test()) == small_bert.PAIRS
    # `agreement_train` has to leave some out
    assert any(pair.text in drawn for pair in small_bert.agreement_test())
    read = sentences_of(grammar_texts.train, grammar_texts.tokenizer)
    whole = {pair.text.replace("[MASK]", pair.right).lower() for pair in small_bert.agreement_test()}
    assert not whole & read


def test_hardly_a_held_out_sentence_is_read(grammar_texts):
    read, held_out = (
        sentences_of(corpus, grammar_texts.tokenizer)
        for corpus in (grammar_texts.train, grammar_texts.held_out)
    )
    assert len(held_out) > 300
    assert len(held_out & read) < 0.02 * len(held_out)  # a story may repeat a sentence of another


def test_half_of_the_agreeing_sentences_have_nothing_in_between():
    read = small_bert.agreement_train()
    beside = [line for line in read if len(line.split()[2:]) and line.split()[2].strip(".") in FORMS]
    assert 0.45 < len(beside) / len(read) < 0.6


def test_snapshots_are_taken_at_their_steps(texts, capsys):
    def film(steps):
        young = small_bert.new_model(texts, layers=1, hidden_size=16, heads=2, seed=0)
        for snapshot in small_bert.train_with_snapshots(young, batches(texts), steps):
            assert not young.training
            yield snapshot, young.bert.embeddings.word_embeddings.weight.detach().clone()

    found, again = list(film((0, 2, 5))), list(film((5,)))
    assert [(snapshot.step, snapshot.tokens) for snapshot, _ in found] == [(0, 0), (2, 256), (5, 640)]
    assert found[0][0].seconds <= found[1][0].seconds <= found[2][0].seconds
    assert not torch.equal(found[0][1], found[1][1])
    assert torch.equal(found[2][1], again[0][1])  # looking changes nothing
    printed = capsys.readouterr()
    assert not printed.out and not printed.err  # no bar that would write into the film


def test_the_step_to_be_read_is_that_of_the_trainer(texts):
    young, other = (small_bert.new_model(texts, layers=1, hidden_size=16, heads=2, seed=0) for _ in range(2))
    source = PretrainingBatches(SentenceRows(texts.train, texts.tokenizer, 20, 4))
    schedule, optimizer = LinearDecay(6, 1e-2), adamw(young)
    losses = [small_bert.train_step(young, source(n), optimizer, schedule(n)) for n in range(6)]
    trainer = pretraining_trainer(other, source, schedule)
    assert losses == pytest.approx([trainer.step()["masked_lm"] for _ in range(6)], abs=1e-3)
    assert all(weight.grad is None for weight in young.parameters())


@pytest.mark.parametrize("steps", [(), (5, 2), (2, 2), (-1, 3)])
def test_steps_that_do_not_ascend_are_refused(steps, texts, model):
    with pytest.raises(ValueError, match="give ascending numbers from 0"):
        next(small_bert.train_with_snapshots(model, batches(texts), steps))


def test_the_cost_of_a_step_is_what_pytorch_counts(texts, model):
    batch = batches(texts)(0)
    with FlopCounterMode(display=False) as counter:
        PretrainingObjective(model)(**batch)["masked_lm"].sum.backward()
    model.zero_grad()
    targets = int((batch["labels"] != IGNORED).sum()) / 4
    attention = 3 * count_multiplications(model.config, 32)["attention"]  # fused, it is not counted on a CPU
    counted = count_training(model.config, 32, targets) - attention
    assert 2 * 4 * counted == pytest.approx(counter.get_total_flops(), rel=0.001)


@pytest.mark.parametrize("side", SIDES)
def test_a_model_that_sees_one_side_alone_does(side, texts, model):
    ids = batches(texts)(0)["input_ids"]  # [4, 32]
    other, kept = ids.clone(), slice(None, 20) if side == "left side" else slice(12, None)
    hidden = slice(20, None) if side == "left side" else slice(None, 12)
    other[:, hidden] = other[:, hidden].flip(1)
    one_sided = copy.deepcopy(model).eval()
    see_one_side(one_sided, side)
    with torch.no_grad():
        one, two = (one_sided.bert(x).last_hidden_state for x in (ids, other))
        two_sided = model.bert(ids).last_hidden_state
        short, real = ids[:, :20], torch.ones(4, 20)
        alone = one_sided.bert(short).last_hidden_state
        padded = one_sided.bert(F.pad(short, (0, 3)), F.pad(real, (0, 3))).last_hidden_state
    torch.testing.assert_close(one[:, kept], two[:, kept])
    assert not torch.allclose(one[:, hidden], two[:, hidden])
    assert not torch.allclose(two_sided[:, kept], one[:, kept])
    torch.testing.assert_close(padded[:, :20], alone)


def test_glued_models_add_what_they_say(texts, model):
    ids = batches(texts)(0)["input_ids"]
    with torch.no_grad():
        one, twice = model(ids), Glued(model, model)
        output = twice.bert(ids)
        logits = twice.cls.predictions(output.last_hidden_state[:, 5])  # [4, V]
    torch.testing.assert_close(logits, 2 * one.prediction_logits[:, 5])
    torch.testing.assert_close(output.pooler_output, model.bert(ids).pooler_output)
    held_out = PretrainingBatches(SentenceRows(texts.held_out, texts.tokenizer, 20, 4))
    assert score(twice, held_out, 2)["pieces"] == score(model, held_out, 2)["pieces"]


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(pretraining_choices, "SCORED", 2)
    monkeypatch.setattr(pretraining_choices, "agreement_test", lambda: small_bert.agreement_test()[:20])


@pytest.mark.parametrize("name", ["spans", "left to right", "glued"])
def test_an_arm_is_tried_with_what_the_budget_buys(name, grammar_texts, quick):
    arm = pretraining_choices.ARMS[name]
    short = pretraining_choices.pretrain_and_measure(arm, 0, grammar_texts, budget=1e9)
    assert short == pretraining_choices.pretrain_and_measure(arm, 0, grammar_texts, budget=1e9)
    longer = pretraining_choices.pretrain_and_measure(arm, 0, grammar_texts, budget=2e9)
    assert 0 < short["steps"] < longer["steps"]
    assert short["loss"] > 0 and 0 <= short["right"] <= 1
    assert ("right at [MASK]" not in short) == (name == "left to right")


@pytest.mark.parametrize(
    "name", ["base", "50 %", "left to right", "glued", "128 wide", "windows", "next sentence"]
)
def test_all_arms_cost_the_same(name, grammar_texts, quick):
    spent = []

    def count(trainer):
        labels = trainer.batches(trainer.steps_done)["labels"]
        targets = int((labels != IGNORED).sum()) / len(labels)
        spent.append(len(labels) * count_training(trainer.objective.model.config, labels.size(1), targets))
        trainer.steps_done += 1
        return {"loss": 0.0}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Trainer, "step", count)
        arm = pretraining_choices.ARMS[name]
        steps = pretraining_choices.pretrain_and_measure(arm, 0, grammar_texts, budget=1e10)["steps"]
    assert steps > 10
    assert 1e10 <= sum(spent) < 1e10 + 2 * max(spent)  # the last step of a run begins within its budget


def test_agreement_is_a_comparison_of_two_logits(texts, model):
    pairs = in_one_piece(sentences.agreement(), texts.tokenizer)[:70]
    agrees = model_agrees(model, texts.tokenizer, pairs)
    for pair, is_right in [*zip(pairs, agrees, strict=True)][::14]:
        batch = texts.tokenizer(pair.text)
        place = int((batch["input_ids"][0] == texts.tokenizer.mask_token_id).nonzero())
        with torch.no_grad():
            logits = model.cls.predictions(model.bert(**batch).last_hidden_state)[0, place]
        right, wrong = texts.tokenizer.convert_tokens_to_ids([pair.right, pair.wrong])
        assert is_right == bool(logits[right] > logits[wrong])


def test_a_score_has_an_interval():
    pairs = sentences.agreement()
    marks = [pair.right == "are" for pair in pairs]
    assert total(marks)[:2] == (100, 200)
    assert str(Score(1, 2, 0.1, 0.9)) == "1/2 = 50% (10% to 90%)"


def test_hand_written_pairs_are_balanced():
    pairs = sentences.agreement()
    assert len(pairs) == len({pair.text for pair in pairs}) == 200
    for pair in pairs:
        assert (
            pair.words[pair.place] == "[MASK]" and pair.words[pair.place - pair.distance - 1] == pair.subject
        )
        assert (pair.right == "are") == (pair.subject in {p.subject for p in pairs if p.right == "are"})
    for kind, count in (("none", 40), ("phrase", 80), ("relative clause", 80)):
        some = [pair for pair in pairs if pair.kind == kind]
        assert len(some) == count and sum(pair.differs for pair in some) == (0 if kind == "none" else 40)


def test_a_row_is_a_sentence(grammar_texts):
    tokenizer, corpus = grammar_texts.tokenizer, grammar_texts.train
    rows = SentenceRows(corpus, tokenizer, 20, 32)
    batches = PretrainingBatches(rows, Masking(1e-9, mask=0, random=0))
    ends = tokenizer.convert_tokens_to_ids([".", "!", "?"])
    read = []
    for number in range(rows.size // 32):
        batch = batches(number)
        ids = batch["input_ids"]
        assert ids.shape[0] == 32 and ids.shape[1] <= 20
        assert (ids[:, 0] == tokenizer.cls_token_id).all() and (ids[:, -1] == tokenizer.sep_token_id).all()
        assert not (ids == tokenizer.pad_token_id).any() and not batch["token_type_ids"].any()
        assert not torch.isin(ids[:, 1:-2], torch.tensor(ends)).any()  # one sentence, not two
        read += ids.tolist()
    starts = [start for start, _ in rows.sentences]
    assert len(starts) == len(set(starts)) and 0.9 * len(starts) < len(read) == rows.size <= len(starts)
    again = PretrainingBatches(SentenceRows(corpus, tokenizer, 20, 32), batches.corruption)
    assert torch.equal(again(5)["input_ids"], batches(5)["input_ids"])
    assert sorted(map(len, read)) != list(map(len, read))  # long and short ones in turn


def test_ngrams_are_scored_on_the_same_blanks(texts):
    held_out = whole_words_hidden(batches(texts, texts.held_out))
    tokens, starts = texts.train.tokens, texts.train.starts.tolist()
    documents = [
        texts.tokenizer.convert_ids_to_tokens(tokens[start:end].tolist()) for start, end in pairwise(starts)
    ]
    filler = BlankFiller(documents, list(texts.tokenizer.vocab), 1)
    one = ngram_scores.score_ngrams(filler, batches(texts, texts.held_out), 1)
    batch = held_out(0)
    labels = batch["labels"][batch["labels"] != IGNORED].tolist()
    pieces = [piece for document in documents for piece in document]
    most = max(set(pieces), key=pieces.count)
    assert one["pieces"] == pytest.approx(
        sum(list(texts.tokenizer.vocab)[number] == most for number in labels) / len(labels)
    )


def test_ngrams_agree_by_what_they_counted(texts):
    pairs = [pair for pair in sentences.agreement() if pair.kind == "none"]
    tokenized = [texts.tokenizer.tokenize(pair.text.replace("[MASK]", pair.right)) for pair in pairs]
    assert all(ngrams_agree(NGrams(tokenized, list(texts.tokenizer.vocab)), texts.tokenizer, pairs))
    assert {between(pair) for pair in pairs} == {"nothing"}
