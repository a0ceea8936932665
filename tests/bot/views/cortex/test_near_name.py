"""New labels that are nearly a name (L5)."""

from rules.cortex.kinds import TraitKind
from rules.cortex.model import CORTEX
from rules.cortex.pool import Source
from tests.bot.test_buttons import is_refused, seen
from tests.bot.test_dice_typed import SHEET
from tests.game import Game


async def test_a_label_that_is_nearly_a_name_says_so(table: Game) -> None:
    await table.play(*SHEET)
    table.dice.show((9, 4))
    rolled = await table.play("alice: /roll dice:Mnd d10, d6")
    assert "Mnd d10: 9" in rolled.text
    assert "Mnd is new. Did you mean Mind?" in rolled.text
    assert is_refused(await table.bob.press(rolled, "Yes, Mind"))
    button = next(button for button in rolled.buttons if button.label == "Yes, Mind")
    named = await table.alice.press(rolled, "Yes, Mind")
    assert "Total: Mind d10: 9, d6: 4" in named.text
    assert "is new" not in named.text
    (made,) = CORTEX.of((await seen(table))[1]).rolls.values()
    assert made.hand.dice[0].source == Source(TraitKind.TRAIT, "Attributes")
    assert "has no names left to correct" in (await table.alice.push(rolled, button)).text
    assert "mi is new. Did you mean Mind?" in (await table.play("alice: /roll dice:mi d10, d6")).text
    plain = await table.play("alice: /roll dice:Fire d10, d6")
    assert "is new" not in plain.text
