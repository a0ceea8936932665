"""The One-Roll Engine as a `Game`, and detection of dice in prose.

A stretch of text that looks like dice is parsed as a typed pool. If there are several, the last one
counts, and the others are reported.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from rules.campaign.files import Checks, of_label, of_rolls, quote_value, too_long, too_many, too_much
from rules.campaign.seats import Actor
from rules.dice import Thrown
from rules.errors import RuleError, Undecided
from rules.facts import Fact
from rules.game import AttemptResult, Fault, Game, GmcRules, RollAttempts, SessionListener, SheetRules, Step
from rules.names import Erasure, former, key, key_in
from rules.ore import company, damage, gmc, roll, sheet
from rules.ore.model import (
    ORE,
    ORE_FACTS,
    Boxes,
    Company,
    CompanyChanged,
    OneRollRating,
    OreChanged,
    OreCharacter,
    OreGobbled,
    OreHand,
    OreHit,
    OreHurt,
    OreRoll,
    OreRolled,
    OreTable,
    OreThinned,
    beats,
    best_set,
    counting,
    wide,
)
from rules.ore.notation import (
    LONGEST,
    MOST_RATINGS,
    is_label,
    more,
    read_ratings,
    write_ratings,
)
from rules.ore.pool import MOST, MOST_IN_CROWD, SIDES, WIDEST, OrePool, QuickDice
from rules.ore.roll import OPEN_ROLLS, pool_of, ratings
from rules.ore.tokens import OreSort, OreToken, normalized, plain_text, tokens
from rules.settings import settings_of
from rules.table import Character, Table
from rules.text import Phrase, Words, bracketed, later, without_quotes
from rules.values import Value, replace


def of_pool(pool: OrePool) -> Iterator[Fault]:
    """Yield faults of a pool from a file."""
    for place in ("dice", "hard", "wiggle", "expert", "called"):
        yield from too_much(getattr(pool, place), MOST_IN_CROWD, place)
    yield from too_much(pool.over, LONGEST, "over")
    yield from too_long(pool.typed, 2 * LONGEST, "typed")
    if pool.called and not pool.dice:
        yield "called", Words("a called die needs a normal die, and this pool has none")
    for place in ("wiggle_name", "expert_name"):
        if not 1 <= len(getattr(pool, place)) <= MOST * SIDES:
            yield place, Words("a name must be 1 to 100 characters long")


def of_hand(hand: OreHand) -> Iterator[Fault]:
    """Yield faults of a pool's dice from a file."""
    for place in ("faces", "placed"):
        yield from _heights(getattr(hand, place), place)
    for place in ("spoiled", "spent"):
        yield from _heights(getattr(hand, place), place, SIDES * MOST_IN_CROWD)
    yield from _heights(tuple(one.height for one in hand.struck), "struck")
    yield from _crowd_width(hand.widest, "widest")
    if len(hand.placed) > hand.pool.wiggle:
        yield "placed", Words("only {count} wiggle dice can be placed", count=hand.pool.wiggle)
    if hand.to > SIDES:
        yield "to", _no_height(hand.to)
    if hand.quick:
        yield from too_much(hand.pool.rolled, MOST, "pool.dice")
    is_whole = hand.pool.rolled in range(MOST + 1) and hand.quick is not None
    if is_whole and wide(hand) and not (hand.quick and hand.quick.heights):
        yield "quick.heights", Words("the set has no height")


def of_quick(dice: QuickDice) -> Iterator[Fault]:
    """Yield faults of the dice of a quick roll from a file."""
    for place in ("width", "second"):
        if getattr(dice, place) > SIDES:
            yield place, Words("a d{size} can't show {face}", size=SIDES, face=getattr(dice, place))
    yield from _heights(dice.heights, "heights")


def of_roll(roll: OreRoll) -> Iterator[Fault]:
    """Yield faults of a roll from a file."""
    if not roll.hands:
        yield "hands", Words("a roll needs at least one pool")
    yield from too_much(roll.least_width, WIDEST, "least_width")
    yield from too_much(roll.least_height, SIDES, "least_height")


def _heights(heights: tuple[int, ...], place: str, most: int = SIDES) -> Iterator[Fault]:
    """Heights are those of a d10, and no more of them than dice can be."""
    for height in heights:
        if not 1 <= height <= most:
            yield place, _no_height(height, most)
    yield from too_many(heights, 3 * MOST_IN_CROWD + 1, place)


def _crowd_width(width: int, place: str) -> Iterator[Fault]:
    if width and not damage.NARROWEST <= width <= MOST_IN_CROWD:
        yield (
            place,
            Words(
                "{width} isn't a width from {least} to {most}",
                width=width,
                least=damage.NARROWEST,
                most=MOST_IN_CROWD,
            ),
        )


def _no_height(height: int, most: int = SIDES) -> Phrase:
    return Words("{height} isn't a height from 1 to {most}", height=height, most=most)


def of_table(here: OreTable) -> Iterator[Fault]:
    """Yield faults of the One-Roll part of a table from a file."""
    yield from of_rolls(here.rolls, "rolls", OPEN_ROLLS)
    if len(here.places) != SIDES:
        yield "places", Words("each height from 1 to {most} needs a place", most=SIDES)
    for place in here.places:
        yield from of_label(place, "places")
    yield from _crowd_width(here.crowd_width, "crowd_width")
    yield from too_many(here.companies, company.MOST_COMPANIES, "companies")
    if len(here.company_ratings) != company.RATINGS:
        yield "company_ratings", Words("companies have {count} ratings", count=company.RATINGS)
    for label in here.company_ratings:
        yield from of_label(label, "company_ratings")


def of_character(own: OreCharacter) -> Iterator[Fault]:
    """Yield faults of the One-Roll part of a character from a file."""
    yield from too_many(own.ratings, MOST_RATINGS, "ratings")
    yield from too_many(own.boxes, damage.MOST_PLACES, "boxes")
    yield from too_much(own.members, MOST_IN_CROWD, "members")


def of_company(one: Company) -> Iterator[Fault]:
    """Yield faults of a company from a file."""
    yield from of_label(one.name, "name")
    if not len(one.ratings) == len(one.used) == company.RATINGS:
        yield "ratings", Words("companies have {count} ratings", count=company.RATINGS)
    for rating, used in zip(one.ratings, one.used, strict=False):
        yield from too_much(rating, company.HIGHEST, "ratings")
        if not 0 <= used <= rating:
            yield "used", Words("{used} of {rating} can't be used", used=used, rating=rating)


def of_boxes(boxes: Boxes) -> Iterator[Fault]:
    """Yield faults of somebody's boxes from a file."""
    yield from of_label(boxes.label, "label")
    if not 1 <= boxes.size <= damage.MOST_BOXES:
        yield "size", Words("a place has 1 to {most} boxes", most=damage.MOST_BOXES)
    yield from too_much(boxes.shock + boxes.killing, boxes.size, "shock")
    yield from too_much(boxes.armour, damage.MOST_BOXES, "armour")
    yield from _heights(boxes.heights, "heights")


def of_rating(rating: OneRollRating) -> Iterator[Fault]:
    """Yield faults of a rating from a file."""
    yield from of_label(rating.label, "label")
    line = write_ratings((rating,))
    try:
        is_one = [label for label, _ in read_ratings(line)] == [rating.label]
    except RuleError:
        is_one = False
    if not is_one:
        yield "dice", Words("{line} isn't a valid line of a sheet", line=quote_value(line))


CHECKS: Mapping[type, Checks] = {
    OreTable: of_table,
    OreCharacter: of_character,
    OneRollRating: of_rating,
    Boxes: of_boxes,
    Company: of_company,
    OrePool: of_pool,
    OreHand: of_hand,
    QuickDice: of_quick,
    OreRoll: of_roll,
}
"""What is wrong with a thing of each class, besides the faults of its parts."""


class OreAttempts(RollAttempts[OreRoll]):
    """Collects the One-Roll rolls of a session in their final state."""

    def hear(self, fact: Fact, step: Sequence[Fact]) -> None:
        """Record a roll that was made or changed."""
        match fact:
            case OreRolled(roll):
                self.made(roll)
            case OreChanged(roll):
                self.changed(roll)
            case OreGobbled(roll):
                self.changed(roll)
                self.changed(fact.prey)
            case OreHit(roll) | OreThinned(roll):
                self.changed(roll)
                if isinstance(fact, OreThinned) or fact.after.is_out:
                    self.hearing.scene.decided.append(fact)
            case OreHurt() if fact.after.is_out:
                self.hearing.scene.decided.append(fact)
            case CompanyChanged() if company.is_weaker(fact):
                self.hearing.scene.decided.append(fact)

    def end(self) -> None:
        """Tell what each roll was for. A roll succeeds with a set that counts, in a contest if it wins.

        A roll without a set doesn't fail as long as a wiggle die can still make one.
        """
        opposing: dict[int, list[OreRoll]] = {}
        for made in self.rolls.values():
            opposing.setdefault(made.against, []).append(made)
        for made in self.rolls.values():
            has_set = any(counting(made, hand) for hand in made.hands)
            other = self.rolls.get(made.against)
            others = [*opposing.get(made.number, ()), *([other] if other else ())]
            won = min((beats(best_set(made), best_set(each)) for each in others), default=int(has_set))
            is_open = not has_set and any(hand.waiting for hand in made.hands)
            went = AttemptResult.SUCCESS if won > 0 else AttemptResult.FAILURE
            if is_open or (others and not won):
                went = AttemptResult.ROLLED  # nothing is decided, or neither side won
            counted = {"rolls": 1, "successes": int(won > 0), "ore_rolls": int(not is_open)}
            self.hearing.count(made.who, is_gm=made.gm, **counted, ore_sets=int(has_set))
            self.tell(made, went, against=other.who if other is not None else "")


OreWithRoll = OreRolled | OreChanged | OreGobbled | OreHit | OreThinned
"""Facts that hold a roll as it then is."""


class OneRoll(Game):
    """The One-Roll Engine: pools of d10, in which equal dice form sets."""

    part = ORE
    made = OreRolled
    heads = ("rating",)
    checks = CHECKS
    facts = ORE_FACTS
    settings = settings_of(
        OreTable,
        ORE.of,
        ORE.put,
        others=("rolls", "companies"),
        parsers={
            "places": damage.read_places,
            "crowd_width": damage.read_crowd_width,
            "company_ratings": company.read_names,
        },
        writers={"places": damage.write_places},
    )
    rulesets = MappingProxyType({"one-roll": later("pools of d10, in which equal dice form sets")})
    is_alone = True
    options = MappingProxyType({"gmc new": ("kind", "boxes")})
    gmcs = GmcRules(
        kinds=(gmc.CROWD,), new=gmc.new, roll=gmc.roll_gmc, remove=gmc.remove, rollable=gmc.rollable
    )
    sheets = SheetRules(
        join=sheet.join,
        with_text=sheet.with_text,
        put=sheet.put_rating,
        unset=sheet.unset,
        text=sheet.form_text,
        export=sheet.form_text,
        example=sheet.example,
        mark=sheet.mark,
        labels=sheet.labels,
        wholes=sheet.no_wholes,
        sets=sheet.groups,
    )

    def with_typed(self, table: Table, character: Character, text: str) -> Character:
        """Return the character with the sheet that was typed for them, at a table of One-Roll."""
        return sheet.put(character, sheet.read_sheet(text)) if table.game == ORE.name else character

    def session_ended(self, table: Table) -> Step:
        """Let companies have their ratings again (O8)."""
        return company.rested(table)

    def ruled(self, table: Table) -> object:
        """Return the settings, and the companies with their ratings."""
        here = ORE.of(table)
        rated = [(each.name, each.ratings) for each in here.companies.values()] if here.companies else ()
        return here.places, here.crowd_width, here.company_ratings, rated

    def find_die_in(self, label: str) -> str:
        """Return the first dice in a name, such as `5d` or `2h`."""
        dice = (
            each.text for each in tokens(plain_text(label)) if each.sort in (OreSort.DICE, OreSort.SPECIAL)
        )
        return next(dice, "")

    def taken_names(self, table: Table) -> Mapping[str, Phrase]:
        """Return the names of companies, which roll under their own."""
        return dict.fromkeys(ORE.of(table).companies, Words("a company"))

    def renamed(self, table: Table, who: str, name: str) -> Table:
        """Return the table with a character renamed; a creature's rating of its own name is, too."""
        table = super().renamed(table, who, name)
        character = table.characters[who]
        own = ORE.has(character)
        is_free = key_in(own.ratings, name) not in own.ratings.keys() - {who} and is_label(name)
        if not character.gmc or who not in own.ratings or not is_free:
            return table
        named = [replace(each, label=name) if k == who else each for k, each in own.ratings.items()]
        ratings = {key(each.label): each for each in named}
        return table.with_owner(who, ORE.give(character, replace(own, ratings=ratings)))

    def forgotten(self, table: Table, who: Erasure) -> Table:
        """Return the table without anything about a person; a company called as they are is renamed."""
        table = super().forgotten(table, who)
        here, companies = ORE.of(table), dict[str, Company]()
        for each in here.companies.values():
            name = each.name
            while key(name) in companies:
                name = former(name)
            companies[key(name)] = replace(each, name=name)
        return ORE.put(table, replace(here, companies=companies)) if companies else table

    def things(self, table: Table, names: Collection[str]) -> Iterable[str]:
        """Return the names of companies."""
        return [each.name for each in ORE.of(table).companies.values()]

    def about(self, table: Table, person: int) -> Mapping[str, Any]:
        """Return the rolls of a person."""
        rolls = tuple(roll for roll in ORE.of(table).rolls.values() if roll.player == person)
        return {"one_rolls": rolls}

    def most_rolls(self) -> int:
        """Return how many open rolls a table keeps before the oldest one closes."""
        return roll.OPEN_ROLLS

    def as_made(self, fact: Fact) -> Fact | None:
        """Return the fact's roll, made, changed or gobbling, as if just made in its current state."""
        return OreRolled(fact.roll) if isinstance(fact, OreWithRoll) else None

    def rolls_now(self, table: Table) -> Mapping[int, Fact]:
        """Return the open rolls by number, each as a fact that it was made in its current state."""
        return {number: OreRolled(each) for number, each in ORE.of(table).rolls.items()}

    def thrown(self, fact: Fact) -> Iterable[Thrown]:
        """Return each d10 that was thrown; dice whose value is chosen don't count (O3)."""
        if isinstance(fact, OreRolled):
            hands = [(*each.faces, *(each.quick.thrown if each.quick else ())) for each in fact.roll.hands]
            dice = tuple((SIDES, face) for hand in hands for face in hand)
            yield Thrown(fact.roll.who, dice, fact.roll.gm)

    def attempts(self, hearing: SessionListener) -> OreAttempts:
        """Return the collector of a session's One-Roll rolls."""
        return OreAttempts(hearing)

    def sheet_lines(self, own: OreCharacter) -> Iterable[str]:
        """Return the ratings as a line of a sheet: `Ratings: Body 3d, Fight 2d 1w` (O1)."""
        said = write_ratings(own.ratings.values())
        return (f"Ratings: {said}",) if said else ()

    def read_line(self, own: OreCharacter, rest: str) -> OreCharacter:
        """Return a character's data with more ratings read (O1). Raises Unreadable or NotAllowed."""
        return replace(own, ratings=more(own.ratings, rest))

    def with_sheet(self, character: Character, own: OreCharacter) -> Character:
        """Return the character with the ratings of another game's sheet; the rest stays as it is."""
        before = ORE.has(character)
        sets = {name: each.set for name, each in before.ratings.items()}
        ratings = {name: replace(each, set=sets.get(name, each.set)) for name, each in own.ratings.items()}
        return ORE.give(character, replace(before, ratings=ratings))


GAME = OneRoll()
"""One of the games that can be played."""


_AGAINST = re.compile(r"(?<!\w)(?:vs?\.?|versus|against)(?!\w)", re.IGNORECASE)


_NUMBER = re.compile(r"[0-9]{1,2}\s?d(?P<ten>10)?", re.IGNORECASE)


_SPECIAL = "(?:[+,]?&?S)"


_DICE = f"(?:D{_SPECIAL}*|T{_SPECIAL}+|N[DT]?{_SPECIAL}*)"


_STRETCH = re.compile(rf"{_DICE}(?:\+[CL]{{0,3}}{_DICE}|-[DT])*")
"""Dice and names that are one pool. T is `6d10`, also a die of other games; C begins with a capital."""


_LABEL = re.compile("C{1,3}$")


class OreWritten(Value):
    """A pool found in prose, as written there, and the parts of the text that were ignored.

    `is_sure` means that no other game has such dice.
    """

    dice: str
    is_sure: bool
    left: tuple[str, ...] = ()


def find_dice(table: Table, actor: Actor, text: str) -> OreWritten | None:
    """Return the pool that a message means to its reader, or None if there is none in it.

    Text in brackets comes first, and may consist of rating names alone. Quoted lines are ignored.
    """
    own, *theirs = _AGAINST.split(without_quotes(text), maxsplit=1)
    is_alone = table.game == ORE.name  # no other game's d10 can be meant
    left = tuple(each.dice for part in theirs for each in _pools(part, (), is_alone))
    try:
        names = [each.label for each in ratings(table, actor).values()]
    except RuleError:
        names = []
    pool = next(
        (each for each in _candidates(own, names, is_alone) if _can_be_rolled(table, actor, each.dice)), None
    )
    return replace(pool, left=(*pool.left, *left)) if pool else None


def _candidates(text: str, names: Sequence[str], is_alone: bool) -> Iterator[OreWritten]:
    for inside in bracketed(text):
        sorts = _sorts(tokens(normalized(inside), names))
        if "+" in sorts or "N" in sorts:
            yield OreWritten(inside, is_sure="S" in sorts)
        yield from _pools(inside, names, is_alone)[::-1]
    yield from _pools(text, names, is_alone)[::-1]


def _pools(text: str, names: Sequence[str], is_alone: bool) -> list[OreWritten]:
    """The pools of a text, each with all others as left out; `is_alone` if `6d10` is one, too."""
    straight = normalized(text)
    found = tokens(straight, names)
    sorts = _sorts(found).replace("T", "D") if is_alone else _sorts(found)
    pools = dict[str, bool]()
    for match in _STRETCH.finditer(sorts):
        if not set("DT+") & set(match[0]):
            continue  # a name alone may be any word
        has_labels = re.search(r"\+[CLN]", match[0])
        label = _LABEL.search(sorts[: match.start()]) if has_labels else None
        first = found[label.start() if label else match.start()]
        pools[" ".join(straight[first.start : found[match.end() - 1].end].split())] = "S" in match[0]
    return [OreWritten(each, sure, tuple(p for p in pools if p != each)) for each, sure in pools.items()]


def _sorts(found: Sequence[OreToken]) -> str:
    """A letter for each token, by what it can mean in prose."""
    return "".join(map(_sort, found))


def _sort(token: OreToken) -> str:
    if token.sort is OreSort.DICE:
        number = _NUMBER.fullmatch(token.text)
        return "?" if number is None else "T" if number["ten"] else "D"
    if token.sort is OreSort.WORD or token.is_loose:
        return "C" if token.text[0].isupper() else "L"
    return "?" if token.sort is OreSort.COMMA and token.text != "," else token.sort


def _can_be_rolled(table: Table, actor: Actor, pool: str) -> bool:
    try:
        pool_of(table, actor, pool)
    except Undecided:
        return True  # it is asked when it is rolled
    except RuleError:
        return False
    return True
