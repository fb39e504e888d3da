"""The formulas of the cost of a BERT against the model itself and against the printed sizes."""

import subprocess
import sys
from itertools import count
from types import SimpleNamespace

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from lib.analysis.cost import timing
from lib.analysis.cost.formulas import count_multiplications, count_parameters, measure_seconds
from lib.bert import BertConfig, BertModel

LARGE = BertConfig(hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, intermediate_size=4096)


@pytest.mark.parametrize(("config", "total"), [(BertConfig(), 109_482_240), (LARGE, 335_141_888)])
def test_base_and_large_have_the_published_sizes(config, total):
    assert sum(count_parameters(config).values()) == total


@pytest.mark.parametrize("sizes", [(24, 2, 3, 40), (30, 1, 5, 7)])
def test_formulas_equal_the_model(sizes):
    size, layers, heads, wide = sizes
    config = BertConfig(53, size, layers, heads, wide, max_position_embeddings=20)
    model = BertModel(config).eval()
    counted = count_parameters(config)
    assert sum(counted.values()) == sum(p.numel() for p in model.parameters())
    assert counted["embeddings"] == sum(p.numel() for p in model.embeddings.parameters())
    assert counted["attention"] == sum(p.numel() for n, p in model.named_parameters() if ".attention." in n)
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        model(torch.randint(53, (1, 17)), output_attentions=True)
    pooler = size * size
    assert counter.get_total_flops() == 2 * (sum(count_multiplications(config, 17).values()) + pooler)


def test_measured_parts_are_named_like_the_counted_ones_and_taken_apart(monkeypatch):
    """By a clock that ticks when it is looked at, which query, key and value do for two parts."""
    monkeypatch.setattr(timing, "time", SimpleNamespace(perf_counter=count().__next__))
    config = BertConfig(53, 24, 2, 3, 40, max_position_embeddings=20)
    model = BertModel(config).eval()
    inputs = torch.randint(53, (2, 17))
    seconds = measure_seconds(model, lambda: model(inputs))
    assert set(seconds) == {*count_multiplications(config, 17), "lookup", "norms"}
    ticks = {"lookup": 1, "projections": 2 * (3 * 2 + 1), "feed-forward": 2 * 2, "norms": 2 * 2}
    assert {name: seconds[name] for name in ticks} == ticks
    assert seconds["attention"] > 0  # less its projections, which it contains
    assert not any(module._forward_hooks or module._forward_pre_hooks for module in model.modules())


def test_the_processors_seconds_of_a_call_are_right_where_the_clock_ticks_coarsely(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(timing, "time", SimpleNamespace(thread_time=lambda: now[0] // 0.016 * 0.016))

    def call():
        now[0] += 0.005

    assert timing.processor_seconds_of(call) == pytest.approx(0.005, rel=0.1)
    assert timing.processor_seconds_of(lambda: now.__setitem__(0, now[0] + 1)) == pytest.approx(1, abs=0.02)


def test_pairs_alternate_and_take_turns_at_beginning() -> None:
    calls: list[str] = []
    timing.median_of_pairs(lambda: calls.append("a"), lambda: calls.append("b"), pairs=4, warm_up=1)
    assert "".join(calls) == "ab" + "ab" + "ba" + "ab" + "ba"


def test_the_spread_is_the_median_and_the_quartiles() -> None:
    assert timing.spread([5.0, 1.0, 2.0, 4.0, 3.0]) == timing.Seconds(median=3.0, lower=2.0, upper=4.0)


def test_the_memory_of_a_child_is_seen() -> None:
    code = "data = bytearray(200_000_000); input()"
    with (
        timing.PeakMemory() as peak,
        subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE) as child,
    ):
        while peak.bytes < 200_000_000 and child.poll() is None:
            timing.time.sleep(0.01)
        child.communicate(b"\n")
    assert peak.bytes >= 200_000_000
