"""What a run computes on: its processes, and what their hardware can do."""

from __future__ import annotations

import os
from datetime import timedelta
from typing import Literal

import torch
from accelerate import PartialState
from accelerate.utils import parse_flag_from_env

#: "no": float32
Precision = Literal["no", "bf16"]


def processes() -> PartialState:
    """All processes of this run, a group that waits a day for its slowest: a large corpus packs for hours."""
    # unless told that the CPU is meant, Accelerate overlooks torchrun's processes there: each would run alone
    all_of_them, here = (int(os.environ.get(name, "1")) for name in ("WORLD_SIZE", "LOCAL_WORLD_SIZE"))
    too_few_cards = all_of_them > 1 and here > torch.cuda.device_count()
    on_cpu = too_few_cards or parse_flag_from_env("ACCELERATE_USE_CPU")
    return PartialState(cpu=on_cpu, timeout=timedelta(days=1))


def has_bf16() -> bool:
    """Whether what the run computes on multiplies bfloat16 in hardware."""
    if processes().device.type == "cuda":
        return torch.cuda.is_bf16_supported(including_emulation=False)
    capabilities = torch.cpu.get_capabilities() if hasattr(torch.cpu, "get_capabilities") else {}
    return any(capabilities.get(name) for name in ("amx_bf16", "avx512_bf16", "bf16"))


def precision_here() -> Precision:
    """bfloat16 where the hardware multiplies it itself: there it is a third faster than float32 or more, and
    elsewhere it takes six times as long."""
    return "bf16" if has_bf16() else "no"


def in_16_bits() -> torch.autocast:
    """In this context products on the CPU take bfloat16, where `precision_here` does."""
    return torch.autocast("cpu", torch.bfloat16, enabled=has_bf16())


def validate_even(gradient_accumulation: int) -> None:
    """ValueError if the micro-batches of a step cannot be dealt out evenly."""
    among = processes().num_processes
    if gradient_accumulation < 1 or gradient_accumulation % among:
        raise ValueError(
            f"{gradient_accumulation} micro-batches a step cannot be shared by {among} processes: make "
            "gradient_accumulation a multiple of the number of processes."
        )
