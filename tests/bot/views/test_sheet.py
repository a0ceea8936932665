"""A sheet is what was typed, as long as it is as it was shown."""

from functools import partial

import pytest

from bot.views import sheet
from bot.views.card import Button
from bot.views.question import Fields
from rules.cortex import characters
from rules.cortex.kinds import Trait
from rules.cortex.model import CORTEX
from rules.errors import NotAllowed, RuleError
from rules.values import replace
from tests.bot.views.asking import ALICE, after, answers, begun, reading


def test_a_sheet_that_was_shown_comes_back_as_it_was_or_as_typed() -> None:
    table = after(begun(), (ALICE, partial(characters.put, trait="Mind", die="d10", trait_set="Attributes")))
    form = sheet.sheet_form(table, ALICE)
    button = Button("Sheet", sheet.VERB, 0, form.subject or "")
    ((_, rule),) = reading(table, ALICE, button)
    with pytest.raises(RuleError, match="Nothing changed on Alice's sheet"):
        rule(table, ALICE)
    (step,) = answers(table, ALICE, button, sheet1="Attributes: Sharp d8")
    assert [trait.label for trait in CORTEX.has(step.table.characters["alice"]).sheet.values()] == ["Sharp"]


def test_a_long_sheet_is_parted_and_put_together() -> None:
    text = "\n".join(f"Skills {n}: Trait {n} d6" for n in range(400))
    fields = [sheet.sheet_field(part, "", n) for n, part in enumerate(sheet._parts(text), 1)]
    assert len(fields) > 1
    read = sheet.sheet_text(Fields({field.key: field.value for field in fields}))
    assert read.rstrip("\n") == text


def test_a_sheet_too_long_for_a_form_is_changed_by_commands() -> None:
    table = begun()
    held = {str(n): Trait(f"{n} {'x' * 90}", 6, note="y" * 200) for n in range(80)}
    alice = table.characters["alice"]
    long = CORTEX.give(alice, replace(CORTEX.has(alice), sheet=held))
    with pytest.raises(NotAllowed, match="Alice's sheet is too long for a form"):
        sheet.sheet_form(table.with_owner("alice", long), ALICE)
