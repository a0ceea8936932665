"""Companies: groups with ratings that are used until a session ends (O8)."""

import re
from collections.abc import Mapping

from rules.campaign.characters import new_name
from rules.campaign.seats import Actor, is_gm, require_gm
from rules.dice import Throw
from rules.errors import NotAllowed, Unknown, Unreadable
from rules.game import Step
from rules.names import LABEL, clean, find, get_named, key, remark
from rules.ore import model
from rules.ore import roll as rolls
from rules.ore.model import (
    ORE,
    CompaniesRested,
    Company,
    CompanyChanged,
    CompanyUsed,
    OreKind,
    OreRoll,
)
from rules.ore.pool import LEAST, MOST, OrePool
from rules.settings import names
from rules.table import Table
from rules.text import Words, shorten
from rules.values import replace

HIGHEST = 6
"""A rating of a company goes from 0 to this."""


MOST_COMPANIES = 12
"""A table has at most this many companies."""


RATINGS = 5
"""A company has so many ratings."""


_RATED = re.compile(r"(?P<label>[^,]+?)(?P<rating>[0-9]{1,2})")


def read_names(typed: str) -> tuple[str, ...]:
    """Return what the ratings of companies are called. Raises Unreadable unless they are five.

    >>> read_names("a, b, c, d, e")
    ('a', 'b', 'c', 'd', 'e')
    """
    found = names(typed)
    if len(found) != RATINGS:
        raise Unreadable("A company has {count} ratings, so type {count} names.", count=RATINGS)
    return found


def change(table: Table, actor: Actor, name: str, ratings: str, *, is_removed: bool = False) -> Step:
    """Create a company, or change some of its ratings for good: `might 3, treasure 2` (GM).

    Raises NotAllowed if nothing changes, no name or both changes are given, there are too many, or
    somebody else has the name; Unknown for a rating that companies don't have; Unreadable for text that
    isn't a rating.
    """
    require_gm(table, actor, Words("change a company"))
    if not name.strip():
        raise NotAllowed("Name the company, such as name:Grey Ford.")
    companies = ORE.of(table).companies
    if is_removed and ratings.strip():
        raise NotAllowed("Choose either ratings or remove, not both.")
    if is_removed:
        old = find_company(table, name)
        return _put(table, {k: each for k, each in companies.items() if each is not old}, old, None)
    before = get_named(companies, clean(name, LABEL))
    label = before.name if before else new_name(table, name)
    if before is None and len(companies) >= MOST_COMPANIES:
        raise NotAllowed("A table can have at most {most} companies.", most=MOST_COMPANIES)
    rated = list(before.ratings if before else (0,) * RATINGS)
    for place, rating in _read(table, ratings).items():
        rated[place] = rating
    used = before.used if before else (0,) * RATINGS
    after = Company(label, (*rated,), tuple(map(min, used, rated)))
    if after == before:
        raise NotAllowed("{name} already has those ratings.", name=after.name)
    return _put(table, {**companies, key(label): after}, before, after)


def is_weaker(fact: CompanyChanged) -> bool:
    """Return whether a company lost a rating for good, or is gone.

    >>> is_weaker(CompanyChanged(Company("Grey Ford", (3, 2, 1, 0, 0), (0,) * 5), None, ()))
    True
    """
    if fact.before is None or fact.after is None:
        return fact.after is None
    return any(now < was for was, now in zip(fact.before.ratings, fact.after.ratings, strict=True))


def _put(
    table: Table, companies: Mapping[str, Company], before: Company | None, after: Company | None
) -> Step:
    fresh = ORE.put(table, replace(ORE.of(table), companies=companies))
    return Step(fresh, (CompanyChanged(before, after, ORE.of(table).company_ratings),))


def _read(table: Table, typed: str) -> dict[int, int]:
    """Typed ratings by their places, at least one. Raises Unreadable, Unknown or NotAllowed."""
    labels = ORE.of(table).company_ratings
    found = dict[int, int]()
    for part in (" ".join(each.split()) for each in typed.split(",") if each.strip()):
        match = _RATED.fullmatch(part)
        if match is None or int(match["rating"]) > HIGHEST:
            raise Unreadable(
                "{part} isn't a rating from 0 to {most}, such as {label} 3.",
                part=shorten(part),
                most=HIGHEST,
                label=labels[0],
            )
        place = _place(labels, match["label"])
        if place in found:
            raise NotAllowed("{label} is there twice. Type it once.", label=labels[place])
        found[place] = int(match["rating"])
    if not found:
        raise Unreadable("Type at least one rating, such as {label} 3.", label=labels[0])
    return found


def _place(labels: tuple[str, ...], typed: str) -> int:
    return labels.index(find(typed, labels, Words("rating of a company")))


def find_company(table: Table, name: str) -> Company:
    """Return the company of that name. Raises Unknown if there is none; Ambiguous if several fit."""
    companies = ORE.of(table).companies
    if not companies:
        raise Unknown("There are no companies yet. Example: /ore company name:Grey Ford ratings:might 3")
    return companies[key(find(name, [each.name for each in companies.values()], Words("company")))]


def left(company: Company) -> tuple[int, ...]:
    """Return what each rating is worth until the session ends.

    >>> left(Company("Grey Ford", (3, 2, 1, 0, 0), (1, 0, 0, 0, 0)))
    (2, 2, 1, 0, 0)
    """
    return tuple(rating - used for rating, used in zip(company.ratings, company.used, strict=True))


def act(
    table: Table,
    actor: Actor,
    throw: Throw,
    company: str,
    first: str,
    second: str,
    against: str | None = None,
    note: str | None = None,
) -> Step:
    """Roll the sum of two ratings, each of which is 1 less until the session ends (O8).

    `against` is another company, whose last roll is opposed. Raises NotAllowed if that makes fewer than two
    dice, the two ratings are one, or the other company hasn't rolled.
    """
    own, labels = find_company(table, company), ORE.of(table).company_ratings
    places = (_place(labels, first), _place(labels, second))
    if places[0] == places[1]:
        raise NotAllowed("Choose two different ratings.")
    dice = sum(left(own)[place] for place in places)
    if dice < LEAST:
        raise NotAllowed(
            "{first} and {second} make {dice}d, and a pool needs at least {least} dice.",
            first=labels[places[0]],
            second=labels[places[1]],
            dice=dice,
            least=LEAST,
        )
    other = find_company(table, against) if against else None
    if other is own:
        raise NotAllowed("A company can't oppose itself. Choose another one.")
    opposed = _roll_of(table, other) if other else 0
    typed = " + ".join(f"{labels[place]} {left(own)[place]}d" for place in places)
    hand = model.full(OrePool(min(dice, MOST), typed=typed, over=max(0, dice - MOST)), throw)
    number, gm, said = table.number + 1, is_gm(table, actor), remark(note)
    roll = OreRoll(number, actor.id, own.name, (hand,), OreKind.FULL, gm, said, against=opposed)
    used = tuple(use + (place in places and left(own)[place] > 0) for place, use in enumerate(own.used))
    after = replace(own, used=used)
    fresh = replace(ORE.of(table), companies={**ORE.of(table).companies, key(own.name): after})
    step = rolls.made(ORE.put(table, fresh), roll)
    return step.then(Step(step.table, (CompanyUsed(own, after, labels),)))


def _roll_of(table: Table, company: Company) -> int:
    """The number of a company's last roll. Raises NotAllowed if it has none."""
    found = [number for number, roll in ORE.of(table).rolls.items() if key(roll.who) == key(company.name)]
    if not found:
        raise NotAllowed("{name} hasn't rolled yet, so there's nothing to oppose.", name=company.name)
    return max(found)


def rested(table: Table) -> Step:
    """Return companies to their ratings, as a session ends."""
    companies = ORE.of(table).companies
    tired = [each for each in companies.values() if any(each.used)]
    if not tired:
        return Step(table, ())
    fresh = {k: replace(each, used=(0,) * RATINGS) for k, each in companies.items()}
    told = CompaniesRested(tuple(each.name for each in tired))
    return Step(ORE.put(table, replace(ORE.of(table), companies=fresh)), (told,))
