"""Files written elsewhere than below a private folder."""

import pytest

from tests.verifier.scripts import expect_marked, expect_nothing

_ID = "static-writes"


@pytest.mark.parametrize(
    "text",
    [
        "echo 1 >§out.json\n",
        "jq . x >>§/tmp/cache.json\n",
        "jq . x | tee §out.json\n",
        "mkdir -p -m 700 §cache\n",
        "touch -d x §a §b\n",
        'cp "$x" §y\n',
        "sort -o §sorted x\n",
        "dd if=/dev/zero of=§x\n",
        "curl -o §out x\nwget -O §out x\n",
        'echo 1 >>§"$GITHUB_STEP_SUMMARY"\n',
        "echo 1 &>§log\n",
        'f=/tmp/cache.json\necho 1 >§"$f"\n',
        'echo 1 >¶"/tmp/cache-$$.json"\n',
        "echo 1 >&§log\n",
        'cp x §"$GITHUB_OUTPUT"\ndd of=§"$GITHUB_OUTPUT"\n',
    ],
)
def test_found(text: str) -> None:
    expect_marked(_ID, text)


@pytest.mark.parametrize(
    "text",
    [
        'folder="$(mktemp -d)"\njq . x >"$folder/out.json"\ncp x "$folder"\ntee "$folder/a" <x\n',
        "echo 1 >&2\necho 1 >/dev/null 2>&1\necho 1 >/dev/stderr\nexec 3>&1\nexec 3>&-\n",
        'cd "$(mktemp -d)"\necho 1 >out.json\n',
        "# echo 1 >out\necho '1 > out'\n",
        "jq '.a > 1' x\n[[ a > b ]]\n",
        "cat <x\nwc -l <x\n",
        "exec 3<>/dev/tcp/example.com/80\nfind . -exec touch {} +\n",
        'f="$(mktemp)"\necho 1 >"$f"\nf=/tmp/x\n',
        'd=/tmp\ne="$d/$(f)"\nd="$(mktemp -d)"\necho 1 >"$d/x" 2>"$e"\n',
        "tee() { cat; }\ntee out\n",
        'mkdir "$@"\ncp x\nsort x\n',
        "jq . x | tee -a /dev/stderr -\n",
        "x=$(( 1 > 0 ))\n",
    ],
)
def test_look_alikes(text: str) -> None:
    expect_nothing(_ID, text)
