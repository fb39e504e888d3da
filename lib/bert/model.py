"""`BertModel`: embeddings, encoder and pooler, with its input checked at the door."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import torch
from torch import Tensor, nn
from torch.export import register_dataclass

from lib.bert import adapters as adapters  # their alterations are known to every model
from lib.bert import alterations, checkpoint
from lib.bert import prompts as prompts
from lib.bert.attention import capture_attentions
from lib.bert.config import ALTERED_TYPE, BertConfig
from lib.bert.embeddings import BertEmbeddings, embed_vectors
from lib.bert.encoder import Encoder, EncoderLayer, Pooler
from lib.bert.validation import validate_inputs, validate_ours


@dataclass
class BertOutput:
    """What `BertModel` answers: B sentences, T tokens, D hidden size, H heads, L layers."""

    last_hidden_state: Tensor  # [B, T, D]
    pooler_output: Tensor | None = None  # [B, D], None in a model without a pooler
    hidden_states: tuple[Tensor, ...] | None = None  # L + 1 times [B, T, D], the embeddings first
    attentions: tuple[Tensor, ...] | None = None  # L times [B, H, T, T]


class PreTrainedBert(nn.Module):
    """What `BertModel` and the models with heads share: a config, and a folder to load from and save to."""

    config: BertConfig
    #: how the names of what stands on the encoder begin; a checkpoint may lack any of it, but as a whole
    head_prefixes: ClassVar[tuple[str, ...]] = ()
    #: what was done to the model since it was built, see `lib.bert.alterations`
    changes: tuple[alterations.Change, ...] = ()
    #: names of the tensors that the checkpoint did not have and that were drawn at random
    newly_initialized: tuple[str, ...] = ()

    def init_weights(self) -> None:
        """Draw all weights: normal with std `initializer_range`, biases 0, norms 1 and 0, [PAD] 0."""
        # Embeddings last: a tied decoder would draw the row of [PAD] again.
        for module in sorted(self.modules(), key=lambda module: isinstance(module, nn.Embedding)):
            self.init_module(module)

    def init_module(self, module: nn.Module) -> None:
        """Draw the weights of one module, its children left alone."""
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, std=self.config.initializer_range)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)
        if isinstance(module, nn.Embedding) and module.padding_idx is not None:
            nn.init.zeros_(module.weight[module.padding_idx])
        if isinstance(module, nn.LayerNorm):
            module.reset_parameters()

    @classmethod
    def from_pretrained(cls, name_or_folder: str | Path, *, fresh_head: bool = False, **changes: Any) -> Self:
        """Load a published checkpoint, in float32 and in `eval()` mode.

        `name_or_folder` is "minilm" or "pocket" (the two models at hand), a folder in `transformers`'
        format, or a name on the hub. Keyword arguments replace entries of its config (`num_labels=3`). A
        head or pooler that the checkpoint lacks starts at random, and so does a head if `fresh_head` asks for
        a new one: `newly_initialized` names their tensors. What was done to an altered model is done again
        first. Raises ValueError, with nothing loaded, if a tensor is missing, left over, misshapen, or holds
        no finite floating-point numbers; what else a checkpoint may be: `BertConfig.from_pretrained`.
        """
        folder = checkpoint.resolve_checkpoint(name_or_folder)
        config = BertConfig.from_pretrained(folder, **changes)
        stored = checkpoint.read(folder)
        if fresh_head:
            stored = stored.without_heads()
        with torch.device("meta"), checkpoint.uninitialized():  # shapes alone: the file brings the numbers
            model = cls(config)
            alterations.replay(model, checkpoint.changes_for(model, stored))
        model.newly_initialized = checkpoint.load(model, stored, folder, cls.head_prefixes)
        for name, module in model.named_modules():
            if f"{name}.weight" in model.newly_initialized:
                model.init_module(module)
        return model.eval()

    def save_pretrained(self, folder: str | Path) -> None:
        """Write config.json and model.safetensors into `folder`.

        `transformers` reads them too, unless the model was altered: then they say so. Raises ValueError if it
        was altered in a way that `from_pretrained` could not do again.
        """
        config = self.config.to_dict() | {"architectures": [type(self).__name__]}
        if self.changes:
            config["model_type"] = ALTERED_TYPE
        for key in config.keys() & {"dtype", "torch_dtype"}:  # they are of the weights as they were read
            config[key] = str(next(self.parameters()).dtype).removeprefix("torch.")
        with torch.device("meta"), checkpoint.uninitialized():
            fresh = type(self)(self.config)
            alterations.replay(fresh, self.changes)
        alterations.validate_replay(self, fresh)
        checkpoint.save(self, config, Path(folder))


class BertModel(PreTrainedBert):
    """BERT without a task (Devlin et al., 2019): ids in, one vector a token out.

    `layer` makes the layers of the encoder, see there.
    """

    head_prefixes = ("pooler.",)

    def __init__(
        self,
        config: BertConfig,
        add_pooling_layer: bool = True,
        layer: Callable[[BertConfig], nn.Module] = EncoderLayer,
    ):
        super().__init__()
        validate_ours("config", config, "a BertConfig")
        self.config = config
        self.embeddings = BertEmbeddings(config)
        self.encoder = Encoder(config, layer)
        self.pooler = Pooler(config) if add_pooling_layer else None
        self.init_weights()

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        token_type_ids: Tensor | None = None,
        *,
        inputs_embeds: Tensor | None = None,
        output_hidden_states: bool = False,
        output_attentions: bool = False,
    ) -> BertOutput:
        """Read a batch of sentences.

        input_ids, attention_mask (1 for a real token, 0 for padding) and token_type_ids (0 for the
        first text, 1 for the second) are [B, T] tensors of integers. The mask may also be boolean
        [B, 1, T, T], True where a token (third place) may look at another (fourth). inputs_embeds
        [B, T, D] takes the place of input_ids: word vectors that are given, not looked up.
        Asking for attentions takes the written-out attention; otherwise PyTorch's fused one runs, with
        the same result to rounding. Bad input is a ValueError, see `lib.bert.validation`.
        """
        if not torch.compiler.is_compiling():
            validate_inputs(self.config, input_ids, attention_mask, token_type_ids, inputs_embeds)
        if inputs_embeds is None:
            hidden = self.embeddings(input_ids, token_type_ids)  # [B, T, D]
        else:
            hidden = embed_vectors(self.embeddings, inputs_embeds, token_type_ids)
        with capture_attentions(self.encoder) if output_attentions else nullcontext() as attentions:
            states = self.encoder(hidden, make_attention_mask(attention_mask))
        return BertOutput(
            last_hidden_state=states[-1],
            pooler_output=self.pooler(states[-1]) if self.pooler is not None else None,
            hidden_states=states if output_hidden_states else None,
            attentions=None if attentions is None else tuple(attentions),
        )


def make_attention_mask(attention_mask: Tensor | None) -> Tensor | None:
    """[B, T] of 0 and 1 to boolean [B, 1, 1, T]; one with four dimensions is left as it is.

    None if nothing is hidden, which is faster. This is not looked for where it would wait for a device or
    break a traced graph.
    """
    if attention_mask is None:
        return None
    if attention_mask.device.type == "cpu" and not torch.compiler.is_compiling() and attention_mask.all():
        return None
    return attention_mask if attention_mask.dim() == 4 else attention_mask.bool()[:, None, None, :]


register_dataclass(BertOutput)  # so that torch.export knows what is inside
