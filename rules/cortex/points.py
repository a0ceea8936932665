"""Plot points and hero dice, which never fall below zero (P1 to P3, Z1, Z2)."""

from rules.campaign.seats import Actor, is_gm, owner_of, require_character, require_gm, several
from rules.cortex import gm_pools
from rules.cortex.facts import Change, HeroDiceChanged, PointsChanged, RollChanged, Why, note_why
from rules.cortex.kinds import Result
from rules.cortex.model import CORTEX, Hand, Roll, ladder
from rules.cortex.outcome import Outcome
from rules.cortex.roll_status import is_decided, require_stands, resolve, rules_of
from rules.cortex.ruleset import MOST_PP
from rules.cortex.tokens import one_die
from rules.custom_terms import is_meant
from rules.dice import held_words
from rules.errors import Closed, NotAllowed, SettingOff, TooLate
from rules.facts import Fact
from rules.game import Step
from rules.names import GM, fold, get_named, key
from rules.table import Character, Table
from rules.terms import Term
from rules.text import Words
from rules.values import replace


def check_number(number: int, least: int = 1) -> None:
    """Check a number of plot points. Raises NotAllowed if it is below `least` or above the maximum."""
    if not least <= number <= MOST_PP:
        raise NotAllowed(
            "You can't choose {number} {plot_point.short}. Choose {least} to {most}.",
            number=number,
            least=least,
            most=MOST_PP,
        )


def pay_points(table: Table, who: str, number: int, why: Why | None = None) -> Step:
    """Take PP from a character. Raises NotAllowed if they have too few (P1)."""
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
    """Give PP to a character. Raises NotAllowed if they would have too many (P1)."""
    character = table.characters[who]
    own = CORTEX.has(character)
    _check_holds_points(character)
    if own.pp + number > MOST_PP:
        raise NotAllowed(
            "{character} has {pp} {plot_point.short}; the limit is {most}.",
            character=character.name,
            pp=own.pp,
            most=MOST_PP,
        )
    return _with_points(table, who, character, own.pp + number, why)


def give_points(table: Table, actor: Actor, who: str, number: int = 1, why: str = "") -> Step:
    """Give PP to one character, several or all, as the GM (P1)."""
    _require_giver(table, actor)
    check_number(number)
    if is_gms(table, actor, who):
        return gm_earned(table, number, note_why(why))
    table, keys = several(table, actor, who)
    return _each(table, keys, number, note_why(why))


def give_to_player(table: Table, actor: Actor, player: Actor) -> Step:
    """Give 1 PP to the character that this person plays, as the GM (P1).

    Raises NotAllowed if they play none.
    """
    _require_giver(table, actor)
    if (own := table.played_by(player.id)) is None:
        raise NotAllowed(
            "{player} doesn't play a character here yet. They can take one: /character play",
            player=player.name,
        )
    return earn_points(table, key(own.name), 1)


def _require_giver(table: Table, actor: Actor) -> None:
    """Refuse anybody but the GM; players who may give their own PP away are told how."""
    if CORTEX.of(table).ruleset.players_give_pp and not is_gm(table, actor):
        raise NotAllowed("Only the {gm.one} can give new {plot_point.short}. To give away yours: /pp move")
    require_gm(table, actor, Words("give {plot_point.short}"))


def spend_points(table: Table, actor: Actor, number: int = 1, why: str = "", who: str | None = None) -> Step:
    """Spend PP of the caller's character (P2)."""
    check_number(number)
    if is_gms(table, actor, who):
        require_gm(table, actor, Words("spend the {gm.one}'s {plot_point.short}"))
        return gm_paid(table, number, note_why(why))
    table, spender = owner_of(table, actor, who, scene=False, new=False)
    require_character(table, actor, table.characters[spender], Words("spend {plot_point.short}"))
    return pay_points(table, spender, number, note_why(why))


def set_points(table: Table, actor: Actor, who: str, number: int) -> Step:
    """Set the PP of one character, several or all, as the GM."""
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
    """Move PP from one character to another, as the GM, or as a player if the settings say so (P3).

    Raises NotAllowed if the caller may not, or if both are the same character.
    """
    if not CORTEX.of(table).ruleset.players_give_pp:
        require_gm(table, actor, Words("move {plot_point.short} between players"))
    check_number(number)
    if not (who and who.strip()) and table.played_by(actor.id) is None:
        raise NotAllowed("You don't play a character at this table. Name the character who is giving.")
    table, giver = owner_of(table, actor, who, scene=False, new=False)
    require_character(table, actor, table.characters[giver], Words("give away {plot_point.short}"))
    table, taker = owner_of(table, actor, to, scene=False)
    if taker == giver:
        raise NotAllowed("Choose one other character to give {plot_point.short} to.")
    first = pay_points(table, giver, number)
    return first.then(earn_points(first.table, taker, number))


def is_gms(table: Table, actor: Actor, who: str | None) -> bool:
    """Return whether a name means the GM's own PP (N1).

    Raises SettingOff if the GM has no PP in this campaign; Undecided if the name could be a character's.
    """
    if not who:
        return False
    is_name = get_named(table.characters, who) is not None
    if fold(who) != fold(GM) and not (
        table.settings.words and is_meant(table, Term.GM, who, actor.agreed, is_name=is_name)
    ):
        return False
    if not CORTEX.of(table).ruleset.gm_pp:
        raise SettingOff("The {gm.one} has no {plot_point.short} in this campaign.", setting="GM's PP")
    return True


def gm_earned(table: Table, number: int, why: Why | None = None) -> Step:
    """Give PP to the GM, up to the maximum."""
    return _gm_changed(table, min(CORTEX.of(table).gm_pp + number, MOST_PP), why)


def gm_paid(table: Table, number: int, why: Why | None = None) -> Step:
    """Take PP from the GM. Raises NotAllowed if there are too few."""
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


MOST_DICE = 30
"""Nobody holds more hero dice than this."""


def dice(character: Character) -> tuple[int, ...]:
    """Return the sizes of a character's hero dice, smallest first."""
    return tuple(size for size, count in sorted(CORTEX.has(character).hero.items()) for _ in range(count))


def require_on(table: Table) -> None:
    """Check that the campaign has hero dice. Raises SettingOff if it hasn't."""
    if not CORTEX.of(table).ruleset.has_hero_dice:
        raise off()


def off() -> SettingOff:
    """Return the refusal for campaigns without hero dice."""
    return SettingOff(
        "{hero_die.Many} are off in this campaign.", setting="heroic success", value="hero dice and effect"
    )


def give(table: Table, actor: Actor, who: str, die: str) -> Step:
    """Give a hero die to one character, several or all, as the GM (Z1).

    Raises NotAllowed if a character can't have one.
    """
    require_gm(table, actor, Words("give {hero_die.many}"))
    require_on(table)
    size = one_die(die, ladder(table))
    table, keys = several(table, actor, who)
    step = Step(table, ())
    for one in keys:
        character = table.characters[one]
        if character.gmc:
            raise NotAllowed(
                "{character} is {gmc.a}, but {hero_die.many} are only for players' characters.",
                character=character.name,
            )
        step = step.then(gained(step.table, one, size))
    return step


def gained(table: Table, who: str, size: int) -> Step:
    """Give a character a hero die. Raises NotAllowed if they have as many as they can."""
    character = table.characters[who]
    if sum(CORTEX.has(character).hero.values()) >= MOST_DICE:
        raise NotAllowed(
            "{character} already has {most_dice} {hero_die.many}, which is the limit.",
            character=character.name,
            most_dice=MOST_DICE,
        )
    return _with(table, who, (*dice(character), size), Change.ADDED, size)


def spent(table: Table, who: str, size: int) -> Step:
    """Take a hero die from a character. Raises NotAllowed if they have none of that size (Z2)."""
    character = table.characters[who]
    held = list(dice(character))
    if size not in held:
        raise NotAllowed(
            "{character} doesn't have a hero d{size}. {hero_die.Many} available: {held}.",
            character=character.name,
            size=size,
            held=held_words(held),
        )
    return _taken(table, who, size, Change.USED)


def _taken(table: Table, who: str, size: int, change: Change) -> Step:
    held = list(dice(table.characters[who]))
    held.remove(size)
    return _with(table, who, tuple(held), change, size)


def bank(table: Table, actor: Actor, number: int) -> Step:
    """Bank the hero die of a heroic success, to use from the next roll on (Z1).

    Raises TooLate if the roll is closed, or has no hero die left to bank.
    """
    roll = CORTEX.of(table).rolls.get(number)
    if roll is None:
        raise Closed("That roll is closed, and its {hero_die.one} has been banked.")
    require_stands(table, roll)
    came = resolve(table, roll)
    if not bankable(table, came):
        raise TooLate("That roll has no {hero_die.one} to bank, or it has already been banked.")
    require_character(table, actor, table.characters[_winner(came)], Words("bank {hero_die.a}"))
    step, fresh = banked(table, roll), replace(roll, banked=True, banked_die=bankable(table, came))
    after = CORTEX.put(
        step.table, replace(CORTEX.of(step.table), rolls={**CORTEX.of(step.table).rolls, number: fresh})
    )
    return Step(after, (*step.facts, RollChanged(fresh)))


def banked(table: Table, roll: Roll) -> Step:
    """Give the hero die of a heroic success against dice, unless it has been banked already (Z1)."""
    if roll.banked or not rules_of(table, roll).banks_hero_dice:  # asked of each roll that a scene closes
        return Step(table, ())
    came = resolve(table, roll)
    size = bankable(table, came)
    return gained(table, _winner(came), size) if size else Step(table, ())


def bankable(table: Table, came: Outcome) -> int:
    """Return the size of the hero die that a roll has yet to bank; 0 for none (Z1)."""
    roll, earned = came.roll, _earned(came)
    is_open = bool(roll.contest) and not is_decided(table, roll)
    if roll.banked or earned is None or is_open:
        return 0
    character = table.characters.get(key(earned[0]))
    if character is None or character.gmc or sum(CORTEX.has(character).hero.values()) >= MOST_DICE:
        return 0
    return earned[1]


def usable(table: Table, roll: Roll) -> tuple[int, ...]:
    """Return the hero dice that the roller may use on a roll: all but the one it banked itself (Z1, Z2)."""
    character = table.characters.get(key(roll.who))
    held = [] if character is None else list(dice(character))
    own = _earned(resolve(table, roll)) if roll.banked else None
    size = 0 if own is None else roll.banked_die or own[1]
    if own is not None and key(own[0]) == key(roll.who) and size in held:
        held.remove(size)
    return tuple(held)


def unbank(table: Table, roll: Roll) -> tuple[Step, Roll]:
    """Return the step that takes back a banked hero die, and the roll, if it is heroic no longer (Z1).

    A die that is spent already stays spent, and the roll banks no other.
    """
    own, now = _earned(resolve(table, CORTEX.of(table).rolls[roll.number])), _earned(resolve(table, roll))
    if own is None or (now is not None and now[0] == own[0]):
        return Step(table, ()), roll
    who, size = key(own[0]), roll.banked_die or own[1]
    if who not in table.characters:
        return Step(table, ()), roll
    if size not in (held := dice(table.characters[who])):
        return _with(table, who, held, Change.STAYS_SPENT, size), roll
    return _taken(table, who, size, Change.UNEARNED), replace(roll, banked=False, banked_die=0)


def require_earned(table: Table, roll: Roll) -> None:
    """Check that a roll whose hero die is banked is still a heroic success (Z1).

    Raises NotAllowed if another choice of dice makes it none.
    """
    if roll.banked and not is_earned(table, roll):
        raise NotAllowed(
            "That roll has already banked its {hero_die.one}, but this choice isn't a heroic success. "
            "To take the die back: /undo"
        )


def is_earned(table: Table, roll: Roll) -> bool:
    """Return whether a roll earns its roller, or the winner of its contest, a hero die (Z1)."""
    return _earned(resolve(table, roll)) is not None


def _winner(came: Outcome) -> str:
    """The key of who banks the hero die of a roll."""
    earned = _earned(came)
    return key(earned[0]) if earned else ""


def _earned(came: Outcome) -> tuple[str, int] | None:
    """Who banks a hero die for a roll, and of which size (Z1); the winner of a contest may (T4)."""
    roll, how, against = came.roll, came.verdict, came.roll.against
    if not came.rules.banks_hero_dice or how is None or against is None or against.hand is None:
        return None
    who, beaten = roll.who, against.hand
    if roll.contest and came.is_failed and -how.margin >= roll.margin:
        who, beaten = against.label, roll.hand
    elif how.result is not Result.HEROIC or roll.gm:
        return None
    size = _highest(beaten)
    return (who, size) if size else None


def _highest(hand: Hand) -> int:
    """The size of the die that rolled highest, the larger where they tie (Z1); 0 where none is left."""
    return max(((die.face, die.size) for die in hand.dice if not die.removed), default=(0, 0))[1]


def _with(table: Table, who: str, sizes: tuple[int, ...], change: Change, die: int) -> Step:
    character = table.characters[who]
    fresh = CORTEX.give(character, replace(CORTEX.has(character), hero=gm_pools.count_sizes(sizes)))
    return Step(table.with_owner(who, fresh), (HeroDiceChanged(character.name, sizes, change, die),))
