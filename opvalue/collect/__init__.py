"""From a run's raw logs to its unified session.

``collect`` reads and orders, ``write`` puts the result on disk. What a session holds is decided in ``sources``,
``kinds`` and ``fields``, as data.
"""

from opvalue.collect.session import SESSION, Collected, collect
from opvalue.collect.writing import check_folder, default_output, keep, write

__all__ = ["SESSION", "Collected", "check_folder", "collect", "default_output", "keep", "write"]
