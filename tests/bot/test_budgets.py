"""Budgets: nobody takes more than their share, of the bot's time, of a server's room, or of the memory."""

import pytest

from bot.client.request import SUGGESTIONS, Budget
from tests.bot.test_buttons import is_refused, seen
from tests.game import Game
from tests.patience import PATIENCE


async def test_who_sends_too_much_is_told_alone_to_slow_down(table: Game) -> None:
    table.bot.running.budget = Budget(3)
    shown = await table.says("alice: /table show")
    form = (await table.alice.press(shown, "Share")).form
    assert form is None
    await table.play("alice: /roll dice:2d6 d8")
    before = await seen(table)
    for _ in range(3):
        refused = await table.says("alice: /asset add what:Rope")
        assert is_refused(refused)
        assert "actions in 10 seconds. Try again in a moment." in refused.text
    pressed = await table.alice.press(shown, "Share")
    assert is_refused(pressed)
    assert "actions in 10 seconds. Try again in a moment." in pressed.text
    assert await seen(table) == before
    await table.play("bob: /asset add what:Rope")


async def test_a_form_counts_and_suggestions_do_not(table: Game) -> None:
    join = await table.begin("gm: /campaign new name:Another")
    carol = table.person("carol")
    table.bot.running.budget = Budget(2)
    for _ in range(5):
        await carol.complete("/campaign join name:")
    form = (await carol.press(join, "Join")).form
    assert (await carol.submit(form, {"Name": "Carol"})).text == "Carol is played by carol"
    refused = await carol.submit(form, {"Name": "Carol"})
    assert "actions in 10 seconds. Try again in a moment." in refused.text


async def test_suggestions_have_a_budget_of_their_own(table: Game) -> None:
    table.budget = 3
    await table.restart()
    table.bot.running.suggestions._seconds = table.bot.running.budget._seconds = PATIENCE
    offered = [await table.alice.complete("/pp give who:") for _ in range(SUGGESTIONS + 2)]
    assert all(offered[:SUGGESTIONS])
    assert offered[SUGGESTIONS:] == [[], []]
    assert all(one.answer for one in table.discord.world.interactions.values())
    assert await table.bob.complete("/pp give who:")
    for _ in range(3):
        assert not is_refused(await table.says("alice: /roll dice:d6"))
    assert "actions in 10 seconds. Try again in a moment." in (await table.says("alice: /roll dice:d6")).text


async def test_where_commands_have_no_limit_suggestions_have_none(table: Game) -> None:
    assert all([await table.alice.complete("/pp give who:") for _ in range(SUGGESTIONS + 1)])


def test_the_budget_is_there_again_after_a_while_for_each_alone() -> None:
    budget = Budget(2, seconds=10)
    assert [budget.allows(1, now) for now in (0, 1, 2, 9.9)] == [True, True, False, False]
    assert budget.allows(2, 9.9)
    assert [budget.allows(1, now) for now in (10, 10.5, 11, 11.1)] == [True, False, True, False]


def test_who_is_gone_for_long_is_not_remembered() -> None:
    budget = Budget(2, seconds=10)
    for person in range(1000):
        assert budget.allows(person, person)
    assert len(budget._taken) == 10


def test_no_budget_is_no_limit() -> None:
    assert all(Budget(0).allows(1, 0) for _ in range(1000))


@pytest.mark.parametrize("line", ["/campaign new name:Third", "/asset add what:Rope"])
async def test_a_server_has_so_many_campaigns_and_others_have_theirs(game: Game, line: str) -> None:
    game.ledger.places.most = 2
    for number in range(2):
        await game.gm.slash(f"/campaign new name:Table {number}", game.discord.channel(f"place-{number}"))
    refused = await game.says(f"alice: {line}")
    assert is_refused(refused)
    assert "This server already has 2 campaigns, which is the limit" in refused.text
    far = game.discord.channel("far", guild=game.discord.guild("Far away"))
    for place in (far, game.discord.dm(game.alice)):
        assert not is_refused(await game.alice.slash(line, place))
    asked = await game.gm.slash("/campaign delete", game.discord.channel("place-1"))
    await game.gm.press(asked, "Delete")
    assert not is_refused(await game.says(f"alice: {line}"))


async def test_a_very_long_row_of_names_is_refused_in_words(table: Game, subtests: pytest.Subtests) -> None:
    """How long it takes is measured by the benchmark, `--stalls`."""
    await table.play("alice: /asset add what:Rope")
    for command in ("roll", "odds"):
        for word, said in (
            ("Rope ", "too many dice"),
            ("ro ", "too many dice"),
            ("x ", "Alice has no x x"),
            ("up ", "a die after"),
        ):
            with subtests.test(word=word, command=command):
                refused = await table.says(f"alice: /{command} dice:{word * (980 // len(word))}")
                assert is_refused(refused)
                assert said in refused.text
