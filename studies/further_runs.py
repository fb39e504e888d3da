"""What the record of teaching holds of one task only, run on others."""

from __future__ import annotations

from typing import Any

from lib.records.results import kept_result
from lib.records.students import Unlabeled
from studies import how_to_teach

TASK: Unlabeled = "reviews"
FAMILIES = ("assistant", "neighbors", "written")
ARMS = [
    name for name in how_to_teach.arms_of(how_to_teach.PUBLIC) if how_to_teach.ARMS[name].family in FAMILIES
]
#: no rewriting is what FreeLB is compared with
SHORTEST = ("no rewriting", "FreeLB, a hundredth as far")


def more_on_reviews(seed: int) -> dict[str, Any]:
    """Ways to teach that were on headlines and SST-2 alone."""
    return {"taught": how_to_teach.on_task(TASK, seed, ARMS)}


def more_on_reviews_config() -> dict[str, Any]:
    """What that record depends on besides the data."""
    return {"arms": ARMS, "teaching": how_to_teach.config()}


def more_parts(seed: int) -> dict[str, Any]:
    """FreeLB with lengths that a small student bears."""
    return {
        "taught": {
            task: {arm: kept_result(how_to_teach.run_of(task, arm, seed)) for arm in SHORTEST}
            for task in (TASK, how_to_teach.PUBLIC)
        }
    }


def more_parts_config() -> dict[str, Any]:
    """What that record depends on besides the data."""
    return {"teaching": how_to_teach.config(), "arms": list(SHORTEST)}
