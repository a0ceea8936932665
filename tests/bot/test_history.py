"""Any history of real commands walks back exactly, and forward again; one older step comes out alone."""

import random
from functools import partial

import pytest

from bot.services.play import Play, Request
from bot.store.history import Draft, Place
from bot.store.ledger import Ledger
from bot.views.game import Rule
from rules.campaign import lifecycle
from rules.campaign.seats import Actor
from rules.cortex import points
from rules.cortex.model import CORTEX
from rules.errors import RuleError
from rules.table import Table
from rules.values import replace
from tests.bot.store.samples import told
from tests.bot.test_buttons import seen
from tests.game import Game
from tests.rules.people import ALICE, BOB, GRETA
from tests.rules.test_laws import DEEDS, Deed, lively

PEOPLE = (GRETA, ALICE, BOB)
STEPS = 40


class History:
    """A table whose every state is remembered."""

    def __init__(self, play: Play, ledger: Ledger, seed: int) -> None:
        self.play, self.ledger = play, ledger
        self.chance = random.Random(seed)
        self.states: list[Table] = []
        self.interaction = 0

    def asked(self, actor: Actor) -> Request:
        self.interaction += 1
        return Request(actor, Place(7, 1), self.interaction)

    async def begin(self) -> None:
        rule = partial(lifecycle.found, name="Skyfall", ruleset="adept")
        await self.play.found(self.asked(GRETA), rule)
        at = lively((CORTEX.of(await self.play.look(self.asked(GRETA)))).ruleset)
        await self.ledger.append(Place(7, 1), self.asked(GRETA).author, 0, lambda table: _set(table, at))
        await self.keep()

    async def keep(self) -> None:
        self.states.append(plain(await self.play.look(self.asked(GRETA))))

    async def live(self) -> None:
        """Do things until forty of them have been allowed."""
        names = list(DEEDS)
        while len(self.states) <= STEPS:
            deed, who = DEEDS[self.chance.choice(names)], self.chance.choice(PEOPLE)
            try:
                await self.play.change(self.asked(who), self.rule(deed))
            except RuleError:
                continue
            await self.keep()

    def rule(self, deed: Deed) -> Rule:
        return lambda table, actor: deed(table, actor, self.throw)

    def throw(self, sizes: object) -> list[int]:
        assert isinstance(sizes, list | tuple)
        return [self.chance.randint(1, size) for size in sizes]


def _set(table: Table, at: Table) -> Draft:
    return Draft(replace(at, number=table.number, name=table.name), told("a lively table"))


def plain(table: Table) -> Table:
    """A table without the number of its step."""
    return replace(table, number=0)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
async def test_any_history_of_commands_walks_back_and_forward(url: str, seed: int) -> None:
    ledger = await Ledger.open(url)
    history = History(Play(ledger), ledger, seed)
    await history.begin()
    await history.live()
    for state in reversed(history.states[:-1]):
        table = (await history.play.undo(history.asked(GRETA))).table
        assert plain(table) == state
    for state in history.states[1:]:
        table = (await history.play.redo(history.asked(GRETA))).table
        assert plain(table) == state
    await ledger.close()


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
async def test_a_players_undo_takes_back_their_own_step_alone(url: str) -> None:
    ledger = await Ledger.open(url)
    history = History(Play(ledger), ledger, 0)
    await history.begin()
    before = history.states[-1].characters
    await history.play.change(history.asked(ALICE), partial(points.spend_points, number=1))
    await history.play.change(history.asked(GRETA), partial(points.give_points, who="Bob", number=3))
    table = (await history.play.undo(history.asked(ALICE))).table
    assert CORTEX.has(table.characters["alice"]).pp == CORTEX.has(before["alice"]).pp
    assert CORTEX.has(table.characters["bob"]).pp == CORTEX.has(before["bob"]).pp + 3
    await ledger.close()


async def test_the_log_finds_whatever_a_step_names(table: Game, subtests: pytest.Subtests) -> None:
    await table.play(
        "gm: /doom add dice:d8",
        "alice: /pool add name:Escape dice:2d8",
        "gm: /asset add what:Rope who:Alice",
        "gm: /crisis new name:Fire dice:2d6",
        "gm: /pp give who:Bob",
    )
    for who, said in (
        ("Escape", "Pool Escape: 2d8 (2d8 added)"),
        ("doom", "Doom pool: 2d6 d8 (d8 added)"),
        ("rope", "Alice · Rope d6 (asset)"),
        ("Fire", "Crisis Fire: 2d6 (new)"),
        ("bob", "Bob: 2 PP (+1)"),
    ):
        with subtests.test(who=who):
            assert said in (await table.says(f"alice: /log who:{who}")).text


async def test_the_log_says_what_a_roll_was_for(table: Game) -> None:
    table.dice.show((8, 7, 2), (6, 6, 1), (6, 5, 2), (5, 5), (6, 1))
    await table.play(
        "alice: /roll dice:2d8 d6 vs:5 note:Over the wall",
        "bob: /ore roll dice:3d note:Dodge",
        "gm: /campaign set setting:hidden GM rolls value:on",
    )
    await table.says("gm: /roll dice:d6 d8 d10 hidden:true note:The trap")
    await table.play("gm: /ore crowd dice:2d count:2 note:Guards")
    told = (await table.says("gm: /log")).text
    for line in (
        "vs 5: heroic success by 10 (d8: 8, d8: 7, d6: 2). Over the wall",
        "Bob: 2×6, loose 1 (Dice of 3d: 1 6 6). Dodge",
        "In secret: GM: Total 11, effect d10 (d6: 6, d8: 5, d10: 2). The trap",
        "2. no set (5). Guards",
    ):
        assert line in told
    undone = await table.play("gm: /undo")
    assert undone.text.endswith("2. no set (5). Guards”")


async def test_the_log_says_that_no_step_names_somebody(table: Game) -> None:
    assert (await table.says("alice: /log who:Zoltan")).text == ("No step in the log names that character.")


async def test_a_setting_changed_later_does_not_hold_a_roll_back(table: Game) -> None:
    await table.play("alice: /roll dice:d8 d6 d10")
    step = (await seen(table))[0]
    await table.play(
        "gm: /campaign set setting:pace value:post",
        "gm: /campaign set setting:dice value:words",
        "gm: /campaign set setting:effect past d12 value:stays d12",
        "gm: /campaign set setting:one die alone value:on",
    )
    undone = await table.says(f"gm: /undo step:{step}")
    assert undone.text.startswith("Undone: “Alice")
    assert CORTEX.of((await seen(table))[1]).rolls == {}


async def test_the_log_of_no_table_says_that_nothing_has_happened(game: Game) -> None:
    assert (await game.says("bob: /log")).text == "Nothing has happened at this table yet."


async def test_undone_xp_say_how_many_there_are_again(table: Game) -> None:
    await table.play("gm: /xp give who:Alice number:3")
    assert (await table.play("gm: /undo")).text == "Undone: Alice has 0 XP again"


async def test_a_pool_that_changed_since_is_not_said_to_be_as_it_was(table: Game) -> None:
    await table.play("gm: /doom set dice:2d6", "gm: /doom add dice:d6")
    step = (await seen(table))[0]
    await table.play("gm: /doom add dice:d8")
    undone = await table.play(f"gm: /undo step:{step}")
    assert undone.text == "Undone: “Doom pool: 3d6 (d6 added)”"
    assert "Doom pool: 2d6 d8" in (await table.says("gm: /doom show")).text
    redone = await table.play(f"gm: /redo step:{step}")
    assert redone.text == "Redone: “Doom pool: 3d6 (d6 added)”"
    assert "Doom pool: 3d6 d8" in (await table.says("gm: /doom show")).text
