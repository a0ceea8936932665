"""Change Cortex settings, and hide or drop what the new ones have no place for."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from rules.campaign.lifecycle import RULESET, setting_value
from rules.cortex import gm_pools, points
from rules.cortex.model import CORTEX
from rules.cortex.pool_text import read_dice
from rules.cortex.roll_status import with_rules
from rules.cortex.ruleset import (
    ANY_SIZE,
    PROFILES,
    ComplicationsPay,
    EffectBy,
    HitchesBuy,
    Opposition,
    ResourceUse,
    Ruleset,
)
from rules.dice import write_dice
from rules.errors import PossibleAnswer, SettingOff, Undecided, Unreadable
from rules.facts import SettingsKept
from rules.game import Step
from rules.names import fold, shortened
from rules.settings import Setting, settings_of
from rules.table import Character, Table
from rules.text import SEMICOLON, Row, Words
from rules.values import Value, exhaustive, replace


def switched_off(table: Table, rules: Ruleset) -> dict[Words, list[str]]:
    """Return what these rules have no place for: lists of names, keyed by the words for what it is.

    Nothing is deleted: it is hidden, and returns with a ruleset that has a place for it.
    """
    now = CORTEX.of(table).ruleset
    words = {each.field: each.about.asks for each in SETTINGS.values()}
    found = {words[field]: in_play(table, now, rules) for field, in_play in _IN_PLAY.items()}
    return {what: names for what, names in found.items() if what and names}


def _sets(table: Table, now: Ruleset, then: Ruleset) -> list[str]:
    """The trait sets that are dropped while sheets have traits of them."""
    in_sets = {trait.set for one in _people(table) for trait in CORTEX.has(one).sheet.values()}
    return [each for each in dropped(now.trait_sets, then.trait_sets) if each in in_sets]


def _harmed(table: Table, now: Ruleset, then: Ruleset) -> list[str]:
    """The tracks that are dropped while somebody has stress or trauma on them."""
    people = map(CORTEX.has, _people(table))
    tracks = {fold(track) for own in people for track in (*own.stress, *own.trauma)}
    return [each for each in dropped(now.stress, then.stress) if fold(each) in tracks]


def _doom(table: Table, now: Ruleset, then: Ruleset) -> list[str]:
    is_off = now.doom and not then.doom and CORTEX.of(table).doom
    return [write_dice(gm_pools.doom_dice(table))] if is_off else []


def _crises(table: Table, now: Ruleset, then: Ruleset) -> list[str]:
    is_off = now.crisis and not then.crisis
    return [each.name for each in CORTEX.of(table).crises.values()] if is_off else []


def _challenges(table: Table, now: Ruleset, then: Ruleset) -> list[str]:
    is_off = now.challenges and not then.challenges
    return [each.name for each in CORTEX.of(table).challenges.values()] if is_off else []


def _resources(table: Table, now: Ruleset, then: Ruleset) -> list[str]:
    is_off = now.has_resources and not then.has_resources
    return [each.name for each in _people(table) if CORTEX.has(each).resources] if is_off else []


def _hero_dice(table: Table, now: Ruleset, then: Ruleset) -> list[str]:
    if not now.has_hero_dice or then.has_hero_dice:
        return []
    return [
        f"{each.name} {write_dice(points.dice(each))}" for each in _people(table) if CORTEX.has(each).hero
    ]


def _people(table: Table) -> list[Character]:
    return [*table.characters.values(), table.scenery]


def dropped(before: tuple[str, ...], after: tuple[str, ...]) -> list[str]:
    """Return the names that are no longer listed in any spelling, in their old order.

    >>> dropped(("Mind", "Body", "Soul"), ("mind", "Soul"))
    ['Body']
    """
    left = set(map(fold, after))
    return [name for name in before if fold(name) not in left]


class Need(Value):
    """What a setting, or only these `values` of it, needs: that another setting has a certain value."""

    other: str
    value: str
    """The value that works, as it is typed."""
    is_met: Callable[[Ruleset], bool]
    values: tuple[object, ...] = ()


def _has_one_of_two(rules: Ruleset) -> bool:
    """Whether resources and signature assets can both be in a pool, or the latter count as assets (D3)."""
    return rules.resources is ResourceUse.ON or "signature assets" not in map(fold, rules.trait_sets)


_DOOM = Need("doom pool", "on", lambda rules: rules.doom)
_EFFECT = Need("effect", "die", lambda rules: rules.effect is EffectBy.DIE)
_NEEDS: Mapping[str, Need] = {
    "difficulties": Need("opposition", "static", lambda rules: rules.opposition is Opposition.STATIC),
    "opposition": replace(_DOOM, values=(Opposition.DOOM,)),
    "hitches buy": replace(_DOOM, values=(HitchesBuy.DOOM, HitchesBuy.EITHER)),
    "doom at the start of an act": _DOOM,
    "doom over acts": _DOOM,
    "complications pay": Need(
        "hitches buy",
        str(HitchesBuy.EITHER),
        lambda rules: rules.hitches_buy is not HitchesBuy.DOOM,
        (ComplicationsPay.EACH,),
    ),
    "rest": Need("stress tracks", "on", lambda rules: bool(rules.stress)),
    "one of resources and signature assets": Need("resources", "on", _has_one_of_two),
    "fixed total": Need("statements", "on", lambda rules: rules.statements),
    "one die alone": _EFFECT,
    "effect with no die left": _EFFECT,
}
"""Settings that do nothing unless another one has a certain value."""


def require_effective(ruleset: Ruleset, name: str) -> None:
    """Check that a changed setting does something in this ruleset; back to its usual value it always goes.

    Raises SettingOff with the setting that it depends on.
    """
    need = _NEEDS.get(name)
    if need is None or need.is_met(ruleset):
        return
    field = SETTINGS[name].field
    value = getattr(ruleset, field)
    if value == getattr(PROFILES[ruleset.name], field) or (need.values and value not in need.values):
        return
    needed = Words("on") if need.value == "on" else need.value
    if need.values:
        raise SettingOff(
            'The setting "{name}" can only be "{shown}" if "{other}" is "{needed}".',
            setting=need.other,
            value=need.value,
            name=name,
            shown=str(value),
            other=need.other,
            needed=needed,
        )
    raise SettingOff(
        'The setting "{name}" does nothing unless "{other}" is "{needed}".',
        setting=need.other,
        value=need.value,
        name=name,
        other=need.other,
        needed=needed,
    )


def require_agreed(table: Table, after: Table, name: str, agreed: Collection[str]) -> None:
    """Ask before a change drops listed names or takes something out of play.

    Raises Undecided to ask, and SettingOff for a setting that would do nothing.
    """
    now, then = CORTEX.of(table).ruleset, CORTEX.of(after).ruleset
    require_effective(then, name)
    gone: list[str] = []
    if name != RULESET:
        gone = dropped(now.trait_sets, then.trait_sets)
        gone += dropped(now.stress, then.stress)
    if not gone:
        _require_all_agreed(table, after, name, agreed)
        return
    new = setting_value(after, name)
    sign = f"set {name} {new} without {Row(gone)}"
    if sign not in agreed:
        raise Undecided(
            "Changing {name} from {shown} to {new} removes {gone}. Sheets keep what they have.",
            PossibleAnswer(Words("Set {name}", name=name), sign),
            name=name,
            shown=setting_value(table, name),
            new=new,
            gone=Row(gone),
        )


def _require_all_agreed(table: Table, after: Table, name: str, agreed: Collection[str]) -> None:
    """Ask before another ruleset or setting puts out of play what is in it, of every kind."""
    off = switched_off(table, CORTEX.of(after).ruleset)
    kinds = [Words("{what} ({names})", what=what, names=Row(shortened(names))) for what, names in off.items()]
    new, gone = setting_value(after, name), Row(kinds, SEMICOLON, SEMICOLON)
    sign = f"set {name} {new} without {gone}"
    if off and sign not in agreed:
        raise Undecided(
            "Changing the {name} from {shown} to {new} takes this out of play: {gone}. Nothing is "
            "deleted: everything returns when a ruleset or setting allows it.",
            PossibleAnswer(Words("Set {name}", name=name), sign),
            name=Words("ruleset") if name == RULESET else Words("setting {name}", name=name),
            shown=setting_value(table, name),
            new=new,
            gone=gone,
        )


def table_by_profile(table: Table, blank: Table) -> Table:
    """Return the blank table with the settings that the profile of the table's ruleset has."""
    return CORTEX.put(blank, replace(CORTEX.of(blank), ruleset=PROFILES[CORTEX.of(table).ruleset.name]))


def changed_by_hand(table: Table, name: str) -> Step:
    """Return a step that tells which settings, changed by hand, a new profile has left alone."""
    kept = _bent(CORTEX.of(table).ruleset) if name == RULESET else []
    facts = (SettingsKept(tuple((each, setting_value(table, each)) for each in kept)),) if kept else ()
    return Step(table, facts)


def _ruleset(table: Table) -> Ruleset:
    return CORTEX.of(table).ruleset


def with_profile(table: Table, name: str) -> Table:
    """Return the table with another profile, and the single settings that were changed by hand."""
    before, profile = CORTEX.of(table).ruleset, PROFILES[name]
    if profile.name == before.name:
        return table
    fields = [SETTINGS[name].field for name in _bent(before)]
    kept: dict[str, Any] = {field: getattr(before, field) for field in fields}
    return with_rules(table, replace(profile, **kept))


def _bent(ruleset: Ruleset) -> list[str]:
    """The settings in which a ruleset is not its profile."""
    profile = PROFILES[ruleset.name]
    return [
        name
        for name, each in SETTINGS.items()
        if getattr(ruleset, each.field) != getattr(profile, each.field)
    ]


def _dice(typed: str) -> tuple[int, ...]:
    sizes = read_dice(
        typed, ANY_SIZE, asks=False
    )  # what has a size off the table's list lies there and rolls (N13)
    if min(sizes, default=6) < 6:
        raise Unreadable("The {doom_pool.one} can't hold a d4. Use d6 or larger.")
    return tuple(sorted(sizes))


SETTINGS: Mapping[str, Setting] = settings_of(
    Ruleset, _ruleset, with_rules, others=("name",), parsers={"doom_start": _dice}
)
"""Every setting of Cortex by the name that people see."""


_IN_PLAY: Mapping[str, Callable[[Table, Ruleset, Ruleset], list[str]]] = exhaustive(
    {each.field: each for each in SETTINGS.values() if each.about.asks},
    {
        "trait_sets": _sets,
        "stress": _harmed,
        "doom": _doom,
        "crisis": _crises,
        "challenges": _challenges,
        "resources": _resources,
        "heroic": _hero_dice,
    },
)
"""The names of what is in play by one ruleset and not by the next, by the field that its setting has."""
