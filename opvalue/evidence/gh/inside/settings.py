"""What the parent decided: laid beside the code when the stand-in is assembled."""


class Settings:
    """One run's host, repository and programs."""

    __slots__ = ("branch", "host", "jq", "owner", "repository", "token", "version")

    def __init__(self, host: str, owner: str, repository: str, branch: str, jq: str, token: str, version: str) -> None:
        self.host = host
        """The GitHub host asked unless the command names another."""
        self.owner = owner
        self.repository = repository
        self.branch = branch
        """Empty when it is not known."""
        self.jq = jq
        """The absolute path of jq."""
        self.token = token
        """What ``gh auth token`` prints when the script took ``GH_TOKEN`` out of its environment."""
        self.version = version
        """The version of gh whose manners these are."""
