"""SFX as data, end to end: what they cost and give is done, or refused (X1)."""

import pytest

from tests.bot.test_buttons import is_refused, seen
from tests.game import Game


@pytest.mark.parametrize(
    ("line", "because"),
    [
        ("alice: /sfx add name:Grit benefit:split Mind", '"split Mind" is no benefit that the bot knows'),
        ("alice: /sfx add name:Grit benefit:be brave", 'quotation marks: "be brave"'),
        ("alice: /sfx add name:Grit benefit:up cost:be brave", '"be brave" is no cost that the bot knows'),
        ("gm: /sfx add name:Grit benefit:add d6 cost:doom die who:Bob", "pays 1 PP with a doom die"),
        ("alice: /sfx add name:Grit benefit:add d6, pay 1 PP", "what is paid is a cost"),
    ],
)
async def test_X1_what_is_none_of_the_words_is_refused_with_the_list(
    table: Game, line: str, because: str
) -> None:
    refused = await table.says(line)
    assert is_refused(refused)
    assert because in refused.text
    assert not (await seen(table))[1].characters["alice"].sfx


async def test_X1_mere_words_are_in_quotation_marks(table: Game) -> None:
    added = await table.play('alice: /sfx add name:Grit benefit:"be brave, always", use opportunity, 1 PP')
    assert 'Alice · SFX Grit: "be brave, always", opportunity, 1 PP' in added.text
    opened = await table.says("alice: /character edit")
    assert opened.form is not None
    kept = opened.form.field("Sheet").default
    assert 'SFX: Grit: "be brave, always", opportunity, 1 PP' in str(kept)
    await table.alice.submit(opened.form, {"Sheet": f"{kept}\nSFX: Fury: sing loudly"})
    assert "Fury" not in (await table.says("alice: /sfx show")).text
