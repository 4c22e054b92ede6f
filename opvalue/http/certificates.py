"""Whom an encrypted connection trusts: the usual variables first, else the machine's authorities, else certifi's.

``SSL_CERT_FILE`` and ``SSL_CERT_DIR`` (either or both) replace the usual authorities, as they do for OpenSSL, curl
and gh; without them ``REQUESTS_CA_BUNDLE``, a file or a folder, does. Verification is never turned off.
"""

import os
import ssl
from collections.abc import Mapping
from pathlib import Path

import certifi

from opvalue.http.errors import CertificatesUnusable


def trusted(environ: Mapping[str, str]) -> ssl.SSLContext:
    """Return the settings of encrypted connections. Raises ``CertificatesUnusable``."""
    named = {name: environ[name] for name in ("SSL_CERT_FILE", "SSL_CERT_DIR") if environ.get(name)}
    if not named and environ.get("REQUESTS_CA_BUNDLE"):
        named = {"REQUESTS_CA_BUNDLE": environ["REQUESTS_CA_BUNDLE"]}
    if not named:
        return ssl.create_default_context(cafile=None if _machine_has_authorities() else certifi.where())
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    for name, place in named.items():
        _load(context, name, place)
    return context


def _machine_has_authorities() -> bool:
    # A folder of certificates is read by need, one at a time; certifi's single file costs a tenth of a second.
    paths = ssl.get_default_verify_paths()
    if paths.cafile:
        return True
    if not paths.capath:
        return False
    with os.scandir(paths.capath) as entries:
        return any(entries)


def _load(context: ssl.SSLContext, name: str, place: str) -> None:
    # OpenSSL takes a folder that is not there without a word, and then trusts nobody.
    try:
        folder = name == "SSL_CERT_DIR" or (name == "REQUESTS_CA_BUNDLE" and Path(place).is_dir())
        if folder:
            os.scandir(place).close()
            context.load_verify_locations(capath=place)
        else:
            context.load_verify_locations(cafile=place)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "no certificates in it"
    else:
        return
    raise CertificatesUnusable(f"{name} cannot be used", expected="PEM certificates", found=f"{place}: {why}")
