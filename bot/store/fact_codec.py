"""The facts of a step as text: what cannot be read of them is borne."""

import json
import re
from collections.abc import Iterable
from typing import Any

from pydantic import ValidationError

from bot.store.codec import FAULTS, StoredFacts, adapter, bearing, illegible
from bot.store.lifts import FACT_LIFTS, VERSION, Lifts, is_lifted, lifted
from rules.facts import Fact, Illegible, OldWords


def write_facts(facts: tuple[Fact, ...]) -> str:
    """What a step did, as JSON."""
    return adapter(StoredFacts).dump_json(StoredFacts(VERSION, facts), exclude_defaults=True).decode()


_VERSION = re.compile(r'\{"version": ?(?P<number>[1-9]\d{0,3})[,}]')


def read_facts(text: str, lifts: Lifts = FACT_LIFTS, version: int = VERSION) -> tuple[Fact, ...]:
    """The facts that `write_facts` wrote; what cannot be read of them is borne, and so is a text of none."""
    try:
        # Its beginning says its version: as JSON all of it would be read twice.
        old = _VERSION.match(text)
        if old and is_lifted(int(old["number"]), version, lifts):
            kept = json.loads(text)
            held = [lifted(each, int(old["number"]), version, lifts) for each in kept["facts"]]
            text = json.dumps(kept | {"facts": held})
        return adapter(StoredFacts).validate_json(text).facts
    except FAULTS:  # pydantic's are ValueErrors
        pass
    try:
        # A second time: if the first reading bore everything, it would be slower for all that is sound.
        return bearing(StoredFacts).validate_json(text).facts
    except ValidationError:
        return (illegible(text),)


def is_legible(facts: Iterable[Fact]) -> bool:
    """Whether all of it can be read."""
    return not any(isinstance(f, Illegible) or not is_legible(getattr(f, "facts", ())) for f in facts)


GONE = OldWords("What happened in this step cannot be read any more.")
"""What a step says of facts that are set aside."""


def with_aside(text: str) -> str:
    """The facts in a text for the log, those that cannot be read set aside: kept, and looked at no more."""
    told: list[Fact] = []
    kept: list[Any] = []
    for fact in read_facts(text):
        if is_legible((fact,)):
            told.append(fact)
        else:
            kept += json.loads(write_facts((fact,)))["facts"]
            told += [GONE] if GONE not in told else []
    return json.dumps(json.loads(write_facts(tuple(told))) | {"aside": kept})


def has_aside(text: str) -> bool:
    """Whether facts are set aside in that text."""
    return '"aside":' in text
