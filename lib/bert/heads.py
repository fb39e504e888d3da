"""Heads: a few small layers that turn BERT's vectors into answers to a task.

Every forward takes the arguments of `BertModel.forward` and, by name, the labels that `transformers`
takes under the same name; with labels the answer carries a loss. A label of -100 is left out of it.
B sentences, T tokens, D hidden size, V pieces in the vocabulary, C classes or choices.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.export import register_dataclass

from lib.bert.config import BertConfig
from lib.bert.model import BertModel, BertOutput, PreTrainedBert
from lib.bert.validation import validate_choices, validate_grades, validate_labels, validate_positions


@dataclass
class HeadOutput:
    """What a model with one head answers."""

    logits: Tensor
    loss: Tensor | None = None
    hidden_states: tuple[Tensor, ...] | None = None
    attentions: tuple[Tensor, ...] | None = None


@dataclass
class PreTrainingOutput:
    """What the model with both pretraining heads answers."""

    prediction_logits: Tensor  # [B, T, V]
    seq_relationship_logits: Tensor  # [B, C], two classes as a rule
    loss: Tensor | None = None
    hidden_states: tuple[Tensor, ...] | None = None
    attentions: tuple[Tensor, ...] | None = None


@dataclass
class SpanOutput:
    """What the question-answering model answers."""

    start_logits: Tensor  # [B, T]
    end_logits: Tensor  # [B, T]
    loss: Tensor | None = None
    hidden_states: tuple[Tensor, ...] | None = None
    attentions: tuple[Tensor, ...] | None = None


def label_loss(name: str, logits: Tensor, labels: Tensor) -> Tensor:
    """Cross-entropy of scores [..., C] with class numbers [...], -100 left out; `name` is for messages."""
    if not torch.compiler.is_compiling():
        validate_labels(name, labels, logits.shape[:-1], logits.size(-1))
    return F.cross_entropy(logits.flatten(0, -2), labels.flatten())


class PredictionTransform(nn.Module):
    """One more dense layer, GELU and norm before the vocabulary: [B, T, D] to [B, T, D]."""

    def __init__(self, config: BertConfig):
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, config.hidden_size)
        self.LayerNorm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)

    def forward(self, hidden: Tensor) -> Tensor:
        return self.LayerNorm(F.gelu(self.dense(hidden)))


class Predictions(nn.Module):
    """The masked-LM head: a score for every piece at every place, [B, T, D] to [B, T, V]."""

    def __init__(self, config: BertConfig, word_embeddings: nn.Embedding):
        super().__init__()
        self.transform = PredictionTransform(config)
        self.decoder = nn.Linear(config.hidden_size, config.vocab_size)
        # Tied: a piece is scored by the vector that it is looked up as.
        self.decoder.weight = word_embeddings.weight
        self.bias = self.decoder.bias  # one tensor under the two names that checkpoints know

    def forward(self, hidden: Tensor) -> Tensor:
        return self.decoder(self.transform(hidden))


class PreTrainingHeads(nn.Module):
    """Gives the pretraining heads their names, "cls.predictions" and "cls.seq_relationship"."""

    def __init__(self, predictions: Predictions | None = None, seq_relationship: nn.Linear | None = None):
        super().__init__()
        if predictions is not None:
            self.predictions = predictions
        if seq_relationship is not None:
            self.seq_relationship = seq_relationship


class BertWithHead(PreTrainedBert):
    """A BERT, and a head that a subclass builds on it: `head` answers, `label_loss` compares with labels."""

    def __init__(self, config: BertConfig, pooler: bool = True):
        super().__init__()
        self.config = config
        self.bert = BertModel(config, add_pooling_layer=pooler)

    def head(self, output: BertOutput) -> Tensor:
        """What the head makes of BERT's vectors: `logits`."""
        raise NotImplementedError

    def label_loss(self, logits: Tensor, labels: Tensor) -> Tensor:
        return label_loss("labels", logits, labels)

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        token_type_ids: Tensor | None = None,
        *,
        labels: Tensor | None = None,
        **options: Any,
    ) -> HeadOutput:
        output = self.bert(input_ids, attention_mask, token_type_ids, **options)
        logits = self.head(output)
        loss = None if labels is None else self.label_loss(logits, labels)
        return HeadOutput(logits, loss, output.hidden_states, output.attentions)


class BertForMaskedLM(BertWithHead):
    """Fills blanks: `logits` [B, T, V]. `labels` [B, T] are the true pieces."""

    head_prefixes = ("cls.predictions.",)

    def __init__(self, config: BertConfig):
        super().__init__(config, pooler=False)
        self.cls = PreTrainingHeads(Predictions(config, self.bert.embeddings.word_embeddings))
        self.init_weights()

    def head(self, output: BertOutput) -> Tensor:
        return self.cls.predictions(output.last_hidden_state)  # [B, T, V]


class BertForNextSentencePrediction(BertWithHead):
    """Does the second text follow the first? `logits` [B, 2], class 0 for yes. `labels` [B]."""

    head_prefixes = ("cls.seq_relationship.", "bert.pooler.")

    def __init__(self, config: BertConfig):
        super().__init__(config)
        self.cls = PreTrainingHeads(seq_relationship=nn.Linear(config.hidden_size, 2))
        self.init_weights()

    def head(self, output: BertOutput) -> Tensor:
        return self.cls.seq_relationship(output.pooler_output)  # [B, 2]


class BertForPreTraining(PreTrainedBert):
    """Both heads at once; the loss is the sum of theirs (Devlin et al., 2019, appendix A.2).

    Pairs have two classes, as published, unless the config has another number of labels, C.
    """

    head_prefixes = ("cls.predictions.", "cls.seq_relationship.", "bert.pooler.")

    def __init__(self, config: BertConfig):
        super().__init__()
        self.config = config
        self.bert = BertModel(config)
        self.cls = PreTrainingHeads(
            Predictions(config, self.bert.embeddings.word_embeddings),
            nn.Linear(config.hidden_size, config.num_labels),
        )
        self.init_weights()

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        token_type_ids: Tensor | None = None,
        *,
        labels: Tensor | None = None,
        next_sentence_label: Tensor | None = None,
        **options: Any,
    ) -> PreTrainingOutput:
        """`labels` [B, T]: the true pieces; `next_sentence_label` [B]: 0 where the second text follows."""
        if (labels is None) != (next_sentence_label is None):
            raise ValueError(
                "Give labels and next_sentence_label together, or neither: the loss is the sum of both."
            )
        output = self.bert(input_ids, attention_mask, token_type_ids, **options)
        prediction_logits = self.cls.predictions(output.last_hidden_state)  # [B, T, V]
        seq_relationship_logits = self.cls.seq_relationship(output.pooler_output)  # [B, C]
        loss = None
        if labels is not None and next_sentence_label is not None:
            loss = label_loss("labels", prediction_logits, labels)
            loss = loss + label_loss("next_sentence_label", seq_relationship_logits, next_sentence_label)
        return PreTrainingOutput(
            prediction_logits,
            seq_relationship_logits,
            loss,
            output.hidden_states,
            output.attentions,
        )


class Classifier(BertWithHead):
    """A dropout and one dense layer, on the vector of [CLS] or, without a pooler, on every token."""

    def __init__(self, config: BertConfig, classes: int, pooler: bool = True):
        super().__init__(config, pooler)
        rate = config.hidden_dropout_prob if config.classifier_dropout is None else config.classifier_dropout
        self.dropout = nn.Dropout(rate)
        self.classifier = nn.Linear(config.hidden_size, classes)
        self.init_weights()

    def head(self, output: BertOutput) -> Tensor:
        vectors = output.last_hidden_state if self.bert.pooler is None else output.pooler_output
        return self.classifier(self.dropout(vectors))  # [B, C], or [B, T, C]


class BertForSequenceClassification(Classifier):
    """One label a text or pair: `logits` [B, C]. `labels` [B]; grades (squared error) if C is 1.

    ValueError if the config says that several labels may hold at once, or several grades.
    """

    head_prefixes = ("classifier.", "bert.pooler.")

    def __init__(self, config: BertConfig):
        super().__init__(config, config.num_labels)
        usual = "regression" if config.num_labels == 1 else "single_label_classification"
        if (problem_type := config.other.get("problem_type") or usual) != usual:
            raise ValueError(
                f"The config's problem_type is {problem_type} with num_labels {config.num_labels}: here one "
                "label is a grade and several are classes, of which one holds, so ask for fresh labels."
            )

    def label_loss(self, logits: Tensor, labels: Tensor) -> Tensor:
        if self.config.num_labels > 1:
            return super().label_loss(logits, labels)
        if not torch.compiler.is_compiling():
            validate_grades(labels, len(logits))
        return F.mse_loss(logits.squeeze(1), labels.view(-1).to(logits.dtype))


class BertForTokenClassification(Classifier):
    """One label a token: `logits` [B, T, C]. `labels` [B, T]."""

    head_prefixes = ("classifier.",)

    def __init__(self, config: BertConfig):
        super().__init__(config, config.num_labels, pooler=False)


def _position_loss(name: str, logits: Tensor, positions: Tensor) -> Tensor:
    """Cross-entropy of scores [B, T] with token numbers [B], from 0.

    An answer that was cut off with the end of the text has no right token: it is left out.
    """
    if not torch.compiler.is_compiling():
        validate_positions(name, positions, len(logits))
    outside = logits.size(1)
    return F.cross_entropy(logits, positions.clamp(0, outside), ignore_index=outside)


class BertForQuestionAnswering(PreTrainedBert):
    """Where the answer starts and ends: two scores a token.

    `start_positions` and `end_positions` [B] are token numbers; the loss is the mean of the two.
    """

    head_prefixes = ("qa_outputs.",)

    def __init__(self, config: BertConfig):
        super().__init__()
        self.config = config
        self.bert = BertModel(config, add_pooling_layer=False)
        self.qa_outputs = nn.Linear(config.hidden_size, 2)
        self.init_weights()

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        token_type_ids: Tensor | None = None,
        *,
        start_positions: Tensor | None = None,
        end_positions: Tensor | None = None,
        **options: Any,
    ) -> SpanOutput:
        output = self.bert(input_ids, attention_mask, token_type_ids, **options)
        start_logits, end_logits = self.qa_outputs(output.last_hidden_state).unbind(dim=-1)  # [B, T] each
        if (start_positions is None) != (end_positions is None):
            raise ValueError("Give start_positions and end_positions together, or neither.")
        loss = None
        if start_positions is not None and end_positions is not None:
            loss = (
                _position_loss("start_positions", start_logits, start_positions)
                + _position_loss("end_positions", end_logits, end_positions)
            ) / 2
        return SpanOutput(start_logits, end_logits, loss, output.hidden_states, output.attentions)


class BertForMultipleChoice(Classifier):
    """Which of C continuations is best: `logits` [B, C]. All inputs are [B, C, T], `labels` [B]."""

    head_prefixes = ("classifier.", "bert.pooler.")

    def __init__(self, config: BertConfig):
        super().__init__(config, classes=1)

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        token_type_ids: Tensor | None = None,
        *,
        inputs_embeds: Tensor | None = None,
        labels: Tensor | None = None,
        **options: Any,
    ) -> HeadOutput:
        inputs = {
            "input_ids": input_ids,
            "attention_mask": attention_mask,
            "token_type_ids": token_type_ids,
            "inputs_embeds": inputs_embeds,
        }
        choices = validate_choices({name: tensor for name, tensor in inputs.items() if tensor is not None})
        flat = {name: tensor if tensor is None else tensor.flatten(0, 1) for name, tensor in inputs.items()}
        output = self.bert(**flat, **options)  # B * C texts
        logits = self.head(output).view(-1, choices)  # [B * C, 1] to [B, C]
        loss = None if labels is None else self.label_loss(logits, labels)
        return HeadOutput(logits, loss, output.hidden_states, output.attentions)


for _output in (HeadOutput, PreTrainingOutput, SpanOutput):
    register_dataclass(_output)  # so that torch.export knows what is inside
