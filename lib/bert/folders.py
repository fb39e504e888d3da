"""Folders in which a file of a BERT is missing: what they hold in its place, and what to do with that."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from lib.files import validate_fetched

ADAPTERS = "adapter_config.json"
SAVED = "name a folder that save_pretrained wrote"
WRITES = "save_pretrained writes model.safetensors"
PICKLE = (
    "it holds its weights as a pickle ({}), which can run code when opened: if you trust it, load it with "
    f"the class of transformers that has its head, and {WRITES}"
)
TENSORFLOW = f"its weights are TensorFlow's ({{}}): transformers 4 loads them with from_tf=True, and {WRITES}"
FLAX = f"its weights are Flax's ({{}}): transformers 4 loads them with from_flax=True, and {WRITES}"
ONNX = "it holds a model for ONNX Runtime ({}), which can only be run: name the folder that it came from"
#: what a folder holds, by the names of files: what is no model of its own, then weights, the best first
OTHER_MODELS = {
    ADAPTERS: "it holds adapters of peft without the model that they change ({}): load both with peft, and "
    "save what merge_and_unload() gives, by save_pretrained",
    "*.gguf": "it holds a model for llama.cpp ({}): name the folder that this was made from",
}
OTHER_WEIGHTS = {
    "model.safetensors": "its weights ({}) are there alone: fetch all its files, or save the model again",
    "model-*-of-*.safetensors": "it holds parts of the weights ({}), but not model.safetensors.index.json, "
    "which names them: fetch all its files",
    "model.*.safetensors": "its weights are a variant ({}): load it with the class of transformers that has "
    f"its head, and variant=..., and {WRITES}",
    # not each *.bin, *.pt and *.pth: a Trainer's arguments and optimizer, or OpenVINO's weights, are no such
    "pytorch_model*.bin": PICKLE,
    "*model*.pt": PICKLE,
    "*model*.pth": PICKLE,
    "*.ckpt": PICKLE,
    "*.h5": TENSORFLOW,
    "*.ckpt.index": TENSORFLOW,
    "*.msgpack": FLAX,
    "*.onnx": ONNX,
    "onnx/*.onnx": ONNX,
}


def validate_name(name_or_folder: object) -> None:
    """Raise a ValueError for what is neither a name nor a path, such as a model itself."""
    if not isinstance(name_or_folder, str | Path):
        raise ValueError(
            f"A checkpoint is a name or a folder, not of type {type(name_or_folder).__name__}: save it and "
            "name its folder."
        )


def validate_there(path: Path, instead: Mapping[str, str] = OTHER_WEIGHTS, otherwise: str = SAVED) -> None:
    """Raise a ValueError if a file of a model is missing, which says what its folder is.

    instead: by the names of files, what the folder is that holds one. otherwise: what to do where nothing
    tells.
    """
    if not path.is_file():
        what = _told(path.parent, {**OTHER_MODELS, **instead})
        raise ValueError(f"There is no {path.name} in {path.parent}: {what or otherwise}.")


def _told(folder: Path, known: Mapping[str, str]) -> str | None:
    """The surest of what is to be said of a folder."""
    if not folder.is_dir() or not any(folder.iterdir()):
        return "there is no such folder, or it is empty, so name another"
    paths = (*folder.glob("[!.]*"), *folder.glob("snapshots/*"))  # these in the cache of the hub
    if below := [path.relative_to(folder).as_posix() for path in paths if _is_model(path)]:
        # the last of a run
        return f"its folder {max(below, key=lambda name: (len(name), name))} holds a model: name that"
    for pattern, what in known.items():
        if found := sorted(folder.glob(pattern)):
            validate_fetched(found[0])
            return what.format(found[0].name)
    return None


def _is_model(folder: Path) -> bool:
    """Whether a folder is of adapters or has a model's config, not that of a layer that pools vectors."""
    config = folder / "config.json"
    content = config.read_text(encoding="utf-8", errors="replace") if config.is_file() else ""
    return (folder / ADAPTERS).is_file() or '"model_type"' in content or '"hidden_size"' in content
