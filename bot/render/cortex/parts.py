"""The parts of lines of Cortex: traits, SFX and pools."""

from bot.language import say
from bot.render.cortex.kinds import KINDS
from bot.render.parts import dice_words
from rules.cortex.state.kinds import Kind, NamedPool, Sfx, Trait
from rules.cortex.state.sfx import titled


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
