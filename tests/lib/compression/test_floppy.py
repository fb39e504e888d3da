"""One file with everything: what goes in comes out, to the byte; and what may not be in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZIP_LZMA, ZipFile

import pytest
import torch
import torch.nn.functional as F
from tiny_berts import ours
from torch import Tensor

from lib.bert import WordPieceTokenizer
from lib.bert.alterations import cut_positions, factorize, prune_heads
from lib.compression import floppy
from lib.compression.bags import Bag, Features, piece_features, run_features, teach, thinned
from lib.compression.floppy import LABELS, MODEL, VOCAB, Floppy, read_floppy, sizes, write_floppy
from lib.compression.packed import load_packed, save_packed
from lib.compression.quantizers.linear import BEST_STEPS, dequantize, quantize_spread
from lib.compression.quantizers.model import halve_rest, quantize_weights

WORDS = ["a", "bad", "good", "movie", "so", "the", "##s"]
TOKENIZER = WordPieceTokenizer([*WordPieceTokenizer.all_special_tokens, *WORDS])
TEXTS = ["a good movie", "the movie so bad", "movies", "?"]


def small_model() -> Any:
    model = ours(vocab_size=len(TOKENIZER))
    prune_heads(model, "bert.encoder.layer.1.attention", heads=[0])
    cut_positions(model, "bert.embeddings", count=8)
    factorize(model, "bert.embeddings.word_embeddings", 4)
    quantize_weights(model, 3, scheme="spread")
    halve_rest(model)
    return model.eval()


def small_bag(features: int) -> Bag:
    torch.manual_seed(0)
    bag = Bag(features, 4, 8, 2)
    quantize_weights(bag, 2, ["table"], groups=1, scheme="spread")
    halve_rest(bag)
    return bag.eval()


def whole() -> Floppy:
    return Floppy(("bad", "good"), TOKENIZER, small_model(), small_bag(len(TOKENIZER)), small_bag(32))


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("floppy") / "mine.zip"
    write_floppy(whole(), path)
    return path.read_bytes()


@pytest.fixture
def written(content: bytes, tmp_path: Path) -> Path:
    (tmp_path / "mine.zip").write_bytes(content)
    return tmp_path / "mine.zip"


# --- steps that suit a spread ---------------------------------------------------------------------


@pytest.mark.parametrize("bits", BEST_STEPS)
def test_the_step_is_the_best_for_normal_numbers(bits: int) -> None:
    levels = torch.arange(2**bits) - (2**bits - 1) / 2
    places = torch.linspace(-8, 8, 40_001, dtype=torch.float64)
    density = torch.exp(-places.square() / 2)

    def error(step: float) -> float:
        codes = torch.floor(places / step + 2 ** (bits - 1)).clamp(0, 2**bits - 1).long()
        return float((density * (levels[codes] * step - places).square()).sum())

    step = BEST_STEPS[bits]
    assert error(step) <= min(error(step * 0.98), error(step * 1.02))


def test_levels_lie_halfway_and_zeros_stay() -> None:
    weight = torch.tensor([[-3.0, -0.2, 0.1, 0.6], [0.0, 0.0, 0.0, 0.0]])
    codes, scale, zero_point = quantize_spread(weight, 2)
    assert codes.tolist()[0] == [0, 1, 2, 2] and zero_point == 1.5
    restored = dequantize(codes, scale, zero_point)
    torch.testing.assert_close(restored[0] / scale[0], torch.tensor([-1.5, -0.5, 0.5, 0.5]))
    assert restored[1].eq(0).all()
    assert torch.equal(scale, scale.half().float())


def test_a_packed_spread_is_what_was_computed(tmp_path: Path) -> None:
    for bits in (1, 2, 3, 4):
        model = ours()
        quantize_weights(model, bits, scheme="spread", groups=1)
        save_packed(model, tmp_path / "model")
        again: Any = load_packed(tmp_path / "model")
        table = again.bert.embeddings.word_embeddings.weight
        assert torch.equal(table, model.bert.embeddings.word_embeddings.weight)


# --- fewer positions ------------------------------------------------------------------------------


def test_fewer_positions_answer_the_same_and_are_kept(tmp_path: Path) -> None:
    model, batch = ours(), {"input_ids": torch.tensor([[3, 7, 9, 4]])}
    before = model(**batch).logits
    cut_positions(model, "bert.embeddings", count=4)
    assert torch.equal(model(**batch).logits, before)
    model.save_pretrained(tmp_path)
    again = type(model).from_pretrained(tmp_path)
    assert again.config.max_position_embeddings == 4 and torch.equal(again(**batch).logits, before)
    with pytest.raises(ValueError, match="5 tokens and this model 4 positions"):
        model(input_ids=torch.tensor([[3, 7, 9, 4, 5]]))
    with pytest.raises(ValueError, match="5 of 4 positions"):
        cut_positions(model, "bert.embeddings", count=5)


# --- bags -----------------------------------------------------------------------------------------


def test_a_bag_takes_the_mean_of_its_pieces() -> None:
    bag = Bag(len(TOKENIZER), 3, 5, 2)
    features = piece_features("the movies", TOKENIZER)
    assert TOKENIZER.convert_ids_to_tokens(features.ids.tolist()) == ["the", "movie", "##s"]
    mean = bag.table.weight[features.ids].mean(dim=0)
    torch.testing.assert_close(bag([features])[0], bag.classifier(F.gelu(bag.dense(mean))))
    assert bag([features, piece_features("", TOKENIZER)]).shape == (2, 2)


def test_runs_stay_in_words_and_have_length_one() -> None:
    features = run_features("ab", 1000)
    assert len(features.ids) == 6  # " a", "ab", "b ", " ab", "ab ", " ab "
    twice = run_features("ab ab", 1000)
    assert sorted(twice.ids.tolist()) == sorted(features.ids.tolist())  # none across the space
    torch.testing.assert_close(twice.weights.norm(), torch.tensor(1.0))
    assert run_features("", 8).ids.numel() == 0


def test_a_cut_keeps_what_the_dense_layer_reads() -> None:
    torch.manual_seed(0)
    bag, counts = Bag(20, 6, 4, 2), torch.arange(20.0)
    before = bag.table.weight @ bag.dense.weight.T
    bag.cut(4, counts)  # four outputs have no more directions
    torch.testing.assert_close(bag.table.weight @ bag.dense.weight.T, before)
    bag.cut(2, counts)
    assert bag.table.weight.shape == (20, 2) and bag.dense.weight.shape == (4, 2)


def test_a_bag_learns_and_starts_from_vectors() -> None:
    torch.manual_seed(0)
    texts = [run_features(text, 64) for text in ["good"] * 8 + ["bad"] * 8]
    targets = F.one_hot(torch.tensor([1] * 8 + [0] * 8)).float()
    bag = Bag(64, 4, 8, 2)
    teach(bag, texts, targets, steps=60, rate=1e-2, batch_size=8)
    assert bag(texts).argmax(dim=1).tolist() == [1] * 8 + [0] * 8
    bag.start_from(torch.randn(64, 9), torch.ones(64))
    torch.testing.assert_close(bag.table.weight.std(), torch.tensor(1.0))
    generator = torch.Generator().manual_seed(0)
    kept = thinned(Features(torch.arange(1000), torch.ones(1000)), 0.5, generator)
    assert 400 < len(kept.ids) < 600 and kept.weights.eq(2).all()


# --- the file -------------------------------------------------------------------------------------


def test_what_goes_in_comes_out(written: Path) -> None:
    again = read_floppy(written)
    assert torch.equal(again.log_probabilities(TEXTS), whole().log_probabilities(TEXTS))
    assert again.labels == ("bad", "good") and again.predict(TEXTS) == whole().predict(TEXTS)
    torch.testing.assert_close(again.log_probabilities(TEXTS).exp().sum(dim=1), torch.ones(4))


def test_equal_parts_give_equal_bytes_and_every_byte_is_counted(written: Path, tmp_path: Path) -> None:
    size = write_floppy(whole(), tmp_path / "again.zip")
    assert written.read_bytes() == (tmp_path / "again.zip").read_bytes()
    counted = sizes(written)
    assert counted.pop("file") == sum(counted.values()) == size == written.stat().st_size


def test_log_probabilities_of_parts_are_added() -> None:
    runs, together = Floppy(("bad", "good"), runs=small_bag(32)), whole()
    model = Floppy(("bad", "good"), TOKENIZER, together.model)
    bag = Floppy(("bad", "good"), TOKENIZER, bag=together.bag)
    total = sum(part.log_probabilities(TEXTS) for part in (runs, model, bag))
    assert isinstance(total, Tensor)
    torch.testing.assert_close(together.log_probabilities(TEXTS), total.log_softmax(dim=1))


MISFITS: list[tuple[Callable[[], object], str]] = [
    (lambda: Floppy(("a", "b", "c"), runs=small_bag(8)), "3 labels, and parts for"),
    (lambda: Floppy(("a", "b"), TOKENIZER, bag=small_bag(5)), "vectors for"),
    (lambda: Floppy(("a", "b"), TOKENIZER, runs=small_bag(8)), "none with runs alone"),
    (lambda: Floppy(("a", "b")), "parts for"),
]


@pytest.mark.parametrize(("call", "sentence"), MISFITS)
def test_parts_have_to_fit_together(call: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        call()


# --- what may not be in it ------------------------------------------------------------------------


def rewritten(path: Path, changed: dict[str, bytes], kind: int = ZIP_LZMA) -> Path:
    """The file with some members replaced or added."""
    with ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()} | changed
    with ZipFile(path, "w", kind) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def with_head(path: Path, change: Any) -> bytes:
    """A packed model with something else in its head."""
    with ZipFile(path) as archive:
        content = archive.read(MODEL)
    length = int.from_bytes(content[:8], "little")
    head = json.loads(content[8 : 8 + length])
    noted = json.loads(head["__metadata__"]["packed"])
    change(noted)
    head["__metadata__"]["packed"] = json.dumps(noted)
    text = json.dumps(head).encode()
    text += b" " * (-len(text) % 8)
    return len(text).to_bytes(8, "little") + text + content[8 + length :]


def add_change(name: str, **arguments: Any) -> Any:
    change = {"name": name, "path": "bert.encoder", "arguments": arguments}
    return lambda noted: noted["model"]["changes"].append(change)


def too_early(noted: dict[str, Any]) -> None:
    """One layer is kept first, and then heads are pruned in the second."""
    change = {"name": "share_layers", "path": "bert.encoder", "arguments": {"layers": [0]}}
    noted["model"]["changes"].insert(0, change)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"model.py": b"print(1)"}, "brings no code"),
        ({"../model.safetensors": b""}, "brings no code"),
        ({VOCAB: "\n".join([*[*TOKENIZER.vocab][:-1], "stocks fall"]).encode()}, "no place for texts"),
        ({VOCAB: "\n".join([*[*TOKENIZER.vocab][:-1], "x" * 41]).encode()}, "no place for texts"),
        ({VOCAB: "\n".join([*TOKENIZER.vocab][:-1]).encode()}, "vectors for"),
        ({LABELS: b"bad\ngood\nodd"}, "3 labels"),
        ({LABELS: b"\xff"}, "UTF-8"),
        ({MODEL: b"PK"}, "no whole file"),
        ({"bag.safetensors": b"\x00" * 99}, "no whole file"),
    ],
)
def test_other_members_are_refused(changed: dict[str, bytes], says: str, written: Path) -> None:
    with pytest.raises(ValueError, match=says):
        read_floppy(rewritten(written, changed))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (add_change("parametrize", kind="LoRA", rank=2), "none of the alterations"),
        (add_change("system", command="ls"), "none of the alterations"),
        (add_change("share_layers", layers=[7]), "layers"),
        (add_change("share_layers"), "arguments that it does not take"),
        (too_early, "layer"),
        (lambda noted: noted["model"].update(kind="BertModel"), "no BertForSequenceClassification"),
        (lambda noted: noted["model"]["config"].update(num_hidden_layers=3), "not those of its config"),
        (lambda noted: noted["model"]["config"].update(hidden_size="wide"), "."),
        (lambda noted: noted.pop("model"), "no BertForSequenceClassification"),
    ],
)
def test_other_models_are_refused(change: Any, says: str, written: Path) -> None:
    content = with_head(written, change)
    with pytest.raises(ValueError, match=says):
        read_floppy(rewritten(written, {MODEL: content}))


def test_files_that_say_what_is_not_so_are_refused(written: Path, tmp_path: Path) -> None:
    content = written.read_bytes()
    with ZipFile(written) as archive:
        size = archive.getinfo(VOCAB).file_size
    lying = content.replace(size.to_bytes(4, "little"), (size - 3).to_bytes(4, "little"))
    assert lying != content
    for number, wrong in enumerate((lying, content[:-9], content[:99], b"", b"\x00" * 2000)):
        (tmp_path / f"{number}.zip").write_bytes(wrong)
        with pytest.raises(ValueError, match="holds what it says"):
            read_floppy(tmp_path / f"{number}.zip")
    with pytest.raises(ValueError, match="otherwise than by LZMA"):
        read_floppy(rewritten(written, {}, ZIP_DEFLATED))


def test_a_bomb_is_refused_before_it_unpacks(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(floppy, "MOST_UNPACKED", 1_000_000)
    bomb = rewritten(written, {"runs.safetensors": b"\x00" * 1_000_001})
    assert bomb.stat().st_size < 100_000
    with pytest.raises(ValueError, match="unpacks to"):
        read_floppy(bomb)


def test_a_cased_tokenizer_and_long_pieces_are_not_written(tmp_path: Path) -> None:
    cased = WordPieceTokenizer(TOKENIZER.vocab, lowercase=False)
    with pytest.raises(ValueError, match="keeps capitals"):
        write_floppy(Floppy(("a", "b"), cased, bag=small_bag(len(cased))), tmp_path / "x")
    assert not (tmp_path / "x").exists()
