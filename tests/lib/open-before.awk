# SPDX-License-Identifier: GPL-3.0-or-later
#
# Print SMB frames in short form (golden/import/smb/frames.awk): a file is opened,
# then another is used, `count` - 2 times, that was open before the capture.
BEGIN {
	print "> cmd=5 mid=1 name=a disp=1 acc=0x80 opt=0x40 share=0x7 attr=0x80"
	print "< cmd=5 mid=1 fid=1 act=1 eof=7 attr=0x20 data=0"
	for (i = 2; i < count; i++)
		printf "> cmd=16 mid=%d fid=9 type=1 level=18\n" \
		       "< cmd=16 mid=%d eof=7 attr=0x20 data=104\n", i, i
}
