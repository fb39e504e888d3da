"""Heads by relation, shapes of maps, mentions, hidden context: small cases by hand."""

import math
from pathlib import Path
from typing import Any

import pytest
import torch
from tiny_berts import ours

from chapters.nb13 import context, coreference, patterns, probes
from lib.analysis.attention import parses
from lib.bert import BertForMaskedLM, BertModel, WordPieceTokenizer
from lib.text import sentences
from lib.text.treebank import Parse

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "dog", "saw", "it", "##s", "a", "."]


@pytest.fixture(scope="module")
def tokenizer() -> WordPieceTokenizer:
    return WordPieceTokenizer(PIECES)


@pytest.fixture
def model() -> BertForMaskedLM:
    masked_lm: BertForMaskedLM = ours(
        BertForMaskedLM, vocab_size=len(PIECES), hidden_size=12, num_attention_heads=3
    )
    return masked_lm


# --- relations ------------------------------------------------------------------------------------


def chain(length: int) -> Parse:
    """Every word hangs on the next, the last is the root."""
    governors = [*range(1, length), -1]
    return Parse(length * ["w"], length * ["X"], governors, [*(length - 1) * ["dep"], "root"])


def half(*lengths: int) -> probes.AttentionArgmax:
    """One layer of two heads: head 1 points at the governor, turned over head 0 does, all else at word 0."""
    looks = []
    for length in lengths:
        gold = torch.tensor(chain(length).governors).clamp(min=0)
        nothing = torch.full((length,), -2)
        looks.append(torch.stack([torch.stack([nothing, gold]), torch.stack([gold, nothing])])[:, None])
    return probes.AttentionArgmax([chain(length) for length in lengths], looks)


def test_a_head_that_points_at_the_governor_finds_all_and_so_does_its_offset() -> None:
    found = probes.fit_probe(half(3, 4), half(5), "dep")
    assert (found.way, found.layer, found.head, found.accuracy) == (0, 0, 1, 1.0)
    assert (found.offset, found.by_offset, found.links) == (1, 1.0, 4)
    assert not found.beats(0)
    many = found._replace(by_offset=0.1, links=40)  # 40 of 40, the offset 4: a lead of 36, luck 2√36
    assert many.beats(0.1) and many.beats(0.6)
    assert not many.beats(0.95)  # a lead of 2, luck 2√2
    assert not found._replace(by_offset=0.6).beats(0)  # 4 of 4, the offset 2.4: a lead of 1.6, luck 2.5
    assert probes.found_by_offset(half(3, 4).parses, "dep", 1).tolist() == 5 * [True]
    assert not probes.found_by_offset(half(5).parses, "dep", -1).any()
    assert probes.links_of(chain(4), "all") == chain(4).links("dep")
    assert probes.relations(half(3, 4), fewest=5) == ["dep"] and probes.relations(half(3, 4), fewest=6) == []


def test_a_map_is_read_along_its_rows_and_turned_over() -> None:
    maps = torch.tensor([[0.1, 0.9, 0.0], [0.0, 0.2, 0.8], [0.3, 0.3, 0.4]])
    along, over = probes.both_ways(maps)
    assert along.tolist() == [1, 2, 0]
    assert over.tolist() == [2, 0, 1]  # who looks at word 0 most? word 2


def test_the_looks_of_a_half_are_those_of_each_sentence(
    model: BertForMaskedLM, tokenizer: WordPieceTokenizer
) -> None:
    words = [["the", "dog", "saw", "it"], ["dogs", "saw", "the", "dog", "."]]
    for look, its in zip(probes.looks_both_ways(model.bert, tokenizer, words), words, strict=True):
        assert torch.equal(look, probes.both_ways(parses.word_maps(model.bert, tokenizer, its)))


def test_a_treebank_gives_a_table_of_relations(tmp_path: Path) -> None:
    """60 times "she fed the dog": the offset finds every relation, and no head beats it."""
    block = (
        "1\tShe\t_\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\tfed\t_\tVERB\t_\t_\t0\troot\t_\t_\n"
        "3\tthe\t_\tDET\t_\t_\t4\tdet\t_\t_\n4\tdog\t_\tNOUN\t_\t_\t2\tobj\t_\t_\n"
    )
    for part in ("dev", "test"):
        (tmp_path / f"en_ewt-ud-{part}.conllu").write_text(60 * f"{block}\n", encoding="utf-8")
    table = [probes.HeadProbe(**row) for row in probes.trained_in_ewt("minilm", tmp_path)]
    assert {row.relation for row in table} == {"all", "nsubj", "det", "obj"}
    assert {row.by_offset for row in table if row.relation != "all"} == {1.0}
    assert not any(row.beats(0) for row in table if row.relation != "all")
    assert {row.links for row in table} == {60, 180}


def test_what_is_recorded_of_the_treebank_has_rivals_and_a_rule() -> None:
    of_minilm = probes.in_treebank("minilm")
    assert "all" not in of_minilm and len(of_minilm) == 34
    objects = of_minilm["obj"]
    assert objects.is_found and objects.rule == "nearest verb before"
    assert objects.by_luck < objects.probe.by_offset < objects.probe.accuracy < objects.by_rule
    assert not of_minilm["compound"].is_found


def test_own_objects_have_one_link_each() -> None:
    own = probes.own_objects()
    assert len(own) == 108
    for parse, row in zip(own, sentences.objects(), strict=True):
        (link,) = parse.links("obj")
        assert (parse.words[link.word], parse.words[link.governor]) == (row.object, row.verb)


# --- shapes ---------------------------------------------------------------------------------------


def test_maps_of_each_shape_are_told_apart() -> None:
    length = 24
    types = (torch.arange(length) >= 12).long()
    near = (torch.arange(length)[:, None] - torch.arange(length)).abs() == 1
    maps = {
        "vertical": torch.zeros(length, length).index_fill(1, torch.tensor([0, 5]), 0.5),
        "diagonal": near / near.sum(-1, keepdim=True),
        "block": (types[:, None] == types) / 12,
        "heterogeneous": torch.full((length, length), 1 / length),
    }
    maps["vertical + diagonal"] = (maps["vertical"] + maps["diagonal"]) / 2
    stack = torch.stack([maps[name] for name in patterns.PATTERNS])[None]  # one layer
    assert patterns.head_patterns(patterns.shares(stack, types)) == [list(patterns.PATTERNS)]
    assert torch.allclose(patterns.shares(maps["vertical"], types), torch.tensor([1.0, 0.0, 1.0]))
    none = patterns.shares(maps["diagonal"], types, lambda weights: weights.sum((-2, -1)) * 0)
    assert float(none[1]) == 0  # the band is measured by what is given
    half = torch.tensor([[[0.45, 0.1, 0.5]]])
    assert patterns.head_patterns(half) == [["heterogeneous"]]
    assert patterns.heads_of([["block", "vertical"]], "vertical").tolist() == [[False, True]]
    assert patterns.head_patterns(half, most=0.4) == [["vertical"]]


def test_what_words_give_is_shared_among_the_kinds() -> None:
    kinds = patterns.kinds_of(["[CLS]", "dog", "##s", ".", "[SEP]"])
    assert kinds.tolist() == [0, 4, 4, 2, 1]
    weights = torch.tensor(
        [[0.2] * 5, [0.5, 0.1, 0.2, 0.1, 0.1], [0.3, 0.2, 0.3, 0.1, 0.1], [0.2] * 5, [0.2] * 5]
    )
    shares = patterns.resting_shares(weights, kinds)
    assert shares.tolist() == pytest.approx([0.4, 0.1, 0.1, 0.2, 0.2])


def test_models_are_sorted_whole(model: BertForMaskedLM, tokenizer: WordPieceTokenizer) -> None:
    shares = patterns.mean_shares(model.bert, tokenizer, [("the dog", "it saw a dog"), ("a dog .", "it")])
    assert shares.shape == (2, 3, 3) and ((shares >= 0) & (shares <= 1 + 1e-6)).all()
    rests = patterns.where_it_rests(model.bert, tokenizer, ["the dog saw it .", "a dog"])
    assert rests.shape == (2, 3, 5)
    torch.testing.assert_close(rests.sum(-1), torch.ones(2, 3))


def test_what_arrives_adds_up_to_what_the_head_gives(
    model: BertForMaskedLM, tokenizer: WordPieceTokenizer
) -> None:
    model.requires_grad_(False)
    batch = tokenizer("the dog saw it .")
    shares = patterns.contributions(model.bert, batch)
    torch.testing.assert_close(shares.sum(-1), torch.ones(2, 3, 7))

    layer: Any = model.bert.encoder.layer[0]
    hidden_states = model.bert(**batch, output_hidden_states=True).hidden_states
    assert hidden_states is not None
    attend, dense = layer.attention.self, layer.attention.output.dense
    weights = patterns.attention_weights(model.bert, batch)[0]  # [3, 7, 7]
    head = slice(4, 8)  # the features of head 1
    values = attend.value(hidden_states[0][0])[:, head] @ dense.weight[:, head].T  # [7, 12]
    lengths = weights[1] * values.norm(dim=-1)
    torch.testing.assert_close(shares[0, 1], lengths / lengths.sum(-1, keepdim=True))
    assert not torch.allclose(shares, patterns.attention_weights(model.bert, batch), atol=0.01)


def test_the_nearest_word_of_a_kind_is_chosen_on_one_half_and_scored_on_the_other() -> None:
    def clause(verb_first: bool) -> parses.Parse:
        words, tags = ["she", "read", "a", "book"], ["PRON", "VERB", "DET", "NOUN"]
        governors, names = [1, -1, 3, 1], ["nsubj", "root", "det", "obj"]
        if verb_first:
            return parses.Parse(words, tags, governors, names)
        return parses.Parse(
            ["it", "is", *words],
            ["PRON", "AUX", *tags],
            [1, -1, 3, 1, 5, 3],
            ["nsubj", "root", *names[:1], "acl", *names[2:]],
        )

    first, second = [clause(True)] * 3, [clause(True), clause(False)]
    assert parses.nearest_tagged(first[0], 3, ("VERB",), -1) == 1
    assert parses.nearest_tagged(first[0], 3, ("VERB",), 1) == -1
    assert probes.score_nearest(first, second, "obj") == ("nearest verb before", 1.0)
    assert probes.score_nearest(first, second, "nsubj") == ("nearest verb after", pytest.approx(2 / 3))


def test_a_relation_is_named_in_words_with_its_label() -> None:
    assert probes.in_words("obj") == "direct object: read a BOOK (obj)"
    assert probes.in_words("dep") == "dep"
    assert all(any(word.isupper() for word in text.split()) for text in list(probes.IN_WORDS.values())[1:])


# --- mentions -------------------------------------------------------------------------------------


def test_mentions_are_read_and_asked() -> None:
    passage = coreference.read_marked("[Anna|a] saw [the dog|b], and [she|a] fed [it|b].")
    assert passage.words == ["Anna", "saw", "the", "dog", ",", "and", "she", "fed", "it", "."]
    assert [passage.words[mention.head] for mention in passage.mentions] == ["Anna", "dog", "she", "it"]
    she, it = coreference.questions(passage)
    assert (she.place, she.earlier, she.right) == (6, [0, 3], {0})
    assert (it.place, it.earlier, it.right) == (8, [0, 3, 6], {3})
    assert coreference.is_pronoun(passage, it)
    assert [coreference.nearest(passage, asked) for asked in (she, it)] == [False, False]
    again = coreference.read_marked("[Anna|a] saw [a dog|b]. [The dog|b] saw [Anna|a].")
    assert [coreference.same_word(again, asked) for asked in coreference.questions(again)] == [True, True]


def test_a_rule_that_knows_gender_and_number_resolves_pronouns() -> None:
    passage = coreference.read_marked(
        "[Anna|a] told [the boys|c] and [Tom|b]: [he|b] is late, and [she|a] left."
    )
    he, she = coreference.questions(passage)
    assert coreference.agreeing(passage, he) and coreference.agreeing(passage, she) is False  # boys: unknown
    assert not coreference.nearest(passage, she)
    known = passage._replace(words=["daughters" if word == "boys" else word for word in passage.words])
    assert coreference.agreeing(known, she)
    again = coreference.read_marked("[Anna|a] saw [a dog|b]. [The dog|b] saw [Anna|a].")
    assert [coreference.agreeing(again, asked) for asked in coreference.questions(again)] == [True, True]
    words = {
        coreference.read_marked(text).words[m.head].lower()
        for text in sentences.mentions()
        for m in coreference.read_marked(text).mentions
    }
    assert words <= coreference.KINDS.keys()


def test_a_place_is_asked_about_once() -> None:
    mentions = [(0, "anna"), (0, "both"), (2, "ben"), (4, "both"), (4, "they")]  # "Anna and Ben ... they"
    passage = coreference.Passage(list("abcde"), [coreference.MentionHead(*mention) for mention in mentions])
    (they,) = coreference.questions(passage)
    assert they == coreference.Question(4, [0, 2], frozenset({0}))


def test_a_head_is_right_where_its_heaviest_earlier_mention_is(
    model: BertForMaskedLM, tokenizer: WordPieceTokenizer
) -> None:
    passage = coreference.read_marked("[the dog|a] saw [a dog|b]. [it|a] saw it")
    (asked,) = coreference.questions(passage)
    found = coreference.hits(model.bert, tokenizer, [passage])
    assert found.shape == (1, 2 * 2 * 3)
    maps = parses.word_maps(model.bert, tokenizer, passage.words)  # [2, 3, W, W]
    first, second = asked.earlier
    assert torch.equal(
        found[0, :6].view(2, 3), maps[..., asked.place, first] >= maps[..., asked.place, second]
    )
    assert torch.equal(
        found[0, 6:].view(2, 3), maps[..., first, asked.place] >= maps[..., second, asked.place]
    )


def test_no_text_chooses_the_head_that_answers_it(
    model: BertForMaskedLM, tokenizer: WordPieceTokenizer
) -> None:
    texts = ["[the dog|a] saw [a dog|b]. [it|a] saw it", "[a dog|a] saw [the dog|b]. [it|b] saw it"]
    passages = [coreference.read_marked(text) for text in 3 * texts]
    found = coreference.hits(model.bert, tokenizer, passages)
    (first, second), right = coreference.answer(model.bert, tokenizer, passages)
    assert len(right) == len(coreference.asked(passages)) == 6
    assert first == int(found[::2].float().mean(0).argmax())
    assert torch.equal(right[1::2], found[1::2, first]) and torch.equal(right[::2], found[::2, second])


def test_our_marked_texts_ask_enough() -> None:
    texts = [coreference.read_marked(text) for text in sentences.mentions()]
    assert len(texts) == 24 and all(coreference.questions(text) for text in texts)
    assert all("[" not in text.words and "|" not in text.words for text in texts)


def test_worlds_and_occupations_can_be_asked() -> None:
    vocab = WordPieceTokenizer.from_pretrained("minilm").vocab
    assert len(sentences.worlds()) == 20 and len(set(sentences.occupations())) == 40
    for world in sentences.worlds():
        assert world.cloze.count("[MASK]") == 1
        assert {world.new, world.old} <= vocab.keys()  # a blank holds one piece
        named = {"man": "men"}.get(world.new, world.new)
        assert named in world.world.lower() and named in world.negated.lower()
        assert (
            {"not"} <= set(world.negated.split()) - set(world.world.split()) <= {"not", "do", "does", "rise"}
        )
        assert not {world.new, world.old} & set(world.cloze.lower().split())


# --- context --------------------------------------------------------------------------------------


def test_blanks_are_whole_words_with_a_margin(tokenizer: WordPieceTokenizer) -> None:
    text = "the dog saw the dogs . it saw a dog ."
    for seed in range(20):
        (blank,) = context.draw_blanks(tokenizer, [text, "too short"], seed)
        assert blank.ids[blank.place] == tokenizer.mask_token_id
        assert context.MARGIN < blank.place < len(blank.ids) - 1 - context.MARGIN
        assert PIECES[blank.answer].isalpha()
        assert not PIECES[blank.ids[blank.place + 1]].startswith("##")


def test_a_side_is_hidden_for_good(model: BertForMaskedLM, tokenizer: WordPieceTokenizer) -> None:
    """What is hidden can be exchanged, and the guess stays what it was."""
    blank = context.Blank(tokenizer.encode("a dog saw [MASK] the dog ."), 4, 6)
    seen = {side: context.visible(blank, side) for side in context.SIDES}
    assert seen["both sides"] == [1] * 9
    assert seen["left alone"] == [1, 1, 1, 1, 1, 0, 0, 0, 1]
    assert seen["right alone"] == [1, 0, 0, 0, 1, 1, 1, 1, 1]
    assert seen["neither"] == [1, 0, 0, 0, 1, 0, 0, 0, 1]
    assert sum(seen["as many at random"]) == 3 + 3
    other = blank._replace(ids=[*blank.ids[:5], 7, 8, 9, blank.ids[8]])
    guesses = context.at_blanks(model, [blank, other], [seen["left alone"]] * 2)
    torch.testing.assert_close(guesses[0], guesses[1])
    assert not torch.allclose(*context.at_blanks(model, [blank, other], [seen["both sides"]] * 2))
    with pytest.raises(ValueError, match="choose one of both sides"):
        context.visible(blank, "left")


def test_padding_changes_no_guess(model: BertForMaskedLM, tokenizer: WordPieceTokenizer) -> None:
    short = context.Blank(tokenizer.encode("a [MASK] saw it"), 2, 6)
    long = context.Blank(tokenizer.encode("the dog saw the [MASK] . it"), 5, 6)
    masks = [[1] * len(blank.ids) for blank in (short, long)]
    together = context.at_blanks(model, [short, long], masks)
    alone = torch.cat([context.at_blanks(model, [b], [m]) for b, m in zip((short, long), masks, strict=True)])
    torch.testing.assert_close(together, alone, atol=1e-4, rtol=1e-4)


def test_untrained_models_differ_by_seed() -> None:
    first, again, other = (probes.untrained("minilm", seed) for seed in (0, 0, 1))
    name = "encoder.layer.0.attention.self.query.weight"
    weight = [model.state_dict()[name] for model in (first, again, other)]
    assert torch.equal(weight[0], weight[1]) and not torch.equal(weight[0], weight[2])
    assert math.isclose(
        float(weight[0].std()), BertModel.from_pretrained("minilm").config.initializer_range, rel_tol=0.05
    )
