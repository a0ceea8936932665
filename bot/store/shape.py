"""The tables, columns and indexes that a database should have: which are missing, and making them anew."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    Index,
    Inspector,
    MetaData,
    String,
    Table,
    UniqueConstraint,
    insert,
    inspect,
)
from sqlalchemy.schema import CreateColumn

from bot.store.revision import known, seen
from bot.store.schema import METADATA

STAMP = Table("alembic_version", MetaData(), Column("version_num", String(32), nullable=False))
"""What says which revision a database has."""


@dataclass(frozen=True, slots=True)
class Missing:
    """A table, or a column or an index of it, that is not there."""

    table: Table
    what: Table | Column[Any] | Index | UniqueConstraint

    def __str__(self) -> str:
        if isinstance(self.what, Table):
            return f"The table {self.table.name} is missing"
        if isinstance(self.what, Column):
            return f"The column {self.table.name}.{self.what.name} is missing"
        return f"The index {self.what.name} of the table {self.table.name} is missing"

    @property
    def can_be_made(self) -> bool:
        """Whether it can be made without knowing what was there."""
        if not isinstance(self.what, Column):
            return True
        return bool(self.what.nullable) or self.what.server_default is not None

    @property
    def is_index(self) -> bool:
        """Whether rows can be read without it."""
        return isinstance(self.what, Index | UniqueConstraint)

    def make(self, connection: Connection) -> None:
        """Make it, empty."""
        match self.what:
            case Column():
                column = CreateColumn(self.what).compile(dialect=connection.dialect)
                connection.exec_driver_sql(f"ALTER TABLE {self.table.name} ADD COLUMN {column}")
            case UniqueConstraint():
                columns = ", ".join(column.name for column in self.what.columns)
                name = self.what.name
                # SQLite adds no constraint to a table that is there; an index does the same.
                connection.exec_driver_sql(f"CREATE UNIQUE INDEX {name} ON {self.table.name} ({columns})")
            case made:
                made.create(connection, checkfirst=True)
        if self.what is STAMP:  # whoever looks at the tables has seen that they are those of now
            connection.execute(insert(STAMP).values(version_num=known()[-1]))


def missing(connection: Connection) -> list[Missing]:
    """What a database should have and has not."""
    found = inspect(connection)
    there = set(found.get_table_names())
    gone = [Missing(table, table) for table in METADATA.sorted_tables if table.name not in there]
    if not seen(connection):
        gone.append(Missing(STAMP, STAMP))
    named = [table for table in METADATA.sorted_tables if table.name in there]
    return [*gone, *_parts(found, named)]


def _parts(found: Inspector, tables: Sequence[Table]) -> Iterator[Missing]:
    names = [table.name for table in tables]
    has_columns = _named(found.get_multi_columns(filter_names=names))
    has_indexes = _named(found.get_multi_indexes(filter_names=names))
    # Only of those tables that should have some: on SQLite this parses each table's statement.
    ruled = [table.name for table in tables if _rules(table)]
    has_rules = _named(found.get_multi_unique_constraints(filter_names=ruled)) if ruled else {}
    for table in tables:
        columns = has_columns[table.name]
        yield from (Missing(table, column) for column in table.columns if column.name not in columns)
        indexes = has_indexes[table.name] | has_rules.get(table.name, set())
        wanted: list[Index | UniqueConstraint] = [*table.indexes, *_rules(table)]
        wanted.sort(key=lambda each: str(each.name))
        yield from (Missing(table, each) for each in wanted if each.name not in indexes)


def _rules(table: Table) -> list[UniqueConstraint]:
    return [rule for rule in table.constraints if isinstance(rule, UniqueConstraint)]


def _named(found: Mapping[Any, Sequence[Mapping[str, Any]]]) -> dict[str, set[str]]:
    """The names of what each table has."""
    return {table: {each["name"] for each in parts} for (_, table), parts in found.items()}
