"""The flows that are to stay short, played by somebody who counts taps."""

from collections.abc import Iterator, Mapping

import pytest

from bot.loopback.forms import FieldKind, OpenForm
from bot.loopback.model import Message
from bot.loopback.opening import stories
from bot.loopback.people import Person
from bot.loopback.reply import BotReply
from tests.bot.test_buttons import is_refused
from tests.game import Game


class Taps:
    """Somebody who counts taps as the command surface does.

    A tap: message box, command, option, suggestion, send, button, menu, row, submit; no keys. The required
    options are there when the command is chosen, each further one is a tap to open. What is picked, from
    suggestions or from fixed choices, is a tap more. A long press is three: the press, `Apps`, the command.
    """

    def __init__(self, person: Person) -> None:
        self.person = person
        self.count = 0

    async def types(self, command: str, *further: str, picks: str = "") -> BotReply:
        """A command: box, command, send; a tap for each further option, and one for a suggestion picked."""
        self.count += 3 + len(further) + bool(picks)
        line = " ".join((command, *further))
        if picks:
            offered = [str(choice.value) for choice in await self.person.complete(line)]
            assert picks in offered, (line, offered)
            line += picks.removeprefix(line.rpartition(":")[2])
        return await self.person.slash(line)

    async def presses(self, on: BotReply | Message, label: str) -> BotReply:
        """A button."""
        self.count += 1
        return await self.person.press(on, label)

    async def chooses(self, on: BotReply, menu: str, option: str) -> BotReply:
        """A menu, and a row of it."""
        self.count += 2
        return await self.person.choose(on, menu, [option])

    async def sends(self, opened: BotReply, changes: Mapping[str, str] | None = None) -> BotReply:
        """A form: submit; a tap for each row chosen, two where it is in a menu; words are only keys."""
        assert opened.form is not None, opened.text
        self.count += 1 + sum(self._cost(opened.form, name) for name in changes or {})
        return await self.person.submit(opened.form, changes)

    async def holds(self, command: str, on: BotReply | None = None, user: Person | None = None) -> BotReply:
        """A long press on a message or a person, `Apps`, and the command."""
        self.count += 3
        return await self.person.menu_command(command, message=on, user=user)

    @staticmethod
    def _cost(form: OpenForm, name: str) -> int:
        kind = form.field(name).kind
        return {FieldKind.TEXT: 0, FieldKind.RADIO: 1}.get(kind, 2)


@pytest.fixture
def alice(table: Game, request: pytest.FixtureRequest) -> Iterator[Taps]:
    """Alice, counting."""
    yield (taps := Taps(table.alice))
    request.node.user_properties.append(("taps", taps.count))  # which `python -m tests.looks` prints


@pytest.fixture
def gm(table: Game, request: pytest.FixtureRequest) -> Iterator[Taps]:
    """The GM, counting."""
    yield (taps := Taps(table.gm))
    request.node.user_properties.append(("taps", taps.count))


@pytest.fixture
def newcomer(game: Game, request: pytest.FixtureRequest) -> Iterator[Taps]:
    """Somebody at an empty table, counting."""
    yield (taps := Taps(game.alice))
    request.node.user_properties.append(("taps", taps.count))


async def test_a_first_roll_with_a_ready_character_takes_6_and_no_keys(game: Game, newcomer: Taps) -> None:
    newcomer.count += 2  # `Start from a story` and the story
    story = next(
        each for each in await stories(game.alice, game.discord.table) if each.label == "Ghost story"
    )
    begun = await game.alice.slash(story.line)
    joined = await newcomer.chooses(begun, "Choose a character", "Edda Marrow")
    await game.rest()
    (card,) = joined.more
    rolled = await newcomer.presses(await newcomer.presses(card, "Roll"), "Roll")
    assert rolled.text.startswith("Edda Marrow: Total")
    assert newcomer.count <= 6


async def test_plain_dice_take_3(table: Game, alice: Taps) -> None:
    assert "Total" in (await alice.types("/roll dice:2d6 d8")).text
    assert alice.count <= 3


async def test_plain_dice_take_3_where_nothing_is_set_up(game: Game) -> None:
    alice = Taps(game.alice)
    assert "Total" in (await alice.types("/roll dice:2d6 d8")).text
    assert alice.count <= 3


@pytest.mark.parametrize(("typed", "picked"), [("do", "doom"), ("11", "11"), ("ha", "hard")])
async def test_a_named_pool_against_something_takes_5(
    table: Game, alice: Taps, typed: str, picked: str
) -> None:
    await table.play("alice: /dist add what:Pirate", "alice: /asset add what:Rope")
    reply = await alice.types("/roll dice:Pirate + Rope + d6", f"vs:{typed}", picks=picked)
    assert ", vs " in reply.text
    assert "Pirate d8" in reply.text
    assert alice.count <= 5


async def test_a_last_pool_picked_against_doom_takes_5(table: Game, alice: Taps) -> None:
    await table.play("alice: /roll dice:Wits d10 d8 d6")
    pools = await alice.person.complete("/roll dice:")
    alice.count += 1  # for the pool, picked from these
    reply = await alice.types(f"/roll dice:{pools[0].value}", "vs:doom")
    assert "Wits d10" in reply.text
    assert ", vs " in reply.text
    assert alice.count <= 5


async def test_rolling_against_with_the_same_pool_takes_2(table: Game, alice: Taps) -> None:
    await table.play("alice: /roll dice:Wits d10 d8 d6")
    opened = await alice.presses(await table.play("gm: /doom roll"), "Roll against")
    assert "Wits d10" in (await alice.sends(opened)).text
    assert alice.count <= 2


@pytest.mark.parametrize(("typed", "picked"), [("Fi", "Fire"), ("", "Fire")])
async def test_a_pool_against_a_crisis_takes_5(table: Game, alice: Taps, typed: str, picked: str) -> None:
    await table.play("gm: /crisis new name:Fire dice:d6 d8", "alice: /asset add what:Rope")
    reply = await alice.types("/roll dice:Mind d10, Rope, d6", f"vs:{typed}", picks=picked)
    assert "Crisis Fire: Total" in reply.text
    assert alice.count <= 5


@pytest.mark.parametrize(
    "shown",
    [
        ("gm: /crisis new name:Fire dice:d6 d8",),
        ("gm: /crisis new name:Fire dice:d6 d8", "alice: /crisis show"),
        ("gm: /gmc new name:Rex dice:Fangs d8, 4d10",),
        ("gm: /doom spend for:extra name:Thug",),
        ("gm: /challenge new name:Storm", "gm: /challenge first who:Alice"),
        ("gm: /crisis new name:Fire dice:d6 d8", "gm: /crisis roll"),
        ("bob: /contest start dice:2d6 against:Alice",),
    ],
)
async def test_rolling_against_a_foe_with_the_same_pool_takes_2(
    table: Game, alice: Taps, shown: tuple[str, ...]
) -> None:
    await table.play("alice: /roll dice:Wits d10 d8 d6")
    opened = await alice.presses(await table.play(*shown), "Roll against")
    reply = await alice.sends(opened)
    assert "Wits d10" in reply.text
    assert "vs " in reply.text
    assert alice.count <= 2


@pytest.mark.parametrize(
    ("foe", "faces", "hears", "taps"),
    [
        ("/crisis new name:Fire dice:2d8", ((4, 4, 3), (2, 3)), "Crisis Fire: d6 d8 (d8 stepped down)", 1),
        ("/crisis new name:Fire dice:d6 d8", ((4, 4, 3), (2, 3)), "Crisis Fire: 2d6 (d8 stepped down)", 2),
        ("/gmc new name:Rex dice:2d6 kind:boss", ((4, 4, 3), (2, 3)), "Rex: d6 (d6 knocked off)", 1),
        ("/gmc new name:Rex dice:2d8 kind:boss", ((4, 4, 3), (2, 3)), "Rex · Trouble d8", 1),
        ("/gmc new name:Rats dice:2d6 kind:mob", ((4, 4, 3), (2, 3)), "Rats: d6 (d6 removed)", 1),
    ],
)
async def test_an_effect_applied_to_what_was_rolled_against(
    table: Game, alice: Taps, foe: str, faces: tuple[tuple[int, ...], ...], hears: str, taps: int
) -> None:
    table.dice.show(*faces)
    name = foe.split("name:")[1].split()[0]
    await table.play(f"gm: {foe}")
    pressed = await alice.presses(await table.play(f"alice: /roll dice:2d6 d8 vs:{name}"), "Apply")
    done = await alice.sends(pressed) if pressed.form else pressed
    assert hears in done.text
    assert alice.count <= taps


@pytest.mark.parametrize(
    ("extra", "hears", "taps"),
    [("d8", "Challenge Storm: 2d8, round 1", 4), ("d6", "Challenge Storm: d6 d8, round 1", 5)],
)
async def test_a_turn_in_a_challenge_takes_4_or_5(
    table: Game, alice: Taps, extra: str, hears: str, taps: int
) -> None:
    await table.play("alice: /roll dice:d10 d8 d6", "gm: /challenge new name:Storm")
    await table.play(f"gm: /challenge add dice:{extra}")
    came = await table.play("gm: /challenge first who:Alice")
    table.dice.show((5, 3, 2), (2, 2, 2))
    rolled = await alice.sends(await alice.presses(came, "Roll against"))
    pressed = await alice.presses(rolled, "Apply")
    done = await alice.sends(pressed) if pressed.form else pressed
    assert hears in done.text
    assert "It's Bob's turn" in (await alice.presses(done, "Next: Bob")).text
    assert alice.count <= taps


async def test_another_choice_takes_1(table: Game, alice: Taps) -> None:
    table.dice.show((9, 7, 2, 3))
    reply = await table.play("alice: /roll dice:d10 d8 2d6")
    assert (await alice.presses(reply, "Total 12, effect d8")).text.startswith("Alice: Total 12, effect d8")
    assert alice.count <= 1


async def test_the_pp_that_changes_the_verdict_takes_1(table: Game, alice: Taps) -> None:
    table.dice.show((5, 4, 3))
    reply = await table.play("alice: /roll dice:2d6 d8 vs:11")
    assert "success" in (await alice.presses(reply, "Total 12, effect d4 for 1 PP")).text
    assert alice.count <= 1


async def test_hitches_bought_the_rulesets_way_take_2(table: Game, gm: Taps) -> None:
    table.dice.show((1, 1, 5))
    opened = await gm.presses(await table.play("alice: /roll dice:2d6 d8"), "Hitches: 2")
    assert "Alice · Trouble d8" in (await gm.sends(opened)).text
    assert gm.count <= 2


async def test_a_complication_named_takes_2(table: Game, gm: Taps) -> None:
    table.dice.show((1, 1, 5))
    opened = await gm.presses(await table.play("alice: /roll dice:2d6 d8"), "Hitches: 2")
    assert "Alice · Winded d8" in (await gm.sends(opened, {"Name": "Winded"})).text
    assert gm.count <= 2


async def test_an_effect_as_a_named_complication_on_somebody_takes_4(table: Game, alice: Taps) -> None:
    await table.play("gm: /gmc new name:Rex dice:2d6 kind:boss", "bob: /roll dice:2d6")
    table.dice.show((4, 3, 2))
    opened = await alice.presses(await table.play("alice: /roll dice:2d6 d8 vs:5"), "Apply d8")
    done = await alice.sends(opened, {"What": "Complication d8", "Name": "Winded", "On": "Bob"})
    assert "Bob · Winded d8" in done.text
    assert alice.count <= 4


async def test_hitches_bought_another_way_take_3(table: Game, gm: Taps) -> None:
    table.dice.show((1, 1, 5))
    opened = await gm.presses(await table.play("alice: /roll dice:2d6 d8"), "Hitches: 2")
    assert "Doom pool: 4d6" in (await gm.sends(opened, {"What": "doom each"})).text
    assert gm.count <= 3


async def test_a_recovery_applied_takes_1(table: Game, alice: Taps) -> None:
    table.dice.show((7, 6, 5), (2, 2, 3))
    await table.play("alice: /comp add what:Lost")
    reply = await table.play("alice: /comp recover what:Lost dice:2d8 d10")
    assert "Alice · Lost is gone" in (await alice.presses(reply, "Apply")).text
    assert alice.count <= 1


async def test_an_effect_applied_as_a_new_trait_takes_2(table: Game, alice: Taps) -> None:
    table.dice.show((4, 3, 2))
    opened = await alice.presses(await table.play("alice: /roll dice:2d6 d8 vs:5"), "Apply d8")
    assert "Alice · Rope d8" in (await alice.sends(opened, {"Name": "Rope"})).text
    assert alice.count <= 2


async def test_an_opportunity_takes_2(table: Game, alice: Taps) -> None:
    table.dice.show((1, 4))
    await table.play("alice: /comp add what:Lost")
    opened = await alice.presses(await table.play("gm: /doom roll"), "Opportunities: 1")
    assert "Alice · Lost d4" in (await alice.sends(opened)).text
    assert alice.count <= 2


async def test_a_doom_die_added_takes_3(table: Game, gm: Taps) -> None:
    assert "Doom pool: 3d6" in (await gm.types("/doom add dice:d6")).text
    assert gm.count <= 3


async def test_a_pp_given_by_long_press_takes_3(table: Game, gm: Taps) -> None:
    assert "Alice: 2 PP" in (await gm.holds("Give 1 PP", user=table.alice)).text
    assert gm.count <= 3


async def test_an_asset_for_a_pp_takes_3(table: Game, alice: Taps) -> None:
    reply = await alice.types("/asset add what:Rope")
    assert "Alice: 0 PP" in reply.text
    assert "Alice · Rope d6" in reply.text
    assert alice.count <= 3


async def test_undoing_the_last_step_takes_3(table: Game, alice: Taps) -> None:
    await table.play("alice: /asset add what:Rope")
    assert "Undone" in (await alice.types("/undo")).text
    assert alice.count <= 3


async def test_undoing_an_older_step_by_long_press_takes_3(table: Game, alice: Taps) -> None:
    older = await table.play("alice: /asset add what:Rope")
    await table.play("gm: /doom add dice:d8")
    assert "Rope" in (await alice.holds("Undo this", on=older)).text
    assert alice.count <= 3


async def test_a_new_table_takes_6_and_each_player_2(game: Game) -> None:
    gm, alice = Taps(game.gm), Taps(game.alice)
    gm.count += 1  # for the choice `adept`, picked in `ruleset`
    new = await gm.types("/campaign new name:Skyfall", "ruleset:adept")
    assert (await gm.presses(new, "Pin")).private
    assert gm.count <= 6
    joined = await alice.sends(await alice.presses(new, "Join"))
    assert "is played by alice" in joined.text
    assert alice.count <= 2


async def test_a_session_starts_in_3(table: Game, gm: Taps) -> None:
    await table.play("gm: /session end")
    assert "Session 2 begins" in (await gm.types("/session start")).text
    assert gm.count <= 3


async def test_the_next_scene_starts_in_3(table: Game, gm: Taps) -> None:
    assert not is_refused(await gm.types("/scene start"))
    assert gm.count <= 3


async def test_a_step_that_is_not_there_can_be_neither_undone_nor_put_back(table: Game) -> None:
    for verb in ("undo", "redo"):
        refused = await table.says(f"gm: /{verb} step:999")
        assert f"There's no step 999 to {verb}" in refused.text
