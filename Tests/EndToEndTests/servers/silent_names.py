"""A name server that responds only to names of late.example: with 127.0.0.1, after a second."""
import socket
import struct
import sys
import threading


def response(query):
    end = query.index(b"\0", 12) + 5
    kind = struct.unpack("!H", query[end - 4 : end - 2])[0]
    is_address = kind == 1
    head = query[:2] + struct.pack("!HHHHH", 0x8180, 1, int(is_address), 0, 0)
    address = b"\xc0\x0c" + struct.pack("!HHIH4B", 1, 1, 60, 4, 127, 0, 0, 1)
    return head + query[12:end] + (address if is_address else b"")


names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
names.bind((sys.argv[1], 53))
print("listening", flush=True)
while True:
    query, sender = names.recvfrom(4096)
    if b"\4late\7example\0" in query.lower():
        threading.Timer(1, names.sendto, (response(query), sender)).start()
