"""N-grams on the blanks that a small BERT is scored on."""

from __future__ import annotations

import math

from lib.analysis.prediction.held_out import whole_words_hidden
from lib.bert import WordPieceTokenizer
from lib.text.masking import IGNORED
from lib.text.ngrams import BlankFiller
from lib.text.pretraining_batches import PretrainingBatches


def count_runs(sentences: list[list[int]], tokenizer: WordPieceTokenizer) -> BlankFiller:
    """Runs of up to three tokens counted in sentences [CLS] ... [SEP], given as token numbers."""
    texts = [tokenizer.convert_ids_to_tokens(sentence[1:-1]) for sentence in sentences]
    return BlankFiller(texts, list(tokenizer.vocab), order=3)


def score_ngrams(filler: BlankFiller, batches: PretrainingBatches, count: int) -> dict[str, float]:
    """`loss`, in nats, and `pieces`, as `held_out.score` gives them, of n-grams on the same blanks."""
    batches = whole_words_hidden(batches)
    pieces, losses, right = list(batches.rows.tokenizer.vocab), [], []
    for number in range(count):
        batch = batches(number)
        for row, labels in zip(batch["input_ids"].tolist(), batch["labels"].tolist(), strict=True):
            text = [pieces[place] for place in row]
            for blank, label in enumerate(labels):
                if label != IGNORED:
                    probabilities = filler.probabilities(text, blank)
                    losses.append(-math.log(probabilities[filler.forward.numbers[pieces[label]]]))
                    right.append(filler.forward.words[int(probabilities.argmax())] == pieces[label])
    return {"loss": sum(losses) / len(losses), "pieces": sum(right) / len(right)}
