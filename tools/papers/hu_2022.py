"""Hu et al., 2022: LoRA, notebook 17."""

from statistics import mean

from safetensors.torch import load_file

from chapters.nb17.small_files import small_file
from lib.bert import BertModel
from lib.records import record
from tools.measured import lead
from tools.papers import Doubt, Paper, Place

QUERY = "encoder.layer.0.attention.self.query"


def on_par_with_everything() -> str:
    runs = record.table("ways_of_training")
    told = {
        name: lead(runs.values(task, "all"), runs.values(task, "low rank"))
        for name, task in {"headlines": "headlines", "the trap set": "reviews"}.items()
    }
    return (
        "In table 2 LoRA averages 89.0 and full fine-tuning 88.9. With rank 8 in MiniLM and five seeds,"
        f" low rank less everything is {' and '.join(f'{gap} on {name}' for name, gap in told.items())}."
    )


def out_again_to_the_bit() -> str:
    weight = BertModel.from_pretrained("minilm").state_dict()[f"{QUERY}.weight"]
    held = load_file(small_file("headlines"))
    update = held[f"bert.{QUERY}.b"] @ held[f"bert.{QUERY}.a"]
    changed = (weight + update - update != weight).float().mean().item()
    return (
        "Section 4.1 exchanges tasks by subtracting one update from the merged matrix and adding another."
        f" After one update was added and subtracted, {changed:.0%} of the matrix's numbers differ in their"
        " last digits. Kept beside the matrix, an update can be taken out to the bit."
    )


def as_cheap_as_its_file() -> str:
    runs = record.table("ways_of_training")
    weights, memory, seconds = (
        mean(runs.values("headlines", "low rank", cost)) / mean(runs.values("headlines", "all", cost))
        for cost in ("trained_weights", "memory", "processor_seconds")
    )
    return (
        f"With head and pooler the update has {weights:.1%} of the weights. Training it takes {memory:.0%}"
        f" of the memory and {seconds:.0%} of the seconds, because the frozen layers still run forward,"
        " and the gradient still runs back through them."
    )


PAPER = Paper(
    name="LoRA",
    authors="Hu et al.",
    year=2022,
    title="LoRA: Low-Rank Adaptation of Large Language Models",
    link="https://arxiv.org/abs/2106.09685",
    read="Sections 1, 3 and 4 with figure 1 and table 1, table 2 of section 5, and sections 7.1 and 7.2 with"
    " tables 5 and 6.",
    minutes=50,
    places=(
        Place("17", "section 2", "an update of rank 2, merged and beside the matrix"),
        Place(
            "17",
            "section 3",
            "train a patch of some 90 kB and the head alone, each reading [CLS] or the mean",
        ),
        Place("17", "section 4", "seven ways on two tasks"),
        Place("17", "stretch “merge and subtract”", "what rounding leaves behind"),
    ),
    doubts=(
        Doubt("Is it on par with training everything?", on_par_with_everything),
        Doubt("Can a merged update be taken out again?", out_again_to_the_bit),
        Doubt("Is training as cheap as the file is small?", as_cheap_as_its_file),
    ),
    earlier="Adapters (Houlsby et al., 2019) put small networks into each layer, and prefixes (Li and Liang,"
    " 2021) put trained vectors ahead of the text.",
    later="He et al. (2022) showed adapters, prefixes and low rank to be changes of one kind, and QLoRA"
    " (Dettmers et al., 2023) keeps the frozen base in four bits.",
    change="In section 3 of notebook 17 give `add_lora` the rank 1 in `ways`, and train again. Vote first:"
    " how many points does half of the update cost?",
    questions=(
        "Which of the objections in section 3 against adapters still holds for a large batch?",
        "Table 6 finds rank 1 nearly enough: for which kind of task would you not believe that?",
        "Why does B start at 0 and A at random, and what if it were the other way round?",
        "Which matrices get an update in table 5, and what is held equal in that comparison?",
        "“No additional inference latency”: what must you give up to have it with a hundred tasks?",
    ),
    ice_breaker="You may change one sentence of a cookbook so that a vegetarian can use it: which one?",
)
