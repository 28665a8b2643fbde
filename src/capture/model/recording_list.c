/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Listings of directories, which take several requests. */
#include "capture/model/recording_state.h"

#include "base/wildcard.h"

#include <errno.h>
#include <string.h>

/* The maximum of a LIST: all names. */
enum { ALL_ENTRIES = 1000000 };

/* Learn the names that a listing shows. Return the number of them that the
 * model had not known. */
static uint64_t learn_names(struct recording *recording, struct node *directory,
			    const char *const *names, size_t count)
{
	struct place place;
	uint64_t learned = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		if (!recording_can_spell(names[i], false) || strchr(names[i], '/') != NULL)
			continue;
		tree_look(&recording->tree, directory, names[i], &place);
		learned += place.unknown && tree_learn(&recording->tree, &place, NODE_UNKNOWN);
	}
	return learned;
}

/* Count the existing names in a directory that match a pattern. */
static uint64_t count_matching(struct recording *recording, struct node *directory,
			       const char *pattern)
{
	const struct entry *entry;
	uint64_t count = 0;

	if (strcmp(pattern, "*") == 0)
		return directory->count;
	if (!wildcard_is_pattern(pattern))
		return tree_child(&recording->tree, directory, pattern) != NULL;
	for (entry = directory->entries; entry != NULL; entry = entry->next)
		count += wildcard_match(pattern, entry->name);
	return count;
}

bool recording_add_list(struct recording *recording, const struct recorded *recorded, struct op *op)
{
	const char *pattern = recorded->text != NULL ? recorded->text : "*";
	struct listing *listing = &recording->listing;
	char path[TREE_PATH_MAX + WILDCARD_PATTERN_MAX + 2];
	struct place place;

	*listing = (struct listing){0};
	if (strlen(pattern) > WILDCARD_PATTERN_MAX)
		return recording_drop(recording, "pattern of over 255 bytes");
	if (recording_walk(recording, recorded->path, WALK_FOLLOW | WALK_LEARN, &place) < 0 ||
	    (place.node == NULL &&
	     (!place.unknown || !tree_learn(&recording->tree, &place, NODE_DIRECTORY))))
		return recording_drop(recording, "listed a directory that does not exist");
	node_report(place.node, NODE_DIRECTORY, -1);
	if (!node_path(place.node, path))
		return recording_drop(recording, "in a removed directory, or the path is too long");
	if (path[0] != '\0')
		strcat(path, "/");
	strcat(path, pattern);
	op->path = recording_path(recording, path);
	op->max_entries = ALL_ENTRIES;
	op->flags &= (uint16_t)~OP_COUNTED;
	if (recorded->error == ENOENT) {
		if (count_matching(recording, place.node, pattern) > 0 ||
		    wildcard_match(pattern, ".") || wildcard_match(pattern, ".."))
			return recording_drop(recording, "found no names where there are some");
		return recording_append(recording, op);
	}
	if (recorded->error != 0)
		return recording_drop_error(recording, recorded->error);
	listing->op = recording->count;
	listing->node = place.node;
	listing->known = count_matching(recording, place.node, pattern);
	listing->learned = place.node->learned;
	listing->dots = wildcard_match(pattern, ".") + wildcard_match(pattern, "..");
	listing->pattern = strcmp(pattern, "*") != 0;
	if (!recording_append(recording, op))
		return false;
	recording_list_more(recording, listing, recorded->op.expect, recorded->names,
			    recorded->name_count);
	return true;
}

struct listing recording_listing(const struct recording *recording)
{
	return recording->listing;
}

void recording_list_more(struct recording *recording, struct listing *listing, uint64_t entries,
			 const char *const *names, size_t name_count)
{
	if (listing->node == NULL)
		return;
	if (names != NULL) {
		uint64_t learned = learn_names(recording, listing->node, names, name_count);

		if (listing->pattern)
			listing->known += learned;
		entries = name_count;
	} else if (listing->entries == 0) {
		/* The source counts these two in the first part. */
		entries -= entries < listing->dots ? entries : listing->dots;
	}
	listing->entries += entries;
}

void recording_list_end(struct recording *recording, struct listing *listing)
{
	struct op *op;

	if (listing->node == NULL)
		return;
	op = &recording->ops[listing->op];
	/* Names that were learned since the first part existed then. */
	if (!listing->pattern)
		listing->known += listing->node->learned - listing->learned;
	if (listing->entries > listing->known && listing->node->before && !listing->node->whole &&
	    !listing->pattern &&
	    tree_invent(&recording->tree, listing->node, listing->entries - listing->known))
		listing->known = listing->entries;
	if (listing->entries == listing->known) {
		/* All its names are known. */
		listing->node->whole |= !listing->pattern;
		op->expect = (uint32_t)(listing->entries + listing->dots);
		op->flags |= OP_COUNTED;
		/* A LIST that found nothing fails. */
		if (op->expect == 0)
			op->accepts = OUTCOME_BIT(NOT_FOUND);
	}
	listing->node = NULL;
}
