"""What stands on an actor's sheet in Foundry, as version 0.1 of the Cortex Toolkit has it.

Foundry numbers what others list: `{"0": …, "1": …}`. Each object is opened and emptied; what nobody takes out
of it is kept where it stood, under `custom.doomkeeper.foundry`.
"""

import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from rules.cortex.carry import toolkit_form as forms
from rules.cortex.carry.toolkit_form import Form
from rules.cortex.carry.toolkit_taken import TAKEN, Taken
from rules.kinds import key

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


class Opened:
    """An object of a file that is emptied piece by piece; what nobody takes is kept."""

    def __init__(self, form: Form, settings: Form | None = None) -> None:
        self.left = dict(form)
        self.settings = settings or {}

    def shows(self, setting: str) -> bool:
        """Whether such a thing is seen in Foundry; what is not stays where it is."""
        return self.settings.get(setting) is not False

    def text(self, name: str) -> str:
        """A text, or a number as one."""
        given = self.left.get(name)
        if isinstance(given, str) or (isinstance(given, int | float) and not isinstance(given, bool)):
            del self.left[name]
            return str(given).strip()
        return ""

    def inner(self, name: str) -> "Opened":
        """An object in it, which is to be put back."""
        given = self.left.get(name)
        return Opened(self.left.pop(name) if isinstance(given, dict) else {})

    def put_back(self, name: str, inner: "Opened") -> None:
        """Keep what is left of an inner object."""
        if rest := inner.rest():
            self.left[name] = rest

    def objects(self, name: str, settings: Form | None = None) -> "list[Opened]":
        """The numbered objects of that name; what among them is none is kept."""
        if not isinstance(self.left.get(name), dict | list):
            return []
        found = numbered(self.left.pop(name))
        self.left[name] = [each for each in found if not isinstance(each, dict) and not _is_nothing(each)]
        return [Opened(each, settings) for each in found if isinstance(each, dict)]

    def put_back_all(self, name: str, inner: "Sequence[Opened]") -> None:
        """Keep what is left of numbered objects, as one list."""
        if rests := [rest for each in inner if (rest := each.rest())]:
            self.left[name] = [*self.left[name], *rests]

    def rest(self) -> Form:
        """What nobody took: what is empty or not ticked is nothing, as it is to Foundry."""
        return {name: each for name, each in self.left.items() if not _is_nothing(each)}

    def custom(self) -> Form:
        """What is kept, as version 0.1 has it."""
        rest = self.rest()
        return {forms.OURS: {OF_FOUNDRY: rest}} if rest else {}


def _is_nothing(given: object) -> bool:
    return given is None or given is False or given in ("", [], {})


def numbered(given: Any) -> list[Any]:
    """What stands in a list, or in an object by numbers, in their order."""
    if isinstance(given, list):
        return given
    rows = sorted(given.items(), key=lambda row: (0, int(row[0])) if _is_number(row[0]) else (1, 0))
    return [each for _, each in rows]


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def trait_sets(kind: Opened) -> list[Form]:
    """All that has dice: the trait sets, the simple traits, and the assets and complications of play."""
    return [
        *map(_set, kind.objects("traitSets")),
        *_simple_sets(kind),
        *_own_set(kind, "assets", "Asset"),
        *_own_set(kind, "complications", "Complication"),
    ]


def notes(kind: Opened) -> str:
    """The pages of notes and those of further tabs, each below its title; what stands in them is HTML."""
    said = _pages(kind, "")
    tabs = kind.objects("additionalTabs")
    for tab in tabs:
        name = tab.left.get("name")
        said += _pages(tab, name if isinstance(name, str) and not _NOTES.fullmatch(name) else "")
    kind.put_back_all("additionalTabs", tabs)
    return "\n".join(said)


def _pages(of: Opened, tab: str) -> list[str]:
    """The pages of notes of a sheet or of a tab, which has its name before their titles."""
    pages = of.objects("notes")
    said = [(page.text("label"), page.text("value")) for page in pages]
    of.put_back_all("notes", pages)
    titles = [label if key(label) == key(tab) else ": ".join(filter(None, (tab, label))) for label, _ in said]
    heads = [f"<h3>{escape(title, quote=False)}</h3>" if title else "" for title in titles]
    return [f"{head}{text}" for head, (_, text) in zip(heads, said, strict=True)]


def _set(one: Opened) -> Form:
    given = one.left.get("settings")
    settings = given if isinstance(given, dict) else {}
    traits = [*one.objects("traits", settings), *one.objects("customTraits", settings)]
    return {
        "name": one.text("label"),
        "description": one.text("description"),
        "traits": [_trait(each) for each in traits],
        "custom": one.custom(),
    }


def _own_set(kind: Opened, name: str, noun: str) -> Iterator[Form]:
    """The assets or complications of play, as a set of that noun."""
    if traits := [_trait(each) for each in kind.objects(name)]:
        yield {"name": f"{noun}s", "nounSingular": noun, "nounPlural": f"{noun}s", "traits": traits}


def _simple_sets(kind: Opened) -> Iterator[Form]:
    """The traits that stand in no set; a number of XP is counted as that."""
    simple: list[Form] = []
    xp: list[Form] = []
    for one in kind.objects("simpleTraits"):
        given = one.left.get("settings")
        way = given.get("valueType") if isinstance(given, dict) else None
        if way in _VALUES:
            one.settings = {f"has{name.title()}": name == way for name in _VALUES}
        is_xp = key(str(one.left.get("label"))) in TAKEN[Taken.XP].nouns and way == "number"
        (xp if is_xp else simple).append(_trait(one, is_xp=is_xp))
    for name, traits in (("Simple traits", simple), ("XP", xp)):
        if traits:
            yield {"name": name, "traits": traits}


def _trait(one: Opened, *, is_xp: bool = False) -> Form:
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


def _called(one: Opened) -> tuple[str, list[str]]:
    """What a trait is called, and what its place on the sheet is called where that says more."""
    label = one.text("label") if one.shows("hasLabel") else ""
    slot = one.left.get("name")
    if not label:
        return one.text("name"), []
    if isinstance(slot, str) and _SLOT.fullmatch(slot):
        return label, []
    return label, [one.text("name")]


def _dice(one: Opened) -> Form:
    """One die as `value`, several as `dice` too."""
    given = one.left.get("dice")
    if given is None or not one.shows("hasDice"):
        return {}
    del one.left["dice"]
    value = given
    if isinstance(given, dict):
        value = given.get("value")
        one.left[DICE] = {name: each for name, each in given.items() if name != "value"}
    each = numbered(value) if isinstance(value, dict | list) else [value]
    sizes = [_size(die) for die in each if not _is_nothing(die)]
    return {"value": sizes[0], "dice": sizes} if len(sizes) > 1 else {"value": sizes[0] if sizes else 0}


def _size(die: Any) -> Any:
    match = _DIE.fullmatch(die) if isinstance(die, str) else None
    return int(match[1]) if match else die


def _number(one: Opened) -> str:
    """A number, with the most that it can be where there is that."""
    held = one.inner("number")
    said, most = held.text("value"), held.text("max")
    one.put_back("number", held)
    return f"{said or '-'}/{most}" if most else said


def _value(one: Opened) -> str:
    held = one.inner("text")
    said = held.text("value")
    one.put_back("text", held)
    return said


def _descriptors(one: Opened) -> list[str]:
    """What describes a trait beside its die, such as `Ward: salt`."""
    found = one.objects("descriptors") if one.shows("hasDescriptors") else []
    said = [": ".join(filter(None, (each.text("label"), each.text("value")))) for each in found]
    one.put_back_all("descriptors", found)
    return said


def _effect(one: Opened) -> Form:
    """An SFX; one that is not yet unlocked says so."""
    found: Form = {"name": one.text("label"), "description": one.text("description")}
    is_locked = one.left.get("unlocked") is False
    if isinstance(one.left.get("unlocked"), bool):
        del one.left["unlocked"]
    found["custom"] = one.custom()
    if is_locked:
        forms.keep(found, forms.LOCKED, value=True)
    return found
