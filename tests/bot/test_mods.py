"""The mods that bend the rules further, as they are played through commands (N2, N3, N4, N7)."""

from tests.bot.test_buttons import is_refused, seen
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
    await refused(
        table,
        "gm: /scene start kind:rest",
        "The setting is rest. Example: /campaign set setting:rest value:by hand",
    )
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
    assert "Alice is out for good" in told.text
    assert "Stay in" not in [button.label for button in told.buttons]
    await table.play("gm: /scene start")
    assert "Alice: played by alice, retired" in (await table.says("bob: /character list")).text
    assert "Alice is out for good (retired)" in (await table.says("bob: /table show")).text
    await refused(table, "alice: /roll dice:2d6", "Alice is out for good")
    order = await table.play("gm: /turn start who:Bob")
    assert "Alice" not in (order.text + (await table.says("gm: /turn show")).text)
    await refused(table, "alice: /stress stepdown what:Mental trauma:True", "The GM may step the trauma down")
    back = await table.play("gm: /stress stepdown what:Mental who:Alice trauma:True")
    assert "Alice is back in" in back.text
    await table.play("alice: /roll dice:2d6")
