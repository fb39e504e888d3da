"""The pocket BERT: which pieces it keeps, what it takes from MiniLM, and the whole recipe on a small text."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors import safe_open

from lib import records
from lib.analysis.prediction.held_out import score_pieces
from lib.bert import BertModel, WordPieceTokenizer
from lib.bert.checkpoint import resolve_checkpoint
from lib.bert.heads import BertForPreTraining
from lib.bert.vocabulary import count_words
from lib.text import corpus, documents, reader
from lib.text.packing import PackedCorpus, pack
from lib.text.pair_rows import PairRows
from lib.text.pretraining_batches import PretrainingBatches
from lib.training.pretraining import pretraining_trainer
from lib.training.schedules import Constant
from studies import pocket_bert


@pytest.fixture(scope="module")
def full() -> WordPieceTokenizer:
    return WordPieceTokenizer.from_pretrained("minilm")


@pytest.fixture(scope="module")
def pieces(full) -> list[str]:
    words = count_words(paragraph for document in reader() for paragraph in document)
    return pocket_bert.useful_pieces(words, full, 3000, pocket_bert.leaned_on())


@pytest.fixture(scope="module")
def tokenizer(pieces) -> WordPieceTokenizer:
    return WordPieceTokenizer(pieces)


@pytest.fixture(scope="module")
def packed(tokenizer, tmp_path_factory) -> PackedCorpus:
    """The reader's text, in the pieces that are kept."""
    return pack(iter(reader()), tokenizer, tmp_path_factory.mktemp("packed") / "reader")


def test_the_pieces_kept_are_old_ones_in_the_old_order(full, pieces) -> None:
    ids = full.convert_tokens_to_ids(pieces)
    assert len(pieces) == 3000 and ids == sorted(ids) and ids[0] == full.pad_token_id
    assert {"teddy", "bank", "president", "a", "##a", "[MASK]", "##9", "!"} <= set(pieces)


def test_a_smaller_vocabulary_breaks_few_words_more(full, pieces) -> None:
    text = " ".join(paragraph for document in reader() for paragraph in document)
    counts = [len(tokenizer.tokenize(text)) for tokenizer in (full, WordPieceTokenizer(pieces))]
    assert 1.0 < counts[1] / counts[0] < 1.1
    assert "[UNK]" not in WordPieceTokenizer(pieces).tokenize(text)


def test_the_start_is_minilm_row_by_row(full, pieces) -> None:
    model, minilm = pocket_bert.from_minilm(pieces).eval(), BertModel.from_pretrained("minilm")
    text = "he sat on the river bank"
    with torch.inference_mode():
        ours = model.bert(WordPieceTokenizer(pieces)(text)["input_ids"]).last_hidden_state
        theirs = minilm(full(text)["input_ids"]).last_hidden_state
    torch.testing.assert_close(ours, theirs)


def test_a_vocabulary_that_has_no_room_is_refused(full) -> None:
    with pytest.raises(ValueError, match="kept in any case: 10 are too few"):
        pocket_bert.useful_pieces(Counter({"bank": 2}), full, 10)


def test_every_fiftieth_document_is_held_out(tmp_path) -> None:
    (tmp_path / "text.txt").write_text("\n\n".join(f"document {n}" for n in range(120)), encoding="utf-8")
    assert corpus.held_out_documents([tmp_path]) == [["document 49"], ["document 99"]]
    assert len(list(corpus.training_documents([tmp_path]))) == 118


def test_a_run_goes_on_from_what_it_started_from_only(tmp_path) -> None:
    pocket_bert.keep_start(tmp_path, "minilm", resume=True)  # a run of the first kind does not say
    pocket_bert.keep_start(tmp_path, "random", resume=False)
    pocket_bert.keep_start(tmp_path, "random", resume=True)
    with pytest.raises(ValueError, match="made with start = random, and this run has minilm"):
        pocket_bert.keep_start(tmp_path, "minilm", resume=True)


@pytest.mark.parametrize("torn", ['{"start": "ran', "7", ""])
def test_a_torn_note_of_the_start_is_a_sentence(torn, tmp_path) -> None:
    (tmp_path / "start.json").write_text(torn, encoding="utf-8")
    with pytest.raises(ValueError, match=r"start.json cannot be read .*: remove its folder, or name another"):
        pocket_bert.keep_start(tmp_path, "random", resume=True)


def test_the_texts_are_read_once_to_be_packed(tmp_path, tokenizer, monkeypatch) -> None:
    (tmp_path / "text.txt").write_text("\n\n".join(f"document {n}" for n in range(120)), encoding="utf-8")
    recipe = pocket_bert.RecipeOptions(corpus=[tmp_path / "text.txt"], work=tmp_path / "work")
    read: list[Path] = []

    def documents_of(place: Path) -> Iterator[list[str]]:
        read.append(place)
        return documents(place)

    monkeypatch.setattr(corpus, "documents", documents_of)
    kept: list[list[str]] = []
    packed = recipe.packed(tokenizer, kept)
    assert [len(part) for part in packed.values()] == [118, 2] and kept == [["document 49"], ["document 99"]]
    cost = recipe.cost(tokenizer, kept)
    assert cost["pieces a word"] >= 1 and len(read) == 1
    assert recipe.packed(tokenizer, [])["train"].card == packed["train"].card
    assert recipe.cost(tokenizer, []) == cost and len(read) == 1
    (tmp_path / "work" / "cost.json").unlink()
    assert recipe.cost(tokenizer, []) == cost and len(read) == 2


def test_long_rows_come_at_the_end(tokenizer, packed) -> None:
    rows = pocket_bert.RowOptions(length=32, batch_size=8, mask_rate=0.25)

    def batches(**changes: float) -> pocket_bert.OtherAtTheEnd:
        chosen = {"steps": 10, "warmup_steps": 1, "decay_steps": 4, "last_share": 0.5, "long_length": 64}
        steps = pocket_bert.TrapezoidOptions(**(chosen | changes))  # type: ignore[arg-type]
        return steps.batches(packed, tokenizer, rows, seed=3)

    shapes = [tuple(batches()(number)["input_ids"].shape) for number in (0, 15, 16, 19)]
    assert shapes == [(8, 32), (8, 32), (4, 64), (4, 64)]  # two batches a step, from step 8 on
    undecided = batches(decay_steps=0)
    assert undecided(10**6)["input_ids"].shape == (8, 32)
    assert undecided.fingerprint == batches().fingerprint != batches(last_share=0.25).fingerprint
    hidden = (batches()(2)["labels"] != -100).float().mean()
    assert 0.2 < hidden < 0.25  # of 32 places, 3 of them special


def test_at_the_end_one_batch_in_so_many_has_long_rows_and_fewer_pieces_are_hidden(tokenizer, packed) -> None:
    steps = pocket_bert.TrapezoidOptions(
        steps=8, warmup_steps=0, decay_steps=4, gradient_accumulation=1,
        last_share=1.0, last_mask_rate=0.1, long_every=2, long_length=64,
    )  # fmt: skip
    batches = steps.batches(packed, tokenizer, pocket_bert.RowOptions(length=32, mask_rate=0.4), seed=0)
    made = [batches(number) for number in range(8)]
    assert [batch["input_ids"].size(1) for batch in made] == [32, 32, 32, 32, 32, 64, 32, 64]
    hidden = [float((batch["labels"] != -100).float().mean()) for batch in made]
    assert min(hidden[:4]) > 0.3 and max(hidden[4:]) < 0.15


def test_the_held_out_curve_is_what_the_model_scores(tmp_path, pieces, tokenizer, packed) -> None:
    rows = pocket_bert.RowOptions(length=32, batch_size=4)
    batches = PretrainingBatches(rows.pairs(packed, tokenizer, 0))
    model = pocket_bert.start_of("random", pieces)
    curve = pocket_bert.HeldOutCurve(
        model, [batches(0), batches(1)], every=2, file=tmp_path / "held_out.jsonl"
    )
    trainer = pretraining_trainer(model, batches, Constant(5, 1e-4), callbacks=[curve])
    trainer.train(until=4)
    entries = [json.loads(line) for line in (tmp_path / "held_out.jsonl").read_text().splitlines()]
    assert [entry["step"] for entry in entries] == [2, 4]
    assert entries[-1]["loss"] == pytest.approx(score_pieces(model, batches, 2)["loss"], abs=1e-4)


def test_a_curve_is_made_of_means(tmp_path) -> None:
    log = [
        {"tokens": 10, "masked_lm": 4.0 - step, "right": step / 4, "pairs_right": 0.5} for step in range(4)
    ]
    assert pocket_bert.curve(log, points=2) == {
        "tokens": [20, 40],
        "masked_lm": [3.5, 1.5],
        "right": [0.125, 0.625],
        "pairs_right": [0.5, 0.5],
    }


def test_what_a_vocabulary_costs(pieces) -> None:
    small = WordPieceTokenizer([*pieces[:200], "bank"])
    found = pocket_bert.cost_in_pieces(small, Counter({"bank": 2, "banks": 1, "\u4e00": 1}))
    assert found == {"pieces a word": 5 / 4, "words split": 1 / 4, "words unknown": 1 / 4}


# --- the checkpoint in data/pocket-bert -----------------------------------------------------------

TEXTS = ["The keys to the cabinet were on the [MASK].", "She walked [MASK] the river."]


def test_the_checkpoint_is_small_and_in_half_precision() -> None:
    folder = resolve_checkpoint("pocket")
    assert (folder / "model.safetensors").stat().st_size < 30e6
    with safe_open(folder / "model.safetensors", framework="pt") as file:
        assert {file.get_tensor(name).dtype for name in file.keys()} == {torch.float16}  # noqa: SIM118
    model = BertForPreTraining.from_pretrained("pocket")
    assert {parameter.dtype for parameter in model.parameters()} == {torch.float32}
    config = model.config
    assert (config.num_hidden_layers, config.hidden_size, config.num_attention_heads) == (6, 384, 12)
    assert len(WordPieceTokenizer.from_pretrained("pocket")) == config.vocab_size == 9000


def test_transformers_reads_the_checkpoint_and_says_the_same() -> None:
    from transformers import BertForPreTraining as Theirs

    tokenizer = WordPieceTokenizer.from_pretrained("pocket")
    ours = BertForPreTraining.from_pretrained("pocket").eval()
    theirs = Theirs.from_pretrained(resolve_checkpoint("pocket"), dtype=torch.float32).eval()
    batch = tokenizer(TEXTS)
    with torch.inference_mode():
        one, other = ours(**batch), theirs(**batch)
    real = batch["attention_mask"].bool()
    torch.testing.assert_close(
        one.prediction_logits[real], other.prediction_logits[real], atol=1e-4, rtol=1e-4
    )
    torch.testing.assert_close(
        one.seq_relationship_logits, other.seq_relationship_logits, atol=1e-4, rtol=1e-4
    )


def test_the_checkpoint_knows_more_than_which_piece_is_frequent(tmp_path) -> None:
    tokenizer = WordPieceTokenizer.from_pretrained("pocket")
    packed = pack(iter(reader()), tokenizer, tmp_path / "packed")
    batches = PretrainingBatches(PairRows(packed, tokenizer, length=64, batch_size=16, seed=7))
    found = score_pieces(BertForPreTraining.from_pretrained("pocket").eval(), batches, count=8)
    most_frequent = np.bincount(packed.tokens).max() / len(packed.tokens)
    assert found["pieces"] > 2 * most_frequent and found["loss"] < 6
    assert found["pairs"] > 0.6


def test_the_card_says_what_the_record_says() -> None:
    card = (resolve_checkpoint("pocket") / "README.md").read_text(encoding="utf-8")
    recorded = records.table("pocket")
    result, twin = (recorded.runs("pretraining", start)[0].scores for start in ("minilm", "random"))
    for scores in result["scores"].values():
        row = "| {pieces:.1%} | {words:.1%} | {loss:.2f} | {pairs:.1%} |".format(**scores)
        assert row.replace("%", " %") in card
    read, corpus = result["tokens"][-1], result["tokens in the corpus"]
    assert f"{read / 1e6:.1f} million tokens were seen, {read / corpus:.2f} of an epoch" in card
    assert f"It took {recorded.values('pretraining', 'minilm', 'seconds')[0] / 3600:.1f} hours" in card
    for run in result["runs"]:
        chunks = run.get("chunks", run.get("gradient_accumulation"))
        assert re.search(rf"--gradient-accumulation {chunks} --steps {run['steps']}\b", card)
    assert twin["tokens"][:100] == result["tokens"][:100]  # two runs of the same length, 50 points each
    read, apart = twin["scores"]["held out"], twin["scores"]["wikitext"]
    for share in (read["pieces"], read["pairs"], apart["pieces"], apart["pairs"]):
        assert f"{share:.1%}".replace("%", " %") in card
