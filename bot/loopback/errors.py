"""API errors, and the checks of Discord's limits on messages, forms and commands."""

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from mimetypes import guess_type
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from bot.loopback.model import COMPONENTS_V2, File, Json, walk

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError


class ApiError(Exception):
    """A request of the bot that Discord answers with an error.

    >>> ApiError(404, 10008, "Unknown Message").body()
    {'code': 10008, 'message': 'Unknown Message'}
    """

    def __init__(
        self,
        status: int,
        code: int,
        message: str,
        faults: Iterable[tuple[str, str]] = (),
        retry_after: float = 0.0,
    ) -> None:
        super().__init__(f"{code} {message}")
        self.status = status
        self.retry_after = retry_after
        self.code = code
        self.message = message
        self.faults = tuple(faults)

    def __str__(self) -> str:
        details = "; ".join(f"{path}: {sentence}" for path, sentence in self.faults)
        return f"{self.code} {self.message}" + (f" ({details})" if details else "")

    def body(self) -> dict[str, Any]:
        """Return the JSON that Discord sends for this error, with each fault under its path."""
        body: dict[str, Any] = {"code": self.code, "message": self.message}
        for path, sentence in self.faults:
            place = body.setdefault("errors", {})
            for key in path.split("."):
                place = place.setdefault(key, {})
            place.setdefault("_errors", []).append({"code": "BASE_TYPE_INVALID", "message": sentence})
        return body


def invalid_form(faults: Iterable[tuple[str, str]]) -> ApiError:
    """Return the error for an invalid request body (code 50035)."""
    return ApiError(400, 50035, "Invalid Form Body", faults)


def unknown(what: str, code: int) -> ApiError:
    """Return the error for something that does not exist (one of the 10xxx codes)."""
    return ApiError(404, code, f"Unknown {what}")


class InputRefused(Exception):
    """A Discord client would not let a person do this; nothing was sent to the bot."""


class UnknownCommand(InputRefused):
    """There is no such command, option, button or message."""


class Validator(Protocol):
    """The part of a JSON Schema validator that is used here."""

    def is_valid(self, instance: Any) -> bool:
        """Return whether the instance matches the schema."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A request body of the bot that does not match Discord's OpenAPI description."""

    operation: str
    sentence: str
    body: Any = field(repr=False)


class Schemas:
    """The request body schemas of Discord's OpenAPI description, each compiled when first needed."""

    def __init__(self, path: Path) -> None:
        document = json.loads(path.read_text(encoding="utf-8"))
        self.components = document["components"]
        # Discord takes ids as numbers too, which its description does not say.
        self.components["schemas"]["SnowflakeType"] = {"type": ["string", "integer"]}
        # An application's description is text, as the documentation has it.
        if form := self.components["schemas"].get("ApplicationFormPartial"):
            form["properties"]["description"] = {"type": ["string", "null"], "maxLength": 400}
        self.bodies: dict[str, Any] = {}
        for operations in document["paths"].values():
            for operation in operations.values():
                if not isinstance(operation, dict) or "requestBody" not in operation:
                    continue
                body = operation["requestBody"]["content"].get("application/json")
                if body:
                    self.bodies[operation["operationId"]] = body["schema"]
        self.compiled: dict[str, Validator] = {}

    def check(self, operation: str, body: Any) -> Violation | None:
        """Return how the body violates the schema of the operation, or None if it matches.

        A fast validator checks every body; a slower one explains the few that do not match.
        """
        if operation not in self.compiled:
            if operation not in self.bodies:
                return None
            self.compiled[operation] = self._compile(operation)
        if self.compiled[operation].is_valid(body):
            return None
        error = closest(self._explain(operation, body))
        if error is None:
            return Violation(operation, "does not fit", body)
        place = "/".join(str(step) for step in error.absolute_path)
        return Violation(operation, f"{place}: {error.message[:300]}", body)

    def _compile(self, operation: str) -> Validator:
        from jsonschema_rs import Draft202012Validator

        return Draft202012Validator(self._described(operation))

    def _explain(self, operation: str, body: Any) -> "Iterable[ValidationError]":
        from jsonschema import Draft202012Validator

        return Draft202012Validator(self._described(operation)).iter_errors(body)

    def _described(self, operation: str) -> dict[str, Any]:
        return {"components": self.components, **self.bodies[operation]}


@lru_cache(maxsize=4)
def described(path: Path) -> Schemas:
    """Return the schemas of an OpenAPI file, which is read only once."""
    return Schemas(path)


def closest(errors: "Iterable[ValidationError]") -> "ValidationError | None":
    """Return the first error; inside a union, the error of the branch that was meant."""
    error = next(iter(errors), None)
    while error is not None and error.context:
        branches: dict[Any, list[ValidationError]] = {}
        for inner in error.context:
            branches.setdefault(inner.schema_path[0], []).append(inner)
        meant = min(branches.values(), key=lambda branch: (any(map(is_about_kind, branch)), len(branch)))
        error = meant[0]
    return error


def is_about_kind(error: "ValidationError") -> bool:
    """Return whether a union branch failed because it describes another kind: another `type`, or null."""
    return list(error.path) == ["type"] or (error.validator == "type" and not error.path)


# Codes and shape of the errors are Discord's, so that a client takes them as it would there. Not checked is
# what this bot does not send: polls, stickers, voice.
CONTENT, TEXT_IN_ALL, COMPONENTS, ROWS = 2000, 4000, 40, 5
MESSAGE_PARTS = frozenset({1, 9, 10, 12, 13, 14, 17})
IN_CONTAINER = frozenset({1, 9, 10, 12, 13, 14})
IN_LABEL = frozenset({3, 4, 5, 6, 7, 8, 19, 21, 22, 23})
SELECTS = frozenset({3, 5, 6, 7, 8})
LINK = 5

Fault = tuple[str, str]


def check_message(
    *, content: str, embeds: list[Json], components: list[Json], flags: int, files: int, prefix: str = ""
) -> None:
    """Refuse a message that Discord would not accept in this final form.

    Raises ApiError 50035 with every fault if the message is invalid; 50006 if it is empty.
    """
    faults = list(message_faults(content, embeds, components, flags))
    if files > 10:
        faults.append(("attachments", "Must be 10 or fewer in length."))
    if faults:
        raise invalid_form((prefix + path, sentence) for path, sentence in faults)
    if not (content or embeds or components or files):
        raise ApiError(400, 50006, "Cannot send an empty message")


def message_faults(content: str, embeds: list[Json], components: list[Json], flags: int) -> Iterator[Fault]:
    """Yield every fault of a message, as path and sentence."""
    if len(content) > CONTENT:
        yield "content", "Must be 2000 or fewer in length."
    if len(embeds) > 10:
        yield "embeds", "Must be 10 or fewer in length."
    everything = list(walk(components))
    if flags & COMPONENTS_V2:
        if content:
            yield "content", "The 'content' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
        if embeds:
            yield "embeds", "The 'embeds' field cannot be used when using MessageFlags.IS_COMPONENTS_V2"
        if sum(len(c.get("content", "")) for c in everything if c.get("type") == 10) > TEXT_IN_ALL:
            yield "components", "The total text of a message must be 4000 or fewer in length."
    elif len(components) > ROWS:
        yield "components", "Must be between 1 and 5 in length."
    if len(everything) > COMPONENTS:
        yield "components", f"The total number of components cannot exceed {COMPONENTS}."
    allowed = MESSAGE_PARTS if flags & COMPONENTS_V2 else frozenset({1})
    for place, component in enumerate(components):
        path = f"components.{place}"
        if component.get("type") not in allowed:
            yield f"{path}.type", f"Value of field 'type' must be one of {sorted(allowed)}."
        else:
            yield from part_faults(path, component)
    yield from twice("components", everything)


def twice(path: str, everything: list[Json]) -> Iterator[Fault]:
    """Yield a fault for each custom id that occurs more than once."""
    seen: set[str] = set()
    for component in everything:
        name = component.get("custom_id")
        if name in seen:
            yield f"{path}.custom_id", "Component custom id cannot be duplicated"
        if name is not None:
            seen.add(name)


def part_faults(path: str, part: Json) -> Iterator[Fault]:
    """Yield the faults of one message component."""
    kind = part.get("type")
    inner = part.get("components") or []
    if kind == 1:
        yield from row_faults(path, inner)
    elif kind == 9:  # a section
        if not 1 <= len(inner) <= 3 or any(c.get("type") != 10 for c in inner):
            yield f"{path}.components", "Must be between 1 and 3 text displays."
        if (part.get("accessory") or {}).get("type") not in (2, 11):
            yield f"{path}.accessory", "This field is required and must be a button or a thumbnail."
        elif part["accessory"]["type"] == 2:
            yield from button_faults(f"{path}.accessory", part["accessory"])
    elif kind == 10:  # text
        yield from length(f"{path}.content", part.get("content"), 1, TEXT_IN_ALL)
    elif kind == 12:  # a gallery
        yield from gallery_faults(f"{path}.items", part.get("items") or [])
    elif kind == 13 and not str((part.get("file") or {}).get("url")).startswith("attachment://"):  # a file
        yield f"{path}.file.url", "Only attachment references are supported."
    elif kind == 17:  # a container
        for place, child in enumerate(inner):
            if child.get("type") not in IN_CONTAINER:
                yield f"{path}.components.{place}.type", "This component cannot be in a container."
            else:
                yield from part_faults(f"{path}.components.{place}", child)
    if kind == 9:
        for place, child in enumerate(inner):
            yield from length(f"{path}.components.{place}.content", child.get("content"), 1, TEXT_IN_ALL)


def gallery_faults(path: str, items: list[Json]) -> Iterator[Fault]:
    """Yield the faults of a gallery: it needs 1 to 10 items, each with a URL and an optional description."""
    if not 1 <= len(items) <= 10:
        yield path, "Must be between 1 and 10 in length."
    for place, item in enumerate(items):
        yield from length(f"{path}.{place}.media.url", (item.get("media") or {}).get("url"), 1, 2048)
        if item.get("description") is not None:
            yield from length(f"{path}.{place}.description", item["description"], 1, 1024)


def row_faults(path: str, inner: list[Json]) -> Iterator[Fault]:
    """Yield the faults of an action row: it holds 1 to 5 buttons, or one menu."""
    menus = [c for c in inner if c.get("type") in SELECTS]
    if not inner or len(inner) > 5 or (menus and len(inner) > 1):
        yield f"{path}.components", "Must be between 1 and 5 in length (a select takes the whole row)."
    for place, child in enumerate(inner):
        here = f"{path}.components.{place}"
        if child.get("type") == 2:
            yield from button_faults(here, child)
        elif child.get("type") in SELECTS:
            yield from select_faults(here, child)
        else:
            yield f"{here}.type", "Value of field 'type' must be one of (2, 3, 5, 6, 7, 8)."


def button_faults(path: str, button: Json) -> Iterator[Fault]:
    """Yield the faults of a button: it needs a label or an emoji, and a custom id or a link."""
    if not (button.get("label") or button.get("emoji")):
        yield f"{path}.label", "A button must have a label or an emoji."
    yield from length(f"{path}.label", button.get("label") or "", 0, 80)
    if button.get("style") == LINK:
        yield from length(f"{path}.url", button.get("url"), 1, 512)
        if button.get("custom_id") is not None:
            yield f"{path}.custom_id", "A custom id and url cannot both be specified"
    else:
        yield from length(f"{path}.custom_id", button.get("custom_id"), 1, 100)


def select_faults(path: str, select: Json) -> Iterator[Fault]:
    """Yield the faults of a menu: it needs 1 to 25 distinct options with short texts."""
    yield from length(f"{path}.custom_id", select.get("custom_id"), 1, 100)
    yield from length(f"{path}.placeholder", select.get("placeholder") or "", 0, 150)
    if select.get("type") == 3:
        yield from option_faults(path, select, 1, 25)


def option_faults(path: str, chooser: Json, least: int, most: int) -> Iterator[Fault]:
    """Yield the faults in the options of a menu, radio group or checkbox group."""
    options = chooser.get("options") or []
    if not least <= len(options) <= most:
        yield f"{path}.options", f"Must be between {least} and {most} in length."
    if len({option.get("value") for option in options}) < len(options):
        yield f"{path}.options", "The specified option value is already used"
    if sum(bool(option.get("default")) for option in options) > (chooser.get("max_values") or 1):
        yield f"{path}.options", "More options are selected by default than may be chosen."
    for place, option in enumerate(options):
        here = f"{path}.options.{place}"
        yield from length(f"{here}.label", option.get("label"), 1, 100)
        yield from length(f"{here}.value", option.get("value"), 1, 100)
        yield from length(f"{here}.description", option.get("description") or "", 0, 100)


def length(path: str, text: object, least: int, most: int) -> Iterator[Fault]:
    """Yield a fault if a text is missing, too short or too long."""
    if text is None:
        if least:
            yield path, "This field is required"
    elif not isinstance(text, str) or not least <= len(text) <= most:
        yield path, f"Must be between {least} and {most} in length."


def check_form(form: Mapping[str, object]) -> None:
    """Refuse a form (modal) that Discord would not open.

    Raises ApiError 50035 with every fault if the form is invalid.
    """
    faults = list(form_faults(form))
    if faults:
        raise invalid_form((f"data.{path}", sentence) for path, sentence in faults)


def form_faults(form: Mapping[str, object]) -> Iterator[Fault]:
    """Yield every fault of a form."""
    yield from length("title", form.get("title"), 1, 45)
    yield from length("custom_id", form.get("custom_id"), 1, 100)
    parts = form.get("components")
    parts = parts if isinstance(parts, list) else []
    if not 1 <= len(parts) <= 5:
        yield "components", "Must be between 1 and 5 in length."
    for place, part in enumerate(parts):
        path = f"components.{place}"
        if part.get("type") == 18:  # a label with its field
            yield from length(f"{path}.label", part.get("label"), 1, 45)
            yield from length(f"{path}.description", part.get("description") or "", 0, 100)
            yield from field_faults(f"{path}.component", part.get("component") or {})
        elif part.get("type") == 1:
            for child in part.get("components") or []:
                yield from field_faults(f"{path}.components.0", child)
        elif part.get("type") != 10:
            yield f"{path}.type", "Value of field 'type' must be one of (1, 10, 18)."
    yield from twice("components", list(walk(parts)))


def field_faults(path: str, field: Json) -> Iterator[Fault]:
    """Yield the faults of one form field."""
    kind = field.get("type")
    if kind not in IN_LABEL:
        yield f"{path}.type", f"Value of field 'type' must be one of {sorted(IN_LABEL)}."
        return
    yield from length(f"{path}.custom_id", field.get("custom_id"), 1, 100)
    yield from length(f"{path}.placeholder", field.get("placeholder") or "", 0, 100 if kind == 4 else 150)
    if kind == 4:
        yield from length(f"{path}.value", field.get("value") or "", 0, 4000)
    elif kind == 3:
        yield from option_faults(path, field, 1, 25)
    elif kind in (21, 22):  # radio buttons, of which one alone is none, and boxes to tick
        yield from option_faults(path, field, 2 if kind == 21 else 1, 10)


# `\w` alone has no vowel signs of Devanagari and Thai, which Discord takes.
NAME = re.compile(r"^[-_'\w\u0900-\u097f\u0e00-\u0e7f]{1,32}$")
SLASH, BY_USER, ON_MESSAGE = 1, 2, 3
SIZE = 8000
MOST = {SLASH: 100, BY_USER: 15, ON_MESSAGE: 15}


def check_commands(commands: list[Json]) -> None:
    """Refuse commands that Discord would not register.

    Raises ApiError 50035 with every fault if a command is invalid; 30032 if there are too many.
    """
    faults: list[Fault] = []
    for place, command in enumerate(commands):
        faults += command_faults(str(place), command)
    names = [(command.get("type") or SLASH, command.get("name")) for command in commands]
    for place, name in enumerate(names):
        if name in names[:place]:
            faults.append((f"{place}.name", "Application command names must be unique"))
    if faults:
        raise invalid_form(faults)
    for kind, most in MOST.items():
        if sum(found == kind for found, _ in names) > most:
            raise ApiError(400, 30032, f"Maximum number of application commands reached ({most}).")


def command_faults(path: str, command: Json) -> Iterator[Fault]:
    """Yield the faults of one command."""
    if (command.get("type") or SLASH) == SLASH:
        yield from named_faults(path, command)
        yield from options_faults(path, command.get("options") or [], depth=0)
        if size(command) > SIZE:
            yield path, f"Command exceeds maximum size ({SIZE})"
    else:
        yield from length(f"{path}.name", command.get("name"), 1, 32)
        if command.get("description"):
            yield f"{path}.description", "Context menu commands cannot have description"


def named_faults(path: str, thing: Json) -> Iterator[Fault]:
    """Yield faults in a name (1 to 32 lower-case characters) and description (1 to 100 characters)."""
    name = thing.get("name")
    if not isinstance(name, str) or not NAME.match(name) or name != name.lower():
        yield f"{path}.name", f"Command name is invalid: {name}"
    yield from length(f"{path}.description", thing.get("description"), 1, 100)


def options_faults(path: str, options: list[Json], depth: int) -> Iterator[Fault]:
    """Yield the faults of options and subcommands: at most 25 per level, required ones first."""
    if len(options) > 25:
        yield f"{path}.options", "Must be 25 or fewer in length."
    seen: set[object] = set()
    optional = False
    for place, option in enumerate(options):
        here = f"{path}.options.{place}"
        yield from named_faults(here, option)
        if option.get("name") in seen:
            yield f"{here}.name", "Option names must be unique"
        seen.add(option.get("name"))
        if option.get("type") in (1, 2):
            if depth + (option["type"] == 2) > 1:
                yield f"{here}.type", "Commands nest at most two deep"
            yield from options_faults(here, option.get("options") or [], depth + 1)
            continue
        if option.get("required") and optional:
            yield f"{here}.required", "Required options must be placed before non-required options"
        optional = optional or not option.get("required")
        yield from choices_faults(here, option)


def choices_faults(path: str, option: Json) -> Iterator[Fault]:
    """Yield the faults of fixed choices: at most 25, and not together with autocomplete."""
    choices = option.get("choices") or []
    if choices and option.get("autocomplete"):
        yield f"{path}.autocomplete", "Autocomplete cannot be used together with choices"
    yield from suggestion_faults(f"{path}.choices", choices)


def suggestion_faults(path: str, choices: list[Json]) -> Iterator[Fault]:
    """Yield the faults of suggestions: at most 25, with short names and values."""
    if len(choices) > 25:
        yield path, "Must be 25 or fewer in length."
    for place, choice in enumerate(choices):
        yield from length(f"{path}.{place}.name", choice.get("name"), 1, 100)
        if isinstance(choice.get("value"), str):
            yield from length(f"{path}.{place}.value", choice["value"], 1, 100)


def check_suggestions(choices: list[Json]) -> None:
    """Refuse an autocomplete response that Discord would not accept.

    Raises ApiError 50035 with every fault if it is invalid.
    """
    faults = list(suggestion_faults("data.choices", choices))
    if faults:
        raise invalid_form(faults)


def size(command: Json) -> int:
    """Return the total length of a command's names, descriptions and choice values, nested ones included."""
    own = len(command.get("name") or "") + len(command.get("description") or "")
    own += sum(
        len(choice["name"]) + len(str(choice["value"])) for choice in command.get("choices") or () if choice
    )
    return own + sum(size(option) for option in command.get("options") or ())


ATTACHED = "attachment://"
GALLERY, THUMBNAIL, FILE = 12, 11, 13
PNG = b"\x89PNG\r\n\x1a\n"


def shown_media(components: Iterable[Json]) -> Iterator[Json]:
    """Yield every part of the components that shows an image or a file, with its description if any."""
    for component in walk(components):
        if component["type"] == GALLERY:
            yield from component.get("items") or ()
        elif component["type"] in (THUMBNAIL, FILE):
            yield component


def medium(part: Json) -> Json:
    """Return the media object of such a part: its URL and what is known about the file."""
    found: Json = part.get("media") or part.get("file") or {}
    return found


def check_media(
    components: Iterable[Json], attached: set[str], prefix: str = "", files: Collection[str] = ()
) -> None:
    """Refuse components that refer to a file the message does not have; only file components can use `files`.

    Raises ApiError 50035 if a file is missing.
    """
    for part in shown_media(components):
        url = str(medium(part).get("url") or "")
        known = {*attached, *files} if part.get("type") == FILE else attached
        if url.startswith(ATTACHED) and url.removeprefix(ATTACHED) not in known:
            raise invalid_form([(f"{prefix}components", "The referenced attachment was not found.")])


def resolve(components: Iterable[Json], files: Iterable[File]) -> None:
    """Fill in the URLs of files that components refer to by name."""
    named = {name: file for file in files for name in (f"{ATTACHED}{file.name}", file.url)}
    for part in shown_media(components):
        media = medium(part)
        file = named.get(media.get("url") or "")
        if file is not None:
            media |= {"url": file.url, "attachment_id": str(file.id), "content_type": kind(file)}
            if part.get("type") == FILE:
                part |= {"name": file.name, "size": len(file.data)}
            if file.data.startswith(PNG):
                # The first chunk of a PNG has its size there.
                wide, high = (int.from_bytes(file.data[at : at + 4]) for at in (16, 20))
                media |= {"width": wide, "height": high}
        media.setdefault("proxy_url", media.get("url"))
        part.setdefault("description", None)
        part.setdefault("spoiler", False)


def not_shown(components: Iterable[Json], files: Iterable[File]) -> list[File]:
    """Return the files that no component shows; only those are listed as attachments."""
    seen = {medium(part).get("attachment_id") for part in shown_media(components)}
    return [file for file in files if str(file.id) not in seen]


def kind(file: File) -> str:
    """Return the MIME type of a file, guessed from its name."""
    return guess_type(file.name)[0] or "application/octet-stream"
