# SPDX-License-Identifier: GPL-3.0-or-later
#
# Print the fields that `tshark -T fields` prints of SMB frames. The first input
# has the names of the fields, one per line. In the second one, a line is a
# frame: ">" for a request or "<" for a reply, then FIELD=VALUES, where commas
# separate the values. FIELD is short, see below; headers have default values.
# File IDs are "N", "ff" (that of the compound's CREATE) or "0" (null). Lines
# that begin with # are comments.
NR == FNR { order[NR] = $1; count = NR; next }
FNR == 1 {
	OFS = "\t"
	split("cmd smb2.cmd reply smb2.flags.response " \
	      "async smb2.flags.async rel smb2.flags.chained " \
	      "mid smb2.msg_id ses smb2.sesid tid smb2.tid " \
	      "st smb2.nt_status acct smb2.acct tree smb2.tree " \
	      "prev smb2.previous_sesid fid smb2.fid " \
	      "name smb2.filename disp smb2.create.disposition " \
	      "act smb2.create.action opt smb.create_options " \
	      "acc smb.access_mask share smb.share_access " \
	      "attr smb2.file_attribute eof smb2.eof " \
	      "neweof smb.end_of_file newalloc smb.alloc_size64 " \
	      "rlen smb2.read_length wlen smb2.write_length " \
	      "wrote smb2.write.count off smb2.file_offset " \
	      "data smb2.olb.length pat smb2.find.pattern " \
	      "fflags smb2.find.flags find smb2.find.infolevel " \
	      "type smb2.class level smb2.file_info.infolevel " \
	      "fs smb2.fs_info.infolevel repl smb2.rename.replace_if " \
	      "del smb2.disposition.delete_on_close " \
	      "locks smb2.lock_count llen smb2.lock_length " \
	      "lflags smb2.lock_flags fn smb2.ioctl.function " \
	      "key smb2.fsctl.cchunk.resume_key " \
	      "from smb2.fsctl.cchunk.src_offset " \
	      "to smb2.fsctl.cchunk.dst_offset " \
	      "clen smb2.fsctl.cchunk.xfer_len " \
	      "undecoded smb2.unknown " \
	      "src ip.src dst ip.dst stream tcp.stream " \
	      "cap frame.cap_len lost tcp.analysis.lost_segment " \
	      "smb1 smb.cmd smb1reply smb.flags.response " \
	      "enc smb2.header.transform.flags.encrypted", pair, " ")
	for (i = 1; i in pair; i += 2)
		long[pair[i]] = pair[i + 1]
}
function id(text) {
	if (text == "ff")
		return "ffffffff-ffff-ffff-ffff-ffffffffffff"
	return sprintf("%08x-0000-0000-0000-%012d", text, text)
}
function repeat(text, times,    all) {
	while (times-- > 0)
		all = all (all == "" ? "" : ",") text
	return all
}
/^#/ { next }
{
	delete v
	for (i = 2; i <= NF; i++) {
		at = index($i, "=")
		v[substr($i, 1, at - 1)] = substr($i, at + 1)
	}
	client = "src" in v ? v["src"] : "10.0.0.1"
	v["src"] = $1 == ">" ? client : "10.0.0.9"
	v["dst"] = $1 == ">" ? "10.0.0.9" : client
	n = v["cmd"] == "" ? 0 : split(v["cmd"], commands, ",")
	v["reply"] = repeat($1 == "<" ? 1 : 0, n)
	split("async 0 ses 0x1 tid 0x5 stream 0 cap 100", pair, " ")
	for (i = 1; i in pair; i += 2)
		if (!(pair[i] in v))
			v[pair[i]] = i < 7 ? repeat(pair[i + 1], n) \
					   : pair[i + 1]
	if (!("rel" in v))
		v["rel"] = n > 1 ? "0," repeat(1, n - 1) : repeat(0, n)
	if ($1 == "<" && !("st" in v))
		v["st"] = repeat(0, n)
	if ("fid" in v) {
		m = split(v["fid"], ids, ",")
		v["fid"] = id(ids[1])
		for (i = 2; i <= m; i++)
			v["fid"] = v["fid"] "," id(ids[i])
	}
	delete field
	for (short in v)
		field[long[short]] = v[short]
	field["frame.number"] = FNR
	field["frame.time_epoch"] = sprintf("%.3f", 1000 + FNR / 1000)
	field["frame.len"] = 100
	line = ""
	for (i = 1; i <= count; i++) {
		gsub(",", "\002", field[order[i]])
		line = line (i > 1 ? OFS : "") field[order[i]]
	}
	print line
}
