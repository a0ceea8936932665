"""Lines and veils. Nothing records who asked for them."""

from rules.campaign.seats import Actor, require_gm
from rules.errors import NotAllowed
from rules.facts import Boundary, BoundaryChanged
from rules.game import Step
from rules.names import clean, find, get_named, key, key_in
from rules.table import Table
from rules.text import Words, shorten
from rules.values import exhaustive, replace

MOST = 50
"""A table has at most this many lines and veils together."""


KINDS = exhaustive(Boundary, {Boundary.LINE: Words("line"), Boundary.VEIL: Words("veil")})
"""What each of them is called."""


def add(table: Table, actor: Actor, kind: Boundary, what: str) -> Step:
    """Add a line or a veil; a veil that becomes a line is no longer a veil.

    Raises NotAllowed if it exists already or the table has too many; Unreadable for unusable text.
    """
    said = clean(what, KINDS[kind])
    _require_new(table, kind, said)
    if kind is Boundary.VEIL:
        after = replace(table, veils={**table.veils, key(said): said})
    else:
        veils = {k: veil for k, veil in table.veils.items() if k != key_in(table.veils, said)}
        after = replace(table, lines={**table.lines, key(said): said}, veils=veils)
    if len(after.lines) + len(after.veils) > MOST:
        raise NotAllowed(
            "A table can have at most {most} lines and veils. Remove one first: /safety remove",
            most=MOST,
        )
    return Step(after, (BoundaryChanged(kind, said),))


def remove(table: Table, actor: Actor, what: str) -> Step:
    """Remove a line or a veil (GM). Raises NotAllowed, Unknown or Ambiguous."""
    require_gm(table, actor, Words("remove a line or veil"))
    found = find(what, (*table.lines.values(), *table.veils.values()), Words("line or veil"))
    kind = Boundary.LINE if key(found) in table.lines else Boundary.VEIL
    lines = {k: line for k, line in table.lines.items() if k != key(found)}
    veils = {k: veil for k, veil in table.veils.items() if k != key(found)}
    return Step(replace(table, lines=lines, veils=veils), (BoundaryChanged(kind, found, is_gone=True),))


def _require_new(table: Table, kind: Boundary, said: str) -> None:
    """Refuse what is there already; a line says more than a veil."""
    if get_named(table.lines, said) is not None:
        raise NotAllowed("{what} is already a line, so it never comes up in play.", what=shorten(said))
    if kind is Boundary.VEIL and get_named(table.veils, said) is not None:
        raise NotAllowed("{what} is already a veil. To see the list: /safety show", what=shorten(said))
