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
from bot.language.line import Text, together
from bot.play.asked import NEEDS_SERVER, OTHERS
from bot.render.card import Button
from bot.render.setup import RIGHTS
from rules.errors import RuleError, TooLate
from rules.terms import in_terms
from rules.text import Words

ASKED = discord.Permissions(**dict.fromkeys(RIGHTS, True))
"""The rights that the bot asks of a server, those of the small link."""
_GUILD, _USER = 0, 1
_COMMAND = re.compile(r"(?<![\w/:.])/([a-z]+)")
_OF_A_TABLE = re.compile(r"\b(?:table|campaign|GM|session|scene|character|distinction|sheet|doom)\b")

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


def server_row(it: Interaction[Any]) -> Rows:
    """Leads to where the bot is brought to a server; nothing where whoever hosts it lets nobody else."""
    button = Button(say("Add to a server"), "", address=server_link(it.application_id))
    return ((button,),) if _is_public(it) else ()


def install_rows(it: Interaction[Any]) -> Rows:
    """A row with both ways to get the bot, as far as whoever hosts it lets others."""
    buttons = tuple(button for row in (*server_row(it), *_person_row(it)) for button in row)
    return (buttons,) if buttons else ()


def for_people(it: Interaction[Any]) -> set[str]:
    """The commands that people have who have the bot for themselves."""
    found = it.client.tree.get_commands(type=discord.AppCommandType.chat_input)
    return {each.name for each in found if each.allowed_installs and each.allowed_installs.user}


def with_way_in(it: Interaction[Any], error: BaseException, sentence: Text, rows: Rows) -> tuple[Text, Rows]:
    """A refusal, with the way to what it names where that needs the bot on the server.

    What counts is the sentence of the refusal, not what was typed and stands in it.
    """
    if not owner(it) or not isinstance(error, RuleError) or isinstance(error, TooLate):
        return sentence, rows
    if error.sentence == OTHERS:
        return sentence, (*rows, *_person_row(it))
    # A refusal that sends people where there is no way from here says that alone.
    if not set(_COMMAND.findall(f"{error.sentence} {error.data.get('example', '')}")) <= for_people(it):
        sentence = say(NEEDS_SERVER)
    elif error.sentence != NEEDS_SERVER:
        texts = [error.sentence, *(each.text for each in error.data.values() if isinstance(each, Words))]
        if not _OF_A_TABLE.search(" ".join(map(in_terms, texts))):
            return sentence, rows
        sentence = together(sentence, "\n", say(NEEDS_SERVER))
    return sentence, (*rows, *server_row(it))


def _person_row(it: Interaction[Any]) -> Rows:
    told = it.client.application
    button = Button(say("Add for yourself"), "", address=person_link(it.application_id))
    return ((button,),) if _is_public(it) and told is not None and told.user_integration_config else ()


def _is_public(it: Interaction[Any]) -> bool:
    """Whether others may add the bot than whoever hosts it."""
    return it.client.application is not None and it.client.application.bot_public
