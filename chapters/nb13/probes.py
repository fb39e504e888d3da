"""Which relation does a head find? Chosen on one half of the sentences, scored on the other.

Clark et al. (2019, section 4.2) read each map both ways: a word at its governor, and a governor at its word.
Sizes in the comments: L layers, H heads, W words, N links, M maps (2 ways, L layers, H heads).
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor

from lib.analysis.attention.parses import maps_of, most_looked_at, nearest_tagged, split_words
from lib.bert import BertModel, WordPieceTokenizer
from lib.records import table
from lib.stats import luck
from lib.text.sentences import objects
from lib.text.treebank import Link, Parse, read_ewt

LEFT_OUT = ("root", "punct")  # the root hangs on no word; where a comma hangs is a convention
# Universal parts of speech that a rule may be told; "content" is what most relations hang on.
TOLD = {
    "noun": ("NOUN", "PROPN", "PRON"),
    "verb": ("VERB",),
    "content word": ("NOUN", "PROPN", "VERB", "ADJ"),
}
FEWEST = 50  # links in the half that is scored; with fewer, hardly a lead is larger than luck
# The labels of Universal Dependencies that are frequent in EWT: a name, and in capitals a word that has it.
IN_WORDS = {
    "all": "all relations",
    "acl": "clause at a noun: a plan to GO",
    "acl:relcl": "relative clause: a man who SINGS",
    "advcl": "clause at a verb: left when it RAINED",
    "advmod": "adverb: ran FAST",
    "amod": "adjective: an OLD book",
    "appos": "apposition: Anna, my BOSS",
    "aux": "auxiliary: HAS read",
    "aux:pass": "auxiliary of the passive: WAS read",
    "case": "preposition: IN the garden",
    "cc": "conjunction: tea AND milk",
    "ccomp": "clause as object: says he SINGS",
    "compound": "compound: BUS driver",
    "compound:prt": "particle: gave UP",
    "conj": "conjunct: tea and MILK",
    "cop": "copula: she IS tall",
    "det": "determiner: THE book",
    "discourse": "interjection: OH, I see",
    "expl": "expletive: THERE is tea",
    "fixed": "fixed phrase: because OF",
    "flat": "name of several words: Anna SMITH",
    "iobj": "indirect object: gave HER tea",
    "list": "entry of a list: name, ADDRESS",
    "mark": "marker of a clause: says THAT he sings",
    "nmod": "noun at a noun: a cup of TEA",
    "nmod:poss": "possessive: HER book",
    "nmod:unmarked": "bare noun at a noun: five PERCENT up",
    "nsubj": "subject: SHE read",
    "nsubj:pass": "subject of the passive: the BOOK was read",
    "nummod": "number: TWO books",
    "obj": "direct object: read a BOOK",
    "obl": "oblique: sat in the GARDEN",
    "obl:unmarked": "bare oblique: left last NIGHT",
    "parataxis": "clause beside a clause: it works, I THINK",
    "xcomp": "verb at a verb: wants to GO",
}


class AttentionArgmax(NamedTuple):
    """Sentences with their parses, and for each what `looks_both_ways` gives."""

    parses: list[Parse]
    looks: list[Tensor]  # [2, L, H, W] each


class HeadProbe(NamedTuple):
    """The best map for a relation and the best fixed offset: chosen on one half, scored on the other."""

    relation: str
    way: int  # 0: a word looks at its governor; 1: its governor looks at it
    layer: int
    head: int
    links: int  # scored
    accuracy: float
    offset: int
    by_offset: float

    def beats(self, chance: float) -> bool:
        """Whether the head's lead over its better rival is resolved by the rule of notebook 02.

        chance: what the best head of a model with random weights finds. A share doesn't say which links were
        found, so we take the worst case: that as many as possible are found by just one of the two.
        """
        rival = max(self.by_offset, chance)
        lead = (self.accuracy - rival) * self.links
        both_find = (self.accuracy + rival) * self.links
        both_miss = 2 * self.links - both_find
        return lead > luck(round(min(self.links, both_find, both_miss)))


def both_ways(maps: Tensor) -> Tensor:
    """[..., W, W] to [2, ..., W]: the other word that each word looks at most, and by which it is looked at
    most, which is the map turned over."""
    return torch.stack([most_looked_at(maps), most_looked_at(maps.mT)])


def looks_both_ways(
    model: BertModel, tokenizer: WordPieceTokenizer, sentences: Sequence[Sequence[str]]
) -> list[Tensor]:
    """For each sentence, given as words, its map of every head read both ways: [2, L, H, W]."""
    by_number = {number: both_ways(maps) for number, maps in maps_of(model, tokenizer, sentences)}
    return [by_number[number] for number in range(len(sentences))]


def read(model: BertModel, tokenizer: WordPieceTokenizer, parses: Sequence[Parse]) -> AttentionArgmax:
    """What a model looks at in parsed sentences."""
    return AttentionArgmax(list(parses), looks_both_ways(model, tokenizer, [parse.words for parse in parses]))


def links_of(parse: Parse, relation: str) -> list[Link]:
    """A relation's links; for "all" those of every relation but the root and punctuation."""
    if relation == "all":
        named = zip(parse.governors, parse.relations, strict=True)
        return [Link(word, there) for word, (there, name) in enumerate(named) if name not in LEFT_OUT]
    return parse.links(relation)


def hits(half: AttentionArgmax, relation: str) -> Tensor:
    """[N, M]: true where a map has the link, maps in the order of [2, L, H]."""
    rows = [
        (look[..., link.word] == link.governor).flatten()
        for parse, look in zip(half.parses, half.looks, strict=True)
        for link in links_of(parse, relation)
    ]
    return torch.stack(rows)


def score_best_map(choosing: Tensor, scoring: Tensor) -> tuple[int, float]:
    """The map that finds most links of one half, and the share of the other half's links that it finds.

    choosing [N, M] and scoring [N', M] are true where map m finds link n. The best of many maps chosen on
    the sentences that score it would be flattered.
    """
    best = int(choosing.float().mean(dim=0).argmax())
    return best, float(scoring[:, best].float().mean())


def score_best_offset(
    choosing: Sequence[Parse], scoring: Sequence[Parse], relation: str
) -> tuple[int, float]:
    """The same for rules "always the word k places on": k, and the share that it finds."""
    first, second = (
        Counter(link.governor - link.word for parse in half for link in links_of(parse, relation))
        for half in (choosing, scoring)
    )
    offset = first.most_common(1)[0][0]
    return offset, second[offset] / second.total()


def score_nearest(choosing: Sequence[Parse], scoring: Sequence[Parse], relation: str) -> tuple[str, float]:
    """The best of the rules "the nearest noun (verb, content word) after or before": its name, and its share.

    It is told the gold parts of speech, and no parse. Chosen on one half and scored on the other, as a map.
    """

    def share(parses: Sequence[Parse], kind: str, step: int) -> float:
        right = [
            nearest_tagged(parse, link.word, TOLD[kind], step) == link.governor
            for parse in parses
            for link in links_of(parse, relation)
        ]
        return sum(right) / len(right)

    rules = {
        f"nearest {kind} {where}": (kind, step)
        for kind in TOLD
        for where, step in (("after", 1), ("before", -1))
    }
    best = max(rules, key=lambda rule: share(choosing, *rules[rule]))
    return best, share(scoring, *rules[best])


def found_by_offset(parses: Sequence[Parse], relation: str, offset: int) -> Tensor:
    """[N]: true where the governor of a link stands `offset` words on; before its word, if negative."""
    return torch.tensor(
        [link.governor - link.word == offset for parse in parses for link in links_of(parse, relation)]
    )


def relations(half: AttentionArgmax, fewest: int = FEWEST) -> list[str]:
    """The relations with at least so many links, the most frequent first."""
    counts = Counter(name for parse in half.parses for name in parse.relations if name not in LEFT_OUT)
    return [name for name, count in counts.most_common() if count >= fewest]


def in_words(relation: str) -> str:
    """A relation's name and an example, its label in brackets; the dependent word is in capitals.

    >>> in_words("obj")
    'direct object: read a BOOK (obj)'
    """
    return f"{IN_WORDS[relation]} ({relation})" if relation in IN_WORDS else relation


def fit_probe(choosing: AttentionArgmax, scoring: AttentionArgmax, relation: str) -> HeadProbe:
    """The best map and the best offset for a relation, each chosen on one half and scored on the other."""
    scored = hits(scoring, relation)
    best, accuracy = score_best_map(hits(choosing, relation), scored)
    way, layer, head = (int(place) for place in torch.unravel_index(torch.tensor(best), shape_of(scoring)))
    offset, by_offset = score_best_offset(choosing.parses, scoring.parses, relation)
    return HeadProbe(relation, way, layer, head, len(scored), accuracy, offset, by_offset)


def shape_of(half: AttentionArgmax) -> tuple[int, ...]:
    """(2, L, H): ways, layers, heads."""
    return tuple(half.looks[0].shape[:-1])


def own_objects() -> list[Parse]:
    """The course's 108 sentences as parses that know one link each, from an object ("obj") to its verb."""
    parses = []
    for row in objects():
        words = split_words(row.sentence)
        word, verb = words.index(row.object), words.index(row.verb)
        governors = [verb if place == word else -1 for place in range(len(words))]
        relations = ["obj" if place == word else "root" for place in range(len(words))]
        parses.append(Parse(words, len(words) * ["X"], governors, relations))
    return parses


def untrained(name: str, seed: int) -> BertModel:
    """A model at hand with its weights drawn anew: what its shape alone can do."""
    model = BertModel.from_pretrained(name)
    torch.manual_seed(seed)
    model.init_weights()
    return model


# --- the English Web Treebank ---------------------------------------------------------------------


def fit_probes(model: BertModel, name: str, folder: str | Path) -> list[dict[str, Any]]:
    """A `HeadProbe` for every frequent relation of EWT: chosen on the dev part, scored on the test part.

    The model reads the pieces of the model at hand of that name.
    """
    tokenizer = WordPieceTokenizer.from_pretrained(name)
    dev, test = (read(model, tokenizer, part) for part in read_ewt(folder))
    named = ["all", *(relation for relation in relations(test) if relation in relations(dev))]
    return [fit_probe(dev, test, relation)._asdict() for relation in named]


def trained_in_ewt(name: str, folder: str | Path) -> list[dict[str, Any]]:
    """The same of a model at hand as it is."""
    return fit_probes(BertModel.from_pretrained(name), name, folder)


def nearest_in_ewt(folder: str | Path) -> list[dict[str, Any]]:
    """The best rule of `score_nearest` for every relation that `fit_probes` has, but "all"."""
    dev, test = read_ewt(folder)
    halves = [AttentionArgmax(part, []) for part in (dev, test)]
    rows = []
    for relation in relations(halves[1]):
        if relation in relations(halves[0]):
            rule, accuracy = score_nearest(dev, test, relation)
            rows.append({"relation": relation, "rule": rule, "accuracy": accuracy})
    return rows


class InTreebank(NamedTuple):
    """A relation in EWT, as recorded: a model's best head and offset, and what else was tried."""

    probe: HeadProbe
    by_luck: float  # the best head of models with random weights
    rule: str  # the best rule that is told the parts of speech
    by_rule: float

    @property
    def is_found(self) -> bool:
        """Whether the head beats the offset and the random weights."""
        return self.probe.beats(self.by_luck)


def in_treebank(name: str) -> dict[str, InTreebank]:
    """What is recorded of a model's heads in EWT, for every relation, the most frequent first."""
    record = table("heads_in_ewt")
    by_luck: dict[str, float] = {}
    for rows in record.values("EWT", "random weights", "probes"):
        for row in rows:
            by_luck[row["relation"]] = max(by_luck.get(row["relation"], 0.0), row["accuracy"])
    rules = {row["relation"]: row for row in record.values("EWT", "nearest of a kind, told", "rules")[0]}
    found = {}
    for row in record.values("EWT", name, "probes")[0]:
        relation = row["relation"]
        if relation != "all":
            told = rules[relation]
            found[relation] = InTreebank(HeadProbe(**row), by_luck[relation], told["rule"], told["accuracy"])
    return found
