# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# Targets that lie, stall or are slow. Source this file after base.sh and, for servers that lie,
# after servers.sh, and before the servers are started. A test begins with
#
#	needs_liar
#
# A command with the prefix "${lying[@]}" plays on local paths that lie: as `tell`
# says or, without it, as variables of tests/fault/liar-preload.c say that come
# after the prefix.

liar=$builddir/tests/fault/liar-preload.so
liar_control=$work/control
told=$work/told # a line per lie that was told

lying=(env LD_PRELOAD="$liar" THRONG_TEST_CONTROL="$liar_control"
	ASAN_OPTIONS="${ASAN_OPTIONS-}:verify_asan_link_order=0")

# A load that only reads, for targets that stall or are slow.
load reads <<'END'
SETUP
open "/client1/f" read,write,create 1 OK
write 1 0 4096 4096 OK
ENDSETUP
LOOP 100
read 1 0 4096 4096 OK
ENDLOOP
END

# needs_liar: expect that the library has been built.
needs_liar() {
	[ -f "$liar" ] || fail "$liar has not been built"
}

# lie_in_servers: let the servers that are started from now on lie. Skip the
# test if they cannot load the library.
lie_in_servers() {
	needs_liar
	! grep -q __asan_init "$liar" ||
		skip 'servers cannot load a library with the address sanitizer'
	server_variables=(LD_PRELOAD="$liar" THRONG_TEST_CONTROL="$liar_control")
}

# slowly MS COMMAND...: run the command on local paths where each read or write
# takes MS or longer.
slowly() {
	"${lying[@]}" THRONG_TEST_LIE=slow THRONG_TEST_MS="$1" "${@:2}"
}

# tell LIE [VARIABLE=VALUE...]: from now on, the targets tell this lie
# (tests/fault/liar-preload.c has the names and variables, without the prefix
# THRONG_TEST_). "tell nothing" ends the lies.
lies_told=0
tell() {
	local lie=$1
	shift
	rm -f "$told"
	if [ "$lie" = nothing ]; then
		rm -f "$liar_control"
		return
	fi
	# The number makes each file differ from the last one.
	lies_told=$((lies_told + 1))
	printf 'THRONG_TEST_%s\n' "NUMBER=$lies_told" "LIE=$lie" "LOG=$told" \
		"$@" >"$liar_control.new"
	mv "$liar_control.new" "$liar_control"
}
