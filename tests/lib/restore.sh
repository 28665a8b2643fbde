# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# Loads that change what their set-up has laid out, in every way. Each begins
# its loop by looking at the names and sizes that the set-up left, so it plays
# without a mismatch only if all of them have been restored. A test sources this
# after base.sh; the loads are $work/fixed, drawn, counted, linked and unchanged.

load fixed <<'END'
SETUP restore
mkdir "/client1/d" OK
mkdir "/client1/d/sub" OK
mkdir "/client1/p" OK
open "/client1/p/q" write,create,exclusive 1 OK
write 1 0 70 70 OK
close 1 OK
mkdir "/client1/tree" OK
mkdir "/client1/tree/empty" OK
open "/client1/d/a" write,create,exclusive 1 OK
write 1 0 10000 10000 OK
close 1 OK
open "/client1/d/b" write,create,exclusive 1 OK
LOOP 2
write 1 +1048576 1048576 1048576 OK
ENDLOOP
close 1 OK
open "/client1/d/sub/c" write,create,exclusive 1 OK
close 1 OK
open "/client1/tree/x1" write,create,exclusive 1 OK
write 1 0 300 300 OK
close 1 OK
open "/client1/tree/x2" write,create,exclusive 1 OK
close 1 OK
open "/client1/grow" read,write,create,exclusive 2 OK
write 2 0 100 100 OK
open "/client1/y" write,create,exclusive 3 OK
write 3 0 100 100 OK
close 3 OK
open "/client1/z" write,create,exclusive 3 OK
write 3 0 200 200 OK
close 3 OK
ENDSETUP
list "/client1/*" 100 8 OK
list "/client1/d/*" 100 5 OK
list "/client1/d/sub/*" 100 3 OK
list "/client1/tree/*" 100 5 OK
list "/client1/tree/empty/*" 100 2 OK
read 2 0 1000 100 OK
open "/client1/d/a" read 1 OK
read 1 0 20000 10000 OK
close 1 OK
open "/client1/d/b" read 1 OK
read 1 1048576 4194304 2097152 OK
close 1 OK
open "/client1/d/sub/c" read 1 OK
read 1 0 100 0 OK
close 1 OK
open "/client1/tree/x1" read 1 OK
read 1 0 1000 300 OK
close 1 OK
open "/client1/y" read 1 OK
read 1 0 1000 100 OK
close 1 OK
open "/client1/z" read 1 OK
read 1 0 1000 200 OK
close 1 OK
open "/client1/p/q" read 1 OK
read 1 0 1000 70 OK
close 1 OK
unlink "/client1/p/q" OK
rmdir "/client1/p" OK
open "/client1/p" write,create,exclusive 1 OK
close 1 OK
mkdir "/client1/new" OK
open "/client1/new/f" write,create,exclusive 1 OK
write 1 0 5000 5000 OK
close 1 OK
rename "/client1/d" "/client1/e" replace OK
open "/client1/e/inside" write,create,exclusive 1 OK
close 1 OK
open "/client1/e/a" read,write,truncate 1 OK
read 1 0 10000 0 OK
close 1 OK
unlink "/client1/e/sub/c" OK
rmdir "/client1/e/sub" OK
open "/client1/e/sub" write,create,exclusive 1 OK
close 1 OK
open "/client1/e/b" read,write 1 OK
write 1 3145728 10000 10000 OK
close 1 OK
write 2 50 100 100 OK
unlink-matching "/client1/tree/x*" OK
deltree "/client1/tree" OK
rename "/client1/y" "/client1/z" replace OK
rename "/client1/z" "/client1/w" no-replace OK
open "/client1/y" write,create,exclusive 1 OK
write 1 0 50 50 OK
close 1 OK
mkdir "/client1/z" OK
open "/client1/z/f" write,create,exclusive 3 OK
END

{
	echo 'SETUP restore'
	echo 'mkdir "/client1/d" OK'
	for name in {0..9}; do
		cat <<-END
			open "/client1/d/f$name" write,create,exclusive 1 OK
			write 1 0 10000 10000 OK
			close 1 OK
		END
	done
	cat <<-'END'
		open "/client1/same" read,write,create 2 OK
		write 2 0 65536 65536 OK
		ENDSETUP
		list "/client1/d/*" 1000 12 OK
	END
	for name in {0..9}; do
		cat <<-END
			open "/client1/d/f$name" read 1 OK
			read 1 0 20000 10000 OK
			close 1 OK
		END
	done
	cat <<-'END'
		LOOP 3
		RANDOMSTRING 0 "[0123456789]"
		RANDOMSTRING 1 "[0123456789]"
		unlink "/client1/d/f$0" OK|ENOENT
		rename "/client1/d/f$1" "/client1/d/n$0" replace OK|ENOENT
		open "/client1/d/g$1" write,create 3 OK
		write 3 0 100 100 OK
		close 3 OK
		RANDOMSTRING 0 "[0123456789]"
		open "/client1/d/f$0" write,create,truncate 3 OK
		close 3 OK
		RANDOMSTRING 0 "[0123456789]"
		open "/client1/d/f$0" read,write,create 3 OK
		write 3 9000 5000 5000 OK
		close 3 OK
		ENDLOOP
		RANDOMSTRING 0 "[0123456789]"
		deltree "/client1/d/g$0" OK|ENOENT
		mkdir "/client1/d/g$0" OK
		open "/client1/d/g$0/inside" write,create 3 OK
	END
} | load drawn

# The names of this load are counted and drawn.
load counted <<'LOAD'
PARAM files 20
SETUP restore
mkdir "/client1/d"
LOOP $files i
open "/client1/d/f$i" write,create,exclusive 1
write 1 next 1000
write 1 next $i*10
close 1
ENDLOOP
ENDSETUP
list "/client1/d/*" 1000 22
LOOP $files i
open "/client1/d/f$i" read 1
read 1 next 1000
read 1 next $i*10
read 1 next 10 0
close 1
ENDLOOP
LOOP $files i
LET k shuffle($files)
LET n $i+100
MIX 1
1 unlink "/client1/d/f$k"
1 rename "/client1/d/f$k" "/client1/d/g$n" no-replace
1 BEGIN
open "/client1/d/f$k" write,truncate 1
write 1 0 random(1,3000,1)
close 1
END
1 BEGIN
open "/client1/d/f$k" write,append 1
write 1 0 100
close 1
END
1 mkdir "/client1/d/new$k"
1 stat "/client1/d/f$k"
ENDMIX
ENDLOOP
LOAD

load unchanged <<'END'
SETUP restore
open "/client1/f" read,write,create 1 OK
write 1 0 1048576 1048576 OK
ENDSETUP
LOOP 1000
read 1 *%1048576/4096 4096 4096 OK
ENDLOOP
LOOP 1000
write 1 *%1048576/4096 4096 4096 OK
ENDLOOP
open "/client1/f" read,write 2 OK
LOOP 1000
read 2 *%1048576/4096 4096 4096 OK
ENDLOOP
END

# Files of this load get second names, and change under them.
load linked <<'LOAD'
SETUP restore
mkdir "/client1/d" OK
open "/client1/d/a" write,create,exclusive 1 OK
write 1 0 4106 4106 OK
close 1 OK
open "/client1/d/b" write,create,exclusive 1 OK
close 1 OK
open "/client1/d/c" write,create,exclusive 1 OK
write 1 0 100 100 OK
close 1 OK
open "/client1/d/open" read,write,create,exclusive 2 OK
write 2 0 70 70 OK
ENDSETUP
list "/client1/d/*" 100 6 OK
read 2 0 1000 70 OK
open "/client1/d/a" read 1 OK
read 1 0 20000 4106 OK
close 1 OK
open "/client1/d/b" read 1 OK
read 1 0 20000 0 OK
close 1 OK
open "/client1/d/c" read 1 OK
read 1 0 20000 100 OK
close 1 OK
link "/client1/d/x" "/client1/d/a" OK
rename "/client1/d/x" "/client1/d/b" replace OK
open "/client1/d/b" write,truncate 1 OK
close 1 OK
link "/client1/d/y" "/client1/d/c" OK
open "/client1/d/y" write,append 1 OK
write 1 0 50 50 OK
close 1 OK
unlink "/client1/d/y" OK
write 2 0 700 700 OK
LOAD
