"""Pages: the next one by the ``Link`` header or the cursor, arrays joined into one, pages laid into an array."""


def next_page(link: str) -> str:
    """Return the address a ``Link`` header gives for the next page, or nothing."""
    for part in link.split("<")[1:]:
        address, mark, rest = part.partition(">")
        rest = rest.lstrip(";").lstrip() if rest.startswith(";") else ""
        if mark and address and rest.startswith('rel="') and rest[5:].partition('"')[:2] == ("next", '"'):
            return address
    return ""


def with_page_size(path: str, *, given: bool) -> str:
    """Return the path with gh's page size of a hundred, unless a field (``given``) or the path itself has one."""
    _, mark, query = path.partition("?")
    if given or (mark and _has_page_size(query)):
        return path
    return f"{path}{'&' if mark else '?'}per_page=100"


def _has_page_size(query: str) -> bool:
    pairs = (one.partition("=") for one in query.split("&"))
    return next((value for name, _, value in pairs if name == "per_page"), "") != ""


def joined(body: bytes, *, first: bool, last: bool) -> bytes:
    """Return a page as part of one array: without the bracket that opens it, and the one that closes it."""
    if not first and body.startswith(b"["):
        body = (b" " if body.startswith(b"[]") else b",") + body[1:]
    if not last and body.endswith(b"]"):
        body = body[:-1]
    return body


def end_cursor(value: object) -> str:
    """Return where the next page of a GraphQL answer begins, or nothing after the last.

    ``value``: the answer with objects as tuples of pairs. As gh does it: the first text named ``endCursor`` and the
    first truth value named ``hasNextPage`` in what is called ``pageInfo``, in the document's order.
    """
    finder = _Finder()
    finder.look_into(value)
    return finder.cursor if finder.more else ""


class _Finder:
    """gh's walk over a document: the name of what was opened last, forgotten when something closes."""

    def __init__(self) -> None:
        self.cursor = ""
        self.more = False
        self._found: set[str] = set()
        self._key = ""
        self._within = ""

    def look_into(self, value: object) -> None:
        """Walk over a value until both facts are found."""
        if len(self._found) == 2:
            return
        if isinstance(value, (tuple, list)):
            self._within = self._key
            for one in value:
                if isinstance(value, tuple):
                    self._key, below = one
                    self.look_into(below)
                else:
                    self.look_into(one)
            self._within = ""
        elif self._within == "pageInfo":
            self._note(value)

    def _note(self, value: object) -> None:
        if self._key == "endCursor" and isinstance(value, str):
            self.cursor = value
            self._found.add(self._key)
        elif self._key == "hasNextPage" and isinstance(value, bool):
            self.more = value
            self._found.add(self._key)
