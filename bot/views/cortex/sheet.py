"""Cortex sheets as text, and forms to edit a sheet and add SFX from templates (X1)."""

from collections.abc import Iterable, Mapping
from functools import partial

from bot.language import later, say
from bot.language.line import Text, joined, nothing, strong, together
from bot.views.card import Button, Card, Field, Form, Menu, Option, mark
from bot.views.cortex.gm_pools import gmc_line, gmc_words, hero_words, with_others
from bot.views.cortex.labels import KINDS, RANKS, label_words, sfx_words
from bot.views.game import Rule
from bot.views.question import (
    MOST_IN_MENU,
    SIGN,
    Fields,
    choice,
    marked,
    pick,
)
from rules.campaign.seats import Actor
from rules.cortex import pool, pool_text, sfx_templates, sfx_use, sheet_lines, traits
from rules.cortex.characters import unrated as unrated_of
from rules.cortex.kinds import HARMFUL, LENDING, Trait, TraitKind
from rules.cortex.model import CORTEX, Aside
from rules.cortex.ruleset import ABILITIES
from rules.cortex.sfx import EXAMPLE, Placeholder, Template
from rules.cortex.sfx import TEMPLATES as PARTS
from rules.cortex.sheet import Sheet
from rules.cortex.sheet import of as sheet_of
from rules.cortex.sheet_lines import PARTS_SIGN
from rules.game import Step
from rules.names import fold
from rules.table import Character, Table
from rules.values import exhaustive

_TRAITS = later("Traits")
"""The trait set of those that have none."""
_ABOVE = (TraitKind.DISTINCTION, TraitKind.TRAIT, TraitKind.ASSET)
"""What has rows of its own on a sheet: by trait set, and signature assets apart."""


def sheet(character: Character) -> list[Text]:
    """Return a character's traits, a line per trait set, and what hinders them."""
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
    """Return every GMC with its dice, traits, stress and SFX."""
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
    """Return a character's SFX, saved pools and milestones."""
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
    """Return the rank of a GMC; empty if it has none."""
    own = CORTEX.has(character)
    return say(RANKS[own.rank]) if own.rank else ""


def sfx_lines(table: Table) -> list[Text]:
    """Return everybody's SFX, and what is shut down (X1)."""
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
    return strong(say("{who}: {pp} {plot_point.short}", who=character.name, pp=CORTEX.has(character).pp))


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
    return together(line, f" {PARTS_SIGN} ", joined(", ", said), ")") if said else line


def _trait(trait: Trait) -> Text:
    line: Text = f"{trait.label} {pool.write(trait)}"
    if trait.spent:
        line = say("{trait} spent", trait=line)
    elif trait.shut:
        line = say("{trait} shut down", trait=line)
    return together(line, " (", trait.note, ")") if trait.note else line


def unrated(table: Table, character: Character | None) -> list[str]:
    """Return the traits that this character, or a new one, begins with and has no die for yet."""
    own = Sheet() if character is None else sheet_of(character)
    return [] if character and character.gmc else [each.label for _, each in unrated_of(table, own)]


def sheet_hint(table: Table) -> Text:
    """Return the hint of a sheet form: an example that uses the table's trait sets."""
    sets = CORTEX.of(table).ruleset.trait_sets
    if ABILITIES not in sets:
        name = next((name for name in sets if fold(name) != "distinctions"), "Skills")
        return say("Example: Distinctions: Old Sailor, Reckless. {name}: Mind d10, Body d8", name=name)
    return say("Start each line with the ability set's name. Example: Sorcery: Ward d8")


TEMPLATES: Mapping[Template, str] = exhaustive(
    Template,
    {
        Template.STEP_UP: later("Step up a trait for 1 {plot_point.short}"),
        Template.DOUBLE: later("Double a trait for 1 {plot_point.short}"),
        Template.TRADE: later("Step up one trait and step down another"),
        Template.STRAIN: later("Add a d6 and step down a trait"),
        Template.RISK: later("Add a d6 and take {complication.a}"),
        Template.OVERLOAD: later("Double a trait, then shut it down"),
        Template.BARGAIN: later("Double a trait and add a d6 to {doom_pool.short}"),
        Template.SAFE: later("Make a trait safe from {hitch.many} for 1 {plot_point.short}"),
        Template.PUSH: later("Push your own {stress.one} for free"),
        Template.WEAKEN: later("Step down an opponent's largest die for 1 {plot_point.short}"),
        Template.REROLL: later("Reroll a die for 1 {plot_point.short}"),
        Template.TOTAL: later("Keep another die in the total for 1 {plot_point.short}"),
        Template.EFFECT: later("Keep a second effect die for 1 {plot_point.short}"),
        Template.EFFECT_UP: later("Step up the effect die for 1 {plot_point.short}"),
        Template.FLURRY: later("Add a d6, keep three, lose the highest die"),
        Template.ASSET: later("Make {asset.a} for 1 {plot_point.short}"),
        Template.COMPLICATION: later("Make {complication.a} for 1 {plot_point.short}"),
        Template.RECOVER: later("Step down {complication.a} or {stress.one} for 1 {plot_point.short}"),
        Template.CALM: later("Step down {doom_pool.a_short} die for 1 {plot_point.short}"),
        Template.OPPORTUNITY: later("Turn {opportunity.a} into {asset.a}"),
        Template.SHUT: later("Gain 1 {plot_point.short} and shut down a trait"),
        Template.HITCH: later("Gain 1 {plot_point.short} and hand over {hitch.a}"),
        Template.TRIGGER: later("Gain 1 {plot_point.short} when something happens"),
    },
)
"""What each template does."""
PLACES: Mapping[Placeholder, str] = exhaustive(
    Placeholder,
    {
        Placeholder.TRAIT: later("Trait"),
        Placeholder.OTHER: later("Steps down instead"),
        Placeholder.TROUBLE: later("{complication.One} or {stress.one}"),
    },
)
"""What each place of a template is called."""


TEMPLATE = "sfxtemplate"
OFFER = "sfxtemplates"
CHOSEN = rf"(?:{SIGN})?(?:\.[a-z ]+)?"
"""The subject of the menu: whose SFX it becomes, if they are there; of the form: which template, too."""


def templates_button(table: Table, actor: Actor | None) -> tuple[Button, ...]:
    """Return the button that opens the SFX templates; none if the person plays nobody."""
    own = actor and table.played_by(actor.id)
    return (Button(say("Templates"), OFFER),) if own else ()


def menu(table: Table, actor: Actor, who: str | None = None) -> Card:
    """Return a card with the SFX templates. Raises NotAllowed if the caller may not change those SFX."""
    seated, owner = sfx_use.changeable(table, actor, who, asks=False)
    character = seated.characters[owner]
    options = tuple(Option(say(TEMPLATES[each]), each) for each in sfx_templates.offered_templates(table))
    # Who has no character yet gets one with the SFX.
    sign = mark(character.name) if owner in table.characters else ""
    shown = Menu(say("What it does"), TEMPLATE, sign, options)
    line = say("Choose what {who}'s new SFX does.", who=character.name)
    return Card((line,), private=True, menus=(shown,))


def form(table: Table, actor: Actor, subject: str, chosen: str) -> Form:
    """Return a form for the name, traits and condition of the chosen template."""
    sign, _, opened = subject.partition(".")
    template = choice(Template, chosen or opened)
    sfx_templates.require_template(table, template)
    seated, owner = sfx_use.changeable(table, actor, _named(table, sign), asks=False)
    character = seated.characters[owner]
    of = PARTS[template]
    fields = (
        Field("name", say("Name"), hint=say("Example: Focus")),
        *(_place(table, character, place) for place in of.places),
        Field(
            "when",
            say("When"),
            hint=say("Example: my past catches up with me"),
            required=of.needs_when,
        ),
    )
    return Form(say(TEMPLATES[template]), fields, f"{sign}.{template}")


def _named(table: Table, sign: str) -> str | None:
    """Whose SFX it becomes; the actor's own where there is no sign."""
    return marked(table, sign).name if sign else None


def _place(table: Table, character: Character, place: Placeholder) -> Field:
    """What can stand in a place, to be chosen; typed where there is nothing, or too much for a menu."""
    there = sfx_templates.template_choices(table, character, place)
    label = say(PLACES[place])
    if not 0 < len(there) <= MOST_IN_MENU:
        return Field(place, label, hint=say("Example: {name}", name=there[0] if there else "Mind"))
    likeliest = there[1] if place is Placeholder.OTHER and len(there) > 1 else there[0]
    return pick(place, label, [Option(each, each) for each in there], likeliest)


def read(subject: str, fields: Fields) -> Rule:
    """Return the rule that a template form stands for."""
    sign, _, named = subject.partition(".")
    return partial(_added, sign=sign, template=choice(Template, named), fields=fields)


def _added(table: Table, actor: Actor, sign: str, template: Template, fields: Fields) -> Step:
    traits = [fields[place] for place in PARTS[template].places]
    who = _named(table, sign)
    return sfx_templates.add_from_template(
        table, actor, template, fields["name"], traits, fields.typed("when"), who
    )
