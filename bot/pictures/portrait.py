"""Portraits: check, crop and shrink an uploaded picture.

The format is detected from the content, never from the name. The memory needed for decoding is computed
from the header first, so that no file, however crafted, takes more than `MOST_MEMORY`. Only the first
image is used, and no metadata is kept.
"""

import re
import struct
from collections.abc import Iterator
from io import BytesIO
from itertools import accumulate
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
MOST_PARTS = 10_000
"""A file has at most this many chunks, segments and bytes between them; pictures have a thousand."""
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
_SCAN = 0xDA
_FILL = re.compile(rb"[^\xff]*+\xff*+")
_STRIP = 500_000
"""About so many pixels are changed at a time."""


def portrait(data: bytes) -> bytes:
    """Return the portrait as a WebP of a few kilobytes.

    Raises Unreadable if it isn't a picture or is too large.
    """
    from PIL import Image, ImageOps  # no start has to wait for it

    _require_few_parts(data)
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
    at = max((place for place, _ in _jpeg_markers(data)), default=0)
    return data[at + 3] if data[at : at + 1] == bytes([_SCAN]) and at + 3 < len(data) else 0


def _require_few_parts(data: bytes) -> None:
    """Refuse a file of many parts, since Pillow reads one after the other in Python. Raises Unreadable."""
    parts: Iterator[int]
    if data.startswith(b"\xff\xd8"):
        parts = (skipped for _, skipped in _jpeg_markers(data))
    else:
        parts = _png_parts(data) if data.startswith(b"\x89PNG") else _gif_parts(data)
    if any(count > MOST_PARTS for count in accumulate(parts)):
        raise Unreadable(
            "That picture has more than {most:,} parts. Save it again in another program.", most=MOST_PARTS
        )


def _jpeg_markers(data: bytes) -> Iterator[tuple[int, int]]:
    """Where each marker of a JPEG stands up to its first scan, and how many bytes were skipped before it."""
    from PIL.JpegImagePlugin import MARKER

    at, marker = 2, 0  # behind what each JPEG begins with
    while marker != _SCAN and at < len(data):
        before, at = at, _FILL.match(data, at).end()  # type: ignore[union-attr]
        yield at, at - before
        marker, at = (*data[at : at + 1], 0)[0], at + 1
        if MARKER.get(0xFF00 | marker, (0, 0, None))[2] is not None:  # others have nothing behind them
            at += int.from_bytes(data[at : at + 2], "big")


def _png_parts(data: bytes) -> Iterator[int]:
    at = 8
    while at < len(data):
        yield 1
        at += 12 + int.from_bytes(data[at : at + 4], "big")


def _gif_parts(data: bytes) -> Iterator[int]:
    """One for each block of a GIF before its first image, and for each byte that is in none."""
    if not data.startswith(b"GIF") or len(data) < 13:
        return
    at = 13 + (3 * (2 << (data[10] & 7)) if data[10] & 0x80 else 0)
    while at < len(data) and data[at] != 0x2C:
        at += 2 if data[at] == 0x21 else 0
        while at < len(data) and data[at]:
            yield 1
            at += 1 + data[at]
        yield 1
        at += 1


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
