/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/dropin/dbench_output.h"

#include "doc/escape.h"
#include "export/dbench.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The operations in dbench 4.0's order: their words in loadfiles, and their
 * names in its table. NULL: the name is the same word. */
static const struct {
	const char *word, *name;
} names[] = {
	{"NTCreateX", NULL},
	{"Close", NULL},
	{"Rename", NULL},
	{"Unlink", NULL},
	{"Deltree", NULL},
	{"Rmdir", NULL},
	{"Mkdir", NULL},
	{"QUERY_PATH_INFORMATION", "Qpathinfo"},
	{"QUERY_FILE_INFORMATION", "Qfileinfo"},
	{"QUERY_FS_INFORMATION", "Qfsinfo"},
	{"SET_FILE_INFORMATION", "Sfileinfo"},
	{"FIND_FIRST", "Find"},
	{"WriteX", NULL},
	{"ReadX", NULL},
	{"LockX", NULL},
	{"UnlockX", NULL},
	{"Flush", NULL},
};

enum { NAMES = sizeof(names) / sizeof(names[0]) };

/* Return the operation's index in names[], or NAMES if it is not there. */
static size_t rank_of(const char *operation)
{
	size_t i;

	for (i = 0; i < NAMES; i++)
		if (strcmp(names[i].word, operation) == 0)
			break;
	return i;
}

void dbench_banner(FILE *stream)
{
	fputs("dbench version 4.00 - throng " PACKAGE_VERSION "\n\n", stream);
}

void dbench_load(const char *name, FILE *stream)
{
	fputs("load: ", stream);
	escape_text(name, stream);
	fputc('\n', stream);
}

void dbench_tick(const struct dbench_writer *writer, const struct dbench_tick *tick)
{
	static const char letters[] = {
		[DBENCH_WARMUP] = 'W',
		[DBENCH_EXECUTE] = 'R',
		[DBENCH_CLEANUP] = 'C',
	};
	unsigned long long ops = tick->ops / writer->clients;
	double mb_per_s = tick->elapsed_s > 0 ? (double)tick->bytes / 1e6 / tick->elapsed_s : 0;

	if (writer->machine_readable)
		fprintf(writer->stream, "@%c@%u@%llu@%.2f@%.0f@%.03f@\n", letters[tick->stage],
			tick->clients, ops, mb_per_s, tick->elapsed_s, tick->latency_ms);
	else if (tick->stage == DBENCH_CLEANUP)
		fprintf(writer->stream, "%4u  cleanup %3.0f sec\n", tick->clients, tick->elapsed_s);
	else
		fprintf(writer->stream,
			"%4u  %8llu  %7.2f MB/sec  %s %3.0f sec  latency %.03f ms\n", tick->clients,
			ops, mb_per_s, tick->stage == DBENCH_WARMUP ? "warmup" : "execute",
			tick->elapsed_s, tick->latency_ms);
}

/* Print the operations of a total: those that dbench has, in its order, then
 * the others, in the loadfile's order. */
static void print_operations(const struct dbench_writer *writer, const struct record *total)
{
	const char *format = writer->machine_readable ? ":%.0f:%.03f:%.03f:\n"
						      : " %7.0f %9.03f %9.03f\n";
	size_t rank, i;

	fputs(" Operation                Count    AvgLat    MaxLat\n"
	      " --------------------------------------------------\n",
	      writer->stream);
	for (rank = 0; rank <= NAMES; rank++) {
		for (i = 1; i <= total->operations; i++) {
			const char *name = total[i].key.operation;

			if (rank_of(name) != rank)
				continue;
			if (!writer->own_words && rank < NAMES && names[rank].name != NULL)
				name = names[rank].name;
			fputc(writer->machine_readable ? ':' : ' ', writer->stream);
			escape_column(name, writer->machine_readable ? 0 : 22, writer->stream);
			fprintf(writer->stream, format, record_count(&total[i], FIGURE_OPS),
				record_count(&total[i], FIGURE_MEAN_MS),
				record_count(&total[i], FIGURE_MAX_MS));
		}
	}
	fputc('\n', writer->stream);
}

static void print_users(const struct dbench_writer *writer, const struct result_repeat *repeat)
{
	const struct record *user = NULL;
	size_t number = 0;

	fputs("Per client results:\n", writer->stream);
	while (repeat->user_ops != NULL &&
	       (user = records_next_user(&repeat->records, user)) != NULL) {
		fprintf(writer->stream, "Client %zu did %" PRIu64 " lines and %.0f bytes\n", number,
			repeat->user_ops[number], record_count(user, FIGURE_BYTES));
		print_operations(writer, user);
		number++;
	}
}

static void print_loops(const struct dbench_writer *writer, const struct result_repeat *repeat)
{
	size_t i;

	for (i = 0; i < repeat->each_loop_count; i++) {
		const struct result_loop *loop = &repeat->each_loop[i];

		if (writer->machine_readable)
			fprintf(writer->stream, "@E@%u@%" PRIu32 "\n", loop->user, loop->took_ms);
		else
			fprintf(writer->stream,
				"%4u completed in %" PRIu32 " ms at time %" PRIu32 " ms\n",
				loop->user, loop->took_ms, loop->at_ms);
	}
}

void dbench_repeat(const struct dbench_writer *writer, const struct result_repeat *repeat)
{
	const struct record *total = records_total(&repeat->records);
	double mismatches = record_count(total, FIGURE_MISMATCHES);

	fputc('\n', writer->stream);
	if (mismatches > 0)
		fprintf(writer->stream, "%.0f outcomes differ from the recorded ones\n\n",
			mismatches);
	print_operations(writer, total);
	if (writer->show_users)
		print_users(writer, repeat);
	if (writer->show_loops)
		print_loops(writer, repeat);
	dbench_line(
		&(struct dbench_line){
			.total = total,
			.clients = writer->clients,
			.procs = writer->procs,
			.sync_open = writer->sync_open,
			.sync_dirs = writer->sync_dirs,
			.machine_readable = writer->machine_readable,
		},
		writer->stream);
}
