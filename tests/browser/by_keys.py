"""Somebody at the page who has a keyboard and hears, and does not see."""

from dataclasses import dataclass

from playwright.async_api import expect

from tests.browser.heard import hears, listens
from tests.browser.house import House
from tests.browser.people import Seated

MOST = 25
"""Nothing is further away than so many keys."""
NAME = """() => {
  const one = document.activeElement;
  return (one.labels?.[0]?.textContent || one.getAttribute('aria-label') || one.textContent).trim();
}"""
POINTED = """() =>
  document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))?.textContent || ''"""


@dataclass
class Hands:
    """Only keys are pressed, and only what is focused and what is said aloud is known."""

    seated: Seated

    @classmethod
    async def come(cls, house: House, name: str, **look: str) -> "Hands":
        """Somebody comes to the door and sits down."""
        came = cls(await house.comes(**look))  # type: ignore[arg-type]
        await came.seated.page.locator("#seats button").first.wait_for()
        await came.tab_to(name)
        await came.press("Enter")
        await expect(came.seated.box).to_be_focused()
        await listens(came.seated)
        return came

    async def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            await self.seated.page.keyboard.press(key)

    async def tab_to(self, name: str) -> None:
        """Press Tab until that has the focus."""
        for _ in range(MOST):
            if (await self.seated.page.evaluate(NAME)).startswith(name):
                return
            await self.press("Tab")
        raise AssertionError(f"Tab does not lead to {name}")

    async def says(self, line: str) -> None:
        """Type a line and send it, from wherever one is."""
        if not await self.seated.box.evaluate("one => one === document.activeElement"):
            await self.press("Escape", "Escape")
        await expect(self.seated.box).to_be_focused()
        await self.seated.page.keyboard.insert_text(line)
        await self.press("Enter")
        await expect(self.seated.box).to_have_value("")

    async def goes_into(self, words: str) -> None:
        """Go to the newest message with these words, and into it."""
        await self.press("Control+ArrowUp")
        for _ in range(MOST):
            if words in await self.seated.page.evaluate("document.activeElement.innerText"):
                return await self.press("Enter")
            await self.press("ArrowUp")
        raise AssertionError(f"no message says {words}")

    async def presses(self, label: str, words: str = "") -> None:
        """Press a button of the newest message with these words."""
        await self.goes_into(words or label)
        await self.tab_to(label)
        await self.press("Enter")

    async def chooses(self, option: str, menu: str, words: str) -> None:
        """Choose from a menu of the newest message with these words."""
        await self.presses(menu, words)
        for _ in range(MOST):
            if (await self.seated.page.evaluate(POINTED)).startswith(option):
                return await self.press("Enter")
            await self.press("ArrowDown")
        raise AssertionError(f"{menu} does not offer {option}")

    async def sends(self, values: dict[str, str]) -> None:
        """Fill in the form that has opened."""
        await expect(self.seated.form).to_be_visible()
        for label, words in values.items():
            await self.tab_to(label)
            await self.press("Control+a")
            await self.seated.page.keyboard.insert_text(words)
        await self.tab_to("Submit")
        await self.press("Enter")
        await expect(self.seated.form).to_have_count(0)

    async def hears(self, words: str) -> str:
        """Something with these words is said aloud."""
        return await hears(self.seated, words)
