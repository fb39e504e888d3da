"""Clark et al., 2019: what BERT's heads look at, notebooks 06 and 13."""

from functools import cache

from chapters.nb13 import probes
from lib.bert import WordPieceTokenizer
from lib.records import record
from tools.papers import Doubt, Paper, Place


@cache
def chosen_and_scored() -> str:
    tokenizer, own = WordPieceTokenizer.from_pretrained("minilm"), probes.own_objects()
    looks = probes.read(probes.untrained("minilm", seed=0), tokenizer, own)
    found = probes.hits(looks, "obj")
    choosing, scoring = found[::2], found[1::2]
    flattered = float(scoring.float().mean(dim=0).max())
    _, honest = probes.score_best_map(choosing, scoring)
    return (
        "The authors' notebook takes for each relation the head that is best on the sentences that"
        " score it. Of a network with *random* weights the best map then finds"
        f" {flattered:.0%} of our objects. Chosen on the other half of the sentences it finds"
        f" {honest:.0%}."
    )


def which_rows_slipped() -> str:
    passive = probes.in_treebank("minilm")["aux:pass"].probe
    return (
        "For auxiliaries of the passive, table 1 prints a head of 82.5 and an offset of 40.5, where the"
        " authors' notebook has 94.1 and 82.5, so rows probably slipped. In English web text the"
        f" next word is right in {passive.by_offset:.1%}, near that 82.5, and MiniLM's best head in"
        f" {passive.accuracy:.1%}."
    )


def grammar_or_nearness() -> str:
    seen = record.table("objects")
    objects, subjects = (
        seen.values("EWT", "minilm", kind)[0]["by distance"]["3"]["accuracy"]
        for kind in ("obj", "next subject")
    )
    told = seen.values("EWT", "minilm", "obj")[0]["last verb before"]
    return (
        "The rival in the paper is a fixed offset. A rule that is told the verbs and takes the last one"
        f" finds {told:.0%} of the objects. But three words behind a verb MiniLM's head links"
        f" {objects:.0%} of the objects to it and {subjects:.0%} of the next verb's subjects, so it"
        " does more than follow that rule."
    )


PAPER = Paper(
    name="What BERT looks at",
    authors="Clark et al.",
    year=2019,
    title="What Does BERT Look At? An Analysis of BERT's Attention",
    link="https://arxiv.org/abs/1906.04341",
    read="Sections 3 and 4 with figures 1, 2 and 5 and table 1, and the text on coreference. Skip the"
    " probing classifier and the clustering of heads.",
    minutes=45,
    places=(
        Place("06", "section 1", "a head that points from an object to its verb"),
        Place("06", "stretch “from tokens to words”", "how a map of tokens becomes one of words"),
        Place("13", "section 3", "why heads look at [CLS], and how much they take from it"),
        Place("13", "section 4", "one head as a parser, beside an offset and random weights"),
        Place("13", "stretch “the same test in the published BERT”", "table 1, and rows that slipped"),
        Place("13", 'stretch “who is "she"?”', "coreference, against three rules"),
    ),
    doubts=(
        Doubt("What if heads are chosen and scored on the same sentences?", chosen_and_scored),
        Doubt("Which rows of table 1 have slipped?", which_rows_slipped),
        Doubt("Does the head know grammar, or only what is near?", grammar_or_nearness),
    ),
    earlier="Voita et al. (2019) named jobs of a translator's heads, and Jain and Wallace (2019) doubted"
    " that attention explains an answer.",
    later="Kovaleva et al. (2019) sorted BERT's maps into five patterns, and Kobayashi et al. (2020)"
    " multiplied each weight by the length of what is handed over.",
    change="In the stretch “your head against the offset” of notebook 13 set `layer` to 3 and `head` to 1,"
    " the head that in notebook 06 finds objects from their verbs. Vote first: asked from the object, does"
    " it beat the offset?",
    questions=(
        "Figure 2 shows attention to [SEP]: which of the paper's arguments says that it is a rest?",
        "Which baseline would you add to table 1, and which of its rows would it hurt?",
        "The paper says that no single head does well at all of syntax: how does it know?",
        "If a head finds objects, does BERT use it when it fills a blank?",
        "What would the same table look like for a language without fixed word order?",
    ),
    ice_breaker="In “she read the old book in the garden”, which word tells you what “old” is about?",
)
