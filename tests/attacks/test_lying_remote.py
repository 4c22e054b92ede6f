"""A clone of another repository whose remote is made to look like the requested one, and near misses of its name."""

from pathlib import Path

import pytest

from opvalue.identity import Repository
from tests.support.refusals import refused_before_running
from tests.support.world import World

LIES = [
    "https://evil.example/acme/widgets",
    "https://ghe.example.com/acme/widgets.git",
    "https://github.com.evil.example/acme/widgets",
    "https://github.com@evil.example/acme/widgets",
    "https://evil.example/github.com/acme/widgets",
    "https://github.com/acme/widgets2",
    "https://github.com/acme/widgets.git.git",
    "https://github.com/evil/widgets",
    "https://github.com:8443/acme/widgets",
    "https://github.com/acme/widgets?x=1",
    "git@evil.example:acme/widgets.git",
    "evil@github.com.example:acme/widgets.git",
    "ext::sh -c 'touch marker' github.com/acme/widgets",
    "/srv/github.com/acme/widgets",
    "file:///github.com/acme/widgets",
]


@pytest.mark.parametrize("url", LIES)
def test_addresses_that_only_look_right(tmp_path: Path, url: str) -> None:
    world = World(tmp_path)
    world.repository("remote", "set-url", "origin", url)
    assert refused_before_running(world).code == "checkout.no-trusted-remote"


@pytest.mark.parametrize("key", ["insteadOf", "pushInsteadOf"])
def test_rewritten_to_look_right(tmp_path: Path, key: str) -> None:
    world = World(tmp_path)
    world.repository("remote", "set-url", "origin", "https://evil.example/mallory/widgets")
    world.repository("config", f"url.https://github.com/acme/.{key}", "https://evil.example/mallory/")
    assert refused_before_running(world).code == "checkout.no-trusted-remote"


def test_a_right_push_address_makes_no_right_remote(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.repository("remote", "set-url", "origin", "https://evil.example/mallory/widgets")
    world.repository("remote", "set-url", "--push", "origin", "https://github.com/acme/widgets")
    assert refused_before_running(world).code == "checkout.no-trusted-remote"


def test_the_branches_of_another_remote_do_not_count(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.repository("remote", "rename", "origin", "fork")
    world.repository("remote", "set-url", "fork", "https://github.com/mallory/widgets")
    world.repository("remote", "add", "origin", "https://github.com/acme/widgets")
    assert refused_before_running(world).code == "trust.commit-not-anchored"


def test_the_right_name_on_another_host_was_asked_for(tmp_path: Path) -> None:
    world = World(tmp_path)
    wanted = Repository.parse("ghe.example.com/acme/widgets")
    assert refused_before_running(world, repository=wanted).code == "checkout.no-trusted-remote"
