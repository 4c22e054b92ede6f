"""``.opvalue.toml``: what a repository says about its own evaluators. Pure: text in, settings out.

.. code-block:: toml

    [[verify.ignore]]
    rule = "static-current-state"
    path = ".github/graders/triage.sh"   # without it: every script
    reason = "the state is compared with the event history below"

An ignored finding is still counted and shown as ignored; it never fails a verification.
"""

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from typing import Final, NamedTuple

from verifier.errors import SettingsRefused
from verifier.findings import Finding

FILE: Final = ".opvalue.toml"
_KEYS: Final = frozenset({"rule", "path", "reason"})


class Ignore(NamedTuple):
    """One finding that is accepted, and why."""

    rule: str
    reason: str
    path: str | None

    def covers(self, finding: Finding, repository_path: str) -> bool:
        """Tell whether a finding is meant, by its rule and by the script's path in the repository."""
        names = (finding.path, repository_path)
        return self.rule == finding.rule and (self.path is None or any(fnmatchcase(name, self.path) for name in names))


class Settings(NamedTuple):
    """What the file says."""

    ignores: tuple[Ignore, ...] = ()

    def split(
        self, findings: Iterable[Finding], repository_path: str
    ) -> tuple[tuple[Finding, ...], tuple[tuple[Finding, Ignore], ...]]:
        """Return the findings that count, and those that are ignored with what ignores them."""
        kept, ignored = [], []
        for finding in findings:
            by = next((one for one in self.ignores if one.covers(finding, repository_path)), None)
            if by is None:
                kept.append(finding)
            else:
                ignored.append((finding, by))
        return tuple(kept), tuple(ignored)


def parse_settings(data: bytes, known_rules: Iterable[str]) -> Settings:
    """Return the settings. Raises ``SettingsRefused`` for anything that is not understood."""
    import tomllib  # noqa: PLC0415 - most repositories have no such file

    try:
        document = tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SettingsRefused(f"{FILE} is no TOML: {str(error)[:200]}") from None
    verify = document.pop("verify", {})
    inner = verify if isinstance(verify, dict) else {"": verify}
    if document or set(inner) - {"ignore"}:
        unknown = (f"verify.{key}".rstrip(".") for key in inner if key != "ignore")
        found = ", ".join([*document, *unknown][:5])
        raise SettingsRefused(f"{FILE} holds what is not understood", expected="[[verify.ignore]]", found=found)
    entries = inner.get("ignore", [])
    if not isinstance(entries, list):
        raise SettingsRefused(f"{FILE}: verify.ignore is no list", expected="[[verify.ignore]]")
    return Settings(tuple(_ignores(entries, frozenset(known_rules))))


def _ignores(entries: list[object], known: frozenset[str]) -> Iterator[Ignore]:
    for number, entry in enumerate(entries, 1):
        where = f"{FILE}: ignore number {number}"
        if not isinstance(entry, dict) or not all(isinstance(value, str) for value in entry.values()):
            raise SettingsRefused(f"{where} is no table of texts", expected="rule, reason and perhaps path")
        if set(entry) - _KEYS:
            raise SettingsRefused(
                f"{where} has an unknown key",
                expected="rule, reason, path",
                found=", ".join(sorted(set(entry) - _KEYS)),
            )
        if entry.get("rule") not in known:
            raise SettingsRefused(f"{where} names no rule", expected="an id that `opvalue rule list` shows")
        if not entry.get("reason", "").strip():
            raise SettingsRefused(f"{where} gives no reason", expected='reason = "why it does not apply here"')
        yield Ignore(entry["rule"], entry["reason"].strip(), entry.get("path"))
