"""The options of commands: what people type, with suggestions from their table."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from discord import AppCommandOptionType, ChannelType, Interaction
from discord.app_commands import Choice, Transform, Transformer

from bot.play import Play
from bot.render.plan import understood
from bot.render.settings import LOG, ruleset_words, setting_words
from bot.store.quiet import AllQuietHours
from bot.ui.request import asked
from rules import campaign as campaigns
from rules.cortex.rolling.gather import SET, dice_in, known_names, with_sfx
from rules.cortex.rolling.opposition import names, trait_names
from rules.cortex.state import turn, typed_pool
from rules.cortex.state.kinds import ON_SHEET, Foe, Kind
from rules.cortex.state.part import CORTEX
from rules.cortex.state.table import Challenge, Crisis, Order
from rules.cortex.tools.character import RESOURCES, sets
from rules.cortex.tools.sfx_use import owned
from rules.cortex.traits import shut_down
from rules.cortex.traits.traits import owners, wording
from rules.dates import zones
from rules.dice import Die, quoted, write, write_pool
from rules.kinds import key
from rules.names import GM
from rules.seats import Actor, character_of
from rules.table import Character, Table
from rules.voices import voices

MOST = 25
"""Discord shows this many suggestions."""
LONGEST = 100
"""A suggestion has at most this many characters."""


class Typed(Transformer):
    """Text as typed; suggestions come from the table."""

    async def transform(self, it: Interaction, value: Any, /) -> str:
        """The text itself: rules read it against the newest table."""
        return str(value)

    async def autocomplete(self, it: Interaction, value: int | float | str, /) -> list[Choice[Any]]:
        """What could be meant, the likeliest first."""
        asking = asked(it)
        play = cast("Play", it.client.play)  # type: ignore[attr-defined]
        return suggest(str(value), self.found(await play.look(asking), asking.actor.id, it))

    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        """All that could be meant."""
        return ()


def suggest(typed: str, found: Iterable[str], words: Callable[[str], str] | None = None) -> list[Choice[Any]]:
    """Suggestions that begin as typed, then those that hold it somewhere; `words` say more of each."""
    wanted = typed.casefold().strip()
    # Of suggestions with an empty or an overlong one Discord shows none at all.
    all_of = [text for text in dict.fromkeys(found) if text and len(text) <= LONGEST]
    begin = [text for text in all_of if text.casefold().startswith(wanted)]
    hold = [text for text in all_of if wanted in text.casefold() and text not in begin]
    say_more = words or str
    return [Choice(name=say_more(text)[:LONGEST], value=text) for text in (begin + hold)[:MOST]]


class _Who(Typed):
    def __init__(self, *more: str) -> None:
        self.more = more

    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        own = table.played_by(player)
        names = [c.name for c in table.characters.values()]
        return [*([own.name] if own else []), *names, *self.more]


class _Several(_Who):
    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        typed = focused(cast("Any", it.data).get("options", ()))
        place = max(typed.rfind(sign) for sign in ",;")  # people, and groups of them
        names = [c.name for c in table.characters.values() if not c.gmc]
        if place < 0:
            return [*names, *self.more]
        before = typed[: place + 1]
        named = {key(part.strip()) for part in before.replace(";", ",").split(",")}
        more = [word for word in self.more if word == "scene"]
        return [f"{before} {name}" for name in (*names, *more) if key(name) not in named]


class _Payer(_Who):
    """Who has PP: a character, and the GM where the setting says so."""

    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        return [*super().found(table, player, it), *([GM] if CORTEX.of(table).ruleset.gm_pp else [])]


class _Payers(_Several):
    """One or several who have PP, or the GM."""

    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        return [*super().found(table, player, it), *([GM] if CORTEX.of(table).ruleset.gm_pp else [])]


class _Trait(Typed):
    """A trait that exists, with its owner: `Alice · Broken Leg d8`."""

    def __init__(self, *kinds: Kind) -> None:
        self.kinds = kinds

    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        own = table.played_by(player)
        people = sorted(owners(table), key=lambda pair: pair[1] is not own)
        for _, owner in people:
            for kind in self.kinds:
                for trait in CORTEX.has(owner).traits(kind).values():
                    full = wording(owner.name, kind, trait)
                    yield full if len(full) <= LONGEST else trait.label


class _Held(_Trait):
    """A trait that exists, of the kinds that the command's group is about."""

    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        kinds: tuple[Kind, ...] = getattr(getattr(it.command, "binding", None), "kinds", ())
        return _Trait(*kinds).found(table, player, it)


class _Track(Typed):
    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        return CORTEX.of(table).ruleset.stress


class _Dice(Typed):
    """A pool: the saved ones first, then the last ones, then names for the last word."""

    async def autocomplete(self, it: Interaction, value: int | float | str, /) -> list[Choice[Any]]:
        asking = asked(it)
        play = cast("Play", it.client.play)  # type: ignore[attr-defined]
        table = await play.look(asking)
        typed = str(value)
        pools = [p for p in CORTEX.of(table).last_pools.get(asking.actor.id, ()) if p.startswith(typed)]
        kept = _kept(it, whose(table, asking.actor.id, it), typed)
        found = [*pools, *(_after_vs(table, typed) or _next_names(table, asking.actor, typed))]
        return [*kept, *suggest("", found or ([] if kept else [typed]))][:MOST]


def _kept(it: Interaction, character: Character | None, typed: str) -> list[Choice[Any]]:
    """The pools that somebody keeps whose names begin as typed, by name and dice."""
    begun = typed.casefold().strip()
    options = getattr(it.command, "parameters", ())
    is_open = any(each.name == "vs" for each in options) and not getattr(it.namespace, "vs", None)
    found = []
    for each in CORTEX.has(character).kept.values() if character else ():
        if each.name.casefold().startswith(begun):
            text = typed_pool.text(each) if is_open else each.dice
            value = text if len(text) <= LONGEST else each.name
            found.append(Choice(name=typed_pool.write(each)[:LONGEST], value=value))
    return found


def _after_vs(table: Table, typed: str) -> list[str]:
    """The pool as typed up to its `vs`, with what it can be against."""
    head, separator, last = typed.rpartition(" vs ")
    return [f"{head} vs {name}" for name in names(table) if separator and name.startswith(last.casefold())]


def _next_names(table: Table, actor: Actor, typed: str) -> list[str]:
    """The pool as typed, with names for its last word: those not in it yet, of other trait sets first."""
    own = character_of(table, actor)
    known = with_sfx(known_names(table, own), own)
    head, separator, last = _last_word(typed)
    used = dice_in(head, known)
    sets = {die.source for die in used if die.source.startswith(SET) or die.source == Kind.DISTINCTION}
    taken = {key(die.label) for die in used}
    free = [name for name, die in known.items() if key(die.label) not in taken]
    begun = [name for name in free if name.casefold().startswith(last.casefold())]
    begun.sort(key=lambda name: known[name].source in sets)
    return [f"{head}{separator}{quoted(Die(4, name))}" for name in begun]


class _When(Typed):
    """A time as it is understood, in the zone of the table or in the one that is named; or in one's own."""

    def __init__(self, *, is_own: bool = False) -> None:
        self.is_own = is_own

    async def autocomplete(self, it: Interaction, value: int | float | str, /) -> list[Choice[Any]]:
        asking = asked(it)
        play = cast("Play", it.client.play)  # type: ignore[attr-defined]
        table = await play.look(asking)
        quiet = cast("AllQuietHours", it.client.quiet_hours)  # type: ignore[attr-defined]
        own = (await quiet.of(it.user.id)).zone if self.is_own else ""
        zone = getattr(it.namespace, "zone", "") or own or table.settings.zone
        meant = understood(table, str(value), it.created_at, zone)
        return [
            Choice(name=name[:LONGEST], value=typed) for name, typed in meant if 0 < len(typed) <= LONGEST
        ]


class _Zone(Typed):
    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        own = [table.settings.zone] if table.settings.zone else []
        return [*own, *campaigns.ZONES, *zones().values()]


class _Versus(Typed):
    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        typed = str(getattr(it.namespace, "vs", "") or "")
        head, plus, _ = typed.rpartition("+")
        if plus:
            return [f"{head.rstrip()} + {label}" for _, _, label, _ in trait_names(table)]
        gm = [roll for roll in CORTEX.of(table).rolls.values() if roll.gm and roll.hand.total]
        last = [str(sum(gm[-1].hand.dice[p].face for p in gm[-1].hand.total))] if gm else []
        return [*last, *names(table), *([typed] if typed else [])]


class _DoomDie(Typed):
    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        return [f"d{size}" for size in sorted(CORTEX.of(table).doom)]


class _DoomDice(Typed):
    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        here = CORTEX.of(table)
        sizes = [size for size, count in sorted(here.doom.items()) for _ in range(count)]
        return [*(f"d{size}" for size in sorted(here.doom)), *([write(sizes)] if sizes else [])]


class _Pool(Typed):
    """The name of a crisis or a challenge."""

    def __init__(self, foe: Foe) -> None:
        self.foe = foe

    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        here = CORTEX.of(table)
        pools = here.crises if self.foe is Foe.CRISIS else here.challenges
        return [pool.name for pool in pools.values()]


class _PoolDie(Typed):
    """A die of the crisis or challenge that is named, or of the only one."""

    def __init__(self, foe: Foe) -> None:
        self.foe = foe

    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        here = CORTEX.of(table)
        name = str(getattr(it.namespace, "name", "") or "").casefold()
        pools: Mapping[str, Crisis | Challenge] = here.crises if self.foe is Foe.CRISIS else here.challenges
        held = [pool.dice for one, pool in pools.items() if one.startswith(name)]
        return [f"d{size}" for size in sorted({size for dice in held for size in dice})]


class _Gmc(Typed):
    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        return [c.name for c in table.characters.values() if c.gmc]


class _GmcDice(Typed):
    """The traits of the GMC that is named."""

    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        name = str(getattr(it.namespace, "name", "") or "").casefold()
        gmcs = [c for one, c in table.characters.items() if c.gmc and one.startswith(name)]
        return [f"{trait.label} d{trait.die}" for c in gmcs[:1] for trait in CORTEX.has(c).sheet.values()]


class _NextInOrder(Typed):
    """Who can be named next in the turn order."""

    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        return [table.characters[who].name for who in turn.candidates(table)]


class _NextInChallenge(Typed):
    """Who can be named next in the challenge that is named, or in the only one."""

    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        name = str(getattr(it.namespace, "name", "") or "").casefold()
        orders = [c.order for one, c in CORTEX.of(table).challenges.items() if one.startswith(name)]
        left = turn.left(table, (orders or [Order()])[0], gmcs=False)
        players = [who for who, character in table.characters.items() if not character.gmc]
        return [table.characters[who].name for who in (left or players)]


class _Lasting(Typed):
    """A trait of a sheet: of whom is named, or of the caller."""

    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        owner = whose(table, player, it)
        kinds = ON_SHEET if owner else ()
        return [
            trait.label
            for kind in kinds
            for trait in (CORTEX.has(owner).traits(kind).values() if owner else ())
        ]


def whose(table: Table, player: int, it: Interaction) -> Character | None:
    """The character that the option `who` names, else the caller's."""
    who = str(getattr(it.namespace, "who", "") or "").casefold()
    return table.characters.get(who) or table.played_by(player)


class _SfxName(Typed):
    """An SFX with its owner: `Alice · Lucky`, the caller's own first."""

    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        named = getattr(it.namespace, "who", "")
        own = whose(table, player, it)
        people = [own] if named and own else sorted(table.characters.values(), key=lambda one: one is not own)
        whole = [owned(one, sfx) for one in people for sfx in CORTEX.has(one).sfx.values()]
        return [sfx.name for one in people for sfx in CORTEX.has(one).sfx.values()] if named else whole


class _Shut(Typed):
    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        owner = whose(table, player, it)
        return [] if owner is None else [trait.label for _, trait in shut_down.held(owner) if trait.shut]


class _TraitSet(Typed):
    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        return [*sets(table, whose(table, player, it) or Character("")), RESOURCES]


class _PoolName(Typed):
    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        return [pool.name for pool in CORTEX.of(table).pools.values()]


class _KeptName(Typed):
    """A pool that somebody keeps."""

    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        owner = whose(table, player, it)
        return [] if owner is None else [each.name for each in CORTEX.has(owner).kept.values()]


class _PoolDice(Typed):
    """Dice of the named pool that is meant."""

    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        name = str(getattr(it.namespace, "name", "") or "").casefold()
        held = [pool for one, pool in CORTEX.of(table).pools.items() if one.startswith(name)]
        return [write_pool([die]) for pool in held[:1] for die in pool.dice]


class _HeroDie(Typed):
    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        own = table.played_by(player)
        return [f"d{size}" for size in sorted(CORTEX.has(own).hero, reverse=True)] if own else []


class _Rival(Typed):
    """Who can be contested: whoever waits for the caller first."""

    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        own = table.played_by(player)
        leads = [c.sides[c.leader] for c in CORTEX.of(table).contests.values() if not c.closing]
        return [*leads, *(c.name for c in table.characters.values() if c is not own)]


class _Setting(Typed):
    async def autocomplete(self, it: Interaction, value: int | float | str, /) -> list[Choice[Any]]:
        return suggest(str(value), (*campaigns.names(), LOG), setting_words)


class _SettingValue(Typed):
    async def autocomplete(self, it: Interaction, value: int | float | str, /) -> list[Choice[Any]]:
        setting = str(getattr(it.namespace, "setting", "") or "")
        words = ruleset_words if setting == "ruleset" else None
        known = ("off",) if setting == LOG else campaigns.values(setting)
        return suggest(str(value), known, words)


class _LogPlace(Transformer):
    """A text channel or a thread, by its number: whoever needs more of it looks it up."""

    @property
    def type(self) -> AppCommandOptionType:
        return AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[ChannelType]:
        threads = [ChannelType.public_thread, ChannelType.private_thread, ChannelType.news_thread]
        return [ChannelType.text, ChannelType.news, *threads]

    async def transform(self, it: Interaction, value: Any, /) -> int:
        """The number of the channel."""
        return int(value.id)


class _CampaignName(Typed):
    async def autocomplete(self, it: Interaction, value: int | float | str, /) -> list[Choice[Any]]:
        play = cast("Play", it.client.play)  # type: ignore[attr-defined]
        return suggest(str(value), await play.campaigns(asked(it)))


class _DeletedName(Typed):
    async def autocomplete(self, it: Interaction, value: int | float | str, /) -> list[Choice[Any]]:
        play = cast("Play", it.client.play)  # type: ignore[attr-defined]
        return suggest(str(value), await play.restorable(asked(it)))


class _PlayedName(Typed):
    async def autocomplete(self, it: Interaction, value: int | float | str, /) -> list[Choice[Any]]:
        play = cast("Play", it.client.play)  # type: ignore[attr-defined]
        return suggest(str(value), await play.played(asked(it)))


class _Session(Typed):
    """The sessions that there were, the latest first, each by its number with its title."""

    async def autocomplete(self, it: Interaction, value: int | float | str, /) -> list[Choice[Any]]:
        play = cast("Play", it.client.play)  # type: ignore[attr-defined]
        table = await play.look(asked(it))
        numbers = range(table.session, 0, -1)
        titled = {
            f"{each}: {table.titles[each]}" if each in table.titles else str(each): each for each in numbers
        }
        found = suggest(str(value), titled)
        return [Choice(name=each.name, value=str(titled[each.name])) for each in found]


class _BoundaryName(Typed):
    """The lines and the veils of the table."""

    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        return (*table.lines.values(), *table.veils.values())


def focused(options: Iterable[Mapping[str, Any]]) -> str:
    """What is typed so far into the option that suggestions are asked for."""
    for option in options:
        if option.get("focused"):
            return str(option.get("value", ""))
        inside = focused(option.get("options", ()))
        if inside:
            return inside
    return ""


def _last_word(typed: str) -> tuple[str, str, str]:
    """What stands before the word that is being typed, what parts them, and the word."""
    place = max(typed.rfind(sign) for sign in ",+ ")
    separator = " " if place >= 0 and typed[place] in ",+" else ""
    return typed[: place + 1], separator, typed[place + 1 :].strip()


class _Speaker(Typed):
    """Whom somebody can speak as."""

    def found(self, table: Table, player: int, it: Interaction) -> Iterable[str]:
        return [each.name for each in voices(table, asked(it).actor)]


Who = Transform[str, _Who()]
"""A character."""
WhoOrScene = Transform[str, _Who("scene")]
"""A character or the scene."""
Several = Transform[str, _Several("all")]
"""One character, several with commas, or all."""
SeveralOrScene = Transform[str, _Several("all", "scene")]
"""One character, several with commas, all, or the scene."""
Payer = Transform[str, _Payer()]
"""A character with PP, or the GM."""
Payers = Transform[str, _Payers("all")]
"""Characters with PP, or the GM."""
Absent = Transform[str, _Several()]
"""Characters, several with commas, but not all of them."""
Held = Transform[str, _Held()]
"""A trait that exists, of the group's kind."""
Distinction = Transform[str, _Trait(Kind.DISTINCTION)]
"""A distinction that exists."""
Track = Transform[str, _Track()]
"""A stress track of the ruleset."""
Dice = Transform[str, _Dice()]
"""A pool in dice notation."""
"""A pool of a One-Roll game."""
Versus = Transform[str, _Versus()]
"""What a roll is against."""
DoomDie = Transform[str, _DoomDie()]
"""A die of the doom pool."""
DoomDice = Transform[str, _DoomDice()]
"""Dice of the doom pool."""
CrisisName = Transform[str, _Pool(Foe.CRISIS)]
"""A crisis."""
CrisisDie = Transform[str, _PoolDie(Foe.CRISIS)]
"""A die of a crisis."""
ChallengeName = Transform[str, _Pool(Foe.CHALLENGE)]
"""A challenge."""
ChallengeDie = Transform[str, _PoolDie(Foe.CHALLENGE)]
"""A die of a challenge."""
GmcName = Transform[str, _Gmc()]
"""A GMC."""
GmcDice = Transform[str, _GmcDice()]
"""A pool of a GMC, its traits by name."""
NextInOrder = Transform[str, _NextInOrder()]
NextInChallenge = Transform[str, _NextInChallenge()]
"""Somebody whose turn can be next."""
Lasting = Transform[str, _Lasting()]
"""A trait of a sheet."""
SfxName = Transform[str, _SfxName()]
"""An SFX of whom is named, or of the caller."""
Shut = Transform[str, _Shut()]
"""A trait that is shut down."""
TraitSet = Transform[str, _TraitSet()]
"""A trait set of the ruleset or of a sheet."""
Resource = Transform[str, _Trait(Kind.RESOURCE)]
"""A resource that exists."""
PoolName = Transform[str, _PoolName()]
"""A named pool."""
KeptName = Transform[str, _KeptName()]
"""A pool that somebody keeps."""
PoolDice = Transform[str, _PoolDice()]
"""Dice of a named pool."""
HeroDie = Transform[str, _HeroDie()]
"""One of the caller's hero dice."""
Rival = Transform[str, _Rival()]
"""The other side of a contest."""
SettingName = Transform[str, _Setting()]
"""A setting of the campaign."""
SettingValue = Transform[str, _SettingValue()]
"""A value of that setting."""
LogPlace = Transform[int, _LogPlace()]
"""The channel of a log."""
Speaker = Transform[str, _Speaker()]
"""Whom one can speak as."""
DeletedName = Transform[str, _DeletedName()]
"""A deleted campaign that the caller can bring back."""
BoundaryName = Transform[str, _BoundaryName()]
"""A line or a veil of the table."""
CampaignName = Transform[str, _CampaignName()]
"""A campaign of this server."""
PlayedName = Transform[str, _PlayedName()]
"""A campaign of this server that knows the caller."""
SessionName = Transform[str, _Session()]
"""A session by its number or title."""
When = Transform[str, _When()]
"""A time that is to come."""
WhenBack = Transform[str, _When(is_own=True)]
"""When somebody is back, in their own zone."""
ZoneName = Transform[str, _Zone()]
"""A time zone."""
WhoRolled = Transform[str, _Who("GM", "all")]
"""Somebody who rolls, the GM, or all."""
