"""What runs as ``gh`` inside the sandbox: data to this package, assembled by ``opvalue.evidence.gh.assemble``.

Nothing here imports from outside this folder but ``sys``, ``posix``, ``_socket`` and ``_signal``, so that it starts in
a fraction of gh's own time; ``json`` and ``_thread`` only where a document must be read or a jq run. No file of the
standard library is read otherwise. GitHub is not reached from here: every exchange goes to the broker's socket.
"""
