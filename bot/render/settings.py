"""What each setting of a table is about, in a sentence short enough for a suggestion."""

from collections.abc import Mapping

from bot.language import later, say
from bot.language.line import Text

LOG = "log"
"""What is set beside the settings that a table keeps: the channel of its log, which it can be without."""
_ABOUT: Mapping[str, str] = {
    "name": later("what the table is called"),
    "dice": later("rolled dice as pictures or in words"),
    "pace": later("live, or post: each when they find the time"),
    "deadline": later("by post: hours until what waits is late"),
    "time zone": later("the one that dates are typed in"),
    LOG: later("switched off here; its channel is chosen by the option log"),
}
_known: dict[str, str] = {**_ABOUT}
_rulesets: dict[str, str] = {}


def learn(about: Mapping[str, str], rulesets: Mapping[str, str]) -> None:
    """Let settings and rulesets of the games mean that."""
    _known.update(about)
    _rulesets.update(rulesets)


def setting_words(name: str) -> Text:
    """A setting as it is suggested, with what it is about."""
    return say("{setting}: {about}", setting=name, about=say(_known[name]))


def ruleset_words(name: str) -> Text:
    """A ruleset as it is suggested, with what it means."""
    return say("{setting}: {about}", setting=name, about=about_ruleset(name))


def about_ruleset(name: str) -> Text:
    """What a ruleset means."""
    return say(_rulesets[name])
