"""Tables as JSON, and JSON as small blobs.

A stored table leaves out whatever has its default value, and its number, which is its entry's. It
carries the version of its shape. When a field is renamed, or a default changes, raise `VERSION` and
add the function that lifts the version before.

A campaign's states differ little from one to the next, so a state is packed against an earlier one,
its keyframe, whose text serves as the dictionary of the compression.
"""

import json
import zlib
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar, get_args

from pydantic import GetCoreSchemaHandler, TypeAdapter
from pydantic_core import CoreSchema, core_schema

from rules.cortex.build import Build
from rules.cortex.reasons import ByKind
from rules.cortex.result import Fact
from rules.cortex.ruleset import EMPIRE, HEROIC
from rules.cortex.table import Roll, Table

VERSION = 3
"""The version of the shape that is written now."""

Form = dict[str, Any]
"""A table as plain dicts, lists and scalars, with nothing left out but its number."""

Lifts = Mapping[int, Callable[[Form], Form]]
"""For each old version, how to make the next one of it; works on the plain dict."""


def _with_settings_of_their_own(form: Form) -> Form:
    """Version 2: what names of trait sets, and the ruleset's own name, used to say are settings."""
    rolls = {number: _settled(roll, "rules") for number, roll in (form.get("rolls") or {}).items()}
    return _settled(form, "ruleset") | ({"rolls": rolls} if rolls else {})


def _settled(form: Form, place: str) -> Form:
    rules: Form | None = form.get(place)
    if not rules:
        return form
    sets = {
        ("Affiliations or aptitudes", "Distinctions", "Ability sets", "Tier"): HEROIC.trait_sets,
        ("Distinctions", "Attributes", "Skills", "Resources or signature assets"): EMPIRE.trait_sets,
    }
    old = rules.get("trait_sets")
    fresh: Form = {"lone_die": rules.get("name") == HEROIC.name}
    if old:
        names = [str(name).casefold() for name in old]
        is_one = any("resources" in name and "signature assets" in name for name in names)
        fresh |= {"resource_or_signature": is_one, "trait_sets": list(sets.get(tuple(old), tuple(old)))}
    return form | {place: rules | fresh}


def _with_facts_after(form: Form) -> Form:
    """Version 3: what followed from a roll is facts; what was said before stays as it was said."""
    rolls = {number: _followed(roll) for number, roll in (form.get("rolls") or {}).items()}
    return form | ({"rolls": rolls} if rolls else {})


def _followed(roll: Form) -> Form:
    after: Mapping[str, str] = roll.get("after") or {}
    said = {
        step: [{"fact": "Line", "text": line} for line in text.split("\n")] for step, text in after.items()
    }
    return roll | ({"after": said} if said else {})


LIFTS: Lifts = {1: _with_settings_of_their_own, 2: _with_facts_after}


def _by_kind(mark: ByKind, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
    """How a union is kept whose members are told apart: each with its kind, the name of its class."""
    kinds = {kind.__name__: handler.generate_schema(kind) for kind in _members(source)}
    with_kind = core_schema.wrap_serializer_function_ser_schema(
        lambda fact, write: {"fact": type(fact).__name__, **write(fact)}
    )
    return core_schema.tagged_union_schema(kinds, _kind_of, serialization=with_kind)


def _members(source: Any) -> list[Any]:
    """The classes of a union, of those in it too."""
    if isinstance(source, type):
        return [source]
    return list(
        dict.fromkeys(one for part in get_args(source) for one in _members(part) if one is not ByKind)
    )


def _kind_of(fact: Any) -> str | None:
    return fact.get("fact") if isinstance(fact, Mapping) else type(fact).__name__


# The rules know nothing of pydantic, so their mark learns here what it means to it.
ByKind.__get_pydantic_core_schema__ = _by_kind  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class _Stored:
    version: int
    table: Table


@dataclass(frozen=True, slots=True)
class _Facts:
    version: int
    facts: tuple[Fact, ...]


_T = TypeVar("_T")
_ADAPTERS: dict[type, TypeAdapter[Any]] = {}


def adapter(kind: type[_T]) -> TypeAdapter[_T]:
    """What reads and writes values of a class; made when it is first needed, since that takes long."""
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]


_CURRENT = f'{{"version":{VERSION},'.encode()


class _Rolls:
    """The JSON of rolls, remembered: most of a long scene's rolls are the same from step to step."""

    def __init__(self, limit: int = 5000) -> None:
        self._limit = limit
        self._known: OrderedDict[int, tuple[Roll, bytes]] = OrderedDict()

    def write(self, roll: Roll) -> bytes:
        """One roll as JSON. The very same value has the same text, since nothing changes a value."""
        found = self._known.get(id(roll))
        if found is not None and found[0] is roll:
            return found[1]
        text = adapter(Roll).dump_json(roll, exclude_defaults=True)
        self._known[id(roll)] = (roll, text)
        if len(self._known) > self._limit:
            self._known.popitem(last=False)
        return text


_ROLLS = _Rolls()


def write(table: Table) -> bytes:
    """The table as JSON."""
    text = adapter(_Stored).dump_json(
        _Stored(VERSION, replace(table, number=0, lost=0, rolls={})), exclude_defaults=True
    )
    if not table.rolls:
        return text
    rolls = b",".join(b'"%d":%s' % (number, _ROLLS.write(roll)) for number, roll in table.rolls.items())
    comma = b"" if text.endswith(b"{}}") else b","
    return b'%s%s"rolls":{%s}}}' % (text[:-2], comma, rolls)


def read(text: bytes, number: int, lifts: Lifts = LIFTS, version: int = VERSION) -> Table:
    """The table in that JSON, as the state after the step `number`.

    Raises KeyError if nothing lifts its version, pydantic.ValidationError if it is no table.
    """
    if version == VERSION and text.startswith(_CURRENT):
        return replace(adapter(_Stored).validate_json(text).table, number=number)
    stored = json.loads(text)
    form = stored["table"]
    for old in range(stored["version"], version):
        form = lifts[old](form)
    return read_form(form, number)


def write_facts(facts: tuple[Fact, ...]) -> str:
    """What a step did, as JSON."""
    return adapter(_Facts).dump_json(_Facts(VERSION, facts), exclude_defaults=True).decode()


def read_facts(text: str) -> tuple[Fact, ...]:
    """The facts that `write_facts` wrote. Raises pydantic.ValidationError."""
    return adapter(_Facts).validate_json(text).facts


def write_build(build: Build) -> str:
    """A pool that is built, as JSON."""
    return adapter(Build).dump_json(build, exclude_defaults=True).decode()


def read_build(text: str) -> Build:
    """The pool that `write_build` wrote. Raises pydantic.ValidationError."""
    return adapter(Build).validate_json(text)


def form(table: Table) -> Form:
    """The table as plain data, for comparing."""
    plain: Form = adapter(Table).dump_python(replace(table, number=0, lost=0), mode="json")
    return plain


def read_form(plain: Form, number: int) -> Table:
    """The table that `form` was made of. Raises pydantic.ValidationError."""
    return replace(adapter(Table).validate_python(plain), number=number)


FAULTS = (zlib.error, KeyError, TypeError, ValueError)
"""What `unpack` and `read` raise for what is damaged, or of a shape that this program does not know."""

_BLOCK = 8 * 1024
_WINDOW = 24 * 1024  # with a block, what zlib can look back on: 32 KiB


def pack(text: bytes, key: bytes | None = None) -> bytes:
    """The text compressed, against the text of its keyframe if it is not one itself.

    Long texts are packed block by block, each against the part of the keyframe around it, since the
    compression looks back no further than 32 KiB.
    """
    if key is None:
        return zlib.compress(text)
    blocks = []
    for start in range(0, len(text), _BLOCK):
        packer = zlib.compressobj(zdict=_around(key, start))
        blocks.append(packer.compress(text[start : start + _BLOCK]) + packer.flush())
    return b"".join(blocks)


def unpack(blob: bytes, key: bytes | None = None) -> bytes:
    """The text that was packed. Raises zlib.error if the blob or the keyframe is another."""
    if key is None:
        return zlib.decompress(blob)
    blocks: list[bytes] = []
    while blob:
        unpacker = zlib.decompressobj(zdict=_around(key, len(blocks) * _BLOCK))
        blocks.append(unpacker.decompress(blob))
        blob = unpacker.unused_data
    return b"".join(blocks)


def _around(key: bytes, start: int) -> bytes:
    return key[max(0, start - _BLOCK) : start - _BLOCK + _WINDOW] if start else key[:_WINDOW]
