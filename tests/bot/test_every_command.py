"""Every command that is registered, end to end: it works, it refuses who may not, it refuses bad input."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from discord import AppCommandType, app_commands

from bot import pictures
from bot.client.access import Marked, reach
from bot.loopback.reply import BotReply
from tests.bot.test_buttons import put_back, seen
from tests.game import Game


@dataclass(frozen=True, slots=True)
class Case:
    """What is tried of a command at a table: lines before it, the command, and what may not be done.

    What is `bad` as long as there is nothing yet is tried before the lines `before` it.
    """

    says: str
    hears: str
    before: tuple[str, ...] = ()
    refused: str = ""
    because: str = "Only the GM"
    bad: str = ""
    hint: str = ""
    bad_before: bool = False
    answer: str = ""
    """What is pressed where the command asks first."""


FIRE = ("gm: /crisis new name:Fire dice:d6 d8",)
STORM = ("gm: /challenge new name:Storm extra:1",)
REX = ("gm: /gmc new name:Rex dice:Fangs d8, 4d10",)
CONTEST = ("bob: /contest start dice:2d6 against:Alice note:the map",)
TURN = ("gm: /turn start who:Alice",)
HERO = (
    "gm: /campaign set setting:heroic success value:hero dice and effect",
    "gm: /hero give who:Alice die:d8",
)
WEALTH = (
    "gm: /campaign set setting:resources value:on",
    "alice: /character set trait:Wealth die:d8 trait_set:Resources",
)

TRICK = ("alice: /sfx add name:Trick benefit:asset d8 Cover cost:1 PP",)
ESCAPE = ("alice: /pool add name:Escape dice:Mind d10 d6",)

FACE = next((Path(pictures.__file__).parent / "dice").glob("*.png"))
ZOE = Path(__file__).with_name("zoe.json")
TABLE = '{"doomkeeper": "table", "version": 1, "table": {"name": "Deep Water"}}'

CASES = {
    "campaign export": Case("gm: /campaign export", "Skyfall as a file", refused="bob: /campaign export"),
    "campaign import": Case(
        f"gm: /campaign import text:{TABLE}",
        "Join on the pinned table",
        refused=f"bob: /campaign import text:{TABLE}",
        bad="gm: /campaign import",
        hint="nothing to import",
    ),
    "character export": Case(
        "alice: /character export",
        "Alice as a file",
        refused="bob: /character export who:Alice",
        because="Only alice or the GM",
        bad="alice: /character export who:Nobody",
        hint="no character called",
    ),
    "character import": Case(
        f"alice: /character import file:{ZOE}",
        "Attributes Mind d10",
        bad=f"alice: /character import file:{__file__}",
        hint="The bot can only read files it exported",
    ),
    "privacy show": Case("alice: /privacy show", "Skyfall: you play Alice, "),
    "privacy export": Case("alice: /privacy export", "Here's what the bot stores about you, as a file"),
    "privacy delete": Case("alice: /privacy delete", "This can't be undone"),
    "character edit": Case(
        "alice: /character edit", "", refused="bob: /character edit who:Alice", because="Only alice or the GM"
    ),
    "character give": Case(
        "alice: /character give name:Alice player:@bob",
        "Alice is played by bob",
        refused="bob: /character give name:Alice player:@bob",
        because="Only alice or the GM",
        bad="alice: /character give name:Nobody player:@bob",
        hint="no character called",
    ),
    "character list": Case("bob: /character list", "Alice: played by alice"),
    "character new": Case(
        "alice: /character new name:Zoe",
        "Zoe is played by alice",
        refused="bob: /character new name:Zoe player:@alice",
        bad="alice: /character new name:Bob",
        hint="Bob is already taken. Choose another name. Example: Bob 2",
    ),
    "character play": Case(
        "alice: /character play name:Zoe",
        "Zoe is played by alice",
        before=("gm: /pp give who:Zoe", "gm presses Someone new: Zoe"),
        refused="bob: /character play name:Alice",
        because="alice already plays Alice",
        bad="alice: /character play name:Nobody",
        hint="no character called",
    ),
    "character portrait": Case(
        f"alice: /character portrait picture:{FACE} alt:A four",
        "Alice has a new portrait",
        refused=f"bob: /character portrait picture:{FACE} who:Alice",
        because="Only alice or the GM",
        bad=f"alice: /character portrait picture:{__file__}",
        hint="The bot can't read that picture",
    ),
    "character remove": Case(
        "alice: /character remove name:Alice",
        "Alice leaves the table",
        refused="bob: /character remove name:Alice",
        because="Only alice or the GM",
        bad="alice: /character remove name:Nobody",
        hint="no character called",
    ),
    "character rename": Case(
        "alice: /character rename to:Alicia",
        "Alice is now called Alicia",
        refused="bob: /character rename to:Alicia who:Alice",
        because="Only alice or the GM",
        bad="alice: /character rename to:Bob",
        hint="Bob is already taken. Choose another name. Example: Bob 2",
    ),
    "character set": Case(
        "alice: /character set trait:Mind die:d10 trait_set:Attributes",
        "Alice · Mind d10 (trait)",
        refused="bob: /character set trait:Mind die:d10 trait_set:Attributes who:Alice",
        because="Only alice or the GM",
        bad="alice: /character set trait:Mind die:d7 trait_set:Attributes",
        hint="isn't a die",
    ),
    "character show": Case(
        "bob: /character show who:Alice",
        "Attributes Mind d10",
        before=("alice: /character set trait:Mind die:d10 trait_set:Attributes",),
        bad="bob: /character show who:Nobody",
        hint="no character called",
    ),
    "character unset": Case(
        "alice: /character unset trait:Mind",
        "Alice · Mind is gone",
        before=("alice: /character set trait:Mind die:d10 trait_set:Attributes",),
        refused="bob: /character unset trait:Mind who:Alice",
        because="Only alice or the GM",
        bad="alice: /character unset trait:Body",
        hint='called "Body"',
    ),
    "pool add": Case(
        "bob: /pool add name:Escape dice:Mind d10 2d6",
        "Pool Escape: Mind d10, 2d6 (Mind d10, 2d6 added)",
        bad="bob: /pool add dice:2d6",
        hint="Give the pool a name",
    ),
    "pool build": Case("alice: /pool build", "Your pool: empty\nAgainst: nothing yet"),
    "pool clear": Case("bob: /pool clear", "Pool Escape: empty (cleared)", before=ESCAPE),
    "pool double": Case(
        "bob: /pool double dice:Mind",
        "Pool Escape: Mind d10, Mind d10, d6",
        before=ESCAPE,
        bad="bob: /pool double dice:d6 name:Nothing",
        hint='called "Nothing"',
    ),
    "pool remove": Case(
        "bob: /pool remove dice:d6",
        "Pool Escape: Mind d10 (d6 removed)",
        before=ESCAPE,
        bad="bob: /pool remove dice:d6",
        hint="There are no pools yet",
        bad_before=True,
    ),
    "pool roll": Case(
        "bob: /pool roll vs:3",
        "Escape",
        before=ESCAPE,
        bad="bob: /pool roll name:Nothing",
        hint='called "Nothing"',
    ),
    "pool show": Case("bob: /pool show", "Pool Escape: Mind d10, d6", before=ESCAPE),
    "pool stepdown": Case(
        "bob: /pool stepdown dice:Mind steps:2",
        "Pool Escape: Mind d6, d6",
        before=ESCAPE,
        bad="bob: /pool stepdown dice:Mind steps:9",
        hint=". Choose 1",
    ),
    "pool save": Case(
        "alice: /pool save name:Fly dice:Mind d10 + d6 vs:11",
        "Alice · Saved pool Fly: Mind d10 + d6 vs 11",
        refused="bob: /pool save name:Fly dice:2d6 who:Alice",
        because="Only alice or the GM",
        bad="alice: /pool save name:Fly",
        hint="You don't have a last pool",
    ),
    "pool stepup": Case(
        "bob: /pool stepup dice:d6",
        "Pool Escape: Mind d10, d8 (d6 stepped up)",
        before=ESCAPE,
        bad="bob: /pool stepup dice:d6 steps:0",
        hint=". Choose 1",
    ),
    "resource refresh": Case(
        "gm: /resource refresh",
        "Alice · Wealth d8 is ready to use again",
        before=(*WEALTH, "alice: /resource use what:Wealth"),
        refused="bob: /resource refresh",
        bad="gm: /resource refresh who:Bob",
        hint="Resources are off in this campaign",
        bad_before=True,
    ),
    "resource use": Case(
        "alice: /resource use what:Wealth",
        "Alice · Wealth d8 is spent until the scene ends",
        before=WEALTH,
        refused="bob: /resource use what:Wealth",
        because="Only alice or the GM",
        bad="alice: /resource use what:Luck",
        hint="Resources are off in this campaign",
        bad_before=True,
    ),
    "sfx add": Case(
        "alice: /sfx add name:Fury benefit:add d6, double cost:1 PP when:angry",
        "Alice · SFX Fury: add d6, double, for 1 PP, when angry",
        refused="bob: /sfx add name:Fury benefit:up who:Alice",
        because="Only alice or the GM",
        bad="alice: /sfx add name:Fury benefit:up, reroll",
        hint="Make two SFX",
    ),
    "sfx recover": Case(
        "alice: /sfx recover what:Mind",
        "Alice · Mind d10 works again",
        before=(
            "alice: /character set trait:Mind die:d10 trait_set:Attributes",
            "alice: /sfx add name:Limit benefit:1 PP cost:shut down Mind",
            "alice: /sfx use name:Limit",
        ),
        refused="bob: /sfx recover what:Mind who:Alice",
        because="Only alice or the GM",
        bad="alice: /sfx recover what:Sharp",
        hint="There's no shut-down",
    ),
    "sfx remove": Case(
        "alice: /sfx remove name:Trick",
        "Alice · SFX Trick: asset d8 Cover, for 1 PP (removed)",
        before=TRICK,
        refused="bob: /sfx remove name:Trick who:Alice",
        because="Only alice or the GM",
        bad="alice: /sfx remove name:Fury",
        hint="There are none yet",
        bad_before=True,
    ),
    "sfx show": Case("bob: /sfx show", "Alice · SFX Trick: asset d8 Cover, for 1 PP", before=TRICK),
    "sfx template": Case(
        "alice: /sfx template",
        "Choose what Alice's new SFX does.",
        refused="bob: /sfx template who:Alice",
        because="Only alice or the GM",
        bad="alice: /sfx template who:Zoe",
        hint="Zoe",
    ),
    "sfx use": Case(
        "alice: /sfx use name:Trick",
        "Alice · Cover d8 (asset)",
        before=TRICK,
        refused="bob: /sfx use name:Trick who:Alice",
        because="Only alice or the GM",
        bad="alice: /sfx use name:Fury",
        hint="There are none yet",
        bad_before=True,
    ),
    "xp give": Case(
        "gm: /xp give who:all number:2 why:a good end",
        "Alice: 2 XP (+2, a good end)",
        refused="bob: /xp give who:Bob",
        bad="gm: /xp give who:Bob number:0",
        hint="Choose 1 to 999",
    ),
    "xp show": Case("bob: /xp show", "Alice: 1 XP", before=("gm: /xp give who:Alice",)),
    "xp spend": Case(
        "alice: /xp spend why:Mind d12",
        "Alice: 0 XP (-1, Mind d12)",
        before=("gm: /xp give who:Alice",),
        refused="bob: /xp spend who:Alice",
        because="Only alice or the GM",
        bad="alice: /xp spend number:5",
        hint="That costs 5",
    ),
    "about": Case("bob: /about", "unofficial"),
    "act end": Case(
        "gm: /act end", "Act 1 ends", refused="bob: /act end", bad="gm: /act end", hint="No act is"
    ),
    "act start": Case(
        "gm: /act start dice:2d8",
        "Doom pool: 2d8",
        refused="bob: /act start",
        bad="gm: /act start dice:d7",
        hint="isn't a die",
    ),
    "asset add": Case(
        "alice: /asset add what:Rope",
        "Alice · Rope d6",
        refused="alice: /asset add what:Rope who:scene pay:false",
        bad="alice: /asset add what:Lamp die:d7",
        hint="isn't a die",
    ),
    "asset remove": Case(
        "alice: /asset remove what:Rope",
        "Alice · Rope is gone",
        before=("alice: /asset add what:Rope",),
        refused="bob: /asset remove what:Crate",
        bad="alice: /asset remove what:Sword",
        hint='no asset called "Sword"',
    ),
    "asset show": Case("bob: /asset show", "Scene · Crate d6"),
    "asset stepdown": Case(
        "alice: /asset stepdown what:Alice · Rope d6",
        "Alice · Rope d4",
        before=("alice: /asset add what:Rope",),
        refused="bob: /asset stepdown what:Crate",
        bad="alice: /asset stepdown what:Rope steps:0",
        hint=". Choose 1",
    ),
    "asset rename": Case(
        "alice: /asset rename what:rop to:Silk Rope",
        "Alice · Silk Rope d6 (was Rope)",
        before=("alice: /asset add what:Rope",),
        refused="bob: /asset rename what:Crate to:Box",
        bad="alice: /asset rename what:Rope to:Rope",
        hint="Rope already has that name.",
    ),
    "asset stepup": Case(
        "alice: /asset stepup what:rop steps:2",
        "Alice · Rope d10",
        before=("alice: /asset add what:Rope",),
        refused="bob: /asset stepup what:Crate",
        bad="alice: /asset stepup what:Rope steps:99",
        hint=". Choose 1",
    ),
    "campaign archive": Case(
        "gm: /campaign archive",
        "Skyfall is archived",
        refused="bob: /campaign archive",
    ),
    "campaign delete": Case(
        "gm: /campaign delete", "You can bring the campaign back", refused="bob: /campaign delete"
    ),
    "campaign gm": Case(
        "gm: /campaign gm player:@bob",
        "bob is GM",
        refused="bob: /campaign gm player:@bob",
        bad="gm: /campaign gm player:@alice remove:true",
        hint="isn't a GM at this table",
    ),
    "campaign join": Case(
        "gm: /campaign join name:sky",
        "is played in this channel",
        refused="bob: /campaign join name:Skyfall",
        because="To take a character, press Join.",
        bad="gm: /campaign join name:Atlantis",
        hint='no campaign called "Atlantis"',
    ),
    "campaign leave": Case(
        "gm: /campaign leave",
        "no longer played",
        refused="zoe: /campaign leave",
        bad="gm: /campaign leave",
        hint="no table to leave",
    ),
    "campaign new": Case(
        "gm: /campaign new name:Deep Water ruleset:prime",
        "Deep Water begins",
        answer="Archive it",
        refused="bob: /campaign new name:Mine",
        bad="gm: /campaign new name:\u200b",
        hint="is empty",
    ),
    "campaign restore": Case(
        "gm: /campaign restore name:Skyfall",
        "Skyfall has been brought back to this channel",
        before=("gm: /campaign delete", "gm presses Delete"),
        refused="bob: /campaign restore name:Skyfall",
        because="You can bring one back within 14 days",
    ),
    "campaign set": Case(
        "gm: /campaign set setting:resources value:on",
        "resources: on",
        refused="bob: /campaign set setting:resources value:on",
        bad="gm: /campaign set setting:challenges value:maybe",
        hint="Type on or off",
    ),
    "campaign show": Case("bob: /campaign show", "Ruleset: adept"),
    "challenge act": Case(
        "gm: /challenge act what:add",
        "Challenge Storm: d6 3d8, round 1",
        before=(*STORM, "gm: /challenge skip who:Alice", "gm: /challenge skip who:Bob"),
        refused="bob: /challenge act what:add",
        bad="gm: /challenge act what:target",
        hint="Choose a target",
    ),
    "challenge add": Case(
        "gm: /challenge add dice:d6",
        "Challenge Storm: d6 3d8, round 1",
        before=STORM,
        refused="bob: /challenge add dice:d6",
        bad="gm: /challenge add dice:d7",
        hint="isn't a die",
    ),
    "challenge end": Case(
        "gm: /challenge end",
        "Challenge Storm ends",
        before=STORM,
        refused="bob: /challenge end",
        bad="gm: /challenge end name:Flood",
        hint='no challenge called "Flood"',
    ),
    "challenge first": Case(
        "gm: /challenge first who:Alice",
        "It's Alice's turn (Challenge Storm, round 1)",
        before=STORM,
        refused="bob: /challenge first who:Bob",
        bad="gm: /challenge first who:Nobody",
        hint='no character called "Nobody"',
    ),
    "challenge new": Case(
        "gm: /challenge new name:Storm difficulty:hard extra:1 rounds:2",
        "Challenge Storm: 3d10, round 1",
        refused="bob: /challenge new name:Storm",
        bad="gm: /challenge new name:Storm extra:4",
        hint="Choose 0 to 3",
    ),
    "challenge next": Case(
        "alice: /challenge next who:Bob",
        "It's Bob's turn (Challenge Storm, round 1)",
        before=(*STORM, "gm: /challenge first who:Alice"),
        refused="bob: /challenge next who:Bob",
        because="Only the GM or Alice",
        bad="alice: /challenge next who:Alice",
        hint="Still to go this round: Bob",
    ),
    "challenge remove": Case(
        "gm: /challenge remove dice:2d8",
        "Challenge Storm: d8, round 1",
        before=STORM,
        refused="bob: /challenge remove dice:d8",
        bad="gm: /challenge remove dice:d12",
        hint="has no d12",
    ),
    "challenge roll": Case(
        "gm: /challenge roll with:Rain d6 on:Alice",
        "Rain d6",
        before=STORM,
        refused="bob: /challenge roll",
        bad="gm: /challenge roll keep:0",
        hint="Keep 1 to 30",
    ),
    "challenge show": Case("bob: /challenge show", "Challenge Storm: 3d8, round 1", before=STORM),
    "challenge skip": Case(
        "gm: /challenge skip who:Bob",
        "Bob is skipped",
        before=STORM,
        refused="bob: /challenge skip who:Bob",
        bad="gm: /challenge skip who:Nobody",
        hint='no character called "Nobody"',
    ),
    "comp add": Case(
        "alice: /comp add what:Broken Leg die:d8",
        "Alice · Broken Leg d8",
        refused="bob: /comp add what:Broken Leg who:Alice",
        because="Only alice or the GM",
        bad="alice: /comp add what:Lame die:d20",
        hint="isn't a die",
    ),
    "comp recover": Case(
        "alice: /comp recover what:Lost dice:d8 d8",
        "To recover: Alice · Lost d6",
        before=("alice: /comp add what:Lost",),
        bad="alice: /comp recover what:Lost dice:nothing",
        hint="Alice has no nothing",
    ),
    "comp remove": Case(
        "alice: /comp remove what:Lost",
        "Alice · Lost is gone",
        before=("alice: /comp add what:Lost",),
        refused="bob: /comp remove what:Rain",
        bad="alice: /comp remove what:Lost who:Nobody",
        hint='no character called "Nobody"',
    ),
    "comp show": Case("bob: /comp show", "Scene · Rain d6"),
    "comp stayin": Case(
        "alice: /comp stayin name:Shaken",
        "Alice stays in",
        before=("alice: /comp add what:Lost die:d12", "alice: /comp stepup what:Lost"),
        refused="bob: /comp stayin who:Alice",
        because="Only alice or the GM",
        bad="alice: /comp stayin",
        hint="Alice isn't taken out",
        bad_before=True,
    ),
    "comp stepdown": Case(
        "alice: /comp stepdown what:Lost",
        "Alice · Lost d4",
        before=("alice: /comp add what:Lost",),
        refused="bob: /comp stepdown what:Rain",
        bad="alice: /comp stepdown what:Fear",
        hint='no complication called "Fear"',
    ),
    "comp rename": Case(
        "alice: /comp rename what:Lost to:Lost in the fog",
        "Alice · Lost in the fog d6 (was Lost)",
        before=("alice: /comp add what:Lost",),
        refused="bob: /comp rename what:Rain to:Hail",
        bad="alice: /comp rename what:Lost to:Rope d8",
        hint="d8",
    ),
    "comp stepup": Case(
        "alice: /comp stepup what:Lost",
        "Alice · Lost d8",
        before=("alice: /comp add what:Lost",),
        refused="bob: /comp stepup what:Rain",
        bad="alice: /comp stepup what:Lost steps:-1",
        hint=". Choose 1",
    ),
    "contest answer": Case(
        "alice: /contest answer dice:4d12",
        "Alice, vs ",
        before=CONTEST,
        refused="bob: /contest answer dice:4d12",
        because="No contest is waiting for you. Still to answer: Alice (against Bob)",
        bad="alice: /contest answer dice:d7",
        hint="isn't a die",
    ),
    "contest escalate": Case(
        "alice: /contest escalate dice:4d12",
        "Alice, vs ",
        before=CONTEST,
        refused="bob: /contest escalate dice:4d12",
        because="No contest is waiting for you",
        bad="alice: /contest escalate dice:2d8 against:Rex",
        hint='no opponent called "Rex"',
    ),
    "contest givein": Case(
        "alice: /contest givein",
        "Bob: Total ",
        before=CONTEST,
        refused="bob: /contest givein",
        because="No contest is waiting for you",
        bad="alice: /contest givein against:Rex",
        hint="Try Bob",
    ),
    "contest show": Case("bob: /contest show", "Contest Bob against Alice (the map", before=CONTEST),
    "contest start": Case(
        "alice: /contest start dice:2d8 d6 against:Bob note:the map",
        "Bob: beat",
        refused="bob: /contest start dice:2d8 against:Bob who:Alice",
        because="Only alice or the GM",
        bad="alice: /contest start dice:2d8 against:Alice",
        hint="A contest needs two sides",
    ),
    "crisis add": Case(
        "gm: /crisis add dice:d10",
        "Crisis Fire: d6 d8 d10",
        before=FIRE,
        refused="bob: /crisis add dice:d10",
        bad="gm: /crisis add dice:30d6",
        hint="30",
    ),
    "crisis end": Case(
        "gm: /crisis end",
        "Crisis Fire ends",
        before=FIRE,
        refused="bob: /crisis end",
        bad="gm: /crisis end name:Flood",
        hint='no crisis called "Flood"',
    ),
    "crisis new": Case(
        "gm: /crisis new name:Fire from_doom:2d6 into:d8",
        "Crisis Fire: d8 (new)",
        refused="bob: /crisis new name:Fire dice:d6",
        bad="gm: /crisis new name:Fire from_doom:2d6 into:d10",
        hint="2d6 can't become d10",
    ),
    "crisis remove": Case(
        "gm: /crisis remove dice:d6",
        "Crisis Fire: d8",
        before=FIRE,
        refused="bob: /crisis remove dice:d6",
        bad="gm: /crisis remove dice:d12",
        hint="has no d12",
    ),
    "crisis roll": Case(
        "gm: /crisis roll with:Rain on:Alice",
        "Rain d6",
        before=FIRE,
        refused="bob: /crisis roll",
        bad="gm: /crisis roll keep:31",
        hint="Keep 1 to 30",
    ),
    "crisis show": Case("bob: /crisis show", "Crisis Fire: d6 d8", before=FIRE),
    "crisis spend": Case(
        "gm: /crisis spend for:complication what:Smoke",
        "Scene · Smoke d6",
        before=FIRE,
        refused="bob: /crisis spend for:sfx",
        bad="gm: /crisis spend for:split",
        hint="it costs d10 or d12",
    ),
    "crisis stepdown": Case(
        "gm: /crisis stepdown",
        "Crisis Fire: 2d6",
        before=FIRE,
        refused="bob: /crisis stepdown",
        bad="gm: /crisis stepdown die:d12",
        hint="no d12",
    ),
    "crisis stepup": Case(
        "gm: /crisis stepup",
        "Crisis Fire: 2d8",
        before=FIRE,
        refused="bob: /crisis stepup",
        bad="gm: /crisis stepup steps:6",
        hint=". Choose 1",
    ),
    "dist add": Case(
        "alice: /dist add what:Pirate",
        "Alice · Pirate d8",
        refused="bob: /dist add what:Pirate who:scene",
        bad="alice: /dist add what:\u202e",
        hint="is empty",
    ),
    "dist remove": Case(
        "alice: /dist remove what:Pirate",
        "Alice · Pirate is gone",
        before=("alice: /dist add what:Pirate",),
        refused="bob: /dist remove what:Fog",
        bad="alice: /dist remove what:Sailor",
        hint='no distinction called "Sailor"',
    ),
    "dist show": Case("bob: /dist show", "Scene · Fog d8"),
    "doom add": Case(
        "gm: /doom add dice:d8 why:thunder",
        "Doom pool: 2d6 d8",
        refused="bob: /doom add dice:d8",
        bad="gm: /doom add dice:d4",
        hint="can't hold a d4",
    ),
    "doom clear": Case("gm: /doom clear", "Doom pool: empty", refused="bob: /doom clear"),
    "doom remove": Case(
        "gm: /doom remove dice:d6",
        "Doom pool: d6",
        refused="bob: /doom remove dice:d6",
        bad="gm: /doom remove dice:d12",
        hint="has no d12",
    ),
    "doom roll": Case(
        "gm: /doom roll with:Rain",
        "Rain d6",
        refused="bob: /doom roll",
        bad="gm: /doom roll dice:d12",
        hint="no d12",
    ),
    "doom set": Case(
        "gm: /doom set dice:2d10",
        "Doom pool: 2d10",
        refused="bob: /doom set dice:d6",
        bad="gm: /doom set dice:x",
        hint="isn't a die",
    ),
    "doom show": Case("bob: /doom show", "Doom pool: 2d6"),
    "doom spend": Case(
        "gm: /doom spend for:complication name:Rubble",
        "Scene · Rubble d6",
        refused="bob: /doom spend for:sfx",
        bad="gm: /doom spend for:split",
        hint="it costs d10 or d12",
    ),
    "doom stepdown": Case(
        "gm: /doom stepdown",
        "Doom pool: d6",
        refused="bob: /doom stepdown",
        bad="gm: /doom stepdown die:d10",
        hint="no d10",
    ),
    "doom stepup": Case(
        "gm: /doom stepup",
        "Doom pool: d6 d8",
        refused="bob: /doom stepup",
        bad="gm: /doom stepup steps:9",
        hint="You can't step by 9",
    ),
    "gmc hit": Case(
        "gm: /gmc hit name:Rex die:d12",
        "Rex: 3d10 (d10 knocked off)",
        before=REX,
        refused="bob: /gmc hit name:Rex die:d12",
        bad="gm: /gmc hit name:Rex die:d7",
        hint="isn't a die",
    ),
    "gmc new": Case(
        "gm: /gmc new name:Rex dice:Fangs d8, 4d10",
        "Rex: 4d10 (boss)",
        refused="bob: /gmc new name:Rex dice:d8",
        bad="gm: /gmc new name:Rex dice:4d10 2d8",
        hint="unlabeled dice, all the same size",
    ),
    "gmc remove": Case(
        "gm: /gmc remove name:Rex",
        "Rex leaves the table",
        before=REX,
        refused="bob: /gmc remove name:Rex",
        bad="gm: /gmc remove name:Alice",
        hint='no GMC called "Alice"',
    ),
    "gmc roll": Case(
        "gm: /gmc roll name:Rex dice:Fangs, 2d10 vs:11",
        "Rex, vs 11:",
        before=REX,
        refused="bob: /gmc roll name:Rex",
        bad="gm: /gmc roll name:Rex dice:Claws",
        hint="Claws",
    ),
    "gmc show": Case("bob: /gmc show", "Rex: 4d10 (boss). Traits: Fangs d8", before=REX),
    "help": Case("bob: /help topic:roll", "/roll", bad="bob: /help topic:hich", hint="hitch"),
    "hero give": Case(
        "gm: /hero give who:Alice die:d8",
        "Alice: hero dice d8 (d8 added)",
        before=HERO[:1],
        refused="bob: /hero give who:Bob die:d8",
        bad="gm: /hero give who:Alice die:d7",
        hint="isn't a die",
    ),
    "hero show": Case("bob: /hero show", "Alice: hero dice d8", before=HERO),
    "hero use": Case(
        "alice: /hero use die:d8 as:effect",
        "Alice: hero dice empty (d8 used)",
        before=(*HERO, "alice: /roll dice:2d6 vs:1"),
        refused="bob: /hero use die:d8",
        because="no open roll",
        bad="alice: /hero use die:d10",
        hint="have a hero d10",
    ),
    "log": Case(
        "bob: /log", "begins", bad="bob: /log count:0", hint="The log can't show 0 steps. Choose 1 to"
    ),
    "odds": Case(
        "bob: /odds dice:d8, d6, d4 vs:11",
        "Success ",
        bad="bob: /odds dice:d8, d7 vs:11",
        hint="isn't a die here. Use",
    ),
    "ore actions": Case(
        "alice: /ore actions dice:8d second:6d",
        "Alice: 2 actions with 5d",
        refused="bob: /ore actions dice:8d second:6d who:Alice",
        because="Only alice or the GM",
        bad="alice: /ore actions dice:8d second:1d",
        hint="A pool needs at least 2 dice and can have at most 10",
    ),
    "ore clear": Case(
        "gm: /ore clear",
        "A new round begins. One-Roll rolls closed: Alice",
        before=("alice: /ore roll dice:5d",),
        refused="bob: /ore clear",
        bad="gm: /ore clear",
        hint="No One-Roll roll is open",
    ),
    "ore crowd": Case(
        "gm: /ore crowd dice:4d count:12",
        "GM: 12 quick rolls of 4d",
        bad="gm: /ore crowd dice:4d count:51",
        hint="1 to 50 pools, not 51",
    ),
    "ore act": Case(
        "bob: /ore act company:Grey first:might second:treasure",
        "Dice of 5d (might 3d + treasure 2d)",
        before=("gm: /ore company name:Grey Ford ratings:might 3, treasure 2",),
        bad="bob: /ore act company:Grey first:might second:might",
        hint="Choose two different ratings",
    ),
    "ore company": Case(
        "gm: /ore company name:Grey Ford ratings:might 3",
        "Grey Ford: might 3",
        refused="bob: /ore company name:Grey Ford ratings:might 3",
        because="Only the GM can change a company",
        bad="gm: /ore company name:Grey Ford ratings:might 9",
        hint="isn't a rating from 0 to 6",
    ),
    "ore heal": Case(
        "gm: /ore heal place:Body amount:1 who:Ogre",
        "Ogre heals: Body unhurt",
        before=(
            "gm: /campaign set setting:ruleset value:one-roll",
            "gm: /gmc new name:Ogre dice:5d boxes:1-10 Body 8",
            "gm: /ore hurt place:Body amount:1 kind:shock who:Ogre",
        ),
        refused="bob: /ore heal place:Body amount:1 who:Ogre",
        because="Only the GM can change damage",
        bad="gm: /ore heal place:Head amount:1 who:Ogre",
        hint="There's no place",
    ),
    "ore hurt": Case(
        "gm: /ore hurt place:Body amount:2 who:Ogre",
        "Ogre takes 2 shock and 2 killing: Body 2 killing, 2 shock of 8",
        before=(
            "gm: /campaign set setting:ruleset value:one-roll",
            "gm: /gmc new name:Ogre dice:5d boxes:1-10 Body 8",
        ),
        refused="bob: /ore hurt place:Body amount:1 who:Ogre",
        because="Only the GM can change damage",
        bad="gm: /ore hurt place:Head amount:1 who:Ogre",
        hint="There's no place",
    ),
    "ore odds": Case(
        "bob: /ore odds dice:5d 1w", "Any set 100.0%", bad="bob: /ore odds dice:1d", hint="That's 1 die"
    ),
    "ore order": Case("bob: /ore order", "Order of action:", before=("alice: /ore roll dice:10d",)),
    "ore quick": Case(
        "alice: /ore quick dice:7d",
        "Width d10: ",
        refused="bob: /ore quick dice:7d who:Alice",
        because="Only alice or the GM",
        bad="alice: /ore quick dice:7d called:11",
        hint="show 1 to 10, not 11",
    ),
    "ore roll": Case(
        "alice: /ore roll dice:5d 2w 1h e7 c3",
        "2 wiggle dice still to place",
        refused="bob: /ore roll dice:7d who:Alice",
        because="Only alice or the GM",
        bad="alice: /ore roll dice:2d6",
        hint="a One-Roll die",
    ),
    "pp give": Case(
        "gm: /pp give who:Alice, Bob why:teamwork",
        "Bob: 2 PP",
        refused="bob: /pp give who:Bob",
        bad="gm: /pp give who:Bob number:-3",
        hint="can't choose -3 PP. Choose 1",
    ),
    "pp move": Case(
        "gm: /pp move to:Bob who:Alice",
        "Bob: 2 PP",
        refused="bob: /pp move to:Bob who:Alice",
        bad="gm: /pp move to:Alice who:Alice",
        hint="one other character to give PP",
    ),
    "pp set": Case(
        "gm: /pp set who:all number:4",
        "Alice: 4 PP",
        refused="bob: /pp set who:Bob number:9",
        bad="gm: /pp set who:Bob number:1000",
        hint="Choose 0 to 999",
    ),
    "pp show": Case("bob: /pp show", "Alice: 1 PP"),
    "pp spend": Case(
        "alice: /pp spend why:luck",
        "Alice: 0 PP",
        refused="bob: /pp spend who:Alice",
        because="Only alice or the GM",
        bad="alice: /pp spend number:5",
        hint="That costs 5",
    ),
    "redo": Case(
        "gm: /redo",
        "Redone: Doom pool",
        before=("gm: /doom clear", "gm: /undo"),
        bad="gm: /redo",
        hint="redo",
    ),
    "reroll": Case(
        "alice: /reroll dice:d6",
        "Alice: 0 PP",
        before=("gm: /campaign set setting:reroll for 1 PP value:on", "alice: /roll dice:d6 d8"),
        refused="bob: /reroll",
        because="no open roll",
        bad="alice: /reroll dice:d12",
        hint='no "d12"',
    ),
    "roll": Case(
        "alice: /roll dice:2d6 d8 vs:11",
        "vs 11",
        refused="bob: /roll dice:d6 who:Alice",
        because="Only alice or the GM",
        bad="alice: /roll dice:2d7",
        hint="isn't a die",
    ),
    "scene end": Case(
        "gm: /scene end",
        "Scene The docks ends",
        refused="bob: /scene end",
        bad="gm: /scene end",
        hint="No scene is",
    ),
    "scene join": Case(
        "gm: /scene join",
        "The group is together again: Alice and Bob",
        before=("gm: /doom add dice:d10", "gm: /doom spend dice:d10 for:split on:Alice"),
        refused="bob: /scene join",
        bad="gm: /scene join who:Zoe",
        hint="no character called",
    ),
    "scene show": Case("bob: /scene show", "The docks: Fog d8"),
    "say": Case(
        "alice: /say text:Over here",
        "Said as Alice",
        refused="alice: /say text:Grr as:Bob",
        because="Only the player of Bob",
        bad="alice: /say text:Grr as:Nobody",
        hint="no character called",
    ),
    "scene start": Case(
        "gm: /scene start name:The roof distinctions:Windy, Dark d10 day:Third day of frost",
        "Day: Third day of frost",
        refused="bob: /scene start",
        bad="gm: /scene start name:\u200b",
        hint="is empty",
    ),
    "session end": Case(
        "gm: /session end",
        "Session 1 ends",
        refused="bob: /session end",
        bad="gm: /session end",
        hint="No session is",
    ),
    "session title": Case(
        "gm: /session title title:The fall",
        "Session 1 is now called The fall",
        refused="bob: /session title title:Mine",
        bad="gm: /session title title:\u202e",
        hint="title is empty",
    ),
    "chronicle": Case("bob: /chronicle", "Here's the chronicle as a file"),
    "stats": Case(
        "bob: /stats who:all session:1",
        "No dice were rolled",
        bad="bob: /stats who:Nobody",
        hint='no character called "Nobody"',
    ),
    "note": Case(
        "bob: /note text:The map lies",
        "Note: The map lies",
        refused="carol: /note text:The map lies",
        because="/character new name:Nova",
        bad="bob: /note done:Who sent the wolves?",
        hint="no open note called",
    ),
    "session plan": Case(
        "gm: /session plan when:sat 19:30 zone:Europe/Berlin",
        "No answer yet: Alice and Bob",
        refused="bob: /session plan when:sat 19:30",
        bad="gm: /session plan when:in 5 hours, soon",
        hint="isn't a time",
    ),
    "table waiting": Case("bob: /table waiting", "Nobody needs to do anything right now"),
    "quiet": Case(
        "bob: /quiet from:22:00 to:8:00 zone:Europe/Berlin",
        "Quiet from 22:00 to 8:00 (Europe/Berlin)",
        bad="bob: /quiet by:morning",
        hint="The morning message comes when your quiet hours end",
    ),
    "away": Case(
        "bob: /away until:sat 19:30 zone:Europe/Berlin",
        "Away until",
        bad="bob: /away until:sat 19:30",
        hint="Name your time zone once",
    ),
    "session recap": Case(
        "bob: /session recap session:1",
        "The docks.",
        bad="bob: /session recap session:9",
        hint="There's no record of session 9",
    ),
    "session start": Case(
        "gm: /session start",
        "Session 2 begins",
        answer="End it and start session 2",
        refused="bob: /session start",
    ),
    "setup": Case("gm: /setup", "all 7 permissions it"),
    "stress add": Case(
        "alice: /stress add what:Mental",
        "Alice · Mental stress d6",
        refused="bob: /stress add what:Mental who:Alice",
        because="Only alice or the GM",
        bad="alice: /stress add what:Social",
        hint='no stress track called "Social"',
    ),
    "stress clear": Case(
        "alice: /stress clear",
        "Alice · Mental stress is gone",
        before=("alice: /stress add what:Mental",),
        refused="bob: /stress clear who:Alice",
        because="Only alice or the GM",
        bad="alice: /stress clear",
        hint="has no stress",
    ),
    "stress recover": Case(
        "alice: /stress recover what:Mental dice:2d8",
        "To recover: Alice · Mental stress d6",
        before=("alice: /stress add what:Mental",),
        bad="alice: /stress recover what:Mental dice:0d6",
        hint="1 to 30 dice",
    ),
    "stress remove": Case(
        "alice: /stress remove what:Mental",
        "Alice · Mental stress is gone",
        before=("alice: /stress add what:Mental",),
        refused="bob: /stress remove what:Mental",
        because="Only alice or the GM",
        bad="alice: /stress remove what:Mental",
        hint="no stress",
    ),
    "stress show": Case("bob: /stress show", "stress"),
    "stress stepdown": Case(
        "alice: /stress stepdown what:Mental",
        "Alice · Mental stress d4",
        before=("alice: /stress add what:Mental",),
        bad="alice: /stress stepdown what:Physical",
        hint="no stress",
    ),
    "stress stepup": Case(
        "alice: /stress stepup what:Mental",
        "Alice · Mental stress d8",
        before=("alice: /stress add what:Mental",),
        bad="alice: /stress stepup what:Physical",
        hint="no stress",
    ),
    "safety line": Case(
        "bob: /safety line what:Spiders",
        "New line: Spiders",
        bad="bob: /safety line what:Spiders",
        hint="is already a line",
    ),
    "safety open-door": Case(
        "bob: /safety open-door", "The channel has been told", bad="bob: /safety open-door", hint="30 seconds"
    ),
    "safety remove": Case(
        "gm: /safety remove what:Spiders",
        "Line removed: Spiders",
        before=("bob: /safety line what:Spiders",),
        refused="bob: /safety remove what:Spiders",
        bad="gm: /safety remove what:Spiders",
        hint="no line or veil",
    ),
    "safety show": Case("bob: /safety show", "A line never comes up in play"),
    "safety veil": Case(
        "bob: /safety veil what:Gore",
        "New veil: Gore",
        bad="bob: /safety veil what:Gore",
        hint="is already a veil",
    ),
    "safety x-card": Case(
        "bob: /safety x-card", "The channel has been told", bad="bob: /safety x-card", hint="30 seconds"
    ),
    "table pin": Case("bob: /table pin", "is pinned"),
    "table show": Case("bob: /table show", "Alice: 1 PP"),
    "table unpin": Case(
        "gm: /table unpin",
        "no longer pinned",
        before=("gm: /table pin",),
        bad="gm: /table unpin",
        hint="No table is pinned",
    ),
    "turn end": Case(
        "gm: /turn end",
        "Turn order ends",
        before=TURN,
        refused="bob: /turn end",
        bad="gm: /turn end",
        hint="There's no turn order",
    ),
    "turn next": Case(
        "alice: /turn next who:Bob",
        "It's Bob's turn (round 1)",
        before=TURN,
        refused="bob: /turn next who:Bob",
        because="Only the GM or Alice",
        bad="alice: /turn next who:Alice",
        hint="Still to go this round: Bob",
    ),
    "turn show": Case("bob: /turn show", "Turn: Alice, then Bob", before=TURN),
    "turn skip": Case(
        "gm: /turn skip who:Bob",
        "Bob is skipped",
        before=TURN,
        refused="bob: /turn skip who:Bob",
        bad="gm: /turn skip who:Nobody",
        hint='no character called "Nobody"',
    ),
    "turn start": Case(
        "gm: /turn start who:Alice",
        "It's Alice's turn (round 1)",
        refused="bob: /turn start",
        bad="gm: /turn start who:Nobody",
        hint='no character called "Nobody"',
    ),
    "undo": Case(
        "gm: /undo",
        "Undone:",
        refused="carol: /undo",
        because="yours",
        bad="gm: /undo step:9999",
        hint="9999",
    ),
    "whisper": Case(
        "bob: /whisper to:@alice text:The door is a trap",
        "alice can open this, for the next 30 days",
        bad="bob: /whisper to:@bob text:Psst",
        hint="Whisper to someone else",
    ),
}
"""Every command by its name."""


def rounds() -> dict[str, list[str]]:
    """Commands that are tried at one table: those of a group, unless they change what the channel plays."""
    of_group: dict[str, list[str]] = {}
    for name in CASES:
        group = name.split()[0]
        of_group.setdefault(name if group == "campaign" else group, []).append(name)
    return of_group


MENUS = {"Undo this", "Import table", "Roll this", "Keep for the chronicle", "Give 1 PP"}
"""The commands for messages and people."""


async def prepare(game: Game) -> None:
    """Things of the scene, which only the GM may touch."""
    await game.play(
        "gm: /asset add what:Crate who:scene",
        "gm: /comp add what:Rain who:scene",
        "gm: /dist add what:Fog who:scene",
    )


async def prepared(game: Game) -> None:
    """A table with things of the scene."""
    await game.table()
    await prepare(game)


async def test_no_command_is_forgotten(game: Game) -> None:
    registered = {name for command in game.discord.commands for name in names(command)}
    assert registered == {*CASES, *MENUS}


def names(command: dict[str, object]) -> list[str]:
    """A command's full names, subcommands apart."""
    options = command.get("options") or []
    assert isinstance(options, list)
    subs = [option["name"] for option in options if option["type"] == 1]
    return [f"{command['name']} {sub}" for sub in subs] or [str(command["name"])]


async def lay(table: Game, case: Case) -> None:
    """The lines before a command; `gm presses Delete` presses on what was answered to the line before."""
    reply: BotReply | None = None
    for line in case.before:
        who, presses, label = line.partition(" presses ")
        if presses:
            assert reply is not None
            await table.person(who).press(reply, label)
        else:
            reply = await table.says(line)


@pytest.mark.begins(at=prepared)
@pytest.mark.parametrize("names", rounds().values(), ids=rounds())
async def test_the_command_refuses_and_works(
    table: Game, subtests: pytest.Subtests, names: Sequence[str]
) -> None:
    _, start = await seen(table)
    for name in names:
        if name != names[0]:
            await put_back(table, start)
        with subtests.test(name):
            await refuses_and_works(table, name)


async def refuses_and_works(table: Game, name: str) -> None:
    case = CASES[name]
    if case.bad_before:
        await is_refused_alone(table, case.bad, case.hint)
    await lay(table, case)
    if case.refused:
        await is_refused_alone(table, case.refused, case.because)
    is_bad_again = not case.bad_before and case.bad.split(" vs:")[0] == case.says.split(" vs:")[0]
    if case.bad and not case.bad_before and not is_bad_again:
        await is_refused_alone(table, case.bad, case.hint)
    reply = await table.says(case.says)
    if case.answer:
        reply = await reply.by.press(reply, case.answer)
    assert reply.failed is None
    assert case.hears in reply.text
    assert reply.form or reply.private == is_private(table, name), "one would wait for it in public, or alone"
    if is_bad_again:
        await is_refused_alone(table, case.bad, case.hint)


async def is_refused_alone(table: Game, line: str, because: str) -> None:
    """The line is refused to whoever said it alone, for that reason, and nothing changes."""
    before = await state(table)
    reply = await table.says(line)
    assert reply.failed is None
    assert reply.private
    assert because in reply.text
    assert await state(table) == before


async def test_the_commands_for_messages_and_people_are_waited_for_where_they_answer(table: Game) -> None:
    given = await table.play("gm: /pp give who:Alice")
    export = await table.says("gm: /campaign export")
    for name, reply in {
        "Undo this": await table.gm.menu_command("Undo this", given),
        "Give 1 PP": await table.gm.menu_command("Give 1 PP", user=table.alice),
        "Import table": await table.gm.menu_command("Import table", export),
        "Roll this": await table.alice.menu_command("Roll this", await table.bob.write("I jump (2d6)")),
        "Keep for the chronicle": await table.alice.menu_command(
            "Keep for the chronicle", await table.bob.write("The map lies")
        ),
    }.items():
        assert reply.private == is_private(table, name), (name, reply.text)


def is_private(table: Game, name: str) -> bool:
    """Whether a command, by its full name, answers its caller alone."""
    (command,) = (each for each in everything(table) if each.qualified_name == name)
    return reach(command).is_alone


def everything(table: Game) -> list[Marked]:
    """All commands, subcommands apart."""
    tree = table.bot.tree
    kinds = (AppCommandType.message, AppCommandType.user)
    found = [*tree.walk_commands(), *(menu for kind in kinds for menu in tree.get_commands(type=kind))]
    return [each for each in found if not isinstance(each, app_commands.Group)]


async def test_each_command_says_which_of_its_options_hide_and_share(table: Game) -> None:
    for each in everything(table):
        options = {one.name for one in getattr(each, "parameters", ())}
        assert {reach(each).hides, reach(each).shares} - {""} <= options, each.qualified_name
    hides = {each.qualified_name for each in everything(table) if reach(each).hides}
    shares = {each.qualified_name for each in everything(table) if reach(each).shares}
    assert (hides, shares) == ({"roll", "note", "gmc new"}, {"chronicle"})


async def test_what_is_the_gms_says_so_and_is_refused_to_others(table: Game) -> None:
    for each in everything(table):
        name = each.qualified_name
        if isinstance(each, app_commands.Command):
            assert reach(each).is_gms == each.description.endswith(" (GM)"), name
        if reach(each).is_gms:
            assert CASES[name].refused.startswith(("alice:", "bob:")), name


async def state(game: Game) -> object:
    """The newest table of the channel, whatever its number."""
    from bot.store.history import Place

    entry = await game.ledger.look(Place(game.discord.table.id, game.discord.world.home.id))
    return entry and entry.table
