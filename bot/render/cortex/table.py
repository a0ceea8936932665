"""What lies at a table of Cortex, in words: every trait, pool and plot point."""

from bot.language import say, say_of
from bot.language.line import Text, joined, nothing, strong, together
from bot.language.said import width
from bot.render.at_table import AtTable
from bot.render.cortex.foes import foe_lines, gmc_line, pool_line, split_line, without
from bot.render.cortex.kinds import KINDS
from bot.render.cortex.parts import label_words, trait_words
from bot.render.cortex.roll import summed_up
from bot.render.cortex.sheet import below, rank, sheet, xp_lines
from bot.render.parts import ROLLERS, listed, sizes
from rules.cortex import pool
from rules.cortex.gm_pools import DOOM
from rules.cortex.hero import dice as hero_dice
from rules.cortex.kinds import ON_SHEET, Foe, Target, Trait, TraitKind
from rules.cortex.model import CORTEX
from rules.cortex.roll_status import resolve
from rules.cortex.trait_lookup import owners
from rules.cortex.traits import is_retired
from rules.names import GM
from rules.table import Character, Table
from rules.text import OR

_TWO_LINES = 80
"""So many characters take two lines of a phone."""


def doom_lines(table: Table) -> list[Text]:
    """The doom pool, or the setting that turns it on."""
    if CORTEX.of(table).ruleset.doom:
        return [doom_line(table)]
    return [without(Foe.DOOM)]


def doom_line(table: Table) -> Text:
    """The doom pool."""
    return pool_line(table, DOOM)


def points_lines(table: Table) -> list[Text]:
    """Everybody's plot points."""
    lines = [strong(_points(c)) for c in table.characters.values() if not c.gmc]
    lines += [gm_points(table)] if CORTEX.of(table).ruleset.gm_pp else []
    return lines or [nothing(say("Nobody has any {plot_point.many} yet. Example: /pp give who:Alice"))]


def gm_points(table: Table) -> Text:
    """The GM's own plot points."""
    return say("{who}: {pp} {plot_point.short}", who=ROLLERS[GM], pp=strong(str(CORTEX.of(table).gm_pp)))


def trait_lines(table: Table, kinds: tuple[TraitKind, ...]) -> list[Text]:
    """All traits of some kinds, with their owners."""
    lines: list[Text] = [
        together(trait_words(owner.name, kind, trait), _mark(trait))
        for _, owner in owners(table)
        for kind in kinds
        for trait in CORTEX.has(owner).traits(kind).values()
    ]
    return lines or [
        nothing(say("No {things} yet.", things=listed([say(KINDS[kind].many) for kind in kinds], OR)))
    ]


def _pools(table: Table) -> list[Text]:
    """The doom pool, if there are dice in it, and the crises, on one line where they are short."""
    here = CORTEX.of(table)
    doom = [strong(doom_line(table))] if here.ruleset.doom and here.doom else []
    crises = [pool_line(table, Target(Foe.CRISIS, one)) for one in here.crises]
    gm = [gm_points(table)] if here.ruleset.gm_pp else []
    found = [*doom, *gm, *(crises if here.ruleset.crisis else [])]
    line = joined(". ", found)
    return [line] if line and width(line) <= _TWO_LINES else found


def _there(table: Table) -> list[Text]:
    """The pools, then what the GM has brought."""
    return [*_pools(table), *foe_lines(table)]


def _scenery(scenery: Character) -> list[Text]:
    return _in_play(scenery, whole=True)


def _begins(character: Character) -> Text:
    """A GMC with their rank and pool; else the plot points: `Rook: 1 PP`."""
    return gmc_line(character) if character.gmc else strong(_points(character))


def _parts(table: Table, character: Character) -> list[Text]:
    """What came in play: `Assets Lucky Scarf d6`, `Complications Burned d10, Trouble d6`."""
    own = CORTEX.has(character)
    out = _out(table, character) if own.is_taken_out else []
    hero = [say("{hero_die.Many} {dice}", dice=sizes(hero_dice(character)))] if own.hero else []
    return [*out, *hero, *_in_play(character)]


def _out(table: Table, character: Character) -> list[Text]:
    """That they are taken out, or out for good (C4, N4)."""
    if is_retired(table, character):
        return [say("{who} is out for good (retired)", who=character.name)]
    return [say("{who} is taken out", who=character.name)]


def _unseen(table: Table) -> list[Text]:
    """Rolls that the GM made in secret (R9)."""
    return [
        say("Hidden roll {number}: {roll}", number=number, roll=summed_up(resolve(table, made)))
        for number, made in CORTEX.of(table).hidden.items()
    ]


def _earned(table: Table) -> list[Text]:
    """Everybody's XP."""
    return xp_lines(table) if any(CORTEX.has(each).xp for each in table.characters.values()) else []


def _left_out(found: Character, come: Character) -> Text:
    """That points do not come along, where there are some."""
    has, own = CORTEX.has(come), CORTEX.has(found)
    if (own.pp, own.xp, own.hero) == (has.pp, has.xp, has.hero):
        return ""
    return say("{plot_point.Short}, XP and {hero_die.many} aren't imported: only the {gm.one} can give them.")


def _left_behind(found: Table, then: Table) -> list[Text]:
    """Contests of another table."""
    contests = len(CORTEX.of(found).contests) - len(CORTEX.of(then).contests)
    return [say_of(contests, "{count} contest", "{count} contests")] if contests else []


def _next_for_gm(table: Table) -> list[Text]:
    return (
        [say("`/doom spend` lists what {doom_pool.short} dice can buy.")]
        if CORTEX.of(table).ruleset.doom
        else []
    )


def _has_sheet(character: Character) -> bool:
    own = CORTEX.has(character)
    return bool(own.sheet or own.distinctions)


def _helped(table: Table) -> dict[str, str]:
    """Return stress tracks, trait sets and names in play, each with the guide's word for it."""
    here = CORTEX.of(table)
    named = {each.name: "crisis" for each in here.crises.values()}
    named |= {each.name: "challenge" for each in here.challenges.values()}
    named |= {each.name: "gmc" for each in table.characters.values() if each.gmc}
    sets = dict.fromkeys(here.ruleset.trait_sets, "sheet")
    return {**sets, **dict.fromkeys(here.ruleset.stress, "stress"), **named}


def _in_play(owner: Character, *, whole: bool = False) -> list[Text]:
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
        traits = joined(
            ", ", (together(label_words(t.label, kind), " ", pool.write(t), _mark(t)) for t in held)
        )
        parts.append(together(say(words.title), " ", traits) if words.is_headed else traits)
    return parts


def _is_news(kind: TraitKind, trait: Trait) -> bool:
    """Whether a trait is there since play, or is not as its sheet has it."""
    if kind is TraitKind.ASSET:
        return (trait.die, trait.more) != (trait.signature, trait.usual) or bool(_mark(trait))
    return kind not in ON_SHEET or bool(_mark(trait))


def _points(character: Character) -> Text:
    return say("{who}: {pp} {plot_point.short}", who=character.name, pp=CORTEX.has(character).pp)


def _mark(trait: Trait) -> Text:
    """How a trait stands, where that is not as usual."""
    states = (
        (say("recovery tried"), trait.barred),
        (say("spent"), trait.spent),
        (say("for the {session.one}"), trait.lasts),
        (say("shut down"), trait.shut),
    )
    return joined("", (together(" (", state, ")") for state, is_so in states if is_so))


AT_TABLE = AtTable(
    pools=_there,
    scene=_scenery,
    below_scene=split_line,
    begins=_begins,
    retired=is_retired,
    parts=_parts,
    unseen=_unseen,
    rank=rank,
    sheet=sheet,
    below_sheet=below,
    earned=_earned,
    left_out=_left_out,
    left_behind=_left_behind,
    next_for_gm=_next_for_gm,
    has_sheet=_has_sheet,
    helped=_helped,
)
"""What Cortex shows."""
