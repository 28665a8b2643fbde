# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# Shared by the tests of the drop-in, beside lib.sh: the names under which
# harnesses start throng come first in PATH, and $client is a client.txt.

mkdir "$work/bin"
for name in dbench tbench tbench_srv; do
	ln -s "$throng" "$work/bin/$name"
done
PATH=$work/bin:$PATH

# The recording, or what throng has in its place.
recording=/usr/share/dbench/client.txt
[ -r $recording ] || recording=$builddir/loadfiles/netbench.load
client=$work/client.txt
ln -s "$recording" "$client"
fast_target

# Print a regular expression for the last line: N clients, M procs.
last_line() {
	echo "^Throughput [0-9]+\\.[0-9]+ MB/sec( \\(sync open\\))?( \\(sync dirs\\))?  $1 clients  $2 procs  max_latency=[0-9]+\\.[0-9]{3} ms\$"
}

second='^ *[0-9]+ +[0-9]+ +[0-9]+\.[0-9]{2} MB/sec  (warmup|execute) +[0-9]+ sec  latency [0-9]+\.[0-9]{3} ms$'

# expect_good CLIENTS: the last command was a run as harnesses want it.
expect_good() {
	[ ! -s "$err" ] || fail 'something on stderr'
	head -n 1 "$out" | grep -q '^dbench version 4\.00 - ' ||
		fail 'no banner'
	tail -n 1 "$out" | grep -Eq "$(last_line "$1" "$1")" ||
		fail "another last line: $(tail -n 1 "$out")"
	expect_same 'lines with the figures' 1 "$(grep -c Throughput "$out")"
	grep -E 'Throughput|execute|completed in|Operation|warmup' "$out" |
		grep -Ev -e "$second" -e '^Throughput ' \
			-e '^ Operation                Count    AvgLat    MaxLat$' \
			-e '^ *[0-9]+ completed in [0-9]+ ms at time [0-9]+ ms$' \
			>"$work/odd"
	[ ! -s "$work/odd" ] || fail "words in other lines: $(cat "$work/odd")"
}

# good CLIENTS COMMAND...
good() {
	local clients=$1
	shift
	expect_exit 0 "$@"
	expect_good "$clients"
}

# bad COMMAND...: exit 1, told on stderr, no figures.
bad() {
	expect_exit 1 "$@"
	[ -s "$err" ] || fail "nothing on stderr: $*"
	expect_no_line "$out" Throughput
}

# begins COMMAND...: starts as it should, and is ended again.
begins() {
	start "$@"
	within 60 grep -Eq "$second" "$out"
	kill -TERM "$pid"
	finish 1
	expect_no_line "$out" Throughput
}

# kill_named SIGNAL NAME: as killall and pidof find processes; fails where there
# is none.
kill_named() {
	local processes
	processes=$(grep -lsx "$2" /proc/[0-9]*/comm | cut -d / -f 3)
	[ -n "$processes" ] || return
	# shellcheck disable=SC2086 # words; some end with others
	kill "-$1" $processes 2>/dev/null || true
}
