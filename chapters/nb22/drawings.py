"""The drawings and tables of notebook 22: which places teach which, what lessons move and bring."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import TYPE_CHECKING, Any

import torch.nn.functional as F
from torch import Tensor, nn

from chapters.nb22.runs import RUNS
from lib import records, stats
from lib.compression.distillation.mobilebert import MobileBertBlock, MobileBertSizes
from lib.figures.schematic import Box, Point, Schematic
from lib.figures.style import FAINT, INK, LIT, QUIET, canvas, style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Columns = dict[str, list[str]]
Seen = Mapping[str, Any]


# ---------------------------------------------------------------------------------------------
# Tables, each as columns and a caption.


def puzzle(seen: Mapping[str, Seen], real: Tensor) -> tuple[Columns, str]:
    """Models beside the teacher, the first of them: their scores, values and answers.

    seen: by a model's name, what `look_inside` of the notebook gives. real [B, T]: false on padding.
    """
    teacher = next(iter(seen.values()))
    columns: Columns = {"model": list(seen)}
    gaps, cosines, answers = [], [], []
    for model in seen.values():
        pairs = zip(model["scores"], teacher["scores"], strict=True)
        gaps.append(max(float((own - taught).abs().max()) for own, taught in pairs))
        alike = F.cosine_similarity(model["values"][real], teacher["values"][real])
        cosines.append(float(alike.mean()))
        same = model["logits"].argmax(dim=-1) == teacher["logits"].argmax(dim=-1)
        answers.append(float(same.float().mean()))
    columns["scores, largest difference"] = [f"{gap:.2g}" for gap in gaps]
    columns["values, cosine with the teacher's"] = [f"{cosine:.2f}" for cosine in cosines]
    columns["answers as the teacher"] = [f"{share:.0%}" for share in answers]
    return columns, f"Four models on {len(real)} headlines: scores of all six layers, values of the last"


#: the rows of the table of moved weights, and how the names of their weights begin
PARTS_MOVED = {
    "embeddings": "bert.embeddings.word",
    "values of layer 1": "bert.encoder.layer.0.attention.self.value.weight",
    "queries of layer 2": "bert.encoder.layer.1.attention.self.query.weight",
    "values of layer 2": "bert.encoder.layer.1.attention.self.value.weight",
    "feed-forward of layer 2": "bert.encoder.layer.1.intermediate.dense.weight",
    "head": "classifier.weight",
}


def moved_weights(moved: Mapping[str, Iterable[str]]) -> tuple[Columns, str]:
    """Which parts of a student each lesson moves. moved: by lesson, the names of weights with a gradient."""
    columns: Columns = {"weights": list(PARTS_MOVED)}
    for lesson, names in moved.items():
        found = tuple(names)
        columns[lesson] = [
            "moves" if any(name.startswith(part) for name in found) else "–" for part in PARTS_MOVED.values()
        ]
    return columns, "Which weights of the student get a gradient, by what is compared"


# ---------------------------------------------------------------------------------------------
# What each lesson brings, with three seeds.

#: what is learned before answers, as the notebook calls it, and as the record does
LESSONS = {
    "embeddings": "embeddings",
    "states": "states",
    "scores": "scores",
    "relations": "MiniLM",
}
SHORT, LONG = "few passes", "long runs"
ONE_PASS = "answers alone, one pass"
BY_THE_TEACHERS_HEAD = "states alone, teacher's head"
A_GUESS = 15.0  # percent: of nine classes one is 11, and who is not above this has learned nothing
BASELINE: Any = (0, (5, 3))
OVER_LINES: dict[str, Any] = {
    "fontsize": 10,
    "zorder": 2,
    "bbox": {"facecolor": "white", "edgecolor": "none", "pad": 0.8},
}


def short_and_long() -> dict[str, dict[str, list[float]]]:
    """By length of training and by lesson, percent reached by three seeds; "answers" alone comes first."""
    long_runs = records.table("distilled_inside")
    short = {"answers": RUNS["answers", "0 + 4"], ONE_PASS: RUNS["answers", "0 + 1"]}
    short[BY_THE_TEACHERS_HEAD] = RUNS["states, teacher's head", "4 + 0"]
    long = {"answers": [100 * found for found in long_runs.values("headlines", "answers")]}
    for lesson, arm in LESSONS.items():
        short[lesson] = RUNS[lesson, "3 + 1"]
        long[lesson] = [100 * found for found in long_runs.values("headlines", arm)]
    return {SHORT: short, LONG: long}


def beside_students() -> dict[str, float]:
    """What stands beside the students, in percent: a count of words that the teacher taught, and itself."""
    words = records.table("distilled_answers").values("headlines", "baseline on unlabeled")
    whole = records.table("distilled_inside").values("headlines", "teacher")
    return {"count of words, taught": 100 * mean(words), "teacher": 100 * mean(whole)}


def draw_lessons() -> tuple["Figure", str]:
    """Draw what each student reaches, a dot for each seed, in few passes and in long runs."""
    found = short_and_long()
    rows = ["answers", ONE_PASS, *LESSONS, BY_THE_TEACHERS_HEAD]
    then = [f"{lesson}, then answers" for lesson in LESSONS]
    named = ["answers alone", ONE_PASS, *then, BY_THE_TEACHERS_HEAD]
    title = "One student, several lessons: a dot for each seed, hollow for a guess, a bar for the mean"
    phrases = []
    with style():
        figure = canvas(10.4, 4.7, title)
        panels = figure.subplots(1, 2, sharey=True)
        for axes, (length, by_lesson) in zip(panels, found.items(), strict=True):
            for place, row in enumerate(rows):
                if row in by_lesson:
                    _draw_seeds(axes, place, by_lesson[row])
                    seeds = ", ".join(f"{one:.1f}" for one in by_lesson[row])
                    phrases.append(f"{length}, {named[place]}: {seeds}")
                else:
                    axes.text(2, place, "not run", va="center", color=QUIET, fontsize=10)
            for number, (name, value) in enumerate(beside_students().items()):
                axes.axvline(value, color=INK, linewidth=1.2, linestyle=[BASELINE, "-"][number], zorder=1)
                told = f"{name} {value:.1f} "
                axes.text(value, -0.72 - 0.42 * number, told, ha="right", va="center", **OVER_LINES)
            axes.set(xlim=(0, 100), ylim=(len(rows) - 0.5, -1.5), title=length)
            axes.set_xlabel("right of the test headlines, %")
            axes.grid(axis="x", color=FAINT)
            axes.tick_params(axis="y", length=0)
        panels[0].set_yticks(range(len(rows)), named)
    lines = ", ".join(f"{name} {value:.1f}" for name, value in beside_students().items())
    return figure, f"{title}. In percent, by seed. {'; '.join(phrases)}. Lines: {lines}."


def _draw_seeds(axes: "Axes", place: int, seeds: Sequence[float]) -> None:
    """A dot for each seed, hollow where it is no better than a guess; with such a dot there is no mean."""
    stuck = [one for one in seeds if one < A_GUESS]
    for one in seeds:
        axes.plot([one], [place], "o", markersize=7, color="white" if one in stuck else LIT,
                  markeredgecolor=LIT, zorder=3)  # fmt: skip
    if not stuck:
        axes.plot([mean(seeds)] * 2, [place - 0.3, place + 0.3], color=INK, linewidth=2.0, zorder=4)
        told = f"{mean(seeds):.1f}"
    elif len(stuck) == len(seeds):
        told = "a guess"
    else:
        told = f"{len(stuck)} of {len(seeds)} a guess"
    left = min(seeds) > 55
    beyond = min(seeds) - 2.5 if left else max(seeds) + 2.5
    axes.text(beyond, place, told, ha="right" if left else "left", va="center", **OVER_LINES)


def resolved_lessons() -> str:
    """Which students differ from answers alone, where it is resolved: the mean, and the range over seeds.

    Where a run is stuck at a guess its lesson is left out, because its mean tests nothing.
    """
    found = short_and_long()
    against = {
        "few passes, less answers alone": (found[SHORT], "answers"),
        "few passes, less one pass of answers": (found[SHORT], ONE_PASS),
        "long runs, less answers alone": (found[LONG], "answers"),
    }
    lines = []
    for name, (by_lesson, rival) in against.items():
        told = []
        for lesson in (*LESSONS, BY_THE_TEACHERS_HEAD):
            if lesson not in by_lesson or (lesson == BY_THE_TEACHERS_HEAD and rival == ONE_PASS):
                continue
            difference = stats.paired_difference(by_lesson[rival], by_lesson[lesson])
            if difference.is_resolved and min(by_lesson[lesson]) > A_GUESS:
                told.append(f"{lesson} {difference.of_means:+.1f} ({difference.spread:.1f})")
        lines.append(f"{name}: {', '.join(told) or 'none'}")
    return "\n".join(lines)


def answers_alone() -> str:
    """What the rival of all lessons reaches after four passes on answers."""
    found = ", ".join(f"{accuracy:.1f}" for accuracy in RUNS["answers", "0 + 4"])
    return f"four passes on answers alone, seeds 0, 1 and 2: {found}"


def by_the_teachers_head() -> str:
    """What students reach after three passes on states and none on answers, read by the teacher's head."""
    found = ", ".join(f"{accuracy:.1f}" for accuracy in RUNS["states, teacher's head", "3 + 0"])
    return f"three passes on states, the teacher's head, seeds 0, 1 and 2: {found}"


# ---------------------------------------------------------------------------------------------
# Which places of a teacher teach which places of a student, and by what distance.

WIDTH, HEIGHT = 10.8, 5.6  # inches
BOTTOM = 0.34  # of the embeddings
STEP = 0.64  # from layer to layer of the teacher
MOST_LAYERS = 6
TOP, STEP_OF_LESSONS = 4.55, 0.8
#: how far above the middle of its box a line begins: states leave a layer at its upper edge
RISES = {"states": 0.13, "scores": -0.06, "attention": -0.06, "values": -0.06, "answers": 0.0}


@dataclass(frozen=True)
class Lesson:
    """What the student's place learns from the teacher's: states after a layer (0: the embeddings), or
    scores, attention or values inside a layer; `projected`: through a learned map. Answers have no layer.
    """

    kind: str
    teacher: int
    student: int
    distance: str
    projected: bool = False

    def __post_init__(self) -> None:
        if self.kind not in RISES:
            raise ValueError(f"There is no lesson in {self.kind!r}: use one of {', '.join(RISES)}.")


def draw_layer_teaching(
    lessons: Sequence[Lesson], layers: tuple[int, int], sizes: tuple[int, int], title: str
) -> tuple["Figure", str]:
    """Draw the teacher at the left, the student at the right, and between them a box for each lesson.

    `layers` and `sizes` are those of the teacher and of the student: how many layers, how many features.
    Lessons are drawn from the bottom to the top in their order. The dark box is the learned map.
    """
    _check_lessons(lessons, layers)
    page = Schematic(WIDTH, HEIGHT)
    page.text(0.15, HEIGHT - 0.22, title, ha="left", fontsize=13, weight="bold")
    teacher = _draw_model(page, f"teacher, {sizes[0]} wide", 0.3, layers[0], STEP)
    student = _draw_model(page, f"student, {sizes[1]} wide", 9.0, layers[1], STEP * layers[0] / layers[1])
    if any(lesson.kind == "answers" for lesson in lessons):
        for boxes, count in ((teacher, layers[0]), (student, layers[1])):
            boxes["answers"] = _draw_answers(page, boxes[f"states {count}"])
    heights = [TOP - STEP_OF_LESSONS * (len(lessons) - 1 - number) for number in range(len(lessons))]
    projected = [y for y, lesson in zip(heights, lessons, strict=True) if lesson.projected]
    if projected:  # one map serves them all
        page.box(7.15, projected[0] - 0.19, 0.55, projected[-1] - projected[0] + 0.38, "W", look="lit")
    for y, lesson in zip(heights, lessons, strict=True):
        look = "plain" if lesson.kind in ("states", "answers") else "tint"
        box = page.box(4.75, y - 0.24, 1.95, 0.48, _named(lesson), lesson.distance, look=look)
        page.arrow(_raised(_box_of(teacher, lesson.kind, lesson.teacher).east, lesson.kind), box.west)
        start = _raised(_box_of(student, lesson.kind, lesson.student).west, lesson.kind)
        if lesson.projected:
            page.arrow(start, (7.7, y))
            page.arrow((7.15, y), box.east)
        else:
            page.arrow(start, box.east)
    description = (
        f"A teacher of {layers[0]} layers, {sizes[0]} wide, at the left, a student of {layers[1]} layers,"
        f" {sizes[1]} wide, at the right. From the bottom to the top: {'; '.join(map(_in_words, lessons))}."
    )
    return page.figure, description


def draw_every_third() -> tuple["Figure", str]:
    """Draw a lesson on states and that on answers, for a teacher of 6 layers and a student of 2."""
    lessons = [Lesson("states", 3 * m, m, "squared error", projected=True) for m in (1, 2)]
    lessons.append(Lesson("answers", 0, 0, "cross-entropy, last"))
    title = "Every third layer of the teacher teaches one of the student"
    return draw_layer_teaching(lessons, (6, 2), (384, 192), title)


def _in_words(lesson: Lesson) -> str:
    """What learns from what, and how."""
    if lesson.kind == "answers":
        pair = "the student's answers learn from the teacher's"
    else:
        pair = (
            f"{_place(lesson.kind, lesson.student)} of the student learns from"
            f" {_place(lesson.kind, lesson.teacher)} of the teacher"
        )
    return f"{pair} ({lesson.distance}{', through the learned map W' if lesson.projected else ''})"


def _draw_model(page: Schematic, caption: str, left: float, layers: int, step: float) -> dict[str, Box]:
    """Draw a stack from the embeddings up; its boxes by what is learned there, "states 0" first."""
    page.text(left + 0.75, 0.14, caption, color=QUIET)
    below = page.box(left, BOTTOM, 1.5, 0.36, "embeddings")
    boxes = {"states 0": below}
    for layer in range(1, layers + 1):
        box = page.box(left, BOTTOM + step * layer, 1.5, 0.36, f"layer {layer}")
        page.arrow(below.top, box.below)
        boxes[f"layer {layer}"] = boxes[f"states {layer}"] = below = box
    return boxes


def _draw_answers(page: Schematic, last: Box) -> Box:
    """Draw a box for what comes out above a model's last layer, at one height in both models."""
    answers = page.box(last.left, BOTTOM + STEP * MOST_LAYERS + 0.62, 1.5, 0.36, "answers", look="edge")
    page.arrow(last.top, answers.below)
    return answers


def _box_of(boxes: dict[str, Box], kind: str, layer: int) -> Box:
    if kind == "answers":
        return boxes["answers"]
    return boxes[f"{'states' if kind == 'states' else 'layer'} {layer}"]


def _raised(edge: Point, kind: str) -> Point:
    """Where on the edge of its box a line of this kind begins."""
    return edge[0], edge[1] + RISES[kind]


def _named(lesson: Lesson) -> str:
    if lesson.kind == "answers":
        return "answers"
    if lesson.kind == "states" and lesson.teacher == 0:
        return "embeddings"
    return f"{lesson.kind} {lesson.teacher} and {lesson.student}"


def _place(kind: str, layer: int) -> str:
    if kind == "states":
        return f"the state after layer {layer}" if layer else "the embeddings"
    return f"the {kind} in layer {layer}"


def _check_lessons(lessons: Sequence[Lesson], layers: tuple[int, int]) -> None:
    if not 1 <= len(lessons) <= 6 or min(layers) < 1 or max(layers) > MOST_LAYERS:
        raise ValueError(f"Give one to six lessons, and models of 1 to {MOST_LAYERS} layers.")
    for lesson in lessons:
        first = 0 if lesson.kind in ("states", "answers") else 1
        if not (first <= lesson.teacher <= layers[0] and first <= lesson.student <= layers[1]):
            raise ValueError(f"{lesson} names a layer that is not there: the models have {layers} layers.")


# ---------------------------------------------------------------------------------------------
# One block of MobileBERT: wide outside, thin inside.

BLOCK_WIDTH, BLOCK_HEIGHT = 11.4, 4.3  # inches
PARTS = ("bottlenecks", "attention", "feed-forward", "way back")


def draw_mobilebert() -> tuple["Figure", str]:
    """Draw a block of MobileBERT as it was published, with what its parts weigh."""
    block, sizes = MobileBertBlock(), MobileBertSizes()
    parts = {
        "bottlenecks": block.bottleneck,
        "attention": block.attention,
        "feed-forward": nn.ModuleList([block.ffn, block.intermediate, block.output.dense]),
        "way back": block.output.bottleneck,
    }
    weights = {
        name: sum(weight.numel() for weight in part.parameters() if weight.dim() == 2)
        for name, part in parts.items()
    }
    told = {
        "hidden": sizes.hidden_size,
        "narrow": sizes.narrow_size,
        "intermediate": sizes.intermediate_size,
        "heads": sizes.num_heads,
        "feed-forwards": sizes.feed_forwards,
    }
    return draw_mobilebert_block(told, weights, "A MobileBERT block: wide outside, thin inside")


def draw_mobilebert_block(
    sizes: Mapping[str, int], weights: Mapping[str, int], title: str
) -> tuple["Figure", str]:
    """Draw the block from left to right, with what each of PARTS weighs, and say it in words.

    `weights` of the bottlenecks are those of both together.
    `sizes` holds "hidden", "narrow", "intermediate", "heads" and "feed-forwards". Thick edges are wide
    vectors, tinted boxes work on narrow ones.
    """
    _check_weights(weights)
    wide, narrow, inner = sizes["hidden"], sizes["narrow"], sizes["intermediate"]
    page = Schematic(BLOCK_WIDTH, BLOCK_HEIGHT)
    page.text(0.15, BLOCK_HEIGHT - 0.22, title, ha="left", fontsize=13, weight="bold")
    came = page.box(0.15, 1.75, 1.25, 0.6, "state", f"T × {wide}", look="edge")
    looks = page.box(1.95, 2.75, 1.6, 0.6, "bottleneck", f"{wide} to {narrow}")
    carried = page.box(1.95, 0.75, 1.6, 0.6, "bottleneck", f"{wide} to {narrow}")
    attention = page.box(
        4.25, 2.2, 1.7, 1.15, "attention", f"{sizes['heads']} heads, {narrow} wide", look="tint"
    )
    plus = _draw_plus(page, 6.45, 2.05)
    count = sizes["feed-forwards"]
    stack = page.box(
        7.0, 1.75, 1.75, 0.6, f"{count} feed-forwards", f"{narrow} to {inner} to {narrow}", look="tint"
    )
    back = page.box(9.15, 1.75, 1.05, 0.6, "dense", f"{narrow} to {wide}")
    end = _draw_plus(page, 10.5, 2.05)
    page.arrow(came.east, (1.65, 2.05), (1.65, 3.05), looks.west)
    page.arrow(came.east, (1.65, 2.05), (1.65, 1.05), carried.west)
    page.arrow(looks.east, (attention.west[0], 3.05))
    page.text(3.9, 3.2, "q, k", color=QUIET, fontsize=10)
    page.arrow((1.65, 2.05), (3.9, 2.05), (3.9, 2.45), (attention.west[0], 2.45))
    page.text(3.2, 2.18, f"v, from {wide}", color=QUIET, fontsize=10)
    page.arrow(attention.east, (6.45, attention.east[1]), (6.45, 2.22))
    page.arrow(carried.east, (6.45, 1.05), (6.45, 1.88))
    page.arrow((plus[0] + 0.17, 2.05), stack.west)
    page.arrow(stack.east, back.west)
    page.arrow(back.east, (end[0] - 0.17, 2.05))
    page.arrow((0.75, 1.75), (0.75, 0.35), (10.5, 0.35), (10.5, 1.88))
    page.text(5.6, 0.48, "residual path", color=QUIET, fontsize=10)
    page.arrow((end[0] + 0.17, 2.05), (11.15, 2.05))
    page.text(10.85, 2.42, f"out: T × {wide}", color=QUIET, fontsize=10)
    for x, y, part in (
        (2.75, 3.55, "bottlenecks"),
        (5.1, 3.55, "attention"),
        (7.88, 2.58, "feed-forward"),
        (9.68, 2.58, "way back"),
    ):
        page.text(x, y, f"{_counted(part, weights[part])} weights", fontsize=10)
    return page.figure, _describe_block(sizes, weights)


def _describe_block(sizes: Mapping[str, int], weights: Mapping[str, int]) -> str:
    wide, narrow = sizes["hidden"], sizes["narrow"]
    counts = ", ".join(f"{part} {_counted(part, weights[part])}" for part in PARTS)
    return (
        f"A block of MobileBERT. States of {wide} features come in. One bottleneck narrows them to {narrow}"
        f" for queries and keys, another for what is carried on; values are made of the {wide} features."
        f" Attention with {sizes['heads']} heads is {narrow} wide; its result is added to what is carried on."
        f" Then come {sizes['feed-forwards']} feed-forward networks, {narrow} to {sizes['intermediate']} to"
        f" {narrow}, and a dense layer back to {wide}, which is added to what came in. Weights: {counts}."
    )


def _counted(part: str, weights: int) -> str:
    """How many weights a part has: the bottlenecks are two alike."""
    return f"2 × {weights // 2:,}" if part == "bottlenecks" else f"{weights:,}"


def _draw_plus(page: Schematic, x: float, y: float) -> tuple[float, float]:
    from matplotlib.patches import Circle

    page.axes.add_patch(Circle((x, y), 0.17, facecolor="white", edgecolor=INK, linewidth=1.2, zorder=4))
    page.text(x, y, "+", fontsize=14, weight="bold")
    return x, y


def _check_weights(weights: Mapping[str, int]) -> None:
    if set(weights) != set(PARTS):
        raise ValueError(f"Give the weights of {', '.join(PARTS)}.")


# ---------------------------------------------------------------------------------------------
# A sentence, what may stand in the place of its words, and what a teacher says of the new sentences.

PAGE_WIDTH = 11.4  # inches
LINE = 0.29
LETTER = 0.0836  # a letter of the typewriter face, 10 points high
MOST_LETTERS = 84
LEFT, BAR, BAR_WIDTH = 0.2, 8.05, 2.4


Answered = tuple[list[str], float]  # a sentence, word by word, and the teacher's share of an answer


def draw_new_headlines(
    words: list[str],
    candidates: Mapping[int, Sequence[str]],
    original: float,
    of_one_word: Sequence[Answered],
    of_several: Sequence[Answered],
) -> tuple["Figure", str]:
    """Draw candidates for a headline's words, the original, four new headlines of several, three of one word.

    candidates: by the place of a word. of_one_word: one word changed; those with the lowest share are drawn.
    """
    lowest = sorted(of_one_word, key=lambda pair: pair[1])
    shown = {words[place]: list(new)[:9] for place, new in candidates.items()}
    chosen = [(words, original), *of_several[:4], *lowest[:3]]
    turned = sum(share < 0.5 for _, share in of_one_word)
    title = f"With one new word, “movies” falls below one half in {turned} of {len(of_one_word)} headlines"
    return draw_augmentation(words, shown, chosen, ("another", "movies"), title)


def draw_augmentation(
    words: Sequence[str],
    candidates: Mapping[str, Sequence[str]],
    answers: Sequence[tuple[Sequence[str], float]],
    ends: tuple[str, str],
    title: str,
) -> tuple["Figure", str]:
    """Draw the candidates for some words of a sentence and, below, sentences with the teacher's answer.

    `answers` are sentences, word by word, with the probability of the second of the two answers in `ends`.
    The first is the sentence itself; words that differ from it are bold, and so are bars of sentences on
    the other side of one half.
    """
    _check_sentences(words, answers)
    height = LINE * (len(candidates) + len(answers)) + 1.75
    page = Schematic(PAGE_WIDTH, height)
    page.text(LEFT, height - 0.22, title, ha="left", fontsize=13, weight="bold")
    y = height - 0.62
    page.text(LEFT, y, "What may stand in the place of (the first nine are shown)", ha="left", color=QUIET)
    for word, others in candidates.items():
        y -= LINE
        page.text(LEFT, y, word, ha="left", weight="bold")
        page.text(LEFT + 1.5, y, "  ".join(others), ha="left", fontsize=10)
    y -= 0.45
    page.text(LEFT, y, "Sentences, and what the teacher says of them", ha="left", color=QUIET)
    page.text(BAR, y, ends[0], ha="left", color=QUIET, fontsize=10)
    page.text(BAR + BAR_WIDTH, y, ends[1], ha="right", color=QUIET, fontsize=10)
    top = y - 0.13
    original = answers[0][1]
    for sentence, answer in answers:
        y -= LINE
        _write_sentence(page, words, sentence, y)
        _draw_answer(page, answer, (answer > 0.5) != (original > 0.5), y)
    middle = BAR + BAR_WIDTH / 2
    page.axes.plot(
        [middle, middle], [y - 0.14, top], color=INK, linewidth=1.2, linestyle=(0, (4, 3)), zorder=4
    )
    page.text(middle, y - 0.27, "0.5", fontsize=10, color=QUIET)
    places = "; ".join(f"{word}: {', '.join(others)}" for word, others in candidates.items())
    phrases = "; ".join(f"“{' '.join(sentence)}” {answer:.2f}" for sentence, answer in answers)
    flipped = sum((answer > 0.5) != (original > 0.5) for _, answer in answers)
    alt = (
        f"What may stand in the place of words of “{' '.join(words)}”: {places}. Sentences, the first being"
        f" the original, with the teacher's answer from 0, {ends[0]}, to 1, {ends[1]}: {phrases}. Of"
        f" {len(answers) - 1} new sentences {flipped} lie on the other side of 0.5."
    )
    return page.figure, alt


def _write_sentence(page: Schematic, words: Sequence[str], sentence: Sequence[str], y: float) -> None:
    """Write a sentence word by word, what differs from the original in bold."""
    x = LEFT
    for old, new in zip(words, sentence, strict=True):
        differs = {"weight": "bold", "color": LIT} if new != old else {}
        page.text(x, y, new, ha="left", fontsize=10, family="monospace", **differs)
        x += LETTER * (len(new) + 1)


def _draw_answer(page: Schematic, answer: float, flips: bool, y: float) -> None:
    """Draw a probability as a bar with its number; `flips`: it is on the other side of 0.5 than it was."""
    from matplotlib.patches import Rectangle

    corner = BAR, y - 0.08
    page.axes.add_patch(Rectangle(corner, BAR_WIDTH, 0.16, facecolor="white", edgecolor=FAINT, zorder=2))
    fill, edge = (LIT, LIT) if flips else (FAINT, QUIET)
    length = max(0.03, BAR_WIDTH * answer)
    page.axes.add_patch(Rectangle(corner, length, 0.16, facecolor=fill, edgecolor=edge, zorder=3))
    weight = "bold" if flips else "normal"
    page.text(BAR + BAR_WIDTH + 0.12, y, f"{answer:.2f}", ha="left", fontsize=10, weight=weight)


def _check_sentences(words: Sequence[str], answers: Sequence[tuple[Sequence[str], float]]) -> None:
    if not answers or any(len(sentence) != len(words) for sentence, _ in answers):
        raise ValueError(f"Give at least one sentence, and each as many words as the original, {len(words)}.")
    if longest := max((" ".join(sentence) for sentence, _ in answers), key=len)[MOST_LETTERS:]:
        raise ValueError(f"A sentence is {len(longest)} letters too long for its line: choose a shorter one.")
