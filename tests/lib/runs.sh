# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# Functions for several runs on one target, and for what killed runs have left
# there. tests/fault and tests/net use them. Source this file after base.sh.

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

# kill_run: kill the parent of the run $pid, and wait until its other processes
# have ended, too. It starts none meanwhile.
kill_run() {
	local children child
	kill -STOP "$pid" 2>/dev/null
	children=$(children_of "$pid")
	kill -KILL "$pid" 2>/dev/null
	wait "$pid" 2>/dev/null
	for child in $children; do
		within 60 is_gone "$child"
	done
}

# leave_dead_run URL DIRECTORY: start a run of two users on URL and kill it. It
# leaves many files, so that their removal takes a while. DIRECTORY is the local
# directory that URL serves; it must have no other run. Set $dead to the name of
# the run's directory.
leave_dead_run() {
	start "$throng" run -u 2 --loops 1000000000 -c "$work/filling" "$1"
	within 60 run_has clients/client0/c/40 "$2"
	within 60 run_has clients/client1/c/40 "$2"
	kill_run
	dead=$(run_directory "$2")
	dead=${dead##*/}
	[ -f "$2/$dead.run" ] || fail 'the dead run left no run file'
}

# run_at_once URL COUNT [OPTION...]: start COUNT runs at the same time and wait
# for them. Store their exit statuses in ${statuses[@]} and their output in
# $work/once.N.
run_at_once() {
	local url=$1 count=$2 i pids=()
	shift 2
	statuses=()
	for ((i = 0; i < count; i++)); do
		"$throng" run -u 2 --loops 20 -c "$busy" "$@" "$url" \
			>"$work/once.$i" 2>&1 </dev/null &
		pids+=($!)
	done
	started+=("${pids[@]}")
	for i in "${pids[@]}"; do
		wait "$i"
		statuses+=($?)
	done
}

# expect_all_valid WHEN: expect that each run of run_at_once was valid. WHEN is for
# the message.
expect_all_valid() {
	local i
	for i in "${!statuses[@]}"; do
		[ "${statuses[i]}" -eq 0 ] || {
			cat "$work/once.$i"
			fail "$1: run $i ended with exit status ${statuses[i]}"
		}
	done
}

# The users' directories in one of --workdir are those of another run.
taken='this run needs directories of users in |exists already: another run uses this directory, or has not removed it'

# expect_valid_or_taken WHEN: expect that at least one run of run_at_once was valid,
# and that the others were refused because another run has the same users. WHEN is
# for the message.
expect_valid_or_taken() {
	local i
	[[ " ${statuses[*]} " == *' 0 '* ]] || fail "$1: no run was valid"
	for i in "${!statuses[@]}"; do
		[ "${statuses[i]}" -eq 0 ] && continue
		[ "${statuses[i]}" -eq 2 ] && grep -Eq "$taken" "$work/once.$i" || {
			cat "$work/once.$i"
			fail "$1: run $i ended with exit status ${statuses[i]}"
		}
	done
}

# needs_namespaces: set `elsewhere` to a prefix for commands in another PID
# namespace, such as a container.
needs_namespaces() {
	needs unshare
	elsewhere=(unshare --pid --fork --mount-proc)
	if [ "$(id -u)" -ne 0 ]; then
		elsewhere=(unshare --map-root-user --pid --fork --mount-proc)
	fi
	"${elsewhere[@]}" true 2>/dev/null ||
		cannot 'PID namespaces cannot be made here'
}
