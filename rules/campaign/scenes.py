"""Start and end scenes, acts and sessions."""

from collections.abc import Collection, Mapping

from rules.campaign.rolls import rolls_on, without_rolls
from rules.campaign.seats import Actor, require_gm
from rules.errors import NotAllowed, PossibleAnswer, Undecided
from rules.facts import Began, Ended, Stretch
from rules.game import Game, Step, given, saying
from rules.names import clean, fold, without_mention
from rules.table import PlannedScene, Table
from rules.text import ChannelMention, Words
from rules.values import replace

LONGEST_DAY = 60


def start_scene(
    table: Table,
    actor: Actor,
    name: str | None = None,
    day: str | None = None,
    has_thread: bool = False,
    **options: str | None,
) -> Step:
    """Start a scene, ending the current one first; games read further `options`.

    The day of the story stays that of the scene before, unless another is named. A planned scene of a
    ready-made story begins with its own distinctions, unless others are typed. Raises NotAllowed for an
    option that no game of the table uses; Undecided without a name while scenes are planned, while another
    scene runs elsewhere, and while a roll waits for the GM's ruling.
    """
    require_gm(table, actor, Words("start {scene.a}"))
    typed: Mapping[str, str] = given(table, "scene start", options)
    _require_scene_here(table, actor)
    name = name or _next_planned(table, actor)
    ended = (scene_ended if table.is_scene else _close_rolls)(table, actor.agreed)
    number = table.scenes + 1
    label = without_mention(clean(name, Words("{scene.one} name"))) if name else f"Scene {number}"
    now = clean(day, Words("day"), LONGEST_DAY) if day and day.strip() else table.day
    plan = _find_planned(table, label) if table.planned else None
    bare = without_rolls(ended.table)
    told = ""
    if plan is not None:
        label = plan.name
        told, left = plan.told, tuple(each for each in table.planned if each != plan)
        bare = replace(bare, planned=left)
        typed = {"distinctions": plan.distinctions, **typed}
    place = 0 if has_thread else actor.place
    table = replace(bare, scene=label, scenes=number, is_scene=True, scene_place=place, day=now)
    step = Step(table, (*ended.facts, Began(Stretch.SCENE, number, label, now, told=told)))
    for game in saying(Game.scene_begun, table.game):
        step = step.then(game.scene_begun(step.table, typed, actor.agreed))
    return step


def _require_scene_here(table: Table, actor: Actor) -> None:
    is_here = not (table.scene_place and actor.place) or table.scene_place == actor.place
    sign = f"scene {table.scenes} elsewhere"
    if table.is_scene and not is_here and sign not in actor.agreed:
        raise Undecided(
            "{running} is still running in {place}.",
            PossibleAnswer(Words("End it and start the next one here"), sign),
            running=table.scene,
            place=ChannelMention(table.scene_place),
        )


def _next_planned(table: Table, actor: Actor) -> str | None:
    """Return the name of the next planned scene if the actor chose it, or None for a scene without a name."""
    if not table.planned:
        return None
    planned = table.planned[0].name
    signs = f"scene {table.scenes} as planned", f"scene {table.scenes} without a name"
    if signs[1] in actor.agreed:
        return None
    if signs[0] in actor.agreed:
        return planned
    raise Undecided(
        "The story's next {scene.one} is “{planned}”.",
        PossibleAnswer(Words("Start “{planned}”", planned=planned), signs[0]),
        PossibleAnswer(Words("Start another {scene.one}"), signs[1]),
        planned=planned,
    )


def _find_planned(table: Table, name: str) -> PlannedScene | None:
    return next((each for each in table.planned if fold(each.name) == fold(name)), None)


def end_scene(table: Table, actor: Actor) -> Step:
    """End the scene (GM). Raises NotAllowed if none is running; Undecided while a roll waits for a ruling."""
    require_gm(table, actor, Words("end {scene.a}"))
    if not table.is_scene:
        raise NotAllowed("No {scene.one} is running. Example: /scene start name:The docks")
    return scene_ended(table, actor.agreed)


def scene_ended(table: Table, agreed: Collection[str] = ()) -> Step:
    """Return the consequences of a scene's end: open rolls close, and each game clears what lasts a scene.

    Raises Undecided while a roll waits for a ruling that isn't among what the GM has `agreed` to.
    """
    closed = tuple(dict.fromkeys(roll.who for roll in rolls_on(table).values()))
    step = _close_rolls(table, agreed)
    over = replace(without_rolls(step.table), is_scene=False)
    step = step.then(Step(over, (Ended(Stretch.SCENE, table.scenes, table.scene, closed),)))
    for game in saying(Game.scene_ended, table.game):
        step = step.then(game.scene_ended(table, step.table))
    return step


def _close_rolls(table: Table, agreed: Collection[str]) -> Step:
    """Do what is still due on open rolls, before a scene's end or the next one's start takes them away."""
    step = Step(table, ())
    for game in saying(Game.scene_ending, table.game):
        step = step.then(game.scene_ending(step.table, agreed))
    return step


def start_act(table: Table, actor: Actor, /, **options: str | None) -> Step:
    """Start an act, ending the current one first; games read further `options`.

    Raises NotAllowed for an option that no game of the table uses.
    """
    require_gm(table, actor, Words("start {act.a}"))
    typed = given(table, "act start", options)
    ended = act_ended(table) if table.is_act else Step(table, ())
    return ended.then(act_started(ended.table, **typed))


def act_started(table: Table, /, **typed: str | None) -> Step:
    """Return the step of an act that begins."""
    number = table.act + 1
    step = Step(replace(table, act=number, is_act=True), (Began(Stretch.ACT, number),))
    for game in saying(Game.act_begun, table.game):
        step = step.then(game.act_begun(step.table, typed))
    return step


def end_act(table: Table, actor: Actor, /, **options: str | None) -> Step:
    """End the act (GM); games read further `options`.

    Raises NotAllowed if none is running, or for an option that no game of the table uses.
    """
    require_gm(table, actor, Words("end {act.a}"))
    if not table.is_act:
        raise NotAllowed("No {act.one} is running. Example: /act start")
    return act_ended(table, **given(table, "act end", options))


def act_ended(table: Table, /, **typed: str | None) -> Step:
    """Return the consequences of an act's end, including what lasts only for an act."""
    step = Step(replace(table, is_act=False), (Ended(Stretch.ACT, table.act),))
    for game in saying(Game.act_ended, table.game):
        step = step.then(game.act_ended(step.table, typed))
    return step


def start_session(table: Table, actor: Actor) -> Step:
    """Start a session. Raises Undecided if one is running, since that would end first."""
    require_gm(table, actor, Words("start {session.a}"))
    number = table.session + 1
    if table.is_session and (sign := f"session {number}") not in actor.agreed:
        raise Undecided(
            "{session.One} {running} is still running.",
            PossibleAnswer(Words("End it and start {session.one} {number}", number=number), sign),
            running=table.session,
        )
    step = session_ended(table) if table.is_session else Step(table, ())
    begun = replace(step.table, session=number, is_session=True)
    step = step.then(Step(begun, (Began(Stretch.SESSION, number),)))
    for game in saying(Game.session_begun, table.game):
        step = step.then(game.session_begun(step.table))
    return step


def end_session(table: Table, actor: Actor) -> Step:
    """End the session (GM); the scene stays open. Raises NotAllowed if none is running."""
    require_gm(table, actor, Words("end {session.a}"))
    if not table.is_session:
        raise NotAllowed("No {session.one} is running. Example: /session start")
    return session_ended(table)


def session_ended(table: Table) -> Step:
    """Return the consequences of a session's end, including what lasts only for a session."""
    step = Step(replace(table, is_session=False), (Ended(Stretch.SESSION, table.session),))
    for game in saying(Game.session_ended, table.game):
        step = step.then(game.session_ended(step.table))
    return step


def ended_scenes(table: Table) -> int:
    """Return how many scenes have ended: an offer made in a scene is open until this changes (H4)."""
    return table.scenes - table.is_scene
