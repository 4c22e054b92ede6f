"""The ``graders`` map of a workflow: normalised, checked, in manifest order (Graders Specification 3). Pure."""

from typing import TYPE_CHECKING

from opvalue.lazy import names_of

if TYPE_CHECKING:
    from opvalue.graders.configuration.entry import OPERATIONAL_VALUE, Configuration, Entry, Source, defaults
    from opvalue.graders.configuration.errors import ConfigurationFault, ConfigurationRefused, Position
    from opvalue.graders.configuration.maps import Layer, Place, configure, configured

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

__getattr__ = names_of(
    __name__,
    {
        "maps": ("Layer", "Place", "configure", "configured"),
        "entry": ("OPERATIONAL_VALUE", "Configuration", "Entry", "Source", "defaults"),
        "errors": ("ConfigurationFault", "ConfigurationRefused", "Position"),
    },
)
