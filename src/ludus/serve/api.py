"""The routes: what is asked by HTTP, answered in JSON."""

from __future__ import annotations

import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from ludus.extras import version
from ludus.serve import trainer, transfer
from ludus.serve.desk import Desk
from ludus.serve.limits import LIMITS, Limits
from ludus.serve.openapi import description, public
from ludus.serve.pages import Pages
from ludus.serve.protocol import Refused, load, messages, read
from ludus.serve.rules import rules
from ludus.serve.scene import scene
from ludus.serve.setup import position_text
from ludus.serve.socket import Talk

Message = dict[str, Any]
LOG = logging.getLogger("ludus.serve")
# What a report may do: be looked at. It is somebody's file, and none of our page.
REPORT = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"


class Api:
    """A method a route."""

    def __init__(self, desk: Desk, pages: Pages) -> None:
        self.desk, self.pages = desk, pages
        self.fields = messages(desk.limits)

    def posts(self) -> dict[str, Callable[[Message], Awaitable[Any]]]:
        """Routes that take a message."""
        return {
            "/api/game": self.quick(lambda a: self.desk.games.entry(self.game(a))),
            "/api/new": self.quick(lambda a: self.show(transfer.new_line(self.game(a), a["seed"]))),
            "/api/position": self.quick(lambda a: self.show(self.line(a))),
            "/api/play": self.quick(self.play),
            "/api/parse": self.quick(self.parse),
            "/api/record": self.quick(self.record),
            "/api/setup": self.quick(self.setup),
            "/api/truth": self.truth,
            "/api/think": self.think,
            "/api/puzzle": self.puzzle,
            "/api/puzzle/answer": self.puzzle_answer,
        }

    def gets(self) -> dict[str, Callable[[Request], Awaitable[Response]]]:
        """Routes that take an address."""
        return {
            "/api/games": self.games,
            "/api/rules/{game}": self.rules,
            "/api/openapi.json": self.openapi,
            "/api/runs": self.runs,
            "/api/runs/{id}/metrics": self.metrics,
            "/api/runs/{id}/games": self.games_of_run,
            "/api/tournaments/{id}": self.tournament,
            "/api/reports/{id}": self.report,
            "/{name:path}": self.page,
        }

    def quick(self, answer: Callable[[Message], Any]) -> Callable[[Message], Awaitable[Any]]:
        """A short answer, given beside the loop."""

        async def answer_beside_loop(message: Message) -> Any:
            return await self.desk.answer_in_thread(answer, message)

        return answer_beside_loop

    def game(self, message: Message) -> Any:
        return self.desk.games.game(message["game"])

    def line(self, message: Message) -> Any:
        return self.desk.line(message["line"])

    def show(self, line: Any) -> Message:
        """The scene of a line, which is likely to be asked about next."""
        return scene(self.desk.lines.keep(line))

    def play(self, message: Message) -> Message:
        """One ply."""
        line = self.line(message)
        if len(line.actions) >= self.desk.limits.tokens:
            raise Refused(f"a line has at most {self.desk.limits.tokens:,} plies")
        after = transfer.play(line, message["action"], message["seed"])
        return {"token": after.tokens[-1], "scene": self.show(after)}

    def parse(self, message: Message) -> Message:
        game = None if message["game"] is None else self.game(message)
        return {"line": transfer.import_line(game, message, self.desk.limits.tokens).record()}

    def record(self, message: Message) -> Message:
        return transfer.export_line(self.line(message), message["players"], message["resigned"])

    async def truth(self, message: Message) -> Message:
        line = await self.desk.answer_in_thread(self.line, message)
        return await self.desk.truth(line, self.desk.limits.truth_seconds)

    async def think(self, message: Message) -> Message:
        async with aclosing(self.desk.thoughts(message)) as thoughts:
            async for thought in thoughts:
                if thought["final"]:
                    return thought
        raise AssertionError("thoughts end with a final one")

    def setup(self, message: Message) -> Message:
        """The text of a position that was set up by hand."""
        return {"text": position_text(self.game(message), message["board"], message["player"])}

    async def puzzle(self, message: Message) -> Message:
        game = await self.desk.answer_in_thread(self.game, message)
        seed = message["seed"] or 0
        return await self.ask_trainer(
            game, lambda known: trainer.puzzles(game, known, seed, message["grade"])
        )

    async def puzzle_answer(self, message: Message) -> Message:
        line = await self.desk.answer_in_thread(self.line, message)
        if message["action"] not in line.state.legal():
            raise Refused(f"action {message['action']} is not legal here")
        return await self.ask_trainer(
            line.game, lambda known: trainer.answer(line, known, message["action"])
        )

    async def ask_trainer(self, game: Any, work: Callable[[Any], Any]) -> Message:
        """What the trainer says, once the oracle is there."""

        def look_up() -> Any:
            known = yield from self.desk.oracles.wait(game)
            yield from work(known)

        seconds = self.desk.limits.puzzle_seconds
        found = (await self.desk.last_answer(look_up(), seconds)).latest
        if found is None:
            raise Refused(f"no answer was found within {seconds:g} s", 503)
        return found  # type: ignore[no-any-return]

    async def games(self, request: Request) -> Response:
        listed = await self.desk.answer_in_thread(self.desk.games.all)
        limits, puzzles = public(self.desk.limits), trainer.games_with_puzzles()
        entry = {"games": listed, "puzzles": puzzles, "version": version(), "limits": limits}
        return json_response(entry)

    async def rules(self, request: Request) -> Response:
        game = self.desk.games.game(request.path_params["game"])
        return json_response(await self.desk.answer_in_thread(rules, game.name))

    async def openapi(self, request: Request) -> Response:
        return json_response(description(self.desk.limits))

    async def runs(self, request: Request) -> Response:
        return json_response(await self.desk.answer_in_thread(self.desk.runs.all))

    async def metrics(self, request: Request) -> Response:
        after = request.query_params.get("after", "-1")
        if not re.fullmatch(r"-?\d{1,18}", after):
            raise Refused("after is a step, a whole number")
        name = request.path_params["id"]
        return json_response(
            await self.desk.answer_in_thread(self.desk.runs.metrics, name, int(after))
        )

    async def games_of_run(self, request: Request) -> Response:
        name = request.path_params["id"]
        return json_response(await self.desk.answer_in_thread(self.desk.runs.games, name))

    async def tournament(self, request: Request) -> Response:
        name = request.path_params["id"]
        return json_response(await self.desk.answer_in_thread(self.desk.runs.tournament, name))

    async def report(self, request: Request) -> Response:
        data = await self.desk.answer_in_thread(self.desk.runs.report, request.path_params["id"])
        headers = {"content-security-policy": REPORT, **UNKEPT}
        return Response(data, media_type="text/html; charset=utf-8", headers=headers)

    async def page(self, request: Request) -> Response:
        found = await self.desk.answer_in_thread(self.pages.find, request.path_params["name"])
        if found is None:
            raise Refused("there is nothing at this address", 404)
        data, kind, mark = found
        headers = {"etag": mark, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == mark:
            return Response(status_code=304, headers=headers)
        return Response(data, media_type=kind, headers=headers)

    def post(self, path: str, answer: Callable[[Message], Awaitable[Any]]) -> Any:
        """A route whose message is read and checked first."""

        async def reply(request: Request) -> Response:
            message = load(await request.body(), self.desk.limits.body_bytes)
            return json_response(await answer(read(message, self.fields[path])))

        return Route(path, reply, methods=["POST"])


UNKEPT = {"cache-control": "no-store"}


def json_response(content: Any) -> Response:
    """An answer, which no browser keeps."""
    return JSONResponse(content, headers=UNKEPT)


async def refusal(request: Request, why: Exception) -> Response:
    """A sentence; what went wrong on our side is told to who started the server."""
    match why:
        case Refused():
            said = why
        case HTTPException(status_code=status):
            said = Refused(SENTENCES.get(status, str(why)), status)
        case ValueError() | TypeError() | OverflowError():
            said = Refused(why)
        case MemoryError():
            said = Refused("memory ran out: ask for less", 503)
        case _:
            LOG.error("a defect of ludus", exc_info=why)
            said = Refused("this is a defect of ludus, and is told to who runs this server", 500)
    return JSONResponse({"error": str(said)}, said.status, headers=UNKEPT)


SENTENCES = {404: "there is nothing at this address", 405: "this address is not asked like this"}
ERRORS = (Refused, HTTPException, ValueError, TypeError, OverflowError, MemoryError, Exception)


def application(
    runs: Path | None = None, agents: Sequence[str] = (), limits: Limits = LIMITS
) -> Starlette:
    """All routes, without the guard before them."""
    desk = Desk(runs, agents, limits)
    api = Api(desk, Pages())

    async def talk(socket: WebSocket) -> None:
        await Talk(desk, socket).run()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        desk.close()

    routes = [api.post(path, answer) for path, answer in api.posts().items()]
    routes += [WebSocketRoute("/api/socket", talk)]
    routes += [Route(path, answer) for path, answer in api.gets().items()]
    handlers: Any = dict.fromkeys(ERRORS, refusal)
    app = Starlette(routes=routes, exception_handlers=handlers, lifespan=lifespan)
    app.state.desk = desk
    return app
