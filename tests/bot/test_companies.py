"""O8: companies act by two ratings, which come back as a session ends, at any table."""

import pytest

from tests.bot.test_buttons import is_refused
from tests.game import Game

FORD = "gm: /ore company name:Grey Ford ratings:might 3, treasure 2, influence 1"
CROWS = "gm: /ore company name:The Crows ratings:might 4, territory 2"


@pytest.mark.parametrize("ruleset", ["adept", "one-roll"])
async def test_O8_an_act_uses_two_ratings_until_the_session_ends(game: Game, ruleset: str) -> None:
    await game.play(f"gm: /campaign new name:Skyfall ruleset:{ruleset}", "gm: /session start", FORD, CROWS)
    game.dice.show([2, 2, 5, 8, 3, 1], [8, 8, 2, 4, 7])
    await game.play("gm: /ore act company:The Crows first:might second:territory")
    act = await game.says(
        "alice: /ore act company:Grey first:might second:treas against:The Crows note:Take it"
    )
    assert act.text.startswith(
        "Grey Ford: 2×8\nAgainst The Crows (2×2): Grey Ford wins with the higher set\nTake it"
    )
    assert "Dice of 5d (might 3d + treasure 2d): 2 4 7 8 8" in act.text
    shown = (await game.says("bob: /table show")).text
    assert "Grey Ford: might 2 of 3, treasure 1 of 2, influence 1" in shown
    log = (await game.says("bob: /log")).text
    assert "The Crows has might 3 and territory 1 until the session ends" in log
    await game.play("gm: /session end")
    assert "Grey Ford: might 3, treasure 2, influence 1" in (await game.says("bob: /table show")).text
    await game.play("gm: /undo")
    assert "Grey Ford: might 2 of 3" in (await game.says("alice: /ore company")).text


async def test_O8_a_company_and_a_character_never_share_a_name(game: Game) -> None:
    await game.play(
        "gm: /campaign new name:Skyfall ruleset:one-roll", FORD, "alice: /character new name:Rook"
    )
    for line in ("gm: /ore company name:rook ratings:might 3", "bob: /character new name:grey ford"):
        refused = await game.says(line)
        assert is_refused(refused)
        assert "is already taken" in refused.text
    await game.play("gm: /campaign set setting:ruleset value:prime")
    assert "already the name of a company" in (await game.says("gm: /comp add what:Hurt who:Grey Ford")).text


async def test_O8_a_company_keeps_playing_when_somebody_of_its_name_is_forgotten(game: Game) -> None:
    await game.play("gm: /campaign new name:Skyfall ruleset:one-roll", "bob: /ore roll dice:3d")
    await game.play("gm: /ore company name:bob ratings:might 3, treasure 2")
    await game.forget(game.bob)
    assert (await game.says("gm: /ore company")).text == "Somebody: might 3, treasure 2"
    for name in ("alice", "carol"):
        await game.play(f"{name}: /ore roll dice:3d", f"gm: /ore company name:{name} ratings:might 1")
        await game.forget(game.person(name))
    assert "Somebody (before) (before): might 1" in (await game.says("gm: /ore company")).text
    acts = await game.play("gm: /ore act company:Somebody first:might second:treasure")
    assert acts.text.endswith("Somebody has might 2 and treasure 1 until the session ends")


async def test_O8_what_is_typed_of_a_company_is_not_swallowed(game: Game, subtests: pytest.Subtests) -> None:
    await game.play("gm: /campaign new name:Skyfall ruleset:one-roll", FORD)
    told = {
        "ratings:might 3": "Name the company, such as name:Grey Ford.",
        "remove:true": "Name the company, such as name:Grey Ford.",
        "name:Blue": 'There\'s no company called "Blue". Try Grey Ford.',
        "name:Grey Ford ratings:might 1 remove:true": "Choose either ratings or remove, not both.",
    }
    for options, refusal in told.items():
        with subtests.test(options=options):
            refused = await game.says(f"gm: /ore company {options}")
            assert is_refused(refused)
            assert refused.text == refusal


async def test_O8_dice_over_ten_are_told_and_not_rolled(game: Game) -> None:
    await game.play("gm: /campaign new name:Skyfall ruleset:one-roll")
    await game.play("gm: /ore company name:Empire ratings:might 6, treasure 6")
    act = await game.says("alice: /ore act company:Empire first:might second:treasure")
    assert "Dice of 10d (might 6d + treasure 6d, 2 over 10): " in act.text
    assert act.text.endswith("Empire has might 5 and treasure 5 until the session ends")


async def test_O8_what_a_company_loses_for_good_is_told(game: Game) -> None:
    await game.play("gm: /campaign new name:Skyfall ruleset:one-roll", FORD)
    assert (await game.says("gm: /ore company name:grey ford ratings:might 1")).text == (
        "Grey Ford: might 3 to 1, for good"
    )
    assert (await game.says("gm: /undo")).text == "Undone: Grey Ford: might 3, treasure 2, influence 1"
    await game.play("gm: /ore company name:Grey Ford remove:true")
    assert "There are no companies yet." in (await game.says("gm: /ore company")).text
    assert (await game.says("gm: /undo")).text.startswith("Undone: Grey Ford: might 3")
    await game.play("gm: /undo")
    assert "There are no companies yet." in (await game.says("gm: /ore company")).text


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("alice: /ore company name:Grey Ford ratings:might 1", "Only the GM can change a company"),
        ("gm: /ore company name:Grey Ford ratings:luck 2", "There's no rating of a company called"),
        ("gm: /ore company name:Grey Ford ratings:might 7", "isn't a rating from 0 to 6, such as might 3."),
        ("gm: /ore company name:Grey Ford ratings:might", "isn't a rating from 0 to 6, such as might 3."),
        ("gm: /ore company name:Grey Ford ratings:might 3", "Grey Ford already has those ratings."),
        ("gm: /ore company name:Crows remove:true", "There's no company called"),
        ("gm: /ore act company:Grey first:might second:might", "Choose two different ratings."),
        ("gm: /ore act company:Grey first:terr second:sov", "territory and sovereignty make 0d"),
        ("gm: /ore act company:Grey first:might second:treas against:Grey", "A company can't oppose itself."),
        ("gm: /ore company name:Grey Ford ratings:might 1, might 2", "might is there twice. Type it once."),
        ("gm: /ore company name:Grey Ford ratings:,", "Type at least one rating, such as might 3."),
        ("gm: /campaign set setting:company ratings value:a, b", "A company has 5 ratings, so type 5 names."),
    ],
)
async def test_what_companies_cannot_do_is_refused(game: Game, line: str, told: str) -> None:
    await game.play("gm: /campaign new name:Skyfall ruleset:one-roll", FORD)
    reply = await game.says(line)
    assert is_refused(reply)
    assert told in reply.text
    assert "Grey Ford: might 3, treasure 2, influence 1" in (await game.says("gm: /ore company")).text


async def test_O8_a_company_that_has_not_rolled_cannot_be_opposed(game: Game) -> None:
    await game.play("gm: /campaign new name:Skyfall ruleset:one-roll", FORD, CROWS)
    early = await game.says("gm: /ore act company:Grey first:might second:treas against:The Crows")
    assert early.text == "The Crows hasn't rolled yet, so there's nothing to oppose."


async def test_companies_are_called_what_the_table_calls_them(game: Game) -> None:
    await game.play("gm: /campaign new name:Skyfall ruleset:one-roll")
    assert (await game.says("gm: /ore act company:Grey first:might second:might")).text.startswith(
        "There are no companies yet."
    )
    await game.play(
        "gm: /campaign set setting:company ratings value:Swords, Gold, Friends, Land, Law",
        "gm: /session start",
    )
    await game.play("gm: /ore company name:Ford ratings:Swords 1, Gold 1")
    assert [each.value for each in await game.gm.complete("/ore act first:")][:2] == ["Swords", "Gold"]
    assert [each.value for each in await game.gm.complete("/ore act company:")] == ["Ford"]
    for number in range(11):
        await game.play(f"gm: /ore company name:Band {number} ratings:Gold 1")
    full = await game.says("gm: /ore company name:Another ratings:Gold 1")
    assert full.text == "A table can have at most 12 companies."


async def test_O8_companies_have_an_order_of_their_own(game: Game) -> None:
    await game.play("gm: /campaign new name:Skyfall ruleset:one-roll", "gm: /session start", FORD, CROWS)
    game.dice.show([2, 2, 5, 8, 3, 1], [8, 8, 2, 4, 7], [9, 9, 9])
    await game.play("gm: /ore act company:The Crows first:might second:territory")
    only = (await game.says("bob: /ore order")).text.replace("\\", "")
    assert only.splitlines() == ["Companies:", "1. The Crows: 2×2"]
    await game.play("gm: /ore act company:Grey first:might second:treas", "alice: /ore roll dice:3d")
    order = (await game.says("bob: /ore order")).text.replace("\\", "").splitlines()
    assert order == [
        "Order of action:",
        "1. alice: 3×9",
        "Companies:",
        "1. Grey Ford: 2×8",
        "2. The Crows: 2×2",
    ]
    shown = (await game.says("bob: /table show")).text
    assert "Order: 1. alice 3×9. Companies: 1. Grey Ford 2×8, 2. The Crows 2×2" in shown
