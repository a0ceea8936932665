"""What people type, and what the bot makes of it: ratings, opposition, signs, suggestions."""

import pytest

from rules.cortex.model import CORTEX
from tests.bot.test_buttons import is_refused, put_back, seen
from tests.game import Game

SHEET = (
    "alice: /character set trait:Mind die:d8 trait_set:Attributes",
    "alice: /character set trait:Body die:d6 trait_set:Attributes",
    "alice: /character set trait:Pilot die:d10 trait_set:Skills",
    "alice: /character set trait:Sharp die:d6 trait_set:Skills",
)


async def suggested(game: Game, line: str) -> list[str]:
    """What is suggested for the last option of a line: `alice: /roll dice:Mi`."""
    name, _, command = line.partition(": ")
    return [str(choice.value) for choice in await game.person(name).complete(command)]


async def test_a_die_at_the_end_is_the_rating(table: Game, subtests: pytest.Subtests) -> None:
    begun = (await seen(table))[1]
    for line, said in (
        ("gm: /comp add what:Broken Arm d8 who:Alice", "Alice · Broken Arm d8 (complication)"),
        ("gm: /comp add what:Broken Arm D8 who:Alice die:d8", "Alice · Broken Arm d8 (complication)"),
        ("alice: /asset add what:Rope d8", "Alice · Rope d8 (asset)"),
        ("alice: /dist add what:Old Sailor d6", "Alice · Old Sailor d6 (distinction)"),
        ("gm: /stress add what:Physical d10 who:Alice", "Alice · Physical stress d10"),
        ("gm: /doom spend for:complication name:Smoke d6", "Scene · Smoke d6 (complication)"),
        ("gm: /scene start distinctions:Fog d10, Rain", "Scene · Fog d10 (distinction)"),
        ("alice: /asset add what:Mark 3", "Alice · Mark 3 d6 (asset)"),
    ):
        with subtests.test(line=line):
            await put_back(table, begun)
            assert said in (await table.play(line)).text


async def test_a_trait_is_found_with_the_rating_that_it_has_or_had(table: Game) -> None:
    await table.play("alice: /asset add what:Rope")
    assert "Alice · Rope d8" in (await table.play("alice: /asset stepup what:Rope d6")).text
    assert "Alice · Rope d10" in (await table.play("alice: /asset stepup what:Alice · Rope d6")).text


async def test_two_ratings_that_differ_are_refused(table: Game) -> None:
    refused = await table.says("alice: /asset add what:Rope d8 die:d6")
    assert is_refused(refused)
    assert '"Rope d8" says d8, but the option die says d6' in refused.text
    assert CORTEX.has((await seen(table))[1].characters["alice"]).pp == 1


async def test_vs_among_the_dice_means_the_option(table: Game, subtests: pytest.Subtests) -> None:
    await table.play(*SHEET, "gm: /crisis new name:Fire dice:d6")
    for dice, against in (
        ("Mind + Pilot vs 10", "vs 10:"),
        ("Mind, Pilot VS hard", "hard 2d10: Total"),
        ("2d6 vs doom", "Doom pool: Total"),
        ("2d6 vs Fire", "Crisis Fire: Total"),
        ("2d6 vs: 2d8", "2d8: Total"),
        ("2d6 vs 8 vs:8", "vs 8:"),
    ):
        with subtests.test(dice=dice):
            assert against in (await table.play(f"alice: /roll dice:{dice}")).text
            odds = await table.says(f"alice: /odds dice:{dice}")
            assert "\nOdds of" in odds.text
            assert " vs " in odds.text.split("\n")[0]


async def test_what_cannot_be_read_is_refused_by_name(table: Game, subtests: pytest.Subtests) -> None:
    for line, because in (
        ("alice: /roll dice:2d6 vs 8 vs:9", 'dice says vs "8", but the option vs says "9'),
        ("alice: /roll dice:vs 8", "the dice before vs"),
        ("alice: /roll dice:2d6 vs", "the dice before vs"),
        ("alice: /contest start dice:2d6 vs 8 against:Bob", "Leave vs out"),
        (
            "alice: /roll dice:x]d6",
            '"]" isn\'t a die or a known name. To use it as a label, put it in quotation marks: "]" d8',
        ),
        (
            "alice: /roll dice:# d8",
            '"#" isn\'t a die or a known name. To use it as a label, put it in quotation marks: "#" d8',
        ),
        (
            "alice: /roll dice:d6 - d8",
            '"-" isn\'t a die or a known name. To use it as a label, put it in quotation marks: "-" d8',
        ),
        ("alice: /roll dice:d6-d8", "Did you mean d6?"),
    ):
        with subtests.test(line=line):
            refused = await table.says(line)
            assert is_refused(refused)
            assert because in refused.text
            assert CORTEX.of((await seen(table))[1]).rolls == {}


async def test_a_sign_inside_a_label_or_in_quotation_marks_is_a_label(table: Game) -> None:
    text = (await table.play('alice: /roll dice:"Sword & Shield" d8, "&" d6, ★ d4')).text
    for label in ("Sword & Shield d8", "& d6", "★ d4"):
        assert label in text


# Questions


async def test_a_die_behind_several_names_is_asked_about(table: Game, subtests: pytest.Subtests) -> None:
    await table.play(*SHEET)
    begun = (await seen(table))[1]
    for answer, dice in (
        ("Roll Mind d8 + Pilot d6", "Mind d8: 5, Pilot d6: 4"),
        ("Roll Mind d8 + Pilot d10 + d6", "Mind d8: 5, Pilot d10: 4, d6: 3"),
    ):
        with subtests.test(answer=answer):
            await put_back(table, begun)
            asked = await table.says("alice: /roll dice:Mind Pilot d6 vs:easy note:Fly")
            assert asked.private
            offered = ["Roll Mind d8 + Pilot d6", "Roll Mind d8 + Pilot d10 + d6"]
            assert [button.label for button in asked.buttons] == offered
            assert CORTEX.of((await seen(table))[1]).rolls == {}
            table.dice.show((5, 4, 3)[: dice.count(":")], (2, 2))
            done = await table.alice.press(asked, answer)
            assert not done.private
            assert all(die in done.text for die in dice.split(", "))
            assert "Fly" in done.text
            again = await table.alice.press(asked, answer)
            assert "has expired" in again.text
            assert len(CORTEX.of((await seen(table))[1]).rolls) == 1


async def test_what_reads_one_way_is_not_asked_about(table: Game, subtests: pytest.Subtests) -> None:
    await table.play(*SHEET)
    for dice in ("Mind Pilot d10", "Pilot d10", "Mind, Pilot d10", "Mind + Pilot + d6"):
        with subtests.test(dice=dice):
            assert not (await table.play(f"alice: /roll dice:{dice}")).private


async def test_a_name_that_is_nearly_somebodys_is_asked_about(table: Game) -> None:
    await table.play("gm: /comp add what:Late who:Nova")
    asked = await table.says("gm: /pp give who:Nvoa")
    assert asked.private
    assert "Did you mean Nova?" in asked.text
    assert [button.label for button in asked.buttons] == ["Nova", "Someone new: Nvoa"]
    assert "nvoa" not in (await seen(table))[1].characters
    assert "Nova: 2 PP" in (await table.gm.press(asked, "Nova")).text
    other = await table.says("gm: /comp add what:Lost who:Nvoa")
    assert "Nvoa · Lost d6" in (await table.gm.press(other, "Someone new: Nvoa")).text
    assert "Nvoa: 2 PP" in (await table.play("gm: /pp give who:Nvoa")).text


async def test_a_part_of_a_name_is_asked_about_too(table: Game, subtests: pytest.Subtests) -> None:
    await table.play("gm: /comp add what:Late who:Edda Marrow Cran", "gm: /comp add what:Late who:Marroway")
    begun = (await seen(table))[1]
    for name in ("edda", "Marrow", "Cran"):
        with subtests.test(name=name):
            await put_back(table, begun)
            asked = await table.says(f"gm: /pp give who:{name}")
            assert [button.label for button in asked.buttons] == ["Edda Marrow Cran", f"Someone new: {name}"]
            assert "Edda Marrow Cran: 2 PP" in (await table.gm.press(asked, "Edda Marrow Cran")).text


async def test_what_several_are_called_is_nobodys_name(table: Game) -> None:
    await table.play(
        "gm: /comp add what:Late who:Lady Oriel Vant", "gm: /comp add what:Late who:Lady Catherine Ashdown"
    )
    assert "Lady is a new character" in (await table.play("gm: /pp give who:Lady")).text


async def test_a_name_like_nobodys_is_offered_no_other(table: Game, subtests: pytest.Subtests) -> None:
    await table.play("gm: /comp add what:Lost who:Guard 2")
    for name in ("Zed", "Guard 1"):
        with subtests.test(name=name):
            asked = await table.says(f"gm: /pp give who:{name}")
            assert [button.label for button in asked.buttons] == [f"Someone new: {name}"]
    assert not is_refused(await table.says("gm: /pp give who:Alice, Bob"))


async def test_errors_about_names_say_who_one_plays(table: Game) -> None:
    refused = await table.says("alice: /comp add what:Lost who:Bob")
    assert is_refused(refused)
    assert "You play Alice." in refused.text


@pytest.mark.parametrize("is_restarted", [False, True])
async def test_a_setting_that_drops_names_asks_first(table: Game, is_restarted: bool) -> None:
    asked = await table.says("gm: /campaign set setting:stress tracks value:Physical")
    assert asked.private
    assert "from Physical, Mental, Emotional to Physical removes Mental and Emotional. Sheets" in asked.text
    assert len(CORTEX.of((await seen(table))[1]).ruleset.stress) == 3
    if is_restarted:
        await table.restart()
    assert "stress tracks: Physical" in (await table.gm.press(asked, "Set stress tracks")).text
    await table.play("gm: /campaign set setting:stress tracks value:Physical, Mental")


async def test_another_ruleset_asks_about_everything_that_would_be_out_of_play(table: Game) -> None:
    await table.play(
        "gm: /crisis new name:Fire dice:d8",
        "gm: /challenge new name:Storm difficulty:2d8",
        "gm: /stress add what:Mental who:Alice",
    )
    asked = await table.says("gm: /campaign set setting:ruleset value:empire")
    assert asked.private
    assert (
        "the ruleset from adept to empire takes this out of play: stress tracks (Mental); "
        "doom pool (2d6); crisis pools (Fire); challenges (Storm). Nothing is deleted"
    ) in asked.text
    assert CORTEX.of((await seen(table))[1]).ruleset.name == "adept"
    await table.play("gm: /doom clear", "gm: /crisis end name:Fire", "gm: /challenge end name:Storm")
    stale = await table.gm.press(asked, "Set ruleset")
    assert "of play: stress tracks (Mental). Nothing" in stale.text
    assert "ruleset: empire" in (await table.gm.press(stale, "Set ruleset")).text


async def test_one_setting_asks_as_a_ruleset_does(table: Game) -> None:
    asked = await table.says("gm: /campaign set setting:doom pool value:off")
    assert asked.private
    assert (
        "the setting doom pool from on to off takes this out of play: doom pool (2d6). Nothing is deleted"
    ) in asked.text
    await table.play("gm: /doom add dice:d8")
    stale = await table.gm.press(asked, "Set doom pool")
    assert "doom pool (2d6 d8)" in stale.text
    assert "doom pool: off" in (await table.gm.press(stale, "Set doom pool")).text
    await table.play("gm: /campaign set setting:doom pool value:on")
    assert CORTEX.of((await seen(table))[1]).doom == {6: 2, 8: 1}
    await table.play("gm: /doom clear")
    assert "doom pool: off" in (await table.play("gm: /campaign set setting:doom pool value:off")).text


async def test_another_ruleset_asks_about_resources_and_hero_dice(game: Game) -> None:
    await game.table("empire")
    await game.play(
        "alice: /character set trait:Money die:d8 trait_set:Resources", "gm: /hero give die:d8 who:Alice"
    )
    asked = await game.says("gm: /campaign set setting:ruleset value:heroic")
    assert "resources (Alice); hero dice (Alice d8)" in asked.text
    assert "ruleset: heroic" in (await game.gm.press(asked, "Set ruleset")).text
    await game.play("gm: /campaign set setting:ruleset value:empire")
    assert CORTEX.has((await seen(game))[1].characters["alice"]).resources["money"].die == 8


# Suggestions


async def test_after_a_separator_come_the_traits_not_used_of_other_sets_first(table: Game) -> None:
    await table.play(*SHEET)
    assert await suggested(table, "alice: /roll dice:Mind, ") == ["Mind, Pilot", "Mind, Sharp", "Mind, Body"]
    assert (await suggested(table, "alice: /roll dice:Mind + "))[0] == "Mind + Pilot"
    assert (await suggested(table, "alice: /roll dice:Mind "))[0] == "Mind Pilot"


async def test_what_is_typed_is_echoed_only_where_nothing_fits(table: Game) -> None:
    await table.play(*SHEET)
    assert await suggested(table, "alice: /roll dice:Mi") == ["Mind"]
    assert await suggested(table, "alice: /roll dice:Mind, 2d") == ["Mind, 2d"]


async def test_what_follows_vs_is_suggested_too(table: Game) -> None:
    await table.play(*SHEET)
    assert "Mind vs doom" in await suggested(table, "alice: /roll dice:Mind vs ")


async def test_an_sfx_completes_with_its_owner_and_needs_no_who(table: Game) -> None:
    await table.play(
        "alice: /sfx add name:Lucky benefit:1 PP", "gm: /sfx add name:Lucky benefit:1 PP who:Bob"
    )
    found = await suggested(table, "alice: /sfx use name:")
    assert found == ["Alice · Lucky", "Bob · Lucky"]
    assert "Bob uses Lucky" in (await table.play("gm: /sfx use name:Bob · Lucky")).text
    assert "SFX Lucky" in (await table.play("gm: /sfx remove name:Bob · Lucky")).text
    assert CORTEX.has((await seen(table))[1].characters["bob"]).sfx == {}


async def test_a_resource_is_used_of_whom_is_named(table: Game) -> None:
    await table.play("gm: /campaign set setting:resources value:on")
    for who in ("alice", "bob"):
        await table.play(f"{who}: /character set trait:Wealth die:d8 trait_set:Resources")
    assert "Bob · Wealth d8 is spent" in (await table.play("gm: /resource use what:Wealth who:Bob")).text


# Seats


async def test_campaign_gm_alone_claims_a_table_without_one(game: Game) -> None:
    await game.play("gm: /campaign new name:Skyfall open:true")
    assert "alice is GM" in (await game.play("alice: /campaign gm")).text
    refused = await game.says("bob: /campaign gm")
    assert is_refused(refused)
    assert "GM here: alice" in refused.text


# Traits and suggestions


async def test_dice_without_a_name_or_several_are_no_trait(table: Game, subtests: pytest.Subtests) -> None:
    for typed, example in (
        ("asset add what:d8", "Broken Arm d8"),
        ("asset add what:2d6", "Broken Arm 2d6"),
        ("comp add what:Rope 2d6", "Rope d6"),
    ):
        with subtests.test(typed=typed):
            refused = await table.says(f"alice: /{typed}")
            assert is_refused(refused)
            assert refused.text.endswith(f"Example: {example}")
            assert CORTEX.has((await seen(table))[1].characters["alice"]).pp == 1


async def test_several_are_completed_without_those_named_and_with_the_scene(table: Game) -> None:
    line = "gm: /doom spend for:complication name:Wet on:Alice, "
    assert await suggested(table, line) == ["Alice, Bob", "Alice, scene"]


async def test_the_gm_is_offered_where_the_gm_has_pp(table: Game) -> None:
    before = [choice.name for choice in await table.gm.complete("/pp give who:")]
    await table.play("gm: /campaign set setting:GM's PP value:on", "gm: /pp give who:GM number:3")
    after = [choice.name for choice in await table.gm.complete("/pp give who:")]
    assert after == [*before, "GM"]
    assert "GM: 1 PP" in (await table.play("gm: /pp spend who:GM number:2")).text
    for view in ("/pp show", "/table show"):
        assert "GM: 1 PP" in (await table.says(f"bob: {view}")).text


async def test_an_asset_for_the_session_says_so(table: Game) -> None:
    await table.play("gm: /campaign set setting:session assets value:on", "gm: /pp set who:Alice number:2")
    made = await table.play("alice: /asset add what:Rope session:true")
    assert "Rope d6 (asset, for the session)" in made.text
    assert "Rope d6 (for the session)" in (await table.says("bob: /asset show")).text


async def test_saved_pools_are_offered_first_by_name_and_dice(table: Game) -> None:
    await table.play("alice: /pool save name:Fly dice:d8 + d10 vs:11", "alice: /pool save name:Wait dice:2d6")
    offered = await table.alice.complete("/roll dice:")
    assert [choice.name for choice in offered[:2]] == ["Fly: d8 + d10 vs 11", "Wait: 2d6"]
    assert [choice.value for choice in await table.alice.complete("/roll dice:fl")] == ["d8 + d10 vs 11"]
    assert [choice.value for choice in await table.alice.complete("/roll vs:5 dice:fl")] == ["d8 + d10"]
    assert "Fly" not in str(await table.bob.complete("/roll dice:fl"))
    assert "Alice" in (await table.play("alice: /roll dice:Fly")).text
    assert "Saved pool Fly: d8 + d10 vs 11" in (await table.says("alice: /character show")).text
    form = (await table.says("alice: /character edit")).form
    assert form is not None
    assert "Saved pool: Fly: d8 + d10 vs 11" in str(form.field("Sheet").default)


# Whose sheet was read


async def test_an_error_about_a_name_says_whose_sheet_was_read(
    table: Game, subtests: pytest.Subtests
) -> None:
    await table.play("gm: /character set trait:Strong die:d8 trait_set:Skills who:Bob")
    await table.play("gm: /dist add what:Reckless who:Bob")
    for line, hears in (
        ("bob: /roll dice:Flight", "Bob has no Flight. Try Strong or Reckless."),
        ("bob: /pool add name:Escape dice:Flight", "Bob has no Flight. Try Strong or Reckless."),
        ("bob: /sfx use name:Flight", "Bob has no SFX Flight. You play Bob."),
        ("bob: /sfx use name:Flight who:Alice", "Alice has no SFX Flight. You play Bob."),
        ("bob: /comp stepup what:Flight who:Bob", 'Bob has no complication called "Flight". You play Bob.'),
        ("bob: /roll dice:strnog reckles", "Did you mean Strong or Reckless"),
        (
            "bob: /roll dice:2d6 d8 keep:9",
            ("If you keep 9, every die that counts goes into the total, and none is left for the effect."),
        ),
    ):
        with subtests.test(line=line):
            assert hears in (await table.says(line)).text


async def test_more_dice_to_keep_than_there_are_say_what_became_of_them(
    table: Game, subtests: pytest.Subtests
) -> None:
    begun = (await seen(table))[1]
    for dice, faces, said in (
        ("2d8 d6", (7, 3, 4), "You can't keep 9: only 3 dice count."),
        (
            "2d8 d6",
            (7, 1, 4),
            ("If you keep 9, every die that counts goes into the total, and none is left for the effect."),
        ),
        (
            "2d8 d6",
            (2, 2, 2),
            ("If you keep 9, every die that counts goes into the total, and none is left for the effect."),
        ),
        ("2d8 d6", (1, 1, 1), ""),
    ):
        with subtests.test(dice=dice, faces=str(faces)):
            await put_back(table, begun)
            table.dice.show(faces, (3, 4))
            rolled = await table.play(f"alice: /roll dice:{dice} vs:2d8 keep:9")
            assert (said in rolled.text) if said else ("Keep 9" not in rolled.text)


async def test_a_table_without_doom_says_so(game: Game) -> None:
    await game.table("prime")
    assert "The doom pool" in (await game.says("alice: /roll dice:2d6 vs:doom")).text


async def test_an_sfx_that_one_alone_has_needs_no_owner(table: Game) -> None:
    await table.play("gm: /sfx add name:Lucky benefit:1 PP who:Alice")
    assert "Alice: 2 PP" in (await table.play("gm: /sfx use name:Lucky")).text
    await table.play("gm: /sfx add name:Lucky benefit:1 PP who:Bob")
    asked = await table.says("gm: /sfx remove name:Lucky")
    assert "could be Alice · Lucky or Bob · Lucky. Name the owner in the option who." in asked.text
    assert "Bob: 2 PP" in (await table.play("bob: /sfx use name:Lucky")).text
    await table.play("gm: /sfx remove name:Lucky who:Bob", "gm: /sfx remove name:Lucky")
    assert CORTEX.has((await seen(table))[1].characters["alice"]).sfx == {}


async def test_ones_own_complication_is_meant_before_anybody_elses(table: Game) -> None:
    await table.play("gm: /comp add what:Hurt who:Bob", "gm: /comp add what:Hurt leg who:Alice")
    assert (
        "To recover: Alice · Hurt leg" in (await table.play("alice: /comp recover what:Hurt dice:2d8")).text
    )


async def test_somebody_elses_is_asked_about(table: Game, subtests: pytest.Subtests) -> None:
    begun = (await seen(table))[1]
    for command, what, harm in (("comp", "Hurt", "Hurt"), ("stress", "Physical", "Physical stress")):
        with subtests.test(command=command):
            await put_back(table, begun)
            await table.play(f"gm: /{command} add what:{what} who:Bob")
            asked = await table.says(f"alice: /{command} recover what:{what} dice:2d8")
            assert asked.private
            assert f"Did you mean Bob · {harm} d6?" in asked.text
            assert f"To recover: Bob · {harm}" in (await table.alice.press(asked, "Yes, Bob")).text


async def test_a_player_who_may_give_pp_reads_how(table: Game) -> None:
    assert "Only the GM can give PP" in (await table.says("alice: /pp give who:Bob")).text
    await table.play("gm: /campaign set setting:players give PP value:on")
    refused = await table.says("alice: /pp give who:Bob")
    assert refused.private
    assert refused.text.endswith("To give away yours: /pp move")
    assert "Bob: 2 PP" in (await table.play("alice: /pp move to:Bob number:1")).text


async def test_the_name_of_a_named_pool_among_dice_says_how_that_is_rolled(
    table: Game, subtests: pytest.Subtests
) -> None:
    await table.play("alice: /pool add name:Car dice:2d8", "bob: /pool add name:The old boat dice:d6")
    for typed, name in (
        ("Car", "Car"),
        ("car", "Car"),
        ("Car + d6", "Car"),
        ("d6, the  old boat", "The old boat"),
    ):
        with subtests.test(typed):
            refused = await table.says(f"alice: /roll dice:{typed}")
            assert is_refused(refused)
            assert refused.text == f"{name} is a named pool. To roll it: /pool roll name:{name}"
    other = await table.says("alice: /roll dice:Carla")
    assert "pool roll" not in other.text
