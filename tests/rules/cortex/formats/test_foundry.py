"""Actors of Foundry as characters of the Cortex Toolkit."""

import copy
import json
import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from hypothesis import given

from rules.campaign.files import check
from rules.cortex.formats import foundry, toolkit_form, toolkit_reader, toolkit_writer
from rules.cortex.kinds import Sfx, Trait
from rules.cortex.model import CORTEX, CortexCharacter
from rules.errors import NotAllowed, RuleError
from tests.foundry_files import actors
from tests.rules.cortex.formats.test_toolkit import FRESH, came
from tests.toolkit_files import VALID


def dice(*sizes: object) -> dict[str, Any]:
    return {"value": {str(at): size for at, size in enumerate(sizes)}}


def an_actor(where: str = "system", pp: Any = 3, **kind: Any) -> dict[str, Any]:
    wrapped = {"name": "Zoe", "type": "character", "img": "icons/svg/mystery-man.svg", "items": []}
    return {**wrapped, where: {"actorType": {"name": "Character", **kind}, "pp": {"value": pp}}}


def a_set(label: str, *traits: Any, **more: Any) -> dict[str, Any]:
    return {"label": label, "traits": {str(at): each for at, each in enumerate(traits)}, **more}


def form_of(actor: Any) -> Any:
    (form,) = toolkit_form.read(foundry.sheets(copy.deepcopy(actor)))
    return form


def own(actor: Any) -> CortexCharacter:
    return CORTEX.has(toolkit_reader.read(form_of(actor)).character)


def kept(form: Any) -> Any:
    return toolkit_form.ours(form).get("foundry", {})


def leaves(part: Any) -> Iterator[object]:
    if isinstance(part, dict | list):
        for each in part.values() if isinstance(part, dict) else part:
            yield from leaves(each)
    else:
        yield part


def dice_in(part: Any) -> Iterator[int]:
    """The sizes of all dice of an actor, or of what is kept of it."""
    for name, each in part.items() if isinstance(part, dict) else enumerate(part):
        if name == "dice" and isinstance(each, dict) and "value" in each:
            yield from (int(str(size).removeprefix("d")) for size in leaves(each["value"]))
        elif isinstance(each, dict | list):
            yield from dice_in(each)


def dice_on(trait: Any) -> Iterator[int]:
    """The sizes of the dice of a trait of the Toolkit's, its parts too, and of what is kept there."""
    yield from trait.get("dice") or ([trait["value"]] if trait["value"] else [])
    yield from dice_in(kept(trait))
    for each in trait["traits"]:
        yield from dice_on(each)


SIZE = re.compile("d?[0-9]+")


@given(actors())
def test_every_text_and_die_of_an_actor_is_on_the_character_or_kept_with_it(actor: Any) -> None:
    form = form_of(actor)
    said = "\n".join(str(each) for each in leaves(form))
    texts = [each.strip() for each in leaves(actor) if isinstance(each, str) and not SIZE.fullmatch(each)]
    assert [each for each in texts if each not in said and each not in unescape(said)] == []
    traits = [each for one in form["traitSets"] for each in one["traits"]]
    found = Counter(size for each in traits for size in dice_on(each))
    found += Counter(size for one in (form, *form["traitSets"]) for size in dice_in(kept(one)))
    assert Counter(dice_in(actor)) == found


@given(actors())
def test_an_actor_is_somebody_who_could_have_been_played_and_goes_out_as_the_toolkit_wants_it(
    actor: Any,
) -> None:
    found = toolkit_reader.read(form_of(actor)).character
    check(found, "character")
    written = toolkit_writer.write(found, FRESH)
    assert list(VALID.iter_errors(written)) == []
    (again,) = toolkit_form.read(written)
    assert came(toolkit_reader.read(again).character) == came(found)


@pytest.mark.parametrize("where", ["system", "data"])
def test_what_stands_on_the_sheet_comes(where: str) -> None:
    rogue = {
        "name": "Distinction 1",
        "label": "Daring rogue",
        "dice": dice("8"),
        "sfx": {"0": {"label": "Hinder", "description": "…", "unlocked": True}},
    }
    focus = {"0": {"label": "Focus", "description": "Spend a PP to reroll a die.", "unlocked": False}}
    fight = {
        "name": "Fight",
        "dice": dice("6", "10"),
        "sfx": focus,
        "subTraits": {"0": {"label": "Knives", "dice": dice(6)}},
        "descriptors": {"0": {"label": "Weak spot", "value": "<b>salt</b>"}},
    }
    actor = an_actor(
        where,
        traitSets={
            "10": a_set("Skills", fight, customTraits=[{"name": "Sneak", "dice": dice("d4")}]),
            "2": a_set("Distinctions", rogue, settings={"hasLabel": True}),
        },
        assets={"0": {"label": "Torch", "dice": dice("6")}},
        complications={"0": {"label": "Wet", "dice": dice("8")}},
        simpleTraits={
            "0": {"label": "Doom", "dice": dice("6", "6"), "settings": {"valueType": "dice"}},
            "1": {"label": "Health", "number": {"value": 7, "max": 10}, "settings": {"valueType": "number"}},
            "2": {"label": "Home", "text": {"value": "Oz"}, "settings": {"valueType": "text"}},
            "3": {"label": "XP", "number": {"value": "5"}, "settings": {"valueType": "number"}},
        },
        notes={"0": {"label": "Past & now", "value": "<p>Tall.</p>"}},
    )
    read = toolkit_reader.read(form_of(actor))
    has = CORTEX.has(read.character)
    assert (read.character.name, read.character.notes) == ("Zoe", "Past & now\nTall.")
    assert (has.pp, read.character.xp) == (3, 5)
    assert list(has.distinctions) == ["daring rogue"]
    assert has.sheet["fight"] == Trait("Fight", 10, set="Skills", more=(6,), note="Weak spot: salt")
    assert has.sheet["knives"] == Trait("Knives", 6, set="Skills", part_of="Fight")
    assert has.sheet["sneak"].die == 4
    assert has.sheet["doom"].more == (6,)
    assert (has.assets["torch"].die, has.complications["wet"].die) == (6, 8)
    assert [(each.label, each.note) for each in has.asides] == [("Health", "7/10"), ("Home", "Oz")]
    words = ('"Not unlocked yet: Spend a PP to reroll a die."',)
    assert has.sfx == {"focus": Sfx("Focus", words, trait="Fight")}
    assert list(toolkit_writer.names_kept(read.form)) == []


def test_what_the_sheet_hides_in_foundry_is_kept_and_does_not_come() -> None:
    mob = {"name": "Mob", "label": "x", "dice": dice("8"), "description": "many", "sfx": ["odd"]}
    form = form_of(an_actor(traitSets=[a_set("Extras", mob, settings={"hasDice": False, "hasLabel": False})]))
    (trait,) = form["traitSets"][0]["traits"]
    assert (trait["name"], trait["value"], trait["description"]) == ("Mob", 0, "many")
    assert kept(trait) == {"label": "x", "dice": dice("8"), "sfx": ["odd"]}


def test_a_place_of_the_sheet_is_noted_where_it_says_more_than_a_number() -> None:
    role = {"name": "Background", "label": "Retired soldier", "dice": dice("8"), "description": "grey"}
    has = own(an_actor(traitSets=[a_set("Roles", role)]))
    assert has.sheet["retired soldier"].note == "Background; grey"


def test_what_has_no_place_is_named_and_what_only_foundry_needs_is_not() -> None:
    actor = an_actor(traitSets=[a_set("Skills", id="_1", shutdown=True, settings={"hasDice": True})], pets=2)
    actor |= {"items": [{"name": "Rope"}], "prototypeToken": {"name": "Z"}, "img": "worlds/zoe.webp"}
    actor["system"]["pp"]["most"] = 9
    form = form_of(actor)
    assert list(toolkit_writer.names_kept(form)) == ["img", "items", "pets", "most", "shutdown"]
    assert kept(form)["prototypeToken"] == {"name": "Z"}
    assert foundry.is_kept(form)


@pytest.mark.parametrize(
    ("image", "url"),
    [
        ("icons/svg/house.svg", ""),
        ("worlds/zoe.webp", ""),
        ("https://example.org/a.png", "https://example.org/a.png"),
        ("data:image/png;base64,AAAA", "data:image/png;base64,AAAA"),
        ("file:///etc/passwd", ""),
        (7, ""),
    ],
)
def test_only_a_picture_or_an_address_is_a_portrait(image: object, url: str) -> None:
    form = form_of(an_actor() | {"img": image})
    assert form["portrait"]["url"] == url
    assert url or str(image) in json.dumps(form["custom"])


DND = {"name": "Bob", "type": "character", "img": "", "system": {"hp": 3}}


@pytest.mark.parametrize(
    ("form", "why"),
    [
        (DND | {"items": [], "_stats": {"systemId": "dnd5e"}}, 'made for "dnd5e" in Foundry'),
        (
            an_actor() | {"flags": {"exportSource": {"system": "cortex"}}},
            (
                r'made for "cortex" in Foundry\. Send an actor made for cortexprime \(up to version '
                r"0\.2\.16\) or cortexprime-ext"
            ),
        ),
        (an_actor() | {"_stats": {"exportSource": {"systemId": "x"}}}, 'made for "x" in Foundry'),
        (DND | {"token": {}}, "made for an unnamed system in Foundry"),
        (DND | {"_stats": {"systemId": "cortexprime"}}, "holds an item from Foundry, not an actor"),
        (DND | {"_stats": {"systemId": "dnd5e"}}, 'holds an item for "dnd5e" in Foundry, not an actor'),
        ({"name": "Hall", "walls": [], "_stats": {}}, "holds a scene from Foundry"),
        ({"name": "Diary", "pages": [], "_stats": {}}, "holds a journal from Foundry"),
        ({"name": "All", "actors": [], "items": [], "_stats": {}}, "holds a compendium from Foundry"),
        ({"command": "", "flags": {"exportSource": {}}}, "holds something else from Foundry"),
    ],
)
def test_anything_else_of_foundry_is_refused_with_what_can_be_read(form: Any, why: str) -> None:
    for each in (form, [an_actor(), form]):
        with pytest.raises(NotAllowed, match=why):
            foundry.sheets(each)


@pytest.mark.parametrize(
    "form", [5, None, [], {"type": 1}, {"doomkeeper": "x", "_stats": {}}, {"traitSets": []}]
)
def test_what_is_not_foundrys_is_left_as_it_is(form: Any) -> None:
    assert foundry.sheets(form) == form


def test_an_actor_whose_kind_nobody_has_chosen_is_a_name() -> None:
    actor = an_actor() | {"system": {"actorType": None}}
    assert toolkit_reader.read(form_of(actor)).character.name == "Zoe"


@pytest.mark.parametrize(
    ("size", "why"), [(10**9, "has the size"), (1e9, "has the size"), ("1000000000", "has the size")]
)
def test_a_die_of_no_such_size_is_refused(size: object, why: str) -> None:
    with pytest.raises(RuleError, match=why):
        form_of(an_actor(assets=[{"label": "Torch", "dice": dice(size)}]))
