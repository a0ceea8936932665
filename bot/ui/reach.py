"""Whom a command reaches, and where there is one: said at each command, and read here."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Concatenate, ParamSpec, TypeVar

from discord import Interaction, app_commands
from discord.ext import commands
from discord.utils import MISSING

from rules.values import replace

_KEPT = "reach"
Marked = app_commands.Command[Any, Any, Any] | app_commands.ContextMenu
_Command = TypeVar("_Command", bound=Marked)
_Offered = TypeVar("_Offered", bound=Any)
_Cog = TypeVar("_Cog", bound=app_commands.Group | commands.Cog)
_Options = ParamSpec("_Options")


@dataclass(frozen=True, slots=True)
class Reach:
    """Whether a command answers its caller alone, unless it refuses, and whether it is the GM's.

    The option `hides`, once it is set, keeps from the others what else they would see; the option `shares`
    shows them what else they would not.
    """

    is_alone: bool = False
    is_gms: bool = False
    hides: str = ""
    shares: str = ""


def reach(command: Marked) -> Reach:
    """What a command has said."""
    found: Reach = command.extras.get(_KEPT, Reach())
    return found


def alone(command: _Command) -> _Command:
    """Say that a command answers its caller alone: mostly it looks at something."""
    return _saying(command, is_alone=True)


def hiding(option: str) -> Callable[[_Command], _Command]:
    """Say which option keeps from the others what a command does."""
    return lambda command: _saying(command, hides=option)


def sharing(option: str) -> Callable[[_Command], _Command]:
    """Say which option shows the others what a command answers its caller alone."""
    return lambda command: _saying(command, shares=option)


def gms_command(
    *, description: str, name: str = MISSING
) -> Callable[
    [Callable[Concatenate[_Cog, Interaction, _Options], Coroutine[Any, Any, None]]],
    app_commands.Command[_Cog, _Options, None],
]:
    """A command that is the GM's, as its description says at its end."""
    extras = {_KEPT: Reach(is_gms=True)}
    return app_commands.command(name=name, description=f"{description} (GM)", extras=extras)


def everywhere(command: _Offered) -> _Offered:
    """Offer a command, or a group of them, everywhere, also to who has the bot for themselves."""
    placed = app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)(command)
    return app_commands.allowed_installs(guilds=True, users=True)(placed)


def on_servers(command: _Offered) -> _Offered:
    """Offer a command, or a group of them, where there is a server, and nowhere else."""
    return app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)(command)


def is_secret(it: Interaction[Any]) -> bool:
    """Whether others may not see what was asked: nobody knows yet whether they may see the answer."""
    if it.command is None:
        return False
    said = reach(it.command)
    if said.shares and getattr(it.namespace, said.shares, False):
        return False
    return said.is_alone or bool(said.hides and getattr(it.namespace, said.hides, False))


def _saying(command: _Command, **more: Any) -> _Command:
    command.extras[_KEPT] = replace(reach(command), **more)
    return command
