# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# Local targets that are slow for some users, or that hang. Source this file after
# base.sh. A command with the prefix "${slow[@]}" plays on such targets, with
# variables of tests/fault/slow-preload.c after the prefix.

# shellcheck disable=SC2154 # base.sh sets builddir
slow_library=$builddir/tests/fault/slow-preload.so
[ -f "$slow_library" ] || fail "$slow_library has not been built"

# shellcheck disable=SC2034 # tests use it
slow=(env LD_PRELOAD="$slow_library"
	ASAN_OPTIONS="${ASAN_OPTIONS-}:verify_asan_link_order=0")
