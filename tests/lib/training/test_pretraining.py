"""Pretraining: batches are pure functions of their number, and a run that was killed goes on exactly."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers

from lib.bert import BertConfig, WordPieceTokenizer
from lib.bert.heads import BertForPreTraining
from lib.text import documents, reader
from lib.text.masking import IGNORED, Masking, SpanMasking, choose, mask_pieces
from lib.text.packing import PackedCorpus, pack, train_tokenizer
from lib.text.pair_rows import SENTENCE_ENDS, PairRows
from lib.text.pair_tasks import NO_PAIRS, PAIR_TASKS, SENTENCE_ORDER
from lib.text.pretraining_batches import PretrainingBatches
from lib.training.checkpoints import Checkpoints, read_log
from lib.training.loop import Trainer
from lib.training.preparing import pack_once, tokenizer_once
from lib.training.pretraining import PretrainingObjective, fit_pair_head, pretraining_trainer
from lib.training.schedules import LinearDecay

TINY = BertConfig(
    hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64,
    hidden_dropout_prob=0.1, vocab_size=1200,
)  # fmt: skip


@pytest.fixture(scope="session")
def tokenizer() -> WordPieceTokenizer:
    return train_tokenizer(reader(), 1200)


@pytest.fixture(scope="session")
def corpus(tokenizer, tmp_path_factory) -> PackedCorpus:
    return pack(reader(), tokenizer, tmp_path_factory.mktemp("packed") / "reader")


# --- packing --------------------------------------------------------------------------------------


def test_the_same_text_gives_the_same_vocabulary(tokenizer) -> None:
    for _ in range(3):
        assert list(train_tokenizer(reader(), 1200).vocab) == list(tokenizer.vocab)
    assert "##e" in tokenizer.vocab and "##!" not in tokenizer.vocab


RARE = """
import sys
from lib.text.packing import train_tokenizer
characters = [chr(start + number) for start in (0xA000, 0x12000) for number in range(800)]
words = [one + other for one, other in zip(characters, characters[1:] + characters[:1])]
print(ascii(list(train_tokenizer([[" ".join(3 * words)]], 2500).vocab)))
"""


def test_rare_characters_are_dropped_alike_in_every_process(capsys) -> None:
    """Beyond 1,000 characters some go, and of those that are equally rare it has to be the same."""
    exec(RARE, {})
    here = capsys.readouterr().out
    # strings have another hash there, whatever they have here
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    run = subprocess.run([sys.executable, "-c", RARE], env=environment, capture_output=True, text=True)
    assert run.stdout == here and here.count("##") > 900, run.stderr


def test_a_vocabulary_without_room_for_the_characters_is_refused() -> None:
    with pytest.raises(ValueError, match=r"10 pieces have no room for .*: ask for at least 12"):
        train_tokenizer([["abc abd"]], 10)
    assert len(train_tokenizer([["abc abd"]], 12)) == 12


def test_a_packed_corpus_holds_the_ids_of_our_tokenizer(corpus, tokenizer) -> None:
    for number in (0, 30, 61):
        ids = corpus.tokens[corpus.starts[number] : corpus.starts[number + 1]]
        expected = [
            piece
            for text in reader()[number]
            for piece in tokenizer.convert_tokens_to_ids(tokenizer.tokenize(text))
        ]
        assert ids.tolist() == expected
    assert len(corpus) == 62 and corpus.dtype == np.uint16


def test_what_was_cut_short_is_refused(tokenizer, tmp_path) -> None:
    made = pack([["one two three"]], tokenizer, tmp_path / "packed")
    with pytest.raises(ValueError, match="exists: remove it"):
        pack([["four"]], tokenizer, tmp_path / "packed")
    tokens = made.folder / "tokens.bin"
    tokens.write_bytes(tokens.read_bytes()[:-2])
    with pytest.raises(ValueError, match="cut short"):
        PackedCorpus(made.folder)
    with pytest.raises(ValueError, match="no packed corpus"):
        PackedCorpus(tmp_path)


def test_packing_that_fails_leaves_nothing(tokenizer, tmp_path) -> None:
    def torn():
        yield ["one two"]
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="gone"):
        pack(torn(), tokenizer, tmp_path / "packed")
    assert not list(tmp_path.iterdir())
    umask = os.umask(0o022)
    os.umask(umask)
    made = pack([["one two"]], tokenizer, tmp_path / "packed")
    assert made.folder.stat().st_mode & 0o777 == 0o777 & ~umask or os.name == "nt"
    assert list(tmp_path.iterdir()) == [made.folder]


@pytest.mark.parametrize("same", [True, False])
def test_of_two_that_pack_at_once_the_first_counts(tokenizer, tmp_path, same) -> None:
    def overtaken():
        yield ["one two three"]
        pack([["one two three" if same else "four five"]], tokenizer, tmp_path / "packed")

    if same:
        assert len(pack(overtaken(), tokenizer, tmp_path / "packed")) == 1
    else:
        with pytest.raises(ValueError, match="exists: remove it"):
            pack(overtaken(), tokenizer, tmp_path / "packed")
    assert [path.name for path in tmp_path.iterdir()] == ["packed"]


@pytest.fixture
def texts_once(tokenizer, tmp_path):
    """Two files in a folder, and what packs them once."""
    folder = tmp_path / "texts"
    folder.mkdir()
    for name in ("a", "b"):
        (folder / f"{name}.txt").write_text(f"one two three {name}\n", encoding="utf-8")
    return folder, lambda: pack_once(documents(folder), tokenizer, tmp_path / "packed", [folder])


@pytest.mark.parametrize(
    "change",
    [
        lambda folder: (folder / "a.txt").write_text("one two seven a\n", encoding="utf-8"),  # of equal size
        lambda folder: (folder / "a.txt").rename(folder / "c.txt"),
        lambda folder: (folder / "d.txt").write_text("four\n", encoding="utf-8"),
    ],
)
def test_a_text_that_was_changed_is_not_read_from_the_old_pack(texts_once, change) -> None:
    folder, pack_texts = texts_once
    assert pack_texts().card == pack_texts().card
    change(folder)
    with pytest.raises(ValueError, match=r"packed was made with sha256\.0 = "):
        pack_texts()


@pytest.mark.parametrize("name", ["tokens.bin", "documents.npy"])
def test_a_byte_of_the_pack_that_was_changed_is_noticed(texts_once, name) -> None:
    _, pack_texts = texts_once
    path = pack_texts().folder / name
    data = bytearray(path.read_bytes())
    data[-8 if name == "tokens.bin" else -16] ^= 1
    path.write_bytes(data)
    with pytest.raises(ValueError, match="holds other bytes than were written"):
        pack_texts()


def test_what_a_killed_packing_left_is_removed(texts_once, tmp_path) -> None:
    _, pack_texts = texts_once
    (tmp_path / ".packed.x1y2z3.part" / "packed").mkdir(parents=True)
    pack_texts()
    assert sorted(path.name for path in tmp_path.iterdir()) == [".packed.lock", "packed", "texts"]


def test_a_vocabulary_that_does_not_say_what_it_was_made_from_is_refused(tokenizer, tmp_path) -> None:
    tokenizer_once(tmp_path / "vocabulary", {"pieces": 1200}, lambda: tokenizer)
    path = tmp_path / "vocabulary" / "made_from.json"
    for damage in (lambda: path.write_text('{"pieces": 12', encoding="utf-8"), path.unlink):
        damage()
        with pytest.raises(ValueError, match=r"made_from.json cannot be read .*: remove its folder"):
            tokenizer_once(tmp_path / "vocabulary", {"pieces": 1200}, lambda: tokenizer)


# --- masking --------------------------------------------------------------------------------------


def test_the_share_of_pieces_and_their_fates() -> None:
    rng = np.random.default_rng(0)
    ids = rng.integers(5, 1000, size=(200, 100))
    candidates = np.ones_like(ids, dtype=bool)
    candidates[:, [0, 50, 99]] = False
    masked, labels = mask_pieces(ids, candidates, candidates, Masking(), 1000, 4, rng)
    chosen = labels != IGNORED
    assert set(chosen.sum(axis=1)) == {14, 15}  # 0.15 of 97 is 14.55
    assert not chosen[~candidates].any()
    assert (masked[~chosen] == ids[~chosen]).all() and (labels[chosen] == ids[chosen]).all()
    shares = [(masked[chosen] == 4).mean(), (masked[chosen] == ids[chosen]).mean()]
    assert shares == pytest.approx([0.8, 0.1], abs=0.02)


@pytest.mark.parametrize("masking", [Masking, SpanMasking])
@pytest.mark.parametrize("rate", [0.05, 0.15, 0.5])
def test_short_rows_hide_no_more_than_long_ones(masking, rate) -> None:
    everything = np.ones((4000, 9), dtype=bool)
    chosen, _ = masking(rate).choose(everything, everything, np.random.default_rng(0))
    assert chosen.mean() == pytest.approx(rate, abs=0.015)


def test_whole_words_are_chosen_or_left() -> None:
    rng = np.random.default_rng(0)
    words = np.sort(rng.integers(0, 12, size=(100, 30)), axis=1)
    candidates = rng.random((100, 30)) < 0.95
    chosen = choose(candidates, words, 0.2, rng)
    for row in range(100):
        for word in set(words[row]):
            inside = chosen[row, (words[row] == word) & candidates[row]]
            assert inside.all() or not inside.any()
    assert chosen.any(axis=1).all() and not (chosen & ~candidates).any()
    assert 0.1 < chosen.mean() < 0.2


def test_spans_are_runs_of_whole_words_with_one_fate() -> None:
    rng = np.random.default_rng(0)
    ids = rng.integers(5, 1000, size=(400, 100))
    begins = rng.random(ids.shape) < 0.8
    candidates = np.ones_like(begins)
    candidates[:, [0, 50, 99]] = False
    begins[:, [0, 1, 50, 51, 99]] = True
    masking = SpanMasking(0.15)
    chosen, first = masking.choose(candidates, begins, rng)
    assert not (chosen & ~candidates).any() and chosen.any(axis=1).all()
    assert 0.12 < chosen[candidates].mean() <= 0.155
    assert (first[~chosen] == np.nonzero(~chosen)[1]).all()
    for row in range(len(ids)):
        words = np.cumsum(begins[row])
        for word in set(words):
            inside = chosen[row, (words == word) & candidates[row]]
            assert inside.all() or not inside.any()
        for place in set(first[row][chosen[row]]):
            span = np.flatnonzero((first[row] == place) & chosen[row])
            assert span[0] == place and (np.diff(span) == 1).all() and begins[row, place]
            assert len(set(words[span])) <= masking.longest
    masked, labels = mask_pieces(ids, candidates, begins, masking, 1000, 4, rng)
    where = labels != IGNORED
    assert (labels[where] == ids[where]).all() and (masked[~where] == ids[~where]).all()
    assert (masked[where] == 4).mean() == pytest.approx(0.8, abs=0.03)
    # A piece behind [MASK] whose neighbor was left as it is: that is two spans side by side, which is rare.
    pairs = where[:, 1:] & where[:, :-1]
    assert ((masked[:, 1:] == 4) != (masked[:, :-1] == 4))[pairs].mean() < 0.1


def test_the_mean_span_is_the_published_one() -> None:
    lengths = SpanMasking().lengths
    assert lengths.sum() == pytest.approx(1)
    assert lengths @ np.arange(1, 11) == pytest.approx(3.8, abs=0.01)  # Joshi et al., 2020, section 3.1


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        *((Masking, wrong) for wrong in ({"rate": 0.0}, {"rate": 1.0}, {"mask": 0.9, "random": 0.2})),
        *((SpanMasking, wrong) for wrong in ({"p": 0.0}, {"longest": 0}, {"rate": 1.0})),
    ],
)
def test_a_masking_that_cannot_be_is_refused(kind, wrong) -> None:
    with pytest.raises(ValueError, match="give"):
        kind(**wrong)


# --- pairs ----------------------------------------------------------------------------------------


def test_rows_are_full_and_well_formed(corpus, tokenizer) -> None:
    batch = PretrainingBatches(PairRows(corpus, tokenizer, length=64, batch_size=64))(0)
    ids, types = batch["input_ids"], batch["token_type_ids"]
    assert (ids[:, 0] == tokenizer.cls_token_id).all() and (ids[:, -1] == tokenizer.sep_token_id).all()
    assert (types.diff(dim=1) >= 0).all() and types.sum(dim=1).min() > 8
    assert not (batch["labels"] != IGNORED)[ids == tokenizer.sep_token_id].any()
    assert 0.25 < batch["pair_labels"].float().mean() < 0.75


def texts(batch, place):
    """A and B of one row, unmasked."""
    ids = torch.where(batch["labels"][place] == IGNORED, batch["input_ids"][place], batch["labels"][place])
    types = batch["token_type_ids"][place]
    return ids[types == 0][1:-1].tolist(), ids[types == 1][:-1].tolist()


@pytest.mark.parametrize("objective", ["next", "order", "three-way"])
def test_what_the_labels_say_is_so(objective, corpus, tokenizer) -> None:
    batch = PretrainingBatches(PairRows(corpus, tokenizer, 48, 60, PAIR_TASKS[objective]))(0)
    row = " ".join(map(str, corpus.tokens.tolist()))
    seen = set()
    for place in range(60):
        first, second = texts(batch, place)
        label = int(batch["pair_labels"][place])
        together = [" ".join(map(str, pair)) in row for pair in (first + second, second + first)]
        if (objective == "order" and label == 1) or (objective == "three-way" and label == 1):
            assert together == [False, True]
        elif label == 0:
            assert together[0]
        else:
            assert not any(together)
        seen.add(label)
    assert seen == set(range(3 if objective == "three-way" else 2))


@pytest.mark.parametrize(("length", "objective"), [(20, "next"), (128, "next"), (128, "three-way")])
def test_where_seconds_begin_says_nothing(length, objective, corpus, tokenizer) -> None:
    """Wrong ones begin a sentence as often as right ones, in long rows always and in short ones rarely."""
    ends = [tokenizer.vocab[piece] for piece in SENTENCE_ENDS]
    batch = PretrainingBatches(PairRows(corpus, tokenizer, length, 600, PAIR_TASKS[objective]))(0)
    kept = corpus.tokens.tolist()
    before = {tuple(kept[place : place + 4]): kept[place - 1] for place in range(1, len(kept))}
    starts = torch.tensor([before[tuple(texts(batch, row)[1][:4])] in ends for row in range(600)]).float()
    other = 1 if objective == "next" else 2
    right, wrong = (starts[batch["pair_labels"] == label].mean() for label in (0, other))
    assert abs(right - wrong) < 0.12
    if (length, objective) == (128, "next"):
        assert min(right, wrong) > 0.95


@pytest.mark.parametrize("objective", ["next", "order", "three-way"])
def test_where_texts_are_cut_says_nothing(objective, corpus, tokenizer) -> None:
    batch = PretrainingBatches(PairRows(corpus, tokenizer, 64, 1200, PAIR_TASKS[objective]))(0)
    labels = batch["pair_labels"]
    full_stop = tokenizer.vocab["."]
    ends = torch.tensor([[text[-1] == full_stop for text in texts(batch, row)] for row in range(1200)])
    for side in (0, 1):  # the share of texts that end with a full stop is the same for every label
        shares = torch.stack([ends[labels == label, side].float().mean() for label in labels.unique()])
        assert shares.max() - shares.min() < 0.09


def test_what_is_left_of_a_word_begins_one(corpus, tokenizer) -> None:
    tail = next(piece for piece in tokenizer.vocab if piece.startswith("##"))
    row = tokenizer.convert_tokens_to_ids(["[CLS]", tail, "the", tail, "[SEP]", tail, tail])
    begins = PretrainingBatches(PairRows(corpus, tokenizer, length=64)).begin_words(np.array([row]))
    assert begins.tolist() == [[True, True, True, False, True, True, False]]


def test_another_document_has_to_be_there(tokenizer, tmp_path) -> None:
    alone = pack(reader()[:1], tokenizer, tmp_path / "one")
    with pytest.raises(ValueError, match="give more documents"):
        PairRows(alone, tokenizer, length=64)
    batches = PretrainingBatches(PairRows(alone, tokenizer, length=64, task=SENTENCE_ORDER))
    assert batches(0)["input_ids"].shape == (32, 64)


def test_an_epoch_reads_every_window_once(corpus, tokenizer) -> None:
    rows = PairRows(corpus, tokenizer, length=64, batch_size=1, task=NO_PAIRS)
    batches = PretrainingBatches(rows)
    seen = [tuple(texts(batches(number), 0)[0][:6]) for number in range(rows.size)]
    assert len(set(seen)) > 0.98 * rows.size
    assert 0 <= rows.lost < 0.1


# --- the run --------------------------------------------------------------------------------------


def new_run(
    folder: Path,
    corpus,
    tokenizer,
    resume: bool = False,
    steps: int = 12,
    dropout: float = 0.1,
    peak: float = 1e-3,
    length: int = 32,
) -> Trainer:
    torch.manual_seed(0)
    config = replace(TINY, hidden_dropout_prob=dropout, attention_probs_dropout_prob=dropout)
    return pretraining_trainer(
        BertForPreTraining(config),
        PretrainingBatches(PairRows(corpus, tokenizer, length, batch_size=4)),
        LinearDecay(steps, peak),
        Checkpoints(folder, every=4, resume=resume),
        gradient_accumulation=2,
    )


def weights(run: Trainer) -> list[torch.Tensor]:
    return [parameter.detach().clone() for parameter in run.objective.parameters()]


def test_the_loss_is_over_the_chosen_places(corpus, tokenizer) -> None:
    torch.manual_seed(0)
    model = BertForPreTraining(TINY).eval()
    batch = PretrainingBatches(PairRows(corpus, tokenizer, length=32, batch_size=4))(0)
    objective = PretrainingObjective(model).eval()
    terms, counts = objective(**batch), objective.counts(batch)
    assert counts["hidden"] == (batch["labels"] != IGNORED).sum() and counts["pairs"] == 4
    ours = sum(term.weight * term.sum / counts[term.over] for term in terms.values())
    theirs = model(
        batch["input_ids"], token_type_ids=batch["token_type_ids"], labels=batch["labels"],
        next_sentence_label=batch["pair_labels"],
    ).loss  # fmt: skip
    torch.testing.assert_close(ours, theirs)


def test_a_broken_checkpoint_is_named_and_the_one_before_is_used(corpus, tokenizer, tmp_path, caplog) -> None:
    whole = new_run(tmp_path, corpus, tokenizer)
    whole.train()
    file = tmp_path / "checkpoints" / "step-0000012" / "objective.safetensors"
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(data)
    again = new_run(tmp_path, corpus, tokenizer, resume=True)
    again.train(until=8)
    assert again.steps_done == 8 and "step-0000012 has other bytes" in caplog.text
    again.train()
    assert all(map(torch.equal, weights(whole), weights(again)))
    (tmp_path / "checkpoints" / "step-0000012" / "optimizer.safetensors").unlink()
    left = tmp_path / "checkpoints" / ".step-0000016.x1y2.part"
    left.mkdir()
    third = new_run(tmp_path, corpus, tokenizer, resume=True)
    third.train(until=8)
    assert third.steps_done == 8 and "step-0000012 cannot be read" in caplog.text
    assert f"{left} was not written to its end" in caplog.text and not left.exists()
    for path in (tmp_path / "checkpoints").glob("step-*/state.json"):
        path.unlink()
    with pytest.raises(ValueError, match="is whole: remove the folder"):
        new_run(tmp_path, corpus, tokenizer, resume=True).train()


def test_other_settings_cannot_go_on(corpus, tokenizer, tmp_path, monkeypatch) -> None:
    new_run(tmp_path, corpus, tokenizer).train(until=4)
    for settings, sentence in (
        ({"peak": 0.5}, r"schedule\.peak = 0\.001, and this run has 0\.5: give the same"),
        ({"length": 40}, r"batches\.rows\.length = 32, and this run has 40"),
        ({"dropout": 0.2}, r"objective\.config\.attention_probs_dropout_prob = 0\.1"),
    ):
        with pytest.raises(ValueError, match=f"step-0000004 was made with {sentence}"):
            new_run(tmp_path, corpus, tokenizer, resume=True, **settings).train()
    with pytest.raises(ValueError, match="holds a run already"):
        new_run(tmp_path, corpus, tokenizer).train()
    for what in ("get_num_threads", "__version__"):
        with monkeypatch.context() as here:
            here.setattr(torch, what, "9.9" if what == "__version__" else lambda: 99)
            with pytest.raises(ValueError, match=r"was made with (threads|torch) = "):
                new_run(tmp_path, corpus, tokenizer, resume=True).train()


@pytest.mark.parametrize("resume", [False, True])
def test_steps_of_which_no_checkpoint_is_left_are_logged_once(corpus, tokenizer, tmp_path, resume) -> None:
    run = new_run(tmp_path, corpus, tokenizer)
    (tmp_path / "checkpoints").mkdir()
    for _ in range(3):
        Checkpoints(tmp_path).write_log(run.step())
    new_run(tmp_path, corpus, tokenizer, resume=resume).train()
    assert [entry["step"] for entry in read_log(tmp_path)] == list(range(1, 13))


@pytest.mark.parametrize("resume", [False, True])
def test_a_log_whose_checkpoints_are_lost_is_kept(corpus, tokenizer, tmp_path, resume) -> None:
    new_run(tmp_path, corpus, tokenizer).train(until=4)
    (tmp_path / "checkpoints").rename(tmp_path / "elsewhere")
    with pytest.raises(ValueError, match=r"log.jsonl tells of 4 steps, but .* is gone: put it back"):
        new_run(tmp_path, corpus, tokenizer, resume=resume).train()
    assert len(read_log(tmp_path)) == 4


def test_a_log_that_was_cut_short_in_its_first_line_is_begun_anew(corpus, tokenizer, tmp_path) -> None:
    (tmp_path / "log.jsonl").write_text('{"step": 1, "mas', encoding="utf-8")
    new_run(tmp_path, corpus, tokenizer).train(until=1)
    assert [entry["step"] for entry in read_log(tmp_path)] == [1]


def test_a_damaged_line_of_the_log_is_named(corpus, tokenizer, tmp_path) -> None:
    new_run(tmp_path, corpus, tokenizer).train(until=4)
    log = (tmp_path / "log.jsonl").read_text(encoding="utf-8")
    for damaged in (log.replace('"step": 2', '"step" 2'), log.replace('"step": 2', '"stop": 2')):
        (tmp_path / "log.jsonl").write_text(damaged, encoding="utf-8")
        with pytest.raises(ValueError, match=r"Line 2 of .*log.jsonl is damaged: remove that line"):
            new_run(tmp_path, corpus, tokenizer, resume=True).train()


def test_a_second_process_is_turned_away(corpus, tokenizer, tmp_path) -> None:
    run = new_run(tmp_path, corpus, tokenizer, resume=True)
    with (
        Checkpoints(tmp_path).locked(),
        pytest.raises(ValueError, match=r"Another process trains in .*: wait until it has ended"),
    ):
        run.train()
    assert not read_log(tmp_path)
    run.train(until=1)


def save(folder: Path, step: int, fingerprint: object = None) -> None:
    tensors = {"objective": {"a": torch.full([2], float(step))}}
    Checkpoints(folder).save(step, tensors, fingerprint or {"seed": 0})


def newest(folder: Path, fingerprint: dict[Any, Any] | None = None) -> tuple[int, list[float]]:
    found = Checkpoints(folder).newest(lambda steps: fingerprint or {"seed": 0})
    assert found is not None
    return found[0], found[1]["objective"]["a"].tolist()


def test_checkpoints_keep_the_last_two(tmp_path) -> None:
    for step in (1, 2, 3):
        save(tmp_path, step)
    left = sorted(path.name for path in (tmp_path / "checkpoints").iterdir())
    assert left == ["step-0000002", "step-0000003"]
    assert newest(tmp_path) == (3, [3.0, 3.0])


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text.replace('"step": 2', '"step": 3'),
        lambda text: text.replace('"seed": 0', '"seed": 1'),
        lambda text: text.replace('"fingerprint"', '"fingerprinx"'),
        lambda text: text.replace('"digest"', '"digezt"'),
        lambda text: json.dumps({**json.loads(text), "sha256": None}),
        lambda text: json.dumps([text]),
        lambda text: "7",
        lambda text: text[:-9],
    ],
)
def test_a_damaged_state_is_a_broken_checkpoint(tmp_path, damage, caplog) -> None:
    for step in (1, 2):
        save(tmp_path, step)
    path = tmp_path / "checkpoints" / "step-0000002" / "state.json"
    text = path.read_text(encoding="utf-8")
    path.write_text(damage(text), encoding="utf-8")
    assert path.read_text(encoding="utf-8") != text
    assert newest(tmp_path) == (1, [1.0, 1.0])
    assert "going on from the one before it" in caplog.text


def test_a_checkpoint_under_another_name_is_none(tmp_path) -> None:
    fingerprint = {"seed": 0, 10: "x", 2: (1, 2)}  # whose JSON has other keys, and lists
    save(tmp_path, 2, fingerprint)
    assert newest(tmp_path, fingerprint)[0] == 2
    (tmp_path / "checkpoints" / "step-0000002").rename(tmp_path / "checkpoints" / "step-0000005")
    with pytest.raises(ValueError, match="is whole"):
        newest(tmp_path, fingerprint)


@pytest.mark.parametrize("task", PAIR_TASKS.values(), ids=PAIR_TASKS)
def test_what_was_trained_loads_again(task, tmp_path) -> None:
    torch.manual_seed(0)
    model = BertForPreTraining(replace(TINY))
    fit_pair_head(model, task)
    model.save_pretrained(tmp_path)
    again = BertForPreTraining.from_pretrained(tmp_path)
    assert not again.newly_initialized
    assert all(map(torch.equal, model.state_dict().values(), again.state_dict().values()))
    fit_pair_head(again, PAIR_TASKS["next"])
    again.save_pretrained(tmp_path / "next")
    theirs = transformers.BertForPreTraining.from_pretrained(tmp_path / "next").state_dict()
    assert torch.equal(theirs["cls.seq_relationship.weight"], again.cls.seq_relationship.weight)
