#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""tests/lib/shuffle.py PORT SERVER-PORT MICROSECONDS SEED: a proxy that lets the
server's replies to requests of one connection overtake each other.

It holds every other reply of SMB2, or of an RPC over TCP, back for a random time of up
to that many microseconds, but not the interim replies of SMB2, which precede the final
ones. Both protocols put the length of a message into the last three of the four bytes
before it.
"""

import asyncio
import random
import sys

port, server_port, max_us, seed = map(int, sys.argv[1:])
numbers = random.Random(seed)
PENDING = bytes.fromhex("03010000")  # the status of interim replies


async def pass_on(reader, writer):
    """Send what comes from the client."""
    while data := await reader.read(1 << 20):
        writer.write(data)
        await writer.drain()
    writer.write_eof()


async def shuffle(reader, writer):
    """Send the messages that come from the server, each when its time has come."""
    loop = asyncio.get_running_loop()
    try:
        while True:
            frame = await reader.readexactly(4)
            message = await reader.readexactly(int.from_bytes(frame[1:], "big"))
            interim = message[8:12] == PENDING
            held = numbers.random() < 0.5 and not interim
            wait_us = numbers.randrange(max_us) if held else 0
            loop.call_later(wait_us / 1e6, writer.write, frame + message)
    except asyncio.IncompleteReadError:
        loop.call_later(max_us / 1e6, writer.close)


async def serve(from_client, to_client):
    from_server, to_server = await asyncio.open_connection("127.0.0.1", server_port)
    try:
        await asyncio.gather(pass_on(from_client, to_server),
                             shuffle(from_server, to_client))
    except OSError:
        pass  # one side is gone
    to_server.close()


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", port)
    print("ready", flush=True)
    async with server:
        await server.serve_forever()


asyncio.run(main())
