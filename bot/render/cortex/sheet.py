"""What of a sheet is Cortex's, in words."""

from collections.abc import Iterable

from bot.language import later, say
from bot.language.line import Text, joined, nothing, strong, together
from bot.render.cortex.foes import gmc_line, gmc_words, hero_words, with_others
from bot.render.cortex.kinds import KINDS, RANKS
from bot.render.cortex.parts import label_words, sfx_words
from rules.cortex import pool, pool_text, sheet_lines, traits
from rules.cortex.kinds import HARMFUL, LENDING, Trait, TraitKind
from rules.cortex.model import CORTEX, Aside
from rules.cortex.sfx import EXAMPLE
from rules.cortex.sheet_lines import PARTS
from rules.table import Character, Table

_TRAITS = later("Traits")
"""The trait set of those that have none."""
_ABOVE = (TraitKind.DISTINCTION, TraitKind.TRAIT, TraitKind.ASSET)
"""What has rows of its own on a sheet: by trait set, and signature assets apart."""


def sheet(character: Character) -> list[Text]:
    """What they can roll, a line for each trait set, and what hinders them."""
    own = CORTEX.has(character)
    lines = gmc_words(character) if own.pool or character.away else []
    if own.is_taken_out:
        lines.append(strong(say("{who} is taken out", who=character.name)))
    lines.append(_points(character))
    lines += _row(say("{distinction.Many}"), own.distinctions.values())
    for name, held in _sets(character).items():
        lines += _row(say(name) if name == _TRAITS else name, held)
    signature = [trait for trait in own.assets.values() if trait.signature]
    lines += _row(say("Signature {asset.many}"), signature)
    lines += _row(say("{asset.Many}"), [t for t in own.assets.values() if not t.signature])
    for kind in (kind for kind in KINDS if kind in LENDING and kind not in _ABOVE):
        lines += _row(say(KINDS[kind].title), own.traits(kind).values())
    for kind in HARMFUL:
        harms = own.traits(kind).values()
        lines += [together(strong(say(KINDS[kind].title)), " ", _rated(kind, harms))] if harms else []
    return [*lines, hero_words(character)] if own.hero else lines


def gmc_lines(table: Table) -> list[Text]:
    """Every GMC with its dice and traits, what hit it, and its SFX below."""
    gmcs = [each for each in table.characters.values() if each.gmc]
    lines = [line for each in gmcs for line in _gmc_lines(each)]
    return with_others(lines, len(gmcs)) or [
        nothing(say("There are no {gmc.many} yet. Example: /gmc new name:Rex dice:Fangs d10, 4d10"))
    ]


def _gmc_lines(gmc: Character) -> list[Text]:
    return [joined(". ", _gmc(gmc)), *(together(gmc.name, " · ", line) for line in _sfx(gmc))]


def _gmc(gmc: Character) -> list[Text]:
    """A GMC: of which kind, its boss or mob dice, its traits, and what it has besides."""
    own = CORTEX.has(gmc)
    out = [say("Taken out")] if own.is_taken_out else []
    held = [
        (say("Traits"), own.sheet),
        *(
            (say(KINDS[kind].title), own.traits(kind))
            for kind in (TraitKind.DISTINCTION, TraitKind.RESOURCE, TraitKind.ASSET)
        ),
    ]
    rows = [
        say("{kind}: {traits}", kind=title, traits=joined(", ", _grouped(traits.values())))
        for title, traits in held
        if traits
    ]
    rows += [
        say("{kind}: {traits}", kind=say(KINDS[kind].title), traits=_rated(kind, own.traits(kind).values()))
        for kind in HARMFUL
        if own.traits(kind)
    ]
    return [gmc_line(gmc), *out, *rows]


def _rated(kind: TraitKind, traits: Iterable[Trait]) -> Text:
    """Traits with their dice in a row."""
    return joined(", ", [together(label_words(one.label, kind), " ", pool.write(one)) for one in traits])


def _sfx(character: Character) -> list[Text]:
    return [say("SFX {sfx}", sfx=sfx_words(each)) for each in CORTEX.has(character).sfx.values()]


def below(character: Character) -> list[Text]:
    """SFX, saved pools and milestones."""
    own = CORTEX.has(character)
    lines = _sfx(character)
    lines += [say("Saved pool {pool}", pool=pool_text.write_saved_pool(each)) for each in own.kept.values()]
    lines += _asides(own.asides)
    if own.milestones:
        lines.append(say("Milestones: {milestones}", milestones="; ".join(own.milestones)))
    return lines


def _asides(asides: Iterable[Aside]) -> list[Text]:
    """What another program's sheet says beside traits, a line for each set: `Talents: Quick, Tall (very)`."""
    rows: dict[str, list[str]] = {}
    for each in asides:
        said = f"{each.label} ({each.note})" if each.note else each.label
        rows.setdefault(each.set, []).append(said)
    return [together(f"{name}: " if name else "", ", ".join(held)) for name, held in rows.items()]


def rank(character: Character) -> Text:
    """The rank of a GMC, if they have one."""
    own = CORTEX.has(character)
    return say(RANKS[own.rank]) if own.rank else ""


def xp_lines(table: Table) -> list[Text]:
    """Everybody's XP."""
    held = [(each.name, CORTEX.has(each).xp) for each in table.characters.values()]
    lines = [say("{who}: {xp} XP", who=name, xp=xp) for name, xp in held if xp]
    return lines or [nothing(say("Nobody has any XP yet. Example: /xp give who:Alice"))]


def sfx_lines(table: Table) -> list[Text]:
    """Everybody's SFX, and what is shut down (X1)."""
    lines = [
        say("{who} · SFX {sfx}", who=c.name, sfx=sfx_words(each))
        for c in table.characters.values()
        for each in CORTEX.has(c).sfx.values()
    ]
    closed = [
        say("{trait} is shut down", trait=f"{c.name} · {trait.label} {pool.write(trait)}")
        for c in table.characters.values()
        for _, trait in traits.held(c)
        if trait.shut
    ]
    return [*lines, *closed] or [nothing(say("There are no SFX yet. Example: {example}", example=EXAMPLE))]


def _points(character: Character) -> Text:
    own = CORTEX.has(character)
    points = strong(say("{who}: {pp} {plot_point.short}", who=character.name, pp=own.pp))
    return say("{points}, {xp} XP", points=points, xp=own.xp) if own.xp else points


def _sets(character: Character) -> dict[str, list[Trait]]:
    found: dict[str, list[Trait]] = {}
    for trait in CORTEX.has(character).sheet.values():
        found.setdefault(trait.set or _TRAITS, []).append(trait)
    return found


def _row(head: Text, traits: Iterable[Trait]) -> list[Text]:
    """A trait set on one line: `Skills Climb d8, Sharp d6`, each trait with how it stands and its note."""
    held = tuple(traits)
    said = _grouped(held)
    row = [together(strong(head), " ", joined(", ", said))] if said else []
    return [*row, *(_stated(trait) for trait in held if trait.statement)]


def _stated(trait: Trait) -> Text:
    """A trait with its statement, and what it was before that was challenged (N7)."""
    line: Text = f"{trait.label} {pool.dice_of(trait)}"
    if trait.was:
        line = say("{trait} (challenged, was {dice})", trait=line, dice=f"d{trait.was}")
    return together(line, ": ", trait.statement)


def _grouped(traits: Iterable[Trait]) -> list[Text]:
    return [_with_parts(trait, of_it) for trait, of_it in sheet_lines.grouped(tuple(traits))]


def _with_parts(trait: Trait, of_it: Iterable[Trait]) -> Text:
    """A trait with its parts in brackets behind it: `Fight d8 (> Knives d6)` (N23)."""
    said = [_trait(one) for one in of_it]
    line = _trait(trait)
    return together(line, f" {PARTS} ", joined(", ", said), ")") if said else line


def _trait(trait: Trait) -> Text:
    line: Text = f"{trait.label} {pool.write(trait)}"
    if trait.spent:
        line = say("{trait} spent", trait=line)
    elif trait.shut:
        line = say("{trait} shut down", trait=line)
    return together(line, " (", trait.note, ")") if trait.note else line
