"""How much a bot is used, in counts of what is kept; of nobody by name or id."""

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from sqlalchemy import ColumnElement, and_, case, distinct, exists, func, not_, or_, select
from sqlalchemy.exc import DBAPIError

from bot.store import schema
from bot.store.engine import TOOL, connect
from bot.store.revision import unreachable

WEEKS = 12
"""Steps are counted for this many weeks, this one included."""
_WEEK = timedelta(weeks=1)


@dataclass(frozen=True, slots=True)
class Usage:
    """So many servers, tables, people, and steps by the Monday of each week, the oldest first.

    `campaigns` are tables that are played, `archived` those put away, `rolls_only` places where people only
    roll, or have nothing but their own dice, `deleted` those that can still be brought back. `servers` have a
    table that is not deleted.
    """

    servers: int
    campaigns: int
    archived: int
    rolls_only: int
    deleted: int
    people: int
    gms: int
    steps: dict[datetime, int]


async def usage(url: str, now: datetime) -> Usage:
    """Count what a database holds. Raises engine.Unreachable."""
    engine = connect(url, TOOL)
    monday = datetime.combine((now - timedelta(days=now.weekday())).date(), time(), UTC)
    weeks = [monday - n * _WEEK for n in reversed(range(WEEKS))]
    table, person, entry = schema.campaign.c, schema.person.c, schema.entry.c
    there = table.deleted_at.is_(None)
    place, known = schema.channel.c, schema.person.c
    theirs = (
        place.campaign_id == table.id,
        known.campaign_id == table.id,
        known.player_id == place.channel_id,
    )
    is_own = and_(table.guild_id == 0, exists().where(*theirs))  # where the bot is not on the server
    rolls_only = or_(table.rolls_only, is_own)
    kept = select(
        func.count(distinct(case((and_(there, table.guild_id != 0), table.guild_id)))),
        _sum(and_(there, ~table.archived, not_(rolls_only))),
        _sum(and_(there, table.archived)),
        _sum(and_(there, ~table.archived, rolls_only)),
        _sum(~there),
    )
    people = select(
        func.count(distinct(person.player_id)), func.count(distinct(case((person.is_gm, person.player_id))))
    )
    steps = select(*(_sum(and_(entry.at >= week, entry.at < week + _WEEK)) for week in weeks))
    try:
        async with engine.connect() as connection:
            tables, persons, by_week = [
                tuple((await connection.execute(each)).one()) for each in (kept, people, steps)
            ]
    except (DBAPIError, OSError) as error:
        raise unreachable(engine, error) from None
    finally:
        await engine.dispose()
    (servers, campaigns, archived, rolled, deleted), (known_people, gms) = tables, persons
    by_monday = dict(zip(weeks, by_week, strict=True))
    return Usage(servers, campaigns, archived, rolled, deleted, known_people, gms, by_monday)


def _sum(of: ColumnElement[bool]) -> ColumnElement[int]:
    return func.coalesce(func.sum(case((of, 1), else_=0)), 0)
