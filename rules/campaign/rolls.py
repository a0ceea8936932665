"""Rolls of any game: who may make and change them, and tables where people only roll dice."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rules.campaign.seats import (
    Actor,
    character_of,
    find_character,
    is_game_master,
    meant_or_new,
    require_character,
    require_gm,
    require_here,
    with_new,
)
from rules.custom_terms import is_meant
from rules.dice import Faces, Throws, count_faces
from rules.errors import NotAllowed
from rules.facts import Fact, Imported, Moved, Noted, SeatChange, Seated, SettingChanged
from rules.game import Step, played
from rules.names import GM, clean, fold, get_named, key
from rules.table import Character, Rolled, Table
from rules.terms import Term
from rules.text import Words
from rules.values import replace


class Roller(NamedTuple):
    """Who rolls: the name that they roll as, and whether they roll as the GM."""

    name: str
    is_gm: bool


def find_roller(table: Table, actor: Actor, who: str | None) -> Roller:
    """Return who rolls: somebody named, else the actor's character, else the GM.

    Raises NotAllowed if the actor may not roll as them; Unknown or Ambiguous for a name.
    """
    if who and who.strip():
        is_name = get_named(table.characters, who) is not None
        if fold(who) == "gm" or (
            table.settings.words and is_meant(table, Term.GM, who, actor.agreed, is_name=is_name)
        ):
            require_gm(table, actor, Words("roll as the {gm.one}"))
            return Roller(GM, is_gm=True)
        character = _named(table, actor, who)
        require_here(table, key(character.name))
        require_character(table, actor, character, Words("roll"))
        return Roller(character.name, character.gmc)
    if is_game_master(table, actor) and table.played_by(actor.id) is None:
        return Roller(GM, is_gm=True)
    return Roller(character_of(table, actor).name, is_gm=False)


def _named(table: Table, actor: Actor, who: str) -> Character:
    if not table.is_open:
        return table.characters[find_character(table, who)]
    name = clean(who)
    after, known = meant_or_new(table, with_new(table, actor, name), name)
    return table.characters.get(known) or Character(after.characters[known].name, player=actor.id)


def require_roller(table: Table, actor: Actor, roll: Rolled) -> None:
    """Check that the roll is the actor's: they play its character, or made it if nobody does, or are GM.

    Raises NotAllowed otherwise.
    """
    if roll.gm:
        require_gm(table, actor, Words("change a roll of the {gm.one}"))
        return
    if not _is_theirs(table, actor, roll):
        raise NotAllowed("Only {roll} can do that: it's their roll.", roll=roll.who)


def require_teller(table: Table, actor: Actor, roll: Rolled) -> None:
    """Check that the actor may say what a roll was for, as its roller may. Raises NotAllowed otherwise."""
    if roll.gm:
        require_gm(table, actor, Words("say what a roll of the {gm.one} was for"))
    elif not _is_theirs(table, actor, roll):
        raise NotAllowed("Only {who} and the {gm.one} can say what that roll was for.", who=roll.who)


def _is_theirs(table: Table, actor: Actor, roll: Rolled) -> bool:
    """Whether somebody plays the character that rolled, or rolled it where nobody does, or is a GM."""
    character = table.characters.get(key(roll.who))
    player = character.player if character is not None and character.player else roll.player
    return actor.id == player or is_game_master(table, actor)


def without_rolls(table: Table) -> Table:
    """Return the table without rolls, of any game."""
    for game in played():
        table = game.part.with_rolls(table, {})
    return table


def without_roll(table: Table, roll: Rolled) -> Table:
    """Return the table without this roll."""
    for game in played():
        rolls = game.part.rolls_of(table)
        if rolls.get(roll.number) == roll:
            table = game.part.with_rolls(table, {n: each for n, each in rolls.items() if n != roll.number})
    return table


def rolls_on(table: Table) -> dict[int, Rolled]:
    """Return the open rolls of all games, by number."""
    found: dict[int, Rolled] = {}
    for game in played():
        found |= game.part.rolls_of(table)
    return found


_EMPTY = Table()


def is_dice_only(table: Table) -> bool:
    """Return whether people only roll dice and save pools here: no GM, no session, no other data."""
    people = table.characters.values()
    return table.is_open and not table.session and all(_has_saved(one) and _is_plain(one) for one in people)


def keeps_only_rolls(before: Table, step: Step) -> bool:
    """Return whether a step changes nothing but rolls, and logs nothing that is needed later."""
    after = step.table
    if after.gms or after.characters or after.name != before.name:  # so it is at most tables
        return False
    if any(isinstance(fact, Noted | Moved | SettingChanged | Imported) for fact in step.facts):
        return False
    for game in played():
        after = game.without_traces(after)
    return replace(without_rolls(after), number=0, name="", lost=0) == _EMPTY


def keeps_only_pools(before: Table, step: Step) -> bool:
    """Return the same as `keeps_only_rolls`, but allow shared and saved pools as well."""
    others = {k: one for k, one in step.table.characters.items() if not _is_plain(one)}
    table = replace(step.table, characters=others)
    for game in played():
        table = game.without_pools(table)
    return keeps_only_rolls(before, replace(step, table=table))


def without_plain(step: Step) -> Step:
    """Return the step without characters that have nothing, as before anybody saved a pool."""
    people = {k: c for k, c in step.table.characters.items() if _has_saved(c) or not _is_plain(c)}
    facts = tuple(fact for fact in step.facts if not isinstance(fact, Seated))
    return Step(replace(step.table, characters=people), facts)


def _has_saved(one: Character) -> bool:
    """Whether somebody has saved a pool."""
    return any(True for game in played() for _ in game.own(one))


def _is_plain(one: Character) -> bool:
    """Whether somebody has nothing but a name, and pools that they saved."""
    left = one
    for game in played():
        left = game.without_own(left)
    return left == Character(one.name, player=one.player, player_name=one.player_name)


def faces(steps: Iterable[Sequence[Fact]], who: str | None = None) -> Faces:
    """Return the faces that somebody, or everybody if None, threw in any game."""
    found = Throws()
    for fact in (fact for step in steps for fact in step):
        if isinstance(fact, Seated) and fact.seat is SeatChange.RENAMED:
            found.rename(key(fact.was), fact.who)
        for game in played():
            for dice in game.thrown(fact):
                found.hear(dice, game.part.name)
    return count_faces(found, who)
