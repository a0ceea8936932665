"""Who is GM: named, claimed, handed on."""

from collections.abc import Collection

from rules.causes import Seat
from rules.errors import NotAllowed, TooLate, Unknown
from rules.facts import Seated
from rules.result import Step
from rules.seats import PLAYER, Actor, gm_words, is_gm, own_name, require_gm
from rules.table import Table
from rules.values import replace
from rules.words import Phrase, Row, Words, beside


def name_gm(
    table: Table, actor: Actor, player: Actor, remove: bool = False, *, on_server: bool = False
) -> Step:
    """Name a GM or a delegate, or let one go; who manages the server always can, where there is one."""
    if on_server and not (actor.manages or is_gm(table, actor)):
        raise NotAllowed(
            "Only the {gm.one} or members with Manage Server can name {gm.a}. {gms}",
            gms=gm_words(table),
        )
    if not actor.manages:
        require_gm(table, actor, Words("name {gm.a}"))
    if remove:
        if player.id not in table.gms:
            raise Unknown(
                "{player} isn't {gm.a} at this table. {gms}", player=player.name, gms=gm_words(table)
            )
        left = {gm: name for gm, name in table.gms.items() if gm != player.id}
        return Step(replace(table, gms=left), (Seated(player.name, Seat.NO_GM, player.name),))
    if player.id in table.gms:
        raise NotAllowed("{player} is already {gm.a} at this table.", player=player.name)
    gms = {**table.gms, player.id: own_name(player)}
    return Step(replace(table, gms=gms), (Seated(player.name, Seat.GM, player.name),))


def take_over(table: Table, actor: Actor, gone: Collection[int], *, has_left: bool, seen: int = 0) -> Step:
    """Be the GM in the place of those who are gone: a delegate, else whoever may Manage Server.

    `seen` is the step as of which they were gone. Delegates who have long done nothing either may do so, and
    keep nobody who may Manage Server from it. Raises TooLate where something has happened since.
    """
    if table.number != seen:
        raise TooLate("The table changed in the meantime. Press again.")
    delegates = tuple(name for gm, name in table.gms.items() if gm not in gone)
    if not delegates and not has_left:
        delegates = tuple(table.gms.values())[1:]
    is_managers = not delegates or not has_left
    if actor.id not in table.gms and not (is_managers and actor.manages):
        raise NotAllowed(
            "Only {who} can take over this table.", who=_heirs(delegates, is_managers=is_managers)
        )
    left = {gm: name for gm, name in table.gms.items() if gm in gone and gm != actor.id}
    kept = {gm: name for gm, name in table.gms.items() if gm not in left and gm != actor.id}
    facts = [
        Seated(name.removesuffix(PLAYER), Seat.NO_GM, name.removesuffix(PLAYER)) for name in left.values()
    ]
    new = Seated(actor.name, Seat.GM, actor.name)
    return Step(replace(table, gms={actor.id: own_name(actor), **kept}), (new, *facts))


def _heirs(delegates: tuple[str, ...], *, is_managers: bool) -> Phrase:
    """Who may take over, for a refusal."""
    if not delegates:
        return Words("members with Manage Server")
    if not is_managers:
        return Row(delegates)
    return Words("{delegates} or members with Manage Server", delegates=Row(delegates))


def with_gms(before: Table, after: Table) -> Step:
    """A table that is gone back to, with the GMs of before where none would be left: secrets stay theirs."""
    if after.gms or not before.gms:
        return Step(after, ())
    kept = replace(after, gms=before.gms)
    names = [name.removesuffix(PLAYER) for name in before.gms.values()]
    return Step(kept, tuple(Seated(name, Seat.STAYS_GM) for name in names))


def claim(table: Table, actor: Actor) -> Step:
    """Become the GM of a table that has none. Raises NotAllowed, with who is GM, where it has one."""
    if not table.is_open:
        how = Words("{gm.A} can name another one: /campaign gm")
        raise NotAllowed("{gms}", gms=beside(gm_words(table), how))
    return name_gm(table, actor, actor)
