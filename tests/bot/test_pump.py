"""Long texts of repeated pieces are read in linear time, wherever they are typed."""

import pytest

from tests.bench.pump import PIECES, TAILS, pump, watchdog
from tests.game import Game

SHARES = (len(PIECES) * len(TAILS) // 2, pytest.param(9, marks=[pytest.mark.slow, pytest.mark.timeout(1200)]))
"""Each place gets two texts, other ones than the next place; or thirteen. All of them take half an hour."""


@pytest.mark.parametrize("share", SHARES)
async def test_no_text_freezes_the_bot_wherever_it_is_typed(game: Game, share: int) -> None:
    efforts = [each async for each in pump(game, share)]
    assert len({each.where for each in efforts}) > 400


def test_what_freezes_is_interrupted_and_named() -> None:
    with pytest.raises(TimeoutError, match="This freezes the bot"), watchdog("This", 0.1):
        for _ in range(10**12):
            pass
