"""Connections to a SQLite file whose every statement goes to the database's thread once.

SQLAlchemy's own go there four times: for a cursor, the statement, its rows and the end of the cursor. Each
trip wakes the thread and then the loop, which costs more than what SQLite does for most statements.
"""

import sqlite3
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from typing import Any

from sqlalchemy import Insert
from sqlalchemy.connectors.asyncio import AsyncAdapt_dbapi_connection
from sqlalchemy.dialects.sqlite.aiosqlite import AsyncAdapt_aiosqlite_connection, AsyncAdapt_aiosqlite_cursor
from sqlalchemy.engine import Dialect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.util import EMPTY_DICT
from sqlalchemy.util.concurrency import in_greenlet

Rows = list[tuple[Any, ...]]


class Cursor(AsyncAdapt_aiosqlite_cursor):
    """A cursor that brings all rows back with its statement, and is over in the database's thread then."""

    __slots__ = ("_description", "_lastrowid", "_rowcount", "arraysize")

    def __init__(self, connection: AsyncAdapt_dbapi_connection) -> None:
        # All that the base's own sets, but for a cursor, for which it would go to the thread.
        self._adapt_connection = connection
        self._connection = connection._connection
        self._rows = deque()
        self._soft_closed_memoized = EMPTY_DICT
        self._description: Any = None
        self._lastrowid, self._rowcount, self.arraysize = 0, -1, 1

    @property
    def description(self) -> Any:
        """The columns of the rows; None where a statement has none."""
        return self._description

    @property
    def rowcount(self) -> int:
        """How many rows were changed."""
        return self._rowcount

    @property
    def lastrowid(self) -> int:
        """The number of the row that was added last."""
        return self._lastrowid

    async def _async_soft_close(self) -> None:
        """There is nothing left to close."""

    def close(self) -> None:
        """Let go of the rows."""
        self._rows.clear()

    async def _execute_async(self, operation: Any, parameters: Any) -> None:
        await self._go(lambda cursor: cursor.execute(operation, parameters or ()))

    async def _executemany_async(self, operation: Any, seq_of_parameters: Any) -> None:
        await self._go(lambda cursor: cursor.executemany(operation, seq_of_parameters))

    async def _go(self, run: Callable[[sqlite3.Cursor], object]) -> None:
        def there() -> tuple[Any, int, int, Rows]:
            with closing(self._connection._conn.cursor()) as cursor:
                run(cursor)
                rows = cursor.fetchall() if cursor.description else []
                return cursor.description, cursor.rowcount, cursor.lastrowid or 0, rows

        # As the base does: one statement of a connection at a time.
        async with self._adapt_connection._execute_mutex:
            self._description, self._rowcount, self._lastrowid, rows = await self._connection._execute(there)
        self._rows = deque(rows)


class Connection(AsyncAdapt_aiosqlite_connection):
    """A connection with such cursors."""

    __slots__ = ()

    _cursor_cls = Cursor  # type: ignore[assignment]

    def _terminate_force_close(self) -> None:
        """End the thread, unless closing the connection does so already.

        Where a task is cancelled while its connection is being closed, SQLAlchemy would end the thread, and
        the closing would then wait for it for ever.
        """
        if not in_greenlet():
            super()._terminate_force_close()


class Ready:
    """An INSERT that is made ready once: SQLAlchemy prepares as long as all else of a step takes.

    It is for a connection that nobody else uses. One row commits by itself, several begin and commit.
    """

    def __init__(self, statement: Insert, dialect: Dialect, begin: str) -> None:
        made = statement.compile(dialect=dialect)
        assert isinstance(made, SQLCompiler)
        self._dialect = dialect
        self._begin = begin
        self._text = str(made)
        puts: Mapping[str, Any] = made._bind_processors
        self._parts = [(name, puts.get(name)) for name in made.positiontup or ()]

    async def run(self, connection: AsyncConnection, rows: Sequence[Mapping[str, Any]]) -> None:
        """Insert rows. Raises what SQLAlchemy raises; what several have begun is to be rolled back then."""
        assert connection.sync_connection is not None
        driver: Any = connection.sync_connection.connection.driver_connection
        values: list[list[Any]] = []
        for row in rows:
            values.append([put(row[name]) if put else row[name] for name, put in self._parts])
        try:
            await driver._execute(self._insert, driver._conn, values)
        except sqlite3.Error as error:
            raise DBAPIError.instance(
                self._text, None, error, sqlite3.Error, hide_parameters=True, dialect=self._dialect
            ) from error

    def _insert(self, driver: sqlite3.Connection, rows: Sequence[Sequence[Any]]) -> None:
        """Insert rows, in the database's thread."""
        if len(rows) == 1:
            driver.execute(self._text, rows[0])
            return
        driver.execute(self._begin)
        driver.executemany(self._text, rows)
        driver.execute("COMMIT")
