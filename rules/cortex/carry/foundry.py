"""Actors of Foundry's system cortexprime as characters of the Cortex Toolkit's version 0.1.

From there on they are read, shown and written as such. An actor of any kind comes as a character: what kinds
there are, each group of players settles for itself.
"""

import re
from collections.abc import Iterator
from typing import Any

from rules.cortex.carry import toolkit_form as forms
from rules.cortex.carry.foundry_traits import DICE, OF_FOUNDRY, Opened, notes, trait_sets
from rules.cortex.carry.toolkit_form import Form
from rules.cortex.carry.toolkit_members import VERSION as OF_TOOLKIT
from rules.dice import shorten
from rules.errors import NotAllowed
from rules.words import Words

SYSTEM, VERSION = "cortexprime", "0.2.16"
"""The system whose actors are read, and its newest version that is known, of 2025-05-31."""
_WITHIN = ("system", "data", "actorType", "pp")
_NEEDED_THERE = frozenset(
    (
        *("_id", "_key", "_stats", "type", "folder", "sort", "ownership", "permission", "flags", "icon"),
        *("prototypeToken", "token", "id", "name", "settings", DICE, "edit", "traitSetEdit"),
        *("defaultImage", "showProfileImage", "hasAssets", "hasComplications", "hasHidableTraits"),
        *("hasNotesPage", "hasPlotPoints", "hasDescription"),
    )
)
"""What Foundry alone needs: it is kept too, and not named one by one."""
_OTHERS = (
    (Words("a scene"), ("walls", "tokens", "drawings")),
    (Words("a journal"), ("pages", "content")),
    (Words("a compendium"), ("actors", "entries", "packs")),
    (Words("an item"), ("system", "data")),
)
"""What else Foundry exports, by members that it has."""


def is_document(form: object) -> bool:
    """Whether an object is something that Foundry exports, of whatever kind and system."""
    if not isinstance(form, dict) or forms.OURS in form or forms.is_sheet(form):
        return False
    flags = form.get("flags")
    is_signed = isinstance(form.get("_stats"), dict) or (isinstance(flags, dict) and "exportSource" in flags)
    is_like_one = "type" in form and ("img" in form or "flags" in form or "items" in form)
    return is_signed or (is_like_one and bool(_where(form)))


def sheets(form: Any) -> Any:
    """A file with its actors as characters of the Toolkit; any other is what it was. Raises NotAllowed."""
    if isinstance(form, list):
        return [_character(each) if is_document(each) else each for each in form]
    return _character(form) if is_document(form) else form


def is_kept(form: Form) -> bool:
    """Whether a character of the Toolkit was an actor of Foundry."""
    return isinstance(forms.ours(form).get(OF_FOUNDRY), dict)


def named(kept: Form) -> Iterator[str]:
    """What was left of an object, by its names; what only Foundry needs has none."""
    for name, held in kept.items():
        if name in _WITHIN and isinstance(held, dict):
            yield from named(held)
        elif name not in _NEEDED_THERE:
            yield name


def _where(form: Form) -> str:
    """Under which name the system keeps its own: `data` until Foundry 9."""
    return next((name for name in ("system", "data") if isinstance(form.get(name), dict)), "")


def _require_known(form: Form) -> None:
    """Raises NotAllowed for what is no actor of the system."""
    where = _where(form)
    is_sheet = bool(where) and "actorType" in form[where]
    if not is_sheet and not (where and any(name in form for name in ("prototypeToken", "token", "items"))):
        found = (said for said, names in _OTHERS if any(name in form for name in names))
        raise NotAllowed(
            "That file holds {what} of Foundry, and no actor. In Foundry choose Export Data of an actor of "
            "the system cortexprime, then send its file: /character import",
            what=next(found, Words("something else")),
        )
    system = _system_of(form)
    if system != SYSTEM and (system or not is_sheet):
        raise NotAllowed(
            "That actor is made for {system} in Foundry, and only those of cortexprime, up to version "
            "{version}, are read. Send the file of one: /character import",
            system=shorten(system) if system else Words("a system that it does not name"),
            version=VERSION,
        )


def _system_of(form: Form) -> str:
    """For which system an actor is, where it says so: at three places, by Foundry's version."""
    stats, flags = _inner(form, "_stats"), _inner(form, "flags")
    for held, name in (
        (stats, "systemId"),
        (_inner(stats, "exportSource"), "systemId"),
        (_inner(flags, "exportSource"), "system"),
    ):
        said = held.get(name)
        if isinstance(said, str) and said:
            return said
    return ""


def _inner(form: Form, name: str) -> Form:
    held = form.get(name)
    return held if isinstance(held, dict) else {}


def _character(form: Form) -> Form:
    """An actor as a character of the Toolkit. Raises NotAllowed for what is no actor of the system."""
    _require_known(form)
    actor, where = Opened(form), _where(form)
    system = actor.inner(where)
    kind, points = system.inner("actorType"), system.inner("pp")
    found: Form = {
        "version": OF_TOOLKIT,
        "name": actor.text("name"),
        "notes": notes(kind),
        "plotPoints": points.left.pop("value", None) or 0,
        "portrait": {"url": _portrait(actor)},
        "traitSets": trait_sets(kind),
    }
    system.put_back("actorType", kind)
    system.put_back("pp", points)
    actor.put_back(where, system)
    return {**found, "custom": actor.custom()}


def _portrait(actor: Opened) -> str:
    """A picture, or the address of one; a file of somebody's Foundry is at no address, and kept as text."""
    said = actor.left.get("img")
    if not isinstance(said, str):
        return ""
    if said.startswith("icons/"):
        actor.left["icon"] = actor.left.pop("img")  # one that Foundry brings along
        return ""
    return str(actor.left.pop("img")) if re.match(r"(https?|data):", said, re.IGNORECASE) else ""
