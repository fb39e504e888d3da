"""Command-line options from dataclasses: a field is an option, its annotation holds the help."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields
from inspect import Parameter, Signature
from typing import Any, get_type_hints


def with_options(main: Callable[..., None]) -> Callable[..., None]:
    """A command for typer that calls `main` with the dataclasses that its parameters are annotated with.

    Each field of theirs is an option, `Annotated[int, typer.Option(help="...")]`; one without a default has
    to be given, and a default_factory is asked when the command runs. No two may have the same name.
    """
    configs = {name: kind for name, kind in get_type_hints(main).items() if name != "return"}
    options: list[Parameter] = []
    for config in configs.values():
        hints = get_type_hints(config, include_extras=True)
        for field in fields(config):
            default = next(
                (value for value in (field.default_factory, field.default) if value is not MISSING),
                Parameter.empty,
            )
            options.append(
                Parameter(field.name, Parameter.KEYWORD_ONLY, default=default, annotation=hints[field.name])
            )

    def command(**arguments: Any) -> None:
        main(
            **{
                name: config(**{field.name: arguments[field.name] for field in fields(config)})
                for name, config in configs.items()
            }
        )

    command.__doc__ = main.__doc__
    command.__annotations__ = {option.name: option.annotation for option in options}
    command.__signature__ = Signature(options)  # type: ignore[attr-defined]
    return command
