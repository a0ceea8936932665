"""What is kept from players: a GMC that is away (B2, M5), the GM's notes on GMCs, hidden rolls (R9)."""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from rules.errors import NotAllowed
from rules.fact import Fact, Named
from rules.facts import Noted, NoteDone, RollNoted
from rules.game import hiding, secrets
from rules.kinds import Thread, key
from rules.result import Step
from rules.roll import Rolled
from rules.seats import Actor, is_game_master, is_gm, require_room
from rules.table import Character, Table
from rules.values import replace

_MAY_BE_SECRET = (Noted, NoteDone, RollNoted)


def seen_by_all(table: Table) -> Table:
    """The table as players see it; where there is no GM, only hidden rolls are kept from everybody."""
    seen = table
    for game in hiding():
        if game.part.hidden_of(table):
            seen = game.part.with_hidden(seen, {})
    kept = [who for who, each in table.characters.items() if each.gmc and (each.away or each.notes)]
    is_noted = bool(table.threads) and any(each.secret for each in table.threads.values())
    if not (kept or is_noted) or table.is_open:
        return seen
    if is_noted:
        seen = replace(seen, threads={k: each for k, each in table.threads.items() if not each.secret})
    there = {k: _seen(c) for k, c in table.characters.items() if not (c.gmc and c.away)}
    return replace(seen, characters=there)


def seen_by(table: Table, actor: Actor) -> Table:
    """The table as somebody sees it."""
    seen = table if is_gm(table, actor) else seen_by_all(table)
    for game in hiding():
        if all_of := game.part.hidden_of(table):
            mine = {number: made for number, made in all_of.items() if sees(table, actor, made)}
            if len(mine) != len(game.part.hidden_of(seen)):
                seen = game.part.with_hidden(seen, mine)
    return seen


def sees(table: Table, actor: Actor, made: Rolled) -> bool:
    """Whether somebody may see a hidden roll: the GM, and who made it."""
    return is_game_master(table, actor) or made.player == actor.id


def with_unseen(before: Table, seen: Table, step: Step) -> Step:
    """A step that was made of what is seen, at the whole table again. Raises NotAllowed for a name in use."""
    unseen = {k: c for k, c in before.characters.items() if k not in seen.characters}
    taken = next((c.name for k, c in step.table.characters.items() if k in unseen), None)
    if taken is not None:
        raise NotAllowed("{taken} can't be a new character's name here. Choose another name.", taken=taken)
    if len(step.table.characters) > len(before.characters) - len(unseen):
        # Those who are not seen take places too.
        require_room(before)
    noted = {k: c.notes for k, c in before.characters.items() if c.notes and k not in unseen}
    kept = {k: notes for k, notes in noted.items() if seen.characters[k].notes != notes}
    there = {k: replace(c, notes=kept[k]) if k in kept else c for k, c in step.table.characters.items()}
    whole = replace(
        step.table, characters={**there, **unseen}, threads=_with_secret(before, seen, step.table)
    )
    for game in hiding():
        shown = game.part.hidden_of(seen)
        if hidden := {n: made for n, made in game.part.hidden_of(before).items() if n not in shown}:
            whole = game.part.with_hidden(whole, {**game.part.hidden_of(whole), **hidden})
    return Step(whole, step.facts)


def _with_secret(before: Table, seen: Table, after: Table) -> Mapping[str, Thread]:
    """The open notes after a step that was made of what is seen, with those that are not, in their places."""
    if len(before.threads) == len(seen.threads):
        return after.threads
    stay = {
        k: after.threads.get(k, each)
        for k, each in before.threads.items()
        if k not in seen.threads or k in after.threads
    }
    return {**stay, **after.threads}


def for_players(before: Table, step: Step) -> tuple[Step, bool]:
    """The step with what players may hear of it; one of which they may hear nothing is secret, and whole."""
    after = step.table
    if any(map(is_secret, step.facts)):
        return step, True
    away = {k for table in (before, after) for k in table.characters} - set(seen_by_all(after).characters)
    # Who is gone is not seen either, and is no secret by that.
    hidden = away & {k for table in (before, after) for k, c in table.characters.items() if c.gmc and c.away}
    if not hidden or after.is_open:
        return step, False
    facts = tuple(fact for each in step.facts for fact in _told(each, hidden))
    return (step, True) if step.facts and not facts else (Step(after, facts), False)


def is_secret(fact: Fact) -> bool:
    """Whether a fact is the GM's alone, whatever it is about."""
    return isinstance(fact, secrets()) or (isinstance(fact, _MAY_BE_SECRET) and fact.secret)


def _seen(character: Character) -> Character:
    """A character without what the GM has noted of them."""
    return replace(character, notes="") if character.gmc and character.notes else character


def _told(fact: Fact, hidden: set[str]) -> Iterator[Fact]:
    """The fact, without names that are hidden in a row of several; nothing of one that is about them."""
    if isinstance(fact, Noted):  # what somebody noted of a name that they do not know is no secret
        yield fact
        return
    for field in fields(fact):
        said = getattr(fact, field.name)
        name = said.name if isinstance(said, Named) else said
        if isinstance(name, str) and key(name) in hidden:
            return
        if isinstance(said, tuple):
            left = tuple(each for each in said if not (isinstance(each, str) and key(each) in hidden))
            changes: dict[str, Any] = {field.name: left}
            fact = fact if left == said else replace(fact, **changes)
    yield fact
