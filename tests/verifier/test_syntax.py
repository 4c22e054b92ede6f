"""Commands with their names, arguments and places."""

from tests.verifier.scripts import subject_of
from verifier.syntax import Syntax, is_bash, syntax_of
from verifier.words import may_be_several, parameters, template


def _syntax(text: str, files: dict[str, str] | None = None) -> Syntax:
    return syntax_of(subject_of(text, files))


def _named(text: str) -> list[tuple[str, tuple[str | None, ...]]]:
    return [(call.name, call.literals()) for call in _syntax(text).calls]


def test_what_merely_starts_a_command_is_taken_away() -> None:
    assert _named("env -u A B=1 /usr/bin/gh api x\n") == [("env", ("-u", "A", "B=1")), ("gh", ("api", "x"))]
    assert _named("timeout -k 5 10 gh api\n")[-1] == ("gh", ("api",))
    assert _named("xargs -0 -n 1 jq .\n") == [("xargs", ("-0", "-n", "1")), ("jq", (".",))]
    assert _named("command -p gh x\nexec gh y\n")[1::2] == [("gh", ("x",)), ("gh", ("y",))]
    assert _named("nice -- gh x\n")[-1] == ("gh", ("x",))


def test_a_look_up_starts_nothing() -> None:
    assert _named("command -v gh\ntimeout 5\nenv\n") == [("command", ("-v", "gh")), ("timeout", ("5",)), ("env", ())]


def test_names_that_only_a_run_tells_are_left_out() -> None:
    assert _named('"$x" a\nenv "$x" b\nx="$y"\n') == [("env", ())]
    assert _named('"$x" a\nx="gh api"\n') == []


def test_a_variable_that_is_assigned_one_word_names_a_command() -> None:
    assert _named('x=/opt/gh\n"$x" api a\n') == [("gh", ("api", "a"))]


def test_find_starts_a_command_for_what_it_finds() -> None:
    assert _named("find . -name a -exec gh api x \\; -execdir rm {} +\n")[1:] == [("gh", ("api", "x")), ("rm", ("{}",))]
    assert _named("find . -exec\nfind . -name b\n") == [("find", (".", "-exec")), ("find", (".", "-name", "b"))]


def test_functions_hide_programs_of_their_name() -> None:
    syntax = _syntax("curl() { :; }\ncurl x\njq .\n")
    assert list(syntax.named("curl")) == []
    assert [call.name for call in syntax.named("jq")] == ["jq"]
    assert set(syntax.functions) == {"curl"}


def test_what_a_function_runs_of_its_arguments_is_a_call() -> None:
    retry = 'retry() { local most="$1"; shift; "$@" || "$@"; }\n'
    assert _named(f"{retry}retry 3 gh api x\n")[1:] == [("retry", ("3", "gh", "api", "x")), ("gh", ("api", "x"))]
    assert _named('two() { shift 2; "$@"; }\ntwo a b gh\n')[1:] == [("two", ("a", "b", "gh")), ("gh", ())]
    assert _named('two() { shift "$x"; "$@"; }\ntwo a gh\ntwo\n')[1:] == [("two", ("a", "gh")), ("gh", ()), ("two", ())]
    assert _named('run() { "$1" x; }\nrun gh\n') == [("run", ("gh",))]
    assert _named('run() { run "$@"; }\nrun gh\n') == [("run", (None,)), ("run", ("gh",))]


def test_what_is_started_by_another_command_or_by_its_path_is_no_function() -> None:
    syntax = _syntax("gh() { :; }\ngh a\ncommand gh b\n/usr/bin/gh c\ntimeout 5 gh d\ntime gh e\n")
    assert [call.literals() for call in syntax.named("gh")] == [("b",), ("c",), ("d",)]


def test_a_function_that_hands_all_on_to_the_program_of_its_name_does_not_hide_it() -> None:
    syntax = _syntax('gh() { command gh "$@"; }\njq() { command jq .; }\ngh a\njq b\n')
    assert [call.literals() for call in syntax.named("gh")] == [(None,), ("a",)]
    assert [call.literals() for call in syntax.named("jq")] == [(".",)]


def test_commands_are_found_wherever_they_stand() -> None:
    text = (
        'a "$(b)" <(c) <<<"$(d)"\nif e; then f; elif g; then h; else i; fi\nwhile j; do k; done\n'
        'for x in $(l); do m; done\ncase "$(n)" in o) p ;; esac\nq && r || s\nt | u\n! v\nw &\n{ x; }\n( y )\n'
        'f() { z; }\n[[ "$(aa)" ]]\n(( x = $(bb) ))\nlocal c="$(cc)"\nd="${e:-$(dd)}"\ncat <<END\n$(ee)\nEND\n'
    )
    names = {call.name for call in _syntax(text).calls}
    wanted = {*"abcdefghijklmnpqrstuvwxyz", "aa", "bb", "cc", "dd", "ee", "cat"} - {"o"}
    assert names == wanted


def test_places_are_counted_in_characters() -> None:
    (call,) = _syntax("é=1\n  x=\"é$(gh api 'a')\"\n").calls
    assert call.at == (".github/graders/score.sh", 2, 9)
    assert call.place(call.arguments[1])[1:] == (2, 16)


def test_options() -> None:
    (call,) = _syntax('sort -rn --key=1 "-$x" -- -u\n').calls
    assert call.has("n") is call.arguments[0]
    assert call.has("", "--key") is call.arguments[1]
    assert call.has("u") is None
    assert call.has("x") is None


def test_texts() -> None:
    text = (
        "A='x y'\nB=\"$A/z\"\nC=1\nC=2\nD=$(cat <<'END'\np\nq\n\nEND\n)\n"
        "read -r -d '' E <<'END'\nr\nEND\nfor F in 1; do :; done\n"
    )
    syntax = _syntax(text + 'echo "$B" "$C" "$D" "$E" "$F" "${A:-1}" "$(date)" "$none"\n')
    (call,) = syntax.named("echo")
    assert [syntax.text_of(word) for word in call.arguments] == ["x y/z", None, "p\nq", "r\n", None, None, None, None]
    assert template(call.arguments[0]) == "\0"


def test_a_variable_of_itself_ends() -> None:
    syntax = _syntax('A="$A"\necho "$A"\n')
    (call,) = syntax.named("echo")
    assert syntax.text_of(call.arguments[0]) is None


def test_texts_that_double_are_given_up_in_time() -> None:
    text = "A=aaaaaaaaaa\n" + "".join(f'V{n}="{f"$V{n - 1}" * 50 if n else "$A"}"\n' for n in range(8))
    syntax = _syntax(text + 'echo "$V1" "$V7"\n')
    (call,) = syntax.named("echo")
    assert [len(syntax.text_of(word) or "") for word in call.arguments] == [500, 0]


def test_deep_nesting_ends_in_a_finding_or_in_none() -> None:
    for depth in (50, 100, 200, 400):
        _syntax("{ " * depth + "gh x; " + "}; " * depth + "\n").calls  # noqa: B018 - it must not raise
        _syntax("x=" + "$(" * depth + "gh" + ")" * depth + "\n").mentions("gh")


def test_words_that_may_be_several() -> None:
    (call,) = _syntax('echo a "$b" $b "$@" "${c[@]}" "${d[0]}" "${e[@]:1}" "${f:-$g}"\n').calls
    assert [may_be_several(word) for word in call.arguments] == [False, False, True, True, True, False, True, False]
    assert [one.name for one in parameters(call.arguments[-1])] == ["f", "g"]


def test_comments_are_no_mention() -> None:
    syntax = _syntax("x=1 # incomplete_results\necho 'a # b' \"$(jq . # c\n)\"\n(( x#y ))\n")
    assert not syntax.mentions("incomplete_results")
    assert not syntax.mentions("# c")
    assert syntax.mentions("a # b")


def test_files_that_are_no_scripts_are_mentioned_but_not_read() -> None:
    main = 'jq -f "$(dirname "${BASH_SOURCE[0]}")/lib.jq"\n'
    syntax = _syntax(main, {".github/graders/lib.jq": "def f: .incomplete_results;\n"})
    assert syntax.mentions("incomplete_results")
    assert [is_bash(file) for file in syntax.subject.files] == [True, False]
    assert len(syntax.bodies) == 1


def test_a_file_that_cannot_be_analysed_has_no_commands() -> None:
    assert _syntax("echo ${x~}\n").calls == ()


def test_a_here_document_with_another_command_beside_it_is_not_all_that_is_printed() -> None:
    syntax = _syntax("x=\"$(cat <<'END'\na\nEND\n)\"\ny=\"$(cat <<'END'\na\nEND\nf)\"\n")
    x, y = syntax.constant("x"), syntax.constant("y")
    assert x is not None
    assert y is not None
    assert (syntax.text_of(x), syntax.text_of(y)) == ("a", None)
