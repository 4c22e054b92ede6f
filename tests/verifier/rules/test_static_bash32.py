"""Constructs that Bash 3.2 does not know."""

import pytest

from tests.verifier.scripts import expect_marked, expect_nothing, findings_of, subject_of

_ID = "static-bash32"


@pytest.mark.parametrize(
    "text",
    [
        "declare §-A seen\n",
        "f() { local §-A seen; }\nf\n",
        'f() { local §-n out="$1"; }\nf x\n',
        "declare §-l x=A\n",
        "§mapfile -t lines <x\n",
        "cat x | §readarray -t lines\n",
        'echo "§${x^^}"\n',
        'echo "a §${x,,} b"\n',
        "echo §${x@Q}\n",
        'echo "§${x:0:-1}"\n',
        'y="§${list[-1]}"\n',
        "jq . x §|& cat\n",
        "jq . x &>>§log\n",
        "case $x in a) echo 1 §;& b) echo 2 ;; esac\n",
        "case $x in a) echo 1 §;;& b) echo 2 ;; esac\n",
        "§coproc cat\n",
        "wait §-n\n",
        "printf §'%(%s)T' -1\n",
        "[[ §-v x ]]\n",
        "[ §-v x ]\n",
        "exec {fd}>§x\n",
        "read §-rN 3 x <y\n",
        "read §-i a -e x <y\n",
        "read -rt §0.5 x <y\n",
        "x=§$'\\u00e9'\n",
        "printf §'\\u00e9\\n'\n",
        "echo -e §'\\U0001f389'\n",
        "for i in §{01..10}; do echo $i; done\n",
        "echo §{1..9..2}\n",
        "shopt -s §inherit_errexit\n",
        "shopt -s nullglob §globstar\n",
        'echo §"$EPOCHSECONDS"\n',
        'x="$(case $y in §a) echo 1 ;; esac)"\n',
        'list=()\n[ -z "$1" ] || list+=("$1")\necho §"${list[@]}"\n',
    ],
)
def test_found(text: str) -> None:
    expect_marked(_ID, text)


@pytest.mark.parametrize(
    "text",
    [
        "# declare -A x; mapfile y; a |& b\n",
        "echo 'a |& b ;& coproc x' \"mapfile ;;&\"\n",
        "jq '.x |= 1 // \"${x^^}\"' <<<1\n",
        "cat <<'END'\ndeclare -A x\n${x^^} |& ;&\nEND\n",
        'declare -a list\nlist=(a b)\necho "${list[@]}" "${#list[@]}" "${list[0]}"\n',
        "local_x=1\nreadonly -a y=(1)\n",
        'echo "${x:1}" "${x: -1}" "${x:0:3}" "${!x}" "${x//a/b}" "${x%,}" "${x#^}"\n',
        "wait\nwait $!\n",
        "read -r -n 3 -t 5 -p 0.5 x <y\nx=$'\\n\\t'\njq '\"\\u00e9\"' <<<1\nprintf '%s' é\n",
        "printf '%s (%d)\\n' a 1\n",
        "for i in {1..10} {a,b}; do echo $i; done\n",
        "shopt -s nullglob\nshopt -s inherit_errexit 2>/dev/null || true\n",
        'x="$(case $y in (a) echo 1 ;; esac)"\n',
        "case $x in a) echo 1 ;; b) echo 2 & ;; esac\n",
        "jq . x 2>&1 | cat &>log\n",
        'list=()\nlist+=(a)\necho ${list[@]+"${list[@]}"}\n',
        'list=()\nif [ "${#list[@]}" -gt 0 ]; then echo "${list[@]}"; fi\n',
        'list=(a)\necho "${list[@]}"\n',
        "mapfile() { :; }\nmapfile x\n",
        "test -n x\n",
        ": $(( x | y ))\n",
    ],
)
def test_look_alikes(text: str) -> None:
    expect_nothing(_ID, text)


def test_the_version_is_named() -> None:
    (found,) = findings_of(_ID, subject_of("wait -n\n"))
    assert found.message == "wait -n is not known to Bash 3.2, but since 4.3"


def test_without_nounset_an_empty_list_is_no_matter() -> None:
    expect_marked(_ID, 'list=()\necho "${list[@]}"\n', strict=False)
