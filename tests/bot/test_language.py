"""What people read can be said in another language (the catalogs of gettext)."""

import ast
from collections.abc import Iterator
from gettext import NullTranslations
from pathlib import Path
from string import Formatter

import pytest

from bot.aside import aside
from bot.language import later, say, say_of, speaking

HOUSE = Path(__file__).parents[2] / "bot"
SAID = {"say": 1, "say_of": 3, "later": 1}
"""How many arguments stand before the values."""


class Shouting(NullTranslations):
    """A language that is English in capitals."""

    def gettext(self, message: str) -> str:
        return "IT IS {who}" if message == "it is {who}" else message.upper()

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return "{count} DICE" if n != 1 else "A DIE"


def test_a_sentence_is_said_in_the_language_of_the_moment() -> None:
    assert say("it is {who}", who="Mira") == "it is Mira"
    with speaking(Shouting()):
        assert say("it is {who}", who="Mira") == "IT IS Mira"
        assert say("nobody") == "NOBODY"
        assert say(later("nobody")) == "NOBODY"
    assert say("nobody") == "nobody"


async def test_work_beside_the_loop_speaks_the_language_of_the_moment() -> None:
    with speaking(Shouting()):
        assert await aside(say, "nobody") == "NOBODY"
    assert await aside(say, "nobody") == "nobody"


def test_numbers_have_the_plurals_of_the_language() -> None:
    assert say_of(1, "{count} die", "{count} dice") == "1 die"
    assert say_of(3, "{count} {size} die", "{count} {size} dice", size="d6") == "3 d6 dice"
    with speaking(Shouting()):
        assert say_of(1, "{count} die", "{count} dice") == "A DIE"
        assert say_of(0, "{count} die", "{count} dice") == "0 DICE"


def test_what_was_typed_is_never_read_as_a_place_for_a_value() -> None:
    assert say("it is {who}", who="{who} {0}") == "it is {who} {0}"


def _calls() -> Iterator[tuple[str, ast.Call]]:
    for path in sorted(HOUSE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SAID:
                yield f"{path.relative_to(HOUSE)}:{node.lineno}", node


@pytest.mark.parametrize(("where", "call"), [pytest.param(*each, id=each[0]) for each in _calls()])
def test_every_sentence_names_the_values_that_it_gets(where: str, call: ast.Call) -> None:
    """A sentence is a literal, so that it is found for a catalog, or was marked by `later`."""
    assert isinstance(call.func, ast.Name)
    texts = call.args[1:] if call.func.id == "say_of" else call.args
    assert len(call.args) == SAID[call.func.id]
    for text in texts:
        if not isinstance(text, ast.Constant):
            assert isinstance(text, ast.Subscript | ast.Name | ast.Attribute | ast.IfExp | ast.Call), where
            continue
        assert isinstance(text.value, str)
        if call.func.id == "later":
            continue
        named = {name for _, name, _, _ in Formatter().parse(text.value) if name is not None}
        given = {word.arg for word in call.keywords} | ({"count"} if call.func.id == "say_of" else set())
        assert named <= given, where
        assert call.func.id == "say_of" or given <= named, where
