"""``gh api``: one request, or all pages of one. Standard output is written once everything has come.

So the set of requests does not depend on when a reader of the output goes away; what is printed is what gh prints.
"""

from . import pages
from .address import BadAddress, encode_query, target
from .failure import BrokenPages, Ended, Failed
from .fields import Context, Map, fill, parse_fields, query_pairs
from .options import Options
from .quoting import quoted
from .sanitize import is_json, sanitized
from .settings import Settings
from .streams import fault, read_named, say, variable, write
from .wire import Answer, Broker

_TOKEN = frozenset("!#$%&'*+-.^_`|~ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")


def run(words: list[str], settings: Settings, broker: Broker) -> None:
    """Carry out ``gh api`` with these words. Raises ``Failed``, ``Unsupported``, ``BrokenPages``, ``Ended``."""
    options = Options(words)
    if options.help:
        from .help import API  # noqa: PLC0415 - hardly ever asked for

        write(API.encode())
        return
    command = _Command(options, settings, broker)
    try:
        command.carry_out()
    finally:
        # Also what came before a failure is printed, and before what is said of it.
        write(b"".join(command.output))
    if command.complaint:
        say(f"gh: {command.complaint}")
        raise Ended


class _Command:
    """One command under way."""

    def __init__(self, options: Options, settings: Settings, broker: Broker) -> None:
        self.options = options
        self.settings = settings
        self.broker = broker
        self.output: list[bytes] = []
        self.complaint = ""
        """What an answer reported; it ends the command."""
        self.cursor = ""
        self.started = False
        """Whether a page has come."""

    def carry_out(self) -> None:
        """Ask for the endpoint, and for the pages after it."""
        options = self.options
        context = Context(self.settings.owner, self.settings.repository, self.settings.branch)
        parameters = parse_fields(options.raw_fields, options.fields, context)
        path = self._path(context, parameters)
        body, method = self._body(), self._method(parameters)
        if options.input:
            path, parameters = _with_query(path, parameters), {}
        try:
            self._ask_for_pages(method, path, parameters, body)
        finally:
            if options.slurp:
                self._print(b"]" if self.started else b"[]")

    def _ask_for_pages(self, method: str, path: str, parameters: Map, body: bytes) -> None:
        options = self.options
        seen: set[str] = set()
        while True:
            place = f"{path}{self.cursor}"
            if place in seen:
                raise BrokenPages(options.endpoint)
            seen.add(place)
            answer = self._ask(method, path, parameters, body)
            following = "" if options.is_graphql else pages.next_page(answer.header("link"))
            if options.slurp:
                self._print(b"," if self.started else b"[")
            self._process(answer, first=not self.started, last=not following)
            self.started = True
            if not self._advance(parameters, following):
                break
            # Parameters were for the first page; the link holds what the next one needs.
            path = following or path
            parameters = parameters if options.is_graphql else {}

    def _advance(self, parameters: Map, following: str) -> bool:
        """Tell whether there is another page to ask for; a GraphQL request gets its cursor."""
        if not self.options.paginate or self.complaint:
            return False
        if self.options.is_graphql and self.cursor:
            parameters["endCursor"] = self.cursor
        more = bool(self.cursor if self.options.is_graphql else following)
        if more and self.options.include:
            self.output.append(b"\n")
        return more

    def _path(self, context: Context, parameters: Map) -> str:
        try:
            path = fill(self.options.endpoint, context)
        except Failed as failed:
            raise Failed(f"unable to expand placeholder in path: {failed.message}") from None
        if self.options.paginate and not self.options.is_graphql:
            return pages.with_page_size(path, given="per_page" in parameters)
        return path

    def _method(self, parameters: Map) -> str:
        if self.options.method is not None:
            method = self.options.method.upper()
            if not method or not _TOKEN.issuperset(method):
                raise Failed(f"net/http: invalid method {quoted(method)}")
            return method
        return "POST" if parameters or self.options.input else "GET"

    def _body(self) -> bytes:
        if not self.options.input:
            return b""
        try:
            return read_named(self.options.input)
        except OSError as error:
            raise Failed(fault("open", self.options.input, error)) from None

    def _ask(self, method: str, path: str, parameters: Map, body: bytes) -> Answer:
        content_type = "application/json; charset=utf-8" if body else ""
        if parameters and method == "GET":
            path = _with_query(path, parameters)
        elif parameters:
            from .documents import encode  # noqa: PLC0415 - only requests with a document

            grouped = _grouped(parameters) if self.options.is_graphql else parameters
            body, content_type = encode(grouped).encode("utf-8", "surrogateescape"), "application/json; charset=utf-8"
        try:
            where = target(path if "://" in path else f"/{path.removeprefix('/')}")
        except BadAddress as error:
            raise Failed(f"parse {quoted(path)}: {error}") from None
        return self.broker.ask(method, where, self._headers(content_type), body)

    def _headers(self, content_type: str) -> "list[tuple[str, str]]":
        given = [_split_header(header) for header in self.options.headers]
        if self.options.previews:
            kinds = (f"application/vnd.github.{name}-preview+json" for name in self.options.previews)
            given.append(("Accept", ", ".join(kinds)))
        headers = {"host": self.options.hostname or variable("GH_HOST") or self.settings.host}
        for name, value in given:
            if value and name.lower() != "content-length":
                headers[name.lower()] = f"{headers[name.lower()]}, {value}" if name.lower() in headers else value
        if content_type:
            headers.setdefault("content-type", content_type)
        headers.setdefault("accept", "*/*")
        return [(_canonical(name), value) for name, value in headers.items()]

    def _process(self, answer: Answer, *, first: bool, last: bool) -> None:
        options = self.options
        if options.include:
            self.output.append(_head(answer))
        if answer.status == 204:
            return
        json = is_json(answer.header("content-type"))
        body = sanitized(answer.body) if json else answer.body
        if json and (options.is_graphql or answer.status >= 400):
            from .problem import reported  # noqa: PLC0415 - only where a document must be read

            self.complaint = reported(body, answer.status)
        paged_graphql = options.is_graphql and options.paginate and json and answer.status == 200
        if options.jq and not self.complaint:
            from .jq import run_filter  # noqa: PLC0415 - only where there is a filter

            run_filter(options.jq, body, self.settings.jq, self.output)
        elif json and options.paginate and not (options.slurp or options.include or paged_graphql):
            self._print(pages.joined(body, first=first, last=last))
        else:
            self._print(body)
        if answer.status > 299 and not self.complaint:
            self.complaint = f"HTTP {answer.status}"
        if paged_graphql and not self.complaint:
            from .documents import parse_pairs  # noqa: PLC0415 - only where a document must be read

            self.cursor = pages.end_cursor(parse_pairs(body))

    def _print(self, data: bytes) -> None:
        if not self.options.silent:
            self.output.append(data)


def _head(answer: Answer) -> bytes:
    """Return status and headers as ``--include`` prints them: of HTTP/2, as GitHub speaks and scripts expect."""
    named = sorted((_canonical(name), value) for name, value in answer.headers if name.lower() not in _OF_THE_WIRE)
    lines = "".join(f"{name}: {value}\r\n" for name, value in named)
    return f"HTTP/2.0 {answer.status} {answer.reason}\n{lines}\r\n".encode("utf-8", "surrogateescape")


_OF_THE_WIRE = frozenset({"connection", "content-length"})


def _canonical(name: str) -> str:
    return "-".join(part.capitalize() for part in name.split("-"))


def _split_header(header: str) -> tuple[str, str]:
    name, colon, value = header.partition(":")
    value = value.strip()
    if not colon:
        raise Failed(f"header {quoted(header)} requires a value separated by ':'")
    if not name or not _TOKEN.issuperset(name):
        raise Failed(f"net/http: invalid header field name {quoted(name)}")
    if any((one < " " and one != "\t") or one == "\x7f" for one in value):
        raise Failed(f"net/http: invalid header field value for {quoted(_canonical(name))}")
    return name, value


def _with_query(path: str, parameters: Map) -> str:
    if not parameters:
        return path
    return f"{path}{'&' if '?' in path else '?'}{encode_query(query_pairs(parameters))}"


def _grouped(parameters: Map) -> Map:
    """Return a GraphQL request: every field but the two known ones is a variable."""
    grouped = {name: value for name, value in parameters.items() if name in {"query", "operationName"}}
    variables = {name: value for name, value in parameters.items() if name not in grouped}
    return {**grouped, "variables": variables} if variables else grouped
