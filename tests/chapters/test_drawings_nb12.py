"""The drawings of notebook 12."""

import copy
from functools import partial
from typing import Any

import pytest
import torch
from pictures import for_each_example, for_each_refusal

from chapters.nb12 import drawings as nb12
from chapters.nb12 import earlier, pairs, verb_agreement
from lib import stats
from lib.records import Run, Table, small_bert

BLANKS = {"the keys [MASK] old": "are", "i [MASK] this class": "love"}


def pretraining_step(norm: float) -> Any:
    numbers = nb12.StepNumbers(["a", "key"], ["a", "[MASK]"], 32, 418, 57, 1000, 7.05, norm, 12345, 4e-3, 6.7)
    return nb12.draw_pretraining_step(numbers)


test_a_drawing_says_what_it_shows = for_each_example({
    "a step that is cut": (
        partial(pretraining_step, 4.0),
        ["times 0.25", "a [MASK]", "418", "57", "1,000", "7.05", "4.00", "12,345", "0.004", "6.70"],
        ["a [MASK]", "418", "57", "1,000", "7.05", "4.00", "12,345", "0.004", "6.70"],
    ),
    "a step that is left": (partial(pretraining_step, 0.5), ["left as it is", "0.50"], ["0.50"]),
})  # fmt: skip

LOSSES = {"base": [3.0, 4.0, 5.0], "narrow": [2.0, 3.25, 3.9], "no layer": [3.5, 3.75, 5.0]}


def designs() -> Any:
    steps = {"base": 350, "narrow": 1283, "no layer": 700}
    return nb12.draw_designs(LOSSES, steps, "base", pairs.paired_difference)


ROME = "rome is the [MASK] of italy."


def films() -> Table:
    curves = {0: [0.51, 0.79], 1: [0.52, 0.98], 2: [0.53, 0.81]}
    rows = []
    for seed, verbs in curves.items():
        shares = {"as they were": 0.99, "... i think.": 0.9, "i think ...": 0.7}
        scores = {"step": [0, 100], "verbs": verbs, "answer since": 100, "says": {ROME: "the"}, **shares}
        rows.append(Run("", "film", seed, scores))
    return Table(rows)


test_a_comparison_says_what_it_shows = for_each_example({
    "designs": (
        designs,
        ["1 of 2", "base (350 steps)", "narrow (1,283 steps) -1.000, -0.750, -1.100", "not resolved"],
        ["no layer (700 steps)", "-0.950, spread 0.350: resolved", "spread 0.750: not resolved"],
    ),
    "other seeds": (
        lambda: nb12.draw_seeds({0: 0.5, 100: 0.75}, films()),
        [
            "your film: 0.50 at step 0, 0.75 at step 100",
            "recorded, seed 1: 0.52 at step 0, 0.98 at step 100",
            "recorded, seed 2: 0.53 at step 0, 0.81 at step 100",
        ],
        ["a coin toss", "recorded, seeds 1 to 2", "your film"],
    ),
    "changed sentences": (
        lambda: nb12.draw_places({"as they were": 1.0, "now ...": 0.52}),
        ["now ... 52%", "as they were 100%"], ["as they were", "now ...", "52"],
    ),
})  # fmt: skip


def test_the_rule_is_that_of_the_library() -> None:
    for name in ("narrow", "no layer"):
        mean, spread, resolved = pairs.paired_difference(LOSSES["base"], LOSSES[name])
        expected = stats.paired_difference(LOSSES["base"], LOSSES[name])
        assert (mean, spread) == expected and resolved == expected.is_resolved


def test_a_table_of_seeds_has_a_row_for_each() -> None:
    table = nb12.other_seeds(films(), ROME, "i think")
    assert table["seed"] == ["0", "1", "2"]
    assert table["capital since step"] == [100] * 3
    assert table["rome is the ___ of italy."] == ["the"] * 3
    assert table["verbs"] == ["99%"] * 3
    assert table["verbs: i think ..."] == ["70%"] * 3
    assert table["difference"] == ["−20"] * 3


def test_a_table_of_schemes_has_a_verdict_for_each() -> None:
    losses = dict.fromkeys(("base", "100/0/0", "80/0/20", "80/20/0", "0/20/80"), LOSSES["base"])
    table = nb12.schemes(losses | {"0/0/100": LOSSES["narrow"]}, pairs.paired_difference)
    assert table["here: loss less that of the base"][-1] == "-0.950, resolved"
    assert len({len(column) for column in table.values()}) == 1


def test_one_step_is_made_with_a_copy() -> None:
    texts = small_bert.grammar_texts()
    model = small_bert.new_model(texts, layers=1, hidden_size=16, heads=2, seed=0).eval()
    before = copy.deepcopy(model.state_dict())
    batch = torch.tensor([texts.tokenizer.encode("the girl is hungry.")] * 4)
    labels = torch.full_like(batch, -100)
    labels[:, 3] = batch[:, 3]
    read = batch.clone()
    read[2, 3] = texts.tokenizer.mask_token_id
    _, alt = nb12.draw_one_step(model, batch, read, labels, texts.tokenizer, rate=0.004)
    assert "The sentence is read as: the girl [MASK] hungry" in alt and "4 places are asked for" in alt
    assert all(
        torch.equal(old, new) for old, new in zip(before.values(), model.state_dict().values(), strict=True)
    )


def test_a_sentence_of_the_readers_is_refused_with_a_reason() -> None:
    tokenizer = small_bert.grammar_texts().tokenizer
    tokens = earlier.read_sentence("paris is the capital of france.", "capital", tokenizer)
    assert tokens == tokenizer.encode("paris is the capital of france.")
    refused = {
        "cut into": ("paris is the capital of france.", "france"),
        "no word of": ("paris is the capital of france.", "girl"),
        "only 20": ("the girl " * 10 + "is here.", "girl"),
    }
    for reason, (sentence, answer) in refused.items():
        with pytest.raises(ValueError, match=reason):
            earlier.read_sentence(sentence, answer, tokenizer)


def test_words_are_put_in_front_or_behind() -> None:
    pair = small_bert.agreement_test()[0]
    (front,) = verb_agreement.with_words([pair], front="i think")
    (behind,) = verb_agreement.with_words([pair], behind="i think")
    assert front.text.lower() == f"i think {pair.text}".lower() and front.words[front.place] == "[MASK]"
    assert behind.text == pair.text.removesuffix(".") + " i think." and behind.place == pair.place


test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "no blank": (
        lambda: nb12.draw_film([0], {"verbs": [0.5]}, {}, {"no blank": "are"}, 9, ""), "where the guess is",
    ),
    "no curve": (
        lambda: nb12.draw_film([0], {"verbs": [0.5]}, {"nouns": ("a coin", 0.5)}, BLANKS, 100, ""),
        "no curve 'nouns' for its line",
    ),
})  # fmt: skip


def test_a_film_grows_in_one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    pictures: list[Any] = []

    class Place:
        def update(self, picture: Any) -> None:
            pictures.append(picture)

    def show(picture: Any, display_id: bool) -> Place:
        pictures.append(picture)
        return Place()

    monkeypatch.setattr("IPython.display.display", show)
    film = nb12.Film(200, {"verbs": ("a coin toss", 0.5)})
    for step, share in ((0, 0.1), (100, 0.2), (200, 0.9)):
        film.add(step, {"verbs": share}, BLANKS)
    beginnings = [picture.alt.split(".")[0] for picture in pictures]
    assert beginnings == [f"Step {n} of 200" for n in (0, 100, 200)]
    assert "verbs: 0.10 at step 0, 0.20 at step 100, 0.90 at step 200" in pictures[-1].alt
    assert film.curve("verbs") == {0: 0.1, 100: 0.2, 200: 0.9}
    assert "i [MASK] this class love" in pictures[-1].alt and "verbs: a coin toss at 0.50" in pictures[-1].alt
    with pytest.raises(ValueError, match="the same curves"):
        film.add(300, {"nouns": 1.0}, BLANKS)


def test_a_film_says_since_when_a_gap_is_filled_so(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    film = nb12.Film(300, {})
    monkeypatch.setattr(film._screen, "show", lambda figure, alt: shown.append(alt))
    for step, token in ((0, "the"), (100, "love"), (200, "the"), (300, "the")):
        film.add(step, {"verbs": 0.5}, {"i [MASK] this class": token})
    assert ["since step 0" in alt for alt in shown] == [True, False, False, False]
    assert "love, since step 100" in shown[1] and "the, since step 200" in shown[3]


def test_the_axes_of_a_film_stay_where_they_are() -> None:
    frames = set()
    for count in (1, 9):
        steps, curves = range(0, 100 * count, 100), {"verbs": [0.5] * count}
        film, _ = nb12.draw_film(steps, curves, {}, BLANKS, 1600, "A title")
        frames.add((*film.axes[0].get_xlim(), *film.axes[0].get_ylim()))
        assert {"are", "love"} <= {text.get_text() for text in film.axes[1].texts}
    assert len(frames) == 1
