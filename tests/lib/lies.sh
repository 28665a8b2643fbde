# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# Functions for tests that --verify finds the lies of a target. Source this file
# after base.sh. It sources liar.sh.

# shellcheck source=tests/lib/liar.sh
. "${BASH_SOURCE[0]%/*}/liar.sh"
[ -x /usr/bin/python3 ] || cannot '/usr/bin/python3 is not installed'

lies=(bit zeros stale exchanged misplaced other-user dropped short)

# The data of each write is read before it is overwritten, or it is left for the
# final read-back.
load lies <<'END'
open "/client1/f" read,write,create 1 OK
LOOP 16
  write 1 next 8Ki
ENDLOOP
LOOP 16 i
  read 1 $i*8Ki 8Ki
ENDLOOP
LOOP 3
  LOOP 16
    write 1 shuffle(16)*8Ki+random(0,3585) random(512,4609)
    read 1 random(0,113)*1Ki random(2,17)*512
  ENDLOOP
  LOOP 16 i
    read 1 $i*8Ki 8Ki
  ENDLOOP
ENDLOOP
LOOP 16
  write 1 shuffle(16)*8Ki+random(0,3585) random(512,4609)
ENDLOOP
close 1
END

# The same in four streams, each with a file of its own.
for stream in 0 1 2 3; do
	echo "STREAM $stream"
	sed "s,/f\",/f$stream\",; s,\(create\|write\|read\) 1 ,\1 $stream ,; s,close 1,close $stream,
		s,16,4,; s,113,25," "$work/lies"
done | load lies-streams

# The same in four streams that share the file, but none of its bytes.
load lies-parallel <<'END'
open "/client1/f" read,write,create 1 OK
LOOP 16
  write 1 next 8Ki
ENDLOOP
PARALLEL 4 lane
  LOOP 4 i
    read 1 $lane*32Ki+$i*8Ki 8Ki
  ENDLOOP
  LOOP 3
    LOOP 4
      write 1 $lane*32Ki+shuffle(4)*8Ki+random(0,3585) random(512,4609)
      read 1 $lane*32Ki+random(0,25)*1Ki random(2,17)*512
    ENDLOOP
    LOOP 4 i
      read 1 $lane*32Ki+$i*8Ki 8Ki
    ENDLOOP
  ENDLOOP
  LOOP 4
    write 1 $lane*32Ki+shuffle(4)*8Ki+random(0,3585) random(512,4609)
  ENDLOOP
ENDPARALLEL
close 1 OK
END

# The write to this path can be refused after a part of it was done.
load refused <<'END'
open "/client1/f" read,write,create 1 OK
write 1 0 512Ki
close 1 OK
rename "/client1/f" "/client1/refused" replace OK
open "/client1/refused" read,write 1 OK
write 1 0 1Mi - *
read 1 0 2Mi - OK
close 1 *
END
refused_path=/refused

# Its reads may return any number of bytes.
load short-reads <<'END'
open "/client1/f" read,write,create 1 OK
write 1 0 300Ki
fsync 1 *
LOOP 5 i
  read 1 $i*64Ki 64Ki - OK
ENDLOOP
close 1 OK
open "/client1/g" read,write,create,direct 1 *
write 1 0 64Ki - *
read 1 0 64Ki - *
close 1 *
nfs-read "/client1/f" 64Ki 0 - OK
END

# find_lies LOAD RUNS TARGET COMMAND...: run throng RUNS times for each lie, with
# the command as a prefix, and expect that it finds the lie each time, and nothing
# else. Print what it found.
find_lies() {
	local load=$1 runs=$2 url=$3 lie run number=0 found=$work/found
	local told out
	shift 3
	rm -rf "$found"
	mkdir "$found"
	for lie in "${lies[@]}"; do
		for ((run = 0; run < runs; run++)); do
			number=$((number + 1))
			told=$found/$number.told out=$found/$number.out
			tell "$lie" "AFTER=$((1 + RANDOM % 75))" "SEED=$RANDOM"
			expect_exit 1 "$@" "$throng" run --verify -u 2 \
				--loops 1 --seed "$RANDOM" -c "$work/$load" \
				-o "$found/$number.json" "$url"
			[ -f "$told" ] || fail "no lie was told: $lie"
		done
	done
	told=$work/told # and keep the last log
	tell nothing
	echo "$load on $url"
	# One process looks at all runs, as jq would take longer than a run.
	/usr/bin/python3 "${BASH_SOURCE[0]%/*}/lies.py" "$found" $number ||
		fail "$url: not all lies were found"
}
