"""Run a script's modes from a private copy, in an empty folder, with an environment built from nothing (DESIGN 4.9).

A script is any Bash script of the schema-4 kind; whether it may be trusted is not asked here, ``regrade`` takes care
that only a verified one arrives. Not read here: what the modes print.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Final

from opvalue.errors import OpvalueError
from opvalue.evaluator.environment import environment
from opvalue.evaluator.errors import BadLayout
from opvalue.evaluator.layout import Layout, make_folder
from opvalue.evaluator.staged import BROKER, STAND_IN, TOOLS, TREE, Staged
from opvalue.evaluator.stand_in import StandIn
from opvalue.evaluator.tools import Tools, interpreter
from opvalue.identity import Host, RepoPath
from opvalue.limits import Limits
from opvalue.process import Detection, detect, private_folder

_LIMITS: Final = Limits()
_SWITCHED_OFF: Final = Detection(None, "it was switched off")


class Runner:
    """Runs scripts within limits. Tools and sandbox are looked for when first needed, once per process.

    By default the sandbox is used where it works. ``sandboxed=False`` does without; ``require_sandbox`` refuses to.
    May be used from several threads.
    """

    def __init__(
        self,
        limits: Limits = _LIMITS,
        *,
        sandboxed: bool = True,
        require_sandbox: bool = False,
        tools: Tools | None = None,
    ) -> None:
        self._limits = limits
        self._sandboxed = sandboxed
        self._require_sandbox = require_sandbox
        self._tools = tools

    @property
    def tools(self) -> Tools:
        """The programs in use. Raises ``ProgramMissing``."""
        if self._tools is None:
            self._tools = Tools.find()
        return self._tools

    def prepare(self) -> None:
        """Begin to look for the tools, their versions and the sandbox beside other work, and return at once.

        Whatever goes wrong is raised where the result is needed.
        """
        Thread(target=self._look, daemon=True).start()

    @property
    def layers(self) -> tuple[str, ...]:
        """The names of the sandbox layers in force; none without a sandbox."""
        sandbox = self._detect().sandbox
        return () if sandbox is None else sandbox.layers

    @property
    def no_sandbox_reason(self) -> str | None:
        """Why there is no sandbox, or ``None`` when there is one."""
        detection = self._detect()
        return None if detection.sandbox is not None else detection.reason

    def tool_versions(self) -> dict[str, str]:
        """Return the versions of bash and jq. Raises what ``Tools.find`` and ``Tools.versions`` raise."""
        return self.tools.versions()

    @contextmanager
    def stage(
        self, path: RepoPath, files: Iterable[tuple[RepoPath, bytes]], host: Host, stand_in: StandIn
    ) -> Iterator[Staged]:
        """Lay the script at ``path`` and its siblings into a private folder; remove it at the end.

        ``files``: all of them, the script included, at their repository paths. ``host``: the one its evidence is of.
        Raises ``BadLayout``, ``CannotLay``, ``ProgramMissing``, ``NotBash``, ``SandboxMissing``, ``SandboxUnsure``,
        ``NoPrivateFolder``, ``NotRemoved``, ``PathRefused``.
        """
        self.tools.bash_version()
        detection = self._detect()
        sandbox = detection.required() if self._require_sandbox else detection.sandbox
        tree = _tree(files)
        script = tree.get(f"{TREE}/{path}")
        if script is None:
            raise BadLayout(f"the script {path} is not among the files to lay out")
        programs = {f"{STAND_IN}/{_plain(name)}": data for name, data in stand_in.files}
        links = {f"{TOOLS}/{name}": tool for name, tool in self.tools._asdict().items()}
        with private_folder() as root:
            layout = Layout(root, {**tree, **programs}, links, folders=(STAND_IN,))
            make_folder(root / BROKER)
            yield Staged(
                root,
                layout,
                path,
                script,
                limits=self._limits,
                tools=self.tools,
                sandbox=sandbox,
                environment=lambda folders: environment(
                    folders, self.tools, host, workspace=len(tree) > 1, added=stand_in.environment
                ),
            )

    def _look(self) -> None:
        with suppress(OpvalueError):
            self.tools.bash_version()
            self._detect()
            self.tool_versions()

    def _detect(self) -> Detection:
        if not self._sandboxed:
            return _SWITCHED_OFF
        python = interpreter()
        return detect((self.tools.bash, self.tools.jq, python.program), python.libraries)


def _tree(files: Iterable[tuple[RepoPath, bytes]]) -> dict[str, bytes]:
    laid: dict[str, bytes] = {}
    for path, data in files:
        # A path may have been built without its own checks; they are what keeps it inside.
        name = f"{TREE}/{RepoPath.parse(path.text)}"
        if name in laid:
            raise BadLayout(f"{path} is to be laid out twice")
        laid[name] = data
    return laid


def _plain(name: str) -> str:
    if not name or "/" in name or "\0" in name or name in {".", ".."}:
        raise BadLayout(f"the stand-in's file {name!r} has no plain name")
    return name
