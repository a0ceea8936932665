"""What waits for somebody, and which commands they need first."""

from bot.services.responses import NEWCOMERS, needed_first, waits_for
from bot.store.history import Place
from tests.game import Game

PLAYERS = ("roll", "asset add", "pp spend", "undo")
GMS = ("doom add", "comp add", "scene start", "session start")


async def test_a_game_says_which_of_its_commands_are_needed(game: Game) -> None:
    await game.play("gm: /campaign new name:Skyfall ruleset:one-roll")
    place = Place(game.discord.table.id, game.discord.world.home.id)
    players = await needed_first(game.ledger, place, game.alice.id)
    assert players == ("ore roll", "ore hurt", "ore order", "undo")
    gms = await needed_first(game.ledger, place, game.gm.id)
    assert gms[:5] == ("gmc new", "gmc roll", "ore hurt", "scene start", "session start")


async def test_what_waits_and_what_is_needed_is_by_role(game: Game) -> None:
    ledger, gm, alice = game.ledger, game.gm.id, game.alice.id
    place = Place(game.discord.table.id, game.discord.world.home.id)
    assert await needed_first(ledger, place, alice) == NEWCOMERS
    assert await waits_for(ledger, place, alice) == 0
    await game.table()
    assert await needed_first(ledger, place, alice) == PLAYERS
    assert await needed_first(ledger, place, gm) == (*GMS, *PLAYERS)
    game.dice.show([1, 3], [4, 6])
    await game.play("alice: /roll dice:d6 d8 vs:doom")
    assert (await waits_for(ledger, place, gm), await waits_for(ledger, place, alice)) == (1, 0)
    await game.play("gm: /campaign gm player:@gm remove:true")
    assert await needed_first(ledger, place, alice) == (*PLAYERS, *GMS)
