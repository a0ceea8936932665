"""What Discord says to an answer is read no further than it is needed."""

import pytest
from discord import interactions

from tests.game import Game


async def test_no_message_is_made_of_what_was_sent(table: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []
    monkeypatch.setattr(interactions, "InteractionMessage", lambda **what: made.append(what))
    rolled = await table.play("alice: /roll dice:d10 d8 2d6")
    await table.alice.press(rolled, 0)
    assert made == []
    await table.play("gm: /scene end")
    await table.until(lambda: "This roll is closed" in rolled.text)  # it is known where it was shown
