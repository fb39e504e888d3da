"""The masked-LM head: dense, GELU, norm, then a score for every token from the table of word vectors."""

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn
from torch.func import functional_call

from chapters.nb10 import answers
from lib.bert import BertConfig, heads
from lib.exercises.inside import replaced, with_weights_of
from lib.exercises.spec import Exercise, Mistake, Unfit, edit

ACTIVE = 'F.gelu(self.transform["dense"](hidden))'
TURNED = 'self.transform["LayerNorm"](active)'
ANSWER = "self.decoder(turned)"
TIE = "self.decoder.weight = word_embeddings.weight"


def cases(seed: int) -> Iterator[tuple[Any, ...]]:
    torch.manual_seed(seed)
    for size, vocabulary, scale in ((4, 6, 1), (6, 9, 3)):
        config = BertConfig(vocabulary, size, num_attention_heads=2, layer_norm_eps=0.1)
        weights = heads.Predictions(config, nn.Embedding(vocabulary, size)).state_dict()
        state = {name: torch.randn_like(tensor) for name, tensor in weights.items() if name != "bias"}
        yield config, state, scale * torch.randn(2, 3, size)


def run(candidate: Any, config: BertConfig, state: dict[str, Tensor], hidden: Tensor) -> tuple[Tensor, bool]:
    """The logits with these weights, and whether the decoder's is that of the word embeddings."""
    words = nn.Embedding(config.vocab_size, config.hidden_size)
    head = candidate(config, words).eval()
    if getattr(head, "decoder", None) is words:
        raise Unfit("self.decoder is the table itself, which looks up; it should be a layer that multiplies.")
    logits = functional_call(head, state, hidden, strict=True)
    return logits, head.get_submodule("decoder").weight is words.weight


# fmt: off
EXERCISE = Exercise(
    name="Predictions", minutes=8, difficulty=2, reference=answers.Predictions, cases=cases, run=run,
    returns=("the logits", "the tie"),
    mistakes=[
        Mistake("another_transform", "The transform is a dense layer, then GELU, then layer norm: in this"
            " order, and nothing else.",
            (edit(ANSWER, "self.decoder(hidden)"), edit("F.gelu", "F.relu"),
             edit(ACTIVE, 'self.transform["dense"](hidden)').then(TURNED, f"F.gelu({TURNED})"),
             edit(ACTIVE, 'self.transform["dense"](F.gelu(hidden))'),
             edit(TURNED, 'self.transform["LayerNorm"](hidden + active)'),
             edit(TURNED, "active"), edit(ACTIVE, "F.gelu(hidden)"),
             edit(ACTIVE, 'self.transform["dense"](hidden)'))),
        Mistake("calls_the_dict", "self.transform holds two layers and is no layer itself. Call each by its"
            ' name: self.transform["dense"](hidden), then self.transform["LayerNorm"].',
            (edit(ANSWER, "self.decoder(self.transform(hidden))"),
             edit(ANSWER, "self.transform(hidden)"))),
        Mistake("untied", "Your decoder has a weight of its own, perhaps a copy, so training would change it"
            " and the word vectors apart. Make them one: self.decoder.weight = word_embeddings.weight.",
            edit(TIE, "pass")),
        Mistake("layer_for_its_weight", "Your assignment puts a layer where a weight belongs, or a weight"
            " where a layer belongs. word_embeddings and self.decoder are layers; what they share is the"
            " weight inside: self.decoder.weight = word_embeddings.weight.",
            (edit(TIE, "self.decoder.weight = word_embeddings"),
             edit(TIE, "self.decoder = word_embeddings"),
             edit(TIE, "self.decoder = word_embeddings.weight"))),
        Mistake("no_parameter", "What you assign is a plain tensor, as .data, .detach(), .clone() and .T"
            " give, and the weight of a layer has to be a parameter. Assign word_embeddings.weight itself:"
            " its shape is right as it is.", edit(TIE, f"{TIE}.detach()")),
        Mistake("probabilities", "You went one step too far: the head returns logits; the softmax comes"
            " later, inside the loss.",
            tuple(edit(ANSWER, f"{ANSWER}.{softmax}(dim=-1)") for softmax in ("softmax", "log_softmax"))),
        Mistake("transform_alone", "self.decoder compares that vector with every word vector, and adds its"
            " bias: [B, T, V].",
            tuple(edit(ANSWER, f"turned{end}") for end in ("", " @ self.decoder.weight.T"))),
    ],
    hints=("One line in __init__ makes the two weights the same tensor; forward is four nested calls.",
           "The table of word vectors is [V, D], just the shape that nn.Linear(D, V) keeps its weight in.",
           'self.transform["LayerNorm"](F.gelu(self.transform["dense"](hidden))) goes through self.decoder.'),
    why="A token is scored by the vector that it is looked up as.", box="mlm_head", stage="pocket",
    use=lambda candidate, model: replaced(model.cls, "predictions",
        with_weights_of(model.cls.predictions,
            candidate(model.config, model.bert.embeddings.word_embeddings))),
)
# fmt: on
