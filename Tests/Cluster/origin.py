#!/usr/bin/env python3
"""A server of small pictures on many loopback addresses, which logs each request. It ends by itself.

    origin.py --hosts 50 --log FILE [--latency 0.04] [--port N] [--seconds 600] [--requests 300000] [--size BYTES]

Listens on 127.1.0.1, 127.1.0.2 … with one port, which it prints when it is ready. Paths: /missing/… answers 404,
/gone/… 410, /broken/… half a picture, /text/… a text, all others a PNG of their own. A line of the log is: seconds,
host, path, requests under way at this host, connections to it.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import struct
import time
import zlib
from email.utils import formatdate


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(text: bytes, size: int) -> bytes:
    """Returns a grey picture of 8 by 8, made unique by a text, of about `size` bytes."""
    rows = b"".join(b"\0" + bytes(range(row, row + 8)) for row in range(8))
    comment = b"Comment\0" + text.ljust(max(0, size - 120), b" ")
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 8, 8, 0, 0, 0, 0))
            + chunk(b"tEXt", comment) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class Origin:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.log = open(options.log, "w", buffering=1 << 16)
        self.requests = 0
        self.running: dict[str, int] = {}
        self.connections: dict[str, int] = {}
        self.done = asyncio.Event()

    def answer(self, path: str) -> bytes:
        kind = path.split("/")[1]
        if kind in ("missing", "gone"):
            code, phrase = (404, "Not Found") if kind == "missing" else (410, "Gone")
            return f"HTTP/1.1 {code} {phrase}\r\nContent-Length: 0\r\n\r\n".encode()
        if kind == "text":
            return b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 6\r\n\r\nhello\n"
        body = png(path.encode(), self.options.size)
        if kind == "broken":
            body = body[:len(body) // 2]
        tag = zlib.crc32(path.encode())
        # Without a Date squid takes the picture for stale.
        head = (f"HTTP/1.1 200 OK\r\nDate: {formatdate(usegmt=True)}\r\nContent-Type: image/png\r\n"
                f"Content-Length: {len(body)}\r\nETag: \"{tag:x}\"\r\n"
                "Cache-Control: max-age=86400\r\nLast-Modified: Wed, 01 Jan 2025 00:00:00 GMT\r\n\r\n")
        return head.encode() + body


class Connection(asyncio.Protocol):
    def __init__(self, origin: Origin) -> None:
        self.origin, self.buffer = origin, b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.host = transport.get_extra_info("sockname")[0]
        self.origin.connections[self.host] = self.origin.connections.get(self.host, 0) + 1

    def connection_lost(self, error: Exception | None) -> None:
        self.origin.connections[self.host] -= 1

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while b"\r\n\r\n" in self.buffer:
            head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
            path = head.split(b" ", 2)[1].decode()
            if path.startswith("http://"):
                path = "/" + path.split("/", 3)[3]
            origin = self.origin
            origin.requests += 1
            origin.running[self.host] = origin.running.get(self.host, 0) + 1
            origin.log.write(f"{time.time():.4f} {self.host} {path} {origin.running[self.host]} "
                             f"{origin.connections[self.host]}\n")
            if origin.options.latency:
                asyncio.get_running_loop().call_later(origin.options.latency, self.finish, path)
            else:
                self.finish(path)
            if origin.requests >= origin.options.requests:
                origin.done.set()

    def finish(self, path: str) -> None:
        self.origin.running[self.host] -= 1
        if not self.transport.is_closing():
            self.transport.write(self.origin.answer(path))


async def serve(options: argparse.Namespace) -> None:
    origin, port, servers = Origin(options), options.port, []
    loop = asyncio.get_running_loop()
    for number in range(1, options.hosts + 1):
        server = await loop.create_server(lambda: Connection(origin), f"127.1.0.{number}", port, backlog=512)
        port = server.sockets[0].getsockname()[1]
        servers.append(server)
    print(port, flush=True)
    parent, end = os.getppid(), time.monotonic() + options.seconds
    while not origin.done.is_set() and time.monotonic() < end and os.getppid() == parent:
        await asyncio.sleep(0.1)
        origin.log.flush()
    for server in servers:
        server.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hosts", type=int, default=50)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--log", required=True)
    parser.add_argument("--latency", type=float, default=0)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--requests", type=int, default=300_000)
    parser.add_argument("--size", type=int, default=1000)
    asyncio.run(serve(parser.parse_args()))


if __name__ == "__main__":
    main()
