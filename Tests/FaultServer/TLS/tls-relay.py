#!/usr/bin/env python3
"""Terminates TLS on a port of 127.0.0.1 and relays the bytes to another port.

Usage: tls-relay.py, with one line of JSON on standard input:
    {"backend": PORT, "certificate": PEM, "key": PEM, "protocols": ["h2"], "clientRoot": PEM or null,
     "minimum": "TLSv1_2" or null, "maximum": "TLSv1_1" or null, "sendsCloseNotify": true}

It prints the port it listens on, and ends when its standard input does. The connection to the backend is made
before the handshake. A reset of one side becomes a reset of the other; an end becomes an end.
"""

import fcntl
import json
import os
import select
import socket
import ssl
import struct
import sys
import termios
import threading
import warnings

PIECE = 65536
# No more is read from one side while so much waits for the other.
FULL = 4 * PIECE


def make_context(options):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    memory = os.memfd_create("identity")
    os.write(memory, (options["key"] + "\n" + options["certificate"]).encode())
    context.load_cert_chain(f"/proc/self/fd/{memory}")
    os.close(memory)
    if options["protocols"]:
        context.set_alpn_protocols(options["protocols"])
    if options["clientRoot"]:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(cadata=options["clientRoot"])
    maximum = options["maximum"] and ssl.TLSVersion[options["maximum"]]
    minimum = options["minimum"] and ssl.TLSVersion[options["minimum"]]
    if maximum and not minimum:
        minimum = min(maximum, ssl.TLSVersion.TLSv1_2)
    if minimum:
        if minimum < ssl.TLSVersion.TLSv1_2:
            # Newer versions of OpenSSL offer the old ones at this level only.
            context.set_ciphers("ALL:@SECLEVEL=0")
        context.minimum_version = minimum
    if maximum:
        context.maximum_version = maximum
    return context


def end(connection, with_reset):
    """Closes a socket; unread bytes do not turn the end into a reset, and a reset comes after what was sent before it."""
    if with_reset:
        for _ in range(100):
            if fcntl.ioctl(connection, termios.TIOCOUTQ, bytes(4)) == bytes(4):
                break
            select.select([], [], [], 0.005)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    else:
        try:
            for _ in range(64):
                if not connection.recv(PIECE):
                    break
        except OSError:
            pass
    connection.close()


def linger(connection):
    """Lets the client read the last bytes: what it sends to a closed socket would make a reset that overtakes them."""
    try:
        connection.shutdown(socket.SHUT_WR)
        while select.select([connection], [], [], 2)[0] and connection.recv(PIECE):
            pass
    except OSError:
        pass


class Relay:
    """One client and its connection to the backend."""

    def __init__(self, client, backend, context, sends_close_notify):
        self.client = client
        self.backend = backend
        self.sends_close_notify = sends_close_notify
        self.incoming = ssl.MemoryBIO()
        self.outgoing = ssl.MemoryBIO()
        self.tls = context.wrap_bio(self.incoming, self.outgoing, server_side=True)
        self.is_open = False
        # Plain bytes that wait for the handshake; then TLS for the client, and plain bytes for the backend.
        self.early = b""
        self.to_client = bytearray()
        self.to_backend = bytearray()
        self.client_ended = False
        self.backend_ended = False
        self.is_reset = False
        self.is_refused = False

    def run(self):
        while not self.is_over():
            self.turn()
        if self.is_refused:
            linger(self.client)
        end(self.client, self.is_reset)
        end(self.backend, self.is_reset)

    def is_over(self):
        if self.client_ended:
            return not self.to_backend or self.backend_ended or self.is_reset
        return self.backend_ended and not self.to_client

    def turn(self):
        readers, writers = [], []
        if len(self.to_backend) < FULL and not self.client_ended:
            readers.append(self.client)
        if len(self.to_client) + len(self.early) < FULL and not self.backend_ended:
            readers.append(self.backend)
        if self.to_client:
            writers.append(self.client)
        if self.to_backend and not self.backend_ended:
            writers.append(self.backend)
        readable, writable, _ = select.select(readers, writers, [])
        if self.backend in readable:
            self.read_backend()
        if self.client in readable:
            self.read_client()
        if self.client in writable:
            self.write(self.client, self.to_client)
        if self.backend in writable:
            self.write(self.backend, self.to_backend)

    def write(self, target, pending):
        try:
            del pending[: target.send(pending)]
        except BlockingIOError:
            pass
        except OSError:
            # The end, or what was sent before it, is read where it comes from.
            pending.clear()
            if target is self.client:
                self.client_ended = True

    def read_backend(self):
        try:
            data = self.backend.recv(PIECE)
        except BlockingIOError:
            return
        except OSError:
            self.backend_ended = self.is_reset = True
            return
        if not data:
            self.end_backend()
        elif self.is_open:
            self.tls.write(data)
            self.to_client += self.outgoing.read()
        else:
            self.early += data

    def end_backend(self):
        self.backend_ended = True
        self.to_backend.clear()
        if self.is_open and self.sends_close_notify:
            try:
                self.tls.unwrap()
            except ssl.SSLError:
                # It wants the client's answer, which nobody waits for.
                pass
            self.to_client += self.outgoing.read()

    def read_client(self):
        try:
            data = self.client.recv(PIECE)
        except BlockingIOError:
            return
        except OSError:
            self.client_ended = self.is_reset = True
            return
        if not data:
            self.client_ended = True
            return
        if self.backend_ended:
            return
        self.incoming.write(data)
        try:
            if not self.is_open:
                self.shake_hands()
            while self.is_open:
                plain = self.tls.read(PIECE)
                if not plain:
                    self.client_ended = True
                    break
                self.to_backend += plain
        except ssl.SSLWantReadError:
            pass
        except ssl.SSLZeroReturnError:
            self.client_ended = True
        except ssl.SSLError:
            # The alert tells the client why; then both ends end.
            self.backend_ended = self.is_refused = True
            self.to_backend.clear()
        self.to_client += self.outgoing.read()

    def shake_hands(self):
        self.tls.do_handshake()
        self.is_open = True
        if self.early:
            self.tls.write(self.early)
            self.early = b""


def serve(client, options, context):
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        backend = socket.create_connection(("127.0.0.1", options["backend"]))
    except OSError:
        end(client, True)
        return
    backend.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for connection in (client, backend):
        connection.setblocking(False)
    Relay(client, backend, context, options["sendsCloseNotify"]).run()


def accept(listener, options, context):
    while True:
        client, _ = listener.accept()
        threading.Thread(target=serve, args=(client, options, context), daemon=True).start()


def main():
    warnings.simplefilter("ignore")
    options = json.loads(sys.stdin.readline())
    context = make_context(options)
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    threading.Thread(target=accept, args=(listener, options, context), daemon=True).start()
    print(listener.getsockname()[1], flush=True)
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
