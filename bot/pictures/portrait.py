"""Portraits: check, crop and shrink an uploaded picture.

The format is detected from the content, never from the name. The memory needed for decoding is computed
from the header first, so that no file, however crafted, takes more than `MOST_MEMORY`. Only the first
image is used, and no metadata is kept.
"""

import struct
from io import BytesIO
from typing import TYPE_CHECKING

from rules.errors import Unreadable
from rules.terms import later
from rules.text import OR, Row

if TYPE_CHECKING:
    from PIL import Image


LARGEST = 8 * 1024 * 1024
"""A file has at most this many bytes."""
MOST_PIXELS = {"JPEG": 25_000_000, "PNG": 8_000_000, "GIF": 8_000_000, "WEBP": 4_000_000}
"""A picture of each kind, by Pillow's names, has at most this many pixels."""
MOST_MEMORY = 76 * 1024 * 1024
"""So many bytes the file and what is unpacked of it may be together."""
SIDE = 256
"""The portrait's width and height."""
NAMES = Row(("PNG", "JPEG", "WebP", "GIF"), OR)
_LEAST = 16
_MOST_KEPT = 150_000
_SIZES = later(
    "That picture is too small or too large. Use at least {least} by {least} pixels and at most 4 "
    "million; portraits are shown at {side} by {side}."
)
_ORIENTATION = 0x0112
_WEBP = 16
"""So many bytes a pixel does a WebP take, which is unpacked twice, beside two copies of the file."""
_STRIP = 500_000
"""About so many pixels are changed at a time."""


def portrait(data: bytes) -> bytes:
    """Return the portrait as a WebP of a few kilobytes.

    Raises Unreadable if it isn't a picture or is too large.
    """
    from PIL import Image, ImageOps  # no start has to wait for it

    # Pillow's for a damaged PNG is a SyntaxError
    broken = (OSError, ValueError, SyntaxError, EOFError, struct.error)
    try:
        with Image.open(BytesIO(data), formats=tuple(MOST_PIXELS)) as found:
            _require_room(found, data)
            # Small first, then upright and in other colours: each of these makes a copy.
            small = _small(found)
        upright = ImageOps.exif_transpose(small)
        mode = "RGBA" if upright.has_transparency_data else "RGB"
        # Of an upright picture rather the upper part, where faces are
        square = ImageOps.fit(upright.convert(mode), (SIDE, SIDE), centering=(0.5, 0.35))
    except Image.DecompressionBombError as error:
        raise _wrong_size() from error
    except broken as error:
        raise Unreadable("The bot can't read that picture. Use {names}.", names=NAMES) from error
    file = BytesIO()
    # From its pixels alone, or what else was in the file would be written along.
    Image.frombytes(mode, square.size, square.tobytes()).save(file, "WEBP", quality=80, method=4)
    return file.getvalue()


def _wrong_size() -> Unreadable:
    return Unreadable(_SIZES, least=_LEAST, side=SIDE)


def _require_room(found: "Image.Image", data: bytes) -> None:
    """Refuse a picture for which more memory would be needed than there is. Raises Unreadable."""
    wide, high = found.size
    if wide * high > MOST_PIXELS[str(found.format)] or min(wide, high) < _LEAST:
        raise _wrong_size()
    if found.format == "WEBP" and 2 * len(data) + _WEBP * wide * high > MOST_MEMORY:
        raise _wrong_size()
    if found.format == "JPEG":  # it alone can be unpacked at a half, a quarter or an eighth
        held = len(data) + _held_whole(found, data)
        times = min(8, 1 << (_times(found.size).bit_length() - 1))
        # Pillow keeps three colours in four bytes.
        while times < 8 and held + 4 * (wide // times) * (high // times) > MOST_MEMORY:
            times *= 2
        found.draft("RGB", (wide // times, high // times))
        wide, high = found.size
        if held + 4 * wide * high > MOST_MEMORY:
            raise _wrong_size()


def _times(size: tuple[int, int]) -> int:
    """How many times as large as it need be a picture is; a long one is made smaller than that."""
    return max(1, min(size) // (2 * SIDE), max(size) // (16 * SIDE))


def _held_whole(found: "Image.Image", data: bytes) -> int:
    """How many bytes of a JPEG are held at once, which comes in several scans: all its coefficients."""
    layers: list[tuple[int, int, int, int]] = getattr(found, "layer", [])
    if not found.info.get("progressive") and _first_scan(data) == len(layers):
        return 0
    shares = [across * down for _, across, down, _ in layers]
    wide, high = found.size
    return 2 * wide * high * sum(shares) // max(shares)  # two bytes each


def _first_scan(data: bytes) -> int:
    """How many of its layers the first scan of a JPEG has; 0 where there is none."""
    at = 2  # behind what each JPEG begins with
    while at + 5 <= len(data):
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if marker == 0xDA:  # a scan begins
            return data[at + 4]
        at += 1 if marker == 0xFF else 2 + length  # 0xFF once more only fills
    return 0


def _small(found: "Image.Image") -> "Image.Image":
    """The picture a few times as large as it is shown, strip by strip: each change copies a strip alone.

    What has no colours that can be mixed (palettes, 16 bits) gets them before.
    """
    from PIL import Image

    turn, times = found.getexif().get(_ORIENTATION, 1), _times(found.size)
    is_deep, is_clear = found.mode.startswith("I"), found.has_transparency_data
    mode = "RGBA" if is_clear else "L" if is_deep else "RGB"
    wide, high = found.size
    small = Image.new(mode, (-(-wide // times), -(-high // times)))
    rows = times * max(1, _STRIP // (wide * times))
    for top in range(0, high, rows):
        strip = found.crop((0, top, wide, min(top + rows, high)))
        mixed = _eight_bits(strip) if is_deep else strip
        small.paste(mixed.convert(mode).reduce(times), (0, top // times))
    small.getexif()[_ORIENTATION] = turn  # by this it is turned upright
    return small


def _eight_bits(strip: "Image.Image") -> "Image.Image":
    """Shades of 16 bits as such of eight."""
    return strip.convert("I").point(lambda shade: shade / 256).convert("L")


def require_portrait(data: bytes, where: str) -> None:
    """Check that data is a portrait as made here. Raises Unreadable, naming the place, if it isn't."""
    from PIL import Image

    try:
        with Image.open(BytesIO(data), formats=("WEBP",)) as found:
            is_one = found.size == (SIDE, SIDE) and not getattr(found, "is_animated", False)
            is_bare = "exif" not in found.info and "xmp" not in found.info
            is_sound = is_one and is_bare and len(data) <= _MOST_KEPT
            if is_sound:  # nothing larger is ever unpacked
                found.load()
    except (OSError, ValueError) as error:
        raise Unreadable("{where}: it isn't a portrait.", where=where) from error
    if not is_sound:
        raise Unreadable("{where}: it isn't a portrait.", where=where)
