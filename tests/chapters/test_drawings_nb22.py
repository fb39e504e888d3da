"""The drawings, tables and helpers of notebook 22."""

from typing import Any

import torch
from pictures import for_each_example, for_each_refusal, written

from chapters.nb22 import NOTEBOOK, earlier, few_passes
from chapters.nb22 import drawings as nb22
from chapters.nb22.runs import RUNS
from lib.bert import BertConfig, BertForSequenceClassification, WordPieceTokenizer
from lib.records import pages
from lib.text.tasks import TextExample

LESSONS = [
    nb22.Lesson("states", 0, 0, "squared error", projected=True),
    nb22.Lesson("scores", 6, 2, "squared error"),
    nb22.Lesson("answers", 0, 0, "cross-entropy"),
]
BLOCK = {"hidden": 512, "narrow": 128, "intermediate": 512, "heads": 4, "feed-forwards": 4}
IN_BLOCK = {"bottlenecks": 131_072, "attention": 114_688, "feed-forward": 524_288, "way back": 65_536}
SENTENCE = ["the", "dog", "is", "wonderful"]
REWRITTEN = [(SENTENCE, 0.9), (["the", "dog", "is", "dead"], 0.2), (["the", "cat", "is", "wonderful"], 0.8)]
PLACES = {"wonderful": ["dead", "gone"], "dog": ["cat"]}

test_a_drawing_says_what_it_shows = for_each_example({
    "lessons of layers": (
        lambda: nb22.draw_layer_teaching(LESSONS, (6, 2), (384, 192), "A title"),
        ["the scores in layer 2 of the student learns from the scores in layer 6", "the learned map W"],
        ["W", "embeddings", "scores 6 and 2", "answers"],
    ),
    "every third layer": (
        nb22.draw_every_third,
        ["the state after layer 2 of the student learns from the state after layer 6 of the teacher"],
        ["states 3 and 1", "W", "cross-entropy, last"],
    ),
    "what lessons bring": (
        nb22.draw_lessons,
        ["few passes, answers alone, one pass: 12.8, 11.1, 11.1", "long runs, relations, then answers: "],
        ["states, then answers", "count of words, taught 67.7 ", "teacher 80.7 ", "1 of 3 a guess"],
    ),
    "MobileBERT as published": (
        nb22.draw_mobilebert,
        ["feed-forward 524,288"],
        ["2 × 65,536 weights"],
    ),
    "new headlines": (
        lambda: nb22.draw_new_headlines(
            SENTENCE, {3: ["dead", "gone"]}, 0.9, [(REWRITTEN[1][0], 0.2), ([*SENTENCE[:3], "gone"], 0.7)], []
        ),
        ["Of 2 new sentences 1 lie on the other side of 0.5"],
        ["With one new word, “movies” falls below one half in 1 of 2 headlines", "dead", "0.20", "0.70"],
    ),
    "a block of MobileBERT": (
        lambda: nb22.draw_mobilebert_block(BLOCK, IN_BLOCK, "A title"),
        ["4 feed-forward networks, 128 to 512 to 128", "way back 65,536"],
        ["512 to 128", "524,288 weights", "2 × 65,536 weights"],
    ),
    "sentences made anew": (
        lambda: nb22.draw_augmentation(SENTENCE, PLACES, REWRITTEN, ("complains", "praises"), "A title"),
        ["Of 2 new sentences 1 lie on the other side of 0.5", "“the dog is dead” 0.20"],
        ["dead", "0.20", "0.80"],
    ),
})  # fmt: skip

test_what_cannot_be_drawn_is_refused_in_one_sentence = for_each_refusal({
    "a teacher's layer": (
        lambda: nb22.draw_layer_teaching([nb22.Lesson("states", 7, 2, "")], (6, 2), (384, 192), ""),
        "a layer that is not there",
    ),
    "layers from 1": (
        lambda: nb22.draw_layer_teaching([nb22.Lesson("scores", 0, 1, "")], (6, 2), (384, 192), ""),
        "a layer that is not there",
    ),
    "no such lesson": (lambda: nb22.Lesson("mood", 1, 1, ""), "no lesson in 'mood'"),
    "no weights": (lambda: nb22.draw_mobilebert_block(BLOCK, {}, ""), "Give the weights of bottlenecks"),
    "words": (
        lambda: nb22.draw_augmentation(SENTENCE, PLACES, [(SENTENCE[:2], 0.5)], ("no", "yes"), ""),
        "as many words as the original, 4",
    ),
    "a long word": (
        lambda: nb22.draw_augmentation(["a" * 90], {}, [(["a" * 90], 0.5)], ("no", "yes"), ""),
        "too long for its line",
    ),
})  # fmt: skip


def test_a_map_is_drawn_once_where_it_is_projected() -> None:
    texts = written(nb22.draw_layer_teaching(LESSONS, (6, 2), (384, 192), "A title")[0])
    assert (texts.count("W"), texts.count("embeddings"), texts.count("answers")) == (1, 3, 3)


def test_only_sentences_whose_answer_turns_are_bold() -> None:
    figure, _ = nb22.draw_augmentation(SENTENCE, PLACES, REWRITTEN, ("complains", "praises"), "A title")
    bold = {text.get_text() for text in figure.axes[0].texts if text.get_fontweight() == "bold"}
    assert {"dead", "cat", "0.20"} <= bold and "0.80" not in bold


def test_the_puzzle_compares_with_its_first_model() -> None:
    real = torch.tensor([[True, True], [True, False]])
    scores, values = [torch.zeros(2, 1, 2, 2)], torch.ones(2, 2, 3)
    teacher = {"scores": scores, "values": values, "logits": torch.tensor([[1.0, 0.0], [0.0, 1.0]])}
    other = {"scores": [scores[0] + 2], "values": -values, "logits": torch.tensor([[1.0, 0.0], [1.0, 0.0]])}
    columns, caption = nb22.puzzle({"teacher": teacher, "other": other}, real)
    assert list(columns.values()) == [["teacher", "other"], ["0", "2"], ["1.00", "-1.00"], ["100%", "50%"]]
    assert "2 headlines" in caption


def test_a_part_moves_if_one_of_its_weights_does() -> None:
    columns, _ = nb22.moved_weights({"one": ["classifier.weight"], "none": ["bert.pooler.dense.weight"]})
    assert columns["one"][-1] == "moves" and columns["one"][0] == "–" and set(columns["none"]) == {"–"}


def test_what_is_resolved_is_said_for_each_rival() -> None:
    short, one_pass, long = nb22.resolved_lessons().splitlines()
    assert (
        short == "few passes, less answers alone: scores -31.3 (6.9), relations -31.5 (2.2),"
        " states alone, teacher's head +5.3 (3.2)"
    )  # a stuck run tests nothing
    assert "states +59.9" in one_pass and "embeddings" not in one_pass
    assert "states +5.6" in long and "scores" not in long


def test_the_list_of_runs_holds_each_plan_with_each_seed() -> None:
    assert {key: len(found) for key, found in RUNS.items()} == dict.fromkeys(few_passes.PLANS, 3)


def test_few_passes_finds_the_cells_that_it_runs() -> None:
    assert {*pages.sources(NOTEBOOK)} >= {*few_passes.CELLS}


def test_the_accuracy_is_that_of_the_first_guesses() -> None:
    torch.manual_seed(0)
    tokenizer = WordPieceTokenizer.from_pretrained("pocket")
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=8,
    )
    model = BertForSequenceClassification(config)
    examples = [TextExample(text, None, 1) for text in ("i love this class", "yes", "the dog is here now")]
    guesses = [int(model.eval()(**tokenizer([one.first])).logits.argmax()) for one in examples]
    assert earlier.accuracy(model, tokenizer, examples) == guesses.count(1) / 3


def test_recorded_rivals_are_printed_seed_by_seed() -> None:
    assert nb22.answers_alone().endswith("seeds 0, 1 and 2: 68.8, 68.8, 66.5")
    assert nb22.by_the_teachers_head().endswith("seeds 0, 1 and 2: 67.6, 68.2, 72.9")


def test_scores_are_those_before_the_softmax() -> None:
    torch.manual_seed(0)
    config = BertConfig(vocab_size=9, hidden_size=24, num_hidden_layers=1, num_attention_heads=12)
    model: Any = BertForSequenceClassification(config).eval()
    layer = model.bert.encoder.layer[0].attention.self
    read = torch.randn(1, 3, 24)
    query, key = (part(read).view(1, 3, 12, 2) for part in (layer.query, layer.key))
    one = query[0, 1, 5] @ key[0, 2, 5] / 2**0.5
    torch.testing.assert_close(earlier.attention_scores(layer, read)[0, 5, 1, 2], one)


def test_texts_of_one_length_need_no_padding() -> None:
    tokenizer = WordPieceTokenizer.from_pretrained("pocket")
    texts = ["i love this class", "yes", "the dog is here", "no", "well"]
    batches = earlier.batches_of_equal_length(texts, tokenizer, 2)
    assert [len(batch["input_ids"]) for batch in batches][:2] == [2, 1]
    assert sum(len(batch["input_ids"]) for batch in batches) == len(texts)
    assert all(bool(batch["attention_mask"].all()) for batch in batches)
