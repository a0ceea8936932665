"""What is kept of a long campaign, and how much room it takes."""

import random
import shutil
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.store import codec
from bot.store.engine import connect
from bot.store.history import Draft
from bot.store.ledger import Ledger
from bot.store.places import Drafting
from bot.store.recorder import KEYFRAME_EVERY
from rules.cortex.kinds import Trait, TraitKind
from rules.cortex.model import CORTEX, Against, Hand, Roll, RolledDie
from rules.cortex.pool import Source
from rules.table import Character, Table
from rules.values import replace
from tests.bot.store.samples import ANNA, HERE, gift, told

NAMES = ("Anna Kowalska", "Ben Ólafsson", "Cid the Bold", "Dara", "Émile Roux", "Fenn")
LABELS = ("Haunted by the War", "Strength", "Sword of Dawn", "Ask Later", "Blinded", "Ally in Need", "Debt")


def hand(chance: random.Random, count: int) -> Hand:
    dice = []
    for _ in range(count):
        size = chance.choice([4, 6, 8, 10, 12])
        face = chance.randint(1, size)
        dice.append(RolledDie(size, face, chance.choice(LABELS), Source(TraitKind.ASSET)))
    return Hand(tuple(dice), total=(0, 1), effects=(2,))


def rolled(chance: random.Random) -> Drafting:
    """Somebody rolls against dice of the GM."""

    def rule(table: Table) -> Draft:
        here = CORTEX.of(table)
        number = table.number + 1
        against = Against("Doom pool", hand=hand(chance, 3))
        who = chance.choice(NAMES)
        roll = Roll(number, chance.getrandbits(60), who, hand(chance, 5), against=against)
        return Draft(
            CORTEX.put(table, replace(here, rolls={**here.rolls, number: roll})),
            told(f"{who} rolled 5 dice against doom"),
        )

    return rule


def with_trait(chance: random.Random) -> Drafting:
    """Somebody gets an asset or a complication."""

    def rule(table: Table) -> Draft:
        who, label = chance.choice(NAMES), chance.choice(LABELS)
        old = table.characters.get(who, Character(who, player=chance.getrandbits(60)))
        own = CORTEX.has(old)
        trait = Trait(label, chance.choice([6, 8, 10]))
        new = CORTEX.give(old, replace(own, assets={**own.assets, label: trait}, pp=own.pp + 1))
        return Draft(table.with_owner(who, new), told(f"{who}: {label} d8"))

    return rule


async def play(ledger: Ledger, chance: random.Random) -> Table:
    """Scenes of ordinary play, then a long one with sixty rolls that stay open."""
    for number in range(100):
        rule = rolled(chance) if number % 3 == 0 else with_trait(chance)
        entry = await ledger.append(HERE, ANNA, 0, rule)
        if number % 50 == 49:
            await ledger.append(
                HERE,
                ANNA,
                0,
                lambda t: Draft(CORTEX.put(t, replace(CORTEX.of(t), rolls={})), told("Scene ended")),
            )
    for number in range(160):
        rule = rolled(chance) if number < 60 else with_trait(chance)
        entry = await ledger.append(HERE, ANNA, 0, rule)
    return entry.table


async def test_a_long_campaign_takes_little_room(file: Path, tmp_path: Path) -> None:
    path = tmp_path / "doomkeeper.db"
    shutil.copy(file, path)
    empty = path.stat().st_size
    ledger = await Ledger.open(f"sqlite:///{path}")
    table = await play(ledger, random.Random(1))
    await ledger.close()
    assert len(CORTEX.of(table).rolls) == 60
    assert len(table.characters) == len(NAMES)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    (states,) = connection.execute("SELECT sum(length(state)) FROM entry").fetchone()
    connection.close()
    assert len(codec.write(table)) > 20_000
    assert states < 120_000
    assert path.stat().st_size - empty < 163_000


@pytest.mark.parametrize("more", [0, 1, KEYFRAME_EVERY, 200])
async def test_the_last_states_are_kept_and_every_summary(
    ledger: Ledger, url: str, few_states: int, more: int
) -> None:
    steps = few_states + more
    for _ in range(steps):
        entry = await ledger.append(HERE, ANNA, 0, gift())
    engine = connect(url)
    async with engine.connect() as connection:
        kept = (await connection.execute(text("SELECT number FROM entry WHERE state IS NOT NULL"))).scalars()
        bases = (await connection.execute(text("SELECT base FROM entry WHERE state IS NOT NULL"))).scalars()
    await engine.dispose()
    numbers = set(kept)
    assert set(range(max(1, steps - few_states + 1), steps + 1)) <= numbers
    assert len(numbers) < few_states + 2 * KEYFRAME_EVERY
    assert set(bases) <= numbers
    assert len(await ledger.past.log(entry.campaign, count=1000)) == steps
