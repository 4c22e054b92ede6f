"""Private authorities by the usual variables, and what happens without them."""

import hashlib
import shutil
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from cryptography import x509

from opvalue.http import CertificatesUnusable, HttpxClient
from opvalue.http.certificates import trusted
from tests.http.authority import Authority
from tests.http.conftest import MakeClient, Waits, fails
from tests.http.site import Site, json_reply

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

Serve = Callable[..., Site]


class Paths(NamedTuple):
    cafile: str | None
    capath: str | None


@pytest.fixture
def hashed(authority: Authority, tmp_path: Path) -> Path:
    """A folder of certificates as OpenSSL wants it: named by the hash of the subject."""
    folder = tmp_path / "certs"
    folder.mkdir()
    shutil.copy(authority.certificate, folder / f"{subject_hash(authority.certificate)}.0")
    return folder


def subject_hash(certificate: Path) -> str:
    """Return what ``openssl x509 -subject_hash`` prints; the subject is in canonical form already."""
    subject = x509.load_pem_x509_certificate(certificate.read_bytes()).subject.public_bytes()
    inner = subject[2:]
    return hashlib.sha1(inner, usedforsecurity=False).digest()[3::-1].hex()


def read(client: HttpxClient, site: Site) -> bytes:
    return client.get(f"{site.root}/x").body


@pytest.mark.parametrize("name", ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"])
def test_a_file_names_a_private_authority(
    serve: Serve,
    make_client: MakeClient,
    authority: Authority,
    monkeypatch: pytest.MonkeyPatch,
    private_site: ssl.SSLContext,
    name: str,
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    monkeypatch.setenv(name, str(authority.certificate))
    site = serve(lambda _: json_reply("[1]"), private_site)
    assert read(make_client(site.root), site) == b"[1]"


@pytest.mark.parametrize("name", ["SSL_CERT_DIR", "REQUESTS_CA_BUNDLE"])
def test_a_folder_names_a_private_authority(
    serve: Serve,
    make_client: MakeClient,
    hashed: Path,
    monkeypatch: pytest.MonkeyPatch,
    private_site: ssl.SSLContext,
    name: str,
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    monkeypatch.setenv(name, str(hashed))
    site = serve(lambda _: json_reply("[1]"), private_site)
    assert read(make_client(site.root), site) == b"[1]"


def test_without_it_the_certificate_is_refused_once(
    serve: Serve,
    make_client: MakeClient,
    monkeypatch: pytest.MonkeyPatch,
    private_site: ssl.SSLContext,
    waits: Waits,
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    site = serve(lambda _: json_reply(), private_site)
    client = make_client(site.root)
    error = fails("http.certificate-refused", lambda: read(client, site))
    assert error.kind.exit_status == 9
    assert error.found == "unable to get local issuer certificate"
    assert (site.asked, waits.seconds) == ([], [])


def test_a_certificate_for_another_name_is_refused(
    serve: Serve, make_client: MakeClient, private_site: ssl.SSLContext
) -> None:
    site = serve(lambda _: json_reply(), private_site)
    root = site.root.replace("127.0.0.1", "localhost")
    client = make_client(root)
    error = fails("http.certificate-refused", lambda: client.get(f"{root}/x"))
    assert "localhost" in (error.found or "")
    assert site.asked == []


@pytest.mark.parametrize("name", ["SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE"])
def test_a_place_that_is_not_there_is_named(
    make_client: MakeClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    monkeypatch.setenv(name, str(tmp_path / "nothing"))
    client = make_client("https://127.0.0.1:9")
    error = fails("http.certificates-unusable", lambda: client.get("https://127.0.0.1:9/x"))
    assert error.kind.exit_status == 2
    assert name in error.message
    assert error.found == f"{tmp_path / 'nothing'}: No such file or directory"


def test_a_file_without_certificates_is_named(
    make_client: MakeClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "text").write_text("hello\n")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "text"))
    client = make_client("https://127.0.0.1:9")
    fails("http.certificates-unusable", lambda: client.get("https://127.0.0.1:9/x"))


def test_both_variables_of_openssl_count_and_beat_the_bundle(authority: Authority, hashed: Path) -> None:
    environ = {
        "SSL_CERT_FILE": str(authority.certificate),
        "SSL_CERT_DIR": str(hashed),
        "REQUESTS_CA_BUNDLE": "/nowhere",
    }
    context = trusted(environ)
    assert context.cert_store_stats()["x509_ca"] == 1
    assert (context.verify_mode, context.check_hostname) == (ssl.CERT_REQUIRED, True)


@pytest.mark.parametrize(
    ("paths", "certifi"),
    [
        (Paths("/some/file", None), False),
        (Paths(None, None), True),
        (Paths(None, "{empty}"), True),
        (Paths(None, "{full}"), False),
    ],
)
def test_the_machines_authorities_come_before_certifis(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, paths: Paths, *, certifi: bool
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "a.0").touch()
    places = {"empty": str(tmp_path / "empty"), "full": str(tmp_path / "full")}
    found = Paths(paths.cafile, paths.capath and paths.capath.format(**places))
    monkeypatch.setattr(ssl, "get_default_verify_paths", lambda: found)
    used: list[object] = []

    def create(*, cafile: object) -> None:
        used.append(cafile)

    monkeypatch.setattr(ssl, "create_default_context", create)
    trusted({"SSL_CERT_FILE": "", "SSL_CERT_DIR": "", "REQUESTS_CA_BUNDLE": ""})
    assert [file is not None for file in used] == [certifi]


def test_verification_is_on_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    context = trusted({})
    assert (context.verify_mode, context.check_hostname) == (ssl.CERT_REQUIRED, True)


def test_a_folder_is_no_file_of_certificates(tmp_path: Path) -> None:
    with pytest.raises(CertificatesUnusable) as caught:
        trusted({"SSL_CERT_FILE": str(tmp_path)})
    assert caught.value.message == "SSL_CERT_FILE cannot be used"
    assert (caught.value.found or "").startswith(f"{tmp_path}: ")
