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

# all_in_range: fail if a figure was out of range.
all_in_range() {
	[ $out_of_range -eq 0 ] || fail "$out_of_range figures are out of range"
}
