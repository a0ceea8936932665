"""A refusal that one press can mend has the button: for a setting, an option or a mistyped name."""

from bot.loopback.reply import BotReply
from tests.bot.test_buttons import is_refused, seen
from tests.game import Game

OFF = "gm: /campaign set setting:crisis pools value:off"
FIRE = "gm: /crisis new name:Fire dice:2d6"


def labels(shown: BotReply) -> list[str]:
    """Return the labels of a message's buttons."""
    return [button.label for button in shown.buttons]


async def test_the_gm_turns_a_setting_on_and_the_command_is_done_in_one_step(table: Game) -> None:
    await table.play(OFF)
    before = (await seen(table))[1]
    refused = await table.says(FIRE)
    assert refused.text == "Crises are off in this campaign."
    assert labels(refused) == ["Turn on crisis pools"]
    done = await table.gm.press(refused, "Turn on crisis pools")
    assert not done.private
    assert "crisis pools: on" in done.text
    assert "Crisis Fire: 2d6 (new)" in done.text
    undone = await table.play("gm: /undo")
    assert undone.text == "Undone: crisis pools: off again"
    assert (await seen(table))[1].games == before.games


async def test_what_is_undone_is_said_as_it_is_then(table: Game) -> None:
    for line, undone in (
        ("gm: /scene end", "Scene The docks is running again"),
        ("gm: /campaign set setting:dice value:words", "dice: pictures again"),
        (FIRE, "Crisis Fire is gone"),
        ("gm: /doom add dice:d8", "Doom pool: 2d6 again"),
        ("gm: /stress add who:Alice what:Mental die:d12", "Alice · Mental stress is gone"),
    ):
        await table.play(line)
        assert (await table.says("gm: /undo")).text == f"Undone: {undone}"
    await table.play("gm: /turn start who:Alice", "gm: /turn end")
    assert (await table.says("gm: /undo")).text == "Undone: The turn order is running again"
    await table.play(FIRE, "gm: /crisis end name:Fire")
    assert (await table.says("gm: /undo")).text == "Undone: Crisis Fire is in play again"


async def test_the_only_character_is_offered_to_somebody_without_one(game: Game) -> None:
    await game.play("gm: /campaign new name:Skyfall ruleset:prime", "alice: /character new name:Alice")
    refused = await game.says("gm: /stress add what:Mental die:d6")
    assert is_refused(refused)
    assert refused.text == "Which character? There's one: Alice."
    assert labels(refused) == ["Alice"]


async def test_a_view_of_what_is_off_says_so(table: Game) -> None:
    assert (await table.says("alice: /hero show")).text == "Hero dice are off in this campaign."


async def test_others_read_who_can_turn_it_on(table: Game) -> None:
    await table.play(OFF)
    refused = await table.says("alice: /roll dice:2d6 vs:Crisis Fire")
    assert is_refused(refused)
    assert refused.text == "Crises are off in this campaign. Ask gm to change this setting."
    assert labels(refused) == []


async def test_a_setting_is_turned_on_even_if_the_command_is_refused_after_that(game: Game) -> None:
    await game.play("gm: /campaign new name:Skyfall ruleset:prime", "alice: /character new name:Alice")
    refused = await game.says("gm: /stress add who:Alice what:Fear")
    told = await game.gm.press(refused, "Set stress tracks")
    assert told.text == "stress tracks: Physical, Mental"
    await game.at_rest()
    why = told.interaction.messages[-1]
    assert why.text == 'There\'s no stress track called "Fear". Try Physical or Mental.'
    assert why.is_private
    assert not is_refused(await game.says("gm: /stress add who:Alice what:Mental"))


async def test_a_campaign_that_has_been_archived_is_brought_back_first(table: Game) -> None:
    await table.play("alice: /asset add what:Lantern")
    mistyped = await table.says("alice: /asset stepup what:Lantrn")
    await table.play("gm: /campaign archive")
    assert "was answered or has expired" in (await table.alice.press(mistyped, "Yes, Lantern")).text
    refused = await table.says("gm: /doom add dice:d6")
    assert refused.text == "Skyfall is archived."
    assert labels(await table.says("alice: /doom add dice:d6")) == []
    await table.gm.press(refused, "Bring it back")
    assert "Lantern d6" in (await table.says("alice: /table show")).text


async def test_the_button_works_once(table: Game) -> None:
    await table.play(OFF)
    refused = await table.says(FIRE)
    await table.gm.press(refused, "Turn on crisis pools")
    again = await table.gm.press(refused, "Turn on crisis pools")
    assert "was answered or has expired" in again.text


async def test_a_setting_that_another_gm_has_turned_on_meanwhile_is_no_fault(table: Game) -> None:
    await table.play(OFF)
    refused = await table.says(FIRE)
    await table.play("gm: /campaign set setting:crisis pools value:on")
    done = await table.gm.press(refused, "Turn on crisis pools")
    assert done.text == "Crisis Fire: 2d6 (new)"


async def test_a_setting_with_another_value_than_on_says_which(table: Game) -> None:
    refused = await table.says("gm: /hero give who:Alice die:d8")
    assert refused.text == "Hero dice are off in this campaign."
    assert labels(refused) == ["Set heroic success to “hero dice and effect”"]
    done = await table.gm.press(refused, "Set heroic success")
    assert "Alice: hero dice d8 (d8 added)" in done.text


async def test_an_option_that_was_left_out_is_chosen_by_a_button(table: Game) -> None:
    await table.play(FIRE, "gm: /crisis new name:Flood dice:2d8")
    refused = await table.says("gm: /crisis add dice:d6")
    assert refused.text == "Which crisis? There are 2: Fire and Flood."
    assert labels(refused) == ["Fire", "Flood"]
    done = await table.gm.press(refused, "Flood")
    assert "Crisis Flood: d6 2d8 (d6 added)" in done.text


async def test_of_many_choices_five_are_buttons(table: Game) -> None:
    await table.play(*(f"gm: /crisis new name:Fire {letter} dice:2d6" for letter in "ABCDEFG"))
    refused = await table.says("gm: /crisis roll")
    assert refused.text == ("Which crisis? There are 7: Fire A, Fire B, Fire C, Fire D, Fire E and 2 more.")
    assert labels(refused) == [f"Fire {letter}" for letter in "ABCDE"]


async def test_a_name_that_was_mistyped_is_put_right_by_a_button(table: Game) -> None:
    await table.play("gm: /pp set who:Alice number:3", "alice: /asset add what:Lantern")
    refused = await table.says("alice: /asset stepup what:Lantrn")
    assert refused.text == 'There\'s no asset called "Lantrn". Did you mean Lantern?'
    assert labels(refused) == ["Yes, Lantern"]
    assert "Alice · Lantern d8 (was d6)" in (await table.alice.press(refused, "Yes, Lantern")).text


async def test_a_mistyped_trait_in_a_pool_is_rolled_with_one_press(table: Game) -> None:
    await table.play("alice: /character set trait:Might die:d10 trait_set:Attributes")
    refused = await table.says("alice: /roll dice:Mihgt + d6")
    assert refused.text == "Alice has no Mihgt. Did you mean Might?"
    table.dice.show((7, 4))
    rolled = await table.alice.press(refused, "Yes, Might")
    assert not rolled.private
    assert "Might d10: 7" in rolled.text


async def test_a_name_of_several_words_is_read_as_a_whole(table: Game) -> None:
    await table.play("alice: /asset add what:Big Red Rope")
    for typed in ("Big Rde Rope", "Bgi Red Rope"):
        refused = await table.says(f"alice: /roll dice:{typed}, d8")
        assert refused.text == f"Alice has no {typed}. Did you mean Big Red Rope?"
        table.dice.show((5, 4))
        rolled = await table.alice.press(refused, "Yes, Big Red Rope")
        assert "Total: Big Red Rope d6: 5, d8: 4" in rolled.text


async def test_mistyped_opposition_is_put_right_by_a_button(table: Game) -> None:
    await table.play("gm: /crisis new name:Flood dice:2d8")
    refused = await table.says("alice: /roll dice:2d6 vs:Flod")
    assert refused.text == 'You can\'t roll against "Flod". Did you mean Flood?'
    assert "Crisis Flood: Total" in (await table.alice.press(refused, "Yes, Flood")).text


async def test_a_beginning_that_several_names_have_offers_each(table: Game) -> None:
    await table.play("gm: /crisis new name:Fire dice:2d8", "gm: /crisis new name:Fire storm dice:2d6")
    refused = await table.says("gm: /crisis add name:Fir dice:d6")
    assert refused.text == '"Fir" could be Fire or Fire storm. Type more of the name.'
    assert labels(refused) == ["Fire", "Fire storm"]
    assert "Crisis Fire storm: 3d6" in (await table.gm.press(refused, "Fire storm")).text


async def test_a_name_that_needs_quotation_marks_among_dice_gets_them(table: Game) -> None:
    await table.play('alice: /character set trait:"Man vs Wild" die:d10 trait_set:Attributes')
    refused = await table.says('alice: /roll dice:"Man vs Wlid" + d6')
    assert refused.text == "Alice has no Man vs Wlid. Did you mean Man vs Wild?"
    table.dice.show((7, 4))
    rolled = await table.alice.press(refused, "Yes, Man vs Wild")
    assert rolled.text.splitlines()[:2] == ["Alice: Total 11, effect d4", "Total: Man vs Wild d10: 7, d6: 4"]


async def test_a_name_of_two_words_is_put_among_dice_as_one(table: Game) -> None:
    await table.play("alice: /character set trait:Quick Wits die:d10 trait_set:Attributes")
    refused = await table.says("alice: /roll dice:Qiuck Wits + d6")
    table.dice.show((7, 4))
    rolled = await table.alice.press(refused, "Yes, Quick Wits")
    assert "Total: Quick Wits d10: 7, d6: 4" in rolled.text
