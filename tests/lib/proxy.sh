# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# A proxy before Samba, which changes or holds back replies (see tamper.py). A
# test sources servers.sh first.

proxy_port=4460

# start_proxy PLACE CHANGE: start the proxy as $proxy_pid. Without arguments,
# `tamper` says what it changes.
start_proxy() {
	: >"$work/proxy.log"
	launch "$work/proxy.log" "$srcdir/tests/lib/tamper.py" \
		$proxy_port "$smb_port" "${@:-$work/tamper}"
	proxy_pid=$pid
	# A connection would start another process of Samba.
	within 60 grep -q '^ready$' "$work/proxy.log"
}

# tamper PLACE CHANGE: set what the proxy changes in later connections. The
# number makes each file differ from the last one.
tampered=0
tamper() {
	tampered=$((tampered + 1))
	echo "$* $tampered" >"$work/tamper.new"
	mv "$work/tamper.new" "$work/tamper"
}

stop_proxy() {
	kill -KILL "$proxy_pid"
	wait "$proxy_pid" 2>/dev/null || : # it was killed
}
