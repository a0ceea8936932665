"""When people are not to be reminded, wherever they play."""

from datetime import datetime

from bot.store import codec
from bot.store.ledger import Ledger
from rules.plan import answers, is_away, with_away
from rules.rest import Rest
from rules.table import Table
from rules.values import replace


async def rest_of(ledger: Ledger, person: int) -> Rest:
    """When somebody is not to be reminded."""
    return _read(await ledger.notes.read(_rest_key(person)))


def _read(kept: str | None) -> Rest:
    try:
        return codec.adapter(Rest).validate_json(kept) if kept else Rest()
    except ValueError:  # damaged: as if they had not asked for any
        return Rest()


async def set_rest(ledger: Ledger, person: int, rest: Rest) -> None:
    """Remember when somebody is not to be reminded."""
    if rest == Rest():
        await ledger.notes.drop(_rest_key(person))
    else:
        await ledger.notes.keep(_rest_key(person), codec.adapter(Rest).dump_json(rest).decode())


async def awake(ledger: Ledger, person: int, campaign: int, now: datetime) -> datetime | None:
    """When somebody may be told of something at a table, from now on; None for never."""
    rest = await rest_of(ledger, person)
    return None if campaign in rest.muted else rest.awake(now)


async def told_with_rests(ledger: Ledger, table: Table) -> Table:
    """The table with who is away at the time of its next session, if they have said nothing else since."""
    plan = table.plan
    if plan is None or not plan.is_open:
        return table
    people = answers(table, plan)
    kept = await ledger.notes.read_all([_rest_key(player) for player in people])
    away = [player for player in people if is_away(plan, player, _read(kept.get(_rest_key(player))))]
    return replace(table, plan=with_away(table, plan, away)) if away else table


def _rest_key(person: int) -> str:
    return f"rest:{person}"
