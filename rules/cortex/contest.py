"""Contests: two sides roll in turn until one fails or gives in (T4)."""

from rules.campaign.rolls import find_roller
from rules.campaign.seats import (
    Actor,
    find_character,
    find_meant_name,
    is_game_master,
    is_gm,
    meant_or_new,
    require_character,
    require_gm,
    require_here,
    seated,
)
from rules.cortex import outcome, points
from rules.cortex.facts import Cause, Contested, GaveIn, RollChanged, Why
from rules.cortex.model import CORTEX, MOST_CONTESTS, Against, Contest, Roll
from rules.cortex.opposition import thrown
from rules.cortex.pool_resolver import pooled
from rules.cortex.roll import check_keep, find, mark_taken_out, placed, with_roll
from rules.cortex.roll_status import is_in_doubt, judged, require_no_contest, with_contest
from rules.cortex.traits import require_in_play
from rules.dice import Throw
from rules.errors import Closed, NotAllowed, OptionNeeded, TooLate
from rules.game import Step
from rules.names import GM, key, one_of, remark, shortened, there_are
from rules.names import find as find_name
from rules.table import Table
from rules.text import Row, Words
from rules.values import replace


def start(
    table: Table,
    actor: Actor,
    throw: Throw,
    dice: str,
    against: str | None = None,
    note: str | None = None,
    who: str | None = None,
    keep: int = 2,
) -> Step:
    """Start a contest: the initiator's roll sets the difficulty (T4).

    Raises NotAllowed for too many contests, without a second side, and if both sides are in a contest
    already; OptionNeeded if the other side has to be named; and what reading the dice raises.
    """
    if sum(not contest.closing for contest in CORTEX.of(table).contests.values()) >= MOST_CONTESTS:
        raise NotAllowed(
            "A table can have at most {most_contests} open contests. Finish one first.",
            most_contests=MOST_CONTESTS,
        )
    table, name, gm = _side(table, actor, who)
    other = _rival(table, name, against)
    if key(other) == key(name):
        raise NotAllowed(
            "A contest needs two sides. Example: against:{another}", another=_another(table, name)
        )
    require_no_contest(table, name, other)
    before = table
    reading, facts, table = pooled(table, actor, dice, None, name, gm)
    said = remark(note)
    number = table.number + 1
    keep = reading.kept(keep)
    check_keep(table, keep)
    hand = thrown(reading.pool, keep, table, throw, reading.beside, reading.plus)
    made = Roll(number, actor.id, name, hand, gm=gm, note=said, contest=number)
    step = placed(table, mark_taken_out(before, actor, made), reading.text, facts)
    roll = CORTEX.of(step.table).rolls[number]
    contest = Contest((name, other), 0, number, roll.hand, said)
    waiting = Contested(other, name, outcome.total(roll.hand))
    told = () if is_in_doubt(step.table, roll) else (waiting,)
    return step.then(Step(with_contest(_without_old(step.table), number, contest), told))


def answer(
    table: Table,
    actor: Actor,
    throw: Throw,
    dice: str,
    against: str | None = None,
    number: int = 0,
    seen: int = 0,
    keep: int = 2,
) -> Step:
    """Roll against the other side's last total: an answer, or escalating (T4).

    `seen` is the number of the roll that a button belongs to. Raises TooLate if that roll was answered
    or the contest is over; NotAllowed for anybody who may not answer.
    """
    number = number or which(table, actor, against)
    contest = require_waiting(table, actor, number, seen)
    table, name, gm = _waiting(table, actor, contest)
    before = table
    reading, facts, table = pooled(table, actor, dice, None, name, gm)
    keep = reading.kept(keep)
    check_keep(table, keep)
    hand = thrown(reading.pool, keep, table, throw, reading.beside, reading.plus)
    leader = contest.sides[contest.leader]
    # As it stood when it won: what is best against an answer is not chosen anew.
    hand_to_beat = replace(contest.hand, chosen=True)
    opposing = Against(leader, hand=hand_to_beat, roll=contest.roll, of_player=_is_players(table, leader))
    made = Roll(table.number + 1, actor.id, name, hand, gm=gm, against=opposing, note=contest.note)
    made = mark_taken_out(before, actor, replace(made, contest=number))
    step = placed(table, made, reading.text, facts)
    fresh = with_contest(step.table, number, replace(contest, exchanges=contest.exchanges + 1))
    answered = CORTEX.of(fresh).rolls.get(contest.roll)
    if answered is not None:
        fresh = with_roll(fresh, replace(answered, answered=True))
    return step.then(judged(fresh, CORTEX.of(fresh).rolls[made.number]))


def give_in(table: Table, actor: Actor, against: str | None = None, number: int = 0, seen: int = 0) -> Step:
    """Give in instead of answering: a player who has rolled gets a PP, a GMC does not (T4, P1).

    Raises TooLate if the contest is over or its roll was answered; NotAllowed for anybody who may not
    answer.
    """
    number = number or which(table, actor, against)
    contest = require_waiting(table, actor, number, seen)
    table, name, _gm = _waiting(table, actor, contest)
    won = contest.sides[contest.leader]
    over = GaveIn(name, won, contest.note)
    step = Step(CORTEX.put(table, replace(CORTEX.of(table), contests=_but(table, number))), (over,))
    giver = table.characters.get(key(name))
    if giver is not None and not giver.gmc and contest.exchanges > 1:
        step = step.then(points.earn_points(step.table, key(name), 1, Why(Cause.GIVING_IN)))
    roll = CORTEX.of(step.table).rolls.get(contest.roll)
    if roll is None:
        return step.then(_shown_again(step.table, actor, number, contest))
    return Step(step.table, (*step.facts, RollChanged(roll)))


def _shown_again(table: Table, actor: Actor, number: int, contest: Contest) -> Step:
    """The winner's roll, whose scene has ended since, open again so that its effect can be used (T4)."""
    name, loser = contest.sides[contest.leader], contest.sides[1 - contest.leader]
    winner = table.characters.get(key(name))
    gm = winner is None or winner.gmc
    player = actor.id if winner is None else winner.player or actor.id
    beaten = None if contest.beaten is None else replace(contest.beaten, chosen=True)
    against = None if beaten is None else Against(loser, hand=beaten, of_player=_is_players(table, loser))
    hand = replace(contest.hand, chosen=True)
    roll = Roll(table.number + 1, player, name, hand, gm=gm, against=against, note=contest.note)
    return placed(table, replace(roll, contest=number))


def _is_players(table: Table, name: str) -> bool:
    character = table.characters.get(key(name))
    return character is not None and not character.gmc


def running(table: Table, number: int) -> Contest:
    """Return the contest of that number. Raises TooLate if it is over."""
    contest = CORTEX.of(table).contests.get(number)
    if contest is None or contest.closing:
        raise Closed("That contest is over or was undone.")
    return contest


def which(table: Table, actor: Actor, against: str | None) -> int:
    """Return the number of the contest that the caller has to answer; `against` names the other side.

    Raises NotAllowed if none waits for them; OptionNeeded if several do; Unknown or Ambiguous for an
    unclear name.
    """
    going = {n: c for n, c in CORTEX.of(table).contests.items() if not c.closing}
    mine = {n: c for n, c in going.items() if may_answer(table, actor, c.waiting)}
    if not mine:
        waits = [
            Words("{who} (against {leader})", who=c.waiting, leader=c.sides[c.leader]) for c in going.values()
        ]
        there_is = (
            Words("Still to answer: {waits}.", waits=Row(shortened(waits)))
            if waits
            else Words("There are no open contests.")
        )
        raise NotAllowed(
            "No contest is waiting for you. {there_is} To start one: /contest start",
            there_is=there_is,
        )
    others = {c.sides[c.leader]: n for n, c in mine.items()}
    if against and against.strip():
        return others[find_name(find_meant_name(table, against), others, Words("opponent"))]
    yours = [n for n, c in mine.items() if _is_own(table, actor, c.waiting)]
    if len(yours) == 1:
        return yours[0]
    if len(mine) > 1:
        raise OptionNeeded(
            "Choose a contest: against {others}.",
            option="against",
            choices=[*others],
            others=one_of([*others]),
        )
    return next(iter(mine))


def _is_own(table: Table, actor: Actor, name: str) -> bool:
    """Whether a side is the caller's own character, or for the GM a GMC; others are named on purpose."""
    character = table.characters.get(key(name))
    is_gmc = character is None or character.gmc
    return is_gmc if is_game_master(table, actor) and is_gmc else character == table.played_by(actor.id)


def require_waiting(table: Table, actor: Actor, number: int, seen: int) -> Contest:
    """Return the contest if the caller may answer that roll now.

    A roll of somebody who is taken out can be answered once the GM has let it stand (C4). Raises
    TooLate if the roll was answered or the contest is over; NotAllowed for anybody who may not answer.
    """
    contest = running(table, number)
    _check_seen(contest, seen)
    _waiting(table, actor, contest)
    if contest.roll in CORTEX.of(table).rolls:
        find(table, contest.roll)
    return contest


def _check_seen(contest: Contest, seen: int) -> None:
    if seen and seen != contest.roll:
        raise TooLate("That roll was answered or undone in the meantime.")


def _waiting(table: Table, actor: Actor, contest: Contest) -> tuple[Table, str, bool]:
    """The side that is to answer, where the caller may roll for it."""
    name = contest.waiting
    character = table.characters.get(key(name))
    if character is None:
        require_gm(table, actor, Words("answer for {name}", name=name))
        return table, name, True
    if character.gmc:
        require_gm(table, actor, Words("answer for {name}", name=name))
    else:
        require_character(table, actor, character, Words("answer"))
    return table, character.name, character.gmc


def may_answer(table: Table, actor: Actor, name: str) -> bool:
    """Whether the actor may answer for that side: its player, or the GM."""
    character = table.characters.get(key(name))
    is_own = character is not None and not character.gmc and character.player == actor.id
    return is_own or is_gm(table, actor)


def _side(table: Table, actor: Actor, who: str | None) -> tuple[Table, str, bool]:
    """The side that begins a contest, at the table; the GM begins one for a GMC by name."""
    name, gm = find_roller(table, actor, who)
    if name == GM:
        raise NotAllowed("Name the {gmc.one} that starts the contest.")
    if key(name) in table.characters:
        return table, name, gm
    table, own = meant_or_new(table, actor, name) if who and who.strip() else seated(table, actor)
    return table, table.characters[own].name, gm


def _without_old(table: Table) -> Table:
    """The table without contests that are over and whose last roll is closed."""
    here = CORTEX.of(table)
    kept = {n: c for n, c in here.contests.items() if not c.closing or c.closing in here.rolls}
    return CORTEX.put(table, replace(here, contests=kept))


def _rival(table: Table, name: str, against: str | None) -> str:
    """The other side as typed; where nobody is named, the only other character there is."""
    if against and against.strip():
        rival = find_character(table, against)
        require_here(table, rival)
        require_in_play(table, table.characters[rival], Words("a contest"))
        return table.characters[rival].name
    others = _others(table, name)
    if len(others) != 1:
        if not others:
            raise NotAllowed("A contest needs two sides, and nobody else is at this table yet.")
        raise OptionNeeded(
            "Against whom? {there_are}", option="against", choices=others, there_are=there_are(others)
        )
    return others[0]


def _another(table: Table, name: str) -> str:
    others = _others(table, name)
    return others[0] if others else "Rex"


def _others(table: Table, name: str) -> list[str]:
    return [c.name for c in table.characters.values() if key(c.name) != key(name)]


def _but(table: Table, number: int) -> dict[int, Contest]:
    return {n: contest for n, contest in CORTEX.of(table).contests.items() if n != number}
