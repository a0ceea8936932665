"""`/quiet` and `/away`, and the buttons to take over from an absent GM."""

from discord import Interaction, app_commands
from discord.app_commands import Choice

from bot.client.access import alone
from bot.client.messages import reply, update
from bot.client.play_by_post import GmTakeover, PostReminders
from bot.client.request import asked
from bot.client.roll_messages import shown_of
from bot.cogs.base import Group, on_press
from bot.cogs.options import NewName, WhenBack, ZoneName
from bot.language import say
from bot.services.play import Play
from bot.services.responses import roll_card
from bot.store.personal import AllQuietHours
from bot.store.privacy import People
from bot.views import play_by_post
from bot.views.absent_gm import TAKE_OVER
from bot.views.card import Button, Card, Tone
from bot.views.game import Waiting
from bot.views.play_by_post import rest_lines
from bot.views.question import SIGN, Pressed
from bot.views.waiting import people, who_words
from rules.campaign.dates import read_clock, read_when
from rules.campaign.rolls import rolls_on
from rules.campaign.schedule import QuietHours, usual_hour
from rules.campaign.zones import milliseconds, zone_named, zone_needed
from rules.errors import NotAllowed
from rules.table import Table
from rules.values import replace

MORNING = "morning"
_BY = [Choice(name="morning", value=MORNING), Choice(name="one by one", value="once")]


class PlayByPost(Group):
    """Commands and buttons for play by post."""

    def __init__(
        self, play: Play, post: PostReminders, taking: GmTakeover, quiet: AllQuietHours, people: People
    ) -> None:
        super().__init__(play)
        self.post, self.taking, self.quiet_hours, self.people = post, taking, quiet, people

    @alone
    @app_commands.command(
        description="Set your quiet hours, when the bot sends no reminders; without options, show them"
    )
    @app_commands.rename(from_="from")
    @app_commands.choices(by=_BY)
    @app_commands.describe(
        from_="When they begin",
        to="When they end",
        zone="Your time zone",
        by="One message a day when quiet hours end, or each reminder when it's due",
    )
    async def quiet(
        self,
        interaction: Interaction,
        from_: NewName = "",
        to: NewName = "",
        zone: ZoneName = "",
        by: str = "",
    ) -> None:
        """Set or show the caller's quiet hours."""
        await self._set(interaction, await self._quiet(interaction, from_, to, zone, by))

    @alone
    @app_commands.command(description="Pause your reminders until a date")
    @app_commands.describe(
        until="A time such as sat 19:30, tomorrow 7pm, in 3 days, 29.11. 19:30 or 11/29 7pm",
        zone="Your time zone",
    )
    async def away(self, interaction: Interaction, until: WhenBack, zone: ZoneName = "") -> None:
        """Mark the caller as away."""
        await self._set(interaction, await self._away(interaction, until, zone))

    @on_press("mute")
    async def press_mute(self, interaction: Interaction, press: Pressed) -> None:
        """Mute or unmute a table's reminders."""
        rest = await self.quiet_hours.of(interaction.user.id)
        await self._set(
            interaction, replace(rest, muted=_toggled(rest.muted, press.campaign)), press.campaign
        )

    @on_press("quietoff")
    async def press_quiet_off(self, interaction: Interaction, press: Pressed) -> None:
        """Turn off quiet hours and being away."""
        rest = await self.quiet_hours.of(interaction.user.id)
        await self._set(interaction, QuietHours(rest.zone, muted=rest.muted), press.campaign, is_edit=True)

    @on_press("quietonce")
    async def press_at_once(self, interaction: Interaction, press: Pressed) -> None:
        """Send each reminder at its own time again, instead of gathering them."""
        rest = await self.quiet_hours.of(interaction.user.id)
        await self._set(interaction, replace(rest, by_morning=False), press.campaign, is_edit=True)

    @on_press(TAKE_OVER)
    async def press_take_over(self, interaction: Interaction, press: Pressed) -> None:
        """Make the person who presses the GM, in place of an absent one."""
        await self.taking.take(interaction, press)

    @on_press("actfor", SIGN)
    async def press_act(self, interaction: Interaction, press: Pressed) -> None:
        """Show the GM privately what can be done in somebody's place."""
        campaign, table = await self.play.see(asked(interaction, press.campaign))
        await reply(interaction, await self._acting(interaction, table, press), campaign)

    @on_press("waiton", SIGN)
    async def press_wait(self, interaction: Interaction, press: Pressed) -> None:
        """Restart the time limit of everything that waits for a person."""
        _, table = await self.play.see(asked(interaction, press.campaign))
        await self._wait_on(
            interaction, press, table, play_by_post.find_late(table, asked(interaction).actor, press.subject)
        )

    async def _wait_on(self, interaction: Interaction, press: Pressed, table: Table, each: Waiting) -> None:
        for player in people(table, each):
            await self.post.wait_on(press.campaign, player)
        hours = table.settings.deadline
        line = say("New deadline for {who}: in {hours} hours", who=who_words(each), hours=hours)
        await reply(interaction, Card((line,)), press.campaign)

    async def _acting(self, interaction: Interaction, table: Table, press: Pressed) -> Card:
        """The roll that waits with its buttons, or the turns, or the contest."""
        each = play_by_post.find_late(table, asked(interaction).actor, press.subject)
        roll = rolls_on(table).get(each.roll)
        if roll is not None:
            return replace(roll_card(table, roll), private=True)
        return (await self.seen(interaction, play_by_post.view_of(table, each), press.campaign))[0]

    async def _quiet(
        self, interaction: Interaction, begins: str, ends: str, zone: str, by: str
    ) -> QuietHours:
        """Somebody's rest with these quiet hours. Raises NotAllowed for a morning without any."""
        rest = await self._hours(interaction, begins, ends, zone)
        rest = replace(rest, by_morning=by == MORNING) if by else rest
        if by == MORNING and not rest.has_quiet_hours:
            raise NotAllowed(
                "The morning message comes when your quiet hours end, but you haven't set any. Add "
                "from and to."
            )
        return rest

    async def _hours(self, interaction: Interaction, begins: str, ends: str, zone: str) -> QuietHours:
        rest = await self.quiet_hours.of(interaction.user.id)
        if not (begins or ends):
            return replace(rest, zone=zone_named(zone, asked(interaction).actor.agreed)) if zone else rest
        if not (begins and ends):
            raise NotAllowed("Quiet hours need a start and an end. Add both from and to.")
        here = await self._zone(interaction, rest, zone)
        if not here:
            raise zone_needed(begins, f"/quiet from:{begins} to:{ends}")
        return replace(rest, zone=here, begins=read_clock(begins), ends=read_clock(ends))

    async def _away(self, interaction: Interaction, until: str, zone: str) -> QuietHours:
        rest = await self.quiet_hours.of(interaction.user.id)
        here, asking = await self._zone(interaction, rest, zone), asked(interaction)
        hour = usual_hour(await self.play.look(asking), here)
        back = read_when(until, interaction.created_at, here, hour, asking.actor.agreed)
        return replace(
            rest, zone=here, until=int(back.timestamp()), since=milliseconds(interaction.created_at)
        )

    async def _zone(self, interaction: Interaction, rest: QuietHours, zone: str) -> str:
        """The zone that is named, or the one that was, or that of the table, or "" for none."""
        asking = asked(interaction)
        if zone:
            return zone_named(zone, asking.actor.agreed)
        return rest.zone or (await self.play.look(asking)).settings.zone

    async def _set(
        self, interaction: Interaction, rest: QuietHours, campaign: int = 0, *, is_edit: bool = False
    ) -> None:
        """Keep when somebody is not reminded, and tell them."""
        campaign = await self.play.campaign(asked(interaction, campaign))
        rest = rest if rest.until > interaction.created_at.timestamp() else replace(rest, until=0, since=0)
        before = await self.quiet_hours.of(interaction.user.id)
        await self.quiet_hours.keep(interaction.user.id, rest)
        is_back_at_another_time = (before.until, before.since) != (rest.until, rest.since)
        is_gathered = before.is_gathered or rest.is_gathered
        changed = is_back_at_another_time or (is_gathered and replace(before, muted=rest.muted) != rest)
        for each in await self.people.campaigns_of(interaction.user.id) if changed else ():
            if is_back_at_another_time:  # plans say who is away
                shown_of(interaction).later.touch(each.id)
            if is_gathered:
                await self.post.rests(each.id, interaction.user.id, rest)
        ways = (
            [Button(say("Remind me at any time"), "quietoff")] if rest.has_quiet_hours or rest.until else []
        )
        if rest.is_gathered:
            ways.append(Button(say("Send each reminder separately"), "quietonce"))
        if campaign:
            word = say("Remind me again") if campaign in rest.muted else say("No more reminders")
            ways.append(Button(word, "mute"))
        card = Card(
            tuple(rest_lines(rest, campaign)), (tuple(ways),) if ways else (), private=True, tone=Tone.CALM
        )
        await (update if is_edit else reply)(interaction, card, campaign)


def _toggled(muted: tuple[int, ...], campaign: int) -> tuple[int, ...]:
    left = tuple(each for each in muted if each != campaign)
    return left if campaign in muted else (*left, campaign)
