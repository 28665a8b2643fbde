# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# Functions for runs that compete to take over one target: to remove a dead
# run's files and to use its directory `clients`. tests/fault and tests/net
# use them. Source this file after base.sh.

# A load that first fills its user's directory. The load itself makes these
# files, because a server may not notice at once if a local process makes files
# in its export.
{
	for directory in a b c; do
		echo "Mkdir \"\\clients\\client1\\$directory\" *"
		for number in {1..40}; do
			echo "Mkdir \"\\clients\\client1\\$directory\\$number\" *"
		done
	done
	cat "$busy"
} >"$work/filling"

# leave_dead_run URL DIRECTORY: start a run of two users on URL and kill it. It
# leaves enough files to keep the next run busy with removing them for a while.
# DIRECTORY is the local directory that URL serves.
leave_dead_run() {
	local users user
	start "$throng" run -u 2 --loops 1000000000 -c "$work/filling" "$1"
	within 60 run_has clients/client0/c/40 "$2"
	within 60 run_has clients/client1/c/40 "$2"
	read -r -a users < <(children_of "$pid")
	started+=("${users[@]}")
	kill -KILL "$pid"
	wait "$pid" 2>/dev/null
	for user in "${users[@]}"; do
		within 30 is_gone "$user"
	done
	[ -e "$(homes_of "$2")/.throng" ] || fail 'the dead run left no marker'
}

# run_at_once URL COUNT: start COUNT runs at the same time and wait for them.
# Store their exit statuses in ${statuses[@]} and their output in $work/once.N.
run_at_once() {
	local i pids=()
	statuses=()
	for ((i = 0; i < $2; i++)); do
		"$throng" run -u 2 --loops 20 -c "$busy" "$1" \
			>"$work/once.$i" 2>&1 </dev/null &
		pids+=($!)
	done
	started+=("${pids[@]}")
	for i in "${pids[@]}"; do
		wait "$i"
		statuses+=($?)
	done
}

# expect_one_valid WHEN: expect that at least one of the runs of run_at_once was
# valid, and that each other run was refused because a run was alive. WHEN is
# for the message.
expect_one_valid() {
	local i valid=0
	for i in "${!statuses[@]}"; do
		case ${statuses[i]} in
		0) valid=$((valid + 1)) ;;
		2)
			grep -Eq 'is alive|may be alive|is being claimed' \
				"$work/once.$i" || {
				cat "$work/once.$i"
				fail "$1: a run was refused for another reason"
			}
			;;
		*)
			cat "$work/once.$i"
			fail "$1: a run ended with exit status ${statuses[i]}"
			;;
		esac
	done
	[ $valid -gt 0 ] || {
		cat "$work"/once.*
		fail "$1: all runs were refused"
	}
}
