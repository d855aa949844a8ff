"""Measures the client of the package websockets, for `TransportBenchmarks websockets`.

Arguments: URL echo|pipelined BYTES SECONDS, or URL memory SOCKETS. Prints the number of messages, the seconds and the
processor time; or the resident kilobytes of all sockets together, and their number.
"""
import asyncio
import os
import sys
import time

from websockets.asyncio.client import connect


def open_socket(url):
    return connect(url, subprotocols=["echo"], compression=None, max_size=1 << 24)


async def echo(socket, message, end):
    count = 0
    while time.monotonic() < end:
        await socket.send(message)
        assert len(await socket.recv()) == len(message)
        count += 1
    return count


async def pipelined(socket, message, end):
    async def send():
        while time.monotonic() < end:
            await socket.send(message)
        await socket.send("end")

    sending = asyncio.create_task(send())
    count = 0
    while (await socket.recv()) != "end":
        count += 1
    await sending
    return count


def resident():
    with open("/proc/self/statm", encoding="ascii") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1000


async def measure_memory(url, number):
    sockets = [await open_socket(url)]
    before = resident()
    while len(sockets) <= number:
        sockets += await asyncio.gather(*(open_socket(url) for _ in range(min(50, number + 1 - len(sockets)))))
    print(resident() - before, number)
    sys.stdout.flush()
    os._exit(0)


async def main():
    url, mode = sys.argv[1:3]
    if mode == "memory":
        return await measure_memory(url, int(sys.argv[3]))
    async with open_socket(url) as socket:
        begin, processor = time.monotonic(), time.process_time()
        work = echo if mode == "echo" else pipelined
        count = await work(socket, bytes(int(sys.argv[3])), begin + float(sys.argv[4]))
        print(count, time.monotonic() - begin, time.process_time() - processor)


asyncio.run(main())
