"""Wang et al., 2020: MiniLM, notebook 22."""

from statistics import mean

import torch

from lib.bert import BertConfig, BertForSequenceClassification
from lib.compression.distillation import methods, students
from lib.compression.distillation.losses import relation_loss
from lib.compression.distillation.objective import Distillation
from lib.records import record
from tools.measured import lead
from tools.papers import Doubt, Paper, Place

HEADS, HEAD_SIZE, TOKENS = 12, 32, 10  # of MiniLM, and of a short headline


def what_relations_cannot_see() -> str:
    size = HEADS * HEAD_SIZE
    generator = torch.Generator().manual_seed(0)
    values = torch.randn(1, TOKENS, size, generator=generator)
    dense = torch.randn(size, size, generator=generator)
    turns = [torch.linalg.qr(torch.randn(HEAD_SIZE, HEAD_SIZE, generator=generator)).Q for _ in range(HEADS)]
    turned = values @ torch.block_diag(*turns)
    moved = ((turned - values) @ dense).norm() / (values @ dense).norm()
    return (
        f"Turn the values of each head by a random matrix: the loss of relations is"
        f" {abs(relation_loss(turned, values, HEADS)):.2f}, and what the next dense layer makes of them moves"
        f" by {moved:.1f} of its length. So a half-turned MiniLM has its teacher's attention and relations in"
        " all layers, and in notebook 22 it guesses."
    )


def what_the_lesson_moves() -> str:
    config = BertConfig(
        vocab_size=50,
        hidden_size=48,
        num_hidden_layers=6,
        intermediate_size=48,
        max_position_embeddings=16,
    )
    teacher = BertForSequenceClassification(config).eval()
    student = students.new_student(teacher, hidden_size=192, num_attention_heads=HEADS)
    ids = torch.arange(5, 15)[None]
    terms = Distillation(student, teacher, methods.minilm(2, 6))(
        input_ids=ids, attention_mask=torch.ones_like(ids)
    )
    sum(term.sum for term in terms.values()).backward()
    last = list(student.bert.encoder.layer[1].parameters())
    reached = sum(weight.numel() for weight in last if weight.grad is not None)
    return (
        f"No. In a student of two layers it reaches {reached / sum(weight.numel() for weight in last):.0%} of"
        " the last layer's weights, those of queries, keys and values. What comes after the values there"
        " learns nothing before fine-tuning, and neither does the head."
    )


def is_it_ahead_of_answers() -> str:
    runs = record.table("distilled_inside")
    first, all_seconds = (
        mean(runs.values("headlines", "MiniLM", kind)) for kind in ("general_seconds", "seconds_given")
    )
    return (
        f"Not at equal cost in the course's record: with {all_seconds:.0f} s of a processor, {first:.0f} of"
        " them on relations of general text, a random student stands"
        f" {lead(runs.values('headlines', 'answers'), runs.values('headlines', 'MiniLM'))} beside one that"
        " learns answers alone. The paper trains for 400,000 steps, so this says what the method costs, and"
        " nothing about where it ends."
    )


PAPER = Paper(
    name="MiniLM",
    authors="Wang et al.",
    year=2020,
    title="MiniLM: Deep Self-Attention Distillation for Task-Agnostic Compression of Pre-Trained"
    " Transformers",
    link="https://arxiv.org/abs/2002.10957",
    read="Section 3 with figure 1. Of the experiments, the comparison with DistilBERT and TinyBERT, and the"
    " ablations: without value relations, and with lessons for every layer.",
    minutes=45,
    places=(
        Place("22", "section 1", "equal attention in all layers, and other answers"),
        Place("22", "section 3", "value relations by hand and in code, and the half-turned model"),
        Place("22", "section 4", "which weights a lesson can move, and relations beside other lessons"),
        Place("22", "stretch “more heads than the teacher”", "what the second version can compare"),
    ),
    doubts=(
        Doubt("Does a student with equal relations answer as its teacher?", what_relations_cannot_see),
        Doubt("Does the lesson reach all of the last layer?", what_the_lesson_moves),
        Doubt("Is a student ahead that learns relations first?", is_it_ahead_of_answers),
    ),
    earlier="Patient KD (Sun et al., 2019) taught states layer by layer, DistilBERT (Sanh et al., 2019) and"
    " TinyBERT (Jiao et al., 2020) distilled before the task is known, and Mirzadeh et al. (2020) set an"
    " assistant between a large teacher and a small student.",
    later="MiniLM's second version (Wang et al., 2021) relates queries, keys and values, for any number of"
    " heads, and no longer takes the teacher's last layer in all cases.",
    change="In the first cell of notebook 22, section 1, let `torch.randn(32, 32)` be `torch.randn(64, 64)`"
    " and `range(12)` be `range(6)`, so that heads are turned in pairs. Vote first: does *turned* still"
    " answer as the teacher, and is its loss of relations still 0?",
    questions=(
        "Which layer of the teacher would you choose for another model, and how would you find out?",
        "Why does a value relation need no learned map, and what is lost with the map?",
        "What does the paper's own ablation say that value relations are worth?",
        "The students are fine-tuned: how would you tell what is owed to distillation and what to tuning?",
        "When does an assistant between teacher and student pay, and who pays for it?",
    ),
    ice_breaker="Describe the way from here to the station by distances between places alone: what is"
    " missing?",
)
