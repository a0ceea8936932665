"""Read actors of Foundry's systems `reign` and `wild-talents-2e`: ratings, special dice and boxes (O1, O7).

What else an actor has is kept as words in the notes: what somebody wrote, and the names of items by kind.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from html import unescape
from itertools import chain, islice
from math import isfinite
from typing import Any

from rules.errors import NotAllowed
from rules.names import CHARACTER_NAME, LABEL, LONGEST, clean, key, key_in
from rules.ore.damage import MOST_BOXES, MOST_PLACES
from rules.ore.model import HEIGHTS, ORE, Boxes, OneRollRating, OreCharacter
from rules.ore.notation import MOST_RATINGS, is_label
from rules.ore.pool import MOST_IN_CROWD, MOST_OF_A_KIND, OrePool, write
from rules.ore.sheet import MOST_NOTES, SKILLS, STATS
from rules.table import Character
from rules.text import truncate

Form = Mapping[str, Any]
SYSTEMS = ("reign", "wild-talents-2e")
"""The ids of the systems whose actors are read."""


LOCATIONS = {
    "head": ("Head", 4),
    "torso": ("Body", 10),
    "armL": ("Left arm", 5),
    "armR": ("Right arm", 5),
    "legL": ("Left leg", 5),
    "legR": ("Right leg", 5),
}
"""The places of an actor by their names in the file, with their labels here and their usual boxes."""


POWERS = "Powers"
"""The group of ratings of a power."""


_MOST_ITEMS = 1000
"""So many items and ratings of an actor are looked at."""


_NO_PLACE = re.compile(r"[\d_,;:]+|^\W+")
_TAG, _SPACE = re.compile(r"<[^<>]*>"), re.compile(r"\s+")
_WORD = re.compile(r"(?<=[a-z])(?=[A-Z])|_")


def is_actor(form: Any) -> bool:
    """Return whether JSON looks like an actor of one of the systems; it may have faults."""
    if not isinstance(form, dict) or not isinstance(form.get("system"), dict):
        return False
    stats, system = form.get("_stats"), form["system"]
    told = stats.get("systemId") if isinstance(stats, dict) else None
    if told:
        return told in SYSTEMS
    return isinstance(system.get("attributes"), dict) and "body" in system["attributes"]


def read_actor(form: Form) -> Character:
    """Return an actor as a character; creatures and mobs are the GM's.

    Raises NotAllowed for an actor without anything to roll, and Unreadable for a name that can't be used.
    """
    system, items, name = form["system"], _dicts(form.get("items"))[:_MOST_ITEMS], name_of(form)
    if form.get("type") == "company" or "qualities" in system:
        raise NotAllowed(
            "{name} is a company. The {gm.one} makes it with this command: /ore company name:{name} "
            "ratings:{ratings}",
            name=name,
            ratings=_qualities(_dict(system, "qualities")),
        )
    is_threat = form.get("type") == "threat" or "threatLevel" in system
    own = _threat(system) if is_threat else _hero(system, items)
    if not (own.ratings or own.members):
        raise NotAllowed("{name} has no ratings in that file, so there's nothing to import.", name=name)
    notes = _notes([*_written(system), *_named(items)])
    return ORE.give(Character(name, gmc=is_threat, notes=notes), own)


def name_of(form: Form) -> str:
    """Return what an actor is called. Raises Unreadable for a name that can't be used."""
    return clean(str(form.get("name", "")) or "Nobody", CHARACTER_NAME, 80)


def _hero(system: Form, items: list[Form]) -> OreCharacter:
    """Stats, skills and powers with their dice, and boxes with what fills them."""
    skills = chain(_named_dicts(system, "skills"), _named_dicts(system, "customSkills"))
    magic = _dict(system, "esoterica")
    rated = chain(
        ((STATS, _words(name), _pool(each)) for name, each in _named_dicts(system, "attributes")),
        ((SKILLS, _label(name, each), _pool(each)) for name, each in skills),
        [(SKILLS, "Sorcery", _pool({**magic, "value": magic.get("sorcery", 0)}))],
        (
            (POWERS, str(each.get("name", "")), _pool(_dict(_dict(each, "system"), "dice")))
            for each in items
            if each.get("type") == "power"
        ),
    )
    return OreCharacter(_ratings(rated), _places(system, items))


def _threat(system: Form) -> OreCharacter:
    """A creature with places of its own, or a mob with a die for each of its members."""
    if not system.get("creatureMode"):
        members = max(2, min(MOST_IN_CROWD, _number(_dict(system, "magnitude").get("value"))))
        return OreCharacter(members=members)
    rated = chain(
        ((STATS, _words(label), _creature(each)) for label, each in _entries(system, "creatureAttributes")),
        ((SKILLS, _label(name, each), _creature(each)) for name, each in _entries(system, "creatureSkills")),
    )
    boxes = dict[str, Boxes]()
    for each in _dicts(system.get("customLocations"))[:MOST_PLACES]:
        label = _place(str(each.get("name") or each.get("key") or ""))
        taken = {height for held in boxes.values() for height in held.heights}
        heights = tuple(sorted({*map(_number, _list(each.get("rollHeights")))} & {*HEIGHTS} - taken))
        made = _filled(Boxes(label, _size(each.get("woundBoxes"), 5), heights, _number(each.get("ar"))), each)
        boxes.setdefault(key_in(boxes, label), made)
    return OreCharacter(_ratings(rated), boxes)


def _place(name: str) -> str:
    """A place's name as a line of boxes can have it: without digits and commas."""
    return " ".join(_NO_PLACE.sub(" ", _plain(name)).split())[:40].strip() or "Body"


def _creature(rating: object) -> OrePool:
    """A rating of a creature: a number of dice, below 0 one of master dice, or dice by their kinds."""
    if isinstance(rating, Mapping):
        return _pool(rating)
    dice = _number(rating, -MOST_OF_A_KIND, MOST_IN_CROWD)
    return OrePool(dice) if dice >= 0 else OrePool(wiggle=-dice)


def _pool(each: Form) -> OrePool:
    """The dice of a rating, however its system writes them."""
    normal = _number(each.get("normal", each.get("value", 0)), most=MOST_IN_CROWD)
    hard, wiggle = (_number(each.get(kind), most=MOST_OF_A_KIND) for kind in ("hard", "wiggle"))
    wiggle = min(MOST_OF_A_KIND, wiggle + (each.get("master") is True))
    return OrePool(normal, hard=hard, wiggle=wiggle, expert=10 if each.get("expert") is True else 0)


def _ratings(rated: Iterable[tuple[str, str, OrePool]]) -> dict[str, OneRollRating]:
    found = dict[str, OneRollRating]()
    for group, label, pool in islice(rated, _MOST_ITEMS):
        dice = write(pool)
        name = _plain(label)[:LONGEST].strip()
        if dice != "0d" and name and len(found) < MOST_RATINGS:
            name = _typable(clean(name, LABEL))
            found.setdefault(key_in(found, name), OneRollRating(name, dice, group))
    return found


def _typable(name: str) -> str:
    """The name of a rating as a sheet can have it, so without dice and quotation marks."""
    return name if is_label(name) else " ".join(re.findall(r"[^\W\d_]+", name)) or "Rating"


def _places(system: Form, items: list[Form]) -> dict[str, Boxes]:
    """The boxes of a person, with what armour stops there."""
    health, modifiers = _dict(system, "health"), _dict(system, "modifiers")
    found = dict[str, Boxes]()
    for name, (label, usual) in LOCATIONS.items() if health else ():
        size = max(1, min(MOST_BOXES, usual + _number(_dict(modifiers, "healthMax").get(name), -usual)))
        worn = [_dict(each, "system") for each in items if each.get("type") == "armor"]
        stops = [
            _number(each.get("ar", each.get("har")))
            for each in worn
            if each.get("equipped") is True and _dict(each, "protectedLocations").get(name) is True
        ]
        natural = _number(
            _dict(modifiers, "naturalArmor").get(name, _dict(modifiers, "naturalHAR").get(name))
        )
        armour = min(MOST_BOXES, max(stops, default=0) + natural)
        found[key(label)] = _filled(Boxes(label, size, armour=armour), _dict(health, name))
    return found


def _filled(boxes: Boxes, state: Form) -> Boxes:
    """Boxes with what fills them in Foundry."""
    killing = min(boxes.size, _number(state.get("killing")))
    shock = min(boxes.size - killing, _number(state.get("shock")))
    return Boxes(boxes.label, boxes.size, boxes.heights, boxes.armour, shock, killing)


def _size(given: object, usual: int) -> int:
    return max(1, min(MOST_BOXES, _number(given) or usual))


def _qualities(qualities: Form) -> str:
    rated = [f"{name} {_number(_dict(qualities, name).get('value'))}" for name in qualities]
    return ", ".join(rated) or "might 1"


def _written(system: Form) -> Iterator[str]:
    """What somebody wrote about the actor, each thing on a line."""
    told = [
        *_entries(system, "biography"),
        *((name, system.get(name)) for name in ("description", "specialRules")),
    ]
    for name, said in told:
        text = said.get("description") if isinstance(said, Mapping) else said
        if isinstance(text, str) and (plain := _plain(text)):
            yield f"{_words(name)}: {plain}"


def _named(items: list[Form]) -> Iterator[str]:
    """The names of what the actor has, by kind; powers are ratings."""
    kinds = dict[str, list[str]]()
    for each in items:
        kind, name = str(each.get("type", "")), _plain(str(each.get("name", "")))
        if kind and name and kind != "power":
            kinds.setdefault(kind, []).append(name)
    for kind, names in kinds.items():
        yield f"{_words(kind)}: {', '.join(names)}"


def _notes(lines: Iterable[str]) -> str:
    return truncate("\n".join(lines), MOST_NOTES)


def _plain(text: str) -> str:
    """Text without HTML, on one line."""
    return _SPACE.sub(" ", unescape(_TAG.sub(" ", text))).strip()


def _label(name: str, each: object) -> str:
    """What a skill is called: by a label of its own, else by its name in the file."""
    own = (each.get(part) for part in ("label", "customLabel", "name")) if isinstance(each, Mapping) else ()
    return next((label for label in own if isinstance(label, str) and label.strip()), _words(name))


def _words(name: str) -> str:
    """A name of a file as words.

    >>> _words("languageNative"), _words("taste_touch_smell")
    ('Language native', 'Taste touch smell')
    """
    return " ".join(_WORD.sub(" ", name).split()).capitalize()


def _number(given: object, least: int = 0, most: int = MOST_BOXES) -> int:
    """A whole number from `least` to `most`; 0 for anything that isn't a number."""
    if isinstance(given, bool) or not isinstance(given, int | float) or not isfinite(given):
        return 0
    return max(least, min(most, int(given)))


def _dict(form: Form, name: str) -> Form:
    found = form.get(name)
    return found if isinstance(found, dict) else {}


def _entries(form: Form, name: str) -> Iterable[tuple[str, object]]:
    return ((str(label), each) for label, each in _dict(form, name).items())


def _named_dicts(form: Form, name: str) -> list[tuple[str, Form]]:
    return [(label, each) for label, each in _entries(form, name) if isinstance(each, dict)]


def _dicts(found: object) -> list[Form]:
    return [each for each in _list(found) if isinstance(each, dict)]


def _list(found: object) -> list[Any]:
    return found if isinstance(found, list) else []
