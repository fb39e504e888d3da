"""What earlier notebooks built and this one uses."""

from __future__ import annotations

import shutil
from pathlib import Path

from chapters.nb12.ngram_scores import BlankFiller
from lib.analysis.prediction import fill_mask
from lib.bert import WordPieceTokenizer
from lib.records.small_bert import Texts
from lib.text.reader import FOLDER
from lib.text.sentence_rows import SentenceRows

LONGEST = 20  # tokens of a sentence, with [CLS] and [SEP]


def short_sentences(texts: Texts) -> list[list[int]]:
    """The token numbers of each sentence of at most 20 tokens, with [CLS] and [SEP] (notebook 02)."""
    tokenizer = texts.tokenizer
    found = SentenceRows(texts.train, tokenizer, LONGEST)
    sentences = []
    for start, length in found.sentences.tolist():
        tokens = texts.train.tokens[start : start + length].tolist()
        sentences.append([tokenizer.cls_token_id, *tokens, tokenizer.sep_token_id])
    return sentences


def read_sentence(sentence: str, answer: str, tokenizer: WordPieceTokenizer) -> list[int]:
    """The token numbers of a sentence of the reader's, of which one word will be asked for (notebook 02)."""
    pieces = tokenizer.tokenize(answer)
    if len(pieces) != 1:
        raise ValueError(
            f"{answer!r} is cut into {len(pieces)} tokens, {' '.join(pieces)}, and a gap holds one. Ask for"
            " another word."
        )
    if pieces[0] not in tokenizer.tokenize(sentence):
        raise ValueError(f"{answer!r} is no word of your sentence: {sentence}")
    tokens = tokenizer.encode(sentence)
    if len(tokens) > LONGEST:
        raise ValueError(f"Your sentence has {len(tokens)} tokens, and only {LONGEST} are read.")
    return tokens


def bert_says(model: fill_mask.MaskedLM, tokenizer: WordPieceTokenizer, sentence: str) -> str:
    """The most likely token at each [MASK] of a sentence (notebook 10)."""
    best = fill_mask.blank_log_probs(model, tokenizer, sentence)[-1].argmax(dim=-1)  # [N], one for each gap
    return " ".join(tokenizer.convert_ids_to_tokens(best.tolist()))


def counter_says(counter: BlankFiller, tokenizer: WordPieceTokenizer, sentence: str) -> str:
    """What counted runs of three tokens put there, into each gap by itself (notebook 10)."""
    tokens = ["[CLS]", *tokenizer.tokenize(sentence), "[SEP]"]
    said = []
    for place, token in enumerate(tokens):
        if token == tokenizer.mask_token:
            chances = counter.probabilities(tokens, place)
            said.append(counter.forward.words[int(chances.argmax())])
    return " ".join(said)


def save_harbor(path: str | Path) -> None:
    """An example of a text of one's own: the stories and articles of the course from a small harbor."""
    shutil.copyfile(FOLDER / "coast.txt", path)
