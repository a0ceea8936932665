"""A table of 30 characters with 40 traits each: everything still fits, is found, and is one step."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.engine import Engine

from bot.loopback.reply import menus
from bot.store import codec
from bot.store.history import Author, Draft, Place
from rules.cortex.kinds import Trait
from rules.cortex.model import CORTEX, CortexCharacter
from rules.cortex.sfx import new_sfx
from rules.dice import SIZES, typable
from rules.names import key
from rules.table import Character, Table
from rules.values import replace
from tests.bot.store.samples import told
from tests.bot.test_buttons import put_back, seen
from tests.game import Game

PEOPLE, TRAITS = 30, 40
ODD = (
    'The "Big" One',
    "Rope, long",
    "🔥 Fire 🔥",
    "Сила",
    "x" * 100,
    "d8",
    "up",
    "Mind + Body",
    "scale",
    "*Bold* _move_",
    "@everyone",
    "last",
    "Straße",
    "3 Musketeers",
)
"""Labels that look like something else, or are hard to type."""
VIEWS = (
    "/table show",
    "/character list",
    "/sfx show",
    "/asset show",
    "/comp show",
    "/stress show",
    "/dist show",
    "/pp show",
    "/xp show",
    "/scene show",
    "/gmc show",
    "/pool show",
    "/hero show",
    "/log",
    "/campaign show",
)
COMPLETED = (
    "/roll dice:",
    "/roll dice:T",
    "/roll dice:2d6, T",
    "/roll dice:d6 vs:",
    "/roll dice:d6 vs:doom +",
    "/roll dice:d6 who:",
    "/roll dice:d6 hinder:",
    "/character show who:",
    "/character set trait:",
    "/character unset trait:",
    "/asset remove what:",
    "/comp stepup what:",
    "/stress recover what:",
    "/sfx use name:",
    "/odds dice:T",
    "/pp give who:",
    "/undo step:",
)


def labels(number: int) -> list[str]:
    """Forty labels: of the first two characters odd ones, equal up to case, else plain."""
    odd = [each.upper() if number == 1 else each for each in ODD] if number < 2 else []
    return [*odd, *(f"Trait {number} of kind {n}" for n in range(TRAITS - len(odd)))]


def character(number: int, player: int = 0) -> Character:
    """Somebody with forty traits of five trait sets, and a few of everything else."""
    traits = {
        key(label): Trait(label, SIZES[n % 5], set=f"Set {n // 8}", note="a note")
        for n, label in enumerate(labels(number))
    }
    own = {f"own {n}": Trait(f"Own {n}", 8) for n in range(3)}
    return CORTEX.give(
        Character(f"Hero {number}", player, f"player {number}" if player else ""),
        CortexCharacter(
            sheet=traits,
            distinctions={f"way {n} of {number}": Trait(f"Way {n} of {number}", 8) for n in range(3)},
            assets={k: replace(trait, signature=8) for k, trait in own.items()},
            complications={f"leg {number}": Trait(f"Leg {number}", 6)},
            stress={"physical": Trait("Physical", 6)},
            sfx={f"trick {n}": new_sfx(f"Trick {n}", "double", "1 PP", "in need") for n in range(10)},
        ),
    )


@pytest.fixture
async def large(table: Game) -> Game:
    """The table, with everybody at it; alice plays the first of them."""
    entry = await table.ledger.look(_place(table))
    assert entry is not None
    people = [character(n, table.alice.id if n == 0 else 0) for n in range(PEOPLE)]

    def rule(at: Table) -> Draft:
        gone = replace(at, characters={key(each.name): each for each in people})
        return Draft(gone, told("everybody came"))

    await table.ledger.append(_place(table), Author(1, "gm"), 0, rule)
    return table


def _place(table: Game) -> Place:
    there = table.discord.table
    assert there.guild is not None
    return Place(there.id, there.guild.id)


@contextmanager
def statements() -> Iterator[list[str]]:
    """The SQL of commands that is run meanwhile; what follows of itself is off their path."""
    run: list[str] = []

    def note(connection: Any, cursor: Any, statement: str, *more: Any) -> None:
        # A step may be committed together with the row of an earlier message, in a transaction of both.
        if not any(word in statement for word in ("FROM pin", "shown", "job", "BEGIN", "COMMIT")):
            run.append(statement.split()[0])

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield run
    finally:
        event.remove(Engine, "before_cursor_execute", note)


async def settled(game: Game) -> None:
    """Wait until nothing follows any more of what was done, or was done before a restart."""
    await game.at_rest()
    assert not game.bot.running.tasks
    assert not game.bot._catching_up
    await game.bot.shown.later.flush()
    await game.bot.pinned.later.flush()
    await game.bot.dates.later.flush()
    await game.bot.post.later.flush()
    await game.bot.step_logs.later.flush()


async def test_its_state_is_small(large: Game) -> None:
    entry = await large.ledger.look(_place(large))
    assert entry is not None
    assert len(codec.write(entry.table)) < 200_000


async def test_every_view_fits_a_message(large: Game, subtests: pytest.Subtests) -> None:
    for line in VIEWS:
        with subtests.test(line=line):
            reply = await large.says(f"alice: {line}")
            assert reply.failed is None
            assert reply.text


async def test_suggestions_are_at_most_25_and_each_can_be_sent(
    large: Game, subtests: pytest.Subtests
) -> None:
    for line in COMPLETED:
        with subtests.test(line=line):
            choices = await large.alice.complete(line)
            assert 0 < len(choices) <= 25
            assert all(len(str(choice.value)) <= 100 for choice in choices)


async def test_every_name_is_found_and_shown_as_typed(large: Game, subtests: pytest.Subtests) -> None:
    for label in ODD:
        with subtests.test(label=label):
            size = next(
                trait.die for trait in CORTEX.has(character(0)).sheet.values() if trait.label == label
            )
            rolled = await large.play(f'alice: /roll dice:"{typable(label)}" + d4 note:n')
            assert f"d{size}: " in rolled.text
            shown = await large.says("bob: /character show who:Hero 0")
            assert f"{label} d{size}" in shown.text.replace("\\", "")


async def test_the_builder_has_room_for_every_set(large: Game) -> None:
    built = await large.says("alice: /pool build")
    assert built.failed is None
    assert built.message is not None
    pages = int(menus(built.message)[0].placeholder.rpartition(" ")[2])
    assert pages > 2
    for page in range(1, 3):
        (menu,) = (each for each in menus(built.message) if each.placeholder.startswith("Traits"))
        assert menu.placeholder == f"Traits and dice, page {page} of {pages}"
        assert len(menu.options) == 25
        built = await large.alice.choose(
            built, menu.placeholder, [option.label for option in menu.options[:6]]
        )
        assert built.failed is None
        built = await large.alice.press(built, f"Page {page + 1} of {pages}")
        assert built.message is not None
    assert 'The "Big" One' in built.text.replace("'", '"')
    rolled = await large.alice.press(built, "Roll")
    assert not rolled.private, rolled.text


async def test_a_command_is_at_most_one_select_and_one_insert(large: Game, subtests: pytest.Subtests) -> None:
    begun = (await seen(large))[1]
    for line, again in (
        ("/roll dice:d8 d6 vs:hard", "/roll dice:Set, d6 vs:doom"),
        ("/asset add what:Lamp die:d6", "/asset stepup what:Lamp"),
        ("/character set trait:Wits die:d8 trait_set:Set 0", "/character unset trait:Wits"),
        ("/sfx use name:Trick 1 on:d8", "/sfx remove name:Trick 2"),
        ("/comp stepup what:Leg 0", "/comp stepdown what:Leg 0"),
        ("/character rename to:Nobody", "/character rename to:Somebody"),
    ):
        with subtests.test(line=line):
            await put_back(large, begun)
            await large.play("alice: /roll dice:d8 d6", "gm: /pp set who:Hero 0 number:5")
            for each in (line, again.replace("Set", "Trait 0 of kind 1")):
                await settled(large)
                with statements() as run:
                    await large.play(f"alice: {each}")
                assert run.count("SELECT") <= 1, run
                assert run.count("INSERT") == len(run) - run.count("SELECT") == 1, run
            await large.restart()
            await settled(large)
            with statements() as run:
                await large.play("alice: /roll dice:d6")
            assert run.count("SELECT") <= 1, run
            assert run.count("INSERT") == 1, run
