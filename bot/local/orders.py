"""Reading what is typed at the local table: whose line it is, and what to do; pure."""

import re
from collections.abc import Collection
from dataclasses import dataclass

WORDS = (
    "as",
    "press",
    "choose",
    "complete",
    "menu",
    "long",
    "send",
    "cancel",
    "channel",
    "thread",
    "dm",
    "install",
    "elsewhere",
    "group",
    "hide",
    "show",
    "seats",
    "pins",
    "say",
    "read",
    "save",
    "help",
    "wait",
    "quit",
)
SEAT = re.compile(r"^(?:@(?P<at>[\w.-]+)[ :]+|(?P<name>[\w.-]+): *)(?P<rest>.+)$")
NAMED_VALUE = re.compile(r"^(?P<name>[^:=/][^:=]*?)\s*[:=]\s*(?P<value>.*)$")
IN_MESSAGE = re.compile(r"^(?P<what>.*?)\s+in\s+#?(?P<handle>\d+)$")
LONG_PRESS = re.compile(
    r"^(?:\"(?P<quoted>[^\"]+)\"|(?P<bare>.+?))(?:\s+(?:#?(?P<handle>\d+)|@(?P<seat>\S+)))?$"
)

HELP = """\
/command option:value …      send a command to the bot as the current seat
@bob /roll …   bob: 2        act once as another seat (created when first named)
as bob                       change seats
press 2, 2, press Hitches    press a button on the newest message (press 2 in 4: on message 4)
choose 3 Red, Blue           choose from a menu
Field: value … send          fill in an open form and send it (send Field: value; Field: value), or cancel
complete /asset remove what:ro   show the bot's suggestions
long "Undo this" 4, long "Give 1 PP" @alice   use a command on a message or a person
channel side, thread side, dm    go there
install, elsewhere, group    install the bot for yourself; go to a server or a group without it
hide, hide bob, show bob     hide this channel from everyone or from bob, or show it to bob
say Hello                    send an ordinary message
/campaign import file:table.json   use a file on this machine as an option
read, read 4, save table.json, save table.json in 4   show or save the file on a message
seats, pins, help, wait 2, quit"""


@dataclass(frozen=True, slots=True)
class Order:
    """One thing to do: the verb, the rest of the line, and the message it is about, if named."""

    verb: str
    rest: str = ""
    handle: int | None = None


def is_order(text: str, long_presses: Collection[str] = ()) -> bool:
    """The text can stand after a seat's name.

    >>> is_order("/roll 2d6"), is_order("2"), is_order("a Broken Leg")
    (True, True, False)
    """
    word = text.split(" ", 1)[0].lower()
    lowered = text.lower()
    return (
        text.startswith("/")
        or word in WORDS
        or word.isdigit()
        or any(lowered.startswith(name.lower()) for name in long_presses)
    )


def split_seat(line: str, long_presses: Collection[str] = ()) -> tuple[str | None, str]:
    """The seat named at the start of a line, if one is, and what it does.

    >>> split_seat("bob: /roll 2d6")
    ('bob', '/roll 2d6')
    >>> split_seat("@bob 2")
    ('bob', '2')
    >>> split_seat("Name: Broken Leg")
    (None, 'Name: Broken Leg')
    """
    match = SEAT.match(line)
    if match and (match["at"] or is_order(match["rest"], long_presses)):
        return match["at"] or match["name"], match["rest"].lstrip()
    return None, line


def read(text: str, long_presses: Collection[str] = ()) -> Order | None:
    """What to do, or nothing if the text is no order.

    >>> read("press Hitches in 4")
    Order(verb='press', rest='Hitches', handle=4)
    >>> read("2")
    Order(verb='press', rest='2', handle=None)
    """
    word, _, rest = text.partition(" ")
    word, rest = word.lower(), rest.strip()
    if word == "/as":
        return Order("as", rest)
    if text.startswith("/"):
        return Order("slash", text)
    if word.isdigit():
        return about_message("press", text)
    for name in long_presses:
        if text.lower().startswith(name.lower()):
            return Order("long", f'"{name}"{text[len(name) :]}')
    if word == "read":
        return Order(word, handle=int(rest.removeprefix("#")) if rest.removeprefix("#").isdigit() else None)
    if word in ("press", "choose", "save"):
        return about_message(word, rest)
    if word == "menu":
        return Order("long", rest)
    return Order(word, rest) if word in WORDS else None


def about_message(verb: str, rest: str) -> Order:
    """An order that may end in the number of a message."""
    match = IN_MESSAGE.match(rest)
    return Order(verb, match["what"], int(match["handle"])) if match else Order(verb, rest)


def named_values(text: str) -> list[tuple[str, str]]:
    """The fields in `Field: value; Field: value`.

    >>> named_values("Name: Broken Leg; Die=d8")
    [('Name', 'Broken Leg'), ('Die', 'd8')]
    """
    found: list[tuple[str, str]] = []
    for part in text.split(";"):
        match = NAMED_VALUE.match(part.strip())
        if match:
            found.append((match["name"], match["value"]))
        elif found:
            found[-1] = (found[-1][0], f"{found[-1][1]};{part}")
    return found
