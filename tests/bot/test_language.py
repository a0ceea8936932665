"""What people read can be said in another language (the catalogs of gettext)."""

import ast
from gettext import NullTranslations
from pathlib import Path
from string import Formatter

from bot.explain import explain
from bot.language import later, say, say_of, speaking
from bot.side_lane import aside
from rules.errors import NotAllowed

HOUSE = Path(__file__).parents[2]
REFUSED = ("NotAllowed", "TooLate", "Unknown", "Unreadable", "Ambiguous", "Undecided")
SAID = {"say": 1, "say_of": 3, "later": 1} | dict.fromkeys(REFUSED, 1)
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


def test_a_refusal_is_said_in_it_too() -> None:
    refused = NotAllowed("it is {who}", who="Mira")
    assert str(refused) == explain(refused) == "it is Mira"
    with speaking(Shouting()):
        assert explain(refused) == "IT IS Mira"


def test_every_sentence_is_a_literal_and_names_the_values_that_it_gets() -> None:
    """So it is found for a catalog; one that is not a literal was marked by `later`, or was made before."""
    faults = []
    for path in sorted((*HOUSE.glob("bot/**/*.py"), *HOUSE.glob("rules/**/*.py"))):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SAID:
                fault = _fault(node, node.func.id)
                faults += [f"{path.relative_to(HOUSE)}:{node.lineno}: {fault}"] if fault else []
    assert faults == []


def _fault(call: ast.Call, name: str) -> str:
    """What is wrong with a sentence, if anything."""
    texts = call.args[1:] if name == "say_of" else call.args[:1]
    given = {word.arg for word in call.keywords if word.arg} | ({"count"} if name == "say_of" else set())
    if len(call.args) != SAID[name] and name != "Undecided":
        return "values without names"
    for text in texts:
        if isinstance(text, ast.JoinedStr):
            return "values inside the sentence"
        if not isinstance(text, ast.Constant) or name == "later":
            continue
        assert isinstance(text.value, str)
        named = {place for _, place, _, _ in Formatter().parse(text.value) if place is not None}
        if not (named <= given and (name == "say_of" or given <= named)):
            return f"{named} are named, {given} given"
    return ""
