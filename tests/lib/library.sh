# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# Functions for tests that play the library of loads.

# all_loads: print the names of the library's loads.
all_loads() {
	"$throng" loads | sed -n 's/^\([a-z0-9-]\{1,\}\)  .*/\1/p'
}

# is_recorded LOAD: check if a load is a recording. These are packed.
is_recorded() {
	[ -e "$builddir/loadfiles/$1.load.gz" ]
}

# loads: print the names of the loads that are not recordings.
loads() {
	local name
	all_loads | while read -r name; do
		is_recorded "$name" || echo "$name"
	done
}

# recorded_loads: print the names of the recordings.
recorded_loads() {
	local name
	all_loads | while read -r name; do
		! is_recorded "$name" || echo "$name"
	done
}

# expect_replays LOAD URL [USERS [FILTER...]]: expect that two users, or as many
# as given, play a recorded load twice with the recorded outcomes, and that the jq
# filters are true. The result is in $result.
expect_replays() {
	local users=${3:-2}
	expect_exit 0 "$throng" run -c "$1" -u "$users" --loops 2 -o "$result" "$2"
	expect_json 'point.mismatches == 0' \
		"point.loops == 2 * $users" "${@:4}"
}

# is_for_tcp LOAD: check if the load can be played only on tcp: targets.
is_for_tcp() {
	[[ $1 == tcp-* ]]
}

# small LOAD: set `small` to options that make a measurement with this load
# short: several loops with small parameters.
small() {
	small=(--loops 3)
	case $1 in
	append) small+=(--set records=40 --set batch=4) ;;
	byte1984) ;;
	dt) small+=(--set limit=64Ki) ;;
	file-read | file-write) small+=(--set files=3 --set size=128Ki) ;;
	fileserver) small+=(--set files=5) ;;
	iozone) small+=(--set size=256Ki) ;;
	mdtest) small+=(--set files=20) ;;
	mix | random) small+=(--set size=1Mi --set ops=50) ;;
	netbench) small=(-t "$(or_quick 1 0.2)" --warmup 0) ;;
	oltp) small+=(--set size=2Mi --set log=1Mi) ;;
	seq) small+=(--set size=4Mi) ;;
	smallfiles) small+=(--set dirs=2 --set files=5) ;;
	tcp-*) small=(-t 1) ;;
	varmail) small+=(--set files=5) ;;
	webserver) small+=(--set files=20) ;;
	esac
}
