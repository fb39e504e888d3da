"""What a run needs before it begins: checked first, made once, and shared by all its processes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import torch
from accelerate import PartialState
from accelerate.utils import parse_flag_from_env

from lib.bert import BertConfig, WordPieceTokenizer
from lib.bert.checkpoint import resolve_checkpoint
from lib.files import write_json
from lib.text.corpus import HUB, text_files
from lib.text.packing import PackedCorpus, pack


def processes(cpu: bool = False) -> PartialState:
    """All processes of this run, a group that waits a day for its slowest: a large corpus packs for hours.

    cpu: compute there, whatever else the machine has. What the first call says holds to the end.
    """
    # unless told that the CPU is meant, Accelerate overlooks torchrun's processes there: each would run alone
    all_of_them, here = (int(os.environ.get(name, "1")) for name in ("WORLD_SIZE", "LOCAL_WORLD_SIZE"))
    too_few_cards = all_of_them > 1 and here > torch.cuda.device_count()
    on_cpu = cpu or too_few_cards or parse_flag_from_env("ACCELERATE_USE_CPU")
    return PartialState(cpu=on_cpu, timeout=timedelta(days=1))


def check_early(
    corpus: Iterable[str | Path],
    chunks: int,
    length: int,
    start: str | Path,
    folder: Path,
    resume: bool,
) -> None:
    """Refuse what can be refused before a corpus is packed, which takes hours if it is large.

    start: the model to start from, which says how long a row can be; "" for a new one.
    """
    for place in corpus:
        if not str(place).startswith(HUB):
            text_files(place)
    refuse_uneven(chunks)
    refuse_overwriting(folder, resume)
    config = BertConfig.from_pretrained(resolve_checkpoint(start)) if start else BertConfig()
    if length > config.max_position_embeddings:
        raise ValueError(
            f"A length of {length} is beyond the {config.max_position_embeddings} positions of the model: "
            "use a smaller one."
        )


def refuse_uneven(chunks: int) -> None:
    """ValueError if the chunks of a step cannot be dealt out evenly."""
    among = processes().num_processes
    if chunks % among:
        raise ValueError(
            f"{chunks} chunks a step cannot be shared by {among} processes: make the number of "
            "chunks a multiple of the number of processes."
        )


def refuse_overwriting(folder: Path, resume: bool) -> None:
    """ValueError if a run in the folder would be begun anew."""
    if (folder / "checkpoints").exists() and not resume:
        raise ValueError(f"{folder} holds a run already: resume it, or name another folder.")


def refuse_other(folder: Path, before: dict[str, Any], now: dict[str, Any]) -> None:
    """ValueError if the folder was made from anything else; what it does not say is not compared."""
    differing = [key for key in now if before.get(key, now[key]) != now[key]]
    if differing:
        key = differing[0]
        raise ValueError(
            f"{folder} was made with {key} = {before[key]}, and this run has {now[key]}: give the same, "
            "remove that folder, or name another one."
        )


def refuse_other_pieces(start: str | Path, tokenizer: WordPieceTokenizer) -> None:
    """ValueError if the model in `start` was trained on other pieces: its vectors would be mixed up."""
    if WordPieceTokenizer.from_pretrained(start).vocab != tokenizer.vocab:
        raise ValueError(f"{start} knows other pieces than this run: use the vocabulary of that model.")


def pack_once(
    read: Iterable[list[str]],
    tokenizer: WordPieceTokenizer,
    folder: Path,
    corpus: Sequence[str | Path],
    **cut: Any,
) -> PackedCorpus:
    """The documents packed into `folder`, or what was packed there before, in every process.

    corpus: where the documents are from; cut (JSON): which part of it they are. A folder that was packed from
    anything else is refused, and so is one whose texts have another size now.
    """
    source = {"corpus": named(corpus), "bytes": [size_of(place) for place in corpus], **cut}
    with processes().main_process_first():
        packed = PackedCorpus(folder) if folder.exists() else pack(read, tokenizer, folder, source)
    before = packed.card.get("source")
    if isinstance(before, list):  # as the corpora of the pocket BERT were packed at first
        before = {"corpus": before}
    refuse_other(folder, before or {"corpus": "texts that it does not name"}, source)
    return packed


def tokenizer_once(
    folder: Path, source: dict[str, Any], make: Callable[[], WordPieceTokenizer]
) -> WordPieceTokenizer:
    """The tokenizer in `folder`, in every process; the first one makes it if there is none.

    source (JSON): what it is made from, among it `pieces`, their number; a folder made from anything else is
    refused.
    """
    path = folder / "made_from.json"
    with processes().main_process_first():
        if not (folder / "vocab.txt").is_file():
            made = make()
            write_json(path, source)
            made.save_pretrained(folder)
        tokenizer = WordPieceTokenizer.from_pretrained(folder)
        # the first vocabularies do not say what they were made from
        before = (
            json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {"pieces": len(tokenizer)}
        )
    refuse_other(folder, before, source)
    return tokenizer


def named(corpus: Iterable[str | Path]) -> list[str]:
    """What corpora are called, wherever the command is given: files by their whole paths."""
    return [str(place) if str(place).startswith(HUB) else str(Path(place).resolve()) for place in corpus]


def size_of(place: str | Path) -> int | None:
    """The bytes of a corpus's files, by which it is noticed that they were changed; None on the hub."""
    if str(place).startswith(HUB):
        return None
    return sum(path.stat().st_size for path in text_files(place))
