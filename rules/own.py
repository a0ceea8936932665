"""People's own dice: where they roll alone, what is kept is rolls, and pools that they save."""

from rules.facts import Imported, Moved, Noted, Seated, SettingChanged
from rules.game import played
from rules.on_table import without_rolls
from rules.result import Step
from rules.table import Character, Table
from rules.values import replace

_EMPTY = Table()


def is_bare(table: Table) -> bool:
    """Whether people only roll dice here, and save pools: no GM, no session, nobody who has anything else."""
    people = table.characters.values()
    return table.is_open and not table.session and all(_has_saved(one) and _is_plain(one) for one in people)


def keeps_only_rolls(before: Table, step: Step) -> bool:
    """Whether a step leaves nothing at the table but rolls, and nothing in its log that is told later."""
    after = step.table
    if after.gms or after.characters or after.name != before.name:  # so it is at most tables
        return False
    if any(isinstance(fact, Noted | Moved | SettingChanged | Imported) for fact in step.facts):
        return False
    for game in played():
        after = game.without_traces(after)
    return replace(without_rolls(after), number=0, name="", lost=0) == _EMPTY


def keeps_only_pools(before: Table, step: Step) -> bool:
    """The same, where pools that people share or save may be kept as well."""
    others = {k: one for k, one in step.table.characters.items() if not _is_plain(one)}
    table = replace(step.table, characters=others)
    for game in played():
        table = game.without_pools(table)
    return keeps_only_rolls(before, replace(step, table=table))


def without_plain(step: Step) -> Step:
    """The step, after which nobody is there who has nothing: as it was before anybody saved a pool."""
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
