# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# Parse the output of the last dbench or tbench command as harnesses do, each in
# its own language if that is installed. Source this file after dbench.sh.

# in_perl PATTERN: expect that the whole output matches; print the pattern's
# groups, one per line.
in_perl() {
	perl -0777 -ne 'BEGIN { $p = shift } /$p/m or exit 1;
		print "$_\n" for ($1, $2, $3, $4)[0 .. $#-  - 1]' "$1" "$out" ||
		fail "Perl: no match for $1"
}

# avocado_finds CLIENTS OPERATION...: expect a row for each operation.
avocado_finds() {
	if command -v python3 >/dev/null; then
		python3 - "$out" "$@" <<'END' || fail 'Python: no match'
import re, sys
text = open(sys.argv[1]).read()
(throughput, procs), = re.findall(r"Throughput (.*?) MB/sec (.*?) procs", text)
assert float(throughput) > 0
assert procs.split()[-1] == sys.argv[2], procs
assert float(re.search(r"Throughput (\d+\.\d+) MB/sec", text).group(1)) > 0
rows = re.findall(r"(\w+)\s+(\d+)\s+(\d+\.\d+)\s+(\d+\.\d+)", text)
names = [row[0] for row in rows]
for name in sys.argv[3:]:
    assert names.count(name) == 1, (name, names)
END
	fi
	if command -v perl >/dev/null; then
		in_perl 'Throughput (.*?) MB/sec (.*?) procs' >"$work/groups"
		sed -n 1p "$work/groups" | grep -Eqx '[0-9]+\.[0-9]+' ||
			fail 'Perl: the first group is not a figure'
		in_perl 'Throughput (\d+\.\d+) MB/sec' >/dev/null
		in_perl '(\w+)\s+(\d+)\s+(\d+\.\d+)\s+(\d+\.\d+)' >/dev/null
	fi
	grep -Poq 'Throughput\s+\K[0-9.]+' "$out" || fail 'grep -P: no match'
}

# lkp_finds CLIENTS: expect the last line of a run with this number of clients.
lkp_finds() {
	# Older versions use awk.
	awk -F '[ =]' -v clients="$1" '/Throughput.*MB\/.*/ {
		if ($2 !~ /^[0-9]+\.[0-9]+$/ || $3 != "MB/sec" ||
		    $5 != clients || $8 != clients ||
		    $12 !~ /^[0-9]+\.[0-9]+$/)
			exit 1
		found++
	} END { exit found != 1 }' "$out" || fail 'awk: the last line is wrong'
	# Newer versions split the line at "=" and use words 1, 3 and 5 of the
	# first part.
	if command -v ruby >/dev/null; then
		# shellcheck disable=SC2016 # ruby's
		ruby -ne 'BEGIN { clients = ARGV.shift }
			if /^Throughput*/
				head, latency = $_.split("=")
				words = head.split
				exit 1 unless words[1] =~ /\A\d+\.\d+\z/ &&
					words[3] == clients &&
					words[5] == clients &&
					latency.split[0] =~ /\A\d+\.\d+\z/
			end' "$1" "$out" ||
			fail 'Ruby: words 1, 3 and 5 are wrong'
	fi
	if command -v python3 >/dev/null; then
		python3 - "$out" "$1" <<'END' || fail 'Python: words 1, 3, 5'
import re, sys
lines = [l for l in open(sys.argv[1]) if re.match("^Throughput*", l)]
head, latency = lines[0].split("=")
words = head.split()
assert len(lines) == 1
assert float(words[1]) > 0
assert words[3] == sys.argv[2] and words[5] == sys.argv[2]
assert float(latency.split()[0]) > 0
END
	fi
}

# ganesha_finds: expect the throughput in the last line of both outputs.
ganesha_finds() {
	cat "$out" "$err" | tail -1 | grep Throughput >/dev/null ||
		fail 'the last line has no throughput'
}

# phoronix_finds: expect a throughput.
phoronix_finds() {
	grep -Po 'Throughput\s+\K[0-9.]+' "$out" | grep -Eqx '[0-9]+\.[0-9]+' ||
		fail 'the throughput is not a figure'
}

# selftest_finds: expect a throughput, as the kernel's selftests do.
selftest_finds() {
	grep Throughput "$out" | awk '{ print $2 }' |
		awk '{ sum += $1 } END { exit !(NR == 1 && sum > 0) }' ||
		fail 'the second word is not a figure'
}

# mmtests_loads DIRECTORY: write the two parts of client.txt that mmtests plays.
# In a quick run, the second part is shorter, and sleeps.
mmtests_loads() {
	local parts=$work/both-parts.txt lines
	lines=$(or_quick 4173 1200)
	if [ -r $installed ]; then
		head -n "$lines" $installed >"$parts"
		tail -n +601 "$parts"
	else # a file stays open from one part to the other
		head -n "$lines" "$client" | grep -v LOOP >"$parts"
		grep -v '^Deltree' "$parts"
	fi >"$1/client-tiny.txt"
	head -n 600 "$parts" >"$1/client-warmup.txt"
	! is_quick || echo 'SLEEP 200000' >>"$1/client-tiny.txt"
}

# mmtests_finds LOOPS OPERATION...: expect lines of --show-execute-time, a line per
# second, and a row for each operation. Give up if fewer loops than LOOPS ended, or
# no second was printed, as on a machine that is very busy. mmtests uses the first
# word of a row in the name of a result. In dbench 5, this word is the operation's
# name in the loadfile.
mmtests_finds() {
	local operation
	[ "$(grep -c 'completed in' "$out")" -ge "$1" ] ||
		give_up 'too few loops ended in the measured time'
	grep 'completed in' "$out" | sort -n -k8 >"$work/loops"
	sed -e '/completed in/d' "$out" >"$work/remainder"
	grep -q execute "$work/remainder" ||
		give_up 'no second of the measured time was printed'
	awk '{ print $4, $8 }' "$work/loops" | awk '
		!/^[0-9]+ [0-9]+$/ || $1 > $2 + 1 || $2 < last { exit 1 }
		{ last = $2 }' ||
		fail 'words 4 and 8 of "completed in" are wrong'
	grep execute "$work/remainder" | awk '{ print $3, $6 }' | awk '
		!/^[0-9]+\.[0-9]+ [0-9]+$/ || $2 < last { exit 1 }
		{ last = $2 }' ||
		fail 'words 3 and 6 of "execute" are wrong'
	grep -A 99 Operation "$work/remainder" | sed -e '/-----/d' \
		-e '/^$/d' -e '/Throughput/d' -e '/Operation/d' |
		awk '{ print "op-"$1, $3 }' >"$work/rows"
	awk 'NF != 2 || $2 !~ /^[0-9]+\.[0-9]+$/ { exit 1 }
		END { exit NR < 8 }' "$work/rows" ||
		fail 'the rows of operations are wrong'
	shift
	for operation; do
		grep -q "^op-$operation " "$work/rows" ||
			fail "no row for $operation: $(cat "$work/rows")"
	done
}
