/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/collect.h"

#include "base/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Write the first bytes of a difference in hexadecimal. */
static char *print_bytes(const unsigned char *bytes, unsigned count)
{
	char *text = calloc(2 * count + 1, 1);
	unsigned i;

	for (i = 0; text != NULL && i < count; i++)
		sprintf(text + 2 * i, "%02x", bytes[i]);
	return text;
}

static void collect_difference(const struct difference *found, struct result_repeat *repeat)
{
	struct result_difference *difference = &repeat->differences[repeat->difference_count++];
	char looks_like[DIFFERENCE_TEXT];

	difference_print_kind(found, looks_like);
	*difference = (struct result_difference){
		.user = found->user,
		.file = strdup(found->path),
		.offset = found->offset,
		.length = found->length,
		.kind = strdup(difference_kinds[found->kind]),
		.looks_like = strdup(looks_like),
		.read_back = found->read_back,
		.expected = print_bytes(found->expected, found->sample_bytes),
		.found = print_bytes(found->found, found->sample_bytes),
	};
}

/* Add the first difference to the reasons. */
static void explain_difference(const struct result_difference *difference,
			       struct result_repeat *repeat)
{
	bool sampled = difference->found[0] != '\0';

	result_add_reason(&repeat->invalid,
			  "user %u: \"%s\" is not as it was written, %" PRIu64
			  " %s from offset %" PRIu64 "%s: %s%s%s%s%s",
			  difference->user, difference->file, difference->length,
			  units_plural(difference->length, "byte", "bytes"), difference->offset,
			  difference->read_back ? ", when read back" : "", difference->looks_like,
			  sampled ? "; expected " : "", sampled ? difference->expected : "",
			  sampled ? ", found " : "", sampled ? difference->found : "");
}

void collect_verified(const struct tally *tally, struct result_repeat *repeat)
{
	const struct verified *verified = &tally->verified;
	size_t i;

	repeat->figures.verified = (struct result_verified){
		.users = verified->users,
		.read_bytes = verified->read_bytes,
		.compared_bytes = verified->compared_bytes,
		.written_bytes = verified->written_bytes,
		.read_back_bytes = verified->read_back_bytes,
		.unreadable_files = verified->unreadable_files,
		.unreadable_bytes = verified->unreadable_bytes,
		.differences = verified->difference_count,
		.full_maps = verified->full_maps,
		.map_bytes = verified->map_bytes,
	};
	repeat->differences = calloc(verified->described + 1, sizeof(*repeat->differences));
	if (repeat->differences == NULL)
		return;
	for (i = 0; i < verified->described; i++)
		collect_difference(&verified->differences[i], repeat);
	if (repeat->difference_count == 0)
		return;
	/* All others, in JSON, often show the same wrong bytes. */
	explain_difference(&repeat->differences[0], repeat);
	if (verified->difference_count > 1)
		result_add_reason(&repeat->invalid,
				  "%" PRIu64 " reads returned other bytes than were written",
				  verified->difference_count);
}
