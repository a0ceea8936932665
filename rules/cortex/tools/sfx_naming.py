"""Whether an SFX names what there is."""

from collections.abc import Mapping

from rules.cortex.state.pool import Die
from rules.cortex.state.sfx import (
    Act,
    SfxPart,
    comes_after,
    write_part,
)
from rules.cortex.traits.sfx_steps import STEPS
from rules.cortex.traits.sfx_steps import labels as standing_labels
from rules.dice import shorten
from rules.errors import PossibleAnswer, Undecided, Unknown
from rules.kinds import key
from rules.names import offer
from rules.seats import Actor
from rules.table import Table
from rules.words import Words

_OF_A_TRAIT = (Act.DOUBLE, Act.SAFE, Act.REROLL, Act.REMOVE, Act.SHUT)


def require_known(one: SfxPart, known: Mapping[str, Die], labels: list[str], of: str) -> None:
    """Refuse a step of a trait that nobody here has, which may be a slip or mere words."""
    if one.act is Act.SHUT and not (one.label or of):
        raise Unknown("Name the trait to shut down. {hint}", hint=offer("", labels))
    is_by_face = one.act is Act.REMOVE and comes_after(one)
    is_named = one.act in _OF_A_TRAIT and bool(one.label) and not is_by_face
    there = labels if one.act is Act.SHUT else list(known)
    if is_named and key(one.label) not in map(key, there):
        raise Unknown(
            "{typed} doesn't work: there's no {one} here. {hint} To keep it as plain text, put it in "
            'quotation marks: "{part}"',
            typed=shorten(write_part(one)),
            one=shorten(one.label),
            hint=offer(one.label, there),
            part=write_part(one),
        )


def require_coming(table: Table, actor: Actor, one: SfxPart, known: Mapping[str, Die]) -> None:
    """Ask whether what an SFX steps comes later, where there is nothing of that name. Raises Undecided."""
    there = [*known, *standing_labels(table)]
    bare = key(one.label).rpartition(" · ")[2].removesuffix(" stress").removesuffix(" complication")
    sign = f"comes later: {key(one.label)}"
    is_there = {key(one.label), bare} & set(map(key, there))
    if one.act in STEPS and one.label and not is_there and sign not in actor.agreed:
        raise Undecided(
            "There's no {one} here. {hint} Or is it {complication.a} that comes later?",
            PossibleAnswer(Words("Yes, it comes later"), sign),
            one=shorten(one.label)[1:-1],
            hint=offer(one.label, there),
        )
