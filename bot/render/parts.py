"""The parts of lines: names in a row, dice, traits, SFX and pools, as cards say them."""

from collections.abc import Iterable, Sequence

from bot.language import say, say_of, spoken
from bot.render.kinds import KINDS
from rules.cortex.state.kinds import Kind, NamedPool, Sfx, Trait
from rules.cortex.state.sfx import titled
from rules.dice import Die, write, write_pool
from rules.words import AND, Row


def listed(names: Iterable[str], last: str = AND) -> str:
    """Names in a row as one says them: `Rope, Lantern and Map`."""
    row = list(names)
    return spoken(Row(row, last)) if len(row) > 1 else "".join(row)


def shortened(names: Sequence[str]) -> list[str]:
    """Ten names at most, and how many there are besides."""
    more = len(names) - 10
    return [*names[:10], say_of(more, "{count} more", "{count} more")] if more > 0 else list(names)


def sizes(of: Iterable[int]) -> str:
    """Dice by their sizes: `2d6 d8`; `empty` for none."""
    dice = list(of)
    return write(dice) if dice else say("empty")


def effects(of: Iterable[int]) -> str:
    """Effect dice by their sizes: `d8 and d6`."""
    return say(" and ").join(f"d{size}" for size in of)


def dice_words(of: Sequence[Die]) -> str:
    """Dice with their labels: `Mind d10, 2d6`; `empty` for none."""
    return write_pool(of) if of else say("empty")


def label_words(label: str, kind: Kind) -> str:
    """What a trait is called: `Broken Leg`, `Physical stress`."""
    words = KINDS[kind]
    return say(words.label, name=label) if words.is_said else label


def trait_name(owner: str, kind: Kind, trait: Trait) -> str:
    """A trait with its owner: `Alice · Broken Leg`, `Alice · Physical stress`."""
    whose = say("Scene") if owner == "Scene" else owner
    return f"{whose} · {label_words(trait.label, kind)}"


def trait_words(owner: str, kind: Kind, trait: Trait) -> str:
    """A trait with its owner and its die: `Alice · Broken Leg d8`."""
    return f"{trait_name(owner, kind, trait)} d{trait.die}"


def sfx_parts(sfx: Sfx) -> str:
    """What an SFX gives, costs, and when: `double Mind, for 1 PP, when angry`."""
    parts = [", ".join(sfx.benefit)]
    parts += [say("for {cost}", cost=", ".join(sfx.cost))] if sfx.cost else []
    parts += [say("when {condition}", condition=sfx.when)] if sfx.when else []
    return ", ".join(parts)


def sfx_words(sfx: Sfx) -> str:
    """An SFX with the trait that it belongs to: `Focus (Mind): double Mind, for 1 PP`."""
    return f"{titled(sfx)}: {sfx_parts(sfx)}"


def pool_words(pool: NamedPool) -> str:
    """A named pool: its dice, what is paid for it when it is rolled, and what it is rolled against."""
    paid = [say("{trait} hinders", trait=label) for label in pool.hindered]
    paid += [say("SFX {name}", name=name) for name in pool.sfx]
    against = [say("against {what}", what=pool.vs)] if pool.vs else []
    return "; ".join([dice_words(pool.dice), *paid, *against])
