"""A script sources a file outside the repository in a way meant to slip past the reader. Each way works in Bash."""

import subprocess
from pathlib import Path

import pytest

from opvalue.bash import read_closure
from opvalue.errors import OpvalueError
from opvalue.evaluator import parse_with_shfmt
from opvalue.identity import RepoPath
from tests.bash.trees import needs_bash_5

WAYS = [
    "bash %s",
    "sh < %s",
    "bash -s < %s",
    "env bash -e %s",
    'mapfile -C "source %s #" -c 1 lines <<< x',
    "source %s",
    ". %s",
    "\\source %s",
    "'source' %s",
    's"our"ce %s',
    "sou\\\nrce %s",
    "$'source' %s",
    "$'sour\\143e' %s",
    "builtin source %s",
    "command . %s",
    "builtin command builtin source %s",
    "x=source\n$x %s",
    "x=.\n\"$x\" %s",
    '"true"\n\\source %s',
    "'true'\n\\. %s",
    "time source %s",
    "! time source %s",
    "time { source %s; }",
    "{ source %s; } <<< x",
    "coproc source %s\nwait",
    "coproc f { source %s; }\nwait",
    "echo `source %s`",
    'echo "`source %s`"',
    'echo "${x:-`source %s`}"',
    'echo "${x:-$(source %s)}"',
    "cat <<X\n$(source %s)\nX",
    "cat <<X\n  $(source %s)\nX",
    "cat <<X\n`source %s`\nX",
    "cat <<X\n${a:-`source %s`}\nX",
    "cat <<A <<B\nx\nA\n$(source %s)\nB",
    "a[$(source %s)0]=1",
    "a=([$(source %s)0]=1)",
    "echo ${a[$(source %s)0]}",
    "echo $((10#$(source %s)0))",
    "echo $[$(source %s)0]",
    "(( $(source %s)0 ))",
    "for ((i = $(source %s)0; i < 1; i++)); do :; done",
    "[ \\( a \\) -a \"$(source %s)\" ]",
    "[[ a =~ $(source %s) ]]",
    "case $(source %s) in x) ;; esac",
    "case x in $(source %s)) ;; esac",
    "case x in (x) source %s ;& y) : ;; esac",
    "x=${a:-{\\}$(source %s)}",
    "echo {a,$(source %s)}",
    "cat < <(source %s)",
    "true > >(source %s)\nwait",
    "3<> /dev/null source %s",
    "f() { source %s; } > /dev/null\nf",
    "f() if true; then source %s; fi\nf",
    "f() { source %s; }\n$(echo f)",
    "trap 'source %s' EXIT",
    "trap -- '. %s' 0",
    "eval 'source %s'",
    "eval source %s",
    "eval \"eval 'source %s'\"",
    'x=%s\neval "source $x"',
    "bash -c 'source %s'",
    "bash <<< 'source %s'",
    "bash <<'X'\nsource %s\nX",
    'x=%s\nbash -c ". $x"',
    "shopt -s extglob\n!(source %s) 2> /dev/null || source %s",
    "! (source %s)",
    "if !(source %s); then :; fi",
    "shopt -s expand_aliases\nalias x='source %s'\nx",
    "cd /\nsource .%s",
    "source %s#",
    "source %s \\\n  more",
    "true |& source %s",
    "true && true || true; source %s",
    "true &\nsource %s",
    "# comment \\\nsource %s",
    "exec 3< %s\nsource /dev/fd/3",
    "source /dev/stdin < %s",
    "source <(cat %s)",
    "declare x=$(source %s)",
    'local_() { local x="$(source %s)"; }\nlocal_',
    "export x=`source %s`",
    "set -- %s\nsource \"$1\"",
    'f() { source "$1"; }\nf %s',
    "select x in a; do source %s; break; done <<< 1",
    "PATH=%s.d\nsource marker",
    "$x source %s",
    "x=\n$x source %s",
    "${x:+echo} source %s",
    "$(true) . %s",
    '"${a[@]}" source %s',
    '"$@" source %s',
    "x='source %s'\n$x",
    "x='source'\n$x$y %s",
    "x='bash -c'\n$x 'source %s'",
    "IFS=:\nx=source:%s\n$x",
    "IFS=:\nx=%s:y\nsource $x",
    "{source,%s}",
    "BASH_ENV=%s bash -c :",
    "export BASH_ENV=%s\nbash -c :",
    "export BASH_ENV\nread -r BASH_ENV <<< %s\nbash -c :",
    "env BASH_ENV=%s bash -c :",
    "env -i bash -c 'source %s'",
    "bash --rcfile %s -i -c :",
    "find / -maxdepth 0 -exec bash -c 'source %s' ';'",
    "source() { :; }\nunset -f source\nsource %s",
    "if false; then source() { :; }; fi\nsource %s",
    "( source() { :; } )\nsource %s",
    "if true; then f() { source %s; }; else f() { :; }; fi\nf",
    "$BASH -c 'source %s'",
    "x=c\nbash -$x 'source %s'",
]  # fmt: skip


@needs_bash_5
@pytest.mark.parametrize("way", WAYS)
def test_what_bash_would_load_is_refused(way: str, tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    for file in (tmp_path / "outside", tmp_path / "outside#", tmp_path / "outside.d" / "marker"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"echo loaded >> '{marker}'\n")
    script = way.replace("%s", str(tmp_path / "outside"))
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin"}
    command = ["bash", "-c", script, "main"]
    subprocess.run(command, cwd=tmp_path, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert marker.exists(), "Bash does not load it, so this shows nothing"

    with pytest.raises(OpvalueError) as caught:
        read_closure(RepoPath.parse("a/main.sh"), script.encode(), lambda _path: None, parser=parse_with_shfmt)
    assert caught.value.code.startswith("bash.")
