"""What an interaction takes may not creep up: `tests/bench/limits.toml` says how much it may be.

`DOOMKEEPER_WRITE=1 uv run pytest -n 0 tests/bot/test_limits.py` writes what is found: read the difference.
"""

import os

import pytest

from bot.store import messages
from tests.bench.counts import LIMITS, NEVER, Counts, counted, over, rewritten
from tests.game import Game

ONE = Counts(1, 1, 100, 3, 4, 0, 0, 2)


@pytest.mark.slow
async def test_no_kind_of_interaction_takes_more_than_its_limit(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "PAUSE", NEVER)
    found = await counted(game)
    if os.environ.get("DOOMKEEPER_WRITE") == "1":
        LIMITS.write_text(rewritten(LIMITS.read_text(encoding="utf-8"), found), encoding="utf-8")
    more = over(found, LIMITS.read_text(encoding="utf-8"))
    assert not more, "\n".join([*more, "Whoever raises a limit says why in tests/bench/limits.toml."])


def test_limits_are_written_anew_with_every_comment_kept() -> None:
    kept = '# Why\n\n["/undo"]\n# It walks back.\nstatements = 9\ncalls = 9\n'
    written = rewritten(kept, {"/undo": ONE, "/roll": ONE})
    assert written.startswith(
        '# Why\n\n["/undo"]\n# It walks back.\nstatements = 1\ncalls = 4\n\n["/roll"]\n'
    )


def test_what_takes_more_than_its_limit_is_named_and_so_is_what_has_none() -> None:
    limits = rewritten("", {"/roll": ONE})
    assert over({"/roll": ONE}, limits) == []
    assert over({"/roll": Counts(1, 1, 100, 4, 4, 0, 0, 2)}, limits) == ["/roll: crossings 4, at most 3"]
    assert "/undo: statements 1, at most None" in over({"/undo": ONE}, limits)
