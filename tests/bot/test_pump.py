"""Long texts of repeated pieces are read in linear time, wherever they are typed."""

from pathlib import Path

import pytest

from tests.bench.imports import file_places
from tests.bench.pump import PIECES, SHARE, TAILS, pump, watchdog
from tests.game import Game

FEW = len(PIECES) * len(TAILS) // 2
"""With this share each place gets two texts, other ones than the next place."""
SHARES = (FEW, pytest.param(SHARE, marks=[pytest.mark.slow, pytest.mark.timeout(1200)]))


@pytest.mark.parametrize("share", SHARES)
async def test_no_text_freezes_the_bot_wherever_it_is_typed(game: Game, tmp_path: Path, share: int) -> None:
    efforts = [each async for each in pump(game, share, [*file_places(game, tmp_path)])]
    assert len({each.where for each in efforts}) > 500


def test_what_freezes_is_interrupted_and_named() -> None:
    with pytest.raises(TimeoutError, match="This freezes the bot"), watchdog("This", 0.1):
        for _ in range(10**12):
            pass
