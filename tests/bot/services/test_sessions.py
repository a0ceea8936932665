"""Which steps of a session can be counted."""

from datetime import UTC, datetime

import pytest

from bot.services.sessions import counted_from
from bot.store import codec
from bot.store.history import Author, LogStep
from rules.cortex.facts import PointsChanged
from rules.facts import OldWords

WRITTEN_THEN = '{"version": 4, "facts": [{"fact": "Line", "text": "Alice: 2 PP"}]}'
"""What 0.1.0 said of a step, as the programs before this one kept it."""


def step(number: int, written: str) -> LogStep:
    return LogStep(number, Author(2, "Alice"), datetime(2026, 11, 24, tzinfo=UTC), written, number, 0, number)


@pytest.mark.parametrize("written", [WRITTEN_THEN, codec.write_facts((OldWords("Alice: 2 PP"),))])
def test_what_is_known_in_words_alone_is_not_counted_also_where_it_was_written_anew(written: str) -> None:
    points = codec.write_facts((PointsChanged("Line", 1, 2),))
    assert counted_from([step(4, written), step(5, points)]) == 5


def test_what_was_deleted_leaves_nothing_out_of_the_count() -> None:
    assert counted_from([step(4, codec.write_facts((codec.GONE,)))]) == 0
