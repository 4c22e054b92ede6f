"""The trajectory graders, one file each; opt-in, over a bounded projection of the session."""
