"""Upgrade stored states and facts of older versions.

When a field is renamed or a default changes, raise `VERSION` and add the function that upgrades from the
previous version: to `LIFTS` for tables, to `FACT_LIFTS` for facts. All of them work on plain data, and are
never changed afterwards.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

VERSION = 8
"""The version of the shape that is written now."""

Form = dict[str, Any]
"""A table as plain dicts, lists and scalars, with nothing left out but its number."""

Lifts = Mapping[int, Callable[[Form], Form]]
"""For each old version, how to make the next one of it; works on the plain dict."""


def _with_settings_of_their_own(form: Form) -> Form:
    """Version 2: what names of trait sets, and the ruleset's own name, used to say are settings."""
    rolls = {number: _settled(roll, "rules") for number, roll in (form.get("rolls") or {}).items()}
    return _settled(form, "ruleset") | ({"rolls": rolls} if rolls else {})


_HEROIC_SETS = ("Distinctions", "Aptitudes", "Abilities", "Tier")
_EMPIRE_SETS = ("Distinctions", "Attributes", "Skills", "Resources", "Signature assets")


def _settled(form: Form, place: str) -> Form:
    rules: Form | None = form.get(place)
    if not rules:
        return form
    sets = {
        ("Affiliations or aptitudes", "Distinctions", "Ability sets", "Tier"): _HEROIC_SETS,
        ("Distinctions", "Attributes", "Skills", "Resources or signature assets"): _EMPIRE_SETS,
    }
    old = rules.get("trait_sets")
    fresh: Form = {"lone_die": rules.get("name") == "heroic"}
    if old:
        names = [str(name).casefold() for name in old]
        is_one = any("resources" in name and "signature assets" in name for name in names)
        fresh |= {"resource_or_signature": is_one, "trait_sets": list(sets.get(tuple(old), tuple(old)))}
    return form | {place: rules | fresh}


def _with_facts_after(form: Form) -> Form:
    """Version 3: what followed from a roll is facts; what was said before stays as it was said."""
    rolls = {number: _followed(roll) for number, roll in (form.get("rolls") or {}).items()}
    return form | ({"rolls": rolls} if rolls else {})


def _followed(roll: Form) -> Form:
    after: Mapping[str, str] = roll.get("after") or {}
    said = {
        step: [{"fact": "Line", "text": line} for line in text.split("\n")] for step, text in after.items()
    }
    return roll | ({"after": said} if said else {})


_BEND_NO_RULE = ("dice", "zone", "pace", "deadline")


def _with_settings_apart(form: Form) -> Form:
    """Version 4: what bends no rule is no ruleset's; what a ruleset lost after a roll stands by step.

    Costs and benefits of SFX that were mere words, and mean something now, stay words.
    """
    rules: Form = form.get("ruleset") or {}
    people = {who: _with_words(each) for who, each in (form.get("characters") or {}).items()}
    form = form | ({"characters": people} if people else {})
    fresh = form | {"settings": {name: rules[name] for name in _BEND_NO_RULE if name in rules}}
    rolls = {number: dict(roll) for number, roll in (form.get("rolls") or {}).items()}
    later = _bending(rules)
    changes: Form = {}
    # From the last one back: the rules that a roll held are those before the next change.
    for number in sorted(rolls, key=int, reverse=True):
        had = rolls[number].pop("rules", None)
        held = later if had is None else _bending(had)
        if held != later:
            changes[str(int(number) + 1)] = {"before": held, "after": later}
        later = held
        if traded := rolls[number].pop("traded", 0):  # now an effect die beyond those that are bought
            hand = dict(rolls[number].get("hand") or {})
            rolls[number]["hand"] = hand | {"effects_bought": hand.get("effects_bought", 0) - traded}
    return fresh | {"ruleset": _bending(rules), "rolls": rolls, "rule_changes": changes}


_ONCE_WORDS = re.compile(
    "total|(?:one more|another) die in the total|effect up|remove .*|use opportunity|"
    "(?:a |hand over a |hand the gm a )?hitch",
    re.IGNORECASE,
)


def _with_words(character: Form) -> Form:
    """A character with SFX whose mere words have quotation marks where they would mean something now."""
    sfx = {
        name: each
        | {
            part: [f'"{text}"' if _ONCE_WORDS.fullmatch(text) else text for text in each[part]]
            for part in ("benefit", "cost")
            if part in each
        }
        for name, each in (character.get("sfx") or {}).items()
    }
    return character | ({"sfx": sfx} if sfx else {})


def _bending(rules: Form) -> Form:
    """What of a ruleset bends a rule."""
    return {name: value for name, value in rules.items() if name not in _BEND_NO_RULE}


def _as_it_is(form: Form) -> Form:
    """Version 5: kinds of facts have tags; what they were called before is read as well."""
    return form


_OF_CORTEX = (
    *("ruleset", "rule_changes", "doom", "gm_pp", "crises", "challenges", "contests", "pools", "order"),
    *("split", "rolls", "hidden", "last_pools"),
)
_OWN_OF_CORTEX = (
    *("rank", "pp", "sheet", "pool", "hero", "distinctions", "assets", "complications", "stress", "trauma"),
    *("resources", "sfx", "kept", "xp", "milestones"),
)


def _with_games_apart(form: Form) -> Form:
    """Version 6: what only one game has is in its part of the table, and of each character."""
    fresh = _parted(form, _OF_CORTEX, {"ore": "rolls"})
    if scenery := form.get("scenery"):
        fresh["scenery"] = _parted(scenery, _OWN_OF_CORTEX, {"ratings": "ratings"})
    if people := form.get("characters"):
        fresh["characters"] = {
            who: _parted(one, _OWN_OF_CORTEX, {"ratings": "ratings"}) for who, one in people.items()
        }
    return fresh


def _parted(form: Form, cortex: Iterable[str], ore: Mapping[str, str]) -> Form:
    """Something of version 5 with what each game has in a part of its own."""
    parts = {
        "cortex": {name: form[name] for name in cortex if name in form},
        "ore": {now: form[name] for name, now in ore.items() if name in form},
    }
    left = {name: value for name, value in form.items() if name not in (*cortex, *ore)}
    return left | {"games": {name: part for name, part in parts.items() if part}}


def _with_rest(form: Form) -> Form:
    """Version 7: stress rests at one of several times, resources may be apart; both were on or off."""
    cortex: Form = (form.get("games") or {}).get("cortex") or {}
    fresh = dict(cortex)
    if "ruleset" in cortex:
        fresh["ruleset"] = _rested(cortex["ruleset"])
    if changes := cortex.get("rule_changes"):
        fresh["rule_changes"] = {
            step: {when: _rested(rules) for when, rules in change.items()} for step, change in changes.items()
        }
    return form | {"games": {**form["games"], "cortex": fresh}} if cortex else form


def _rested(rules: Form) -> Form:
    """The settings of version 6 as those of version 7."""
    left = {name: value for name, value in rules.items() if name not in ("stress_eases", "resources")}
    rest = {"rest": "scene end"} if rules.get("stress_eases") else {}
    resources = {"resources": "on" if rules["resources"] else "off"} if "resources" in rules else {}
    return left | rest | resources


def _with_shared_xp(form: Form) -> Form:
    """Version 8: XP belongs to a character in every game; a crowd's members are all that it has."""
    fresh = dict(form)
    if isinstance(people := form.get("characters"), dict):
        fresh["characters"] = {who: _with_own_xp(each) for who, each in people.items()}
    if "scenery" in form:
        fresh["scenery"] = _with_own_xp(form["scenery"])
    return fresh


def _with_own_xp(character: Any) -> Any:
    """A character of version 7, or what stands in its place in a file, with its XP outside of Cortex."""
    games = character.get("games") if isinstance(character, dict) else None
    if not isinstance(games, dict):
        return character
    fresh = dict(games)
    xp = 0
    if isinstance(cortex := games.get("cortex"), dict) and "xp" in cortex:
        fresh["cortex"] = {name: value for name, value in cortex.items() if name != "xp"}
        xp = cortex["xp"]
    if isinstance(ore := games.get("ore"), dict) and ore.get("members"):
        fresh["ore"] = {name: value for name, value in ore.items() if name != "ratings"}
    return character | {"games": fresh} | ({"xp": xp} if xp else {})


LIFTS: Lifts = {
    1: _with_settings_of_their_own,
    2: _with_facts_after,
    3: _with_settings_apart,
    4: _as_it_is,
    5: _with_games_apart,
    6: _with_rest,
    7: _with_shared_xp,
}
FACT_LIFTS: Lifts = {}
"""For old versions, how to make the next one of a fact; those that changed none are not here."""


def lifted(found: Any, old: int, version: int, lifts: Lifts) -> Any:
    """Upgrade a fact of an old version, facts inside it first; other data is returned as it is."""
    if not isinstance(found, Mapping):
        return found
    fact = dict(found)
    if isinstance(held := fact.get("facts"), list):
        fact["facts"] = [lifted(each, old, version, lifts) for each in held]
    if isinstance(roll := fact.get("roll"), Mapping):
        fact["roll"] = _with_lifted(dict(roll), old, version, lifts)
    for number in range(old, version):
        fact = lifts[number](fact) if number in lifts else fact
    return fact


def _with_lifted(roll: Form, old: int, version: int, lifts: Lifts) -> Form:
    """A roll, what followed from it lifted."""
    after = roll.get("after")
    if not isinstance(after, Mapping):
        return roll
    return roll | {"after": {n: [lifted(f, old, version, lifts) for f in of] for n, of in after.items()}}


def is_lifted(old: int, version: int, lifts: Lifts) -> bool:
    """Return whether facts changed between two versions."""
    return any(number in lifts for number in range(old, version))


def lift(form: Form, old: int, version: int = VERSION, lifts: Lifts = LIFTS, of: Lifts = FACT_LIFTS) -> Form:
    """Upgrade a table of an old version. Raises KeyError if that version has no upgrade."""
    for number in range(old, version):
        form = lifts[number](form)
    if not is_lifted(old, version, of):
        return form
    games = form.get("games") or {}
    return form | {
        "games": {name: _with_lifted_rolls(part, old, version, of) for name, part in games.items()}
    }


def _with_lifted_rolls(part: Form, old: int, version: int, lifts: Lifts) -> Form:
    """A game's part of a table, what followed from its rolls lifted."""
    held = {place: part[place] for place in ("rolls", "hidden") if part.get(place)}
    return part | {
        place: {n: _with_lifted(roll, old, version, lifts) for n, roll in rolls.items()}
        for place, rolls in held.items()
    }
