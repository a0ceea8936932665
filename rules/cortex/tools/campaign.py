"""A campaign's name and settings (the profiles of the rules, and each setting by itself)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

from rules.causes import Fate, Seat
from rules.cortex.state.in_force import with_rules
from rules.cortex.state.notation import read_dice
from rules.cortex.state.part import CORTEX, CortexTable
from rules.cortex.state.ruleset import (
    PROFILES,
    STRESS_TRACKS,
    Heroic,
    HitchesBuy,
    Opportunities,
    Opposition,
    PastD12,
    Ruleset,
    StepUpD12,
)
from rules.cortex.traits.plot import MOST
from rules.cortex.traits.switched_off import dropped, switched_off
from rules.dates import zone_named
from rules.dice import shorten, write
from rules.errors import Answer, NotAllowed, Undecided, Unreadable
from rules.facts import Moved, Seated, SettingChanged, SettingsKept
from rules.names import NAME, clean, find, shortened
from rules.result import Step
from rules.seats import Actor, require_gm
from rules.settings import LONGEST_DEADLINE, Dice, Pace
from rules.table import Table
from rules.values import replace
from rules.words import SEMICOLON, Row, Words


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting as people see it: its field, what it may be, how it is read and written."""

    field: str
    values: tuple[str, ...]
    read: Callable[[str], object]
    write: Callable[[object], str]
    place: Literal["ruleset", "settings"] = "ruleset"
    """Where in a table it stands; only what bends a rule is its ruleset's."""


def found(table: Table, actor: Actor, name: str, ruleset: str = "prime", is_open: bool = False) -> Step:
    """A new campaign; who founds it is its GM, unless it is open to all."""
    del table
    profile = PROFILES[find(ruleset, PROFILES, Words("ruleset"))]
    label = clean(name, Words("name of the campaign"))
    gms = {} if is_open else {actor.id: actor.name}
    fresh = CORTEX.put(Table(name=label, gms=gms), CortexTable(ruleset=profile))
    who = () if is_open else (Seated(actor.name, Seat.GM, by=actor.name),)
    return Step(fresh, (SettingChanged("campaign", label), SettingChanged("ruleset", profile.name), *who))


def change(table: Table, actor: Actor, setting: str, value: str) -> Step:
    """Change one setting, or the whole ruleset, or the name; open rolls keep the settings they had."""
    require_gm(table, actor, Words("change settings"))
    name = find(setting, NAMES, Words("setting"))
    if name == "name":
        label = clean(value, Words("name of the campaign"))
        return Step(replace(table, name=label), (SettingChanged("name", label),))
    changed = _changed(table, name, value)
    if changed == table:
        raise NotAllowed("The setting {name} is {shown} already.", name=name, shown=shown(table, name))
    _require_agreed(table, changed, actor, name)
    return Step(changed, (SettingChanged(name, shown(changed, name)), *_kept(changed, name)))


def _changed(table: Table, name: str, value: str) -> Table:
    """The table with that setting, or that ruleset."""
    here = CORTEX.of(table)
    if name == "ruleset":
        profile = PROFILES[find(value, PROFILES, Words("ruleset"))]
        return with_rules(table, _with_profile(here.ruleset, profile))
    kind = SETTINGS[name]
    changes: dict[str, Any] = {kind.field: kind.read(value)}
    if kind.place == "settings":
        return replace(table, settings=replace(table.settings, **changes))
    return with_rules(table, replace(here.ruleset, **changes))


def _require_agreed(table: Table, after: Table, actor: Actor, name: str) -> None:
    """Ask before names that a setting lists are dropped; else what is in use alone is asked about."""
    cortex = CORTEX.of(after)
    here = CORTEX.of(table)
    gone: list[str] = []
    if name != "ruleset":
        gone = dropped(here.ruleset.trait_sets, cortex.ruleset.trait_sets)
        gone += dropped(here.ruleset.stress, cortex.ruleset.stress)
    if not gone:
        _require_all_agreed(table, after, actor, name)
        return
    new = shown(after, name)
    sign = f"set {name} {new} without {Row(gone)}"
    if sign not in actor.agreed:
        raise Undecided(
            "The setting {name} is {shown} and would be {new}: {gone} would go. What is on sheets "
            "stays there.",
            Answer(Words("Set {name}", name=name), sign),
            name=name,
            shown=shown(table, name),
            new=new,
            gone=Row(gone),
        )


def _require_all_agreed(table: Table, after: Table, actor: Actor, name: str) -> None:
    """Ask before another ruleset or setting puts out of play what is in it, of every kind."""
    off = switched_off(table, CORTEX.of(after).ruleset)
    kinds = [Words("{what} ({names})", what=what, names=Row(shortened(names))) for what, names in off.items()]
    new, gone = shown(after, name), Row(kinds, SEMICOLON, SEMICOLON)
    sign = f"set {name} {new} without {gone}"
    if off and sign not in actor.agreed:
        raise Undecided(
            "The {name} is {shown} and would be {new}, which has no place for what is in play here: {gone}. "
            "Nothing is deleted: it waits until a ruleset or a setting has it again.",
            Answer(Words("Set {name}", name=name), sign),
            name=Words("ruleset") if name == "ruleset" else Words("setting {name}", name=name),
            shown=shown(table, name),
            new=new,
            gone=gone,
        )


def archive(table: Table, actor: Actor) -> Step:
    """Put the table away; nothing is lost, and `/campaign join` wakes it."""
    require_gm(table, actor, Words("archive the campaign"))
    if not (table.number or table.gms or table.characters):
        raise NotAllowed("There is no table here yet. Begin one. Example: /campaign new name:Skyfall")
    return Step(replace(table, archived=True), (Moved(table.name, Fate.ARCHIVED),))


def wake(table: Table, actor: Actor) -> Step:
    """Play here from now on; an archived table wakes."""
    require_gm(table, actor, Words("bring this campaign to a channel"))
    return Step(replace(table, archived=False), (Moved(table.name, Fate.HERE),))


def delete(table: Table, actor: Actor, *, is_private: bool = False) -> Step:
    """Let the table go; one without a GM is its server's, unless it is in private messages."""
    if table.is_open and not (actor.manages or is_private):
        raise NotAllowed(
            "This table has no GM, so only who may Manage Server can delete it. "
            "Anybody may put it away: /campaign archive"
        )
    require_gm(table, actor, Words("delete the campaign"))
    return Step(table, (Moved(table.name, Fate.DELETED),))


def restore(table: Table, actor: Actor) -> Step:
    """Play a deleted table again, here."""
    return Step(table, (Moved(table.name, Fate.RESTORED),))


def leave(table: Table, actor: Actor) -> Step:
    """This channel is no longer the campaign's."""
    require_gm(table, actor, Words("take this channel out of the campaign"))
    return Step(table, (Moved(table.name, Fate.LEFT),))


def shown(table: Table, name: str) -> str:
    """A setting's value as people type it."""
    if name == "name":
        return table.name
    if name == "ruleset":
        return CORTEX.of(table).ruleset.name
    setting = SETTINGS[name]
    held = CORTEX.of(table).ruleset if setting.place == "ruleset" else table.settings
    return setting.write(getattr(held, setting.field))


def values(name: str) -> tuple[str, ...]:
    """What a setting may be, as suggestions."""
    if name == "ruleset":
        return tuple(PROFILES)
    return SETTINGS[name].values if name in SETTINGS else ()


def _with_profile(before: Ruleset, profile: Ruleset) -> Ruleset:
    """Another profile, with the single settings that were changed by hand."""
    fields = [SETTINGS[name].field for name in _bent(before)]
    kept: dict[str, Any] = {field: getattr(before, field) for field in fields}
    return before if profile.name == before.name else replace(profile, **kept)


def _kept(table: Table, name: str) -> tuple[SettingsKept, ...]:
    """What another profile left as it was changed by hand."""
    kept = _bent(CORTEX.of(table).ruleset) if name == "ruleset" else []
    return (SettingsKept(tuple((each, shown(table, each)) for each in kept)),) if kept else ()


def _choice(kind: type[StrEnum]) -> Callable[[str], object]:
    return lambda typed: kind(find(typed, [str(value) for value in kind], Words("value")))


def _heroic(typed: str) -> object:
    """What a heroic success gives; `both` is hero dice and effect (R7, Z1)."""
    is_both = typed.strip().casefold() == "both"
    return _choice(Heroic)(Heroic.HERO_DICE if is_both else typed)


def _switch(typed: str) -> bool:
    word = typed.strip().casefold()
    known: Mapping[str, bool] = {
        "on": True,
        "yes": True,
        "true": True,
        "off": False,
        "no": False,
        "false": False,
    }
    if word not in known:
        raise Unreadable("{typed} is neither on nor off. Example: on", typed=shorten(typed))
    return known[word]


def _number(most: int) -> Callable[[str], object]:
    def read(typed: str) -> int:
        word = "0" if typed.strip().casefold() in ("no limit", "off") else typed.strip()
        if not (word.isascii() and word.isdigit()) or len(word) > 3 or int(word) > most:
            raise Unreadable(
                "{typed} is no number from 0 to {most}. Example: 1", typed=shorten(typed), most=most
            )
        return int(word)

    return read


def _hours(typed: str) -> int:
    """The hours of a deadline."""
    word = typed.strip().removesuffix("hours").removesuffix("h").strip()
    if not (word.isascii() and word.isdigit()) or len(word) > 3 or not 1 <= int(word) <= LONGEST_DEADLINE:
        raise Unreadable(
            "{typed} is no number of hours from 1 to {most}. Example: 48",
            typed=shorten(typed),
            most=LONGEST_DEADLINE,
        )
    return int(word)


def _names(typed: str) -> tuple[str, ...]:
    if typed.strip().casefold() in ("off", "none", "no", "false"):
        return ()
    names = tuple(dict.fromkeys(clean(part, NAME, 40) for part in typed.split(",") if part.strip()))
    if len(names) > 10:
        raise Unreadable(
            "Those are {count} names; 10 are the most. Example: Physical, Mental", count=len(names)
        )
    return names


def _tracks(typed: str) -> tuple[str, ...]:
    """Stress tracks by name; `on` means the usual three (C5)."""
    return STRESS_TRACKS if typed.strip().casefold() in ("on", "yes", "true") else _names(typed)


def _dice(typed: str) -> tuple[int, ...]:
    sizes = read_dice(typed)
    if 4 in sizes:
        raise Unreadable("The doom pool holds no d4: its dice are d6 to d12. Example: 2d6")
    return tuple(sorted(sizes))


def _on_off(value: object) -> str:
    return "on" if value else "off"


def _written(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "off"
    return str(value)


def _dice_written(value: object) -> str:
    return write(value) if isinstance(value, tuple) else str(value)


def _limit(value: object) -> str:
    return str(value) if value else "no limit"


def _zone(typed: str) -> str:
    return "" if typed.strip().casefold() in ("off", "none", "not named") else zone_named(typed)


def _zone_written(value: object) -> str:
    return str(value) or "not named"


def _of(field: str, kind: type[StrEnum], place: Literal["ruleset", "settings"] = "ruleset") -> Setting:
    return Setting(field, tuple(str(value) for value in kind), _choice(kind), str, place)


def _on(field: str) -> Setting:
    return Setting(field, ("on", "off"), _switch, _on_off)


ZONES = ("Europe/London", "Europe/Berlin", "America/New_York")
"""Time zones that are suggested first."""
SETTINGS: Mapping[str, Setting] = {
    "trait sets": Setting("trait_sets", (), _names, _written),
    "one of resources and signature assets": _on("resource_or_signature"),
    "assets in one pool": Setting("assets_in_pool", ("no limit", "1", "2", "3"), _number(30), _limit),
    "opposition": _of("opposition", Opposition),
    "step up a d12": _of("step_up_d12", StepUpD12),
    "effect past d12": _of("past_d12", PastD12),
    "one die alone": _on("lone_die"),
    "heroic success": Setting("heroic", tuple(map(str, Heroic)), _heroic, str),
    "hitches buy": _of("hitches_buy", HitchesBuy),
    "opportunities": _of("opportunities", Opportunities),
    "resisting effect": _on("resisting_effect"),
    "scale keeps an extra die": _on("scale_keeps_extra"),
    "doom pool": _on("doom"),
    "doom at the start of an act": Setting("doom_start", ("2d6", "3d6", "2d8"), _dice, _dice_written),
    "doom over acts": _on("doom_over_acts"),
    "crisis pools": _on("crisis"),
    "challenges": _on("challenges"),
    "stress tracks": Setting("stress", ("off", "Physical, Mental, Emotional"), _tracks, _written),
    "resources": _on("resources"),
    "reroll for 1 PP": _on("reroll_for_pp"),
    "PP at a session's start": Setting("starting_pp", ("1", "2", "3"), _number(MOST), str),
    "players give PP": _on("players_give_pp"),
    "GM's PP": _on("gm_pp"),
    "session assets": _on("session_assets"),
    "time heals stress": _on("stress_eases"),
    "hidden GM rolls": _on("hidden_rolls"),
    "dice": _of("dice", Dice, "settings"),
    "pace": _of("pace", Pace, "settings"),
    "deadline": Setting("deadline", ("24", "48", "72", "168"), _hours, str, "settings"),
    "time zone": Setting("zone", ZONES, _zone, _zone_written, "settings"),
}
"""Every setting by the name that people see."""
NAMES = ("ruleset", "name", *SETTINGS)
"""What `/campaign set` can change."""


def differences(table: Table) -> list[str]:
    """The settings in which a table is not as its ruleset's profile has it."""
    usual = CORTEX.put(Table(), CortexTable(ruleset=PROFILES[CORTEX.of(table).ruleset.name]))
    return [name for name in SETTINGS if shown(table, name) != shown(usual, name)]


def _bent(ruleset: Ruleset) -> list[str]:
    """The settings in which a ruleset is not its profile."""
    return differences(CORTEX.put(Table(), CortexTable(ruleset=ruleset)))
