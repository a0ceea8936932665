"""A step's facts, as the card to answer with."""

from dataclasses import dataclass

from bot.asks.cortex import hidden, stay_in
from bot.asks.cortex.roll_buttons import roll_rows
from bot.asks.foe_buttons import fact_rows
from bot.asks.ore.roll import ore_card
from bot.asks.plan import plan_card
from bot.language import later, say
from bot.render import facts as words
from bot.render import safety
from bot.render.card import Button, Card, Portrait, small
from bot.render.cortex import roll as cards
from bot.render.portrait import portrait_of
from bot.store.history import Entry
from rules.causes import Seat
from rules.cortex.reading import read
from rules.cortex.state.facts import TakenOut
from rules.cortex.state.part import CORTEX
from rules.cortex.state.rolled import HiddenRolled, RollChanged, RollMade
from rules.cortex.state.table import Roll
from rules.facts import CalledOff, Ended, Planned, Replied, Seated
from rules.kinds import Plan, key
from rules.ore.facts import OreChanged, OreGobbled, OreRolled
from rules.ore.part import ORE
from rules.ore.sets import OreRoll
from rules.result import Step
from rules.table import Table
from rules.values import replace


@dataclass(frozen=True, slots=True)
class Done:
    """What came of it: the campaign, its table, and the card to answer with."""

    campaign: int
    table: Table
    card: Card

    def offering(self, *buttons: Button) -> "Done":
        """The same with a row of buttons below."""
        return replace(self, card=replace(self.card, rows=(*self.card.rows, buttons)))


def done(entry: Entry, made: list[Step]) -> Done:
    """What is told of an entry: its facts, or its summary where it walks through history."""
    is_whole = entry.repeated or not made
    return of_entry(entry, _summed_up(entry) if is_whole else told(entry.table, made[-1]))


def _summed_up(entry: Entry) -> Card:
    """The summary of an entry; who is asked for a session is called where that is at another time again."""
    line, concerned = words.summed_up(entry.table, entry.facts)
    calls = () if entry.repeated else concerned
    plan = entry.table.plan if calls else None
    again = words.lines([Planned(plan.at)]) if plan is not None and plan.is_open else []
    return Card((line, *again), calls=calls)


def of_entry(entry: Entry, card: Card) -> Done:
    """What came of an entry, told by that card; to one person alone where it is secret, or nobody's."""
    is_private = entry.step.secret or not entry.step.author.id
    shown = card if card.private == is_private else replace(card, private=is_private)
    return Done(entry.campaign, entry.table, shown)


def repeated(entry: Entry, before: Table | None) -> Done:
    """What is told of an entry without its facts: the roll that it made or changed, or else its summary."""
    roll = _roll_of(before, entry.table) if before else None
    return of_entry(entry, roll_card(entry.table, roll) if roll else Card((words.summary(entry.facts),)))


def _roll_of(before: Table, after: Table) -> Roll | OreRoll | None:
    """The one roll that is another between two tables, or new; None if there is no such, or are several."""
    rolls = [
        roll for number, roll in CORTEX.of(after).rolls.items() if roll != CORTEX.of(before).rolls.get(number)
    ]
    ore = [roll for number, roll in ORE.of(after).rolls.items() if roll != ORE.of(before).rolls.get(number)]
    found: list[Roll | OreRoll] = [*rolls, *ore]
    return found[0] if len(found) == 1 else None


def told(table: Table, step: Step) -> Card:
    """The card of a step: the roll that it made or changed, then everything else."""
    here = ORE.of(table)
    for fact in step.facts:
        if isinstance(fact, HiddenRolled):
            return hidden_card(table, fact.roll)
        if isinstance(fact, RollMade | RollChanged):
            card = roll_card(table, CORTEX.of(table).rolls[fact.roll.number])
            if isinstance(fact, RollChanged):
                said, calls = words.news(table, step.facts)
                return replace(card, news=Card(said, _stay_in(table, step), calls=calls) if said else None)
            more, calls = _stay_in(table, step), words.concerned(table, step.facts)
            return replace(card, rows=(*card.rows, *more), calls=calls) if more or calls else card
        if isinstance(fact, OreRolled | OreChanged):
            return roll_card(table, here.rolls[fact.roll.number])
        if isinstance(fact, Planned | CalledOff | Replied) and table.plan and _is_of_plan(step):
            lines, calls = words.told(table, step.facts)
            news = Card(lines, calls=calls) if _is_for_all(fact) else None
            return replace(plan_card(table, table.plan), calls=() if news else calls, news=news)
        if isinstance(fact, OreGobbled):
            said, calls = words.news(table, step.facts)
            return replace(roll_card(table, here.rolls[fact.roll.number]), news=Card(said, calls=calls))
    lines, calls = words.told(table, step.facts)
    rows = (*_stay_in(table, step), *fact_rows(table, step.facts))
    return Card((*lines, *_welcome(table, step)), rows, calls=calls)


def _is_of_plan(step: Step) -> bool:
    """Whether a step is about when the next session is, and no other."""
    return not any(isinstance(fact, Ended) for fact in step.facts)


def _is_for_all(fact: Planned | CalledOff | Replied) -> bool:
    """Whether everybody is told of it, where a message is only edited."""
    return isinstance(fact, CalledOff) or (isinstance(fact, Planned) and fact.was > 0)


def roll_card(table: Table, roll: Roll | OreRoll | Plan) -> Card:
    """A roll, or a session that is planned, as it is now, with what can be done with it."""
    if isinstance(roll, Plan):
        return plan_card(table, roll)
    if isinstance(roll, OreRoll):
        return replace(ore_card(table, roll), portrait=_face(table, roll.who))
    reading = read(table, roll)
    return cards.roll_card(table, reading, roll_rows(table, reading))


CLOSED = later("This roll is closed.")
"""What stands below a roll that is no longer on the table."""
_OVER = later("This session is no longer planned.")


def closed_card(before: Table, roll: Roll | OreRoll | Plan) -> Card:
    """A roll as it was last, or a session that was planned, with nothing more to be done with it."""
    here = CORTEX.of(before)
    rest = {number: each for number, each in here.rolls.items() if number != roll.number}
    card = roll_card(CORTEX.put(before, replace(here, rolls=rest)), roll)
    over = small(say(_OVER if isinstance(roll, Plan) else CLOSED))
    return replace(card, lines=(*card.lines, over), rows=(), menus=())


def _face(table: Table, who: str) -> Portrait | None:
    """The portrait of who rolls, where they have one."""
    character = table.characters.get(key(who))
    return portrait_of(character) if character else None


def hidden_card(table: Table, roll: Roll) -> Card:
    """A roll made in secret, for who made it: its dice, and what can become of it."""
    card = cards.roll_card(table, read(table, roll))
    lines = (*card.lines, small(say("Only you see this, until you reveal it.")))
    return replace(card, lines=lines, rows=(hidden.buttons(roll),), private=True, roll=None, portrait=None)


def _welcome(table: Table, step: Step) -> list[str]:
    """What whoever begins to play somebody is told of the table's lines and veils."""
    joins = any(isinstance(fact, Seated) and fact.seat is Seat.PLAYED for fact in step.facts)
    return safety.welcome_lines(table) if joins else []


def _stay_in(table: Table, step: Step) -> tuple[tuple[Button, ...], ...]:
    """A button for everybody who was taken out, to stay in (C4)."""
    out = dict.fromkeys(fact.who for fact in step.facts if isinstance(fact, TakenOut))
    return (stay_in.buttons(table, out),) if out else ()
