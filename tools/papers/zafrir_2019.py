"""Zafrir et al., 2019: Q8BERT, notebook 20."""

from lib.analysis.cost.formulas import count_parameters
from lib.bert import BertConfig
from lib.records import record
from lib.records.ledger import ledger_rows
from tools.measured import lead
from tools.papers import Doubt, Paper, Place


def what_stays_in_32_bits() -> str:
    base = BertConfig()
    size, wide, layers = base.hidden_size, base.intermediate_size, base.num_hidden_layers
    tables = (base.vocab_size + base.max_position_embeddings + base.type_vocab_size) * size
    in_8_bits = tables + size * size + layers * (4 * size * size + 2 * size * wide)
    whole = sum(count_parameters(base).values())
    ratio = 4 * whole / (in_8_bits + 4 * (whole - in_8_bits))
    return (
        "Dense layers and embeddings get eight bits, softmax and norms stay in 32. Only"
        f" {1 - in_8_bits / whole:.2%} of BERT-base's parameters are biases and norms, so the file is"
        f" {ratio:.2f} times smaller. In the layer of section 4, what flows becomes real"
        " numbers again after each product."
    )


def is_training_needed() -> str:
    runs = record.table("bits")
    told = []
    for task in runs.tasks():
        whole, matrix, row = (
            runs.values(task, arm) for arm in ("teacher", "all, tensor, 8 bits", "all, row, 8 bits")
        )
        told.append(f"on {task} {lead(whole, matrix)} by matrix and {lead(whole, row)} by row")
    return (
        "The paper trains with the rounding inside, and rounds what flows as well. To round the weights of"
        f" a finished MiniLM alone, without training, changes its accuracy {', '.join(told)}."
    )


def is_it_faster() -> str:
    rows = {row.method: row.milliseconds for row in ledger_rows()["headlines"]}
    of_minilm = rows["MiniLM"]
    stored, plain = rows["4 bits"]["float32"]["32 x 32"], of_minilm["float32"]["32 x 32"]
    fast = of_minilm["onnxruntime int8"]["32 x 32"] / of_minilm["onnxruntime float32"]["32 x 32"]
    return (
        "The abstract says that it can be, on hardware for eight bits. In the ledger a model whose file has"
        f" four bits a weight takes {stored / plain:.2f} of float32's time, since they are unpacked when it"
        f" is loaded. Eight bits that are multiplied as such take {fast:.2f} of the time of 32 bits in the"
        " same program."
    )


PAPER = Paper(
    name="Q8BERT",
    authors="Zafrir et al.",
    year=2019,
    title="Q8BERT: Quantized 8Bit BERT",
    link="https://arxiv.org/abs/1910.06188",
    read="All of it, a workshop paper of few pages, with table 1.",
    minutes=30,
    places=(
        Place("20", "section 1", "codes and scales, and four missing words"),
        Place(
            "20", "section 3", "training with the rounding inside, and a control that is rounded afterwards"
        ),
        Place("20", "section 4", "a layer in whole numbers, and what would make it fast"),
        Place("20", "stretch “which part suffers most? (3 min)”", "embeddings, attention, feed-forward"),
        Place("20", "stretch “where the time of a layer goes (5 min)”", "five routes on one processor"),
    ),
    doubts=(
        Doubt("What stays in 32 bits?", what_stays_in_32_bits),
        Doubt("Do eight bits need training?", is_training_needed),
        Doubt("Is it faster?", is_it_faster),
    ),
    earlier="Jacob et al. (2018) trained networks for whole numbers alone, with zero points, and Bengio et"
    " al. (2013) let a gradient pass straight through a step.",
    later="TernaryBERT (Zhang et al., 2020) went down to three values a weight, and I-BERT (Kim et al., 2021)"
    " computed softmax, GELU and norms in whole numbers as well.",
    change='In section 3 of notebook 20 set `by` to "matrix" and leave `bits` at 3. Vote first: how much does'
    " training with the rounding inside bring back?",
    questions=(
        "In table 1 dynamic quantization does worse than training: is it the weights, or what flows?",
        "Which part of BERT did the authors not round, and what would you expect if they had?",
        "“Four times smaller”: of the file, of the memory, or of what the processor moves?",
        "Which row of table 1 would you want with its spread over seeds?",
        "What has to be true of a processor for eight bits to be faster on it?",
    ),
    ice_breaker="Say the temperature outside with one of four words: what does your neighbor lose?",
)
