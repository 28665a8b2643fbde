/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "crash/compare.h"

#include "verify/catalog.h"
#include "verify/content.h"

#include <string.h>

enum {
	/* Disks write whole sectors, so wrong bytes are looked for in pieces of
	 * this size. */
	SECTOR = 512,
	/* Fewer equal bytes than this may be equal by chance. */
	MATCH_MIN = 8,
};

static char zeros[STATE_READ_BYTES]; /* never written */

struct state_finding *state_add_finding(const struct state_checking *checking,
					enum state_finding_kind kind)
{
	struct state_report *report = checking->report;
	struct state_finding *finding;

	if (report->finding_count++ >= STATE_FINDINGS)
		return NULL;
	finding = &report->findings[report->finding_count - 1];
	*finding = (struct state_finding){
		.kind = kind,
		.difference.user = checking->file->user,
	};
	strncpy(finding->difference.path, checking->path, sizeof(finding->difference.path) - 1);
	return finding;
}

/* Return the bytes that a value has at an offset. STATE_READ_BYTES of them are
 * valid. */
static const char *bytes_of(const struct state_checking *checking, struct map_value value,
			    uint64_t offset)
{
	if (value.kind == MAP_ZERO)
		return zeros;
	return content_bytes(checking->check->content, checking->file->user, value.change, offset);
}

/* If the last finding is about the sector before these bytes, extend it. */
static bool extend_finding(const struct state_checking *checking, enum state_finding_kind kind,
			   uint64_t from, uint64_t to)
{
	struct state_report *report = checking->report;
	struct state_finding *last;
	uint64_t end;

	if (report->finding_count == 0 || report->finding_count > STATE_FINDINGS)
		return false;
	last = &report->findings[report->finding_count - 1];
	end = last->difference.offset + last->difference.length;
	if (last->kind != kind || last->difference.user != checking->file->user || from < end ||
	    from - end >= SECTOR ||
	    strncmp(last->difference.path, checking->path, sizeof(last->difference.path) - 1) != 0)
		return false;
	last->difference.length = to - last->difference.offset;
	return true;
}

/* Return the checked file in the map of its user, or 0 if the map was full. */
static arena_ref file_in_map(const struct state_checking *checking)
{
	const struct state_check *check = checking->check;
	const struct state *state = check->state;
	const struct map *map = check->maps[checking->file->user - state->first_user];
	arena_ref name = catalog_find(map, state->names[checking->file->first_name].path);

	return name != 0 ? catalog_name(map, name)->file : 0;
}

/* Report wrong bytes of a piece, from `from` to `to`. */
static void report_bytes(const struct state_checking *checking, enum state_finding_kind kind,
			 const struct state_piece *piece, size_t from, size_t to)
{
	const struct state_check *check = checking->check;
	const struct difference_maps maps = {
		.content = check->content,
		.list = check->maps,
		.count = check->state->users,
		.first_user = check->state->first_user,
	};
	const struct wrong_bytes wrong = {
		.user = checking->file->user - check->state->first_user,
		.file = file_in_map(checking),
		.offset = piece->at + from,
		.expected = bytes_of(checking, piece->range->now, piece->at + from),
		.found = piece->bytes + from,
		.length = to - from,
		.state = {piece->range->now, piece->range->before},
	};
	struct state_finding *finding;

	if (extend_finding(checking, kind, piece->at + from, piece->at + to))
		return;
	finding = state_add_finding(checking, kind);
	if (finding == NULL)
		return;
	difference_note(&wrong, &finding->difference);
	if (wrong.file != 0)
		difference_search(&maps, &finding->difference);
}

/* Return the end of the first `size` bytes that are equal. */
static size_t equal_bytes(const char *one, const char *other, size_t size)
{
	size_t i;

	if (memcmp(one, other, size) == 0)
		return size;
	for (i = 0; one[i] == other[i]; i++)
		;
	return i;
}

/* Return the end of the sector with the byte at `index` of a piece. */
static size_t sector_end(const struct state_piece *piece, size_t index)
{
	uint64_t end = (piece->at + index) / SECTOR * SECTOR + SECTOR;

	return end - piece->at < piece->size ? (size_t)(end - piece->at) : piece->size;
}

/* Join the wrong bytes of consecutive sectors to one finding. */
void state_compare_must(const struct state_checking *checking, const struct state_piece *piece)
{
	const char *expected = bytes_of(checking, piece->range->now, piece->at);
	size_t at, end, from = 0, to = 0;

	if (memcmp(expected, piece->bytes, piece->size) == 0)
		return;
	for (at = 0; at < piece->size; at = end) {
		size_t first = at, last;

		end = last = sector_end(piece, at);
		first += equal_bytes(expected + at, piece->bytes + at, end - at);
		if (first == end) {
			if (to > from)
				report_bytes(checking, STATE_FINDING_MUST, piece, from, to);
			from = to = end;
			continue;
		}
		while (expected[last - 1] == piece->bytes[last - 1])
			last--;
		checking->report->missing_bytes += last - first;
		if (to == from)
			from = first;
		to = last;
	}
	if (to > from)
		report_bytes(checking, STATE_FINDING_MUST, piece, from, to);
}

/* Return whether a version of the file with this start in the pool is one
 * between `before` and `now`. Set *value to it. */
static bool find_version(const struct state_checking *checking, const struct state_range *range,
			 uint32_t start, struct map_value *value)
{
	const struct content *content = checking->check->content;
	uint32_t change = range->before.kind == MAP_DATA ? range->before.change : 0;
	/* Zeros have no number, so any later write may be older. */
	uint32_t end = range->now.kind == MAP_DATA ? range->now.change : change;

	while (++change < end) {
		if (content_start(content, checking->file->user, change) != start)
			continue;
		*value = (struct map_value){.kind = MAP_DATA, .change = change};
		return true;
	}
	return false;
}

/* Find out which version the bytes are, neither the newest nor the last durable
 * one. Return false if they are none. */
static bool look_up(const struct state_checking *checking, const struct state_piece *piece,
		    size_t at, size_t end, struct map_value *value)
{
	const struct content *content = checking->check->content;
	size_t size = end - at < 2 * MATCH_MIN ? end - at : 2 * MATCH_MIN;
	const char *found;
	uint64_t start;

	if (size < MATCH_MIN)
		return false;
	found = memmem(content->pool, CONTENT_PERIOD + size - 1, piece->bytes + at, size);
	if (found == NULL)
		return false;
	start = (uint64_t)(found - content->pool) + CONTENT_PERIOD -
		(piece->at + at) % CONTENT_PERIOD;
	return find_version(checking, piece->range, (uint32_t)(start % CONTENT_PERIOD), value);
}

/* A version that bytes may be from, and how many of them are. */
struct match {
	size_t bytes;
	uint64_t *count; /* where such bytes are counted */
};

/* Find the version that matches most of the bytes from `at` on. A match of few
 * bytes counts only if no others follow. */
static struct match find_match(const struct state_checking *checking,
			       const struct state_piece *piece, size_t at, size_t end,
			       struct map_value between)
{
	struct state_report *report = checking->report;
	const struct {
		struct map_value value;
		uint64_t *count;
	} versions[] = {
		{piece->range->now, &report->now_bytes},
		{piece->range->before, &report->before_bytes},
		{{.kind = MAP_ZERO}, &report->zero_bytes},
		{between, &report->between_bytes},
	};
	struct match best = {.bytes = 0};
	size_t i;

	for (i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
		size_t equal;

		if (versions[i].value.kind == MAP_UNKNOWN)
			continue;
		equal = equal_bytes(bytes_of(checking, versions[i].value, piece->at + at),
				    piece->bytes + at, end - at);
		if (equal > best.bytes)
			best = (struct match){equal, versions[i].count};
	}
	if (best.bytes < MATCH_MIN && best.bytes < end - at)
		best.bytes = 0;
	return best;
}

/* Note bytes that are from no version. */
static void note_other(const struct state_checking *checking, const struct state_piece *piece,
		       size_t from, size_t to)
{
	struct state_report *report = checking->report;

	/* If it is not known what was there before, it may be anything. */
	if (piece->range->before.kind == MAP_UNKNOWN) {
		report->unknown_bytes += to - from;
		return;
	}
	report->other_bytes += to - from;
	report_bytes(checking, STATE_FINDING_MAY, piece, from, to);
}

void state_compare_may(const struct state_checking *checking, const struct state_piece *piece)
{
	struct map_value between = {.kind = MAP_UNKNOWN};
	size_t at = 0, other = 0; /* bytes before `at` that are from none */

	while (at < piece->size) {
		size_t end = sector_end(piece, at);
		struct match match = find_match(checking, piece, at, end, between);

		/* To look up each byte after the first would take long. */
		if (match.bytes == 0 && other == 0 && look_up(checking, piece, at, end, &between))
			match = find_match(checking, piece, at, end, between);
		if (match.bytes == 0)
			other++;
		if (other > 0 && (match.bytes > 0 || at + 1 == end)) {
			size_t to = match.bytes > 0 ? at : end;

			note_other(checking, piece, to - other, to);
			other = 0;
		}
		if (match.bytes > 0)
			*match.count += match.bytes;
		at += match.bytes > 0 ? match.bytes : 1;
	}
}
