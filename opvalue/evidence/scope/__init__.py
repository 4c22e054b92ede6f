"""What an exchange reads, of which repository, and whether it only reads. Pure."""
