"""`Settings`, end to end: what differs, subjects in a menu, a form, two GMs at once, a restart, an undo."""

import asyncio

import pytest

from bot.language.printers import phone_lines
from bot.loopback.reply import BotReply, menus
from tests.bot.test_buttons import is_refused
from tests.game import Game

MENU = "Settings by subject"


def offers(reply: BotReply) -> list[str]:
    return [button.label for button in reply.buttons]


async def page(game: Game, who: str, subject: str) -> BotReply:
    """A subject, as somebody sees it."""
    shown = await game.says(f"{who}: /campaign show")
    label = next(each.label for each in shown.menus[0].options if each.label.startswith(subject))
    return await game.person(who).choose(shown, MENU, [label])


async def test_the_card_of_a_new_campaign_leads_to_its_settings(game: Game) -> None:
    new = await game.play("gm: /campaign new name:Skyfall ruleset:adept")
    shown = await game.gm.press(new, "Settings")
    assert shown.private
    assert shown.text == (await game.says("gm: /campaign show")).text
    assert "Nothing differs from the ruleset." in shown.text
    assert shown.message is not None
    (menu,) = menus(shown.message)
    assert [each.label for each in menu.options] == [
        "What differs",
        "Rolling",
        "Characters",
        "Plot points",
        "Doom",
        "Time",
        "Mods",
        "Looks",
    ]
    assert menu.options[4].description == (
        "hitches buy, opportunities, doom pool, doom at the start of an act, doom over acts, crisis pools, ch"
    )


async def told(game: Game, sent: BotReply) -> str:
    """What everybody is told of a change, in a message of its own."""
    await game.at_rest()
    assert sent.more
    (line,) = sent.more
    assert not line.is_private
    return line.text


async def test_a_subject_is_changed_by_its_form_as_one_step(table: Game) -> None:
    doom = await page(table, "gm", "Doom")
    assert (
        "hitches buy: complication or doom. What the GM can buy with hitches\nopportunities: "
        "traits and SFX. Uses for a 1 on a GM's die\ndoom pool: on. Give the GM a doom "
        "pool\ndoom at the start of an"
    ) in doom.text
    assert offers(doom) == ["Change", "Share"]
    form = (await table.gm.press(doom, "Change")).form
    assert form is not None
    assert [field.label for field in form.inputs()] == [
        "hitches buy",
        "opportunities",
        "doom at the start of an act",
        "On",
    ]
    sent = await table.gm.submit(form, {"hitches buy": "doom", "On": ["doom pool"]})
    line = "hitches buy: doom; doom over acts: off; crisis pools: off; challenges: off"
    assert await told(table, sent) == line
    assert "hitches buy: doom, instead of complication or doom" in doom.text
    assert offers(doom) == ["Change", "Reset", "Share"]
    assert "Doom, 4 changed" in [each.label for each in doom.menus[0].options]
    assert "crisis pools: off. Play with crises" in (await table.says("bob: /campaign show")).text
    assert (await table.says("gm: /undo")).text == (
        "Undone: hitches buy: complication or doom again; doom over acts: on again; crisis pools: on again; "
        "challenges: on again"
    )
    assert "Nothing differs from the ruleset." in (await table.says("bob: /campaign show")).text


async def test_the_rulesets_settings_are_put_back_and_that_can_be_undone(table: Game) -> None:
    await table.play(
        "gm: /campaign set setting:opposition value:static",
        "gm: /campaign set setting:hidden GM rolls value:on",
        "gm: /campaign set setting:dice value:words",
    )
    rolling = await page(table, "gm", "Rolling")
    assert "opposition: static, instead of doom. What opposes a roll" in rolling.text
    sent = await table.gm.press(rolling, "Reset")
    assert await told(table, sent) == "opposition: doom; hidden GM rolls: off"
    assert "dice: words" in (await table.says("gm: /campaign show")).text
    await table.play("gm: /undo")
    late = await page(table, "gm", "Rolling")
    reset = table.gm.look_for(late, "Reset")
    await table.gm.push(late, reset)
    again = await table.gm.push(late, reset)
    assert is_refused(again)
    assert "Those settings already match the ruleset." in again.text
    await table.play("gm: /undo")
    shown = (await table.says("gm: /campaign show")).text
    assert "opposition: static" in shown
    assert "hidden GM rolls: on" in shown


async def test_two_gms_change_what_each_of_them_changed(table: Game) -> None:
    await table.play("gm: /campaign gm player:@bob")
    forms = []
    for who in ("gm", "bob"):
        opened = await table.person(who).press(await page(table, who, "Doom"), "Change")
        forms.append(opened.form)
    await table.restart()
    first = table.gm.submit(forms[0], {"hitches buy": "doom"})
    second = table.bob.submit(forms[1], {"On": ["doom pool", "doom over acts", "crisis pools"]})
    assert not any(map(is_refused, await asyncio.gather(first, second)))
    shown = (await table.says("gm: /campaign show")).text
    assert "hitches buy: doom. What" in shown
    assert "challenges: off. Play" in shown
    again = await table.gm.submit(forms[0], {"hitches buy": "doom"})
    assert is_refused(again)
    assert "the settings already have those values" in again.text


async def test_everything_works_after_a_restart(table: Game) -> None:
    shown = await table.says("gm: /campaign show")
    await table.restart()
    rolling = await table.gm.choose(shown, MENU, ["Rolling"])
    assert "Rolling, page 1 of" in rolling.text
    await table.restart()
    (following,) = (label for label in offers(rolling) if label.startswith("Page 2 of"))
    rolling = await table.gm.press(rolling, following)
    assert "one die alone: off. Let a single usable die be the" in rolling.text
    form = (await table.gm.press(rolling, "Change")).form
    await table.restart()
    sent = await table.gm.submit(form, {"On": ["hidden GM rolls", "scale keeps an extra die"]})
    assert await told(table, sent) == "hidden GM rolls: on"
    await table.restart()
    assert await told(table, await table.gm.press(rolling, "Reset")) == "hidden GM rolls: off"
    shown = await table.gm.choose(rolling, MENU, ["What differs"])
    assert shown.text == (await table.says("gm: /campaign show")).text


async def test_a_player_sees_the_same_without_changing_it(table: Game) -> None:
    of_gm, of_bob = await page(table, "gm", "Time"), await page(table, "bob", "Time")
    assert of_gm.text == of_bob.text
    assert offers(of_bob) == ["Share"]
    assert is_refused(await table.bob.push(of_bob, table.gm.look_for(of_gm, "Change")))
    shared = await table.bob.press(of_bob, "Share")
    assert not shared.private
    assert shared.text == of_bob.text
    assert shared.menus == []


async def test_what_cannot_be_read_is_refused_and_stays_typed(table: Game) -> None:
    form = (await table.gm.press(await page(table, "gm", "Time"), "Change")).form
    refused = await table.gm.submit(form, {"deadline": "soon", "pace": "post"})
    assert "soon\" isn't a number of hours" in refused.text
    again = (await table.gm.press(refused, "Try again")).form
    assert again is not None
    assert again.field("deadline").default == "soon"
    assert await told(table, await table.gm.submit(again, {"deadline": "24"})) == "pace: post; deadline: 24"


async def test_what_a_change_puts_out_of_play_is_asked_first(table: Game) -> None:
    await table.play("gm: /crisis new name:Fire dice:2d6")
    doom = await page(table, "gm", "Doom")
    form = (await table.gm.press(doom, "Change")).form
    asked = await table.gm.submit(
        form, {"On": ["doom pool", "doom over acts", "challenges"], "opportunities": "SFX only"}
    )
    assert "from on to off takes this out of play: crisis pools (Fire" in asked.text
    assert "Nothing differs" in (await table.says("gm: /campaign show")).text
    sent = await table.gm.press(asked, "Set crisis pools")
    assert await told(table, sent) == "opportunities: SFX only; crisis pools: off"


async def test_another_ruleset_is_chosen_with_what_it_means(table: Game) -> None:
    form = (await table.gm.press(await page(table, "gm", "Rolling"), "Change")).form
    assert form is not None
    means = {each.value: each.description for each in form.field("ruleset").options}
    assert means["empire"] == "fixed difficulties; resources or signature assets; hero dice from the GM"
    sent = await table.gm.submit(form, {"ruleset": "heroic", "assets in one pool": "3"})
    assert await told(table, sent) == "ruleset: heroic; assets in one pool: 3"


async def test_a_setting_without_a_value_is_shown_where_it_stands(table: Game) -> None:
    shown = await table.says("gm: /campaign set setting:stress")
    assert shown.private
    assert shown.text.startswith("Characters")
    assert "stress tracks: Physical, Mental, Emotional. Names of the tracks, or off" in shown.text
    assert "Change" in offers(shown)
    assert "dice: pictures" in (await table.says("gm: /campaign set setting:log")).text
    assert "There's no setting called \"luck" in (await table.says("gm: /campaign set setting:luck")).text


async def test_what_differs_takes_sixteen_lines_of_a_phone_where_the_log_is_told_too(table: Game) -> None:
    steps = table.discord.channel("steps")
    for setting, value in {
        "dice": "words",
        "pace": "post",
        "opportunities": "SFX only",
        "opposition": "dice",
    }.items():
        await table.play(f"gm: /campaign set setting:{setting} value:{value}")
    await table.play("gm: /campaign set log:#steps")
    shown = (await table.says("gm: /campaign show")).text
    assert f"log: <#{steps.id}>" in shown
    assert sum(map(phone_lines, shown.splitlines())) <= 16
    assert f"log: <#{steps.id}>" in (await page(table, "bob", "Looks")).text


async def test_a_term_is_chosen_in_a_menu_and_named_in_a_form(table: Game) -> None:
    shown = await table.says("gm: /campaign set setting:words")
    assert "words: off. Your words for the game's terms" in shown.text
    form = (await table.gm.choose(shown, "Choose a term", ["doom pool"])).form
    assert form is not None
    assert [field.label for field in form.inputs()] == ["One", "Many", "Short"]
    sent = await table.gm.submit(form, {"One": "Threat", "Short": "T"})
    assert sent.text == "words: doom pool = Threat, Threats, T"
    assert "Threat: 2d6" in (await table.says("gm: /doom set dice:2d6")).text
    form = (await table.gm.choose(shown, "Choose a term", ["plot point"])).form
    sent = await table.gm.submit(form, {"One": "", "Many": "", "Short": "HP"})
    assert sent.text.startswith("words: plot point = plot point, plot points, HP")
    form = (await table.gm.choose(shown, "Choose a term", ["plot point"])).form
    sent = await table.gm.submit(form, {"One": "", "Many": "", "Short": ""})
    assert sent.text == "words: doom pool = Threat, Threats, T"
    own = await table.says("bob: /campaign set setting:words")
    assert is_refused(await table.person("bob").choose(own, "Choose a term", ["asset"]))


@pytest.mark.parametrize(
    ("ruleset", "setting", "value", "says", "button"),
    [
        *(
            (ruleset, "difficulties", "5, 10, 15, 20, 25", "opposition is static", "Set opposition to")
            for ruleset in ("prime", "heroic", "adept", "action", "drama", "spotlight", "blockbuster")
        ),
        ("prime", "doom at the start of an act", "3d6", "doom pool is on", "Turn on doom pool"),
        ("empire", "doom over acts", "on", "doom pool is on", "Turn on doom pool"),
        ("adept", "fixed total", "Attributes", "statements is on", "Turn on statements"),
        ("action", "effect with no die left", "none", "effect is die", "Set effect to"),
        ("action", "one die alone", "on", "effect is die", "Set effect to"),
        ("drama", "rest", "scene end", "stress tracks is on", "Turn on stress tracks"),
        ("prime", "one of resources and signature assets", "on", "resources is on", "Turn on resources"),
    ],
)
async def test_a_setting_that_would_do_nothing_is_refused_with_what_it_needs(
    game: Game, ruleset: str, setting: str, value: str, says: str, button: str
) -> None:
    await game.table(ruleset)
    line = f"gm: /campaign set setting:{setting} value:{value}"
    refused = await game.says(line)
    assert refused.private
    other, _, needed = says.partition(" is ")
    assert refused.text == f'The setting "{setting}" does nothing unless "{other}" is "{needed}".'
    (first,) = (each.label for each in refused.buttons)
    assert first.startswith(button)
    await game.gm.press(refused, first)
    shown = (await game.says(f"gm: /campaign set setting:{setting}")).text
    assert value.split(",")[0] in shown


@pytest.mark.parametrize(
    ("ruleset", "setting", "value", "other", "needed"),
    [
        ("prime", "opposition", "doom", "doom pool", "on"),
        ("empire", "hitches buy", "doom", "doom pool", "on"),
        ("drama", "hitches buy", "complication or doom", "doom pool", "on"),
        ("heroic", "complications pay", "each", "hitches buy", "complication or doom"),
    ],
)
async def test_a_value_that_would_do_nothing_is_refused_with_what_it_needs(
    game: Game, ruleset: str, setting: str, value: str, other: str, needed: str
) -> None:
    await game.table(ruleset)
    refused = await game.says(f"gm: /campaign set setting:{setting} value:{value}")
    assert refused.private
    assert refused.text == f'The setting "{setting}" can only be "{value}" if "{other}" is "{needed}".'
    (button,) = (each.label for each in refused.buttons)
    await game.gm.press(refused, button)
    shown = (await game.says(f"gm: /campaign set setting:{setting}")).text
    assert value in shown


@pytest.mark.parametrize(
    ("ruleset", "line"),
    [
        ("heroic", "complications pay value:never"),
        ("heroic", "one of resources and signature assets value:on"),
        ("adept", "hitches buy value:doom"),
        ("empire", "difficulties value:5, 10, 15, 20, 25"),
        ("heroic", "doom at the start of an act value:3d6"),
        ("prime", "difficulties value:3, 7, 11, 15, 19"),
        ("drama", "fixed total value:Values"),
    ],
)
async def test_a_setting_that_works_or_stays_as_usual_is_not_refused(
    game: Game, ruleset: str, line: str
) -> None:
    await game.table(ruleset)
    said = await game.says(f"gm: /campaign set setting:{line}")
    assert "does nothing" not in said.text
    assert "can only be" not in said.text
