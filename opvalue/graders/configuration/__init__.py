"""The ``graders`` map of a workflow: normalised, checked, in manifest order (Graders Specification 3). Pure."""

from opvalue.graders.configuration.entry import OPERATIONAL_VALUE, Configuration, Entry, Source, defaults

__all__ = ["OPERATIONAL_VALUE", "Configuration", "Entry", "Source", "defaults"]
