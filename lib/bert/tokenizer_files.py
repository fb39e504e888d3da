"""A tokenizer as it stands in a folder, of any age of `transformers`: the pieces, and how texts are cut.

Today all of it is in tokenizer.json. Before, pieces were in vocab.txt, options in tokenizer_config.json, and
what was added in added_tokens.json and special_tokens_map.json. Where two files disagree, the one counts that
`transformers` obeys, which depends on the class that it makes of the folder.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lib.bert.added_tokens import AddedToken
from lib.bert.folders import validate_there
from lib.files import read_object, validate_fetched

VOCAB = "vocab.txt"
OPTIONS = "tokenizer_config.json"
WHOLE = "tokenizer.json"
SENTENCE = "sentence_bert_config.json"  # what sentence-transformers does before
BYTE_ORDER_MARK = "\ufeff"
SPECIAL = {f"{name}_token": f"[{name.upper()}]" for name in ("pad", "unk", "cls", "sep", "mask")}
#: classes of `transformers` that cut as the options say, whatever stands in tokenizer.json
BERTS = {"Bert", "DistilBert", "Electra", "ConvBert", "MobileBert", "SqueezeBert", "LayoutLM", "Lxmert"}
#: the class that cuts as tokenizer.json says, under its two names
DESCRIBED = {"PreTrainedTokenizer", "TokenizersBackend"}
#: what tokenizer.json has to say, for it is what we do
WORDS = {"unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100}
KNOWN: dict[str, dict[str, Any]] = {
    "model": {"type": "WordPiece", **WORDS},
    "normalizer": {"type": "BertNormalizer", "clean_text": True},
    "pre_tokenizer": {"type": "BertPreTokenizer"},
}
ROWS = ["[CLS]:0 A:0 [SEP]:0", "[CLS]:0 A:0 [SEP]:0 B:1 [SEP]:1"]  # of a text, and of a pair
ELSE = "use transformers' tokenizer for it"
#: the options of how texts are normalized, as either file calls them; strip_accents None: if it lowercases
OF_OPTIONS = ("do_lower_case", "strip_accents", "tokenize_chinese_chars")
OF_WHOLE = ("lowercase", "strip_accents", "handle_chinese_chars")
USUAL = (True, None, True)
#: of what kind the entries are that we look into
KINDS = dict.fromkeys(
    ("model", "normalizer", "pre_tokenizer", "post_processor", "added_tokens_decoder"), dict
) | {"added_tokens": list, "tokenizer_class": str}
#: by the names of their files
OTHER_TOKENIZERS = {
    "merges.txt": f"its tokenizer joins byte pairs ({{}}): {ELSE}",
    "*.model": f"its tokenizer is of SentencePiece ({{}}): {ELSE}",
}
Options = tuple[bool, bool | None, bool]
UNLIMITED = 10**20  # `transformers` writes 10^30 where it knows no limit


def read(folder: Path) -> tuple[dict[str, int] | list[str], Options, list[AddedToken], int | None]:
    """The pieces in a folder, the options of how texts are normalized, the added tokens, and `longest_text`.

    All is as `transformers` would have it. ValueError, in one sentence, for what a BERT does not do: byte
    pairs, another normalizer or splitter, a prefix other than ##, longer words, special tokens of other
    names, rows other than [CLS] text [SEP], texts cut at their beginning; where the files leave open whether
    capitals count; and where the model beside has no vector for a piece. What tokenizer.json says of
    truncation, padding and decoding is left aside: here each call says it.
    """
    options, stored, config = (_read_known(folder / name) for name in (OPTIONS, WHOLE, "config.json"))
    if options.get("truncation_side") == "left":
        raise ValueError(
            f"{folder / OPTIONS} has texts cut at their beginning (truncation_side is left), and here "
            f"they are cut at their end: {ELSE}, or write right if that doesn't matter."
        )
    is_described = _is_described(folder, options, config) and bool(stored)
    if (folder / WHOLE).is_file():
        _validate_described(folder / WHOLE, stored, may_lack_template=not is_described)
    vocab = stored["model"]["vocab"] if stored else _read_vocab(folder)
    normalization = _normalization(folder, options, stored, is_described)
    if read_object(folder / SENTENCE).get("do_lower_case") and not normalization[0]:
        raise ValueError(
            f"{folder / SENTENCE} asks for lower case, and the tokenizer beside it keeps capitals: write one "
            f"do_lower_case, true or false, into it and {OPTIONS}."
        )
    if "additional_special_tokens" in options:  # the older name
        options.setdefault("extra_special_tokens", options.pop("additional_special_tokens"))
    if "added_tokens_decoder" not in options:  # which took the place of the older files
        options |= read_object(folder / "special_tokens_map.json")
    added = _added_tokens(folder, options, stored, is_described)
    ids = dict(vocab if isinstance(vocab, dict) else zip(vocab, range(len(vocab)), strict=True))
    for token, given in added:
        number = ids.setdefault(token.content, len(ids))
        if given not in (None, number):
            raise ValueError(
                f"{folder} gives the added token {token.content!r} the id {given}, and it would get "
                f"{number}: number added tokens after the pieces, without gaps."
            )
    if len(ids) > 1 and next(reversed(ids)) == "":  # an empty last line: no text reaches it, no id follows
        del ids[""]
        vocab = ids
    _compare_rows(folder, len(ids), config.get("vocab_size"))
    said = options.get("model_max_length", options.get("max_len"))  # the older name
    return vocab, normalization, [token for token, _ in added], longest_text(folder, said)


def longest_text(folder: Path, said: Any) -> int | None:
    """The most pieces of a text, as they are said, or the positions of a model beside, if fewer."""
    positions = read_object(folder / "config.json").get("max_position_embeddings")
    known = (limit for limit in (said, positions) if type(limit) is int and 0 < limit < UNLIMITED)
    return min(known, default=None)


def _read_known(path: Path) -> dict[str, Any]:
    """A file of JSON, {} where there is none; ValueError for an entry of another kind than it has to be."""
    content = read_object(path)
    for name, kind in KINDS.items():
        if not isinstance(content.get(name) or kind(), kind):
            raise ValueError(f"{path} has something else than a {kind.__name__} as {name}: get it anew.")
    for token in content.get("added_tokens") or []:
        if not (isinstance(token, dict) and isinstance(token.get("id"), int) and "content" in token):
            raise ValueError(f"{path} has an added token without content or id, {token!r}: get it anew.")
    for number in content.get("added_tokens_decoder") or {}:
        if not number.isdecimal():
            raise ValueError(f"{path} gives an added token the id {number!r}: ids are whole numbers.")
    return content


def settled(lowercase: bool, strip_accents: bool | None, chinese: bool) -> tuple[bool, bool, bool]:
    """The three options with the second decided."""
    return lowercase, lowercase if strip_accents is None else strip_accents, chinese


def _is_described(folder: Path, options: Mapping[str, Any], config: Mapping[str, Any]) -> bool:
    """Whether `transformers` obeys a tokenizer.json in this folder, or else the options, as for a BERT."""
    name = options.get("tokenizer_class") or config.get("tokenizer_class") or ""
    if "Japanese" in name:
        raise ValueError(
            f"{folder} needs words split by a Japanese dictionary first: split them with fugashi, and "
            f"give them and its {VOCAB} to wordpiece()."
        )
    kind = name.removesuffix("Fast")
    if kind and kind not in DESCRIBED and kind.removesuffix("Tokenizer") not in BERTS:
        raise ValueError(f"{folder} holds a {name}, which cuts otherwise than BERT's tokenizer: {ELSE}.")
    is_bert = kind or config.get("model_type") in {name.lower() for name in BERTS}
    return kind in DESCRIBED or not is_bert


def _validate_described(path: Path, stored: Mapping[str, Any], may_lack_template: bool) -> None:
    """Raise a ValueError if a tokenizer.json describes what we do not do."""
    sections = {name: stored.get(name) or {"type": None} for name in KNOWN}
    vocab = sections["model"].get("vocab")
    if not isinstance(vocab, dict) or sections["model"].get("type", "WordPiece") != "WordPiece":
        raise ValueError(
            f"{path} holds no WordPiece vocabulary: name the folder of a BERT with its tokenizer, or {ELSE}."
        )
    wrong = [
        f"{section} has {name} {described[name]!r}, not {known!r}"
        for section, described in sections.items()
        for name, known in KNOWN[section].items()
        if described.get(name, known) != known
    ]
    if not (_is_usual(around := stored.get("post_processor")) or (around is None and may_lack_template)):
        wrong.append("post_processor makes other rows than [CLS] text [SEP], or none")
    if wrong:
        raise ValueError(f"{path} cuts otherwise than BERT's tokenizer ({'; '.join(wrong)}): {ELSE}.")


def _is_usual(around: Any) -> bool:
    """Whether a post_processor makes rows of [CLS] text [SEP], and of [CLS] text [SEP] pair [SEP]."""
    match around:
        case {"type": "BertProcessing", "cls": ["[CLS]", _], "sep": ["[SEP]", _]}:
            return True
        case {"type": "TemplateProcessing", "single": single, "pair": pair}:
            return [
                " ".join(f"{part['id']}:{part['type_id']}" for item in row for part in item.values())
                for row in (single, pair)
            ] == ROWS
        case _:
            return False


def _normalization(
    folder: Path, options: Mapping[str, Any], stored: Mapping[str, Any], is_described: bool
) -> Options:
    """The three options; those of a BERT count, and where they are silent it is uncased."""
    by_options: Any = tuple(map(options.get, OF_OPTIONS, USUAL))
    found: Any = tuple(map(stored["normalizer"].get, OF_WHOLE, USUAL)) if stored else by_options
    if not is_described and settled(*found) != settled(*by_options):
        for key, described, meant in zip(OF_OPTIONS, found, by_options, strict=True):
            if described != meant and key not in options:
                raise ValueError(
                    f"{folder / WHOLE} has another {key} than transformers takes for granted ({meant}): say "
                    f'which is meant in {OPTIONS} beside it, "{key}": true or false.'
                )
        found = by_options
    for key, value in zip(OF_OPTIONS, settled(*found), strict=True):
        if not isinstance(value, bool):
            raise ValueError(f"{key} is {value!r} in {folder}: write true or false, without quotes.")
    return found


def _added_tokens(
    folder: Path, options: Mapping[str, Any], stored: Mapping[str, Any], is_described: bool
) -> list[tuple[AddedToken, int | None]]:
    """What is cut out whole, each once and with its id, in their order; what has none yet comes last."""
    is_old = "added_tokens_decoder" not in options
    listed = options.get("extra_special_tokens") or []
    named = [value for key, value in options.items() if key.endswith("_token") and value]
    extra = list(map(_token, [*named, *(listed.values() if isinstance(listed, dict) else listed)]))
    for key, usual in SPECIAL.items():
        if key in options and (name := _token(options[key]).content) != usual:
            raise ValueError(f"{folder} calls its {key} {name!r}, and here it is {usual}: {ELSE}.")
    special = {token.content for token in extra} | set(SPECIAL.values())
    # so named in special_tokens_map.json, they do not count as special where they have an id
    extra += map(_token, options.get("additional_special_tokens") or [])
    found: list[tuple[AddedToken, int]] = []
    if is_old:
        found += [
            (AddedToken(content, normalized=content not in special, special=content in special), number)
            for content, number in read_object(folder / "added_tokens.json").items()
        ]
    if is_old or is_described:
        found += [(_token(value), value["id"]) for value in stored.get("added_tokens") or []]
    decoder = options.get("added_tokens_decoder") or {}
    found += [(_token(value), int(number)) for number, value in decoder.items()]
    added = {token.content: (token, number) for token, number in sorted(found, key=lambda pair: pair[1])}
    without_id = [(token._replace(special=True), None) for token in extra if token.content not in added]
    return [*added.values(), *without_id]


def _token(value: Any) -> AddedToken:
    """A token of a file, which is its content alone or an object that has our names for the rest."""
    if isinstance(value, dict) and isinstance(value.get("content"), str):
        return AddedToken(**{name: value[name] for name in AddedToken._fields if name in value})
    return AddedToken(str(value))


def _compare_rows(folder: Path, pieces: int, rows: object) -> None:
    """Raise a ValueError where the model in a folder has fewer vectors than pieces; warn of more."""
    if isinstance(rows, int) and pieces > rows:
        raise ValueError(
            f"{folder} has {pieces} pieces, added ones included, and its model vectors for {rows}: if tokens "
            "were added, resize the model's embeddings (resize_token_embeddings in transformers) and save it "
            "again, or else fetch the tokenizer of this model."
        )
    if isinstance(rows, int) and pieces < rows:
        warnings.warn(
            f"The model in {folder} has {rows} vectors and its tokenizer {pieces} pieces: the vectors "
            f"from {pieces} on belong to no piece, and no text reaches them.",
            stacklevel=4,
        )


def _read_vocab(folder: Path) -> list[str]:
    """The pieces of vocab.txt in the order of their ids."""
    path = folder / VOCAB
    validate_there(path, OTHER_TOKENIZERS, "name the folder of a BERT with its tokenizer")
    validate_fetched(path)
    try:
        lines = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{path} is not text in UTF-8 ({error.reason} at byte {error.start}): save it again in that "
            "encoding."
        ) from None
    if lines.startswith(BYTE_ORDER_MARK):
        warnings.warn(f"{path} begins with a byte-order mark, left out here: save it without.", stacklevel=4)
    # not splitlines, which also cuts at characters that are pieces of some vocabularies
    return lines.removeprefix(BYTE_ORDER_MARK).removesuffix("\n").split("\n")
