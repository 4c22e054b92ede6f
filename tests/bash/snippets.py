"""Legal Bash, one construct an entry: what every reader here is held against, and `bash -n` first of all."""

_LINE = r"""
true
a b c # comment
# only a comment
a; b
a;
a &
a & b &
a && b || c && d
a && b || c & d
a | b | c
a |& b
! a
! a | b
! a && b
! [[ -n x ]]
( a; b )
{ a; b; }
{ a; } && ( b )
( a ) | { b; }
( a ) > out 2>&1
{ a; } < in
a > out
a 2>/dev/null
a >> out 2>> err
a < in > out
> out
a &> out
a &>> out
a >| out
a 2>&1 | b
a >&2
a <&-
a <<< word
a <<< "$x" | b
a > "$x/y" arg
A=1
A=1 B=2
A=1 b c
A= b
A=
A="x y" B='z' C=$d
A+=x
A=$B/c
A="$B"/c
A=${B}c
A=~/x
a=(b c)
a=(b "$c" $(d) 'e f')
a+=(b)
a[1]=b
a[$i]=b
a["x y"]=b
a=()
a=([x]=y [z]="$w")
declare -A m
declare -A m=([a]=b [c]="$d")
declare a b=c
declare -r a="$b"
readonly A="x" B
local x y=1 z="$1"
typeset x=1
export A
export A=1 B=$C
export "A=$x"
export -f f
unset x
unset -f f
unset x y
echo $a ${b} "$c" "${d}"
echo "a $b c $d" ' e $f '
echo " $a"
echo "$a $b"
echo "$a  $b  "
echo "  "
echo ""
echo ''
echo "a\"b\$c\\d\`e"
echo a\ b\"c\$d\\
echo a"b"c'd'e$f
echo "$a"/b/"$c".sh
echo $'a\nb' $'x'
echo $'it\'s'
echo $1 $2 ${10} $@ $* $# $? $$ $! $0 $-
echo "$@" "$*" "$#" "$?" "$$" "$0"
echo "${@:2}" "${*}"
echo ${a:-b} ${a-b} ${a:=b} ${a=b} ${a:?b} ${a?b} ${a:+b} ${a+b}
echo "${a:-}" "${a:-b c}" "${a:-"b c"}" "${a:-$b}" "${a:-$(b)}" "${a:-${b:-c}}"
echo "${a:?message with words}"
echo ${a:-b/c} ${a:-'b c'} ${a:-"$b"/c}
echo ${a#b} ${a##b} ${a%b} ${a%%b}
echo ${a%/*} ${a##*/} ${a%%.*} ${a#*.}
echo "${a%/*}" "${a##*/}"
echo "${a#"$b"}" "${a#"$b"/}" "${a%"$b"}"
echo ${a/b/c} ${a//b/c} ${a/#b/c} ${a/%b/c} ${a//b}
echo ${#a} ${#a[@]} ${!a} ${!a@} ${!a[@]}
echo ${a[0]} ${a[@]} ${a[*]} ${a[$i]} ${a[-1]} "${a[i+1]}"
echo ${a^} ${a^^} ${a,} ${a,,} ${a@Q}
echo "${a[@]:-}" "${a[0]:-b}"
echo $(a) "$(b)" "$(c "$(d)")" $(e | f)
echo $(a; b) $(a && b) $(< file)
echo "$(a)" "x$(b)y"
echo $((1 + 2)) $((a + $b)) "$((a))" $(( $(a) + 1 ))
echo <(a) >(b)
a < <(b)
a > >(b)
echo {a,b} {1..3} {a,"b c"}
echo *.sh a? [ab] [!a]* ~ ~/x
echo a=b -x=y --z
echo if then else fi for in do done
echo a{b}c }
echo a#b
echo 1 2.5 -3 007
"$a" b
$a b
${a} b
"a" b
'a' b
\a b
a\b c
a/b/c d
./a b
"$a/b.sh" c
"$a"/b.sh c
$(a) b
. a
. "$a/b"
source a
source "$a/b" c
\source a
'source' a
builtin source a
command . a
eval "a $b"
exec a "$@"
exec 3< file
trap 'a "$b"' EXIT
[ a ]
[ -n "$a" ]
[ "$a" = b ]
[ "$a" == "b" ]
[ "$1" = --definition ]
[ "$1" != "--definition" ]
[ x"$1" = x--definition ]
[ "$1" = '--definition' -o "$1" = -d ]
[ -f "$a" -a -r "$a" ]
[ ! -f "$a" ]
[ "$a" -gt 1 ] && b
[ $# -eq 0 ]
[ -z "${a:-}" ] || b
test -f "$a"
test "$1" = --definition
[[ a ]]
[[ -n $a ]]
[[ $a == b ]]
[[ $1 == --definition ]]
[[ "$1" = "--definition" ]]
[[ $1 == --definition && -n $2 || ! -f x ]]
[[ ( $a == b ) && $c != d ]]
[[ $a == *b* ]]
[[ $a == "b"* ]]
[[ $a == [ab]* ]]
[[ $a =~ ^b$ ]]
[[ $a =~ ^(b|c)$ ]]
[[ $a =~ ^[0-9]+$ ]]
[[ $a =~ $b ]]
[[ $a < $b ]]
[[ $a > b ]]
[[ $a -nt $b ]]
[[ -v a ]]
[[ -L "$a" || -h $b ]]
[[ $a == "$b" ]]
[[ $a == "$b"/* ]]
[[ "${a}" == "${0}" ]]
[[ -n "$(a)" ]]
(( a ))
(( a = 1 ))
(( a++ ))
(( a > 1 && b < 2 ))
(( $(a) ))
let a=1
if a; then b; fi
if a; then b; else c; fi
if a; then b; elif c; then d; elif e; then f; else g; fi
if ! a; then b; fi
if [ a ]; then b; fi
if [[ a ]]; then b; fi
if (( a )); then b; fi
if a && b; then c; fi
if a; b; then c; d; fi
if a; then b; fi > out
if ( a ); then b; fi
while a; do b; done
while a; b; do c; d; done
until a; do b; done
while read -r a; do b; done < file
while IFS= read -r a; do b; done < <(c)
while :; do b; break; done
while a; do b; done <<< "$x"
a | while read -r b; do c; done
for a in b c; do d; done
for a in "$b" $(c) {1..3} *.sh; do d; done
for a; do b; done
for (( a=0; a<3; a++ )); do b; done
select a in b c; do d; done
case $a in b) c;; esac
case "$a" in b|c) d;; *) e;; esac
case "${1:-}" in --definition) a;; --metric) b;; --grade-run) c;; *) d;; esac
case $a in "b"*) c;; 'd') e;; esac
case $a in ""|*[!0-9]*) b;; esac
case $a in *.sh) b;; ?) c;; [ab]) d;; esac
case $a in b) ;; esac
case $a in "$b") c;; $d) e;; "$f"/*) g;; esac
case $a in --definition|-d) b;; esac
case $a in -d|--definition) b;; esac
case "$1" in '--definition') b;; esac
case $1 in --def*) b;; esac
case $# in 0) a;; 1) b;; esac
case $a:$b in x:y) c;; esac
case $a in esac
f() { a; }
f () { a; }
function f { a; }
function f() { a; }
f() ( a )
f() { a; } > out
f() { local a="$1"; b "$a"; }
f-g() { a; }
f() if a; then b; fi
f() [[ -n x ]]
echo $[1+2]
echo ${a/$b/c}
echo "${a/"$b"/c}"
case $1 in (--definition) a ;; esac
case $1 in b) a ;& c) d ;;& *) e;; esac
[[ $a = @(b|c) ]]
[[ $a == !(b) ]]
a 2>&1 >out <in
a > out b < in c
> out a b
< in a
2>err a > out
A=1 > out a
A=1 B=$(c) d > out
a && b > out
a && b > out 2>&1 || c
a | b > out
! a > out
a && [ b ] > out
a && b | c > out
a || { b; c; } > out
a || b; c
[ a ] && [ b ] || [ c ]
[[ a ]] && b || c
(( a )) && b
a && if b; then c; fi
a | if b; then c; fi
a && b & c
exec > out
exec 2>&1
set -euo pipefail
set -- a b "$@"
shift
shift 2
return 1
exit 0
printf '%s\n' "$a"
printf -v a '%s' "$b"
read -r a b <<< "$c"
a() { b; }; a
echo "$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
DIR="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" >/dev/null 2>&1 && pwd -P)"
DIR=$(cd "$(dirname "$0")"; pwd)
DIR="${BASH_SOURCE[0]%/*}"
DIR=$(dirname $0)
ROOT="${GITHUB_WORKSPACE:-$(git rev-parse --show-toplevel)}"
: "${GITHUB_WORKSPACE:?set it}"
: "${A:=$(dirname "$0")}"
readonly DIR="$(dirname "$(readlink -f "$0")")"
[[ -f "$DIR/a.sh" ]] && . "$DIR/a.sh"
[ -r "$a" ] && source "$a" || true
jq -n '{a: 1, b: "x"} | .a'
jq --arg a "$b" '.[] | select(.c == $a)' <<< "$d"
jq -r '"\(.a) \(.b)"' file
a "$(jq -n --arg b "$c" '{b: $b}')"
echo 'a `b` c'
echo "a \`b\` c"
awk '{ print $1 }' file
sed -e 's/a/b/' -e "s/$c/d/"
find . -name '*.sh' -exec a {} \;
find . \( -name a -o -name b \) -print
a --b=c --d="$e" --f='g'
a -b$c -d"$e"
echo é "ü" 'ß' —
while a; do b; done < in > out
if a; then :; fi; b
trap 'rm -rf "$tmp"' EXIT
eval "$(a)"
a <(b) <(c | d)
while IFS=$'\t' read -r a b; do c; done
printf '%s' "{\"a\":\"$b\"}"
x="${a:-{}}"
echo "${a:-'b'}"
echo "${a:+"$b"}"
echo "$a"b"$c"d
echo "a"$'b'"c"
a -- "$b" -- c
local a=$1 b=${2:-c}
x=$(a <<< "$b")
a || { b; exit 1; }
fi=1
echo a; # b
echo "${#a[@]}" "${a[@]:1}" "${!b}"
((a)) || b
[[ $1 =~ ^--(definition|metric)$ ]]
"""

_LINES = r"""
cat <<EOF
text
EOF
%%
cat <<EOF
a $b c ${d} e
EOF
%%
cat <<EOF
$(a) and $(b "c")
EOF
%%
cat <<'EOF'
a $b `c` $(d)
EOF
%%
cat <<"EOF"
a $b
EOF
%%
cat <<\EOF
a $b
EOF
%%
cat <<-EOF
	a
	EOF
%%
cat <<EOF
a \$b \`c\` \\d
EOF
%%
cat <<EOF > out
a
EOF
%%
cat > out <<EOF
a
EOF
%%
cat <<EOF | a
b
EOF
%%
cat <<EOF | a | b
c
EOF
%%
cat <<EOF && a
b
EOF
%%
cat <<EOF || exit 1
b
EOF
%%
a && cat <<EOF
b
EOF
%%
a | cat <<EOF
b
EOF
%%
if a; then
  cat <<EOF
b
EOF
fi
%%
f() {
  cat <<EOF
{"a": "$b"}
EOF
}
%%
a "$(cat <<EOF
b
EOF
)"
%%
{ cat <<EOF
a
EOF
}
%%
bash <<'EOF'
a
EOF
b
%%
cat <<EOF
don't
EOF
echo 'it'
%%
a \
  b \
  c
%%
a &&
  b ||
  c
%%
a |
  b |
  c
%%
a \
  && b \
  || c
%%
a b
'c' d
%%
a b
"c" d
%%
a b
$c d
%%
a
{ b; }
%%
a
( b )
%%
a
[ b ]
%%
a
! b
%%
A=1
B=2
c
%%
A=1 \
B=2 \
c
%%
export A
B=1
%%
export A=1
"b" c
%%
unset a
'b' c
%%
[ a ]
'b' c
%%
a > out
'b' c
%%
a <<< x
"b" c
%%
a=(
  b
  "c"
  # comment
  d
)
%%
case $a in
  # comment
  b | c)
    d
    ;;
  *)
    e # comment
    ;;
esac
%%
case "${1:-}" in
  --definition) definition ;;
  --metric)
    metric
    ;;
  *) usage; exit 2 ;;
esac
%%
if a
then
  b
elif c
then
  d
else
  e
fi
%%
while a
do
  b
done
%%
for a in b \
  c
do
  d
done
%%
f() {
  # comment
  local a
  a="$1" # comment
  if [[ -n $a ]]; then
    return 1
  fi
}
%%
f()
{
  a
}
%%
[[ a &&
   b ]]
%%
[[ $a == b
   || $c == d ]]
%%
a # comment with `backquotes` and 'quote
b
%%
a 'b
c' "d
e"
%%
echo "
$a
$b
"
%%
echo "$(
  a
  b
)"
%%
A="$(a |
  b)"
%%
jq '
  .a as $b
  | {c: $b}
' file
%%
a; b
c
%%
a & b
c
%%
a && b # comment
c
%%
a && # comment
b
%%
a | # comment
b
%%
for a in b; do
  c
done | d
%%
{
  a
} > out
%%
(
  a
  b
) | c
%%
function f
{
  a
}
%%
#!/usr/bin/env bash
a
%%
a() { b; }
c() { d; }
%%
SOURCE="${BASH_SOURCE[0]}"
while [ -h "$SOURCE" ]; do
  DIR="$( cd -P "$( dirname "$SOURCE" )" && pwd )"
  SOURCE="$(readlink "$SOURCE")"
  [[ $SOURCE != /* ]] && SOURCE="$DIR/$SOURCE"
done
%%
declare -a x=(
  a
)
%%
x=$(cat <<'EOF'
it's
EOF
)
%%
a || return
b
%%
return
"a" b
%%
a;
"b" c
%%
[[ $a == b ]]
"c" d
%%
let a=1
"b" c
"""

_MISREAD = r"""
echo ${a#$b}
%%
echo ${a:1} ${a:1:2} ${a: -1} ${a:$b:$c}
%%
for a do b; done
%%
time a
%%
time -p a | b
%%
coproc a
%%
coproc f { a; }
%%
time { a; }
%%
! time a
%%
a `b` c
%%
echo "`a`"
%%
echo "${a:-`b`}"
%%
echo $"a"
%%
echo "a `b "c"` d"
%%
[ a \> b ]
%%
[ \( a \) ]
%%
3<>f
%%
a {fd}> out
%%
echo ${x:-a|b}
%%
echo $((10#$x))
%%
{ a; } <<< x
%%
cat <<EOF
$a at the start
  $b after blanks
EOF
%%
cat <<EOF
 $(a)
EOF
%%
cat <<EOF
a `b`
EOF
%%
cat <<EOF
${a:-`b`}
EOF
%%
cat <<EOF | a && b
c
EOF
%%
cat <<EOF | a > out
c
EOF
%%
cat <<EOF; a
b
EOF
%%
a && cat <<EOF | b
c
EOF
%%
a <<EOF b
c
EOF
%%
a <<A <<B
b
A
c
B
%%
a <<A; b <<B
c
A
d
B
%%
a\
b c
%%
a "b\
c"
%%
"$a"
\source b
%%
a
\b
%%
time {
  a
}
%%
x=${a:-{\}}
%%
[[ "$1" == --@(definition|metric) ]]
%%
echo "a $ $b"
%%
case $a in *" b") c;; esac
%%
a -i - 2>c | b
%%
a $b$ c
%%
echo $a.$$
"""

_EXTGLOB = r"""
case $a in @(b|c)) d;; !(e)) f;; esac
%%
echo @(a|b) ?(c) *(d) +(e) !(f)
%%
!(a|b) c
"""


def _entries(text: str) -> tuple[str, ...]:
    return tuple(text.strip("\n").split("\n%%\n"))


SNIPPETS = (*_LINE.strip("\n").split("\n"), *_entries(_LINES))
"""What tree-sitter reads right."""

MISREAD = _entries(_MISREAD)
"""What tree-sitter marks as an error or misreads in silence."""

EXTGLOB = _entries(_EXTGLOB)
"""Legal once ``shopt -s extglob`` has run."""
