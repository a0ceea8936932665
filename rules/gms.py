"""Who is GM: named, claimed, handed on."""

from rules.causes import Seat
from rules.errors import NotAllowed, Unknown
from rules.facts import Seated
from rules.result import Step
from rules.seats import PLAYER, Actor, gm_words, is_gm, own_name, require_gm
from rules.table import Table
from rules.values import replace
from rules.words import Words


def name_gm(
    table: Table, actor: Actor, player: Actor, remove: bool = False, *, on_server: bool = False
) -> Step:
    """Name a GM or a delegate, or let one go; who manages the server always can, where there is one."""
    if on_server and not (actor.manages or is_gm(table, actor)):
        raise NotAllowed(
            "Only the GM may name a GM, or whoever has the right Manage Server. {gms}", gms=gm_words(table)
        )
    if not actor.manages:
        require_gm(table, actor, Words("name a GM"))
    if remove:
        if player.id not in table.gms:
            raise Unknown("{player} is no GM here. {gms}", player=player.name, gms=gm_words(table))
        left = {gm: name for gm, name in table.gms.items() if gm != player.id}
        return Step(replace(table, gms=left), (Seated(player.name, Seat.NO_GM, player.name),))
    if player.id in table.gms:
        raise NotAllowed("{player} is GM already.", player=player.name)
    gms = {**table.gms, player.id: own_name(player)}
    return Step(replace(table, gms=gms), (Seated(player.name, Seat.GM, player.name),))


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
        raise NotAllowed(
            "{gms} A GM names another one. Example: /campaign gm player:@Greta", gms=gm_words(table)
        )
    return name_gm(table, actor, actor)
