"""A table that plays One-Roll shows, offers and counts nothing of another game."""

import pytest

from bot.loopback.reply import buttons_of
from tests.bot.one_roll import CORTEX, NOT_HERE
from tests.bot.test_buttons import is_refused
from tests.game import Game


async def test_xp_is_given_spent_and_told_as_in_any_game(ore: Game) -> None:
    ore.dice.show([7, 7, 3, 2, 1])
    await ore.play("alice: /ore roll dice:5d")
    ended = await ore.play("gm: /session end")
    asked = (await ore.gm.press(ended, "Give XP")).form
    assert asked is not None
    given = await ore.gm.submit(asked, {"How many": "3", "Why": "The bridge holds"})
    assert given.text == "Rook: 3 XP (+3, The bridge holds)"
    spent = await ore.play("alice: /xp spend number:2 why:Fight 3d")
    assert spent.text == "Rook: 1 XP (-2, Fight 3d)"
    assert (await ore.play("alice: /xp show")).text == "Rook: 1 XP"
    assert (await ore.play("alice: /character show")).text.endswith("1 XP")
    assert (await ore.says("gm: /session recap")).text.endswith("1 roll, 1 success. XP +3 -2")
    assert (await ore.play("alice: /undo")).text == "Undone: Rook has 3 XP again"


async def test_help_says_where_a_word_is_only_of_another_game(ore: Game, subtests: pytest.Subtests) -> None:
    for topic in ("plot points", "doom pool"):
        with subtests.test(topic=topic):
            assert (await ore.says(f"alice: /help topic:{topic}")).text.startswith("There's no help on")
    assert (await ore.says("alice: /help topic:how do I recover stress")).text.startswith("Take damage")
    for topic in ("commands", "what are the commands"):
        with subtests.test(topic=topic):
            assert (await ore.says(f"alice: /help topic:{topic}")).text == (
                await ore.says("alice: /help")
            ).text


async def test_words_are_only_of_terms_that_the_game_has(ore: Game, subtests: pytest.Subtests) -> None:
    for value in ("PP = Luck", "hitch = Oops", "doom pool = Threat"):
        with subtests.test(value=value):
            refused = await ore.says(f"gm: /campaign set setting:words value:{value}")
            assert is_refused(refused)
            assert refused.text.endswith("Try session, act, scene, GM or GMC.")
    assert not is_refused(await ore.says("gm: /campaign set setting:words value:scene = Chapter"))


async def test_no_xp_is_no_number_to_give(ore: Game) -> None:
    ended = await ore.play("gm: /session end")
    asked = (await ore.gm.press(ended, "Give XP")).form
    assert asked is not None
    refused = await ore.gm.submit(asked, {"How many": "0"})
    assert refused.text == "You can't choose 0 XP. Choose 1 to 999."


async def test_a_recap_says_who_won_and_decides_nothing_early(ore: Game) -> None:
    await ore.play("bob: /character new name:Bo")
    ore.dice.show([8, 8, 8], [9, 9, 9], [1, 2])
    struck = await ore.play("alice: /ore roll dice:3d note:Strike")
    against = await ore.bob.press(struck, "Roll against")
    typed = await ore.bob.press(against, "Type dice")
    assert typed.form is not None
    await ore.bob.submit(typed.form, {"Dice": "3d", "What the roll is for": "Parry"})
    await ore.play("alice: /ore roll dice:2d 1w note:Save the cat")
    recap = (await ore.says("gm: /session recap")).text
    assert "Rook couldn't strike" in recap
    assert "Bo parried" in recap
    assert "couldn't save the cat" not in recap
    assert (await ore.says("alice: /stats who:Rook")).text.splitlines()[1] == "1 of 1 roll with a set"


async def test_stats_know_a_character_who_has_not_rolled(ore: Game) -> None:
    await ore.play("bob: /ore roll dice:3d")
    assert (await ore.says("alice: /stats")).text == "Rook\nNo dice were rolled."
    assert (await ore.says("bob: /stats who:Rook")).text == "Rook\nNo dice were rolled."


async def test_no_word_of_cortex_is_read(ore: Game) -> None:
    ore.dice.show([7, 7, 3, 2, 1])
    lines = (
        *("gm: /gmc new name:Ogre dice:5d 1h", "gm: /gmc roll name:Ogre", "gm: /gmc show"),
        *("alice: /character show", "alice: /table show", "gm: /scene show", "alice: /stats", "gm: /help"),
        *("alice: /help", "gm: /campaign show", "gm: /campaign set setting:ruleset", "alice: /ore order"),
        *("gm: /campaign set setting:words", "gm: /table waiting", "gm: /log", "gm: /session recap"),
        *("alice: /help topic:fight", "alice: /help topic:sheet", "alice: /help topic:roll"),
        *("gm: /scene end", "gm: /session end", "gm: /session start", "bob: /help"),
    )
    for line in lines:
        reply = await ore.says(line)
        shown = [reply.text, *(each.label for each in reply.buttons)]
        shown += [option.label for menu in reply.menus for option in menu.options]
        assert not CORTEX.search("\n".join(shown)), (line, CORTEX.findall("\n".join(shown)), shown)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("/roll dice:2d6", "This table plays One-Roll. Use /ore roll instead of /roll."),
        ("/odds dice:2d6", "This table plays One-Roll. Use /ore odds instead of /odds."),
        ("/turn show", "This table plays One-Roll. Use /ore order instead of /turn show."),
        (
            "/stress add what:Physical",
            "This table plays One-Roll. Use /ore hurt instead of /stress add.",
        ),
        (
            "/gmc hit name:Rex die:d8",
            "This table plays One-Roll. Use /ore hurt instead of /gmc hit.",
        ),
        ("/scene start name:Two distinctions:Fog", NOT_HERE.format("distinctions")),
        ("/scene start name:Two kind:rest", NOT_HERE.format("kind")),
        ("/act start dice:d6", NOT_HERE.format("dice")),
        (
            "/gmc new name:Ogre dice:5d kind:boss",
            'There\'s no kind of GMC called "boss". Try crowd.',
        ),
        ("/gmc new name:Ogre dice:5d away:True", NOT_HERE.format("away")),
        ("/gmc roll name:Ogre keep:1", NOT_HERE.format("keep")),
        ("/character set trait:Body die:3d trait_set:Stats statement:Big", NOT_HERE.format("statement")),
    ],
)
async def test_what_belongs_to_another_game_says_what_to_use_here(ore: Game, line: str, told: str) -> None:
    before = (await ore.says("gm: /table show")).text
    reply = await ore.says(f"gm: {line}")
    assert reply.private
    assert reply.text == told
    assert (await ore.says("gm: /table show")).text == before


NO_BRAWN = 'There\'s no rating called "Brawn". Try Body, Mind, Fight or Run.'
OVER = "That question was answered or has expired. Send the command again."


@pytest.mark.parametrize(
    ("line", "button", "told"),
    [
        ("alice: /roll dice:Body Fight", "Use /ore roll", "Rook: .*Dice of 5d 1w (Body 3d + Fight 2d 1w): "),
        ("alice: /roll dice:body + fight note:Hi", "Use /ore roll", "Rook: .*Hi.*(Body 3d + Fight 2d 1w): "),
        ("alice: /roll dice:5d 1w", "Use /ore roll", "Rook: .*Dice of 5d 1w: "),
        (
            "alice: /roll dice:Body vs:11 keep:3 hidden:False",
            "Use /ore roll",
            "Rook: .*Dice of 3d (Body 3d): ",
        ),
        ("alice: /roll dice:Body 3d width 3", "Use /ore roll", "Rook: .*needs width 3"),
        ("gm: /roll dice:Body who:Rook", "Use /ore roll", "Rook: .*Dice of 3d (Body 3d): "),
        ("gm: /roll dice:4d", "Use /ore roll", "GM: .*Dice of 4d: "),
        ("bob: /roll dice:4d", "Use /ore roll", "Bo: .*Dice of 4d: "),
        ("bob: /roll dice:Body who:Rook", "Use /ore roll", "Only alice or the GM can roll for Rook."),
        ("gm: /roll dice:5d 1h who:Ogre", "Use /ore roll", "Ogre: .*Dice of 5d 1h: "),
        ("alice: /odds dice:Body", "Use /ore odds", "Any set 28.0%"),
        ("alice: /roll dice:Brawn Fight", "Use /ore roll", NO_BRAWN),
        (
            "alice: /roll dice:Bodi Fight",
            "Use /ore roll",
            'There\'s no rating called "Bodi". Did you mean Body?',
        ),
        (
            "alice: /roll dice:2d6 d8",
            "Use /ore roll",
            '"2d6" isn\'t a One-Roll die: One-Roll dice are all d10.',
        ),
        ("bob: /roll dice:5d who:Ogre", "Use /ore roll", "Only the GM can roll for Ogre."),
        ("gm: /roll dice:5d hidden:True", "", ""),
        ("alice: /pool add dice:5d", "", ""),
    ],
)
async def test_refused_dice_are_rolled_in_one_press(ore: Game, line: str, button: str, told: str) -> None:
    await ore.play("gm: /gmc new name:Ogre dice:5d 1h", "bob: /character new name:Bo")
    refused = await ore.says(line)
    assert refused.private
    assert [each.label for each in refused.buttons] == [button] * bool(button)
    if button:
        rolled = await ore.person(line.partition(": ")[0]).press(refused, button)
        for part in told.split(".*"):
            assert part in rolled.text


async def test_a_correction_follows_dice_that_came_from_another_command(ore: Game) -> None:
    refused = await ore.says("alice: /roll dice:Bodi Fight note:Hi")
    asked = await ore.alice.press(refused, "Use /ore roll")
    rolled = await ore.alice.press(asked, "Yes, Body")
    assert rolled.text.splitlines()[1] == "Hi"
    assert "Body 3d + Fight 2d 1w" in rolled.text


async def test_refused_dice_are_rolled_once_and_by_their_person(ore: Game) -> None:
    public = await ore.play("alice: /ore roll dice:3d")
    refused = await ore.says("alice: /roll dice:Body")
    button = ore.alice.look_for(refused, "Use /ore roll")
    assert (await ore.bob.push(public, button)).text == OVER
    assert (await ore.alice.push(refused, button)).text.startswith("Rook: ")
    assert (await ore.alice.push(refused, button)).text == OVER


@pytest.mark.parametrize(
    ("line", "button", "told"),
    [
        ("/ore roll dice:Mind Sharp", "Use /roll", "Total: Mind d8: "),
        ("/ore roll dice:Mind + Sharp who:Nova note:Hi", "Use /roll", "Nova: Total"),
        ("/ore roll dice:2d6 d8", "Use /roll", "Nova: Total"),
        ("/ore odds dice:Mind Sharp", "Use /odds", "Odds of Mind d8, Sharp d8"),
        ("/roll dice:5d 1w", "Use /ore roll", "Nova: .*Dice of 5d 1w: "),
        ("/roll dice:Mind 5d", "Use /ore roll", "Nova: .*Dice of 5d (Mind 5d): "),
        ("/odds dice:5d 1w", "Use /ore odds", "Odds of 5d 1w"),
        ("/roll dice:5d 1w hidden:True", "", ""),
        ("/ore roll dice:zork", "", ""),
        ("/roll dice:zork", "", ""),
        ("/roll dice:5z", "", ""),
        ("/roll dice:400d", "", ""),
        ("/ore roll dice:40d10", "", ""),
        ("/roll dice:2d6 vs:zork", "", ""),
        ("/ore roll dice:5d width:1", "", ""),
    ],
)
async def test_dice_of_the_other_game_are_rolled_in_one_press(
    game: Game, line: str, button: str, told: str
) -> None:
    await game.play("alice: /character new name:Nova")
    await game.play("alice: /character set trait:Mind die:d8 trait_set:Skills")
    await game.play("alice: /character set trait:Sharp die:d8 trait_set:Skills")
    refused = await game.says(f"alice: {line}")
    assert is_refused(refused)
    assert [each.label for each in refused.buttons] == [button] * bool(button)
    if button:
        rolled = await game.alice.press(refused, button)
        for part in told.split(".*"):
            assert part in rolled.text


async def test_nothing_of_another_game_is_suggested(ore: Game) -> None:
    assert await ore.alice.complete("/roll dice:") == []
    assert await ore.alice.complete("/asset remove what:") == []
    assert [each.name for each in await ore.alice.complete("/character unset trait:")] == [
        *("Body", "Mind", "Fight", "Run")
    ]
    offered = {
        each.name for start in ("d", "hit", "pp") for each in await ore.alice.complete(f"/help topic:{start}")
    }
    assert not any(CORTEX.search(each) for each in offered), offered
    assert {each.value for each in await ore.gm.complete("/campaign set setting:d")} >= {
        "dice",
        "deadline",
    }
    assert "doom pool" not in {each.value for each in await ore.gm.complete("/campaign set setting:d")}


async def test_a_button_from_before_the_change_of_game_does_nothing(table: Game) -> None:
    rolled = await table.play("alice: /roll dice:Mind d10, d8, d6")
    await table.play("gm: /campaign set setting:ruleset value:one-roll")
    reply = await table.alice.press(rolled, rolled.buttons[0].label)
    assert is_refused(reply)
    assert reply.text.startswith("This table plays One-Roll now, so that button no longer works.")
    await table.play("gm: /campaign set setting:ruleset value:adept")
    assert "PP" in (await table.says("gm: /table show")).text


async def test_sheets_that_would_be_set_aside_are_asked_about(table: Game) -> None:
    await table.play("alice: /character set trait:Mind die:d10 trait_set:Attributes")
    asked = await table.says("gm: /campaign set setting:ruleset value:one-roll")
    assert asked.text.startswith(
        "one-roll is another game. What Alice had is set aside until the ruleset is adept"
    )
    await table.gm.press(asked, "Set ruleset")
    assert "Mind" not in (await table.says("alice: /character show")).text
    await table.play("gm: /campaign set setting:ruleset value:adept")
    assert "Mind d10" in (await table.says("alice: /character show")).text


async def test_undo_brings_the_game_back(table: Game) -> None:
    await table.play("gm: /campaign set setting:ruleset value:one-roll", "gm: /undo")
    assert "PP" in (await table.says("gm: /table show")).text


async def test_a_new_player_is_told_how_sets_work(ore: Game) -> None:
    form = (await ore.bob.press(await ore.says("bob: /table show"), "Join")).form
    assert form is not None
    reply = await ore.bob.submit(form, {"Name": "Bo"})
    await ore.rest()
    (card,) = reply.more
    assert "Best at: Fight 2d 1w, Body 3d, Mind 3d" in card.text
    page = await ore.bob.press(card, "How this works")
    assert "Dice that show the same number are a set." in page.text
    page = await ore.bob.press(page, "Next")
    assert "A wiggle die (w) shows what you choose after the roll." in page.text
    assert "/undo takes back your last step." in (await ore.bob.press(page, "Next")).text


async def test_a_planned_scene_begins_though_its_distinctions_are_of_another_game(game: Game) -> None:
    await game.play("gm: /campaign new story:Space crew")
    named = str((await game.gm.complete("/scene start name:"))[0].value)
    await game.gm.press(await game.says("gm: /campaign set setting:ruleset value:one-roll"), "Set ruleset")
    assert named in (await game.play(f"gm: /scene start name:{named}")).text


async def test_at_a_cortex_table_crowds_and_boxes_are_refused(table: Game) -> None:
    for line, told in (
        ("dice:4d6 kind:crowd", 'There\'s no kind of GMC called "crowd".'),
        ("dice:4d6 boxes:Head 4", NOT_HERE.format("boxes")),
    ):
        assert (await table.says(f"gm: /gmc new name:Mob {line}")).text.startswith(told)


@pytest.mark.parametrize("command", ["Give 1 PP"])
async def test_a_long_press_of_another_game_is_refused(ore: Game, command: str) -> None:
    reply = await ore.gm.menu_command(command, user=ore.alice)
    assert is_refused(reply)
    assert reply.text == f"One-Roll has no {command}. To see what it has: /help"
    assert "PP" not in (await ore.says("gm: /table show")).text


async def test_a_roll_of_another_game_stays_as_it_was_when_the_ruleset_changes(table: Game) -> None:
    rolled = await table.play("alice: /roll dice:d8 d6")
    await table.play("gm: /campaign set setting:ruleset value:one-roll")
    form = (await table.alice.press(rolled, "What was it?")).form
    assert form is not None
    noted = await table.alice.submit(form, {"What the roll was for": "Leap"})
    assert not is_refused(noted)
    await table.play("gm: /scene end")
    await table.at_rest()
    assert rolled.message is not None
    assert [each.label for each in buttons_of(rolled.message)] == ["What was it?"]


async def test_a_tie_is_neither_won_nor_lost_in_the_recap(ore: Game) -> None:
    for name in ("Red Hill", "Grey Ford"):
        await ore.play(f"gm: /ore company name:{name} ratings:might 2, treasure 1")
    for name, against in (("Grey Ford", ""), ("Red Hill", " against:Grey Ford note:Siege")):
        ore.dice.show([3, 3, 1])
        await ore.play(f"gm: /ore act company:{name} first:might second:treasure{against}")
    ended = (await ore.says("gm: /session end")).text
    assert "rolled for siege" in ended or "siege (rolled" in ended
    assert "failed" not in ended
    assert "failure" not in ended


async def test_the_recap_tells_who_went_down_by_hand_and_what_a_company_lost(ore: Game) -> None:
    await ore.play(
        "gm: /gmc new name:Ogre dice:5d boxes:1-9 Body 8, 10 Head 4",
        "gm: /ore company name:Redwater ratings:might 2, treasure 1",
        "gm: /ore hurt who:Ogre place:Body amount:2 kind:killing",
        "gm: /ore hurt who:Ogre place:Head amount:4 kind:killing",
        "gm: /ore company name:Redwater ratings:treasure 2",
        "gm: /ore company name:Redwater ratings:might 1",
    )
    told = (await ore.says("gm: /session recap")).text
    assert "Ogre takes 4 killing: Head gone" in told
    assert "Body" not in told
    assert "Redwater: might 2 to 1, for good" in told
    assert "treasure" not in told
