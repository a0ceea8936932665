"""Create and edit messages, and accept the bot's responses to interactions."""

from collections.abc import Iterable
from dataclasses import dataclass

from bot.loopback import payloads
from bot.loopback.errors import (
    ApiError,
    check_form,
    check_media,
    check_message,
    check_suggestions,
    invalid_form,
    resolve,
    unknown,
)
from bot.loopback.model import (
    COMPONENTS_V2,
    EPHEMERAL,
    LOADING,
    SUPPRESS_EMBEDS,
    SUPPRESS_NOTIFICATIONS,
    AnswerType,
    Channel,
    File,
    FirstResponse,
    Interaction,
    InteractionKind,
    Json,
    Message,
    Permission,
    User,
    pinged,
    walk,
)
from bot.loopback.world import Happening, World, permissions

KEPT_FLAGS = COMPONENTS_V2 | EPHEMERAL | LOADING | SUPPRESS_EMBEDS | SUPPRESS_NOTIFICATIONS


@dataclass(frozen=True, slots=True)
class Upload:
    """A file in a request body: its number in `files[n]`, its name and its bytes."""

    number: str
    name: str
    data: bytes


def new_message(
    world: World,
    channel: Channel,
    body: Json,
    uploads: list[Upload],
    *,
    viewer: User | None = None,
    interaction: Interaction | None = None,
    prefix: str = "",
    author: User | None = None,
) -> Message:
    """Post a message to a channel, as the bot or a webhook's `author`; it is private to `viewer` if given.

    Raises ApiError 50035 if the message is invalid; 50006 if it is empty.
    """
    content = body.get("content") or ""
    components = body.get("components") or []
    flags = (body.get("flags") or 0) & KEPT_FLAGS
    embeds = body.get("embeds") or []
    allowed = body.get("allowed_mentions")
    check_allowed(allowed, prefix)
    if not flags & LOADING:
        check_message(
            content=content,
            embeds=embeds,
            components=components,
            flags=flags,
            files=len(uploads),
            prefix=prefix,
        )
        check_media(components, {name_of(upload, body) for upload in uploads}, prefix)
    message = Message(
        world.snowflake(),
        channel,
        author or world.bot,
        viewer,
        interaction.id if interaction else None,
        interaction.metadata() if interaction else None,
        content,
        number_components(components),
        embeds,
        flags,
        allowed_mentions=allowed,
        nonce=body.get("nonce"),
        created=world.clock.now().timestamp(),
        webhook=author.id if author else None,
        application=world.bot.id if author else None,
    )
    message.files = kept_files(world, message, body, uploads)
    resolve(message.components, message.files)
    if viewer is None:
        message.pings = pinged(message.text, allowed)
    world.post(message, interaction)
    return message


def edit(
    world: World,
    message: Message,
    body: Json,
    uploads: list[Upload],
    interaction: Interaction | None = None,
    prefix: str = "",
) -> None:
    """Edit a message; fields missing from the body stay. Only filling a "thinking…" message notifies people.

    Raises ApiError 50035 if the result is invalid; 50006 if it is empty.
    """
    content = message.content if "content" not in body else body["content"] or ""
    components = message.components if "components" not in body else body["components"] or []
    embeds = message.embeds if "embeds" not in body else body["embeds"] or []
    flags = message.flags | (body.get("flags") or 0) & (COMPONENTS_V2 | SUPPRESS_EMBEDS)
    flags &= ~LOADING
    allowed = body.get("allowed_mentions")
    check_allowed(allowed, prefix)
    # Not pictures that come with the edit: Discord does not find them (issue 7529 of discord-api-docs). Files
    # it finds, where the edit lists them as attachments.
    listed = {str(entry.get("id")) for entry in body.get("attachments") or ()}
    new = {name_of(upload, body) for upload in uploads if upload.number in listed}
    check_media(components, {file.name for file in kept(message, body)}, prefix, files=new)
    files = kept_files(world, message, body, uploads)
    check_message(
        content=content, embeds=embeds, components=components, flags=flags, files=len(files), prefix=prefix
    )
    was_loading = message.is_loading
    if not was_loading:
        message.edited = world.clock.now().timestamp()
        message.versions.append(message.snapshot(message.edited))
    message.content, message.embeds, message.flags = content, embeds, flags
    message.components = number_components(components)
    for file in message.files:
        if file not in files:
            world.files.pop(file.id, None)
    message.files = files
    resolve(message.components, files)
    if allowed is not None:
        message.allowed_mentions = allowed
    if was_loading and message.viewer is None:
        message.pings = pinged(message.text, allowed)
    world.tell(Happening("edited", message, interaction))


def number_components(components: list[Json]) -> list[Json]:
    """Give every component without an id an unused one, as Discord does."""
    taken = {component["id"] for component in walk(components) if component.get("id")}
    free = 0
    for component in walk(components):
        if not component.get("id"):
            free += 1
            while free in taken:
                free += 1
            component["id"] = free
    return components


def kept_files(world: World, message: Message, body: Json, uploads: list[Upload]) -> list[File]:
    """Return the files that stay (all, unless `attachments` lists them), then the new ones."""
    wanted = {str(entry.get("id")): entry for entry in body.get("attachments") or ()}
    found = kept(message, body)
    for upload in uploads:
        about = wanted.get(upload.number, {})
        name = name_of(upload, body)
        found.append(world.add_file(message.channel, name, upload.data, about.get("description")))
    return found


def kept(message: Message, body: Json) -> list[File]:
    """Return the files of a message that stay."""
    listed = body.get("attachments")
    wanted = {str(entry.get("id")) for entry in listed or ()}
    return [file for file in message.files if listed is None or str(file.id) in wanted]


def name_of(upload: Upload, body: Json) -> str:
    """Return the name of an uploaded file."""
    about = (entry for entry in body.get("attachments") or () if str(entry.get("id")) == upload.number)
    return next((entry["filename"] for entry in about if entry.get("filename")), upload.name)


def check_allowed(allowed: Json | None, prefix: str) -> None:
    """Check that `allowed_mentions` do not contradict themselves.

    Raises ApiError 50035 if a kind is both parsed and listed, or a list has more than 100 entries.
    """
    for kind in ("users", "roles"):
        listed = (allowed or {}).get(kind) or ()
        path = f"{prefix}allowed_mentions.{kind}"
        if listed and kind in ((allowed or {}).get("parse") or ()):
            raise invalid_form([(path, f'parse:["{kind}"] and {kind}: [ids...] are mutually exclusive.')])
        if len(listed) > 100:
            raise invalid_form([(path, "Must be 100 or fewer in length.")])


MADE_BY_PERSON = 5
"""So many follow-ups an answer has where only a person has brought the bot along."""
MESSAGES = {AnswerType.MESSAGE, AnswerType.DEFER_MESSAGE}
UPDATES = {AnswerType.DEFER_UPDATE, AnswerType.UPDATE}


@dataclass(eq=False, slots=True)
class Answers:
    """Enforces the rules for responses: in time, only once, and of a type that fits the interaction."""

    world: World
    # Seconds, both as Discord has them.
    deadline: float = 3.0
    token_life: float = 900.0

    def first(self, opened: Interaction, body: Json, uploads: list[Upload]) -> Message | None:
        """Accept the first response to an interaction and show it to the waiting person.

        Raises ApiError 10062 if it is too late; 40060 if there was a response before; 50035 if it is invalid.
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
        opened.answer = FirstResponse(kind, data, message)
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
        """Post a follow-up message; the first one after "thinking…" replaces that message.

        Raises ApiError 40094 if the bot is not in the channel and has sent too many follow-ups.
        """
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
        """Delete a message of the interaction; deleting its first response does not end the wait."""
        self.world.delete(message)
        if message is not opened.original:
            opened.spoke.set()

    def waiting(self, interaction_id: str, token: str) -> Interaction:
        """Return the interaction that a first response is for.

        Raises ApiError 10062 if there is none with this id and token.
        """
        opened = self.world.tokens.get(token)
        if opened is None or str(opened.id) != interaction_id:
            raise unknown("interaction", 10062)
        return opened

    def answered(self, application_id: str, token: str) -> Interaction:
        """Return the interaction that this webhook token belongs to.

        Raises ApiError 10015 if there is none or it has no first response; 50027 if its 15 minutes are over.
        """
        opened = self.world.tokens.get(token)
        if opened is None or opened.answer is None or application_id != str(self.world.bot.id):
            raise unknown("Webhook", 10015)
        if self.world.clock.monotonic() - opened.opened > self.token_life:
            raise ApiError(401, 50027, "Invalid Webhook Token")
        return opened

    def message_of(self, opened: Interaction, which: str) -> Message:
        """Return a message of the interaction, by id or as `@original`.

        Raises ApiError 10008 if the interaction has no such message or it was deleted.
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
        """Record an API error with its interaction, whose token is the second path variable."""
        opened = self.world.tokens.get(args[1]) if len(args) > 1 else None
        if opened is not None:
            opened.refusals.append(str(error))

    def receipt(self, opened: Interaction) -> Json:
        """Return the body that `with_response` requests."""
        assert opened.answer is not None
        return payloads.callback(opened, int(opened.answer.type), opened.answer.message)


def has_say(world: World, opened: Interaction) -> bool:
    """Return whether a response may be public; in a guild without the bot, the user needs permission."""
    place = opened.channel
    is_let = permissions(opened.user, place) & Permission.USE_EXTERNAL_APPS
    return place.guild is None or place.guild.has_bot or bool(is_let)


def fitting(opened: Interaction) -> set[AnswerType]:
    """Return the first response types that are allowed for an interaction."""
    if opened.kind is InteractionKind.AUTOCOMPLETE:
        return {AnswerType.CHOICES}
    if opened.kind is InteractionKind.COMMAND:
        return {*MESSAGES, AnswerType.FORM}
    if opened.kind is InteractionKind.COMPONENT:
        return {*MESSAGES, *UPDATES, AnswerType.FORM}
    return {*MESSAGES, *UPDATES} if opened.source is not None else set(MESSAGES)
