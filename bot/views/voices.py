"""Speech as a character, and whispers."""

from collections.abc import Iterable

from bot.language import say
from bot.language.line import Text, heading, strong
from bot.language.printers import spelled
from bot.store.history import WHISPERS_KEPT, Whisper
from bot.views.card import Button, Card, Field, Form, Portrait, Tone, Weight, private
from rules.campaign.seats import Actor, own_name
from rules.names import fold
from rules.table import Character

LONGEST = 1500
"""What is said at once has at most this many characters."""
LONGEST_NAME = 80
"""A name on Discord has at most this many characters."""
_ODD = str.maketrans("", "", "@#:`")


def signed(character: Character, actor: Actor, *, is_gm: bool) -> str:
    """Return the name over a message: the character's and the person's, so that nobody is mistaken.

    >>> signed(Character("Rex", gmc=True), Actor(1, "greta"), is_gm=True)
    'Rex (GM)'
    >>> signed(Character("Rex", gmc=True), Actor(2, "bob"), is_gm=False)
    'Rex (bob)'
    """
    name = own_name(actor)
    if character.gmc and is_gm:
        mark = spelled(say("{gm.One}"))
    elif fold(name) == fold(character.name):
        mark = spelled(say("character"))
    else:
        mark = name
    mark = mark[: LONGEST_NAME // 2]
    return f"{character.name[: LONGEST_NAME - len(mark) - 3].rstrip()} ({mark})"  # a blank, two brackets


def speaker(name: str, known: Iterable[str]) -> str:
    """Return the character in a signed name, preferring one of the `known` names.

    >>> speaker("Rex (old) (greta, GM)", ["Rex", "Rex (old)"])
    'Rex (old)'
    """
    begun = [each for each in known if name.startswith((f"{each} (", f"{webhook_name(each)} ("))]
    return max(begun, key=len, default=name.partition(" (")[0])


def webhook_name(name: str) -> str:
    """Return a name without what Discord forbids in webhook names."""
    return name.translate(_ODD).strip()


def voice_card(name: str, lines: list[str], portrait: Portrait | None) -> Card:
    """Return what is said as a card, for a channel without webhooks."""
    return Card((strong(name), *lines), tone=Tone.CALM, portrait=portrait)


def said_card(name: str, message: int) -> Card:
    """Return the confirmation for the speaker."""
    row = (Button(say("Take back"), "unsay", message),)
    return Card((say("Said as {name}.", name=name),), (row,), private=True)


def unsaid_card() -> Card:
    """Return the confirmation that a message was taken back."""
    return private(say("The message has been taken back and deleted."))


def notice_card(one: Whisper) -> Card:
    """Return the public notice of a whisper: from whom, to whom, and the button to open it."""
    said = say(
        "{sender} whispers to {reader}.", sender=strong(one.sender_name), reader=strong(one.reader_name)
    )
    row = (Button(say("Open"), "openwhisper", one.id, weight=Weight.MAIN),)
    return Card((said,), (row,), calls=(one.reader_id,), tone=Tone.CALM)


def sent_card(one: Whisper, elsewhere: Text) -> Card:
    """Return the confirmation for the sender; `elsewhere` is where the reader was told, if not here."""
    said = say(
        "Only {reader} can open this, for the next {days} days.",
        reader=strong(one.reader_name),
        days=WHISPERS_KEPT.days,
    )
    return Card((said, *([elsewhere] if elsewhere else [])), (_back(one),), private=True)


def read_card(one: Whisper, person: int) -> Card:
    """Return a whisper for a person who may read it: its reader can answer, its sender take it back."""
    if person == one.sender_id:
        head, row = say("To {reader}", reader=one.reader_name), _back(one)
    else:
        head = say("{sender} whispers", sender=one.sender_name)
        row = (Button(say("Answer"), "answerwhisper", one.id, weight=Weight.MAIN),)
    return Card((heading(head), *one.body.splitlines()), (row,), private=True, tone=Tone.CALM)


def back_card(one: Whisper) -> Card:
    """Return the confirmation that a whisper was taken back."""
    return private(
        say("The whisper has been taken back, so {reader} can't open it any more.", reader=one.reader_name)
    )


def _back(one: Whisper) -> tuple[Button, ...]:
    return (Button(say("Take back"), "unwhisper", one.id),)


def whisper_form(one: Whisper) -> Form:
    """Return the form to answer a whisper."""
    text = Field("text", say("What"), lines=True)
    return Form(say("To {sender}", sender=one.sender_name), (text,))


def kept_line(count: int) -> Text:
    """Return how many whispers are stored."""
    return say(
        "Whispers you sent or received: {count}. Each is deleted after {days} days.",
        count=count,
        days=WHISPERS_KEPT.days,
    )
