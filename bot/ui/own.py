"""The bot of a person: who has it for themselves uses it where it is not on the server.

There is no table there but their own dice: what they rolled last, and the pools that they saved. Discord lets
the bot do nothing there but answer. So a message changes only when it is pressed, which brings its own token,
and nothing is pinned or closed by itself.
"""

import re
from typing import Any

import discord
from discord import Interaction
from discord.utils import oauth_url

from bot.language import say
from bot.play import NEEDS_SERVER, OTHERS
from bot.render.card import Button
from bot.render.setup import RIGHTS
from rules.errors import RuleError, TooLate

ASKED = discord.Permissions(**dict.fromkeys(RIGHTS, True))
"""The rights that the bot asks of a server, those of the small link."""
_GUILD, _USER = 0, 1
_COMMAND = re.compile(r"(?<![\w/:.])/([a-z]+)")
_OF_A_TABLE = re.compile(r"\b(?:table|campaign|GM|session|scene|character|distinction|sheet)\b")

Rows = tuple[tuple[Button, ...], ...]


def owner(it: Interaction[Any]) -> int:
    """Whose bot it is that is asked, where it is not there itself; 0 where it is.

    What is pressed is of whoever's command made the message. The library tells only whether that is the one
    who presses.
    """
    owners = it._integration_owners
    return 0 if _GUILD in owners else int(owners.get(_USER, 0))


def server_link(application: int) -> str:
    """Where somebody brings the bot to a server, with the rights that it needs there."""
    return oauth_url(application, permissions=ASKED)


def person_link(application: int) -> str:
    """Where somebody gets the bot for themselves."""
    return f"{oauth_url(application, scopes=('applications.commands',))}&integration_type={_USER}"


def server_button(it: Interaction[Any]) -> Button:
    """Leads to where the bot is brought to a server."""
    return Button(say("Add to a server"), "", address=server_link(it.application_id))


def install_buttons(it: Interaction[Any]) -> tuple[Button, ...]:
    """Both ways to get the bot, as far as whoever hosts it lets others."""
    told = it.client.application
    if told is None or not told.bot_public:
        return ()
    return (server_button(it), *([_person_button(it)] if told.user_integration_config else ()))


def for_people(it: Interaction[Any]) -> set[str]:
    """The commands that people have who have the bot for themselves."""
    found = it.client.tree.get_commands(type=discord.AppCommandType.chat_input)
    return {each.name for each in found if each.allowed_installs and each.allowed_installs.user}


def with_way_in(it: Interaction[Any], error: BaseException, sentence: str, rows: Rows) -> tuple[str, Rows]:
    """A refusal, with the way to what it names where that needs the bot on the server.

    What counts is the sentence of the refusal, not what was typed and stands in it.
    """
    if not owner(it) or not isinstance(error, RuleError) or isinstance(error, TooLate):
        return sentence, rows
    if error.sentence == OTHERS:
        return sentence, (*rows, (_person_button(it),))
    if error.sentence != NEEDS_SERVER:
        is_here = set(_COMMAND.findall(error.sentence)) <= for_people(it)
        named = f"{error.sentence} {error.data.get('what', '')}"
        if is_here and not _OF_A_TABLE.search(named):
            return sentence, rows
        sentence = f"{sentence}\n{say(NEEDS_SERVER)}"
    return sentence, (*rows, (server_button(it),))


def _person_button(it: Interaction[Any]) -> Button:
    return Button(say("Add for yourself"), "", address=person_link(it.application_id))
