"""Pools as people type them: parted at `vs`, and kept by name (D2): `Fly: Spirit + Pilot + Hotshot vs 11`."""

import re

from rules.cortex.state.kinds import KeptPool
from rules.dice import shorten
from rules.errors import NotAllowed, Unreadable
from rules.kinds import key
from rules.names import NAME, clean
from rules.words import Words

MOST = 20
"""A character keeps at most this many pools."""
LONGEST_NAME = 40
LONGEST_DICE = 300
LONGEST_VS = 100
_LINE = re.compile(r'(?:"(?P<quoted>[^"]+)"|(?P<name>[^":]+?))\s*:\s*(?P<rest>.+)')
_VS = re.compile(r"(?<![^\s,+;])(?:vs\.?|versus)(?![^\s:])[\s:]*", re.IGNORECASE)
_UNQUOTED = re.compile('["“][^"“”]*["”]')


def parted(dice: str, vs: str | None = None) -> tuple[str, str | None]:
    """Dice as typed without `vs` in them; what follows it means the option `vs`.

    Raises Unreadable where dice or opposition are missing, NotAllowed where the option says something else.
    """
    # As long as what it hides, so that the places are those of the text.
    found = _VS.search(_UNQUOTED.sub(lambda match: "x" * len(match[0]), dice))
    if found is None:
        return dice, vs
    pool, typed = dice[: found.start()].strip(" ,+;\n"), dice[found.end() :].strip()
    if not pool or not typed:
        raise Unreadable("Put the dice before vs, and the opposition after it. Example: Mind d10 vs 11")
    if vs and vs.strip() and key(" ".join(vs.split())) != key(" ".join(typed.split())):
        raise NotAllowed(
            "The option dice says vs {typed}, but the option vs says {vs}. Leave one of them out.",
            typed=shorten(typed),
            vs=shorten(vs),
        )
    return pool, typed


def write(kept: KeptPool) -> str:
    """A kept pool as a line of a sheet has it: `Fly: Spirit + Pilot vs 11`."""
    name = f'"{kept.name}"' if ":" in kept.name else kept.name
    return f"{name}: {text(kept)}"


def text(kept: KeptPool) -> str:
    """A kept pool as it is typed to be rolled."""
    return f"{kept.dice} vs {kept.vs}" if kept.vs else kept.dice


def read(line: str) -> KeptPool:
    """The pool that a line means. Raises Unreadable."""
    match = _LINE.fullmatch(line.strip())
    if match is None:
        raise Unreadable("a saved pool needs a name, a colon and dice. Example: Saved pool: Fly: Spirit + d8")
    dice, vs = parted(match["rest"])
    return KeptPool(label_of(match["quoted"] or match["name"]), *texts(dice, vs))


def label_of(typed: str) -> str:
    """The name of a kept pool. Raises NotAllowed for one that `vs` would part where it is typed."""
    label = clean(typed.replace('"', "'"), NAME, LONGEST_NAME)
    if _VS.search(label):
        raise NotAllowed(
            "{name} can't be a pool's name, because vs marks the opposition. Choose a name without vs.",
            name=shorten(label),
        )
    return label


def texts(dice: str, vs: str | None) -> tuple[str, str]:
    """Dice and opposition as they are kept: on one line, and not too long."""
    against = clean(vs, Words("opposition"), LONGEST_VS) if vs and vs.strip() else ""
    return clean(dice, Words("pool"), LONGEST_DICE), against
