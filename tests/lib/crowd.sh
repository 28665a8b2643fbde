# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# A crowd: two to six runs at once on one target, which start at random moments and
# end, or are interrupted or killed at random moments. A test sources base.sh,
# targets.sh and runs.sh first, and calls
#
#	crowd URL SEEN ROUNDS
#
# SEEN is the local directory that the URL serves. The seed of the test, which is
# printed, repeats what is drawn.

# Users change what is in their directories.
load homes <<'END'
mkdir "/client1/d"
LOOP 8 i
open "/client1/d/$i" write,create 1
write 1 0 4Ki
close 1
ENDLOOP
rename "/client1/d/3" "/client1/d/x" no-replace
unlink "/client1/d/4"
list "/client1/d/*" 100 -
deltree "/client1/d"
END

# They also share files, which a directory of the run holds.
{
	cat <<'END'
SETUP shared
mkdir "/pool"
LOOP 5 i
open "/pool/$i" write,create 1
write 1 0 4Ki
close 1
ENDLOOP
ENDSETUP
open "/pool/2" read 2
read 2 0 4Ki
close 2
END
	cat "$work/homes"
} >"$work/pool"

# crowd_picture: print names, types and contents of the files that are not of runs.
crowd_picture() {
	(cd "$crowd_seen" && find . -mindepth 1 -path './throng-????????*' -prune -o \
		-path './shared/clients/client*' -prune -o -printf '%P %y %m %i %l\n' |
		sort
		find . -mindepth 1 -path './throng-????????*' -prune -o \
			-path './shared/clients/client*' -prune -o \
			-type f -exec cksum {} + | sort)
}

# pause MS: sleep for that time.
pause() {
	sleep "$(($1 / 1000)).$(printf %03d $(($1 % 1000)))"
}

# crowd_member NUMBER DELAY END MOMENT ARGUMENT...: start a run after a delay, end
# it in this way at this moment, in milliseconds, and write how it ended.
crowd_member() {
	local number=$1 status=0
	pause "$2"
	"$throng" run "${@:5}" >"$work/crowd.$number" 2>&1 </dev/null &
	pid=$!
	case $3 in
	kill)
		pause "$4"
		# kill_run waits for the users. It does not say how the run ended.
		if ! is_gone "$pid"; then
			kill_run
			status=killed
		else
			wait "$pid" || status=$?
		fi
		;;
	interrupt)
		pause "$4"
		kill -INT "$pid" 2>/dev/null && status=interrupted
		wait "$pid" || status+=" $?"
		;;
	*) wait "$pid" || status=$? ;;
	esac
	echo "$pid $status" >"$work/crowd.$number.status"
}

# fail_member NUMBER END: fail, as the run should not have ended as it did.
fail_member() {
	cat "$work/crowd.$1"
	fail "run $1 ($2) ended with: $(<"$work/crowd.$1.status")"
}

# expect_ended NUMBER END: expect that the run was valid, or ended by its own signal,
# or was refused because of another run with the same --workdir.
expect_ended() {
	local process status code
	read -r process status code <"$work/crowd.$1.status"
	case $status-$code in
	0- | interrupted-) ;;
	# It would have the same users as another one; 0: it ended by itself
	# before the interrupt.
	2- | 0-2) grep -Eq "$taken" "$work/crowd.$1" || fail_member "$@" ;;
	killed-)
		crowd_killed+=" $process "
		crowd_kills=$((crowd_kills + 1)) crowd_stopped=$((crowd_stopped + 1))
		;;
	# 130: before it was set up for signals.
	interrupted-[12] | interrupted-130)
		crowd_interrupts=$((crowd_interrupts + 1))
		crowd_stopped=$((crowd_stopped + 1))
		;;
	*) fail_member "$@" ;;
	esac
}

# remove_probes: remove what the runs that ended before their time have left of their
# check of the target. No run file names these small files.
remove_probes() {
	local files=("$crowd_seen"/.throng-probe-*)
	[ -e "${files[0]}" ] || return 0
	[ ${#files[@]} -le $((3 * crowd_stopped)) ] || fail "too many: ${files[*]}"
	[ -z "$(find "${files[@]}" -size +64k)" ] || fail "too large: ${files[*]}"
	rm "${files[@]}"
}

# clean_crowd: remove what killed runs have left, and expect that nothing else is
# left. Where no lock can be tested, it is not known of a run that was killed before
# it wrote a word into its run file if it is dead. Where the server does not tell who
# has written a run file, one with a name for --workdir is not believed.
clean_crowd() {
	local file process left=()
	for file in "$crowd_seen"/throng-????????.run; do
		[ -e "$file" ] || continue
		process=$(sed -n 's/^process //p' "$file")
		[[ -z $process || $crowd_killed == *" $process "* ]] ||
			fail "a run that was not killed has left $file"
		[ -s "$file" ] && ! { [[ $crowd_url == smb:* ]] &&
			grep -q '^workdir' "$file"; } || left+=("$file")
	done
	"$throng" clean --all "$crowd_url" >"$out" 2>"$err"
	! grep -v 'may belong to another account, because .*; if the file is yours, use --force$' "$err" ||
		fail 'throng clean --all has failed'
	[[ $crowd_url == smb:* || ! -s $err ]] || fail 'it is not believed'
	for file in "${left[@]}"; do
		[ -e "$file" ] || continue
		file=${file##*/}
		expect_exit 0 "$throng" clean --force "$crowd_url" "${file%.run}"
	done
	[ -z "$(ls -d "$crowd_seen"/throng-????????* "$crowd_seen"/shared/clients/client* \
		2>/dev/null)" ] || fail "files of runs are left: $(find "$crowd_seen")"
}

crowd_round() {
	local count=$((2 + RANDOM % 5)) i members=() ends=() arguments delay moment
	for ((i = 0; i < count; i++)); do
		arguments=(-u $((1 + RANDOM % 4)) --loops $((1 + RANDOM % 8)))
		case $((RANDOM % 4)) in
		0) arguments+=(--workdir shared -c "$work/homes") ;;
		1) arguments+=(-c "$work/homes") ;;
		*) arguments+=(-c "$work/pool") ;;
		esac
		case $((RANDOM % 5)) in
		0 | 1) ends[i]='kill' ;;
		2) ends[i]=interrupt ;;
		*) ends[i]=end ;;
		esac
		delay=$((RANDOM % 500)) moment=$((RANDOM % 500))
		crowd_member $i $delay "${ends[i]}" $moment "${arguments[@]}" "$crowd_url" &
		members+=($!)
	done
	started+=("${members[@]}")
	wait "${members[@]}"
	crowd_killed='' crowd_stopped=0
	for ((i = 0; i < count; i++)); do
		expect_ended $i "${ends[i]}"
	done
}

crowd() {
	local round before
	crowd_url=$1 crowd_seen=$2 crowd_kills=0 crowd_interrupts=0
	echo "seed: $seed"
	mkdir -p "$2"/{precious,clients/client0,shared/clients/sub,throng-notes}
	echo precious | tee "$2"/precious/file "$2"/throng-notes/file "$2"/shared/file \
		"$2"/shared/clients/notes >"$2/clients/client0/file"
	ln -s precious "$2/link"
	before=$(crowd_picture)
	for ((round = 1; round <= $3; round++)); do
		crowd_round
		remove_probes
		expect_same "files of others after round $round" "$before" "$(crowd_picture)"
		clean_crowd
		expect_same "files after round $round" "$before" "$(crowd_picture)"
	done
	echo "$crowd_kills runs killed, $crowd_interrupts interrupted, in $3 rounds"
	[ "$3" -lt 20 ] || [ $((crowd_kills * crowd_interrupts)) -gt 0 ] ||
		give_up 'no run was killed or interrupted'
}
