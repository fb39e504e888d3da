"""What the film measures of a small BERT, all on text that it never reads."""

from __future__ import annotations

from chapters.nb12 import ngram_scores, verb_agreement
from chapters.nb12.ngram_scores import BlankFiller
from lib.analysis.prediction import held_out
from lib.bert.heads import BertForPreTraining
from lib.records import small_bert
from lib.records.small_bert import Texts
from lib.text.pretraining_batches import PretrainingBatches
from lib.text.sentence_rows import SentenceRows

BATCH = 32
FILMED = 200  # of the sentences whose verb is asked for, in each picture of the film

PLAIN, SAME, OTHER = "nothing", "nouns of the subject's number", "nouns of the other number"


class HeldOut:
    """Sentences that are kept back: those of the documents held out, and those whose verb is asked for."""

    def __init__(self, texts: Texts) -> None:
        self.tokenizer = texts.tokenizer
        rows = SentenceRows(texts.held_out, texts.tokenizer, 20, BATCH, seed=1)
        self.batches = PretrainingBatches(rows)
        self.count = rows.size // BATCH
        self.asked = small_bert.agreement_test()

    def tokens_right(self, model: BertForPreTraining | BlankFiller) -> float:
        """The share of the hidden tokens that a BERT, or a counter, names."""
        if isinstance(model, BlankFiller):
            return ngram_scores.score_ngrams(model, self.batches, self.count)["pieces"]
        return held_out.score(model, self.batches, self.count)["pieces"]

    def verbs_of_counter(self, counter: BlankFiller) -> float:
        """The share right of the verbs that a picture of the film asks for."""
        agrees = verb_agreement.ngrams_agree(counter.forward, self.tokenizer, self.asked[:FILMED])
        return sum(agrees) / len(agrees)

    def verbs_right(self, model: BertForPreTraining, front: str = "", behind: str = "") -> float:
        """The share of all verbs whose right form scores higher, if given with words in front or behind."""
        changed = verb_agreement.with_words(self.asked, front, behind)
        agrees = verb_agreement.model_agrees(model, self.tokenizer, changed)
        return sum(agrees) / len(agrees)

    def shares(self, model: BertForPreTraining) -> dict[str, float]:
        """What a picture of the film shows."""
        agrees = verb_agreement.model_agrees(model, self.tokenizer, self.asked[:FILMED])
        return {"hidden tokens": self.tokens_right(model), "verbs": sum(agrees) / len(agrees)}

    def verbs_by_distance(self, model: BertForPreTraining | BlankFiller) -> dict[str, float]:
        """The share of verbs right by what stands between them and their subject."""
        if isinstance(model, BlankFiller):
            agrees = verb_agreement.ngrams_agree(model.forward, self.tokenizer, self.asked)
        else:
            agrees = verb_agreement.model_agrees(model, self.tokenizer, self.asked)
        marks: dict[str, list[bool]] = {PLAIN: [], SAME: [], OTHER: []}
        for pair, right in zip(self.asked, agrees, strict=True):
            if not pair.nearest:
                marks[PLAIN].append(right)
            elif pair.differs:
                marks[OTHER].append(right)
            else:
                marks[SAME].append(right)
        return {name: sum(right) / len(right) for name, right in marks.items()}
