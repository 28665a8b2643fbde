/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "verify/difference.h"

#include "verify/catalog.h"

#include <stdio.h>
#include <string.h>

enum {
	/* Min length of bytes that can be looked up in the pool: shorter ones
	 * are found by chance. */
	LOOKUP_MIN = 6,
	/* Data that ends up elsewhere does so in blocks: offsets differ by a
	 * multiple of a sector. */
	SECTOR = 512,
};

const char *const difference_kinds[DIFFERENCES] = {
	[DIFFERENCE_BIT] = "bit",
	[DIFFERENCE_ZEROS] = "zeros",
	[DIFFERENCE_EARLIER] = "earlier-write",
	[DIFFERENCE_OTHER_OFFSET] = "other-offset",
	[DIFFERENCE_OTHER_FILE] = "other-file",
	[DIFFERENCE_OTHER_USER] = "other-user",
	[DIFFERENCE_FOREIGN] = "foreign",
	[DIFFERENCE_SHORT] = "short",
	[DIFFERENCE_LONG] = "long",
};

static bool is_one_bit(const struct wrong_bytes *wrong)
{
	unsigned bits = 0;
	size_t i;

	for (i = 0; i < wrong->length && bits < 2; i++)
		bits += (unsigned)__builtin_popcount(
			(unsigned char)(wrong->expected[i] ^ wrong->found[i]));
	return bits == 1;
}

/* Look at the first sector only: the bytes after it may be wrong for another
 * reason. */
static bool is_zero(const struct wrong_bytes *wrong)
{
	size_t length = SECTOR - wrong->offset % SECTOR, i;

	if (length > wrong->length)
		length = wrong->length;
	for (i = 0; i < length; i++)
		if (wrong->found[i] != 0)
			return false;
	return true;
}

/* A search of the maps for the data at this offset, with this start. */
struct search {
	const struct difference_maps *maps;
	const struct difference_clue *clue;
	uint64_t offset;
	uint32_t start;
	struct difference *result;
};

/*
 * Find a sample of the bytes in the pool, from index `from` on. Set the offset,
 * and the start (content.h) that a write to this offset would have. Return false
 * if the sample is not in the pool.
 */
static bool find_sample(struct search *search, size_t from)
{
	const struct difference_clue *clue = search->clue;
	const struct content *content = search->maps->content;
	size_t length = clue->bytes - from < DIFFERENCE_SAMPLE ? clue->bytes - from
							       : DIFFERENCE_SAMPLE;
	size_t pool = CONTENT_PERIOD;
	const char *at;

	if (length < LOOKUP_MIN)
		return false;
	if (content->run_max >= length)
		pool += length - 1;
	at = memmem(content->pool, pool, clue->found + from, length);
	if (at == NULL)
		return false;
	search->offset = search->result->offset + from;
	search->start = (uint32_t)(((uint64_t)(at - content->pool) + CONTENT_PERIOD -
				    search->offset % CONTENT_PERIOD) %
				   CONTENT_PERIOD);
	return true;
}

static bool find_start(struct search *search)
{
	size_t i;

	/* The first sample may hold the end of one write and the beginning of
	 * another, and is not in the pool then. */
	for (i = 0; i < search->clue->bytes; i += DIFFERENCE_SAMPLE)
		if (find_sample(search, i))
			return true;
	return false;
}

static unsigned number_of(const struct search *search, unsigned index)
{
	return search->maps->first_user + index;
}

static bool has_start(const struct search *search, unsigned index, struct map_value value,
		      uint32_t start)
{
	return value.kind == MAP_DATA &&
	       content_start(search->maps->content, number_of(search, index), value.change) ==
		       start;
}

/* Is the data what an earlier write of this user put here? */
static bool is_earlier(const struct search *search)
{
	const struct difference_clue *clue = search->clue;
	struct map_value value = {.kind = MAP_DATA};
	uint32_t change;

	for (change = 1; change < clue->state.now.change; change++) {
		value.change = change;
		if (has_start(search, clue->user, value, search->start))
			return true;
	}
	return false;
}

/* Set the source of the data: a file ("": the same one), and the offset in it
 * where the sample was found. */
static void set_source(const struct search *search, const char *name, uint64_t offset)
{
	struct difference *result = search->result;

	snprintf(result->source, sizeof(result->source), "%s", name);
	result->source_offset = offset - (search->offset - result->offset);
}

/*
 * Find the data in one file of user `index`: at its own offset, or `anywhere`
 * else. Set the source's offset.
 */
static bool find_in_file(const struct search *search, unsigned index, arena_ref ref, bool anywhere,
			 uint64_t *offset)
{
	const struct map *map = search->maps->list[index];
	const struct map_file *file = map_file(map, ref);
	const uint64_t own = search->offset;
	const uint64_t wanted = (search->start + own) % CONTENT_PERIOD;
	uint64_t at = anywhere ? 0 : own;
	uint64_t end = anywhere ? file->size : own + 1;
	struct map_run run;

	for (; at < end && at < file->size; at = run.to) {
		uint32_t start;

		run = map_run(map, file, at, end);
		if (run.state.now.kind != MAP_DATA)
			continue;
		start = content_start(search->maps->content, number_of(search, index),
				      run.state.now.change);
		/* The first offset in the run with this byte of the pool. */
		*offset = run.from + (wanted + 2 * (uint64_t)CONTENT_PERIOD - start -
				      run.from % CONTENT_PERIOD) %
					     CONTENT_PERIOD;
		for (; *offset < run.to; *offset += CONTENT_PERIOD)
			if (*offset % SECTOR == own % SECTOR)
				return true;
	}
	return false;
}

/* Find the data in the files of user `index`, but not in `except`. */
static bool find_in_files(const struct search *search, unsigned index, arena_ref except,
			  bool anywhere)
{
	const struct map *map = search->maps->list[index];
	arena_ref name = 0;
	uint64_t offset;

	while ((name = catalog_next(map, name)) != 0) {
		const struct catalog_name *entry = catalog_name(map, name);

		if (entry->file == except ||
		    !find_in_file(search, index, entry->file, anywhere, &offset))
			continue;
		set_source(search, entry->text, offset);
		return true;
	}
	return false;
}

static bool find_in_users(const struct search *search, bool anywhere)
{
	unsigned index;

	for (index = 0; index < search->maps->count; index++)
		if (index != search->clue->user && find_in_files(search, index, 0, anywhere))
			return true;
	return false;
}

/* Is the data what another user wrote here earlier, in whatever file? */
static bool is_earlier_of_other(const struct search *search)
{
	const struct difference_maps *maps = search->maps;
	struct map_value value = {.kind = MAP_DATA};
	unsigned index;
	uint32_t change;

	for (index = 0; index < maps->count; index++)
		for (change = 1; index != search->clue->user && change <= maps->list[index]->change;
		     change++) {
			value.change = change;
			if (has_start(search, index, value, search->start))
				return true;
		}
	return false;
}

/*
 * Find out where data of this run is from. A start has 20 bits, so a search of
 * many places may find a wrong one: try the likely places first.
 */
static enum difference_kind find_source(const struct search *search)
{
	const struct difference_clue *clue = search->clue;
	unsigned user = clue->user;
	const struct map_file *file = map_file(search->maps->list[user], clue->file);
	bool earlier;
	uint64_t offset;

	if (has_start(search, user, clue->state.before, search->start))
		return DIFFERENCE_EARLIER;
	if (find_in_files(search, user, clue->file, false))
		return DIFFERENCE_OTHER_FILE;
	if (find_in_users(search, false))
		return DIFFERENCE_OTHER_USER;
	/* If there are both, one was found by chance, more probably in the
	 * search of more places. */
	earlier = is_earlier(search);
	if ((!earlier || file->size / SECTOR < clue->state.now.change) &&
	    find_in_file(search, user, clue->file, true, &offset)) {
		set_source(search, "", offset);
		return DIFFERENCE_OTHER_OFFSET;
	}
	if (earlier)
		return DIFFERENCE_EARLIER;
	if (find_in_files(search, user, clue->file, true))
		return DIFFERENCE_OTHER_FILE;
	/* Data of this run, of which no file of this user has kept a trace. */
	return find_in_users(search, true) || is_earlier_of_other(search) ? DIFFERENCE_OTHER_USER
									  : DIFFERENCE_EARLIER;
}

void difference_note(const struct wrong_bytes *wrong, struct difference *difference)
{
	struct difference_clue *clue = &difference->clue;

	*clue = (struct difference_clue){
		.user = wrong->user,
		.file = wrong->file,
		.state = wrong->state,
		.bytes = wrong->length < DIFFERENCE_CLUE ? (unsigned)wrong->length
							 : DIFFERENCE_CLUE,
	};
	memcpy(clue->found, wrong->found, clue->bytes);
	difference->source[0] = '\0';
	difference->offset = wrong->offset;
	difference->length = wrong->length;
	difference->sample_bytes = clue->bytes < DIFFERENCE_SAMPLE ? clue->bytes
								   : DIFFERENCE_SAMPLE;
	memcpy(difference->expected, wrong->expected, difference->sample_bytes);
	memcpy(difference->found, wrong->found, difference->sample_bytes);
	difference->kind = is_one_bit(wrong) ? DIFFERENCE_BIT
			   : is_zero(wrong)  ? DIFFERENCE_ZEROS
					     : DIFFERENCE_FOREIGN;
}

void difference_search(const struct difference_maps *maps, struct difference *difference)
{
	struct search search = {
		.maps = maps,
		.clue = &difference->clue,
		.result = difference,
	};

	/* Fixed data may be from anywhere. */
	if (difference->kind == DIFFERENCE_FOREIGN && !maps->content->fixed && find_start(&search))
		difference->kind = find_source(&search);
}

char *difference_print_kind(const struct difference *difference, char text[DIFFERENCE_TEXT])
{
	static const char *const phrases[DIFFERENCES] = {
		[DIFFERENCE_BIT] = "one bit is flipped",
		[DIFFERENCE_ZEROS] = "zeros",
		[DIFFERENCE_EARLIER] = "an earlier write of this user",
		[DIFFERENCE_SHORT] = "the read returned too few bytes",
		[DIFFERENCE_LONG] = "the read returned bytes after the end of the file",
	};
	unsigned long long offset = difference->source_offset;

	switch (difference->kind) {
	case DIFFERENCE_OTHER_OFFSET:
		snprintf(text, DIFFERENCE_TEXT, "data of offset %llu of the same file", offset);
		break;
	case DIFFERENCE_OTHER_FILE:
	case DIFFERENCE_OTHER_USER:
		if (difference->source[0] == '\0') {
			snprintf(text, DIFFERENCE_TEXT, "data that another user wrote earlier");
			break;
		}
		snprintf(text, DIFFERENCE_TEXT, "data of %s \"%s\" at offset %llu",
			 difference->kind == DIFFERENCE_OTHER_FILE ? "the file"
								   : "another user's file",
			 difference->source, offset);
		break;
	case DIFFERENCE_FOREIGN:
		/* The maps of other hosts are not searched. */
		snprintf(text, DIFFERENCE_TEXT, "%s",
			 difference->host[0] == '\0' ? "not written by this run"
						     : "not written by the users of this host");
		break;
	default:
		snprintf(text, DIFFERENCE_TEXT, "%s", phrases[difference->kind]);
		break;
	}
	return text;
}
