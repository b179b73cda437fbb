#!/usr/bin/env python3
"""Holds a host against the vectors of host.json.

    python3 conformance/run_host.py BASE_URL [--host NAME=URL]... [--only ID]

BASE_URL is a host that was started as `standard` of host-configuration.json says; each --host is another one of that
file. Vectors of hosts that are not given, and of features that a host does not advertise, are left out and counted.
"""

from __future__ import annotations

import argparse
import json
import secrets
import sys
from collections import Counter
from typing import Any

from host_case import CasePlay
from host_patterns import DOCUMENT, HERE
from host_requests import Mismatch, ask

CONFIGURATION: dict[str, Any] = json.loads((HERE / "host-configuration.json").read_text("utf-8"))


def features_of(base_url: str) -> list[str]:
    """What a host says that it can do."""
    token = CONFIGURATION["tokens"]["owner"]["token"]
    answer = ask(base_url, "GET", "/v1/protocol", {"Authorization": f"Bearer {token}"}, None)
    if answer.status != 200:
        raise SystemExit(f"{base_url} answers /v1/protocol with {answer.status}: {answer.body[:300]!r}")
    return list(answer.json["features"])


def left_out(case: dict[str, Any], features: dict[str, list[str]]) -> str | None:
    """Why a vector is not played."""
    host = case.get("host", "standard")
    if host not in features:
        return f"the host {host} is not given"
    missing = [name for name in case.get("requires", ()) if name not in features[host]]
    return f"the host {host} does not advertise {', '.join(missing)}" if missing else None


def play(case: dict[str, Any], base_url: str, nonce: str) -> str | None:
    """What a host did otherwise; None when it did as it should."""
    try:
        CasePlay(base_url, CONFIGURATION["tokens"], nonce).play(case["steps"])
    except Mismatch as mismatch:
        return str(mismatch)
    except (OSError, KeyError, ValueError) as broken:
        return f"{type(broken).__name__}: {broken}"
    return None


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("base_url", metavar="BASE_URL")
    words.add_argument("--host", action="append", default=[], metavar="NAME=URL")
    words.add_argument("--only", action="append", metavar="ID")
    given = words.parse_args()
    hosts = {"standard": given.base_url, **dict(each.split("=", 1) for each in given.host)}
    unknown = [name for name in hosts if name not in CONFIGURATION["hosts"]]
    if unknown:
        raise SystemExit(f"host-configuration.json has no host {', '.join(unknown)}.")
    features = {name: features_of(url) for name, url in hosts.items()}
    nonce, results, reasons = secrets.token_hex(4), Counter[str](), Counter[str]()
    for case in DOCUMENT["cases"]:
        if given.only and case["id"] not in given.only:
            continue
        reason = left_out(case, features)
        if reason is not None:
            reasons[reason] += 1
            continue
        wrong = play(case, hosts[case.get("host", "standard")], nonce)
        results["failed" if wrong else "passed"] += 1
        if wrong:
            print(f"FAILED {case['id']} [{case['scenario']}] {case['says']}\n       {wrong}")
    for reason, count in reasons.items():
        print(f"LEFT OUT {count}: {reason}.")
    print(f"{results['passed']} passed, {results['failed']} failed")
    return 1 if results["failed"] or not results["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
