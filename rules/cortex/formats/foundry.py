"""Read actors of Foundry's cortexprime and cortexprime-ext as Cortex Toolkit characters.

From then on they are handled as such. Each group defines its own types of actor, so actors of any type
become characters, except doom pools.

Foundry uses numbered objects where others use lists: `{"0": …, "1": …}`. Each object is read by taking
things out of it; what nobody takes is kept in place under `custom.doomkeeper.foundry`.
"""

import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from rules.cortex.formats import toolkit_form
from rules.cortex.formats.toolkit_form import TAKEN, Form, TraitSetUse
from rules.cortex.formats.toolkit_form import VERSION as OF_TOOLKIT
from rules.cortex.pool import write_sizes
from rules.dice import SIZES
from rules.errors import NotAllowed
from rules.names import fold
from rules.text import Words, shorten

OF_FOUNDRY = "foundry"
"""Under which name of ours what is left of an object is kept."""


DICE = "dice settings"
"""Under which name that is kept which dice have beside their sizes."""


_SLOT = re.compile(r".*\b[0-9]+\s*")
"""What a place of a sheet is called until somebody says more, such as Distinction 1."""


_NOTES = re.compile(r"\s*notes?\s*", re.IGNORECASE)
"""What a tab is called that says nothing more by its name."""


_DIE = re.compile(r"\s*[dD]?([0-9]{1,3})\s*")


_VALUES = ("dice", "number", "text")


class RemainingObject:
    """An object of a file that is taken apart piece by piece; what remains is kept."""

    def __init__(self, form: Form, settings: Form | None = None) -> None:
        self.left = dict(form)
        self.settings = settings or {}

    def shows(self, setting: str) -> bool:
        """Return whether a kind of thing is visible in Foundry; invisible ones are left in place."""
        return self.settings.get(setting) is not False

    def text(self, name: str) -> str:
        """Take out a text, or a number as text."""
        given = self.left.get(name)
        if isinstance(given, str) or (isinstance(given, int | float) and not isinstance(given, bool)):
            del self.left[name]
            return str(given).strip()
        return ""

    def inner(self, name: str) -> "RemainingObject":
        """Take out an object; `put_back` must return what remains."""
        given = self.left.get(name)
        return RemainingObject(self.left.pop(name) if isinstance(given, dict) else {})

    def put_back(self, name: str, inner: "RemainingObject") -> None:
        """Put back what remains of an inner object."""
        if rest := inner.rest():
            self.left[name] = rest

    def objects(self, name: str, settings: Form | None = None) -> "list[RemainingObject]":
        """Take out numbered objects; entries that aren't objects are kept."""
        if not isinstance(self.left.get(name), dict | list):
            return []
        found = ordered_values(self.left.pop(name))
        self.left[name] = [each for each in found if not isinstance(each, dict) and not _is_nothing(each)]
        return [RemainingObject(each, settings) for each in found if isinstance(each, dict)]

    def put_back_all(self, name: str, inner: "Sequence[RemainingObject]") -> None:
        """Put back what remains of numbered objects, as one list."""
        if rests := [rest for each in inner if (rest := each.rest())]:
            self.left[name] = [*self.left[name], *rests]

    def rest(self) -> Form:
        """Return what nobody took, without empty and unticked members, which mean nothing in Foundry."""
        return {name: each for name, each in self.left.items() if not _is_nothing(each)}

    def custom(self) -> Form:
        """Return what is kept, in the form of version 0.1."""
        rest = self.rest()
        return {toolkit_form.OURS: {OF_FOUNDRY: rest}} if rest else {}


def _is_nothing(given: object) -> bool:
    return given is None or given is False or given in ("", [], {})


def ordered_values(given: Any) -> list[Any]:
    """Return the values of a list, or of a numbered object in the order of its numbers.

    >>> ordered_values(["a", "b"]), ordered_values({"1": "b", "0": "a"})
    (['a', 'b'], ['a', 'b'])
    """
    if isinstance(given, list):
        return given
    rows = sorted(given.items(), key=lambda row: (0, int(row[0])) if _is_number(row[0]) else (1, 0))
    return [each for _, each in rows]


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def trait_sets(kind: RemainingObject) -> list[Form]:
    """Return everything with dice: trait sets, simple traits, and assets and complications in play."""
    return [
        *map(_set, kind.objects("traitSets")),
        *_simple_sets(kind),
        *_own_set(kind, "assets", "Asset"),
        *_own_set(kind, "complications", "Complication"),
    ]


def notes(kind: RemainingObject) -> str:
    """Return the pages of notes and of further tabs, each under its title; their content is HTML."""
    said = _pages(kind, "")
    tabs = kind.objects("additionalTabs")
    for tab in tabs:
        name = tab.left.get("name")
        said += _pages(tab, name if isinstance(name, str) and not _NOTES.fullmatch(name) else "")
    kind.put_back_all("additionalTabs", tabs)
    return "\n".join(said)


def _pages(of: RemainingObject, tab: str) -> list[str]:
    """The pages of notes of a sheet or of a tab, which has its name before their titles."""
    pages = of.objects("notes")
    said = [(page.text("label"), page.text("value")) for page in pages]
    of.put_back_all("notes", pages)
    titles = [
        label if fold(label) == fold(tab) else ": ".join(filter(None, (tab, label))) for label, _ in said
    ]
    heads = [f"<h3>{escape(title, quote=False)}</h3>" if title else "" for title in titles]
    return [f"{head}{text}" for head, (_, text) in zip(heads, said, strict=True)]


def _set(one: RemainingObject) -> Form:
    given = one.left.get("settings")
    settings = given if isinstance(given, dict) else {}
    traits = [*one.objects("traits", settings), *one.objects("customTraits", settings)]
    return {
        "name": one.text("label"),
        "description": one.text("description"),
        "traits": [_trait(each) for each in traits],
        "custom": one.custom(),
    }


def _own_set(kind: RemainingObject, name: str, noun: str) -> Iterator[Form]:
    """The assets or complications of play, as a set of that noun."""
    if traits := [_trait(each) for each in kind.objects(name)]:
        yield {"name": f"{noun}s", "nounSingular": noun, "nounPlural": f"{noun}s", "traits": traits}


def _simple_sets(kind: RemainingObject) -> Iterator[Form]:
    """The traits that stand in no set; a number of XP is counted as that."""
    simple: list[Form] = []
    xp: list[Form] = []
    for one in kind.objects("simpleTraits"):
        given = one.left.get("settings")
        way = given.get("valueType") if isinstance(given, dict) else None
        if way in _VALUES:
            one.settings = {f"has{name.title()}": name == way for name in _VALUES}
        is_xp = fold(str(one.left.get("label"))) in TAKEN[TraitSetUse.XP].nouns and way == "number"
        (xp if is_xp else simple).append(_trait(one, is_xp=is_xp))
    for name, traits in (("Simple traits", simple), ("XP", xp)):
        if traits:
            yield {"name": name, "traits": traits}


def _trait(one: RemainingObject, *, is_xp: bool = False) -> Form:
    """A trait, or a part of one, with its dice, its SFX and all that is said of it."""
    name, said = _called(one)
    found: Form = {"name": name, **_dice(one)}
    number = _number(one) if one.shows("hasNumber") else ""
    if is_xp and _is_number(number):
        found["xp"], number = int(number), ""
    said += [number, _value(one) if one.shows("hasText") else ""]
    said += [one.text("description") if one.shows("hasDescription") else "", *_descriptors(one)]
    if one.shows("hasSubTraits"):
        inside = {"hasDice": one.shows("subTraitsHaveDice")}
        found["traits"] = [_trait(each) for each in one.objects("subTraits", inside)]
    if one.shows("hasSfx"):
        found["sfx"] = [_effect(each) for each in one.objects("sfx")]
    return {**found, "description": "; ".join(filter(None, said)), "custom": one.custom()}


def _called(one: RemainingObject) -> tuple[str, list[str]]:
    """What a trait is called, and what its place on the sheet is called where that says more."""
    label = one.text("label") if one.shows("hasLabel") else ""
    slot = one.left.get("name")
    if not label:
        return one.text("name"), []
    if isinstance(slot, str) and _SLOT.fullmatch(slot):
        return label, []
    return label, [one.text("name")]


def _dice(one: RemainingObject) -> Form:
    """One die as `value`, several as `dice` too."""
    given = one.left.get("dice")
    if given is None or not one.shows("hasDice"):
        return {}
    del one.left["dice"]
    value = given
    if isinstance(given, dict):
        value = given.get("value")
        one.left[DICE] = {name: each for name, each in given.items() if name != "value"}
    each = ordered_values(value) if isinstance(value, dict | list) else [value]
    sizes = [_size(die) for die in each if not _is_nothing(die)]
    return {"value": sizes[0], "dice": sizes} if len(sizes) > 1 else {"value": sizes[0] if sizes else 0}


def _size(die: Any) -> Any:
    match = _DIE.fullmatch(die) if isinstance(die, str) else None
    return int(match[1]) if match else die


def _number(one: RemainingObject) -> str:
    """A number, with the most that it can be where there is that."""
    held = one.inner("number")
    said, most = held.text("value"), held.text("max")
    one.put_back("number", held)
    return f"{said or '-'}/{most}" if most else said


def _value(one: RemainingObject) -> str:
    held = one.inner("text")
    said = held.text("value")
    one.put_back("text", held)
    return said


def _descriptors(one: RemainingObject) -> list[str]:
    """What describes a trait beside its die, such as `Ward: salt`."""
    found = one.objects("descriptors") if one.shows("hasDescriptors") else []
    said = [": ".join(filter(None, (each.text("label"), each.text("value")))) for each in found]
    one.put_back_all("descriptors", found)
    return said


def _effect(one: RemainingObject) -> Form:
    """An SFX; one that is not yet unlocked says so."""
    found: Form = {"name": one.text("label"), "description": one.text("description")}
    is_locked = one.left.get("unlocked") is False
    if isinstance(one.left.get("unlocked"), bool):
        del one.left["unlocked"]
    found["custom"] = one.custom()
    if is_locked:
        toolkit_form.keep(found, toolkit_form.LOCKED, value=True)
    return found


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
    """Return whether an object is a Foundry export, of any type and system."""
    if not isinstance(form, dict) or toolkit_form.OURS in form or toolkit_form.is_sheet(form):
        return False
    flags = form.get("flags")
    is_signed = isinstance(form.get("_stats"), dict) or (isinstance(flags, dict) and "exportSource" in flags)
    is_like_one = "type" in form and ("img" in form or "flags" in form or "items" in form)
    return is_signed or (is_like_one and bool(_where(form)))


def is_settings(form: object) -> bool:
    """Return whether an object is an export of the system's settings."""
    if not isinstance(form, dict) or toolkit_form.OURS in form:
        return False
    return "cortexPrimeVersion" in form or ("actorTypes" in form and "theme" in form)


def sheets(form: Any) -> Any:
    """Return a file with its actors as Toolkit characters, without doom pools; other files unchanged.

    Raises NotAllowed for a Foundry export that isn't an actor, or for doom pools alone.
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
    """Return the doom pools of a file, which aren't characters: (name, dice as typed) each."""
    found = form if isinstance(form, list) else [form]
    made = [_character(each) for each in found if _is_doom_pool(each)]
    return tuple((each["name"], write_sizes(_doom_dice(each))) for each in made)


def _is_doom_pool(form: Any) -> bool:
    """Whether an actor is of a kind that is called a doom pool."""
    if not is_document(form):
        return False
    kind = _inner(_inner(form, _where(form)), "actorType").get("name")
    return any(isinstance(said, str) and _DOOM.fullmatch(said.strip()) for said in (kind, form.get("type")))


def _doom_dice(sheet: Form) -> Iterator[int]:
    """The dice of a doom pool that one here could have, by their sizes."""
    for trait in toolkit_form.traits_in(sheet):
        if isinstance(trait, dict):
            for size in trait.get("dice") or [trait.get("value")]:
                yield from (each for each in SIZES[1:] if str(size) == str(each))


def is_kept(form: Form) -> bool:
    """Return whether a Toolkit character was imported from Foundry."""
    return isinstance(toolkit_form.ours(form).get(OF_FOUNDRY), dict)


def unread_members(kept: Form) -> Iterator[str]:
    """Yield the names of what remains of an object, except members that only Foundry needs."""
    for name, held in kept.items():
        if name in _WITHIN and isinstance(held, dict):
            yield from unread_members(held)
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
    actor, where = RemainingObject(form), _where(form)
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


def _portrait(actor: RemainingObject) -> str:
    """A picture, or the address of one; a file of somebody's Foundry is at no address, and kept as text."""
    said = actor.left.get("img")
    if not isinstance(said, str):
        return ""
    if said.startswith("icons/"):
        actor.left["icon"] = actor.left.pop("img")  # one that Foundry brings along
        return ""
    return str(actor.left.pop("img")) if re.match(r"(https?|data):", said, re.IGNORECASE) else ""
