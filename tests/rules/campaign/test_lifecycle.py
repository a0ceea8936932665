"""A campaign's name and settings."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.campaign import lifecycle
from rules.campaign.lifecycle import (
    NAME,
    RULESET,
    change,
    differences,
    found,
    names,
    setting_value,
    settings,
    values,
)
from rules.campaign.seats import Actor
from rules.cortex import settings as cortex
from rules.cortex.kinds import Trait, TraitKind
from rules.cortex.model import CORTEX, CortexTable
from rules.cortex.roll import make
from rules.cortex.roll_status import rules_of
from rules.cortex.ruleset import ADEPT, BASES, EMPIRE, HEROIC, KINDS, PRIME, PROFILES, Opposition, Ruleset
from rules.errors import NotAllowed, RuleError, Undecided, Unknown, Unreadable
from rules.facts import SettingChanged, SettingsKept
from rules.table import Settings, Table
from rules.values import replace
from tests import strategies
from tests.rules.people import (
    ALICE,
    BOB,
    GRETA,
    ZOE,
    after,
    challenged,
    faces,
    having,
    in_crisis,
    table,
    tried,
)


def test_who_founds_a_campaign_is_its_gm_unless_it_is_open() -> None:
    assert found(Table(), GRETA, "Doom", "heroic").table.gms == {1: "Greta"}
    assert found(Table(), GRETA, "Doom", "heroic", is_open=True).table.gms == {}


@pytest.mark.parametrize("name", PROFILES)
def test_a_campaign_is_founded_with_a_profile(name: str) -> None:
    assert CORTEX.of(found(Table(), GRETA, "Doom", name).table).ruleset == PROFILES[name]


def test_without_a_profile_it_is_prime() -> None:
    assert CORTEX.of(found(Table(), GRETA, "Doom").table).ruleset == PRIME
    assert CORTEX.of(Table()).ruleset == PRIME


def test_an_unknown_profile_is_refused() -> None:
    with pytest.raises(
        Unknown, match='There\'s no ruleset called "zzz"\\. Try prime, heroic, empire, adept, action'
    ):
        found(Table(), GRETA, "Doom", "zzz")


PROFILE_TABLE = {
    "words": ("off", "off", "off", "off"),
    "assets in one pool": ("no limit", "2", "no limit", "no limit"),
    "opposition": ("dice", "doom", "static", "doom"),
    "step up a d12": ("add a d6", "next lower die", "add a d6", "add a d6"),
    "effect past d12": (
        "takeout or further effect",
        "stays d12",
        "takeout or further effect",
        "takeout or further effect",
    ),
    "heroic success": ("hero dice and effect", "effect", "effect, hero dice by the GM", "effect"),
    "hitches buy": ("complication", "doom", "complication", "complication or doom"),
    "opportunities": ("traits and SFX", "SFX only", "traits and SFX", "traits and SFX"),
    "resisting effect": ("off", "on", "off", "off"),
    "scale keeps an extra die": ("on", "off", "on", "on"),
    "doom pool": ("off", "on", "off", "on"),
    "doom at the start of an act": ("2d6", "2d6", "2d6", "2d6"),
    "doom over acts": ("off", "off", "off", "on"),
    "crisis pools": ("on", "off", "off", "on"),
    "challenges": ("on", "off", "off", "on"),
    "stress tracks": ("off", "Physical, Mental, Emotional", "off", "Physical, Mental, Emotional"),
    "resources": ("off", "off", "on", "off"),
    "d4 trouble helps": ("off", "off", "off", "off"),
    "push stress": ("off", "off", "off", "off"),
    "statements": ("off", "off", "off", "off"),
    "fixed total": ("none", "none", "none", "none"),
    "effect": ("die", "die", "die", "die"),
    "effect with no die left": ("d4", "d4", "d4", "d4"),
    "sizes": ("d4 d6 d8 d10 d12",) * 4,
    "modifiers": ("off", "off", "off", "off"),
    "hitch on": ("1", "1", "1", "1"),
    "safe dice": ("off", "off", "off", "off"),
    "complications pay": ("once a roll",) * 4,
    "gangs thin out": ("off", "off", "off", "off"),
    "heroic margin": ("5", "5", "5", "5"),
    "difficulties": ("3, 7, 11, 15, 19",) * 4,
    "PP at a session's start": ("1", "1", "1", "1"),
    "one of resources and signature assets": ("off", "off", "on", "off"),
    "one die alone": ("off", "on", "off", "off"),
    "reroll for 1 PP": ("off", "off", "off", "off"),
    "pace": ("live", "live", "live", "live"),
    "deadline": ("48", "48", "48", "48"),
    "time zone": ("not named", "not named", "not named", "not named"),
    "players give PP": ("off", "off", "off", "off"),
    "GM's PP": ("off", "off", "off", "off"),
    "session assets": ("off", "off", "off", "off"),
    "rest": ("off", "off", "off", "off"),
    "hidden GM rolls": ("off", "off", "off", "off"),
    "dice": ("pictures", "pictures", "pictures", "pictures"),
    "trait sets": (
        "Distinctions, Attributes, Skills, Signature assets",
        "Distinctions, Aptitudes, Abilities, Tier",
        "Distinctions, Attributes, Skills, Resources, Signature assets",
        "Distinctions, Attributes, Skills, Signature assets",
    ),
}


@pytest.mark.parametrize("name", PROFILE_TABLE)
def test_the_four_profiles_have_their_settings(name: str) -> None:
    assert tuple(setting_value(table(rules), name) for rules in BASES.values()) == PROFILE_TABLE[name]


KIND_TABLE = {
    "action": (PRIME, {"sizes": "d2 d4 d6 d8 d10 d12", "effect": "none"}),
    "drama": (
        PRIME,
        {"trait sets": "Distinctions, Values, Relationships, Signature assets", "statements": "on"},
    ),
    "spotlight": (
        PRIME,
        {
            "stress tracks": "Afraid, Angry, Tired, Hurt, Unsure, Tempted",
            "d4 trouble helps": "on",
            "push stress": "1 PP",
            "rest": "scene start",
            "statements": "on",
        },
    ),
    "blockbuster": (
        HEROIC,
        {
            "trait sets": "Distinctions, Aptitudes, Abilities, Tier, Resources",
            "effect past d12": "takeout or further effect",
            "hitches buy": "complication or doom",
            "resources": "apart",
            "complications pay": "each",
        },
    ),
}


@pytest.mark.parametrize("name", KINDS)
def test_rulesets_by_kind_are_their_base_with_a_few_mods(name: str) -> None:
    base, differs = KIND_TABLE[name]
    by_kind, by_base = table(PROFILES[name]), table(base)
    found = {
        each: setting_value(by_kind, each)
        for each in settings()
        if setting_value(by_kind, each) != setting_value(by_base, each)
    }
    assert found == {"ruleset": name, **differs}


def test_every_field_of_a_ruleset_is_a_setting() -> None:
    assert {*PROFILE_TABLE} == {*settings(Table())} - {NAME, RULESET}
    assert {each.field for each in cortex.SETTINGS.values()} == {*Ruleset.__struct_fields__} - {"name"}
    beside = {*Settings.__struct_fields__, "name"}
    assert {each.field for each in lifecycle.SETTINGS.values()} == beside


@pytest.mark.parametrize(
    ("name", "value", "after_"),
    [
        ("opposition", "static", "static"),
        ("OPPOS", "st", "static"),
        ("doom pool", "ON", "on"),
        ("doom pool", "yes", "on"),
        ("stress tracks", "Body, Mind", "Body, Mind"),
        ("stress", "Body", "Body"),
        ("stress tracks", "on", "Physical, Mental, Emotional"),
        ("stress tracks", " Yes", "Physical, Mental, Emotional"),
        ("stress tracks", "TRUE", "Physical, Mental, Emotional"),
        ("trait sets", "off", "off"),
        ("assets in one pool", "2", "2"),
        ("PP at a session's start", "3", "3"),
        ("doom at the start of an act", "d10 2d8", "2d8 d10"),
        ("doom at the start of an act", "2d20", "2d20"),  # off the list of sizes it lies there (N13)
        ("name", "Doom", "Doom"),
        ("ruleset", "heroic", "heroic"),
    ],
)
def test_any_single_setting_can_be_changed(name: str, value: str, after_: str) -> None:
    at = table(HEROIC) if name.startswith("doom at") else table()  # where doom is off it does nothing
    try:
        step = change(at, GRETA, name, value)
    except Undecided as question:
        step = change(at, replace(GRETA, agreed=(question.answers[0].sign,)), name, value)
    fact = step.facts[0]
    assert isinstance(fact, SettingChanged)
    assert fact.value == after_ == setting_value(step.table, fact.setting)


@pytest.mark.parametrize(
    ("name", "value", "refusal", "says"),
    [
        ("zzz", "on", Unknown, "no setting called"),
        ("opposition", "zzz", Unknown, "Try dice, static or doom"),
        ("doom pool", "maybe", Unreadable, "Type on or off"),
        ("assets in one pool", "-1", Unreadable, "isn't a number from 0 to 30"),
        ("assets in one pool", "²", Unreadable, "isn't a number"),
        ("assets in one pool", "9" * 6000, Unreadable, "isn't a number"),
        ("PP at a session's start", "1000", Unreadable, "from 0 to 999"),
        ("heroic margin", "1", Unreadable, "isn't a number from 2 to 10"),
        ("doom at the start of an act", "d4", Unreadable, "can't hold a d4"),
        ("doom at the start of an act", "d3", Unreadable, "can't hold a d4"),
        ("stress tracks", ",".join("abcdefghijk"), Unreadable, "11 names"),
        ("doom pool", "off", NotAllowed, "is already off"),
        ("name", "\u200b", Unreadable, "empty"),
        ("deadline", "a week", Unreadable, '"a week" isn\'t a number of hours. Type 1 to 720.'),
        ("deadline", "721 h", Unreadable, "isn't a number of hours"),
    ],
)
def test_a_value_that_a_setting_cannot_have_is_refused(
    name: str, value: str, refusal: type[RuleError], says: str
) -> None:
    with pytest.raises(refusal, match=says):
        change(table(), GRETA, name, value)


def test_another_profile_keeps_what_was_changed_by_hand_and_says_so() -> None:
    at = change(table(), GRETA, "opposition", "static").table
    at = change(at, GRETA, "assets in one pool", "3").table
    step = change(at, GRETA, "ruleset", "adept")
    assert CORTEX.of(step.table).ruleset == replace(
        PROFILES["adept"], opposition=Opposition.STATIC, assets_in_pool=3
    )
    assert step.facts == (
        SettingChanged("ruleset", "adept", "prime"),
        SettingsKept((("assets in one pool", "3"), ("opposition", "static"))),
    )


def test_what_another_profile_says_too_is_not_told_as_kept() -> None:
    at = change(table(), GRETA, "doom pool", "on").table
    step = change(at, GRETA, "ruleset", "heroic")
    assert (CORTEX.of(step.table).ruleset, len(step.facts)) == (HEROIC, 1)


@pytest.mark.parametrize(("who", "may"), [(GRETA, True), (ALICE, False), (BOB, False), (ZOE, False)])
def test_settings_are_the_gms(who: Actor, may: bool) -> None:
    for rule in (
        lambda: change(table(), who, "doom pool", "on"),
        lambda: lifecycle.archive(table(), who),
        lambda: lifecycle.wake(table(), who),
        lambda: lifecycle.leave(table(), who),
    ):
        assert (tried(rule) is not None) is may


def test_a_roll_is_finished_under_the_settings_it_was_made_with() -> None:
    at = after(make(table(), ALICE, faces(3), "d6"))
    at = after(change(at, GRETA, "ruleset", "heroic"))
    at = after(make(at, ALICE, faces(3), "d6"))
    at = after(change(at, GRETA, "opposition", "static"))
    assert rules_of(at, CORTEX.of(at).rolls[1]) == PRIME
    assert rules_of(at, CORTEX.of(at).rolls[3]) == HEROIC
    assert CORTEX.of(at).ruleset == replace(HEROIC, opposition=Opposition.STATIC)


def test_off_loses_no_data() -> None:
    at = table(HEROIC, doom=[6, 8])
    with pytest.raises(
        Undecided,
        match=r"Changing the setting doom pool from on to off takes this out of play: doom pool \(d6 d8\)\.",
    ) as asked:
        change(at, GRETA, "doom pool", "off")
    agreed = replace(GRETA, agreed=(asked.value.answers[0].sign,))
    at = change(at, agreed, "doom pool", "off").table
    assert CORTEX.of(change(at, GRETA, "doom pool", "on").table).doom == {6: 1, 8: 1}


@pytest.mark.parametrize(
    ("before", "after_", "at", "gone"),
    [
        (ADEPT, "prime", table(ADEPT, doom=[6, 6]), "doom pool (2d6)"),
        (ADEPT, "prime", table(ADEPT), ""),
        (ADEPT, "heroic", table(ADEPT, doom=[6, 6]), ""),
        (ADEPT, "heroic", in_crisis(challenged(table(), 8), 6), "crisis pools (Fire); challenges (Storm)"),
        (PRIME, "adept", in_crisis(challenged(table(), 8), 6), ""),
        (
            EMPIRE,
            "prime",
            having(table(), "alice", TraitKind.RESOURCE, Trait("Money", 8)),
            "resources (Alice)",
        ),
        (
            HEROIC,
            "prime",
            having(table(), "bob", TraitKind.TRAUMA, Trait("Mental", 8)),
            "stress tracks (Mental)",
        ),
        (HEROIC, "adept", having(table(), "bob", TraitKind.STRESS, Trait("Mental", 8)), ""),
        (
            PRIME,
            "heroic",
            having(table(), "bob", TraitKind.TRAIT, Trait("Fly", 8, set="Skills")),
            "trait sets (Skills)",
        ),
    ],
)
def test_another_ruleset_asks_about_what_it_has_no_place_for(
    before: Ruleset, after_: str, at: Table, gone: str
) -> None:
    at = CORTEX.put(at, replace(CORTEX.of(at), ruleset=before))
    assert (tried(lambda: change(at, GRETA, "ruleset", after_)) is None) is bool(gone)
    if gone:
        with pytest.raises(
            Undecided, match=re.escape(f"to {after_} takes this out of play: {gone}.")
        ) as asked:
            change(at, GRETA, "ruleset", after_)
        agreed = replace(GRETA, agreed=(asked.value.answers[0].sign,))
        assert change(at, agreed, "ruleset", after_).table.characters == at.characters


def test_what_is_off_already_is_not_asked_about() -> None:
    at = table(replace(ADEPT, doom=False), doom=[6])
    assert CORTEX.of(change(at, GRETA, "ruleset", "prime").table).doom == {6: 1}


def test_archiving_and_waking_lose_nothing() -> None:
    at = table(HEROIC, doom=[6])
    put_away = lifecycle.archive(at, GRETA).table
    assert put_away.archived
    assert lifecycle.wake(put_away, GRETA).table == at


def test_a_ruleset_tells_what_differs_from_its_profile() -> None:
    bent = replace(HEROIC, opposition=Opposition.DICE, doom_start=(8,))
    assert differences(CORTEX.put(Table(settings=Settings(deadline=24)), CortexTable(ruleset=bent))) == [
        "opposition",
        "doom at the start of an act",
        "deadline",
    ]
    assert [differences(CORTEX.put(Table(), CortexTable(ruleset=rules))) for rules in PROFILES.values()] == [
        []
    ] * len(PROFILES)


@pytest.mark.parametrize("rules", PROFILES.values(), ids=[*PROFILES])
@pytest.mark.parametrize("name", settings())
def test_what_is_shown_of_a_setting_can_be_typed_again(name: str, rules: Ruleset) -> None:
    setting = settings()[name]
    at = replace(table(rules), name="Skyfall")
    typed = setting.read(setting_value(at, name))
    assert setting.put(at, typed) == at
    for value in values(name):
        assert setting.write(setting.read(value)) == value


@given(st.sampled_from(names()) | strategies.typed(), strategies.typed())
def test_any_text_is_a_setting_or_refused(name: str, value: str) -> None:
    done = tried(lambda: change(table(), GRETA, name, value))
    assert done is None or len(done.facts) == 1
