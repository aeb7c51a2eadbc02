"""Who may call: hosts, tokens, cookies, keys, proxies and origins; and what is written about it."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from kibitz.errors import EngineError
from kibitz.service.keys import KeyRing, add_key, hashed
from kibitz.service.problems import Problem
from kibitz.service.rates import Rates
from kibitz.service.settings import SHARED, Limits, Settings
from tests.service.running import KEY, START, Server, wait_for


def problem(answer: httpx.Response) -> str:
    assert answer.headers["content-type"] == "application/problem+json"
    data = answer.json()
    assert data["status"] == answer.status_code
    return str(data["type"].removeprefix("/problems/"))


def crowd(server: Server, key: str, count: int) -> bytes:
    """The answers to so many requests, sent without waiting for any of them: a slow machine must not thin them out."""
    one = f"GET /nothing HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {key}\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as line:
        line.sendall((one + "\r\n").encode() * (count - 1) + (one + "connection: close\r\n\r\n").encode())
        return b"".join(iter(lambda: line.recv(1 << 16), b""))


# --- keys, tokens and cookies -----------------------------------------------------------------------------------------


def test_nothing_but_health_is_told_to_strangers(server: Server) -> None:
    with httpx.Client(base_url=server.url) as stranger:
        assert stranger.get("/healthz").json() == {"status": "ok"}
        assert stranger.get("/readyz").status_code == 200
        for path in ("/", "/metrics", "/openapi.json", "/v1/jobs", "/nothing"):
            answer = stranger.get(path)
            assert answer.status_code == 401
            assert problem(answer) == "not-authenticated"
            assert answer.headers["www-authenticate"] == "Bearer"
        wrong = stranger.get("/", headers={"authorization": f"Bearer {KEY}x"})
        assert wrong.status_code == 401


def test_the_token_of_the_address_counts_once_and_gives_a_cookie(tmp_path: Path) -> None:
    with Server(tmp_path, key=None) as server, httpx.Client(base_url=server.url) as browser:
        assert browser.get("/", params={"token": "guessed"}).status_code == 401
        first = browser.get("/", params={"token": server.token})
        assert first.status_code == 303
        assert first.headers["location"] == "/"
        cookie = first.headers["set-cookie"]
        assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
        assert browser.get("/").json()["name"] == "kibitz"  # the cookie is enough now
        with httpx.Client(base_url=server.url) as other:
            assert other.get("/", params={"token": server.token}).status_code == 401
            for name in ("kibitz_session", f"kibitz_session_{server.port}"):
                assert other.get("/", headers={"cookie": f"{name}=guessed"}).status_code == 401
        token = server.token
    logged = [line for line in server.lines if line.startswith("{")]
    assert logged
    assert not any(token in line for line in logged)


def test_two_servers_in_one_browser_leave_each_other_s_cookies(tmp_path: Path) -> None:
    """Cookies know no ports: what the second server sets must not put the first one out of the browser."""
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
    with Server(folders[0], key=None) as one, Server(folders[1], key=None) as two, httpx.Client() as browser:
        for server in (one, two):
            assert browser.get(server.url, params={"token": server.token}).status_code == 303
        for server in (one, two):
            assert browser.get(server.url).json()["name"] == "kibitz"
        assert len(browser.cookies.jar) == 2


def test_keys_are_kept_as_hashes_and_each_has_a_library_of_its_own(tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    ada, ben = add_key(keys, "ada"), add_key(keys, "ben")
    assert ada not in keys.read_text()
    assert keys.stat().st_mode & 0o077 == 0
    with Server(tmp_path, "--keys", str(keys), key=ada) as server:
        with server.client(ada) as client:
            sample = Path("examples/sample.mat").read_bytes()
            made = client.post("/v1/matches", content=sample, params={"name": "sample.mat"})
            assert made.status_code == 201, made.text
            number = made.json()["match"]["id"]
            assert client.get(f"/v1/matches/{number}").status_code == 200
        with server.client(ben) as client:
            assert client.get(f"/v1/matches/{number}").status_code == 404
            assert client.get("/v1/matches").json() == {"matches": [], "next": None}
            jobs = [client.post("/v1/rollouts", json={"position": START, "trials": 3000}) for _ in range(5)]
            assert [one.status_code for one in jobs] == [202] * 4 + [429]
            assert problem(jobs[-1]) == "queue-full"
            assert int(jobs[-1].headers["retry-after"]) > 0
            for one in jobs[:4]:
                client.delete(one.headers["location"])
            assert problem(client.post("/v1/tables", json={"name": "two-sided-6x3"})) == "budget-exceeded"
        assert b"/problems/rate-limited" in crowd(server, ben, 1000)
        carl = add_key(keys, "carl")  # a file that changes is read again
        with server.client(carl) as client:
            assert client.get("/").status_code == 200
            keys.write_text(
                keys.read_text().replace("ben ", "ben REVOKED ")
            )  # a line that cannot be read opens nothing
            assert client.get("/").status_code == 200
        with server.client(ben) as client:
            assert client.get("/").status_code == 401
        wait_for(lambda: "keys:2: expected a name and the hash of its key" in server.log)
        with server.client(ada) as client:
            keys.write_bytes(b"\xff")
            assert client.get("/").status_code == 200
        wait_for(lambda: "cannot read the keys" in server.log)
        assert ada not in server.log and KEY not in server.log


def test_a_ring_of_keys_refuses_what_it_cannot_read(tmp_path: Path) -> None:
    path = tmp_path / "keys"
    path.write_text("ada not-a-hash\n")
    with pytest.raises(EngineError, match=r"keys:1: expected a name and the hash"):
        KeyRing(path)
    with pytest.raises(EngineError, match="cannot read the keys"):
        KeyRing(tmp_path / "absent")
    with pytest.raises(EngineError, match="the name of a key"):
        add_key(path, "a b")
    path.write_text(f"# a comment\n\nada {hashed('x')}\n")
    assert KeyRing(path).name_of("x") == "ada"


# --- hosts, origins and proxies ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "localhost.evil"])
def test_a_name_that_is_not_ours_is_refused(client: httpx.Client, host: str) -> None:
    answer = client.get("/healthz", headers={"host": host})
    assert answer.status_code in (400, 421)
    if answer.status_code == 421:
        assert problem(answer) == "wrong-host"


def test_our_names_are_answered_to(client: httpx.Client, server: Server) -> None:
    for host in ("localhost", f"LocalHost:{server.port}", "127.0.0.1", "[::1]:99"):
        assert client.get("/healthz", headers={"host": host}).status_code == 200


def test_other_sites_cannot_act_for_a_browser(tmp_path: Path) -> None:
    with Server(tmp_path, key=None) as server, httpx.Client(base_url=server.url) as browser:
        browser.get("/", params={"token": server.token})

        def asked(**headers: str) -> int:
            names = {name.replace("_", "-"): value for name, value in headers.items()}
            return browser.post("/v1/plays", json={"position": START, "dice": "31"}, headers=names).status_code

        assert asked(sec_fetch_site="cross-site") == 403
        assert asked(sec_fetch_site="same-site") == 403
        assert asked(origin="http://evil.example") == 403
        assert asked(origin="null") == 403
        assert asked(sec_fetch_site="same-origin", origin=server.url) == 200
        assert asked(origin=server.url) == 200
        assert asked() == 200  # no browser
        preflight = browser.options(
            "/v1/plays", headers={"origin": "http://evil.example", "access-control-request-method": "POST"}
        )
        assert preflight.status_code == 405
        answer = browser.get("/", headers={"origin": "http://evil.example"})
        assert not any(name.startswith("access-control") for name in answer.headers)


def test_a_proxy_is_believed_only_if_it_is_named(tmp_path: Path) -> None:
    with Server(tmp_path, "--proxy", "127.0.0.1", key=None) as server, httpx.Client(base_url=server.url) as client:
        assert client.get("/").status_code == 401
        assert client.get("/", headers={"x-forwarded-user": "ada"}).status_code == 200
        assert client.get("/", headers={"x-forwarded-user": "a/../b"}).status_code == 401
    with Server(tmp_path, "--proxy", "10.9.8.7", key=None) as server, httpx.Client(base_url=server.url) as client:
        assert client.get("/", headers={"x-forwarded-user": "ada"}).status_code == 401


def test_other_addresses_need_keys_or_a_proxy() -> None:
    with pytest.raises(EngineError, match="can be reached by others"):
        Settings(host="0.0.0.0")
    with pytest.raises(EngineError, match="several workers need"):
        Settings(workers=2)
    with pytest.raises(EngineError, match="a proxy is named by its address"):
        Settings(proxies=("a.example",))
    assert Settings(host="0.0.0.0", proxies=("10.0.0.1",), hosts=("Kibitz.example",)).answers_to >= {"kibitz.example"}


def test_settings_reach_worker_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_SERVICE", "{}")
    given = Settings(proxies=("10.0.0.1",), hosts=("a.example",), workers=3, limits=SHARED)
    given.to_environment()
    assert Settings.from_environment() == given


# --- limits -----------------------------------------------------------------------------------------------------------


def test_a_bucket_empties_and_fills() -> None:
    rates = Rates(rate=2.0, burst=3)
    for _ in range(3):
        rates.check("ada", now=0.0)
    with pytest.raises(Problem) as refused:
        rates.check("ada", now=0.0)
    assert refused.value.kind.status == 429
    assert int((refused.value.headers or {})["retry-after"]) >= 1
    rates.check("ben", now=0.0)  # another caller has a bucket of his own
    rates.check("ada", now=0.5)
    with pytest.raises(Problem):
        rates.check("ada", now=0.5)
    Rates(rate=0.0, burst=0).check("anyone")


def test_limits_are_numbers_from_0_on() -> None:
    with pytest.raises(EngineError, match="cannot be negative"):
        Limits(body=-1)
    with pytest.raises(EngineError, match="plies are 0 to 7"):
        Limits(plies=9)


# --- what every answer carries, and operation -------------------------------------------------------------------------


def test_every_answer_tells_browsers_to_do_nothing_with_it(client: httpx.Client) -> None:
    for path in ("/", "/nothing", "/healthz"):
        headers = client.get(path, headers={"x-request-id": "abc-1"}).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["content-security-policy"].startswith("default-src 'none'")
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-store"
        assert headers["x-request-id"] == "abc-1"
        assert "server" not in headers


def test_unknown_addresses_and_methods_are_problems(client: httpx.Client) -> None:
    assert problem(client.get("/nothing")) == "not-found"
    wrong = client.get("/v1/hint")
    assert problem(wrong) == "wrong-method"
    assert wrong.headers["allow"] == "POST"
    assert problem(client.get("/v1/../../etc/passwd")) == "not-found"


def test_metrics_count_requests_by_route(client: httpx.Client) -> None:
    client.post("/v1/plays", json={"position": START, "dice": "31"})
    text = client.get("/metrics").text
    assert 'kibitz_requests_total{method="POST",route="/v1/plays",status="200"}' in text
    assert 'kibitz_request_seconds_bucket{route="/v1/plays",le="+Inf"}' in text
    assert "process_resident_memory_bytes" in text


def test_logs_are_json_lines_with_routes_and_without_secrets(server: Server, client: httpx.Client) -> None:
    client.get("/v1/board.svg", params={"position": START, "token": "not-to-be-seen"})
    time.sleep(0.2)
    lines = [json.loads(line) for line in server.lines if line.startswith("{")]
    told = [line for line in lines if line.get("route") == "/v1/board.svg"]
    assert told
    assert {"time", "level", "event", "request", "method", "status", "ms", "caller"} <= set(told[-1])
    assert "not-to-be-seen" not in server.log
    assert KEY not in server.log


def test_a_stopped_server_ends_open_streams_and_leaves_with_0(tmp_path: Path) -> None:
    server = Server(tmp_path)
    with server.client() as client:
        asked = {"position": START, "plies": 4, "dice": "66"}
        with client.stream("POST", "/v1/hint", json=asked, headers={"accept": "text/event-stream"}) as stream:
            parts = stream.iter_raw()
            next(parts)
            server.process.terminate()
            assert b"the server stops" in b"".join(parts)
    assert server.stop() == 0


def test_without_the_extra_one_line_says_what_to_install(tmp_path: Path) -> None:
    """Given a Python that finds no FastAPI."""
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.util as u\n"
        "find = u.find_spec\n"
        "u.find_spec = lambda name, package=None: None if name in ('fastapi', 'uvicorn') else find(name, package)\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", "from kibitz.cli import main; main()", "serve", "http"],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(tmp_path), "PATH": "/usr/bin:/bin"},
        check=False,
    )
    assert run.returncode == 2
    assert run.stdout == ""
    assert run.stderr == 'kibitz: the service needs fastapi, uvicorn: pip install "kibitz[web]"\n'
