"""The whole table in words: every trait, pool and plot point in the forms that never change."""

from collections.abc import Mapping

from bot.language import later, say
from bot.render.card import BREAK, heading, small, strong
from bot.render.cortex.foes import foe_lines, gmc_line, pool_line, split_line, without
from bot.render.cortex.roll import summed_up
from bot.render.kinds import KINDS
from bot.render.parts import label_words, listed, sizes, trait_words
from bot.render.plan import table_line
from bot.render.waiting import waiting, waiting_line, waiting_lines
from bot.render.words import UNNAMED, lost_words, stretch_words
from rules.causes import Stretch
from rules.cortex.state.in_force import come_to
from rules.cortex.state.kinds import ON_SHEET, Foe, Kind, Target, Trait
from rules.cortex.state.part import CORTEX
from rules.cortex.tools.campaign import SETTINGS, differences, shown
from rules.cortex.traits.gm_pools import DOOM
from rules.cortex.traits.hero import dice as hero_dice
from rules.cortex.traits.traits import owners
from rules.names import GM
from rules.table import Character, Table
from rules.words import OR

RULESETS = {
    "prime": later("no doom pool; heroic successes give hero dice, crises and challenges are there"),
    "heroic": later("doom opposes, hitches feed it, ability sets with SFX, three stress tracks"),
    "empire": later("numbers oppose, resources or signature assets, hero dice by the GM"),
    "adept": later("a doom pool that carries over, crises, challenges and bosses, three stress tracks"),
}
"""What each ruleset means, for somebody who is about to play by it."""
_TWO_LINES = 80
"""So many characters take two lines of a phone."""


def table_lines(table: Table) -> list[str]:
    """What is in play, the scene and the GM's side first, then a line for each character; no sheets."""
    lines = [heading(table.name or say(UNNAMED)), *_time(table), *table_line(table), *lost_lines(table)]
    if table.archived:
        name = table.name or "Skyfall"
        lines.append(say("This table is archived. Example: /campaign join name:{name}", name=name))
    lines += [*_scene(table), *_pools(table), *foe_lines(table)]
    people = [_character(character) for character in table.characters.values()]
    if not people:
        people = [
            say("No characters yet. Press Join on the pinned table, or name one. Example: /pp give who:Alice")
        ]
    waits = waiting_line(table)
    unseen = [
        small(say("Hidden roll {number}: {roll}", number=number, roll=summed_up(come_to(table, made))))
        for number, made in CORTEX.of(table).hidden.items()
    ]
    last = [small(say("Waiting: {who}", who=waits))] if waits else []
    return [*lines, BREAK, *people, *unseen, *last]


def begun_lines(table: Table) -> list[str]:
    """What is told of a campaign that begins: what its ruleset means, and what comes first."""
    here = CORTEX.of(table)
    who = (
        say("You are the GM. Players press Join.")
        if table.gms
        else say("There is no GM: everybody may do everything. Whoever plays presses Join.")
    )
    about = say(RULESETS[here.ruleset.name])
    return [
        heading(say("{table} begins", table=table.name)),
        say("{ruleset}: {about}", ruleset=strong(here.ruleset.name), about=about),
        who,
    ]


def lost_lines(table: Table) -> list[str]:
    """What is not on the table, since it cannot be read any more."""
    return [lost_words(table.number, table.lost)] if table.lost else []


def doom_lines(table: Table) -> list[str]:
    """The doom pool, or the setting that turns it on."""
    if CORTEX.of(table).ruleset.doom:
        return [doom_line(table)]
    return [without(Foe.DOOM)]


def doom_line(table: Table) -> str:
    """The doom pool."""
    return pool_line(table, DOOM)


def points_lines(table: Table) -> list[str]:
    """Everybody's plot points."""
    lines = [strong(_points(c)) for c in table.characters.values() if not c.gmc]
    lines += [gm_points(table)] if CORTEX.of(table).ruleset.gm_pp else []
    return lines or [say("Nobody has plot points yet. Example: /pp give who:Alice")]


def gm_points(table: Table) -> str:
    """The GM's own plot points."""
    return say("{who}: {pp} PP", who=GM, pp=strong(str(CORTEX.of(table).gm_pp)))


def trait_lines(table: Table, kinds: tuple[Kind, ...]) -> list[str]:
    """All traits of some kinds, with their owners."""
    lines = [
        trait_words(owner.name, kind, trait) + _mark(trait)
        for _, owner in owners(table)
        for kind in kinds
        for trait in CORTEX.has(owner).traits(kind).values()
    ]
    return lines or [
        say("There are no {things}.", things=listed([say(KINDS[kind].many) for kind in kinds], OR))
    ]


def scene_lines(table: Table, links: Mapping[int, str]) -> list[str]:
    """The scene, what it has, and what waits in it."""
    lines = [*_time(table), *_scene(table), *split_line(table)]
    return [*lines, *(waiting_lines(table, links) if waiting(table) else [])]


def campaign_lines(table: Table) -> list[str]:
    """The campaign's name, seats, ruleset and settings."""
    gms = listed(table.gms.values()) or say("nobody: the table is open to all")
    lines = [heading(table.name or say(UNNAMED)), say("GM: {names}", names=strong(gms))]
    lines.append(say("Ruleset: {name}", name=strong(CORTEX.of(table).ruleset.name)))
    if table.archived:
        lines.append(say("Archived"))
    changed = differences(table)
    settings = {name: f"{name}: {shown(table, name)}" for name in SETTINGS}
    own = [say("{setting} (changed)", setting=strong(settings[name])) for name in settings if name in changed]
    return [*lines, *own, BREAK, *(small(line) for name, line in settings.items() if name not in changed)]


def _time(table: Table) -> list[str]:
    """The session and the act, small."""
    parts = []
    if table.is_session:
        parts.append(stretch_words(Stretch.SESSION, table.session))
    if table.is_act:
        parts.append(stretch_words(Stretch.ACT, table.act))
    return [small(", ".join(parts))] if parts else []


def _scene(table: Table) -> list[str]:
    """The scene with what it has: `The docks: Fog d8, Thick smoke d6`."""
    parts = _in_play(table.scenery, whole=True)
    if not table.is_scene and not parts:
        return []
    name = strong((table.is_scene and table.scene) or say("Scene"))
    return [f"{name}: {'. '.join(parts)}" if parts else name]


def _pools(table: Table) -> list[str]:
    """The doom pool, if there are dice in it, and the crises, on one line where they are short."""
    here = CORTEX.of(table)
    doom = [strong(doom_line(table))] if here.ruleset.doom and here.doom else []
    crises = [pool_line(table, Target(Foe.CRISIS, one)) for one in here.crises]
    gm = [gm_points(table)] if here.ruleset.gm_pp else []
    found = [*doom, *gm, *(crises if here.ruleset.crisis else [])]
    line = ". ".join(found)
    return [line] if line and len(line) <= _TWO_LINES else found


def _character(character: Character) -> str:
    """One character: `Rook: 1 PP. Assets Lucky Scarf d6. Complications Burned d10, Trouble d6`."""
    own = CORTEX.has(character)
    first = gmc_line(character) if character.gmc else strong(_points(character))
    out = [say("{who} is taken out", who=character.name)] if own.is_taken_out else []
    hero = [say("Hero dice {dice}", dice=sizes(hero_dice(character)))] if own.hero else []
    return ". ".join([first, *out, *hero, *_in_play(character)])


def _in_play(owner: Character, *, whole: bool = False) -> list[str]:
    """What came in play, by kind: no sheet, but what of it is not as usual; `whole` has distinctions too."""
    parts = []
    for kind, words in KINDS.items():
        held = [
            t
            for t in CORTEX.has(owner).traits(kind).values()
            if (whole and not owner.gmc) or _is_news(kind, t)
        ]
        if not held:
            continue
        traits = ", ".join(f"{label_words(t.label, kind)} d{t.die}{_mark(t)}" for t in held)
        parts.append(f"{say(words.title)} {traits}" if words.is_headed else traits)
    return parts


def _is_news(kind: Kind, trait: Trait) -> bool:
    """Whether a trait is there since play, or is not as its sheet has it."""
    if kind is Kind.ASSET:
        return trait.die != trait.signature or bool(_mark(trait))
    return kind not in ON_SHEET or bool(_mark(trait))


def _points(character: Character) -> str:
    return say("{who}: {pp} PP", who=character.name, pp=CORTEX.has(character).pp)


def _mark(trait: Trait) -> str:
    """How a trait stands, where that is not as usual."""
    states = (
        (say("recovery tried"), trait.barred),
        (say("spent"), trait.spent),
        (say("for the session"), trait.lasts),
        (say("shut down"), trait.shut),
    )
    return "".join(f" ({state})" for state, is_so in states if is_so)
