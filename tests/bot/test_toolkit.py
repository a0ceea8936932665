"""Sheets of the Cortex Toolkit, in and out, end to end."""

import json
import re
from base64 import b64encode
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from bot.loopback.reply import BotReply, menus
from bot.store import files
from rules.campaign.files import check
from rules.cortex.kinds import Trait
from rules.cortex.model import CORTEX, CortexCharacter
from tests.bot.test_buttons import is_refused
from tests.bot.test_moving import file_of, state
from tests.game import Game
from tests.toolkit_files import VALID

ID = "9b2f2a52-6f0c-4b1e-9d0a-0f6f3c1b2a3d"
AT = "2024-05-01T10:00:00Z"


def a_trait(name: str, value: int | None = 8, said: str = "", **more: Any) -> dict[str, Any]:
    bare: dict[str, Any] = {
        "name": name,
        "value": value,
        "description": said,
        "traits": [],
        "sfx": [],
        "tags": [],
        "custom": {},
    }
    return bare | more


def a_set(name: str, *traits: Any, **more: Any) -> dict[str, Any]:
    bare = {"name": name, "description": "", "nounSingular": "", "nounPlural": "", "sfx": [], "tags": []}
    return bare | {"custom": {}, "traits": list(traits)} | more


def a_sheet(*sets: Any, name: str = "Zoe", **more: Any) -> dict[str, Any]:
    dates = dict.fromkeys(("dateCreated", "dateModified", "dateTouched"), AT)
    texts = {
        "name": name,
        "game": "Skyfall",
        "pronouns": "she/her",
        "description": "",
        "notes": "<p>Tall</p>",
    }
    portrait = {"url": "", "alt": "", "tags": [], "custom": {}}
    form = {"version": "0.1", "id": ID, **dates, **texts, "traitSets": list(sets), "portrait": portrait}
    return form | {"plotPoints": 3, "tags": ["hero"], "custom": {"cortexToolkit": {"width": 0.5}}} | more


ZOE = a_sheet(
    a_set("Attributes", a_trait("Mind", 10), a_trait("Body", 20)),
    a_set("Values", a_trait("Duty", 8, "I serve"), statement=True),
    a_set("Stress", a_trait("Angry", 6), a_trait("Afraid", 0)),
    a_set("Talents", a_trait("Quick", 0)),
)


def written(folder: Path, form: Any, name: str = "zoe.cortex.json") -> Path:
    path = folder / name
    path.write_text(form if isinstance(form, str) else json.dumps(form), encoding="utf-8")
    return path


async def zoe(game: Game, name: str = "zoe") -> CortexCharacter:
    return CORTEX.has((await state(game)).characters[name])


async def test_a_sheet_comes_after_a_preview_in_one_step_and_goes_back_as_it_came(
    table: Game, tmp_path: Path
) -> None:
    before = await state(table)
    shown = await table.says(f"bob: /character import file:{written(tmp_path, ZOE)}")
    assert shown.private
    assert await state(table) == before
    for line in (
        "Attributes: imported as trait set, 2 traits",
        "Stress: imported as Stress, 2 traits",
        "Body becomes d12: this table doesn't use d20.",
        "This table has no stress track for Angry",
        "Statements are off in this campaign. Turn them on: /campaign set",
        "These traits have no die, so only their names are imported: Quick",
    ):
        assert line in shown.text
    done = await table.bob.press(shown, "Import")
    assert done.text.startswith("Zoe has been imported")
    has = await zoe(table)
    assert has.sheet["duty"] == Trait("Duty", 8, set="Values", statement="I serve")
    assert has.pp == CORTEX.of(before).ruleset.starting_pp * before.is_session
    check((await state(table)).characters["zoe"])
    exported = await table.says("gm: /character export who:Zoe as:Toolkit")
    assert exported.private
    back = json.loads(file_of(exported))
    assert list(VALID.iter_errors(back)) == []
    changed = {"plotPoints", "dateModified"}  # the GM gives PP, and this was a player
    assert {k: v for k, v in back.items() if k not in changed} == {
        k: v for k, v in ZOE.items() if k not in changed
    }
    await table.play("bob: /undo")
    assert await state(table) == before


async def test_what_a_gm_brings_has_its_points_and_goes_back_to_the_letter(
    table: Game, tmp_path: Path
) -> None:
    shown = await table.says(f"gm: /campaign import file:{written(tmp_path, ZOE)}")
    assert not is_refused(await table.gm.press(shown, "Import"))
    assert (await zoe(table)).pp == 3
    assert {"alice", "bob", "zoe"} <= set((await state(table)).characters)
    exported = await table.says("gm: /character export who:Zoe as:Toolkit")
    assert json.loads(file_of(exported)) == ZOE


async def test_what_a_setting_hides_comes_all_the_same_and_is_said(game: Game, tmp_path: Path) -> None:
    await game.play("gm: /campaign new name:Deep Water ruleset:prime")
    shown = await game.says(f"gm: /character import file:{written(tmp_path, ZOE)}")
    assert "Stress is off in this campaign. Turn it on: /campaign set setting:stress tracks" in shown.text
    await game.gm.press(shown, "Import")
    assert (await zoe(game)).stress["angry"].die == 6


async def test_a_set_is_taken_as_what_the_menu_says(table: Game, tmp_path: Path) -> None:
    shown = await table.says(f"bob: /character import file:{written(tmp_path, ZOE)}")
    asked = await table.bob.choose(shown, "Change how a trait set is imported", ["attributes"])
    menu = await table.bob.choose(asked, "Import Attributes as", ["resources"])
    assert "Attributes: imported as Resources, 2 traits" in menu.text
    assert (
        "Resources are off in this campaign. Turn them on: /campaign set setting:resources value:on"
        in menu.text
    )
    await table.bob.press(menu, "Import")
    assert list((await zoe(table)).resources) == ["mind", "body"]


async def test_the_sheet_of_our_own_character_is_valid_and_comes_back(table: Game, tmp_path: Path) -> None:
    await table.play(
        "alice: /character set trait:Mind die:d10 trait_set:Attributes", "alice: /dist add what:Pirate"
    )
    before = await zoe(table, "alice")
    reply = await table.says("alice: /character export as:Toolkit")
    form = json.loads(file_of(reply))
    assert list(VALID.iter_errors(form)) == []
    path = written(tmp_path, form | {"name": "Ann"})
    await table.gm.press(await table.says(f"gm: /campaign import file:{path}"), "Import")
    now = await zoe(table, "ann")
    assert (now.sheet, now.distinctions, now.pp) == (before.sheet, before.distinctions, before.pp)


async def test_of_a_list_a_player_chooses_one_and_the_gm_brings_all(table: Game, tmp_path: Path) -> None:
    path = written(tmp_path, [ZOE, a_sheet(name="Yan"), a_sheet(name="Xia")])
    shown = await table.says(f"bob: /character import file:{path}")
    assert "/campaign import" not in shown.text
    chosen = await table.bob.choose(shown, "Which character", ["1"])
    assert (await table.bob.press(chosen, "Import")).text.startswith("Yan has been imported")
    await table.play("gm: /character remove name:Yan")
    one = await table.says(f"gm: /character import file:{path}")
    assert "The file has 3 characters. To import them all: /campaign import" in one.text
    everybody = await table.says(f"gm: /campaign import file:{path}")
    assert "imports them all" not in everybody.text
    await table.gm.press(everybody, "Import")
    assert {"zoe", "yan", "xia"} <= set((await state(table)).characters)
    await table.play("gm: /undo")
    assert not {"zoe", "yan", "xia"} & set((await state(table)).characters)
    assert "Only the GM" in (await table.says(f"bob: /campaign import file:{path}")).text


async def test_a_portrait_is_kept_small_and_goes_back_as_it_is_kept(table: Game, tmp_path: Path) -> None:
    picture = BytesIO()
    Image.new("RGB", (64, 64), "red").save(picture, "PNG")
    url = f"data:image/png;base64,{b64encode(picture.getvalue()).decode()}"
    sheet = a_sheet(portrait={"url": url, "alt": "A face", "tags": [], "custom": {}})
    await table.gm.press(await table.says(f"gm: /campaign import file:{written(tmp_path, sheet)}"), "Import")
    here = (await state(table)).characters["zoe"]
    assert here.picture
    assert here.picture_alt == "A face"
    origin = CORTEX.has(here).origin
    assert origin is not None
    assert "base64" not in origin.file
    back = json.loads(file_of(await table.says("gm: /character export who:Zoe as:Toolkit")))
    assert back["portrait"]["url"].startswith("data:image/webp;base64,")
    assert list(VALID.iter_errors(back)) == []


COUNTED = a_sheet(
    a_set(
        "Badges",
        a_trait("Swimming", 0, "in lakes", counter=3),
        a_trait("Climbing", 8, counter=2, xp=4),
        counterLabel="Pips",
    ),
    a_set("Values", a_trait("Duty", 0, "I serve", questioned=True, xp=2), statement=True),
    a_set("Stress", a_trait("Mental", 6, counter=5), a_trait("Physical", 0, xp=7)),
    a_set("Complications", a_trait("Wet", 8, questioned=True)),
    a_set("Milestones", a_trait("Find the map", 0, counter=1)),
)


async def test_what_a_sheet_counts_of_a_trait_is_shown_with_or_without_a_die(
    table: Game, tmp_path: Path
) -> None:
    shown = await table.says(f"gm: /campaign import file:{written(tmp_path, COUNTED)}")
    assert "These traits have no die, so only their names are imported: Swimming and Duty\n" in shown.text
    await table.gm.press(shown, "Import")
    sheet = (await table.says("gm: /character show who:Zoe")).text
    for line in (
        "Badges Climbing d8 (Pips 2; XP 4)",
        "Badges: Swimming (Pips 3; in lakes)",
        "Values: Duty (questioned; XP 2; I serve)",
        "Stress: Mental (count 5), Physical (XP 7)",
        "Complications: Wet (questioned)",
        "Milestones traits: Find the map (count 1)",
    ):
        assert line in sheet
    exported = await table.says("gm: /character export who:Zoe as:Toolkit")
    assert json.loads(file_of(exported)) == COUNTED


async def test_an_asset_of_several_dice_keeps_them_in_the_form_and_in_the_next_scene(
    table: Game, tmp_path: Path
) -> None:
    form = a_sheet(a_set("Signature assets", a_trait("Torch", 6, dice=[6, 6])))
    await table.gm.press(await table.says(f"gm: /campaign import file:{written(tmp_path, form)}"), "Import")
    form_of_it = (await table.says("gm: /character edit who:Zoe")).form
    assert form_of_it is not None
    text = str(form_of_it.field("Sheet").default)
    assert "Signature assets: Torch 2d6" in text
    assert "Nothing changed on Zoe's sheet." in (await table.gm.submit(form_of_it, {"Sheet": text})).text
    await table.play("gm: /asset stepup what:Torch who:Zoe", "gm: /scene start")
    assert (await zoe(table)).assets["torch"] == Trait("Torch", 6, 6, more=(6,), usual=(6,))
    back = json.loads(file_of(await table.says("gm: /character export who:Zoe as:Toolkit")))
    assert back["traitSets"] == form["traitSets"]


async def test_an_address_is_kept_as_text_and_a_broken_picture_goes_back(table: Game, tmp_path: Path) -> None:
    for name, url, said in (
        ("Zoe", "https://example.org/a.png", "the picture isn't downloaded"),
        ("Yan", "data:image/png;base64,AAAA", "The bot can't read the portrait"),
    ):
        sheet = a_sheet(name=name, portrait={"url": url, "alt": "", "tags": [], "custom": {}})
        shown = await table.says(f"gm: /campaign import file:{written(tmp_path, sheet)}")
        assert said in shown.text
        await table.gm.press(shown, "Import")
        back = json.loads(file_of(await table.says(f"gm: /character export who:{name} as:Toolkit")))
        assert back == sheet


DEEP = '{"traitSets": ' + "[" * 10_000 + "]" * 10_000 + "}"
HOSTILE = {
    "a number far too large": (json.dumps(a_sheet(a_set("A", a_trait("x", 10**9)))), "has the size"),
    "a size as a power": ('{"traitSets": [{"traits": [{"name": "x", "value": 1e9}]}]}', "has the size"),
    "no number": ('{"traitSets": [], "plotPoints": NaN}', "NaN isn't a number"),
    "endless": ('{"traitSets": [], "plotPoints": 1e999}', "is too large"),
    "a member twice": ('{"traitSets": [], "name": "A", "name": "B"}', "it appears twice"),
    "too deep": (DEEP, "nested too deeply"),
    "many traits": (
        json.dumps(a_sheet(a_set("A", *[{"name": "x"}] * 5000))),
        "5,000 traits; the limit",
    ),
    "many characters": (json.dumps([{"traitSets": []}] * 1000), "1,000 characters; the limit"),
    "a newer version": (json.dumps(a_sheet(version="1.2")), 'has version "1.2'),
    "a blank": (json.dumps(a_sheet(isTemplate=True)), "/campaign new"),
    "a blank in a template": (json.dumps({"id": "t", "character": a_sheet()}), "/campaign new"),
    "what is kept twice": (
        json.dumps(a_sheet(a_set("A")) | {"portrait": "x" * 600_000}),
        "Zoe's sheet would have 1,200",
    ),
    "10 MB": ("[" + " " * 10_000_000 + "]", "1,000,000"),
}


async def test_a_hostile_file_is_refused_in_a_sentence_and_changes_nothing(
    table: Game, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for what, (text, why) in HOSTILE.items():
        with subtests.test(what=what):
            before = await state(table)
            for command in ("/character import", "/campaign import"):
                reply = await table.says(f"gm: {command} file:{written(tmp_path, text)}")
                assert is_refused(reply)
                assert why in reply.text
                assert not reply.buttons
            assert await state(table) == before


async def test_a_sheet_that_came_goes_out_as_a_file_of_ours_and_comes_back(
    table: Game, tmp_path: Path
) -> None:
    await table.gm.press(await table.says(f"gm: /campaign import file:{written(tmp_path, ZOE)}"), "Import")
    before = await zoe(table)
    text = file_of(await table.says("gm: /character export who:Zoe")).decode()
    files.read(text)
    await table.play("gm: /character remove name:Zoe")
    await table.gm.press(await table.says(f"gm: /character import file:{written(tmp_path, text)}"), "Import")
    assert await zoe(table) == before


async def test_a_character_that_is_too_large_to_come_back_goes_out_and_says_so(
    table: Game, tmp_path: Path
) -> None:
    form = a_sheet(a_set("A"), custom={"other": '"' * 450_000})
    await table.gm.press(await table.says(f"gm: /character import file:{written(tmp_path, form)}"), "Import")
    reply = await table.says("gm: /character export who:Zoe")
    size = len(file_of(reply))
    assert size > 1_000_000
    assert f"The file has {size:,} bytes; the limit for importing it again is 1,000,000." in reply.text


@pytest.mark.parametrize("blank", ["\n", " ", "\t", "\u00a0", "\n \r"])
async def test_text_behind_a_great_many_blanks_is_left_out(table: Game, tmp_path: Path, blank: str) -> None:
    late = blank * (80_000 // len(blank)) + "Far behind"
    form = a_sheet(a_set("A", a_trait("Duty", 8, description=late)), notes=f"Near\n{late}", pronouns=late)
    text = json.dumps(form, ensure_ascii=False)
    await table.gm.press(await table.says(f"gm: /character import file:{written(tmp_path, text)}"), "Import")
    found = (await state(table)).characters["zoe"]
    assert (found.notes, found.pronouns) == ("Near", "")
    assert "Far behind" in file_of(await table.says("gm: /character export who:Zoe as:Toolkit")).decode()


BLANK = a_sheet(
    a_set("Distinctions"),
    a_set("Values", statement=True),
    a_set("Powers, old"),
    a_set("Stress", a_trait("Angry", 0), a_trait("Afraid", None)),
    a_set("Resources"),
    name="",
)


@pytest.mark.parametrize(
    "form", [BLANK | {"isTemplate": True}, {"id": "t", "title": "Spy", "character": BLANK}]
)
async def test_a_campaign_begins_with_the_sets_of_a_blank(game: Game, tmp_path: Path, form: Any) -> None:
    begun = await game.says(f"gm: /campaign new name:Skyfall ruleset:prime file:{written(tmp_path, form)}")
    assert "Skyfall begins" in begun.text
    rules = CORTEX.of(await state(game)).ruleset
    assert rules.trait_sets == ("Distinctions", "Values", "Powers old", "Resources")
    assert (rules.stress, rules.has_resources, rules.statements) == (("Angry", "Afraid"), True, True)
    assert "stress tracks" in (await game.says("gm: /log")).text


TRAITS = a_sheet(
    a_set("Distinctions", a_trait("Spy", 8, sfx=[{"name": "Focus", "description": "double Wits"}])),
    a_set("Powers, old", a_trait("Flight", 10, traits=[a_trait("Speed", 6)]), a_trait("Glow", 0)),
    a_set("Signature assets", a_trait("Rope", 6, dice=[6, 6])),
    *(a_set(f"Set {number}", a_trait(f"Trait {number}")) for number in range(8)),
    a_set("Gear"),
    a_set("Stress", a_trait("Angry", 0), a_trait("Afraid", 8)),
    isTemplate=True,
)


async def test_new_characters_begin_with_the_traits_of_a_blank_and_what_is_left_out_is_named(
    game: Game, tmp_path: Path
) -> None:
    begun = await game.says(f"gm: /campaign new ruleset:prime file:{written(tmp_path, TRAITS)}")
    assert "New characters start with Spy d8, Flight d10, Speed d6, Trait 0 d8, " in begun.text
    assert "Each player chooses the dice of Glow" in begun.text
    assert "Not used from the file: Gear, Trait 7 and Afraid" in begun.text
    form = (await game.alice.press(begun, "Join")).form
    assert form is not None
    text = str(form.field("Sheet").default)
    for line in (
        "Distinctions: Spy d8",
        "Powers old: Flight d10 (> Speed d6), Glow",
        'Set 0: "Trait 0" d8',
        "Signature assets: Rope 2d6",
        "SFX: Focus (Spy): double Wits",
    ):
        assert line in text
    await game.alice.submit(form, {"Name": "Ann", "Sheet": text})
    ann = await zoe(game, "ann")
    assert (ann.sheet["flight"].die, ann.assets["rope"].usual) == (10, (6,))
    await game.play("bob: /character new name:Ben")
    ben = await zoe(game, "ben")
    assert (ben.sheet, ben.distinctions, ben.assets, ben.sfx) == (
        ann.sheet,
        ann.distinctions,
        ann.assets,
        ann.sfx,
    )


UNRATED = a_sheet(
    a_set("Distinctions", a_trait("Spy", 0), a_trait("Rogue", 8)),
    a_set("Attitudes", a_trait("Bold", 0), a_trait("Sly", None)),
    a_set("Values", a_trait("Duty", 0), a_trait("Glory", 6), statement=True),
    a_set("Skills", a_trait("Climb", 8, traits=[a_trait("Ropes", 0)]), a_trait("Duty", 0), a_trait("d8", 0)),
    a_set(
        "Odd",
        a_trait("Fight (old)", 0),
        a_trait("Trait 8", 0),
        a_trait("Run, far", 0),
        a_trait("@all <@1>", 0),
    ),
    a_set("Signature Assets", a_trait("Sword", 0, sfx=[{"name": "Keen", "description": "double Sword"}])),
    a_set("Resources", a_trait("Gold", 0)),
    isTemplate=True,
)
"""A blank with traits that have no die."""
ODD = '"Fight (old)", "Trait 8", "Run, far"'
FIRST = (
    "SFX: Keen: double Sword",
    *("Distinctions: Rogue d8, Spy d8", "Values: Glory d6, Duty", 'Skills: Climb d8, Ropes, "Duty (Skills)"'),
    *("Attitudes: Bold, Sly", f"Odd: {ODD}", "Signature assets: Sword", "Resources: Gold"),
)
"""The sheet of its new characters."""
NO_DICE = "Add dice to each name that has none. A name without dice isn't on the sheet yet."


@pytest.fixture
async def begun(game: Game, tmp_path: Path) -> BotReply:
    return await game.says(f"gm: /campaign new ruleset:prime file:{written(tmp_path, UNRATED)}")


async def sheet_of(reply: BotReply) -> str:
    assert reply.form is not None
    return str(reply.form.field("Sheet").default)


async def test_traits_without_a_die_wait_on_the_sheets_of_new_characters(game: Game, begun: BotReply) -> None:
    assert "New characters start with Rogue d8, Spy d8, Glory d6, Climb d8 and Keen\n" in begun.text
    names = "Bold, Sly, Duty, Ropes, Duty (Skills), Fight (old), Trait 8, Run, far, Sword and Gold"
    assert f"Each player chooses the dice of {names}" in begun.text
    assert begun.text.endswith("Not used from the file: d8 and @all \\<@1>")
    joining = await game.alice.press(begun, "Join")
    assert set((await sheet_of(joining)).splitlines()) == set(FIRST)
    assert joining.form is not None
    assert NO_DICE in str(joining.form)
    joined = await game.alice.submit(joining.form, {"Name": "Ann", "Sheet": await sheet_of(joining)})
    assert joined.text == "Ann is played by alice"
    await game.at_rest()
    assert "Still without dice: Duty, Ropes, Duty (Skills), Bold, Sly, " in joined.more[0].text
    assert set((await zoe(game, "ann")).sheet) == {"glory", "climb"}
    edited = await game.says("alice: /character edit")
    assert NO_DICE in str(edited.form)
    assert set((await sheet_of(edited)).splitlines()) == set(FIRST)


@pytest.mark.parametrize(
    ("line", "typed", "rated", "told"),
    [
        ("Attitudes: Bold, Sly", "Attitudes: Bold d10, Sly d6", {"bold": 10, "sly": 6}, ""),
        ("Attitudes: Bold, Sly", "Attitudes: Bold d10, Sly", {"bold": 10}, ""),
        ("Attitudes: Bold, Sly", "attitudes: sly 8, BOLD", {"sly": 8}, ""),
        ("Attitudes: Bold, Sly", "Attitudes:\nBold d4\nSly", {"bold": 4}, ""),
        ("Attitudes: Bold, Sly", "Attitudes: Bold d10", {"bold": 10}, ""),
        ("Attitudes: Bold, Sly", "", {}, "Nothing changed on Ben's sheet."),
        ("Attitudes: Bold, Sly", "Attitudes: Bold, Bold d8", {"bold": 8}, ""),
        ("Attitudes: Bold, Sly", "Attitudes: Bold d8, Slyy", {}, '"Slyy" needs a die. Example: Slyy d8'),
        ("Attitudes: Bold, Sly", "Attitudes: Bold d8, Brave", {}, '"Brave" needs a die. Example: Brave d8'),
        ("Attitudes: Bold, Sly", "Attitudes: Bold Sly", {}, '"Bold Sly" needs a die.'),
        ("Attitudes: Bold, Sly", "Skills: Bold", {}, '"Bold" needs a die. Example: Bold d8'),
        ("Attitudes: Bold, Sly", "Attitudes: Bold: d8", {"bold": 8}, ""),
        ("Attitudes: Bold, Sly", "Attitudes: Bold (> Rash d6)", {}, '"Bold" needs a die. Example: Bold d8'),
        (
            "Attitudes: Bold, Sly",
            "Bold, Sly",
            {},
            "these traits need a trait set.",
        ),
        ("Odd: " + ODD, f"Odd: {ODD} d6".replace('8"', '8" d10'), {"trait 8": 10, "run, far": 6}, ""),
        ("Signature assets: Sword", "Signature assets: Sword d8", {"sword": 8}, ""),
        ("Resources: Gold", "Resources: Gold 2d6", {"gold": 6}, ""),
        ("Skills: Climb d8, Ropes", "Skills: Climb d8 (> Ropes d6)", {"ropes": 6}, ""),
        ("Values: Glory d6, Duty", "Values: Glory d6, Duty d8\nDuty d8: I serve", {"duty": 8}, ""),
        ("Values: Glory d6, Duty", "Values: Glory d6\nDuty: I serve", {}, '"I serve" needs a die.'),
    ],
)
async def test_a_trait_gets_its_die_on_the_sheet(
    game: Game, begun: BotReply, line: str, typed: str, rated: dict[str, int], told: str
) -> None:
    await game.play("bob: /character new name:Ben")
    edited = await game.says("bob: /character edit")
    assert edited.form is not None
    text = await sheet_of(edited)
    assert line in text
    done = await game.bob.submit(edited.form, {"Sheet": text.replace(line, typed)})
    assert is_refused(done) == bool(told)
    assert told in done.text
    ben = await zoe(game, "ben")
    held = {**ben.sheet, **ben.assets, **ben.resources}
    assert {name: each.die for name, each in held.items() if name not in ("glory", "climb")} == rated
    again = await sheet_of(await game.says("bob: /character edit"))
    for label in ("Bold", "Sly", "Sword", "Gold"):
        has_die = re.search(rf"\b{label} (safe )?2?d", again.partition("SFX")[0], re.IGNORECASE)
        assert bool(has_die) == (label.casefold() in rated)
        assert label.casefold() in again.casefold()


async def test_more_traits_than_a_set_has_room_for_are_told(game: Game, tmp_path: Path) -> None:
    blank = a_sheet(a_set("Skills", *(a_trait(f"S{number}x", 0) for number in range(42))), isTemplate=True)
    begun = await game.says(f"gm: /campaign new ruleset:prime file:{written(tmp_path, blank)}")
    assert begun.text.endswith("Not used from the file: S40x and S41x")
    assert "S39x" in await sheet_of(await game.alice.press(begun, "Join"))


async def test_traits_without_a_die_go_with_their_set(game: Game, begun: BotReply) -> None:
    asked = await game.says("gm: /campaign set setting:trait sets value:Distinctions, Attitudes")
    await game.gm.press(asked, "Set trait sets")
    await game.play("bob: /character new name:Ben")
    edited = await game.says("bob: /character edit")
    assert "Attitudes: Bold, Sly" in await sheet_of(edited)
    assert "Duty" not in await sheet_of(edited)
    assert edited.form is not None
    refused = await game.bob.submit(edited.form, {"Sheet": "Values: Duty"})
    assert '"Duty" needs a die. Example: Duty d8' in refused.text


async def test_a_trait_that_waits_for_its_die_is_set_without_its_set(game: Game, begun: BotReply) -> None:
    await game.play("bob: /character new name:Ben")
    assert (await game.play("bob: /character set trait:Bold die:d8")).text == "Ben · Bold d8 (trait)"
    assert (await zoe(game, "ben")).sheet["bold"].set == "Attitudes"
    assert (await game.says("bob: /roll dice:Sly")).text.startswith("Ben has no Sly.")
    exported = await game.says("bob: /character export who:Ben as:text")
    assert "Sly" not in file_of(exported).decode()


async def test_what_new_characters_begin_with_names_nobody_who_is_forgotten(
    game: Game, tmp_path: Path
) -> None:
    form = a_sheet(a_set("Distinctions", a_trait("Friend of alice")), isTemplate=True)
    begun = await game.says(f"gm: /campaign new ruleset:prime file:{written(tmp_path, form)}")
    joining = (await game.alice.press(begun, "Join")).form
    assert joining is not None
    await game.alice.submit(joining, {"Name": "Ann", "Sheet": ""})
    await game.forget(game.alice)
    assert CORTEX.of(await state(game)).first_sheet == "Distinctions: Friend of Somebody d8"


async def test_who_takes_a_character_that_is_there_keeps_their_sheet(game: Game, tmp_path: Path) -> None:
    begun = await game.says(f"gm: /campaign new ruleset:prime file:{written(tmp_path, TRAITS)}")
    await game.play("bob: /character new name:Cat", "bob: /character set trait:Flight die:d4")
    await game.play("bob: /character new name:Dan")
    form = (await game.alice.press(await game.alice.press(begun, "Join"), "Somebody new")).form
    assert form is not None
    taken = await game.alice.submit(form, {"Name": "Cat"})
    assert not is_refused(taken)
    cat = (await state(game)).characters["cat"]
    assert (cat.player, CORTEX.has(cat).sheet["flight"].die) == (game.alice.id, 4)


async def test_traits_of_a_set_that_the_campaign_has_no_longer_begin_no_sheet(
    game: Game, tmp_path: Path
) -> None:
    begun = await game.says(f"gm: /campaign new ruleset:prime file:{written(tmp_path, TRAITS)}")
    joining = (await game.alice.press(begun, "Join")).form
    assert joining is not None
    await game.alice.submit(joining, {"Name": "Ann", "Sheet": ""})
    asked = await game.says("gm: /campaign set setting:trait sets value:Distinctions")
    await game.gm.press(asked, asked.buttons[0].label)
    form = (await game.says("alice: /character edit")).form
    assert form is not None
    text = str(form.field("Sheet").default)
    assert text.startswith("Distinctions: Spy d8\n")
    assert "Flight" not in text
    asked = await game.says("gm: /campaign set setting:trait sets value:Skills")
    await game.gm.press(asked, asked.buttons[0].label)
    form = (await game.says("alice: /character edit")).form
    assert form is not None
    assert "Spy" not in str(form.field("Sheet").default)


async def test_a_campaign_does_not_begin_with_another_file(
    game: Game, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for form, why in (
        (ZOE, "Start the campaign without it, then send the file: /character import"),
        ({"doomkeeper": "table"}, "one empty Cortex Toolkit sheet; that file holds 0"),
        ([BLANK | {"isTemplate": True}] * 2, "that file holds 2"),
    ):
        with subtests.test(why=why):
            reply = await game.says(f"gm: /campaign new name:Skyfall file:{written(tmp_path, form)}")
            assert is_refused(reply)
            assert why in reply.text


async def test_what_is_otherwise_here_is_said_in_the_preview(table: Game, tmp_path: Path) -> None:
    twice = a_set("Values", a_trait("Duty")), a_set("Relationships", a_trait("Duty"))
    sheet = a_sheet(*twice, notes="x" * 3000) | {"zodiac": "Leo"}
    shown = await table.says(f"bob: /character import file:{written(tmp_path, sheet)}")
    assert "Several traits share a name, so the name of the trait set is added to each: Duty" in shown.text
    assert (
        "The notes are too long for the sheet, so they're cut short. Exports include them in full."
        in shown.text
    )
    assert (
        "The notes are too long for the sheet, so they're cut short. Exports include them in full.\n"
        "The bot can't use these entries, but exports keep them: zodiac\nPP and hero dice aren't"
    ) in shown.text


async def test_a_list_of_many_has_a_second_menu(table: Game, tmp_path: Path) -> None:
    path = written(tmp_path, [a_sheet(name=f"Person {number}") for number in range(30)])
    shown = await table.says(f"bob: /character import file:{path}")
    assert shown.message is not None
    assert "Which character (more)" in [menu.placeholder for menu in menus(shown.message)]
