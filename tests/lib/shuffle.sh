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

# expect_schedules LOAD USERS LOOPS URL [OPTION...]: expect that each of USERS users plays
# the load LOOPS times with the recorded outcomes. The replies come in another order each
# time.
expect_schedules() {
	expect_exit 0 "$throng" run --users "$2" --loops "$3" -c "$1" -o "$result" "${@:5}" "$4"
	expect_line "$out" '^streams  [0-9]+ per user, played at the same time$'
	expect_json "point | .mismatches == 0 and .loops == $2 * $3"
}

# Streams that write and read the same bytes at the same time, and others.
load overlapping <<'END'
SETUP
open "/client1/f" read,write,create 1 OK
write 1 0 72Ki OK
ENDSETUP
PARALLEL 4 i
open "/client1/f$i" read,write,create 2 OK
LOOP 8
  write 1 random(0,64Ki,4Ki) random(1,8Ki) OK
  read 1 random(0,64Ki,512) random(1,8Ki) OK
  write 1 1Mi+$i*64Ki+random(0,60Ki) 4Ki OK
  read 1 1Mi+$i*64Ki 64Ki - OK
  write 2 next 1000 OK
  read 2 0 64Ki - OK
ENDLOOP
fsync 1 OK
close 2 OK
rename "/client1/f$i" "/client1/g$i" replace OK
ENDPARALLEL
END

# expect_overlaps_verified URL: expect that --verify finds no difference, and compares
# what no other stream writes at the same time.
expect_overlaps_verified() {
	expect_schedules "$work/overlapping" 1 3 "$1" --verify
	expect_json 'point | .verified_differences == 0 and
		.verified_compared_bytes > .verified_read_bytes / 2 and
		.verified_compared_bytes < .verified_read_bytes'
	! is_quick || return 0
	expect_schedules oltp-postgres 1 1 "$1" --verify
	expect_json 'point | .verified_differences == 0 and
		.verified_compared_bytes == .verified_read_bytes'
}
