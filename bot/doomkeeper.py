"""The Discord client of Doomkeeper, with all its commands."""

import asyncio
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import aiohttp
import discord
import structlog
import yarl
from discord import Interaction, app_commands
from discord.ext.commands import when_mentioned
from discord.utils import MISSING

from bot.client.debounce import Followers
from bot.client.forms import Questions
from bot.client.layout import NOBODY
from bot.client.lifecycle import Running
from bot.client.log_channel import LogPoster
from bot.client.messages import CompletionNotices
from bot.client.notices import Notices
from bot.client.pinned import PAUSE, PinnedTables
from bot.client.play_by_post import GmTakeover, PostReminders
from bot.client.refusals import Refusals
from bot.client.registry import CommandRegistry, DieEmojis
from bot.client.request import CONNECTIONS, trace_requests
from bot.client.responder import AnsweredMessages, take_receipts
from bot.client.roll_messages import ShownRolls
from bot.client.schedule import SessionReminders
from bot.client.servers import ServerEvents, is_member
from bot.client.shards import ShardedBot
from bot.client.threads import SceneThreads
from bot.client.voices import Voices
from bot.cogs.base import Group, GroupServices
from bot.cogs.campaign import Campaigns, first_steps
from bot.cogs.character import Characters
from bot.cogs.help import Help, OwnData, Setup
from bot.cogs.play_by_post import PlayByPost
from bot.cogs.safety import Safety
from bot.cogs.session import Chronicles, Sessions
from bot.cogs.speech import Quotations, Speech, WhisperCommands
from bot.cogs.table import LogCommands, Stats, Tables
from bot.cogs.xp import Experience
from bot.games import GAMES, GamePresentation, play_games
from bot.metrics_hooks import NO_METRICS, MetricsHooks
from bot.routing import Handlers, InteractionRouter
from bot.services.files import Files, PortraitUploads
from bot.services.jobs import FOR_EVER, Keeper, Keeping
from bot.services.play import Play
from bot.services.privacy import Privacy
from bot.services.responses import Views
from bot.services.sessions import Quoting
from bot.store.history import Place
from bot.store.ledger import Ledger
from bot.store.shard_claims import EVERYTHING, Share
from bot.views.privacy import UNNAMED, Host


def groups(
    play: Play,
    ledger: Ledger,
    host: Host,
    games: Sequence[GamePresentation],
    *,
    registered: CommandRegistry,
    privacy: Privacy,
    step_logs: LogPoster,
    pinned: PinnedTables,
    post: PostReminders,
    keeper: Keeper,
) -> Iterator[Group]:
    """Yield all command groups with their dependencies: the shared ones, then those of the games."""
    for kind in (Experience, LogCommands, Safety, Speech, Stats):
        yield kind(play)
    yield Setup(play, keeper, ledger)
    sheets = [each.sheets for each in games if each.sheets]
    for game in games:
        yield from game.groups(GroupServices(play, ledger, sheets))
    yield Campaigns(play, step_logs, Files(play, ledger, "import", sheets, first_steps))
    yield Characters(
        play,
        Files(play, ledger, "importone", sheets),
        PortraitUploads(play, ledger.portraits),
        ledger.introductions,
    )
    yield Chronicles(play, ledger.portraits)
    yield Quotations(play, Quoting(play, ledger), ledger.spoken)
    yield Sessions(play, ledger.quiet_hours)
    yield WhisperCommands(play, ledger.whispers)
    yield Help(play, registered, host, ledger.notes, ledger.clock)
    yield OwnData(play, privacy)
    yield Tables(play, pinned, ledger.portraits)
    taking = GmTakeover(play, ledger, post.gms)
    yield PlayByPost(play, post, taking, ledger.quiet_hours, ledger.people)


log = structlog.get_logger(__name__)

ROLL_PAUSE = 0.5
"""Seconds between a change and the edit of the rolls that it changed."""
LEAD_PAUSES = (5.0, 60.0, 600.0)
"""Seconds after which commands that could not be registered are tried again."""
FOLLOW = 30.0
"""Seconds after which a process without the first shard looks again for what the other has registered."""
UNHEARD = ("socket_event_type", "app_command_completion")
"""What discord.py tells of with each command, and nobody here listens to."""
PRESSES = (discord.InteractionType.component, discord.InteractionType.modal_submit)


def point_at(api_url: str, gateway_url: str) -> None:
    """Make discord.py use these URLs: Discord's, a proxy's, or the local table's."""
    discord.http.Route.BASE = api_url.rstrip("/")
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway_url)
    # Else it warns at each start that parts for voice are missing.
    discord.VoiceClient.warn_nacl = False
    discord.VoiceClient.warn_dave = False


class BotCommandTree(app_commands.CommandTree["Doomkeeper"]):
    """The command tree; no command starts while the bot is stopping."""

    async def interaction_check(self, interaction: Interaction["Doomkeeper"], /) -> bool:
        """Count a command as running, or refuse it."""
        return await interaction.client.running.admit(interaction)

    async def on_error(
        self, interaction: Interaction["Doomkeeper"], error: app_commands.AppCommandError, /
    ) -> None:
        """Tell only the caller what went wrong."""
        await interaction.client.refusals.explain(interaction, error)


_OPTIONS: Mapping[str, Any] = {
    # Any other prefix makes it warn that the intent for messages' content is missing.
    "command_prefix": when_mentioned,
    "help_command": None,
    # None that Discord has to grant: interactions bring their member, rights, channel and
    # language along.
    "intents": discord.Intents(guilds=True),
    "tree_cls": BotCommandTree,
    "allowed_mentions": NOBODY,
    # Where a group says nothing of its own. They win over `guild_only`, so that is no way to say it.
    "allowed_contexts": app_commands.AppCommandContext(guild=True, dm_channel=True),
    "allowed_installs": app_commands.AppInstallationType(guild=True),
    "member_cache_flags": discord.MemberCacheFlags.none(),  # nothing is looked up among them
    "chunk_guilds_at_startup": False,
    "max_messages": None,
    # Without it, discord.py waits for a limit as long as Discord says; it takes no less than 30.
    "max_ratelimit_timeout": 30.0,
}
"""How the bot has discord.py serve it."""


class Doomkeeper(ShardedBot):
    """The Discord client."""

    def __init__(
        self,
        play: Play,
        ledger: Ledger,
        *,
        dev_guild: int | None = None,
        always_sync: bool = False,
        pause: float = PAUSE,
        budget: int = 0,
        dice_emojis: bool = False,
        share: Share = EVERYTHING,
        keeping: Keeping = FOR_EVER,
        host: Host = UNNAMED,
        watch: MetricsHooks = NO_METRICS,
        games: Sequence[GamePresentation] = GAMES,
    ) -> None:
        super().__init__(ledger, share, **_OPTIONS)
        self.watch, self.host = watch, host
        self.http.http_trace = trace_requests(watch, ledger.clock)
        self.play = play
        self.faces = DieEmojis(self, self._ledger)
        self.shown = ShownRolls(self, self._ledger, self.faces, min(pause, ROLL_PAUSE))
        self.pinned = PinnedTables(self, play, self._ledger, self.shown, pause)
        self.voices = Voices(play, ledger.spoken)
        self.views = Views(ledger)
        self.quiet_hours, self.portraits = ledger.quiet_hours, ledger.portraits
        self.answered = AnsweredMessages()
        self.notices = notices = Notices(self, ledger, self.shown)
        self.threads = SceneThreads(self, play, ledger, notices, pause, pause + ROLL_PAUSE)
        self.step_logs = LogPoster(self, ledger, self.answered, notices, pause)
        self._has_faces = dice_emojis
        self.post = PostReminders(self, self._ledger, self.shown, notices, pause)
        self.dates = SessionReminders(self, play, ledger, self.post.gms, notices, pause)
        self.privacy = Privacy(play, self._ledger, keeping.retention, host)
        questions = Questions(ledger.waiting)
        self.refusals = Refusals(play, ledger, questions, self.post.gms, notices)
        mine = (
            self.pinned,
            self.dates,
            self.post,
            self.step_logs,
            self.threads,
            self.refusals,
            self.privacy,
            CompletionNotices(self, self.privacy),
        )
        kinds = {kind: do for each in mine for kind, do in each.kinds().items()}
        self.keeper = Keeper(play, ledger, keeping, partial(is_member, self), kinds)
        self.followers = Followers(
            self.shown, self.pinned, self.dates, self.post, self.step_logs, self.threads
        )
        play.changed = self.followers.touch
        play.forget = self._forget
        self.registered = CommandRegistry(self.tree, self._ledger, dev_guild, always=always_sync)
        self.running = Running(self, ledger, self.refusals, budget)
        play_games(games)
        play.reads = [each.reads for each in games if each.reads]
        self.handlers = Handlers(play, games)
        self._games = games
        self._route = InteractionRouter(
            play, self.tree, self.handlers, self.running, self.refusals, ledger.waiting, questions
        )
        self._duty: asyncio.Task[None] | None = None
        self._catching_up: set[asyncio.Task[None]] = set()

    async def _forget(self, campaign: int, channel: int) -> None:
        """What shows a campaign lets go of it, or of one channel of it."""
        await self.pinned.forget(campaign, channel)
        if not channel:
            await self.step_logs.end(campaign)

    async def _redraw(self, place: Place) -> None:
        """Bring the messages of a place up to date that could not be edited or deleted before."""
        await self.pinned.hasten_removals(place.channel)
        entry = await self._ledger.look(place)
        if entry is not None:
            for follower in (self.shown, self.pinned):
                follower.later.touch(entry.campaign)

    async def login(self, token: str) -> None:
        """Log in. Only so many connections to Discord's API are open at once; discord.py sets no limit."""
        if self.http.connector is MISSING:
            self.http.connector = aiohttp.TCPConnector(limit=0, limit_per_host=CONNECTIONS)
        await super().login(token)

    async def setup_hook(self) -> None:
        """Load commands and buttons, register changed commands with Discord, and start what is due."""
        asking = asyncio.create_task(self.ask_gateway())  # meanwhile, most of this is at work itself
        try:
            await self._set_up()
            await asking
        finally:
            asking.cancel()

    async def _set_up(self) -> None:
        self._ledger.wait()  # the bot before this one, which gave up its shards, has hurried it
        await self.load_all()
        await self.add_cog(ServerEvents(self, self.keeper, self._redraw, self.pinned.check_pin))
        if self.leads:
            await self.registered.bring()
        else:
            await self.registered.look()
        await self.keeper.begin()
        if not self.leads:
            self._duty = asyncio.create_task(self._follow(), name="follow")
        elif self._has_faces:
            self.faces.begin()

    async def load_all(self) -> None:
        """Load all commands and buttons."""
        for group in groups(
            self.play,
            self._ledger,
            self.host,
            self._games,
            registered=self.registered,
            privacy=self.privacy,
            step_logs=self.step_logs,
            pinned=self.pinned,
            post=self.post,
            keeper=self.keeper,
        ):
            await self.load(group)

    async def load(self, group: Group) -> None:
        """Add a command group with its buttons, forms and context-menu command."""
        await self.add_cog(group)
        menu = getattr(group, "menu", None)
        if menu is not None:
            self.tree.add_command(menu)
        self.handlers.take(group)

    async def connect(self, *, reconnect: bool = True) -> None:
        """Stay connected until closed."""
        take_receipts()
        await super().connect(reconnect=reconnect)

    def dispatch(self, event_name: str, /, *args: Any, **kwargs: Any) -> None:
        """Dispatch an event to its listeners; interactions only if they are presses or forms."""
        # Commands go by the tree. Else each, and each key of a suggestion, begins a task to find out that.
        if event_name in UNHEARD or (event_name == "interaction" and args[0].type not in PRESSES):
            return
        super().dispatch(event_name, *args, **kwargs)

    async def on_interaction(self, interaction: Interaction[Any]) -> None:
        """Handle presses and forms; the command tree handles commands."""
        await self._route.take(interaction)

    async def drain(self, *, waits: bool = False) -> None:
        """Finish running work and pending updates, then close; with `waits`, running work may take longer."""
        await self.running.drain(self._flush, waits=waits)

    async def _flush(self) -> None:
        began, is_idle = self.clock.now(), not self.running.tasks
        await self.followers.flush()
        if is_idle and not self.followers.are_behind:
            await self._ledger.past.note_shown(began)

    def took(self, shards: Collection[int]) -> None:
        """Catch up on updates that the previous process of these shards may have missed."""
        task = asyncio.create_task(self._catch_up(frozenset(shards)), name="catch up")
        self._catching_up.add(task)
        task.add_done_callback(self._catching_up.discard)

    async def _catch_up(self, shards: Collection[int]) -> None:
        try:
            await self.dates.look()
            await self.threads.look()
            for campaign, server in await self._ledger.past.changed_last():
                if (server >> 22) % (self.shard_count or 1) in shards:  # as Discord parts servers
                    self.followers.touch(campaign)
        except Exception as error:  # the next change brings them up to date
            log.warning("messages not refreshed", exc_info=error)

    def lead(self) -> None:
        """Do what one process does for all: register the commands, upload the dice emoji."""
        if self._duty is not None:
            self._duty.cancel()
        self._duty = asyncio.create_task(self._lead(), name="lead")

    async def _lead(self) -> None:
        for pause in (0.0, *LEAD_PAUSES):
            await self.clock.sleep(pause)
            try:
                await self.registered.bring()
                break
            except Exception as error:  # the old commands stay, and work
                log.warning("commands not registered yet", exc_info=error)
        if self._has_faces:
            self.faces.begin()

    async def _follow(self) -> None:
        """Learn what the process that leads has registered and brought."""
        while True:
            try:
                if self._has_faces:
                    await self.faces.look()
                await self.registered.look()
            except Exception as error:  # words stand for what is not known
                log.warning("registered commands not reloaded", exc_info=error)
            await self.clock.sleep(FOLLOW)

    async def close(self) -> None:
        """Stop background work, and disconnect."""
        ending = [task for task in (self._duty, *self._catching_up) if task is not None]
        for task in ending:
            task.cancel()
        if ending:
            await asyncio.wait(ending)  # what they read from is closed next
        await self.faces.stop()
        await self.keeper.close()
        await super().close()
