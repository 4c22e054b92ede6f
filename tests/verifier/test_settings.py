"""``.opvalue.toml``: what it may say, and what it ignores."""

import pytest

from verifier.errors import SettingsRefused
from verifier.findings import Finding, Severity
from verifier.settings import Ignore, Settings, parse_settings

_RULES = ("static-bash32", "static-writes")
_ONE = '[[verify.ignore]]\nrule = "static-writes"\nreason = "scratch"\n'


def _finding(rule: str, path: str = "./a/x.sh") -> Finding:
    return Finding(rule, Severity.ERROR, path, "wrong", "mend it")


def test_ignores_are_read() -> None:
    text = _ONE + '[[verify.ignore]]\nrule = "static-bash32"\nreason = " no macOS "\npath = ".github/*.sh"\n'
    assert parse_settings(text.encode(), _RULES) == Settings(
        (Ignore("static-writes", "scratch", None), Ignore("static-bash32", "no macOS", ".github/*.sh"))
    )
    assert parse_settings(b"", _RULES) == parse_settings(b"[verify]\nignore = []\n", _RULES) == Settings()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[verify.ignore", "is no TOML"),
        ("\xff", "is no TOML"),
        ("a = " + "[" * 5000, "is no TOML"),
        ("strict = true\n", "not understood"),
        ("[verify]\nstrict = true\n", "not understood"),
        ("verify = 3\n", "not understood"),
        ('verify = "ignore"\n', "not understood"),
        ("[verify.ignore]\nrule = 'static-writes'\n", "is no list"),
        ("[verify]\nignore = [1]\n", "number 1 is no table of texts"),
        ("[[verify.ignore]]\nrule = 3\nreason = 'x'\n", "number 1 is no table of texts"),
        (_ONE + "[[verify.ignore]]\nrule = 'none'\nreason = 'x'\n", "number 2 names no rule"),
        ("[[verify.ignore]]\nreason = 'x'\n", "number 1 names no rule"),
        ("[[verify.ignore]]\nrule = 'static-writes'\n", "number 1 gives no reason"),
        ("[[verify.ignore]]\nrule = 'static-writes'\nreason = ' '\n", "number 1 gives no reason"),
        (_ONE + "severity = 'note'\n", "number 1 has an unknown key"),
    ],
)
def test_what_is_not_understood_is_refused(text: str, said: str) -> None:
    with pytest.raises(SettingsRefused) as refused:
        parse_settings(text.encode("latin-1"), _RULES)
    assert said in refused.value.message
    assert refused.value.code == "verify.settings"


@pytest.mark.parametrize(
    ("path", "ignored"),
    [
        (None, True),
        ("a/x.sh", True),
        ("a/*", True),
        ("./a/x.sh", True),
        ("*.sh", True),
        ("b/*", False),
        ("x.sh", False),
    ],
)
def test_an_ignore_covers_its_rule_at_its_path(path: str | None, ignored: bool) -> None:
    ignore = Ignore("static-writes", "scratch", path)
    this, other = _finding("static-writes"), _finding("static-bash32")
    kept, away = Settings((ignore,)).split((this, other), "a/x.sh")
    assert kept == ((other,) if ignored else (this, other))
    assert away == (((this, ignore),) if ignored else ())
