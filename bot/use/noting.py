"""What a roll was for, said later: until its session ends, also of one that is closed."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, cast

from bot.asks import what_for
from bot.play import SEARCHED, Play
from bot.play.asked import Asked
from bot.render.card import Form
from bot.store import tags
from bot.store.history import LogStep
from bot.tell import Done, closed_card
from rules.campaign.notes import PastRoll, note_of, note_roll
from rules.campaign.rolls import rolls_on
from rules.campaign.seats import is_game_master
from rules.facts import Began, Ended, Fact, Noted, RollNoted, Stretch
from rules.game import played
from rules.names import remark
from rules.table import Rolled, Table, with_note
from rules.values import replace


async def asking(play: Play, asked: Asked, number: int) -> Form:
    """The form that asks what a roll was for. Raises what `note_of` does."""
    past = await _past(play, asked, number)
    return what_for.form(note_of(await play.look(asked), asked.actor, number, past))


async def noted(play: Play, asked: Asked, number: int, note: str) -> Done:
    """Say what a roll was for, and show it with that; a closed one stays closed."""
    past = await _past(play, asked, number)
    done = await play.change(asked, partial(note_roll, number=number, note=note, past=past))
    if past.roll is None or done.card.private or number in rolls_on(done.table):
        return done
    card = closed_card(done.table, with_note(past.roll, remark(note)), asks=True)
    return replace(done, card=replace(card, roll=None, calls=()))


async def named(play: Play, asked: Asked) -> list[str]:
    """Who and what a note can be about: who is there, and what notes of late were about.

    It is as whoever asks may see it.
    """
    campaign, table = await play.see(asked)
    names = [each.name for each in table.characters.values()]
    if not campaign:
        return names
    found = await play.past.facts(campaign, (Noted,), max(1, table.number - SEARCHED))
    secrets = is_game_master(table, asked.actor)
    seen = [fact for step, fact in reversed(found) if secrets or not step.secret]
    return [*names, *(fact.about for fact in seen if isinstance(fact, Noted))]


async def _past(play: Play, asked: Asked, number: int) -> PastRoll:
    """A roll as the steps since it have left it, if its session has not ended."""
    campaign, table = await play.see(asked)
    steps = await play.past.played(campaign, since=number) if 0 < number <= table.number else []
    is_known = bool(steps) and steps[0].number == number and not any(map(_parts_sessions, steps[1:]))
    return PastRoll(table.session, table.is_session, _as_left(table, steps, number) if is_known else None)


def _parts_sessions(step: LogStep) -> bool:
    """Whether a session began or ended with a step."""
    if not tags.may_hold(step.written, Began, Ended):
        return False
    return any(isinstance(fact, Began | Ended) and fact.what is Stretch.SESSION for fact in step.facts)


def _as_left(table: Table, steps: Sequence[LogStep], number: int) -> Rolled | None:
    """The roll as it is on the table, hidden or not, else as the last step that told of it left it."""
    there = (each for game in played() for each in game.all_rolls(table) if each.number == number)
    if (now := next(there, None)) is not None:
        return now
    found: Any = None
    for fact in (fact for step in steps for fact in step.facts):
        if isinstance(fact, RollNoted) and fact.roll == number and found is not None:
            found = with_note(found, fact.note)
        found = next((each for each in _made(fact) if each.number == number), found)
    return cast("Rolled | None", found)


def _made(fact: Fact) -> Iterable[Rolled]:
    """The roll that a fact tells of, whatever game it is of."""
    told: Iterable[Any] = filter(None, (game.as_made(fact) for game in played()))
    return [each.roll for each in told]
