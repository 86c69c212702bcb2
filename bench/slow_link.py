#!/usr/bin/env python3
"""Stands between a printer and its clients as a slow network would: of so many bits a second, and so many
milliseconds there and back.

It ends when its standard input does.

usage: bench/slow_link.py PORT PRINTER_PORT MEGABITS MILLISECONDS
"""
import asyncio
import sys

OWN, PRINTER = int(sys.argv[1]), int(sys.argv[2])
BYTES_A_SECOND = float(sys.argv[3]) * 1e6 / 8
DELAY = float(sys.argv[4]) / 2000
# The number of bytes in transit, as in the buffers of network devices.
ROOM = 64 << 10
CATCH_UP = 0.1


async def carry(reader, writer):
    """Bytes leave one after the other, and arrive a while later."""
    clock = asyncio.get_running_loop().time
    way = asyncio.Queue(ROOM >> 12)
    free = 0.0

    async def arrive():
        while True:
            due, data = await way.get()
            await asyncio.sleep(max(0, due - clock()))
            if not data:
                break
            writer.write(data)
            await writer.drain()
        writer.write_eof()

    arriving = asyncio.create_task(arrive())
    while True:
        data = await reader.read(4096)
        # On a busy machine this wakes up too late, but the link is not slower for that.
        free = max(free, clock() - CATCH_UP) + len(data) / BYTES_A_SECOND
        await way.put((free + DELAY, data))
        await asyncio.sleep(max(0, free - clock()))
        if not data:
            break
    await arriving


async def serve(reader, writer):
    try:
        theirs = await asyncio.open_connection("localhost", PRINTER, limit=4096)
        await asyncio.gather(carry(reader, theirs[1]), carry(theirs[0], writer))
        theirs[1].close()
    except OSError:
        pass
    writer.close()


async def main():
    server = await asyncio.start_server(serve, "localhost", OWN, limit=4096)
    async with server:
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


asyncio.run(main())
