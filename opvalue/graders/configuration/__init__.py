"""The ``graders`` map of a workflow: normalised, checked, in manifest order (Graders Specification 3). Pure."""

from opvalue.graders.configuration.configure import Layer, Place, configure, configured
from opvalue.graders.configuration.entry import OPERATIONAL_VALUE, Configuration, Entry, Source, defaults
from opvalue.graders.configuration.errors import ConfigurationFault, ConfigurationRefused, Position

__all__ = [
    "OPERATIONAL_VALUE",
    "Configuration",
    "ConfigurationFault",
    "ConfigurationRefused",
    "Entry",
    "Layer",
    "Place",
    "Position",
    "Source",
    "configure",
    "configured",
    "defaults",
]
