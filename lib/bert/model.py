"""`BertModel`: embeddings, encoder and pooler, with its input checked at the door."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import torch
from torch import Tensor, nn

from lib.bert import checkpoint
from lib.bert.attention import keep_maps
from lib.bert.config import BertConfig
from lib.bert.embeddings import BertEmbeddings
from lib.bert.encoder import Encoder, Pooler


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
        if isinstance(module, nn.Linear):
            nn.init.zeros_(module.bias)
        if isinstance(module, nn.Embedding) and module.padding_idx is not None:
            nn.init.zeros_(module.weight[module.padding_idx])
        if isinstance(module, nn.LayerNorm):
            module.reset_parameters()

    @classmethod
    def from_pretrained(cls, name_or_folder: str | Path, **changes: Any) -> Self:
        """Load a published checkpoint, in float32 and in `eval()` mode.

        `name_or_folder` is "minilm" or "pocket" (the two models at hand), a folder in `transformers`'
        format, or a name on the hub. Keyword arguments replace entries of its config (`num_labels=3`). A
        head or pooler that the checkpoint lacks starts at random: `newly_initialized` names its tensors.
        Raises ValueError, with nothing loaded, if a tensor is missing, left over or misshapen.
        """
        folder = checkpoint.folder_of(name_or_folder)
        config = BertConfig.from_pretrained(folder, **changes)
        with torch.device("meta"), checkpoint.NothingDrawn():  # shapes alone: the file brings the numbers
            model = cls(config)
        model.newly_initialized = checkpoint.load(model, folder)
        return model.eval()

    def save_pretrained(self, folder: str | Path) -> None:
        """Write config.json and model.safetensors, which `transformers` reads too, into `folder`."""
        checkpoint.save(self, Path(folder))


class BertModel(PreTrainedBert):
    """BERT without a task (Devlin et al., 2019): ids in, one vector a token out."""

    def __init__(self, config: BertConfig, add_pooling_layer: bool = True):
        super().__init__()
        self.config = config
        self.embeddings = BertEmbeddings(config)
        self.encoder = Encoder(config)
        self.pooler = Pooler(config) if add_pooling_layer else None
        self.init_weights()

    def forward(
        self,
        input_ids: Tensor,
        attention_mask: Tensor | None = None,
        token_type_ids: Tensor | None = None,
        *,
        output_hidden_states: bool = False,
        output_attentions: bool = False,
    ) -> BertOutput:
        """Read a batch of sentences.

        input_ids, attention_mask (1 for a real token, 0 for padding) and token_type_ids (0 for the
        first text, 1 for the second) are [B, T] tensors of integers. Asking for attentions takes the
        written-out attention; otherwise PyTorch's fused one runs, with the same result to rounding.
        """
        self._refuse_bad_input(input_ids, attention_mask, token_type_ids)
        hidden = self.embeddings(input_ids, token_type_ids)  # [B, T, D]
        with keep_maps(self.encoder) if output_attentions else nullcontext() as maps:
            states = self.encoder(hidden, _where_to_look(attention_mask))
        return BertOutput(
            last_hidden_state=states[-1],
            pooler_output=self.pooler(states[-1]) if self.pooler is not None else None,
            hidden_states=states if output_hidden_states else None,
            attentions=None if maps is None else tuple(maps),
        )

    def _refuse_bad_input(
        self, input_ids: Tensor, attention_mask: Tensor | None, token_type_ids: Tensor | None
    ) -> None:
        if input_ids.dim() != 2 or input_ids.dtype not in (torch.int32, torch.int64):
            raise ValueError(
                f"input_ids is a {input_ids.dtype} tensor of shape {list(input_ids.shape)}: "
                "give whole numbers (int64) of shape [sentences, tokens] (one sentence: add [None])."
            )
        if input_ids.numel() == 0:
            raise ValueError("input_ids is empty: give at least one sentence of at least one token.")
        longest = self.config.max_position_embeddings
        if input_ids.size(1) > longest:
            raise ValueError(
                f"The text has {input_ids.size(1)} tokens and this model {longest} positions: "
                f"cut it (tokenizer(..., max_length={longest}) does)."
            )
        _refuse_out_of_range(
            "input_ids",
            input_ids,
            self.config.vocab_size,
            "does the tokenizer belong to this model?",
        )
        if attention_mask is not None:
            _refuse_other_shape("attention_mask", attention_mask, input_ids)
            if not ((attention_mask == 0) | (attention_mask == 1)).all():
                raise ValueError("attention_mask holds other numbers than 1 (a real token) and 0 (padding).")
            if not attention_mask.any(dim=1).all():
                raise ValueError("A row of attention_mask is all zeros: every sentence needs one real token.")
        if token_type_ids is not None:
            _refuse_other_shape("token_type_ids", token_type_ids, input_ids)
            _refuse_out_of_range(
                "token_type_ids", token_type_ids, self.config.type_vocab_size, "use 0 and 1."
            )


def _where_to_look(attention_mask: Tensor | None) -> Tensor | None:
    """[B, T] of 0 and 1 to boolean [B, 1, 1, T]; None if nothing is hidden, which is faster."""
    if attention_mask is None or bool(attention_mask.all()):
        return None
    return attention_mask.bool()[:, None, None, :]


def _refuse_other_shape(name: str, tensor: Tensor, input_ids: Tensor) -> None:
    if tensor.shape != input_ids.shape:
        raise ValueError(
            f"{name} has shape {list(tensor.shape)} and input_ids {list(input_ids.shape)}: "
            "they go token by token, so give both the same shape."
        )


def _refuse_out_of_range(name: str, ids: Tensor, size: int, advice: str) -> None:
    low, high = (int(bound) for bound in torch.aminmax(ids))
    if low < 0 or high >= size:
        wrong = low if low < 0 else high
        raise ValueError(f"{name} holds {wrong}, but this model knows 0 to {size - 1}: {advice}")
