"""What parts and models cost, as bars and as tables: in percent of the whole, or beside it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lib import figures
from lib.analysis.cost import formulas
from lib.bert.model import PreTrainedBert

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: what `figures.show_table` takes: columns, a caption, decimals
Table = tuple[dict[str, list[Any]], str, int]
MEGA = 1e6


def draw_costs(
    parameters: Mapping[str, float],
    multiply_adds: Mapping[str, float],
    seconds: Mapping[str, Mapping[str, float]],
) -> tuple["Figure", str]:
    """Draw what share of each cost falls to each part of a model, the parts named as in `parameters`.

    seconds: by shape, then by part.
    """
    measures = {"of the bytes": parameters, "of the multiply-adds\n(1 text of 9)": multiply_adds}
    measures |= {f"of the time,\n{shape}": of_parts for shape, of_parts in seconds.items()}
    panels = {}
    for measure, of_parts in measures.items():
        whole = sum(of_parts.values())
        panels[measure] = [100 * of_parts.get(part, 0) / whole for part in parameters]
    title = "Bytes, multiply-adds and times of the parts of MiniLM, in percent"
    figure, words = figures.draw_panels([*parameters], panels, title)
    return figure, words.replace("\n", " ")


def tabulate_zeros(
    megabytes: Mapping[str, float], seconds: Mapping[str, Mapping[str, float]], right: Mapping[str, float]
) -> Table:
    """The file, the clock and the answers of a model and of another one made of it, which stands second."""
    whole = next(iter(megabytes))
    columns: dict[str, list[Any]] = {"model": [*megabytes]}
    columns["file, MB"] = [f"{size:.1f}" for size in megabytes.values()]
    for shape, spent in seconds.items():
        columns[f"time, {shape}"] = [f"{spent[name] / spent[whole]:.2f}" for name in megabytes]
    columns["headlines right, %"] = [f"{100 * right[name]:.1f}" for name in megabytes]
    return columns, f"MiniLM on headlines; times are those of “{whole}” = 1", 2


def tabulate_bet(
    said: Mapping[str, float], counted: Mapping[str, float], measured: Mapping[str, float]
) -> Table:
    """What was said beforehand, what counting gives, and what was measured: a row for each name of these."""
    columns: dict[str, list[Any]] = {"": [*measured]}
    for title, numbers in (("you said", said), ("counted", counted), ("measured", measured)):
        columns[title] = [f"{numbers[name]:.2f}" if name in numbers else "" for name in measured]
    return columns, "Your design beside MiniLM; times are MiniLM's = 1", 2


def tabulate_rows(
    models: Mapping[str, PreTrainedBert],
    megabytes: Mapping[str, float],
    seconds: Mapping[str, float],
    right: Mapping[str, float],
    agreement: Mapping[str, float],
) -> Table:
    """Rows of a ledger, one for each of the models; seconds are told beside those of the first."""
    columns: dict[str, list[Any]] = {"model": [*models]}
    stored = [sum(weight.numel() for weight in model.parameters()) for model in models.values()]
    work = [sum(formulas.count_multiplications(model.config, 9).values()) for model in models.values()]
    columns["parameters, M"] = [f"{number / MEGA:.1f}" for number in stored]
    columns["file, MB"] = [f"{megabytes[name]:.1f}" for name in models]
    columns["multiply-adds, M"] = [f"{number / MEGA:.1f}" for number in work]
    columns["time"] = [f"{seconds[name]:.2f}" for name in models]
    columns["right, %"] = [f"{100 * right[name]:.1f}" for name in models]
    columns["agreement, %"] = [f"{100 * agreement[name]:.1f}" for name in models]
    first = next(iter(models))
    return columns, f"Rows of the ledger; 1 text of 9, time of “{first}” = 1", 2
