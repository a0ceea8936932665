"""Which effect dice the steps of a heroic success go to: by a button, or by a form with all ways (R3)."""

from functools import partial

from bot.asks.cortex.about import about
from bot.asks.question import CHOICE, Answer, Question, Rule, numbers, pick
from bot.language import say, say_of
from bot.render.card import Button, Form, Option
from bot.render.cortex.roll import share_words
from rules.campaign.seats import Actor
from rules.cortex.actions import RollReading
from rules.cortex.effects import require_effective, share_steps, step_shares
from rules.cortex.model import Roll
from rules.cortex.outcome import Outcome, shared
from rules.cortex.roll_status import resolve
from rules.table import Table


def buttons(reading: RollReading) -> list[Button]:
    """Another way to share R7's steps among effect dice; where there are several, a form with all."""
    shares, roll = reading.deeds.shares, reading.came.roll
    if not shares:
        return []
    first = shares[0][0]
    now = roll.steps_to if any(share == roll.steps_to for share, _ in shares) else first
    rest = [(share, effects) for share, effects in shares if share != now]
    if len(rest) > 1:
        label = say_of(sum(first), "Place {count} step", "Place {count} steps")
        return [Button(label, "steps", roll.number)]
    share, effects = rest[0]
    return [Button(share_words(share, effects), "step", roll.number, _sign(share))]


def steps_form(table: Table, came: Outcome) -> Form:
    """Which effect dice the steps go to, each way with what comes of it."""
    shares = step_shares(table, came)
    options = [Option(share_words(each, shared(came, each)), _sign(each)) for each in shares]
    return Form(say("Place the steps"), (pick("what", say("What"), options),))


def _read_button(answer: Answer) -> Rule:
    return partial(share_steps, number=answer.number, share=numbers(answer.subject))


def _read(answer: Answer) -> Rule:
    return partial(share_steps, number=answer.number, share=numbers(answer.fields["what"]))


def _ask(table: Table, actor: Actor, made: Roll) -> Form:
    came = resolve(table, made)
    require_effective(table, actor, came)
    return steps_form(table, came)


def _sign(share: tuple[int, ...]) -> str:
    """A way to share steps in an id: `1.1`."""
    return ".".join(str(steps) for steps in share)


QUESTIONS = (Question("step", CHOICE, press=_read_button), Question("steps", form=about(_ask), read=_read))
