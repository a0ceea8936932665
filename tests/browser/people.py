"""Somebody in front of the page, who finds things as people do: by role and by visible name."""

import re
from dataclasses import dataclass, field

from playwright.async_api import Locator, Page, expect


def begins(words: str) -> re.Pattern[str]:
    """A name that begins so; a slash would end the pattern where the browser reads it."""
    return re.compile("^" + re.escape(words).replace("/", "."))


@dataclass
class Seated:
    """Somebody with a page open; `wrong` is what the browser complains of."""

    page: Page
    wrong: list[str] = field(default_factory=list)

    @property
    def box(self) -> Locator:
        """The message box."""
        return self.page.get_by_role("textbox", name=begins("Message"))

    @property
    def log(self) -> Locator:
        """The channel."""
        return self.page.get_by_role("log")

    @property
    def form(self) -> Locator:
        """The form that is open."""
        return self.page.get_by_role("dialog")

    def message(self, words: str) -> Locator:
        """The newest message with these words."""
        return self.log.get_by_role("article").filter(has_text=words).last

    async def says(self, line: str) -> None:
        """Type a line and send it; it is done when the box is empty and nothing was refused."""
        await self.box.fill(line)
        await self.page.get_by_role("button", name="Send").click()
        await expect(self.box).to_have_value("")
        await expect(self.page.locator("#notice")).to_be_empty()

    async def sees(self, words: str) -> Locator:
        """A message with these words is there."""
        message = self.message(words)
        await expect(message).to_be_visible()
        return message

    async def presses(self, label: str, words: str = "") -> None:
        """Press a button, of the newest message that has one that begins so."""
        await self.message(words).get_by_role("button", name=begins(label)).first.click()

    async def presses_newest(self, label: str) -> None:
        """Press the newest button that begins so."""
        await self.log.get_by_role("button", name=begins(label)).last.click()

    async def sends(self, values: dict[str, str]) -> None:
        """Fill in the form that is open and send it."""
        await expect(self.form).to_be_visible()
        for label, words in values.items():
            await self.form.get_by_label(begins(label)).first.fill(words)
        await self.form.get_by_role("button", name="Submit").click()
        await expect(self.form).to_have_count(0)


async def sit(page: Page, name: str) -> None:
    """Take a seat, one of those that are there or a new one."""
    await page.get_by_role("button").first.wait_for()
    await page.locator("#seats button").first.wait_for()
    known = page.get_by_role("button", name=name, exact=True)
    if await known.count():
        await known.click()
    else:
        await page.get_by_label("Another name").fill(name)
        await page.get_by_role("button", name="Sit down").click()
    await page.get_by_role("log").wait_for()
