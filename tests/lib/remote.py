# SPDX-License-Identifier: GPL-3.0-or-later
"""A launcher for tests: like ssh, without accounts and encryption.

    remote.py serve                   wait for clients
    remote.py HOST COMMAND...         start the command on the host hN

The command's input and output are the connection to the client.
"""

import os
import socket
import subprocess
import sys
import threading

PORT = 7022


def serve():
    with socket.create_server(('', PORT)) as server:
        while True:
            client, _ = server.accept()
            line = b''
            while not line.endswith(b'\n'):
                line += client.recv(1)
            process = subprocess.Popen(line[:-1].decode().split('\0'), stdin=client, stdout=client)
            client.close()
            threading.Thread(target=process.wait).start()


def copy(source, sink):
    while data := os.read(source, 65536):
        os.write(sink, data)


def start(host, command):
    with socket.create_connection((f'10.33.0.{host[1:]}', PORT)) as server:
        server.sendall('\0'.join(command).encode() + b'\n')

        def send():
            copy(0, server.fileno())
            server.shutdown(socket.SHUT_WR)

        threading.Thread(target=send, daemon=True).start()
        copy(server.fileno(), 1)


if sys.argv[1] == 'serve':
    serve()
else:
    start(sys.argv[1], sys.argv[2:])
