"""Actors of Foundry's cortexprime and cortexprime-ext as characters of the Cortex Toolkit's version 0.1.

From there on they are read, shown and written as such. What kinds of actor there are, each group of players
settles for itself, so any of them comes as a character, except one that is a doom pool.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from rules.cortex.carry import toolkit_form as forms
from rules.cortex.carry.foundry_traits import DICE, OF_FOUNDRY, Opened, notes, trait_sets
from rules.cortex.carry.toolkit_form import Form
from rules.cortex.carry.toolkit_members import VERSION as OF_TOOLKIT
from rules.cortex.state.rating import written
from rules.dice import SIZES, shorten
from rules.errors import NotAllowed
from rules.words import Words

SYSTEMS = {"cortexprime": "0.2.16", "cortexprime-ext": "1.0"}
"""The systems whose actors are read, and the newest version of each that is known."""
_WITHIN = ("system", "data", "actorType", "pp")
_NEEDED_THERE = frozenset(
    (
        *("_id", "_key", "_stats", "type", "folder", "sort", "ownership", "permission", "flags", "icon"),
        *("prototypeToken", "token", "id", "name", "settings", DICE, "edit", "traitSetEdit"),
        *("defaultImage", "showProfileImage", "hasAssets", "hasComplications", "hasHidableTraits"),
        *("hasNotesPage", "hasPlotPoints", "hasDescription", "additionalTabs", "parentId", "enableHinder"),
        "assetsHaveMultipleDice",
    )
)
"""What Foundry alone needs: it is kept too, and not named one by one."""
_OTHERS = (
    (Words("a scene"), Words("scenes"), ("walls", "tokens", "drawings")),
    (Words("a journal"), Words("journals"), ("pages", "content")),
    (Words("a compendium"), Words("compendiums"), ("actors", "entries", "packs")),
    (Words("an item"), Words("items"), ("system", "data")),
    (Words("something else"), Words("something else"), ()),
)
"""What else Foundry exports, one and several, by members that it has; the last has any."""
_DOOM = re.compile(r"(?:.*\b)?doom[ _-]?pool|doom", re.IGNORECASE)
"""What a kind of actor is called that is no person, but the dice of the GM."""


def is_document(form: object) -> bool:
    """Whether an object is something that Foundry exports, of whatever kind and system."""
    if not isinstance(form, dict) or forms.OURS in form or forms.is_sheet(form):
        return False
    flags = form.get("flags")
    is_signed = isinstance(form.get("_stats"), dict) or (isinstance(flags, dict) and "exportSource" in flags)
    is_like_one = "type" in form and ("img" in form or "flags" in form or "items" in form)
    return is_signed or (is_like_one and bool(_where(form)))


def is_settings(form: object) -> bool:
    """Whether an object is what the system exports of its settings."""
    if not isinstance(form, dict) or forms.OURS in form:
        return False
    return "cortexPrimeVersion" in form or ("actorTypes" in form and "theme" in form)


def sheets(form: Any) -> Any:
    """A file with its actors as characters of the Toolkit, without doom pools; any other is what it was.

    Raises NotAllowed.
    """
    found = form if isinstance(form, list) else [form]
    _require_actors(found)
    people = [each for each in found if not _is_doom_pool(each)]
    if found and not people:
        dice = " ".join(dice for _, dice in doom_pools(form))
        raise NotAllowed(
            "That file holds a doom pool from Foundry, not a character. To add its dice to the doom pool "
            "here: /doom add dice:{dice}",
            dice=dice or "2d6",
        )
    made = [_character(each) if is_document(each) else each for each in people]
    return made if isinstance(form, list) else made[0]


def doom_pools(form: Any) -> tuple[tuple[str, str], ...]:
    """The doom pools of a file, which are no characters: the name of each, and its dice as they are typed."""
    found = form if isinstance(form, list) else [form]
    made = [_character(each) for each in found if _is_doom_pool(each)]
    return tuple((each["name"], written(_doom_dice(each))) for each in made)


def _is_doom_pool(form: Any) -> bool:
    """Whether an actor is of a kind that is called a doom pool."""
    if not is_document(form):
        return False
    kind = _inner(_inner(form, _where(form)), "actorType").get("name")
    return any(isinstance(said, str) and _DOOM.fullmatch(said.strip()) for said in (kind, form.get("type")))


def _doom_dice(sheet: Form) -> Iterator[int]:
    """The dice of a doom pool that one here could have, by their sizes."""
    for trait in forms.traits_in(sheet):
        if isinstance(trait, dict):
            for size in trait.get("dice") or [trait.get("value")]:
                yield from (each for each in SIZES[1:] if str(size) == str(each))


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


def _require_actors(found: Sequence[Any]) -> None:
    """Refuse a file that holds anything but actors of these systems. Raises NotAllowed."""
    if any(map(is_settings, found)):
        raise NotAllowed(
            "That file holds the settings of Foundry's cortexprime, not an actor. In Foundry, choose "
            "Export Data on an actor, then send that file: /character import"
        )
    documents = [each for each in found if is_document(each)]
    for each in documents:
        system, other = _system_of(each), _other_kind(each)
        is_known = system in SYSTEMS or (not system and "actorType" in _inner(each, _where(each)))
        if other is not None or not is_known:
            alike = [one for one in documents if (_system_of(one), _other_kind(one)) == (system, other)]
            raise _refusal(system, other, is_several=len(alike) > 1)


def _other_kind(form: Form) -> tuple[Words, Words] | None:
    """What an object of Foundry is, one and several of it; None for an actor."""
    where = _where(form)
    is_actor = where and any(name in form for name in ("prototypeToken", "token", "items"))
    if is_actor or (where and "actorType" in form[where]):
        return None
    found = (said for *said, names in _OTHERS if not names or any(name in form for name in names))
    one, several = next(found)
    return one, several


def _refusal(system: str, other: tuple[Words, Words] | None, *, is_several: bool) -> NotAllowed:
    """Why something of Foundry is not read: it is no actor, or none of these systems."""
    if other is not None:
        what, is_named = other[is_several], bool(system) and system not in SYSTEMS
        return NotAllowed(
            "That file holds {what}, not an actor. In Foundry, choose Export Data on a cortexprime actor, "
            "then send that file: /character import",
            what=Words("{what} for {system} in Foundry", what=what, system=shorten(system))
            if is_named
            else Words("{what} from Foundry", what=what),
        )
    return NotAllowed(
        "{made} for {system} in Foundry. Send an actor made for cortexprime (up to version {version}) "
        "or cortexprime-ext (up to {ext}): /character import",
        made=Words("Those actors were made") if is_several else Words("That actor was made"),
        system=shorten(system) if system else Words("an unnamed system"),
        version=SYSTEMS["cortexprime"],
        ext=SYSTEMS["cortexprime-ext"],
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
    """An actor as a character of the Toolkit."""
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
