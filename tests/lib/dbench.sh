# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# Functions and variables for all tests of throng as a drop-in for dbench.
# Source this file after base.sh. It puts links to throng named dbench, tbench
# and tbench_srv first in PATH, because harnesses use these names. It sets $client
# to a client.txt and $short to a short one, which leaves the processors to other
# tests. In a quick run, these are the same.

mkdir "$work/bin"
for name in dbench tbench tbench_srv; do
	ln -s "$throng" "$work/bin/$name"
done
PATH=$work/bin:$PATH

# The recording or, if it is not installed, the built-in load. The short one has
# the first operations, a lock, which would come much later, and a sleep.
installed=/usr/share/dbench/client.txt
client=$work/client.txt
short=$work/short.txt
if [ -r $installed ]; then
	{
		head -n 800 $installed | awk '{ print }
			/^WriteX/ && !locked++ {
				print "LockX", $2, "0 1 NT_STATUS_OK"
				print "UnlockX", $2, "0 1 NT_STATUS_OK"
			}'
		echo 'SLEEP 900000'
		tail -n 1 $installed # removes the files
	} >"$short"
	ln -s "$(or_quick $installed "$short")" "$client"
else
	ln -s "$builddir/loadfiles/netbench.load" "$short"
	ln -s "$short" "$client"
fi
fast_target

# last_line CLIENTS PROCS: print a regular expression for the last line.
last_line() {
	echo "^Throughput [0-9]+\\.[0-9]+ MB/sec( \\(sync open\\))?( \\(sync dirs\\))?  $1 clients  $2 procs  max_latency=[0-9]+\\.[0-9]{3} ms\$"
}

# A regular expression for the line that dbench prints once per second.
second='^ *[0-9]+ +[0-9]+ +[0-9]+\.[0-9]{2} MB/sec  (warmup|execute) +[0-9]+ sec  latency [0-9]+\.[0-9]{3} ms$'

# has_second [FILE]: check if a line per second is in $out or another output. Tests
# poll this, so start no process.
has_second() {
	local line
	while IFS= read -r line; do
		[[ ! $line =~ $second ]] || return 0
	done <"${1-$out}"
	return 1
}

# expect_good CLIENTS: expect that the last command printed the banner first and
# the throughput of this number of clients last. In between, the words that
# harnesses search for may be in their usual lines only.
expect_good() {
	[ ! -s "$err" ] || fail 'stderr is not empty'
	head -n 1 "$out" | grep -q '^dbench version 4\.00 - ' ||
		fail 'the first line is not the banner'
	tail -n 1 "$out" | grep -Eq "$(last_line "$1" "$1")" ||
		fail "the last line is wrong: $(tail -n 1 "$out")"
	expect_same 'lines with the figures' 1 "$(grep -c Throughput "$out")"
	grep -E 'Throughput|execute|completed in|Operation|warmup' "$out" |
		grep -Ev -e "$second" -e '^Throughput ' \
			-e '^ Operation                Count    AvgLat    MaxLat$' \
			-e '^ *[0-9]+ completed in [0-9]+ ms at time [0-9]+ ms$' \
			>"$work/odd"
	[ ! -s "$work/odd" ] ||
		fail "words that harnesses search for: $(cat "$work/odd")"
}

# plays CLIENTS COMMAND...: run the command; expect exit 0 and the right output
# for this number of clients.
plays() {
	local clients=$1
	shift
	expect_exit 0 "$@"
	expect_good "$clients"
}

# expect_error COMMAND...: run the command; expect exit 1, a message on stderr,
# and no figures.
expect_error() {
	expect_exit 1 "$@"
	[ -s "$err" ] || fail "stderr is empty: $*"
	expect_no_line "$out" Throughput
}

# begins COMMAND...: start the command, which has no option -t, wait until it
# prints its first line per second, in the warm-up, and end it.
begins() {
	start "$@"
	within 60 has_second
	expect_line "$out" 'MB/sec  warmup   [0-9]* sec '
	kill -TERM "$pid"
	finish 1
	expect_no_line "$out" Throughput
}

# kill_named SIGNAL NAME: send the signal to all processes of that name, as
# killall does. Return 1 if there are none.
kill_named() {
	local processes
	processes=$(grep -lsx "$2" /proc/[0-9]*/comm | cut -d / -f 3)
	[ -n "$processes" ] || return
	# shellcheck disable=SC2086 # words; some may have ended
	kill "-$1" $processes 2>/dev/null || true
}
