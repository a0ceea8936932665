"""The rules of Hearts."""

from rules.campaign import seats
from rules.campaign.rolls import find_roller, require_roller
from rules.campaign.seats import Actor, find_character, owner_of, require_gm, require_secrets
from rules.dice import Throw
from rules.errors import NotAllowed, Unknown, Unreadable
from rules.game import Step
from rules.names import NAME, clean, key, remark
from rules.table import Character, Table
from rules.text import Words
from rules.values import replace
from rules.visibility import sees
from tests.hearts.state import (
    HEARTS,
    Bonded,
    Clock,
    ClockMoved,
    HeartsHidden,
    HeartsPushed,
    HeartsRoll,
    HeartsRolled,
    StressMoved,
)

MOST_DICE = 10
MOST_STRESS = 9
OPEN_ROLLS = 30


def roll(
    table: Table, actor: Actor, throw: Throw, dice: int, note: str | None = None, hidden: bool = False
) -> Step:
    """Roll so many d6; the highest counts."""
    if not 1 <= dice <= MOST_DICE:
        raise NotAllowed("A pool has 1 to {most} dice. Example: /hearts roll dice:3", most=MOST_DICE)
    who, gm = find_roller(table, actor, None)
    here = HEARTS.of(table)
    made = HeartsRoll(table.number + 1, actor.id, who, tuple(throw([6] * dice)), gm, remark(note))
    if hidden:
        require_secrets(table, actor, Words("roll in secret"))
        kept = {**here.hidden, made.number: made}
        return Step(HEARTS.put(table, replace(here, hidden=kept)), (HeartsHidden(made),))
    rolls = dict([*here.rolls.items(), (made.number, made)][-OPEN_ROLLS:])
    return Step(HEARTS.put(table, replace(here, rolls=rolls)), (HeartsRolled(made),))


def reveal(table: Table, actor: Actor, number: int) -> Step:
    """A hidden roll is a roll like any other from now on."""
    here = HEARTS.of(table)
    made = here.hidden.get(number)
    if made is None or not sees(table, actor, made):
        raise Unknown("That roll is not hidden any more.")
    left = {n: each for n, each in here.hidden.items() if n != number}
    shown = replace(made, number=table.number + 1)
    fresh = replace(here, hidden=left, rolls={**here.rolls, shown.number: shown})
    return Step(HEARTS.put(table, fresh), (HeartsRolled(shown),))


def push(table: Table, actor: Actor, throw: Throw, number: int, times: int) -> Step:
    """One die more for a stress, once each time it is offered."""
    here = HEARTS.of(table)
    made = here.rolls.get(number)
    if made is None:
        raise Unknown("That roll is closed.")
    require_roller(table, actor, made)
    if made.pushed != times:
        raise NotAllowed("That was done already.")
    (face,) = throw([6])
    fresh = replace(made, faces=(*made.faces, face), pushed=times + 1)
    after = HEARTS.put(table, replace(here, rolls={**here.rolls, number: fresh}))
    step = Step(after, (HeartsPushed(fresh, face),))
    if key(made.who) not in after.characters:
        return step
    return step.then(_stressed(step.table, key(made.who), 1))


def stress(table: Table, actor: Actor, by: int, who: str | None = None) -> Step:
    """Somebody has more stress, or less (GM)."""
    require_gm(table, actor, Words("change stress"))
    table, one = owner_of(table, actor, who, scene=False)
    return _stressed(table, one, by)


def _stressed(table: Table, who: str, by: int) -> Step:
    character = table.characters[who]
    own = HEARTS.has(character)
    after = min(max(own.stress + by, 0), MOST_STRESS)
    if after == own.stress:
        return Step(table, ())
    fresh = table.with_owner(who, HEARTS.give(character, replace(own, stress=after)))
    return Step(fresh, (StressMoved(character.name, own.stress, after),))


def clock(table: Table, actor: Actor, name: str, by: int = 1) -> Step:
    """A clock begins, or moves on; a full one goes (GM)."""
    require_gm(table, actor, Words("move a clock"))
    here = HEARTS.of(table)
    label = clean(name, NAME)
    now = here.clocks.get(key(label), Clock(label, size=here.size))
    filled = max(now.filled + by, 0)
    left = {k: each for k, each in here.clocks.items() if k != key(label)}
    if filled < now.size:
        left[key(label)] = replace(now, filled=filled)
    moved = ClockMoved(now.label, now.filled, min(filled, now.size), now.size)
    return Step(HEARTS.put(table, replace(here, clocks=left)), (moved,))


def bond(table: Table, actor: Actor, to: str, why: str = "") -> Step:
    """One's own character would do anything for somebody."""
    own = table.played_by(actor.id)
    if own is None:
        raise NotAllowed("You play nobody here. Example: /character new name:Alice")
    other = table.characters[find_character(table, to)]
    fresh = HEARTS.give(own, replace(HEARTS.has(own), bond=other.name))
    after = table.with_owner(key(own.name), fresh)
    return Step(after, (Bonded(own.name, other.name, remark(why)),))


def written(character: Character) -> str:
    """The bond on a line."""
    bond = HEARTS.has(character).bond
    return f"Bond: {bond}" if bond else "Bond:"


def with_text(character: Character, text: str) -> Character:
    """The character with the bond that was typed."""
    head, colon, rest = text.strip().partition(":")
    if text.strip() and (not colon or key(head) != "bond"):
        raise Unreadable("A sheet has a bond. Example: Bond: Alice")
    return HEARTS.give(character, replace(HEARTS.has(character), bond=rest.strip()))


def join(table: Table, actor: Actor, name: str, text: str) -> Step:
    """Somebody begins to play, with the bond that was typed."""
    step = seats.join(table, actor, name)
    who = key(name)
    return replace(step, table=step.table.with_owner(who, with_text(step.table.characters[who], text)))


def put(table: Table, actor: Actor, trait: str, **others: object) -> Step:
    """Nothing can be set."""
    raise NotAllowed("A sheet has only a bond. Example: /hearts bond to:Alice")


def unset(table: Table, actor: Actor, trait: str, who: str | None = None) -> Step:
    """Nothing can be removed."""
    return put(table, actor, trait)
