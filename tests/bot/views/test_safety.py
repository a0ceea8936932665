"""The forms of lines and veils: each button has one that leads to what it says."""

from bot.language.printers import spelled
from bot.views import safety
from bot.views.safety import list_card
from rules.facts import Boundary
from tests.bot.views.asking import begun


def test_each_button_that_adds_has_a_form_of_one_field() -> None:
    verbs = [button.verb for row in list_card(begun()).rows for button in row]
    assert set(safety.ADDS) < set(verbs)
    for kind in safety.ADDS.values():
        form = safety.boundary_form(kind)
        assert [field.key for field in form.fields] == ["what"]
        assert str(kind) in spelled(form.title)


def test_lines_and_veils_are_both_added() -> None:
    assert set(safety.ADDS.values()) == set(Boundary)
