"""Campaigns by the names by which people find them."""

from collections import Counter
from collections.abc import Iterable

from bot.language import say
from bot.language.line import Text
from bot.play.asked import Asked
from bot.store.expired import DAYS_KEPT
from bot.store.servers import CampaignLine, Offer
from rules.names import key
from rules.table import Table


def numbered(lines: Iterable[CampaignLine]) -> dict[str, int]:
    """Campaigns by name; of equal names the later ones are numbered."""
    found: dict[str, int] = {}
    counts: Counter[str] = Counter()
    for line in lines:
        whole = name = line.name or "Unnamed"
        while counts[name.casefold()]:
            counts[whole.casefold()] += 1
            # A suggestion's name has 100 characters at most.
            name = f"{whole[:94]} ({counts[whole.casefold()]})"
        counts[name.casefold()] = 1
        found[name] = line.id
    return found


def is_seen(asked: Asked, offer: Offer) -> bool:
    """Whether somebody is known to find a campaign: its GM, and who sees a channel of it."""
    return offer.is_own or asked.sees(offer.campaign) is True


async def is_shown(asked: Asked, offer: Offer, name: str) -> bool:
    """Whether Discord says that somebody sees a campaign whose whole name they typed."""
    is_meant = key(offer.campaign.name or "Unnamed") == key(name.strip())
    # Each is a request to Discord, so only for the one that was named.
    return is_meant and await asked.asks_to_see(offer.campaign)


def joinable(offers: Iterable[Offer]) -> dict[str, int]:
    """By name those that have no GM, and those of who asks."""
    named = numbered(each.campaign for each in offers)
    may = {each.campaign.id for each in offers if each.is_own or not each.is_led}
    return {name: one for name, one in named.items() if one in may}


def way_back(table: Table) -> Text:
    """How a deleted campaign is brought back, and until when."""
    example = f"/campaign restore name:{table.name or 'Unnamed'}"
    return say(
        "You can bring the campaign back for {days} days; then it's gone for good. Example: {example}",
        days=DAYS_KEPT,
        example=example,
    )
