# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Functions for all benchmarks.

# need TOOL-OR-FILE [TEXT]: return 1 with a message if it is missing.
need() {
	if command -v "$1" >/dev/null || [ -e "$1" ]; then
		return 0
	fi
	echo "  skipped: ${2-$1 is missing}" >&2
	return 1
}

# Make a directory on a memory file system, and print its path.
memory_directory() {
	if [ "$(stat -f -c %T /dev/shm 2>/dev/null)" != tmpfs ]; then
		echo '  skipped: /dev/shm is not a tmpfs' >&2
		return 1
	fi
	mktemp -d /dev/shm/throng-bench.XXXXXX
}

heading() {
	printf '%-44s %-20s %s\n' figure wanted measured
}

row() {
	printf '%-44s %-20s %s\n' "$1" "$2" "$3"
}

# point_field COLUMN: print that column of the first row of the points' table.
point_field() {
	awk -v field="$1" '/^ *users +MB/ { getline; print $field; exit }'
}

median() {
	sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# median_ratio PAIRS COMMAND-A COMMAND-B: run PAIRS pairs of the two commands,
# which print a figure each; swap their order in every other pair. Print the
# "median (min to max)" of the ratios A / B.
median_ratio() {
	local pair a b
	for ((pair = 0; pair < $1; pair++)); do
		if ((pair % 2 == 0)); then
			a=$($2) b=$($3)
		else
			b=$($3) a=$($2)
		fi
		awk -v a="$a" -v b="$b" 'BEGIN { printf "%.3f\n", a / b }'
	done | summary
}

# Benchmarks that run many variants in rounds write a line per run to
# $work/figures: round, name of the variant, figures. $work is their directory.
#
# figure NAME COLUMN: print the median of a column of the figures.
figure() {
	awk -v name="$1" -v column="$2" '$2 == name { print $column }' \
		"$work/figures" | median
}

# Print "median (min to max)" of the numbers in stdin, or "not measured".
summary() {
	sort -g | awk '{ v[NR] = $1 }
		END {
			if (NR > 0)
				printf "%s (%s to %s)\n", v[int((NR + 1) / 2)],
					v[1], v[NR]
			else
				print "not measured"
		}'
}

# ratio NAME-A NAME-B [COLUMN]: print "median (min to max)" of the ratios A / B
# of each round, or "not measured".
ratio() {
	awk -v a="$1" -v b="$2" -v column="${3-3}" '
		$2 == a { of_a[$1] = $column }
		$2 == b { of_b[$1] = $column }
		END {
			for (i in of_a)
				if (of_b[i] > 0)
					printf "%.3f\n", of_a[i] / of_b[i]
		}' "$work/figures" | summary
}

# wall_s COMMAND...: run the command and print its wall time in seconds.
wall_s() {
	local start=$EPOCHREALTIME
	"$@" >/dev/null
	awk -v s="$start" -v e="$EPOCHREALTIME" 'BEGIN { printf "%.3f\n", e - s }'
}

available_kib() {
	awk '/^MemAvailable/ { print $2 }' /proc/meminfo
}

# min_available_kib PID: wait for the process to end; print the minimum of the
# machine's available memory until then.
min_available_kib() {
	local min now
	min=$(available_kib)
	while kill -0 "$1" 2>/dev/null; do
		now=$(available_kib)
		((now < min)) && min=$now
		sleep 0.2
	done
	echo "$min"
}

# Print a load so small that 10,000 users fit into memory.
small_load() {
	cat <<'END'
NTCreateX "\clients\client1\small.txt" 0x40 0x5 1 NT_STATUS_OK
WriteX 1 0 4096 4096 NT_STATUS_OK
ReadX 1 0 4096 4096 NT_STATUS_OK
Close 1 NT_STATUS_OK
QUERY_PATH_INFORMATION "\clients\client1\small.txt" 1004 NT_STATUS_OK
END
}
