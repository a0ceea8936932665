"""What campaigns keep of messages, by the leave of who wrote them, and how it is taken out for good."""

from collections.abc import Callable

from sqlalchemy import Select, bindparam, select, update

from bot.store import fact_codec, tags
from bot.store.history import Author, Draft, Entry
from bot.store.places import known
from bot.store.recorder import Recorder, Recording
from bot.store.schema import entry
from bot.store.writer import Write
from rules.campaign.notes import quotes_in, without_quote
from rules.errors import TooLate
from rules.facts import Fact, Quoted, QuoteTakenOut
from rules.table import Table
from rules.values import replace

_REWORD = update(entry).where(
    entry.c.campaign_id == bindparam("of"), entry.c.number == bindparam("at_number")
)


class Quotes:
    """What is kept of messages, found by their ids and by who wrote them."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder

    async def of(self, campaign: int, message: int) -> dict[int, list[Quoted]]:
        """What is kept of a message, by the steps that tell of it, also where it is undone or taken out."""
        found = {n: quotes_in(facts, message) for n, facts in (await self._about(campaign, message)).items()}
        return {number: quotes for number, quotes in found.items() if quotes}

    async def by(self, campaign: int, person: int) -> list[str]:
        """All texts of a person that are kept at a campaign, the oldest first."""
        told = [fact for facts in (await self._about(campaign, person)).values() for fact in facts]
        own = (fact for fact in told if isinstance(fact, Quoted) and fact.player == person and fact.text)
        return list({quoted.message: quoted.text for quoted in own}.values())

    async def take_out(
        self,
        campaign: int,
        author: Author,
        interaction: int,
        message: int,
        check: Callable[[Table, Quoted], None],
    ) -> Entry:
        """Take what is kept of a message out of all steps that tell of it, for good.

        `check` may refuse. The steps are changed with a new last entry: whoever is about to add one that
        tells of what was before meets it, and begins again. Raises TooLate where nothing is kept of it.
        """

        async def prepare() -> Recording:
            newest = await known(self._recorder, campaign)  # first: a step that came later is met
            before = newest.entry
            told = await self._about(campaign, message)
            quotes = [quoted for facts in told.values() for quoted in quotes_in(facts, message)]
            quoted = next((each for each in quotes if each.text), None)
            if quoted is None:
                raise TooLate("Nothing from that message is kept any more.")
            check(before.table, quoted)
            draft = Draft(before.table, (QuoteTakenOut(quoted.by, quoted.who),))
            made = before.then(author, self._recorder.clock.now(), draft)
            # The table stays where it was: what is taken out is no step that could be undone.
            at = (before.step.position, before.step.parent, before.step.tip)
            step = replace(made.step, position=at[0], parent=at[1], tip=at[2])
            rows = [
                {
                    "of": campaign,
                    "at_number": number,
                    "facts": fact_codec.write_facts(without_quote(facts, message)),
                }
                for number, facts in told.items()
                if quotes_in(facts, message)
            ]
            beside = tuple(Write(_REWORD, values=row) for row in rows)
            return Recording((replace(made, step=step),), beside=beside)

        return await self._recorder.record(interaction, prepare)

    async def _about(self, campaign: int, number: int) -> dict[int, tuple[Fact, ...]]:
        """The steps in which a quotation and an id stand, with what they tell, the oldest first."""
        rows = await self._recorder.reader.rows(_with(number).where(entry.c.campaign_id == campaign))
        return {
            row.number: fact_codec.read_facts(row.facts) for row in rows if tags.may_hold(row.facts, Quoted)
        }


def _with(number: int) -> Select[tuple[int, str]]:
    """Steps in which a number stands."""
    there = entry.c.facts.contains(str(number))
    return select(entry.c.number, entry.c.facts).where(there).order_by(entry.c.number)
