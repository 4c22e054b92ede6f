"""The files of keys, passphrases and signed statements: bounded reads, and nobody else's eyes on what is private."""

import os
import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

import click

from opvalue.cli.paths import PATH
from opvalue.errors import UsageError
from opvalue.limits import Limits

if TYPE_CHECKING:
    from opvalue.attestation import PrivateKey, PublicKey

_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
# Without O_NONBLOCK a named pipe would wait for its writer.
_FLAGS: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
_Function = TypeVar("_Function", bound=Callable[..., object])


class NamedKey(NamedTuple):
    """A public key, and the name of the file it came from."""

    file: str
    key: "PublicKey"


def passphrase_options(function: _Function) -> _Function:
    """Add the two ways to give a passphrase: ``passphrase_file`` and ``passphrase_env``. Never an argument."""
    function = click.option(
        "--passphrase-env", metavar="NAME", help="The environment variable that holds the key's passphrase."
    )(function)
    return click.option(
        "--passphrase-file",
        type=PATH,
        metavar="FILE",
        help="The file whose first line is the key's passphrase.",
    )(function)


def passphrase(file: Path | None, variable: str | None, environ: Mapping[str, str]) -> bytes | None:
    """Return the passphrase that was given, or ``None``. Raises ``PassphraseMissing`` where there is none."""
    from opvalue.attestation import errors  # noqa: PLC0415 - the commands that sign nothing load nothing of it

    if file is not None and variable is not None:
        raise UsageError("--passphrase-file and --passphrase-env contradict each other", hint="Give one or the other.")
    if file is not None:
        # Of a pipe as well: what a shell's <(...) gives.
        return read_file(file, Limits().key_bytes, what="the passphrase", private=True, pipe=True).partition(b"\n")[0]
    if variable is None:
        return None
    value = environ.get(variable)
    if value is None:
        raise errors.PassphraseMissing(f"the environment variable {variable} is not set", expected="a passphrase")
    return os.fsencode(value)


def private_key(path: Path, secret: bytes | None = None) -> "PrivateKey":
    """Read a private key; ``secret`` is its passphrase. Raises as ``read_file`` and ``parse_private_key`` do."""
    from opvalue.attestation import parse_private_key  # noqa: PLC0415

    return parse_private_key(read_file(path, Limits().key_bytes, what="the private key", private=True), secret)


def public_key(path: Path) -> NamedKey:
    """Read a public key. Raises the errors of ``read_file`` and ``parse_public_key``."""
    from opvalue.attestation import parse_public_key  # noqa: PLC0415

    return NamedKey(path.name, parse_public_key(read_file(path, Limits().key_bytes, what="the public key")))


def signer(key: Path, file: Path | None, variable: str | None, environ: Mapping[str, str]) -> "Signer":
    """Open the private key ``key`` at once, so that a wrong one is told before the work, and return what signs with it.

    ``file`` and ``variable`` are what ``passphrase_options`` gave.
    """
    return Signer(private_key(key, passphrase(file, variable, environ)))


class Signer:
    """Signs statements with one key. Its representation shows the key's id alone."""

    def __init__(self, key: "PrivateKey") -> None:
        self._key = key
        self.key_id = key.public.id

    def __call__(self, statement: Mapping[str, object]) -> bytes:
        """Return the envelope of a regrade statement, such as ``Regraded.statement``. Deterministic."""
        from opvalue.attestation import attest  # noqa: PLC0415

        return attest(statement, self._key)

    def add(self, envelope: bytes) -> bytes:
        """Return ``envelope`` with this key's signature added."""
        from opvalue.attestation import add_signature  # noqa: PLC0415

        return add_signature(envelope, self._key)

    def __repr__(self) -> str:
        return f"Signer({self.key_id})"


def read_file(path: Path, most: int, *, what: str, private: bool = False, pipe: bool = False) -> bytes:
    """Return the content of a regular file, links followed, up to one byte more than ``most``: that is for the caller.

    ``private`` refuses a file that others than its owner may read or write. ``pipe`` allows a pipe. Raises
    ``FileUnreadable`` and ``KeyNotPrivate``.
    """
    from opvalue.attestation import errors  # noqa: PLC0415

    try:
        with open(path, "rb", opener=lambda name, _flags: os.open(name, _FLAGS)) as file:
            mode = os.fstat(file.fileno()).st_mode
            if not stat.S_ISREG(mode) and not (pipe and stat.S_ISFIFO(mode)):
                raise errors.FileUnreadable(f"{what} {path} is not a file", expected="a regular file")
            if private and mode & _OTHERS:
                raise errors.KeyNotPrivate(
                    f"others may use {what} {path}",
                    expected="mode 0600 or 0400",
                    found=f"mode {stat.S_IMODE(mode):04o}",
                )
            os.set_blocking(file.fileno(), True)
            return file.read(most + 1)
    except OSError as error:
        raise errors.FileUnreadable(f"cannot read {what} {path}: {error.strerror}") from None
    except ValueError:
        raise errors.FileUnreadable(f"cannot read {what} {str(path)!r}: not a file name") from None
