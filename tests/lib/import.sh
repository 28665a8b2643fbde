# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# Functions for tests of throng record and throng import.

# counts FILE: print the numbers of a report with one load: of all calls, of
# those elsewhere, and of the rows.
counts() {
	awk '
		{ gsub(",", "") }
		/^recorded / {
			sub(/.*: /, "")
			calls = $1
			elsewhere = 0
			if (match($0, /; [0-9]+ not on/))
				elsewhere = substr($0, RSTART + 2) + 0
		}
		/^below it / { inside = $3 }
		/^  (converted|approximated|merged|dropped) / { rows = rows " " $2 }
		END { print calls, elsewhere, inside rows }' "$1"
}

# expect_closed FILE: expect that the rows of a report sum to the number of
# calls.
expect_closed() {
	local calls elsewhere inside converted approximated merged dropped
	read -r calls elsewhere inside converted approximated merged dropped \
		< <(counts "$1")
	[ "$calls" -gt 0 ] || fail 'no calls in the report'
	expect_same 'sum of the rows' "$inside" \
		$((converted + approximated + merged + dropped))
	expect_same 'all calls' "$calls" $((inside + elsewhere))
}

# replays LOAD: play the load with two users, two loops each, and expect that
# every operation ends as it was recorded.
replays() {
	expect_exit 0 "$throng" run -q -c "$1" -u 2 --loops 2 -o "$result" \
		--fail-if 'mismatches>0' "$target"
	expect_empty "$target"
}

# records_random SEED COUNT: record a program that makes COUNT random system calls
# in a directory with files, and replay them: every operation has the recorded
# outcome. No call is dropped because the model of the directory is wrong. The
# rows of the report sum to the calls.
records_random() {
	local calls
	calls=$(realpath "$srcdir/tests/lib/calls.py")
	echo "seed of the calls: $1"
	rm -rf "$work/recorded"
	mkdir "$work/recorded"
	cd "$work/recorded" || exit
	python3 "$calls" $(($1 + 1000)) 300
	expect_exit 0 "$throng" record -o "$work/random.load" -- \
		python3 "$calls" "$1" "$2" links
	expect_closed "$err"
	! grep -E 'model|exists|does not exist|are left|another (size|kind)' \
		"$err" || fail 'the model of the directory is wrong'
	replays "$work/random.load"
}
