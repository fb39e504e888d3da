"""WordPiece: from a text to the numbers that BERT reads, and back.

A text is cut at special and added tokens written in it, then normalized character by character, then split
into words at spaces and punctuation, then each word into the longest pieces that the vocabulary holds
(Schuster and Nakajima, 2012; Devlin et al., 2018). Ids, offsets and decoded text are those of `transformers`.
"""

from __future__ import annotations

import json
import operator
import re
import string
import unicodedata
from collections.abc import Container, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple, Self

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from lib.bert import batch, tokenizer_files
from lib.bert.added_tokens import AddedToken, Splitter
from lib.bert.checkpoint import resolve_checkpoint
from lib.bert.tokenizer_files import OPTIONS, VOCAB, WHOLE, longest_text, settled
from lib.bert.validation import validate_tokenizer
from lib.files import write_whole

Span = tuple[int, int]  # where a piece begins and where it ends, in characters of the text
ADDED = (0, 0)  # the span of [CLS] and [SEP], which stand in no text
MAX_WORD = 100  # characters; what is longer is no word, and greedy search over it would take long
GLUED = (".", "?", "!", ",")  # decode leaves no space before these
MAX_REMEMBERED = 100_000  # words whose pieces a tokenizer keeps

#: the ideographs that the original BERT sets apart; 2B920 for 2B820 is `tokenizers`' slip, and so ours
CHINESE = re.compile(
    "[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df\U0002a700-\U0002b81f"
    "\U0002b920-\U0002ceaf\U0002f800-\U0002fa1f]"
)
#: `tokenizers` knows the categories of Unicode 8, and keeps what came later like a letter: these ranges hold
#: six in seven of the later accents, punctuation marks and format characters, and none from before
UNKNOWN_TO_UNICODE_8 = re.compile(
    "[\u0890-\u08e2\u1abf-\u1af0\u1df6-\u1dfb\u2e43-\u2e63\U00010d24-\U00010f89\U000113bb-\U0001145e"
    "\U0001182f-\U00011fff\U00012ff1-\U0001612f\U0001cf00-\U0001d128\U0001e000-\U0001e6f5]"
)


def wordpiece(word: str, vocab: Container[str], unk_token: str = "[UNK]") -> list[str]:
    """The pieces of one word: each time the longest that `vocab` holds; all but the first begin with ##.

    A word that cannot be finished so is `[unk_token]` as a whole.
    """
    pieces: list[str] = []
    start = 0
    while start < len(word):
        prefix = "##" if start > 0 else ""
        end = len(word)
        while end > start and prefix + word[start:end] not in vocab:
            end -= 1  # the longest first, then one character less
        if end == start:
            return [unk_token]
        pieces.append(prefix + word[start:end])
        start = end
    return pieces


@cache
def clean(character: str, lowercase: bool, strip_accents: bool, tokenize_chinese_chars: bool) -> str:
    """What is left of a character: nothing, a space, or letters; with spaces around a Chinese one."""
    category = _category(character)
    if category[0] == "Z" or character in "\t\n\r":
        return " "
    if category in ("Cc", "Cf", "Co") or character == "\ufffd":  # control, format, private, undecodable
        return ""
    is_word = tokenize_chinese_chars and CHINESE.match(character)
    if strip_accents:  # é becomes e and a combining accent, which is dropped
        decomposed = unicodedata.normalize("NFD", character)
        character = "".join(part for part in decomposed if _category(part) != "Mn")
    if lowercase:
        character = character.lower()
    return f" {character} " if is_word else character


@cache
def normalize(character: str, lowercase: bool, strip_accents: bool, tokenize_chinese_chars: bool) -> str:
    """What `clean` leaves of a character, with spaces around punctuation marks too."""
    return split_punctuation(clean(character, lowercase, strip_accents, tokenize_chinese_chars))


def split_punctuation(text: str) -> str:
    """The text with spaces around each punctuation mark."""
    return "".join(f" {part} " if _is_punctuation(part) else part for part in text)


def _category(character: str) -> str:
    return "Lo" if UNKNOWN_TO_UNICODE_8.match(character) else unicodedata.category(character)


def _is_punctuation(character: str) -> bool:
    """Unicode's punctuation, and what ASCII has beside it: $ + < = > ^ ` | ~"""
    return character in string.punctuation or _category(character)[0] == "P"


def longest_first(first: int, second: int, room: int) -> tuple[int, int]:
    """How many tokens of two texts to keep so that they fit in `room`: the longer text gives way first."""
    shorter = min(first, second, room // 2)
    longer = min(max(first, second), room - shorter)
    return (longer, shorter) if first > second else (shorter, longer)


class Token(NamedTuple):
    """A piece, and where it stands in its text."""

    piece: str
    span: Span


class WordPieceTokenizer:
    """BERT's tokenizer: `tokenizer(texts)` is what a model takes, `encode` and `decode` go there and back.

    `vocab` maps each piece to its id, or lists the pieces in the order of their ids. `strip_accents=None`
    strips them where `lowercase` is true, as the original does. `tokenize_chinese_chars` makes each
    Chinese character a word. `added_tokens` are cut out whole; what `vocab` lacks of them gets the next ids.
    `model_max_length`, the most pieces that a model reads, is saved for `transformers`: here nothing is cut.
    """

    pad_token, unk_token, cls_token = "[PAD]", "[UNK]", "[CLS]"
    sep_token, mask_token = "[SEP]", "[MASK]"
    all_special_tokens: tuple[str, ...] = (pad_token, unk_token, cls_token, sep_token, mask_token)

    def __init__(
        self,
        vocab: Mapping[str, int] | Iterable[str],
        lowercase: bool = True,
        strip_accents: bool | None = None,
        tokenize_chinese_chars: bool = True,
        added_tokens: Iterable[AddedToken] = (),
        model_max_length: int | None = None,
    ) -> None:
        validate_tokenizer(vocab)
        self.pieces = _checked(vocab, self.all_special_tokens)  # that words are cut into
        self._known = set(self.pieces)  # as `wordpiece` gets them
        special = [AddedToken(token, special=True) for token in self.all_special_tokens]
        by_content = {token.content: token for token in (*special, *added_tokens)}
        for content in self.all_special_tokens:
            by_content[content] = by_content[content]._replace(special=True)
        self.added_tokens = tuple(by_content.values())
        added = [content for content in by_content if content not in self.pieces]
        self.vocab = self.pieces | {content: id for id, content in enumerate(added, len(self.pieces))}
        self.all_special_tokens = tuple(token.content for token in self.added_tokens if token.special)
        self.lowercase = lowercase
        self.strip_accents = strip_accents
        self.tokenize_chinese_chars = tokenize_chinese_chars
        self.model_max_length = model_max_length
        self.pad_token_id = self.vocab[self.pad_token]
        self.unk_token_id = self.vocab[self.unk_token]
        self.cls_token_id = self.vocab[self.cls_token]
        self.sep_token_id = self.vocab[self.sep_token]
        self.mask_token_id = self.vocab[self.mask_token]
        self.all_special_ids = [self.vocab[token] for token in self.all_special_tokens]
        self._tokens = sorted(self.vocab, key=self.vocab.__getitem__)  # id to token
        self._options = settled(lowercase, strip_accents, tokenize_chinese_chars)
        self._split_first = Splitter(
            {token.content: token for token in self.added_tokens if not token.normalized}
        )
        normalized: dict[str, AddedToken] = {}
        for token in (token for token in self.added_tokens if token.normalized):
            text = "".join(self._cleaned(token.content))
            if not text or text in normalized:
                same = repr(normalized[text].content) if text else "nothing"
                raise ValueError(
                    f"The added token {token.content!r} is {same} once it is normalized, so that no text can "
                    "ask for it: add it with normalized=False."
                )
            normalized[text] = token
        self._split_then = Splitter(normalized)
        self._remembered: dict[str, list[str]] = {}

    @classmethod
    def from_pretrained(cls, name_or_folder: str | Path) -> Self:
        """The tokenizer of a checkpoint: "minilm", "pocket", a folder, or a model name on the hub.

        It cuts as `transformers` makes it cut, or else ValueError says why not: see `tokenizer_files.read`.
        """
        vocab, options, added_tokens, longest = tokenizer_files.read(resolve_checkpoint(name_or_folder))
        return cls(vocab, *options, added_tokens, longest)

    def save_pretrained(self, folder: str | Path) -> None:
        """Write vocab.txt and tokenizer_config.json, from which `transformers` makes the same tokenizer.

        `truncation=True` cuts there to `model_max_length`, or to the positions of a model beside, if fewer.
        """
        folder = Path(folder)
        if (folder / WHOLE).exists():
            raise ValueError(
                f"{folder} holds another {WHOLE}, which transformers would read before {VOCAB}: "
                "remove it, or save to another folder."
            )
        options = {
            "tokenizer_class": "BertTokenizer",
            "do_lower_case": self.lowercase,
            "strip_accents": self.strip_accents,
            "tokenize_chinese_chars": self.tokenize_chinese_chars,
            "added_tokens_decoder": {
                self.vocab[token.content]: token._asdict() for token in self.added_tokens
            },
        }
        if longest := longest_text(folder, self.model_max_length):
            options["model_max_length"] = longest
        write_whole(folder / VOCAB, "".join(f"{piece}\n" for piece in self.pieces))
        write_whole(folder / OPTIONS, json.dumps(options, indent=2) + "\n")

    def __len__(self) -> int:
        return len(self.vocab)

    def __call__(
        self,
        texts: str | Iterable[str],
        pairs: str | Iterable[str] | None = None,
        max_length: int | None = None,
    ) -> dict[str, Tensor]:
        """A padded batch, ready for `model(**batch)`: LongTensors [B, T], one row for each text.

        `input_ids`; `token_type_ids`, 1 on the second text of a pair; `attention_mask`, 0 on padding. Nothing
        is cut off without `max_length`, which counts [CLS] and [SEP].
        """
        firsts = _listed(texts)
        seconds = [None] * len(firsts) if pairs is None else _listed(pairs)
        if not firsts:
            raise ValueError("There is no text in this batch: give one at least.")
        if len(firsts) != len(seconds):
            raise ValueError(f"{len(firsts)} texts and {len(seconds)} pairs: give one pair for each text.")
        rows = [self._row(*pair, max_length) for pair in zip(firsts, seconds, strict=True)]
        input_ids, attention_mask = batch.pad_batch([ids for ids, _ in rows], self.pad_token_id)
        token_type_ids = pad_sequence([torch.tensor(types) for _, types in rows], batch_first=True)  # with 0
        return {
            "input_ids": input_ids,
            "token_type_ids": token_type_ids,
            "attention_mask": attention_mask,
        }

    def tokenize(self, text: str) -> list[str]:
        """The pieces of a text, without [CLS] and [SEP]."""
        return [token.piece for token in self._split(text)]

    def encode(self, text: str, pair: str | None = None, max_length: int | None = None) -> list[int]:
        """The ids of [CLS] text [SEP], or of [CLS] text [SEP] pair [SEP]."""
        ids, _ = self._row(text, pair, max_length)
        return ids

    def offsets(self, text: str, pair: str | None = None, max_length: int | None = None) -> list[Span]:
        """For each id of `encode`, the (start, end) of its characters in its text; (0, 0) for what we add."""
        first, second = self._cut(text, pair, max_length)
        spans = [ADDED, *(token.span for token in first), ADDED]
        if second is not None:
            spans += [*(token.span for token in second), ADDED]
        return spans

    def decode(self, ids: Iterable[int], skip_special_tokens: bool = False) -> str:
        """The pieces as a text, with the spaces that `transformers` gives it.

        What `normalize` dropped is lost, and so is where the spaces were.
        """
        tokens = self.convert_ids_to_tokens(ids)
        if skip_special_tokens:
            tokens = [token for token in tokens if token not in self.all_special_tokens]
        text = "".join(tokens[:1])
        for token in tokens[1:]:
            if token.startswith("##"):
                text += token[2:]
            else:
                text += token if token.startswith(GLUED) else f" {token}"
        return text

    def convert_ids_to_tokens(self, ids: Iterable[int]) -> list[str]:
        """The piece of each id."""
        numbers = [operator.index(number) for number in ids]
        for number in numbers:
            if not 0 <= number < len(self):
                raise ValueError(f"There is no id {number} among the {len(self)} pieces of this vocabulary.")
        return [self._tokens[number] for number in numbers]

    def convert_tokens_to_ids(self, tokens: Iterable[str]) -> list[int]:
        """The id of each piece; that of [UNK] for what the vocabulary lacks."""
        if isinstance(tokens, str):
            raise TypeError(f"convert_tokens_to_ids takes a list of tokens: give it [{tokens!r}].")
        return [self.vocab.get(token, self.unk_token_id) for token in tokens]

    def _row(self, text: str, pair: str | None, max_length: int | None) -> tuple[list[int], list[int]]:
        """The ids and the token types of one row of a batch."""
        first, second = self._cut(text, pair, max_length)
        pieces = None if second is None else [token.piece for token in second]
        return batch.build_inputs([token.piece for token in first], pieces, self.vocab)

    def _cut(
        self, text: str, pair: str | None, max_length: int | None
    ) -> tuple[list[Token], list[Token] | None]:
        """The pieces of a text and of its pair, as many as fit in `max_length` with [CLS] and [SEP]."""
        first = self._split(text)
        second = None if pair is None else self._split(pair)
        if max_length is None:
            return first, second
        added = 2 if second is None else 3
        if max_length < added:
            raise ValueError(
                f"max_length is {max_length}, but [CLS] and [SEP] alone take {added} places: enlarge it."
            )
        kept, kept_of_pair = longest_first(len(first), len(second or []), max_length - added)
        return first[:kept], None if second is None else second[:kept_of_pair]

    def _split(self, text: str) -> list[Token]:
        """The pieces of one text; added tokens written in it are themselves."""
        _validate_text(text)
        return [
            piece
            for token, start, stop in self._split_first(text)
            for piece in (
                [Token(token.content, (start, stop))] if token else self._split_plain(text[start:stop], start)
            )
        ]

    def _split_plain(self, text: str, start: int) -> Iterator[Token]:
        """The pieces of a text, which stands at `start` in the whole."""
        parts = self._cleaned(text)
        origins = [at for at, part in enumerate(parts, start) for _ in part]  # of each cleaned character
        cleaned = "".join(parts)
        for token, first, stop in self._split_then(cleaned):
            found = [(token.content, stop - first)] if token else self._cut_words(cleaned[first:stop])
            for piece, length in found:
                if piece is not None:
                    yield Token(piece, (origins[first], origins[first + length - 1] + 1))
                first += length

    def _cleaned(self, text: str) -> list[str]:
        return [clean(character, *self._options) for character in text]

    def _cut_words(self, text: str) -> Iterator[tuple[str | None, int]]:
        """The pieces of a cleaned text, each with how many characters it takes; None for spaces."""
        for run in re.findall(" +|[^ ]+", text):
            if run[0] == " ":
                yield None, len(run)
                continue
            for word in (run,) if run.isalnum() else split_punctuation(run).split(" "):
                rest = len(word)
                for piece in self._pieces(word):
                    length = rest if piece == self.unk_token else len(piece) - 2 * (rest < len(word))
                    yield piece, length
                    rest -= length

    def _pieces(self, word: str) -> list[str]:
        """`wordpiece`, remembering the words it has seen."""
        if len(word) > MAX_WORD:
            return [self.unk_token]
        if word not in self._remembered:
            if len(self._remembered) == MAX_REMEMBERED:
                self._remembered.clear()
            self._remembered[word] = wordpiece(word, self._known, self.unk_token)
        return self._remembered[word]


def _listed(texts: str | Iterable[str]) -> list[str]:
    if isinstance(texts, bytes) or not isinstance(texts, Iterable):
        raise TypeError(f"A batch is a str or a list of them, not {type(texts).__name__}: give one of these.")
    return [texts] if isinstance(texts, str) else list(texts)


def _validate_text(text: object) -> None:
    if not isinstance(text, str):
        hint = "call the tokenizer itself, tokenizer(texts)" if isinstance(text, list) else "give a str"
        raise TypeError(f"One text is a str, and this is of type {type(text).__name__}: {hint}.")
    if half := re.search("[\ud800-\udfff]", text):
        raise ValueError(
            f"The text has half a character at {half.start()} ({half.group()!a}, a lone surrogate): read it "
            "again with the right encoding, or with errors='replace'."
        )


def _checked(vocab: Mapping[str, int] | Iterable[str], needed: Iterable[str]) -> dict[str, int]:
    """The vocabulary as a dict in the order of its ids, which are 0, 1, 2, ..."""
    if isinstance(vocab, Mapping):
        pieces = sorted(vocab, key=vocab.__getitem__)
        if [vocab[piece] for piece in pieces] != list(range(len(pieces))):
            raise ValueError("The ids of a vocabulary are 0, 1, 2, ..., each once: number its pieces so.")
    else:
        pieces = list(vocab)
    ids: dict[str, int] = {}
    for number, piece in enumerate(pieces):
        if not piece or piece in ids or "\n" in piece:
            what = f"{piece!r}, as id {ids[piece]} is" if piece in ids else repr(piece) if piece else "empty"
            raise ValueError(f"Id {number} of the vocabulary is {what}: keep one line for each piece.")
        ids[piece] = number
    if missing := [token for token in needed if token not in ids]:
        raise ValueError(
            f"The vocabulary lacks {', '.join(missing)}: use that of a BERT, or put {missing[0]} into it."
        )
    return ids
