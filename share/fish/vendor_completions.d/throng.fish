# SPDX-License-Identifier: GPL-3.0-or-later
#
# Completion of throng's command line in fish. `throng --complete` lists the
# candidates.

function __throng_complete
	set -l words (commandline -opc)
	set -l word (commandline -ct)
	set -l lines (command $words[1] --complete $words[2..-1] "$word" 2>/dev/null)
	set -l head (string split -m 1 ' ' -- $lines[1])
	set -l prefix "$head[2]"
	set -l value (string sub -s (math 1 + (string length -- "$prefix")) -- "$word")
	if test (count $lines) -gt 1
		printf '%s\n' $lines[2..-1]
	end
	switch "$head[1]"
		case files
			string replace -r '^' -- "$prefix" (__fish_complete_path "$value")
		case directories
			string replace -r '^' -- "$prefix" (__fish_complete_directories "$value" '')
		case commands
			complete -C "$value"
	end
end

complete -c throng -f -a '(__throng_complete)'
