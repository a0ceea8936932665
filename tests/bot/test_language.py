"""What people read can be said in another language (the catalogs of gettext)."""

import ast
from gettext import NullTranslations
from string import Formatter

from bot.client.refusals import explain
from bot.language import later, say, say_of, speaking
from bot.language.line import together
from bot.language.printers import spelled
from bot.views.cortex.labels import why_words
from bot.worker import aside
from rules.cortex.facts import Cause, Why
from rules.cortex.sfx import BENEFIT, COST, near_forms
from rules.errors import NotAllowed
from rules.terms import PLACE
from rules.text import Row, Words, counted
from tests.catalog import SAID, Capitals, bare_values, saying


class Shouting(NullTranslations):
    """A language that is English in capitals."""

    def gettext(self, message: str) -> str:
        return "IT IS {who}" if message == "it is {who}" else message.upper()

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return "{count} DICE" if n != 1 else "A DIE"


def test_a_sentence_is_said_in_the_language_of_the_moment() -> None:
    assert spelled(say("it is {who}", who="Mira")) == "it is Mira"
    with speaking(Shouting()):
        assert spelled(say("it is {who}", who="Mira")) == "IT IS Mira"
        assert spelled(say("nobody")) == "NOBODY"
        assert spelled(say(later("nobody"))) == "NOBODY"
    assert spelled(say("nobody")) == "nobody"


async def test_work_beside_the_loop_speaks_the_language_of_the_moment() -> None:
    with speaking(Shouting()):
        assert await aside(0, lambda: spelled(say("nobody"))) == "NOBODY"
    assert await aside(0, lambda: spelled(say("nobody"))) == "nobody"


def test_numbers_have_the_plurals_of_the_language() -> None:
    assert spelled(say_of(1, "{count} die", "{count} dice")) == "1 die"
    assert spelled(say_of(3, "{count} {size} die", "{count} {size} dice", size="d6")) == "3 d6 dice"
    with speaking(Shouting()):
        assert spelled(say_of(1, "{count} die", "{count} dice")) == "A DIE"
        assert spelled(say_of(0, "{count} die", "{count} dice")) == "0 DICE"


def test_what_was_typed_is_never_read_as_a_place_for_a_value() -> None:
    assert spelled(say("it is {who}", who="{who} {0}")) == "it is {who} {0}"


def test_a_refusal_is_said_in_it_too() -> None:
    refused = NotAllowed("it is {who}", who="Mira")
    assert str(refused) == spelled(explain(refused)) == "it is Mira"
    with speaking(Shouting()):
        assert spelled(explain(refused)) == "IT IS Mira"


def test_phrases_among_the_values_are_said_in_it_too() -> None:
    refused = NotAllowed("only {who} may {what}", who="Mira", what=Words("change {it}", it=Words("that")))
    assert str(refused) == spelled(explain(refused)) == "only Mira may change that"
    with speaking(Capitals()):
        assert spelled(explain(refused)) == "ONLY Mira MAY CHANGE THAT"
        assert (
            spelled(say("{who} is {what}", who="Mira", what=Row(("Bo", Words("gone")))))
            == "Mira IS Bo AND GONE"
        )
        assert spelled(say_of(2, "", "{count} {what}", what=Words("dice"))) == "2 DICE"
        assert spelled(together(counted(2, "{count} die", "{count} dice"))) == "2 DICE"


def test_every_sentence_is_a_literal_and_names_the_values_that_it_gets() -> None:
    """So it is found for a catalog; one that is not a literal was marked by `later`, or was made before."""
    faults = [
        f"{path}:{call.lineno}: {fault}" for path, call, name in saying() if (fault := _fault(call, name))
    ]
    assert faults == []


def test_no_value_of_a_refusal_is_a_text_that_no_catalog_reaches() -> None:
    """What is no name, number or dice is a phrase: `what=Words("change the sheet")`."""
    assert bare_values() == []


_APART = {
    "StepRefused": {"step"},
    "Entangled": {"step"},
    "SettingOff": {"setting", "value"},
    "OptionNeeded": {"option", "choices"},
}
"""What some refusals are given besides the values of their sentence."""


def _fault(call: ast.Call, name: str) -> str:
    """What is wrong with a sentence, if anything."""
    texts = [call.args[place] for place in SAID[name] if place < len(call.args)]
    counts = {"count"} if name in ("say_of", "counted") else set()
    given = {word.arg for word in call.keywords if word.arg} | counts
    if len(call.args) > max(SAID[name]) + 1 and name != "Undecided":
        return "values without names"
    if len(texts) < len(SAID[name]):
        return "no text"
    for text in texts:
        if isinstance(text, ast.JoinedStr):
            return "values inside the sentence"
        if not isinstance(text, ast.Constant) or name == "later":
            continue
        assert isinstance(text.value, str)
        parts = Formatter().parse(PLACE.sub("", text.value))
        named = {place for _, place, _, _ in parts if place is not None}
        values = given - (_APART.get(name, set()) - named)
        if not (named <= given and (counts or values <= named)):
            return f"{named} are named, {values} given"
    return ""


def test_every_form_of_an_sfx_and_every_reason_is_said() -> None:
    typed = ("push Angry", "shut down Mind")
    forms = {str(form) for what in (BENEFIT, COST) for text in typed for form in near_forms(text, what)}
    assert forms >= {*typed}
    assert spelled(why_words(Why(Cause.HERO_DIE))) == "hero"
