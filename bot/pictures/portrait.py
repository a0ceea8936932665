"""A portrait out of whatever picture somebody uploads: small, square, without what else is in the file.

What comes from outside is told by its content, never by its name; it is measured before it is unpacked, so
that a small file cannot become a huge picture; only its first image counts, and nothing beside it is kept.
"""

import struct
from io import BytesIO

from rules.errors import Unreadable

LARGEST = 8_000_000
"""A file has at most this many bytes."""
MOST_PIXELS = 40_000_000
"""A picture has at most this many pixels."""
SIDE = 256
"""The portrait's width and height."""
KINDS = ("PNG", "JPEG", "WEBP", "GIF")
"""What is read; Pillow's names."""
NAMES = "PNG, JPEG, WebP or GIF"
_LEAST = 16
_MOST_KEPT = 150_000
_SIZES = (
    f"That picture is too small or too large. It may be from {_LEAST} by {_LEAST} to "
    f"{MOST_PIXELS // 1_000_000} million pixels."
)


def portrait(data: bytes) -> bytes:
    """The portrait as a WebP of some kilobytes. Raises Unreadable for what is no picture or too large."""
    from PIL import Image, ImageOps  # no start has to wait for it

    broken = (OSError, ValueError, SyntaxError, EOFError, struct.error)
    try:
        with Image.open(BytesIO(data), formats=KINDS) as found:
            wide, high = found.size
            if wide * high > MOST_PIXELS or min(wide, high) < _LEAST:
                raise Unreadable(_SIZES)
            found.draft("RGB", (2 * SIDE, 2 * SIDE))
            upright = ImageOps.exif_transpose(found)
            mode = "RGBA" if upright.has_transparency_data else "RGB"
            square = ImageOps.fit(upright.convert(mode), (SIDE, SIDE), centering=(0.5, 0.35))
    except Image.DecompressionBombError as error:
        raise Unreadable(_SIZES) from error
    except broken as error:
        raise Unreadable("That is no picture that can be read. It may be {names}.", names=NAMES) from error
    file = BytesIO()
    Image.frombytes(mode, square.size, square.tobytes()).save(file, "WEBP", quality=80, method=4)
    return file.getvalue()


def require_portrait(data: bytes, where: str) -> None:
    """Refuse what is none of the portraits that are made here. Raises Unreadable with the place."""
    from PIL import Image

    try:
        with Image.open(BytesIO(data), formats=("WEBP",)) as found:
            is_one = found.size == (SIDE, SIDE) and not getattr(found, "is_animated", False)
            is_bare = "exif" not in found.info and "xmp" not in found.info
            found.load()
    except (OSError, ValueError) as error:
        raise Unreadable("{where}: it is no portrait.", where=where) from error
    if not (is_one and is_bare and len(data) <= _MOST_KEPT):
        raise Unreadable("{where}: it is no portrait.", where=where)
