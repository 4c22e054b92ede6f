"""Settings every test shares."""

from hypothesis import settings

# A busy machine must not turn a slow example into a failure; the whole test has its time-out.
settings.register_profile("opvalue", deadline=None)
settings.load_profile("opvalue")
