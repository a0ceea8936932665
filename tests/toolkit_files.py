"""Made-up files of the Cortex Toolkit, for laws: such as version 0.1 allows, and such as it does not."""

import json
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from jsonschema import Draft202012Validator

SCHEMA = json.loads(Path(__file__).with_name("toolkit.schema.json").read_text())
VALID = Draft202012Validator(SCHEMA)

NAMES = (
    *("Mind", "Duty", "mind", "Quick, Wits", 'Rex "the Red"', "Fight (old)", "Zoë", "d8", "8", "Mind d10"),
    *("", "  ", "up", "x" * 130, "Notes", "a:b", "👩‍🚀", "‮", "Angry", "Physical", "Limits", "Hinder"),
)
SAYS = (
    *("", "I leave nobody behind", "<p>Quick &amp; <b>clean</b></p>", "a, (b, c", "Gain a PP", "line\nbreak"),
    *(
        "Spend a PP to reroll a die.",
        "double Mind, for 1 PP, when angry",
        "y" * 900,
        "Step up or double",
        '"',
    ),
)
SETS = (
    *("Attributes", "Skills", "Values", "Distinctions", "Signature Assets", "Resources", "Stress", "Trauma"),
    *("Complications", "Milestones", "XP", "Badges", "", "Saved pools", "SFX", "Relationships", "Duty"),
)
TAGS = st.lists(st.sampled_from(("a", "b/c", "x-1.0")), max_size=2)
LAYOUT: st.SearchStrategy[dict[str, Any]] = st.sampled_from(
    ({}, {"cortexToolkit": {"column": 2, "width": 0.5}}, {"other": [1, None, {"deep": True}]})
)
MOMENTS = st.sampled_from(("2024-05-01T10:00:00Z", "2024-05-01T10:00:00.123+02:00"))
COUNTS = st.one_of(st.integers(0, 12), st.none(), st.sampled_from(("", "3", "many")))
SIZES = st.sampled_from((0, None, 2, 4, 6, 8, 10, 12, 20, 7, 1, 100))


def optional(**members: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Some of these members."""
    return st.fixed_dictionaries({}, optional=members)


def object_of(
    wanted: dict[str, st.SearchStrategy[Any]], more: dict[str, st.SearchStrategy[Any]]
) -> st.SearchStrategy[dict[str, Any]]:
    """An object with all of the one, and some of the other."""
    return st.fixed_dictionaries({**wanted, "tags": TAGS, "custom": LAYOUT}, optional=more)


NAME, SAID = st.sampled_from(NAMES), st.sampled_from(SAYS)
SFX = object_of({"name": NAME, "description": SAID}, {})
PLACES = st.sampled_from(("inline", "above", "below", "none"))
_MORE = {
    "dice": st.lists(st.sampled_from((4, 6, 8, 12, 20)), max_size=12),
    "statement": SAID,
    "questioned": st.booleans(),
    "xp": COUNTS,
    "counter": COUNTS,
    "ratingPosition": PLACES,
}


def _trait(parts: st.SearchStrategy[list[Any]]) -> st.SearchStrategy[dict[str, Any]]:
    effects = st.lists(st.one_of(SFX, st.just("hinder")), max_size=2)
    return object_of(
        {"name": NAME, "value": SIZES, "description": SAID, "traits": parts, "sfx": effects}, _MORE
    )


PART = _trait(st.just([]))
TRAIT = _trait(st.lists(_trait(st.lists(PART, max_size=1)), max_size=2))
SET = object_of(
    {
        "name": st.sampled_from(SETS),
        "description": SAID,
        "nounSingular": st.sampled_from(("", "Value", "Asset", "Skill", "Milestone")),
        "nounPlural": st.sampled_from(("", "Values")),
        "traits": st.lists(TRAIT, max_size=3),
        "sfx": st.lists(SFX, max_size=1),
    },
    {
        "id": st.just("set-1"),
        "ratingPosition": PLACES,
        "statement": st.booleans(),
        "hasQuestionedPip": st.booleans(),
        "hasCounterColumn": st.booleans(),
        "counterLabel": st.sampled_from(("XP", "Uses", "")),
    },
)
PORTRAIT = object_of(
    {"url": st.sampled_from(("", "https://example.org/a.png", "data:image/png;base64,AAAA")), "alt": SAID}, {}
)
FILES = object_of(
    {
        "version": st.just("0.1"),
        "id": st.just("9b2f2a52-6f0c-4b1e-9d0a-0f6f3c1b2a3d"),
        "dateCreated": MOMENTS,
        "dateModified": MOMENTS,
        "dateTouched": MOMENTS,
        "name": NAME,
        "game": SAID,
        "pronouns": st.sampled_from(("", "she/her", "z" * 50)),
        "description": SAID,
        "traitSets": st.lists(SET, max_size=4),
        "portrait": PORTRAIT,
        "plotPoints": st.integers(-3, 2000),
        "notes": SAID,
    },
    {
        "$schema": st.just("https://example.org/schema.json"),
        "isTemplate": st.just(False),
        "sheet": st.just({"template": {"id": "t", "pages": [1.5]}}),
    },
)
"""Files as version 0.1 allows them."""

ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 100),
    st.floats(-50, 100, allow_nan=False),
    st.sampled_from(("d8", "8", "", "x", "hinder")),
    st.just([]),
    st.just({}),
    st.just([1, "a", {"b": None}]),
)
MEMBERS = (
    *("name", "value", "description", "traits", "sfx", "tags", "custom", "noun", "style", "features", "dice"),
    *(
        "statement",
        "questioned",
        "xp",
        "counter",
        "location",
        "nounSingular",
        "portrait",
        "notes",
        "pronouns",
    ),
    *(
        "plotPoints",
        "id",
        "dateCreated",
        "sheet",
        "isTemplate",
        "unheardOf",
        "counterLabel",
        "ratingPosition",
    ),
)
_ODD_OBJECT = st.dictionaries(st.sampled_from(MEMBERS), ODD, max_size=5)
_ODD_TRAIT = st.builds(
    lambda bare, more, parts: {**bare, "name": "Mind", **more, **({"traits": parts} if parts else {})},
    _ODD_OBJECT,
    st.sampled_from(({"value": 8}, {"value": "d6"}, {"value": 0}, {})),
    st.lists(_ODD_OBJECT, max_size=1),
)
_ODD_SET = st.builds(
    lambda bare, style, traits: {**bare, **style, "traits": traits},
    _ODD_OBJECT,
    st.sampled_from(
        ({"style": "stress"}, {"noun": "Asset"}, {"name": "Skills"}, {"style": "default", "noun": 3})
    ),
    st.lists(st.one_of(_ODD_TRAIT, ODD), max_size=3),
)
ODD_FILES = st.builds(
    lambda bare, version, sets: {**bare, **version, "traitSets": sets},
    _ODD_OBJECT,
    st.sampled_from(({}, {"version": 0}, {"version": "0.1"}, {"version": "0.3"})),
    st.lists(st.one_of(_ODD_SET, ODD), max_size=3),
)
"""Files of version 0, and such as no version allows."""
