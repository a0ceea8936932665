"""What Discord says is read no further than it is needed."""

from typing import Any

import pytest
from discord import Interaction, InteractionType, interactions

from tests.game import Game


async def test_no_message_is_made_of_what_was_sent(table: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []
    monkeypatch.setattr(interactions, "InteractionMessage", lambda **what: made.append(what))
    rolled = await table.play("alice: /roll dice:d10 d8 2d6")
    await table.alice.press(rolled, 0)
    assert made == []
    await table.play("gm: /scene end")
    await table.at_rest()
    assert "This roll is closed" in rolled.text  # it is known where it was shown


async def test_only_presses_and_forms_are_looked_at_as_such(
    table: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[InteractionType] = []
    hear = table.bot.on_interaction

    async def note(interaction: Interaction[Any]) -> None:
        heard.append(interaction.type)
        await hear(interaction)

    monkeypatch.setattr(table.bot, "on_interaction", note)
    rolled = await table.play("alice: /roll dice:d10 d8 2d6")
    assert await table.alice.complete("/roll dice:d")
    assert heard == []
    await table.alice.press(rolled, 0)
    assert heard == [InteractionType.component]
