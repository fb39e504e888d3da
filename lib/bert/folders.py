"""Folders in which a file of a BERT is missing: what they hold in its place, and what to do with that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from lib.files import read_object, validate_fetched

ADAPTERS = "adapter_config.json"
WRITES = "save_pretrained writes model.safetensors"
PICKLE = (
    "it holds its weights as a pickle ({}), which can run code when opened: if you trust it, load it with "
    f"the class of transformers that has its head, and {WRITES}"
)
TENSORFLOW = f"its weights are TensorFlow's ({{}}): transformers 4 loads them with from_tf=True, and {WRITES}"
FLAX = f"its weights are Flax's ({{}}): transformers 4 loads them with from_flax=True, and {WRITES}"
ONNX = "it holds a model for ONNX Runtime ({}), which can only be run: name the folder that it came from"
SAVED = "name a folder that save_pretrained wrote"
#: by their names, what is no model of its own, whatever else lies beside
OTHER_MODELS = {
    ADAPTERS: "it holds adapters of peft without the model that they change ({}): load both with peft, and "
    "save what merge_and_unload() gives, by save_pretrained",
    "*.gguf": "it holds a model for llama.cpp ({}): name the folder that this was made from",
}
#: weights, by the names of their files, the better to be had first
OTHER_WEIGHTS = {
    "model.safetensors": "its weights ({}) are there alone: fetch all its files, or save the model again",
    "model-*-of-*.safetensors": "it holds parts of the weights ({}), but not model.safetensors.index.json, "
    "which names them: fetch all its files",
    "model.*.safetensors": "its weights are a variant ({}): load it with the class of transformers that has "
    f"its head, and variant=..., and {WRITES}",
    "*.bin": PICKLE,
    "*.pt": PICKLE,
    "*.pth": PICKLE,
    "*.ckpt": PICKLE,
    "*.h5": TENSORFLOW,
    "*.ckpt.index": TENSORFLOW,
    "*.msgpack": FLAX,
    "*.onnx": ONNX,
    "onnx/*.onnx": ONNX,
    "*.safetensors": "it holds {}: if that is its weights, call it model.safetensors",
}
#: what a `Trainer` keeps beside the weights to go on with, by how its files begin
STATE = ("training_args", "optimizer", "scheduler", "scaler", "rng_state")


def validate_name(name_or_folder: object) -> None:
    """Raise a ValueError for what is neither a name nor a path, such as a model itself."""
    if not isinstance(name_or_folder, str | Path):
        raise ValueError(
            f"A checkpoint is a name or a folder, not of type {type(name_or_folder).__name__}: save it and "
            "name its folder."
        )


def validate_there(path: Path, instead: Mapping[str, str], otherwise: str) -> None:
    """Raise a ValueError if a file of a model is missing, which says what its folder is.

    instead: by the names of files, what the folder is that holds one. otherwise: what to do where nothing
    tells. Where git-lfs left a pointer for the file, the error says so.
    """
    if path.is_file():
        validate_fetched(path)
        return
    what = next(_told(path.parent, {**OTHER_MODELS, **instead}), otherwise)
    raise ValueError(f"There is no {path.name} in {path.parent}: {what}.")


def _told(folder: Path, known: Mapping[str, str]) -> Iterator[str]:
    """All that is to be said of a folder, the surest first."""
    if not folder.is_dir() or not any(folder.iterdir()):
        yield "there is no such folder, or it is empty, so name another"
        return
    if below := [path.name for path in folder.iterdir() if _is_model(path)]:
        # the last of a run
        yield f"its folder {max(below, key=lambda name: (len(name), name))} holds a model: name that"
    for pattern, what in known.items():
        for path in sorted(folder.glob(pattern)):
            if path.name.startswith(STATE):
                continue
            validate_fetched(path)
            if what != PICKLE or _is_pickle(path):
                yield what.format(path.name)


def _is_model(folder: Path) -> bool:
    """Whether this is a folder with a model, or with adapters, that was written to its end."""
    if folder.name.startswith("."):
        return False
    try:
        described = read_object(folder / "config.json")
    except ValueError:  # of some other program
        return False
    # a layer that pools vectors has a config.json as well
    return (folder / ADAPTERS).is_file() or not described.keys().isdisjoint(("model_type", "hidden_size"))


def _is_pickle(path: Path) -> bool:
    """Whether `torch.save` may have written a file, today or of old: other programs use its names."""
    with path.open("rb") as file:
        return file.read(2).startswith((b"PK", b"\x80"))
