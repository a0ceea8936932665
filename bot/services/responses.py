"""Turn recorded entries into the cards that answer them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

import structlog

from bot.language import later, say
from bot.language.line import Text, small
from bot.services.play_by_post import absence_of, since_of
from bot.store.history import Entry, Place
from bot.store.ledger import Ledger
from bot.views import facts, question, safety
from bot.views import table as views_table
from bot.views.absent_gm import absent_lines
from bot.views.card import Button, Card
from bot.views.facts import place_lines
from bot.views.game import SHOWN
from bot.views.schedule import plan_card
from bot.views.session import stretch_card
from bot.views.settings import LOG, OVERVIEW, PAGES, page_of, view_of
from bot.views.story import whole_story
from bot.views.waiting import people, waiting
from rules.campaign.rolls import faces, rolls_on
from rules.campaign.story import story
from rules.errors import RuleError, TooLate
from rules.facts import (
    Began,
    CalledOff,
    Ended,
    Fact,
    Illegible,
    Planned,
    Replied,
    SeatChange,
    Seated,
    TimesAsked,
    TimeSuited,
    Undone,
)
from rules.game import Step, played
from rules.names import Plan
from rules.table import Rolled, Table
from rules.values import replace
from rules.visibility import seen_by_all


@dataclass(frozen=True, slots=True)
class Done:
    """The outcome of a step: the campaign, its table, the card to answer with, and the step's facts."""

    campaign: int
    table: Table
    card: Card
    facts: Sequence[Fact] = ()

    def offering(self, *buttons: Button) -> "Done":
        """Return a copy with one more row of buttons."""
        return replace(self, card=replace(self.card, rows=(*self.card.rows, buttons)))


def done(entry: Entry, made: list[Step]) -> Done:
    """Return the outcome of an entry: its facts in full, or a summary for undo, redo and repeats."""
    if entry.repeated or not made:
        return of_entry(entry, _summed_up(entry))
    return of_entry(entry, step_card(entry.table, made[-1]), made[-1].facts)


def _summed_up(entry: Entry) -> Card:
    """The summary of an entry; who is asked for a session is called where that is at another time again."""
    line, concerned = facts.summed_up(entry.table, entry.facts)
    calls = () if entry.repeated else concerned
    plan = entry.table.plan if calls else None
    again = facts.lines([_time_of(plan)]) if plan is not None and plan.is_open else []
    return Card((line, *again), calls=calls)


def _time_of(plan: Plan) -> Planned | TimesAsked:
    """When a session is planned, or which times are asked for, as a fact."""
    return Planned(plan.at) if plan.at else TimesAsked(tuple(sorted(plan.times)))


def of_entry(entry: Entry, card: Card, facts: Sequence[Fact] = ()) -> Done:
    """Return the outcome of an entry with that card; private if the step is secret or has no author."""
    is_private = entry.step.secret or not entry.step.author.id
    shown = card if card.private == is_private else replace(card, private=is_private)
    return Done(entry.campaign, entry.table, shown, facts)


def repeated(entry: Entry, before: Table | None) -> Done:
    """Return the outcome of an entry known only from the log: the roll that it made, or a summary."""
    roll = _roll_of(before, entry.table) if before else None
    card = roll_card(entry.table, roll) if roll else Card((facts.summary(entry.facts),))
    return of_entry(entry, card, entry.facts)


def _roll_of(before: Table, after: Table) -> Rolled | None:
    """The one roll that is another between two tables, or new; None if there is no such, or are several."""
    found: list[Rolled] = []
    for game in played():
        old = game.part.rolls_of(before)
        found += [roll for number, roll in game.part.rolls_of(after).items() if roll != old.get(number)]
    return found[0] if len(found) == 1 else None


def step_card(table: Table, step: Step) -> Card:
    """Return a step's card: the roll that it made or changed, then everything else."""
    card = views_table.shown_step(table, step) or _plan_told(table, step)
    if card is not None:
        return card
    begun = None if _STRETCHES.isdisjoint(map(type, step.facts)) else stretch_card(table, step)
    if begun is not None:
        return replace(begun, rows=(*begun.rows, *views_table.step_rows(table, step)))
    lines, calls = facts.lines_told(table, step.facts)
    return Card((*lines, *_welcome(table, step)), views_table.step_rows(table, step), calls=calls)


_STRETCHES = frozenset({Began, Ended})
_OF_PLAN = Planned | TimesAsked | CalledOff | Replied | TimeSuited
"""The facts that a session's card tells whole."""


def _plan_told(table: Table, step: Step) -> Card | None:
    """The session that is planned, where a step is about when that is."""
    about = next((fact for fact in step.facts if isinstance(fact, _OF_PLAN)), None)
    if about is None or table.plan is None or not _is_of_plan(step):
        return None
    lines, calls = facts.lines_told(table, step.facts)
    is_new = table.plan.number == table.number
    news = Card(lines, calls=calls) if _is_for_all(about) and not is_new else None
    return replace(plan_card(table, table.plan), calls=() if news else calls, news=news)


def _is_of_plan(step: Step) -> bool:
    """Whether a step is about when the next session is, and no other."""
    return not any(isinstance(fact, Ended) for fact in step.facts)


def _is_for_all(fact: Fact) -> bool:
    """Whether everybody is told of it, where a message is only edited."""
    if isinstance(fact, Planned):
        return fact.was > 0 or fact.asked
    return isinstance(fact, CalledOff | TimesAsked)


def roll_card(table: Table, roll: Rolled | Plan) -> Card:
    """Return the card of a roll or a planned session in its current state, with its buttons."""
    return plan_card(table, roll) if isinstance(roll, Plan) else views_table.roll_card(table, roll)


def shown_again(table: Table, number: int) -> Card:
    """Return the card of an open roll or plan by its number. Raises TooLate if it is over."""
    roll = rolls_on(table).get(number)
    if roll is not None:
        return roll_card(table, roll)
    if table.plan is None or table.plan.number != number or not table.plan.is_open:
        raise TooLate("That's over. To see what's still waiting: /table waiting")
    return plan_card(table, table.plan)


CLOSED = later("This roll is closed.")
"""What stands below a roll that is no longer on the table."""
_UNDONE = later("This roll is closed: it was undone.")
_OVER = later("This {session.one} is no longer planned.")


def closed_card(
    before: Table,
    roll: Rolled | Plan,
    after: Table | None = None,
    facts: Sequence[Fact] = (),
    *,
    asks: bool = False,
) -> Card:
    """Return the last state of a roll or a planned session, without its buttons.

    `after` and `facts` are of the step that closed it, if that is known. If `asks`, a button remains to say
    what the roll was for.
    """
    if isinstance(roll, Plan):
        card, said = roll_card(before, roll), _OVER
    else:
        card = views_table.closed_roll_card(before, after or before, roll, facts)
        said = _UNDONE if any(isinstance(fact, Undone) for fact in facts) else CLOSED
    over = small(say(said))
    gone = card.invitation and replace(card.invitation, is_gone=True)
    rows = question.asking((), roll) if asks and not isinstance(roll, Plan) else ()
    return replace(card, lines=(*card.lines, over), rows=rows, menus=(), invitation=gone)


def _welcome(table: Table, step: Step) -> list[Text]:
    """What whoever begins to play somebody is told of the table's lines and veils."""
    joins = any(isinstance(fact, Seated) and fact.seat is SeatChange.PLAYED for fact in step.facts)
    return safety.welcome_lines(table) if joins else []


log = structlog.get_logger(__name__)

_Told = TypeVar("_Told")
Facts = Sequence[tuple[Fact, ...]]
"""What each of some steps did."""


def telling(facts: Facts, tell: Callable[[Facts], _Told]) -> _Told:
    """Render facts; replace facts that fail to render by a placeholder and render again.

    Raises RuleError if `tell` does.
    """
    try:
        return tell(facts)
    except RuleError:
        raise
    except Exception as error:
        log.warning("facts not rendered", reason=repr(error))
    return tell([tuple(map(_borne, step)) for step in facts])


def _borne(fact: Fact) -> Fact:
    """A fact of which a story can be made."""
    made = [roll for game in played() if (roll := game.as_made(fact)) is not None and roll != fact]
    tried = [(*made, fact)]
    try:
        whole_story(story(tried), Table(), is_last=False)
        faces(tried)
    except Exception:
        return Illegible(type(fact).__name__)
    return fact


class Views:
    """Reads what table views show from the ledger: waiting times, absent GMs, and the log channel."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def since(self, view: str, campaign: int, table: Table) -> Mapping[str, datetime] | None:
        """Return when each thing began to wait, by sign: as noted, or when its roll was made.

        None if the view does not show waiting times.
        """
        if view != "waiting":
            return None
        known = await since_of(self._ledger, campaign)
        rolls = {each.sign: each.roll for each in waiting(table) if each.roll and each.sign not in known}
        made = await self._ledger.past.moments(campaign, set(rolls.values())) if rolls else {}
        return {**{sign: made[roll] for sign, roll in rolls.items() if roll in made}, **known}

    async def more(self, view: str, campaign: int, table: Table) -> list[Text]:
        """Return the lines below a view."""
        if view == OVERVIEW or (view.startswith(PAGES) and view == view_of(*page_of(LOG))):
            log = await self._ledger.step_logs.of(campaign)
            return place_lines(log.place if log else 0)
        gone = await absence_of(self._ledger, campaign, table.gms) if view == "waiting" else None
        return absent_lines(table, gone.since, has_left=gone.has_left) if gone else []


NEWCOMERS = ("campaign new", "roll", "odds", "help")


async def waits_for(ledger: Ledger, place: Place, person: int) -> int:
    """Return how many things wait for a person at the table of a place."""
    entry = await ledger.look(place)
    if entry is None or entry.deleted or entry.table.archived:
        return 0
    table = seen_by_all(entry.table)
    return sum(person in people(table, each) for each in waiting(table))


async def needed_first(ledger: Ledger, place: Place, person: int) -> tuple[str, ...]:
    """Return the full names of the commands that the person most likely needs at the table of a place."""
    entry = await ledger.look(place)
    if entry is None or entry.deleted or entry.table.archived or entry.rolls_only:
        return NEWCOMERS
    return by_role(entry.table, person)


def by_role(table: Table, person: int) -> tuple[str, ...]:
    """Return the most used commands of a GM or of a player; both if the table has no GM."""
    offers = SHOWN.at(table).offers
    players = (*(name for each in offers for name in each.players), "undo")
    gms = (*(name for each in offers for name in each.gms), "scene start", "session start")
    if not table.gms:
        return (*players, *gms)
    return (*gms, *players) if person in table.gms else players
