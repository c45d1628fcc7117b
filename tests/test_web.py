"""`orbis web` as others may try to use it: who may connect, what a message can do, and what becomes of its searches.

More malformed messages: ORBIS_MESSAGES=10000 pytest tests/test_web.py -s
"""

from __future__ import annotations

import http.client
import json
import os
import random
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from web_server import Server, ask, serving
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from orbis_search import speaking
from orbis_search.engine.actions import ACTIONS
from orbis_search.notation import read_position, write_oneline
from orbis_search.notation.examples import example_text
from orbis_search.review.text import CLASS_WORDS
from orbis_search.web.guard import Guard
from orbis_search.web.server import MOST_TABS
from orbis_search.web.words import WORDS, page_words

MESSAGES = int(os.environ.get("ORBIS_MESSAGES", "1000"))
LINE = write_oneline(read_position(example_text())).strip()
SECRET = "canary-4711"
needs_proc = pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="needs /proc")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.toml").write_text(f'name = "{SECRET}"\n[[tile]]\n{SECRET}\n', "utf-8")
    (outside / "secret.orbis").write_text(f"orbis-game 1\nplayers: {SECRET}, Bo\n", "utf-8")
    folder = outside / "games"
    folder.mkdir()
    (folder / "link.orbis").symlink_to(outside / "secret.orbis")
    (folder / "link.toml").symlink_to(outside / "secret.toml")
    with serving(folder) as running:
        yield running


def get(server: Server, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.putrequest("GET", path, skip_host=True)
    for name, value in ({"Host": f"127.0.0.1:{server.port}"} | headers).items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    answer = connection.getresponse()
    found = answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    connection.close()
    return found


# --- who may connect


def test_the_page_may_load_nothing_from_elsewhere(server: Server) -> None:
    status, headers, body = get(server, "/")
    assert status == 200 and b"main.js" in body
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy
    assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"
    for name in ("main.js", "page.css", "start.json", "words/de.json"):
        status, headers, body = get(server, f"/{name}")
        assert status == 200 and "content-security-policy" in headers
        assert b"http://" not in body.replace(b"http://www.w3.org/2000/svg", b"") and b"https://" not in body


def test_only_this_computer_is_listened_to(server: Server) -> None:
    listening = [line.split()[1] for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    here = [address for address in listening if address.endswith(f":{server.port:04X}")]
    assert "0100007F" in {address.split(":")[0] for address in here} and not any("00000000" in each for each in here)


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "localhost.evil:{port}", ""]
)
def test_a_name_that_somebody_pointed_here_is_refused(server: Server, host: str) -> None:
    assert get(server, "/", Host=host.format(port=server.port))[0] in (400, 403)
    named = {"Host": host.format(port=server.port)}
    with pytest.raises((InvalidHandshake, ConnectionClosed, ValueError)), server.socket(additional_headers=named):
        pass


@pytest.mark.parametrize(
    "origin",
    [None, "null", "http://evil.example", "http://127.0.0.1:1", "https://127.0.0.1:{port}", "http://127.0.0.1"],
)
def test_a_socket_from_another_page_is_refused(server: Server, origin: str | None) -> None:
    said = None if origin is None else origin.format(port=server.port)
    with pytest.raises(InvalidHandshake, match="403"), server.socket(origin=said):
        pass
    if origin is not None:
        assert get(server, "/start.json", Origin=origin.format(port=server.port))[0] == 403


def test_a_request_that_another_site_began_is_refused(server: Server) -> None:
    assert get(server, "/start.json", Sec_Fetch_Site="cross-site")[0] == 403
    assert get(server, "/start.json", Sec_Fetch_Site="same-origin")[0] == 200


def test_two_hosts_in_one_request_are_refused() -> None:
    guard = Guard(None, ["127.0.0.1:80"])  # type: ignore[arg-type]
    ours, other = (b"host", b"127.0.0.1:80"), (b"host", b"evil.example")
    assert guard.is_ours({"type": "http", "headers": [ours]})
    assert not guard.is_ours({"type": "http", "headers": [ours, other]})
    assert not guard.is_ours({"type": "http", "headers": []})


@pytest.mark.parametrize("path", ["/../setup.py", "/%2e%2e/server.py", "/..%2fserver.py", "/page/index.html", "//etc/passwd",
                                  "/words/../../server.json", "/words/xx.json", "/server.py", "/%00", "/index.html%00.js"])  # fmt: skip
def test_only_the_page_is_served(server: Server, path: str) -> None:
    status, _headers, body = get(server, path)
    assert status in (400, 403, 404) and b"import" not in body


def test_a_phone_needs_the_secret(tmp_path: Path) -> None:
    from orbis_search.web.server import Beginning, Board

    app = Board(Beginning()).application(["127.0.0.1:80"], "s3cret")
    routes = app.app.routes  # type: ignore[attr-defined]
    assert [route.path for route in routes] == ["/s3cret"]  # nothing is anywhere else


def test_no_more_tabs_than_are_bearable(server: Server) -> None:
    with ExitStack() as tabs:
        for _ in range(MOST_TABS):
            tabs.enter_context(server.socket())
        with pytest.raises(InvalidHandshake, match="403"), server.socket():
            pass
    for _ in range(200):  # those that left make room
        try:
            with server.socket() as tab:
                assert "result" in ask(tab, "ping")
            return
        except InvalidHandshake:
            time.sleep(0.05)
    raise AssertionError("expected room for a tab, found none")


# --- what a message can do


def everything_below(folder: Path) -> dict[str, bytes | None]:
    return {str(path): None if path.is_dir() else path.read_bytes() for path in sorted(folder.rglob("*"))}


def test_no_field_leads_out_of_the_folder(server: Server) -> None:
    """Paths in every field of every action, in tile sets of positions and games, and in names of players."""
    outside = server.folder.parent
    before = everything_below(outside)
    paths = ["../secret.toml", str(outside / "secret.toml"), "../secret.orbis", str(outside / "secret.orbis"), "link.orbis",
             "link.toml", "/etc/passwd", "..", "../new.orbis", "a/../../new.orbis", "@../secret.toml", "\0"]  # fmt: skip
    with server.socket() as tab:
        for path in paths:
            toml = example_text().replace("[centre]", f"tiles = {json.dumps(path)}\n[centre]", 1)
            game = f"orbis-game 1\nplayers: Anna, Bo\ntiles: {path}\n"
            seated = f"orbis-game 1\nplayers: Anna, Bo\nx-seat-1: @{path}\nx-seed: 1\n"
            for action, known in ACTIONS.items():
                fields = {
                    "position": LINE,
                    "draft": None,
                    "file": "none.orbis",
                    "number": 1,
                    "said": "a1",
                    "drawn": "y1a",
                    "move": "a1",
                    "tile": "y1a",
                    "comment": "x",
                    "turns": [{"number": 1, "said": "a1", "drawn": None}],
                }
                usual = {name: value for name, value in fields.items() if name in known.fields}
                for field in known.fields:
                    for value in (path, toml, game, seated, [path], [[path, path]], {"tiles": path}):
                        request = usual | {field: value}
                        if known.searches:
                            request |= {"seconds": 0.01} if "seconds" in known.fields else {"simulations": 1}
                        answer = ask(tab, action, **request)
                        assert SECRET not in json.dumps(answer), (action, field, value)
    after = everything_below(outside)
    assert {name: after[name] for name in before} == before
    assert all(Path(name).parent == server.folder for name in set(after) - set(before))


def mangled(text: str, rng: random.Random) -> str:
    """The text with something cut out of it, put in twice, or replaced by what nobody expects."""
    begin, end = sorted((rng.randrange(len(text)), rng.randrange(len(text))))
    other = [
        "",
        text[begin:end] * 2,
        "[" * rng.randrange(1, 2000),
        "\0",
        "\ud800",
        "1e999",
        "null",
        '"',
        "{}",
        "\u202e",
        "-0",
    ]
    return text[:begin] + rng.choice(other) + text[end:]


def test_malformed_messages_are_answered_and_forgotten(server: Server) -> None:
    rng = random.Random(5)
    sound = [
        json.dumps({"id": 1, "action": action, "position": LINE}) for action in ("moves", "check", "draw", "enter")
    ]
    with server.socket() as tab:
        for _ in range(100):
            tab.send("{")
            assert "error" in json.loads(tab.recv(timeout=60))
        begin = server.resident() if os.path.exists("/proc/self/statm") else 0
        answered = 0
        for number in range(MESSAGES):
            message: str | bytes = mangled(rng.choice(sound), rng)
            if number % 7 == 0:
                message = message.encode("utf-8", "replace")[: rng.randrange(1, 400)]
            if isinstance(message, str):
                message = message.encode("utf-8", "surrogatepass") if "\ud800" in message else message
            if not message.strip():
                continue
            tab.send(message)
            answer = json.loads(tab.recv(timeout=60))
            assert "error" in answer or "result" in answer
            answered += 1
        assert "result" in ask(tab, "ping")
        if begin:
            print(f"{answered} malformed messages answered; memory grew by {(server.resident() - begin) >> 20} MB")
            assert server.resident() < begin + (64 << 20)


def test_a_message_that_is_too_long_ends_its_tab_alone(server: Server) -> None:
    with server.socket() as other, server.socket() as tab:
        with pytest.raises((ConnectionClosed, OSError)):
            tab.send("x" * (2 << 20))
            tab.recv(timeout=60)
        assert "result" in ask(other, "ping")


def test_a_message_is_one_request_whatever_is_in_it(server: Server) -> None:
    with server.socket() as tab:
        tab.send('{"id": 1,\n"action": "ping"}')
        assert json.loads(tab.recv(timeout=60))["id"] == 1


def test_names_and_comments_stay_text(server: Server) -> None:
    strange = "<img src=x onerror=alert(1)>"
    position = (
        example_text().replace('name = "', 'name = "').replace("[[player]]", f'[[player]]\nname = "{strange}"', 1)
    )
    with server.socket() as tab:
        drawn = ask(tab, "draw", position=position)["result"]
        assert any(strange == group["title"] for group in drawn["groups"])
        svg = ask(tab, "draw", position=position, form="svg")["result"]
        assert strange not in svg and "&lt;img" in svg


# --- searches


@needs_proc
def test_a_search_ends_with_its_tab(server: Server) -> None:
    with server.socket() as tab:
        tab.send(json.dumps({"id": 1, "action": "advise", "position": LINE, "seconds": 600, "report_every": 0.2}))
        tab.recv(timeout=60)
        begin = server.worked()
        time.sleep(1)
        busy = server.worked() - begin
    time.sleep(1)
    begin = server.worked()
    time.sleep(1)
    assert server.worked() - begin < busy / 4


def test_a_tab_that_asks_for_much_makes_only_itself_wait(server: Server) -> None:
    with server.socket() as greedy, server.socket() as other:
        for number in range(6):
            request = {"id": number, "action": "advise", "position": LINE, "seconds": 30, "report_every": 0.2}
            greedy.send(json.dumps(request))
        greedy.recv(timeout=60)
        answer = ask(other, "advise", position=LINE, simulations=500, why=None)
        assert answer["result"]["simulations"] == 500
        greedy.send(json.dumps({"id": "end", "action": "cancel", "all": True}))


def test_an_answer_says_which_request_it_is_for(server: Server) -> None:
    with server.socket() as tab:
        for number in range(20):
            tab.send(json.dumps({"id": number, "action": "show", "position": LINE, "form": "oneline"}))
        found = [json.loads(tab.recv(timeout=60)) for _ in range(20)]
    assert sorted(each["id"] for each in found) == list(range(20)) and {each["result"] for each in found} == {LINE}


# --- the end, and the words


def test_the_program_ends_while_tabs_are_open(tmp_path: Path) -> None:
    running = Server(tmp_path)
    with pytest.raises(ConnectionClosed), running.socket() as tab:
        tab.send(json.dumps({"id": 1, "action": "advise", "position": LINE, "seconds": 600, "report_every": 0.2}))
        tab.recv(timeout=60)
        assert running.interrupt() == 0
        while True:
            tab.recv(timeout=60)


def test_a_port_in_use_is_told(server: Server, tmp_path: Path) -> None:
    from program import installed

    done = installed("web", "--no-open", "--port", server.port, "--for", "1s", cwd=tmp_path)
    assert done.code == 2 and "--port: expected a port that is free" in done.err and done.err.count("\n") == 1


def test_every_word_of_the_page_is_there_and_used() -> None:
    import re
    from importlib.resources import files

    source = "".join(
        file.read_text("utf-8") for file in (files("orbis_search.web") / "page").iterdir() if file.name.endswith(".js")
    )
    said = set(re.findall(r"\b(?:say|field|letters)\(\s*'(\w+)'", source))
    assert said <= page_words().keys()
    assert set(re.findall(r"`(\w+_)\$\{", source)) == {"as_", "account_", "colour_", "effect_", "god_", "level_"}
    quoted = {word for text in re.findall(r"'([\w ]+)'", source) for word in text.split()}
    unquoted = {word for word in WORDS.keys() - CLASS_WORDS.keys() if not word.startswith(("as_", "account_"))} - quoted
    assert unquoted == set()
    assert page_words().keys() > WORDS.keys()
    with speaking("de"):
        assert page_words()["level_casual"] == "casual (Gelegenheitsspieler)"
