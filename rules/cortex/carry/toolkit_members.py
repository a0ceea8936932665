"""Members of an object in a file of the Cortex Toolkit: what each says, however it is written there."""

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from rules.dice import shorten
from rules.errors import NotAllowed, Unreadable

VERSION = "0.1"
LARGEST = 100
"""A size is at most so large."""
_TAG = re.compile(r"[A-Za-z0-9\-./]+")
_NEWER = re.compile(r"[0-9]+(\.[0-9]+)*")
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_DATE = re.compile(
    r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]"
    r"(\.[0-9]+)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"
)
_SIZE = re.compile(r"\s*(?:[0-9]{0,20}[dD])?([0-9]{1,20})\s*")
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]+")
NOBODY = "00000000-0000-0000-0000-000000000000"
NEVER = "1970-01-01T00:00:00Z"
"""What stands for an id and a date that a file does not have."""

_Read = Callable[[Any], tuple[Any, bool]]
"""What a member says, and whether that is just what stood there."""


def _text(given: Any) -> tuple[Any, bool]:
    if isinstance(given, str):
        return given, True
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    return (str(given) if is_number else ""), False


def _flag(given: Any) -> tuple[Any, bool]:
    return (given, True) if isinstance(given, bool) else (bool(given), False)


def _number(given: Any) -> tuple[Any, bool]:
    if isinstance(given, int) and not isinstance(given, bool):
        return given, True
    if isinstance(given, str) and re.fullmatch(r"\s*-?[0-9]{1,18}\s*", given):
        return int(given), False
    if isinstance(given, float) and abs(given) < 1e18:
        return int(given), False
    return 0, False


def _count(given: Any) -> tuple[Any, bool]:
    is_fine = given is None or isinstance(given, str) or (isinstance(given, int) and not _is_flag(given))
    return (given, True) if is_fine else (_number(given)[0], False)


def _is_flag(given: object) -> bool:
    return isinstance(given, bool)


def _size(given: Any) -> tuple[Any, bool]:
    """The size of a die: `8`, `"8"`, `"d8"`; of anything else none. Raises Unreadable for one over 100."""
    match = _SIZE.fullmatch(given) if isinstance(given, str) else None
    size, is_same = (int(match[1]), False) if match else _number(given)
    if given is None:
        return None, True
    if size > LARGEST:
        raise Unreadable(
            "A trait in that file has the size {size}; the largest allowed is {most}.",
            size=shorten(str(given)),
            most=LARGEST,
        )
    return (size, is_same) if size >= 0 else (0, False)


def _sizes(given: Any) -> tuple[Any, bool]:
    if not isinstance(given, list):
        return [], False
    read = [_size(each) for each in given]
    sizes = [size for size, _ in read if size]
    return sizes, all(is_same for _, is_same in read) and len(sizes) == len(given)


def _position(given: Any) -> tuple[Any, bool]:
    is_fine = isinstance(given, str) and given in ("inline", "above", "below", "none")
    return (given, True) if is_fine else ("none", False)


def _tags(given: Any) -> tuple[Any, bool]:
    tags = [
        each
        for each in (given if isinstance(given, list) else [])
        if isinstance(each, str) and _TAG.fullmatch(each)
    ]
    return tags, tags == given


def _custom(given: Any) -> tuple[Any, bool]:
    return (given, True) if isinstance(given, dict) else ({}, False)


def _id(given: Any) -> tuple[Any, bool]:
    is_fine = isinstance(given, str) and _UUID.fullmatch(given)
    return (given, True) if is_fine else (NOBODY, False)


def _date(given: Any) -> tuple[Any, bool]:
    is_fine = isinstance(given, str) and _DATE.fullmatch(given)
    return (given, True) if is_fine else (NEVER, False)


def _url(given: Any) -> tuple[Any, bool]:
    is_fine = given == "" or (isinstance(given, str) and _URI.fullmatch(given) is not None)
    if is_fine:
        try:
            urlsplit(given)
        except ValueError:
            is_fine = False
    return (given, True) if is_fine else ("", False)


def _sheet(given: Any) -> tuple[Any, bool]:
    template = given.get("template") if isinstance(given, dict) and len(given) == 1 else None
    is_fine = isinstance(template, dict) and isinstance(template.get("id"), str)
    return (given, True) if is_fine else ({"template": {"id": ""}}, False)


def _version(given: Any) -> tuple[Any, bool]:
    """Always 0.1: what begins with 0 is read as that. Raises NotAllowed for a newer one."""
    said = str(given) if isinstance(given, str | int | float) and not _is_flag(given) else ""
    if _NEWER.fullmatch(said) and int(said.partition(".")[0][:9]) > 0:
        raise NotAllowed(
            "That file has version {version}; this bot reads versions up to 0.1. Save it in an older "
            "version.",
            version=shorten(said),
        )
    return VERSION, given == VERSION


_TEXTS = ("name", "description")
MEMBERS: dict[str, dict[str, _Read]] = {
    "portrait": {"url": _url, "alt": _text, "tags": _tags, "custom": _custom},
    "sfx": {**dict.fromkeys(_TEXTS, _text), "tags": _tags, "custom": _custom},
    "trait": {
        **dict.fromkeys((*_TEXTS, "statement"), _text),
        "value": _size,
        "dice": _sizes,
        "questioned": _flag,
        "xp": _count,
        "counter": _count,
        "ratingPosition": _position,
        "tags": _tags,
        "custom": _custom,
    },
    "set": {
        **dict.fromkeys((*_TEXTS, "id", "nounSingular", "nounPlural", "counterLabel"), _text),
        **dict.fromkeys(("statement", "hasQuestionedPip", "hasCounterColumn"), _flag),
        "ratingPosition": _position,
        "tags": _tags,
        "custom": _custom,
    },
    "character": {
        **dict.fromkeys((*_TEXTS, "$schema", "game", "pronouns", "notes"), _text),
        "version": _version,
        "isTemplate": _flag,
        "id": _id,
        **dict.fromkeys(("dateCreated", "dateModified", "dateTouched"), _date),
        "plotPoints": _number,
        "sheet": _sheet,
        "tags": _tags,
        "custom": _custom,
    },
}
"""How each member of an object is read, but for objects in it."""
