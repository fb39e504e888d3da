"""MiniLM as the notebook on loss landscapes walks through it, under a new head for headlines.

    model = new_model()

Its vocabulary holds only the tokens that occur in the headlines, which makes it half as large. There is no
dropout, so that the loss that training lowers is the one that a landscape shows.
"""

from __future__ import annotations

from dataclasses import replace

from lib.bert import BertForSequenceClassification, WordPieceTokenizer
from lib.training.finetuning import fresh_model
from lib.training.known_tasks import load_task
from lib.training.task_kinds import Task

TASK = "headlines"
LENGTH = 24  # tokens of a headline that are read


def small_tokenizer(task: Task) -> WordPieceTokenizer:
    """MiniLM's tokenizer with the special tokens and those of the task's texts alone, which it cuts alike."""
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    used = set(tokenizer.all_special_ids)
    for example in (*task.train, *task.test):
        used.update(tokenizer.encode(example.first))
    return WordPieceTokenizer(tokenizer.convert_ids_to_tokens(sorted(used)))


def new_model() -> BertForSequenceClassification:
    """MiniLM's published weights, for the tokens of the headlines, under a head of random weights."""
    task = load_task(TASK)
    tokens = list(small_tokenizer(task).vocab)
    published = fresh_model(task, "minilm", seed=0)
    config = replace(
        published.config,
        vocab_size=len(tokens),
        max_position_embeddings=LENGTH,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    model = BertForSequenceClassification(config)
    rows = WordPieceTokenizer.from_pretrained("minilm").convert_tokens_to_ids(tokens)
    weights = published.state_dict()
    for name, ids in {"word": rows, "position": list(range(LENGTH))}.items():
        table = f"bert.embeddings.{name}_embeddings.weight"
        weights[table] = weights[table][ids]
    model.load_state_dict(weights)
    return model
