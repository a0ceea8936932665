"""The mods that bend the rules further, as they are played through commands (N2, N3, N4, N7)."""

import pytest

from bot.loopback.reply import BotReply
from rules.cortex.model import CORTEX
from tests.bot.test_build import adds, chosen, labels
from tests.bot.test_buttons import is_refused, seen
from tests.bot.test_contests import do
from tests.game import Game

ON = "gm: /campaign set setting:"


async def refused(table: Game, line: str, because: str) -> None:
    """Somebody's line is refused to them alone, for that reason."""
    reply = await table.says(line)
    assert is_refused(reply)
    assert because in reply.text


async def undone(table: Game) -> None:
    """The GM takes the last step back."""
    await table.play("gm: /undo")


# N4: rest


async def test_N4_people_rest_at_the_start_of_a_scene(table: Game) -> None:
    resting = "gm: /scene start kind:rest"
    await refused(table, resting, "Rest at the start of a scene is off in this campaign.")
    assert [button.label for button in (await table.says(resting)).buttons] == ["Set rest to “by hand”"]
    await table.play(
        f"{ON}rest value:by hand",
        "gm: /stress add what:Mental who:Alice die:d8",
        "gm: /stress add what:Physical who:Alice die:d12",
        "gm: /stress stepup what:Physical who:Alice",
    )
    _, before = await seen(table)
    rested = await table.play("gm: /scene start name:Inn kind:rest distinctions:Warm hearth")
    lines = rested.text.splitlines()
    stressed = [line for line in lines if "stress" in line]
    assert stressed == ["Alice · Mental stress d6 (was d8)", "Alice · Physical stress d10 (was d12)"]
    assert lines.index(stressed[0]) < lines.index("Scene · Warm hearth d8 (distinction)")
    assert "is taken out" not in (await table.says("gm: /table show")).text
    await undone(table)
    _, after = await seen(table)
    assert after.characters == before.characters
    await table.play(f"{ON}time heals stress value:on")
    assert "rest: scene end" in (await table.says(f"{ON}rest")).text


async def test_N4_who_has_trauma_past_d12_is_out_for_good(table: Game) -> None:
    await table.play(
        f"{ON}rest value:scene start", "gm: /stress add what:Mental who:Alice die:d12 trauma:True"
    )
    told = await table.play("gm: /stress stepup what:Mental who:Alice trauma:True")
    assert told.text.startswith("Alice is taken out for good by Mental trauma")
    assert "Stay in" not in [button.label for button in told.buttons]
    await table.play("gm: /scene start")
    assert "Alice: played by alice, retired" in (await table.says("bob: /character list")).text
    assert "played by alice, retired" in (await table.says("bob: /character show who:Alice")).text
    assert "Alice is out for good (retired)" in (await table.says("bob: /table show")).text
    await refused(table, "alice: /roll dice:2d6", "Alice is out for good")
    await refused(
        table,
        "bob: /contest start dice:2d6 against:Alice",
        "Alice is out for good, which rules out a contest.",
    )
    order = await table.play("gm: /turn start who:Bob")
    assert "Alice" not in (order.text + (await table.says("gm: /turn show")).text)
    await refused(table, "alice: /stress stepdown what:Mental trauma:True", "The GM can step the trauma down")
    back = await table.play("gm: /stress stepdown what:Mental who:Alice trauma:True")
    assert "Alice is back in" in back.text
    await table.play("alice: /roll dice:2d6")


# N2: a d4 of trouble helps


async def test_N2_a_d4_helps_and_is_gone_when_the_roll_closes(table: Game) -> None:
    await table.play("gm: /comp add what:Cold who:Alice die:d4")
    await refused(table, "alice: /roll dice:Cold + d6", 'the setting "d4 trouble helps"')
    await table.play(f"{ON}d4 trouble helps value:on")
    _, before = await seen(table)
    table.dice.show((4, 3, 5))
    rolled = await table.play("alice: /roll dice:Cold + 2d6 vs:8 + Cold")
    assert "Cold d4: 4" in rolled.text
    assert "Alice: 2 PP (+1, Cold helps)" in rolled.text
    assert "Cold d4 isn't in the way" in rolled.text
    assert "vs 8: success" in rolled.text
    table.dice.show((4, 3))
    again = await table.play("alice: /roll dice:2d6")
    assert "Alice · Cold is gone" in again.text
    await undone(table)
    _, now = await seen(table)
    assert "cold" in CORTEX.has(now.characters["alice"]).complications
    await undone(table)
    _, now = await seen(table)
    assert now.characters == before.characters


async def test_N2_a_hitch_makes_it_grow_instead(table: Game) -> None:
    await table.play(f"{ON}d4 trouble helps value:on", "gm: /comp add what:Cold who:Alice die:d4")
    table.dice.show((1, 3, 5))
    rolled = await table.play("alice: /roll dice:Cold + 2d6")
    form = (await table.gm.press(rolled, "Hitches: 1")).form
    assert form is not None
    offered = [option.label for option in form.field("What").options]
    assert [label for label in offered if "Cold" in label] == ["Step up Cold d4, free"]
    grown = await do(table, "gm", rolled, "Hitches: 1", {"What": "Step up Cold d4, free"})
    assert "Alice · Cold d6 (was d4)" in grown.text
    await table.play("gm: /scene end")
    _, now = await seen(table)
    alice = CORTEX.has(now.characters["alice"])
    assert (alice.complications["cold"].die, alice.pp) == (6, 2)


async def test_N2_of_several_hitches_each_can_be_bought_for_what_would_grow_by_one(table: Game) -> None:
    await table.play(f"{ON}d4 trouble helps value:on", "gm: /comp add what:Cold who:Alice die:d4")
    table.dice.show((1, 1, 5))
    rolled = await table.play("alice: /roll dice:Cold + 2d6")
    form = (await table.gm.press(rolled, "Hitches: 2")).form
    assert form is not None
    offered = [option.label for option in form.field("What").options]
    assert [label for label in offered if "Cold" in label] == [
        "Step up Cold d4 once for each hitch, pays 1 PP",
        "Step up Cold d4, free",
    ]


# N3: pushing


async def test_N3_a_push_costs_a_pp_and_steps_up_when_the_roll_closes(table: Game) -> None:
    await table.play("gm: /stress add what:Mental who:Alice die:d8")
    table.dice.show((3, 4))
    plain = await table.play("alice: /roll dice:push d6, d8")
    assert "push d6: 3" in plain.text
    await refused(
        table,
        "alice: /roll dice:push Mental",
        ("Pushing stress is off in this campaign. Ask gm to change this setting."),
    )
    await table.play(f"{ON}push stress value:1 PP")
    await refused(
        table,
        "alice: /roll dice:push d6",
        "You can only push your own stress or complication of d6 or more. Try Mental d8.",
    )
    _, before = await seen(table)
    table.dice.show((8, 4, 2))
    rolled = await table.play("alice: /roll dice:push Mental, 2d6 vs:9 + Mental")
    assert "Mental d8: 8" in rolled.text
    assert "Alice: 0 PP (-1, Mental is pushed)" in rolled.text
    assert "vs 9: success by 3" in rolled.text
    used = await do(table, "alice", rolled, "Apply d6", {"What": "Asset d6", "Name": "Rope", "On": "Alice"})
    assert "Alice · Mental stress d10 (was d8)" in used.text
    await undone(table)
    await undone(table)
    _, now = await seen(table)
    assert now.characters == before.characters


async def test_N3_an_sfx_pushes_where_only_these_may(table: Game) -> None:
    await table.play(
        f"{ON}push stress value:SFX only",
        "gm: /stress add what:Mental who:Alice die:d8",
        "alice: /sfx add name:Rage benefit:push",
    )
    await refused(
        table,
        "alice: /roll dice:push Mental",
        "Only an SFX can push in this campaign, and no SFX in this pool does. Ask gm to change this setting.",
    )
    table.dice.show((4, 5))
    rolled = await table.play("alice: /roll dice:d6 + Rage")
    assert "Mental d8: 5" in rolled.text
    assert "PP" not in rolled.text.replace("1 PP each", "")
    ended = await table.play("gm: /scene end")
    assert "Alice · Mental stress d10 (was d8)" in ended.text


# N7: statements


STATE = "alice: /character set trait:Duty die:d10 trait_set:Values statement:I leave nobody behind"


async def test_N7_a_statement_stands_on_the_sheet_and_in_its_text(table: Game) -> None:
    await refused(table, STATE, "Statements are off in this campaign. Ask gm to change this setting.")
    await table.play("alice: /character set trait:Duty die:d10 trait_set:Values")
    await refused(
        table,
        "alice: /roll dice:d6, challenge Duty",
        "Statements are off in this campaign, so traits can't be challenged. Ask gm to change this setting.",
    )
    given = await table.play(f"{ON}statements value:on", STATE)
    assert given.text == "Alice · Duty d10: I leave nobody behind"
    shown = (await table.says("bob: /character show who:Alice")).text.splitlines()
    assert shown[shown.index("Values Duty d10") + 1] == "Duty d10: I leave nobody behind"
    form = (await table.says("alice: /character edit")).form
    assert form is not None
    text = str(form.field("Sheet").default)
    assert "Values: Duty d10\nDuty d10: I leave nobody behind" in text
    changed = text.replace("nobody behind", "everybody behind")
    await table.person("alice").submit(form, {"Sheet": changed})
    assert "everybody behind" in (await table.says("bob: /character show who:Alice")).text
    await table.play("alice: /character set trait:Duty statement:-")
    assert "behind" not in (await table.says("bob: /character show who:Alice")).text


async def test_N7_N21_a_statement_has_all_dice_of_its_trait_on_the_sheet(table: Game) -> None:
    await table.play(f"{ON}statements value:on", STATE.replace("d10", "3d6"))
    assert "Duty 3d6: I leave nobody behind" in (await table.says("bob: /character show who:Alice")).text


async def challenged(table: Game, *more: str) -> BotReply:
    """The end of a session in which Duty was challenged."""
    await table.play(f"{ON}statements value:on", STATE, *more)
    table.dice.show((7, 6, 5, 2))
    rolled = await table.play("alice: /roll dice:challenge Duty, d6")
    assert rolled.text.count("Duty d10:") == 3
    assert "over the limit" not in rolled.text
    ended = await table.play("gm: /scene end")
    assert "Alice · Duty d8 (challenged, was d10)" in ended.text
    return await table.play("gm: /session end")


async def test_N7_a_challenged_statement_is_rewritten_and_the_rating_is_back(table: Game) -> None:
    over = await challenged(table)
    assert {"Rewrite Duty", "Keep Duty"} <= {button.label for button in over.buttons}
    assert is_refused(await table.person("bob").press(over, "Rewrite Duty"))
    await table.restart()
    done = await do(table, "alice", over, "Rewrite Duty", {"Statement": "I come first"})
    assert "Alice · Duty d10: I come first (rewritten)" in done.text
    late = await table.person("alice").press(over, "Keep Duty")
    assert is_refused(late)
    assert "has already" in late.text
    await undone(table)
    _, now = await seen(table)
    assert CORTEX.has(now.characters["alice"]).sheet["duty"].was == 10


async def test_N7_a_challenged_trait_shows_what_it_was_on_the_sheet(table: Game) -> None:
    await challenged(table)
    shown = (await table.says("bob: /character show who:Alice")).text
    assert "Duty d8 (challenged, was d10): I leave nobody behind" in shown


async def test_N7_of_two_traits_with_one_name_it_is_said_whose_each_is(table: Game) -> None:
    await table.play(f"{ON}statements value:on", STATE, STATE.replace("alice", "bob"))
    await table.play("alice: /roll dice:challenge Duty", "bob: /roll dice:challenge Duty")
    over = await table.play("gm: /session end")
    asked = [label for label in (button.label for button in over.buttons) if "Duty" in label]
    assert asked == ["Rewrite Alice's Duty", "Keep Alice's Duty", "Rewrite Bob's Duty", "Keep Bob's Duty"]
    kept = await do(table, "bob", over, "Keep Bob's Duty")
    assert "Bob · Duty d8 keeps its statement (challenged, was d10)" in kept.text
    assert {"Rewrite Duty", "Keep Duty"} <= {button.label for button in kept.buttons}


async def test_N7_nothing_is_asked_or_lost_while_the_setting_is_off(table: Game) -> None:
    over = await challenged(table)
    await table.play(f"{ON}statements value:off")
    for label in ("Keep Duty", "Rewrite Duty"):
        pressed = await table.person("alice").press(over, label)
        assert is_refused(pressed)
        assert pressed.text == "Statements are off in this campaign. Ask gm to change this setting."
    begun = await table.play("gm: /session start")
    assert "Keep Duty" not in [button.label for button in begun.buttons]
    await table.play(f"{ON}statements value:on")
    again = await table.play("gm: /session end")
    assert {"Rewrite Duty", "Keep Duty"} <= {button.label for button in again.buttons}


async def test_N7_a_session_that_ends_within_a_scene_asks_too(table: Game) -> None:
    await table.play(f"{ON}statements value:on", STATE, "alice: /roll dice:challenge Duty, d6")
    over = await table.play("gm: /session end")
    assert "Alice · Duty d8 (challenged, was d10)" in over.text
    assert {"Rewrite Duty", "Keep Duty"} <= {button.label for button in over.buttons}


async def test_N7_a_kept_rating_steps_another_of_a_fixed_total_up(table: Game) -> None:
    over = await challenged(
        table,
        f"{ON}fixed total value:Values",
        "alice: /character set trait:Love die:d6 trait_set:Values",
    )
    form = (await table.person("gm").press(over, "Keep Duty")).form
    assert form is not None
    done = await table.person("gm").submit(form, {"Steps up instead": "Love d6"})
    assert "Alice · Duty d8 keeps its statement (challenged, was d10)" in done.text
    assert "Alice · Love d8 (was d6)" in done.text


async def test_N7_what_nobody_settles_is_asked_again_and_what_has_no_room_next(table: Game) -> None:
    await table.play(
        f"{ON}statements value:on",
        *(
            f"alice: /character set trait:{name} die:d8 trait_set:Values statement:I am {name}"
            for name in ("Duty", "Glory", "Love")
        ),
    )
    for name in ("Duty", "Glory", "Love"):
        await table.play(f"alice: /roll dice:challenge {name}")
    await table.play("gm: /session end")
    begun = await table.play("gm: /session start")
    asked = [label for label in (button.label for button in begun.buttons) if label.startswith("Keep")]
    assert asked == ["Keep Duty", "Keep Glory"]
    _, now = await seen(table)
    assert CORTEX.has(now.characters["alice"]).sheet["love"].was == 8
    done = await do(table, "alice", begun, "Keep Duty")
    assert "Alice · Duty d6 keeps its statement (challenged, was d8)" in done.text
    following = [label for label in (button.label for button in done.buttons) if label.startswith("Keep")]
    assert following == ["Keep Glory", "Keep Love"]


# Builder, suggestions, odds and export, whatever the mod


async def everything(table: Game) -> None:
    """Every mod is on, and Alice has something for each."""
    await table.play(
        f"{ON}d4 trouble helps value:on",
        f"{ON}push stress value:1 PP",
        f"{ON}statements value:on",
        STATE,
        "gm: /comp add what:Cold who:Alice die:d4",
        "gm: /comp add what:Quick Temper who:Alice die:d8",
    )


async def test_the_builder_offers_what_mods_bring(table: Game) -> None:
    await everything(table)
    built = await table.says("alice: /pool build")
    offered = labels(built)
    assert {"Cold d4 (+1 PP)", "push Quick Temper d8 for 1 PP", "challenge Duty d10"} <= {
        label for held in offered.values() for label in held
    }
    for label in ("Cold d4 (+1 PP)", "push Quick Temper d8 for 1 PP", "challenge Duty d10"):
        built = await adds(table, built, label)
    assert len(chosen(built)) == 3
    table.dice.show((1, 2, 3, 4, 5))
    rolled = await table.alice.press(built, "Roll")
    shown = (await table.says("alice: /pp show")).text
    assert "Alice: 1 PP" in shown
    assert not rolled.failed


async def test_what_mods_bring_is_suggested(table: Game, subtests: pytest.Subtests) -> None:
    await everything(table)
    for typed, found in (
        ("co", "Cold"),
        ("pu", "push Quick Temper"),
        ("push qu", "push Quick Temper"),
        ("d6, push qu", "d6, push Quick Temper"),
        ("ch", "challenge Duty"),
        ("Cold, ch", "Cold, challenge Duty"),
    ):
        with subtests.test(typed=typed):
            assert found in [choice.value for choice in await table.alice.complete(f"/roll dice:{typed}")]


async def test_odds_count_mods_and_change_nothing(table: Game) -> None:
    await everything(table)
    before = await seen(table)
    told = await table.says("alice: /odds dice:Cold, push Quick Temper, challenge Duty vs:9 + Cold")
    plain = await table.says("alice: /odds dice:d4, d8, 3d10 vs:9")
    assert [line for line in told.text.splitlines() if "%" in line] == [
        line for line in plain.text.splitlines() if "%" in line
    ]
    assert await seen(table) == before
