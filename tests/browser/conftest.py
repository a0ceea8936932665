"""One Chromium and one loop for all; where there is no Chromium, these tests are skipped."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from .house import CHROMIUM, NO_CHROMIUM, House, chromium, housed


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One loop for all, since there is one browser for all."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    if CHROMIUM is None:
        pytest.skip(NO_CHROMIUM)
    async with chromium() as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="session")
async def house(browser: Browser, tmp_path: Path) -> AsyncIterator[House]:
    async with housed(tmp_path, browser) as house:
        yield house
