# SPDX-License-Identifier: GPL-3.0-or-later
"""A launcher for tests that alters what one host, usually h2, says.

    hostile.py HOW LAUNCHER HOST PROGRAM...

It starts the program by the launcher, forwards the messages for it, and alters those
that it sends, or those for it.
"""

import os
import re
import signal
import subprocess
import sys
import threading

ESCAPES = b'\x1b[31mred\x1b]0;title\x07 \x9b2J'


def message(name, numbers=(0, 0, 0, 0), payload=b''):
    head = [name, *(str(number).encode() for number in numbers), str(len(payload)).encode()]
    return b' '.join(head) + b'\n' + payload + b'\n'


def other_load(name, numbers, payload):
    if name == b'PREPARED':
        numbers[0] ^= 1
    return message(name, numbers, payload)


def other_variant(name, numbers, payload):
    if name == b'FACTS':
        numbers[0] ^= 1
    return message(name, numbers, payload)


def other_machine(name, numbers, payload):
    if name == b'HELLO':
        payload = re.sub(rb'cpus .*', b'cpus 4294967295', payload)
    return message(name, numbers, payload)


def other_phase(name, numbers, payload):
    if name == b'ARRIVED':
        numbers[1] += 1
    return message(name, numbers, payload)


def two_failures(name, numbers, payload):
    if name == b'READY':
        return message(b'FAILED', payload=b'the first') + message(b'FAILED', payload=b'the other')
    return message(name, numbers, payload)


def fewer_users(name, numbers, payload):
    return message(name, numbers, payload)


def other_users(name, numbers, payload):
    return message(name, numbers, payload)


def garbage(name, numbers, payload):
    if name == b'READY':
        return b'READY or not\n'
    return message(name, numbers, payload)


def huge(name, numbers, payload):
    if name == b'READY':
        return b'TALLY 0 0 0 0 99999999999999999999\n'
    return message(name, numbers, payload)


def unknown(name, numbers, payload):
    if name == b'READY':
        name = b'STEADY'
    return message(name, numbers, payload)


def escapes(name, numbers, payload):
    if name == b'READY':
        return message(b'FAILED', payload=b'it is ' + ESCAPES)
    return message(name, numbers, payload)


def escapes_in_facts(name, numbers, payload):
    if name == b'FACTS':
        payload = payload.replace(b'kind ', b'kind ' + ESCAPES)
    return message(name, numbers, payload)


def early(name, numbers, payload):
    if name == b'FACTS':
        return message(name, numbers, payload) + message(b'READY')
    return message(name, numbers, payload)


def twice(name, numbers, payload):
    text = message(name, numbers, payload)
    return text + text if name in (b'TALLY', b'FACTS', b'READY', b'ENDED') else text


def damaged(name, numbers, payload):
    if name == b'TALLY':
        payload = payload[:len(payload) // 2] + b'\xff' * 8 + payload[len(payload) // 2 + 8:]
    return message(name, numbers, payload)


def no_users(name, numbers, payload):
    if name == b'TALLY':
        payload = b''
    return message(name, numbers, payload)


def lost_removing(name, numbers, payload):
    if name == b'ENDED':
        raise EOFError
    return message(name, numbers, payload)


def lost_cleaning(name, numbers, payload):
    if name == b'CLEANED':
        raise EOFError
    return message(name, numbers, payload)


# What a host has said.
said = {}


def owner_killed(name, numbers, payload):
    """The host that has made the directory is killed when it is to remove it."""
    said[name] = payload
    return message(name, numbers, payload)


held, beats = [], []


def ends_late(name, numbers, payload):
    """What a host says at the end of its first point comes 65 s later."""
    text = message(name, numbers, payload)
    if len(beats) < 65 and (name == b'ENDED' or name == b'TALLY' and numbers[0] == 1):
        held.append(text)
        return b''
    if name == b'BEAT' and held:
        beats.append(text)
        if len(beats) == 65:
            text += b''.join(held)
    return text


# What is replaced in messages for the program.
FOR_PROGRAM = {
    fewer_users: (rb'\nusers 2\n', b'\nusers 1\n'),
    other_users: (rb'first_user 2\n', b'first_user 3\n'),
}


def kill(process):
    with open(f'/proc/{process}/task/{process}/children', encoding='ascii') as children:
        for child in children.read().split():
            kill(int(child))
    os.kill(process, signal.SIGKILL)


def serve(how, command):
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def forward():
        while data := sys.stdin.buffer.raw.read(65536):
            if b'CLEAN ' in data and b'claim.begun 1\n' in said.get(b'FACTS', b''):
                kill(process.pid)
                break
            if how in FOR_PROGRAM:
                data = re.sub(*FOR_PROGRAM[how], data)
            process.stdin.write(data)
            process.stdin.flush()
        process.stdin.close()

    threading.Thread(target=forward, daemon=True).start()
    while line := process.stdout.readline():
        name, *numbers, size = line.split()
        payload = process.stdout.read(int(size) + 1)[:-1]
        try:
            text = how(name, [int(number) for number in numbers], payload)
        except EOFError:
            return
        sys.stdout.buffer.write(text)
        sys.stdout.buffer.flush()


HOW = globals()[sys.argv[1]]
if sys.argv[3] != 'h2' and HOW is not owner_killed:
    HOW = message
serve(HOW, sys.argv[2:])
