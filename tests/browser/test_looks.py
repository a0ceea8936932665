"""How the page looks to whom: on every width, light, dark, in forced colours, with large text."""

from axe_playwright_python.base import AXE_SCRIPT
from playwright.async_api import expect

from tests.browser.house import House
from tests.browser.people import Seated, begins
from tests.browser.test_page import not_wider

LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
PHONE, TABLET, DESK = 390, 768, 1280
AXE = """async (values) => {
  const about = { runOnly: { type: "tag", values }, resultTypes: ["violations"], preload: false };
  const { violations, passes } = await axe.run(about);
  const told = (node) => `${node.html} ${node.failureSummary}`;
  return [violations.map((each) => [each.id, ...each.nodes.map(told)]), passes.length];
}"""
WHOLE = 2
"""So many of the looks are looked at with all that can be opened."""
LOOKS = (
    (DESK, "light", "none", "100%"),
    (PHONE, "dark", "none", "100%"),
    (TABLET, "light", "active", "100%"),
    (TABLET, "dark", "none", "200%"),
    (PHONE, "light", "none", "200%"),
    (DESK, "dark", "none", "200%"),
)
"""Width, light or dark, whether colours are forced, and the size of text."""
SIZED = "size => document.documentElement.style.setProperty('font-size', size)"


async def test_axe_finds_nothing_and_nothing_is_too_wide(house: House) -> None:
    await house.game.table()
    came = await house.comes()
    await came.page.locator("#seats button").first.wait_for()
    for look in LOOKS[:WHOLE]:
        await looks(came, *look)
        await nothing_found(came, "the door")
    await came.page.get_by_role("button", name="gm").click()
    await came.says("/table pin")
    await came.says("# A\n- list `code` <t:0:R> https://example.com ||hidden||")
    await came.says("/roll dice:2d6 d8 vs:5")
    await came.says("/pool build")
    await came.sees("used /pool build")
    for place, look in enumerate(LOOKS):
        await looks(came, *look)
        await expect(came.page.get_by_role("heading", level=1, name="#table")).to_be_in_viewport()
        await came.box.fill("/doom ")
        await came.page.get_by_role("option").first.wait_for()
        await nothing_found(came, "suggestions")
        await came.box.fill("")
        await the_table(came, look[0], is_whole=place < WHOLE)
        if place < WHOLE:
            await what_opens(came)


async def the_table(came: Seated, width: int, *, is_whole: bool) -> None:
    """The pinned table is in view, or one tap away."""
    region = came.page.get_by_role("region", name="Table")
    if width == DESK:
        await expect(region).to_be_in_viewport()
        return
    await came.page.get_by_role("button", name=begins("Table")).click()
    await expect(region.get_by_role("button", name="My sheet")).to_be_in_viewport()
    if is_whole:
        await nothing_found(came, "the table")
    await came.page.keyboard.press("Escape")


async def what_opens(came: Seated) -> None:
    """A form, menus, pins and places."""
    page = came.page
    await came.presses("Join", "Skyfall begins")
    await expect(came.form.get_by_role("button", name="Submit")).to_be_visible()
    await nothing_found(came, "a form")
    await page.keyboard.press("Escape")
    await came.log.get_by_role("button", name=begins("Traits and dice")).last.click()
    await nothing_found(came, "a menu")
    await page.keyboard.press("Escape")
    await came.log.get_by_role("article").last.click(button="right", position={"x": 5, "y": 5})
    await nothing_found(came, "Actions")
    await page.keyboard.press("Escape")
    await page.get_by_role("button", name=begins("Pins")).click()
    await nothing_found(came, "pins")
    await page.keyboard.press("Escape")
    if await page.get_by_role("button", name="Places").is_visible():
        await page.get_by_role("button", name="Places").click()
        await nothing_found(came, "places")
        await page.keyboard.press("Escape")


async def looks(came: Seated, width: int, scheme: str, forced: str, size: str) -> None:
    """The same page looks otherwise from now on."""
    await came.page.set_viewport_size({"width": width, "height": 844})
    await came.page.emulate_media(color_scheme=scheme, forced_colors=forced)  # type: ignore[arg-type]
    await came.page.evaluate(SIZED, size)


async def nothing_found(came: Seated, where: str) -> None:
    """Axe has nothing to say, and nothing scrolls sideways."""
    if not await came.page.evaluate("'axe' in window"):
        await came.page.evaluate(AXE_SCRIPT)
    wrong, passed = await came.page.evaluate(AXE, LEVELS)
    assert not wrong, (where, came.page.viewport_size, wrong)
    assert passed > 10, where
    await not_wider(came)
