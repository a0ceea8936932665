"""What somebody says as a character: under which name it stands, and what its speaker is told."""

from collections.abc import Iterable

from bot.language import say
from bot.language.line import strong
from bot.language.printers import spelled
from bot.render.card import Button, Card, Portrait, Tone, private
from rules.campaign.seats import Actor, own_name
from rules.names import key
from rules.table import Character

LONGEST = 1500
"""What is said at once has at most this many characters."""
LONGEST_NAME = 80
"""A name on Discord has at most this many characters."""
_ODD = str.maketrans("", "", "@#:`")


def signed(character: Character, actor: Actor, *, is_gm: bool) -> str:
    """The name over what is said: the character's, and whose words they are, so that nobody is mistaken.

    >>> signed(Character("Rex", gmc=True), Actor(1, "greta"), is_gm=True)
    'Rex (GM)'
    >>> signed(Character("Rex", gmc=True), Actor(2, "bob"), is_gm=False)
    'Rex (bob)'
    """
    name = own_name(actor)
    if character.gmc and is_gm:
        mark = spelled(say("{gm.One}"))
    elif key(name) == key(character.name):
        mark = spelled(say("character"))
    else:
        mark = name
    mark = mark[: LONGEST_NAME // 2]
    return f"{character.name[: LONGEST_NAME - len(mark) - 3].rstrip()} ({mark})"  # a blank, two brackets


def speaker(name: str, known: Iterable[str]) -> str:
    """The character by which a name is signed: one of the `known` where it is there, however it is written.

    >>> speaker("Rex (old) (greta, GM)", ["Rex", "Rex (old)"])
    'Rex (old)'
    """
    begun = [each for each in known if name.startswith((f"{each} (", f"{plain(each)} ("))]
    return max(begun, key=len, default=name.partition(" (")[0])


def plain(name: str) -> str:
    """A name without what Discord takes in none of a webhook."""
    return name.translate(_ODD).strip()


def voice_card(name: str, lines: list[str], portrait: Portrait | None) -> Card:
    """What is said, where it cannot stand under its own name."""
    return Card((strong(name), *lines), tone=Tone.CALM, portrait=portrait)


def said_card(name: str, message: int) -> Card:
    """What who spoke is told."""
    row = (Button(say("Take back"), "unsay", message),)
    return Card((say("Said as {name}.", name=name),), (row,), private=True)


def unsaid_card() -> Card:
    """That it is taken back."""
    return private(say("The message has been taken back and deleted."))
