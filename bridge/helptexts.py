"""The help texts of arguments, which some pairs of typer and click lose between them."""

from __future__ import annotations

import click
import typer.core
from typer.models import ParameterInfo
from typer.utils import get_params_from_function

__all__ = ["complete"]


def complete(command: click.Command) -> None:
    """Give the arguments of a command, and of all commands in it, the help texts they were declared with.

    A click that knows ``help`` of arguments itself empties what typer 0.19 has set before; typer also escapes square
    brackets for rich where rich does not print the help.
    """
    typer.core.HAS_RICH = False
    _complete(command)


def _complete(command: click.Command) -> None:
    if isinstance(command, click.Group):
        for each in command.commands.values():
            _complete(each)
    if command.callback is None:
        return
    declared = get_params_from_function(command.callback)
    for parameter in command.params:
        meta = declared.get(parameter.name or "")
        info = meta.default if meta is not None else None
        if isinstance(info, ParameterInfo) and getattr(parameter, "help", "") is None:
            parameter.help = info.help
