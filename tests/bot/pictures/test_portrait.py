"""Portraits out of whatever is uploaded: small, square, still, with nothing else of the file in them."""

import struct
import zlib
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from PIL import Image, ImageOps

from bot.pictures.portrait import LARGEST, SIDE, portrait, require_portrait
from rules.errors import Unreadable
from tests.patience import PATIENCE

ORIENTATION, ARTIST = 0x0112, 0x013B
RED, BLUE = (200, 30, 30), (30, 30, 200)


def picture(kind: str = "PNG", size: tuple[int, int] = (400, 300), colour: Any = RED, **more: Any) -> bytes:
    file = BytesIO()
    Image.new("RGB", size, colour).save(file, kind, **more)
    return file.getvalue()


def opened(data: bytes) -> Image.Image:
    return Image.open(BytesIO(portrait(data)))


def png_of(wide: int, high: int) -> bytes:
    """A PNG of few bytes that says that it is of that size."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", wide, high, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(b"\0" * 1000))
        + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF"])
def test_it_is_a_small_square_whatever_it_was(kind: str) -> None:
    made = opened(picture(kind, (1200, 700)))
    assert (made.format, made.size) == ("WEBP", (SIDE, SIDE))
    red, green, blue = made.convert("RGB").getpixel((9, 9))  # type: ignore[misc]
    assert red > 150 > 80 > max(green, blue)


def test_a_photograph_is_a_few_kilobytes() -> None:
    noise = Image.effect_noise((900, 700), 60).convert("RGB")
    file = BytesIO()
    noise.save(file, "JPEG", quality=95)
    assert len(portrait(file.getvalue())) < 40_000 < len(file.getvalue())


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("side", [400, 1900])
def test_it_stands_upright_and_tells_nothing_of_who_took_it(kind: str, side: int) -> None:
    image = Image.new("RGB", (side, side), RED)
    image.paste(BLUE, (0, 0, side, side // 2))
    exif = image.getexif()
    exif[ORIENTATION], exif[ARTIST] = 3, "Zoltan"
    file = BytesIO()
    image.save(file, kind, exif=exif)
    made = opened(file.getvalue())
    assert not dict(made.getexif())
    assert b"Zoltan" not in portrait(file.getvalue())
    top = made.convert("RGB").getpixel((128, 20))
    assert isinstance(top, tuple)
    assert top[0] > top[2], "it was upside down"


@pytest.mark.parametrize("kind", ["GIF", "PNG", "WEBP"])
def test_of_one_that_moves_the_first_picture_counts(kind: str) -> None:
    frames = [Image.new("RGB", (300, 300), colour) for colour in (RED, BLUE)]
    file = BytesIO()
    frames[0].save(file, kind, save_all=True, append_images=frames[1:], duration=50)
    made = opened(file.getvalue())
    assert getattr(made, "n_frames", 1) == 1
    first = made.convert("RGB").getpixel((9, 9))
    assert isinstance(first, tuple)
    assert first[0] > first[2]


def test_what_is_clear_stays_clear() -> None:
    file = BytesIO()
    Image.new("RGBA", (300, 300), (0, 0, 0, 0)).save(file, "PNG")
    assert opened(file.getvalue()).mode == "RGBA"


@pytest.mark.parametrize(
    ("made", "why"),
    [
        (lambda: png_of(60_000, 60_000), r"too large\. Use at least"),
        (lambda: png_of(4_000, 2_001), r"too large\. Use at least"),
        (lambda: picture("JPEG", (5_000, 5_001)), "4 million"),
        (lambda: picture("WEBP", (2_000, 2_001), method=0), "4 million"),
        (lambda: picture("GIF", (4_000, 2_001)), "and at most 4 million"),
        (lambda: picture("JPEG", (5_000, 5_000), progressive=True, subsampling=0), "and at most 4 million"),
        (lambda: png_of(8, 8), "too small or too large"),
        (lambda: png_of(2000, 2000), "The bot can't read that picture"),
        (lambda: picture()[:200], "The bot can't read that picture"),
        (lambda: b"", "The bot can't read that picture"),
        (lambda: b"<svg xmlns='http://www.w3.org/2000/svg'/>", "The bot can't read that picture"),
        (lambda: picture("TIFF"), "PNG, JPEG, WebP or GIF"),
        (lambda: b"%PDF-1.4", "The bot can't read that picture"),
    ],
)
def test_what_is_no_picture_or_too_large_is_refused(made: Callable[[], bytes], why: str) -> None:
    data = made()
    with pytest.raises(Unreadable, match=why):
        portrait(data)


def many_parts() -> dict[str, bytes]:
    """Pictures of small parts, or of bytes between them, up to the largest file."""
    jpeg, png, gif = picture("JPEG"), picture("PNG"), picture("GIF")
    colours = 13 + 3 * (2 << (gif[10] & 7))
    jpegs = {f"jpeg {part!r}": (jpeg, 2, part) for part in (b"\xff", b"\x00", b"\xff\x00", b"\xff\xd0")}
    jpegs |= {f"jpeg {part!r}": (jpeg, 2, part) for part in (b"\xff\xfe\x00\x02", b"\xff\xe1\x00\x02")}
    pngs = {f"png {name!r}": (png, 33, bytes(4) + name + bytes(4)) for name in (b"aaAa", b"tIME", b"IDAT")}
    pngs["png end"] = (png, len(png) - 12, bytes(4) + b"aaAa" + bytes(4))
    gifs = {f"gif {part!r}": (gif, colours, part) for part in (b"\x21\xfe\x00", b"\x00")}
    gifs["gif comment"] = (gif[:colours] + b"\x21\xfe" + gif[colours:], colours + 2, b"\x01a")
    built = {
        name: whole[:at] + part * ((LARGEST - len(whole)) // len(part)) + whole[at:]
        for name, (whole, at, part) in (jpegs | pngs | gifs).items()
    }
    return built | {"jpeg without an end": jpeg[:2] + b"\xff" * 8_000_000}


@pytest.mark.timeout(PATIENCE)
def test_a_file_of_a_great_many_parts_is_refused_before_they_are_read(subtests: pytest.Subtests) -> None:
    for name, data in many_parts().items():
        with subtests.test(name=name), pytest.raises(Unreadable, match="has more than 10,000 parts"):
            portrait(data)


def test_a_file_of_many_parts_is_read() -> None:
    png, note = picture("PNG"), bytes(4) + b"aaAa" + zlib.crc32(b"aaAa").to_bytes(4, "big")
    assert opened(portrait(png[:33] + note * 5000 + png[33:])).size == (SIDE, SIDE)


def test_shades_of_16_bits_stay_what_they_are() -> None:
    file = BytesIO()
    Image.new("I;16", (1200, 1200), 0x8000).save(file, "PNG")
    darkest, lightest = opened(file.getvalue()).convert("L").getextrema()
    assert (darkest, lightest) in {(127, 127), (128, 128)}


@pytest.mark.parametrize("size", [(16, 400_000), (400_000, 16), (65_000, 120)])
def test_what_is_very_long_is_made_small_too(size: tuple[int, int]) -> None:
    assert opened(picture("PNG", size, compress_level=1)).size == (SIDE, SIDE)


def test_a_portrait_in_a_file_is_measured_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    large = picture("WEBP", (2000, 2000), method=0)
    monkeypatch.setattr("PIL.WebPImagePlugin.WebPImageFile.load", lambda _: pytest.fail("It was unpacked."))
    with pytest.raises(Unreadable, match="Alice: it isn't a portrait"):
        require_portrait(large, "Alice")


def test_the_middle_is_kept() -> None:
    wide = ImageOps.expand(Image.new("RGB", (300, 300), BLUE), border=(300, 0), fill=RED)
    file = BytesIO()
    wide.save(file, "PNG")
    made = opened(file.getvalue()).convert("RGB").getpixel((128, 128))
    assert isinstance(made, tuple)
    assert made[2] > made[0]
