"""The masked-LM head: dense, GELU, norm, then a score for every token from the table of word vectors."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn

from lib.bert import BertConfig
from lib.bert.heads import Predictions
from lib.exercises.checking import Unfit
from lib.exercises.inside import replaced
from lib.exercises.spec import Exercise, Invariant, Mistake, edit

TIE = "self.decoder.weight = word_embeddings.weight"
SHORT = "self.decoder(self.transform(hidden))"
DENSE = "self.transform.dense(hidden)"
GELU = f"F.gelu({DENSE})"
NORM = f"self.transform.LayerNorm({GELU})"
SCORES = f"self.decoder({NORM})"
STEPS = edit(SHORT, SCORES)


def cases(seed: int) -> Iterator[tuple[Any, ...]]:
    """Three sizes, the readable one first; in the second the hidden states are far from 0."""
    for size, vocabulary, texts, length, scale in [(4, 6, 1, 2, 1.0), (6, 9, 2, 3, 3.0), (8, 5, 3, 4, 1.0)]:
        torch.manual_seed(seed)
        config = BertConfig(
            vocab_size=vocabulary, hidden_size=size, num_attention_heads=2, layer_norm_eps=0.1
        )
        table = torch.randn(vocabulary, size)
        shapes = {
            "transform.dense.weight": (size, size),
            "transform.dense.bias": (size,),
            "transform.LayerNorm.weight": (size,),
            "transform.LayerNorm.bias": (size,),
            "decoder.bias": (vocabulary,),
        }
        weights = tuple((name, torch.randn(shape)) for name, shape in shapes.items())
        yield config, table, weights, scale * torch.randn(texts, length, size)


def built(candidate: Any, config: BertConfig, table: Tensor, weights: Any) -> tuple[nn.Module, nn.Embedding]:
    """The head with these weights in it, and the word embeddings that were given to it."""
    words = nn.Embedding.from_pretrained(table.detach().clone(), freeze=False)
    head = candidate(config, words)
    own = dict(head.named_parameters(remove_duplicate=False))
    with torch.no_grad():
        for name, tensor in (*weights, ("decoder.weight", table)):
            if name not in own or own[name].shape != tensor.shape:
                found = f"of shape {list(own[name].shape)}" if name in own else "nowhere"
                raise Unfit(
                    f"Checkpoints have a parameter `{name}` of shape {list(tensor.shape)}; in your head it is"
                    f" {found}. Keep the layers of the stub under their names."
                )
            own[name].copy_(tensor)
    return head.eval(), words


def run(
    candidate: Any, config: BertConfig, table: Tensor, weights: Any, hidden: Tensor
) -> tuple[Tensor, Tensor]:
    """The logits, and the logits after training has changed the word embeddings."""
    head, words = built(candidate, config, table, weights)
    with torch.no_grad():
        words.weight.mul_(2)
        after = head(hidden.clone())
        words.weight.div_(2)  # exactly what it was
    return head(hidden), after


def one_parameter(candidate: Any, arguments: tuple[Any, ...], result: Any) -> bool:
    config, table, weights, _ = arguments
    head, words = built(candidate, config, table, weights)
    return head.get_submodule("decoder").weight is words.weight


@contextmanager
def use(candidate: Any, model: Any) -> Iterator[None]:
    """The model with the learner's head in the place of its own, weights carried over."""
    head = candidate(model.config, model.bert.embeddings.word_embeddings)
    state = model.cls.predictions.state_dict()
    head.load_state_dict({name: state[name] for name in head.state_dict()})
    with replaced(model.cls, "predictions", head.eval()):
        yield


EXERCISE = Exercise(
    name="Predictions",
    minutes=8,
    difficulty=2,
    reference=Predictions,
    cases=cases,
    run=run,
    returns=("the logits", "the logits once training has changed the word vectors"),
    invariants=[
        Invariant(
            "one_parameter",
            "The numbers are shared, but the decoder's weight and the word embeddings' are still two"
            " parameters, and an optimizer would step each with half of the gradient. Make them one object:"
            " self.decoder.weight = word_embeddings.weight.",
            one_parameter,
        ),
    ],
    alike=[STEPS],
    mistakes=[
        Mistake(
            "decoder_alone",
            "You score the hidden state as it comes from the encoder. First it goes through the transform:"
            " dense layer, GELU, layer norm.",
            edit(SHORT, "self.decoder(hidden)"),
        ),
        Mistake(
            "untied",
            "Your decoder has a weight of its own, perhaps a copy. When training changes the word vectors,"
            " your logits stay what they were. Let self.decoder.weight be word_embeddings.weight itself.",
            (
                edit(TIE, "pass"),
                edit(TIE, "self.decoder.weight = nn.Parameter(word_embeddings.weight.detach().clone())"),
            ),
        ),
        Mistake(
            "no_gelu",
            "The GELU is missing. Without it the dense layer and the decoder are linear with only a norm"
            " between them.",
            STEPS.then(GELU, DENSE),
        ),
        Mistake(
            "no_norm",
            "The layer norm is missing: it stands behind the GELU, right before the decoder.",
            STEPS.then(NORM, GELU),
        ),
        Mistake(
            "no_dense",
            "The dense layer of the transform is missing: the hidden state goes through it first.",
            STEPS.then(DENSE, "hidden"),
        ),
        Mistake(
            "another_order",
            "All three parts of the transform are there, in another order. It is dense layer, then GELU, then"
            " layer norm.",
            (
                STEPS.then(NORM, f"F.gelu(self.transform.LayerNorm({DENSE}))"),
                STEPS.then(NORM, "self.transform.LayerNorm(self.transform.dense(F.gelu(hidden)))"),
                STEPS.then(NORM, "F.gelu(self.transform.dense(self.transform.LayerNorm(hidden)))"),
                STEPS.then(NORM, "self.transform.dense(self.transform.LayerNorm(F.gelu(hidden)))"),
                STEPS.then(NORM, "self.transform.dense(F.gelu(self.transform.LayerNorm(hidden)))"),
            ),
        ),
        Mistake(
            "residual",
            "You add what came in, as the halves of an encoder layer do. The head has no residual path.",
            (
                STEPS.then(NORM, f"self.transform.LayerNorm(hidden + {GELU})"),
                STEPS.then(NORM, f"(hidden + {NORM})"),
            ),
        ),
        Mistake(
            "another_activation",
            "The order is right, but the activation is another one. BERT uses GELU, the exact one, without"
            " arguments: F.gelu(x).",
            tuple(
                STEPS.then("F.gelu", other)
                for other in (
                    *("F.relu", "torch.tanh", "torch.sigmoid", "F.silu"),
                    *('(lambda x: F.gelu(x, approximate="tanh"))', "(lambda x: x * (1.702 * x).sigmoid())"),
                )
            ),
        ),
        Mistake(
            "another_norm",
            "That is not what the LayerNorm of the transform does: it has a weight, a bias and the config's"
            " eps. Call it.",
            tuple(
                STEPS.then("self.transform.LayerNorm(", "F.layer_norm(").then(DENSE + ")", f"{DENSE}){more}")
                for more in (
                    ", hidden.shape[-1:]",
                    ", hidden.shape[-1:], self.transform.LayerNorm.weight, self.transform.LayerNorm.bias",
                    ", hidden.shape[-1:], eps=self.transform.LayerNorm.eps",
                )
            ),
        ),
        Mistake(
            "no_bias",
            "The products with the word vectors are right, but the bias of the decoder is missing. Call"
            " self.decoder, which adds it.",
            edit(SHORT, "self.transform(hidden) @ self.decoder.weight.T"),
        ),
        Mistake(
            "bias_twice",
            "You add the bias twice: self.decoder adds its own already.",
            edit(SHORT, f"{SHORT} + self.decoder.bias"),
        ),
        Mistake(
            "probabilities",
            "You went one step too far: the head returns logits, and the softmax comes later, inside the loss"
            " or where a guess is read.",
            tuple(
                edit(SHORT, f"{SHORT}.{softmax}")
                for softmax in ("softmax(dim=-1)", "log_softmax(dim=-1)", "softmax(dim=1)")
            ),
        ),
        Mistake(
            "transform_alone",
            "That is the transformed vector, [B, T, D]. The decoder still has to compare it with every word"
            " vector, which gives [B, T, V].",
            edit(SHORT, "self.transform(hidden)"),
        ),
        Mistake(
            "called_a_module_dict",
            "An nn.ModuleDict only holds layers by name and cannot be called. Call the layers in it, as in"
            ' self.transform["dense"](hidden).',
            edit(SHORT, "nn.ModuleDict()(hidden)"),
        ),
    ],
    hints=(
        "Two things are missing. In __init__, one line makes the decoder's weight and the table of word"
        " vectors the same tensor. In forward, four calls stand one inside the other.",
        "dense, GELU and LayerNorm keep [B, T, D]; the decoder makes [B, T, V] of it. The table of word"
        " vectors is [V, D], which is just the shape that nn.Linear(D, V) keeps its weight in.",
        'self.decoder.weight = word_embeddings.weight; then self.transform["LayerNorm"](F.gelu(self.transform'
        '["dense"](hidden))) goes through self.decoder.',
    ),
    why="A token is scored by the vector that it is looked up as.",
    box="mlm_head",
    stage="pocket",
    use=use,
)
