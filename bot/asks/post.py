"""What is offered where people play by post: to hear no more, and what the GM may do about what is late."""

from collections.abc import Iterable
from functools import partial

from bot.asks.question import SIGN, Answer, Question, Rule
from bot.language import say
from bot.render.card import Button
from bot.render.waiting import Waiting, What, how_much, said_of, waiting
from rules.cortex.state import turn
from rules.cortex.state.part import CORTEX
from rules.cortex.tools import challenge, contest
from rules.errors import TooLate
from rules.result import Step
from rules.seats import Actor, require_gm
from rules.table import Table
from rules.words import Words


def reminder_row() -> tuple[Button, ...]:
    """The row below a reminder."""
    return Button(say("What waits"), "view", subject="waiting"), Button(say("No more reminders"), "mute")


def late_rows(table: Table, late: Iterable[Waiting]) -> tuple[tuple[Button, ...], ...]:
    """A row for each thing that is late: act in somebody's place, pass them over, or wait on.

    Where several wait for the same person, the buttons say which of them they mean.
    """
    all_ = list(late)
    return tuple(tuple(_row(table, each, _named(each, all_))) for each in all_)


def found(table: Table, actor: Actor, sign: str) -> Waiting:
    """What waits by that sign, for the GM. Raises TooLate where it does no more."""
    require_gm(table, actor, Words("do something about what is late"))
    each = next((each for each in waiting(table) if each.sign == sign), None)
    if each is None:
        raise TooLate("That waits for nobody any more. What does: /table waiting")
    return each


def view_of(table: Table, each: Waiting) -> str:
    """The view on which something can be done that no roll shows."""
    if _contest(table, each):
        return "contest"
    return "challenge" if _challenge(table, each) else "turn"


def _row(table: Table, each: Waiting, who: str) -> Iterable[Button]:
    yield Button(say("Act for {who}", who=who), "actfor", subject=each.sign)
    if each.what is What.TURN or _contest(table, each):
        yield Button(say("Pass over {who}", who=who), "passover", subject=each.sign)
    yield Button(say("Wait on {who}", who=who), "waiton", subject=each.sign)


def _named(each: Waiting, late: Iterable[Waiting]) -> str:
    """For whom something waits, with what it is where more waits for them, and of what where more is that."""
    others = [other.what for other in late if other.who == each.who and other is not each]
    if not others:
        return each.who
    what = how_much(each)
    if each.what in others:
        what = say("{what}, {of}", what=what, of=each.of)
    return say("{who}: {what}", who=each.who, what=what)


def _contest(table: Table, each: Waiting) -> int:
    """The number of the contest in which an answer waits; 0 for none."""
    going = {one.roll: number for number, one in CORTEX.of(table).contests.items() if not one.closing}
    return going.get(each.roll, 0) if each.roll and each.what is What.ANSWER else 0


def _challenge(table: Table, each: Waiting) -> str:
    """The name of the challenge of which something waits."""
    return next((one.name for one in CORTEX.of(table).challenges.values() if said_of(one) == each.of), "")


def _pass_over(answer: Answer) -> Rule:
    return partial(_passed, sign=answer.subject)


def _passed(table: Table, actor: Actor, sign: str) -> Step:
    """Somebody is passed over: they have no turn in this round, or give in."""
    each = found(table, actor, sign)
    if number := _contest(table, each):
        return contest.give_in(table, actor, number=number)
    if name := _challenge(table, each):
        return challenge.skip(table, actor, each.who, name)
    return turn.skip(table, actor, each.who)


QUESTIONS = (Question("passover", subject=SIGN, press=_pass_over, apart=True),)
