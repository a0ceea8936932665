"""What is hidden from players, and how a rule is applied to what its actor can see (B2, M5, R9)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rules.campaign.rolls import keeps_only_rolls
from rules.campaign.seats import Actor, is_game_master, is_gm, require_room
from rules.errors import NotAllowed
from rules.facts import Fact, Imported, Named, Noted, NoteDone, RollNoted, SeatChange, Seated, StepsLost
from rules.game import Game, Step, hiding, played, played_at, saying
from rules.names import Thread, key
from rules.table import Character, Rolled, Table
from rules.values import Value, replace

_MAY_BE_SECRET = (Noted, NoteDone, RollNoted)


def seen_by_all(table: Table) -> Table:
    """Return the table as players see it; if there is no GM, only hidden rolls are left out."""
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
    """Return the table as the actor sees it."""
    seen = table if is_gm(table, actor) else seen_by_all(table)
    for game in hiding():
        if all_of := game.part.hidden_of(table):
            mine = {number: made for number, made in all_of.items() if sees(table, actor, made)}
            if len(mine) != len(game.part.hidden_of(seen)):
                seen = game.part.with_hidden(seen, mine)
    return seen


def sees(table: Table, actor: Actor, made: Rolled) -> bool:
    """Return whether the actor may see a hidden roll: the GM and its roller may."""
    return is_game_master(table, actor) or made.player == actor.id


def with_unseen(before: Table, seen: Table, step: Step) -> Step:
    """Return a step made from what the actor saw, applied to the whole table.

    Raises NotAllowed if a new character has a hidden character's name, or the table is full.
    """
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
    """Return the step with only what players may know, and whether it is secret.

    A step of which players may know nothing is secret, and is returned unchanged.
    """
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
    """Return whether only the GM may see a fact, regardless of whom it is about."""
    return fact.is_secret or (isinstance(fact, _MAY_BE_SECRET) and fact.secret)


def _seen(character: Character) -> Character:
    """A character without what the GM has noted of them."""
    return replace(character, notes="") if character.gmc and character.notes else character


def _told(fact: Fact, hidden: set[str]) -> Iterator[Fact]:
    """The fact, without names that are hidden in a row of several; nothing of one that is about them."""
    if isinstance(fact, Noted):  # what somebody noted of a name that they do not know is no secret
        yield fact
        return
    for place in fact.__struct_fields__:
        said = getattr(fact, place)
        name = said.name if isinstance(said, Named) else said
        if isinstance(name, str) and key(name) in hidden:
            return
        if isinstance(said, tuple):
            left = tuple(each for each in said if not (isinstance(each, str) and key(each) in hidden))
            changes: dict[str, Any] = {place: left}
            fact = fact if left == said else replace(fact, **changes)
    yield fact


class AppliedStep(Value):
    """A step as it is shown, and as it is stored.

    Only the actor is shown a `secret` step; a step with `rolls_only` leaves nothing but rolls.
    """

    shown: Step
    stored: Step
    secret: bool
    rolls_only: bool


def apply_rule(
    table: Table,
    actor: Actor,
    rule: Callable[[Table, Actor], Step],
    narrow: Callable[[Table, Step], Step] | None = None,
) -> AppliedStep:
    """Apply a rule to the table as the actor sees it, and return the step for the whole table (B2, R9).

    `narrow` may reduce the step, or refuse it by raising. Raises whatever `rule` and `narrow` raise.
    """
    seen = seen_by(table, actor)
    step = with_heroes_taken(seen, with_newcomers(seen, rule(seen, actor)))
    step, secret = for_players(table, step if seen is table else with_unseen(table, seen, step))
    if table.lost:
        step = Step(step.table, (StepsLost(table.number, table.lost), *step.facts))
    for game in saying(Game.shown_step):
        step = game.shown_step(step)
    if narrow is not None:
        step = narrow(table, step)
    return AppliedStep(step, stored_step(step), secret, keeps_only_rolls(table, step))


def stored_step(step: Step) -> Step:
    """Return a shown step as it is stored: every game moves what followed to the rolls that caused it."""
    for game in saying(Game.stored_step):
        step = game.stored_step(step)
    return step


def with_newcomers(before: Table, step: Step) -> Step:
    """Return the step with a fact added for each new character that it doesn't mention yet."""
    names = [c.name for k, c in step.table.characters.items() if k not in before.characters]
    if not names:
        return step
    known = {fact.who for fact in step.facts if isinstance(fact, Seated)}
    known |= {name for fact in step.facts if isinstance(fact, Imported) for name in fact.names}
    new = [Seated(name, SeatChange.NEW) for name in names if name not in known]
    return Step(step.table, (*step.facts, *new))


def with_heroes_taken(before: Table, step: Step) -> Step:
    """Return the step with a story's heroes in play whom it gives a player, rolls as, or changes.

    A table may share one phone, and then nobody plays the heroes that it uses.
    """
    waiting = [
        who for who, each in step.table.characters.items() if each.untaken and who in before.characters
    ]
    if not waiting:
        return step
    rolls = (roll for game in played() for roll in game.all_rolls(step.table))
    rolling = {key(roll.who) for roll in rolls if roll.number > before.number}
    for who in waiting:
        hero, was = step.table.characters[who], before.characters[who]
        if hero.player or who in rolling or (hero.games, hero.xp) != (was.games, was.xp):
            step = replace(step, table=step.table.with_owner(who, replace(hero, untaken=False)))
            for game in played_at(step.table):
                step = step.then(game.hero_taken(step.table, who))
    return step
