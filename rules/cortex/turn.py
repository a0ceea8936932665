"""Turn order: hand on the turn, skip somebody, and act out of turn (L2, M5)."""

from collections.abc import Callable, Iterable
from zlib import crc32

from rules.campaign.seats import Actor, find_character, find_characters, is_gm, require_gm
from rules.cortex.facts import OrderEnded, PassedOver, TurnCame
from rules.cortex.kinds import Foe
from rules.cortex.model import CORTEX, Roll, TurnOrder
from rules.errors import NotAllowed, OptionNeeded, TooLate
from rules.game import Step
from rules.names import key, shortened
from rules.table import Table
from rules.text import Row, Words
from rules.values import replace


def members(table: Table, order: TurnOrder, *, gmcs: bool) -> list[str]:
    """Return who takes turns: players' characters who can act, and with `gmcs` the GMCs in the scene.

    If nobody plays any character, all of them count. Absent or taken-out characters are skipped (L2).
    """
    is_played = any(character.player for character in table.characters.values() if not character.gmc)
    return [
        who
        for who, character in table.characters.items()
        if who not in order.absent
        and not CORTEX.has(character).is_taken_out
        and ((gmcs and not character.away) if character.gmc else (bool(character.player) or not is_played))
    ]


def left(table: Table, order: TurnOrder, *, gmcs: bool) -> list[str]:
    """Return who has yet to act in this round, without whoever's turn it is."""
    return [who for who in members(table, order, gmcs=gmcs) if who not in order.acted and who != order.turn]


def stamp(order: TurnOrder) -> str:
    """Return a short text that identifies the current turn, so that buttons of earlier turns can be refused.

    >>> stamp(TurnOrder("alice")) == stamp(handed(TurnOrder("alice"), "bob"))
    False
    """
    # Short, since buttons carry it: a name alone could fill their ids.
    return f"{order.round}.{crc32(order.turn.encode()):08x}"


def taken(order: TurnOrder, who: str) -> TurnOrder:
    """Return the order with somebody taking their turn; it remains theirs until they hand it on.

    >>> taken(TurnOrder(), "alice").acted
    ('alice',)
    """
    return replace(order, turn=who, acted=_once(order.acted, who))


def handed(order: TurnOrder, who: str) -> TurnOrder:
    """Return the order with the turn handed on to somebody.

    >>> order = handed(TurnOrder("alice"), "bob")
    >>> order.turn, order.acted
    ('bob', ('alice',))
    """
    acted = _once(order.acted, order.turn) if order.turn else order.acted
    return replace(order, turn=who, acted=acted, last="")


def next_round(order: TurnOrder) -> TurnOrder:
    """Return the order at the start of the next round; whoever acted last names the first (L2).

    >>> order = next_round(TurnOrder("bob", ("alice", "bob")))
    >>> order.round, order.last, order.acted
    (2, 'bob', ())
    """
    return replace(order, turn="", acted=(), last=order.turn or order.last, round=order.round + 1)


def passed(order: TurnOrder, who: str) -> TurnOrder:
    """Return the order with somebody skipped for this round; if it was their turn, it is nobody's now.

    >>> order = passed(TurnOrder("bob", ("alice",)), "bob")
    >>> order.turn, order.acted, order.last
    ('', ('alice', 'bob'), 'alice')
    """
    acted = _once(order.acted, who)
    if order.turn != who:
        return replace(order, acted=acted)
    before = [one for one in order.acted if one != who]
    return replace(order, turn="", acted=acted, last=before[-1] if before else order.last)


def namer(table: Table, order: TurnOrder) -> str:
    """Return the name of whoever may name the first of a round, besides the GM (L2)."""
    return table.characters[order.last].name if order.last in table.characters else ""


def require_handing(table: Table, actor: Actor, order: TurnOrder) -> None:
    """Check that the caller may name who is next (L2).

    Raises NotAllowed unless they acted last or are the GM.
    """
    who = table.characters.get(order.turn or order.last)
    if is_gm(table, actor) or (who is not None and who.player == actor.id):
        return
    if who:
        raise NotAllowed("Only the {gm.one} or {name} can choose who is next.", name=who.name)
    require_gm(table, actor, Words("choose who is next"))


def require_member(table: Table, who: str, among: Iterable[str]) -> None:
    """Check that it can be somebody's turn. Raises NotAllowed if not, saying who is left."""
    if who not in among:
        names = [table.characters[one].name for one in among if one in table.characters]
        there_is = (
            Words("Still to go this round: {names}.", names=Row(shortened(names)))
            if names
            else Words("Nobody is left this round.")
        )
        raise NotAllowed(
            "{name} can't take a turn now. {there_is}",
            name=table.characters[who].name,
            there_is=there_is,
        )


def absent(table: Table, names: str | None) -> tuple[str, ...]:
    """Return the keys of those to skip, from typed names."""
    if not names or not names.strip():
        return ()
    return find_characters(table, names)


def start(table: Table, actor: Actor, who: str | None = None, without: str | None = None) -> Step:
    """Start a turn order as the GM, who may name the first; an order that is running starts again."""
    require_gm(table, actor, Words("start a turn order"))
    order = TurnOrder(absent=absent(table, without))
    if not who or not who.strip():
        return Step(CORTEX.put(table, replace(CORTEX.of(table), order=order)), (TurnCame("", None, 1),))
    first = find_character(table, who)
    require_member(table, first, members(table, order, gmcs=True))
    return _came(table, handed(order, first))


def hand_on(table: Table, actor: Actor, who: str | None = None, seen: str | None = None) -> Step:
    """Name who is next, as the GM or whoever acted last; after the last one a new round begins (L2)."""
    order = running(table)
    check_stamp(order, seen)
    require_handing(table, actor, order)
    if not left(table, order, gmcs=True):
        order = next_round(order)
    following = find_character(table, who) if who and who.strip() else _only(table, order)
    require_member(table, following, left(table, order, gmcs=True))
    return _came(table, handed(order, following))


def _only(table: Table, order: TurnOrder) -> str:
    """The one who is left, where nobody is named."""
    waiting = left(table, order, gmcs=True)
    if len(waiting) != 1:
        names = [table.characters[one].name for one in waiting]
        raise OptionNeeded(
            "Choose who is next. Still to go this round: {names}.",
            option="who",
            choices=names,
            names=Row(shortened(names)) if names else Words("nobody"),
        )
    return waiting[0]


def skip(table: Table, actor: Actor, who: str) -> Step:
    """Skip somebody for this round, as the GM."""
    require_gm(table, actor, Words("skip someone's turn"))
    order = running(table)
    who = find_character(table, who)
    require_member(table, who, [*left(table, order, gmcs=True), order.turn])
    said = PassedOver(table.characters[who].name, None, order.round)
    return Step(CORTEX.put(table, replace(CORTEX.of(table), order=passed(order, who))), (said,))


def end(table: Table, actor: Actor) -> Step:
    """End the turn order, as the GM."""
    require_gm(table, actor, Words("end the turn order"))
    running(table)
    return Step(CORTEX.put(table, replace(CORTEX.of(table), order=None)), (OrderEnded(),))


def running(table: Table) -> TurnOrder:
    """Return the turn order. Raises NotAllowed if there is none."""
    here = CORTEX.of(table)
    if here.order is None:
        raise NotAllowed("There's no turn order. The {gm.one} can start one: /turn start")
    return here.order


def check_stamp(order: TurnOrder, seen: str | None) -> None:
    """Check that a button belongs to the current turn. Raises TooLate if it doesn't."""
    if seen is not None and seen != stamp(order):
        raise TooLate("The turn has already moved on.")


def candidates(table: Table) -> list[str]:
    """Return who can be named next in the turn order."""
    here = CORTEX.of(table)
    if here.order is None:
        return []
    waiting = left(table, here.order, gmcs=True)
    return waiting or left(table, next_round(here.order), gmcs=True)


def out_of_turn(table: Table, roll: Roll) -> str:
    """Return the name of whoever's turn it is if a player rolls out of turn; "" if the roll is in turn.

    Reactions and answers in a contest happen when called for, and a challenge has its own turns.
    """
    order, against = CORTEX.of(table).order, roll.against
    if order is None or order.turn not in table.characters or order.turn == key(roll.who):
        return ""
    target = None if against is None else against.target
    is_turn_of_challenge = target is not None and target.foe is Foe.CHALLENGE
    is_called_for = (against is not None and against.acts) or roll.contest not in (0, roll.number)
    is_gms = roll.gm or roll.player in table.gms
    return "" if is_gms or is_called_for or is_turn_of_challenge else table.characters[order.turn].name


def in_challenge(table: Table, actor: Actor, challenge: str, who: str) -> Table:
    """Return the table with somebody's turn in a challenge taken by a roll against it (L2, L3).

    Raises NotAllowed if it isn't their turn or they have had it this round; TooLate if the challenge is over.
    """
    here = CORTEX.of(table)
    running_one = here.challenges.get(challenge)
    if running_one is None:
        raise TooLate("That {challenge.one} is over or was undone.")
    order, name = running_one.order, table.characters[who].name
    if running_one.against == who:
        raise NotAllowed(
            "{running_one} is acting against {name}. Open /challenge show and press Roll against.",
            running_one=running_one.name,
            name=name,
        )
    if who in order.acted:
        following = [table.characters[one].name for one in left(table, order, gmcs=False)]
        on = (
            Words("To pass the turn: /challenge next who:{name}", name=following[0])
            if following
            else Words("The {challenge.one} acts next.")
        )
        raise NotAllowed("{name} has already acted this round. {on}", name=name, on=on)
    if order.turn != who:
        if order.turn in table.characters:
            now = table.characters[order.turn].name
            raise NotAllowed(
                "It's {now}'s turn in this {challenge.one}. The {gm.one} can skip them: /challenge skip "
                "who:{now}",
                now=now,
            )
        if not is_gm(table, actor):
            raise NotAllowed("It's nobody's turn yet. The {gm.one} chooses who is first: /challenge first")
        require_member(table, who, members(table, order, gmcs=False))
    fresh = replace(running_one, order=replace(taken(order, who), last=""))
    return CORTEX.put(table, replace(here, challenges={**here.challenges, challenge: fresh}))


def _came(table: Table, order: TurnOrder) -> Step:
    name = table.characters[order.turn].name
    return Step(
        CORTEX.put(table, replace(CORTEX.of(table), order=order)), (TurnCame(name, None, order.round),)
    )


def without_in_turns(table: Table, who: str) -> Table:
    """Return the table with a removed character in no turn order."""
    return _each_order(table, lambda one: "" if one == who else one)


def renamed(table: Table, who: str, to: str) -> Table:
    """Return the table with somebody's new name in every turn order."""
    return _each_order(table, lambda one: to if one == who else one)


def _each_order(table: Table, named: Callable[[str], str]) -> Table:
    """The table with every key in its orders replaced; an empty one is dropped."""
    here = CORTEX.of(table)
    order = None if here.order is None else _with_names(here.order, named)
    challenges = {
        one: replace(each, order=_with_names(each.order, named), against=named(each.against))
        for one, each in here.challenges.items()
    }
    return CORTEX.put(table, replace(here, order=order, challenges=challenges))


def _with_names(order: TurnOrder, named: Callable[[str], str]) -> TurnOrder:
    acted = tuple(one for one in map(named, order.acted) if one)
    absent = tuple(one for one in map(named, order.absent) if one)
    return replace(order, turn=named(order.turn), acted=acted, absent=absent, last=named(order.last))


def _once(row: tuple[str, ...], who: str) -> tuple[str, ...]:
    return row if who in row else (*row, who)
