"""`/table show as:Page`: the table as a page to print."""

from tests.bot.test_chronicle import Texts, file_of
from tests.game import Game

TYPED = '<b>Thick</b> & "smoke"'


async def test_a_page_has_the_scene_the_pools_and_everybody(table: Game) -> None:
    await table.play(
        f"gm: /comp add what:{TYPED} who:scene",
        "gm: /doom set dice:2d6 d8",
        "gm: /crisis new name:Fire dice:d6 d8",
        "gm: /gmc new name:Warden dice:3d8 kind:boss",
        "alice: /asset add what:Rope",
        "alice: /stress add what:Physical die:d8",
    )
    reply = await table.says("alice: /table show as:Page")
    assert reply.private
    name, page = file_of(reply)
    assert name == "skyfall-table.html"
    found = Texts(page)
    assert found.said["h1"] == ["Skyfall"]
    assert found.said["h2"] == ["Characters", "GMCs"]
    assert found.said["p"] == ["Session 1, Act 1", "played by alice", "played by bob"]
    assert found.said["li"][:2] == [
        f"The docks: Complications {TYPED} d6",
        "Doom pool: 2d6 d8. Crisis Fire: d6 d8",
    ]
    assert {"Alice: 0 PP", "Bob: 1 PP"} <= {line.split("\n")[0] for line in found.said["li"]}
    assert {"Assets Rope d6", "Physical stress d8"} <= set(found.said["li"])
    assert found.said["li"][-1] == "Warden: 3d8 (boss)"
    assert not {"script", "link", "iframe", "b"} & set(found.tags)


async def test_a_page_shows_nobody_what_the_gm_keeps(table: Game) -> None:
    await table.play("gm: /campaign set setting:hidden GM rolls value:on")
    await table.says("gm: /roll dice:2d8 hidden:true note:An ambush")
    assert "ambush" not in file_of(await table.says("gm: /table show as:Page"))[1]


async def test_where_nothing_was_played_there_is_a_page_all_the_same(game: Game) -> None:
    assert Texts(file_of(await game.says("alice: /table show as:Page"))[1]).said["h1"]
