"""What mods cost: calls of each kind of interaction at a table with none of them, and with all at once."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import structlog

from bot.store import messages
from rules.values import replace
from tests.bench.counts import KINDS, NEVER, Counts, counted
from tests.game import playing

MODS: Mapping[str, str] = {
    "words": "doom pool = Threat; plot point = Hero Point, Hero Points, HP; stress = Strain; hitch = Glitch",
    "d4 trouble helps": "on",
    "push stress": "1 PP",
    "rest": "scene start",
    "statements": "on",
    "sizes": "d2 d4 d6 d8 d10 d12 d20",
    "modifiers": "on",
    "hitch on": "1-2",
    "safe dice": "on",
    "complications pay": "each",
    "gangs thin out": "on",
    "resources": "apart",
    "heroic margin": "4",
}
"""Every mod that leaves a roll its effect, each with a value that bends the rules: all of them at once."""


ON = [f"gm: /campaign set setting:{name} value:{value}" for name, value in MODS.items()]
OFF = [f"gm: /pp set who:Alice number:{number % 3}" for number in range(len(ON))]
"""As many steps that change no rule: an undo looks back at each."""
SAME = {
    name: replace(kind, faces=[[3 if face == 2 else face for face in faces] for faces in kind.faces])
    for name, kind in KINDS.items()
}
"""The same kinds, with no 2 among the faces: where that is a hitch, more would be told."""


async def count_mods() -> None:
    """Print calls of our own functions up to an answer, and in the edits after it."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    off, on = await _counts(OFF), await _counts(ON)
    for name in SAME:
        before, after = off[name], on[name]
        print(
            f"{name:<40} calls {before.calls:>5} and {after.calls:>5} ({after.calls / before.calls:.2f}x), "
            f"edits {before.edit_calls:>4} and {after.edit_calls:>4}, bytes {before.bytes} and {after.bytes}"
        )
    print(f"All mods: {', '.join(MODS)}")


async def _counts(before: Sequence[str]) -> dict[str, Counts]:
    messages.PAUSE = NEVER
    with TemporaryDirectory() as folder:
        async with playing(Path(folder)) as game:
            return await counted(game, before, SAME)
