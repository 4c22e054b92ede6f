import pytest
from hypothesis import given
from hypothesis import strategies as st

from opvalue.identity import Host, Repository, RunRef, RunRefRefused
from opvalue.identity.repository import GITHUB

ACME = Repository(GITHUB, "acme", "widgets")


@pytest.mark.parametrize("text", ["1", "17523948812", "9007199254740993", "9223372036854775807"])
def test_ids_stay_text(text: str) -> None:
    assert RunRef.parse(text) == RunRef(text, None, None)


@pytest.mark.parametrize(
    ("url", "run"),
    [
        ("https://github.com/acme/widgets/actions/runs/123", RunRef("123", ACME)),
        ("https://github.com/acme/widgets/actions/runs/123/", RunRef("123", ACME)),
        ("https://github.com/acme/widgets/actions/runs/123/attempts/2", RunRef("123", ACME, 2)),
        ("https://github.com/acme/widgets/actions/runs/123/job/456", RunRef("123", ACME)),
        ("https://github.com/acme/widgets/actions/runs/123?pr=7", RunRef("123", ACME)),
        ("https://github.com/acme/widgets/actions/runs/123/job/456?pr=7#step:3:1", RunRef("123", ACME)),
        ("https://GitHub.com:443/acme/widgets/actions/runs/123", RunRef("123", ACME)),
        (
            "https://ghe.example.com:8443/Acme/x/actions/runs/5",
            RunRef("5", Repository(Host("ghe.example.com:8443"), "Acme", "x")),
        ),
    ],
)
def test_addresses(url: str, run: RunRef) -> None:
    assert RunRef.parse(url) == run


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "-1",
        "+1",
        "01",
        "1.0",
        "1e3",
        " 1",
        "1\n",
        "1_000",
        "0x10",
        "\u0661",
        "9223372036854775808",
        "99999999999999999999",
        "1" * 5000,
        "abc",
        "acme/widgets",
        "acme/widgets/actions/runs/1",
        "github.com/acme/widgets/actions/runs/1",
        "http://github.com/acme/widgets/actions/runs/1",
        "https://github.com/acme/widgets",
        "https://github.com/acme/widgets/actions",
        "https://github.com/acme/widgets/actions/runs/",
        "https://github.com/acme/widgets/actions/runs/0",
        "https://github.com/acme/widgets/actions/runs/abc",
        "https://github.com/acme/widgets/actions/runs/1/attempts/0",
        "https://github.com/acme/widgets/actions/runs/1/attempts/x",
        "https://github.com/acme/widgets/actions/runs/1/attempts/",
        "https://github.com/acme/widgets/actions/runs/1/other",
        "https://github.com/acme/widgets/actions/workflows/1",
        "https://github.com//widgets/actions/runs/1",
        "https://github.com/-acme/widgets/actions/runs/1",
        "https://github.com/acme/../actions/runs/1",
        "https://user@github.com/acme/widgets/actions/runs/1",
        "https://user:secret@github.com/acme/widgets/actions/runs/1",
        "https://[::1/acme/widgets/actions/runs/1",
        "https:///acme/widgets/actions/runs/1",
        "https://github.com:99999/acme/widgets/actions/runs/1",
        "https://github.com/acme/widgets/actions/runs/1\n2",
        "https://github.com/acme/widgets/actions/runs/1\t2",
        "\thttps://github.com/acme/widgets/actions/runs/1",
        " https://github.com/acme/widgets/actions/runs/1",
        "https://github.com/acme/widgets/actions/runs/%31",
        "https://github.com/acme/widgets/actions/runs/\u0661",
    ],
)
def test_no_runs(text: str) -> None:
    with pytest.raises(RunRefRefused) as caught:
        RunRef.parse(text)
    assert caught.value.code == "identity.run"
    assert len(caught.value.message) < 400


@given(st.integers(1, 2**63 - 1), st.integers(1, 1000))
def test_addresses_keep_every_digit(number: int, attempt: int) -> None:
    url = f"https://github.com/acme/widgets/actions/runs/{number}/attempts/{attempt}"
    assert RunRef.parse(url) == RunRef(str(number), ACME, attempt)


@given(st.text() | st.text(alphabet="https://github.com/a/actions/runs/19[]@:\n"))
def test_any_text_is_a_run_or_refused(text: str) -> None:
    try:
        RunRef.parse(text)
    except RunRefRefused:
        return


def test_the_development_host_is_plain_http() -> None:
    for scheme in ("http", "https"):
        run = RunRef.parse(f"{scheme}://github.localhost/acme/widgets/actions/runs/123")
        assert run == RunRef("123", Repository.parse("github.localhost/acme/widgets"))
    for address in ("ftp://github.localhost/acme/widgets/actions/runs/123", "http://github.com/a/b/actions/runs/1"):
        with pytest.raises(RunRefRefused):
            RunRef.parse(address)
