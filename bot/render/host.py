"""Who is responsible for a bot, and where more is said: what `/about` and `/privacy` show of it."""

from dataclasses import dataclass

from bot.language import say
from bot.language.line import Text, address


@dataclass(frozen=True, slots=True)
class Host:
    """Who hosts the bot, how they are reached, and addresses; what is empty is not shown."""

    operator: str = ""
    contact: str = ""
    support: str = ""
    source: str = ""
    terms: str = ""
    privacy: str = ""


UNNAMED = Host()
"""A bot whose host has named nothing."""


def about_lines(host: Host) -> list[Text]:
    """Where the source, help and the terms are, and whose bot it is."""
    support = say("Help and questions: {address}", address=address(host.support))
    source = say("Source: {address}", address=address(host.source))
    terms = say("Terms of service: {address}", address=address(host.terms))
    links = [(host.support, support), (host.source, source), (host.terms, terms)]
    return [*(line for address, line in links if address), *responsible_lines(host)]


def responsible_lines(host: Host) -> list[Text]:
    """Who answers for what is kept, and by what policy."""
    lines = []
    if host.operator and host.contact:
        lines.append(say("Hosted by {who}. Contact: {contact}", who=host.operator, contact=host.contact))
    elif host.operator:
        lines.append(say("Hosted by {who}", who=host.operator))
    elif host.contact:
        lines.append(say("Contact for this bot: {contact}", contact=host.contact))
    if host.privacy:
        lines.append(say("Privacy policy: {address}", address=address(host.privacy)))
    return lines
