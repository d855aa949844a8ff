"""Serves HTTP/2 over TLS with the invalid or unusual behavior that the path names. Usage: http2.py PORT CERTIFICATE KEY"""
import socket
import ssl
import struct
import sys
import threading
import time

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import RequestReceived, StreamEnded
from hyperframe.frame import (
    ContinuationFrame, DataFrame, Frame, GoAwayFrame, HeadersFrame, PingFrame, PriorityFrame, PushPromiseFrame, RstStreamFrame,
    SettingsFrame, WindowUpdateFrame)

behaviors = {}


def behavior(function):
    behaviors["/" + function.__name__.replace("_", "-")] = function
    return function


class Connection:
    """Reads frames with h2, and writes raw frames, which h2 would reject."""

    def __init__(self, connected):
        self.socket = connected
        self.h2 = H2Connection(H2Configuration(client_side=False, header_encoding="utf-8"))
        self.paths = {}

    def serve(self):
        self.h2.initiate_connection()
        self.flush()
        while data := self.socket.recv(65536):
            events = self.h2.receive_data(data)
            self.flush()
            for event in events:
                if isinstance(event, RequestReceived):
                    self.paths[event.stream_id] = dict(event.headers)[":path"]
                    self.response(event.stream_id, True)
                elif isinstance(event, StreamEnded):
                    self.response(event.stream_id, False)

    def response(self, stream, is_early):
        """Paths that begin with `early-` are responded to before the content of the request has arrived."""
        path, _, argument = self.paths[stream].partition("?")
        if path.startswith("/early-") == is_early:
            function = behaviors[path]
            function(self, stream, *([int(argument)] if argument else []))

    def flush(self):
        self.socket.sendall(self.h2.data_to_send())

    def send(self, *frames):
        self.socket.sendall(b"".join(frame.serialize() if isinstance(frame, Frame) else frame for frame in frames))

    def close(self):
        """Closes the connection without GOAWAY and without the end of TLS."""
        self.socket.close()

    def block(self, *fields):
        return self.h2.encoder.encode(fields)

    def head(self, stream, *fields, status=200, end=False, ended=True):
        fields = ((":status", str(status)),) + fields
        flags = (["END_STREAM"] if end else []) + (["END_HEADERS"] if ended else [])
        return HeadersFrame(stream, data=self.block(*fields), flags=flags)


def data(stream, content, end=False, **more):
    return DataFrame(stream, data=content, flags=["END_STREAM"] if end else [], **more)


# Valid but unusual behavior.


@behavior
def fine(c, stream):
    c.send(c.head(stream), data(stream, b"fine", end=True))


@behavior
def interim_responses(c, stream):
    c.send(*[c.head(stream, ("link", "</style.css>"), status=103) for _ in range(20)])
    fine(c, stream)


@behavior
def trailers(c, stream):
    end = HeadersFrame(stream, data=c.block(("x-checksum", "abc")), flags=["END_HEADERS", "END_STREAM"])
    c.send(c.head(stream), data(stream, b"fine"), end)


@behavior
def padding(c, stream):
    pieces = [data(stream, bytes([byte]), pad_length=255) for byte in b"fine"]
    for piece in pieces:
        piece.flags.add("PADDED")
    c.send(c.head(stream), *pieces, data(stream, b"", end=True))


@behavior
def single_bytes(c, stream):
    c.send(c.head(stream), *[data(stream, b"x") for _ in range(10000)], data(stream, b"", end=True))


@behavior
def empty_frames(c, stream):
    c.send(c.head(stream), *[data(stream, b"") for _ in range(5000)], data(stream, b"fine", end=True))


@behavior
def unknown_frames(c, stream):
    strange = [b"\x00\x00\x01" + bytes([kind, 255]) + stream.to_bytes(4, "big") + b"?" for kind in range(11, 31)]
    c.send(*strange, PriorityFrame(stream, depends_on=0, stream_weight=7), PingFrame(0, opaque_data=b"12345678"))
    fine(c, stream)


@behavior
def split_head(c, stream):
    block = c.block((":status", "200"), *[("x-%d" % number, "y" * 50) for number in range(50)])
    pieces = [block[start:start + 400] for start in range(0, len(block), 400)]
    c.send(HeadersFrame(stream, data=pieces[0]), *[ContinuationFrame(stream, data=piece) for piece in pieces[1:-1]])
    c.send(ContinuationFrame(stream, data=pieces[-1], flags=["END_HEADERS"]), data(stream, b"fine", end=True))


@behavior
def goaway_and_response(c, stream):
    c.send(GoAwayFrame(0, last_stream_id=stream))
    fine(c, stream)


@behavior
def early_response(c, stream):
    c.send(c.head(stream, status=413), data(stream, b"too much", end=True), RstStreamFrame(stream, error_code=0))


@behavior
def settings_change(c, stream):
    c.send(SettingsFrame(0, settings={1: 0, 3: 1, 4: 1000, 5: 65536, 6: 4096}))
    fine(c, stream)


@behavior
def response_after_response(c, stream):
    fine(c, stream)
    fine(c, stream)


# Behavior that ends a stream.


@behavior
def reset_before_head(c, stream, code=2):
    c.send(RstStreamFrame(stream, error_code=code))


@behavior
def reset_after_head(c, stream, code=2):
    c.send(c.head(stream), RstStreamFrame(stream, error_code=code))


@behavior
def reset_in_content(c, stream, code=2):
    c.send(c.head(stream, ("content-length", "8")), data(stream, b"half"), RstStreamFrame(stream, error_code=code))


def half(c, stream):
    """Sends the head, and a part of content of undeclared length."""
    c.send(c.head(stream), data(stream, b"half"))
    time.sleep(0.2)


@behavior
def reset_in_open_content(c, stream, code=2):
    half(c, stream)
    c.send(RstStreamFrame(stream, error_code=code))


refused = set()


@behavior
def refused_once(c, stream, caller):
    if caller in refused:
        return fine(c, stream)
    refused.add(caller)
    reset_before_head(c, stream, 7)


@behavior
def too_short(c, stream):
    c.send(c.head(stream, ("content-length", "8")), data(stream, b"half", end=True))


@behavior
def too_long(c, stream):
    c.send(c.head(stream, ("content-length", "2")), data(stream, b"more", end=True))


@behavior
def data_before_head(c, stream):
    c.send(data(stream, b"early"))
    fine(c, stream)


@behavior
def no_status(c, stream):
    c.send(HeadersFrame(stream, data=c.block(("x-a", "b")), flags=["END_HEADERS"]), data(stream, b"what", end=True))


@behavior
def bad_status(c, stream):
    c.send(c.head(stream, status="abc"), data(stream, b"what", end=True))


@behavior
def two_statuses(c, stream):
    c.send(c.head(stream, (":status", "404")), data(stream, b"what", end=True))


@behavior
def upper_case(c, stream):
    c.send(c.head(stream, ("X-Loud", "1")), data(stream, b"what", end=True))


@behavior
def line_break(c, stream):
    c.send(c.head(stream, ("x-a", "1\r\nset-cookie: b=2")), data(stream, b"what", end=True))


@behavior
def connection_field(c, stream):
    c.send(c.head(stream, ("connection", "close"), ("transfer-encoding", "chunked")), data(stream, b"what", end=True))


@behavior
def unfinished_trailers(c, stream):
    c.send(c.head(stream), HeadersFrame(stream, data=c.block(("x-a", "b")), flags=["END_HEADERS"]))


@behavior
def window_update_zero(c, stream):
    c.send(c.head(stream), WindowUpdateFrame(stream, window_increment=1).serialize()[:-4] + bytes(4))


@behavior
def window_overflow(c, stream):
    c.send(c.head(stream), *[WindowUpdateFrame(stream, window_increment=2**31 - 1) for _ in range(2)])


@behavior
def silence(c, stream):
    pass


@behavior
def silence_in_content(c, stream):
    c.send(c.head(stream), data(stream, b"half"))


# Behavior that ends a connection.


@behavior
def goaway_unprocessed(c, stream, code=0):
    c.send(GoAwayFrame(0, last_stream_id=0, error_code=code))
    c.close()


@behavior
def goaway_in_content(c, stream, code=2):
    c.send(c.head(stream), data(stream, b"half"), GoAwayFrame(0, last_stream_id=stream, error_code=code))
    c.close()


@behavior
def close_before_head(c, stream):
    c.close()


@behavior
def close_after_head(c, stream):
    c.send(c.head(stream))
    c.close()


@behavior
def close_in_frame(c, stream):
    c.send(c.head(stream), data(stream, b"x" * 1000).serialize()[:500])
    c.close()


@behavior
def close_in_head(c, stream):
    c.send(c.head(stream).serialize()[:-1])
    c.close()


@behavior
def garbage(c, stream):
    c.send(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n" * 10)


@behavior
def bad_compression(c, stream):
    c.send(HeadersFrame(stream, data=b"\xff" * 20, flags=["END_HEADERS"]))


@behavior
def bad_padding(c, stream):
    c.send(c.head(stream), struct.pack(">HBBBL", 0, 2, 0, 8, stream) + b"\xff\x00")


@behavior
def head_on_no_stream(c, stream):
    frame = c.head(stream).serialize()
    c.send(frame[:5] + bytes(4) + frame[9:])


@behavior
def data_on_unknown_stream(c, stream):
    c.send(data(stream + 1000, b"whose", end=True))


@behavior
def frame_too_large(c, stream):
    c.send(c.head(stream), data(stream, bytes(1 << 20), end=True))


@behavior
def frame_too_large_in_content(c, stream):
    half(c, stream)
    c.send(data(stream, bytes(1 << 20), end=True))


@behavior
def unknown_stream_in_content(c, stream):
    half(c, stream)
    c.send(data(stream + 1000, b"whose", end=True))


@behavior
def end_in_content(c, stream):
    half(c, stream)
    c.socket.unwrap()


@behavior
def push(c, stream):
    fields = ((":method", "GET"), (":scheme", "https"), (":authority", "localhost"), (":path", "/pushed"))
    c.send(PushPromiseFrame(stream, promised_stream_id=2, data=c.block(*fields), flags=["END_HEADERS"]))
    c.send(c.head(2), data(2, b"pushed", end=True))
    fine(c, stream)


@behavior
def head_interrupted(c, stream):
    c.send(c.head(stream, ended=False), data(stream, b"what", end=True))


@behavior
def bad_settings(c, stream):
    c.send(SettingsFrame(0, settings={5: 1}))
    fine(c, stream)


@behavior
def unasked_acknowledgements(c, stream):
    c.send(*[SettingsFrame(0, flags=["ACK"]) for _ in range(10)])
    fine(c, stream)


@behavior
def large_head(c, stream, kilobytes):
    """Sends a head of the given size in several frames."""
    block = c.block((":status", "200"), *[("x-%d" % number, "y" * 1000) for number in range(kilobytes)])
    pieces = [block[start:start + 16000] for start in range(0, len(block), 16000)]
    c.send(HeadersFrame(stream, data=pieces[0], flags=["END_HEADERS"] if len(pieces) == 1 else []))
    for piece in pieces[1:]:
        c.send(ContinuationFrame(stream, data=piece, flags=["END_HEADERS"] if piece is pieces[-1] else []))
    c.send(data(stream, b"fine", end=True))


# Behavior without an end, or with a late end.


@behavior
def flood_of_continuations(c, stream):
    c.send(c.head(stream, ended=False))
    piece = ContinuationFrame(stream, data=c.block(("x-a", "y" * 1000))).serialize() * 100
    for _ in range(500):
        c.send(piece)
    c.close()


@behavior
def flood_of_empty_continuations(c, stream):
    c.send(c.head(stream, ended=False))
    for _ in range(500):
        c.send(ContinuationFrame(stream).serialize() * 1000)
    c.close()


@behavior
def flood_of_settings(c, stream):
    for _ in range(100):
        c.send(SettingsFrame(0, settings={4: 65535}).serialize() * 100)
    fine(c, stream)


@behavior
def flood_of_pings(c, stream):
    for _ in range(100):
        c.send(PingFrame(0, opaque_data=b"12345678").serialize() * 100)
    fine(c, stream)


@behavior
def flood_of_interim_responses(c, stream):
    for _ in range(500):
        c.send(*[c.head(stream, ("x-a", "y" * 500), status=103) for _ in range(100)])
    c.close()


@behavior
def window_ignored(c, stream):
    c.send(c.head(stream))
    for _ in range(5000):
        c.send(data(stream, bytes(16000)))
    c.send(data(stream, b"", end=True))


def serve(accepted, context):
    try:
        accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        accepted.settimeout(30)
        with context.wrap_socket(accepted, server_side=True) as connected:
            if connected.selected_alpn_protocol() == "h2":
                Connection(connected).serve()
            elif connected.recv(65536):
                connected.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 8\r\nConnection: close\r\n\r\nHTTP/1.1")
    except OSError:
        pass
    except Exception as error:
        print(repr(error), flush=True)


context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[2], sys.argv[3])
context.set_alpn_protocols(["h2"])
listener = socket.create_server(("127.0.0.1", int(sys.argv[1])), backlog=100)
while True:
    threading.Thread(target=serve, args=(listener.accept()[0], context), daemon=True).start()
