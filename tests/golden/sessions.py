"""What every command writes: the command lines whose whole output is kept in `sessions/`, and how it is made.

Run in a folder with copies of the golden positions, so that a session may write files. What depends on the clock or on
the machine is masked, and nothing else.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from program import Result, installed

FOLDER = Path(__file__).parent
KEPT = FOLDER / "sessions"
SEARCH = "--sims 600 --threads 1 --seed 4"
ENGINE = """\
{"id": 1, "action": "moves", "position": "LINE", "limit": 1}
{"id": 2, "action": "check", "position": "LINE"}
no JSON at all
{"id": 3, "action": "fly", "position": "LINE"}
{"id": 4, "action": "check", "position": "o1:2"}
"""
LINE = (
    "o1:2:reconstruction:y2b,r2a+ry3w,r2b,g2b+r,w2c+gw,g2a+y3w,y1c+gw,b2b,b1a+gw"
    ":g/-/b1b,g1a,w1b,y1a/.,g1b,w2a:b/oceans/r1b,y1b,r1a,w1a/.,y2a:nature+death"
)
ORION_PLAY = "?\n1\nundo\ndone\nmoves\nbuild nothing\n99\nresearch\nquit\n"
PLAY = "?\n5\n1\nundo\nquit\n"
TRACK = "b2 wild 1R\ng\n1\nb2 nonsense\n00\n9\n"
EDIT = "Anna Ben\n\nblue irrigation g | rr\nno such tile\ngo gods\nlove fire death\n?\nquit\n"

# Name of the session: its command lines, and what the first reads from standard input.
SESSIONS: dict[str, tuple[list[str], str | None]] = {
    "alone": (["", "--version"], None),
    "advise": ([f"advise {SEARCH}"], None),
    "advise-3": ([f"advise middle-3.toml {SEARCH} --top 3 --keep 'god fire'"], None),
    "advise-4": ([f"advise middle-4.toml {SEARCH} --no-board"], None),
    "advise-ending": (["new --seed 1 --turns 28 -o late.toml", f"advise late.toml {SEARCH}"], None),
    "advise-json": ([f"advise middle-2.toml {SEARCH} --top 1 --json"], None),
    "solve": (["solve --threads 1"], None),
    "solve-margin": (["solve --threads 1 --objective margin --best --top 3"], None),
    "solve-json": (["solve --threads 1 --top 1 --json"], None),
    "show": (["show"], None),
    "show-forms": (["show middle-2.toml --toml", "show middle-2.toml --oneline", "show middle-2.toml --json"], None),
    "check": (["check", "check middle-2.toml", "check ending-4.toml", "check middle-2.toml --json"], None),
    "check-problems": (["check -", "check tiles.toml", "check nowhere.toml --json"], "players = 2\ngods = 'luve'\n"),
    "moves": (["moves", "moves middle-2.toml --all --limit 1", "moves middle-2.toml --limit 1 --json"], None),
    "new": (["new --seed 1 --turns 9", "new --seed 1 --turns 9 --oneline", "new --players 3 --seed 2 --json"], None),
    "new-template": (["new --template", "new --template --players 3 --json"], None),
    "edit": (["edit", "check game.toml.draft"], EDIT),
    "edit-json": (["edit --json"], EDIT),
    "apply": (["apply opening-2.toml b2 wild 1L --seed 1", "apply opening-2.toml b2 wild 1L",
               "apply middle-2.toml god fire"], None),
    "tiles-check": (["tiles check reconstruction", "tiles check tiles.toml --json", "tiles check middle-2.toml"], None),
    "tiles-show": (["tiles show", "tiles show random:7"], None),
    "tiles-template": (["tiles template"], None),
    "tiles-random": (["tiles random --seed 7"], None),
    "perft": (["perft opening-2.toml 2", "perft opening-2.toml 1 --divide", "perft opening-2.toml 1 --json"], None),
    "arena": (["arena greedy random --games 4 --seed 3 --threads 1", "arena greedy random --players 3 --games 6 --threads 1",
               "arena greedy random --games 4 --seed 3 --threads 1 --json"], None),
    "train": (["train run --players 2 --generations 1 --games 4 --sims 8 --epochs 2 --match-games 2 --match-sims 8 --threads 1",
               "train run --players 2 --games 4"], None),
    "verify": (["verify --decisions 1 --singles 1 --threads 1 --seed 5", "verify --endings 7 --threads 1",
                "verify --advice 3 --sims 200 --threads 1"], None),
    "bench": (["bench rules --seconds 0.05", "bench endgame --turns 4 --positions 1"], None),
    "bench-regret": (["bench regret --set fit --turns 4 --positions 2 --sims 200 --threads 1"], None),
    "play": (["play me novice --seed 3 --color never", "record show game.orbis", "play --levels"], PLAY),
    "track": (["track at-table.orbis --from opening-2.toml --no-advice --color never", "record check at-table.orbis"], TRACK),
    "record": (["record check greedy-random.orbis", "record show greedy-random.orbis"], None),
    "record-forms": (["record position greedy-random.orbis 5", "record show greedy-random.orbis --json",
                      "arena greedy random --games 2 --seed 3 --threads 1 --save match.jsonl",
                      "record arena match.jsonl games", "record check games/0001-2.orbis"], None),
    "review": (["review greedy-random.orbis --sims 300 --threads 1 --seed 4"], None),
    "engine": (["engine --workers 1"], ENGINE.replace("LINE", LINE)),
    "web": (["web --for 50ms --no-open --port 8431", "web middle-2.toml --for 50ms --no-open --port 8431 --json",
             "web nowhere.toml", "web --folder nowhere"], None),
    "completion": (["completion bash", "completion zsh", "completion fish"], None),
    "orion": (["orion show", "orion check", "orion moves --explain --limit 3", "orion new --seed 1 --decisions 12",
               "orion new --players 3 --seed 2 --oneline -o line.txt", "orion check line.txt", "orion moves nowhere.toml",
               "orion new --seed 1 --races humans,klingons", "orion new --seed 1 --json -o new.toml",
               "orion check new.toml --json"], None),
    "orion-moves": (["orion new --seed 4 --decisions 30 -o game.toml", "orion moves game.toml --limit 2 --json",
                     "orion apply game.toml research --seed 1", "orion apply game.toml build nothing"], None),
    "orion-cards": (["orion cards check reconstruction", "orion cards show", "orion cards check -",
                     "orion cards check reconstruction --json", "orion cards random --seed 7 -o box.toml",
                     "orion cards check box.toml"], "[set]\nstatus = 'guessed'\n[[structure]]\nid = 'x'\n"),
    "orion-play": (["orion play me regular --seed 3 --color never", "orion play game.orion", "orion play --levels",
                    "orion play --level 9", "orion play game.orion --seed 3"], ORION_PLAY),
    "orion-arena": (["orion arena sensible random --games 4 --seed 3 --threads 1",
                     "orion arena random beginner --players 3 --games 3 --threads 1 --json", "orion arena random",
                     "orion arena random flat:sims=x", "orion arena random sensible --cards nowhere.toml"], None),
    "orion-advise": (["orion advise --sims 60 --seed 1", "orion advise --sims 10 --seed 1 --no-board --top 2 --why research",
                      "orion advise --why 'attack 7'", "orion advise nowhere.toml"], None),
    "orion-measure": (["orion verify --decisions 20 --singles 20 --threads 1 --seed 5", "orion new --seed 1 -o game.toml",
                       "orion perft game.toml 2", "orion perft game.toml 1 --divide --draws",
                       "orion perft game.toml 1 --json", "orion perft game.toml x", "orion bench --signature"], None),
    "orion-template": (["orion cards template"], None),
    "mistakes": (["shwo", "show --color red", "advise --time soon", "new --players 5", "show nowhere.toml",
                  "tiles show 7", "apply middle-2.toml b9", "solve opening-2.toml", "arena greedy"], None),
}  # fmt: skip
HELP = ["", "advise", "solve", "edit", "new", "check", "tiles", "tiles check", "tiles show", "tiles template",
        "tiles random", "show", "moves", "apply", "arena", "train", "play", "track", "record", "record show", "record check",
        "record position", "record arena", "review", "bench", "bench rules", "bench search", "bench endgame", "bench peers",
        "bench regret", "verify", "perft", "engine", "completion", "web", "orion", "orion new", "orion show", "orion check",
        "orion moves", "orion apply", "orion advise", "orion play", "orion arena", "orion verify",
        "orion perft", "orion bench", "orion cards", "orion cards check", "orion cards show",
        "orion cards template",
        "orion cards random"]  # fmt: skip
SESSIONS["help"] = ([f"{command} --help" for command in HELP], None)

# What people read most, in the other languages too: words, and numbers as each language writes them.
SCREENS = ["show", f"advise {SEARCH} --no-board", "solve --threads 1 --top 3", "tiles check reconstruction",
           "record check greedy-random.orbis", "review greedy-random.orbis --sims 300 --threads 1 --seed 4",
           "play --levels", "solve opening-2.toml"]  # fmt: skip
ORION = ["orion show", "orion moves --explain --limit 1", "orion cards show", "orion play --levels",
         "orion advise --sims 20 --seed 1 --no-board"]  # fmt: skip
TABLES = ["moves middle-2.toml --all --limit 1", "arena greedy random --games 4 --seed 3 --threads 1",
          "verify --decisions 1 --singles 1 --threads 1 --seed 5"]  # fmt: skip
for language in ("de", "pl", "ru"):
    SESSIONS[f"screens-{language}"] = ([f"{line} --lang {language}" for line in SCREENS], None)
    SESSIONS[f"orion-{language}"] = ([f"{line} --lang {language}" for line in ORION], None)
    SESSIONS[f"tables-{language}"] = ([f"{line} --lang {language}" for line in TABLES], None)

COMMANDS_PAGE = FOLDER.parents[1] / "docs" / "commands.md"
MASKS = [
    (r"\b\d+[.,]\d+ ([sс])\b", r"T \1"),
    (r'("(?:seconds|cpu|median|ninety|most|seconds_per_move)": )[\d.e-]+', r"\1T"),
    (r"(?m)( +)\d[.,]\d{4}$", r"\1T"),  # the arena's seconds a move
]
FIGURES = {
    "bench": [(r"(?m)^(\d players: (?!state).{44}).*$", r"\1 F"), (r"(?m)^(4  .*?1/1)( +[\d.]+){3}", r"\1 T T T")],
    # CPUs round differently on the way to a network, and it plays accordingly.
    "train": [(r"(?<= )[01]\.\d{4}", "L"), (r"won [\d.]+ %", "won P %"), (r"  kept: .*|  not kept", "  V")],
}


def session(name: str, folder: Path) -> str:
    """The commands and all they write, as it would stand in a terminal, masked."""
    lines, stdin = SESSIONS[name]
    parts = []
    for number, line in enumerate(lines):
        done = installed(*shlex.split(line), cwd=folder, stdin=None if number else stdin, env={"COLUMNS": "80"})
        parts.append(f"$ orbis {line}".rstrip() + "\n" + masked(name, done))
    return "\n".join(parts)


def masked(name: str, done: Result) -> str:
    out = done.out
    if name == "engine":  # answers come as they are ready
        out = "".join(sorted(out.splitlines(keepends=True)))
    text = out + "".join(f"! {line}\n" for line in done.err.splitlines())
    if done.code:
        text += f"[exit code {done.code}]\n"
    for pattern, mask in MASKS + FIGURES.get(name, []):
        text = re.sub(pattern, mask, text)
    return text


def with_positions(folder: Path) -> Path:
    """The folder with copies of what the sessions read."""
    for path in (*FOLDER.glob("*.toml"), *FOLDER.glob("*.orbis")):
        (folder / path.name).write_bytes(path.read_bytes())
    return folder


def commands_page() -> str:
    """docs/commands.md: what every command says of itself."""
    parts = [
        "# The commands\n\n"
        "What every command prints with `--help`. `python tests/golden/regenerate.py` writes this page, and a test compares it\n"
        "with the program.\n"
    ]
    for command in HELP:
        title = f"orbis {command}".rstrip()
        done = installed(*command.split(), "--help", env={"COLUMNS": "80"})
        parts.append(
            f"{'##' if len(command.split()) < 2 else '###'} {title}\n\n```console\n$ {title} --help\n{done.out}```\n"
        )
    return "\n".join(parts)
