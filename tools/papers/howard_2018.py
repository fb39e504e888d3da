"""Howard and Ruder, 2018: ULMFiT, notebook 16."""

from lib.records import record
from tools.measured import lead
from tools.papers import Doubt, Paper, Place

HIGH, MIDDLE, LOW = "all, 1.5 times the rate", "all", "all, half the rate"  # 0.0003, 0.0002, 0.0001


def _right(way: str) -> list[float]:
    return record.table("ways_of_training").values("headlines", way)


def does_unfreezing_slowly_pay() -> str:
    rates = {"0.0003": HIGH, "0.0002": MIDDLE, "0.0001": LOW}
    told = "; ".join(f"{rate}, {lead(_right(way), _right('gradual'))}" for rate, way in rates.items())
    return (
        "Gradual unfreezing from a rate of 0.0003, less training all layers from the start at one rate, is"
        f" by that rate: {told}. Less the top two layers alone it is"
        f" {lead(_right('top 2'), _right('gradual'))}."
    )


def do_layer_rates_pay() -> str:
    return (
        "The paper divides the rate by 2.6 from layer to layer, and notebook 16 multiplies it by 0.8. From"
        f" the same top rate, layer rates less one rate are {lead(_right(HIGH), _right('layer rates'))}, and"
        f" less the best of three single rates {lead(_right(MIDDLE), _right('layer rates'))}."
    )


def do_few_labels_ask_for_freezing() -> str:
    runs = record.table("few_labels")
    head, two, whole = (runs.values("headlines", way) for way in ("head", "top 2", "all"))
    return (
        "The paper fears that to train everything forgets what was pretrained, most of all with few labels."
        f" With ten labels a category the top two layers less the head alone are {lead(head, two)}, and all"
        f" layers less the top two {lead(two, whole)}: here few labels are no reason to freeze all."
    )


PAPER = Paper(
    name="ULMFiT",
    authors="Howard and Ruder",
    year=2018,
    title="Universal Language Model Fine-tuning for Text Classification",
    link="https://arxiv.org/abs/1801.06146",
    read="Section 3 with figure 1, and the analysis in section 5 with its tables of ablations and figure 3.",
    minutes=40,
    places=(
        Place("12", "Now yours", "go on pretraining on the task's own kind of text"),
        Place("16", "section 2", "head, one layer, two layers, all"),
        Place("16", "section 3", "how many layers for ten labels of each category"),
        Place("16", "section 4", "slower below, or later, each beside one rate for all"),
        Place("16", "Now yours", "two numbers of layers on your own texts, and a rule for luck"),
    ),
    doubts=(
        Doubt("Does unfreezing layer by layer pay?", does_unfreezing_slowly_pay),
        Doubt("Do smaller rates below pay?", do_layer_rates_pay),
        Doubt("Do few labels ask for freezing?", do_few_labels_ask_for_freezing),
    ),
    earlier="Dai and Le (2015) fine-tuned a language model for a task. In the year of ULMFiT ELMo (Peters et"
    " al., 2018) kept its language models frozen.",
    later="GPT (Radford et al., 2018) and BERT (Devlin et al., 2019) fine-tuned all layers of a Transformer"
    " at one rate, and Gururangan et al. (2020) pretrained on for the task's domain.",
    change="In section 3 of notebook 16 set `bet` to 4. Vote first: with ninety labels, will four learning"
    " layers beat one, or forget what was pretrained?",
    questions=(
        "Which of the three stages could you leave out first, by the paper's own ablations?",
        "What are the controls of gradual unfreezing in the paper, and were their rates tuned, too?",
        "Why should lower layers hold what is general, and how would you test it?",
        "Figure 3 counts labels: what does it promise to somebody with a hundred of them?",
        "Which of the paper's tricks does BERT do without, and why might it be able to?",
    ),
    ice_breaker="You move to a job in another trade: which of your habits do you change last?",
)
