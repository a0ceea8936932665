"""The JSON schema of files, generated from the classes, and where data does not fit them."""

import re
import types
from collections.abc import Iterator, Mapping
from enum import Enum
from inspect import cleandoc
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec

from bot.store import codec
from bot.store.upgrades import VERSION
from rules.dice import ALL_SIZES
from rules.facts import AnyFact
from rules.table import Games
from rules.values import ANY, Limit, StoredAsText, Value

Schema = dict[str, Any]


class Misfit(NamedTuple):
    """The innermost part of plain data that does not fit: its path, its type, and what is there instead."""

    place: tuple[str, ...]
    wanted: Any
    found: Any
    is_missing: bool = False


def misfit(plain: Any, kind: Any) -> Misfit:
    """Return where plain data, which cannot be decoded as that type, goes wrong first."""
    kind = _bare(kind)
    for name, wanted, part in _parts(plain, kind):
        try:
            codec.strict().convert(part, wanted)
        except ValueError:
            inner = misfit(part, wanted)
            return inner._replace(place=(name, *inner.place))
    if isinstance(kind, type) and issubclass(kind, Value) and isinstance(plain, Mapping):
        for each in msgspec.structs.fields(kind):
            if each.required and each.name not in plain:
                return Misfit((each.name,), kind, None, is_missing=True)
    return Misfit((), kind, plain)


def _bare(kind: Any) -> Any:
    """A type without its limits, and without None."""
    if get_origin(kind) is Annotated:
        return _bare(get_args(kind)[0])
    if get_origin(kind) in (Union, types.UnionType):
        return _bare(next(each for each in get_args(kind) if each is not type(None)))
    if isinstance(kind, type) and issubclass(kind, StoredAsText):
        return str
    return kind


_NUMBER = re.compile("-?(0|[1-9][0-9]{0,18})")


def _parts(plain: Any, kind: Any) -> Iterator[tuple[str, Any, Any]]:
    """The parts of plain data: the name of each, its type, and the part."""
    args = get_args(kind)
    if get_origin(kind) is tuple and isinstance(plain, list):
        for number, part in enumerate(plain):
            yield str(number), args[0 if args[-1] is ... else min(number, len(args) - 1)], part
    elif not isinstance(plain, Mapping):
        return
    elif get_origin(kind) is Mapping:
        for name, part in plain.items():
            key = _bare(args[0])
            yield (
                name,
                key,
                int(name) if key is int and _NUMBER.fullmatch(name) else name,
            )
            yield name, args[1], part
    else:
        for name, wanted in _fields(plain, kind).items():
            if name in plain:
                yield name, wanted, plain[name]


def _fields(plain: Any, kind: Any) -> Mapping[str, Any]:
    if not isinstance(kind, type) or get_origin(kind):
        return {}
    if issubclass(kind, AnyFact):
        kind = codec.strict().fact_kind(plain, kind)
    elif issubclass(kind, Games):
        kind = codec.strict().parts[kind]
    return get_type_hints(kind, include_extras=True) if kind else {}


def schema_of(kinds: tuple[type, ...]) -> Schema:
    """Return the schema that accepts any of these classes."""
    described = _Described()
    either = [described.schema(kind) for kind in kinds]
    return {"$defs": dict(sorted(described.known.items())), "anyOf": either}


class _Described:
    """The schemas of classes by name, each with those of all that it may hold.

    msgspec has its own, but fails where a default is something that a hook encodes.
    """

    def __init__(self) -> None:
        self.known: dict[str, Schema] = {}

    def schema(self, hint: Any, limit: Limit = ANY) -> Schema:
        """Return the schema of a type; those of classes and enums are referred to by name."""
        if get_origin(hint) is Annotated:
            marks = [mark for mark in get_args(hint)[1:] if isinstance(mark, Limit)]
            return self.schema(get_args(hint)[0], marks[0] if marks else limit)
        if type(None) in get_args(hint):
            return {"anyOf": [self.schema(_bare(hint), limit), {"type": "null"}]}
        if get_origin(hint) is tuple:
            return self._row(get_args(hint), limit)
        if get_origin(hint) is Mapping:
            key, value = get_args(hint)
            return self._mapping(key, value, limit)
        if get_origin(hint) is Literal:
            return {"enum": list(get_args(hint))}
        if issubclass(hint, AnyFact) and not issubclass(hint, Value):
            facts = dict.fromkeys(each for each in codec.tags().by_tag.values() if issubclass(each, hint))
            return {"oneOf": [self._named(each) for each in facts]}
        if issubclass(hint, Games):
            parts = get_type_hints(codec.strict().parts[hint])
            games = {name: self.schema(kind) for name, kind in parts.items()}
            return {"type": "object", "properties": games, "additionalProperties": False}
        return self._of_class(hint, limit)

    def _row(self, of: tuple[Any, ...], limit: Limit) -> Schema:
        if of[-1] is ...:
            return {"type": "array", "items": self.schema(of[0], limit)}
        items = [self.schema(each, limit) for each in of]
        return {"type": "array", "prefixItems": items, "minItems": len(of), "maxItems": len(of)}

    def _mapping(self, key: Any, value: Any, limit: Limit) -> Schema:
        if limit.is_dice:
            sizes = [str(size) for size in ALL_SIZES if size >= limit.least]
            count = {"type": "integer", "minimum": 1}
            return {"type": "object", "propertyNames": {"enum": sizes}, "additionalProperties": count}
        names = self.schema(key) if issubclass(key, Enum) else {"pattern": "^[0-9]+$"} if key is int else {}
        of_names = {"propertyNames": names} if names else {}
        return {"type": "object", **of_names, "additionalProperties": self.schema(value)}

    def _of_class(self, kind: Any, limit: Limit) -> Schema:
        if kind is bool:
            return {"type": "boolean"}
        if kind is int:
            return {"type": "integer", **_bounds(limit)}
        return {"type": "string"} if _bare(kind) is str else self._named(kind)

    def _named(self, kind: Any) -> Schema:
        name = kind.__name__
        if name not in self.known:
            self.known[name] = {}  # so that a class that holds itself isn't described for ever
            described = {"description": cleandoc(kind.__doc__ or "")}
            self.known[name] = described | (_members(kind) if issubclass(kind, Enum) else self._fields(kind))
        return {"$ref": f"#/$defs/{name}"}

    def _fields(self, kind: type[Value]) -> Schema:
        tags = [tag for tag, each in codec.tags().by_tag.items() if each is kind]
        shown: dict[str, Schema] = {"fact": {"enum": tags}} if tags else {}
        required = [*shown]
        for part in msgspec.structs.fields(kind):
            shown[part.name] = self.schema(part.type)
            if part.name == "version":
                shown[part.name] = {"enum": list(range(1, VERSION + 1))}
            if part.default is not msgspec.NODEFAULT:
                shown[part.name]["default"] = codec.whole(part.default)
            if part.required:
                required.append(part.name)
        needed = {"required": required} if required else {}
        return {"type": "object", "properties": shown, **needed, "additionalProperties": False}


def _bounds(limit: Limit) -> Schema:
    """Return the bounds of a number; only modifiers of a total may be negative."""
    if limit.is_size:
        return {"enum": list(ALL_SIZES)}
    if limit.is_signed:
        return {"minimum": -(limit.most or 0), "maximum": limit.most}
    return {"minimum": 0} | ({} if limit.most is None else {"maximum": limit.most})


def _members(kind: Any) -> Schema:
    return {"type": "string", "enum": [each.value for each in kind]}
