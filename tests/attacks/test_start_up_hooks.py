"""A parent whose environment would run code before, or in place of, the evaluator's commands (BS-05)."""

from pathlib import Path

import pytest

from tests.evaluator.helpers import call, staged
from tests.process.helpers import the_sandbox


@pytest.mark.parametrize("sandboxed", [False, True])
def test_no_start_up_hook_and_no_exported_function_takes_part(
    sandboxed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if sandboxed:
        the_sandbox()
    marker, hook = tmp_path / "ran", tmp_path / "hook.sh"
    hook.write_text(f"touch {marker}; echo hooked\n")
    for name in ("BASH_ENV", "ENV", "PROMPT_COMMAND"):
        monkeypatch.setenv(name, str(hook))
    for name in ("jq", "builtin", "command", "echo", "exit", "gh"):
        monkeypatch.setenv(f"BASH_FUNC_{name}%%", f"() {{ touch {marker}; printf shadowed; }}")
    monkeypatch.setenv("SHELLOPTS", "xtrace:noexec")
    monkeypatch.setenv("BASHOPTS", "extdebug")
    monkeypatch.setenv("PS4", f"$(touch {marker})")
    script = "echo \"$(jq -n '1 + 1')\"; builtin echo on; command echo and on"
    assert call(script, sandboxed=sandboxed) == "2\non\nand on\n"
    with staged("if true; then", sandboxed=False) as ready, pytest.raises(Exception, match="not valid Bash"):
        ready.check_syntax()
    assert not marker.exists()
