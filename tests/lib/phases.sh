# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# A load with phases, of which one is slow for a user. Source this file after
# base.sh. It sources slow.sh.

# shellcheck source=tests/lib/slow.sh
. "${BASH_SOURCE[0]%/*}/slow.sh"

# slow_user USER MS: let the target be slow for this user, by MS per flush, in
# commands with the prefix "${slowed[@]}".
slow_user() {
	# shellcheck disable=SC2034 # tests use it
	slowed=("${slow[@]}" THRONG_TEST_PATH="/clients/client$1/"
		THRONG_TEST_MS="$2")
}

load flushes <<'END'
open "/client1/f" read,write,create 1 OK
PHASE write
LOOP 20
write 1 0 4096 4096 OK
ENDLOOP
PHASE flush
LOOP 4
fsync 1 OK
ENDLOOP
PHASE read
LOOP 10
read 1 0 4096 4096 OK
ENDLOOP
close 1 OK
unlink "/client1/f" OK
END

# A load for a user that flushes for long.
load hangs <<'END'
open "/client1/f" write,create 1 OK
PHASE flush
fsync 1 OK
PHASE stat
stat "/client1" OK
close 1 OK
unlink "/client1/f" OK
END
