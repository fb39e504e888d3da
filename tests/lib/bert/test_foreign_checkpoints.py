"""Checkpoints as people bring them: keys of config.json that shape the model, and heads of other sizes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file
from torch import Tensor

from lib.bert import (
    BertForMaskedLM,
    BertForQuestionAnswering,
    BertForSequenceClassification,
    BertForTokenClassification,
    BertModel,
    WordPieceTokenizer,
)
from lib.bert.model import PreTrainedBert
from lib.training.finetuning import fresh_model
from lib.training.task_kinds import Classification, Regression, Tagging, Task

SIZES: dict[str, Any] = {
    "vocab_size": 40, "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2,
    "intermediate_size": 24, "max_position_embeddings": 12, "initializer_range": 0.3,
}  # fmt: skip
IDS = torch.randint(5, 40, (3, 7), generator=torch.Generator().manual_seed(0))


def theirs(folder: Path, kind: str = "BertForSequenceClassification", **config: Any) -> Any:
    """A model of `transformers` with random weights, saved in a folder."""
    torch.manual_seed(0)
    model = getattr(transformers, kind)(transformers.BertConfig(**SIZES | config)).eval()
    model.save_pretrained(folder)
    return model


def written(folder: Path, **changes: Any) -> None:
    """Change the config.json in a folder; None removes a key."""
    path = folder / "config.json"
    config = json.loads(path.read_text()) | changes
    path.write_text(json.dumps({key: value for key, value in config.items() if value is not None}))


def first_tensor(output: Any) -> Tensor:
    return next(value for value in vars(output).values() if isinstance(value, Tensor))


def assert_goes_on(model: PreTrainedBert, folder: Path) -> None:
    """What we save `transformers` loads, nothing missing and nothing drawn, and answers the same."""
    model.save_pretrained(folder)
    kind = getattr(transformers, type(model).__name__)
    loaded, report = kind.from_pretrained(folder, output_loading_info=True)
    assert not (report["missing_keys"] or report["unexpected_keys"] or report["mismatched_keys"])
    with torch.no_grad():
        expected = first_tensor(model(IDS))
        torch.testing.assert_close(loaded(IDS)[0], expected, atol=1e-5, rtol=1e-5)
        torch.testing.assert_close(first_tensor(type(model).from_pretrained(folder)(IDS)), expected)


# --- keys of the config ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("labels", "config", "names"),
    [
        (3, {"id2label": None, "label2id": None, "num_labels": 3}, ["LABEL_0", "LABEL_1", "LABEL_2"]),
        (3, {"id2label": ["no", "maybe", "yes"], "label2id": None}, ["no", "maybe", "yes"]),
        (3, {"id2label": {"2": "yes", "0": "no", "1": "maybe"}}, ["no", "maybe", "yes"]),
        (2, {"id2label": {"0": 0, "1": 1}, "label2id": None}, ["0", "1"]),
        (2, {"id2label": [False, True], "label2id": None}, ["False", "True"]),
        (3, {"num_labels": 3}, ["LABEL_0", "LABEL_1", "LABEL_2"]),
        (2, {"id2label": None, "label2id": {"pos": 1, "neg": 0}}, ["LABEL_0", "LABEL_1"]),
        (1, {"id2label": None, "num_labels": 1, "problem_type": "regression"}, ["LABEL_0"]),
        (2, {"problem_type": "single_label_classification"}, ["LABEL_0", "LABEL_1"]),
    ],
)
def test_labels_are_as_many_as_the_config_says(
    labels: int, config: dict[str, Any], names: list[str], tmp_path: Path
) -> None:
    library = theirs(tmp_path, num_labels=labels)
    written(tmp_path, **config)
    model = BertForSequenceClassification.from_pretrained(tmp_path)
    assert list(model.config.id2label.items()) == list(enumerate(names))
    torch.testing.assert_close(model(IDS).logits, library(IDS).logits, atol=1e-5, rtol=1e-5)
    assert_goes_on(model, tmp_path / "again")


HARMLESS: list[dict[str, Any]] = [
    {"use_cache": False},
    {"torch_dtype": "float16"},
    {"dtype": "bfloat16"},
    {"classifier_dropout": 0.4},
    {"chunk_size_feed_forward": 0, "gradient_checkpointing": True},
    {"pruned_heads": {}, "is_decoder": False, "position_embedding_type": "absolute"},
    {"output_hidden_states": True, "transformers_version": "3.0.2", "finetuning_task": "sst2"},
    {"architectures": None, "bos_token_id": 0, "eos_token_id": None},
    {"architectures": ["MyClassifier"]},
    {"initializer_range": 1, "hidden_dropout_prob": 0},
]


@pytest.mark.parametrize("shape", [{}, {"layer_norm_eps": 0.1}, {"type_vocab_size": 1}])
@pytest.mark.parametrize("config", HARMLESS, ids=str)
def test_harmless_keys_change_nothing_and_those_that_shape_the_model_do(
    config: dict[str, Any], shape: dict[str, Any], tmp_path: Path
) -> None:
    library = theirs(tmp_path, **shape)
    written(tmp_path, **config)
    model = BertForSequenceClassification.from_pretrained(tmp_path)
    assert torch.allclose(model(IDS).logits, library(IDS).logits, atol=1e-5)
    assert_goes_on(model, tmp_path / "again")
    if "type_vocab_size" in shape:
        with pytest.raises(ValueError, match="knows 0 to 0: give it single texts"):
            model(IDS, token_type_ids=torch.ones_like(IDS))


@pytest.mark.parametrize(
    ("config", "says"),
    [
        ({"position_embedding_type": "relative_key"}, "asks for relative positions"),
        ({"is_decoder": True}, "describes a decoder"),
        ({"add_cross_attention": True}, "looks at a second model's answers"),
        ({"pruned_heads": {"0": [1]}}, "has had heads removed"),
        ({"quantization_config": {"load_in_8bit": True}}, "holds quantized weights"),
        ({"hidden_act": "relu"}, "hidden_act is 'relu'"),
        ({"hidden_act": "gelu_new"}, "hidden_act is 'gelu_new'"),
        ({"model_type": "roberta"}, "a 'roberta' model.*: choose a BERT here.*Trainer, .* compress"),
        ({"model_type": None, "architectures": ["RobertaModel"]}, "is of a RobertaModel"),
        ({"architectures": ["DistilBertForMaskedLM"]}, "is of a DistilBertForMaskedLM"),
        ({"architectures": ["XLMRobertaForTokenClassification"]}, "is of a XLMRoberta"),
        ({"hidden_size": "16"}, "hidden_size is '16'"),
        ({"num_hidden_layers": 2.0}, r"num_hidden_layers is 2\.0"),
        ({"num_attention_heads": True}, "num_attention_heads is True"),
        ({"layer_norm_eps": "1e-12"}, "layer_norm_eps is '1e-12'"),
        ({"hidden_dropout_prob": "0.1"}, r"hidden_dropout_prob is '0\.1'"),
        ({"pad_token_id": "0"}, "pad_token_id is '0'"),
        ({"id2label": None, "num_labels": "3"}, "num_labels is '3'"),
        ({"id2label": {"0": "no", "2": "yes"}}, "numbers its labels 0, 2: number them from 0 to 1"),
        ({"id2label": {"no": 0, "yes": 1}}, "numbers its labels no, yes: number them from 0 to 1"),
        ({"id2label": {"1": "a", "2": "b"}}, "numbers its labels 1, 2"),
        ({"id2label": []}, "id2label is empty"),
        ({"id2label": {"0": "no", "1": "yes"}, "num_labels": 3}, "3 num_labels and 2 in id2label"),
        ({"problem_type": "multi_label_classification"}, "problem_type is multi_label_classification"),
        ({"problem_type": "regression"}, "problem_type is regression with num_labels 2"),
        ({"id2label": ["a", "b", "c"]}, r"classifier\.bias .* has shape \[2\], and \[3\] is asked for"),
    ],
)
def test_what_another_model_would_be_is_refused(config: dict[str, Any], says: str, tmp_path: Path) -> None:
    theirs(tmp_path)
    written(tmp_path, **config)
    with pytest.raises(ValueError, match=says) as error:
        BertForSequenceClassification.from_pretrained(tmp_path)
    assert "\n" not in str(error.value)


def test_labels_that_are_asked_for_put_an_end_to_what_the_file_says_of_them(tmp_path: Path) -> None:
    theirs(tmp_path, num_labels=4)
    written(tmp_path, problem_type="multi_label_classification", num_labels=7)
    model = BertForSequenceClassification.from_pretrained(tmp_path, fresh_head=True, num_labels=3)
    assert model(IDS).logits.shape == (3, 3)
    assert_goes_on(model, tmp_path / "again")


@pytest.mark.parametrize("with_decoder", [True, False])
def test_a_decoder_that_is_not_tied_but_equal(with_decoder: bool, tmp_path: Path) -> None:
    library = theirs(tmp_path, "BertForMaskedLM")
    written(tmp_path, tie_word_embeddings=False)
    if with_decoder:
        tensors = load_file(tmp_path / "model.safetensors")
        tensors["cls.predictions.decoder.weight"] = tensors["bert.embeddings.word_embeddings.weight"].clone()
        save_file(tensors, tmp_path / "model.safetensors", metadata={"format": "pt"})
    model = BertForMaskedLM.from_pretrained(tmp_path)
    assert torch.allclose(model(IDS).logits, library(IDS).logits, atol=1e-5)
    assert_goes_on(model, tmp_path / "again")


# --- heads and tensors ----------------------------------------------------------------------------

TASKS: dict[str, Any] = {
    "classes": Classification(("no", "yes")),
    "grades": Regression(),
    "tags": Tagging(("O", "B-X", "I-X")),
}


@pytest.mark.parametrize("kind", TASKS)
@pytest.mark.parametrize("brought", ["BertForSequenceClassification", "BertForTokenClassification"])
@pytest.mark.parametrize("labels", [1, 2, 3])
def test_a_fresh_model_is_drawn_from_the_seed_whatever_the_checkpoint_has(
    kind: str, brought: str, labels: int, tmp_path: Path
) -> None:
    library = theirs(tmp_path, brought, num_labels=labels)
    task = Task(kind, TASKS[kind], [], [])
    first, again, other = (fresh_model(task, tmp_path, seed) for seed in (0, 0, 1))
    head: Any = first.get_submodule("classifier")
    assert torch.equal(head.weight, again.get_parameter("classifier.weight"))
    assert not torch.equal(head.weight, other.get_parameter("classifier.weight"))
    if head.weight.shape == library.classifier.weight.shape:
        assert not torch.equal(head.weight, library.classifier.weight)
    assert not head.bias.any() and "classifier.weight" in first.newly_initialized
    query = "bert.encoder.layer.0.attention.self.query.weight"
    assert torch.equal(first.get_parameter(query), library.get_parameter(query))
    if brought == "BertForSequenceClassification" and kind != "tags":
        assert torch.equal(first.get_parameter("bert.pooler.dense.weight"), library.bert.pooler.dense.weight)


def test_a_head_of_another_size_says_what_is_asked_for_and_how_to_get_it(tmp_path: Path) -> None:
    theirs(tmp_path, num_labels=3)
    with pytest.raises(ValueError, match=r"\[3\], and \[2\] is asked for.*num_labels.*fresh_head=True"):
        BertForSequenceClassification.from_pretrained(tmp_path, id2label={0: "no", 1: "yes"})
    model = BertForSequenceClassification.from_pretrained(tmp_path, fresh_head=True, num_labels=2)
    assert model.newly_initialized == ("classifier.bias", "classifier.weight")


@pytest.mark.parametrize(
    ("brought", "ours", "drawn"),
    [
        ("BertForQuestionAnswering", BertForSequenceClassification, ["bert.pooler", "classifier"]),
        ("BertForMaskedLM", BertForTokenClassification, ["classifier"]),
        ("BertForSequenceClassification", BertForQuestionAnswering, ["qa_outputs"]),
        ("BertForPreTraining", BertModel, []),
        ("BertModel", BertForSequenceClassification, ["classifier"]),
        ("BertForTokenClassification", BertModel, ["pooler"]),
    ],
)
def test_a_checkpoint_of_another_head(brought: str, ours: Any, drawn: list[str], tmp_path: Path) -> None:
    library = theirs(tmp_path, brought)
    model = ours.from_pretrained(tmp_path)
    for part in drawn:
        assert any(name.startswith(part) for name in model.newly_initialized)
    assert all(name.startswith(tuple(drawn)) for name in model.newly_initialized)
    encoders = [getattr(one, "bert", one)(IDS).last_hidden_state for one in (library, model)]
    torch.testing.assert_close(*encoders, atol=1e-5, rtol=1e-5)
    assert_goes_on(model, tmp_path / "again")


def test_the_parts_of_a_large_checkpoint_are_read_together(tmp_path: Path) -> None:
    library = theirs(tmp_path / "whole")
    library.save_pretrained(tmp_path / "parts", max_shard_size="4KB")
    assert not (tmp_path / "parts" / "model.safetensors").exists()
    model = BertForSequenceClassification.from_pretrained(tmp_path / "parts")
    assert torch.allclose(model(IDS).logits, library(IDS).logits, atol=1e-5)
    min((tmp_path / "parts").glob("*.safetensors")).unlink()
    with pytest.raises(ValueError, match=r"names model-00001-of-\d+\.safetensors, which is not there"):
        BertForSequenceClassification.from_pretrained(tmp_path / "parts")


@pytest.mark.parametrize(
    ("prefix", "says"),
    [
        ("_orig_mod.", "as torch.compile has them: they are read without it"),
        ("module.", "as DataParallel has them"),
        ("module._orig_mod.", "as torch.compile has them"),
        ("model.", "save its `model` alone by save_pretrained"),
    ],
)
@pytest.mark.filterwarnings("ignore:All names in")
def test_what_was_saved_of_a_wrapper(prefix: str, says: str, tmp_path: Path) -> None:
    library, path = theirs(tmp_path), tmp_path / "model.safetensors"
    save_file({prefix + name: tensor for name, tensor in load_file(path).items()}, path)
    if prefix == "model.":
        with pytest.raises(ValueError, match=says):
            BertForSequenceClassification.from_pretrained(tmp_path)
        return
    with pytest.warns(UserWarning, match=says):
        model = BertForSequenceClassification.from_pretrained(tmp_path)
    torch.testing.assert_close(model(IDS).logits, library(IDS).logits, atol=1e-5, rtol=1e-5)


def test_floats_of_one_byte_are_refused(tmp_path: Path) -> None:
    theirs(tmp_path)
    path = tmp_path / "model.safetensors"
    save_file({name: tensor.to(torch.float8_e4m3fn) for name, tensor in load_file(path).items()}, path)
    with pytest.raises(ValueError, match=r"holds torch\.float8_e4m3fn, .* of 16 bits or more\.$"):
        BertModel.from_pretrained(tmp_path)


# --- folders that hold something else -------------------------------------------------------------

CONTENT = {
    "config.json": json.dumps(SIZES),
    "1_Pooling/config.json": '{"word_embedding_dimension": 16}',
    "settings/config.json": "// of another program",
}
HOLDS = [
    ("adapter_config.json adapter_model.safetensors", "config.json", "adapters of peft.*merge_and_unload"),
    ("checkpoint-500/config.json checkpoint-1000/config.json", "config.json", "folder checkpoint-1000 holds"),
    ("modules.json 0_BERT/config.json 1_Pooling/config.json", "config.json", "its folder 0_BERT holds"),
    ("config.json tf_model.h5 training_args.bin", "model.safetensors", r"TensorFlow's \(tf_model.h5\)"),
    ("config.json model.onnx", "model.safetensors", r"ONNX Runtime \(model.onnx\)"),
    ("config.json model.fp16.safetensors", "model.safetensors", r"a variant \(model.fp16.safetensors\)"),
    ("bert-q8_0.gguf", "config.json", r"llama.cpp \(bert-q8_0.gguf\)"),
    ("config.json training_args.bin optimizer.pt", "model.safetensors", "a folder that save_pretrained"),
    ("settings/config.json", "config.json", "name a folder that save_pretrained wrote"),
    ("bert_config.json bert_model.ckpt.index", "config.json", "TensorFlow's.*from_tf"),
    ("checkpoint-200/adapter_config.json", "vocab.txt", "its folder checkpoint-200 holds a model"),
    ("refs/main blobs/5f snapshots/a1/config.json", "config.json", "its folder snapshots/a1 holds"),
    ("config.json merges.txt", "vocab.txt", r"joins byte pairs \(merges.txt\)"),
    ("", "vocab.txt", "or it is empty"),
]


def reader(name: str) -> Any:
    return WordPieceTokenizer if name == "vocab.txt" else BertModel


@pytest.mark.parametrize(("names", "lacks", "says"), HOLDS)
def test_a_folder_without_a_file_says_what_it_holds(
    names: str, lacks: str, says: str, tmp_path: Path
) -> None:
    for name in names.split():
        (path := tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        path.write_text(CONTENT.get(name, CONTENT.get(path.name, "")))
    with pytest.raises(ValueError, match=f"^There is no {lacks} in .*{says}") as error:
        reader(lacks).from_pretrained(tmp_path)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("name", ["model.safetensors", "config.json", "vocab.txt", "pytorch_model.bin"])
def test_what_git_left_for_a_large_file_is_no_file(name: str, tmp_path: Path) -> None:
    theirs(tmp_path)
    (tmp_path / "model.safetensors").unlink()
    (tmp_path / name).write_text("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\n")
    with pytest.raises(ValueError, match=f"{name} is a pointer of git-lfs.*git lfs pull"):
        reader(name).from_pretrained(tmp_path)


def test_adapters_beside_a_whole_model_are_not_passed_over(tmp_path: Path) -> None:
    theirs(tmp_path)
    (tmp_path / "adapter_config.json").write_text("{}")
    with pytest.raises(ValueError, match=r"adapters of peft beside the weights.*merge_and_unload"):
        BertModel.from_pretrained(tmp_path)
