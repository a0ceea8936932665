"""What is quoted is taken out of every row, whatever others do at the same moment, in any process."""

import asyncio

import pytest

from bot.store.history import Draft
from bot.store.ledger import Ledger
from rules.errors import RuleError, TooLate
from rules.facts import Quoted, QuoteTakenOut
from rules.table import Table
from tests.bot.store.samples import ANNA, BEN, HERE, anybody, gift
from tests.bot.store.test_forget import everything

LIES = Quoted("Zyzzyva lies", "Anna", player=ANNA.id, message=2**62)


def quoted(table: Table) -> Draft:
    return Draft(table, (LIES,))


def fine(table: Table, found: Quoted) -> None:
    """Anybody may."""


async def test_it_is_taken_out_once_and_the_table_stays_where_it_was(
    ledger: Ledger, other: Ledger, url: str
) -> None:
    of = (await ledger.append(HERE, ANNA, 1, gift())).campaign
    await other.append(HERE, BEN, 2, quoted)
    assert await ledger.quotes.of(of, LIES.message) == {2: [LIES]}
    assert await ledger.quotes.by(of, ANNA.id) == [LIES.text]
    entry = await ledger.quotes.take_out(of, ANNA, 3, LIES.message, fine)
    assert (entry.facts, entry.step.position) == ((QuoteTakenOut("Anna"),), 2)
    again = await other.quotes.take_out(of, ANNA, 3, LIES.message, fine)
    assert (again.repeated, again.number) == (True, entry.number)
    with pytest.raises(TooLate, match="Nothing from that message is kept any more"):
        await other.quotes.take_out(of, ANNA, 4, LIES.message, fine)
    assert await ledger.quotes.by(of, ANNA.id) == []
    assert "Zyzzyva" not in await everything(url)
    await other.undo(of, ANNA, 5, anybody)
    undone = await ledger.undo(of, ANNA, 6, anybody)
    assert "Zoe" not in undone.table.characters


async def test_no_undo_in_another_process_brings_it_back(ledger: Ledger, other: Ledger, url: str) -> None:
    of = (await ledger.append(HERE, ANNA, 1, gift())).campaign
    for turn in range(12):
        await ledger.append(HERE, ANNA, 0, quoted)
        await asyncio.gather(
            ledger.quotes.take_out(of, ANNA, 0, LIES.message, fine),
            other.undo(of, BEN, 0, anybody),
            ledger.undo(of, BEN, 0, anybody) if turn % 2 else other.append(HERE, BEN, 0, gift()),
            return_exceptions=True,
        )
        assert "Zyzzyva" not in await everything(url), turn


async def test_who_may_not_take_it_out_changes_nothing(ledger: Ledger) -> None:
    of = (await ledger.append(HERE, ANNA, 1, quoted)).campaign

    def refuse(table: Table, found: Quoted) -> None:
        assert found == LIES
        raise RuleError("No.")

    with pytest.raises(RuleError, match="No"):
        await ledger.quotes.take_out(of, BEN, 2, LIES.message, refuse)
    assert await ledger.quotes.of(of, LIES.message) == {1: [LIES]}
