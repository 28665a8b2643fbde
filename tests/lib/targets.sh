# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# Run a test on each kind of network target.
#
#	on_each_target FUNCTION
#
# calls FUNCTION for SMB through libsmbclient and through the built-in SMB
# client (if throng has it), for NFSv3 and, if libnfs supports it, NFSv4. It
# sets $url to the target's URL, and $seen to the local directory that the
# server exports there.

# shellcheck source=tests/lib/servers.sh
. "${BASH_SOURCE[0]%/*}/servers.sh"

# The users of this load are hardly ever busy, for tests that wait for something
# while they play.
calm=$work/calm
sed 's/^SLEEP .*/SLEEP 20000/' "$busy" >"$calm"

# start_servers "$@": start Samba and Ganesha in the test's own network.
start_servers() {
	needs_smbd
	needs_ganesha
	in_network "$@"
	start_smbd
	start_ganesha
	export PASSWD=$smb_password
}

# start_named_servers: start both on their standard ports, where a document's commands
# look for them: "server" and 10.0.0.1 and 10.0.0.2 are this machine, and Samba knows
# the users ada, ann and bob, whose password is "secret". The files ann and bob in the
# current directory are for --auth-file.
start_named_servers() {
	local user
	{
		echo '127.0.0.1 localhost server' >"$work/hosts" &&
			mount --bind "$work/hosts" /etc/hosts &&
			ip address add 10.0.0.1/32 dev lo &&
			ip address add 10.0.0.2/32 dev lo
	} || fail 'cannot set up the names'
	echo 'root = ada ann bob' >"$work/names"
	smb_port=445 smb_password=secret
	start_smbd "username map = $work/names"
	for user in ann bob; do
		printf 'username = %s\npassword = secret\n' $user >$user
		chmod 600 $user
	done
	nfs_port=2049
	nfs3_url=$(nfs_url 3 /export) nfs4_url=$(nfs_url 4 /export)
	start_ganesha
}

# restart_server: start the server of $url again, after it has ended, as $server.
restart_server() {
	$restart
	server=$pid
}

# is_share NUMBER: check if the target plays a piece of a test's work that has this
# number, if the targets share the work: each piece is played on one of them.
is_share() {
	[ $((($1 + target_number) % targets)) -eq 0 ]
}

# is_turn NUMBER: the same in a quick run. In others, each target plays all pieces.
is_turn() {
	! is_quick || is_share "$1"
}

on_each_target() {
	local target_number=0 targets=2
	if has_builtin_smb; then
		targets=$((targets + 1))
	fi
	if has_nfs4; then
		targets=$((targets + 1))
	fi
	url="$smb_url?client=libsmbclient" seen=$share_dir server=$smbd_pid restart=run_smbd
	"$1"
	if has_builtin_smb; then
		target_number=$((target_number + 1))
		url=$smb_url server=$smbd_pid
		"$1"
	fi
	target_number=$((target_number + 1))
	# shellcheck disable=SC2034 # for the function, as is $server
	url=$nfs3_url seen=$export_dir server=$ganesha_pid restart=run_ganesha
	"$1"
	if has_nfs4; then
		target_number=$((target_number + 1))
		url=$nfs4_url
		server=$ganesha_pid
		"$1"
	fi
}
