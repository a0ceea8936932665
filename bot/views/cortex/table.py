"""The Cortex table: its lines, its views, and their buttons."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from bot.language import later, say, say_of
from bot.language.line import Text, joined, nothing, strong, together
from bot.language.said import width
from bot.views.card import MOST_IN_ROW, Button, Weight, led, mark
from bot.views.cortex import builder, challenge, contest, gm_pools, intro, opposition, roll_changes, scenes
from bot.views.cortex import sheet as cortex_sheet
from bot.views.cortex.challenge import challenge_buttons
from bot.views.cortex.gm_pools import (
    MOST_BUTTONS,
    challenge_words,
    foe_lines,
    gmc_line,
    off_line,
    pool_line,
    split_line,
)
from bot.views.cortex.labels import KINDS, label_words, rating, trait_words
from bot.views.cortex.roll import summed_up
from bot.views.cortex.sheet import below, gmc_lines, rank, sfx_lines, sheet
from bot.views.game import AtTable, GameOffers, Links, Since, View
from bot.views.labels import ROLLERS, listed, unrolled_dice
from bot.views.sheet import edit_button
from bot.views.table import one_of
from rules.campaign.seats import Actor, is_gm
from rules.cortex import gm_pools as cortex_gm_pools
from rules.cortex import pool
from rules.cortex.contest import may_answer
from rules.cortex.facts import (
    ActsAgainst,
    Called,
    GroupJoined,
    GroupSplit,
    NamedPoolChanged,
    PassedOver,
    PoolChanged,
    TurnCame,
)
from rules.cortex.gm_pools import DOOM
from rules.cortex.kinds import ON_SHEET, Foe, Target, Trait, TraitKind
from rules.cortex.model import CORTEX
from rules.cortex.points import dice as hero_dice
from rules.cortex.roll_status import resolve
from rules.cortex.trait_lookup import owners
from rules.cortex.traits import held, is_retired
from rules.facts import Fact, Seated
from rules.names import GM, key
from rules.table import Character, Table
from rules.text import OR
from rules.values import replace

_TWO_LINES = 80
"""So many characters take two lines of a phone."""


def doom_lines(table: Table) -> list[Text]:
    """Return the doom pool, or the line about the setting that turns it on."""
    if CORTEX.of(table).ruleset.doom:
        return [doom_line(table)]
    return [off_line(Foe.DOOM)]


def doom_line(table: Table) -> Text:
    """Return the doom pool as a line."""
    return pool_line(table, DOOM)


def points_lines(table: Table) -> list[Text]:
    """Return a line per character with their plot points."""
    lines = [strong(_points(c)) for c in table.in_play.values() if not c.gmc]
    lines += [strong(gm_points(table))] if CORTEX.of(table).ruleset.gm_pp else []
    return lines or [nothing(say("Nobody has any {plot_point.many} yet. Example: /pp give who:Alice"))]


def gm_points(table: Table) -> Text:
    """Return the GM's own plot points."""
    return say("{who}: {pp} {plot_point.short}", who=ROLLERS[GM], pp=CORTEX.of(table).gm_pp)


def trait_lines(table: Table, kinds: tuple[TraitKind, ...]) -> list[Text]:
    """Return all traits of these kinds, with their owners."""
    lines: list[Text] = [
        together(trait_words(owner.name, kind, trait), _mark(trait))
        for _, owner in owners(table)
        for kind in kinds
        for trait in CORTEX.has(owner).traits(kind).values()
    ]
    return lines or [
        nothing(say("No {things} yet.", things=listed([say(KINDS[kind].many) for kind in kinds], OR)))
    ]


def _pools(table: Table, before: Since) -> list[Text]:
    """The doom pool, if there are dice in it, and the crises, on one line where they are short."""
    here, was = CORTEX.of(table), CORTEX.of(before) if before else None
    found: list[Text] = []
    if here.ruleset.doom and here.doom:
        line = doom_line(table)
        found.append(line if was and was.doom == here.doom else strong(line))
    if here.ruleset.gm_pp:
        line = gm_points(table)
        found.append(strong(line) if was and was.gm_pp != here.gm_pp else line)
    for one, crisis in here.crises.items() if here.ruleset.crisis else ():
        line = pool_line(table, Target(Foe.CRISIS, one))
        found.append(strong(line) if was and was.crises.get(one) != crisis else line)
    line = joined(". ", found)
    return [line] if line and width(line) <= _TWO_LINES else found


def _there(table: Table, before: Since) -> list[Text]:
    """The pools, then what the GM has brought."""
    return [*_pools(table, before), *foe_lines(table, before)]


def _scenery(scenery: Character, before: Since) -> list[Text]:
    return _in_play(scenery, before.scenery if before else None, is_whole=True)


def _begins(character: Character, before: Since) -> Text:
    """A GMC with their rank and pool; else the plot points: `Rook: 1 PP`."""
    if character.gmc:
        return gmc_line(character, before)
    was = before.characters.get(key(character.name)) if before else None
    if was is None or CORTEX.has(was).pp != CORTEX.has(character).pp:
        return strong(_points(character))
    return _points(character, strong(character.name))


def _parts(table: Table, character: Character, before: Since) -> list[Text]:
    """What came in play: `Assets Lucky Scarf d6`, `Complications Burned d10, Trouble d6`."""
    own = CORTEX.has(character)
    was = before.characters.get(key(character.name), Character("")) if before else None
    had = CORTEX.has(was) if was else own
    out = _out(table, character) if own.is_taken_out else []
    hero: Text = say("{hero_die.Many} {dice}", dice=unrolled_dice(hero_dice(character))) if own.hero else ""
    return [
        *(map(strong, out) if not had.is_taken_out else out),
        *([strong(hero) if had.hero != own.hero else hero] if hero else []),
        *_in_play(character, was),
    ]


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


def _left_out(found: Character, come: Character) -> Text:
    """That points do not come along, where there are some."""
    has, own = CORTEX.has(come), CORTEX.has(found)
    if (own.pp, own.hero) == (has.pp, has.hero):
        return ""
    return say("{plot_point.Short} and {hero_die.many} aren't imported: only the {gm.one} can give them.")


def _left_behind(found: Table, then: Table) -> list[Text]:
    """Contests of another table."""
    contests = len(CORTEX.of(found).contests) - len(CORTEX.of(then).contests)
    return [say_of(contests, "{count} contest", "{count} contests")] if contests else []


def _next_for_gm(table: Table) -> list[Text]:
    return (
        [say("`/doom spend` offers what {doom_pool.short} dice can buy.")]
        if CORTEX.of(table).ruleset.doom
        else []
    )


def _has_sheet(character: Character) -> bool:
    own = CORTEX.has(character)
    return bool(own.sheet or own.distinctions)


def _known_by(character: Character) -> list[Text]:
    """The distinctions."""
    return [each.label for each in CORTEX.has(character).distinctions.values()]


def _best(character: Character) -> list[Text]:
    """The traits, the largest dice first: `Mind d10`."""
    rated = sorted((each for _, each in held(character)), key=lambda each: -each.die)
    return [f"{each.label} {pool.write(each)}" for each in rated]


def _helped(table: Table) -> dict[str, str]:
    """Return stress tracks, trait sets and names in play, each with the guide's word for it."""
    here = CORTEX.of(table)
    named = {each.name: "crisis" for each in here.crises.values()}
    named |= {each.name: "challenge" for each in here.challenges.values()}
    named |= {each.name: "gmc" for each in table.characters.values() if each.gmc}
    sets = dict.fromkeys(here.ruleset.trait_sets, "sheet")
    return {**sets, **dict.fromkeys(here.ruleset.stress, "stress"), **named}


def _in_play(owner: Character, was: Character | None, *, is_whole: bool = False) -> list[Text]:
    """What came in play, by kind: no sheet, but what of it is not as usual, or the whole with distinctions.

    Traits that `was`, as they were shown before, did not have so are emphasized.
    """
    own, parts = CORTEX.has(owner), []
    had = CORTEX.has(was) if was and was != owner else None
    for kind, words in KINDS.items():
        held = own.traits(kind)
        were = had.traits(kind) if had and held else held
        found: list[Text] = []
        for one, trait in held.items():
            if (is_whole and not owner.gmc) or _is_news(kind, trait):
                line = together(label_words(trait.label, kind), " ", rating(trait), _mark(trait))
                found.append(line if were.get(one) == trait else strong(line))
        if found:
            traits = joined(", ", found)
            parts.append(together(say(words.title), " ", traits) if words.is_headed else traits)
    return parts


def _is_news(kind: TraitKind, trait: Trait) -> bool:
    """Whether a trait is there since play, or is not as its sheet has it."""
    if kind is TraitKind.ASSET:
        return (trait.die, trait.more) != (trait.signature, trait.usual) or bool(_mark(trait))
    return kind not in ON_SHEET or bool(_mark(trait))


def _points(character: Character, name: Text = "") -> Text:
    who = name or character.name
    return say("{who}: {pp} {plot_point.short}", who=who, pp=CORTEX.has(character).pp)


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
    left_out=_left_out,
    left_behind=_left_behind,
    next_for_gm=_next_for_gm,
    has_sheet=_has_sheet,
    helped=_helped,
    known_by=_known_by,
    best=_best,
    sheet_hint=cortex_sheet.sheet_hint,
    unrated=cortex_sheet.unrated,
    help_lines=intro.HELP_LINES,
    intro=(intro.how_to_roll, intro.how_to_spend),
)
"""What Cortex shows."""


def roll_button(table: Table) -> tuple[Button, ...]:
    """Return the roll button below the table."""
    return (Button(say("Roll"), "rollnow", weight=Weight.MAIN),)


def sheet_buttons(table: Table, shown: Character, actor: Actor) -> tuple[Button, ...]:
    """Return the buttons below a sheet: `Edit` for those who may, `Roll` for its player."""
    edit = edit_button(table, shown)
    own = table.played_by(actor.id)
    if own is not None and own.name == shown.name:
        return edit, Button(say("Roll"), "rollnow", weight=Weight.MAIN)
    return (edit,) if is_gm(table, actor) else ()


def fact_rows(table: Table, facts: Sequence[Fact]) -> tuple[tuple[Button, ...], ...]:
    """Return the buttons below facts: roll against what is new, pass the turn."""
    here = CORTEX.of(table)
    buttons: list[Button] = []
    faced_now: list[Target] = []
    for fact in facts:
        if isinstance(fact, TurnCame | PassedOver | ActsAgainst):
            waiting = _buttons_there(table, fact.of)
            following = [] if fact.of else challenge.turn_buttons(table)
            buttons += challenge_buttons(table, waiting) if waiting else following
        elif isinstance(fact, GroupSplit | GroupJoined) and here.split:
            buttons.append(scenes.join_button(table))
        elif isinstance(fact, Seated):
            faced_now.append(Target(Foe.GMC, key(fact.who)))
        elif isinstance(fact, PoolChanged):
            is_faced = fact.pool.foe in (Foe.CRISIS, Foe.GMC)
            there = _buttons_there(table, fact.pool) if is_faced else None
            faced_now += [there] if there else []
    if faced_now:
        buttons += opposition.face_buttons(table, list(dict.fromkeys(faced_now)))
    gathered = [here.pools.get(key(fact.pool.name)) for fact in facts if isinstance(fact, NamedPoolChanged)]
    below = led(*two_rows(dict.fromkeys(buttons))) if buttons else ()
    return (*below, *(builder.shared_pool_buttons(each) for each in gathered if each and each.who))


def crisis_buttons(table: Table, actor: Actor | None) -> tuple[Button, ...]:
    """Return a `Roll against` button per crisis, as far as there is room."""
    here = CORTEX.of(table)
    return _faced(table, [Target(Foe.CRISIS, one) for one in here.crises] if here.ruleset.crisis else [])


def gmc_buttons(table: Table, actor: Actor | None) -> tuple[Button, ...]:
    """Return a `Roll against` button per GMC in the scene, as far as there is room."""
    there = [Target(Foe.GMC, k) for k, c in table.characters.items() if c.gmc and not c.away]
    return _faced(table, there)


def _faced(table: Table, found: Sequence[Target]) -> tuple[Button, ...]:
    return tuple(opposition.face_buttons(table, found[:MOST_BUTTONS], named=True))


def challenges_buttons(table: Table, actor: Actor | None) -> tuple[Button, ...]:
    """Return all buttons of the only challenge, or the most urgent button of each."""
    here = CORTEX.of(table)
    shown = here.challenges if here.ruleset.challenges else {}
    if len(shown) == 1:
        return tuple(challenge_buttons(table, Target(Foe.CHALLENGE, next(iter(shown))))[:MOST_BUTTONS])
    several = [_first_button(table, Target(Foe.CHALLENGE, one)) for one in shown]
    return tuple(button for button in several if button)[:MOST_BUTTONS]


def one_challenge(table: Table, sign: str) -> tuple[list[Text], tuple[Button, ...]] | None:
    """Return a challenge as lines, and its buttons, by the sign of its name; None if it is over."""
    for one, running in CORTEX.of(table).challenges.items():
        if mark(running.name) == sign:
            buttons = challenge_buttons(table, Target(Foe.CHALLENGE, one))
            return challenge_words(table, running), tuple(buttons[:MOST_BUTTONS])
    return None


def contest_buttons(table: Table, actor: Actor | None) -> tuple[Button, ...]:
    """Return the buttons of open contests; for one person, of those that they may answer."""
    going = {n: c for n, c in CORTEX.of(table).contests.items() if not c.closing}
    mine = [n for n, c in going.items() if actor is None or may_answer(table, actor, c.waiting)]
    return tuple(button for n in mine for button in contest.named_buttons(n, going[n]))[:MOST_BUTTONS]


def turn_buttons(table: Table, actor: Actor | None) -> tuple[Button, ...]:
    """Return the buttons of the turn order."""
    return tuple(challenge.turn_buttons(table)[:MOST_BUTTONS])


def _first_button(table: Table, pool: Target) -> Button | None:
    """What a challenge waits for most, with its name: a roll, its act, or a reaction to it."""
    found = challenge_buttons(table, pool)
    name = CORTEX.of(table).challenges[pool.key].name
    return replace(found[0], label=together(found[0].label, " (", name, ")")) if found else None


def two_rows(buttons: Iterable[Button]) -> tuple[tuple[Button, ...], ...]:
    """Arrange the first ten buttons in two rows."""
    all_of = list(buttons)
    return tuple(tuple(all_of[n : n + MOST_IN_ROW]) for n in range(0, min(len(all_of), 10), MOST_IN_ROW))


def _buttons_there(table: Table, called: Called | None) -> Target | None:
    """The crisis or challenge that a fact tells of, if it is still there."""
    pool = Target(called.foe, key(called.name)) if called else None
    is_local = pool is not None and pool.foe in (Foe.CRISIS, Foe.CHALLENGE, Foe.GMC)
    return pool if pool is not None and is_local and cortex_gm_pools.is_there(table, pool) else None


NO_CONTEST = later("There are no contests yet. Example: /contest start dice:2d8 d6 against:Rex")
_SHEET = "character"


def _of_traits(view: str) -> View:
    """All traits of the kinds that a view lists."""
    kinds = tuple(kind for kind, words in KINDS.items() if words.view == view)
    return View(lambda table, links: trait_lines(table, kinds))


def _of(lines: Callable[[Table], list[Text]]) -> Callable[[Table, Links], list[Text]]:
    return lambda table, links: lines(table)


def _contests(table: Table) -> list[Text]:
    return gm_pools.contest_lines(table) or [nothing(say(NO_CONTEST))]


def challenge_view(table: Table, name: str | None) -> str:
    """Return the name of the view of all challenges, or of one. Raises Unknown or Ambiguous."""
    if name is None:
        return "challenge"
    found = cortex_gm_pools.find_pool(table, Foe.CHALLENGE, name)
    return one_of("challenge", CORTEX.of(table).challenges[found.key].name)


VIEWS: Mapping[str, View] = {
    **{words.view: _of_traits(words.view) for words in KINDS.values() if words.view != _SHEET},
    "doom": View(_of(doom_lines)),
    "pp": View(_of(points_lines)),
    "crisis": View(_of(gm_pools.crisis_lines), crisis_buttons),
    "challenge": View(_of(gm_pools.challenge_lines), challenges_buttons, one_challenge),
    "gmc": View(_of(gmc_lines), gmc_buttons),
    "hero": View(_of(gm_pools.hero_lines)),
    "contest": View(_of(_contests), contest_buttons),
    "turn": View(_of(gm_pools.turn_lines), turn_buttons),
    "pool": View(_of(gm_pools.pool_lines)),
    "sfx": View(_of(sfx_lines), cortex_sheet.templates_button),
}
"""The views of Cortex by their short names."""
OFFERS = GameOffers(
    rolls=roll_button,
    unseen=roll_changes.named_buttons,
    sheet=sheet_buttons,
    players=("roll", "asset add", "pp spend"),
    gms=("doom add", "comp add"),
    scene_fields=scenes.scene_fields,
    view_of=challenge.view_of,
    passed_over=challenge.passed_over,
)
"""What Cortex offers below the table, a sheet, and what is late."""
