"""Michel et al., 2019: are sixteen heads better than one, notebooks 27 and 06."""

from lib.analysis.cost.formulas import count_multiplications
from lib.bert import BertConfig
from lib.records import record
from tools.measured import lead, percent
from tools.papers import Doubt, Paper, Place

TOKENS = 128


def _without(heads: int, order: str, task: str) -> list[float]:
    return record.table("pruned_structure").values(task, f"{heads} heads gone, {order}, untuned")


def which_average() -> str:
    text, token, alike, chance = (
        _without(45, order, "SST-2")
        for order in ("importance", "per token", "per token, layers alike", "random")
    )
    return (
        "The paper has one gate for a text, and the authors' code averages over tokens. Without 45 of 72"
        f" heads SST-2 is at {percent(text)} per text and {percent(token)} per token,"
        f" {lead(chance, token)} against chance. Where each layer's scores are divided by their length,"
        f" it is {percent(alike)}."
    )


def is_it_the_choice() -> str:
    told = []
    for name, task in {"SST-2": "SST-2", "the trap set": "reviews"}.items():
        whole, half, chance = (
            _without(heads, order, task)
            for heads, order in ((0, "importance"), (36, "importance"), (36, "random"))
        )
        told.append(
            f"on {name} {lead(whole, half)} against all heads and {lead(chance, half)} against chance"
        )
    return (
        "A half chosen by importance needs a random half beside it. Without the half of MiniLM's heads that"
        f" is worth least, and without training, accuracy changes {'; '.join(told)}."
    )


def how_much_faster() -> str:
    counted = count_multiplications(BertConfig(), TOKENS)
    whole = sum(counted.values())
    left = whole - (counted["projections"] + counted["attention"]) / 2
    return (
        f"Half of BERT-base's heads leave {left / whole:.0%} of the multiplications for {TOKENS} tokens,"
        f" {whole / left:.1f} times fewer, since most of the work is in the feed-forward networks. And a"
        " head that is only closed saves nothing: section 1 of notebook 27 times both."
    )


PAPER = Paper(
    name="Sixteen heads",
    authors="Michel et al.",
    year=2019,
    title="Are Sixteen Heads Really Better than One?",
    link="https://arxiv.org/abs/1905.10650",
    read="Sections 3 and 4 with all their tables and figures. Skim the sections on encoder-decoder attention"
    " and on training.",
    minutes=40,
    places=(
        Place("06", "section 4", "silence one head of a layer"),
        Place("06", "stretch “can a head be spared?”", "each of twelve heads alone"),
        Place("27", "section 1", "zero or gone: answers, time and bytes"),
        Place("27", "section 2", "a gate that nobody builds, and whether its estimate is right"),
        Place("27", "stretch “more and more heads (3 min)”", "three orders, without training"),
        Place("27", "stretch “one gate for a token or for a text (3 min)”", "three averages and chance"),
    ),
    doubts=(
        Doubt("Which average does the importance take?", which_average),
        Doubt("Is it the choice of heads, or could any half go?", is_it_the_choice),
        Doubt("How much faster is half of the heads?", how_much_faster),
    ),
    earlier="Multi-head attention is of Vaswani et al. (2017), and Molchanov et al. (2017) pruned feature"
    " maps by the first order of what the loss loses.",
    later="Voita et al. (2019) pruned heads by learned gates in the same year, and DynaBERT (Hou et al.,"
    " 2020) sorts heads and neurons by this importance.",
    change="In section 4 of notebook 27 set `heads_kept` to `[7, 7, 7, 7, 7, 1]`, against the estimate, by"
    " which the last layer has many of the best heads. Vote first: what does that cost, and after training?",
    questions=(
        "What does ablating one head at a time show, and what can't it show about twenty?",
        "One head was enough in most layers: in one layer at a time, or in all at once?",
        "Why might encoder-decoder attention need its heads more than self-attention does?",
        "The importance drops the sign in each text: what would change if it kept it?",
        "If so many heads can go after training, why not train with fewer?",
    ),
    ice_breaker="Of all the things on your desk, which two could go one by one, and not both at once?",
)
