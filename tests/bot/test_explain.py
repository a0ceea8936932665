"""Any exception, as the sentence that a person reads."""

import re

import pytest
from discord import AppCommandOptionType, app_commands

from bot.client.refusals import explain
from bot.language.printers import spelled
from bot.store.recorder import Busy
from rules.errors import NotAllowed


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (NotAllowed("That is gone."), "That is gone."),
        (Busy(), "Too many people are changing this table at once, so nothing was changed."),
        (app_commands.CommandNotFound("roll", []), "The bot was just updated."),
        (
            app_commands.TransformerError("@x" * 50, AppCommandOptionType.user, app_commands.Transformer()),
            f"That option can't be {'@x' * 40}. Choose one of the suggestions.",
        ),
        (ConnectionRefusedError(), "The bot can't reach its database right now."),
        (ValueError("secret"), "Something went wrong inside the bot (reference "),
    ],
)
def test_an_error_is_told_in_words(error: Exception, sentence: str) -> None:
    assert spelled(explain(error)).startswith(sentence)


def test_a_fault_that_nobody_foresaw_has_a_reference_and_no_details(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = spelled(explain(ValueError("secret")))
    assert re.search(r"\(reference [0-9a-f]{8}\)", told)
    assert "secret" not in told
