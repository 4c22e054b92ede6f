"""``event-entropy-rate``: how uncertain the next event is, given the last (reference 3.2).

Formula: H / log2 A within 0 and 1, H the first-order conditional entropy in bits of the observed bigrams, each weighted
by its share of the n - 1, A the number of distinct symbols; 0 where A is 1.
Source: one symbol an event, in the order of the events.
Unavailable: fewer than two events.
"""

import math
from collections import Counter
from itertools import pairwise

from opvalue.graders.trajectory.measuring import clamped, trajectory
from opvalue.graders.trajectory.projection import Projection
from opvalue.graders.trajectory.sequences import event_symbols
from opvalue.strictjson import JsonObject


@trajectory
def measure(projection: Projection, _config: JsonObject) -> float:
    """Return the normalised entropy."""
    symbols = event_symbols(projection, at_least=2)
    alphabet = len(set(symbols))
    if alphabet < 2:
        return 0
    firsts = Counter(symbols[:-1])
    bigrams = Counter(pairwise(symbols))
    entropy = -sum(
        count / (len(symbols) - 1) * math.log2(count / firsts[first]) for (first, _), count in bigrams.items()
    )
    return clamped(entropy / math.log2(alphabet))
