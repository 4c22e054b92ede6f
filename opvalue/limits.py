"""Every bound in one place, each with its unit (DESIGN 6; reference 1.6).

Pure values. A caller that needs other bounds passes its own ``Limits``.
"""

from typing import NamedTuple

KIB = 1024
MIB = 1024 * KIB


class Limits(NamedTuple):
    """Bounds on what is read, run and kept."""

    evaluator_bytes: int = 64 * KIB
    """The archived evaluator and the blob at the recorded commit, each."""
    record_bytes: int = 10 * MIB
    """``grader_manifest.json`` and ``grader_results.json``, each."""
    archive_bytes: int = 512 * MIB
    """The artifact file as a whole."""
    archive_members: int = 10_000
    """Entries of the artifact's central directory."""
    archive_directory_bytes: int = 16 * MIB
    """The artifact's central directory as a whole: it is read into memory, and names and comments can be long."""
    member_ratio: int = 200
    """Unpacked over packed size of a wanted member."""
    siblings: int = 200
    """Files an evaluator sources, transitively."""
    sibling_bytes: int = 2 * MIB
    """All sourced files together."""
    workflow_bytes: int = 1 * MIB
    """A workflow's Markdown file."""
    git_object_bytes: int = 16 * MIB
    """One commit or tree read from the checkout."""
    git_seconds: float = 30.0
    """One git process."""
    syntax_seconds: float = 5.0
    """``bash -n``."""
    definition_seconds: float = 5.0
    """``--definition``."""
    grade_run_seconds: float = 120.0
    """``--grade-run``."""
    stream_bytes: int = 1 * MIB
    """Standard output and standard error of an evaluator, each."""
    json_depth: int = 128
    """Nesting of any JSON document."""
    number_characters: int = 64
    """One number token in a contract, record or observation."""
    answer_bytes: int = 16 * MIB
    """One answer of an API, unpacked."""
    answer_seconds: float = 60.0
    """One answer of an API from its first byte to its last."""
    download_seconds: float = 3600.0
    """One try of a download from its first byte to its last."""
    connect_seconds: float = 15.0
    """Connecting to a server or proxy, TLS included."""
    silence_seconds: float = 30.0
    """No byte from a server that owes some."""
    redirects: int = 5
    """Hops followed for one read."""
    read_tries: int = 5
    """Times one read is tried, the first included."""
    read_wait_seconds: float = 180.0
    """Waiting between the tries of one read, rate limits included, taken together."""
    cache_wait_seconds: float = 600.0
    """Waiting for another process that downloads the same artifact."""
    trajectory_items: int = 5_000
    """Items of each collection that trajectory graders read; past it they are unavailable."""
    trajectory_text_characters: int = 4_096
    """Of the text of one call or action that a constraint's pattern is tried on."""
    trajectory_matched_characters: int = 32 * MIB
    """All texts that one grader tries patterns on, a text counted once for each pattern."""
    grader_script_bytes: int = 256 * KIB
    """The JavaScript of one custom grader."""
    session_secrets: int = 1_000
    """Masks and named secrets that one session is searched for, each spelling counted."""
    collect_file_bytes: int = 256 * MIB
    """One raw log of a run."""
    collect_bytes: int = 1024 * MIB
    """All raw logs of a run together: their events are ordered in memory."""
    collect_line_bytes: int = 16 * MIB
    """One line of a raw log; a longer one is left out with a warning."""
    collect_files: int = 10_000
    """Entries looked at in a run's folders of logs."""
    collect_depth: int = 8
    """Folders below a folder of logs."""
    collect_warnings: int = 1_000
    """Warnings written one by one into a session; further ones are counted only."""
    statement_bytes: int = 16 * MIB
    """A regrade document that is to be signed or compared with a signed one."""
    attestation_bytes: int = 32 * MIB
    """A signed statement: the envelope as a whole, base64 and signatures included."""
    attestation_signatures: int = 64
    """Signatures in one envelope."""
    key_bytes: int = 16 * KIB
    """The file of a key or a passphrase."""
    passphrase_bytes: int = 1023
    """A passphrase: OpenSSL encrypts no key with a longer one."""
    session_bytes: int = 8 * 1024 * MIB
    """A recorded session in an artifact, unpacked, or through a pipe. One that is a file has no such bound."""
    evidence_workers: int = 16
    """Requests for evidence that are served at a time in one grading; others wait."""
    evidence_exchanges: int = 5_000
    """Requests for evidence in one grading, repeated ones included."""
    evidence_answer_bytes: int = 32 * MIB
    """The body of one answer that an evaluator gets."""
    evidence_bytes: int = 128 * MIB
    """The bodies of all different answers that one grading gets."""
    evidence_head_bytes: int = 64 * KIB
    """Request line and headers of one request for evidence."""
    evidence_body_bytes: int = 1 * MIB
    """The body of one request for evidence: a GraphQL query with its variables."""
    evidence_request_seconds: float = 30.0
    """One request for evidence from the connection to its last byte."""
    evidence_taking_seconds: float = 120.0
    """An evaluator's taking of one answer."""
    evidence_wait_seconds: float = 600.0
    """Waiting for GitHub's answers in one grading, rate limits included; it does not count as the evaluator's time."""
    evidence_failures: int = 100
    """Causes of one grading's failure to observe that are listed."""
    target_characters: int = 8192
    """The address of one request for evidence, its query included."""
    accept_characters: int = 512
    """The media types that one request asks for."""
    graphql_depth: int = 48
    """Nesting of brackets, of every kind, in a GraphQL document."""
    graphql_tokens: int = 20_000
    """Tokens of a GraphQL document, comments included."""
    bundle_bytes: int = 256 * MIB
    """A bundle of evidence as a whole."""
    bundle_index_bytes: int = 32 * MIB
    """The list of a bundle's exchanges, which is read into memory as values."""
    bundle_exchanges: int = 20_000
    """Exchanges of one bundle."""
    secret_bytes: int = 64 * KIB
    """A file of secrets that are to be removed from a bundle."""
    session_line_bytes: int = 32 * MIB
    """One line, or one element of the array, of a recorded session."""
    session_sorted_bytes: int = 256 * MIB
    """A recorded session whose events are not in their order, and so are put in order in memory before grading."""
    session_open_calls: int = 32_768
    """Calls that are open at one time, native and gateway each; the oldest past it count as unfinished."""
    session_names: int = 65_536
    """Different tool names, sources and scopes of one session, each."""
    session_kinds: int = 1_024
    """Different event types, and phases, that are counted by name; the rest is counted together."""
    session_remembered: int = 32_768
    """Calls whose ids are remembered at least, to know them again: in a replayed history, or at the gateway."""
    session_questions: int = 65_536
    """Different eval questions, and experiments, of one session, each."""
    session_losses: int = 10
    """Malformed lines whose numbers are kept; all are counted."""
    clock_difference_seconds: float = 300.0
    """How far an observation's time may be ahead of the reader's clock."""
