"""The broker: the parent's side of evidence. Holds the credential, decides, records (DESIGN 5)."""

from opvalue.evidence.broker.broker import Broker
from opvalue.evidence.broker.ledger import Failure
from opvalue.evidence.broker.source import Nothing, Recorded, Source

__all__ = ["Broker", "Failure", "Nothing", "Recorded", "Source"]
