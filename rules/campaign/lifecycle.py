"""The life of a campaign: create, rename, change settings, archive, wake, delete and restore."""

from collections.abc import Callable, Collection, Mapping
from functools import cache
from operator import attrgetter

from msgspec import field

from rules import custom_terms
from rules.campaign.characters import free_name
from rules.campaign.seats import Actor, newcomer, require_gm
from rules.campaign.zones import answered, zone_named
from rules.errors import NotAllowed, PossibleAnswer, SettingOff, Undecided, Unreadable
from rules.facts import Fate, Moved, SeatChange, Seated, SettingChanged
from rules.game import Game, Step, played, played_at
from rules.names import clean, find, fold, key, shortened, without_mention
from rules.settings import About, Read, Setting, SettingInput, SettingSubject, placed
from rules.table import LONGEST_DEADLINE, Character, Dice, Pace, PlannedScene, Settings, Table
from rules.text import Row, Words, later, shorten
from rules.values import Value, replace

RULESET, NAME, TIME_ZONE = "ruleset", "name", "time zone"
"""Settings that are told apart from the others: by what rules a table plays, what it is called, and in which
zone it plays."""


_CHANGE = Words("change settings")


_TURN_ON = "turn on "


ZONES = ("Europe/London", "Europe/Berlin", "America/New_York")
"""Time zones that are suggested first."""


def settings(table: Table | None = None) -> Mapping[str, Setting]:
    """Return every setting by its visible name: the ruleset, those of the games, then the shared ones.

    With a table, only those of the games that it plays.
    """
    if table is None or table.game:
        return _settings_of(played() if table is None else played_at(table))
    # Settings of a game that excludes others can be changed only at its own tables.
    return _settings_of(tuple(game for game in played() if not game.is_alone))


@cache
def _settings_of(games: tuple[Game, ...]) -> Mapping[str, Setting]:
    known = (*rulesets(),)
    ruleset = {RULESET: replace(_RULESET, values=known)} if known else {}
    return {**ruleset, **{name: each for game in games for name, each in game.settings.items()}, **SETTINGS}


def rulesets() -> Mapping[str, str]:
    """Return all rulesets, each with a few words about it."""
    return {name: about for game in played() for name, about in game.rulesets.items()}


def names(table: Table | None = None) -> tuple[str, ...]:
    """Return everything that `/campaign set` can change; with a table, what it can change there."""
    known = settings(table)
    first = [name for name in (RULESET, NAME) if name in known]
    return (*first, *(name for name in known if name not in first))


def _read_ruleset(typed: str) -> str:
    return find(typed, rulesets(), Words("ruleset"))


def _ruleset_of(table: Table) -> str:
    return next(game for game in played_at(table) if game.rulesets).ruleset(table)


def _game_of(ruleset: str) -> Game:
    name = _read_ruleset(ruleset)
    return next(game for game in played() if name in game.rulesets)


def _with_ruleset(table: Table, name: str) -> Table:
    game = _game_of(name)
    return game.with_ruleset(replace(table, game=game.part.name if game.is_alone else ""), name)


def found(table: Table, actor: Actor, name: str, ruleset: str = "", is_open: bool = False) -> Step:
    """Create a campaign; its founder is the GM, unless it is open to all.

    Raises Unreadable if it has no usable name.
    """
    del table
    if not name:
        raise Unreadable("That sheet has no title, so fill in the option name, too.")
    label = without_mention(clean(name, Words("campaign name")))
    gms = {} if is_open else {actor.id: actor.name}
    fresh = Table(name=label, gms=gms)
    facts = [SettingChanged("campaign", label)]
    if RULESET in settings():
        held = settings()[RULESET]
        wanted = held.read(ruleset) if ruleset else held.of(fresh)
        fresh = held.put(fresh, wanted)
        facts.append(SettingChanged(RULESET, setting_value(fresh, RULESET)))
    who = () if is_open else (Seated(actor.name, SeatChange.GM, by=actor.name),)
    return Step(fresh, (*facts, *who))


def begun_with(table: Table, actor: Actor, changes: Mapping[str, str]) -> Step:
    """Return a new table with these settings, by their full names, without asking about consequences."""
    known = settings()
    values = {name: known[name].read(typed) for name, typed in changes.items()}
    return _with_values(table, actor, values, is_new=True)


def change(table: Table, actor: Actor, setting: str, value: str) -> Step:
    """Change one setting, the whole ruleset, or the name; open rolls keep their settings.

    Raises NotAllowed if the actor isn't GM or nothing would change; Unknown or Ambiguous for the name.
    """
    step = _with_value(table, actor, setting, value)
    if not step.facts:
        name, _ = setting_meant(setting, table=table)
        raise NotAllowed(
            "The setting {name} is already {shown}.", name=name, shown=setting_value(table, name)
        )
    return step


def _with_value(table: Table, actor: Actor, setting: str, value: str) -> Step:
    require_gm(table, actor, _CHANGE)
    name, read = setting_meant(setting, table=table)
    return _with_values(table, actor, {name: read(answered(value, actor.agreed))})


def agreement(off: SettingOff) -> str:
    """Return the sign of the answer by which a GM agrees to change a setting."""
    return f"{_TURN_ON}{off.setting}: {off.value}"


def with_agreed(table: Table, actor: Actor, rule: Callable[[Table, Actor], Step]) -> Step:
    """Apply a rule after the setting changes that the actor agreed to; both are one step."""
    step = Step(table, ())
    for sign in actor.agreed:
        setting, parting, value = sign.removeprefix(_TURN_ON).partition(": ")
        if sign.startswith(_TURN_ON) and parting:
            step = step.then(_with_value(step.table, actor, setting, value))
    return step.then(rule(step.table, actor))


def setting_meant(typed: str, *more: str, table: Table) -> tuple[str, Read]:
    """Return the name of a typed setting of a table, which may be a former one, and its values' parser.

    `more` are further names that are accepted. Raises Unknown or Ambiguous.
    """
    word = fold(typed)
    known = settings(table)
    for name, each in known.items():
        if word not in known and word in each.about.old_names:
            return name, each.about.old_names[word]
    name = find(typed, (*names(table), *more), Words("setting"))
    return name, known[name].read if name in known else str


def change_all(table: Table, actor: Actor, changes: Mapping[str, str]) -> Step:
    """Change several settings, by their full names, in one step; values that stay the same aren't reported.

    Raises NotAllowed if the actor isn't GM or nothing changes.
    """
    require_gm(table, actor, _CHANGE)
    known = settings()
    values = {name: known[name].read(answered(typed, actor.agreed)) for name, typed in changes.items()}
    step = _with_values(table, actor, values)
    if not step.facts:
        raise NotAllowed("Nothing changed: the settings already have those values.")
    return step


def reset(table: Table, actor: Actor, among: Collection[str]) -> Step:
    """Reset these settings to what the ruleset says.

    Raises NotAllowed if the actor isn't GM or all of them already match.
    """
    require_gm(table, actor, _CHANGE)
    by_ruleset, known = table_by_ruleset(table), settings()
    there = {name: known[name].of(by_ruleset) for name in differences(table) if name in among}
    step = _with_values(table, actor, there)
    if not step.facts:
        raise NotAllowed("Those settings already match the ruleset.")
    return step


def _with_values(table: Table, actor: Actor, values: Mapping[str, object], *, is_new: bool = False) -> Step:
    """The table with these values of settings, and a fact for each that was another; the ruleset is first."""
    step, known = Step(table, ()), settings()
    for name in (each for each in names() if each in values):
        before = step.table
        changed = known[name].put(before, values[name])
        if changed == before:
            continue
        if not is_new:
            _require_agreed(before, changed, name, actor.agreed)
        fact = SettingChanged(
            name, setting_value(changed, name), "" if is_new else setting_value(before, name)
        )
        step = step.then(Step(changed, (fact,)))
        for game in played_at(changed):
            step = step.then(game.setting_changed(changed, name))
    return step


def _require_agreed(before: Table, changed: Table, name: str, agreed: Collection[str]) -> None:
    """Raise Undecided if a changed setting would take things out of play, unless that is agreed to."""
    if name == NAME:
        return
    if before.game != changed.game:
        _require_game_agreed(before, changed, agreed)
    for game in played_at(before):
        game.require_agreed(before, changed, name, agreed)


def _require_game_agreed(before: Table, changed: Table, agreed: Collection[str]) -> None:
    """Ask before a table plays another game than the one for which its characters have sheets."""
    now_played = () if before.game else played_at(changed)  # elsewhere it is only a guest
    left = [game.sheets for game in played_at(before) if game.sheets and game not in now_played]
    people = [each.name for each in before.characters.values() if any(of.labels(each) for of in left)]
    now, then = setting_value(before, RULESET), setting_value(changed, RULESET)
    sign = f"set {RULESET} {then} without {Row(people)}"
    if people and sign not in agreed:
        raise Undecided(
            "{then} is another game. What {people} had is set aside until the ruleset is {now} again.",
            PossibleAnswer(Words("Set {name}", name=RULESET), sign),
            now=now,
            then=then,
            people=Row(shortened(people)),
        )


def archive(table: Table, actor: Actor) -> Step:
    """Archive the table; nothing is lost, and `/campaign join` wakes it.

    Raises NotAllowed if the actor isn't GM or there is no table.
    """
    require_gm(table, actor, Words("archive the campaign"))
    if not (table.number or table.gms or table.characters):
        raise NotAllowed("There's no table in this channel yet. Example: /campaign new name:Skyfall")
    return Step(replace(table, archived=True), (Moved(table.name, Fate.ARCHIVED),))


def wake(table: Table, actor: Actor) -> Step:
    """Play the campaign in this channel from now on; an archived one wakes."""
    require_gm(table, actor, Words("bring this campaign to a channel"))
    return Step(replace(table, archived=False), (Moved(table.name, Fate.HERE),))


def delete(table: Table, actor: Actor, *, is_private: bool = False) -> Step:
    """Delete the campaign; one without a GM belongs to its server, unless it is in private messages.

    Raises NotAllowed if the actor may not.
    """
    if table.is_open and not (actor.manages or is_private):
        raise NotAllowed(
            "This table has no {gm.one}, so only members with Manage Server can delete it. Anyone can "
            "archive it: /campaign archive"
        )
    require_gm(table, actor, Words("delete the campaign"))
    return Step(table, (Moved(table.name, Fate.DELETED),))


def restore(table: Table, actor: Actor) -> Step:
    """Restore a deleted campaign, and play it in this channel."""
    return Step(table, (Moved(table.name, Fate.RESTORED),))


def leave(table: Table, actor: Actor) -> Step:
    """Detach the campaign from this channel."""
    require_gm(table, actor, Words("take this channel out of the campaign"))
    return Step(table, (Moved(table.name, Fate.LEFT),))


def setting_value(table: Table, name: str) -> str:
    """Return a setting's value as people type it."""
    held = settings()[name]
    return held.write(held.of(table))


def values(name: str) -> tuple[str, ...]:
    """Return suggested values of a setting."""
    held = settings().get(name)
    return held.values if held else ()


def differences(table: Table) -> list[str]:
    """Return the names of settings that differ from the ruleset's profile."""
    by_ruleset = table_by_ruleset(table)
    return [
        name
        for name in names(table)
        if name != NAME and setting_value(table, name) != setting_value(by_ruleset, name)
    ]


def table_by_ruleset(table: Table) -> Table:
    """Return a blank table with the settings of a table's ruleset, without changes made by hand."""
    blank = Table(game=table.game)
    for game in played_at(table):
        blank = game.usual(table, blank)
    return blank


def _hours(typed: str) -> int:
    """The hours of a deadline."""
    word = typed.strip().removesuffix("hours").removesuffix("h").strip()
    if not (word.isascii() and word.isdigit()) or len(word) > 3 or not 1 <= int(word) <= LONGEST_DEADLINE:
        raise Unreadable(
            "{typed} isn't a number of hours. Type 1 to {most}.",
            typed=shorten(typed),
            most=LONGEST_DEADLINE,
        )
    return int(word)


def _zone(typed: str) -> str:
    return "" if fold(typed) in ("off", "none", "not named") else zone_named(typed)


def _zone_written(value: object) -> str:
    return str(value) or "not named"


def _named(typed: str) -> str:
    return clean(typed, Words("campaign name"))


def _with_name(table: Table, name: str) -> Table:
    return replace(table, name=name)


def _name_of(table: Table) -> str:
    return table.name


def _settings(table: Table) -> Settings:
    return table.settings


def _with_settings(table: Table, settings: Settings) -> Table:
    return replace(table, settings=settings)


def _shared(field: str, kind: type, about: About) -> Setting:
    """A setting that bends no rule."""
    return placed(about, field, kind, _settings, _with_settings)


_SHARED = (
    Setting(
        About(NAME, later("the table's name"), SettingSubject.LOOKS), "name", _named, _name_of, _with_name
    ),
    _shared("dice", Dice, About("dice", later("rolled dice: pictures or words"), SettingSubject.LOOKS)),
    _shared(
        "pace",
        Pace,
        About("pace", later("live, or post: everyone plays when they have time"), SettingSubject.TIME),
    ),
    _shared(
        "deadline",
        int,
        About(
            "deadline",
            later("by post: hours before something is overdue"),
            SettingSubject.TIME,
            values=("24", "48", "72", "168"),
            read=_hours,
        ),
    ),
    _shared(
        "zone",
        str,
        About(
            TIME_ZONE,
            later("the zone for dates that you type"),
            SettingSubject.TIME,
            values=ZONES,
            read=_zone,
            write=_zone_written,
        ),
    ),
    Setting(
        About("words", later("your words for the game's terms"), SettingSubject.LOOKS),
        "words",
        custom_terms.read_terms,
        attrgetter("settings.words"),
        custom_terms.with_words,
        custom_terms.EXAMPLES,
        write=custom_terms.write_terms,
    ),
)


_RULESET = Setting(
    About(
        RULESET,
        later("the rules to play by: prime, heroic, one-roll and more"),
        SettingSubject.ROLLING,
    ),
    "game",
    _read_ruleset,
    _ruleset_of,
    _with_ruleset,
    takes=SettingInput.CHOICE,
)
"""The ruleset; choosing one also chooses its game."""


SETTINGS: Mapping[str, Setting] = {each.about.name: each for each in _SHARED}
"""The settings of any table."""


class Story(Value):
    """A ready-made campaign that others can play."""

    kind: str
    """What kind of story it is, by which it is chosen: `Ghost story`."""
    title: str
    """What a campaign is called that has no other name."""
    told: str
    """What it is about, in a sentence."""
    opening: str
    """What the GM reads aloud when the campaign begins."""
    scenes: tuple[PlannedScene, ...] = ()
    """Its scenes, in order."""
    ruleset: str = ""
    """What it plays by; nothing where its game has no rulesets."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """What is otherwise than in the ruleset, as people type it, by the settings' names."""
    characters: Mapping[str, str] = field(default_factory=dict)
    """Sheets as people type them, by the names of those whose they are."""


def found_campaign(
    table: Table, actor: Actor, name: str, story: Story | None, ruleset: str = "", is_open: bool = False
) -> Step:
    """Create a campaign, optionally from a story; its settings override those of the named ruleset.

    Raises NotAllowed for a ruleset of another game than the story's.
    """
    if story is None:
        return found(table, actor, name, ruleset, is_open)
    if ruleset and story.ruleset and _game_of(ruleset) is not _game_of(story.ruleset):
        raise NotAllowed(
            "{story} plays by {ruleset}, which is another game. Leave the ruleset out.",
            story=story.kind,
            ruleset=story.ruleset,
        )
    step = found(table, actor, name or story.title, ruleset or story.ruleset, is_open)
    step = step.then(begun_with(step.table, actor, story.settings))
    step = replace(step, table=replace(step.table, planned=story.scenes))
    for who, sheet in story.characters.items():
        step = step.then(_with_character(step.table, who, sheet))
    return step


def _with_character(table: Table, name: str, sheet: str) -> Step:
    """Somebody whom nobody plays yet, with their sheet."""
    label = free_name(table, name)
    made = newcomer(table, Character(label, untaken=True))
    for game in played_at(table):
        made = game.with_typed(table, made, sheet)
    return Step(table.with_owner(key(label), made), (Seated(label, SeatChange.NEW),))
