"""Play by post: overdue answers, an absent GM, and quiet hours."""

from collections.abc import Iterable
from functools import partial

from bot.language import say
from bot.language.line import Text, TimeStyle, heading, moment
from bot.views.card import Button
from bot.views.game import SHOWN, Rule, Waiting
from bot.views.question import SIGN, Answer, Question
from bot.views.waiting import named_among, waiting
from rules.campaign.schedule import QuietHours
from rules.campaign.seats import Actor, require_gm
from rules.errors import TooLate
from rules.game import Step
from rules.table import Table
from rules.text import Words


def reminder_row() -> tuple[Button, ...]:
    """Return the buttons below a reminder."""
    return Button(say("What's waiting"), "view", subject="waiting"), Button(say("No more reminders"), "mute")


def late_rows(table: Table, late: Iterable[Waiting]) -> tuple[tuple[Button, ...], ...]:
    """Return a row of buttons per overdue item: act for the person, skip them, or keep waiting.

    If one person has several, the buttons say which one they mean.
    """
    all_ = list(late)
    return tuple(tuple(_row(table, each, named_among(each, all_))) for each in all_)


def find_late(table: Table, actor: Actor, sign: str) -> Waiting:
    """Return the waiting item with that sign, for the GM. Raises TooLate if it no longer waits."""
    require_gm(table, actor, Words("deal with what's overdue"))
    each = next((each for each in waiting(table) if each.sign == sign), None)
    if each is None:
        raise TooLate("That has been settled. To see what's still waiting: /table waiting")
    return each


def view_of(table: Table, each: Waiting) -> str:
    """Return the view in which to deal with something that no roll shows."""
    found = (game.view_of(table, each) for game in SHOWN.at(table).offers if game.view_of)
    return next(filter(None, found), "waiting")


def _passing(table: Table, each: Waiting) -> Rule | None:
    """The rule that passes over whoever something waits for, where that can be."""
    found = (game.passed_over(table, each) for game in SHOWN.at(table).offers if game.passed_over)
    return next(filter(None, found), None)


def _row(table: Table, each: Waiting, who: Text) -> Iterable[Button]:
    yield Button(say("Act for {who}", who=who), "actfor", subject=each.sign)
    if _passing(table, each):
        yield Button(say("Pass over {who}", who=who), "passover", subject=each.sign)
    yield Button(say("Keep waiting for {who}", who=who), "waiton", subject=each.sign)


def _pass_over(answer: Answer) -> Rule:
    return partial(_passed, sign=answer.subject)


def _passed(table: Table, actor: Actor, sign: str) -> Step:
    """Somebody is passed over: they have no turn in this round, or give in."""
    each = find_late(table, actor, sign)
    passing = _passing(table, each)
    if passing is None:
        raise TooLate("That has been settled. To see what's still waiting: /table waiting")
    return passing(table, actor)


QUESTIONS = (Question("passover", subject=SIGN, press=_pass_over, apart=True),)


def rest_lines(rest: QuietHours, campaign: int) -> list[Text]:
    """Return when somebody gets reminders, and when not."""
    lines = []
    if rest.has_quiet_hours:
        begins, ends = (f"{at // 60}:{at % 60:02}" for at in (rest.begins, rest.ends))
        lines.append(say("Quiet from {begins} to {ends} ({zone})", begins=begins, ends=ends, zone=rest.zone))
        if rest.by_morning:
            lines.append(say("All reminders come in one message a day, at {ends}", ends=ends))
    if rest.until:
        lines.append(say("Away until {when}", when=moment(rest.until, TimeStyle.DAY)))
    if campaign in rest.muted:
        lines.append(say("No reminders from this table"))
    lines = lines or [say("Reminders can come at any time.")]
    if rest.zone and not rest.has_quiet_hours:
        lines.append(say("Your time zone: {zone}", zone=rest.zone))
    return [heading(say("Your reminders")), *lines]
