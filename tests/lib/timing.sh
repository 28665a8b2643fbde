# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# Functions for tests of figures of time. Source this file after base.sh. A test ends
# with
#
#	all_in_range

out_of_range=0

# figure TEXT NUMBER LOWEST HIGHEST: print the number, and note if it is out of this
# range.
figure() {
	local note=
	awk -v number="$2" -v lowest="$3" -v highest="$4" \
		'BEGIN {exit !(lowest <= number && number <= highest)}' || {
		note='  OUT OF RANGE'
		out_of_range=$((out_of_range + 1))
	}
	printf '%-58s %9.3f  (%s to %s)%s\n' "$1" "$2" "$3" "$4" "$note"
}

# figures [TEXT FILTER LOWEST HIGHEST]...: the same for figures of $result.
figures() {
	local words=("$@") i program='' numbers
	for ((i = 0; i < $#; i += 4)); do
		program+="(${words[i + 1]}),"
	done
	mapfile -t numbers < <(jq_results "${program%,}" "$result")
	[ ${#numbers[@]} -eq $(($# / 4)) ] || fail "not a figure each: $*"
	for ((i = 0; i < $#; i += 4)); do
		figure "${words[i]}" "${numbers[i / 4]}" \
			"${words[i + 2]}" "${words[i + 3]}"
	done
}

# in_range TEXT FILTER LOWEST HIGHEST COMMAND...: run the command, and print a figure
# of $result; check if it is in this range. For use with `quietly`.
in_range() {
	local before=$out_of_range status=0
	"${@:5}" >"$out" 2>"$err" </dev/null || status=$?
	# 1: a search has no answer, as throng itself was late.
	[ $status -le 1 ] || fail "exit $status: ${*:5}"
	[ $status -eq 0 ] || return
	figures "${@:1:4}"
	[ "$out_of_range" -eq "$before" ]
}

# quietly TRIES COMMAND...: try the command, which writes $result, until it succeeds: a
# disturbance makes a figure worse, and none makes it better. If it never succeeds,
# skip the test if the machine was busy with something else, else fail.
quietly() {
	local tries=$1
	shift
	for ((; tries > 0; tries--)); do
		! "$@" || return 0
	done
	jq -e '.run.busy_before > 0.1' "$result" >/dev/null ||
		fail "not once in time: $*"
	skip 'the machine was too busy to measure'
}

# all_in_range: fail if a figure was out of range.
all_in_range() {
	[ $out_of_range -eq 0 ] || fail "$out_of_range figures are out of range"
}
