# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# Loads for tests on several kinds of targets.

# every_operation NAME: write a load with each operation on attributes and ranges
# to $work/NAME.
every_operation() {
	load "$1" <<END
open "/client1/a" read,write,create,direct 1 OK
write 1 0 65536 65536 OK
write 1 65536 4096 4096 OK
read 1 4096 4096 4096 OK
close 1 OK
open "/client1/a" read,write,noatime 1 OK
open "/client1/b" read,write,create 2 OK
write 2 0 4096 4096 OK
lock 1 0 10 shared OK
lock 1 10 10 try OK
lock-test 1 0 10 OK
lock-test 1 0 10 shared OK
unlock 1 0 20 OK
allocate 1 0 131072 keep-size OK
allocate 1 0 4096 OK
allocate 1 8192 4096 punch-hole OK
allocate 1 12288 4096 zero OK
copy 1 0 2 4096 8192 8192 OK
clone 1 0 2 0 0 OK
truncate 1 100000 OK
read 1 99990 100 10 OK
truncate 1 10 OK
fdatasync 1 OK
sync-range 1 0 4096 OK
sync-range 1 0 4096 wait OK
close 1 OK
close 2 OK
access "/client1/a" exists OK
access "/client1/a" read,write OK
access "/client1/none" read ENOENT
chmod "/client1/a" 0444 lookup OK
access "/client1/a" read OK
chmod "/client1/a" 0644 OK
access "/client1/a" execute EACCES
chmod "/client1/none" 0600 ENOENT
chown "/client1/a" - - OK
chown "/client1/a" $(id -u) $(id -g) OK
set-path-times "/client1/a" OK
set-path-times "/client1/none" ENOENT
xattr-set "/client1/a" user.one 100 OK
xattr-set "/client1/a" user.two 0 OK
xattr-get "/client1/a" user.one 4096 100 OK
xattr-get "/client1/a" user.one 99 - EFBIG
xattr-get "/client1/a" user.three 4096 - ENODATA
xattr-list "/client1/a" OK
xattr-remove "/client1/a" user.one OK
rename "/client1/a" "/client1/b" exchange OK
open "/client1/b" read 1 OK
read 1 0 100 - OK
close 1 OK
END
}

# every_procedure NAME: write a load with each procedure of NFSv3 to $work/NAME. It
# has this number of operations.
every_procedure_ops=$((3 + 3 * 50 + 19))
every_procedure() {
	load "$1" <<'END'
MKDIR3 "/clients/client1/d" 0x00000000
CREATE3 "/clients/client1/d/f" 0x00000000
LOOKUP3 "/clients/client1/d/f" 0x00000000
LOOP 50
WRITE3 "/clients/client1/d/f" *%65536/4096 4096 0 0x00000000
READ3 "/clients/client1/d/f" 0 512 0x00000000
GETATTR3 "/clients/client1/d/f" 0x00000000
ENDLOOP
SETATTR3 "/clients/client1/d/f" 0x00000000
ACCESS3 "/clients/client1/d/f" 0 0 0x00000000
PATHCONF3 "/clients/client1/d/f" 0x00000000
COMMIT3 "/clients/client1/d/f" 0x00000000
FSSTAT3 0x00000000
FSINFO3 0x00000000
LINK3 "/clients/client1/d/hard" "/clients/client1/d/f" 0x00000000
SYMLINK3 "/clients/client1/d/soft" "/clients/client1/d/f" 0x00000000
READLINK3 "/clients/client1/d/soft" 0x00000000
READDIRPLUS3 "/clients/client1/d" 0x00000000
RENAME3 "/clients/client1/d/hard" "/clients/client1/d/g" 0x00000000
GETATTR3 "/clients/client1/d/g" 0x00000000
RMDIR3 "/clients/client1/d" 0x00000042
REMOVE3 "/clients/client1/d/g" 0x00000000
REMOVE3 "/clients/client1/d/soft" 0x00000000
REMOVE3 "/clients/client1/d/f" 0x00000000
LOOKUP3 "/clients/client1/d/f" 0x00000002
MKDIR3 "/clients/client1/d" 0x00000011
RMDIR3 "/clients/client1/d" 0x00000000
END
}
