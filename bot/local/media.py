"""Pictures and files in components: what `attachment://name` means, and what Discord makes of it."""

from collections.abc import Collection, Iterable, Iterator
from mimetypes import guess_type

from bot.local.errors import invalid_form
from bot.local.message import File, Json, walk

ATTACHED = "attachment://"
GALLERY, THUMBNAIL, FILE = 12, 11, 13
PNG = b"\x89PNG\r\n\x1a\n"


def shown(components: Iterable[Json]) -> Iterator[Json]:
    """Everything in components that shows a picture or a file, with the words for it if it has any."""
    for component in walk(components):
        if component["type"] == GALLERY:
            yield from component.get("items") or ()
        elif component["type"] in (THUMBNAIL, FILE):
            yield component


def medium(part: Json) -> Json:
    """What such a part shows: its address, and what is known of it."""
    found: Json = part.get("media") or part.get("file") or {}
    return found


def check_media(
    components: Iterable[Json], attached: set[str], prefix: str = "", files: Collection[str] = ()
) -> None:
    """Refuse components that show a file which the message does not have; `files` are found by no picture.

    Raises:
        ApiError: 50035.
    """
    for part in shown(components):
        url = str(medium(part).get("url") or "")
        known = {*attached, *files} if part.get("type") == FILE else attached
        if url.startswith(ATTACHED) and url.removeprefix(ATTACHED) not in known:
            raise invalid_form([(f"{prefix}components", "The referenced attachment was not found.")])


def resolve(components: Iterable[Json], files: Iterable[File]) -> None:
    """Put the addresses of files where components name them."""
    named = {name: file for file in files for name in (f"{ATTACHED}{file.name}", file.url)}
    for part in shown(components):
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
    """The files that no component shows: those alone are listed as attachments."""
    seen = {medium(part).get("attachment_id") for part in shown(components)}
    return [file for file in files if str(file.id) not in seen]


def kind(file: File) -> str:
    """What kind of file it is, by its name."""
    return guess_type(file.name)[0] or "application/octet-stream"
