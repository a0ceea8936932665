"""Discord components as plain mappings, ready to be sent.

discord.py builds an object for each button with what it takes to listen to it, and then a mapping of it. The
bot listens to no view: presses come to the client by their ids, after restarts too.
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
    """A view of components that are ready to be sent. It is over before it begins: nothing listens to it."""

    def __init__(self, components: Sequence[Component]) -> None:
        if sum(map(_count, components)) > MOST:
            raise ValueError(f"a message holds {MOST} components")
        super().__init__(timeout=None)
        self._ready = list(components)

    def to_components(self) -> list[Component]:
        """The components as they are sent."""
        return self._ready

    def has_components_v2(self) -> bool:
        """They always are of the second version."""
        return True

    def is_finished(self) -> bool:
        """It is over, so the library does not keep it."""
        return True

    def is_dispatchable(self) -> bool:
        """Nothing in it is to be told of a press."""
        return False


def _count(component: Component) -> int:
    inner = component.get("components", ())
    return 1 + sum(map(_count, inner)) + ("accessory" in component)


def text(content: str) -> Component:
    """Text."""
    return {"type": _TEXT, "content": content}


def separator() -> Component:
    """A line between two texts."""
    return {"type": _SEPARATOR, "divider": True, "spacing": 1}


def beside(content: str, address: str, alt: str) -> Component:
    """Text with a small picture beside it."""
    picture = {"type": _THUMBNAIL, "spoiler": False, "media": {"url": address}, "description": alt}
    return {"type": _SECTION, "components": [text(content)], "accessory": picture}


def gallery(items: Sequence[discord.MediaGalleryItem]) -> Component:
    """Pictures."""
    return {"type": _GALLERY, "items": [item.to_dict() for item in items]}


def file(name: str) -> Component:
    """A file that is sent with the message."""
    return {"type": _FILE, "spoiler": False, "file": {"url": f"attachment://{name}"}}


def action_row(components: Sequence[Component]) -> Component:
    """Buttons side by side, or a menu."""
    return {"type": _ROW, "components": list(components)}


def box(components: Sequence[Component], accent: int | None) -> Component:
    """Components with an edge, of a colour if one is given."""
    return {"type": _CONTAINER, "accent_color": accent, "spoiler": False, "components": list(components)}


def button(label: str, style: int, custom_id: str) -> Component:
    """A button with an id."""
    return _with_label({"type": _BUTTON, "style": style, "disabled": False}, label, {"custom_id": custom_id})


def link(label: str, address: str) -> Component:
    """A button that opens an address."""
    return _with_label({"type": _BUTTON, "style": _LINK, "disabled": False}, label, {"url": address})


def _with_label(made: Component, label: str, more: Component) -> Component:
    return {**made, **({"label": label} if label else {}), **more}


def select(custom_id: str, label: str, least: int, most: int, options: Sequence[Component]) -> Component:
    """A menu in which so many options are chosen."""
    made = {"type": _SELECT, "custom_id": custom_id, "min_values": least, "max_values": most}
    more = {"disabled": False, "required": True, "placeholder": label, "options": list(options)}
    return {**made, **{name: value for name, value in more.items() if value or name == "disabled"}}


def option(label: str, value: str, hint: str, *, is_chosen: bool) -> Component:
    """An option of a menu."""
    made: Component = {"label": label, "value": value, "default": is_chosen}
    return {**made, "description": hint} if hint else made
