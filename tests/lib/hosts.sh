# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# Hosts for tests of --hosts, on this machine. A test begins with
#
#	. "${0%/*}/../lib/base.sh"
#	. "${0%/*}/../lib/servers.sh"
#	. "${0%/*}/../lib/hosts.sh"
#	needs_hosts
#	in_network "$@"
#	make_hosts 4
#
# Each host is a process in its own network, UTS, mount and time namespaces: its
# monotonic clock is thousands of seconds off from the others'. A launcher starts
# programs there. All hosts have $target, and each its own $local, an empty
# directory.

local=$work/local
hosts_dir=$work/hosts
launcher=$work/launch # a program for --launcher

needs_hosts() {
	[ -z "$inside" ] || return 0
	needs nsenter hostname
	needs_network
	"${namespaces[@]}" unshare --uts --time --fork --monotonic 1000 true 2>/dev/null ||
		cannot 'time namespaces are not possible here'
}

# make_hosts COUNT: start the hosts h1, h2 ..., and store their list as $hosts.
make_hosts() {
	local number name
	mkdir -p "$hosts_dir" "$local"
	cat >"$launcher" <<-END
		#!/bin/sh
		# launch HOST PROGRAM...: run the program there.
		host=\$1
		shift
		read -r pid 2>/dev/null <"$hosts_dir/\$host" || {
			echo "launch: \$host: no such host" >&2
			exit 9
		}
		exec nsenter --target "\$pid" --net --uts --mount --time --root --wd -- "\$@"
	END
	chmod +x "$launcher"
	hosts=''
	for ((number = 1; number <= $1; number++)); do
		name=h$number
		hosts+=,$name
		unshare --net --uts --mount --propagation private --time \
			--fork --kill-child --monotonic $((number * 1000)) \
			sh -c 'hostname "$1" && ip link set lo up &&
				mount -t tmpfs none "$2" &&
				echo $$ >"$3.new" && mv "$3.new" "$3" &&
				exec sleep infinity' sh "$name" "$local" "$hosts_dir/$name" \
			>>"$work/$name.log" 2>&1 </dev/null &
		started+=($!)
		disown # without a message when it is killed
	done
	hosts=${hosts#,}
	for ((number = 1; number <= $1; number++)); do
		within 60 [ -s "$hosts_dir/h$number" ]
	done
}

# connect_by_bridge: connect the hosts to this namespace, 10.33.0.254, by a network, their
# eth0: hN is 10.33.0.N.
connect_by_bridge() {
	local number name
	ip link add name hosts type bridge && ip addr add 10.33.0.254/24 dev hosts &&
		ip link set hosts up || fail 'cannot make a bridge'
	for number in $(seq "$(wc -w <<<"${hosts//,/ }")"); do
		name=h$number
		ip link add "$name" master hosts up type veth peer name eth0 \
			netns "$(<"$hosts_dir/$name")" || fail 'cannot make a link'
		on "$name" ip addr add "10.33.0.$number/24" dev eth0
		on "$name" ip link set eth0 up
	done
}

# connect_hosts: connect the hosts to this namespace, and let the launcher reach them
# through the network. A server there starts what a client asks for, with the
# connection as its input and output.
connect_hosts() {
	local name
	connect_by_bridge
	for name in ${hosts//,/ }; do
		launch "$work/$name.log" on "$name" \
			python3 "$srcdir/tests/lib/remote.py" serve
		comes_up "$work/$name.log" python3 "$srcdir/tests/lib/remote.py" "$name" true
	done
	with_hosts=(--launcher "python3 $srcdir/tests/lib/remote.py" --hosts)
}

# on HOST COMMAND...: run the command there.
on() {
	"$launcher" "$@"
}

# The first arguments of throng for a run on hosts, before their list.
with_hosts=(--launcher "$launcher" --hosts)

# processes_of HOST: print the IDs of throng's processes there: the wire, the crew,
# the users.
processes_of() {
	local there process
	there=$(readlink "/proc/$(<"$hosts_dir/$1")/ns/net")
	for process in /proc/[0-9]*; do
		[ "$(readlink "$process/ns/net" 2>/dev/null)" = "$there" ] &&
			[[ "$(readlink "$process/exe" 2>/dev/null)" == */throng ]] &&
			echo "${process#/proc/}"
	done | sort -n
}
wire_of() {
	processes_of "$1" | head -n 1
}
crew_of() {
	processes_of "$1" | sed -n 2p
}
user_of() {
	processes_of "$1" | sed -n 3p
}

# are_playing_on USERS HOST...: check if this number of users plays on each host.
are_playing_on() {
	local host users=$1
	shift
	for host; do
		[ "$(processes_of "$host" | wc -l)" -eq $((users + 2)) ] || return
	done
}

# no_throng_on HOST...: check if no process of throng is left on the hosts.
no_throng_on() {
	local host
	for host; do
		[ -z "$(processes_of "$host")" ] || return
	done
}
