"""Cortex Toolkit files as data: version 0.1 as published, or converted from older files.

What version 0.1 forbids is kept under `custom.doomkeeper` of its object, by name, as is every member
that it doesn't know, so that everything that was imported is exported again.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import Any
from urllib.parse import urlsplit

from rules.cortex.kinds import TraitKind
from rules.errors import NotAllowed, Unreadable
from rules.names import fold
from rules.table import Table
from rules.terms import Term
from rules.text import Words, shorten
from rules.values import Value, exhaustive

VERSION = "0.1"


LARGEST = 100
"""A size is at most so large."""


_TAG = re.compile(r"[A-Za-z0-9\-./]+")


_NEWER = re.compile(r"[0-9]+(\.[0-9]+)*")


_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


_DATE = re.compile(
    r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"
    r"(\.[0-9]+)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"
)


_SIZE = re.compile(r"\s*(?:[0-9]{0,20}[dD])?([0-9]{1,20})\s*")


_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]+")


NOBODY = "00000000-0000-0000-0000-000000000000"


NEVER = "1970-01-01T00:00:00Z"
"""What stands for an id and a date that a file does not have."""


_Read = Callable[[Any], tuple[Any, bool]]
"""What a member says, and whether that is just what stood there."""


def _text(given: Any) -> tuple[Any, bool]:
    if isinstance(given, str):
        return given, True
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    return (str(given) if is_number else ""), False


def _flag(given: Any) -> tuple[Any, bool]:
    return (given, True) if isinstance(given, bool) else (bool(given), False)


def _number(given: Any) -> tuple[Any, bool]:
    if isinstance(given, int) and not isinstance(given, bool):
        return given, True
    if isinstance(given, str) and re.fullmatch(r"\s*-?[0-9]{1,18}\s*", given):
        return int(given), False
    if isinstance(given, float) and abs(given) < 1e18:
        return int(given), False
    return 0, False


def _count(given: Any) -> tuple[Any, bool]:
    is_fine = given is None or isinstance(given, str) or (isinstance(given, int) and not _is_flag(given))
    return (given, True) if is_fine else (_number(given)[0], False)


def _is_flag(given: object) -> bool:
    return isinstance(given, bool)


def _size(given: Any) -> tuple[Any, bool]:
    """The size of a die: `8`, `"8"`, `"d8"`; of anything else none. Raises Unreadable for one over 100."""
    match = _SIZE.fullmatch(given) if isinstance(given, str) else None
    size, is_same = (int(match[1]), False) if match else _number(given)
    if given is None:
        return None, True
    if size > LARGEST:
        raise Unreadable(
            "A trait in that file has the size {size}; the largest allowed is {most}.",
            size=shorten(str(given)),
            most=LARGEST,
        )
    return (size, is_same) if size >= 0 else (0, False)


def _sizes(given: Any) -> tuple[Any, bool]:
    if not isinstance(given, list):
        return [], False
    read = [_size(each) for each in given]
    sizes = [size for size, _ in read if size]
    return sizes, all(is_same for _, is_same in read) and len(sizes) == len(given)


def _position(given: Any) -> tuple[Any, bool]:
    is_fine = isinstance(given, str) and given in ("inline", "above", "below", "none")
    return (given, True) if is_fine else ("none", False)


def _tags(given: Any) -> tuple[Any, bool]:
    tags = [
        each
        for each in (given if isinstance(given, list) else [])
        if isinstance(each, str) and _TAG.fullmatch(each)
    ]
    return tags, tags == given


def _custom(given: Any) -> tuple[Any, bool]:
    return (given, True) if isinstance(given, dict) else ({}, False)


def _id(given: Any) -> tuple[Any, bool]:
    is_fine = isinstance(given, str) and _UUID.fullmatch(given)
    return (given, True) if is_fine else (NOBODY, False)


def _date(given: Any) -> tuple[Any, bool]:
    is_fine = isinstance(given, str) and _DATE.fullmatch(given)
    return (given, True) if is_fine else (NEVER, False)


def _url(given: Any) -> tuple[Any, bool]:
    is_fine = given == "" or (isinstance(given, str) and _URI.fullmatch(given) is not None)
    if is_fine:
        try:
            urlsplit(given)
        except ValueError:
            is_fine = False
    return (given, True) if is_fine else ("", False)


def _sheet(given: Any) -> tuple[Any, bool]:
    template = given.get("template") if isinstance(given, dict) and len(given) == 1 else None
    is_fine = isinstance(template, dict) and isinstance(template.get("id"), str)
    return (given, True) if is_fine else ({"template": {"id": ""}}, False)


def _version(given: Any) -> tuple[Any, bool]:
    """Always 0.1: what begins with 0 is read as that. Raises NotAllowed for a newer one."""
    said = str(given) if isinstance(given, str | int | float) and not _is_flag(given) else ""
    if _NEWER.fullmatch(said) and int(said.partition(".")[0][:9]) > 0:
        raise NotAllowed(
            "That file has version {version}; this bot reads versions up to 0.1. Save it in an older "
            "version.",
            version=shorten(said),
        )
    return VERSION, given == VERSION


_TEXTS = ("name", "description")


MEMBERS: dict[str, dict[str, _Read]] = {
    "portrait": {"url": _url, "alt": _text, "tags": _tags, "custom": _custom},
    "sfx": {**dict.fromkeys(_TEXTS, _text), "tags": _tags, "custom": _custom},
    "trait": {
        **dict.fromkeys((*_TEXTS, "statement"), _text),
        "value": _size,
        "dice": _sizes,
        "questioned": _flag,
        "xp": _count,
        "counter": _count,
        "ratingPosition": _position,
        "tags": _tags,
        "custom": _custom,
    },
    "set": {
        **dict.fromkeys((*_TEXTS, "id", "nounSingular", "nounPlural", "counterLabel"), _text),
        **dict.fromkeys(("statement", "hasQuestionedPip", "hasCounterColumn"), _flag),
        "ratingPosition": _position,
        "tags": _tags,
        "custom": _custom,
    },
    "character": {
        **dict.fromkeys((*_TEXTS, "$schema", "game", "pronouns", "notes"), _text),
        "version": _version,
        "isTemplate": _flag,
        "id": _id,
        **dict.fromkeys(("dateCreated", "dateModified", "dateTouched"), _date),
        "plotPoints": _number,
        "sheet": _sheet,
        "tags": _tags,
        "custom": _custom,
    },
}
"""How each member of an object is read, but for objects in it."""


Form = dict[str, Any]
"""An object of a file."""


OURS = "doomkeeper"
"""Under which name of `custom` we keep what has no other place."""


LOCKED = "locked"
"""Under which name of ours is kept that an SFX cannot be used yet."""


HINDER = "hinder"


MOST_TRAITS, MOST_CHARACTERS = 800, 50
"""A file has so many traits and characters at most."""


def is_sheet(form: object) -> bool:
    """Return whether an object looks like a Toolkit character, a blank, or a list of these."""
    if isinstance(form, list):
        sheets = form[:MOST_CHARACTERS]  # lists in a list are none, or reading them could be nested deeply
        return bool(form) and all(isinstance(each, dict) and is_sheet(each) for each in sheets)
    return isinstance(form, dict) and OURS not in form and ("traitSets" in form or is_template(form))


def is_template(form: object) -> bool:
    """Return whether an object is a template file: a blank sheet with its description."""
    inner = form.get("character") if isinstance(form, dict) and OURS not in form else None
    return isinstance(inner, dict) and "traitSets" in inner


def is_blank(form: Form) -> bool:
    """Return whether a sheet is a blank to be filled in, and nobody's yet."""
    return is_template(form) or form.get("isTemplate") is True


def read(form: object) -> tuple[Form, ...]:
    """Return the characters of a file, in the form of version 0.1. Raises Unreadable or NotAllowed."""
    found = form if isinstance(form, list) else [form]
    if len(found) > MOST_CHARACTERS:
        raise NotAllowed(
            "That file has {count:,} characters; the limit is {most}. Split it into several files.",
            count=len(found),
            most=MOST_CHARACTERS,
        )
    bare = [_inner_of(each) for each in found]
    count = sum(1 for each in bare for _ in traits_in(each))
    if count > MOST_TRAITS:
        raise NotAllowed(
            "That file has {count:,} traits; the limit is {most}. Send fewer characters at once.",
            count=count,
            most=MOST_TRAITS,
        )
    # What has no room on a sheet is noted beside it, and of those notes there is an end, too.
    largest = max((sum(1 for _ in _things_in(each)) for each in bare), default=0)
    if largest > MOST_TRAITS:
        raise NotAllowed(
            "A character in that file has {count:,} trait sets, traits and SFX; the limit is {most}. "
            "Remove some, then send the file again.",
            count=largest,
            most=MOST_TRAITS,
        )
    return tuple(map(_character, bare))


def _inner_of(form: Any) -> Any:
    """A character, or the blank in the file of a template."""
    return form["character"] if is_template(form) else form


def traits_in(form: object) -> Iterator[object]:
    """Yield every trait of a character or set, including nested ones, even if the form has other faults."""
    if isinstance(form, dict):
        for each in _list(form.get("traitSets")):
            yield from traits_in(each)
        for each in _list(form.get("traits")):
            yield each
            yield from traits_in(each)


def _things_in(form: object) -> Iterator[object]:
    """Every trait set, trait and SFX of a character, as `traits_in` finds traits."""
    if isinstance(form, dict):
        for name in ("traitSets", "traits", "sfx"):
            for each in _list(form.get(name)):
                yield each
                yield from _things_in(each)


def lean(form: Any) -> Any:
    """Return a form without its empty members; `whole` puts them back."""
    if isinstance(form, list):
        return [lean(each) for each in form]
    if not isinstance(form, dict):
        return form
    defaults = _DEFAULTS[_kind_of(form)]
    return {
        name: each if name in ("custom", "sheet") else lean(each)
        for name, each in form.items()
        if name not in defaults or each != defaults[name] or type(each) is not type(defaults[name])
    }


def with_all_members(form: Any, kind: str = "character") -> Any:
    """Return a form with all members that version 0.1 requires."""
    if not isinstance(form, dict):
        return form
    fresh = {name: _new(each) for name, each in _DEFAULTS[kind].items()} | form
    for name, inner in _INSIDE[kind].items():
        if isinstance(fresh[name], list):
            fresh[name] = [with_all_members(each, inner) for each in fresh[name]]
        else:
            fresh[name] = with_all_members(fresh[name], inner)
    return fresh


def ours(form: Form) -> Form:
    """Return what Doomkeeper has stored in an object."""
    held = form["custom"].get(OURS)
    return held if isinstance(held, dict) else {}


def keep(form: Form, name: str, value: object) -> None:
    """Store something in an object that has no other place for it."""
    form["custom"] = {**form["custom"], OURS: {**ours(form), name: value}}


_DEFAULTS: dict[str, Form] = {
    "portrait": {"url": "", "alt": "", "tags": [], "custom": {}},
    "sfx": {"name": "", "description": "", "tags": [], "custom": {}},
    "trait": {
        "name": "",
        "value": 0,
        "description": "",
        "traits": [],
        "sfx": [],
        "tags": [],
        "custom": {},
    },
    "set": {
        "name": "",
        "description": "",
        "nounSingular": "",
        "nounPlural": "",
        "traits": [],
        "sfx": [],
        "tags": [],
        "custom": {},
    },
    "character": {
        "version": VERSION,
        "id": NOBODY,
        "dateCreated": NEVER,
        "dateModified": NEVER,
        "dateTouched": NEVER,
        "name": "",
        "game": "",
        "pronouns": "",
        "description": "",
        "traitSets": [],
        "portrait": {},
        "plotPoints": 0,
        "notes": "",
        "tags": [],
        "custom": {},
    },
}
"""What each object has at least, in its order."""


_INSIDE: dict[str, dict[str, str]] = {
    "portrait": {},
    "sfx": {},
    "trait": {"traits": "trait", "sfx": "sfx"},
    "set": {"traits": "trait", "sfx": "sfx"},
    "character": {"traitSets": "set", "portrait": "portrait"},
}
"""The objects that stand in each."""


def _kind_of(form: Form) -> str:
    """What an object is, by the members that it alone has; of a trait and an SFX the empty ones are alike."""
    if "traitSets" in form:
        return "character"
    if "url" in form:
        return "portrait"
    if "nounSingular" in form:
        return "set"
    return "trait" if "value" in form else "sfx"


def _new(default: Any) -> Any:
    return type(default)() if isinstance(default, list | dict) else default


def _list(given: object) -> list[Any]:
    return given if isinstance(given, list) else []


def _character(given: Any) -> Form:
    if not isinstance(given, dict):
        raise Unreadable(
            "A character in that file isn't a JSON object. Export it again from the Cortex Toolkit."
        )
    return _object(given, "character")


def _object(given: Form, kind: str) -> Form:
    """An object as version 0.1 has it, with all that it cannot have under `custom.doomkeeper`."""
    read, inside = MEMBERS[kind], _INSIDE[kind]
    fresh: Form = {name: _new(each) for name, each in _DEFAULTS[kind].items()}
    left: Form = {}
    for name, value in given.items():
        if name in read:
            fresh[name], is_same = read[name](value)
            left |= {} if is_same else {name: value}
        elif name in inside:
            fresh[name], lost = _inner(value, inside[name])
            left |= {name: lost} if lost is not None else {}
        else:
            left[name] = value
    if kind == "character" and "portrait" not in given:
        fresh["portrait"] = _object({}, "portrait")
    if "version" in left and not left["version"]:
        del left["version"]
    if kind == "set" and isinstance(left.get("noun"), str) and not fresh["nounSingular"]:
        fresh["nounSingular"] = left["noun"]
    if left:  # at once: a file may hold thousands of unknown members
        fresh["custom"] = {**fresh["custom"], OURS: {**ours(fresh), **left}}
    return fresh


def _inner(value: Any, kind: str) -> tuple[Any, Any]:
    """Objects inside an object, and what stands among them that is none."""
    if kind == "portrait":
        if isinstance(value, dict):
            return _object(value, kind), None
        return _object({"url": value} if isinstance(value, str) else {}, kind), value
    if kind == "sfx":
        return _effects(value)
    each = _list(value)
    lost = [one for one in each if not isinstance(one, dict)] if isinstance(value, list) else value
    return [_object(one, kind) for one in each if isinstance(one, dict)], lost or None


def _effects(value: Any) -> tuple[Any, Any]:
    """SFX: objects, the word for hindering, and of older files texts."""
    found: list[Any] = []
    lost: list[Any] = []
    for one in _list(value):
        if isinstance(one, dict):
            found.append(_object(one, "sfx"))
        elif one == HINDER:
            found.append(one)
        elif isinstance(one, str) and one.strip():
            found.append(_object({"name": one}, "sfx"))
        else:
            lost.append(one)
    return found, (lost or None) if isinstance(value, list) else value


class TraitSetUse(StrEnum):
    """What a trait set can be imported as."""

    TRAITS = "trait set"
    DISTINCTIONS = "distinctions"
    ASSETS = "signature assets"
    RESOURCES = "resources"
    STRESS = "stress"
    TRAUMA = "trauma"
    COMPLICATIONS = "complications"
    MILESTONES = "milestones"
    NOTES = "notes"
    XP = "XP"


class TakenAs(Value):
    """What becomes of the traits of a set."""

    said: Words
    kind: TraitKind | None
    """The kind of trait that they are; none for what never joins a pool."""
    nouns: tuple[str, ...] = ()
    """By which nouns and names such a set is known, of one trait."""
    term: Term | None = None
    """The term that a table may have its own words for."""
    name: str = ""
    """What a new set of them is called in a file."""


TAKEN = exhaustive(
    TraitSetUse,
    {
        TraitSetUse.TRAITS: TakenAs(Words("trait set"), TraitKind.TRAIT),
        TraitSetUse.DISTINCTIONS: TakenAs(
            Words("{distinction.Many}"),
            TraitKind.DISTINCTION,
            ("distinction",),
            Term.DISTINCTION,
            "Distinctions",
        ),
        TraitSetUse.ASSETS: TakenAs(
            Words("Signature {asset.many}"),
            TraitKind.ASSET,
            ("asset", "signature asset"),
            Term.ASSET,
            "Signature assets",
        ),
        TraitSetUse.RESOURCES: TakenAs(
            Words("Resources"), TraitKind.RESOURCE, ("resource",), None, "Resources"
        ),
        TraitSetUse.STRESS: TakenAs(
            Words("{stress.One}"), TraitKind.STRESS, ("stress",), Term.STRESS, "Stress"
        ),
        TraitSetUse.TRAUMA: TakenAs(
            Words("{trauma.One}"), TraitKind.TRAUMA, ("trauma",), Term.TRAUMA, "Trauma"
        ),
        TraitSetUse.COMPLICATIONS: TakenAs(
            Words("{complication.Many}"),
            TraitKind.COMPLICATION,
            ("complication",),
            Term.COMPLICATION,
            "Complications",
        ),
        TraitSetUse.MILESTONES: TakenAs(Words("Milestones"), None, ("milestone",), None, "Milestones"),
        TraitSetUse.NOTES: TakenAs(Words("Notes"), None),
        TraitSetUse.XP: TakenAs(
            Words("XP"), None, ("xp", "experience", "experience point", "experience points"), None, "XP"
        ),
    },
)


BY_KIND: Mapping[TraitKind, TraitSetUse] = {
    of.kind: taken for taken, of in TAKEN.items() if of.kind is not None
}
"""What holds traits of a kind."""


WITH_STATEMENTS = ("value", "values", "relationship", "relationships")
"""Trait sets whose traits usually carry a statement (N7)."""


def taken_as(form: Form, table: Table | None = None) -> TraitSetUse:
    """Return what a trait set is imported as by default; a table's own words are recognized too."""
    kept = ours(form)
    chosen = kept.get("taken")
    if isinstance(chosen, str) and chosen in list(TraitSetUse):
        return TraitSetUse(chosen)
    words = _words(table)
    style = kept.get("style")
    for said in (
        style if isinstance(style, str) else "",
        form["nounSingular"],
        form["nounPlural"],
        form["name"],
    ):
        found = words.get(fold(said))
        if found is not None:
            return found
    return TraitSetUse.TRAITS


def _words(table: Table | None) -> dict[str, TraitSetUse]:
    """What each word for such a set means, of one trait and of several."""
    found: dict[str, TraitSetUse] = {}
    own = table.settings.words if table is not None else {}
    for taken, of in TAKEN.items():
        for noun in of.nouns:
            found |= {noun: taken, f"{noun}s": taken}
        if of.term is not None and (wording := own.get(of.term)):
            found |= {fold(wording.one): taken, fold(wording.many): taken}
    return found
