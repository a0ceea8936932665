"""Discord's limits on messages and forms, checked whether or not its schema is at hand."""

from collections.abc import Iterator, Mapping

from bot.local.errors import ApiError, invalid_form
from bot.local.message import COMPONENTS_V2, Json, walk

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
    """Refuse a message that Discord would not take in this final shape.

    Raises:
        ApiError: 50035 with every fault found, or 50006 if there is nothing in it.
    """
    faults = list(message_faults(content, embeds, components, flags))
    if files > 10:
        faults.append(("attachments", "Must be 10 or fewer in length."))
    if faults:
        raise invalid_form((prefix + path, sentence) for path, sentence in faults)
    if not (content or embeds or components or files):
        raise ApiError(400, 50006, "Cannot send an empty message")


def message_faults(content: str, embeds: list[Json], components: list[Json], flags: int) -> Iterator[Fault]:
    """Everything that is wrong with a message, as path and sentence."""
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
    """Custom ids that occur more than once."""
    seen: set[str] = set()
    for component in everything:
        name = component.get("custom_id")
        if name in seen:
            yield f"{path}.custom_id", "Component custom id cannot be duplicated"
        if name is not None:
            seen.add(name)


def part_faults(path: str, part: Json) -> Iterator[Fault]:
    """What is wrong with one component of a message."""
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
    """A gallery holds one to ten pictures, each with an address, and words for it if any."""
    if not 1 <= len(items) <= 10:
        yield path, "Must be between 1 and 10 in length."
    for place, item in enumerate(items):
        yield from length(f"{path}.{place}.media.url", (item.get("media") or {}).get("url"), 1, 2048)
        if item.get("description") is not None:
            yield from length(f"{path}.{place}.description", item["description"], 1, 1024)


def row_faults(path: str, inner: list[Json]) -> Iterator[Fault]:
    """A row holds one to five buttons, or one menu."""
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
    """A button has a label or an emoji, and a custom id or a link."""
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
    """A menu has 1 to 25 different options with short words."""
    yield from length(f"{path}.custom_id", select.get("custom_id"), 1, 100)
    yield from length(f"{path}.placeholder", select.get("placeholder") or "", 0, 150)
    if select.get("type") == 3:
        yield from option_faults(path, select, 1, 25)


def option_faults(path: str, chooser: Json, least: int, most: int) -> Iterator[Fault]:
    """The options of a menu, radio group or check boxes."""
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
    """A text that is missing, too short or too long."""
    if text is None:
        if least:
            yield path, "This field is required"
    elif not isinstance(text, str) or not least <= len(text) <= most:
        yield path, f"Must be between {least} and {most} in length."


def check_form(form: Mapping[str, object]) -> None:
    """Refuse a form (modal) that Discord would not open.

    Raises:
        ApiError: 50035 with every fault found.
    """
    faults = list(form_faults(form))
    if faults:
        raise invalid_form((f"data.{path}", sentence) for path, sentence in faults)


def form_faults(form: Mapping[str, object]) -> Iterator[Fault]:
    """Everything that is wrong with a form."""
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
    """What is wrong with one field of a form."""
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
