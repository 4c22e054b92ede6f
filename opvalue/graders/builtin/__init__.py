"""The ten default graders, one file each; every file offers ``measure(lookups)``.

They share one rule (DESIGN 8). A ratio without calls or requests is unavailable. A count is 0 only where the component
that would show what is counted was collected; what was not looked at was not found to be absent.
"""
