"""Heads read as parsers: does a word look most at the word that governs it (Clark et al., 2019, section 4)?

In a dependency parse every word hangs on one other word by a named relation: an object on its verb (obj), a
determiner on its noun (det). Layers and heads are counted from 0; Clark and others count from 1.
Sizes in the comments: B sentences, L layers, H heads, T pieces, W words.
"""

import re
from collections.abc import Collection, Iterator, Sequence

import torch
from torch import Tensor

from lib.bert import BertModel, WordPieceTokenizer
from lib.bert.validation import validate_eval, validate_tokenizer
from lib.text.treebank import Link, Parse

WORD = re.compile(r"\[[A-Z]+\]|\w+(?:['’-]\w+)*|[^\w\s]")


def split_words(text: str) -> list[str]:
    """The words and punctuation marks of a text; hyphens and apostrophes inside a word do not cut it."""
    return WORD.findall(text)


def membership(tokenizer: WordPieceTokenizer, words: Sequence[str]) -> Tensor:
    """[W, T]: 1 where a piece of `" ".join(words)` belongs to a word; [CLS] and [SEP] belong to none."""
    validate_tokenizer(tokenizer)
    starts = [0]
    for word in words:
        starts.append(starts[-1] + len(word) + 1)
    spans = tokenizer.offsets(" ".join(words))
    member = torch.zeros(len(words), len(spans))
    for piece, (start, end) in enumerate(spans):
        if end > start:
            member[sum(begin <= start for begin in starts) - 1, piece] = 1
    return member


def word_attention(weights: Tensor, member: Tensor) -> Tensor:
    """From pieces to words: [..., T, T] and member [W, T] to [..., W, W] (Clark et al., 2019, section 4.1).

    Attention *to* a word is the sum over its pieces: together they got it. Attention *from* a word is the
    mean over its pieces: each of them had a whole attention to share out.
    """
    pieces = member.sum(dim=1, keepdim=True).clamp(min=1)  # [W, 1]; a word may have none, and looks nowhere
    return (member / pieces) @ weights @ member.T


def most_looked_at(weights: Tensor) -> Tensor:
    """The place of the other word that each word looks at most: [..., W, W] to [..., W]."""
    itself = torch.eye(weights.size(-1), dtype=torch.bool)
    return weights.masked_fill(itself, -1.0).argmax(dim=-1)


def word_maps(model: BertModel, tokenizer: WordPieceTokenizer, words: Sequence[str]) -> Tensor:
    """Who looks at whom in one sentence, given as words: [L, H, W, W]; [CLS] and [SEP] are left out."""
    stack = _attentions(model, tokenizer, [" ".join(words)])[0]  # [L, H, T, T]
    return word_attention(stack, membership(tokenizer, words))


@torch.inference_mode()
def _attentions(model: BertModel, tokenizer: WordPieceTokenizer, texts: list[str]) -> Tensor:
    """The attention weights of texts, [B, L, H, T, T]; ValueError for layers with unlike numbers of heads."""
    validate_eval(model, tokenizer)
    attentions = model(**tokenizer(texts), output_attentions=True).attentions
    if not attentions:
        raise ValueError("The model gives no attention weights: load it by BertModel.from_pretrained.")
    heads = [weights.size(1) for weights in attentions]
    if len(set(heads)) > 1:
        raise ValueError(
            f"The layers of this model have {', '.join(map(str, heads))} heads, and they are looked at "
            "together here: take a model of which no heads were removed."
        )
    return torch.stack(attentions, dim=1)


def maps_of(
    model: BertModel, tokenizer: WordPieceTokenizer, sentences: Sequence[Sequence[str]], batch_size: int = 16
) -> Iterator[tuple[int, Tensor]]:
    """The word maps of many sentences, in batches of like length: each one's number and its [L, H, W, W]."""
    by_length = sorted(range(len(sentences)), key=lambda number: len(sentences[number]))
    for start in range(0, len(by_length), batch_size):
        numbers = by_length[start : start + batch_size]
        stack = _attentions(model, tokenizer, [" ".join(sentences[number]) for number in numbers])
        for number, weights in zip(numbers, stack, strict=True):
            member = membership(tokenizer, sentences[number])  # [W, T of this sentence]
            length = member.size(1)
            yield number, word_attention(weights[..., :length, :length], member)


def looks(
    model: BertModel, tokenizer: WordPieceTokenizer, sentences: Sequence[Sequence[str]], batch_size: int = 16
) -> list[Tensor]:
    """For each sentence, given as words: the other word that each word looks at most, [L, H, W]."""
    maps = maps_of(model, tokenizer, sentences, batch_size)
    by_number = {number: most_looked_at(word_map) for number, word_map in maps}
    return [by_number[number] for number in range(len(sentences))]


def accuracy(looks: Sequence[Tensor], links: Sequence[Sequence[Link]]) -> Tensor:
    """[L, H]: the share of the links whose word looks at its governor more than at any other word.

    looks: what `looks` gives. links: the links of each sentence, at least one in all.
    """
    hits = [
        look[..., link.word] == link.governor
        for look, of_sentence in zip(looks, links, strict=True)
        for link in of_sentence
    ]
    return torch.stack(hits).double().mean(dim=0)


def best_head(accuracy: Tensor) -> tuple[int, int]:
    """The layer and the head with the highest accuracy [L, H], from 0."""
    layer, head = divmod(int(accuracy.argmax()), accuracy.size(1))
    return layer, head


def nearest_tagged(parse: Parse, word: int, tags: Collection[str], step: int) -> int:
    """The place of the nearest word with one of these gold tags, after `word` (step 1) or before it (-1); -1
    where there is none."""
    places = range(word + 1, len(parse.words)) if step > 0 else range(word - 1, -1, -1)
    return next((place for place in places if parse.tags[place] in tags), -1)
