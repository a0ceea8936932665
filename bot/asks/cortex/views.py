"""The views of Cortex, and what it offers below others."""

from collections.abc import Callable, Mapping

from bot.asks.cortex import foe_buttons, hidden, late, sfx_template, table, xp
from bot.asks.offers import Offers
from bot.asks.views import Links, View, one_of
from bot.language import later, say
from bot.language.line import Text, nothing
from bot.render.cortex import foes
from bot.render.cortex import table as tables
from bot.render.cortex.kinds import KINDS
from bot.render.cortex.sheet import gmc_lines, sfx_lines, xp_lines
from rules.cortex import gm_pools
from rules.cortex.kinds import Foe
from rules.cortex.model import CORTEX
from rules.table import Table

NO_CONTEST = later("There are no contests yet. Example: /contest start dice:2d8 d6 against:Rex")
_SHEET = "character"


def _of_traits(view: str) -> View:
    """All traits of the kinds that a view lists."""
    kinds = tuple(kind for kind, words in KINDS.items() if words.view == view)
    return View(lambda table, links: tables.trait_lines(table, kinds))


def _of(lines: Callable[[Table], list[Text]]) -> Callable[[Table, Links], list[Text]]:
    return lambda table, links: lines(table)


def _contests(table: Table) -> list[Text]:
    return foes.contest_lines(table) or [nothing(say(NO_CONTEST))]


def challenge_view(table: Table, name: str | None) -> str:
    """The view of all challenges, or of the one that is named. Raises Unknown, Ambiguous."""
    if name is None:
        return "challenge"
    found = gm_pools.named(table, Foe.CHALLENGE, name)
    return one_of("challenge", CORTEX.of(table).challenges[found.key].name)


VIEWS: Mapping[str, View] = {
    **{words.view: _of_traits(words.view) for words in KINDS.values() if words.view != _SHEET},
    "doom": View(_of(tables.doom_lines)),
    "pp": View(_of(tables.points_lines)),
    "crisis": View(_of(foes.crisis_lines), foe_buttons.crisis_buttons),
    "challenge": View(_of(foes.challenge_lines), foe_buttons.challenges_buttons, foe_buttons.one_challenge),
    "gmc": View(_of(gmc_lines), foe_buttons.gmc_buttons),
    "hero": View(_of(foes.hero_lines)),
    "contest": View(_of(_contests), foe_buttons.contest_buttons),
    "turn": View(_of(foes.turn_lines), foe_buttons.turn_buttons),
    "pool": View(_of(foes.pool_lines)),
    "sfx": View(_of(sfx_lines), sfx_template.button),
    "xp": View(_of(xp_lines)),
}
"""Its views by their short names."""
OFFERS = Offers(
    rolls=table.roll_button,
    unseen=hidden.named_buttons,
    sheet=table.sheet_buttons,
    ended=xp.ended_buttons,
    view_of=late.view_of,
    passed_over=late.passed_over,
)
"""What it offers below the table, a sheet, the end of a session, and what is late."""
