"""A made-up GitHub for the verifier: realistic answers of a few kinds, and failures of every kind. No network.

Names and numbers come out of the request, words out of the script, times lie around a run's creation, its middle, its
maturity and after. The same seed gives the same answers.
"""

from verifier.simulated.as_of import AsOf
from verifier.simulated.broker import PlainBroker
from verifier.simulated.failing import Failing, FailureKind
from verifier.simulated.hints import Hints, hints_of
from verifier.simulated.setting import Setting
from verifier.simulated.source import Empty, Simulated

__all__ = [
    "AsOf",
    "Empty",
    "Failing",
    "FailureKind",
    "Hints",
    "PlainBroker",
    "Setting",
    "Simulated",
    "hints_of",
]
