"""Files of the Cortex Toolkit as data: version 0.1 as it is published, made of that or of older files.

What version 0.1 forbids is kept under `custom.doomkeeper` of the object in which it stood, by its name, and
so is every member that it does not know: what is here once goes back.
"""

from collections.abc import Iterator
from typing import Any

from rules.cortex.carry.toolkit_members import MEMBERS, NEVER, NOBODY, VERSION
from rules.errors import NotAllowed, Unreadable

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
    """Whether an object looks like a character of such a file, a blank of one, or a list of them."""
    if isinstance(form, list):
        return bool(form) and all(map(is_sheet, form[:MOST_CHARACTERS]))
    return isinstance(form, dict) and OURS not in form and ("traitSets" in form or is_template(form))


def is_template(form: object) -> bool:
    """Whether an object is the file of a template: a blank of a sheet, and what is told of it."""
    inner = form.get("character") if isinstance(form, dict) and OURS not in form else None
    return isinstance(inner, dict) and "traitSets" in inner


def is_blank(form: Form) -> bool:
    """Whether a sheet is one to be filled in, and nobody's yet."""
    return is_template(form) or form.get("isTemplate") is True


def read(form: object) -> tuple[Form, ...]:
    """The characters of a file, each as version 0.1 has it. Raises Unreadable or NotAllowed."""
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
    """Every trait of a character or set, parts too, whatever else is wrong with it."""
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
    """A form without the members that are empty: `whole` puts them back."""
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


def whole(form: Any, kind: str = "character") -> Any:
    """A form with all members that version 0.1 wants."""
    if not isinstance(form, dict):
        return form
    fresh = {name: _new(each) for name, each in _DEFAULTS[kind].items()} | form
    for name, inner in _INSIDE[kind].items():
        if isinstance(fresh[name], list):
            fresh[name] = [whole(each, inner) for each in fresh[name]]
        else:
            fresh[name] = whole(fresh[name], inner)
    return fresh


def ours(form: Form) -> Form:
    """What we have kept in an object."""
    held = form["custom"].get(OURS)
    return held if isinstance(held, dict) else {}


def keep(form: Form, name: str, value: object) -> None:
    """Keep something in an object that it has no other place for."""
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
    for name, value in left.items():
        keep(fresh, name, value)
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
