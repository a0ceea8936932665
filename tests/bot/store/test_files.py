"""Tables and characters as files: what goes out comes in again, and nothing else does."""

import json
import random
from collections.abc import Mapping
from contextlib import suppress
from copy import deepcopy
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from bot.services.responses import roll_card
from bot.store import files
from bot.store.files import CharacterFile, TableFile
from bot.store.upgrades import VERSION
from bot.views.ore.roll import ore_card
from bot.views.table import view_lines, views
from rules.campaign import files as campaign_files
from rules.campaign.schedule import QuietHours
from rules.cortex import roll
from rules.cortex.kinds import Trait
from rules.cortex.model import CORTEX, CortexCharacter
from rules.cortex.ruleset import ADEPT
from rules.errors import RuleError, Unreadable
from rules.game import Game, played
from rules.names import is_seen
from rules.ore import roll as one_roll
from rules.ore.model import ORE
from rules.ore.pool import OrePool
from rules.table import Character, Table
from rules.values import replace
from tests import strategies
from tests.rules.people import ALICE, GRETA, after, faces
from tests.rules.test_laws import DEEDS, lively

WHOLE = after(roll.make(lively(ADEPT), ALICE, faces(1, 2, 7, 9, 1, 2, 3, 4, 5), "2d6 d8 d10", "doom"))
WHOLE = after(one_roll.full(WHOLE, ALICE, lambda sizes: [7] * len(sizes), OrePool(3, wiggle=1)))
WHOLE = after(one_roll.quick(WHOLE, GRETA, lambda sizes: [9] * len(sizes), OrePool(7, expert=3)))
VALID = Draft202012Validator(files.schema())


@cache
def valid(games: tuple[Game, ...]) -> Draft202012Validator:
    """What a file is held against, where these games can be played."""
    return Draft202012Validator(files.schema())


ROPE = {"label": "Rope", "die": 8}
ROLL = {"number": 1, "player": 2, "who": "Alice", "hand": {"dice": [{"size": 6, "face": 2}], "total": [0]}}


def of(table: Mapping[str, Any], **more: Any) -> str:
    return json.dumps({"doomkeeper": "table", "version": VERSION, "table": table, **more})


def cortex(part: Mapping[str, Any]) -> str:
    return of({"games": {"cortex": part}})


def alice(**more: Any) -> str:
    return of({"characters": {"alice": {"name": "Alice", **more}}})


def playing(**own: Any) -> str:
    """Alice with what she has of Cortex."""
    return alice(games={"cortex": own})


def test_the_published_schema_is_that_of_the_classes() -> None:
    """Where it is not: `files.SCHEMA.write_text(files.schema_text())`."""
    assert files.SCHEMA.read_text(encoding="utf-8") == files.schema_text()


@given(strategies.tables())
def test_a_table_that_goes_out_comes_in_the_same(table: Table) -> None:
    text = files.write_table(table, 7, 9).decode()
    assert files.read(text) == TableFile("table", VERSION, replace(table, number=0), 7, 9)
    valid(played()).validate(json.loads(text))


@given(strategies.tables())
def test_a_character_that_goes_out_comes_in_the_same(table: Table) -> None:
    for character in table.characters.values():
        text = files.write_character(character, 7).decode()
        assert files.read(text) == CharacterFile("character", VERSION, character, 7)
        valid(played()).validate(json.loads(text))


def test_a_table_with_everything_on_it_comes_in_the_same() -> None:
    text = files.write_table(WHOLE, 7, 9).decode()
    assert files.read(text) == TableFile("table", VERSION, replace(WHOLE, number=0), 7, 9)
    VALID.validate(json.loads(text))


def test_a_very_large_table_fits_into_a_file() -> None:
    held = {f"trait number {n}": Trait(f"Trait number {n}", 8, set="Attributes") for n in range(40)}
    full = CORTEX.give(
        Character(""),
        CortexCharacter(sheet=held, distinctions=held, assets=held, complications=held, resources=held),
    )
    people = {f"a{n}": replace(full, name=f"A{n}", notes="x" * 1000) for n in range(60)}
    table = Table(characters=people)
    written = files.write_table(table, 7, 9)
    assert len(written) < files.LARGEST
    read = files.read(written.decode())
    assert isinstance(read, TableFile)
    assert read.table == table


@pytest.mark.parametrize("name", ["O'Neil", 'Rex "the Red"', "👩‍🚀 Zoë", "Дарья", "شهرزاد", "x" * 80])
def test_names_come_in_as_they_were_typed(name: str) -> None:
    table = Table(characters={name.casefold(): Character(name)})
    read = files.read(files.write_table(table, 0, 0).decode())
    assert isinstance(read, TableFile)
    assert read.table == table


@pytest.mark.parametrize(
    "text",
    [
        of({}, version=VERSION + 1),
        of({}, version=0),
        cortex({"doom": {"4": 1}}),
        cortex({"crises": {"fire": {"name": "Fire", "dice": {"7": 1}}}}),
        playing(hero={"8": 0}),
        alice(gmc=True, games={"cortex": {"pool": {"24": 1}}}),
    ],
)
def test_the_schema_refuses_what_is_refused(text: str) -> None:
    assert not VALID.is_valid(json.loads(text))
    with pytest.raises(Unreadable):
        files.read(text)


REFUSED = {
    playing(
        assets={"rope": {**ROPE, "die": 7}}
    ): "characters.alice.games.cortex.assets.rope.die: 7 isn't a die",
    playing(
        assets={"rope": {**ROPE, "die": "8"}}
    ): 'characters.alice.games.cortex.assets.rope.die: "8" isn\'t a whole number',
    playing(assets={"rope": {"die": 8}}): "characters.alice.games.cortex.assets.rope.label: it is missing",
    playing(
        assets={"rope": {**ROPE, "colour": "red"}}
    ): "characters.alice.games.cortex.assets.rope.colour: there's no such",
    cortex(
        {"rolls": {"1": {**ROLL, "after": {"3": [{"fact": "nonsense"}]}}}}
    ): 'games.cortex.rolls.1.after.3.0: {"fact": "nonsense"} isn\'t recognized',
    playing(assets=[]): "characters.alice.games.cortex.assets: [] isn't an object",
    playing(pp=True): "characters.alice.games.cortex.pp: true isn't a whole number",
    playing(pp=-1): "characters.alice.games.cortex.pp: -1 isn't a number from 0",
    playing(pp=10**30): "characters.alice.games.cortex.pp: ",
    alice(notes=5): "characters.alice.notes: 5 isn't text",
    alice(away=1): "characters.alice.away: 1 isn't true or false",
    playing(milestones="x"): 'characters.alice.games.cortex.milestones: "x" isn\'t a list',
    playing(rank="king"): 'characters.alice.games.cortex.rank: "king" isn\'t recognized',
    alice(notes="\ud800"): "characters.alice.notes: the text contains an invalid character",
    of({"gms": {"one": "Greta"}}): 'gms.one: "one" isn\'t a whole number',
    of({"gms": {"01": "Greta"}}): 'gms.01: "01" isn\'t a whole number',
    of({"gms": {"\ud800": "Greta"}}): "gms.\\ud800: the text contains an invalid character",
    of({"\ud800": "x"}): "\\ud800: the text contains an invalid character",
    of({"": 1}): '"": there\'s no such field',
    of({"a\u202eb\n": 1}): r"a\u202eb\n: there's no such field",
    cortex({"crises": {"": {"dice": {"6": 1}}}}): 'games.cortex.crises."".name: it is missing',
    cortex({"crises": {"": {"name": "", "dice": {"6": 1}}}}): (
        'games.cortex.crises."".name: "" can\'t be a name; use'
    ),
    cortex(
        {"crises": {"a\u202e": {"name": "a\u202e", "dice": {"6": 1}}}}
    ): r"games.cortex.crises.a\u202e: the text contains the invisible character U+202E",
    playing(rank="a\u202e"): '"a\\u202e" isn\'t recognized',
    cortex({"ruleset": {"opposition": "luck"}}): (
        'games.cortex.ruleset.opposition: "luck" isn\'t recognized'
    ),
    json.dumps({"doomkeeper": "table", "version": 1, "table": []}): "table: [] isn't an object",
    of({"characters": [1]}, version=7): "characters: [1] isn't an object",
    of({"characters": {"a": 1}}, version=7): "characters.a: 1 isn't an object",
    of({"characters": {"a": {"name": "A", "games": [1]}}}, version=7): "characters.a.games: [1] isn't",
    of({"characters": [1]}, version=5): "table: that isn't the shape of version 5.",
    of({}, more=1): "more: there's no such field",
    playing(pp=1)[:-6] + ',"pp":2}}}}}}': "characters.alice.games.cortex.pp: it appears twice",
    playing(pp=1).replace("1}}}", "NaN}}}"): "characters.alice.games.cortex.pp: NaN isn't a number",
    playing(pp=1).replace(
        "1}}}", "-Infinity}}}"
    ): "characters.alice.games.cortex.pp: -Infinity isn't a number",
    playing(pp=1).replace("1}}}", "1.5}}}"): '"1.5" isn\'t a whole number',
    playing(pp=1).replace("1}}}", f"{'9' * 5000}}}}}}}"): "is too large",
    of({}, version=VERSION + 1): f"version: a newer bot wrote this file. The file has version {VERSION + 1};",
    of({}, version=0): "version: 0 isn't a format version",
    of({}, version=True): "version: true isn't a format version",
    of({}, version="1"): 'version: "1" isn\'t a format version',
    '{"doomkeeper": "table", "version": 1}': "table: it is missing",
    '{"doomkeeper": "dragon", "version": 1}': "isn't a file from this bot",
    files.write_person(5, (), QuietHours()).decode(): "A file from /privacy export",
    '{"doomkeeper": ["table"]}': "isn't a file from this bot",
    "[]": "isn't a file from this bot",
    "3": "isn't a file from this bot",
    "NaN": "isn't a file from this bot",
    '{"doomkeeper":': "isn't valid JSON: expecting value at line 1, character 15",
    '{"a": 1 "b": 2}': "isn't valid JSON: expecting ',' delimiter at line 1, character 9",
    '{"a" 1}': "isn't valid JSON: expecting ':' delimiter at line 1, character 6",
    "{a: 1}": "isn't valid JSON: expected a property name in double quotes at line 1, character 2",
    '{"a": 1} 2': "isn't valid JSON: extra data at line 1, character 10",
    '{"a": "b': "isn't valid JSON: unterminated string at line 1, character 7",
    '{"a": "b\n"}': "isn't valid JSON: invalid control character at line 1, character 9",
    "[" * 20_000: "nested too deeply",
    '{"doomkeeper": "table", "a":' + '{"a":' * 50 + "1" + "}" * 51: "nested too deeply",
}
"""Texts that are refused, and the place that is told."""


@pytest.mark.parametrize(("text", "why"), REFUSED.items(), ids=range(len(REFUSED)))
def test_a_bad_file_is_refused_with_the_place_of_the_fault(text: str, why: str) -> None:
    with pytest.raises(Unreadable) as told:
        files.read(text)
    assert why in str(told.value)
    assert len(str(told.value)) < 600
    assert all(map(is_seen, str(told.value)))


def test_of_many_faults_only_so_many_are_told_apart() -> None:
    text = "[" + ", ".join(["NaN"] * 1000) + "]"
    assert len(set(map(id, files.parse(text)))) == files.MOST_FAULTS + 1
    with pytest.raises(Unreadable, match=r"^0: NaN isn't a number\.$"):
        files.require_whole(files.parse(text))
    behind = f'{{"table": {text}, "name": 1.5}}'
    with pytest.raises(Unreadable, match=r"^name: the value can't be read\.$"):
        files.require_whole(files.parse(behind))


ODD: tuple[Any, ...] = (
    0,
    1,
    2,
    -1,
    7,
    8,
    2**62,
    "",
    "x",
    "alice",
    "Bob",
    "rex",
    "\n",
    True,
    None,
    [],
    {},
    [0],
    {"1": 1},
)
"""What a part of a file is replaced by."""


def places(part: Any) -> list[tuple[Any, Any]]:
    """Every part of a form, with what holds it."""
    pairs = list(part.items() if isinstance(part, dict) else enumerate(part))
    inner = [each for _, held in pairs if isinstance(held, dict | list) for each in places(held)]
    return [*((part, name) for name, _ in pairs), *inner]


@settings(max_examples=4 * settings().max_examples)
@given(st.integers(0, 2**32))
def test_whatever_is_in_a_file_it_is_refused_or_can_be_played(seed: int) -> None:
    chance = random.Random(seed)
    form = json.loads(files.write_table(WHOLE, 7, 9))
    for _ in range(chance.randint(1, 2)):
        held, name = chance.choice(places(form["table"]))
        held[name] = deepcopy(chance.choice(ODD))
    try:
        read = files.read(json.dumps(form))
    except Unreadable:
        return
    assert isinstance(read, TableFile)
    now = campaign_files.bring_table(WHOLE, GRETA, read.table, is_home=True, is_same=True).table
    for view in views():
        view_lines(view, now, {})
    for each in CORTEX.of(now).rolls.values():
        roll_card(now, each)
    for one in ORE.of(now).rolls.values():
        ore_card(now, one)
    for deed in DEEDS.values():
        for who in (ALICE, GRETA):
            with suppress(RuleError):
                deed(now, who, list)


def test_a_file_of_an_older_shape_is_lifted() -> None:
    def renamed(table: dict[str, Any]) -> dict[str, Any]:
        return {"name": table["title"]}

    read = files.read(of({"title": "Skyfall"}, version=1), {1: renamed}, version=2)
    assert isinstance(read, TableFile)
    assert read.table == Table(name="Skyfall")


def test_a_file_of_version_7_may_say_that_somebody_has_no_xp() -> None:
    ann = {"name": "Ann", "games": {"cortex": {"pp": 2, "xp": 0}}}
    text = json.dumps({"doomkeeper": "character", "version": 7, "character": ann})
    read = files.read(text)
    assert isinstance(read, CharacterFile)
    assert (read.character.xp, CORTEX.has(read.character).pp) == (0, 2)


def test_a_character_of_an_older_shape_is_lifted_like_those_of_tables() -> None:
    def renamed(table: dict[str, Any]) -> dict[str, Any]:
        return {"characters": {k: {"name": each["title"]} for k, each in table["characters"].items()}}

    text = json.dumps({"doomkeeper": "character", "version": 1, "character": {"title": "Alice"}})
    read = files.read(text, {1: renamed}, version=2)
    assert isinstance(read, CharacterFile)
    assert read.character == Character("Alice")
