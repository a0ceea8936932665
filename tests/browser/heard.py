"""What a screen reader says aloud: what comes into the regions that are live."""

from playwright.async_api import expect

from tests.browser.people import Seated

LISTEN = """() => {
  window.heard = [];
  const live = document.querySelectorAll('#aloud, #status, #notice, #away');
  const hears = (changes) => {
    const added = changes.flatMap((change) => [...change.addedNodes]);
    window.heard.push(...added.map((one) => one.textContent.trim()));
  };
  for (const region of live) new MutationObserver(hears).observe(region, { childList: true, subtree: true });
}"""


async def listens(seated: Seated) -> None:
    """From now on what is said is kept."""
    await seated.page.evaluate(LISTEN)


async def hears(seated: Seated, words: str) -> str:
    """Something with these words is said, or has been since one listened last; what that was."""
    found = await seated.page.wait_for_function(
        "words => window.heard.find(one => one.includes(words))", arg=words
    )
    said = str(await found.json_value())
    await seated.page.evaluate("() => { window.heard = [] }")
    return said


async def is_on(seated: Seated, words: str) -> None:
    """The focus is on what has these words."""
    await expect(seated.page.locator(":focus")).to_contain_text(words)
