"""XP where a session has ended."""

from bot.views import session
from rules.campaign import scenes
from rules.table import Table
from tests.bot.views.asking import GM, after, answers, begun, of


def test_xp_is_given_to_everybody_or_to_one() -> None:
    button = of(session.session_buttons(Table(), 1), "givexp")
    everybody, alice, *_ = answers(
        after(begun(), (GM, scenes.end_session)), GM, button, number="2", why="The map"
    )
    assert {each.xp for each in everybody.table.characters.values() if not each.gmc} == {2}
    assert [each.name for each in alice.table.characters.values() if each.xp] == ["Alice"]
