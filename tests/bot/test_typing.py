"""What people type, and what the bot makes of it: ratings, opposition, signs, suggestions."""

import pytest

from tests.bot.test_buttons import is_refused, seen
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


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("gm: /comp add what:Broken Arm d8 who:Alice", "Alice · Broken Arm d8 (complication)"),
        ("gm: /comp add what:Broken Arm D8 who:Alice die:d8", "Alice · Broken Arm d8 (complication)"),
        ("alice: /asset add what:Rope d8", "Alice · Rope d8 (asset)"),
        ("alice: /dist add what:Old Sailor d6", "Alice · Old Sailor d6 (distinction)"),
        ("gm: /stress add what:Physical d10 who:Alice", "Alice · Physical stress d10"),
        ("gm: /doom spend for:complication name:Smoke d6", "Scene · Smoke d6 (complication)"),
        ("gm: /scene start distinctions:Fog d10, Rain", "Scene · Fog d10 (distinction)"),
        ("alice: /asset add what:Mark 3", "Alice · Mark 3 d6 (asset)"),
    ],
)
async def test_a_die_at_the_end_is_the_rating(table: Game, line: str, said: str) -> None:
    assert said in (await table.play(line)).text


async def test_a_trait_is_found_with_the_rating_that_it_has_or_had(table: Game) -> None:
    await table.play("alice: /asset add what:Rope")
    assert "Alice · Rope d8" in (await table.play("alice: /asset stepup what:Rope d6")).text
    assert "Alice · Rope d10" in (await table.play("alice: /asset stepup what:Alice · Rope d6")).text


async def test_two_ratings_that_differ_are_refused(table: Game) -> None:
    refused = await table.says("alice: /asset add what:Rope d8 die:d6")
    assert is_refused(refused)
    assert '"Rope d8" says d8, and die says d6' in refused.text
    assert (await seen(table))[1].characters["alice"].pp == 1


@pytest.mark.parametrize(
    ("dice", "against"),
    [
        ("Mind + Pilot vs 10", "vs 10:"),
        ("Mind, Pilot VS hard", "Against hard 2d10"),
        ("2d6 vs doom", "Against Doom pool"),
        ("2d6 vs Fire", "Against Crisis Fire"),
        ("2d6 vs: 2d8", "Against 2d8"),
        ("2d6 vs 8 vs:8", "vs 8:"),
    ],
)
async def test_vs_among_the_dice_means_the_option(table: Game, dice: str, against: str) -> None:
    await table.play(*SHEET, "gm: /crisis new name:Fire dice:d6")
    assert against in (await table.play(f"alice: /roll dice:{dice}")).text
    odds = await table.says(f"alice: /odds dice:{dice}")
    assert odds.text.startswith("Odds of")
    assert " vs " in odds.text.split("\n")[0]


@pytest.mark.parametrize(
    ("line", "because"),
    [
        ("alice: /roll dice:2d6 vs 8 vs:9", 'dice says vs "8", and vs says "9"'),
        ("alice: /roll dice:vs 8", "Dice come before vs"),
        ("alice: /roll dice:2d6 vs", "Dice come before vs"),
        ("alice: /contest start dice:2d6 vs 8 against:Bob", "Leave vs out"),
        ("alice: /roll dice:[x]d6", '"[x]d6" is no die'),
        ("alice: /roll dice:[x]d6 d8", '"[x]d6" is no die'),
        ("alice: /roll dice:& d8", '"&" is no die'),
        ("alice: /roll dice:d6 & d8", '"&" is no die'),
    ],
)
async def test_what_cannot_be_read_is_refused_by_name(table: Game, line: str, because: str) -> None:
    refused = await table.says(line)
    assert is_refused(refused)
    assert because in refused.text
    assert (await seen(table))[1].rolls == {}


async def test_a_sign_inside_a_label_or_in_quotation_marks_is_a_label(table: Game) -> None:
    text = (await table.play('alice: /roll dice:Sword & Shield d8, "&" d6, ★ d4')).text
    for label in ("Sword & Shield d8", "& d6", "★ d4"):
        assert label in text


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
    assert (await seen(table))[1].characters["bob"].sfx == {}


async def test_a_resource_is_used_of_whom_is_named(table: Game) -> None:
    await table.play("gm: /campaign set setting:resources value:on")
    for who in ("alice", "bob"):
        await table.play(f"{who}: /character set trait:Wealth die:d8 trait_set:Resources")
    assert "Bob · Wealth d8 is spent" in (await table.play("gm: /resource use what:Wealth who:Bob")).text


@pytest.mark.parametrize(
    ("on", "owners"),
    [
        ("Alice, Bob", ["Alice", "Bob"]),
        ("all", ["Alice", "Bob"]),
        ("everyone", ["Alice", "Bob"]),
        ("scene", ["Scene"]),
        ("Alice, scene", ["Alice", "Scene"]),
    ],
)
async def test_doom_is_spent_on_several_on_all_and_on_the_scene(
    table: Game, on: str, owners: list[str]
) -> None:
    text = (await table.play(f"gm: /doom spend for:complication name:Smoke on:{on}")).text
    assert [owner for owner in ("Alice", "Bob", "Scene") if f"{owner} · Smoke d6" in text] == owners


# Seats


async def test_campaign_gm_alone_claims_a_table_without_one(game: Game) -> None:
    await game.play("gm: /campaign new name:Skyfall open:true")
    assert "alice is GM" in (await game.play("alice: /campaign gm")).text
    refused = await game.says("bob: /campaign gm")
    assert is_refused(refused)
    assert "GM here: alice" in refused.text
