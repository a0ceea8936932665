"""States as small blobs: a campaign's differ little from one to the next.

So a state is packed against an earlier one, its keyframe: a line of its text that the keyframe has too is
only referred to.
"""

import zlib
from functools import lru_cache

_BY_LINE = b"\x01"
"""Begins a blob that refers to lines of its keyframe; zlib's own begin otherwise."""
_BLOCK = 8 * 1024
_LIKE = 4 * 1024
"""So much of a keyframe is looked at for what is like in new lines; more takes longer than it saves."""
_WINDOW = 24 * 1024  # with a block, what zlib can look back on: 32 KiB


def pack(text: bytes, key: bytes | None = None) -> bytes:
    """The text compressed, against the text of its keyframe if it is not one itself.

    A line that the keyframe has too is left out: `=2,40` stands for 40 of its lines from its second on. The
    others are like its first line more often than not.
    """
    if key is None:
        return zlib.compress(text)
    places, sign = _places(key)
    packed: list[bytes] = []
    first = last = -1
    # The last one is none, and ends what is being referred to.
    for line in (*text.split(b"\n"), None):
        place = -1 if line is None else places.get(line, -1)
        if first >= 0 and place != last + 1:
            packed.append(b"=%d,%d" % (first, last + 1 - first))
            first = -1
        if place < 0 and line is not None:
            packed.append(line)
        elif first < 0:
            first = place
        last = place
    packer = zlib.compressobj(zdict=key[:_LIKE])
    return _BY_LINE + sign + packer.compress(b"\n".join(packed)) + packer.flush()


def is_against(blob: object) -> bool:
    """Whether a blob is packed against a keyframe."""
    return isinstance(blob, bytes) and blob.startswith(_BY_LINE)


def unpack(blob: bytes, key: bytes | None = None) -> bytes:
    """The text that was packed. Raises zlib.error or ValueError if the blob or the keyframe is another."""
    if key is None:
        return zlib.decompress(blob)
    if not blob.startswith(_BY_LINE):
        return _unpacked_by_block(blob, key)
    start = len(_BY_LINE) + len(_sign(key))
    if blob[len(_BY_LINE) : start] != _sign(key):
        raise ValueError("That state is packed against another keyframe.")
    lines, found = key.split(b"\n"), list[bytes]()
    for line in zlib.decompressobj(zdict=key[:_LIKE]).decompress(blob[start:]).split(b"\n"):
        # No line of a text begins so: the first is JSON, the others have their section's letter.
        if line.startswith(b"="):
            first, _, count = line[1:].partition(b",")
            found += lines[int(first) : int(first) + int(count)]
        else:
            found.append(line)
    return b"\n".join(found)


@lru_cache(maxsize=32)
def _places(key: bytes) -> tuple[dict[bytes, int], bytes]:
    """Where each line of a keyframe stands, and its sign: remembered while steps are packed against it."""
    return {line: place for place, line in enumerate(key.split(b"\n"))}, _sign(key)


def _sign(key: bytes) -> bytes:
    """What tells a keyframe from others, in four bytes."""
    return zlib.crc32(key).to_bytes(4, "big")


def _unpacked_by_block(blob: bytes, key: bytes) -> bytes:
    """The text of a blob from before lines: block by block, each packed against the keyframe around it."""
    blocks: list[bytes] = []
    while blob:
        unpacker = zlib.decompressobj(zdict=_around(key, len(blocks) * _BLOCK))
        blocks.append(unpacker.decompress(blob))
        blob = unpacker.unused_data
    return b"".join(blocks)


def _around(key: bytes, start: int) -> bytes:
    return key[max(0, start - _BLOCK) : start - _BLOCK + _WINDOW] if start else key[:_WINDOW]
