"""Pairs of sentences: labels mean what they say, nothing but the text tells them, and bags see no order."""

from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from sklearn.metrics.pairwise import cosine_similarity
from tiny_berts import ours

from chapters.nb11 import bag_of_words, joint_loss
from lib.bert import BertForPreTraining, WordPieceTokenizer
from lib.text import pair_tasks, reader, sentence_pairs
from lib.text.packing import pack
from lib.text.pair_rows import PairRows
from studies import held_out_pairs

DOCUMENTS = sentence_pairs.documents_in_sentences(reader())
TASKS = {name: pair_tasks.PAIR_TASKS[name].draw for name in ("next", "order", "three-way")}


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def drawn(task: str, size: int = 3, count: int = 240) -> list[sentence_pairs.SentencePair]:
    return sentence_pairs.draw_pairs(DOCUMENTS, TASKS[task], size, count, rng())


# --- sentences ------------------------------------------------------------------------------------


def test_sentences_end_with_their_quotation_marks() -> None:
    found = sentence_pairs.split_sentences('"Now watch," he says. "Ready?" Mrs. Hall (of No. 4) nods. "Go!"')
    assert found[:2] == ['"Now watch," he says.', '"Ready?"']
    assert "Mrs. Hall (of No." in found


def test_no_word_is_lost_but_the_title() -> None:
    for own, document in zip(reader(), DOCUMENTS, strict=True):
        assert " ".join(document) == " ".join(own[1:])
        assert len(document) >= 24


# --- pairs ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", TASKS)
def test_what_the_labels_say_is_so(task: str) -> None:
    seen = set()
    for pair in drawn(task):
        text = " ".join(DOCUMENTS[pair.document])
        follows, precedes = f"{pair.first} {pair.second}" in text, f"{pair.second} {pair.first}" in text
        if pair.label == 0:
            assert follows
        elif task == "order" or (task == "three-way" and pair.label == 1):
            assert precedes and not follows
        else:
            assert pair.first in text and pair.second not in text
        seen.add(pair.label)
    assert seen == set(range(pair_tasks.PAIR_TASKS[task].classes))


def test_labels_are_balanced_and_draws_repeat() -> None:
    for task in TASKS:
        counts = np.bincount([pair.label for pair in drawn(task, count=900)]) / 900
        assert counts == pytest.approx(1 / len(counts), abs=0.08)
        assert drawn(task) == drawn(task)


def test_another_document_is_another_and_any_place_of_it() -> None:
    documents = [[f"{number}.{place}" for place in range(5)] for number in range(3)]
    texts = {tuple(sentence_pairs.from_another(documents, 1, 3, rng(seed))) for seed in range(200)}
    assert len(texts) == 2 * 3 and {text[0][0] for text in texts} == {"0", "2"}


def test_four_relations_of_a_text() -> None:
    for own in range(10):
        found = sentence_pairs.relations(DOCUMENTS, own, 4, rng(own))
        text = " ".join(DOCUMENTS[own])
        first, second = found["follows"][:2]
        assert f"{first} {second}" in text and found["swapped"][:2] == (second, first)
        elsewhere = found["same document"].second
        assert elsewhere in text and not set(elsewhere.split(". ")) & set(f"{first} {second}".split(". "))
        assert found["another document"].second not in text
        assert [pair.label for pair in found.values()] == [0, 1, 1, 1]


def test_too_long_for_a_document_is_said() -> None:
    with pytest.raises(ValueError, match="take fewer sentences"):
        sentence_pairs.draw_pairs(DOCUMENTS, pair_tasks.next_sentence, 20, 4, rng())


# --- bags -----------------------------------------------------------------------------------------


def test_the_one_number_is_the_cosine_and_three_of_four_know_no_first() -> None:
    weights, some = bag_of_words.weigh_words(DOCUMENTS), drawn("order", count=40)
    there = bag_of_words.compare_bags(weights, bag_of_words.turned(some))
    here = bag_of_words.compare_bags(weights, some)
    bags = [weights.transform([pair[side] for pair in some]) for side in (0, 1)]
    assert here[bag_of_words.ALIKE][:, 0] == pytest.approx(cosine_similarity(*bags).diagonal())
    same = {name: np.allclose(_dense(here[name]), _dense(there[name])) for name in here}
    assert same == {
        bag_of_words.ALIKE: True,
        bag_of_words.SHARED: True,
        bag_of_words.APART: True,
        bag_of_words.BOTH: False,
    }


def _dense(features: object) -> np.ndarray:
    return features if isinstance(features, np.ndarray) else features.toarray()  # type: ignore[attr-defined]


@pytest.mark.slow
def test_a_bag_knows_the_topic_and_not_the_order() -> None:
    found = {
        name: np.mean(
            bag_of_words.held_out_accuracy(DOCUMENTS, TASKS[name], 12, [bag_of_words.ALIKE], 500)[
                bag_of_words.ALIKE
            ]
        )
        for name in TASKS
    }
    assert found["next"] > 0.8
    assert found["order"] == 0.5
    assert 0.5 < found["three-way"] < 2 / 3 + 0.02


def test_no_document_is_on_both_sides_of_a_fold() -> None:
    seen = []
    for learn, score in bag_of_words.folds(DOCUMENTS):
        assert len(learn) + len(score) == 62 and not {map(id, learn)} & {map(id, score)}
        assert not {id(document) for document in learn} & {id(document) for document in score}
        seen += [id(document) for document in score]
    assert len(set(seen)) == 62


def test_length_says_nothing_unless_a_sampler_is_careless() -> None:
    def careless(documents, own, size, draw):
        return sentence_pairs.from_another(documents, own, 1, draw)

    def by(another):
        def draw(some, seed):
            return sentence_pairs.draw_pairs(some, pair_tasks.next_sentence, 4, 600, rng(seed), another)

        return np.mean(bag_of_words.by_length(DOCUMENTS, draw))

    assert by(careless) > 0.85
    assert by(sentence_pairs.from_another) == pytest.approx(0.5, abs=0.05)


def test_a_folder_of_text_gives_both_tasks_by_size(tmp_path) -> None:
    for name, document in zip("abcdefgh", DOCUMENTS, strict=False):
        (tmp_path / f"{name}.txt").write_text("Title\n" + "\n".join(document) + "\n", encoding="utf-8")
    found = bag_of_words.on_folder(tmp_path, seed=0, sizes=(2, 4), count=40)
    assert {len(found[name]) for name in found} == {2}


def test_a_head_that_knows_nothing_is_scored_beside_a_bag_that_knows_the_topic(tmp_path) -> None:
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    articles = [[10 * f"{word} eats. "] for word in ("elephant", "giraffe", "penguin", "fox")]
    rows = PairRows(pack(articles, tokenizer, tmp_path / "packed"), tokenizer, length=24, batch_size=8)
    model = ours(BertForPreTraining, vocab_size=len(tokenizer), max_position_embeddings=24)
    model.cls.seq_relationship.weight.data.zero_()
    model.cls.seq_relationship.bias.data = torch.tensor([1.0, 0.0])  # always "B follows"
    with pytest.raises(ValueError, match=r"call model.eval\(\)"):
        held_out_pairs.judge(model.train(), rows, articles, 4)
    found = held_out_pairs.judge(model.eval(), rows, articles, 4)
    labels = np.concatenate([rows.draw(n, np.random.default_rng([0, 1, n])).pair_labels for n in range(4)])
    assert found["pairs"] == 32 and found["head"] == np.mean(labels == 0)
    assert found["follows"] == 1 and found["another document"] == 0
    assert found["bag"] > 0.9 and found["new threshold"] < 0.8


# --- both heads -----------------------------------------------------------------------------------


def _examples(seed: int) -> joint_loss.Examples:
    generator = torch.Generator().manual_seed(seed)
    labels = torch.randint(2, (80,), generator=generator)
    features = 1 + labels[:, None] + 0.3 * torch.randn(80, 1, generator=generator)
    words = torch.randint(1, 9, (80, 6), generator=generator)
    return joint_loss.Examples(words, words * (words > 4), features, labels)


def _trained(loss_of: Any) -> tuple[float, float]:
    """The last loss and the share of other pairs right, after 100 steps, as on the page of notebook 11."""
    torch.manual_seed(0)
    learned, tested = _examples(0), _examples(1)
    model = joint_loss.TwoHeads(9, 1)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    for _ in range(100):
        words, pairs = model(learned.before, learned.cosines)
        loss = loss_of(words, learned.labels, pairs, learned.pair_labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    right = model.pair(tested.cosines).argmax(dim=1) == tested.pair_labels
    return loss.item(), right.float().mean().item()


def test_leaving_out_a_class_of_pairs_trains_a_constant() -> None:
    def draft(prediction_logits, labels, pair_logits, pair_labels):
        words = F.cross_entropy(prediction_logits.flatten(0, 1), labels.flatten(), ignore_index=0)
        return words + F.cross_entropy(pair_logits, pair_labels, ignore_index=0)

    loss, share = _trained(draft)
    repaired_loss, repaired_share = _trained(joint_loss.pretraining_loss)
    assert loss < repaired_loss
    assert share == pytest.approx(_examples(1).pair_labels.float().mean().item())
    assert repaired_share > 0.85


def test_the_parts_of_a_loss_add_up_to_the_loss() -> None:
    some, model = _examples(0), joint_loss.TwoHeads(9, 1)
    torch.nn.init.normal_(model.words.weight)
    words, pairs = model(some.before, some.cosines)
    whole = joint_loss.pretraining_loss(words, some.labels, pairs, some.pair_labels)
    assert sum(joint_loss.parts(model, some)) == pytest.approx(whole.item())


def test_examples_hide_some_words_and_keep_the_word_before() -> None:
    known = joint_loss.frequent_words(DOCUMENTS, 40)
    assert sorted(known.values()) == list(range(2, 42))
    some = drawn("next", size=8, count=60)
    made = joint_loss.examples(some, lambda first, second: len(first) / len(second), known, seed=0)
    ids = torch.tensor([[known.get(word, 1) for word in pair.first.lower().split()[:25]] for pair in some])
    hidden = made.labels != 0
    assert torch.equal(made.before, ids[:, :-1]) and torch.equal(made.labels[hidden], ids[:, 1:][hidden])
    assert hidden.float().mean().item() == pytest.approx(0.15, abs=0.04)
    ratios = [len(pair.first) / len(pair.second) for pair in some]
    assert made.cosines[:, 0].tolist() == pytest.approx([joint_loss.SCALE * ratio for ratio in ratios])
    assert made.pair_labels.tolist() == [pair.label for pair in some]
    with pytest.raises(ValueError, match="fewer than 25 words"):
        joint_loss.examples([some[0]._replace(first="Too short.")], lambda *_: 1.0, known, seed=0)
