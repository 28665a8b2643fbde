# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
#
# Functions that gate-smbd, gate-nfs and gate-fs share. Each of these defines
#
#	needed        the programs that it needs, beside throng
#	prepare       make what both sides use, and set $url
#	start A SIDE  start A (the first or second argument); SIDE is base or new
#	stop          stop what start has started, if anything
#	version A     print the version of A; the first line is used
#
# and then calls gate "$@". Its arguments are BASE NEW [OPTION OF throng
# compare...], and these variables are optional for all of them:
#
#	BASE_CONF, NEW_CONF  configuration of each side
#	DIRECTORY            where the files are made (default: a new directory
#	                     below /var/tmp, which is removed at the end)
#	THRONG               the program (default: build/throng of this source
#	                     tree, or else the installed one)
#
# Both sides are named after their arguments and configuration. --base-name and
# --new-name replace these names.

say() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
}

# answers NAME COMMAND...: wait for a server. It answers when the command
# succeeds.
answers() {
	server=$1
	shift
	tries=240 # 60 s
	until "$@" >/dev/null 2>&1 </dev/null; do
		tries=$((tries - 1))
		if [ $tries -eq 0 ]; then
			say "$server does not answer"
			return 1
		fi
		sleep 0.25
	done
}

# is_running PID: check if a process runs. A zombie does not: as root of a
# container, many programs never reap it.
is_running() {
	kill -0 "$1" 2>/dev/null &&
		! grep -qs '^State:[[:space:]]*Z' "/proc/$1/status"
}

# end_process FILE: end the process whose ID is in the file, if there is one.
end_process() {
	[ -s "$1" ] || return 0
	server=$(cat "$1")
	kill "$server" 2>/dev/null || :
	tries=600 # 30 s
	while is_running "$server"; do
		tries=$((tries - 1))
		[ $tries -gt 0 ] || kill -KILL "$server" 2>/dev/null || :
		sleep 0.05
	done
	rm -f "$1"
}

# side_name A CONF: print a name for one side, of at most 64 bytes.
side_name() {
	printf '%s' "$1${2:+ ($2)}" | tr '\n\t' '  ' | head -c 64 |
		iconv -c -f UTF-8 -t UTF-8
}

# side_version A: print the version, for a note.
side_version() {
	found=$(version "$1" 2>&1 </dev/null | head -n 1 | tr -d '[:cntrl:]')
	echo "${found:-unknown}"
}

find_programs() {
	built=$(dirname -- "$0")/../build/throng
	[ -x "$built" ] || built=throng
	throng=${THRONG:-$built}
	# shellcheck disable=SC2086,SC2154 # the gate's list of words
	for program in "$throng" $needed; do
		command -v "$program" >/dev/null && continue
		say "$program not found (./bootstrap build builds throng)"
		exit 2
	done
}

# Remove everything. throng runs stop itself, unless it was killed or
# interrupted twice.
clean_up() {
	stop || :
	[ -z "$temporary" ] || rm -rf --one-file-system "$temporary"
}

# compare [OPTION...]: run throng in the background, as the shell handles a
# signal only when its foreground command has ended.
compare() {
	# shellcheck disable=SC2016 # throng's shell replaces $GATE
	# shellcheck disable=SC2154 # prepare sets $url
	"$throng" compare --base "$url" --new "$url" \
		--base-name "$(side_name "$BASE" "${BASE_CONF-}")" \
		--new-name "$(side_name "$NEW" "${NEW_CONF-}")" \
		--note "base=$(side_version "$BASE")" \
		--note "new=$(side_version "$NEW")" \
		--before-base '"$GATE" start-base' \
		--before-new '"$GATE" start-new' \
		--after '"$GATE" stop' "$@" &
	child=$!
	[ -z "$stopped" ] || kill "$child" || :
	status=0
	wait "$child" || status=$?
	while [ -n "$stopped" ]; do # a signal may have interrupted wait
		stopped='' again=0
		wait "$child" || again=$?
		[ "$again" -eq 127 ] || status=$again # 127: already reaped
	done
	exit "$status"
}

gate() {
	# throng calls the script again, with these words.
	case ${1-} in
	start-base)
		start "$BASE" base
		exit
		;;
	start-new)
		start "$NEW" new
		exit
		;;
	stop)
		stop
		exit
		;;
	esac
	if [ $# -lt 2 ]; then
		printf 'usage: %s BASE NEW [OPTION OF throng compare...]\n' \
			"${0##*/}" >&2
		exit 2
	fi
	GATE=$0 BASE=$1 NEW=$2
	shift 2
	find_programs

	temporary='' child='' stopped=''
	if [ -z "${DIRECTORY-}" ]; then
		DIRECTORY=$(mktemp -d "${TMPDIR:-/var/tmp}/${0##*/}.XXXXXX")
		temporary=$DIRECTORY
	fi
	export GATE BASE NEW DIRECTORY
	trap clean_up EXIT
	trap 'stopped=yes; [ -z "$child" ] || kill "$child" || :' HUP INT TERM
	mkdir -p "$DIRECTORY/run" "$DIRECTORY/share"
	prepare
	[ -z "$stopped" ] || exit 1
	compare "$@"
}
