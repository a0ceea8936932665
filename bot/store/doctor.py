"""Looking through a whole database: its tables, every value of theirs, then one campaign after the other."""

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from itertools import groupby
from typing import Any

from sqlalchemy import Select, Table, delete, func, insert, select, update
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.store import cells, packing, schema, shape
from bot.store.charts import SLICE, Checkup, Diagnosis, Finding, chart_of, findings, listed, mended
from bot.store.copies import COPIED, FAILED, copy_state
from bot.store.engine import TOOL, begin, connect, file_of, is_away, is_sqlite
from bot.store.owner import Owner
from bot.store.revision import alone, unreachable
from bot.store.schema import METADATA, campaign, channel, entry, note, pin

__all__ = ["Checkup", "Finding", "examine"]
_RETRIES = 3


async def examine(url: str, health: Checkup, *, repairs: bool) -> AsyncIterator[Finding]:
    """What is not well in a database, as it is found; it is mended if it `repairs`, and `health` is filled.

    Raises engine.Unreachable, and to repair what a bot has owner.Occupied.
    """
    engine = connect(url, TOOL)
    owner = Owner(file_of(engine)) if repairs and is_sqlite(engine) else None
    try:
        async with _owned(engine, repairs=repairs):
            async for finding in _findings(engine, health, repairs=repairs):
                yield finding
    except (DBAPIError, OSError) as error:
        raise unreachable(engine, error) from None
    finally:
        if owner is not None:
            owner.release()
        await engine.dispose()


@asynccontextmanager
async def _owned(engine: AsyncEngine, *, repairs: bool) -> AsyncIterator[None]:
    """A database on a server that is mended has nobody else meanwhile. Raises owner.Occupied."""
    if is_sqlite(engine) or not repairs:
        yield
        return
    async with engine.connect() as connection:
        await alone(connection)
        yield


async def _findings(engine: AsyncEngine, health: Checkup, *, repairs: bool) -> AsyncIterator[Finding]:
    if is_sqlite(engine) and (said := await _damage(engine)):
        text = "The database file is damaged: {damage}. Restore a backup with `restore`."
        yield Finding(text, is_open=True, values={"damage": said})
        return
    gone: list[shape.Missing] = []
    async for missing, finding in _shape(engine, repairs=repairs):
        gone += [missing] if finding.is_open else []
        yield finding
    async for finding in _cells(engine, gone, repairs=repairs):
        yield finding
    if any(not each.is_index for each in gone):
        return
    async with engine.connect() as connection:
        wanted = select(note.c.key, note.c.value).where(note.c.key.in_((COPIED, FAILED)))
        health.copies = copy_state({row.key: row.value for row in await connection.execute(wanted)})
    if repairs:
        async for finding in _adopted(engine):
            yield finding
    async for of, server in _campaigns(engine):
        chart = Diagnosis(of, f"Campaign {of} of server {server}")
        try:
            await chart_of(engine, chart, health)
        except (ArithmeticError, TypeError, ValueError, LookupError):  # what its rows have is named above
            text = "{campaign}: its history can be checked once its damaged rows are repaired."
            yield Finding(text, is_open=True, values={"campaign": chart.name})
            continue
        for finding in findings(chart, is_open=not repairs):
            yield finding
        if repairs and not chart.is_well:
            yield await mended(engine, chart)
    for what, wanted, let_go in _strays():
        async with engine.connect() as connection:
            found = (await connection.execute(wanted)).scalars().all()
            if found and repairs:
                await connection.execute(let_go)
            if found:
                text = f"{what}: {{ids}}.{' Deleted.' if repairs else ''}"
                yield Finding(text, is_open=not repairs, values={"ids": listed(found)})


async def _damage(engine: AsyncEngine) -> str:
    """What SQLite says of a file whose pages are damaged; nothing where none is."""
    try:
        async with engine.connect() as connection:
            found = (await connection.exec_driver_sql("PRAGMA quick_check(5)")).scalars().all()
    except DBAPIError as error:
        if is_away(error):
            raise
        found = [str(error.orig)]
    return "" if found == ["ok"] else "; ".join(map(str, found)).replace("\n", " ")


async def _shape(engine: AsyncEngine, *, repairs: bool) -> AsyncIterator[tuple[shape.Missing, Finding]]:
    """The tables, columns and indexes that are missing; what can be made anew is, if it `repairs`."""
    async with engine.connect() as connection:
        for each in await connection.run_sync(shape.missing):
            if not each.can_be_made:
                yield each, Finding(f"{each}. Restore a backup with `restore`.", is_open=True)
            elif not repairs:
                yield each, Finding(f"{each}.", is_open=True)
            else:
                try:
                    await connection.run_sync(each.make)
                except IntegrityError:
                    yield (
                        each,
                        Finding(
                            f"{each}, and there are duplicate rows. Restore a backup with `restore`.",
                            is_open=True,
                        ),
                    )
                else:
                    yield each, Finding(f"{each}. Recreated.", is_open=False)


async def _cells(
    engine: AsyncEngine, gone: Iterable[shape.Missing], *, repairs: bool
) -> AsyncIterator[Finding]:
    """The values that cannot be read, by column; mended, or with their rows let go, if it `repairs`."""
    names = {(each.table.name, getattr(each.what, "name", "")) for each in gone if not each.is_index}
    for table in METADATA.sorted_tables:
        if (table.name, table.name) in names:
            continue
        there = {column.name for column in table.columns} - {name for of, name in names if of == table.name}
        # Again after mending: beside a damaged value, the others of its row are not judged.
        for _ in range(_RETRIES if repairs else 1):
            async with engine.connect() as connection:
                found = [cell async for cell in cells.damaged(connection, table, there)]
            if not found:
                break
            for finding in _by_column(found, repairs=repairs):
                yield finding
            if repairs:
                await _mend(engine, table, found)


def _by_column(found: Sequence[cells.Cell], *, repairs: bool) -> Iterator[Finding]:
    for (table, name), some in groupby(sorted(found, key=_column), key=_column):
        rows = [cell.of for cell in some]
        how = cells.MENDS.get((table, name))
        what = how[1] if how else _SPECIAL.get((table, name), "row deleted")
        done = f" Repaired: {what}." if repairs else ""
        text = f"{table}.{name} cannot be read in {len(rows)} row{'s'[: len(rows) > 1]}: {{rows}}.{done}"
        yield Finding(text, is_open=not repairs, values={"rows": listed(rows, 3)})


def _column(cell: cells.Cell) -> tuple[str, str]:
    return cell.column.table.name, cell.column.name


_SPECIAL = {
    ("entry", "number"): "set to the missing number",
    ("entry", "base"): "set to the keyframe before",
}


async def _mend(engine: AsyncEngine, table: Table, found: Sequence[cells.Cell]) -> None:
    """Put something else in the place of values, or let their rows go."""
    by_row: dict[str, list[cells.Cell]] = {}
    for cell in found:
        by_row.setdefault(cell.row, []).append(cell)
    async with engine.connect() as connection:
        await connection.exec_driver_sql(begin(engine))
        try:
            for row, some in by_row.items():
                await _mend_row(connection, table, row, [cell.column.name for cell in some])
        except BaseException:
            await connection.exec_driver_sql("ROLLBACK")
            raise
        await connection.exec_driver_sql("COMMIT")


async def _mend_row(connection: AsyncConnection, table: Table, row: str, names: list[str]) -> None:
    here = cells.row_at(connection, row)
    values: dict[str, Any] = {}
    for name in names:
        if (table.name, name) in cells.MENDS:
            values[name] = cells.MENDS[table.name, name][0]()
        elif (table.name, name) == ("entry", "number"):
            values[name] = await _free_number(connection, here)
        elif (table.name, name) == ("entry", "base"):
            values[name] = await _keyframe(connection, here)
        else:
            await connection.execute(delete(table).where(here))
            return
    await connection.execute(update(table).where(here).values(values))


async def _free_number(connection: AsyncConnection, here: Any) -> int:
    """The first number that no other step of a step's campaign has."""
    of = select(entry.c.campaign_id).where(here).scalar_subquery()
    rows = await connection.execute(select(entry.c.number).where(entry.c.campaign_id == of))
    taken = {number for number in rows.scalars() if isinstance(number, int)}
    return next(number for number in range(1, len(taken) + 2) if number not in taken)


async def _keyframe(connection: AsyncConnection, here: Any) -> Any:
    """The keyframe that a step's state is most likely packed against: itself, or the last one before."""
    state, of, number = (
        await connection.execute(select(entry.c.state, entry.c.campaign_id, entry.c.number).where(here))
    ).one()
    if not packing.is_against(state):
        return entry.c.number
    before = select(func.max(entry.c.number)).where(
        entry.c.campaign_id == of, entry.c.number < number, entry.c.base == entry.c.number
    )
    return (await connection.execute(before)).scalar() or entry.c.number


async def _adopted(engine: AsyncEngine) -> AsyncIterator[Finding]:
    """Steps whose campaign has no row any more get one."""
    known = select(campaign.c.id)
    wanted = select(entry.c.campaign_id, func.min(entry.c.at)).where(entry.c.campaign_id.not_in(known))
    async with engine.connect() as connection:
        for of, at in (await connection.execute(wanted.group_by(entry.c.campaign_id))).all():
            shown = select(func.max(schema.shown.c.guild_id)).where(schema.shown.c.campaign_id == of)
            server = (await connection.execute(shown)).scalar() or 0
            row = {"id": of, "guild_id": server, "name": "", "archived": False, "created_at": at}
            await connection.execute(insert(campaign).values(row))
            text = "Campaign {id} has steps, but its row is missing. Recreated."
            yield Finding(text, is_open=False, values={"id": of})


async def _campaigns(engine: AsyncEngine) -> AsyncIterator[tuple[int, int]]:
    # Below any id that a column can hold: damaged ones may be negative.
    last = -(2**63) + 1
    while True:
        wanted = select(campaign.c.id, campaign.c.guild_id).where(campaign.c.id > last)
        async with engine.connect() as connection:
            rows = (await connection.execute(wanted.order_by(campaign.c.id).limit(SLICE))).all()
        for row in rows:
            yield row.id, row.guild_id
        if len(rows) < SLICE:
            return
        last = rows[-1].id


def _strays() -> Sequence[tuple[str, Select[Any], Any]]:
    """Rows that belong to nothing: what they are, how they are found, how they are deleted."""
    known = select(campaign.c.id)
    shown = select(channel.c.channel_id).where(channel.c.campaign_id.in_(known))
    lost = pin.c.channel_id.not_in(shown) & pin.c.parent_id.not_in(shown)
    pins = "Pinned tables without a campaign, in channels"
    found = [(pins, select(pin.c.channel_id).where(lost), delete(pin).where(lost))]
    for table in METADATA.sorted_tables:
        if "campaign_id" in table.c:
            of = table.c.campaign_id
            stray = of.is_not(None) & of.not_in(known)
            what = f"Rows of the table {table.name} that refer to missing campaigns"
            found.append((what, select(of).where(stray).distinct(), delete(table).where(stray)))
    return found
