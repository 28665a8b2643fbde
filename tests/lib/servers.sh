# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# Real servers for tests: Samba and NFS-Ganesha. A test begins with
#
#	. "${0%/*}/../lib/base.sh"
#	. "${0%/*}/../lib/servers.sh"
#	needs_smbd
#	in_network "$@"
#	start_smbd
#
# in_network starts the test again in its own namespaces. There, all ports are
# free, no packet leaves the machine, and when the test ends, all its processes
# end, even those that a server puts into the background.
#
# With THRONG_TESTS_MUST_RUN=1, a test fails instead of being skipped.

PATH=$PATH:/usr/sbin:/sbin

# $inside is set if in_network has started this script again. The commands that
# the script starts do not inherit the setting.
inside=${THRONG_TEST_INSIDE:-}
unset THRONG_TEST_INSIDE

# A command prefix: run in new namespaces, which end if the test is killed.
namespaces=(setpriv --pdeathsig KILL
	unshare --net --mount --propagation private
	--pid --mount-proc --fork --kill-child)
if [ "$(id -u)" -ne 0 ]; then
	namespaces+=(--map-root-user)
fi

needs_network() {
	[ -z "$inside" ] || return 0
	needs unshare setpriv ip
	"${namespaces[@]}" true 2>/dev/null ||
		cannot 'namespaces are not possible here'
}

# needs_users: skip the test unless it has the rights of the real root. Servers
# change to the user that they serve, and a user namespace that an ordinary user
# makes has only one user.
needs_users() {
	[ -z "$inside" ] || return 0
	needs_network
	"${namespaces[@]}" setpriv --reuid=65534 --regid=65534 --clear-groups \
		true 2>/dev/null || cannot 'servers need root here'
}

needs_smbd() {
	needs smbd smbpasswd smbclient
	needs_users
}

# reports REGEX: check if a line of `throng --version` matches. The runner calls
# that once for all tests.
reports() {
	[ -n "${THRONG_TEST_VERSION:-}" ] ||
		THRONG_TEST_VERSION=$("$throng" --version)
	export THRONG_TEST_VERSION
	grep -Eq -e "$1" <<<"$THRONG_TEST_VERSION"
}

# has_nfs4: check if throng's libnfs can play NFSv4.
has_nfs4() {
	! reports '^nfs  *libnfs 4'
}

# has_builtin_smb: check if throng has its own client for SMB.
has_builtin_smb() {
	reports '^smb .*GnuTLS [0-9]'
}

needs_builtin_smb() {
	has_builtin_smb || cannot 'throng was built without the built-in SMB client'
	needs_smbd
}

needs_ganesha() {
	needs ganesha.nfsd rpcbind rpcinfo rpc.statd nfs-ls nfs-cp
	compgen -G '/usr/lib*/ganesha/libfsalvfs.so' >/dev/null ||
		compgen -G '/usr/lib/*/ganesha/libfsalvfs.so' >/dev/null ||
		cannot "Ganesha's VFS module is not installed"
	[ -e /etc/mtab ] || cannot 'Ganesha exports nothing without /etc/mtab'
	# Without these two entries, RPC resolves no host, not even a numeric
	# address.
	getent services sunrpc >/dev/null ||
		cannot '/etc/services does not know sunrpc'
	getent hosts localhost >/dev/null ||
		cannot '/etc/hosts does not know localhost'
	needs_users
}

# in_network "$@": start the test again in its own namespaces, then exit with
# its status. Call this first, with the test's arguments. In the test that was
# started again, it only sets up the network.
in_network() {
	needs_network
	if [ -n "$inside" ]; then
		ip link set lo up || fail 'cannot set up the loopback interface'
		return
	fi
	# The inner test makes all its files in our $work, so we remove them
	# even if it is killed.
	THRONG_TEST_INSIDE=1 TMPDIR=$work \
		"${namespaces[@]}" "$BASH" "$0" "$@" <&0 &
	pid=$!
	started+=("$pid")
	# unshare does not forward signals, so kill its child, which is the
	# first process in the namespace. When this child has been reaped, no
	# process of the namespace is left.
	trap 'kill -KILL $(children_of "$pid") 2>/dev/null && wait "$pid"
		exit 1' HUP INT TERM
	wait "$pid"
	exit
}

# tree_of PID: print the process ID and those of all descendants.
tree_of() {
	local child
	echo "$1"
	for child in $(children_of "$1"); do
		tree_of "$child"
	done
}

# freeze PID, thaw PID: stop or continue a server and its child processes, which
# serve single connections. freeze stops the parent first, so that it starts no
# other children. It waits until all threads have stopped, because a thread may
# run for a moment after the signal.
freeze() {
	local child
	kill -STOP "$1" 2>/dev/null # a child may be gone
	within 60 is_frozen "$1"
	for child in $(children_of "$1"); do
		freeze "$child"
	done
}
is_frozen() {
	local file status
	for file in "/proc/$1"/task/*/status; do
		status=''
		{ read -r -d '' status <"$file"; } 2>/dev/null
		[[ $status != *State:[[:space:]][!tTZX]* ]] || return
	done
}
thaw() {
	local process
	for process in $(tree_of "$1"); do
		kill -CONT "$process" 2>/dev/null # it may be gone
	done
}

# kill_server PID: kill the server with all its descendants, as if it crashed.
kill_server() {
	local process processes
	freeze "$1"
	processes=$(tree_of "$1")
	for process in $processes; do
		kill -KILL "$process" 2>/dev/null # it may be gone
	done
	wait "$1" 2>/dev/null
	within 60 are_gone "$processes"
}

# are_gone "PID...": check if all of these processes have ended.
are_gone() {
	local process
	for process in $1; do
		is_gone "$process" || return
	done
}

# stop_server PID: ask the server to end (SIGTERM), and wait until it and all
# its descendants have ended. Kill them if that takes more than 10 s.
stop_server() {
	local end=$((SECONDS + 10)) processes
	processes=$(tree_of "$1")
	kill -TERM "$1"
	thaw "$1"
	until are_gone "$processes"; do
		if [ $SECONDS -gt $end ]; then
			kill_server "$1"
			break
		fi
		sleep 0.02
	done
	wait "$1" 2>/dev/null
}

# Variables for the environment of servers, such as LD_PRELOAD=LIBRARY.
server_variables=()

# launch LOG COMMAND...: start a server in the background as $pid.
launch() {
	local log=$1
	shift
	"$@" >>"$log" 2>&1 </dev/null &
	pid=$!
	started+=("$pid")
}

# comes_up LOG COMMAND...: wait until the command succeeds, which shows that the
# server $pid answers. Otherwise print its log and fail.
comes_up() {
	local end=$((SECONDS + 60)) log=$1
	shift
	until "$@" >/dev/null 2>&1 </dev/null; do
		if is_gone "$pid"; then
			tail -n 40 "$log" | sed 's/^/  log: /'
			fail "the server of ${log#"$work/"} does not start"
		elif [ $SECONDS -gt $end ]; then
			tail -n 40 "$log" | sed 's/^/  log: /'
			give_up "the server of ${log#"$work/"} does not answer"
		fi
		sleep 0.1
	done
}

# tcp_answers [PORT]: check if a server for tcp:// targets answers on the port
# (default: 7003).
tcp_answers() {
	"$throng" run --loops 1 -c "$busy" "tcp://127.0.0.1:${1-7003}"
}

# A load that opens a file and then sleeps, for tests that look at the sessions of
# a run.
load idle <<'END'
NTCreateX "\clients\client1\data" 0x40 3 1 NT_STATUS_OK
SLEEP 200000
Close 1 NT_STATUS_OK
END
idle=$work/idle

# Samba's address and account, and the shared directories.
smb_port=4450
smb_user=root
smb_password=throng-secret
smb_url=smb://$smb_user@127.0.0.1:$smb_port/share
smb_readonly_url=smb://$smb_user@127.0.0.1:$smb_port/readonly
smb_conf=$work/smbd/smb.conf
share_dir=$work/share
readonly_share_dir=$work/share-readonly

# start_smbd [GLOBAL-LINE...]: start Samba as $smbd_pid, with the shares "share"
# and "readonly". The lines are added to its [global] section. Samba offers
# every dialect from NT1 on, unless a line changes that.
start_smbd() {
	mkdir -p "$work"/smbd/{private,lock,state,cache,pid,rpc,log} \
		"$share_dir" "$readonly_share_dir"
	smb_configuration "$@" >"$smb_conf"
	add_smb_user "$smb_user" "$smb_password"
	run_smbd
}

# Print smb.conf. With force user = root, all users can write to the shares,
# which root owns.
smb_configuration() {
	cat <<-END
		[global]
		server role = standalone server
		map to guest = never
		passdb backend = tdbsam
		private dir = $work/smbd/private
		lock directory = $work/smbd/lock
		state directory = $work/smbd/state
		cache directory = $work/smbd/cache
		pid directory = $work/smbd/pid
		ncalrpc dir = $work/smbd/rpc
		smb ports = $smb_port
		interfaces = lo
		bind interfaces only = yes
		disable netbios = yes
		disable spoolss = yes
		load printers = no
		server min protocol = NT1
		client min protocol = NT1
	END
	if [ $# -gt 0 ]; then
		printf '%s\n' "$@"
	fi
	cat <<-END
		[share]
		path = $share_dir
		read only = no
		force user = root
		[readonly]
		path = $readonly_share_dir
		force user = root
	END
}

# add_smb_user NAME PASSWORD: add an account to Samba, before or after Samba is
# started. The system must have a user NAME.
add_smb_user() {
	printf '%s\n' "$2" "$2" |
		smbpasswd -c "$smb_conf" -s -a "$1" >"$out" 2>"$err" ||
		fail "cannot add the Samba user $1"
}

# run_smbd: start Samba, or restart it with the same configuration.
#
# Don't give smbd the option --no-process-group. With it, smbd would stay in the
# test's process group and, at its end, kill the whole group, including the test
# and make.
run_smbd() {
	launch "$work/smbd/log/log.smbd" env "${server_variables[@]}" \
		smbd --foreground --configfile="$smb_conf" \
		--log-basename="$work/smbd/log"
	smbd_pid=$pid
	comes_up "$work/smbd/log/log.smbd" smb_client share ls
}

# smb_client SHARE COMMANDS [OPTION...]: run Samba's own client. Return 124
# after $smb_patience seconds, because the client's --timeout does not limit the
# wait for a frozen server.
smb_patience=60
smb_client() {
	local share=$1 commands=$2
	shift 2
	timeout "$smb_patience" smbclient --configfile="$smb_conf" \
		--port=$smb_port --user="$smb_user%$smb_password" "$@" \
		"//127.0.0.1/$share" --command="$commands"
}

# Ganesha's ports and the exported directories.
nfs_port=20490
mount_port=20480
exports=/run/throng-exports
export_dir=$exports/export
readonly_export_dir=$exports/readonly
squashed_export_dir=$exports/squashed

# nfs_url VERSION PATH: print the URL of a path for NFSv3 or NFSv4. The exported
# directories are /export, /readonly and /squashed.
nfs_url() {
	case $1 in
	3) echo "nfs://127.0.0.1$2?nfsport=$nfs_port&mountport=$mount_port" ;;
	4) echo "nfs://127.0.0.1$2?version=4&nfsport=$nfs_port" ;;
	*) fail "NFS version $1" ;;
	esac
}
nfs3_url=$(nfs_url 3 /export)
nfs4_url=$(nfs_url 4 /export)

# nfs_urls: print the URLs of the export over NFSv3 and, if libnfs can play it, NFSv4.
nfs_urls() {
	echo "$nfs3_url"
	! has_nfs4 || echo "$nfs4_url"
}

# start_ganesha [--nlm] [BLOCK...]: start NFS-Ganesha as $ganesha_pid. The
# blocks are added to its configuration. With --nlm, it grants NFSv3 locks.
start_ganesha() {
	local nlm=false
	if [ "${1:-}" = --nlm ]; then
		nlm=true
		shift
	fi
	make_exports
	mkdir -p "$work/ganesha/recovery" "$work"/statd/{sm,sm.bak}
	ganesha_configuration $nlm "$@" >"$work/ganesha/ganesha.conf"

	launch "$work/rpcbind.log" rpcbind -f
	comes_up "$work/rpcbind.log" timeout 5 rpcinfo -p 127.0.0.1
	if [ $nlm = true ]; then
		# Ganesha refuses locks of clients that statd does not watch.
		launch "$work/statd.log" rpc.statd --foreground --no-notify \
			--state-directory-path "$work/statd"
		comes_up "$work/statd.log" \
			timeout 5 rpcinfo -T tcp 127.0.0.1 status
	fi
	run_ganesha
}

# make_exports: make the exported directories in a separate /run, which hides
# the machine's own. rpcbind always puts its socket into /run, and two Ganeshas
# would collide on the machine's message bus, which is also in /run.
#
# Ganesha needs a file system with file handles. The file system of $TMPDIR may
# have none, and since version 6, Ganesha exports no tmpfs. It accepts an
# overlay mounted with nfs_export=on. Put the layers of this overlay on a disk
# if possible: if they are on tmpfs, and a directory is listed after a removal,
# Ganesha 6 repeats an entry for ever.
make_exports() {
	mount -t tmpfs none /run || fail 'cannot mount a tmpfs on /run'
	mkdir $exports
	mount_overlay "$work/overlay" 2>/dev/null || mount_overlay /run ||
		fail 'cannot mount an overlay to export'
	mkdir "$export_dir" "$readonly_export_dir" "$squashed_export_dir"
	chmod 755 $exports/*
}

# mount_overlay DIRECTORY: mount an overlay on $exports, with its layers in the
# directory.
mount_overlay() {
	mkdir -p "$1"/{lower,upper,work} &&
		mount -t overlay -o "lowerdir=$1/lower,upperdir=$1/upper" \
			-o "workdir=$1/work,index=on,nfs_export=on" \
			none $exports
}

# Print Ganesha's configuration. Don't bind Ganesha to an address: it could not
# look up 127.0.0.1, because the resolver ignores loopback addresses on a
# machine that has no other address.
ganesha_configuration() {
	local nlm=$1
	shift
	cat <<-END
		NFS_CORE_PARAM {
			NFS_Port = $nfs_port;
			MNT_Port = $mount_port;
			Protocols = 3, 4;
			Enable_NLM = $nlm;
			Enable_RQUOTA = false;
			mount_path_pseudo = true;
			allow_set_io_flusher_fail = true;
		}
		NFSV4 {
			Graceless = true;
			RecoveryBackend = fs;
			RecoveryRoot = $work/ganesha/recovery;
		}
		LOG { COMPONENTS { TIRPC = CRIT; } }
	END
	ganesha_export 1 "$export_dir" RW No_Root_Squash
	ganesha_export 2 "$readonly_export_dir" RO No_Root_Squash
	ganesha_export 3 "$squashed_export_dir" RW Root_Squash
	if [ $# -gt 0 ]; then
		printf '%s\n' "$@"
	fi
}

# ganesha_export NUMBER DIRECTORY ACCESS SQUASH: print the block of an export.
ganesha_export() {
	cat <<-END
		EXPORT {
			Export_Id = $1;
			Path = $2;
			Pseudo = /${2##*/};
			Access_Type = $3;
			Squash = $4;
			SecType = sys;
			FSAL { Name = VFS; }
		}
	END
}

# run_ganesha: start Ganesha, or restart it with the same configuration.
run_ganesha() {
	local log=$work/ganesha/ganesha.log
	launch "$log" env "${server_variables[@]}" \
		ganesha.nfsd -F -f "$work/ganesha/ganesha.conf" \
		-L "$log" -p "$work/ganesha/pid"
	ganesha_pid=$pid
	comes_up "$log" timeout 5 nfs-ls "$nfs3_url"
	comes_up "$log" timeout 5 nfs-ls "$nfs4_url"
}
