"""What can be asked of the bot: its command groups, and what answers its buttons and forms."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from typing import TypeVar

from bot.asks.question import STALE, Pressed
from bot.asks.questions import QUESTIONS
from bot.asks.undecided import VERB as DECIDE
from bot.cogs.base import FormHandler, Group, Needs, PressHandler
from bot.cogs.campaign import Campaigns, first_steps
from bot.cogs.chronicle import Chronicles
from bot.cogs.help import Help
from bot.cogs.log import LogCommands
from bot.cogs.post import PlayByPost
from bot.cogs.privacy import OwnData
from bot.cogs.quotes import Quotations
from bot.cogs.safety import Safety
from bot.cogs.say import Speech
from bot.cogs.session import Sessions
from bot.cogs.setup import Setup
from bot.cogs.stats import Stats
from bot.cogs.table import Tables
from bot.cogs.whisper import WhisperCommands
from bot.games import Rooms
from bot.play import Play
from bot.render.host import Host
from bot.store.ledger import Ledger
from bot.ui import ask
from bot.ui.pinned import PinnedTables
from bot.ui.post import Post
from bot.ui.registered import Registered
from bot.ui.step_log import StepTeller
from bot.ui.taking_over import TakingOver
from bot.use.importing import Files
from bot.use.keeping import Keeper
from bot.use.privacy import Privacy
from bot.use.quoting import Quoting
from rules.errors import TooLate

AGAIN = "again"
"""The verb of the button that opens a refused form as it was typed."""
_Handler = TypeVar("_Handler")


@cache
def _handlers(kind: type[Group]) -> tuple[str, ...]:
    """The names of what a group does when something is pressed or sent."""
    methods = ((name, getattr(kind, name)) for name in dir(kind))
    return tuple(name for name, each in methods if hasattr(each, "__press__") or hasattr(each, "__form__"))


class Handlers:
    """What answers each verb of a button or a menu, and of a form, with the pattern of its subjects."""

    def __init__(self, play: Play, games: Sequence[Rooms]) -> None:
        self.presses: dict[str, tuple[re.Pattern[str], PressHandler]] = {}
        self.forms: dict[str, tuple[re.Pattern[str], FormHandler]] = {}
        for question in (*QUESTIONS, *(question for game in games for question in game.questions)):
            subject = re.compile(question.subject)
            self.presses[question.verb] = subject, partial(ask.press, play, question)
            if question.read is not None:
                self.forms[question.verb] = subject, partial(ask.sent, play, question)

    def knows(self, verb: str) -> bool:
        """Whether a button or a form of this version has that verb."""
        return verb in self.presses or verb in self.forms or verb in (AGAIN, DECIDE)

    def take(self, group: Group) -> None:
        """Let a group answer what it has marked."""
        for name in _handlers(type(group)):
            method = getattr(group, name)
            for verb, subject in getattr(method, "__press__", {}).items():
                self.presses[verb] = subject, method
            for verb, subject in getattr(method, "__form__", {}).items():
                self.forms[verb] = subject, method

    def of_press(self, press: Pressed) -> PressHandler:
        """What answers a press. Raises TooLate for what this version does not know."""
        return _known(self.presses, press)

    def of_form(self, press: Pressed) -> FormHandler:
        """What answers a form. Raises TooLate for what this version does not know."""
        return _known(self.forms, press)


def _known(handlers: Mapping[str, tuple[re.Pattern[str], _Handler]], press: Pressed) -> _Handler:
    """What answers a verb. Raises TooLate for one, or for a subject, that this version does not know."""
    found = handlers.get(press.verb)
    if found is None or not found[0].fullmatch(press.subject):
        raise TooLate(STALE)
    return found[1]


def groups(
    play: Play,
    ledger: Ledger,
    host: Host,
    games: Sequence[Rooms],
    *,
    registered: Registered,
    privacy: Privacy,
    step_logs: StepTeller,
    pinned: PinnedTables,
    post: Post,
    keeper: Keeper,
) -> Iterator[Group]:
    """All command groups, each with what it needs: those of any table, and those of the games."""
    for kind in (LogCommands, Safety, Speech, Stats):
        yield kind(play)
    yield Setup(play, keeper)
    for game in games:
        yield from game.groups(Needs(play, ledger))
    yield Campaigns(play, step_logs, Files(play, ledger, "import", first_steps))
    yield Chronicles(play, ledger.portraits)
    yield Quotations(play, Quoting(play, ledger), ledger.spoken)
    yield Sessions(play, ledger.quiet_hours)
    yield WhisperCommands(play, ledger.whispers)
    yield Help(play, registered, host, ledger.notes, ledger.clock)
    yield OwnData(play, privacy)
    yield Tables(play, pinned)
    taking = TakingOver(play, ledger, post.gms)
    yield PlayByPost(play, post, taking, ledger.quiet_hours, ledger.people)
