"""The parts of lines of Cortex: traits, SFX and pools."""

import re
from collections.abc import Mapping

from bot.language import later, say
from bot.language.line import Text, joined, together
from bot.language.printers import spelled
from bot.render.cortex.kinds import KINDS
from bot.render.parts import dice_words
from rules.cortex import pool
from rules.cortex.kinds import Sfx, Trait, TraitKind
from rules.cortex.pool import NamedPool
from rules.cortex.sfx import titled


def label_words(label: str, kind: TraitKind) -> Text:
    """What a trait is called: `Broken Leg`, `Physical stress`."""
    words = KINDS[kind]
    return say(words.label, name=label) if words.is_said else label


def doom_label() -> str:
    """What a rolled die is called that came out of the doom pool, by the table's word for that (N1)."""
    return spelled(say("{doom_pool.Short}"))


def trait_name(owner: str, kind: TraitKind, trait: Trait) -> Text:
    """A trait with its owner: `Alice · Broken Leg`, `Alice · Physical stress`."""
    whose = say("{scene.One}") if owner == "Scene" else owner
    return together(whose, " · ", label_words(trait.label, kind))


def trait_words(owner: str, kind: TraitKind, trait: Trait) -> Text:
    """A trait with its owner and its die: `Alice · Broken Leg d8`."""
    return together(trait_name(owner, kind, trait), " ", pool.write(trait))


_TERMS: Mapping[str, str] = {
    "pp": later("{before}{plot_point.short}{after}"),
    "asset": later("{before}{asset.one}{after}"),
    "complication": later("{before}{complication.one}{after}"),
    "doom": later("{before}{doom_pool.short}{after}"),
    "hitch": later("{before}{hitch.one}{after}"),
    "opportunity": later("{before}{opportunity.one}{after}"),
}
_TERM = re.compile(rf"((?:(?:[0-9]+|up|down|from) )?)({'|'.join(_TERMS)})(?!\w)(.*)", re.IGNORECASE)


def _part_words(typed: str) -> Text:
    """A cost or a benefit as it was typed, its term as the table calls it."""
    found = _TERM.fullmatch(typed)
    return say(_TERMS[found[2].lower()], before=found[1], after=found[3]) if found else typed


def sfx_parts(sfx: Sfx) -> Text:
    """What an SFX gives, costs, and when: `double Mind, for 1 PP, when angry`."""
    parts: list[Text] = [joined(", ", map(_part_words, sfx.benefit))]
    parts += [say("for {cost}", cost=joined(", ", map(_part_words, sfx.cost)))] if sfx.cost else []
    parts += [say("when {condition}", condition=sfx.when)] if sfx.when else []
    return joined(", ", parts)


def sfx_words(sfx: Sfx) -> Text:
    """An SFX with the trait that it belongs to: `Focus (Mind): double Mind, for 1 PP`."""
    return together(titled(sfx), ": ", sfx_parts(sfx))


def pool_words(pool: NamedPool) -> Text:
    """A named pool: its dice, what is paid for it when it is rolled, and what it is rolled against."""
    paid = [say("{trait} hinders", trait=label) for label in pool.hindered]
    paid += [say("SFX {name}", name=name) for name in pool.sfx]
    against = [say("against {what}", what=pool.vs)] if pool.vs else []
    return joined("; ", [dice_words(pool.dice), *paid, *against])
