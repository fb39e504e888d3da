"""Each question of an exam is solved from its printed text, in another way than it is made, for 200 seeds."""

import itertools
import math
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from random import Random

import pytest
import torch
import torch.nn.functional as F

from lib import root, stats
from lib.analysis.prediction.scores import answer_scores
from lib.bert import BertConfig, BertModel
from lib.by_hand import ByHand, Number, Slip, drawn, plain, tex, tex_row, tex_term
from lib.compression.elastic import depth
from lib.compression.quantizers import binary, codebooks, linear, ternary
from tools import exam

SEEDS = range(200)
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w])")
ODD = re.compile(r"[^\x20-\x7e\n“”−·√∞²αεµ]")  # what not every printer has


def numbers(text: str) -> list[float]:
    """All numbers of a text in order, without the commas in thousands."""
    text = re.sub(r"(?<=\d)(?:,|\{,\})(?=\d{3})", "", text.replace("−", "-"))
    return [float(found) for found in NUMBER.findall(text)]


def rows(text: str) -> list[list[str]]:
    """The cells of a table's rows, without its header."""
    table = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[2:]]


# ---------------------------------------------------------------------------------------------
# How each is solved: from the text alone, by tensors or by trying


def row_of_attention(text: str) -> float:
    query = torch.tensor([*map(math.log, numbers(text.split("q_{")[1].split("0,")[0])), 0.0, 0.0])
    words, keys, values = zip(*rows(text), strict=True)
    forbidden = re.findall(r"look at\s“(\w+)”", text)
    mask = torch.tensor([[word not in forbidden for word in words]])
    key, value = torch.tensor([numbers(one) for one in keys]), torch.tensor([[float(one)] for one in values])
    return F.scaled_dot_product_attention(query[None], key, value, mask).item()


def layer_norm(text: str) -> float:
    token, (place, weight, bias, again) = numbers(text)[:4], numbers(text)[4:]
    assert place == again
    normal = F.layer_norm(torch.tensor(token).double(), [4], eps=1e-12)
    return weight * normal[int(place) - 1].item() + bias


def parameters(text: str) -> float:
    [[size, layers, heads, wide]] = [map(int, row) for row in rows(text)]
    config = BertConfig(5, size, layers, heads, wide, max_position_embeddings=5)
    return sum(weight.numel() for weight in BertModel(config).encoder.parameters())


def unchanged_tokens(text: str) -> float:
    tokens, share, *fates = map(int, numbers(text)[:5])
    chosen = torch.arange(tokens) < tokens * share // 100
    ends = torch.tensor(fates).cumsum(0) * chosen.sum() // 100
    fate = torch.bucketize(torch.arange(tokens), ends, right=True)  # 0 [MASK], 1 random, 2 and 3 in sight
    return (fate >= 2).sum().item()


def lead_above_luck(text: str) -> float:
    both, only_first, only_second, neither = (int(row[1]) for row in rows(text))
    assert numbers(text)[0] == both + only_first + only_second + neither
    first = [True] * (both + only_first) + [False] * (only_second + neither)
    second = [True] * both + [False] * only_first + [True] * only_second + [False] * neither
    differ = sum(one != other for one, other in zip(first, second, strict=True))
    return sum(first) - sum(second) - stats.luck(differ)


def match_and_f1(text: str) -> str:
    scored = [answer_scores(said, [reference]) for said, reference in rows(text)]
    exact, f1 = (Fraction(sum(one) / 3).limit_denominator(1000) for one in zip(*scored, strict=True))
    return f"EM {exact}, F1 {f1}"


def bytes_of_a_step(text: str) -> float:
    weights, learning, activations, _ = numbers(re.sub("float32", "float", text))
    frozen = torch.empty(int(weights - learning), device="meta")
    trained = torch.empty(int(learning), device="meta")
    held = [frozen, trained, trained, *[trained] * 2]  # weights, gradients, AdamW's two averages
    return sum(one.numel() * one.element_size() for one in held) + activations


def least_time(text: str) -> float:
    inputs, outputs, tokens, bandwidth, rate = numbers(re.sub("float32", "float", text))
    layer = torch.nn.Linear(int(inputs), int(outputs), bias=False, device="meta")
    into = torch.empty(int(tokens), int(inputs), device="meta")
    moved = sum(one.numel() * one.element_size() for one in (layer.weight, into, layer(into)))
    done = 2 * tokens * layer.weight.numel()
    return max(moved / bandwidth, done / rate) / 1000


def zero_point_and_codes(text: str) -> str:
    low, high, bits, _, *inputs = numbers(text)
    inputs = inputs[:3]
    row = torch.tensor([[low, high, *inputs]], dtype=torch.float64)
    [codes], _, zero = linear.quantize_asymmetric(row, int(bits))
    assert codes[0] == 0 and codes[1] == 2**bits - 1
    return f"zero point {int(zero)}; codes {', '.join(map(str, codes[2:].tolist()))}"


def loss_over_ln_2(text: str) -> float:
    teacher, student = (
        math.log(2) * torch.tensor([float(one.split("\\")[0]) for one in answer.split(",\\;")]).double()
        for answer in re.findall(r"\^[ts] = \((.*?)\)", text)
    )
    [temperature] = map(float, re.findall(r"T = (\d)", text))
    said, wanted = (F.log_softmax(logits / temperature, dim=0) for logits in (student, teacher))
    return (temperature**2 * F.kl_div(said, wanted, reduction="sum", log_target=True)).item() / math.log(2)


def smallest_error(text: str) -> float:
    state = torch.tensor(numbers(text.split("two,")[1].split("A regressor")[0])).double()[:, None]
    across = torch.tensor(numbers(text.split("W =")[1].split(")")[0])).double()[:, None]
    said = across @ torch.linalg.lstsq(across, state).solution
    return F.mse_loss(said, state).item()


def reported_lead(text: str) -> float:
    scores = torch.tensor([[float(cell) for cell in row[1:]] for row in rows(text)])
    sums = scores[:, :2].sum(dim=1)
    assert (sums == sums.max()).sum() == 1, "the search has two winners"
    return (scores[sums.argmax()] - scores[0])[2:].mean().item()


def centroid(text: str) -> float:
    bits, *weights = numbers(text)
    centroids = codebooks.equal_population_centroids(torch.tensor(weights).double(), int(bits))
    return centroids[["lowest", "second lowest", "second highest", "highest"].index(
        re.findall(r"is the ([\w\s]+?) of the\scentroids", text)[0].replace("\n", " ")
    )].item()  # fmt: skip


def zeros_of_a_ticket(text: str) -> float:
    matrices, rounds, percent = numbers(text)[:3]
    left = 10_000 * matrices / 100
    for _ in range(int(rounds)):
        left -= left * percent / 100
    return (10_000 * matrices / 100 - left) / 100


def head_importance(text: str) -> float:
    sizes = []
    for name in "AB":
        tokens = [row for row in rows(text) if row[0] == name]
        given = torch.tensor([numbers(row[2]) for row in tokens]).double()
        gradient = torch.tensor([numbers(row[3]) for row in tokens]).double()
        gate = torch.ones((), dtype=torch.float64, requires_grad=True)
        (gate * given * gradient).sum().backward()  # a loss with this gradient
        assert gate.grad is not None
        sizes.append(gate.grad.abs())
    return torch.stack(sizes).mean().item()


def layers_that_run(text: str) -> str:
    count, above, below = re.findall(r"N = (\d+).*m_d = (\d)/(\d)", text)[0]
    return ", ".join(map(str, depth.layers_kept(int(count), int(above) / int(below))))


def ternary_scale(text: str) -> float:
    weights = numbers(text.split("$$")[1])
    return ternary.ternarize(torch.tensor([weights]).double())[1].item()


def share_of_the_split(text: str) -> float:
    weight, codes = (torch.tensor([numbers(part)]).double() for part in text.split("$$")[1].split("codes"))
    assert torch.equal(ternary.ternarize(weight)[0].double(), codes), "the codes are not those of the weights"
    first, second = binary.split_ternary(weight)
    assert torch.allclose(first.abs().mean(), second.abs().mean())
    return (first / weight)[codes != 0].mean().item()


def last_rank_that_saves(text: str) -> float:
    shape = [int(side) for side in numbers(text)]
    whole = shape[0] * shape[1]
    return max(
        rank
        for rank in range(1, min(shape) + 1)
        if sum(torch.empty(side, rank, device="meta").numel() for side in shape) < whole
    )


SOLVERS: dict[str, Callable[[str], float | str]] = {
    "05": row_of_attention, "07": layer_norm, "09": parameters, "10": unchanged_tokens, "14": lead_above_luck,
    "15": match_and_f1, "16": bytes_of_a_step, "19": least_time, "20": zero_point_and_codes,
    "21": loss_over_ln_2, "22": smallest_error, "23": reported_lead, "25": centroid, "26": zeros_of_a_ticket,
    "27": head_importance, "28": layers_that_run, "29": ternary_scale, "30": share_of_the_split,
    "31": last_rank_that_saves,
}  # fmt: skip

each = pytest.mark.parametrize("number", SOLVERS)


@cache
def asked(number: str) -> list[ByHand]:
    """A notebook's question for each seed."""
    return [exam.questions([number], seed)[number] for seed in SEEDS]


def test_each_notebook_with_a_question_has_a_solver() -> None:
    assert [*SOLVERS] == exam.with_questions()


@each
def test_the_answer_is_what_the_text_asks_for(number: str) -> None:
    for question in asked(number):
        found = SOLVERS[number](question.text)
        if isinstance(question.answer, str):
            assert found == question.answer.replace("−", "-"), question.text
        else:
            assert isinstance(found, float | int)
            assert abs(found - float(question.answer)) < 1e-5 * (1 + abs(found)), question.text


@each
def test_the_answers_of_slips_are_wrong_and_differ(number: str) -> None:
    for question in asked(number):
        assert question.is_fair
        four = [question.answer, *(slip.answer for slip in question.slips)]
        assert len({isinstance(answer, str) for answer in four}) == 1
        for first, second in itertools.combinations(four, 2):
            assert first != second
            if not isinstance(first, str) and not isinstance(second, str):
                assert f"{float(first):.{question.decimals}f}" != f"{float(second):.{question.decimals}f}"


@each
def test_an_answer_is_as_exact_as_it_is_asked_for(number: str) -> None:
    """A whole number where no decimals are asked for; the solution comes to what stands as the answer."""
    for question in asked(number):
        if isinstance(question.answer, str):
            continue
        assert question.decimals or question.answer == int(question.answer)
        assert {plain(question.answer), tex(question.answer)} & {
            piece.strip("$., ;:%") for piece in re.split(r"[\s=]+", question.solution)
        }, f"{plain(question.answer)} stands not in: {question.solution}"


@each
def test_numbers_of_seeds_differ_and_pages_print(number: str) -> None:
    questions = asked(number)
    assert len({question.text for question in questions}) >= 8
    assert len({question.title for question in questions}) == 1
    for question in questions:
        said = [question.text, question.solution, question.unit, *(slip.sentence for slip in question.slips)]
        assert not (odd := ODD.findall("".join(said))), odd
        assert question.text.count("**") == 2, "one thing is asked, in bold"
        assert 2 <= question.points <= 6
        assert all(slip.sentence.endswith(".") for slip in question.slips)


def test_few_draws_are_unfair() -> None:
    """Else a loop that throws them away would take long, or never end."""
    for number in SOLVERS:
        random = Random(number)
        fair = sum(exam._draw(number)(random).is_fair for _ in SEEDS)
        assert fair > len(SEEDS) / 5, number


# ---------------------------------------------------------------------------------------------
# What all have in common


def coin(answers: list[Number]) -> ByHand:
    right, *wrong = answers
    first, second, third = (Slip(one, "Wrong.") for one in wrong)
    return ByHand("A coin", "**Heads?**", right, "So.", (first, second, third), points=1, decimals=2)


def test_numbers_that_cannot_be_told_apart_are_drawn_anew() -> None:
    near: list[Number] = [1, 2, 3, Fraction("1.02")]
    fair: list[Number] = [1, 2, 3, Fraction("1.03")]
    assert not coin(near).is_fair and coin(fair).is_fair
    waiting: Iterator[list[Number]] = iter([near, [1, 2, 2, 3], fair])
    assert drawn(lambda random: coin(next(waiting)), Random(0)) == coin(fair)
    with pytest.raises(ValueError, match="“A coin” has a slip that gives another"):
        drawn(lambda random: coin(near), Random(0))


def test_numbers_are_written_as_people_write_them() -> None:
    written: dict[Number, str] = {
        1280: "1,280", Fraction(-1, 4): "−0.25", Fraction(13, 7): "13/7", Fraction(-1, 3): "−1/3",
        Fraction(2**0.5): "1.414", 0: "0", Fraction(301, 600): "0.502", 1200: "1,200",
    }  # fmt: skip
    assert {number: plain(number) for number in written} == written
    assert tex(1280) == "1{,}280" and tex(Fraction(-1, 3)) == r"{-\frac{1}{3}}" and tex(-2) == "{-2}"
    assert tex_row([1, -2]) == r"(1,\; {-2})" and tex_term(-2) == "({-2})" and tex_term(2) == "2"


def test_chapters_have_no_numbers_of_chance_but_those_of_the_seed() -> None:
    for path in (root / "chapters").glob("nb[0-9][0-9]/exam.py"):
        source = path.read_text(encoding="utf-8")
        assert "import random" not in source and "torch" not in source, path
