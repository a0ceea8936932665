"""Change Cortex settings, and hide or drop what the new ones have no place for."""

import re
from collections.abc import Collection, Mapping
from enum import StrEnum
from itertools import pairwise
from typing import Any

from rules.campaign.lifecycle import RULESET, setting_value
from rules.cortex import gm_pools, points
from rules.cortex.model import CORTEX
from rules.cortex.points import MOST
from rules.cortex.pool_text import read_dice
from rules.cortex.roll_status import with_rules
from rules.cortex.ruleset import (
    ANY_SIZE,
    PROFILES,
    STRESS_TRACKS,
    ComplicationsPay,
    EffectBy,
    Heroic,
    HitchesBuy,
    HitchOn,
    NoDieLeft,
    Opportunities,
    Opposition,
    PastD12,
    PushStress,
    ResourceUse,
    Rest,
    Ruleset,
    StepUpD12,
)
from rules.dice import ALL_SIZES, dice_named, write_dice
from rules.errors import PossibleAnswer, Undecided, Unreadable
from rules.facts import SettingsKept
from rules.game import Step
from rules.names import find, key, shortened
from rules.settings import (
    Read,
    Renamed,
    Setting,
    SettingInput,
    Write,
    between,
    choice,
    names,
    number,
    on_off,
    switch,
    write_names,
)
from rules.table import Table
from rules.text import SEMICOLON, Row, Words, shorten
from rules.values import replace


def switched_off(table: Table, rules: Ruleset) -> dict[Words, list[str]]:
    """Return what these rules have no place for: lists of names, keyed by the words for what it is.

    Nothing is deleted: it is hidden, and returns with a ruleset that has a place for it.
    """
    here = CORTEX.of(table)
    now, people = here.ruleset, [*table.characters.values(), table.scenery]
    in_sets = {trait.set for one in people for trait in CORTEX.has(one).sheet.values()}
    tracks = {track for one in people for track in (*CORTEX.has(one).stress, *CORTEX.has(one).trauma)}
    found = {
        Words("trait sets"): [each for each in dropped(now.trait_sets, rules.trait_sets) if each in in_sets],
        Words("{stress.one} tracks"): [
            each for each in dropped(now.stress, rules.stress) if key(each) in tracks
        ],
    }
    if now.doom and not rules.doom and here.doom:
        found[Words("{doom_pool.one}")] = [write_dice(gm_pools.doom_dice(table))]
    if now.crisis and not rules.crisis:
        found[Words("{crisis.one} pools")] = [each.name for each in here.crises.values()]
    if now.challenges and not rules.challenges:
        found[Words("{challenge.many}")] = [each.name for each in here.challenges.values()]
    if now.has_resources and not rules.has_resources:
        found[Words("resources")] = [each.name for each in people if CORTEX.has(each).resources]
    if now.has_hero_dice and not rules.has_hero_dice:
        found[Words("{hero_die.many}")] = [
            f"{each.name} {write_dice(points.dice(each))}" for each in people if CORTEX.has(each).hero
        ]
    return {what: names for what, names in found.items() if names}


def dropped(before: tuple[str, ...], after: tuple[str, ...]) -> list[str]:
    """Return the names that are no longer listed, in their old order; case doesn't matter.

    >>> dropped(("Mind", "Body", "Soul"), ("mind", "Soul"))
    ['Body']
    """
    left = {name.casefold() for name in after}
    return [name for name in before if name.casefold() not in left]


_SIZE = re.compile("[dD]?([0-9]{1,2})")


def require_agreed(table: Table, after: Table, name: str, agreed: Collection[str]) -> None:
    """Ask before a change drops listed names or takes something out of play. Raises Undecided to ask."""
    now, then = CORTEX.of(table).ruleset, CORTEX.of(after).ruleset
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


def _profile(typed: str) -> Ruleset:
    return PROFILES[find(typed, PROFILES, Words("ruleset"))]


def _ruleset(table: Table) -> Ruleset:
    return CORTEX.of(table).ruleset


def _name(ruleset: Ruleset) -> str:
    return ruleset.name


def _with_profile(table: Table, profile: Ruleset) -> Table:
    """The table with another profile, and the single settings that were changed by hand."""
    before = CORTEX.of(table).ruleset
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
        if name != RULESET and getattr(ruleset, each.field) != getattr(profile, each.field)
    ]


def _heroic(typed: str) -> object:
    """What a heroic success gives; `both` is hero dice and effect (R7, Z1)."""
    is_both = typed.strip().casefold() == "both"
    return choice(Heroic)(Heroic.HERO_DICE if is_both else typed)


def _resources(typed: str) -> object:
    """Whether there are resources; `yes` and `no` do as for a switch (C2, N22)."""
    word = typed.strip().casefold()
    is_said = {"yes": ResourceUse.ON, "true": ResourceUse.ON, "no": ResourceUse.OFF, "false": ResourceUse.OFF}
    return is_said.get(word) or choice(ResourceUse)(typed)


def _rest_or_not(typed: str) -> Rest:
    """Whether stress steps down at a scene's end, as it was asked once; or when people rest (N4)."""
    word = typed.strip().casefold()
    if word in map(str, Rest) and word != Rest.OFF:
        return Rest(word)
    return Rest.SCENE_END if switch(typed) else Rest.OFF


def _tracks(typed: str) -> tuple[str, ...]:
    """Stress tracks by name; `on` means the usual three (C5)."""
    return STRESS_TRACKS if typed.strip().casefold() in ("on", "yes", "true") else names(typed)


def _dice(typed: str) -> tuple[int, ...]:
    sizes = read_dice(
        typed, ANY_SIZE, asks=False
    )  # what has a size off the table's list lies there and rolls (N13)
    if min(sizes, default=6) < 6:
        raise Unreadable("The {doom_pool.one} can't hold a d4. Use d6 or larger.")
    return tuple(sorted(sizes))


def _sizes(typed: str) -> tuple[int, ...]:
    """The sizes of a table's dice, in rising order (N13)."""
    found = [_SIZE.fullmatch(word) for word in typed.replace(",", " ").split()]
    sizes = tuple(sorted({int(match[1]) for match in found if match}))
    is_known = all(found) and set(sizes) <= set(ALL_SIZES)
    if not is_known or not 2 <= len(sizes) <= len(ALL_SIZES) or 6 not in sizes:
        raise Unreadable(
            "{typed} isn't a list of sizes. Type 2 to 10 of {sizes}, including d6. Example: d2 d4 d6 d8 "
            "d10 d12",
            typed=shorten(typed),
            sizes=dice_named(ALL_SIZES),
        )
    return sizes


def _sizes_written(value: object) -> str:
    return " ".join(f"d{size}" for size in value) if isinstance(value, tuple) else str(value)


def _difficulties(typed: str) -> tuple[int, ...]:
    """Five numbers, one for each name of a difficulty, from very easy to very hard (T1)."""
    words = typed.replace(",", " ").split()
    found = [int(word) for word in words if word.isascii() and word.isdigit() and len(word) < 3]
    is_rising = all(less < more for less, more in pairwise(found))
    if not len(words) == len(found) == 5 or found[0] < 1 or not is_rising:
        raise Unreadable(
            "{typed} isn't a list of difficulties. Type five rising numbers from 1 to 99, very easy to "
            "very hard. Example: 4, 8, 12, 16, 20",
            typed=shorten(typed),
        )
    return tuple(found)


def _or_none(value: object) -> str:
    return write_names(value) if value else "none"


def _dice_written(value: object) -> str:
    return write_dice(value) if isinstance(value, tuple) else str(value)


def _limit(value: object) -> str:
    return str(value) if value else "no limit"


def _rule(
    field: str, values: tuple[str, ...], read: Read, write: Write, takes: SettingInput = SettingInput.TEXT
) -> Setting:
    """A setting that bends a rule."""

    def of(table: Table) -> object:
        return getattr(CORTEX.of(table).ruleset, field)

    def put(table: Table, value: Any) -> Table:
        changes: dict[str, Any] = {field: value}
        return with_rules(table, replace(CORTEX.of(table).ruleset, **changes))

    return Setting(field, values, read, write, of, put, takes)


def _of(field: str, kind: type[StrEnum]) -> Setting:
    return _rule(field, tuple(map(str, kind)), choice(kind), str, SettingInput.CHOICE)


def _on(field: str) -> Setting:
    return _rule(field, ("on", "off"), switch, on_off, SettingInput.SWITCH)


SETTINGS: Mapping[str, Setting] = {
    RULESET: Setting("name", tuple(PROFILES), _profile, _name, _ruleset, _with_profile, SettingInput.CHOICE),
    "trait sets": _rule("trait_sets", (), names, write_names),
    "one of resources and signature assets": _on("resource_or_signature"),
    "assets in one pool": _rule("assets_in_pool", ("no limit", "1", "2", "3"), number(30), _limit),
    "opposition": _of("opposition", Opposition),
    "step up a d12": _of("step_up_d12", StepUpD12),
    "effect past d12": _of("past_d12", PastD12),
    "one die alone": _on("lone_die"),
    "heroic success": _rule("heroic", tuple(map(str, Heroic)), _heroic, str, SettingInput.CHOICE),
    "hitches buy": _of("hitches_buy", HitchesBuy),
    "opportunities": _of("opportunities", Opportunities),
    "resisting effect": _on("resisting_effect"),
    "scale keeps an extra die": _on("scale_keeps_extra"),
    "doom pool": _on("doom"),
    "doom at the start of an act": _rule("doom_start", ("2d6", "3d6", "2d8"), _dice, _dice_written),
    "doom over acts": _on("doom_over_acts"),
    "crisis pools": _on("crisis"),
    "challenges": _on("challenges"),
    "stress tracks": _rule("stress", ("off", "Physical, Mental, Emotional"), _tracks, write_names),
    "resources": _rule("resources", tuple(map(str, ResourceUse)), _resources, str, SettingInput.CHOICE),
    "reroll for 1 PP": _on("reroll_for_pp"),
    "PP at a session's start": _rule("starting_pp", ("1", "2", "3"), number(MOST), str),
    "players give PP": _on("players_give_pp"),
    "GM's PP": _on("gm_pp"),
    "session assets": _on("session_assets"),
    "rest": _of("rest", Rest),
    "hidden GM rolls": _on("hidden_rolls"),
    "d4 trouble helps": _on("d4_helps"),
    "push stress": _of("push_stress", PushStress),
    "statements": _on("statements"),
    "fixed total": _rule("fixed_total", ("none", "Values"), names, _or_none),
    "effect": _of("effect", EffectBy),
    "effect with no die left": _of("no_die_left", NoDieLeft),
    "sizes": _rule("sizes", ("d4 d6 d8 d10 d12", "d2 d4 d6 d8 d10 d12"), _sizes, _sizes_written),
    "modifiers": _on("modifiers"),
    "hitch on": _of("hitch_on", HitchOn),
    "safe dice": _on("safe_dice"),
    "complications pay": _of("complications_pay", ComplicationsPay),
    "gangs thin out": _on("gangs_thin_out"),
    "heroic margin": _rule("heroic_margin", ("5", "3", "10"), between(2, 10), str),
    "difficulties": _rule(
        "difficulties", ("3, 7, 11, 15, 19", "5, 10, 15, 20, 25"), _difficulties, write_names
    ),
}
"""Every setting of Cortex by the name that people see."""


OLD_SETTINGS: Mapping[str, Renamed] = {"time heals stress": Renamed("rest", _rest_or_not)}
"""Settings of Cortex by the names that they had once, which are still understood."""
