"""What schemathesis cannot make up: the log of a whole game, tables at which
games are under way, and the tokens of their seats."""

import itertools
import json
import os
import pathlib
import urllib.request

import schemathesis
from schemathesis.core.parameters import ParameterLocation

LOG = pathlib.Path(os.environ["PARLOR_LOG"]).read_bytes()
URL = os.environ["PARLOR_URL"]
# Whether whoever calls is a player of the table it calls.
SEATED = os.environ.get("PARLOR_SEATED") == "1"

PERSON, BOT = {"kind": "human", "name": "Ada"}, {"kind": "bot"}
ORDERS = [
    {"game": "koikoi", "seats": [PERSON, BOT]},
    {"game": "stud", "seats": [PERSON, BOT, BOT]},
    {"game": "binokel", "seats": [PERSON, BOT, BOT]},
    {"game": "mafia", "seats": [PERSON] + [BOT] * 9},
    {"game": "dice", "seats": [PERSON, BOT]},
    # Waits for a second person.
    {"game": "dice", "seats": [PERSON, {"kind": "human"}]},
]

# Each table's token, by its id.
tokens = {}
# The latest table of each order.
tables = {}
uses, turns = itertools.count(), itertools.count()


@schemathesis.serializer("application/x-ndjson")
def a_log(_context, value):
    return LOG if isinstance(value, str) else repr(value).encode()


def ask(path, token=None, body=None):
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(URL + path, data, headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def a_table():
    """A table that exists. New ones are laid now and then: calls end games."""
    use = next(uses)
    order = ORDERS[use % len(ORDERS)]
    if use % (6 * len(ORDERS)) < len(ORDERS):
        laid = ask("/api/v1/tables", body=order)
        tokens[laid["table_id"]] = laid["token"]
        tables[use % len(ORDERS)] = laid["table_id"]
    return tables[use % len(ORDERS)]


def is_right(case, location):
    """Whether this part of the request is as the document has it."""
    part = case.meta and case.meta.components.get(location)
    return part is None or part.mode.is_positive


def is_about_tokens(case):
    """Whether the request is made to come without a token."""
    data = case.meta and case.meta.phase.data
    return getattr(data, "parameter", None) == "Authorization"


@schemathesis.hook
def before_call(_context, case, _kwargs):
    given = case.path_parameters
    table = given.get("table")
    if table is None or not is_right(case, ParameterLocation.PATH):
        return
    # Now and then there is no such table.
    if table not in tokens and next(turns) % 4:
        given["table"] = table = a_table()
    if SEATED and table in tokens and not is_about_tokens(case):
        case.headers["Authorization"] = f"Bearer {tokens[table]}"
        case._has_explicit_auth = True
        if case.operation.path.endswith("/commands") and next(turns) % 2:
            make_a_move(case, table)


def make_a_move(case, table):
    """The first move that is open to the seat, if there is one."""
    everything_else = ParameterLocation.QUERY, ParameterLocation.BODY, ParameterLocation.HEADER
    if not all(is_right(case, location) for location in everything_else):
        return
    try:
        known = ask(f"/api/v1/tables/{table}/snapshot?dialect=log", tokens[table])
    except urllib.error.HTTPError:
        return
    if known["options"]:
        case.query, case.body = {"dialect": "log"}, known["options"][0]


@schemathesis.hook
def after_call(_context, case, response):
    if response.status_code == 201 and case.operation.path.startswith("/api/v1/tables"):
        laid = response.json()
        if laid.get("token") and laid.get("table_id"):
            tokens[laid["table_id"]] = laid["token"]


TABLES = "/api/v1/tables/{table}"
# What a request that is as the document has it may still be refused for with 400,
# because it depends on the game that is played.
DEPENDS_ON_THE_GAME = {
    TABLES + "/events": {"UNKNOWN_DIALECT"},
    TABLES + "/snapshot": {"UNKNOWN_DIALECT"},
    TABLES + "/log": {"UNKNOWN_DIALECT", "NO_SUCH_SEAT"},
    TABLES + "/bots": {"UNKNOWN_BOT"},
    # A command of one dialect is none of another.
    TABLES + "/commands": {"UNKNOWN_DIALECT", "MALFORMED"},
    # How many seats there are depends on the table.
    "/api/v1/admin/tables/{table}/seats/{seat}/remove": {"NO_SUCH_SEAT"},
    "/api/v1/admin/tables/{table}/seats/{seat}/erase": {"NO_SUCH_SEAT"},
    "/api/sessions/{code}/ai/{seat}": {"INVALID_PLAYER_INDEX"},
    "/api/v1/replays": {"UNKNOWN_DIALECT", "NO_SUCH_SEAT"},
}


@schemathesis.check
def refused_only_for_what_depends_on_the_game(_context, response, case):
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    if response.status_code == 400:
        code = response.json()["code"]
        allowed = DEPENDS_ON_THE_GAME.get(case.operation.path, set())
        assert code in allowed, f"{code} answers a request that is as the document has it"
