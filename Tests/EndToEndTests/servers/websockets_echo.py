"""Echoes WebSocket messages on the loopback interface, plain on one port and over TLS on another."""
import asyncio
import ssl
import sys

from websockets.asyncio.server import serve


async def echo(socket):
    if socket.request.path == "/close":
        await socket.close(4000, "because")
        return
    async for message in socket:
        await socket.send(message)


async def main():
    port, tls_port, certificate, key = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    options = {"max_size": 1 << 24, "subprotocols": ["echo"]}
    async with serve(echo, "127.0.0.1", port, **options), serve(echo, "127.0.0.1", tls_port, ssl=context, **options):
        await asyncio.get_running_loop().create_future()


asyncio.run(main())
