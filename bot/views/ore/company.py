"""Companies as text (O8)."""

from bot.language import say
from bot.language.line import Text, joined, nothing, strong, together
from bot.views.game import Links, Since
from bot.views.labels import listed
from rules.ore.company import left
from rules.ore.model import ORE, CompaniesRested, Company, CompanyChanged, CompanyUsed
from rules.table import Table


def ratings_words(company: Company, labels: tuple[str, ...]) -> Text:
    """Return a company's ratings: `might 2 of 3, treasure 1`."""
    rated = zip(labels, company.ratings, left(company), strict=True)
    said: list[Text] = []
    for label, rating, now in rated:
        if not rating and any(company.ratings):
            continue  # what a company has nothing of
        whole = f"{label} {now}"
        said.append(whole if now == rating else say("{rating} of {most}", rating=whole, most=rating))
    return joined(", ", said)


def company_words(company: Company, labels: tuple[str, ...]) -> Text:
    """Return a company with its ratings: `Grey Ford: might 2 of 3, treasure 1`."""
    return together(strong(company.name), ": ", ratings_words(company, labels))


def in_play(table: Table, before: Since) -> list[Text]:
    """Return a line for each company."""
    here = ORE.of(table)
    return [company_words(each, here.company_ratings) for each in here.companies.values()]


def view(table: Table, links: Links) -> list[Text]:
    """Return the companies, or how the first one comes."""
    return in_play(table, None) or [
        nothing(say("There are no companies yet. Example: /ore company name:Grey Ford ratings:might 3"))
    ]


def changed_words(fact: CompanyChanged) -> Text:
    """Return what became of a company for good: `Grey Ford: might 3 to 2, for good`."""
    if fact.after is None:
        return say("{company} is gone", company=fact.before.name if fact.before else "")
    if fact.before is None:
        return company_words(fact.after, fact.labels)
    rated = zip(fact.labels, fact.before.ratings, fact.after.ratings, strict=True)
    moved = [
        say("{label} {before} to {after}", label=label, before=was, after=now)
        for label, was, now in rated
        if was != now
    ]
    return say("{company}: {changes}, for good", company=fact.after.name, changes=joined(", ", moved))


def used_words(fact: CompanyUsed) -> Text:
    """Return what a company has left: `Grey Ford has might 2 and treasure 1 until the session ends`."""
    rated = zip(fact.labels, fact.before.used, fact.after.used, left(fact.after), strict=True)
    lower = [f"{label} {now}" for label, before, after, now in rated if before != after]
    return say(
        "{company} has {ratings} until the {session.one} ends", company=fact.after.name, ratings=listed(lower)
    )


def state_words(fact: CompanyChanged | CompanyUsed) -> Text:
    """Return how a company was before."""
    if fact.before is None:
        return say("{company} is gone", company=fact.after.name if fact.after else "")
    return company_words(fact.before, fact.labels)


def rested_words(fact: CompaniesRested) -> Text:
    """Return which companies have all of their ratings again."""
    return say("{companies}: all ratings are back", companies=listed(fact.names))
