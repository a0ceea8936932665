"""Use cases for Cortex only: building pools and reading Cortex Toolkit sheets."""

import asyncio
import json
from base64 import b64decode, b64encode
from binascii import Error as NoBase64
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from bot.language import later
from bot.language.line import Text
from bot.pictures.portrait import portrait
from bot.services.files import (
    OPEN,
    WHO,
    Blank,
    Choices,
    SheetFiles,
    SheetsRead,
    SheetsSeen,
    brought,
    chosen_place,
)
from bot.services.play import Play, Request
from bot.services.responses import Done
from bot.store.ledger import Ledger
from bot.store.personal import digest_of
from bot.views.card import Card
from bot.views.cortex import toolkit
from bot.views.cortex.builder import TRAITS, BuildShown, Change, build_card
from bot.views.game import Rule
from bot.worker import aside
from rules.campaign.seats import Actor, is_gm
from rules.cortex import files as cortex_files
from rules.cortex.builder import Build, look, require_version
from rules.cortex.formats import foundry, toolkit_form, toolkit_reader, toolkit_writer
from rules.cortex.formats.toolkit_form import Form, taken_as
from rules.cortex.formats.toolkit_reader import ReadCharacter
from rules.cortex.model import CORTEX, ladder
from rules.errors import NotAllowed, RuleError
from rules.game import Step
from rules.names import fold
from rules.table import Character, Table
from rules.values import replace

NO_TABLE = later("There's no table here yet, so you have no traits to build with. Example: /roll dice:2d6 d8")

NO_DICE = later(
    "You haven't rolled any dice yet. After your first roll, you can build a pool. Example: /roll dice:2d6 d8"
)


class Builder:
    """Stores the pools that people build; one change per person at a time."""

    def __init__(self, play: Play, ledger: Ledger) -> None:
        self._play = play
        self._ledger = ledger
        self._one_at_a_time: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def built(self, asked: Request) -> Build:
        """Return the pool as the caller left it."""
        return await self._of(await self._play.campaign(asked), asked)

    async def _of(self, campaign: int, asked: Request) -> Build:
        """What somebody builds at a campaign; an empty pool where there is none."""
        return await self._ledger.builds.of(campaign, asked.actor.id) or Build()

    async def show(
        self, asked: Request, change: Change | None = None, shown: BuildShown = TRAITS
    ) -> tuple[Card, int]:
        """Apply a change to the caller's pool and return the card that shows it, and the campaign.

        Raises NotAllowed if there is no table here; also whatever the change raises.
        """
        campaign, table = await self._play.see(asked)
        if not campaign:
            raise NotAllowed(NO_TABLE if asked.own is None else NO_DICE)
        async with self._one_at_a_time[asked.actor.id]:
            before = await self._of(campaign, asked)
            changed = before if change is None else change(table, asked.actor, before)
            seen = await aside(asked.actor.id, look, table, asked.actor, changed)
            if seen.build != before:
                await self._ledger.builds.keep(campaign, asked.actor.id, seen.build)
        return build_card(table, seen, shown), campaign

    async def finish(self, asked: Request, version: str, rule: Callable[[Build], Rule]) -> Done:
        """Roll or share the built pool, once per version that was offered."""
        async with self._one_at_a_time[asked.actor.id]:
            build = await self._of(asked.campaign, asked)

            def once(table: Table, actor: Actor) -> Step:
                require_version(build, version)
                return rule(build)(table, actor)

            return await self._play.change(asked, once, replace(build, version=build.version + 1))


_PICTURE = "data:image/"


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A sheet of a file, without its portrait, and the digest of that; whether it could not be read."""

    form: Form
    digest: str = ""
    is_broken: bool = False


def knows(form: Any) -> bool:
    """Return whether JSON looks like a file of the Cortex Toolkit or of Foundry."""
    first = form[0] if isinstance(form, list) and form else form
    return foundry.is_document(first) or foundry.is_settings(first) or toolkit_form.is_sheet(first)


def read(form: Any, choices: Choices, all_of_them: bool) -> SheetsRead | None:
    """Parse a file of the Cortex Toolkit or of Foundry; None for any other JSON.

    Raises Unreadable if the file has faults, NotAllowed if all its sheets are blank.
    """
    whole, form = form, foundry.sheets(form)
    if not toolkit_form.is_sheet(form):
        return None
    pools = foundry.doom_pools(whole)
    found = form if isinstance(form, list) else [form]
    if all(map(toolkit_form.is_blank, found)):
        raise NotAllowed(
            "That file is an empty sheet without a character. To start a campaign with its trait sets, "
            "attach it to this command: /campaign new name:Skyfall"
        )
    # The parts that are blank are nobody's.
    forms = toolkit_form.read([each for each in found if not toolkit_form.is_blank(each)])
    names = [toolkit_reader.name_of(each) for each in forms]
    if not all_of_them:
        forms = (forms[chosen_place(choices, len(forms))],)
    sheets, pictures = [], []
    for each in forms:
        sheet, data = _without_portrait(each)
        sheets.append(sheet)
        pictures += [data] if data else []
    offered = () if all_of_them else tuple(names)
    return SheetsRead(tuple(pictures), partial(_look, sheets, offered, choices, pools))


def _without_portrait(form: Form) -> tuple[_Sheet, bytes]:
    """A sheet, and its portrait as we keep it: only what we can show leaves the file."""
    url: str = form["portrait"]["url"]
    if not url.casefold().startswith(_PICTURE):
        return _Sheet(form), b""
    head, _, text = url.partition(",")
    try:
        small = portrait(b64decode(text if head.endswith(";base64") else "", validate=True))
    except (NoBase64, ValueError, RuleError):
        return _Sheet(form, is_broken=True), b""
    form["portrait"]["url"] = toolkit_writer.KEPT
    return _Sheet(form, digest_of(small)), small


def _look(
    sheets: Sequence[_Sheet],
    names: tuple[str, ...],
    choices: Choices,
    pools: tuple[tuple[str, str], ...],
    asked: Request,
    table: Table,
    verb: str,
    number: int,
) -> SheetsSeen:
    """What those sheets would bring to a table."""
    readings = [_reading(each, choices, table) for each in sheets]
    found = tuple(each.character for each in readings)
    rule, come, stamp = brought(table, asked.actor, found)
    broken = sum(each.is_broken for each in sheets)
    others = len(names) if is_gm(table, asked.actor) else 0
    lines = toolkit.preview(readings, come, table, broken, others)
    lines = (*lines[:1], *toolkit.left_behind(pools), *lines[1:])
    menus = toolkit.menus(readings, names, choices.get(WHO, "0"), choices.get(OPEN, ""), verb, number)
    return SheetsSeen(rule, lines, menus, stamp)


def _reading(sheet: _Sheet, choices: Choices, table: Table) -> ReadCharacter:
    chosen = [
        str(choices.get(fold(toolkit_reader.set_name(each)), taken_as(each, table)))
        for each in sheet.form["traitSets"]
    ]
    reading = toolkit_reader.read(sheet.form, chosen, ladder(table))
    cortex_files.require_short(reading.character)
    if sheet.digest:
        alt = toolkit_reader.alt_of(sheet.form)
        reading.character = replace(reading.character, picture=sheet.digest, picture_alt=alt)
    return reading


def write(character: Character, fresh_id: str, at: str, picture: bytes | None) -> bytes:
    """Return a character as a Cortex Toolkit file, format version 0.1."""
    url = f"data:image/webp;base64,{b64encode(picture).decode()}" if picture else ""
    form = toolkit_writer.write(character, toolkit_writer.ExportContext(fresh_id, at), url)
    return json.dumps(form, ensure_ascii=False, indent=1).encode()


def blank(form: Any) -> Blank:
    """Return a blank sheet, whose trait sets a campaign can start with.

    Raises NotAllowed if the file is not a blank sheet.
    """
    form = foundry.sheets(form)
    found = toolkit_writer.blank_of(form)
    title = toolkit_writer.title_of(form, found)
    return Blank(title, partial(toolkit_writer.begin, blank=found), partial(_told, found))


def _told(form: Form, table: Table) -> tuple[Text, ...]:
    """What new characters begin with, and what of the blank is left out."""
    return toolkit.blank_lines(*toolkit_writer.first_sheet_of(CORTEX.of(table).ruleset, form))


SHEETS = SheetFiles(
    CORTEX.name,
    (later("Cortex Toolkit characters"), later("Foundry actors of cortexprime")),
    knows,
    read,
    write,
    blank,
)
"""How Cortex reads and writes them."""
