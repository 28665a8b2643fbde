# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# Functions and variables for all tests of the program. A test begins with
#
#	. "${0%/*}/../lib/base.sh"
#
# This sets $throng, the program; $work, a fresh directory; and $target, an
# empty directory in it to replay in. Whenever the test ends, all processes that
# it started are killed and $work is removed. A test calls `cannot` if something
# that it needs is missing.
#
# A file with several tests has them in functions test_NAME, and ends with
#
#	run_cases "$@"
#
# Each of these cases runs in a process of its own. Lines outside of the functions
# run before each of them.

# nohup(1) makes a test ignore SIGHUP. A shell cannot undo this, so start the
# test again with the default action.
case $(trap -p HUP) in
*"''"*) exec env --default-signal=HUP "$BASH" "$0" "$@" ;;
esac

set -u
export LC_ALL=C

srcdir=${SRCDIR:-$(cd "${BASH_SOURCE[0]%/*}/../.." && pwd)}
builddir=${BUILDDIR:-$srcdir/build}
throng=${THRONG:-$builddir/throng}
# Don't pass make's flags on to a make that a test starts.
unset MAKEFLAGS MFLAGS MAKELEVEL

# The seed of all that is random in a test. The runner gives it; if a test fails,
# it prints its seed. $RANDOM follows from it, except in a subshell.
seed=${THRONG_TEST_SEED:-$SRANDOM}
RANDOM=$seed

started=()     # IDs of processes to kill at exit
directories=() # to remove at exit

clean_up() {
	local pid left
	# A signal can end a child that bash has just forked. It still has this trap.
	[ "$BASHPID" = $$ ] || return
	if [ $$ -eq 1 ]; then
		# We are the first process of our own namespaces. When we end,
		# the kernel would end the others, but their CPU time would be
		# lost to the runner: end and reap them here.
		kill -KILL -1 2>/dev/null
		while read -r left </proc/1/task/1/children && [ -n "$left" ]; do
			sleep 0.01
		done
	fi
	for pid in "${started[@]}"; do
		kill -KILL "$pid" 2>/dev/null && wait "$pid" 2>/dev/null
	done
	rm -rf "${directories[@]}"
}
trap clean_up EXIT
trap 'exit 1' HUP INT TERM

# new_directory VARIABLE [PARENT]: make a directory, which is removed at exit,
# and store its path in the variable.
new_directory() {
	local made
	made=$(mktemp -d "${2:-${TMPDIR:-/tmp}}/throng-test.XXXXXX") || exit 1
	directories+=("$made")
	printf -v "$1" %s "$made"
}

work=''
new_directory work
target=$work/target
mkdir "$target" || exit 1
# The output of the last command.
out=$work/out err=$work/err
# The result that it writes, in tests that look at it.
result=$work/result.json

# is_quick: check if `./bootstrap check --quick` runs the test. If so, the test
# proves the same with fewer repeats, rows or lines; the full check plays all.
is_quick() {
	[ -n "${THRONG_TEST_QUICK:-}" ]
}

# or_quick FULL QUICK: print the first word or, in a quick run, the second.
or_quick() {
	if is_quick; then
		echo "$2"
	else
		echo "$1"
	fi
}

# skip REASON: skip the test because of something that no package can provide.
# If a package can, call `cannot` instead.
skip() {
	echo "$*"
	exit 77
}

# fail MESSAGE: fail the test. Print the message with the line of the test that
# failed, and the end of the last command's output and of the servers' logs.
fail() {
	local i=0 log
	while [ "${BASH_SOURCE[i]:-$0}" != "$0" ]; do
		i=$((i + 1))
	done
	# On an overlay, Linux sometimes refuses the handle of a removed file with ENOMEM
	# instead of ESTALE. Ganesha then never answers the request.
	if grep -qs 'Not enough memory in nfs3_FhandleToCache' "$work/ganesha/ganesha.log"; then
		fail_status=75
	fi
	for log in "$work/smbd/log/log.smbd" "$work/ganesha/ganesha.log"; do
		[ ! -e "$log" ] || tail -n 30 "$log" | sed 's/^/  server: /'
	done
	if [ -e "$out" ]; then
		sed 's/^/  stdout: /' "$out" | tail -n 30
	fi
	if [ -e "$err" ]; then
		sed 's/^/  stderr: /' "$err" | tail -n 30
	fi
	echo "seed: $seed"
	echo "$0:${BASH_LINENO[i - 1]}: $*"
	exit "${fail_status:-1}"
}

# give_up MESSAGE: end the test because a wait took too long, as on a machine that
# is very busy. The runner may run the test again.
give_up() {
	fail_status=75
	fail "gave up waiting: $*"
}

# run_cases "$@": run the case that the arguments name, and exit: a case that is defined
# further below must not pass without having run. Without arguments, run all cases of
# this file, each as a test of its own.
run_cases() {
	local name status=0
	if [ $# -gt 0 ]; then
		"test_$1"
		exit
	fi
	for name in $(declare -F | sed -n 's/^declare -f test_//p'); do
		if "$0" "$name"; then
			echo "passed: $name"
		else
			echo "exit status $?: $name"
			status=1
		fi
	done
	return $status
}

# cannot REASON: skip the test, because it cannot run here. With
# THRONG_TESTS_MUST_RUN=1, which says that everything is installed, fail it
# instead.
cannot() {
	if [ "${THRONG_TESTS_MUST_RUN:-}" = 1 ]; then
		fail "$*, and THRONG_TESTS_MUST_RUN is set"
	fi
	skip "$*"
}

# needs TOOL...: skip the test if one of the tools is missing.
needs() {
	local tool
	for tool; do
		command -v "$tool" >/dev/null ||
			cannot "$tool is not installed"
	done
}

# has_loops: check if this machine can use a file as a loop device. The kernel may have
# a free one, but a container no node of it.
has_loops() {
	local device
	truncate -s 1M "$work/loop"
	device=$(losetup --find --show "$work/loop" 2>/dev/null) && losetup --detach "$device"
}

# needs_tracing: skip the test if strace is missing or may not trace.
needs_tracing() {
	needs strace
	strace -f -o /dev/null true 2>/dev/null ||
		cannot 'strace may not trace here'
}

# expect_exit STATUS COMMAND...: run the command, with output to $out and $err,
# and expect this exit status.
#
# A run is rightly invalid if no operation ended while it was measured. A test
# that measures for less than a second meets that if the whole machine stands
# still for so long: give up then.
expect_exit() {
	local expected=$1 status=0
	shift
	"$@" >"$out" 2>"$err" </dev/null || status=$?
	[ "$status" -ne "$expected" ] || return 0
	if [ "$status" -eq 1 ] &&
		grep -qs 'no operation .* in the measured time' "$out" "$err"
	then
		give_up "no operation ended: $*"
	fi
	fail "exit $status instead of $expected: $*"
}

# start COMMAND...: start the command in the background as $pid, with output to
# $out and $err.
start() {
	: >"$out"
	: >"$err"
	"$@" >"$out" 2>"$err" </dev/null &
	pid=$!
	started+=("$pid")
}

# finish STATUS: wait for $pid and expect this exit status.
finish() {
	local status=0
	wait "$pid" || status=$?
	[ "$status" -eq "$1" ] || fail "exit $status instead of $1"
}

# within SECONDS COMMAND...: retry the command until it succeeds; give up after
# that time. Give it at least 60 s, because a machine may be very slow. Wait longer after some tries, to leave the processors to the
# programs that the command waits for.
within() {
	local end=$((SECONDS + $1)) tries=0
	shift
	until "$@"; do
		[ $SECONDS -le $end ] || give_up "$*"
		if [ $((tries += 1)) -le 10 ]; then
			sleep 0.02
		else
			sleep 0.1
		fi
	done
}

# children_of PID: print the children of the process in the order in which they
# were started.
children_of() {
	local children
	children=$(cat "/proc/$1/task/$1/children" 2>/dev/null) ||
		children=$(pgrep -P "$1")
	echo "${children//$'\n'/ }"
}

# are_playing COUNT: check if COUNT users of the run $pid are set up.
are_playing() {
	local users=() children=/proc/$pid/task/$pid/children
	# Tests poll this: start no process if the kernel has the file.
	if [ -e "$children" ]; then
		read -r -a users 2>/dev/null <"$children"
	else
		read -r -a users < <(children_of "$pid")
	fi
	[ "${#users[@]}" -eq "$1" ] && run_has "clients/client$(($1 - 1))"
}

# is_gone PID: check if the process has ended. It may still be a zombie.
is_gone() {
	local status=
	{ read -r -d '' status <"/proc/$1/status"; } 2>/dev/null
	[[ $status != *State:[[:space:]][!Z]* ]]
}

# expect_line FILE REGEX: expect that a line matches. Look at the first lines of a
# regular file without another program, which would take ten times as long.
expect_line() {
	local line lines=0
	if [ -f "$1" ]; then
		while [ $((lines += 1)) -le 100 ] && IFS= read -r line &&
			[ ${#line} -le 1000 ]; do
			[[ ! $line =~ $2 ]] || return 0
		done <"$1"
	fi
	grep -Eq -e "$2" "$1" || fail "${1#"$work/"} has no line like: $2"
}

# expect_no_line FILE REGEX: expect that no line matches.
expect_no_line() {
	! grep -Eq -e "$2" "$1" || fail "${1#"$work/"} has a line like: $2"
}

# expect_single_blanks FILE: expect that no two blank lines follow each other, and
# that none is at the start or the end.
expect_single_blanks() {
	awk '$0 == "" && (NR == 1 || before == "") {exit 1}
		{before = $0}
		END {if (before == "") exit 1}' "$1" ||
		fail "${1#"$work/"} has a blank line too many: $(cat -n "$1")"
}

# jq_results FILTER [ARGUMENT]...: run jq with the functions of results.jq.
jq_results() {
	jq -L "$srcdir/tests/lib" "include \"results\"; $1" "${@:2}"
}

# expect_json FILTER...: expect that each of these jq filters has results for
# $result, all of them true. They may use the functions of results.jq.
expect_json() {
	local filters=("$@") program='' i wrong
	for ((i = 0; i < $#; i++)); do
		program+="(if [${filters[i]}] | . != [] and all then empty else $i end),"
	done
	wrong=$(jq_results "$program -1" <"$result") || fail "jq failed: $*"
	for i in $wrong; do
		[ "$i" -ge 0 ] || return 0
		fail "not true: ${filters[i]} in $(cat "$result")"
	done
	fail "${result#"$work/"} is empty"
}

# expect_results NAME FILTER [NAME FILTER]...: expect that each filter is true for
# the result $work/NAME.json. One call of jq looks at all, as a call takes longer
# than most runs.
expect_results() {
	local named=("$@") results=() program='' i wrong
	for ((i = 0; i < $#; i += 2)); do
		results+=("$work/${named[i]}.json")
		program+="(input | if [${named[i + 1]}] | . != [] and all then empty else $i end),"
	done
	wrong=$(cat "${results[@]}" | jq_results "${program%,}" -n) || fail "jq failed: $*"
	for i in $wrong; do
		cat "$work/${named[i]}.json"
		fail "not true of ${named[i]}.json: ${named[i + 1]}"
	done
}

# expect_same NAME EXPECTED FOUND: expect equal strings.
expect_same() {
	[ "$2" = "$3" ] || fail "$1: \"$3\" instead of \"$2\""
}

# expect_refused COMMAND...: expect exit status 2, one line on stderr and none
# on stdout.
expect_refused() {
	local printed
	expect_exit 2 "$@"
	[ ! -s "$out" ] || fail "output on stdout: $*"
	mapfile printed <"$err"
	expect_same 'lines on stderr' 1 ${#printed[@]}
	[[ ${printed[0]} == 'throng: '?*$'\n' ]] ||
		fail "not a line that begins with \"throng: \": $*"
}

# expect_empty DIRECTORY: expect that the directory has no entries.
expect_empty() {
	[ -z "$(ls -A "$1")" ] || fail "not empty: $1 has $(find "$1")"
}

# is_valid_row USERS, is_invalid_row USERS: print a regular expression for the
# table row of a point.
is_valid_row() {
	echo "^ *$1 +[0-9.]+ +[0-9.]+ .*s +[0-9]+ +[0-9]+%"
}
is_invalid_row() {
	echo "^ *$1 invalid: .*operations and .* were counted"
}

# run_directory [TARGET]: print the directory below $target, or another target, to
# which the paths of a load are relative: that of the one run that is playing there
# or has left its files or, without one, the target itself. The name is not known
# before the run has begun. Fail the test if there are several.
run_directory() {
	local found=("${1-$target}"/throng-????????)
	if [ ${#found[@]} -gt 1 ]; then
		# This shell may be a subshell, whose output is the path.
		(fail "several run directories: ${found[*]}") >&2
		kill -TERM $$
		exit 1
	fi
	[ -d "${found[0]}" ] || found=("${1-$target}")
	echo "${found[0]}"
}

# homes_of [TARGET]: print the directory with the homes of all users of that run.
# home_of USER [TARGET]: print the home of a user, from 0.
homes_of() {
	echo "$(run_directory "${1-$target}")/clients"
}
home_of() {
	echo "$(homes_of "${2-$target}")/client$1"
}

# run_has PATH [TARGET]: check if the file exists in the directory of that run. A
# test waits with this for what a load makes: `within 60 run_has clients/client0/f`.
run_has() {
	[ -e "$(run_directory "${2-$target}")/$1" ]
}

# remove_runs [TARGET]: remove what runs have left below $target, or another target,
# as with --keep. Do this before a run that leaves files in a directory of its own.
remove_runs() {
	local from=${1-$target}
	rm -rf "${from:?}"/{clients,throng-????????,throng-????????.run}
}

# load NAME: write standard input to the loadfile $work/NAME.
load() {
	cat >"$work/$1"
}

# alter FILE OFFSET TEXT: overwrite bytes of the file. TEXT may have escapes, as
# for printf %b.
alter() {
	printf %b "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

# flip_bit FILE OFFSET BIT: flip a bit, 0 to 7, of a byte in the file.
flip_bit() {
	local byte
	byte=$(dd if="$1" bs=1 skip="$2" count=1 status=none | od -An -tu1)
	alter "$1" "$2" "\\0$(printf %o $((byte ^ 1 << $3)))"
}

# A load that can be repeated. The users sleep for most of the time, to leave the
# processors to the tests that run meanwhile. Their files then are open and have
# data, which is what a test that interrupts them finds.
load busy <<'END'
NTCreateX "\clients\client1\data" 0x40 3 1 NT_STATUS_OK
WriteX 1 0 4096 4096 NT_STATUS_OK
SLEEP 3000
ReadX 1 0 4096 4096 NT_STATUS_OK
Close 1 NT_STATUS_OK
Unlink "\clients\client1\data" 0 NT_STATUS_OK
END
busy=$work/busy

# The same operations without the sleep, for tests that need users that are hardly
# ever idle.
restless=$work/restless
grep -v SLEEP "$busy" >"$restless"

# fast_target: put $target in memory if possible, for loads that flush a lot.
fast_target() {
	local directory
	if [ -w /dev/shm ] &&
		[ "$(stat -f -c %T /dev/shm)" = tmpfs ] &&
		[ "$(df --output=avail -k /dev/shm | tail -n 1)" -gt 262144 ]; then
		new_directory directory /dev/shm
		target=$directory
	fi
}

# make_deep_tree DIRECTORY: in this directory, make a tree with paths longer than
# PATH_MAX, by moving one chain of directories into another.
make_deep_tree() {
	local level chain
	level=$(printf 'd%.0s' {1..200})
	chain=$(printf "$level/%.0s" {1..11})
	(
		mkdir -p "$1/$chain" "$1/other/$chain" && cd "$1" || exit
		for _ in {1..11}; do
			cd "$level" || exit
		done
		mv "$1/other" .
	) && chown -R --reference="$1" "$1/$level"
}

# trace_user CALLS COMMAND...: run the command, which starts throng with one
# user; expect exit 0. Set $trace to a file with those system calls of the user
# that CALLS names. The user is the process that sets its timer slack: the
# parent and the helper processes do not.
trace_user() {
	local calls=$1
	shift
	rm -f "$work"/calls.*
	# The leak detector does not work in a traced process.
	expect_exit 0 env ASAN_OPTIONS=detect_leaks=0 strace -ff -qq --seccomp-bpf -s 0 -o "$work/calls" \
		-e "trace=prctl,$calls" "$@"
	trace=$(grep -l '^prctl(PR_SET_TIMERSLACK' "$work"/calls.*)
	[ -f "$trace" ] || fail "expected one user, found: $trace"
}

# calls PATTERN: print the number of calls in $trace that match the pattern.
calls() {
	grep -Ec -e "$1" "$trace"
}

# A command prefix: run in a new mount namespace.
unshare=(unshare --mount --propagation private)
if [ "$(id -u)" -ne 0 ]; then
	unshare+=(--map-root-user)
fi

# needs_mounts: skip the test if it cannot mount in its own namespace.
needs_mounts() {
	needs unshare mount
	"${unshare[@]}" mount -t tmpfs none "$target" 2>/dev/null ||
		cannot 'mounting is not possible here'
}

# in_mounts SCRIPT: run the script in its own mount namespace, with output to
# $out and $err, and set $status to its exit status. If the status is 77,
# something that the script needs is missing: return 1.
in_mounts() {
	status=0
	throng=$throng busy=$busy work=$work target=$target builddir=$builddir \
		"${unshare[@]}" sh -c "$1" >"$out" 2>"$err" </dev/null ||
		status=$?
	[ "$status" -ne 77 ]
}
