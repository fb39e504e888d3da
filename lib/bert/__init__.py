"""BERT by hand, a file for each station; names and checkpoints are those of `transformers`."""

from lib.bert.config import BertConfig
from lib.bert.heads import (
    BertForMaskedLM,
    BertForMultipleChoice,
    BertForNextSentencePrediction,
    BertForPreTraining,
    BertForQuestionAnswering,
    BertForSequenceClassification,
    BertForTokenClassification,
)
from lib.bert.model import BertModel, BertOutput
from lib.bert.vocabulary import learn_vocabulary
from lib.bert.wordpiece import WordPieceTokenizer

__all__ = [
    "BertConfig",
    "BertForMaskedLM",
    "BertForMultipleChoice",
    "BertForNextSentencePrediction",
    "BertForPreTraining",
    "BertForQuestionAnswering",
    "BertForSequenceClassification",
    "BertForTokenClassification",
    "BertModel",
    "BertOutput",
    "WordPieceTokenizer",
    "learn_vocabulary",
]
