# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
#
# Play a document: run the commands that it shows, and compare what they print with
# what it shows. Source this file after base.sh. A test has the functions
#
#	on_commands TEXT        run the commands of a block; their output belongs to
#	                        $work/printed, with a blank line after each command
#	leaves_out MARK TEXT    check if a block, with this mark or none, is left out;
#	                        what it would print is not looked for then
#
# and calls play_document. Blocks are indented by four blanks. A block that matches the
# regular expression $commands has commands, and others have output, which may leave
# out lines with "...". A mark is a comment above a block: <!-- REASON -->. In a page of
# the manual, each line with a prompt is a block, and output is not looked at.

# shellcheck disable=SC2034 # for the tests
played=0 shown=0

# plain: print standard input with # for each figure, and without what is random: the
# names of servers, the words of a verdict, and the side that a pair began with.
plain() {
	awk '/^ *verdict /{print "verdict"; more = 1; next} !/^         /{more = 0}
		!more {sub(/^ +[0-9]+ (base|new) /, "1 base "); print}' |
		sed -E '/^ *verified/{N; s/\n */ /}; s/ through the page cache//; s,server/,,g
		s/^ +//; s/ +/ /g; s/=[0-9][0-9A-Za-z.]*/=#/g
		:more; s/(^| )[-+]?[0-9][0-9.,:-]*( ?%| (ns|µs|us|ms|s|[kMGT]?B))?([,;]?)( |$)/\1#\4\5/
		t more; s/(^| )-( |$)/\1#\2/; t more; s/ # (name|user)$/&s/'
}

# expect_shown TEXT: expect that the commands of this section have printed the lines, up to
# a blank one. Others may be where the text has "...".
expect_shown() {
	local printed part
	printed=$'\n'$(plain <"$work/printed")$'\n\n'
	while IFS= read -r -d '~' part; do
		[[ $printed == *$'\n'"${part#$'\n'}"* ]] || fail "nothing prints: $part"
	done < <(plain <<<"$1" | sed 's/^\.\.\.$/~/'; echo; echo '~')
}

# play_block TEXT MARK: play a block of a document.
left_out=''
play_block() {
	if [[ $1 =~ $commands ]]; then
		left_out=''
		if leaves_out "$2" "$1"; then
			left_out=1
		else
			on_commands "$1"
			played=$((played + 1))
		fi
	elif [ -z "$left_out" ]; then
		expect_shown "$1"
		shown=$((shown + 1))
	fi
}

# blocks_of FILE: print the document, with the commands of a page of the manual as
# blocks.
blocks_of() {
	case $1 in
	*.md) cat "$1" ;;
	*) awk 'more || sub(/^(\.Dl )?[a-z]*\$ /, "") {
		more = sub(/\\e$/, "\\")
		print "    " $0 (more ? "" : "\n")
	}' "$1" ;;
	esac
}

# play_document FILE: play the blocks of a document. Set $played and $shown to the
# numbers of blocks with commands and with output.
play_document() {
	local line block='' mark=''
	played=0 shown=0
	: >"$work/printed"
	while IFS= read -r -u 3 line; do
		if [[ $line = '    '* ]]; then
			block+=${line#    }$'\n'
			continue
		fi
		[ -z "$block" ] || play_block "${block%$'\n'}" "$mark"
		case $line in
		'') ;;
		'<!-- '*) mark=${line#<!-- } mark=${mark% -->} ;;
		*) mark='' ;;
		esac
		[ -z "$block" ] || mark=''
		block=''
		[[ $line != '## '* ]] || : >"$work/printed"
	done 3< <(blocks_of "$1"; echo)
}
