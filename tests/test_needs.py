"""A program that tests need is found, or its tests say what they leave out."""

from pathlib import Path

import pytest

from tests import needs


def test_a_program_is_found_in_path_under_another_name_or_as_uv_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("UV", "/elsewhere/uv")
    assert {name: needs.found(name) for name in ("git", "chromium", "uv", "/nowhere")} == {
        "git": None, "chromium": None, "uv": "/elsewhere/uv", "/nowhere": None,
    }  # fmt: skip
    (tmp_path / "chromium-browser").touch(0o755)
    assert needs.found("chromium") == str(tmp_path / "chromium-browser")
    assert needs.found("pyproject.toml") is None
    assert needs.found(".ci") == str(needs.ROOT / ".ci")
    assert needs.reason("chromium") == "the page in a browser (no chromium)"
