"""Whispers in words: what all see of one, and what its two people do."""

from bot.language import say
from bot.language.line import Text, heading, strong
from bot.render.card import Button, Card, Field, Form, Tone, Weight, private
from bot.store.whispers import KEPT, Whisper

LONGEST = 1500
"""A whisper has at most this many characters."""


def notice_card(one: Whisper) -> Card:
    """What all are told of a whisper: who said something to whom, and where that one opens it."""
    said = say(
        "{sender} whispers to {reader}.", sender=strong(one.sender_name), reader=strong(one.reader_name)
    )
    row = (Button(say("Open"), "openwhisper", one.id, weight=Weight.MAIN),)
    return Card((said,), (row,), calls=(one.reader_id,), tone=Tone.CALM)


def sent_card(one: Whisper) -> Card:
    """What the sender is told."""
    said = say(
        "Only {reader} can open this, for the next {days} days.",
        reader=strong(one.reader_name),
        days=KEPT.days,
    )
    return Card((said,), (_back(one),), private=True)


def read_card(one: Whisper, person: int) -> Card:
    """A whisper for who may read it: the reader answers it, the sender may take it back."""
    if person == one.sender_id:
        head, row = say("To {reader}", reader=one.reader_name), _back(one)
    else:
        head = say("{sender} whispers", sender=one.sender_name)
        row = (Button(say("Answer"), "answerwhisper", one.id, weight=Weight.MAIN),)
    return Card((heading(head), *one.body.splitlines()), (row,), private=True, tone=Tone.CALM)


def back_card(one: Whisper) -> Card:
    """What the sender is told once it is taken back."""
    return private(
        say("The whisper has been taken back, so {reader} can't open it any more.", reader=one.reader_name)
    )


def _back(one: Whisper) -> tuple[Button, ...]:
    return (Button(say("Take back"), "unwhisper", one.id),)


def whisper_form(one: Whisper) -> Form:
    """An answer to a whisper."""
    text = Field("text", say("What"), lines=True, longest=LONGEST)
    return Form(say("To {sender}", sender=one.sender_name), (text,))


def kept_line(count: int) -> Text:
    """How many whispers are kept."""
    return say(
        "Whispers you sent or received: {count}. Each is deleted after {days} days.",
        count=count,
        days=KEPT.days,
    )
