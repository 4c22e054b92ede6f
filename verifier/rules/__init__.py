"""The rules, one file each. A file's docstring explains its rule to authors."""
