"""`/odds`, as people see it."""

import asyncio
import subprocess
import threading
from itertools import product
from typing import Any

import pytest

from bot.loopback.reply import BotReply
from rules.campaign.seats import Actor
from rules.cortex import odds as odds_of
from rules.cortex.odds import odds
from rules.table import Table
from tests.bot.test_buttons import is_refused
from tests.clock import DATABASE
from tests.game import Game
from tests.patience import PATIENCE


async def asked(table: Game, line: str = "alice: /odds dice:2d6 d8 vs:11") -> BotReply:
    reply = await table.says(line)
    assert reply.failed is None
    assert reply.private
    return reply


async def test_odds_are_told_a_line_each(table: Game) -> None:
    told = (await asked(table, "alice: /odds dice:2d6 2d8 vs:4")).text
    names = [line.rpartition(" ")[0] for line in told.split("\n")[1:]]
    sizes = ("d6 or more", "d8 or more", "d10 or more", "d12 or more", "past d12")
    assert names[:-1] == [
        "Odds of 2d6 2d8 vs", "Heroic", *(f"Effect {size}" for size in sizes[:4]), "Hitch", "Mean total"
    ]  # fmt: skip
    assert names[-1].startswith("With 1 more PP: Success ")


async def test_odds_name_what_they_are_of(table: Game, subtests: pytest.Subtests) -> None:
    await table.play("gm: /comp add what:Rain who:scene die:d8", "gm: /gmc new name:Rex dice:2d10 kind:boss")
    for line, hears in (
        ("/odds dice:2d6 vs:11", "Success 2.8% vs 11\nOdds of 2d6 vs 11\nHitch"),
        ("/odds dice:2d6 vs:11", "Hitch 30.6%\nBotch 2.8%\nMean total 6.67"),
        ("/odds dice:2d6 d8 vs:11 keep:1", "Success isn't possible vs 11\nOdds of 2d6 d8 vs 11, 1 kept"),
        ("/odds dice:4d12 vs:47 keep:4", "Success below 0.1% vs 47\nOdds of 4d12 vs 47, 4 kept"),
        ("/odds dice:3d6", "With 1 more PP: Mean total 10.00"),
        # The choice that stands keeps a die for the effect: the best total alone comes to 10.48.
        ("/odds dice:d4 d6 d12 vs:6", "Mean total 9.04"),
        ("/odds dice:Mind d10, d6 vs:doom", "Odds of Mind d10, d6 vs Doom pool (2d6)"),
        ("/odds dice:2d6 vs:doom + Rain", "vs Doom pool with Rain d8 (2d6 d8)"),
        ("/odds dice:2d6 vs:2d8", "Odds of 2d6 vs 2d8\n"),
        ("/odds dice:2d6 vs:Rex", "(2d10)"),
    ):
        with subtests.test(line=line):
            assert hears in (await asked(table, f"bob: {line}")).text


async def test_whoever_asks_for_much_keeps_others_waiting_for_one_piece_of_it(
    table: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on, order = threading.Event(), list[str]()

    def slowly(now: Table, actor: Actor, *more: Any) -> odds_of.Uncounted:
        goes_on.wait(PATIENCE)
        order.append(actor.name)
        return ask(now, actor, *more)

    ask = odds_of.ask
    monkeypatch.setattr(odds_of, "ask", slowly)
    line = "/odds dice:2d6 vs:4"
    much = [asyncio.create_task(table.alice.slash(line)) for _ in range(4)]
    await table.held.rest(but=(DATABASE,))
    refused = await table.alice.slash(line)
    assert is_refused(refused)
    assert "You already have 3 requests waiting, in a queue of 3" in refused.text
    one = asyncio.create_task(table.bob.slash(line))
    await table.held.rest(but=(DATABASE,))
    goes_on.set()
    for each in (*much, one):
        assert "Success" in (await each).text
    assert order == ["alice", "bob", "alice", "alice", "alice"]


async def test_shared_odds_are_the_same_for_all_also_after_a_restart(table: Game) -> None:
    private = await asked(table, "alice: /odds dice:*Mind* d10, d6 vs:11")
    await table.restart()
    shared = await table.alice.press(private, "Share")
    assert shared.failed is None
    assert not shared.private
    assert shared.text == private.text
    assert not shared.buttons


async def test_odds_of_many_long_labels_can_be_shared(table: Game) -> None:
    dice = ", ".join(f"{'*_' * 12}{n} d8" for n in "abcdefghijklmnopqrstuvwxyzABCD")
    shared = await table.alice.press(await asked(table, f"alice: /odds dice:{dice} vs:11"), "Share")
    assert "Odds of 30d8 vs 11" in shared.text
    assert "Mean total" in shared.text


async def test_bad_odds_are_refused_with_what_can_be(table: Game, subtests: pytest.Subtests) -> None:
    for line, hears in (
        (
            "/odds dice:2d6 vs:nothing",
            'You can\'t roll against "nothing". Try doom, a number such as 11 or dice.',
        ),
        ("/odds dice:2d6 keep:0", "You can't keep 0 results. Keep 1 to 30."),
        ("/odds dice:31d6", '"31d6" doesn\'t work: a pool can have 1 to 30 dice.'),
    ):
        with subtests.test(line=line):
            reply = await asked(table, f"bob: {line}")
            assert reply.text == hears
            assert not reply.buttons


async def test_odds_that_take_long_are_counted_in_a_process_of_their_own(
    table: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[object] = []
    run = subprocess.run

    def note(what: object, **how: Any) -> object:
        begun.append(what)
        return run(what, **how)  # type: ignore[call-overload]

    monkeypatch.setattr("subprocess.run", note)
    await asked(table, "bob: /odds dice:12d6 vs:11")
    assert not begun
    reply = await asked(table, "bob: /odds dice:20d6 vs:59 keep:12")
    assert len(begun) == 1
    # Worked out once more, here.
    found = odds((6,) * 20, 12, {59: 1}).kept
    assert reply.text.startswith(f"Success {100 * (found.success or 0):.1f}% vs 59\n")


async def test_R8_where_another_choice_is_heroic_more_often_the_card_says_so(table: Game) -> None:
    dice, goal = (10, 8, 6), 3
    thrown = [
        sorted((face for face in faces if face > 1), reverse=True) for faces in product(*map(_faces, dice))
    ]
    best = sum(sum(kept[:2]) >= goal + 5 for kept in thrown) / len(thrown)
    card = (await table.says(f"alice: /odds dice:d10 d8 d6 vs:{goal}")).text
    assert "Heroic 83.8%" in card
    assert f"Heroic with the best choice {100 * best:.1f}%" in card
    alike = (await table.says("alice: /odds dice:2d8 d6 vs:7")).text
    assert "Heroic 34.9%" in alike
    assert "by some choice" not in alike


def _faces(size: int) -> range:
    return range(1, size + 1)


@pytest.mark.parametrize(
    ("line", "faces", "start"),
    [
        ("dice:2d6 d8 vs:11", (6, 5, 2), "Alice, vs 11: failure"),
        ("dice:3d6 d8 keep:3", (6, 5, 2, 8), "Alice: Total 19, effect d6"),
        ("dice:2d6, d8 vs hard", (6, 5, 2), "Alice, vs"),
    ],
)
async def test_what_the_odds_are_of_is_rolled_by_one_press(
    table: Game, line: str, faces: tuple[int, ...], start: str
) -> None:
    shown = await table.says(f"alice: /odds {line}")
    table.dice.show(faces)
    rolled = await table.alice.press(shown, "Roll this")
    assert not rolled.private
    assert rolled.text.startswith(start)


async def test_odds_outside_a_table_are_rolled_too_and_a_very_long_pool_is_not_offered(game: Game) -> None:
    shown = await game.alice.slash("/odds dice:2d6 d8")
    assert (await game.alice.press(shown, "Roll this")).text.startswith("alice: Total")
    long = ", ".join(f"Label{n} d6" for n in range(10))
    assert [button.label for button in (await game.alice.slash(f"/odds dice:{long}")).buttons] == ["Share"]
