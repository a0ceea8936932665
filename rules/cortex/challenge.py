"""Challenges: rounds, handing on turns, and the challenge's own turn (L1 to L6)."""

from enum import StrEnum
from typing import assert_never

from rules.campaign.characters import new_name
from rules.campaign.seats import Actor, find_character, require_character, require_gm
from rules.cortex import gm_pools, turn
from rules.cortex.effects import open_effects
from rules.cortex.facts import ActsAgainst, Called, Change, PassedOver, PoolChanged, TurnCame
from rules.cortex.gm_pools import MOST_POOLS, find_pool
from rules.cortex.kinds import Ending, Foe, Target
from rules.cortex.model import CORTEX, Challenge, Roll, TurnOrder
from rules.cortex.opposition import of_target, thrown
from rules.cortex.pool_resolver import pooled
from rules.cortex.pool_text import read_dice
from rules.cortex.pool_words import DIFFICULTIES
from rules.cortex.roll import mark_taken_out, placed
from rules.cortex.roll_status import resolve
from rules.dice import Throw, check_count
from rules.errors import NotAllowed, RuleError, TooLate, Unreadable
from rules.game import Step
from rules.names import fold, key, one_of, shortened
from rules.table import Table
from rules.text import Row, Words, shorten
from rules.values import replace

MOST_EXTRA = 3
"""So many dice of the same rating may join the base difficulty (L1)."""


MOST_ROUNDS = 100
"""A limit of rounds is at most this."""


class ChallengeAct(StrEnum):
    """What a challenge may do on its own turn (L4)."""

    TARGET = "target"
    STEP_UP = "stepup"
    ADD = "add"


def new(
    table: Table,
    actor: Actor,
    name: str,
    difficulty: str | None = None,
    extra: int = 0,
    rounds: int = 0,
    absent: str | None = None,
) -> Step:
    """Create a challenge of the base difficulty dice and up to three more of the same size (L1, L5).

    Raises NotAllowed for anybody but the GM, too many challenges, and wrong numbers of extra dice or
    rounds; Unreadable for a difficulty that is none; SettingOff if challenges are off.
    """
    here = CORTEX.of(table)
    require_gm(table, actor, Words("make {challenge.a}"))
    gm_pools.require_on(table, Foe.CHALLENGE)
    label = new_name(table, name)
    if len(here.challenges) >= MOST_POOLS:
        raise NotAllowed(
            "A table can have at most {most_pools} {challenge.many}. End one first.", most_pools=MOST_POOLS
        )
    if not 0 <= extra <= MOST_EXTRA:
        raise NotAllowed(
            "You can't add {extra} extra dice. Choose 0 to {most_extra}.",
            extra=extra,
            most_extra=MOST_EXTRA,
        )
    if not 0 <= rounds <= MOST_ROUNDS:
        raise NotAllowed(
            "You can't set {rounds} rounds. Choose 1 to {most_rounds}.",
            rounds=rounds,
            most_rounds=MOST_ROUNDS,
        )
    sizes = _base(table, difficulty)
    sizes = (*sizes, *(max(sizes),) * extra)
    check_count(len(sizes))
    order = TurnOrder(absent=turn.absent(table, absent))
    made = Challenge(label, gm_pools.count_sizes(sizes), order, rounds)
    challenges = {**here.challenges, key(label): made}
    step = Step(CORTEX.put(table, replace(here, challenges=challenges)), ())
    called = Called(Foe.CHALLENGE, label)
    said = PoolChanged(called, (), tuple(sorted(sizes)), Change.NEW, round=1)
    return Step(step.table, (said, TurnCame("", called, 1, limit=rounds)))


def first(table: Table, actor: Actor, who: str, name: str | None = None) -> Step:
    """Name who goes first; in a later round whoever acted last may do so, too (L2).

    Raises NotAllowed for anybody else but the GM; TooLate if the round has begun.
    """
    pool = find_pool(table, Foe.CHALLENGE, name)
    order = CORTEX.of(table).challenges[pool.key].order
    if order.last:
        turn.require_handing(table, actor, order)
    else:
        require_gm(table, actor, Words("choose who is first"))
    if order.turn or order.acted:
        following = _example(table, turn.left(table, order, gmcs=False))
        raise TooLate(
            "This round has already begun. Example: /challenge next who:{following}",
            following=following,
        )
    return _handed(table, pool, order, who)


def hand_on(table: Table, actor: Actor, who: str, name: str | None = None, seen: str | None = None) -> Step:
    """Name who goes next: whoever acted last does so, or the GM (L2).

    Raises NotAllowed for anybody else; TooLate for a button of an earlier turn.
    """
    pool = find_pool(table, Foe.CHALLENGE, name)
    order = CORTEX.of(table).challenges[pool.key].order
    turn.check_stamp(order, seen)
    if not order.turn and not order.last:
        require_gm(table, actor, Words("choose who is first"))
    turn.require_handing(table, actor, order)
    return _handed(table, pool, order, who)


def skip(table: Table, actor: Actor, who: str, name: str | None = None) -> Step:
    """Skip somebody in this round (L2). Raises NotAllowed for anybody but the GM."""
    require_gm(table, actor, Words("skip someone's turn"))
    pool = find_pool(table, Foe.CHALLENGE, name)
    challenge = CORTEX.of(table).challenges[pool.key]
    passed = find_character(table, who)
    turn.require_member(table, passed, [*turn.left(table, challenge.order, gmcs=False), challenge.order.turn])
    order = turn.passed(challenge.order, passed)
    said = PassedOver(table.characters[passed].name, gm_pools.called(table, pool), order.round)
    return Step(_with(table, pool, replace(challenge, order=order)), (said,))


def act(
    table: Table,
    actor: Actor,
    what: ChallengeAct,
    who: str | None = None,
    die: str | None = None,
    name: str | None = None,
    seen: str | None = None,
) -> Step:
    """Take the challenge's own turn after everybody else: it acts against somebody, or it grows (L4).

    Raises NotAllowed for anybody but the GM and before everybody has acted; TooLate for a button of an
    earlier turn.
    """
    require_gm(table, actor, Words("act for {challenge.a}"))
    pool = find_pool(table, Foe.CHALLENGE, name)
    challenge = CORTEX.of(table).challenges[pool.key]
    check_acting(table, challenge, seen)
    match what:
        case ChallengeAct.TARGET:
            return _against(table, pool, challenge, who)
        case ChallengeAct.STEP_UP:
            grown = gm_pools.stepped_up(table, pool, die)
        case ChallengeAct.ADD:
            grown = gm_pools.add_dice(table, pool, (6,))
        case _:
            assert_never(what)
    return grown.then(_acted(grown.table, pool))


def react(table: Table, actor: Actor, throw: Throw, challenge: str, dice: str) -> Step:
    """Roll for the character whom a challenge acts against, then roll the challenge's dice (L4).

    Raises TooLate if it acts against nobody; NotAllowed for anybody who may not roll for that
    character.
    """
    pool = Target(Foe.CHALLENGE, challenge)
    who = target_of(table, pool)
    character = table.characters[who]
    require_character(table, actor, character, Words("roll"))
    before = table
    reading, facts, table = pooled(table, actor, dice, None, character.name, gm=False)
    hand = thrown(reading.pool, 2, table, throw, reading.beside, reading.plus)
    opposing = replace(of_target(table, pool, throw), acts=True)
    roll = Roll(table.number + 1, actor.id, character.name, hand, against=opposing)
    made = placed(table, mark_taken_out(before, actor, roll), reading.text, facts)
    return made.then(_acted(made.table, pool))


def target_of(table: Table, pool: Target) -> str:
    """Return the key of whoever a challenge acts against. Raises TooLate if nobody has to roll."""
    challenge = CORTEX.of(table).challenges.get(pool.key)
    if challenge is None or not challenge.against or challenge.against not in table.characters:
        raise TooLate("That {challenge.one} isn't acting against anyone now.")
    return challenge.against


def left(table: Table, pool: Target) -> list[str]:
    """Return the keys of those who have yet to act in a challenge's round, except whose turn it is."""
    return turn.left(table, CORTEX.of(table).challenges[pool.key].order, gmcs=False)


def is_its_turn(table: Table, challenge: Challenge) -> bool:
    """Whether everybody has acted, so that it is the challenge's turn (L2)."""
    order = challenge.order
    is_taking = bool(order.turn) and order.turn not in order.acted
    can_act = is_taking and order.turn in turn.members(table, order, gmcs=False)
    has_begun = bool(order.acted or order.turn) or not turn.members(table, order, gmcs=False)
    return has_begun and not can_act and not turn.left(table, order, gmcs=False)


def can_act(table: Table, challenge: Challenge) -> bool:
    """Whether the challenge may act: everybody has acted, or the last one does not roll (L2, L4)."""
    is_last = bool(challenge.order.turn) and not turn.left(table, challenge.order, gmcs=False)
    return is_last or is_its_turn(table, challenge)


def check_acting(table: Table, challenge: Challenge, seen: str | None = None) -> None:
    """Refuse the challenge's turn while it is not due (L4).

    Raises TooLate for a button of an earlier turn and while a target has to roll; NotAllowed before
    everybody has acted or while an effect against it is unused.
    """
    turn.check_stamp(challenge.order, seen)
    if seen is not None and challenge.against in table.characters:
        name = table.characters[challenge.against].name
        raise TooLate(
            "{name} is the target now and has to roll first. To change the target: /challenge act", name=name
        )
    waiting_roll = _unused(table, challenge)
    if waiting_roll is not None:
        raise NotAllowed(
            "{waiting_roll} still has an effect to apply. Press Apply on that roll first.",
            waiting_roll=waiting_roll.who,
        )
    if not can_act(table, challenge):
        order = challenge.order
        is_taking = order.turn in table.characters and order.turn not in order.acted
        waiting = [order.turn] if is_taking else []
        waiting += turn.left(table, order, gmcs=False)
        names = [table.characters[one].name for one in waiting]
        raise NotAllowed(
            "The {challenge.one} acts after everyone else. Still to go this round: {names}. Example: "
            "/challenge skip who:{example}",
            names=Row(shortened(names)),
            example=names[0],
        )


def _example(table: Table, who: list[str]) -> str:
    """The name of one of these, for an example."""
    return table.characters[who[0]].name if who else "Alice"


def _unused(table: Table, challenge: Challenge) -> Roll | None:
    """A roll that beat the challenge and of whose effects none has been used yet (L3)."""
    target = Target(Foe.CHALLENGE, key(challenge.name))
    for roll in CORTEX.of(table).rolls.values():
        is_hit = roll.against is not None and roll.against.target == target and not roll.against.acts
        if not is_hit or roll.gm or roll.applied:
            continue
        came = resolve(table, roll)
        if not came.is_failed and open_effects(table, came):
            return roll
    return None


def _handed(table: Table, pool: Target, order: TurnOrder, who: str) -> Step:
    """The turn goes to somebody who has not had one in this round."""
    following = find_character(table, who)
    turn.require_member(table, following, turn.left(table, order, gmcs=False))
    challenge = replace(CORTEX.of(table).challenges[pool.key], order=turn.handed(order, following))
    name = table.characters[following].name
    said = TurnCame(name, gm_pools.called(table, pool), order.round, limit=challenge.rounds)
    return Step(_with(table, pool, challenge), (said,))


def _against(table: Table, pool: Target, challenge: Challenge, who: str | None) -> Step:
    """The challenge acts against a player's character, who is to roll (L4)."""
    if not who or not who.strip():
        raise NotAllowed("Choose a target.")
    target = find_character(table, who)
    character = table.characters[target]
    own = CORTEX.has(character)
    if character.gmc:
        raise NotAllowed(
            "{character} is {gmc.a}. {challenge.A} can only act against a player's character.",
            character=character.name,
        )
    if target in challenge.order.absent or own.is_taken_out:
        why = Words("taken out") if own.is_taken_out else Words("absent")
        raise NotAllowed(
            "{character} is {why}. Choose another target, or add a die instead. Example: what:add",
            character=character.name,
            why=why,
        )
    fresh = replace(challenge, against=target)
    said = ActsAgainst(gm_pools.called(table, pool), character.name)
    return Step(_with(table, pool, fresh), (said,))


def _acted(table: Table, pool: Target) -> Step:
    """The challenge has acted: the next round begins, or it is lost after the last (L4, L5)."""
    challenge = CORTEX.of(table).challenges[pool.key]
    if challenge.rounds and challenge.order.round >= challenge.rounds:
        return gm_pools.ended(table, pool, Ending.LOST)
    order = turn.next_round(challenge.order)
    called = gm_pools.called(table, pool)
    facts = (TurnCame("", called, order.round, turn.namer(table, order), challenge.rounds),)
    return Step(_with(table, pool, replace(challenge, order=order, against="")), facts)


def _base(table: Table, difficulty: str | None) -> tuple[int, ...]:
    """The base difficulty dice: by name, or as dice of one rating (L1, T2)."""
    word = fold(difficulty or "challenging")
    if word in DIFFICULTIES:
        return (DIFFICULTIES[word],) * 2
    try:
        sizes = read_dice(word, CORTEX.of(table).ruleset, asks=False)
    except RuleError:
        if any(c.isdigit() for c in word):
            raise
        raise Unreadable(
            "{word} isn't a difficulty. Try {names}, or dice such as 2d8.",
            word=shorten(word),
            names=one_of([*DIFFICULTIES]),
        ) from None
    if len(set(sizes)) != 1:
        raise Unreadable(
            "{word} doesn't work: base dice need to be the same size. Example: difficulty:2d8",
            word=shorten(word),
        )
    return sizes * 2 if len(sizes) == 1 else sizes


def _with(table: Table, pool: Target, challenge: Challenge) -> Table:
    here = CORTEX.of(table)
    return CORTEX.put(table, replace(here, challenges={**here.challenges, pool.key: challenge}))
