"""What makes models: `pretrain`, `finetune` and `compress` yours, `make` those that the course ships.

What these can be called with stands in modules that import torch, which takes seconds: the arguments are
handed on as they are, and `--help` with them.
"""

from collections.abc import Callable
from typing import Any

import typer

from tools.commands import reader

app = typer.Typer()
make = typer.Typer(
    help="""Make the models in `data/` anew: `pocket-bert`, `word-vectors`, `question-model` and
    `task-models`. All but the last read texts that are not in the repository, and take from half an hour to
    days.

    Example: `python course.py make word-vectors --corpus texts --out vectors`""",
    no_args_is_help=True,
)
HANDED_ON: dict[str, Any] = {
    "add_help_option": False,
    "context_settings": {"allow_extra_args": True, "ignore_unknown_options": True},
}


def hand_on(context: typer.Context, main: Callable[..., None]) -> None:
    """Let `main` read the arguments that the command was given."""
    own = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="markdown")
    own.command()(main)
    own(args=context.args, prog_name=context.command_path)


@app.command(rich_help_panel=reader.PANEL, **HANDED_ON)
def pretrain(context: typer.Context) -> None:
    """Pretrain a BERT on text of your own, on one process or many."""
    from lib.training.options import with_options
    from tools.pretrain import main

    hand_on(context, with_options(main))


@app.command(rich_help_panel=reader.PANEL, **HANDED_ON)
def finetune(context: typer.Context) -> None:
    """Fine-tune a BERT on your own rows, one of the course's tasks or a public set, and test it."""
    from lib.training.options import with_options
    from tools.finetune import main

    hand_on(context, with_options(main))


@app.command(rich_help_panel=reader.PANEL, **HANDED_ON)
def compress(context: typer.Context) -> None:
    """Make a fine-tuned model smaller, and measure on your own rows what that costs."""
    from lib.training.options import with_options
    from tools.compress import main

    hand_on(context, with_options(main))


@make.command("pocket-bert", **HANDED_ON)
def pocket_bert(context: typer.Context) -> None:
    """The BERT with a masked-LM head of `data/pocket-bert`, and its twin: hours or days on graphics cards."""
    from lib.training.options import with_options
    from tools.pocket_bert import main

    hand_on(context, with_options(main))


@make.command("word-vectors", **HANDED_ON)
def word_vectors(context: typer.Context) -> None:
    """The word vectors of `data/vectors`."""
    from studies.word_vectors import main

    hand_on(context, main)


@make.command("question-model", **HANDED_ON)
def question_model(context: typer.Context) -> None:
    """The model of `data/minilm-squad`, which answers questions: 40 minutes."""
    from lib.records.question_model import main

    hand_on(context, main)


@make.command("task-models", **HANDED_ON)
def task_models(context: typer.Context) -> None:
    """The models of `data/models`, fine-tuned on headlines and on sentiment: some minutes."""
    from tools.task_models import main

    hand_on(context, main)
