"""A press that has something to ask first keeps nothing, and runs its rule once."""

from pathlib import Path

from bot.services.play import Play, Request
from bot.services.responses import Done
from bot.store.history import Place
from bot.store.ledger import Ledger
from bot.store.migrate import migrate
from bot.views.card import Form
from bot.views.question import FormRequired
from rules.campaign import scenes
from rules.campaign.seats import Actor
from rules.game import Step
from rules.table import Table
from tests.rules.people import GRETA

HERE = Place(7, 1)


async def test_a_press_gives_the_form_that_its_rule_asks_for_or_does_it(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'game.db'}"
    await migrate(url)
    ledger = await Ledger.open(url)
    play, tables = Play(ledger), list[Table]()

    def asks(table: Table, actor: Actor) -> Step:
        tables.append(table)
        raise FormRequired(Form("How many?", ()))

    assert await play.press(Request(GRETA, HERE, 1), asks) == Form("How many?", ())
    assert len(tables) == 1
    assert await ledger.look(HERE) is None
    done = await play.press(Request(GRETA, HERE, 1, channel="docks"), scenes.start_session)
    assert isinstance(done, Done)
    assert done.table.number == 1
    await ledger.close()
