"""What people write, kept in their own words: whoever wrote it is asked, and can have it taken out."""

from hashlib import blake2b

from bot.language import say
from bot.language.line import BREAK, small
from bot.render.card import Button, Card, Tone, Weight, private
from bot.render.telling import line_of
from rules.facts import Quoted

KEEP, TAKE_OUT = "quote", "unquote"
"""The verbs of the buttons."""
PLACE = 1
"""The text is the second part of the card that asks, a part of its own."""


def sign(text: str) -> str:
    """By what a text is known to be read back just as it was shown."""
    return blake2b(text.encode(), digest_size=8).hexdigest()


def asking_card(text: str, message: int, author: int) -> Card:
    """The question to whoever wrote a message, whether its text may be kept."""
    keep = Button(say("Keep"), KEEP, message, f"{author}.{sign(text)}", Weight.MAIN)
    asks = say("Keep this message for the chronicle?")
    till = small(say("Nothing is kept unless the author presses Keep."))
    return Card((asks, BREAK, text, BREAK, till), ((keep,),), calls=(author,), tone=Tone.CALM)


def kept_card(quoted: Quoted) -> Card:
    """What is kept, and how to have it taken out."""
    return Card((line_of(quoted),), ((_take_out(quoted),),), tone=Tone.CALM)


def known_card(quoted: Quoted, *, is_theirs: bool) -> Card:
    """That a message is kept already, for whoever would keep it; who may can have it taken out."""
    lines = (say("That message is already kept for the chronicle."), line_of(quoted))
    return Card(lines, ((_take_out(quoted),),) if is_theirs else (), private=True, tone=Tone.CALM)


def taken_out_card() -> Card:
    """That it is kept no longer."""
    return private(say("That quote has been removed. The bot keeps nothing from the message."))


def _take_out(quoted: Quoted) -> Button:
    return Button(say("Take it out"), TAKE_OUT, quoted.message)
