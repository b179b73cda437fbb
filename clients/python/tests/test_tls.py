"""Certificates, with authorities made for the test."""

from __future__ import annotations

import shutil
import ssl
import subprocess
import tempfile
import unittest
from pathlib import Path

from toolpost import Client, HostError

from .peer import Peer
from .vectors import DOCUMENT


def make_certificate(folder: Path, host: str) -> tuple[str, str]:
    """A certificate that is its own authority, and its key."""
    key, certificate = str(folder / f"{host}.key"), str(folder / f"{host}.pem")
    kind = "IP" if host[0].isdigit() else "DNS"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", key, "-out", certificate]
        + ["-subj", f"/CN={host}", "-addext", f"subjectAltName={kind}:{host}"],
        check=True,
        capture_output=True,
    )
    return certificate, key


@unittest.skipUnless(shutil.which("openssl"), "LEFT OUT: the tests of certificates need openssl.")
class TlsTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def peer(self, host: str) -> tuple[Peer, str]:
        certificate, key = make_certificate(self.folder, host)
        peer = Peer()
        self.addCleanup(peer.server_close)
        self.addCleanup(peer.shutdown)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        peer.socket = context.wrap_socket(peer.socket, server_side=True)
        return peer, certificate

    def ask(self, peer: Peer, ca_file: str | None) -> str | None:
        """The code of the failure; None when the host was asked."""
        url = peer.base_url("protocol").replace("http:", "https:")
        try:
            with Client(url, DOCUMENT["token"], ca_file=ca_file) as client:
                client.protocol()
        except HostError as error:
            return error.code
        return None

    def test_an_authority_that_was_given_is_trusted(self) -> None:
        peer, certificate = self.peer("127.0.0.1")
        self.assertIsNone(self.ask(peer, certificate))
        self.assertEqual(len(peer.seen["protocol"].requests), 1)

    def test_a_certificate_that_nobody_trusts_is_refused_before_any_request(self) -> None:
        peer, _ = self.peer("127.0.0.1")
        self.assertEqual(self.ask(peer, None), "HTTP_ERROR")
        self.assertEqual(peer.seen["protocol"].requests, [])

    def test_a_certificate_of_another_name_is_refused_before_any_request(self) -> None:
        peer, certificate = self.peer("host.example")
        self.assertEqual(self.ask(peer, certificate), "HTTP_ERROR")
        self.assertEqual(peer.seen["protocol"].requests, [])


if __name__ == "__main__":
    unittest.main()
