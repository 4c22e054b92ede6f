"""Commands that come in by the entry point."""

import json
from pathlib import Path

import click
import pytest

import opvalue
from opvalue.cli.brought import brought
from opvalue.cli.errors import CommandNotInstalled


def listed(folder: Path, text: str) -> Path:
    """Lay out what an installation says of our distribution."""
    info = folder / f"opvalue-{opvalue.__version__}.dist-info"
    info.mkdir()
    (info / "entry_points.txt").write_text(text, encoding="utf-8")
    return folder


def test_our_distribution_s_list_is_read(tmp_path: Path) -> None:
    text = (
        "[console_scripts]\nx = json:loads\n\n[opvalue.commands]\ny = json:load\nx = json:dumps\n\n[z]\nx = json:load\n"
    )
    assert brought("x", listed(tmp_path, text)) is json.dumps


@pytest.mark.parametrize(
    "text", [None, "", "[opvalue.commands]\nverify-all = json:loads\n", "[z]\nverify = json:load\n"]
)
def test_what_is_not_in_it_is_looked_for_among_all_packages(tmp_path: Path, text: str | None) -> None:
    command = brought("verify", tmp_path if text is None else listed(tmp_path, text))
    assert isinstance(command, click.Command)
    assert command.name == "verify"


def test_what_is_nowhere_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandNotInstalled, match="the command nope is not installed"):
        brought("nope", tmp_path)
