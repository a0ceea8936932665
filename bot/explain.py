"""Any exception, as the one sentence that a person reads."""

import secrets

import structlog
from discord import app_commands
from discord.errors import DiscordException

from bot.language import say
from bot.language.line import Text, capital
from bot.render.log import step_words
from bot.store.engine import is_away
from bot.store.recorder import Busy
from bot.store.undoable import StepRefused
from rules.errors import RuleError

log = structlog.get_logger(__name__)


def explain(error: BaseException) -> Text:
    """The sentence for an error; a fault that nobody foresaw gets a reference number and a log entry."""
    root = cause(error)
    if isinstance(root, StepRefused):
        return capital(say(root.sentence, **root.named(step_words)))
    if isinstance(root, RuleError):
        return say(root.sentence, **root.data)
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
    """The error that discord.py has wrapped."""
    while isinstance(error, DiscordException):
        inner = getattr(error, "original", None) or error.__cause__
        if not isinstance(inner, BaseException):
            break
        error = inner
    return error
