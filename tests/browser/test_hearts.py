"""A game more is played in the browser like the others."""

from bot.games import GAMES, play_games
from tests.browser.house import House
from tests.hearts.rooms import ROOMS


async def test_a_game_more_is_played_on_the_page(house: House) -> None:
    house.game.games = (*GAMES, ROOMS)
    await house.game.restart()
    try:
        house.game.dice.show([5, 2, 3], [6])
        await house.game.play("gm: /campaign new name:Skyfall", "alice: /character new name:Alice")
        alice = await house.sits("alice", width=390)
        await alice.says("/hearts roll dice:3")
        await alice.sees("5, the highest of 5, 2 and 3")
        await alice.presses_newest("Push")
        await alice.sees("6, the highest of 5, 2, 3 and 6")
        assert alice.wrong == []
    finally:
        play_games()
