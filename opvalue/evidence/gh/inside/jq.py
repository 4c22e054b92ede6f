"""``--jq``: the system's jq runs the program, and what it prints is formatted as gh's own jq would have it.

gh's jq is another program (gojq). What is made alike: order of keys, numbers, texts, the escapes of what is nested,
names that only one of the two knows (``prelude``). What is not: ``docs/gh.md`` has the list.
"""

import posix

from .documents import encode, parse
from .failure import Ended, Unsupported
from .prelude import prepared
from .streams import native, read_all

_RUNTIME_ERROR = 5


def run_filter(program: str, body: bytes, jq: str, output: "list[bytes]") -> None:
    """Append what the program makes of a document; also what it printed before an error.

    Raises ``Failed`` for what is no document, ``Ended`` when jq complained, ``Unsupported`` when it could not begin.
    """
    import json  # noqa: PLC0415 - loaded by now, or about to be

    document = _encoded(json.dumps(parse(body), sort_keys=True, ensure_ascii=False))
    status, printed = _run(jq, prepared(program), document)
    for line in printed.split(b"\n"):
        if line:
            output.append(_formatted(json.loads(line.decode("utf-8", "replace"))))
    if status == 0:
        return
    if status == _RUNTIME_ERROR:
        raise Ended
    # Its reason is on standard error. gh's jq may well have understood the program.
    raise Unsupported(f"jq (status {status}) does not understand the program of --jq: {program}")


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        # Halves of pairs become the replacement character, as in gh.
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def _formatted(value: object) -> bytes:
    return f"{_shown(value)}\n".encode("utf-8", "replace")


def _shown(value: object) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, (bool, list, dict)):
        return encode(value)
    return _scalar_number(value) if isinstance(value, (int, float)) else str(value)


def _scalar_number(value: "int | float") -> str:
    double = float(value)
    return f"{double:.0f}" if double.is_integer() else f"{double:.2f}"


def _run(jq: str, program: str, document: bytes) -> "tuple[int, bytes]":
    """Run jq over a document; return its exit status and what it printed. Its complaints go where ours go."""
    from _thread import start_new_thread  # noqa: PLC0415 - only here

    fed, feeding = posix.pipe()
    reading, written = posix.pipe()
    actions = [(posix.POSIX_SPAWN_DUP2, fed, 0), (posix.POSIX_SPAWN_DUP2, written, 1)]
    try:
        child = posix.posix_spawn(native(jq), [b"jq", b"-c", native(program)], posix.environ, file_actions=actions)
    except OSError as error:
        raise Unsupported(f"jq cannot be started: {error.strerror}") from None
    posix.close(fed)
    posix.close(written)
    start_new_thread(_feed, (feeding, document))
    printed = read_all(reading)
    posix.close(reading)
    status = posix.waitpid(child, 0)[1]
    return posix.waitstatus_to_exitcode(status), printed


def _feed(descriptor: int, document: bytes) -> None:
    # jq may end before it has read everything.
    try:
        view = memoryview(document)
        while view:
            view = view[posix.write(descriptor, view) :]
    except OSError:
        pass
    finally:
        posix.close(descriptor)
