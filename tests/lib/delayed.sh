# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# Schedules of loads with streams: random delays of the calls let the streams of a
# user play in another order in each run. Source this file after base.sh.

# shellcheck disable=SC2154 # base.sh sets builddir
delay_library=$builddir/tests/fault/delay-preload.so
[ -f "$delay_library" ] || fail "$delay_library has not been built"

# expect_schedules LOAD US SEED...: expect that a user plays the load as it was
# recorded when its calls are delayed by up to US microseconds, once with each seed. The
# options of the run are in the array schedule_options.
schedule_options=()
expect_schedules() {
	local load=$1 us=$2 number
	shift 2
	for number; do
		expect_exit 0 env LD_PRELOAD="$delay_library" \
			THRONG_TEST_DELAY_US="$us" THRONG_TEST_DELAY_SEED="$number" \
			ASAN_OPTIONS="${ASAN_OPTIONS-}:verify_asan_link_order=0" \
			"$throng" run --loops 1 -c "$load" -o "$result" \
			"${schedule_options[@]}" "$target"
		expect_line "$out" '^streams  [0-9]+ per user, played at the same time$'
		# With this library, an operation takes more than US/8 on average.
		jq_results "point | .mismatches == 0 and .loops == 1 and .mean_ms * 8000 > $us" \
			-e "$result" >/dev/null || fail "$load, seed $number: $(cat "$result")"
		expect_empty "$target"
	done
}
