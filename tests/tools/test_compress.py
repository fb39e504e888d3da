"""`compress`: what it writes answers as the model in memory did, and what cannot be is said first."""

from __future__ import annotations

import csv
import json
import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file
from tiny_berts import ours
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from lib.bert import BertModel, WordPieceTokenizer
from lib.compression.ledger.onnx import OnnxModel
from lib.compression.ledger.timing import example_batch
from lib.compression.packed import load_packed, read_packed, save_packed
from lib.files import POINTER
from lib.training.own_task import Columns, read_own_task
from lib.training.task_kinds import row_logits
from tools import compress, own_ledger
from tools.compress import Written
from tools.finetune import LearnedOptions, QuickRecipe, TaskOptions
from tools.finetune import main as finetune
from tools.own_models import OwnModel, OwnOptions, load_model, load_own
from tools.shrinking import Learning, Smaller

WORDS = {
    "song": ["tune", "bird", "dog", "lark", "note", "choir"],
    "meal": ["soup", "bread", "cake", "rice", "tea", "plum"],
}
VOCAB = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "a", *WORDS["song"], *WORDS["meal"]]
SHAPE: dict[str, Any] = {
    "vocab_size": len(VOCAB), "hidden_size": 16, "num_hidden_layers": 3, "num_attention_heads": 2,
    "intermediate_size": 24, "max_position_embeddings": 48,
}  # fmt: skip


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sixty rows: a text, a second one, a class, a grade, and a class by number."""
    path, draw = tmp_path_factory.mktemp("data") / "my.csv", random.Random(0)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["said", "then", "about", "grade", "number"])
        for row in range(60):
            about = ["song", "meal"][row % 2]
            texts = [f"the {' '.join(draw.choices(WORDS[about], k=4))} {word}" for word in ("a", "the")]
            writer.writerow([*texts, about, row % 2 + draw.random(), row % 2])
    return path


def finetuned(folder: Path, data: Path, **task: Any) -> Path:
    """A tiny BERT that has learned these rows for a step or two."""
    ours(BertModel, **SHAPE | {"num_attention_heads": 4}).save_pretrained(folder / "start")
    WordPieceTokenizer(VOCAB).save_pretrained(folder / "start")
    options: dict[str, Any] = {
        "model": str(folder / "start"),
        "data": data,
        "text": "said",
        "label": "about",
    } | task
    finetune(
        TaskOptions(**options),
        QuickRecipe(epochs=2, learning_rate=5e-3, precision="no"),
        LearnedOptions(out=folder / "model"),
    )
    return folder / "model"


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory, data: Path) -> Path:
    return finetuned(tmp_path_factory.mktemp("bert"), data)


@pytest.fixture(autouse=True)
def two_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_ledger, "ROUNDS", 2)


def run(model: Path, data: Path, to: Path, own: dict[str, Any] | None = None, **options: Any) -> None:
    """What the command line does with these options."""
    learning: dict[str, Any] = {name: options.pop(name) for name in ("teach", "epochs") if name in options}
    compress.main(
        OwnOptions(model=model, data=data, **(own or {})),
        Smaller(**options),
        Learning(**({"epochs": 1} | learning)),
        Written(to=to),
    )


def remembered(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The models as they are in memory before anything is written."""
    seen: list[Any] = []

    def save(model: Any, path: Path) -> None:
        seen.append(model)
        save_packed(model, path)

    monkeypatch.setattr(compress, "save_packed", save)
    return seen


def logits(read: OwnModel, model: Any) -> torch.Tensor:
    rows = read.own.task.kind.rows(read.own.task.test, read.tokenizer, read.max_length)
    return torch.stack(row_logits(model, rows, read.tokenizer.pad_token_id))


def check(folder: Path, data: Path, in_memory: Any, **own: Any) -> OwnModel:
    """All forms answer as the model in memory does, and the ledger tells their bytes."""
    read = load_own(OwnOptions(model=folder, data=data, **own))
    expected = logits(read, in_memory)
    forms = [read.model, OnnxModel(folder / "model.onnx")]
    if isinstance(read.tokenizer, WordPieceTokenizer):
        forms.append(load_packed(folder / "model.packed.safetensors"))
    else:
        packed, _ = load_model(folder, read.own.columns.kind)
        packed.load_state_dict(read_packed(folder / "model.packed.safetensors"))
        forms.append(packed)
    for model in forms:
        torch.testing.assert_close(logits(read, model), expected, atol=1e-4, rtol=1e-4)
    longer = example_batch(len(VOCAB), (3, 40))  # than what was traced
    longer["attention_mask"][1, 20:] = 0
    longer = {name: longer[name] for name in read.inputs}
    with torch.no_grad():
        torch.testing.assert_close(
            forms[1](**longer).logits, in_memory(**longer).logits, atol=1e-4, rtol=1e-4
        )
    small = logits(read, OnnxModel(folder / "model-int8.onnx"))
    assert (small.argmax(1) == expected.argmax(1)).float().mean() > 0.7
    ledger = json.loads((folder / "ledger.json").read_text())
    assert ledger["test_rows"] == len(read.own.task.test)
    files = ["model.safetensors", "model.packed.safetensors", "model.onnx", "model-int8.onnx"]
    assert [model["bytes"] for model in ledger["models"][1:]] == [
        (folder / name).stat().st_size for name in files
    ]
    for measured in ledger["models"]:
        for share in filter(None, (measured["score"], measured["agreement"])):
            assert share["low"] <= share["value"] <= share["high"]
    return read


@pytest.mark.parametrize(
    "options",
    [
        {"bits": 8},
        {"layers": 2, "teach": True},
        {"sparsity": 0.7, "bits": 3, "book": True},
        {"layers": 2, "teach": True, "heads": 0.3, "neurons": 0.3, "sparsity": 0.5, "bits": 3, "book": True},
    ],
    ids=lambda options: " ".join(options),
)
def test_options_alone_and_all_together(
    options: dict[str, Any], bert: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    seen = remembered(monkeypatch)
    run(bert, data, tmp_path / "small", **options)
    printed = capsys.readouterr().out
    read = check(tmp_path / "small", data, seen[0])
    assert [path.name for path in tmp_path.iterdir()] == ["small"]
    layers = read.model.bert.encoder.layer
    assert len(layers) == options.get("layers", 3)
    assert ("Learning from 48 rows in 2 steps" in printed) == bool({"layers", "sparsity"} & options.keys())
    packed, plain = (
        (tmp_path / "small" / name).stat().st_size
        for name in ("model.packed.safetensors", "model.safetensors")
    )
    if {"bits", "sparsity"} & options.keys():
        assert packed < plain
    if "sparsity" in options:
        weight = layers[0].intermediate.dense.weight
        assert (weight == 0).float().mean() == pytest.approx(options["sparsity"], abs=0.01)
    if "neurons" in options:
        assert read.model.config.intermediate_size == 24 - int(24 * options["neurons"])
        assert sum(layer.attention.self.num_heads for layer in layers) < 4 * len(layers)
        assert "transformers can't" in printed
    else:
        assert "transformers.BertForSequenceClassification reads it, too" in printed
        theirs = transformers.BertForSequenceClassification.from_pretrained(tmp_path / "small").eval()
        torch.testing.assert_close(logits(read, theirs), logits(read, read.model), atol=1e-5, rtol=1e-5)


def test_the_test_rows_are_those_that_the_model_has_not_learned(
    bert: Path, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept_back = json.loads((bert / "task.json").read_text())["kept_back"]
    own = read_own_task(data, Columns("said", "about"))
    assert load_own(OwnOptions(model=bert, data=data)).own.task == own.task
    assert len(own.task.test) == len(kept_back) == 12
    run(bert, data, tmp_path / "once", bits=8)
    run(tmp_path / "once", data, tmp_path / "twice", layers=1, epochs=0)  # the next command
    assert (tmp_path / "twice" / "task.json").read_bytes() == (bert / "task.json").read_bytes()
    assert "Careful: nothing says" not in capsys.readouterr().out
    other = tmp_path / "other.csv"
    other.write_text(data.read_text() + "the tune bird,a,song,1,0\n")
    assert any(
        "nothing says" in remark for remark in load_own(OwnOptions(model=bert, data=other)).own.remarks
    )


@pytest.mark.parametrize(
    ("task", "options"),
    [
        ({"kind": "grades", "label": "grade", "second": "then"}, {"layers": 1, "teach": True}),
        (
            {"kind": "tags", "text": "text", "label": "label"},
            {"layers": 2, "teach": True, "neurons": 0.5, "bits": 4},
        ),
        ({"kind": "questions"}, {"layers": 2, "teach": True, "heads": 0.5}),
    ],
)
def test_grades_tags_and_questions(
    task: dict[str, Any], options: dict[str, Any], data: Path, tmp_path: Path
) -> None:
    if task["kind"] == "tags":
        data = tmp_path / "tags.conll"
        data.write_text(
            "\n\n".join(
                "tune B-X\nbird I-X\nthe O\ncake B-X\n" + "a O\nrice O\n" * (n % 3) for n in range(20)
            )
        )
    if task["kind"] == "questions":
        data = tmp_path / "asked.json"
        paragraphs = [
            {
                "context": f"the {word} a dog",
                "qas": [
                    {"id": str(n), "question": "the a", "answers": [{"text": word, "answer_start": 4}]},
                ],
            }
            for n, word in enumerate(VOCAB[7:] * 2)
        ]
        data.write_text(json.dumps({"data": [{"paragraphs": paragraphs}]}))
    model = finetuned(tmp_path, data, **task)
    run(model, data, tmp_path / "small", **options)
    ledger = json.loads((tmp_path / "small" / "ledger.json").read_text())
    assert ledger["metric"] == {"grades": "pearson"}.get(task["kind"], "f1")
    memory, packed = ledger["models"][1:3]
    assert memory["score"] == packed["score"]


FAMILIES: dict[str, dict[str, Any]] = {
    "DistilBert": {"dim": 16, "hidden_dim": 24, "n_layers": 3, "n_heads": 2},
    "Roberta": {"type_vocab_size": 1},
    "XLMRoberta": {},
    "Camembert": {},
    "Albert": {"embedding_size": 8},
    "MPNet": {},
    "Electra": {"embedding_size": 8},
    "DebertaV2": {"relative_attention": True, "pos_att_type": ["p2c", "c2p"], "type_vocab_size": 0},
    "ModernBert": {"global_attn_every_n_layers": 2, "local_attention": 8},
}


def their_folder(family: str, folder: Path, **config: Any) -> Path:
    """A random model of a family, and a tokenizer of words. A size of None is left to the family."""
    torch.manual_seed(0)
    sizes = SHAPE | FAMILIES.get(family, {}) | {"pad_token_id": 0, "initializer_range": 0.5} | config
    taken = {name: size for name, size in sizes.items() if size is not None}
    made = getattr(transformers, f"{family}Config")(**taken)
    getattr(transformers, f"{family}ForSequenceClassification")(made).save_pretrained(folder)
    words = Tokenizer(models.WordLevel({piece: place for place, piece in enumerate(VOCAB)}, "[UNK]"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    words.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    names = ["input_ids", "attention_mask"]
    if family in ("Albert", "Electra", "DebertaV2"):
        names.insert(1, "token_type_ids")
    special = {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"}
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=words, model_input_names=names, **special
    ).save_pretrained(folder)
    return folder


#: layers called otherwise, layers that are one, layers of two types; the others take the first one's way
USUAL = ("DistilBert", "Albert", "ModernBert")


@pytest.mark.parametrize(
    "family",
    [pytest.param(name, marks=() if name in USUAL else pytest.mark.slow) for name in FAMILIES],
)
def test_other_models_of_transformers(
    family: str, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    model = their_folder(family, tmp_path / "model", id2label={0: "Song", 1: "MEAL"})
    own = {"text": "said", "label": "about"}
    options = {"sparsity": 0.5, "bits": 3, "book": True} | (
        {"layers": 2, "teach": True} if family != "Albert" else {}
    )
    seen = remembered(monkeypatch)
    run(model, data, tmp_path / "small", own, **options)
    printed = capsys.readouterr().out
    assert f"transformers.{family}ForSequenceClassification.from_pretrained" in printed
    check(tmp_path / "small", data, seen[0])
    with pytest.raises(ValueError, match="give --layers or --sparsity instead"):
        run(model, data, tmp_path / "other", own, heads=0.5)
    if family == "Albert":
        with pytest.raises(ValueError, match="no list of 3 layers of their own"):
            run(model, data, tmp_path / "other", own, layers=2)


def test_a_family_that_is_not_promised_goes_on_with_a_remark(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    sizes = {"d_model": 16, "n_layer": 2, "n_head": 2, "d_inner": 24, "max_position_embeddings": None}  # -1
    model = their_folder("XLNet", tmp_path / "model", id2label={0: "song", 1: "meal"}, **sizes)
    seen, own = remembered(monkeypatch), {"text": "said", "label": "about"}
    run(model, data, tmp_path / "small", own, bits=8)
    printed = capfd.readouterr().out
    assert "model holds a xlnet model, and this command is tested with distilbert, roberta" in printed
    assert "\nMeasuring milliseconds and answers of 5 forms: about 1 s.\n" in printed
    check(tmp_path / "small", data, seen[0], **own)


@pytest.mark.parametrize(
    ("family", "config", "says"),
    [
        ("Funnel", {"num_hidden_layers": None, "block_sizes": [1, 1]}, "export to ONNX fails .*broadcast"),
        ("FNet", {}, "its export to ONNX fails .*'aten::fft_fftn' to ONNX"),
        ("Canine", {}, "its export to ONNX fails .*output size"),
        pytest.param(
            "Longformer", {"attention_window": 8}, "answers otherwise|texts of shape", marks=pytest.mark.slow
        ),
    ],
)
def test_a_family_that_onnx_cannot_hold_ends_in_a_sentence_before_anything(
    family: str, config: dict[str, Any], says: str, data: Path, tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    model = their_folder(family, tmp_path / "model", id2label={0: "song", 1: "meal"}, **config)
    capfd.readouterr()
    with pytest.raises(ValueError, match=says) as refused:
        run(model, data, tmp_path / "small", {"text": "said", "label": "about"}, bits=8)
    assert str(refused.value).startswith(f"A {family}ForSequenceClassification ")
    assert str(refused.value).endswith("take a model of another family, such as DistilBERT.")
    assert not {"/", "\n"} & {*str(refused.value)} and len(str(refused.value)) < 400
    assert capfd.readouterr() == ("", "")
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


def test_a_run_that_ends_early_leaves_nothing(
    bert: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError("no room")

    monkeypatch.setattr(own_ledger, "quantize_onnx", full)
    with pytest.raises(OSError, match="no room"):
        run(bert, data, tmp_path / "small", bits=8)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({}, "Say how it becomes small"),
        ({"book": True}, "give --bits 3 with it"),
        ({"bits": 9}, "from 2 to 8"),
        ({"bits": 0, "book": True}, "from 1 to 8"),
        ({"heads": 1.0}, "--heads 1.0: give the share that goes, between 0 and 1"),
        ({"sparsity": -0.1}, "--sparsity -0.1: give the share"),
        ({"neurons": 0.0}, "--neurons 0.0: give the share"),
        ({"heads": 0.01}, "would take 0 of 12: 1 to 9 can go"),
        ({"layers": 3}, "--layers 3: the model has 3, so give 1 to 2 to keep"),
        ({"layers": 0}, "--layers 0"),
        ({"bits": 8, "teach": True}, "--teach is for what learns"),
        ({"layers": 1, "teach": True, "epochs": 0}, "--epochs 1 or more"),
    ],
)
def test_what_cannot_be_is_said_before_anything(
    options: dict[str, Any], says: str, bert: Path, data: Path, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=r"^[^\n]*$") as refused:
        run(bert, data, tmp_path / "small", **options)
    assert says in str(refused.value)
    assert not list(tmp_path.iterdir())


def test_classes_are_found_by_name_or_by_number(data: Path, tmp_path: Path) -> None:
    named = their_folder("Roberta", tmp_path / "named", id2label={0: "SONG", 1: "Meal", 2: "film"})
    own = load_own(OwnOptions(model=named, data=data, text="said", label="about")).own
    assert own.task.kind.config["id2label"] == {0: "song", 1: "meal", 2: "film"}
    numbered = their_folder("Roberta", tmp_path / "numbered")
    own = load_own(OwnOptions(model=numbered, data=data, text="said", label="number", second="then")).own
    assert own.task.kind.config["id2label"] == {0: "0", 1: "1"}
    for model, label in ((named, "number"), (numbered, "about")):
        with pytest.raises(ValueError, match="write its classes into the rows, or fine-tune"):
            load_own(OwnOptions(model=model, data=data, text="said", label=label))


@pytest.mark.parametrize(
    ("first", "classes", "expected"),
    [
        (0, "013", "0123"),
        (1, "123", "1234"),
        (0, "123", "are 1 to 3, and those of .* LABEL_0 to LABEL_3"),
        (0, "1234", "are 1 to 4, .* which of them 1 is, so write the model's own names into the rows"),
        (1, "01", "The rows have the class '0', the model has 1, 2"),
    ],
)
def test_the_numbers_of_classes_are_those_of_the_model_or_asked_for(
    first: int, classes: str, expected: str, tmp_path: Path
) -> None:
    names = {number: f"LABEL_{first + number}" for number in range(4)}
    rows = tmp_path / "rows.csv"
    rows.write_text("text,label\n" + "".join(f"the {label},{label}\n" for label in classes) * 8)
    options = OwnOptions(model=their_folder("Roberta", tmp_path, id2label=names), data=rows, test=rows)
    if expected.isdecimal():
        assert [*load_own(options).own.task.kind.config["id2label"].values()] == [*expected]
    else:
        with pytest.raises(ValueError, match=expected):
            load_own(options)


def test_rows_are_read_in_the_encoding_that_is_given(bert: Path, tmp_path: Path) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text("said,about\nпесня,song\nсуп,meal\n", encoding="cp866")
    own = load_own(OwnOptions(model=bert, data=rows, test=rows, encoding="cp866")).own
    assert [example.first for example in own.task.test] == ["песня", "суп"]


@pytest.mark.parametrize("names", [{0: 0, 1: 1}, {0: False, 1: True}])
def test_names_of_classes_that_are_no_text(names: dict[int, Any], data: Path, tmp_path: Path) -> None:
    model = their_folder("DistilBert", tmp_path)
    path, rows = model / "config.json", tmp_path / "rows.csv"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"id2label": names}))
    rows.write_text("text,label\n" + "".join(f"the tea,{name}\n" for name in names.values()) * 8)
    kind = load_own(OwnOptions(model=model, data=rows, test=rows)).own.task.kind
    assert [*kind.config["id2label"].values()] == [str(name).lower() for name in names.values()]


@pytest.mark.parametrize("family", ["", "DistilBert", "DebertaV2"])
def test_what_a_model_does_not_read_of_the_texts_is_said(
    family: str, bert: Path, data: Path, tmp_path: Path
) -> None:
    rows, names = tmp_path / "rows.csv", {0: "song", 1: "meal"}
    rows.write_text("said,about\n" + "the lark a tea tune xyz soup,song\nthe,meal\n" * 6)
    model = their_folder(family, tmp_path / "model", id2label=names) if family else bert
    read = load_own(OwnOptions(model=model, data=rows, text="said", label="about", test=rows, max_length=8))
    remarks = " ".join(read.own.remarks)
    assert "texts are cut off after 8 pieces, 12 of 24 here; the longest has 9" in remarks
    assert "in 12 of 24 texts; to the model they are all the same, [UNK]: 'xyz' (12)" in remarks
    assert ("token_type_ids" in read.inputs) == (not family)  # DeBERTa has no vectors for them


def test_a_grade_by_another_model(data: Path, tmp_path: Path) -> None:
    model = their_folder("Electra", tmp_path / "model", num_labels=1)
    own = {"text": "said", "second": "then", "label": "grade", "kind": "grades"}
    run(model, data, tmp_path / "small", own, layers=2, teach=True)
    assert json.loads((tmp_path / "small" / "ledger.json").read_text())["metric"] == "pearson"
    with pytest.raises(ValueError, match="says 1 numbers of a text, and --kind is classes"):
        load_own(OwnOptions(model=model, data=data, text="said", label="about"))


def headless(folder: Path) -> None:
    transformers.ElectraModel.from_pretrained(their_folder("Electra", folder)).save_pretrained(folder)


def headless_bert(folder: Path) -> None:
    ours(BertModel, **SHAPE).save_pretrained(folder)
    WordPieceTokenizer(VOCAB).save_pretrained(folder)


def pickled(folder: Path) -> None:
    (their_folder("Electra", folder) / "model.safetensors").rename(folder / "pytorch_model.bin")


def several_classes(folder: Path) -> None:
    their_folder("Electra", folder, problem_type="multi_label_classification")


def multiple_choice(folder: Path) -> None:
    headless_bert(folder)
    config = transformers.BertConfig(**SHAPE, num_labels=1)
    transformers.BertForMultipleChoice(config).save_pretrained(folder)


def without_tokenizer(folder: Path) -> None:
    for path in their_folder("DistilBert", folder).glob("tokenizer*"):
        path.unlink()


def configured(**changes: Any) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        path = their_folder("DistilBert", folder) / "config.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | changes))

    return make


def written(name: str, content: bytes) -> Callable[[Path], Any]:
    return lambda folder: (their_folder("DistilBert", folder) / name).write_bytes(content)


def renamed(old: str, new: str, factor: float = 1.0) -> Callable[[Path], None]:
    """With the old part of names as the new one, and those tensors times a factor."""

    def make(folder: Path) -> None:
        path = their_folder("DistilBert", folder) / "model.safetensors"
        tensors = {name.replace(old, new): tensor * factor for name, tensor in load_file(path).items()}
        save_file(tensors, path, {"format": "pt"})

    return make


def run_of_a_trainer(folder: Path) -> None:
    headless_bert(folder / "checkpoint-8")


@pytest.mark.parametrize(
    ("make", "own", "says"),
    [
        (run_of_a_trainer, {}, "its folder checkpoint-8 holds a model: name that"),
        (multiple_choice, {"kind": "grades"}, "no head for grades (it is of BertForMultipleChoice)"),
        (without_tokenizer, {}, "has no tokenizer (tokenizer.json, vocab.txt, vocab.json, *.model), and"),
        (written("model.safetensors", POINTER), {}, "model.safetensors is a pointer of git-lfs"),
        (written("model.safetensors", b"cut"), {}, "transformers can't load what is in"),
        (written("config.json", b'{"a":'), {}, "config.json is not valid JSON"),
        (written("tokenizer.json", b'{"a":'), {}, "tokenizer.json is not valid JSON"),
        (configured(id2label={0: "a", 1: "b", 2: "c"}), {}, "has shape [2], but config.json asks for [3]"),
        (configured(quantization_config={"load_in_4bit": True}), {}, "holds quantized weights"),
        (lambda folder: their_folder("DistilBert", folder, vocab_size=9), {}, "19 pieces, and its model ve"),
        (renamed("lin1", "lin"), {}, "lacks distilbert.transformer.layer.0.ffn.lin1.bias, which"),
        (renamed("distilbert.", "_orig_mod.distilbert."), {}, "has _orig_mod.distilbert.embeddings"),
        (renamed("", "", math.inf), {}, "holds numbers that are not finite"),
        (lambda folder: None, {}, "There is no model in"),
        (headless, {}, "has no head for classes (it lacks classifier.dense.bias)"),
        (pickled, {}, "has no model.safetensors"),
        (several_classes, {}, "take an encoder with one class"),
        (lambda folder: their_folder("Electra", folder), {"kind": "tags"}, "tags are read off a BERT here"),
        (headless_bert, {}, "has no head for classes"),
    ],
)
def test_a_model_that_does_not_fit(
    make: Any, own: dict[str, Any], says: str, data: Path, tmp_path: Path
) -> None:
    make(tmp_path / "model")
    with pytest.raises(ValueError, match=r"^[^\n]*$") as refused:
        run(tmp_path / "model", data, tmp_path / "small", {"text": "said", "label": "about"} | own, bits=8)
    assert says in str(refused.value)
    assert not list(tmp_path.glob("*small*"))


def test_nothing_is_written_over(bert: Path, data: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="exists already: name a new folder"):
        run(bert, data, tmp_path, bits=8)


def test_a_model_that_has_learned_all_rows_needs_others(bert: Path, data: Path, tmp_path: Path) -> None:
    about = json.loads((bert / "task.json").read_text())
    (tmp_path / "task.json").write_text(json.dumps(about | {"kept_back": []}))
    for path in bert.glob("*"):
        if path.is_file() and path.name != "task.json":
            (tmp_path / path.name).write_bytes(path.read_bytes())
    with pytest.raises(ValueError, match=r"has learned all rows of .*: give others to test on, --test FILE"):
        load_own(OwnOptions(model=tmp_path, data=data))
    assert len(load_own(OwnOptions(model=tmp_path, data=data, test=data)).own.task.test) == 60
