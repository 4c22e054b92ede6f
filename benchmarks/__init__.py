"""The speed promises, each a ratio of medians measured in one run, so that they hold on any machine."""
