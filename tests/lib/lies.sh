# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# Functions for tests that --verify finds the lies of a target. Source this file
# after lib.sh. It sources liar.sh.

# shellcheck source=tests/lib/liar.sh
. "${BASH_SOURCE[0]%/*}/liar.sh"

lies=(bit zeros stale exchanged misplaced other-user dropped short)

# The data of each write is read before it is overwritten, or it is left for the
# final read-back.
load lies <<'END'
open "/client1/f" read,write,create 1 OK
LOOP 16
  write 1 next 8Ki
ENDLOOP
LOOP 16 i
  read 1 $i*8Ki 8Ki
ENDLOOP
LOOP 3
  LOOP 16
    write 1 shuffle(16)*8Ki+random(0,3585) random(512,4609)
    read 1 random(0,113)*1Ki random(2,17)*512
  ENDLOOP
  LOOP 16 i
    read 1 $i*8Ki 8Ki
  ENDLOOP
ENDLOOP
LOOP 16
  write 1 shuffle(16)*8Ki+random(0,3585) random(512,4609)
ENDLOOP
close 1
END

# kinds_of LIE BEFORE: print a regular expression for the kinds of differences
# that a lie makes. A write that was dropped leaves what was there before. If
# that was the end of the file, a later write may have left a hole.
kinds_of() {
	case $1-$2 in
	bit-* | zeros-* | other-user-*) echo "$1" ;;
	stale-*) echo earlier-write ;;
	exchanged-* | misplaced-*) echo other-offset ;;
	*-data) echo earlier-write ;;
	*-zeros) echo zeros ;;
	*-end) echo 'short|zeros' ;;
	*-part) echo 'short|zeros|earlier-write' ;;
	esac
}

# expect_found: expect that the last run has found the lie that was told, and
# nothing else, and that it says so in its text and its JSON. A read may have
# returned only a few of the wrong bytes, too few to tell where they are from.
expect_found() {
	local lie offset length before path kind
	[ -f "$told" ] || fail 'no lie was told'
	read -r lie offset length before path <"$told"
	jq -e --argjson offset "$offset" --argjson length "$length" \
		--arg path "${path#*/clients/}" \
		--arg kinds "^($(kinds_of "$lie" "$before"))\$" '
		.points[0].repeats[0].differences |
		length > 0 and all(.file == "clients/" + $path) and
		(.[0] | ((.kind | test($kinds)) or (.length < 32 and
			(.kind | test("^(foreign|zeros|bit)$")))) and
			.offset < $offset + $length and
			.offset + .length > $offset)' \
		"$result" >/dev/null || fail "not found: $(cat "$told"): $(
			jq -c '.points[0].repeats[0].differences' "$result")"
	kind=$(jq -r '.points[0].repeats[0].differences[0].looks_like' "$result")
	grep -qF "$kind" "$out" || fail "the text does not say: $kind"
}

# find_lies RUNS TARGET COMMAND...: run throng RUNS times for each lie, with
# the command as a prefix, and expect that it finds the lie each time.
find_lies() {
	local runs=$1 url=$2 lie run found
	shift 2
	: >"$work/found"
	for lie in "${lies[@]}"; do
		for ((run = 0; run < runs; run++)); do
			tell "$lie" "AFTER=$((1 + RANDOM % 75))" "SEED=$RANDOM"
			expect_exit 1 "$@" "$throng" run --verify -u 2 \
				--loops 1 -c "$work/lies" -o "$result" "$url"
			expect_found
			found=$(jq -r '.points[0].repeats[0].differences[0] |
				.kind + (if .read_back then " when read back"
				else "" end)' "$result")
			echo "$url $lie: $found" >>"$work/found"
		done
	done
	tell nothing
	sort "$work/found" | uniq -c
}
