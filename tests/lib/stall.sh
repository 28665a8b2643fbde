# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# A user plays at a rate on a target that stalls once. Source this file after
# base.sh. It sources liar.sh.

# shellcheck source=tests/lib/liar.sh
. "${BASH_SOURCE[0]%/*}/liar.sh"
[ -x /usr/bin/python3 ] || cannot '/usr/bin/python3 is not installed'
needs_liar
fast_target
export PYTHONPATH="${BASH_SOURCE[0]%/*}" PYTHONDONTWRITEBYTECODE=1

# play_stall ARRIVAL RATE SECONDS AFTER_MS MS: play for this time. The target stalls
# for MS. The result is in $result, the stall in $work/stall, and the times of all
# calls in $work/calls.
play_stall() {
	local rate=$2
	[ "$1" = constant ] || rate+=,$1
	expect_exit 0 "${lying[@]}" THRONG_TEST_LIE=stall THRONG_TEST_MS="$5" \
		THRONG_TEST_AFTER_MS="$4" THRONG_TEST_LOG="$work/stall" \
		THRONG_TEST_CALLS="$work/calls" "$throng" run -q \
		-c "$work/reads" --rate "$rate" -t "$3" --warmup 0 \
		--seed "$seed" --histograms -o "$result" "$target"
}
