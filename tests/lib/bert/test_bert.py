"""Our BERT against the library's: the same numbers, the same file format, one sentence for bad input."""

import json
from pathlib import Path
from typing import Any
from unittest import mock

import numpy
import pytest
import torch
import transformers
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import nn

import lib.bert
from lib.bert import BertConfig, BertForMaskedLM, BertForPreTraining, BertModel
from lib.bert.attention import capture_attentions, causal_mask, split_heads
from lib.bert.checkpoint import resolve_checkpoint
from lib.bert.validation import validate_inputs

SMALL: dict[str, Any] = {
    "vocab_size": 53, "hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 3,
    "intermediate_size": 40, "max_position_embeddings": 20,
}  # fmt: skip
HEADS = [
    "BertForMaskedLM", "BertForNextSentencePrediction", "BertForPreTraining", "BertForSequenceClassification",
    "BertForTokenClassification", "BertForQuestionAnswering", "BertForMultipleChoice",
]  # fmt: skip
SCORES = ("loss", "logits", "prediction_logits", "seq_relationship_logits", "start_logits", "end_logits")


def library_model(name: str = "BertModel", **sizes) -> Any:
    torch.manual_seed(0)
    config = transformers.BertConfig(**(SMALL | sizes), attn_implementation="eager")
    model: nn.Module = getattr(transformers, name)(config)
    with torch.no_grad():  # biases and norms start at 0 and 1, where many mistakes do not show
        for parameter in model.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    return model.eval()


def our_model(name: str, library: Any, folder: Path) -> nn.Module:
    library.save_pretrained(folder)
    model: nn.Module = getattr(lib.bert, name).from_pretrained(folder)
    return model


def batch(vocab_size: int, rows: int = 3, length: int = 11, seed: int = 0) -> dict[str, torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    lengths = torch.randint(1, length + 1, (rows,), generator=generator)
    lengths[0] = length
    return {
        "input_ids": torch.randint(vocab_size, (rows, length), generator=generator),
        "attention_mask": (torch.arange(length) < lengths[:, None]).long(),
        "token_type_ids": torch.randint(2, (rows, length), generator=generator),
    }


def assert_same_states(ours: nn.Module, library: nn.Module, inputs: dict[str, torch.Tensor]) -> None:
    with torch.no_grad():
        expected = library(**inputs, output_hidden_states=True, output_attentions=True)
        written_out = ours(**inputs, output_hidden_states=True, output_attentions=True)
        fused = ours(**inputs, output_hidden_states=True)
    assert len(written_out.hidden_states) == len(expected.hidden_states)
    assert len(written_out.attentions) == len(expected.attentions)
    for name in ("hidden_states", "attentions"):
        for mine, theirs in zip(getattr(written_out, name), getattr(expected, name), strict=True):
            assert torch.allclose(mine, theirs, atol=1e-5, rtol=0)
    assert torch.allclose(written_out.pooler_output, expected.pooler_output, atol=1e-5, rtol=0)
    for slow, fast in zip(written_out.hidden_states, fused.hidden_states, strict=True):
        assert torch.allclose(slow, fast, atol=2e-5, rtol=0)
    assert fused.attentions is None
    assert torch.equal(fused.last_hidden_state, fused.hidden_states[-1])


@pytest.fixture(scope="module")
def minilm() -> tuple[BertModel, nn.Module]:
    library = transformers.BertModel.from_pretrained(
        resolve_checkpoint("minilm"), attn_implementation="eager", dtype=torch.float32
    )
    return BertModel.from_pretrained("minilm"), library.eval()


@pytest.mark.parametrize(("rows", "length"), [(3, 17), (1, 1), (2, 512)])
def test_minilm_equals_transformers(minilm, rows, length):
    ours, library = minilm
    assert_same_states(ours, library, batch(30522, rows, length))


@settings(max_examples=25, deadline=None)
@given(
    head_size=st.integers(1, 9),
    num_heads=st.integers(1, 5),
    layers=st.integers(1, 3),
    intermediate=st.integers(1, 33),
    rows=st.integers(1, 4),
    length=st.integers(1, 20),
    seed=st.integers(0, 99),
)
def test_random_shapes_equal_transformers(
    tmp_path_factory, head_size, num_heads, layers, intermediate, rows, length, seed
):
    library = library_model(
        hidden_size=head_size * num_heads,
        num_attention_heads=num_heads,
        num_hidden_layers=layers,
        intermediate_size=intermediate,
    )
    ours = our_model("BertModel", library, tmp_path_factory.mktemp("checkpoint"))
    assert_same_states(ours, library, batch(SMALL["vocab_size"], rows, length, seed))


def labels_for(name: str, inputs: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    rows, length = inputs["input_ids"].shape[0], inputs["input_ids"].shape[-1]
    pieces = inputs["input_ids"].clone()
    pieces[..., ::2] = -100
    one_a_text = torch.arange(rows) % 2
    return {
        "BertForMaskedLM": {"labels": pieces},
        "BertForPreTraining": {"labels": pieces, "next_sentence_label": one_a_text},
        "BertForTokenClassification": {"labels": pieces.clamp(max=1)},
        "BertForQuestionAnswering": {
            "start_positions": one_a_text,
            "end_positions": torch.full((rows,), length + 5),
        },
    }.get(name, {"labels": one_a_text})


@pytest.mark.parametrize("name", HEADS)
def test_heads_equal_transformers_with_and_without_labels(name, tmp_path):
    library = library_model(name)
    ours = our_model(name, library, tmp_path)
    assert ours.newly_initialized == ()
    inputs = batch(SMALL["vocab_size"])
    if name == "BertForMultipleChoice":
        inputs = {key: value.expand(2, 3, 11).contiguous() for key, value in inputs.items()}
    labels = labels_for(name, inputs)
    if name == "BertForQuestionAnswering":
        labels["end_positions"][0] = 4
    for extra in ({}, labels):
        expected, answer = library(**inputs, **extra), ours(**inputs, **extra)
        for field in SCORES:
            if getattr(expected, field, None) is not None:
                assert torch.allclose(getattr(answer, field), getattr(expected, field), atol=1e-5, rtol=1e-5)
    assert {key for key, _ in ours.named_parameters()} == {key for key, _ in library.named_parameters()}


@pytest.mark.parametrize("name", ["BertModel", *HEADS])
def test_what_we_save_loads_into_transformers(name, tmp_path):
    model = getattr(lib.bert, name)(BertConfig(**SMALL)).eval()
    model.save_pretrained(tmp_path)
    library, report = getattr(transformers, name).from_pretrained(tmp_path, output_loading_info=True)
    assert not report["missing_keys"] and not report["unexpected_keys"]
    for key, tensor in model.state_dict().items():
        assert torch.equal(tensor, library.state_dict()[key])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["config.json", "model.safetensors"]


def test_training_mode_draws_dropout_and_gradients_reach_every_weight():
    model = BertForPreTraining(BertConfig(**SMALL)).train()
    inputs = batch(SMALL["vocab_size"])
    first, second = model(**inputs), model(**inputs)
    assert not torch.equal(first.prediction_logits, second.prediction_logits)
    model(**inputs, **labels_for("BertForPreTraining", inputs)).loss.backward()
    assert all(parameter.grad is not None for parameter in model.parameters())
    maps = model(**inputs, output_attentions=True).attentions
    assert torch.allclose(maps[0].sum(-1), torch.ones(()))  # what we show is never dropped out


def test_a_missing_head_starts_at_random_and_is_named(tmp_path):
    BertModel(BertConfig(**SMALL)).save_pretrained(tmp_path)
    model = BertForMaskedLM.from_pretrained(tmp_path)
    assert "cls.predictions.transform.dense.weight" in model.newly_initialized
    assert all(name.startswith("cls.") for name in model.newly_initialized)
    weight = model.cls.predictions.transform.dense.weight
    assert 0.015 < weight.std() < 0.025
    assert torch.equal(model.cls.predictions.transform.LayerNorm.weight, torch.ones(24))
    assert torch.equal(model.cls.predictions.bias, torch.zeros(53))


def test_the_row_of_pad_is_zero_in_every_fresh_model():
    for name in ("BertModel", *HEADS):
        model = getattr(lib.bert, name)(BertConfig(**SMALL))
        table = model.embeddings if name == "BertModel" else model.bert.embeddings
        assert (table.word_embeddings.weight[0] == 0).all()
        assert table.word_embeddings.weight[1:].std() > 0.01


def test_the_mask_is_the_second_argument_everywhere():
    inputs = batch(SMALL["vocab_size"])
    for name in ("BertModel", "BertForMaskedLM", "BertForQuestionAnswering"):
        model = getattr(lib.bert, name)(BertConfig(**SMALL)).eval()
        by_place = vars(model(inputs["input_ids"], inputs["attention_mask"], inputs["token_type_ids"]))
        for field, value in vars(model(**inputs)).items():
            assert value is None or torch.equal(by_place[field], value)


def test_asking_for_attentions_inside_the_context_ends_nothing():
    model = BertModel(BertConfig(**SMALL)).eval()
    ids = torch.ones(1, 3).long()
    with capture_attentions(model) as outer:
        with capture_attentions(model.encoder) as inner:
            asked = model(ids, output_attentions=True).attentions
        model(ids)
    model(ids)
    assert (len(outer), len(inner), len(asked)) == (4, 2, 2)
    assert all(one is other is third for one, other, third in zip(outer, inner, asked, strict=False))


@pytest.mark.parametrize("name", ["BertModel", "BertForSequenceClassification", "BertForMultipleChoice"])
def test_vectors_in_the_place_of_ids_equal_transformers(name, tmp_path):
    library = library_model(name)
    ours = our_model(name, library, tmp_path)
    shape = (2, 3, 7) if name == "BertForMultipleChoice" else (2, 7)
    vectors = torch.randn(*shape, 24, generator=torch.Generator().manual_seed(1))
    inputs = {"attention_mask": torch.ones(shape).long(), "token_type_ids": torch.ones(shape).long()}
    inputs["attention_mask"][..., 5:] = 0
    field = "last_hidden_state" if name == "BertModel" else "logits"
    for others in ({}, inputs):
        mine, theirs = (getattr(model(inputs_embeds=vectors, **others), field) for model in (ours, library))
        assert torch.allclose(mine, theirs, atol=1e-5)
    vectors.requires_grad_()
    getattr(ours(inputs_embeds=vectors), field).sum().backward()
    assert vectors.grad is not None


def test_a_mask_with_a_row_for_each_token(small):
    inputs = batch(SMALL["vocab_size"])
    ids, padding = inputs["input_ids"], inputs["attention_mask"]
    whole = padding.bool()[:, None, None, :]
    for mask in (whole, whole.expand(3, 1, 11, 11)):
        answers = [small(ids, given).last_hidden_state for given in (padding, mask)]
        assert torch.equal(*answers)
    seen = causal_mask(11)[None, None]
    theirs = library_model()
    theirs.load_state_dict(small.state_dict())
    blocked = torch.zeros(1, 1, 11, 11).masked_fill(~seen, torch.finfo(torch.float32).min)
    expected = theirs(ids, blocked).last_hidden_state
    for asked in (False, True):
        answer = small(ids, seen, output_attentions=asked).last_hidden_state
        assert torch.allclose(answer, expected, atol=1e-5)


def test_heads_may_have_a_size_of_their_own(tmp_path):
    model = BertModel(BertConfig(**SMALL, attention_head_size=5)).eval()
    query: Any = model.get_submodule("encoder.layer.0.attention.self.query")
    assert query.out_features == 15
    inputs = batch(SMALL["vocab_size"])
    fused, written = (model(**inputs, output_attentions=asked) for asked in (False, True))
    assert torch.allclose(fused.last_hidden_state, written.last_hidden_state, atol=1e-5)
    model.save_pretrained(tmp_path)
    again = BertModel.from_pretrained(tmp_path)
    assert again.config.head_size == 5
    assert torch.equal(again(**inputs).last_hidden_state, fused.last_hidden_state)
    assert "attention_head_size" not in BertConfig(**SMALL, attention_head_size=8).to_dict()


def test_the_model_can_be_exported_and_compiled_whole(small):
    inputs = batch(SMALL["vocab_size"])
    ids, mask = inputs["input_ids"], inputs["attention_mask"]
    expected = small(ids, mask).last_hidden_state
    rows, tokens = torch.export.Dim("rows", max=64), torch.export.Dim("tokens", min=2, max=20)
    shapes = {"input_ids": {0: rows, 1: tokens}, "attention_mask": {0: rows, 1: tokens}}
    exported = torch.export.export(small, (ids, mask), dynamic_shapes=shapes).module()
    assert torch.allclose(exported(ids, mask).last_hidden_state, expected, atol=1e-6)
    shorter = small(ids[:2, :5], mask[:2, :5]).last_hidden_state
    assert torch.allclose(exported(ids[:2, :5], mask[:2, :5]).last_hidden_state, shorter, atol=1e-6)
    model = lib.bert.BertForSequenceClassification(BertConfig(**SMALL)).eval()
    compiled: Any = torch.compile(model, fullgraph=True, backend="eager")
    inputs["labels"] = torch.tensor([0, 1, 0])
    assert torch.allclose(compiled(**inputs).loss, model(**inputs).loss)


def test_grades_may_come_as_a_column():
    model = lib.bert.BertForSequenceClassification(BertConfig(**SMALL, id2label={0: "grade"})).eval()
    ids, grades = torch.ones(3, 4).long(), torch.tensor([1, 2, 3])
    assert torch.equal(model(ids, labels=grades).loss, model(ids, labels=grades[:, None]).loss)


def old_name(name: str) -> str:
    return name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta")


def test_half_precision_loads_as_float32_and_old_names_are_read(tmp_path):
    model = BertModel(BertConfig(**SMALL))
    model.save_pretrained(tmp_path)
    tensors = load_file(tmp_path / "model.safetensors")
    old = {f"bert.{old_name(name)}": tensor.half() for name, tensor in tensors.items()}
    old["bert.embeddings.position_ids"] = torch.arange(20)[None]
    save_file(old, tmp_path / "model.safetensors")
    again = BertModel.from_pretrained(tmp_path)
    for name, tensor in again.state_dict().items():
        assert tensor.dtype == torch.float32
        assert torch.equal(tensor, tensors[name].half().float())


def test_the_file_is_free_after_loading(tmp_path):
    model = BertModel(BertConfig(**SMALL))
    model.save_pretrained(tmp_path)
    again = BertModel.from_pretrained(tmp_path)
    before = {name: tensor.clone() for name, tensor in again.state_dict().items()}
    BertModel(BertConfig(**SMALL)).save_pretrained(tmp_path)
    assert all(torch.equal(tensor, before[name]) for name, tensor in again.state_dict().items())


# --- bad input -----------------------------------------------------------------------------------


ONES = torch.ones(1, 3).long()


@pytest.fixture(scope="module")
def small() -> BertModel:
    return BertModel(BertConfig(**SMALL)).eval()


@pytest.mark.parametrize(
    ("inputs", "says"),
    [
        ({"input_ids": torch.zeros(1, 21, dtype=torch.long)}, "21 tokens and this model 20 positions"),
        ({"input_ids": torch.tensor([[1, 53]])}, "input_ids holds 53, but this model knows 0 to 52"),
        ({"input_ids": torch.tensor([[1, -1]])}, "input_ids holds -1"),
        ({"input_ids": torch.tensor([1, 2])}, r"shape \[2\]"),
        ({"input_ids": torch.tensor([[1.0, 2.0]])}, "whole numbers"),
        ({"input_ids": torch.ones(1, 3).bool()}, "whole numbers"),
        ({"input_ids": ONES, "attention_mask": torch.tensor([[0.0, -1e4, 0.0]])}, "other numbers"),
        ({"input_ids": torch.zeros(1, 0, dtype=torch.long)}, "empty"),
        ({"input_ids": ONES, "attention_mask": torch.ones(1, 4)}, r"attention_mask has shape \[1, 4\]"),
        ({"input_ids": ONES, "attention_mask": torch.zeros(1, 3)}, "all zeros"),
        ({"input_ids": ONES, "token_type_ids": torch.ones(3).long()}, "token_type_ids has shape"),
        ({"input_ids": ONES, "token_type_ids": torch.full((1, 3), 2)}, "token_type_ids holds 2"),
        ({"input_ids": [[1, 2]]}, r"is of type list, not a tensor: make it one, torch\.tensor\(input_ids\)"),
        ({"input_ids": numpy.ones((1, 2), int)}, r"torch\.from_numpy\(input_ids\)"),
        ({"input_ids": "i love this class"}, r"model\(\*\*tokenizer\(text\)\)"),
        ({"input_ids": {"input_ids": ONES}}, r"model\(\*\*batch\)"),
        ({}, "and not neither"),
        ({"input_ids": None}, "and not neither"),
        ({"input_ids": ONES, "inputs_embeds": torch.ones(1, 3, 24)}, "and not both"),
        ({"inputs_embeds": torch.ones(1, 3, 25)}, r"shape \[sentences, tokens, 24\]"),
        ({"inputs_embeds": torch.ones(1, 3, 24).long()}, "give vectors"),
        ({"inputs_embeds": torch.ones(1, 0, 24)}, "inputs_embeds is empty"),
        ({"inputs_embeds": [1.0]}, "inputs_embeds is of type list"),
        ({"input_ids": ONES, "attention_mask": [[1, 1, 1]]}, "attention_mask is of type list"),
        ({"input_ids": ONES, "token_type_ids": torch.zeros(1, 3)}, "token_type_ids is a torch.float32"),
        ({"input_ids": ONES, "attention_mask": torch.ones(1, 1, 3, 3)}, "with four dimensions it is boolean"),
        ({"input_ids": ONES, "attention_mask": torch.ones(1, 1, 2, 3).bool()}, r"\[1, 1, 3, 3\]"),
        ({"input_ids": ONES, "attention_mask": torch.eye(3)[None, None] > 1}, "one to look at"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(small, inputs, says):
    with pytest.raises(ValueError, match=says) as error:
        small(**inputs)
    assert "\n" not in str(error.value)
    with pytest.raises(ValueError, match=says):
        validate_inputs(small.config, **({"input_ids": None} | inputs))


@pytest.mark.parametrize("name", HEADS)
@pytest.mark.parametrize("wrong", ["a list", "a float", "one too many", "too high", "too low"])
def test_wrong_labels_are_refused_by_every_head(name, wrong):
    model = getattr(lib.bert, name)(BertConfig(**SMALL)).eval()
    inputs = batch(SMALL["vocab_size"])
    if name == "BertForMultipleChoice":
        inputs = {key: value.expand(2, 3, 11).contiguous() for key, value in inputs.items()}
    right = labels_for(name, inputs)
    if name == "BertForQuestionAnswering" and wrong == "too high":
        pytest.skip("a place behind the text is right: that of an answer that was cut off")
    for key, labels in right.items():
        spoilt: dict[str, Any] = {
            "a list": labels.tolist(),
            "a float": labels.float(),
            "one too many": torch.cat([labels, labels[:1]]),
            "too high": labels.new_full(labels.shape, 53),
            "too low": labels.new_full(labels.shape, -1),
        }
        with pytest.raises(ValueError, match=key) as error:
            model(**inputs, **(right | {key: spoilt[wrong]}))
        assert "\n" not in str(error.value)


GRADES = {"id2label": {0: "grade"}}


@pytest.mark.parametrize(
    ("name", "config", "inputs", "says"),
    [
        ("SequenceClassification", GRADES, {"labels": torch.ones(2)}, "labels is"),
        ("SequenceClassification", GRADES, {"labels": torch.ones(1, 3)}, "labels is"),
        ("SequenceClassification", GRADES, {"labels": torch.ones(1).bool()}, "labels is"),
        ("SequenceClassification", GRADES, {"labels": [1.0]}, "labels is"),
        ("QuestionAnswering", {}, {"start_positions": ONES[0, :1]}, "start_positions and end_positions tog"),
        ("MultipleChoice", {}, {}, r"input_ids has shape \[1, 3\]: give \[questions, choices"),
        (
            "MultipleChoice",
            {},
            {"input_ids": ONES.expand(2, 4, 3), "attention_mask": ONES.expand(4, 2, 3)},
            "give all inputs the same number of both",
        ),
    ],
)
def test_grades_positions_and_choices_are_looked_at(name, config, inputs, says):
    model = getattr(lib.bert, f"BertFor{name}")(BertConfig(**SMALL, **config)).eval()
    with pytest.raises(ValueError, match=says):
        model(**{"input_ids": ONES} | inputs)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda folder: BertModel.from_pretrained(folder / "nothing"), "There is no folder"),
        (lambda _: BertModel.from_pretrained("./nothing"), "There is no folder"),
        (lambda folder: BertModel.from_pretrained(folder, num_labels=0), "num_labels is"),
        (lambda folder: BertModel.from_pretrained(folder, num_labels=-1), "num_labels is"),
        (lambda folder: BertModel.from_pretrained(folder, num_labels="3"), "num_labels is"),
        (lambda _: split_heads(torch.randn(1, 3, 7), 2), "7 features cannot be cut into 2 equal heads"),
    ],
)
def test_what_cannot_be_asked_for(folder, call, says):
    with pytest.raises(ValueError, match=says):
        call(folder)


@pytest.mark.parametrize(
    ("sizes", "says"),
    [
        ({"hidden_size": 25}, "25 is not divisible by num_attention_heads 3"),
        ({"num_hidden_layers": 0}, "num_hidden_layers is 0"),
        ({"hidden_act": "relu"}, "hidden_act is 'relu'"),
        ({"pad_token_id": 53}, "pad_token_id is 53"),
        ({"id2label": {}}, "id2label is empty"),
        ({"attention_head_size": 0}, "attention_head_size is 0"),
        ({"hidden_dropout_prob": float("nan")}, "hidden_dropout_prob is nan"),
        ({"classifier_dropout": 2}, "classifier_dropout is 2"),
        ({"layer_norm_eps": -1.0}, "layer_norm_eps is -1"),
    ],
)
def test_bad_configs(sizes, says):
    with pytest.raises(ValueError, match=says):
        BertConfig(**(SMALL | sizes))


@pytest.fixture
def folder(tmp_path) -> Path:
    BertModel(BertConfig(**SMALL)).save_pretrained(tmp_path)
    return tmp_path


def change_tensors(folder: Path, change) -> None:
    tensors = load_file(folder / "model.safetensors")
    change(tensors)
    save_file(tensors, folder / "model.safetensors")


def truncate(folder: Path) -> None:
    content = (folder / "model.safetensors").read_bytes()
    (folder / "model.safetensors").write_bytes(content[: len(content) // 2])


def replace_by_pickle(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    torch.save({"a": torch.zeros(1)}, folder / "pytorch_model.bin")


def rename_a_pickle(folder: Path) -> None:
    torch.save({"a": torch.zeros(1)}, folder / "model.safetensors")


NAME = "encoder.layer.1.output.dense.weight"


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda f: change_tensors(f, lambda t: t.pop(NAME)), f"lacks the tensor {NAME}"),
        (lambda f: change_tensors(f, lambda t: t.pop("pooler.dense.bias")), "the tensor pooler.dense.bias"),
        (lambda f: change_tensors(f, lambda t: t.update(extra=torch.zeros(1))), "unlike .* tensor extra"),
        (lambda f: change_tensors(f, lambda t: t.update({NAME: torch.zeros(3)})), r"has shape \[3\]"),
        (lambda f: change_tensors(f, lambda t: t[NAME].fill_(torch.nan)), "numbers that are not finite"),
        (lambda f: change_tensors(f, lambda t: t.update({NAME: t[NAME].to(torch.int8)})), "holds torch.int8"),
        (truncate, "not a whole safetensors file"),
        (replace_by_pickle, "as a pickle .* load it with the class of transformers that has its head"),
        (rename_a_pickle, "not a whole safetensors file"),
        (lambda f: (f / "model.safetensors").unlink(), "There is no model.safetensors"),
        (lambda f: (f / "config.json").unlink(), "There is no config.json"),
        (lambda f: (f / "config.json").write_text("{"), "not valid JSON"),
        (lambda f: (f / "config.json").write_text("[]"), "no JSON object"),
        (lambda f: (f / "config.json").write_text('{"model_type": "gpt2"}'), "'gpt2' model, not a BERT"),
    ],
)
def test_bad_checkpoints_are_refused_in_one_sentence(folder, spoil, says):
    spoil(folder)
    with pytest.raises(ValueError, match=says) as error:
        BertModel.from_pretrained(folder)
    assert "\n" not in str(error.value)


def test_a_head_with_a_part_missing_is_refused(tmp_path):
    BertForPreTraining(BertConfig(**SMALL)).save_pretrained(tmp_path)
    change_tensors(tmp_path, lambda tensors: tensors.pop("cls.predictions.transform.dense.bias"))
    with pytest.raises(ValueError, match=r"lacks the tensor cls\.predictions\.transform\.dense\.bias"):
        BertForPreTraining.from_pretrained(tmp_path)


def test_a_decoder_of_its_own_is_not_replaced_in_silence(tmp_path):
    library_model("BertForMaskedLM", tie_word_embeddings=False).save_pretrained(tmp_path)
    with pytest.raises(
        ValueError, match=r"one tensor for two, numbers of its own to the tensor cls\.predictions"
    ):
        BertForMaskedLM.from_pretrained(tmp_path)


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (OSError("no space left"), "no space left"),
        (SafetensorError("I/O error: No space left on device"), "could not be written: I/O error: No space"),
    ],
)
def test_a_failed_save_leaves_the_old_checkpoint(folder, error, says):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with mock.patch("lib.bert.checkpoint.save_file", side_effect=error), pytest.raises(OSError, match=says):
        BertModel(BertConfig(**SMALL | {"hidden_size": 30})).save_pretrained(folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_unknown_keys_of_the_config_are_still_there_when_it_is_saved(folder):
    config = json.loads((folder / "config.json").read_text())
    unknown = {"use_cache": True, "dtype": "float16", "task_specific_params": {"a": [1]}}
    (folder / "config.json").write_text(json.dumps(config | unknown | {"architectures": ["Other"]}))
    model = BertModel.from_pretrained(folder, num_labels=3)
    assert BertConfig.from_pretrained(folder).other == unknown
    model.save_pretrained(folder / "again")
    again = json.loads((folder / "again" / "config.json").read_text())
    assert {key: again[key] for key in unknown} == unknown | {"dtype": "float32"}  # as the weights are now
    assert again["architectures"] == ["BertModel"] and len(again["label2id"]) == 3
