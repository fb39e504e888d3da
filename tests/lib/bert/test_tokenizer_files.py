"""Tokenizers as people bring them: files of any age that say how to cut, against `transformers` on them."""

from __future__ import annotations

import json
import unicodedata
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import transformers
from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers, processors
from tokenizers.implementations import BertWordPieceTokenizer

from lib.bert import BertConfig, BertForSequenceClassification, WordPieceTokenizer
from lib.bert.alterations import cut_positions
from lib.text.packing import fast_tokenizer

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
LETTERS = [*"abcdefghinoprstvyACPBé中文ßáλ1-.,'<>[]/", *unicodedata.normalize("NFD", "한")]
PIECES = [*SPECIAL, *LETTERS, *(f"##{letter}" for letter in LETTERS), "the", "The", "anna", "Anna", "paris"]
LAST = len(PIECES)
IDS = {piece: number for number, piece in enumerate(PIECES)}
TEXTS = [
    "The Anna Café in Paris",
    "the anna cafe\u0301 in paris 中文字 x中y 한국",
    "a\x00b\tc\u200bd\ufffde\u00a0f\x7f 😀 ß ẞ İ",
    "a" * 100 + " " + "b" * 101,
    "COVID-19, Covid and covids; <e> </E> [E1][e1] [MASK] [mask]",
    "  covid\ncovid  [E1] .covid_ a中b",
]
CASES = [
    (lower, strip, chinese)
    for lower in (True, False)
    for strip in (None, True, False)
    for chinese in (True, False)
]


def described(lower: bool = True, strip: bool | None = None, chinese: bool = True) -> Tokenizer:
    made = BertWordPieceTokenizer(IDS, lowercase=lower, strip_accents=strip, handle_chinese_chars=chinese)
    return made._tokenizer


def written(folder: Path, tokenizer: Tokenizer | None = None, **files: Any) -> Path:
    """A folder with a tokenizer.json, or else a vocab.txt, and further files of JSON."""
    if tokenizer is None:
        (folder / "vocab.txt").write_text("".join(f"{piece}\n" for piece in PIECES), encoding="utf-8")
    else:
        tokenizer.save(str(folder / "tokenizer.json"))
    for name, content in files.items():
        (folder / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")
    return folder


def assert_same(folder: Path, ours: WordPieceTokenizer | None = None) -> None:
    """Ids and offsets of all texts are those of `transformers`, and so they are once we have saved."""
    ours = ours or WordPieceTokenizer.from_pretrained(folder)
    theirs = transformers.AutoTokenizer.from_pretrained(folder)
    assert ours.vocab == theirs.get_vocab()
    for text in TEXTS:
        expected = theirs([text], return_offsets_mapping=True)
        assert ours.encode(text) == expected["input_ids"][0], text
        assert ours.offsets(text) == expected["offset_mapping"][0], text
    (saved := folder / "saved").mkdir(exist_ok=True)
    ours.save_pretrained(saved)
    again = transformers.AutoTokenizer.from_pretrained(saved)
    assert again(TEXTS)["input_ids"] == [ours.encode(text) for text in TEXTS]
    assert vars(WordPieceTokenizer.from_pretrained(saved))["added_tokens"] == ours.added_tokens


# --- how it cuts ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("lower", "strip", "chinese"), CASES)
def test_a_tokenizer_json_alone_cuts_as_it_says(
    lower: bool, strip: Any, chinese: bool, tmp_path: Path
) -> None:
    theirs = described(lower, strip, chinese)
    ours = WordPieceTokenizer.from_pretrained(written(tmp_path, theirs))
    for text in TEXTS:
        encoding = theirs.encode(text)
        assert (ours.encode(text), ours.offsets(text)) == (encoding.ids, encoding.offsets)
    assert_same(tmp_path, ours)


OPTIONS = ["do_lower_case", "strip_accents", "tokenize_chinese_chars"]


@pytest.mark.parametrize(
    "name", ["BertTokenizer", "DistilBertTokenizerFast", "PreTrainedTokenizerFast", "TokenizersBackend"]
)
@pytest.mark.parametrize("values", [(True, None, True), (False, None, True), (True, False, False)])
def test_where_two_files_disagree_the_one_counts_that_transformers_obeys(
    name: str, values: Any, tmp_path: Path
) -> None:
    options = {"tokenizer_class": name, **dict(zip(OPTIONS, values, strict=True))}
    written(tmp_path, described(False, True, False), tokenizer_config=options, config={"model_type": "bert"})
    assert_same(tmp_path)


@pytest.mark.parametrize(
    "files",
    [{"config": {"model_type": "bert"}}, {"tokenizer_config": {"tokenizer_class": "BertTokenizerFast"}}],
)
@pytest.mark.parametrize(
    ("tokenizer", "silent"),
    [
        (described(lower=False), "do_lower_case"),
        (described(strip=False), "strip_accents"),
        (described(chinese=False), "tokenize_chinese_chars"),
    ],
)
def test_what_no_file_says_outright_is_asked(
    files: dict[str, Any], tokenizer: Tokenizer, silent: str, tmp_path: Path
) -> None:
    written(tmp_path, tokenizer, **files)
    with pytest.raises(ValueError, match=f'"{silent}": true or false'):
        WordPieceTokenizer.from_pretrained(tmp_path)


@pytest.mark.parametrize(("lower", "strip", "chinese"), CASES)
def test_options_beside_a_vocabulary(lower: bool, strip: Any, chinese: bool, tmp_path: Path) -> None:
    options = dict(zip(OPTIONS, (lower, strip, chinese), strict=True))
    assert_same(written(tmp_path, tokenizer_config={"tokenizer_class": "BertTokenizer", **options}))


def test_a_tokenizer_json_comes_before_a_vocabulary_of_other_pieces(tmp_path: Path) -> None:
    written(tmp_path, described(), config={"model_type": "bert"})
    (tmp_path / "vocab.txt").write_text("\n".join([*SPECIAL, "paris"]), encoding="utf-8")
    assert_same(tmp_path)


def changed(change: Callable[[Tokenizer], object]) -> Tokenizer:
    tokenizer = described()
    change(tokenizer)
    return tokenizer


def with_model(**options: Any) -> Tokenizer:
    return changed(
        lambda made: setattr(made, "model", models.WordPiece(IDS, **{"unk_token": "[UNK]"} | options))
    )


def with_part(name: str, part: Any) -> Tokenizer:
    return changed(lambda made: setattr(made, name, part))


OTHERS: list[tuple[Tokenizer, str]] = [
    (with_model(continuing_subword_prefix="@@"), "continuing_subword_prefix '@@', not '##'"),
    (with_model(max_input_chars_per_word=20), "max_input_chars_per_word 20, not 100"),
    (with_model(unk_token="<unk>"), "unk_token '<unk>'"),
    (with_part("normalizer", normalizers.BertNormalizer(clean_text=False)), "clean_text False, not True"),
    (with_part("normalizer", normalizers.Sequence([normalizers.NFD()])), "normalizer has type 'Sequence'"),
    (with_part("normalizer", None), "normalizer has type None"),
    (with_part("pre_tokenizer", pre_tokenizers.Whitespace()), "pre_tokenizer has type 'Whitespace'"),
    (with_part("pre_tokenizer", pre_tokenizers.ByteLevel()), "pre_tokenizer has type 'ByteLevel'"),
    (with_part("pre_tokenizer", None), "pre_tokenizer has type None"),
    (with_part("post_processor", None), "post_processor makes other rows"),
    (with_part("post_processor", processors.BertProcessing(("[CLS]", 3), ("[SEP]", 2))), "makes other rows"),
    (
        with_part("post_processor", processors.TemplateProcessing("$A [SEP]", None, [("[SEP]", 3)])),
        "other rows",
    ),
    (Tokenizer(models.BPE({"a": 0}, [])), "holds no WordPiece vocabulary"),
    (Tokenizer(models.Unigram([("a", 0.0)])), "holds no WordPiece vocabulary"),
    (Tokenizer(models.WordLevel({"a": 0, "[UNK]": 1}, "[UNK]")), "holds no WordPiece vocabulary"),
]


@pytest.mark.parametrize(
    ("tokenizer", "says"), OTHERS, ids=lambda part: part if isinstance(part, str) else ""
)
def test_what_we_do_not_do_is_refused_in_a_sentence(tokenizer: Tokenizer, says: str, tmp_path: Path) -> None:
    written(tmp_path, tokenizer)
    with pytest.raises(ValueError, match="use transformers' tokenizer") as error:
        WordPieceTokenizer.from_pretrained(tmp_path)
    assert says in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"tokenizer_config": {"tokenizer_class": "RobertaTokenizerFast"}}, "holds a RobertaTokenizerFast"),
        ({"config": {"tokenizer_class": "MPNetTokenizer"}}, "holds a MPNetTokenizer"),
        ({"tokenizer_config": {"cls_token": "<s>"}}, r"calls its cls_token '<s>', and here it is \[CLS\]"),
        ({"special_tokens_map": {"mask_token": {"content": "<mask>"}}}, "calls its mask_token '<mask>'"),
        ({"tokenizer_config": {"do_lower_case": "false"}}, "do_lower_case is 'false'"),
        ({"added_tokens": {"covid": LAST + 3}}, f"the id {LAST + 3}, and it would get {LAST}"),
        ({"tokenizer_config": {"added_tokens_decoder": {"3": {"content": "[CLS]"}}}}, "it would get 2"),
        ({"config": {"vocab_size": 40}}, f"has {LAST} pieces, .* or else fetch the tokenizer"),
        ({"added_tokens": {"covid": LAST}, "config": {"vocab_size": LAST}}, "resize the model's embeddings"),
        ({"tokenizer_config": {"added_tokens_decoder": ["[X]"]}}, "else than a dict as added_tokens_decoder"),
        ({"tokenizer_config": {"added_tokens_decoder": {"last": {"content": "[X]"}}}}, "the id 'last'"),
        ({"tokenizer_config": {"tokenizer_class": 3}}, "something else than a str as tokenizer_class"),
        ({"added_tokens": {"\u0301": LAST}}, "is nothing once it is normalized"),
        ({"added_tokens": {"E1": LAST, "e1": LAST + 1}}, "'e1' is 'E1' once it is normalized"),
    ],
)
def test_files_that_do_not_fit_together(files: dict[str, Any], says: str, tmp_path: Path) -> None:
    written(tmp_path, **files)
    with pytest.raises(ValueError, match=says) as error:
        WordPieceTokenizer.from_pretrained(tmp_path)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("entry", "value", "says"),
    [
        ("model", "WordPiece", "something else than a dict as model"),
        ("normalizer", ["BertNormalizer"], "something else than a dict as normalizer"),
        ("post_processor", 3, "something else than a dict as post_processor"),
        ("added_tokens", {"[X]": 5}, "something else than a list as added_tokens"),
        ("added_tokens", [{"content": "[X]"}], "an added token without content or id"),
    ],
)
def test_an_entry_of_another_kind_is_named(entry: str, value: Any, says: str, tmp_path: Path) -> None:
    described().save(str(tmp_path / "tokenizer.json"))
    stored = json.loads((tmp_path / "tokenizer.json").read_text())
    (tmp_path / "tokenizer.json").write_text(json.dumps(stored | {entry: value}))
    with pytest.raises(ValueError, match=says):
        WordPieceTokenizer.from_pretrained(tmp_path)


def test_rows_that_belong_to_no_piece_are_told(tmp_path: Path) -> None:
    written(tmp_path, config={"model_type": "bert", "vocab_size": len(PIECES) + 6})
    with pytest.warns(UserWarning, match=f"the vectors from {len(PIECES)} on belong to no piece"):
        WordPieceTokenizer.from_pretrained(tmp_path)
    (tmp_path / "config.json").unlink()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        WordPieceTokenizer.from_pretrained(tmp_path)


# --- added tokens ---------------------------------------------------------------------------------

ADDED: list[Any] = [
    ["covid"],
    ["COVID", "<e>"],
    ["[E1]", "[/E1]", "paris"],
    ["中", "한"],
    [AddedToken("covid", single_word=True)],
    [AddedToken("covid", single_word=True, normalized=False, lstrip=True)],
    [AddedToken("[E1]", lstrip=True, rstrip=True, normalized=False)],
    [AddedToken("covid", rstrip=True), AddedToken("co", normalized=False), AddedToken("covid-1")],
    [AddedToken("<e>", special=True), AddedToken("é", normalized=False)],
    [AddedToken("[MASK]", lstrip=True, special=True)],
]


@pytest.mark.parametrize("added", ADDED, ids=str)
@pytest.mark.parametrize("lower", [True, False])
@pytest.mark.parametrize("beside", [True, False], ids=["with vocab.txt", "alone"])
def test_added_tokens_are_cut_whole(added: list[Any], lower: bool, beside: bool, tmp_path: Path) -> None:
    theirs = transformers.BertTokenizer(vocab=dict(IDS), do_lower_case=lower)
    theirs.add_tokens(added)
    theirs.save_pretrained(tmp_path)
    if beside:
        written(tmp_path)
    assert_same(tmp_path)


@pytest.mark.parametrize("added", ADDED, ids=str)
def test_added_tokens_of_a_tokenizer_of_no_class(added: list[Any], tmp_path: Path) -> None:
    theirs = transformers.PreTrainedTokenizerFast(
        tokenizer_object=described(lower=False), mask_token="[MASK]"
    )
    theirs.add_tokens(added)
    theirs.save_pretrained(tmp_path)
    assert_same(tmp_path)


FLAGS = {"lstrip": False, "rstrip": False, "single_word": False, "normalized": True}
COVID = {"content": "covid", **FLAGS, "special": False}
MASK = {"content": "[MASK]", **FLAGS}
OLD: list[dict[str, Any]] = [
    {"added_tokens": {"covid": LAST, "[E1]": LAST + 1}},
    {"added_tokens": {"[E1]": LAST + 1, "covid": LAST},
     "special_tokens_map": {"additional_special_tokens": ["[E1]"]}},
    {"special_tokens_map": {"bos_token": {"content": "<e>", **FLAGS, "rstrip": True}}},
    {"special_tokens_map": {"cls_token": "[CLS]", "unk_token": "[UNK]", "mask_token": "[MASK]"}},
    {"special_tokens_map": {"mask_token": MASK | {"lstrip": True, "normalized": False}}},
    {"tokenizer_config": {"do_lower_case": False, "additional_special_tokens": ["[e1]", "<e>"]}},
    {"tokenizer_config": {"extra_special_tokens": {"entity_token": "[E1]"}, "eos_token": "covid"}},
    {"tokenizer_config": {"added_tokens_decoder": {str(LAST): COVID}}},
    {"tokenizer_config": {"added_tokens_decoder": {"4": MASK | {"special": True}}},
     "added_tokens": {"covid": LAST}},
    {"tokenizer_config": {"model_max_length": 512, "never_split": None, "do_basic_tokenize": True}},
]  # fmt: skip


@pytest.mark.parametrize("files", OLD, ids=str)
def test_older_layouts(files: dict[str, Any], tmp_path: Path) -> None:
    files.setdefault("tokenizer_config", {}).setdefault("tokenizer_class", "BertTokenizer")
    assert_same(written(tmp_path, **files))


def test_what_was_added_and_is_special_is_left_out_of_a_text(tmp_path: Path) -> None:
    theirs = transformers.BertTokenizer(vocab=dict(IDS))
    theirs.add_special_tokens({"additional_special_tokens": ["[E1]"]})
    theirs.add_tokens(["covid"])
    theirs.save_pretrained(tmp_path)
    ours = WordPieceTokenizer.from_pretrained(tmp_path)
    ids = ours.encode("[E1] covid paris [MASK]")
    for skip in (True, False):
        assert ours.decode(ids, skip) == theirs.decode(ids, skip_special_tokens=skip)
    assert sorted(ours.all_special_ids) == sorted(theirs.all_special_ids)


def test_a_packed_corpus_is_cut_by_the_same_added_tokens(tmp_path: Path) -> None:
    theirs = transformers.BertTokenizer(vocab=dict(IDS))
    theirs.add_tokens(ADDED[7])
    theirs.save_pretrained(tmp_path)
    ours = WordPieceTokenizer.from_pretrained(tmp_path)
    fast = fast_tokenizer(ours)
    assert [fast.encode(text).ids for text in TEXTS] == [ours.encode(text) for text in TEXTS]


# --- how long a text may be -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "positions", "longest"),
    [
        ({"model_max_length": 512}, None, 512),
        ({"model_max_length": 512}, 40, 40),
        ({"model_max_length": 10**30}, 40, 40),
        ({"max_len": 16}, 40, 16),
        ({}, 40, 40),
        ({}, None, None),
    ],
)
def test_how_long_a_text_may_be_is_kept(
    said: dict[str, Any], positions: int | None, longest: int | None, tmp_path: Path
) -> None:
    config = {"model_type": "bert", "max_position_embeddings": positions}
    ours = WordPieceTokenizer.from_pretrained(written(tmp_path, tokenizer_config=said, config=config))
    assert ours.model_max_length == longest and len(ours.encode("a " * 600)) == 602
    ours.save_pretrained(tmp_path / "saved")
    theirs = transformers.AutoTokenizer.from_pretrained(tmp_path / "saved")
    assert theirs.model_max_length == (longest or transformers.tokenization_utils_base.VERY_LARGE_INTEGER)


def test_a_long_text_is_cut_to_the_positions_of_the_model_beside(tmp_path: Path) -> None:
    model = BertForSequenceClassification(BertConfig(LAST, 8, 1, 2, 8, max_position_embeddings=12))
    model.save_pretrained(tmp_path)
    WordPieceTokenizer(PIECES, model_max_length=512).save_pretrained(tmp_path)
    answer = transformers.pipeline("text-classification", model=str(tmp_path))("a " * 900, truncation=True)
    assert answer[0]["label"] in model.config.id2label.values()
    cut_positions(model, "bert.embeddings", count=6)
    model.save_pretrained(tmp_path)
    WordPieceTokenizer.from_pretrained(tmp_path).save_pretrained(tmp_path)
    theirs = transformers.AutoTokenizer.from_pretrained(tmp_path)
    assert len(theirs("a " * 900, truncation=True)["input_ids"]) == 6


# --- what is no piece in vocab.txt ----------------------------------------------------------------


@pytest.mark.parametrize(("begins", "ends"), [("\ufeff", "\n"), ("", "\n\n"), ("\ufeff", "\r\n\r\n")])
def test_a_mark_of_byte_order_and_an_empty_last_line_are_no_pieces(
    begins: str, ends: str, tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    written(tmp_path, config={"model_type": "bert", "vocab_size": LAST})
    (tmp_path / "vocab.txt").write_bytes((begins + "\n".join(PIECES) + ends).encode())
    ours = WordPieceTokenizer.from_pretrained(tmp_path)
    assert ours.vocab == IDS
    assert any("begins with a byte-order mark" in str(told.message) for told in recwarn) == bool(begins)
    assert [ours.encode(text) for text in TEXTS] == (
        transformers.AutoTokenizer.from_pretrained(tmp_path)(TEXTS)["input_ids"]
    )


def test_an_empty_last_line_before_an_added_token_is_refused(tmp_path: Path) -> None:
    written(tmp_path, special_tokens_map={"bos_token": "<e>"})
    with (tmp_path / "vocab.txt").open("a") as file:
        file.write("\n")
    with pytest.raises(ValueError, match=f"Id {LAST} of the vocabulary is empty"):
        WordPieceTokenizer.from_pretrained(tmp_path)
