"""Plot points and XP: earned, spent, never below zero (P1 to P3)."""

from rules.campaign.seats import Actor, is_gm, owner_of, require_character, require_gm, seated, several
from rules.cortex.facts import PointsChanged, Why, XpChanged, note_why
from rules.cortex.model import CORTEX, MOST_XP
from rules.custom_terms import is_meant
from rules.errors import NotAllowed, SettingOff
from rules.facts import Fact
from rules.game import Step
from rules.names import GM, key, remark
from rules.table import Character, Table
from rules.terms import Term
from rules.text import Words
from rules.values import replace

MOST = 999
"""Nobody holds more plot points than this."""


def check_number(number: int, least: int = 1) -> None:
    """Refuse a number of plot points that makes no sense."""
    if not least <= number <= MOST:
        raise NotAllowed(
            "You can't choose {number} {plot_point.short}. Choose {least} to {most}.",
            number=number,
            least=least,
            most=MOST,
        )


def pay_points(table: Table, who: str, number: int, why: Why | None = None) -> Step:
    """Take PP from a character. Raises NotAllowed when they have too few (P1)."""
    character = table.characters[who]
    own = CORTEX.has(character)
    if own.pp < number:
        if not own.pp:
            raise NotAllowed(
                "That costs {number} {plot_point.short}; {character} has none. The {gm.one} can give "
                "some: /pp give",
                character=character.name,
                number=number,
            )
        raise NotAllowed(
            "That costs {number} {plot_point.short}; {character} has {pp}. The {gm.one} can give more: "
            "/pp give",
            character=character.name,
            pp=own.pp,
            number=number,
        )
    return _with_points(table, who, character, own.pp - number, why)


def earn_points(table: Table, who: str, number: int, why: Why | None = None) -> Step:
    """Give PP to a character (P1)."""
    character = table.characters[who]
    own = CORTEX.has(character)
    _check_holds_points(character)
    if own.pp + number > MOST:
        raise NotAllowed(
            "{character} has {pp} {plot_point.short}; the limit is {most}.",
            character=character.name,
            pp=own.pp,
            most=MOST,
        )
    return _with_points(table, who, character, own.pp + number, why)


def give_points(table: Table, actor: Actor, who: str, number: int = 1, why: str = "") -> Step:
    """The GM gives PP to one character, several or all (P1)."""
    _require_giver(table, actor)
    check_number(number)
    if is_gms(table, actor, who):
        return gm_earned(table, number, note_why(why))
    table, keys = several(table, actor, who)
    return _each(table, keys, number, note_why(why))


def give_to_player(table: Table, actor: Actor, player: Actor) -> Step:
    """The GM gives one PP to whoever that person plays (P1)."""
    _require_giver(table, actor)
    table, who = seated(table, player)
    return earn_points(table, who, 1)


def _require_giver(table: Table, actor: Actor) -> None:
    """Refuse anybody but the GM; players who may give their own PP away are told how."""
    if CORTEX.of(table).ruleset.players_give_pp and not is_gm(table, actor):
        raise NotAllowed("Only the {gm.one} can give new {plot_point.short}. To give away yours: /pp move")
    require_gm(table, actor, Words("give {plot_point.short}"))


def spend_points(table: Table, actor: Actor, number: int = 1, why: str = "", who: str | None = None) -> Step:
    """Spend PP of one's own character (P2)."""
    check_number(number)
    if is_gms(table, actor, who):
        require_gm(table, actor, Words("spend the {gm.one}'s {plot_point.short}"))
        return gm_paid(table, number, note_why(why))
    table, spender = owner_of(table, actor, who, scene=False, new=False)
    require_character(table, actor, table.characters[spender], Words("spend {plot_point.short}"))
    return pay_points(table, spender, number, note_why(why))


def set_points(table: Table, actor: Actor, who: str, number: int) -> Step:
    """The GM sets the PP of one character, several or all."""
    require_gm(table, actor, Words("set {plot_point.short}"))
    check_number(number, least=0)
    if is_gms(table, actor, who):
        return _gm_changed(table, number, None)
    table, keys = several(table, actor, who)
    facts: list[Fact] = []
    for one in keys:
        _check_holds_points(table.characters[one])
        step = _with_points(table, one, table.characters[one], number, None)
        table, facts = step.table, [*facts, *step.facts]
    return Step(table, tuple(facts))


def move_points(table: Table, actor: Actor, to: str, number: int = 1, who: str | None = None) -> Step:
    """The GM moves PP from one character to another, or where the setting says so a player their own (P3)."""
    if not CORTEX.of(table).ruleset.players_give_pp:
        require_gm(table, actor, Words("move {plot_point.short} between players"))
    check_number(number)
    if not (who and who.strip()) and table.played_by(actor.id) is None:
        raise NotAllowed("You don't play a character at this table. Name the character who is giving.")
    table, giver = owner_of(table, actor, who, scene=False, new=False)
    require_character(table, actor, table.characters[giver], Words("give away {plot_point.short}"))
    table, takers = several(table, actor, to)
    if len(takers) != 1 or takers[0] == giver:
        raise NotAllowed("Choose one other character to give {plot_point.short} to.")
    first = pay_points(table, giver, number)
    return first.then(earn_points(first.table, takers[0], number))


def is_gms(table: Table, actor: Actor, who: str | None) -> bool:
    """Whether the GM's own PP are meant. Raises NotAllowed where the GM has none, and Undecided (N1)."""
    if not who:
        return False
    word, own = key(who.strip()), table.settings.words
    if word != key(GM) and not (
        own and is_meant(table, Term.GM, who, actor.agreed, is_name=word in table.characters)
    ):
        return False
    if not CORTEX.of(table).ruleset.gm_pp:
        raise SettingOff("The {gm.one} has no {plot_point.short} in this campaign.", setting="GM's PP")
    return True


def gm_earned(table: Table, number: int, why: Why | None = None) -> Step:
    """The GM gets PP, MOST at most."""
    return _gm_changed(table, min(CORTEX.of(table).gm_pp + number, MOST), why)


def gm_paid(table: Table, number: int, why: Why | None = None) -> Step:
    """The GM pays PP. Raises NotAllowed when there are too few."""
    here = CORTEX.of(table)
    if here.gm_pp < number:
        raise NotAllowed(
            "That costs {number} {plot_point.short}; the {gm.one} has {pp}. Example: /pp give who:GM",
            pp=here.gm_pp,
            number=number,
        )
    return _gm_changed(table, here.gm_pp - number, why)


def _gm_changed(table: Table, points: int, why: Why | None) -> Step:
    here = CORTEX.of(table)
    return Step(CORTEX.put(table, replace(here, gm_pp=points)), (PointsChanged(GM, here.gm_pp, points, why),))


def _check_holds_points(character: Character) -> None:
    """Refuse a GMC, who has no PP (P1)."""
    if character.gmc:
        raise NotAllowed(
            "{character} is {gmc.a} and has no {plot_point.short}. The {gm.one} pays with "
            "{doom_pool.short} dice.",
            character=character.name,
        )


def _each(table: Table, keys: tuple[str, ...], number: int, why: Why | None) -> Step:
    step = Step(table, ())
    for one in keys:
        step = step.then(earn_points(step.table, one, number, why))
    return step


def _with_points(table: Table, who: str, character: Character, points: int, why: Why | None) -> Step:
    own = CORTEX.has(character)
    after = table.with_owner(who, CORTEX.give(character, replace(own, pp=points)))
    return Step(after, (PointsChanged(character.name, own.pp, points, why),))


def give_xp(table: Table, actor: Actor, who: str, number: int = 1, why: str = "") -> Step:
    """The GM gives XP to one character, several or all."""
    require_gm(table, actor, Words("give XP"))
    check_number(number)
    table, keys = several(table, actor, who)
    step = Step(table, ())
    for one in keys:
        step = step.then(_with_xp(step.table, one, number, remark(why)))
    return step


def spend_xp(table: Table, actor: Actor, number: int = 1, why: str = "", who: str | None = None) -> Step:
    """Spend XP of one's own character. Raises NotAllowed where there are too few."""
    check_number(number)
    table, spender = owner_of(table, actor, who, scene=False, new=False)
    character = table.characters[spender]
    own = CORTEX.has(character)
    require_character(table, actor, character, Words("spend XP"))
    if own.xp < number:
        raise NotAllowed(
            "That costs {number} XP; {character} has {xp}.",
            character=character.name,
            xp=own.xp,
            number=number,
        )
    return _with_xp(table, spender, -number, remark(why))


def _with_xp(table: Table, who: str, by: int, why: str) -> Step:
    character = table.characters[who]
    own = CORTEX.has(character)
    after = own.xp + by
    if after > MOST_XP:
        raise NotAllowed(
            "{character} has {xp} XP; the limit is {most}.",
            character=character.name,
            xp=own.xp,
            most=MOST_XP,
        )
    fact = XpChanged(character.name, own.xp, after, why)
    return Step(table.with_owner(who, CORTEX.give(character, replace(own, xp=after))), (fact,))
