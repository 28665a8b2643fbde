# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# A proxy before Samba, which changes or holds back replies (see tamper.py). A
# test sources servers.sh first.

proxy_port=4460

# start_proxy PLACE CHANGE: start the proxy as $proxy_pid.
start_proxy() {
	launch "$work/proxy.log" "$srcdir/tests/network/tamper.py" \
		$proxy_port "$smb_port" "$@"
	proxy_pid=$pid
	within 10 proxy_answers
}
proxy_answers() {
	(: >/dev/tcp/127.0.0.1/$proxy_port) 2>/dev/null
}
stop_proxy() {
	kill -KILL "$proxy_pid"
	wait "$proxy_pid" 2>/dev/null || : # it was killed
}
