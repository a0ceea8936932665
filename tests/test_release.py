"""A release is made of a tag: its files, its notes, and what Docker is asked for, which may not be here."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from bot import VERSION

ROOT = Path(__file__).parents[1]
TAG = f"v{VERSION}"
UV = os.environ.get("UV") or shutil.which("uv") or "uv"
DOCKER = '#!/bin/sh\nprintf "%s\\n" "$@" >"$ASKED"\necho "{}" >dist/image.json\n'
"""Writes down what it is asked for."""


def said(*command: object, folder: Path) -> str:
    return subprocess.run(
        list(map(str, command)), cwd=folder, check=True, capture_output=True, text=True
    ).stdout


@pytest.fixture(scope="module")
def cloned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone of what is here."""
    folder = tmp_path_factory.mktemp("release") / "clone"
    said("git", "clone", "--quiet", ROOT, folder, folder=folder.parent)
    changed = (".ci/release", ".gitignore", "CHANGELOG.md", "pyproject.toml", "bot/__init__.py", "uv.lock")
    for path in changed:
        shutil.copy2(ROOT / path, folder / path)
    commit(folder)
    said("git", "branch", "begun", folder=folder)
    return folder


@pytest.fixture
def clone(cloned: Path) -> Path:
    """The same as it was at first, with a tag of this version."""
    said("git", "reset", "--quiet", "--hard", "begun", folder=cloned)
    said("git", "clean", "--quiet", "-dfx", folder=cloned)
    said("git", "tag", "--force", TAG, folder=cloned)
    return cloned


def commit(folder: Path) -> None:
    who = ("-c", "user.name=Nobody", "-c", "user.email=nobody@example.org")
    said("git", "add", "--all", folder=folder)
    said("git", *who, "commit", "--quiet", "--allow-empty", "-m", "A release", folder=folder)


def release(folder: Path, tag: str = TAG, **more: str) -> subprocess.CompletedProcess[str]:
    ours = {"UV": UV, "UV_PROJECT_ENVIRONMENT": sys.prefix, "UV_NO_SYNC": "1", "UV_OFFLINE": "1"}
    kept = {name: value for name, value in os.environ.items() if name != "IMAGE"}
    command = ["bash", ".ci/release", tag]
    return subprocess.run(
        command, cwd=folder, env={**kept, **ours, **more}, check=False, capture_output=True, text=True
    )


@pytest.mark.slow
@pytest.mark.needs("bash", "git", ".git", "uv")
def test_a_tag_becomes_files_with_checksums_an_sbom_and_notes(clone: Path) -> None:
    done = release(clone)
    assert done.returncode == 0, done.stderr
    made = {path.name: path for path in (clone / "dist").iterdir()}
    wheel, source = f"doomkeeper-{VERSION}-py3-none-any.whl", f"doomkeeper-{VERSION}.tar.gz"
    bill = f"doomkeeper-{VERSION}.cdx.json"
    assert made.keys() == {wheel, source, bill, "NOTES.md", "SHA256SUMS"}
    lines = (line.split("  ") for line in made["SHA256SUMS"].read_text().splitlines())
    sums = {name: digest for digest, name in lines}
    assert sums.keys() == made.keys() - {"SHA256SUMS"}
    assert all(hashlib.sha256(made[name].read_bytes()).hexdigest() == digest for name, digest in sums.items())
    told = json.loads(made[bill].read_text())
    assert told["bomFormat"] == "CycloneDX"
    needed = {each["name"] for each in told["components"]}
    assert {"discord-py", "sqlalchemy", "asyncpg", "sentry-sdk"} <= needed
    assert "pytest" not in needed
    assert f"\n{made['NOTES.md'].read_text().strip()}\n" in (ROOT / "CHANGELOG.md").read_text()
    assert release(clone).returncode == 0
    again = {name: hashlib.sha256(made[name].read_bytes()).hexdigest() for name in sums}
    assert again == sums


@pytest.mark.slow
@pytest.mark.needs("bash", "git", ".git", "uv")
def test_the_image_is_made_for_two_kinds_of_machine_with_sbom_and_provenance(
    clone: Path, tmp_path: Path
) -> None:
    docker = tmp_path / "docker"
    docker.write_text(DOCKER)
    docker.chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    asked = tmp_path / "asked"
    done = release(clone, PATH=path, ASKED=str(asked), IMAGE="registry.example.org/doomkeeper")
    assert done.returncode == 0, done.stderr
    words = asked.read_text().splitlines()
    assert words[:2] == ["buildx", "build"]
    assert words[words.index("--platform") + 1] == "linux/amd64,linux/arm64"
    assert {"--sbom=true", "--provenance=mode=max", "--push"} <= set(words)
    assert words[words.index("--tag") + 1] == f"registry.example.org/doomkeeper:{VERSION}"
    head = said("git", "rev-parse", "HEAD", folder=clone).strip()
    assert f"org.opencontainers.image.revision={head}" in words
    assert (clone / "dist" / "image.json").is_file()


def _no_tag(folder: Path) -> None:
    said("git", "tag", "--delete", TAG, folder=folder)


def _commit_later(folder: Path) -> None:
    commit(folder)


def _edit(folder: Path) -> None:
    (folder / "README.md").write_text("Something else")


def _other_version(folder: Path, path: str) -> None:
    file = folder / path
    file.write_text(file.read_text().replace(f'"{VERSION}"', '"9.9.9"', 1))
    commit(folder)
    said("git", "tag", "--force", TAG, folder=folder)


def _no_notes(folder: Path) -> None:
    file = folder / "CHANGELOG.md"
    file.write_text(file.read_text().replace(f"## {VERSION},", "## 9.9.9,"))
    commit(folder)
    said("git", "tag", "--force", TAG, folder=folder)


@pytest.mark.slow
@pytest.mark.needs("bash", "git", ".git", "uv")
@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (_no_tag, "There is no tag"),
        (_commit_later, "is not what is checked out here"),
        (_edit, "git status"),
        (lambda folder: _other_version(folder, "pyproject.toml"), "pyproject.toml has another version"),
        (lambda folder: _other_version(folder, "bot/__init__.py"), "bot/__init__.py has another version"),
        (lambda folder: _other_version(folder, "uv.lock"), "uv.lock is not that of pyproject.toml"),
        (_no_notes, "CHANGELOG.md says nothing"),
    ],
    ids=["tag", "commit", "edited", "project", "program", "lock", "notes"],
)
def test_what_does_not_agree_is_no_release(clone: Path, spoil: Callable[[Path], None], reason: str) -> None:
    spoil(clone)
    done = release(clone)
    assert done.returncode == 1
    assert reason in done.stderr
    assert not (clone / "dist").exists()


@pytest.mark.slow
@pytest.mark.needs("bash", "git", ".git", "uv")
def test_without_a_tag_it_says_how_one_is_named(clone: Path) -> None:
    done = subprocess.run(["bash", ".ci/release"], cwd=clone, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, "Which tag? Example: .ci/release v0.4.0\n")


def test_versions_agree() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    locked = {each["name"]: each for each in tomllib.loads((ROOT / "uv.lock").read_text())["package"]}
    cut = [line for line in (ROOT / "CHANGELOG.md").read_text().splitlines() if line.startswith("## ")]
    released = [line for line in cut if line != "## Not yet released"]
    assert project == VERSION == locked["doomkeeper"]["version"]
    assert released[0].removeprefix("## ").startswith(f"{VERSION}, 20")


def test_the_wheel_installs_what_was_tested_and_mended_releases_of_it() -> None:
    """It reaches into private parts of some libraries, which change with their minor releases.

    Time zones are data and not held back.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    locked = {each["name"]: each for each in tomllib.loads((ROOT / "uv.lock").read_text())["package"]}
    extras = [each for extra in project["optional-dependencies"].values() for each in extra]
    for asked in map(Requirement, [*project["dependencies"], *extras]):
        if asked.name == "tzdata":
            continue
        tested = Version(locked[canonicalize_name(asked.name)]["version"])
        assert tested in asked.specifier, asked
        assert f"{tested.major}.{tested.minor + 1}" not in asked.specifier, asked
