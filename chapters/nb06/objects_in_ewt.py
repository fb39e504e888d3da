"""Direct objects in the English Web Treebank: one head of MiniLM beside rules, and beside random weights.

Clark et al. (2019, section 4.2). Size in the comments: W words.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from lib.analysis.attention.parses import accuracy, best_head, looks, nearest_tagged
from lib.bert import BertModel, WordPieceTokenizer
from lib.text.treebank import Link, Parse, read_ewt

GOVERNING = ("VERB", "ADP")  # universal tags: what an object can hang on; ADP is a preposition in English
DISTANCES = {
    "1": range(1, 2),
    "2": range(2, 3),
    "3": range(3, 4),
    "4": range(4, 5),
    "5 or more": range(5, 1000),
}


def offsets(links: Sequence[Sequence[Link]]) -> dict[int, float]:
    """The share of the links that "always the word k places on" gets right, the best k first."""
    counts = Counter(link.governor - link.word for its in links for link in its)
    return {offset: count / counts.total() for offset, count in counts.most_common()}


def subjects_behind_verbs(parse: Parse) -> list[Link]:
    """Subjects that stand behind a verb not their own, each with that verb: in "she said he left" he, said.

    Their own verb follows them, and no preposition stands between them and the verb before.
    """
    before = [nearest_tagged(parse, word, GOVERNING, -1) for word in range(len(parse.words))]
    return [
        Link(word, before[word])
        for word, governor in parse.links("nsubj")
        if governor > word and before[word] >= 0 and parse.tags[before[word]] == "VERB"
    ]


@cache
def objects_of_minilm(folder: str | Path) -> dict[str, Any]:
    """MiniLM's head for direct objects in EWT: chosen on the dev part, scored on the test part.

    Besides the objects (obj), what it does with two kinds of words that are none: those that hang on a
    verb by a preposition (obl), and subjects that stand behind a verb not their own. Of each kind: the
    share that the head links to the verb; the same for the best fixed offset, chosen like the head, and
    for the rules "the last verb before" and "the last verb or preposition before", which the gold tags
    tell the parts of speech; and the head's share by distance from the verb.
    """
    dev, test = read_ewt(folder)
    model, tokenizer = BertModel.from_pretrained("minilm"), WordPieceTokenizer.from_pretrained("minilm")
    dev = [parse for parse in dev if parse.links("obj")]
    links = [parse.links("obj") for parse in dev]
    head = best_head(accuracy(looks(model, tokenizer, [parse.words for parse in dev]), links))
    offset = next(iter(offsets(links)))

    seen = [look[head] for look in looks(model, tokenizer, [parse.words for parse in test])]
    kinds: dict[str, Callable[[Parse], list[Link]]] = {
        "obj": lambda parse: parse.links("obj"),
        "obl": lambda parse: parse.links("obl"),
        "next subject": subjects_behind_verbs,
    }
    result: dict[str, Any] = {"head": list(head), "offset": offset}
    for kind, links_of in kinds.items():
        rows = [
            _row(parse, look, link, offset)
            for parse, look in zip(test, seen, strict=True)
            for link in links_of(parse)
        ]
        result[kind] = _shares(rows)
    return result


def _row(parse: Parse, look: Tensor, link: Link, offset: int) -> dict[str, Any]:
    """What the head, whose looks [W] these are, and each rule make of one link."""
    word, governor = link
    seen = int(look[word])
    return {
        "accuracy": seen == governor,
        "offset": governor - word == offset,
        "last verb before": nearest_tagged(parse, word, ("VERB",), -1) == governor,
        "last verb or preposition before": nearest_tagged(parse, word, GOVERNING, -1) == governor,
        "at its preposition": parse.governors[seen] == word and parse.relations[seen] == "case",
        "distance": word - governor,
    }


def _shares(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """How many links there are, the share each rule gets right, and the head's by distance."""
    turned = [row["accuracy"] for row in rows if row["distance"] < 0]
    result: dict[str, Any] = {"links": len(rows)}
    for name in (name for name in (rows[0] if rows else {}) if name != "distance"):
        result[name] = _mean([row[name] for row in rows])
    result |= {"standing before": len(turned), "accuracy standing before": _mean(turned), "by distance": {}}
    for name, distances in DISTANCES.items():
        hits = [row["accuracy"] for row in rows if row["distance"] in distances]
        result["by distance"][name] = {"links": len(hits), "accuracy": _mean(hits)}
    return result


def _mean(hits: Sequence[bool]) -> float | None:
    """The share of hits; None where there was no try."""
    return sum(hits) / len(hits) if hits else None


def objects_of_random_weights(folder: str | Path, seed: int) -> dict[str, Any]:
    """The same model before it learned anything: the best of its heads, chosen with the answers in view."""
    model, tokenizer = BertModel.from_pretrained("minilm"), WordPieceTokenizer.from_pretrained("minilm")
    torch.manual_seed(seed)
    model.init_weights()
    test = [parse for parse in read_ewt(folder)[1] if parse.links("obj")]
    scores = accuracy(
        looks(model, tokenizer, [parse.words for parse in test]), [parse.links("obj") for parse in test]
    )
    head = best_head(scores)
    return {"head": list(head), "accuracy": float(scores[head]), "mean of all heads": float(scores.mean())}
