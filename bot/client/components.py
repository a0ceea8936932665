"""Discord components as plain dictionaries, ready to send.

discord.py would create an object for each button, with everything needed to listen to it, and then convert it
to a dictionary. The bot listens to no view: presses reach the client by their ids, even after restarts.
"""

from collections.abc import Sequence
from typing import Any

import discord
from discord import ui

Component = dict[str, Any]
"""A component as Discord's documentation has it; its `type` is a number of the library's `ComponentType`."""
MOST = 40
"""A message holds so many components, those inside others too."""
_ROW, _BUTTON, _SELECT, _SECTION, _TEXT, _THUMBNAIL, _GALLERY, _FILE, _SEPARATOR, _CONTAINER = (
    kind.value
    for kind in (
        discord.ComponentType.action_row,
        discord.ComponentType.button,
        discord.ComponentType.select,
        discord.ComponentType.section,
        discord.ComponentType.text_display,
        discord.ComponentType.thumbnail,
        discord.ComponentType.media_gallery,
        discord.ComponentType.file,
        discord.ComponentType.separator,
        discord.ComponentType.container,
    )
)
_LINK = discord.ButtonStyle.link.value


class ReadyView(ui.LayoutView):
    """A view of components that are ready to send. It is finished from the start: nothing listens to it."""

    def __init__(self, components: Sequence[Component]) -> None:
        if sum(map(_count, components)) > MOST:
            raise ValueError(f"a message holds {MOST} components")
        super().__init__(timeout=None)
        self._ready = list(components)

    def to_components(self) -> list[Component]:
        """Return the components as sent."""
        return self._ready

    def has_components_v2(self) -> bool:
        """Return True: all messages use components of version 2."""
        return True

    def is_finished(self) -> bool:
        """Return True, so that the library does not keep the view."""
        return True

    def is_dispatchable(self) -> bool:
        """Return False: the view handles no presses."""
        return False


def _count(component: Component) -> int:
    inner = component.get("components", ())
    return 1 + sum(map(_count, inner)) + ("accessory" in component)


def text(content: str) -> Component:
    """Return a text component."""
    return {"type": _TEXT, "content": content}


def separator() -> Component:
    """Return a line between two texts."""
    return {"type": _SEPARATOR, "divider": True, "spacing": 1}


def beside(content: str, address: str, alt: str) -> Component:
    """Return a text with a small picture beside it."""
    picture = {"type": _THUMBNAIL, "spoiler": False, "media": {"url": address}, "description": alt}
    return {"type": _SECTION, "components": [text(content)], "accessory": picture}


def gallery(items: Sequence[discord.MediaGalleryItem]) -> Component:
    """Return a gallery of pictures."""
    return {"type": _GALLERY, "items": [item.to_dict() for item in items]}


def file(name: str) -> Component:
    """Return a file that is sent with the message."""
    return {"type": _FILE, "spoiler": False, "file": {"url": f"attachment://{name}"}}


def action_row(components: Sequence[Component]) -> Component:
    """Return a row of buttons, or with a menu."""
    return {"type": _ROW, "components": list(components)}


def box(components: Sequence[Component], accent: int | None, number: int = 0) -> Component:
    """Return a container of components, with an accent colour and a number as its id if given."""
    made = {"type": _CONTAINER, "accent_color": accent, "spoiler": False, "components": list(components)}
    return {**made, "id": number} if number else made


def button(label: str, style: int, custom_id: str) -> Component:
    """Return a button with an id."""
    return _with_label({"type": _BUTTON, "style": style, "disabled": False}, label, {"custom_id": custom_id})


def link(label: str, address: str) -> Component:
    """Return a button that opens a URL."""
    return _with_label({"type": _BUTTON, "style": _LINK, "disabled": False}, label, {"url": address})


def _with_label(made: Component, label: str, more: Component) -> Component:
    return {**made, **({"label": label} if label else {}), **more}


def select(custom_id: str, label: str, least: int, most: int, options: Sequence[Component]) -> Component:
    """Return a menu from which `least` to `most` options are chosen."""
    made = {"type": _SELECT, "custom_id": custom_id, "min_values": least, "max_values": most}
    more = {"disabled": False, "required": True, "placeholder": label, "options": list(options)}
    return {**made, **{name: value for name, value in more.items() if value or name == "disabled"}}


def option(label: str, value: str, hint: str, *, is_chosen: bool) -> Component:
    """Return an option of a menu."""
    made: Component = {"label": label, "value": value, "default": is_chosen}
    return {**made, "description": hint} if hint else made
