"""Making and editing messages, the same for answers, follow-ups and channel routes."""

from dataclasses import dataclass

from bot.local.errors import invalid_form
from bot.local.interaction import Interaction
from bot.local.limits import check_message
from bot.local.media import check_media, resolve
from bot.local.mentions import pinged
from bot.local.message import (
    COMPONENTS_V2,
    EPHEMERAL,
    LOADING,
    SUPPRESS_EMBEDS,
    SUPPRESS_NOTIFICATIONS,
    Channel,
    File,
    Json,
    Message,
    walk,
)
from bot.local.places import User
from bot.local.world import Happening, World

KEPT_FLAGS = COMPONENTS_V2 | EPHEMERAL | LOADING | SUPPRESS_EMBEDS | SUPPRESS_NOTIFICATIONS


@dataclass(frozen=True, slots=True)
class Upload:
    """A file in the body of a request: its number in `files[n]`, its name and its bytes."""

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
    """Post a message into a channel, private to `viewer` if there is one, by the bot or a webhook's `author`.

    Raises:
        ApiError: 50035 or 50006 if Discord would not take it.
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
        numbered(components),
        embeds,
        flags,
        allowed_mentions=allowed,
        nonce=body.get("nonce"),
        created=world.clock.now().timestamp(),
        webhook=author.id if author else None,
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
    """Change a message; what the body does not name stays. Only filling a "thinking…" pings.

    Raises:
        ApiError: 50035 or 50006 if Discord would not take it.
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
    message.components = numbered(components)
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


def numbered(components: list[Json]) -> list[Json]:
    """Give every component without an id one of its own, as Discord does."""
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
    """The files that stay (all, unless `attachments` lists them) and the new ones."""
    wanted = {str(entry.get("id")): entry for entry in body.get("attachments") or ()}
    found = kept(message, body)
    for upload in uploads:
        about = wanted.get(upload.number, {})
        name = name_of(upload, body)
        found.append(world.add_file(message.channel, name, upload.data, about.get("description")))
    return found


def kept(message: Message, body: Json) -> list[File]:
    """The files of a message that stay."""
    listed = body.get("attachments")
    wanted = {str(entry.get("id")) for entry in listed or ()}
    return [file for file in message.files if listed is None or str(file.id) in wanted]


def name_of(upload: Upload, body: Json) -> str:
    """What a new file is called."""
    about = (entry for entry in body.get("attachments") or () if str(entry.get("id")) == upload.number)
    return next((entry["filename"] for entry in about if entry.get("filename")), upload.name)


def check_allowed(allowed: Json | None, prefix: str) -> None:
    """Refuse `allowed_mentions` that contradict themselves.

    Raises:
        ApiError: 50035 if a kind is both parsed and listed, or a list is over 100.
    """
    for kind in ("users", "roles"):
        listed = (allowed or {}).get(kind) or ()
        path = f"{prefix}allowed_mentions.{kind}"
        if listed and kind in ((allowed or {}).get("parse") or ()):
            raise invalid_form([(path, f'parse:["{kind}"] and {kind}: [ids...] are mutually exclusive.')])
        if len(listed) > 100:
            raise invalid_form([(path, "Must be 100 or fewer in length.")])
