"""Working trees with workflows, made for one test."""

import os
from pathlib import Path
from typing import Any, Final

import pytest

WORKFLOW: Final = ".github/workflows/triage.md"
EVALUATOR: Final = "#!/usr/bin/env bash\necho '[]'\n"


def tree(root: Path, files: dict[str, str | bytes]) -> Path:
    """Lay ``files`` out below ``root`` as a repository, and return the workflow's path."""
    (root / ".git").mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return root / WORKFLOW


def fenced(yaml: str) -> str:
    """Return a Markdown file with that frontmatter."""
    return f"---\n{yaml}\n---\n# Triage\n"


def close_to_us(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have files and folders of that name opened by nobody, also where the tests run as root."""

    def opened(path: str, *arguments: Any, **more: Any) -> int:
        if path == name:
            raise PermissionError(13, "Permission denied")
        return real(path, *arguments, **more)

    real = os.open
    monkeypatch.setattr(os, "open", opened)
