"""The Discord client: loads the commands, answers presses and forms, stops without losing anything."""

import asyncio
import json
import re
import time
from collections.abc import Collection, Mapping
from contextlib import suppress
from functools import cache, partial
from typing import Any, TypeVar

import discord
import structlog
import yarl
from discord import Interaction, app_commands
from discord.ext.commands import when_mentioned

from bot.asks.question import STALE, Fields, Pressed
from bot.asks.questions import QUESTIONS
from bot.asks.safety import ADDS
from bot.asks.undecided import VERB as DECIDE
from bot.cogs.act import Acts
from bot.cogs.asset import Assets
from bot.cogs.base import FormHandler, Group, PressHandler
from bot.cogs.campaign import Campaigns, first_steps
from bot.cogs.challenge import Challenges
from bot.cogs.character import Characters
from bot.cogs.chronicle import Chronicles
from bot.cogs.comp import Complications
from bot.cogs.contest import Contests
from bot.cogs.crisis import Crises
from bot.cogs.dist import Distinctions
from bot.cogs.doom import Doom
from bot.cogs.gmc import Gmcs
from bot.cogs.help import Help
from bot.cogs.hero import HeroDice
from bot.cogs.log import History
from bot.cogs.odds import OddsOf
from bot.cogs.ore import OneRoll
from bot.cogs.pool import Pools
from bot.cogs.post import PlayByPost
from bot.cogs.pp import PlotPoints
from bot.cogs.privacy import OwnData
from bot.cogs.resource import Resources
from bot.cogs.roll import Rolls
from bot.cogs.safety import Safety
from bot.cogs.say import Speech
from bot.cogs.scene import Scenes
from bot.cogs.session import Sessions
from bot.cogs.setup import Setup
from bot.cogs.sfx import SpecialEffects
from bot.cogs.stats import Stats
from bot.cogs.stress import StressTracks
from bot.cogs.table import Tables
from bot.cogs.turn import Turns
from bot.cogs.whisper import Whispers
from bot.cogs.xp import Experience
from bot.explain import cause, explain
from bot.language import say
from bot.play import Play
from bot.render.card import Button
from bot.render.host import UNNAMED, Host
from bot.shards import EVERYTHING, Sharded, Share
from bot.store.engine import is_away
from bot.store.history import Entangled
from bot.store.ledger import Ledger
from bot.store.recorder import Busy
from bot.store.waiting import Kind
from bot.ui import ask
from bot.ui.account import PRESSED, Outcome, account_of, custom_id
from bot.ui.afterwards import Afterwards
from bot.ui.answered import Answered
from bot.ui.budget import SUGGESTIONS, Budget
from bot.ui.dates import Dates
from bot.ui.debounce import Followers
from bot.ui.faces import Faces
from bot.ui.forms import TYPED, answers
from bot.ui.layout import NOBODY
from bot.ui.line import CUT, LATE, Undelivered, line_of, watch
from bot.ui.message import refuse, reply, update
from bot.ui.own import with_way_in
from bot.ui.pinned import PAUSE, PinnedTables
from bot.ui.post import Post
from bot.ui.questions import Again, Questions, command_again, do_command
from bot.ui.registered import Registered
from bot.ui.request import asked
from bot.ui.roll_messages import ShownRolls
from bot.ui.servers import Servers, is_member
from bot.ui.step_log import StepLogs
from bot.ui.threads import SceneThreads
from bot.ui.traffic import traced
from bot.ui.voices import Voices
from bot.use.build import Builder
from bot.use.importing import Files
from bot.use.keeping import FOR_EVER, Keeper, Keeping
from bot.use.portraits import Portraits
from bot.use.privacy import Privacy
from bot.use.views import Views
from bot.watch import NOBODY_LOOKS, Watch
from rules.errors import RuleError, TooLate, Undecided, Unknown

log = structlog.get_logger(__name__)

AGAIN = "again"
"""The verb of the button that opens a refused form as it was typed."""
ROLL_PAUSE = 0.5
"""Seconds between a change and the edit of the rolls that it changed."""
LEAD_PAUSES = (5.0, 60.0, 600.0)
"""Seconds after which commands that could not be registered are tried again."""
FOLLOW = 30.0
"""Seconds after which a process without the first shard looks again for what the other has registered."""
DRAIN = 8.0
"""Seconds that running commands have to finish when the bot stops."""
FLUSH = 2.0
"""Seconds that pinned tables and shown rolls have to show the last change then."""
ELSEWHERE = 1.0
"""Seconds that another process has to do what came while this one stops."""
STOPPING = "The bot is restarting. /log shows whether that was done; if not, send it again in a moment."

SLOW_DOWN = "Please slow down: nothing was changed. {most} in 10 seconds are the most; send that again soon."


def point_at(api_url: str, gateway_url: str) -> None:
    """Let discord.py talk to these addresses: Discord's own, a proxy's, or the local table's."""
    discord.http.Route.BASE = api_url.rstrip("/")
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway_url)
    # Else it warns at each start that parts for voice are missing.
    discord.VoiceClient.warn_nacl = False
    discord.VoiceClient.warn_dave = False


_Handler = TypeVar("_Handler")


@cache
def _handlers(kind: type[Group]) -> tuple[str, ...]:
    """The names of what a group does when something is pressed or sent."""
    methods = ((name, getattr(kind, name)) for name in dir(kind))
    return tuple(name for name, each in methods if hasattr(each, "__press__") or hasattr(each, "__form__"))


class Tree(app_commands.CommandTree["Doomkeeper"]):
    """The commands; none is begun while the bot stops."""

    async def interaction_check(self, it: Interaction["Doomkeeper"], /) -> bool:
        """Count a command as running, or refuse it."""
        return await it.client.admit(it)

    async def on_error(self, it: Interaction["Doomkeeper"], error: app_commands.AppCommandError, /) -> None:
        """Tell the caller alone what went wrong."""
        await it.client.explain(it, error)


class Doomkeeper(Sharded):
    """The bot, connected to Discord."""

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
        watch: Watch = NOBODY_LOOKS,
    ) -> None:
        super().__init__(
            ledger,
            share,
            # Any other prefix makes it warn that the intent for messages' content is missing.
            command_prefix=when_mentioned,
            help_command=None,
            # None that Discord has to grant: interactions bring their member, rights, channel and
            # language along.
            intents=discord.Intents(guilds=True),
            tree_cls=Tree,
            allowed_mentions=NOBODY,
            # Where a group says nothing of its own. They win over `guild_only`, so that is no way to say it.
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True),
            allowed_installs=app_commands.AppInstallationType(guild=True),
            member_cache_flags=discord.MemberCacheFlags.none(),  # nothing is looked up among them
            chunk_guilds_at_startup=False,
            max_messages=None,
            # Without it, discord.py waits for a limit as long as Discord says; it takes no less than 30.
            max_ratelimit_timeout=30.0,
        )
        self.watch, self.host = watch, host
        self.http.http_trace = traced(watch)
        self.play = play
        self.faces = Faces(self, self._ledger)
        self.shown = ShownRolls(self, self._ledger, self.faces, min(pause, ROLL_PAUSE))
        self.pinned = PinnedTables(self, play, self._ledger, self.shown, pause)
        self.threads = SceneThreads(self, play, ledger, pause + ROLL_PAUSE)
        self.voices = Voices(play, ledger.spoken)
        self.views = Views(ledger)
        self.quiet_hours, self.portraits = ledger.quiet_hours, ledger.portraits
        self.answered = Answered()
        self.step_logs = StepLogs(self, ledger, self.answered, pause)
        self._has_faces = dice_emojis
        self.post = Post(self, self._ledger, self.shown, pause)
        self.dates = Dates(self, play, ledger, self.post.gms, pause)
        self.privacy = Privacy(play, self._ledger, keeping.retention, host)
        mine = (self.dates, self.post, self.step_logs, self.privacy, Afterwards(self, self.privacy))
        kinds = {kind: do for each in mine for kind, do in each.kinds().items()}
        self.keeper = Keeper(play, ledger, keeping, partial(is_member, self), kinds)
        self.followers = Followers(self.shown, self.pinned, self.dates, self.post, self.step_logs)
        play.changed = self.followers.touch
        play.forget = self._forget
        self.registered = Registered(self.tree, self._ledger, dev_guild, always=always_sync)
        self._presses: dict[str, tuple[re.Pattern[str], PressHandler]] = {}
        self._forms: dict[str, tuple[re.Pattern[str], FormHandler]] = {}
        self._questions = Questions(self._ledger.waiting)
        self._running: set[asyncio.Task[Any]] = set()
        self._duty: asyncio.Task[None] | None = None
        self._catching_up: set[asyncio.Task[None]] = set()
        self._is_stopping = self._is_over = False
        self.late = LATE
        """Seconds that a person waits before Discord is told that the answer comes later."""
        self._budget = Budget(budget)
        self._suggestions = Budget(SUGGESTIONS if budget else 0)

    async def _forget(self, campaign: int, channel: int = 0) -> None:
        """What shows a campaign lets go of it, or of one channel of it."""
        await self.pinned.forget(campaign, channel)
        if not channel:
            await self.step_logs.end(campaign)

    async def setup_hook(self) -> None:
        """Load the commands and buttons, register the commands if they have changed, and do what is due."""
        asking = asyncio.create_task(self.ask_gateway())  # meanwhile, most of this is at work itself
        try:
            await self._set_up()
            await asking
        finally:
            asking.cancel()

    async def _set_up(self) -> None:
        self._ledger.wait()  # the bot before this one, which gave up its shards, has hurried it
        await self.load_all()
        await self.add_cog(Servers(self, self.keeper))
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
        """Load the commands and buttons."""
        plain = (Acts, Assets, Complications, Distinctions, History)
        more = (OddsOf, PlotPoints, Safety, Setup, Stats, StressTracks)
        foes = (Challenges, Contests, Crises, Gmcs, HeroDice, Turns)
        people = (Experience, OneRoll, Resources, SpecialEffects, Speech)
        for kind in (*plain, *more, *foes, *people):
            await self.load(kind(self.play))
        ledger, files = self._ledger, partial(Files, self.play, self._ledger)
        builder = Builder(self.play, ledger)
        await self.load(Campaigns(self.play, self.step_logs, files("import", first_steps)))
        await self.load(Characters(self.play, files("importone"), Portraits(self.play, ledger.portraits)))
        await self.load(Chronicles(self.play, ledger.portraits))
        await self.load(Sessions(self.play, ledger.quiet_hours))
        await self.load(Whispers(self.play, ledger.whispers))
        await self.load(Help(self.play, self.registered, self.host, ledger.notes))
        await self.load(OwnData(self.play, self.privacy))
        await self.load(Pools(self.play, builder))
        await self.load(Rolls(self.play, builder))
        await self.load(Doom(self.play, self.threads))
        await self.load(Scenes(self.play, self.threads))
        await self.load(Tables(self.play, self.pinned))
        await self.load(PlayByPost(self.play, self.post, ledger.quiet_hours, ledger.people))
        for verb, question in QUESTIONS.items():
            subject = re.compile(question.subject)
            self._presses[verb] = subject, partial(ask.press, self.play, question)
            if question.read is not None:
                self._forms[verb] = subject, partial(ask.send, self.play, question)

    def took(self, shards: Collection[int]) -> None:
        """Bring up to date what whoever served these shards before may not have shown any more."""
        task = asyncio.create_task(self._catch_up(frozenset(shards)), name="catch up")
        self._catching_up.add(task)
        task.add_done_callback(self._catching_up.discard)

    async def _catch_up(self, shards: Collection[int]) -> None:
        try:
            await self.dates.look()
            for campaign, server in await self._ledger.past.changed_last():
                if (server >> 22) % (self.shard_count or 1) in shards:  # as Discord parts servers
                    self.followers.touch(campaign)
        except Exception as error:  # the next change brings them up to date
            log.warning("messages not looked after", reason=repr(error))

    def lead(self) -> None:
        """Do what one process does for all: register the commands, bring the faces of dice."""
        if self._duty is not None:
            self._duty.cancel()
        self._duty = asyncio.create_task(self._lead(), name="lead")

    async def _lead(self) -> None:
        for pause in (0.0, *LEAD_PAUSES):
            await asyncio.sleep(pause)
            try:
                await self.registered.bring()
                break
            except Exception as error:  # the old commands stay, and work
                log.warning("commands not registered yet", reason=repr(error))
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
                log.warning("not learned what another process has registered", reason=repr(error))
            await asyncio.sleep(FOLLOW)

    async def close(self) -> None:
        """Stop what still goes on, and disconnect."""
        ending = [task for task in (self._duty, *self._catching_up) if task is not None]
        for task in ending:
            task.cancel()
        if ending:
            await asyncio.wait(ending)  # what they read from is closed next
        await self.faces.stop()
        await self.keeper.close()
        await super().close()

    def knows(self, verb: str) -> bool:
        """Whether a button or a form of this version has that verb."""
        return verb in self._presses or verb in self._forms or verb in (AGAIN, DECIDE)

    async def load(self, cog: Group) -> None:
        """Add a group of commands with its buttons, forms and long-press command."""
        await self.add_cog(cog)
        menu = getattr(cog, "menu", None)
        if menu is not None:
            self.tree.add_command(menu)
        for name in _handlers(type(cog)):
            method = getattr(cog, name)
            for verb, subject in getattr(method, "__press__", {}).items():
                self._presses[verb] = subject, method
            for verb, subject in getattr(method, "__form__", {}).items():
                self._forms[verb] = subject, method

    async def admit(self, it: Interaction[Any]) -> bool:
        """Count what the current task does as running; while stopping, or past the budget, refuse it."""
        account = account_of(it)
        _name_in_log(it, account.named)
        task = asyncio.current_task()
        if task is not None:
            self._running.add(task)
            task.add_done_callback(self._running.discard)
            task.add_done_callback(account.settle)
        if self._is_over or not await self.is_left_to_us(it):
            line_of(it).leave()
            return False
        if it.type is discord.InteractionType.autocomplete:
            return not self._is_stopping and await self._may_suggest(it)
        if self._is_stopping:
            await asyncio.sleep(ELSEWHERE)
            await self.explain(it, TooLate(STOPPING))
            return False
        if not self._budget.allows(it.user.id, time.monotonic()):
            await self.explain(it, TooLate(SLOW_DOWN, most=self._budget.most))
            return False
        if task is not None:
            watch(it, task, self.late)
        return True

    async def _may_suggest(self, it: Interaction[Any]) -> bool:
        """Whether somebody gets suggestions now; who has had too many is told that there are none."""
        if self._suggestions.allows(it.user.id, time.monotonic()):
            return True
        account_of(it).outcome = Outcome.REFUSED
        with suppress(discord.DiscordException, *CUT):  # nobody waits for it: the next key asks anew
            await it.response.autocomplete([])
        return False

    async def explain(
        self, it: Interaction[Any], error: BaseException, typed: tuple[Pressed, Fields] | None = None
    ) -> None:
        """Tell the caller alone what went wrong, with a way on where there is one.

        What was `typed` into a form can be opened again. Where another process has done what this one
        refuses, that is told instead.
        """
        root = cause(error)
        account_of(it).outcome = _outcome(root)
        # What Discord takes no more, it does not take as a refusal either.
        if isinstance(root, Undelivered):
            log.warning("not answered", reason=str(root))
            return
        if isinstance(root, RuleError | Busy) and await self._told_done(it):
            account_of(it).outcome = Outcome.DONE
            return
        sentence = explain(error)
        try:
            rows, campaign = await self._ways_on(it, root, typed)
        except Exception as failure:  # the refusal is told all the same
            log.warning("refused without a way on", exc_info=failure)
            rows, campaign = (), 0
        await self._refuse(it, *with_way_in(it, root, sentence, rows), campaign)

    async def _ways_on(
        self, it: Interaction[Any], root: BaseException, typed: tuple[Pressed, Fields] | None
    ) -> tuple[tuple[tuple[Button, ...], ...], int]:
        """The buttons below a refusal, and the campaign that they are of."""
        again = it.extras.get(DECIDE) or command_again(it)
        if isinstance(root, Undecided) and again:
            it.extras[DECIDE] = again
            here = await self.play.campaign(asked(it))
            return (await self._questions.ask(it, root, again, here),), 0
        is_kept = typed is not None and typed[0].verb not in ADDS  # it would be kept with who typed it
        if typed and is_kept and isinstance(root, RuleError) and not isinstance(root, TooLate):
            await self._keep_typed(it, typed)
            return ((Button(say("Try again"), AGAIN, it.id),),), 0
        if isinstance(root, Entangled) and not root.step.undone:
            number = root.step.number
            if await self.play.may_undo_back(asked(it), number):
                back = Button(say("Go back before step {number}", number=number), "undoback", number)
                return ((back,),), await self.play.campaign(asked(it))
        return (), 0

    async def _told_done(self, it: Interaction[Any]) -> bool:
        """Tell what came of an interaction that another process has done; whether one has."""
        try:
            done = await self.play.done_by(it.id)
        except Exception as failure:  # the refusal is told all the same
            log.warning("not looked up whether it was done", exc_info=failure)
            return False
        if done is None:
            return False
        press = it.extras.get(PRESSED)
        is_shown = press is not None and done.card.roll is not None and press.number == done.card.roll.number
        try:
            await (update if is_shown and it.message else reply)(it, done.card, done.campaign)
        except (discord.DiscordException, Undelivered) as failure:
            log.warning("not answered", reason=str(failure))
        return True

    async def _refuse(
        self,
        it: Interaction[Any],
        sentence: str,
        rows: tuple[tuple[Button, ...], ...] = (),
        campaign: int = 0,
    ) -> None:
        try:
            await refuse(it, sentence, rows, campaign)
        except (discord.DiscordException, Undelivered) as failure:  # there is no other way to tell them
            account_of(it).outcome = Outcome.UNANSWERED
            log.warning("refusal not delivered", reason=str(failure))

    async def on_interaction(self, it: Interaction[Any]) -> None:
        """Presses and forms, also those on what is from before a restart, or gone from its message."""
        # discord.py forgets its forms and buttons with each restart, and forms that are dismissed stay with
        # it for ever: so it is told of none, and all are read by their ids here.
        if it.type not in (discord.InteractionType.modal_submit, discord.InteractionType.component):
            return
        try:
            it.extras[PRESSED] = press = _read(custom_id(it))
        except TooLate as error:
            await self.explain(it, error)
            return
        if it.type is discord.InteractionType.modal_submit:
            await self.sent(it, press, answers(it))
        else:
            await self.pressed(it, press)

    async def pressed(self, it: Interaction[Any], press: Pressed) -> None:
        """Do what a button says; whatever goes wrong, the person hears of it."""
        if not await self.admit(it):
            return
        try:
            if press.verb == AGAIN:
                await self._again(it, press)
            elif press.verb == DECIDE:
                here = await self.play.campaign(asked(it))
                again = await self._questions.answer(it, press.number, press.subject, here)
                it.extras[DECIDE] = again
                await self._do_again(it, again)
            else:
                it.extras[DECIDE] = {"press": custom_id(it)}
                await _known(self._presses, press)(it, press)
        except Exception as error:
            await self.explain(it, error)

    async def sent(self, it: Interaction[Any], press: Pressed, fields: Fields) -> None:
        """Do what a form asks; a refused one can be opened again as it was typed."""
        if not await self.admit(it):
            return
        try:
            it.extras[DECIDE] = _form(press, fields)
            await _known(self._forms, press)(it, press, fields)
        except Exception as error:
            await self.explain(it, error, (press, fields))

    async def _do_again(self, it: Interaction[Any], again: Again) -> None:
        """Do what was asked before a question, now that it is answered."""
        if "command" in again:
            await do_command(it, self.tree, again["command"])
            return
        press = _read(again["press"])
        if "fields" in again:
            await _known(self._forms, press)(it, press, Fields(again["fields"]))
        else:
            await _known(self._presses, press)(it, press)

    async def _keep_typed(self, it: Interaction[Any], typed: tuple[Pressed, Fields]) -> None:
        """Keep what was typed into a form for another try of the same person."""
        await self._ledger.waiting.keep(Kind.FORM, it.id, it.user.id, json.dumps(_form(*typed)))

    async def _again(self, it: Interaction[Any], press: Pressed) -> None:
        """Open a refused form as it was typed."""
        body = await self._ledger.waiting.find(Kind.FORM, press.number, it.user.id)
        if body is None:
            raise Unknown("What was typed is no longer there. Press the button on the message again.")
        typed = json.loads(body)
        first, it.extras[TYPED] = _read(typed["press"]), typed["fields"]
        await _known(self._presses, first)(it, first)

    async def drain(self, *, waits: bool = False) -> None:
        """Stop taking new work, finish what runs, bring the pinned tables up to date, and close.

        What runs may wait for a database that is away, if it `waits`.
        """
        self._is_stopping = True
        self.take_no_more()
        if not waits:
            self._ledger.hurry()
        if self._running:
            # discord.py would close the session under them, and their answers would fail.
            _, late = await asyncio.wait(self._running, timeout=DRAIN)
            if late:
                log.warning("stopped before all was finished", running=len(late))
        self._ledger.hurry()
        with suppress(TimeoutError):
            async with asyncio.timeout(FLUSH):
                await self.followers.flush()
                await self.pinned.flush()
                await self.threads.flush()
        await self._be_deaf()
        await self.close()

    async def _be_deaf(self) -> None:
        """Hear nothing more from Discord, and tell those who came meanwhile; who comes later is left alone.

        Only then may the way to Discord be closed: nobody is being answered any more.
        """
        for shard in self.shards.values():
            await shard.disconnect()
        with suppress(TimeoutError):
            async with asyncio.timeout(2 * ELSEWHERE):
                while self._running:
                    await asyncio.wait(self._running)
        self._is_over = True
        for task in self._running:
            task.cancel()
        if self._running:
            await asyncio.wait(self._running, timeout=ELSEWHERE)


def _name_in_log(it: Interaction[Any], command: str) -> None:
    """Let every record of the current task say what it is about."""
    shards = it.client.shard_count or 1
    structlog.contextvars.bind_contextvars(
        interaction=it.id,
        command=command,
        server=it.guild_id or 0,
        shard=((it.guild_id or 0) >> 22) % shards,  # as Discord shares servers out
    )
    log.debug("asked")


def _read(custom_id: str) -> Pressed:
    """What an id says. Raises TooLate for one that is none of ours."""
    press = Pressed.read(custom_id)
    if press is None:
        raise TooLate(STALE)
    return press


def _form(press: Pressed, fields: Fields) -> Again:
    """A form as it was filled in."""
    return {"press": str(press), "fields": fields}


def _known(handlers: Mapping[str, tuple[re.Pattern[str], _Handler]], press: Pressed) -> _Handler:
    """What answers a verb. Raises TooLate for one, or for a subject, that this version does not know."""
    found = handlers.get(press.verb)
    if found is None or not found[0].fullmatch(press.subject):
        raise TooLate(STALE)
    return found[1]


def _outcome(error: BaseException) -> Outcome:
    """How an interaction ends that this error ended."""
    if isinstance(error, Undelivered):
        return Outcome.UNANSWERED
    if isinstance(error, Busy):
        return Outcome.BUSY
    if isinstance(error, RuleError | app_commands.AppCommandError):
        return Outcome.REFUSED
    return Outcome.AWAY if is_away(error) else Outcome.FAILED
