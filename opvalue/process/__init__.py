"""Bounded children, and the sandbox layers around them (DESIGN 5). The one room that starts processes."""

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
    StatusLost,
    TimedOut,
)
from opvalue.process.interrupts import Terminated, interruptible
from opvalue.process.private import private_folder
from opvalue.process.programs import SYSTEM_FOLDERS, find_program, usual_path
from opvalue.process.sandbox import Detection, Mount, Sandbox, detect
from opvalue.process.undumpable import undumpable

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
    "StatusLost",
    "Terminated",
    "TimedOut",
    "detect",
    "find_program",
    "interruptible",
    "private_folder",
    "run",
    "undumpable",
    "usual_path",
]
