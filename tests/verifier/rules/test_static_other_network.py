"""Programs that go to the network past gh."""

import pytest

from tests.verifier.scripts import expect_marked, expect_nothing

_ID = "static-other-network"


@pytest.mark.parametrize(
    "text",
    [
        'x="$(«curl -s https://example.com)"\n',
        "f() {\n  «wget -q -O - https://example.com\n}\nf\n",
        "timeout 10 «npx tool\n",
        "«git clone https://example.com/x\n",
        "«git -C x fetch origin\n",
        "«git -C x submodule update --init\n",
        "«git remote update\n",
        "find . -name x -exec «curl {} +\n",
        "«git -c a=b --no-pager ls-remote\n",
        "cat <«/dev/tcp/example.com/80\n",
        "echo a | env X=1 «ssh host\n",
        "«/usr/bin/curl x\n",
        "«openssl s_client\n",
    ],
)
def test_found(text: str) -> None:
    expect_marked(_ID, text)


@pytest.mark.parametrize(
    "text",
    [
        "command -v curl >/dev/null\n",
        "type curl\n",
        "# curl https://example.com\n",
        "echo 'curl https://example.com'\n",
        "jq -n '{curl: \"wget\"}'\n",
        "git log -1\ngit remote\ngit remote -v\ngit submodule status\n",
        "git -C x rev-parse HEAD\n",
        'git "$@"\n',
        "git\n",
        "openssl dgst -sha256 x\n",
        "host() { printf '%s' x; }\nhost\n",
        "gh api repos/a/b\n",
    ],
)
def test_look_alikes(text: str) -> None:
    expect_nothing(_ID, text)
