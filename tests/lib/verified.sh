# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# Functions for tests that --verify raises no false alarm. Source this file
# after base.sh. It sources library.sh and restore.sh.

# shellcheck source=tests/lib/library.sh
. "${BASH_SOURCE[0]%/*}/library.sh"
# shellcheck source=tests/lib/restore.sh
. "${BASH_SOURCE[0]%/*}/restore.sh"

# The recording or, if it is not installed, the built-in load.
recording=/usr/share/dbench/client.txt
[ -r $recording ] || recording=netbench

# The results of expect_verified, and what to expect of them: the words "some" or
# "all", and a name.
results=()
verified=()

# expect_verified TARGET LOAD [OPTION...]: play the load with --verify. Its result
# is looked at by check_verified.
expect_verified() {
	local url=$1 load=$2
	shift 2
	results+=("$work/verified-${#results[@]}.json")
	expect_exit 0 "$throng" run --verify -c "$load" "$@" \
		--seed $((seed + ${#results[@]})) -o "${results[-1]}" "$url"
	expect_line "$out" "$(is_valid_row '[0-9]+')"
	verified+=("some $url ${load##*/}")
}

# expect_all_compared: expect that the last run compared all bytes read.
expect_all_compared() {
	verified[-1]="all ${verified[-1]#* }"
}

# check_verified: expect that the runs since the last call found no difference, and
# that those of expect_all_compared have compared all. Print the shares that were
# compared. One call of jq looks at all results, as it takes longer than most runs.
check_verified() {
	# shellcheck disable=SC2016 # jq's variables
	jq_results '
		def share(part; whole):
			if whole > 0 then "\(100 * part / whole | round) %"
			else "none" end;
		[inputs | point] as $found | range($found | length) |
		$ARGS.positional[.] as $name | $found[.] | "\(if .verified_differences == 0 and
			.verified_compared_bytes <= .verified_read_bytes and
			(.verified_compared_bytes == .verified_read_bytes or
				($name | startswith("some")))
			then "" else "WRONG: \(.) " end)" +
		"\($name): compared " +
		"\(share(.verified_compared_bytes; .verified_read_bytes)) " +
		"of the bytes read, read back " +
		"\(share(.verified_read_back_bytes; .verified_written_bytes)) " +
		"of those written"' -nr "${results[@]}" \
		--args "${verified[@]}" >"$work/verified" ||
		fail 'jq failed'
	cat "$work/verified"
	expect_same 'results' ${#results[@]} "$(wc -l <"$work/verified")"
	expect_no_line "$work/verified" '^WRONG'
	results=() verified=()
}

# is_shared LOAD: check if the users of this load share files, which --verify
# leaves out.
is_shared() {
	[ "$1" = oltp ] || [ "$1" = webserver ]
}

# A load of single NFS procedures, on targets with and without hard links.
load procedures <<'END'
MKDIR3 "/clients/client1/d" *
CREATE3 "/clients/client1/d/f" 0x00000000
LOOP 50
WRITE3 "/clients/client1/d/f" *%65536/4096 4096 0 0x00000000
READ3 "/clients/client1/d/f" 0 512 0x00000000
ENDLOOP
COMMIT3 "/clients/client1/d/f" 0x00000000
LINK3 "/clients/client1/d/g" "/clients/client1/d/f" *
WRITE3 "/clients/client1/d/g" 1000 4096 2 *
READ3 "/clients/client1/d/f" 0 20000 0x00000000
REMOVE3 "/clients/client1/d/g" *
REMOVE3 "/clients/client1/g" *
RENAME3 "/clients/client1/d/f" "/clients/client1/g" 0x00000000
READ3 "/clients/client1/g" 0 20000 0x00000000
END

# A load of direct I/O.
load direct <<'END'
open "/client1/f" read,write,create,direct 1 OK
LOOP 50
write 1 random(0,64Ki,4Ki) 4Ki
read 1 random(0,64Ki,4Ki) 4Ki -
ENDLOOP
END

# expect_others_verified TARGET: the same for loads whose set-up is restored,
# for NFS procedures and direct I/O.
expect_others_verified() {
	local name
	for name in fixed drawn counted procedures direct; do
		expect_verified "$1" "$work/$name" -u 2 --loops 10
		expect_all_compared
	done
}

# random_load NAME SEED: write a load of random operations on a few names to
# $work/NAME. Most of them change the data, size or names of a file. Some names
# differ only in case, some are outside of the user's directory, and locks make a
# part of a large write fail on SMB. Any outcome is accepted.
random_load() {
	awk -v count=400 -v seed="$2" '
	function draw(n) { return int(rand() * n) }
	function word(words,  list) { return list[1 + draw(split(words, list))] }
	function name() {
		return "\"/" word("client1/a client1/b client1/c client1/d/a " \
			"client1/d/b client1/e/a client1/e/B client1/l " \
			"client1/A client1/D/a pool/d/a pool/b") "\""
	}
	function directory() {
		return "\"/" word("client1/d client1/e client1/D pool/d") "\""
	}
	function large() { return draw(100) == 0 ? 8000000 : 12000 }
	function range() { return draw(9) * 4096 + draw(2) * draw(4096) " " \
		1 + draw(large()) }
	function flags() {
		return word("read,write read,write read,write,create " \
			"read,write,create read,write,create,exclusive " \
			"read,write,truncate read,write,create,truncate " \
			"read,write,append read,write,create,sync read write") \
			(draw(20) == 0 ? ",delete-on-close" : "")
	}
	function operation(h) {
		return word("write write write write write write read read " \
			"read read read truncate truncate fsync fdatasync " \
			"allocate copy clone fstat lock lock unlock") " " h
	}
	BEGIN {
		srand(seed)
		split("client1/d client1/e pool pool/d", made)
		for (i = 1; i in made; i++)
			print "mkdir", "\"/" made[i] "\" *"
		for (i = 0; i < count; i++) {
			h = 1 + draw(5)
			if (draw(5) == 0) {
				verb = word("unlink unlink rename rename " \
					"rename link link symlink mkdir " \
					"rmdir deltree turn exchange " \
					"exchange-directory")
				if (verb == "rename")
					print verb, name(), name(), \
						word("replace no-replace"), "*"
				else if (verb == "exchange")
					print "rename", name(), name(), \
						verb, "*"
				else if (verb == "exchange-directory")
					print "rename", directory(), \
						draw(3) ? directory() : name(), \
						"exchange *"
				else if (verb == "turn")
					print "rename", directory(), \
						directory(), "replace *"
				else if (verb == "link")
					print verb, name(), name(), "*"
				else if (verb == "symlink")
					print verb, "\"/client1/l\"", "\"a\" *"
				else if (verb == "unlink")
					print verb, name(), "*"
				else if (verb != "deltree")
					print verb, directory(), "*"
				else if (draw(3) == 0)
					print verb, "\"/client1/" word("d e D") "\" *"
				continue
			}
			if (!opened[h]) {
				print "open", name(), flags(), h, "*"
				opened[h] = 1
				continue
			}
			if (draw(6) == 0) {
				print "close", h, "*"
				opened[h] = 0
				continue
			}
			line = operation(h)
			if (line ~ /^(read|write)/)
				print line, range(), "- *"
			else if (line ~ /^truncate/)
				print line, draw(40000), "*"
			else if (line ~ /^allocate/)
				print line, range(), word("keep-size " \
					"punch-hole zero punch-hole zero"), "*"
			else if (line ~ /^lock/)
				print line, draw(4) ? range() : "4096000 1", \
					"try *"
			else if (line ~ /^unlock/)
				print line, range(), "*"
			else if (line !~ /^(copy|clone)/)
				print line, "*"
			else if (opened[1] && line ~ /^copy/)
				print line, draw(20000), 1, range(), "- *"
			else if (opened[1])
				print line, 0, 1, draw(4) * 4096, 4096, "*"
		}
		for (h = 1; h <= 5; h++)
			if (opened[h])
				print "close", h, "*"
	}' >"$work/$1"
}

# vary_case NAME: spell names of a random load in both cases.
vary_case() {
	sed -i '0~3s|/client1/a|/client1/A|g; 0~2s|/client1/d|/client1/D|g
		s|/client1/b|/client1/é|g; 0~4s|é|É|g' "$work/$1"
}

# A load that spells names in both cases.
load cases <<'END'
mkdir "/client1/d"
open "/client1/d/Data" write,create 1
write 1 0 8192
close 1
open "/client1/D/DATA" read,write,create 1 *
read 1 0 16384 - *
write 1 4096 8192 - *
close 1 *
open "/client1/d/data" read 1 *
read 1 0 16384 - *
close 1 *
rename "/client1/d/DATA" "/client1/d/data" replace *
rename "/client1/d" "/client1/D" replace *
rename "/client1/D" "/client1/d" replace *
rename "/client1/d/data" "/client1/d/x" replace *
open "/client1/d/Data" read,write,create 1 *
read 1 0 16384 - *
write 1 0 100 - *
close 1 *
rename "/client1/D" "/client1/e" replace *
open "/client1/E/X" read,create 1 *
read 1 0 16384 - *
close 1 *
open "/client1/É" write,create 1
write 1 0 5000
close 1
open "/client1/é" read,write,create 1 *
read 1 0 16384 - *
write 1 0 9000 - *
close 1 *
open "/client1/É" read 1 *
read 1 0 16384 - *
close 1 *
rename "/client1/é" "/client1/Ü" replace *
open "/client1/ü" read,create 1 *
read 1 0 16384 - *
close 1 *
unlink "/client1/Ü" *
open "/client1/ü" read,write,create 1 *
read 1 0 16384 - *
write 1 0 10 - *
close 1 *
mkdir "/client1/Ö" *
open "/client1/Ö/f" write,create 1 *
write 1 0 3000 - *
close 1 *
rename "/client1/ö" "/client1/y" replace *
open "/client1/y/f" read,create 1 *
read 1 0 16384 - *
close 1 *
END

# spare_ganesha NAME: remove from a random load what confuses Ganesha 4. If it
# has not cached a name, an open with "create" follows a symbolic link, and one
# that truncates the file leaves the old size in its cache, where the next append
# goes.
spare_ganesha() {
	sed -i '/^symlink/d; s/,append//' "$work/$1"
}

# expect_no_finding TARGET STATE: expect that throng verify misses nothing.
# After a random load, there may be no byte that must be there.
expect_no_finding() {
	local status=0
	"$throng" verify --state "$2" "$1" >"$out" 2>"$err" || status=$?
	[ $status -eq 0 ] ||
		grep -q '^throng: nothing to check: no data had to survive a crash' "$err" || {
		# First, because only the end of a test's log is shown.
		sed 's/^/  state: /' "$2"
		fail "exit $status: throng verify --state $2 $1"
	}
}
