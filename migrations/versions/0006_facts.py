"""What happened as facts, in the place of a line of words; old lines stay as they were said."""

import json
import re

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_BEGINS = re.compile(
    r"(?:Session (?P<ended>[0-9]+) ends; )?Session (?P<begun>[0-9]+) begins(?:; )?(?P<rest>.*)", re.S
)
_ENTRY = sa.table(
    "entry",
    sa.column("campaign_id", sa.BigInteger),
    sa.column("number", sa.Integer),
    sa.column("summary", sa.Text),
    sa.column("facts", sa.Text),
)
_SLICE = 1000


def upgrade() -> None:
    """Write each line as a fact that holds it; where a session begins there is a fact that says so."""
    op.add_column("entry", sa.Column("facts", sa.Text(), server_default="", nullable=False))
    connection = op.get_bind()
    key = sa.tuple_(_ENTRY.c.campaign_id, _ENTRY.c.number)
    last = (-(2**62), 0)
    while True:
        some = sa.select(_ENTRY.c.campaign_id, _ENTRY.c.number, _ENTRY.c.summary)
        some = some.where(key > sa.tuple_(*map(sa.literal, last))).order_by(
            _ENTRY.c.campaign_id, _ENTRY.c.number
        )
        rows = connection.execute(some.limit(_SLICE)).all()
        if not rows:
            break
        last = (rows[-1].campaign_id, rows[-1].number)
        at = (_ENTRY.c.campaign_id == sa.bindparam("of"), _ENTRY.c.number == sa.bindparam("at"))
        changes = [{"of": row.campaign_id, "at": row.number, "facts": _written(row.summary)} for row in rows]
        connection.execute(sa.update(_ENTRY).where(*at).values(facts=sa.bindparam("facts")), changes)
    op.drop_column("entry", "summary")


def downgrade() -> None:
    """Bring the column back; what happened since is not put into words."""
    op.add_column("entry", sa.Column("summary", sa.Text(), server_default="", nullable=False))
    op.drop_column("entry", "facts")


def _written(summary: str) -> str:
    begins = _BEGINS.fullmatch(summary)
    facts: list[dict[str, object]] = [{"fact": "Line", "text": summary}]
    if begins:
        facts = [_session("Ended", begins["ended"])] if begins["ended"] else []
        facts.append(_session("Began", begins["begun"]))
        facts += [{"fact": "Line", "text": begins["rest"]}] if begins["rest"] else []
    return json.dumps({"version": 3, "facts": facts}, ensure_ascii=False)


def _session(kind: str, number: str) -> dict[str, object]:
    return {"fact": kind, "what": "session", "number": int(number)}
