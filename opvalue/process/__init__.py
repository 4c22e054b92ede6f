"""Bounded children, and the sandbox layers around them (DESIGN 5). The one room that starts processes."""

from typing import TYPE_CHECKING

from opvalue.lazy import names_of
from opvalue.process.undumpable import undumpable

if TYPE_CHECKING:
    from opvalue.process.child import Command, Finished, run
    from opvalue.process.errors import (
        ArgumentsTooLong,
        BadArgument,
        CannotStart,
        FolderMissing,
        LeftRunning,
        NoPrivateFolder,
        NotExecutable,
        NotRemoved,
        OutputTooLarge,
        ProgramMissing,
        SandboxFailed,
        SandboxMissing,
        SandboxUnsure,
        StatusLost,
        TimedOut,
    )
    from opvalue.process.interrupts import Terminated, interruptible
    from opvalue.process.private import private_folder
    from opvalue.process.programs import SYSTEM_FOLDERS, find_program, usual_path
    from opvalue.process.sandbox import Detection, Mount, Sandbox, detect
    from opvalue.process.stopping import others_stopped

__all__ = [
    "SYSTEM_FOLDERS",
    "ArgumentsTooLong",
    "BadArgument",
    "CannotStart",
    "Command",
    "Detection",
    "Finished",
    "FolderMissing",
    "LeftRunning",
    "Mount",
    "NoPrivateFolder",
    "NotExecutable",
    "NotRemoved",
    "OutputTooLarge",
    "ProgramMissing",
    "Sandbox",
    "SandboxFailed",
    "SandboxMissing",
    "SandboxUnsure",
    "StatusLost",
    "Terminated",
    "TimedOut",
    "detect",
    "find_program",
    "interruptible",
    "others_stopped",
    "private_folder",
    "run",
    "undumpable",
    "usual_path",
]

__getattr__ = names_of(
    __name__,
    {
        "child": ("Command", "Finished", "run"),
        "errors": (
            "ArgumentsTooLong",
            "BadArgument",
            "CannotStart",
            "FolderMissing",
            "LeftRunning",
            "NoPrivateFolder",
            "NotExecutable",
            "NotRemoved",
            "OutputTooLarge",
            "ProgramMissing",
            "SandboxFailed",
            "SandboxMissing",
            "SandboxUnsure",
            "StatusLost",
            "TimedOut",
        ),
        "interrupts": ("Terminated", "interruptible"),
        "private": ("private_folder",),
        "programs": ("SYSTEM_FOLDERS", "find_program", "usual_path"),
        "sandbox": ("Detection", "Mount", "Sandbox", "detect"),
        "stopping": ("others_stopped",),
    },
)
