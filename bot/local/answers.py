"""The bot's answers to interactions: first answers, edits and follow-ups."""

from collections.abc import Iterable
from dataclasses import dataclass

from bot.local import payloads
from bot.local.command_limits import check_suggestions
from bot.local.errors import ApiError, invalid_form, unknown
from bot.local.interaction import Answer, AnswerType, Interaction, Kind
from bot.local.limits import check_form
from bot.local.message import EPHEMERAL, LOADING, Json, Message
from bot.local.places import Permission
from bot.local.posting import Upload, edit, new_message
from bot.local.rights import permissions
from bot.local.world import World

MADE_BY_PERSON = 5
"""So many follow-ups an answer has where only a person has brought the bot along."""
MESSAGES = {AnswerType.MESSAGE, AnswerType.DEFER_MESSAGE}
UPDATES = {AnswerType.DEFER_UPDATE, AnswerType.UPDATE}


@dataclass(eq=False, slots=True)
class Answers:
    """The rules of answering: in time, once, and with what fits the interaction."""

    world: World
    # Seconds, both as Discord has them.
    deadline: float = 3.0
    token_life: float = 900.0

    def first(self, opened: Interaction, body: Json, uploads: list[Upload]) -> Message | None:
        """Take the first answer to an interaction and let the waiting person see it.

        Raises:
            ApiError: 10062 too late, 40060 a second time, 50035 for what does not fit.
        """
        if opened.answer is not None:
            opened.repeated.set()
            raise ApiError(400, 40060, "Interaction has already been acknowledged.")
        if opened.first.done() or self.world.clock.monotonic() - opened.opened > self.deadline:
            opened.give_up()
            raise unknown("interaction", 10062)
        try:
            kind = AnswerType(body.get("type", 0))
        except ValueError:
            raise invalid_form([("type", "This answer is not known.")]) from None
        if kind not in fitting(opened):
            raise invalid_form([("type", f"Answer {int(kind)} does not fit this interaction.")])
        data = body.get("data") or {}
        message = self._take(opened, kind, data, uploads)
        opened.answer = Answer(kind, data, message)
        opened.original = message
        opened.first.set_result(opened.answer)
        return message

    def _take(
        self, opened: Interaction, kind: AnswerType, data: Json, uploads: list[Upload]
    ) -> Message | None:
        if kind is AnswerType.CHOICES:
            check_suggestions(data.get("choices") or [])
            return None
        if kind is AnswerType.FORM:
            check_form(data)
            return None
        if kind is AnswerType.DEFER_UPDATE:
            return opened.source
        if kind is AnswerType.UPDATE:
            assert opened.source is not None
            edit(self.world, opened.source, data, uploads, opened, prefix="data.")
            return opened.source
        if kind is AnswerType.DEFER_MESSAGE:
            # A defer sets no other flag.
            data = {"flags": LOADING | (data.get("flags") or 0) & EPHEMERAL}
        return self._made(opened, data, uploads, prefix="data.")

    def _made(self, opened: Interaction, data: Json, uploads: list[Upload], prefix: str = "") -> Message:
        if not has_say(self.world, opened):
            data = data | {"flags": (data.get("flags") or 0) | EPHEMERAL}
        viewer = opened.user if (data.get("flags") or 0) & EPHEMERAL else None
        message = new_message(
            self.world, opened.channel, data, uploads, viewer=viewer, interaction=opened, prefix=prefix
        )
        opened.messages.append(message)
        return message

    def follow_up(self, opened: Interaction, body: Json, uploads: list[Upload]) -> Message:
        """A further message; the first one after "thinking…" takes the place of that."""
        waiting = opened.original
        if waiting is not None and waiting.is_loading and not waiting.deleted:
            return self.change(opened, waiting, body, uploads)
        if opened.follow_ups >= MADE_BY_PERSON and not self.world.has_bot(opened.channel):
            raise ApiError(400, 40094, "This interaction has reached the maximum number of follow-ups.")
        opened.follow_ups += 1
        message = self._made(opened, body, uploads)
        opened.spoke.set()
        return message

    def change(self, opened: Interaction, message: Message, body: Json, uploads: list[Upload]) -> Message:
        """Edit a message of the interaction."""
        edit(self.world, message, body, uploads, opened)
        opened.spoke.set()
        return message

    def remove(self, opened: Interaction, message: Message) -> None:
        """Delete a message of the interaction; that of its first answer is no last word."""
        self.world.delete(message)
        if message is not opened.original:
            opened.spoke.set()

    def waiting(self, interaction_id: str, token: str) -> Interaction:
        """The interaction that a first answer is for.

        Raises:
            ApiError: 10062 if there is none with this id and token.
        """
        opened = self.world.tokens.get(token)
        if opened is None or str(opened.id) != interaction_id:
            raise unknown("interaction", 10062)
        return opened

    def answered(self, application_id: str, token: str) -> Interaction:
        """The interaction whose webhook this is.

        Raises:
            ApiError: 10015 if there is none or it has no first answer, 50027 after its 15 minutes.
        """
        opened = self.world.tokens.get(token)
        if opened is None or opened.answer is None or application_id != str(self.world.bot.id):
            raise unknown("Webhook", 10015)
        if self.world.clock.monotonic() - opened.opened > self.token_life:
            raise ApiError(401, 50027, "Invalid Webhook Token")
        return opened

    def message_of(self, opened: Interaction, which: str) -> Message:
        """A message of the interaction, by id or as `@original`.

        Raises:
            ApiError: 10008 if the interaction has no such message (any more).
        """
        candidates: Iterable[Message | None] = opened.messages
        if which == "@original":
            candidates = (opened.original,)
        elif opened.original is not None:
            candidates = (opened.original, *opened.messages)
        for message in candidates:
            if message is not None and not message.deleted and which in ("@original", str(message.id)):
                return message
        raise unknown("Message", 10008)

    def note_refusal(self, args: tuple[str, ...], error: ApiError) -> None:
        """Remember with the interaction (its token is the second variable) what was refused."""
        opened = self.world.tokens.get(args[1]) if len(args) > 1 else None
        if opened is not None:
            opened.refusals.append(str(error))

    def receipt(self, opened: Interaction) -> Json:
        """What `with_response` returns."""
        assert opened.answer is not None
        return payloads.callback(opened, int(opened.answer.type), opened.answer.message)


def has_say(world: World, opened: Interaction) -> bool:
    """Whether others may see an answer: where the bot is not, a server says so of who brings it along."""
    place = opened.channel
    is_let = permissions(opened.user, place) & Permission.USE_EXTERNAL_APPS
    return place.guild is None or place.guild.has_bot or bool(is_let)


def fitting(opened: Interaction) -> set[AnswerType]:
    """The first answers that an interaction may be given."""
    if opened.kind is Kind.AUTOCOMPLETE:
        return {AnswerType.CHOICES}
    if opened.kind is Kind.COMMAND:
        return {*MESSAGES, AnswerType.FORM}
    if opened.kind is Kind.COMPONENT:
        return {*MESSAGES, *UPDATES, AnswerType.FORM}
    return {*MESSAGES, *UPDATES} if opened.source is not None else set(MESSAGES)
