"""Where data does not fit its type, and the schema of files."""

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Literal

import pytest
from jsonschema import Draft202012Validator
from msgspec import field

from bot.store import codec, files
from bot.store.file_schema import Misfit, misfit
from rules.cortex.model import CORTEX
from rules.cortex.pool import NEW, Source
from rules.facts import AnyEvent, Event, Illegible, Noted, Undone
from rules.table import Table
from rules.values import Limit, Value
from tests import every_fact


class Hue(StrEnum):
    RED = "red"
    BLUE = "blue"


class Bead(Value):
    hue: Hue
    size: Annotated[int, Limit(most=9)] = 3
    label: str = ""
    source: Source = NEW


class Chain(Value):
    kind: Literal["chain"]
    beads: tuple[Bead, ...] = ()
    clasp: Bead | None = None
    ends: tuple[Source, int] = (NEW, 0)
    by_hue: Mapping[Hue, int] = field(default_factory=dict)
    by_number: Mapping[int, Mapping[int, Bead]] = field(default_factory=dict)
    is_worn: bool = False
    told: tuple[AnyEvent, ...] = ()


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"kind": "rope"}, (("kind",), Literal["chain"], "rope")),
        ({"kind": None}, (("kind",), Literal["chain"], None)),
        ({"beads": {}}, (("beads",), tuple[Bead, ...], {})),
        ({"beads": [{"hue": "red"}, {"hue": "green"}]}, (("beads", "1", "hue"), Hue, "green")),
        ({"beads": [{"hue": ["red"]}]}, (("beads", "0", "hue"), Hue, ["red"])),
        ({"beads": [{}]}, (("beads", "0", "hue"), Bead, None, True)),
        ({"clasp": {"hue": "red", "size": True}}, (("clasp", "size"), int, True)),
        ({"clasp": {"hue": "red", "size": 1.5}}, (("clasp", "size"), int, 1.5)),
        ({"clasp": {"hue": "red", "label": None}}, (("clasp", "label"), str, None)),
        ({"clasp": {"hue": "red", "source": 5}}, (("clasp", "source"), str, 5)),
        ({"clasp": "red"}, (("clasp",), Bead, "red")),
        ({"ends": ["a"]}, (("ends",), tuple[Source, int], ["a"])),
        ({"ends": ["a", "b"]}, (("ends", "1"), int, "b")),
        ({"by_hue": {"green": 1}}, (("by_hue", "green"), Hue, "green")),
        ({"by_number": {"one": {}}}, (("by_number", "one"), int, "one")),
        ({"by_number": {"1": {"2": {"hue": 3}}}}, (("by_number", "1", "2", "hue"), Hue, 3)),
        ({"by_number": []}, (("by_number",), Mapping[int, Mapping[int, Bead]], [])),
        ({"is_worn": 1}, (("is_worn",), bool, 1)),
        ({"told": [{"fact": "dragon"}]}, (("told", "0"), AnyEvent, {"fact": "dragon"})),
        ({"told": [{"fact": ["noted"]}]}, (("told", "0"), AnyEvent, {"fact": ["noted"]})),
        ({"told": [{"fact": "noted", "text": 5}]}, (("told", "0", "text"), str, 5)),
        ({"told": [None]}, (("told", "0"), AnyEvent, None)),
    ],
)
def test_what_does_not_fit_is_refused_and_its_place_found(more: dict[str, Any], expected: Any) -> None:
    plain = {"kind": "chain", **more}
    with pytest.raises(ValueError, match=r"\S"):
        codec.strict().convert(plain, Chain)
    assert misfit(plain, Chain) == Misfit(*expected)


def test_a_fact_is_read_only_where_its_base_may_stand() -> None:
    undone = {"fact": "undone", "step": 1, "facts": [{"fact": "Noted", "text": "Rain"}]}
    assert codec.strict().convert(undone, Undone) == Undone(1, (Noted("Rain"),))
    with pytest.raises(ValueError, match=r"\S"):
        codec.strict().convert({"kind": "chain", "told": [undone]}, Chain)


def test_what_cannot_be_read_is_written_as_it_was_wherever_it_is() -> None:
    told = [{"fact": "dragon", "size": 3}, {"fact": "noted", "text": "Rain"}, 7, {"fact": ""}]
    text = json.dumps({"version": 8, "facts": [*told, {"fact": "undone", "step": 1, "facts": told}]})
    read = codec.read_facts(text)
    dragon = Illegible("dragon", '{"fact": "dragon", "size": 3}')
    assert read[:3] == (dragon, Noted("Rain"), Illegible("", "7"))
    assert json.loads(codec.write_facts(read)) == json.loads(text)
    assert [codec.whole(fact) for fact in (read[0], read[2])] == [told[0], told[2]]


def test_a_text_that_looks_like_a_placeholder_stays_a_text() -> None:
    facts: tuple[Event, ...] = (Noted('{"fact":"","kind":"x"}'), Illegible("x", '{"fact": "x"}'))
    assert codec.read_facts(codec.write_facts(facts)) == facts


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"version":8,"facts":[{"fact":"noted","text":"\\ud800"}]}',
        '{"version":8,"facts":NaN}',
        "",
    ],
)
def test_facts_of_a_damaged_text_are_one_that_cannot_be_read(text: str) -> None:
    (fact,) = codec.read_facts(text)
    assert isinstance(fact, Illegible)


def test_both_halves_of_a_pair_are_one_character() -> None:
    text = '{"version":8,"facts":[{"fact":"noted","text":"\\ud83d\\ude00"}]}'
    assert codec.read_facts(text) == (Noted("😀"),)


def test_a_file_with_what_followed_from_a_roll_is_valid_and_with_an_unknown_fact_is_not() -> None:
    table = CORTEX.with_rolls(Table(), {8: every_fact.ROLL})
    form = json.loads(files.write_table(table, 0, 0))
    roll = form["table"]["games"]["cortex"]["rolls"]["8"]
    roll["after"] = {"9": [{"fact": "noted", "text": "Rain"}]}
    valid = Draft202012Validator(files.schema())
    assert valid.is_valid(form)
    roll["after"] = {"9": [{"fact": "dragon", "text": "Rain"}]}
    assert not valid.is_valid(form)
