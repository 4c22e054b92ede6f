"""The ten default graders, one file each."""
