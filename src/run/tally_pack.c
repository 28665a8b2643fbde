/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The format of a packed tally. Each number is a little-endian 64-bit word; a
 * text or a list is its length followed by its elements. The sequence is:
 * "THRTALLY", the version, the output of put_tally, and nothing more. A
 * histogram is its overflow, the number of its non-empty cells, then the index
 * and count of each, in order of the index.
 */
#include "run/tally.h"

#include "base/utf8.h"
#include "study/loads.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Increased with each change of the format. */
enum { FORMAT_VERSION = 5 };

/* "THRTALLY", read as a word. */
#define MAGIC UINT64_C(0x594c4c4154524854)

enum { WORD = 8 };

/* Min number of words of a packed phase. */
enum { PHASE_WORDS = 5 };

static void put(FILE *stream, uint64_t number)
{
	unsigned char word[WORD];
	unsigned i;

	for (i = 0; i < WORD; i++)
		word[i] = (unsigned char)(number >> 8 * i);
	fwrite(word, WORD, 1, stream);
}

static void put_text(FILE *stream, const char *text)
{
	size_t length = strlen(text);

	put(stream, length);
	fwrite(text, 1, length, stream);
}

static void put_counter(FILE *stream, const struct stats_counter *counter)
{
	put(stream, counter->count);
	put(stream, counter->bytes);
	put(stream, counter->errors);
	put(stream, counter->mismatches);
	put(stream, counter->sum_ns);
	put(stream, counter->min_ns);
	put(stream, counter->max_ns);
	put(stream, counter->skipped);
}

static void put_histogram(FILE *stream, const struct histogram_total *total)
{
	uint64_t filled = 0;
	unsigned i;

	put(stream, total->overflow);
	for (i = 0; i < HISTOGRAM_CELLS; i++)
		filled += total->cells[i] > 0;
	put(stream, filled);
	for (i = 0; i < HISTOGRAM_CELLS; i++) {
		if (total->cells[i] == 0)
			continue;
		put(stream, i);
		put(stream, total->cells[i]);
	}
}

static void put_lists(FILE *stream, const struct tally *tally)
{
	unsigned stage;
	size_t i;

	put(stream, tally->users);
	for (i = 0; i < tally->users; i++)
		put(stream, tally->user_ops[i]);
	put(stream, tally->label_count);
	for (i = 0; i < tally->label_count; i++) {
		const struct tally_label *label = &tally->labels[i];

		put_text(stream, label->name);
		put(stream, label->direction);
		for (stage = 0; stage < STATS_STAGES; stage++)
			put_counter(stream, &label->counters[stage]);
		put_histogram(stream, &label->measured);
	}
	put(stream, tally->second_count);
	for (i = 0; i < tally->second_count; i++) {
		put(stream, tally->seconds[i].end_ns);
		put(stream, tally->seconds[i].bytes);
		put(stream, tally->seconds[i].p99_ns);
	}
}

/* Put the sums over all users, or over those of one load or phase. */
static void put_sums(FILE *stream, const struct tally *tally)
{
	unsigned i;

	put(stream, tally->first_user);
	put_lists(stream, tally);
	put(stream, tally->loops_ended);
	for (i = 0; i < STATS_EXTRAS; i++) {
		put_counter(stream, &tally->extras[i].counter);
		put_histogram(stream, &tally->extras[i].times);
	}
	put(stream, tally->due.count);
	put(stream, tally->due.unfinished);
	put(stream, tally->cost.user_ns);
	put(stream, tally->cost.system_ns);
	put(stream, tally->cost.waits);
	put(stream, tally->cost.preemptions);
	put(stream, tally->restore_ns);
	put(stream, tally->cut_short_ns);
	put(stream, tally->late_ns);
	put(stream, tally->window_ns);
	put(stream, tally->silent_s);
	put(stream, tally->stood_still_ns);
	put(stream, (uint64_t)tally->interrupted);
	put(stream, (uint64_t)(tally->died_user + 1)); /* 0: no user died */
	put(stream, (uint64_t)tally->died_signal);
	put(stream, (uint64_t)tally->died_status);
	put(stream, tally->stuck);
	put_text(stream, tally->deadlock);
	put_text(stream, tally->failure);
}

static void put_phases(FILE *stream, const struct tally *tally)
{
	size_t i;

	put(stream, tally->phase_count);
	for (i = 0; i < tally->phase_count; i++) {
		const struct tally_phase *phase = &tally->phases[i];

		put_text(stream, phase->name);
		put(stream, phase->loops);
		put(stream, phase->min_ns);
		put(stream, phase->max_ns);
		put(stream, phase->items);
		put_sums(stream, &phase->sums);
	}
}

static void put_difference(FILE *stream, const struct difference *difference)
{
	unsigned i;

	put(stream, difference->kind);
	put(stream, difference->user);
	put(stream, difference->read_back);
	put_text(stream, difference->place);
	put_text(stream, difference->path);
	put_text(stream, difference->source);
	put(stream, difference->source_offset);
	put(stream, difference->offset);
	put(stream, difference->length);
	put(stream, difference->sample_bytes);
	for (i = 0; i < difference->sample_bytes; i++)
		put(stream, (uint64_t)difference->expected[i] << 8 | difference->found[i]);
}

static void put_verified(FILE *stream, const struct verified *verified)
{
	size_t i;

	put(stream, verified->users);
	put(stream, verified->read_bytes);
	put(stream, verified->compared_bytes);
	put(stream, verified->written_bytes);
	put(stream, verified->read_back_bytes);
	put(stream, verified->unreadable_files);
	put(stream, verified->unreadable_bytes);
	put(stream, verified->difference_count);
	put(stream, verified->full_maps);
	put(stream, verified->map_bytes);
	put(stream, verified->described);
	for (i = 0; i < verified->described; i++)
		put_difference(stream, &verified->differences[i]);
}

static void put_tally(FILE *stream, const struct tally *tally)
{
	size_t i;

	put_sums(stream, tally);
	put_verified(stream, &tally->verified);
	put_phases(stream, tally);
	put(stream, tally->load_count);
	for (i = 0; i < tally->load_count; i++) {
		put_sums(stream, &tally->loads[i]);
		put_phases(stream, &tally->loads[i]);
	}
}

void *tally_pack(const struct tally *tally, size_t *bytes)
{
	char *packed = NULL;
	FILE *stream = open_memstream(&packed, bytes);

	if (stream == NULL)
		return NULL;
	put(stream, MAGIC);
	put(stream, FORMAT_VERSION);
	put_tally(stream, tally);
	if (fclose(stream) == 0)
		return packed;
	free(packed);
	return NULL;
}

/* The unread rest of a packed tally. After the first error, all numbers read
 * are 0. */
struct packed {
	const unsigned char *at;
	size_t left;
	int rc;
};

static void damaged(struct packed *packed)
{
	if (packed->rc == 0)
		packed->rc = -EBADMSG;
}

static uint64_t get(struct packed *packed)
{
	uint64_t number = 0;
	unsigned i;

	if (packed->left < WORD)
		damaged(packed);
	if (packed->rc < 0)
		return 0;
	for (i = 0; i < WORD; i++)
		number |= (uint64_t)packed->at[i] << 8 * i;
	packed->at += WORD;
	packed->left -= WORD;
	return number;
}

static uint64_t get_up_to(struct packed *packed, uint64_t max)
{
	uint64_t number = get(packed);

	if (number <= max)
		return number;
	damaged(packed);
	return 0;
}

/* Read the length of a list whose elements have at least `words` words. */
static size_t get_length(struct packed *packed, size_t words)
{
	return (size_t)get_up_to(packed, packed->left / (words * WORD));
}

/* Read a text, and mask it, since it is printed unchanged. */
static void get_text(struct packed *packed, char *text, size_t size)
{
	size_t length = (size_t)get_up_to(packed, size - 1);

	text[0] = '\0';
	if (length > packed->left)
		damaged(packed);
	if (packed->rc < 0)
		return;
	memcpy(text, packed->at, length);
	text[length] = '\0';
	utf8_mask(text);
	packed->at += length;
	packed->left -= length;
}

static void get_counter(struct packed *packed, struct stats_counter *counter)
{
	counter->count = get(packed);
	counter->bytes = get(packed);
	counter->errors = get(packed);
	counter->mismatches = get(packed);
	counter->sum_ns = get(packed);
	counter->min_ns = get(packed);
	counter->max_ns = get(packed);
	counter->skipped = get(packed);
	if (counter->count > 0 && counter->min_ns > counter->max_ns)
		damaged(packed);
}

/* Read a histogram of at most `count` durations. It may have fewer, since the
 * durations of a user that died are missing. */
static void get_histogram(struct packed *packed, struct histogram_total *total, uint64_t count)
{
	size_t filled, i;
	uint64_t next = 0, cell;

	total->overflow = get_up_to(packed, count);
	count -= total->overflow;
	filled = get_length(packed, 2);
	for (i = 0; i < filled; i++) {
		cell = get_up_to(packed, HISTOGRAM_CELLS - 1);
		if (cell < next)
			damaged(packed);
		total->cells[cell] = get_up_to(packed, count);
		count -= total->cells[cell];
		next = cell + 1;
	}
}

static void get_labels(struct packed *packed, struct tally *tally)
{
	size_t count = get_length(packed, STATS_STAGES * 8 + 4), i;
	char name[PROGRAM_LABEL_MAX + 1];
	unsigned stage;

	if (count > PROGRAM_LABELS_MAX)
		damaged(packed);
	for (i = 0; i < count && packed->rc == 0; i++) {
		struct tally_label *label;

		get_text(packed, name, sizeof(name));
		if (name[0] == '\0' || tally_label(tally, name) != NULL)
			damaged(packed);
		label = tally_add_label(tally, name);
		if (label == NULL) {
			packed->rc = -ENOMEM;
			return;
		}
		label->direction = (enum direction)get_up_to(packed, DIRECTIONS - 1);
		for (stage = 0; stage < STATS_STAGES; stage++)
			get_counter(packed, &label->counters[stage]);
		get_histogram(packed, &label->measured, label->counters[STATS_MEASURED].count);
	}
}

static void get_seconds(struct packed *packed, struct tally *tally)
{
	size_t count = get_length(packed, 3);
	uint64_t last_ns = 0;

	tally->seconds = calloc(count + 1, sizeof(*tally->seconds));
	if (tally->seconds == NULL)
		packed->rc = -ENOMEM;
	while (tally->second_count < count && packed->rc == 0) {
		struct second *second = &tally->seconds[tally->second_count++];

		second->end_ns = get(packed);
		second->bytes = get(packed);
		second->p99_ns = get(packed);
		if (second->end_ns <= last_ns)
			damaged(packed);
		last_ns = second->end_ns;
	}
}

static void get_users(struct packed *packed, struct tally *tally)
{
	size_t count, i;

	tally->first_user = (unsigned)get_up_to(packed, PROGRAM_USERS_MAX);
	count = get_length(packed, 1);
	if (count > PROGRAM_USERS_MAX)
		damaged(packed);
	if (packed->rc < 0)
		return;
	tally->user_ops = calloc(count + 1, sizeof(*tally->user_ops));
	if (tally->user_ops == NULL)
		packed->rc = -ENOMEM;
	for (i = 0; i < count && packed->rc == 0; i++)
		tally->user_ops[i] = get(packed);
	tally->users = (unsigned)count;
}

static void get_end(struct packed *packed, struct tally *tally)
{
	tally->interrupted = (int)get_up_to(packed, INT_MAX);
	if (tally->interrupted != 0 && sigabbrev_np(tally->interrupted) == NULL)
		damaged(packed);
	tally->died_user = (int)get_up_to(packed, INT_MAX) - 1;
	tally->died_signal = (int)get_up_to(packed, INT_MAX);
	tally->died_status = (int)get_up_to(packed, INT_MAX);
	tally->stuck = get_up_to(packed, 1) != 0;
	get_text(packed, tally->deadlock, sizeof(tally->deadlock));
	get_text(packed, tally->failure, sizeof(tally->failure));
}

/* Get the sums over all users, or over those of one load or phase. */
static void get_sums(struct packed *packed, struct tally *tally)
{
	unsigned i;

	*tally = (struct tally){.died_user = -1};
	get_users(packed, tally);
	get_labels(packed, tally);
	get_seconds(packed, tally);
	tally->loops_ended = get(packed);
	for (i = 0; i < STATS_EXTRAS; i++) {
		struct tally_extra *extra = &tally->extras[i];

		get_counter(packed, &extra->counter);
		get_histogram(packed, &extra->times, extra->counter.count);
	}
	tally->due.count = get(packed);
	tally->due.unfinished = get_up_to(packed, tally->due.count);
	tally->cost.user_ns = get(packed);
	tally->cost.system_ns = get(packed);
	tally->cost.waits = get(packed);
	tally->cost.preemptions = get(packed);
	tally->restore_ns = get(packed);
	tally->cut_short_ns = get(packed);
	tally->late_ns = get(packed);
	tally->window_ns = get(packed);
	tally->silent_s = get(packed);
	tally->stood_still_ns = get(packed);
	get_end(packed, tally);
}

static void get_phases(struct packed *packed, struct tally *tally)
{
	size_t count = get_length(packed, PHASE_WORDS), i;
	char name[PROGRAM_LABEL_MAX + 1];

	if (count > PROGRAM_PHASES_MAX)
		damaged(packed);
	for (i = 0; i < count && packed->rc == 0; i++) {
		struct tally_phase *phase;

		get_text(packed, name, sizeof(name));
		phase = tally_add_phase(tally, name);
		if (phase == NULL) {
			packed->rc = -ENOMEM;
			return;
		}
		phase->loops = get(packed);
		phase->min_ns = get(packed);
		phase->max_ns = get(packed);
		phase->items = get(packed);
		get_sums(packed, &phase->sums);
		/* All users take part in a phase. */
		if (phase->sums.users != tally->users)
			damaged(packed);
	}
}

static void get_loads(struct packed *packed, struct tally *tally)
{
	size_t count = (size_t)get_up_to(packed, LOADS_MAX);

	if (count == 0)
		return;
	tally->loads = calloc(count, sizeof(*tally->loads));
	if (tally->loads == NULL)
		packed->rc = -ENOMEM;
	while (tally->load_count < count && packed->rc == 0) {
		struct tally *load = &tally->loads[tally->load_count++];

		get_sums(packed, load);
		get_phases(packed, load);
	}
}

static void get_difference(struct packed *packed, struct difference *difference)
{
	unsigned i;

	difference->kind = (enum difference_kind)get_up_to(packed, DIFFERENCES - 1);
	difference->user = (unsigned)get_up_to(packed, PROGRAM_USERS_MAX);
	difference->read_back = get_up_to(packed, 1) != 0;
	get_text(packed, difference->place, sizeof(difference->place));
	get_text(packed, difference->path, sizeof(difference->path));
	get_text(packed, difference->source, sizeof(difference->source));
	difference->source_offset = get(packed);
	difference->offset = get(packed);
	difference->length = get(packed);
	difference->sample_bytes = (unsigned)get_up_to(packed, DIFFERENCE_SAMPLE);
	for (i = 0; i < difference->sample_bytes; i++) {
		uint64_t bytes = get_up_to(packed, UINT16_MAX);

		difference->expected[i] = (unsigned char)(bytes >> 8);
		difference->found[i] = (unsigned char)bytes;
	}
}

static void get_verified(struct packed *packed, struct verified *verified)
{
	size_t count;

	verified->users = (unsigned)get_up_to(packed, PROGRAM_USERS_MAX);
	verified->read_bytes = get(packed);
	verified->compared_bytes = get(packed);
	verified->written_bytes = get(packed);
	verified->read_back_bytes = get(packed);
	verified->unreadable_files = get(packed);
	verified->unreadable_bytes = get(packed);
	verified->difference_count = get(packed);
	verified->full_maps = get(packed);
	verified->map_bytes = get(packed);
	count = (size_t)get_up_to(packed, VERIFY_DIFFERENCES);
	if (count > verified->difference_count)
		damaged(packed);
	verified->differences = calloc(VERIFY_DIFFERENCES, sizeof(*verified->differences));
	if (verified->differences == NULL)
		packed->rc = -ENOMEM;
	while (verified->described < count && packed->rc == 0)
		get_difference(packed, &verified->differences[verified->described++]);
}

static void get_tally(struct packed *packed, struct tally *tally)
{
	get_sums(packed, tally);
	/* A load may have no users on this machine. */
	if (tally->users == 0)
		damaged(packed);
	get_verified(packed, &tally->verified);
	get_phases(packed, tally);
	get_loads(packed, tally);
	if (packed->left > 0)
		damaged(packed);
}

int tally_unpack(struct tally *tally, const void *packed, size_t bytes)
{
	struct packed reader = {.at = packed, .left = bytes};

	*tally = (struct tally){.died_user = -1};
	if (get(&reader) != MAGIC)
		damaged(&reader);
	if (get(&reader) != FORMAT_VERSION && reader.rc == 0)
		reader.rc = -EPROTO;
	if (reader.rc == 0)
		get_tally(&reader, tally);
	return reader.rc;
}
