"""Turn any exception into the refusal that a person reads."""

import json
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import discord
import structlog
from discord import Interaction, app_commands
from discord.errors import DiscordException

from bot.client.access import Rows, owner, with_way_in
from bot.client.forms import (
    Again,
    Questions,
    command_again,
    command_line,
    is_typed,
    meant,
    sign_by_command,
    sign_with_option,
)
from bot.client.messages import answer, refuse, reply, take_buttons, update
from bot.client.notices import Notices
from bot.client.play_by_post import AbsentGms
from bot.client.request import PRESSED, InteractionEnd, account_of, asked, command_options
from bot.client.responder import AnswerState, Undelivered, responder_of
from bot.client.roll_messages import shown_of
from bot.clock import clock_of
from bot.language import later, say
from bot.language.line import Text, capital
from bot.services.jobs import Kind
from bot.services.play import Play, find_dice
from bot.store.engine import Replaced, is_away
from bot.store.jobs import Job
from bot.store.ledger import Ledger
from bot.store.pending import WaitingKind
from bot.store.recorder import Busy
from bot.store.undo import Entangled, StepRefused
from bot.views.absent_gm import left_words, take_over_button
from bot.views.card import MOST_IN_ROW, Button, Card
from bot.views.facts import step_words, summary
from bot.views.game import SHOWN
from bot.views.help import wake_button
from bot.views.labels import UNNAMED
from bot.views.question import VERB as DECIDE
from bot.views.question import Fields, Pressed
from bot.views.safety import ADDS
from rules.campaign.lifecycle import agreement, with_agreed
from rules.campaign.seats import Actor, is_gm
from rules.campaign.zones import with_zone
from rules.errors import (
    Closed,
    Gone,
    NotAllowed,
    OptionNeeded,
    PossibleAnswer,
    RuleError,
    SettingOff,
    TooLate,
    Undecided,
    ZoneNeeded,
)
from rules.facts import Redone, Undone
from rules.game import Step
from rules.names import Candidates, DidYouMean, Lookalikes, one_of
from rules.table import Table
from rules.text import Row, Words, truncate
from rules.values import replace

AGAIN = "again"
"""The verb of the button that opens a refused form as it was typed."""


ELSEWHERE = 1.0
"""Seconds that another process has to answer what both have received."""
STOPPING = later("The bot is restarting. In a moment, check /log, and try again if your change isn't there.")


log = structlog.get_logger(__name__)


def explain(error: BaseException, **instead: Text) -> Text:
    """Return the sentence for an error; unforeseen errors get a reference number and a log entry.

    What is given by name stands in the sentence of a refusal instead of its own data.
    """
    root = cause(error)
    if isinstance(root, StepRefused):
        return capital(say(root.sentence, **root.named(step_words) | instead))
    if isinstance(root, RuleError):
        return say(root.sentence, **root.data | instead)
    if isinstance(root, app_commands.CommandNotFound | app_commands.CommandSignatureMismatch):
        return say("The bot was just updated. Wait a moment and send the command again.")
    if isinstance(root, app_commands.TransformerError):
        return say(
            "That option can't be {typed}. Choose one of the suggestions.", typed=f"{root.value!s:.80}"
        )
    if isinstance(root, Busy):
        return say(
            "Too many people are changing this table at once, so nothing was changed. Try again in a moment."
        )
    if isinstance(root, Replaced):
        return say(STOPPING)
    if is_away(root):
        log.error("database away", exc_info=root)
        return say(
            "The bot can't reach its database right now. In a minute, check /log, and try again if "
            "your change isn't there."
        )
    reference = secrets.token_hex(4)
    log.error("unforeseen fault", reference=reference, exc_info=root)
    return say(
        "Something went wrong inside the bot (reference {reference}). Check /log to see if your change "
        "was made.",
        reference=reference,
    )


def cause(error: BaseException) -> BaseException:
    """Return the original error that discord.py has wrapped."""
    while isinstance(error, DiscordException):
        inner = getattr(error, "original", None) or error.__cause__
        if not isinstance(inner, BaseException):
            break
        error = inner
    return error


LOST = "lost"
"""The kind of job that tells people of a step for which Discord showed no answer."""
LONGEST_COMMAND = 300
"""A refusal shows so many characters of a command at most."""
NO_ANSWER = later("Done, even though Discord showed no answer: {what}")


class Refusals:
    """Tells people what went wrong."""

    def __init__(
        self, play: Play, ledger: Ledger, questions: Questions, absent: AbsentGms, notices: Notices
    ) -> None:
        self._play = play
        self._waiting, self._jobs = ledger.waiting, ledger.jobs
        self._questions = questions
        self._absent = absent
        self._notices = notices

    def kinds(self) -> Mapping[str, Kind]:
        """Return the handlers of these jobs by kind."""
        return {LOST: self._tell_lost}

    async def explain(
        self, interaction: Interaction[Any], error: BaseException, typed: tuple[Pressed, Fields] | None = None
    ) -> None:
        """Tell the caller privately what went wrong, with buttons for what they can do next.

        A form can be opened again with the input in `typed`. If another process has already done what this
        one refuses, its outcome is shown instead.
        """
        root = cause(error)
        account_of(interaction).outcome = _outcome(root)
        # What Discord takes no more, it does not take as a refusal either.
        if isinstance(root, Undelivered):
            log.warning("not answered", reason=str(root))
            try:
                await self._tell_later(interaction)
            except Exception as failure:  # the log of the table has it
                log.warning("lost answer not noted", reason=str(failure))
            return
        if isinstance(root, Replaced) and responder_of(interaction).told is AnswerState.NOTHING:
            await clock_of(interaction.client).sleep(ELSEWHERE)
        if isinstance(root, RuleError | Busy) and await self._told_done(interaction):
            account_of(interaction).outcome = InteractionEnd.DONE
            return
        rows: Rows
        sentence, rows, campaign = self._explained(interaction, error), (), 0
        try:
            if isinstance(root, Closed | Gone):
                await take_buttons(interaction, sentence, root)
            rows, campaign = await self._ways_on(interaction, root, typed)
            if isinstance(root, SettingOff) and not owner(interaction):
                sentence, more, campaign = await self._turn_on(interaction, root, sentence)
                rows = (*rows, *more)
            if (left := await self._led_by_nobody(interaction, root)) is not None:
                sentence, more, campaign = left
                rows = (*rows, *more)
            if isinstance(root, RuleError) and not rows:
                await self._change_settings_alone(interaction)
        except Exception as failure:  # the refusal is told all the same
            log.warning("refusal sent without buttons", exc_info=failure)
        await self._refuse(interaction, *with_way_in(interaction, root, sentence, rows), campaign)

    async def _turn_on(
        self, interaction: Interaction[Any], off: SettingOff, sentence: Text
    ) -> tuple[Text, Rows, int]:
        """Return the refusal, with a button for the GM that changes the setting and repeats the command.

        For everyone else, the refusal names the GMs instead. Where the campaign is archived, it says so.
        """
        who = asked(interaction)
        campaign, table = await self._play.see(who)
        if table.archived:
            wake = ((wake_button(),),) if is_gm(table, who.actor) else ()
            return say("{table} is archived.", table=table.name or say(UNNAMED)), wake, campaign
        if not is_gm(table, who.actor):
            names = one_of([*table.gms.values()])
            return say("{what} Ask {gms} to change this setting.", what=sentence, gms=names), (), 0
        again, sign = interaction.extras.get(DECIDE) or command_again(interaction), agreement(off)
        if again is None or sign in who.actor.agreed:
            return say("{what} Example: {example}", what=sentence, example=off.command), (), 0
        label = Words("Set {setting} to “{value}”", setting=off.setting, value=off.value)
        if off.value == "on":
            label = Words("Turn on {setting}", setting=off.setting)
        answers = await self._questions.ask(interaction, [PossibleAnswer(label, sign)], again, campaign)
        return sentence, (answers,), 0

    async def _change_settings_alone(self, interaction: Interaction[Any]) -> None:
        """Change the settings that the GM agreed to change, although the command is refused all the same."""
        who = asked(interaction)
        if not who.actor.agreed:
            return
        table = await self._play.look(who)
        if is_gm(table, who.actor) and with_agreed(table, who.actor, _unchanged).facts:
            await answer(interaction, await self._play.change(who, _unchanged))

    def _explained(self, interaction: Interaction[Any], error: BaseException) -> Text:
        """The sentence for an error; the command to send again is the one that was typed."""
        root, again = cause(error), interaction.extras.get(DECIDE) or command_again(interaction) or {}
        if isinstance(root, ZoneNeeded) and "command" in again:
            line = truncate(command_line(again["command"], "zone"), LONGEST_COMMAND)
            return say(root.sentence, **root.data | {"example": with_zone(line)})
        return explain(error)

    async def _ways_on(
        self, interaction: Interaction[Any], root: BaseException, typed: tuple[Pressed, Fields] | None
    ) -> tuple[Rows, int]:
        """The buttons below a refusal, and the campaign that they are of."""
        again = interaction.extras.get(DECIDE) or command_again(interaction)
        if isinstance(root, Undecided) and again:
            interaction.extras[DECIDE] = again
            here = await self._play.awake(asked(interaction))
            answers = await self._questions.ask(interaction, root.answers, again, here)
            rows = (answers[n : n + MOST_IN_ROW] for n in range(0, len(answers), MOST_IN_ROW))
            return tuple(rows), 0
        if again and (corrections := _corrections(interaction, root, again)):
            here = await self._play.awake(asked(interaction))
            return (await self._questions.ask(interaction, corrections, again, here),), 0
        if isinstance(root, RuleError) and (twin := await self._offer_twin(interaction)):
            return (twin,), 0
        is_kept = typed is not None and typed[0].verb not in ADDS  # it would be kept with who typed it
        if typed and is_kept and isinstance(root, RuleError) and not isinstance(root, TooLate):
            await self._keep_typed(interaction, typed)
            return ((Button(say("Try again"), AGAIN, interaction.id),),), 0
        if isinstance(root, Entangled) and not root.step.undone:
            number = root.step.number
            if await self._play.may_undo_back(asked(interaction), number):
                back = Button(say("Go back before step {number}", number=number), "undoback", number)
                return ((back,),), await self._play.campaign(asked(interaction))
        return (), 0

    async def _offer_twin(self, interaction: Interaction[Any]) -> tuple[Button, ...]:
        """Return a button that gives the refused dice to the command of their game, if they are another's."""
        again, command = command_again(interaction), interaction.command
        if again is None or command is None or command.qualified_name not in SHOWN.twins:
            return ()
        twin, game = SHOWN.twins[command.qualified_name]
        options = {each["name"]: each["value"] for each in command_options(again["command"])}
        # A game's own table shows itself to no command of another game.
        who = replace(asked(interaction), game="")
        campaign, table = await self._play.see(who)
        if table.game:
            belongs = table.game == game
        else:
            try:
                found = find_dice(self._play.reads, table, who.actor, options["dice"])
            except RuleError:
                return ()
            belongs = found.game == game and not found.left
        if not belongs or options.get("hidden"):  # the other command rolls in the open
            return ()
        use = PossibleAnswer(Words("Use {command}", command=f"/{twin}"), sign_by_command(twin))
        return await self._questions.ask(interaction, [use], again, 0 if table.archived else campaign)

    async def _led_by_nobody(
        self, interaction: Interaction[Any], root: BaseException
    ) -> tuple[Text, Rows, int] | None:
        """A refusal that names GMs who have all left: it says who can name another, who may `Take over`.

        None where a GM is there.
        """
        is_off = isinstance(root, SettingOff)
        is_naming = isinstance(root, NotAllowed) and not isinstance(root, TooLate) and "gms" in root.data
        if not isinstance(root, RuleError) or not (is_off or is_naming):
            return None
        press: Pressed | None = interaction.extras.get(PRESSED)
        who = asked(interaction, press.campaign if press else 0)
        campaign, table = await self._play.see(who)
        is_elsewhere = root.campaign not in (0, campaign)
        absence = await self._absent.all_left(root.campaign or campaign)
        if absence is None:
            return None
        left = left_words(absence.gone, None if is_elsewhere else table)
        sentence = say("{what} {left}", what=explain(root), left=left) if is_off else explain(root, gms=left)
        rows = ((take_over_button(absence.step),),) if who.actor.manages and not is_elsewhere else ()
        return sentence, rows, campaign

    async def _keep_typed(self, interaction: Interaction[Any], typed: tuple[Pressed, Fields]) -> None:
        """Keep what was typed into a form for another try of the same person."""
        await self._waiting.keep(
            WaitingKind.FORM, interaction.id, interaction.user.id, json.dumps(as_typed(*typed))
        )

    async def _told_done(self, interaction: Interaction[Any]) -> bool:
        """Tell what came of an interaction that another process has done; whether one has."""
        try:
            done = await self._play.done_by(interaction.id)
        except Exception as failure:  # the refusal is told all the same
            log.warning("interaction not looked up", exc_info=failure)
            return False
        if done is None:
            return False
        press = interaction.extras.get(PRESSED)
        is_shown = press is not None and done.card.roll is not None and press.number == done.card.roll.number
        try:
            await (update if is_shown and interaction.message else reply)(
                interaction, done.card, done.campaign
            )
        except (discord.DiscordException, Undelivered) as failure:
            log.warning("not answered", reason=str(failure))
        return True

    async def _tell_later(self, interaction: Interaction[Any]) -> None:
        """Have people told what was done where Discord has shown no answer: they would do it again."""
        line = responder_of(interaction)
        if line.has_arrived or owner(interaction):
            return
        done = await self._play.done_by(interaction.id)
        if done is None:
            return
        if (message := await line.find_answer()) is not None:
            await shown_of(interaction).learn(interaction, done.campaign, done.card, message)
            return
        payload = {
            "interaction": interaction.id,
            "channel": interaction.channel_id or 0,
            "private": line.is_for_one,
            "pressed": interaction.message is not None,
        }
        now = clock_of(interaction.client).now()
        await self._jobs.put(Job(f"{LOST}:{interaction.id}", LOST, now, done.campaign, payload))

    async def _tell_lost(self, job: Job) -> None:
        """Tell people what an interaction has done; if its answer was private, only whoever acted."""
        number = job.payload["interaction"]
        entry, done = await self._play.past.made_by(number), await self._play.done_by(number)
        is_private = job.payload["private"] or (done is not None and done.card.private)
        if entry is None or done is None or (is_private and not entry.author.id):
            return
        what = say(NO_ANSWER, what=summary(done.facts))
        shown = Card((what,))
        if done.card.roll is not None and not job.payload["pressed"]:  # a new roll, with which people go on
            shown = replace(done.card, lines=(say(NO_ANSWER, what=""), *done.card.lines))
        # Going back or forward is taken back by the other way.
        is_walk = any(isinstance(fact, Undone | Redone) for fact in done.facts)
        undo = () if is_walk else ((Button(say("Undo"), "undo", done.table.number),),)
        card = replace(shown, rows=(*shown.rows, *undo), private=is_private)
        await self._notices.send(job, done.table, card, job.payload["channel"], [entry.author.id])

    async def _refuse(
        self,
        interaction: Interaction[Any],
        sentence: Text,
        rows: Rows = (),
        campaign: int = 0,
    ) -> None:
        try:
            await refuse(interaction, sentence, rows, campaign)
        except (discord.DiscordException, Undelivered) as failure:  # there is no other way to tell them
            account_of(interaction).outcome = InteractionEnd.UNANSWERED
            log.warning("refusal not delivered", reason=str(failure))


def _unchanged(table: Table, actor: Actor) -> Step:
    return Step(table, ())


def _corrections(interaction: Interaction[Any], root: BaseException, again: Again) -> list[PossibleAnswer]:
    """Return the ways to repeat a refused command: with a missing option, or with a name corrected."""
    command = interaction.command
    if not isinstance(root, RuleError):
        return []
    if isinstance(root, OptionNeeded) and "command" in again:
        known = command.parameters if isinstance(command, app_commands.Command) else ()
        if command is not None and root.option not in [each.display_name for each in known]:
            return []
        return [
            PossibleAnswer(Words("{name}", name=name), sign_with_option(root.option, name))
            for name in root.choices[:MOST_IN_ROW]
        ]
    near = next(
        (each for value in root.data.values() for each in _phrases(value) if isinstance(each, Candidates)),
        None,
    )
    if near is None:
        return []
    said = str(root.data.get("typed") or root.data.get("what") or "").removeprefix('"').removesuffix('"')
    typed = near.typed or said
    is_offered = isinstance(near, Lookalikes) if "fields" in again else "command" in again
    if not is_offered or not is_typed(again, typed):
        return []
    names = list(map(str, near.near))
    if len(names) == 1 and isinstance(near, DidYouMean):
        return [PossibleAnswer(Words("Yes, {name}", name=names[0]), meant(typed, near.as_typed(names[0])))]
    return [PossibleAnswer(Words("{name}", name=name), meant(typed, near.as_typed(name))) for name in names]


def _phrases(value: object) -> Sequence[object]:
    """Return a value of a refusal, or the items of a value that is a list."""
    return value.names if isinstance(value, Row) else (value,)


def as_typed(press: Pressed, fields: Fields) -> Again:
    """Return a form with its input, to open it again."""
    return {"press": str(press), "fields": fields}


def _outcome(error: BaseException) -> InteractionEnd:
    """How an interaction ends that this error ended."""
    if isinstance(error, Undelivered):
        return InteractionEnd.UNANSWERED
    if isinstance(error, Busy):
        return InteractionEnd.BUSY
    if isinstance(error, Replaced):
        return InteractionEnd.ENDED
    if isinstance(error, RuleError | app_commands.AppCommandError):
        return InteractionEnd.REFUSED
    return InteractionEnd.AWAY if is_away(error) else InteractionEnd.FAILED
