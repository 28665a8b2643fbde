# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# Gates, for loads that must wait until the test has done something. A gate is a
# byte of the file $target/gates; a load waits with `lock 9 BYTE 1 shared OK`. Source
# this file after base.sh.

# close_gates: make this file, and close all gates. Play the load with --workdir .
close_gates() {
	needs python3
	echo >"$target/gates"
	coproc gates { exec python3 -c '
import fcntl
import sys

gates = open(sys.argv[1], "r+")
fcntl.lockf(gates, fcntl.LOCK_EX)
print("closed", flush=True)
for byte in sys.stdin:
    fcntl.lockf(gates, fcntl.LOCK_UN, 1, int(byte))' "$target/gates"; }
	# shellcheck disable=SC2154 # coproc sets it
	started+=("$gates_PID")
	read -r -u "${gates[0]}" || fail 'the gates cannot be closed'
}

# open_gate BYTE
open_gate() {
	echo "$1" >&"${gates[1]}"
}
