"""Looking into a running model, and putting something else there, for the length of a context.

Whatever happens inside, the model is as it was at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from torch import nn

#: what runs ahead of a module: it gets the module and its inputs, and may return other inputs
Before = Callable[[Any, tuple[Any, ...]], Any]
#: what runs behind a module: it gets the module, its inputs and its output, and may return another output
After = Callable[[Any, tuple[Any, ...], Any], Any]


@contextmanager
def hooked(
    modules: Iterable[nn.Module], before: Before | None = None, after: After | None = None
) -> Iterator[None]:
    """Inside this context each module runs with `before` ahead of it and `after` behind it.

    What they return takes the place of the inputs or the output; None leaves them as they are.
    """
    with ExitStack() as stack:
        for module in modules:
            if before is not None:
                stack.enter_context(module.register_forward_pre_hook(before))
            if after is not None:
                stack.enter_context(module.register_forward_hook(after))
        yield


@contextmanager
def capture(modules: Iterable[nn.Module]) -> Iterator[list[Any]]:
    """Inside this context the outputs of these modules are added to the list, in the order of the calls."""
    outputs: list[Any] = []
    with hooked(modules, after=lambda _module, _inputs, output: outputs.append(output)):
        yield outputs


@contextmanager
def replace_forward(module: nn.Module, forward: Callable[..., Any]) -> Iterator[None]:
    """Inside this context `module(...)` is what `forward(...)` returns; its own forward does not run."""
    own = vars(module).get("forward")  # where this is done inside another such context
    module.forward = forward
    try:
        yield
    finally:
        if own is None:
            del module.forward
        else:
            module.forward = own
