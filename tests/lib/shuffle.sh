# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# A proxy before a server, which lets the replies of a connection overtake each other
# (see shuffle.py). A test sources servers.sh first.

# shellcheck disable=SC2034 # tests use it
shuffle_port=4470

# start_shuffle PORT: start the proxy before the server on the port.
start_shuffle() {
	launch "$work/shuffle.log" "$srcdir/tests/lib/shuffle.py" \
		$shuffle_port "$1" 1000 "$seed"
	within 60 grep -q '^ready$' "$work/shuffle.log"
}

# expect_schedules LOAD COUNT URL: expect that COUNT loops of the load have the
# recorded outcomes. The replies come in another order each time.
expect_schedules() {
	expect_exit 0 "$throng" run --loops "$2" -c "$1" -o "$result" "$3"
	expect_line "$out" '^streams  [0-9]+ per user, played at the same time$'
	expect_json "point | .mismatches == 0 and .loops == $2"
}
