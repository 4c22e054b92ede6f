"""Which command is meant, and how a process ends: silently or with one line, never with a traceback."""

import posix
from _signal import SIG_DFL, SIG_IGN, SIGINT, SIGPIPE, getsignal, signal  # type: ignore[import-not-found]  # no stub has it

from .failure import BrokenPages, Ended, Failed, ReaderGone, Unsupported
from .launcher import IN_SANDBOX
from .settings import Settings
from .streams import arguments, native, say, write
from .wire import Broker

_LONGEST_SHOWN = 300


def start(folder: str, values: "tuple[str, ...]") -> None:
    """Run the command of this process and end it. ``folder``: where the program lies. ``values``: the settings'."""
    if getsignal(SIGINT) is not SIG_IGN:
        # As a program that knows nothing of the keyboard: the shell sees that a signal ended it.
        signal(SIGINT, SIG_DFL)
    broker = Broker(_broker_of(folder))
    try:
        status = run(arguments(), Settings(*values), broker)
        broker.printed()
    except ReaderGone:
        broker.printed()
        signal(SIGPIPE, SIG_DFL)
        posix.kill(posix.getpid(), SIGPIPE)
        status = 141
    posix._exit(status)  # noqa: SLF001 - runs nothing more


def _broker_of(folder: str) -> str:
    """Return the folder of the broker's socket: beside the program; for a copy of it, where the sandbox has it."""
    for beside in (folder, IN_SANDBOX):
        try:
            posix.stat(native(f"{beside}/../broker/socket"))
        except OSError:
            continue
        return f"{beside}/../broker"
    return f"{folder}/../broker"


def run(words: list[str], settings: Settings, broker: Broker) -> int:
    """Carry out a command; return the exit status. What is not the script's own fault is told to the broker.

    Raises ``ReaderGone``: the signal that would end gh is to end this.
    """
    try:
        return _carried_out(words, settings, broker)
    except Failed as failed:
        say(failed.message)
        if failed.usage:
            from .help import USAGE  # noqa: PLC0415 - hardly ever needed

            say(USAGE)
        return failed.status
    except Ended as ended:
        return ended.status
    except ReaderGone:
        raise
    except BrokenPages as broken:
        return _told(broker, "broken-pages", words, broken.message)
    except Unsupported as unsupported:
        return _told(broker, "unsupported", words, unsupported.message)
    except Exception as error:
        # Whatever else it is must not pass for an answer of GitHub's.
        return _told(broker, "unsupported", words, f"the stand-in itself failed: {type(error).__name__}: {error}")


def _told(broker: Broker, matter: str, words: list[str], message: str) -> int:
    broker.tell(matter, f"gh {' '.join(words)[:_LONGEST_SHOWN]}: {message}")
    say(f"gh: {message}")
    return 1


def _carried_out(words: list[str], settings: Settings, broker: Broker) -> int:
    command = words[0] if words else "help"
    if command == "api":
        from . import api  # noqa: PLC0415 - `gh --version` does without

        api.run(words[1:], settings, broker)
    elif command == "auth":
        from . import auth  # noqa: PLC0415 - `gh api` does without

        auth.run(words[1:], settings)
    elif command in {"version", "--version"}:
        version = settings.version
        url = f"https://github.com/cli/cli/releases/tag/v{version}"
        write(f"gh version {version} (opvalue stand-in)\n{url}\n".encode())
    elif command in {"help", "--help", "-h"}:
        from . import help as texts  # noqa: PLC0415 - hardly ever asked for

        write((texts.API if words[1:2] == ["api"] else texts.ROOT).encode())
    else:
        raise Unsupported(f"gh {command} is not supported by this stand-in for gh; it knows api, auth and version")
    return 0
