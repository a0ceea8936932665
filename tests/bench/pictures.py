"""The dearest pictures that can be sent, and what memory the bot takes for each."""

import asyncio
import tempfile
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

from bot.loopback.driver import Loopback
from tests.bench.bots import NOW, database, serving

MEBI = 1024 * 1024
PEOPLE = 4


def picture(kind: str, size: tuple[int, int], mode: str = "RGB", **options: Any) -> bytes:
    """A picture of soft spots, which packs about as well as a photograph."""
    wide, high = size
    spots = Image.effect_noise((max(1, wide // 8), max(1, high // 8)), 60).resize(size)
    file = BytesIO()
    _in(mode, spots).save(file, kind, **options)
    return file.getvalue()


def _in(mode: str, grey: Image.Image) -> Image.Image:
    if mode == "I;16":
        return grey.convert("I").point(lambda shade: shade * 256).convert("I;16")
    if mode == "P":
        return grey.convert("RGB").quantize(64)
    return Image.merge("RGBA", [grey] * 4) if mode == "RGBA" else grey.convert(mode)


DEAREST: Mapping[str, Callable[[], bytes]] = {
    "a JPEG of 25 megapixels": lambda: picture("JPEG", (5000, 5000), quality=70),
    "a progressive one": lambda: picture("JPEG", (5000, 5000), quality=60, progressive=True),
    "a progressive one, all its colours": lambda: picture(
        "JPEG", (5000, 5000), quality=60, progressive=True, subsampling=0
    ),
    "a JPEG of 48,000 by 512": lambda: picture("JPEG", (48_000, 512), quality=70),
    "a PNG of 8 megapixels": lambda: picture("PNG", (4000, 2000), compress_level=1),
    "one that one can see through": lambda: picture("PNG", (4000, 2000), "RGBA", compress_level=1),
    "one of 16 bits": lambda: picture("PNG", (4000, 2000), "I;16", compress_level=1),
    "one of 15,000 by 520": lambda: picture("PNG", (520, 15_000), "RGBA", compress_level=1),
    "a GIF of 8 megapixels": lambda: picture("GIF", (4000, 2000), "P"),
    "a WebP of 4 megapixels": lambda: picture("WEBP", (2000, 2000), "RGBA", method=0),
    "one without loss": lambda: picture("WEBP", (2000, 2000), "RGBA", method=0, lossless=True),
}
"""Each the largest of its kind, or larger than may be; made when asked for."""


class Memory:
    """What a process holds, beside what it held before."""

    def __init__(self, pid: int) -> None:
        self._status = Path(f"/proc/{pid}/status")
        self._peaks = Path(f"/proc/{pid}/clear_refs")
        self.idle = self._of("VmRSS")
        self.begin()

    def begin(self) -> None:
        """Look for the peak from now on."""
        self._peaks.write_text("5", encoding="ascii")

    @property
    def peak(self) -> float:
        """MiB above idle at the worst moment."""
        return self._of("VmHWM") - self.idle

    @property
    def now(self) -> float:
        """MiB above idle at this moment."""
        return self._of("VmRSS") - self.idle

    def _of(self, name: str) -> float:
        lines = self._status.read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith(name)) / 1024


async def pictures() -> None:
    """Print what memory each picture takes and leaves, then how long others wait meanwhile."""
    print(f"{'MiB above idle':<40} {'file':>6} {'peak':>6} {'after':>6}")
    with tempfile.TemporaryDirectory() as folder, database() as url:
        async with Loopback(deadline=60, patience=60) as discord_, serving(NOW, discord_, url) as running:
            alice = discord_.person("alice")
            await alice.slash("/character new name:Alice")
            small = Path(folder) / "small"
            small.write_bytes(picture("PNG", (300, 300)))
            for kind in ("PNG", "JPEG", "WEBP", "GIF"):  # what reads a kind is loaded with the first of it
                small.write_bytes(picture(kind, (300, 300)))
                await alice.slash(f"/character portrait picture:{small}")
            memory = Memory(running.process.pid)
            for name, made in DEAREST.items():
                path = Path(folder) / "picture"
                path.write_bytes(made())
                memory.begin()
                reply = await alice.slash(f"/character portrait picture:{path}")
                is_refused = "too large" in reply.text
                row = f"{path.stat().st_size / MEBI:>6.1f} {memory.peak:>6.1f} {memory.now:>6.1f}"
                print(f"{name:<40} {row}{' refused' if is_refused else ''}", flush=True)
            people = [discord_.person(f"person {number}") for number in range(PEOPLE)]
            for number, person in enumerate(people):
                await person.slash(f"/character new name:P{number}")
            path.write_bytes(DEAREST["a progressive one"]())
            memory.begin()
            await asyncio.gather(
                *(person.slash(f"/character portrait picture:{path}") for person in people for _ in range(3))
            )
            print(
                f"{'three of each of four people at once':<40} {'':>6} {memory.peak:>6.1f} {memory.now:>6.1f}"
            )
