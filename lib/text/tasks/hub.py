"""Public sets from the hub, through `datasets`: their rows, with classes by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

#: where the hub keeps, as Parquet, what was once loaded by a script, as `datasets` does no longer
CONVERTED = "refs/convert/parquet"


def hub_rows(name: str, configuration: str | None, split: str, otherwise: str) -> Iterator[dict[str, Any]]:
    """The rows of a set on the hub; where the hub has the names of its classes, a class is its name.

    otherwise: what the reader can do without it, for the message of the ValueError that is raised where the
    set cannot be loaded, as without a network.
    """
    from datasets import load_dataset

    try:
        try:
            dataset = load_dataset(name, configuration, split=split)
        except RuntimeError:  # "Dataset scripts are no longer supported"
            dataset = load_dataset(name, configuration, split=split, revision=CONVERTED)
    except Exception as error:  # of the network, of the hub, of a file: they share no class
        reason = str(error).partition("\n")[0].rstrip(".")
        raise ValueError(
            f"The data set {name!r} could not be had from the hub ({type(error).__name__}: {reason}): check "
            f"the network, or {otherwise}."
        ) from None
    names = {column: _class_names(feature) for column, feature in dataset.features.items()}
    return ({column: _named(value, names[column]) for column, value in row.items()} for row in dataset)


def _class_names(feature: Any) -> list[str] | None:
    """The classes of a column, also of one that holds lists of them; None where it holds something else."""
    while hasattr(feature, "feature"):
        feature = feature.feature
    return getattr(feature, "names", None)


def _named(value: Any, names: list[str] | None) -> Any:
    """Class numbers by their names; None for -1, by which the hub says that nobody tells."""
    if names is None:
        return value
    if isinstance(value, list):
        return [_named(one, names) for one in value]
    return names[value] if isinstance(value, int) and value >= 0 else None
