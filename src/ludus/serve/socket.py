"""The WebSocket: thoughts while they come, and answers of oracles; stopped at once."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing, suppress
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from ludus.serve.desk import Desk
from ludus.serve.guard import Pace
from ludus.serve.protocol import MOST_ID, Refused, load, messages, read

TOO_BIG, TOO_MUCH = 1009, 1008  # why a connection is closed, as the standard numbers it


class Talk:
    """One client's connection."""

    def __init__(self, desk: Desk, socket: WebSocket) -> None:
        self.desk, self.socket, self.limits = desk, socket, desk.limits
        self.fields = messages(desk.limits)
        self.questions: dict[int, asyncio.Task[None]] = {}
        self.pace = Pace(self.limits.requests, self.limits.requests_at_once)
        self.turn = asyncio.Lock()  # one message is sent at a time

    async def run(self) -> None:
        """Until the client leaves; then what it asked is stopped."""
        await self.socket.accept()
        try:
            while True:
                await self.hear()
        except (WebSocketDisconnect, TimeoutError, RuntimeError):
            pass  # it has gone, or takes nothing
        finally:
            for task in self.questions.values():
                task.cancel()
            with suppress(Exception):
                await self.socket.close()

    async def hear(self) -> None:
        """One message of the client."""
        got = await self.socket.receive()
        if got["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(got.get("code", 1000))
        number = None
        try:
            if not self.pace.allows():
                await self.leave("too many messages: more than this server answers a second")
            text = got.get("text")
            if text is None:
                raise Refused("a message is text")
            message = load(text, self.limits.frame_bytes)
            number = number_of(message)
            await self.answer(message, number)
        except Refused as why:
            await self.say({"id": number, "error": str(why)})

    async def leave(self, why: str) -> None:
        """Say why, and close."""
        await self.say({"id": None, "error": why})
        await self.socket.close(TOO_MUCH, why)
        raise WebSocketDisconnect(TOO_MUCH)

    async def answer(self, message: dict[str, Any], number: int | None) -> None:
        """Begin to answer; a long answer is a task of its own."""
        op = message.get("op")
        if op not in ("think", "stop", "truth"):
            raise Refused("op is think, stop or truth")
        given = read({k: v for k, v in message.items() if k != "op"}, self.fields[str(op)])
        number = given["id"]
        if op == "stop":
            if (task := self.questions.pop(number, None)) is not None:
                task.cancel()
            await self.say({"id": number, "stopped": True})
            return
        if number in self.questions:
            raise Refused(f"question {number} is not answered yet")
        if len(self.questions) >= self.limits.searches_of_socket:
            raise Refused(
                f"at most {self.limits.searches_of_socket} questions at a time over one connection"
            )
        work = self.think if op == "think" else self.truth
        self.questions[number] = asyncio.create_task(self.at(number, work, given))

    async def at(self, number: int, work: Any, given: dict[str, Any]) -> None:
        """Answer one question, and forget it."""
        try:
            await work(number, given)
        except (Refused, ValueError) as why:
            self.questions.pop(number, None)
            await self.try_to_say({"id": number, "error": str(Refused(why))})
        except (WebSocketDisconnect, RuntimeError, TimeoutError):
            pass
        finally:
            if self.questions.get(number) is asyncio.current_task():
                del self.questions[number]

    async def think(self, number: int, given: dict[str, Any]) -> None:
        """Thoughts as they come, each with its number."""
        every = given.pop("every")
        pause = self.limits.every_seconds if every is None else every / 1000
        async with aclosing(self.desk.thoughts(given, pause)) as thoughts:
            async for thought in thoughts:
                if thought["final"]:
                    self.questions.pop(number, None)
                await self.say({"id": number, "thought": thought})

    async def truth(self, number: int, given: dict[str, Any]) -> None:
        """What is so."""
        line = await self.desk.answer_in_thread(self.desk.line, given["line"])
        told = await self.desk.truth(line, self.limits.truth_socket_seconds)
        self.questions.pop(number, None)
        await self.say({"id": number, "truth": told})

    async def say(self, message: dict[str, Any]) -> None:
        """Send a message; a client that takes nothing for long has gone."""
        async with self.turn:
            sending = self.socket.send_text(json.dumps(message))
            await asyncio.wait_for(sending, self.limits.send_seconds)

    async def try_to_say(self, message: dict[str, Any]) -> None:
        """The same, where it does not matter whether anybody listens."""
        with suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
            await self.say(message)


def number_of(message: dict[str, Any]) -> int | None:
    """The number of a question, if it has a sound one."""
    number = message.get("id")
    return number if type(number) is int and 0 <= number <= MOST_ID else None
