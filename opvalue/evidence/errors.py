"""Why evidence is not taken: one class a cause (DESIGN 5).

A refused request makes the whole grading not-observed, whatever the script makes of it. A refused bundle is never
read in part. Causes that only the broker or the stand-in knows are theirs to declare.
"""

from opvalue.errors import Kind, OpvalueError


class RequestRefused(OpvalueError):
    """Base of every request that is not passed on. Nothing has been sent."""

    kind = Kind.NOT_OBSERVED


class NotARead(RequestRefused):
    """The evaluator asked for something that could change GitHub: a method other than GET, or GraphQL by other ways."""

    code = "evidence.not-a-read"
    advice = "An evaluator only reads. Use GET, or POST a GraphQL query to graphql."


class OutsideHost(RequestRefused):
    """The evaluator asked for an address that is not below the API root of the run's own host."""

    code = "evidence.outside-host"
    advice = "Ask the API of the run's host only, by a path such as repos/OWNER/REPO/issues."


class PathUnclear(RequestRefused):
    """The evaluator asked for an address that two readers could take for two things: dot segments, ``//``, bad escapes.

    Also backslashes, control bytes, ``;``, characters outside ASCII, fragments, and a slash hidden in a name.
    """

    code = "evidence.path-unclear"
    advice = "Write the path plainly, with what is special in a name percent-encoded."


class HeaderUnclear(RequestRefused):
    """The evaluator asked for a media type or an API version that is too long or not printable ASCII."""

    code = "evidence.header-unclear"
    advice = "Give a media type such as application/vnd.github+json, and a version such as 2022-11-28."


class BodyUnexpected(RequestRefused):
    """A read carries a body, which no read of the REST API has."""

    code = "evidence.body-unexpected"
    advice = "Give parameters of a GET in its query."


class NotAQuery(RequestRefused):
    """A GraphQL document holds an operation that is not a query, or defines something, wherever it hides it."""

    code = "evidence.not-a-query"
    advice = "An evaluator only reads. Send documents that hold queries and fragments alone."


class GraphQLUnreadable(RequestRefused):
    """A GraphQL body that cannot be read for certain: no JSON object, several requests, unknown fields, bad syntax.

    Also a document that is too large, nested too deeply, or holds characters that readers take differently.
    """

    code = "evidence.graphql-unreadable"
    advice = 'Send one JSON object with "query" and, as needed, "variables" and "operationName".'


class SecretInRequest(RequestRefused):
    """A request holds a secret in its address, headers or body, and would be recorded with it."""

    code = "evidence.secret-in-request"
    advice = "Take the secret out of the evaluator and its configuration, and revoke it: the archive holds it too."


class SecretAsked(RequestRefused):
    """A GraphQL document asks for ``tempCloneToken``, a credential that an alias could hide in the answer."""

    code = "evidence.secret-asked"
    advice = "Do not ask for credentials; evidence needs none."


class SecretNotRemovable(OpvalueError):
    """An answer holds a secret where it cannot be taken out: in binary data, or in JSON outside a string."""

    code = "evidence.secret-not-removable"
    kind = Kind.NOT_OBSERVED
    advice = "Read this evidence in another form, or revoke the secret."
