"""Check every stored value of every column, and replace unreadable ones.

Values are read as text, so that a damaged value does not hide others. The contents of states and facts are
checked campaign by campaign, in `campaign_check`.
"""

import json
import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import Any

from pydantic import ValidationError
from sqlalchemy import (
    Boolean,
    Column,
    ColumnElement,
    Integer,
    LargeBinary,
    Table,
    Text,
    func,
    literal,
    literal_column,
    null,
    select,
)
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.clock import SYSTEM
from bot.store import codec, jobs, pending, schema
from bot.store.personal import digest_of
from bot.store.reader import moves_of
from rules.campaign.schedule import QuietHours
from rules.names import SOMEBODY

SLICE = 100
"""So many rows are read in one go."""
_LOOKS = count(1)
_JSON_NOTES = ("faces", "numbers")
# A damaged moment may still be one: only those that a step can have are taken for sound.
_EARLIEST, _LATEST = 2000, 2200

Row = Mapping[str, str | None]
"""What a row has, as text; None for nothing, and for what is no text or number at all."""


@dataclass(frozen=True, slots=True)
class Cell:
    """An unreadable value: its row and column."""

    row: str
    column: Column[Any]
    of: str
    """The row as people name it: its key."""


async def damaged(connection: AsyncConnection, table: Table, there: set[str]) -> AsyncIterator[Cell]:
    """Yield the unreadable values of a table; looks only at the columns in `there`."""
    columns = [column for column in table.columns if column.name in there]
    async for place, raw in _rows(connection, table, columns):
        row = {name: text for name, (text, _) in raw.items()}
        whole = ", ".join(f"{key.name} {_short(row.get(key.name))}" for key in table.primary_key)
        for column in columns:
            text, is_of_type = raw[column.name]
            if not (is_of_type and _is_legible(column, text) and _is_meant(column, row)):
                yield Cell(place, column, whole)


async def _rows(
    connection: AsyncConnection, table: Table, columns: Sequence[Column[Any]]
) -> AsyncIterator[tuple[str, dict[str, tuple[str | None, bool]]]]:
    """Each row with its place: each value as text, and whether its type is one that the column can have."""
    is_file = connection.dialect.name == "sqlite"
    parts = [part for column in columns for part in _parts(column, is_file=is_file)]
    # By its place in the file, since what is damaged may be its key.
    wanted = f"SELECT {'rowid' if is_file else 'ctid::text'}, {', '.join(parts)} FROM {table.name}"
    # A portrait is read whole, for its digest.
    size = 10 if table.name == "portrait" else SLICE
    async for row in (_of_file if is_file else _of_server)(connection, wanted, size):
        values = {
            column.name: _value(column, row[1 + 2 * at], row[2 + 2 * at]) for at, column in enumerate(columns)
        }
        yield str(row[0]), values


async def _of_file(connection: AsyncConnection, wanted: str, size: int) -> AsyncIterator[Sequence[Any]]:
    """Rows of a SQLite file, so many in one go."""
    last = 0
    while True:
        some = f"{wanted} WHERE rowid > {last} ORDER BY rowid LIMIT {size}"
        found = (await connection.exec_driver_sql(some)).all()
        for row in found:
            yield row
        if len(found) < size:
            return
        last = int(found[-1][0])


async def _of_server(connection: AsyncConnection, wanted: str, size: int) -> AsyncIterator[Sequence[Any]]:
    """Rows of a table on PostgreSQL, so many in one go, as of one moment."""
    # A cursor: slices by the place of rows would sort all the rest of the table each time.
    looked = f"looked_{next(_LOOKS)}"  # of its own each time: a driver keeps what columns a statement gives
    await connection.exec_driver_sql("BEGIN")
    try:
        await connection.exec_driver_sql(f"DECLARE {looked} NO SCROLL CURSOR FOR {wanted}")
        while found := (await connection.exec_driver_sql(f"FETCH {size} FROM {looked}")).all():
            for row in found:
                yield row
    finally:
        await connection.exec_driver_sql("ROLLBACK")


def _parts(column: Column[Any], *, is_file: bool) -> tuple[str, str]:
    """The value of a column, and its type, as SQL that can always be read."""
    name = f'"{column.name}"'
    is_large = isinstance(column.type, LargeBinary) and column.table.name != "portrait"
    # As bytes: a text is read as far as it can be, and here it has to be found damaged.
    if is_file:
        return ("NULL" if is_large else f"CAST({name} AS BLOB)", f"typeof({name})")
    if isinstance(column.type, LargeBinary):
        return ("NULL" if is_large else name, f"CASE WHEN {name} IS NULL THEN 'null' ELSE 'blob' END")
    return (f"{name}::text", f"CASE WHEN {name} IS NULL THEN 'null' ELSE '' END")


def _value(column: Column[Any], raw: bytes | str | None, kind: str) -> tuple[str | None, bool]:
    """A value as text, and whether its type is one of the column's; of bytes, their digest."""
    if kind == "null":
        return None, bool(column.nullable)
    if isinstance(column.type, LargeBinary):
        return (digest_of(raw) if isinstance(raw, bytes) else None), kind == "blob"
    if isinstance(raw, bytes):
        try:
            raw = raw.decode()
        except UnicodeDecodeError:
            return None, False
    numbers = isinstance(column.type, Integer | Boolean)
    return raw, kind in ("", "integer" if numbers else "text")


def _is_legible(column: Column[Any], text: str | None) -> bool:
    """Whether a text is a value of the column's type."""
    if text is None or isinstance(column.type, LargeBinary):
        return True
    match column.type:
        case Boolean():
            return text in ("0", "1", "true", "false")
        case Integer():
            return re.fullmatch("[0-9]{1,19}", text) is not None  # 64 bits have 19 digits
        case schema.UtcMoment():
            with suppress(ValueError):
                return _EARLIEST <= datetime.fromisoformat(text).year < _LATEST
            return False
        case schema.WrittenJson():
            return not isinstance(_json(text), schema.Garbled)
        case Text():
            return bool(text) or not column.primary_key
    return True


def _json(text: str | None) -> Any:
    try:
        return None if text is None else json.loads(text)
    except ValueError:
        return schema.Garbled(str(text))


def _is_meant(column: Column[Any], row: Row) -> bool:
    """Whether a value makes sense beside the others of its row."""
    meant = _MEANT.get((column.table.name, column.name))
    try:
        return meant is None or meant(row)
    except (ValueError, TypeError, KeyError):
        return True  # another value of the row is damaged, and named itself


def _is_step(name: str, *, is_earlier: bool = False) -> Callable[[Row], bool]:
    """A step names only itself or steps before."""
    return lambda row: int(row[name] or 0) <= int(row["number"] or 0) - is_earlier


def _is_job(row: Row) -> bool:
    payload = _json(row["payload"])
    return isinstance(payload, dict) and jobs.fits(str(row["kind"]), payload)


def _is_waiting(row: Row) -> bool:
    body = _json(row["body"])
    return not isinstance(body, schema.Garbled)


def _is_note(row: Row) -> bool:
    """Whether a note says what notes of its kind say."""
    kind, value = str(row["key"]).partition(":")[0], str(row["value"])
    if kind == "rest":
        try:
            codec.adapter(QuietHours).validate_json(value)
        except ValidationError:
            return False
    if kind == "thread":
        return re.fullmatch("|[0-9]+(:[0-9]+)*", value) is not None
    return kind not in _JSON_NOTES or isinstance(_json(value), dict | list)


_MEANT: Mapping[tuple[str, str], Callable[[Row], bool]] = {
    ("entry", "position"): _is_step("position"),
    ("entry", "parent"): _is_step("parent", is_earlier=True),
    ("entry", "base"): _is_step("base"),
    ("entry", "undoes"): _is_step("undoes", is_earlier=True),
    ("entry", "redoes"): _is_step("redoes", is_earlier=True),
    ("entry", "moves"): lambda row: moves_of(_json(row["moves"])) is not None,
    ("job", "kind"): lambda row: row["kind"] in jobs.SHAPES,
    ("job", "payload"): lambda row: row["kind"] not in jobs.SHAPES or _is_job(row),
    ("waiting", "kind"): lambda row: row["kind"] in list(pending.WaitingKind),
    ("waiting", "body"): _is_waiting,
    ("note", "value"): _is_note,
    ("portrait", "data"): lambda row: row["data"] == row["digest"],
}
"""What a value has to be beside what its type says."""

_CAMPAIGN, _ENTRY, _SHOWN, _OTHER = schema.campaign.c, schema.entry.c, schema.shown.c, schema.entry.alias("o")


def _now() -> ColumnElement[Any]:
    return literal(SYSTEM.now(), schema.UtcMoment())


def _server() -> ColumnElement[Any]:
    found = select(func.max(_SHOWN.guild_id)).where(_SHOWN.campaign_id == _CAMPAIGN.id, _SHOWN.guild_id > 0)
    return func.coalesce(found.scalar_subquery(), 0)


def _of_before() -> ColumnElement[Any]:
    """When the step before was made."""
    before = (_OTHER.c.campaign_id == _ENTRY.campaign_id, _OTHER.c.number == _ENTRY.number - 1)
    begun = select(_CAMPAIGN.created_at).where(_CAMPAIGN.id == _ENTRY.campaign_id)
    found = select(_OTHER.c.at).where(*before)
    return func.coalesce(found.scalar_subquery(), begun.scalar_subquery(), _now())


MENDS: Mapping[tuple[str, str], tuple[Callable[[], Any], str]] = {
    ("campaign", "guild_id"): (_server, "set to the server of its messages, or to none"),
    ("campaign", "name"): (lambda: "", "taken from its table"),
    ("campaign", "archived"): (lambda: False, "taken from its table"),
    ("campaign", "created_at"): (_now, "set to now"),
    ("campaign", "deleted_at"): (_now, "set to now, so that it can be restored"),
    ("campaign", "deleted_by"): (lambda: 0, "set to unknown"),
    ("entry", "actor_id"): (lambda: 0, "set to unknown"),
    ("entry", "actor_name"): (lambda: SOMEBODY, f"set to {SOMEBODY}"),
    ("entry", "at"): (_of_before, "taken from the step before"),
    ("entry", "position"): (lambda: _ENTRY.number, "set to the step itself"),
    ("entry", "parent"): (lambda: _ENTRY.number - 1, "set to the step before"),
    ("entry", "tip"): (lambda: _ENTRY.number, "set to the step itself"),
    ("entry", "undoes"): (lambda: 0, "cleared"),
    ("entry", "redoes"): (lambda: 0, "cleared"),
    ("entry", "interaction_id"): (null, "cleared"),
    ("entry", "moves"): (null, "cleared"),
    # Nobody knows any more, and what players have read cannot be taken back.
    ("entry", "secret"): (lambda: True, "the step is visible to the GM only"),
    ("entry", "state"): (null, "cleared"),
    ("entry", "facts"): (lambda: codec.write_facts((codec.GONE,)), "cleared and noted in the log"),
    ("person", "is_gm"): (lambda: False, "taken from the table"),
    ("whisper", "sender_name"): (lambda: SOMEBODY, f"set to {SOMEBODY}"),
    ("whisper", "reader_name"): (lambda: SOMEBODY, f"set to {SOMEBODY}"),
    ("whisper", "at"): (_now, "set to now"),
    ("job", "claimed_until"): (null, "cleared"),
    ("job", "tries"): (lambda: 0, "set to 0"),
}
"""What is put in the place of a value that cannot be read; where nothing is, its row is let go."""


def row_at(connection: AsyncConnection, place: str) -> ColumnElement[bool]:
    """Return the condition that selects the row at a place."""
    if connection.dialect.name == "sqlite":
        return literal_column("rowid") == int(place)
    return literal_column("ctid") == literal_column(f"'{place}'::tid")


def _short(text: str | None) -> str:
    return "?" if text is None else text if len(text) <= 40 else f"{text[:39]}…"
