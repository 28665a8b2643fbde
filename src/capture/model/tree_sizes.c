/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sizes of files in the model: now, and before the recording began. */
#include "capture/model/tree.h"

#include "base/array.h"

#include <string.h>

enum {
	/* Ranges with a smaller gap between them become one. */
	NEAR = 64 << 10,
	/* Never fill a larger gap, even if there are many ranges. */
	GAP_MAX = 1 << 30,
};

/* The current size of a file that was unknown is known now. */
static void learn_bytes(struct node *node, int64_t bytes)
{
	node->bytes = node->least = bytes;
	if (!node->before || node->truncated || node->before_bytes >= 0)
		return;
	/* A file that ends after all writes was not extended by them, unless they
	 * were appended. */
	if (bytes > node->written_end || node->written_end == 0) {
		if (bytes - node->appended >= node->before_least)
			bytes -= node->appended;
		node->before_bytes = bytes;
		node->maybe &= bytes == 0;
	}
}

void node_report(struct node *node, enum node_kind kind, int64_t bytes)
{
	if (node->kind == NODE_UNKNOWN)
		node->kind = kind;
	if (bytes < 0 || node->kind != NODE_FILE)
		return;
	/* A file of another size than the model's was changed by calls that the
	 * source does not have. A replay does not have them, either. */
	if (node->bytes < 0)
		learn_bytes(node, bytes);
}

/* Join the two neighbours with the smallest gap between them. If that is large,
 * forget the last range instead: the set-up would have to fill the gap. */
static void join_nearest(struct node *node)
{
	struct node_range *ranges = node->ranges;
	size_t best = 0, i;

	for (i = 1; i + 1 < node->range_count; i++)
		if (ranges[i + 1].from - ranges[i].to < ranges[best + 1].from - ranges[best].to)
			best = i;
	node->range_count--;
	if (ranges[best + 1].from - ranges[best].to > GAP_MAX)
		return;
	ranges[best].to = ranges[best + 1].to;
	memmove(&ranges[best + 1], &ranges[best + 2],
		(node->range_count - best - 1) * sizeof(*ranges));
}

/* Add a range of bytes that is read. Join it with those that it touches or that
 * are near. */
static void add_range(struct node *node, int64_t from, int64_t to)
{
	struct node_range *ranges;
	size_t first = 0, last;

	if (array_grow(&node->ranges, &node->range_room, node->range_count + 1, sizeof(*ranges)) <
	    0)
		return;
	ranges = node->ranges;
	while (first < node->range_count && ranges[first].to + NEAR < from)
		first++;
	for (last = first; last < node->range_count && ranges[last].from - NEAR <= to; last++) {
		if (ranges[last].from < from)
			from = ranges[last].from;
		if (ranges[last].to > to)
			to = ranges[last].to;
	}
	memmove(&ranges[first + 1], &ranges[last], (node->range_count - last) * sizeof(*ranges));
	node->range_count += 1 - (last - first);
	ranges[first] = (struct node_range){from, to};
	if (node->range_count > NODE_RANGES_MAX)
		join_nearest(node);
}

bool node_read(struct node *node, uint64_t offset, uint64_t size, uint64_t got)
{
	int64_t from = (int64_t)offset, end;

	if (offset > INT64_MAX / 2 || got > INT64_MAX / 2)
		return false;
	end = from + (int64_t)got;
	if (node->kind == NODE_UNKNOWN)
		node->kind = NODE_FILE;
	if (node->before && got > 0 && !node->truncated)
		add_range(node, from, end);
	if (node->bytes >= 0) {
		uint64_t left = node->bytes > from ? (uint64_t)(node->bytes - from) : 0;

		return got == (left < size ? left : size);
	}
	if (end > node->least && got > 0) {
		node->least = end;
		if (!node->truncated && end > node->written_end) {
			/* Bytes that were appended meanwhile may be at the
			 * end. */
			if (end - node->appended > node->before_least)
				node->before_least = end - node->appended;
			node->maybe &= node->before_least == 0;
		}
	}
	if (got < size && (got > 0 || from <= node->least))
		learn_bytes(node, got > 0 ? end : node->least);
	return true;
}

int64_t node_end(const struct node *node)
{
	return node->bytes >= 0 ? node->bytes : node->least;
}

void node_write(struct node *node, uint64_t offset, uint64_t bytes)
{
	int64_t end = (int64_t)(offset + bytes);

	if (offset > INT64_MAX / 2 || bytes == 0 || bytes > INT64_MAX / 2)
		return;
	if (node->kind == NODE_UNKNOWN)
		node->kind = NODE_FILE;
	if (end > node->least)
		node->least = end;
	if (node->bytes >= 0 && end > node->bytes)
		node->bytes = end;
	if (node->bytes < 0 && end > node->written_end)
		node->written_end = end;
}

void node_truncate(struct node *node, uint64_t bytes)
{
	node->kind = node->kind == NODE_UNKNOWN ? NODE_FILE : node->kind;
	node->truncated = true;
	node->bytes = node->least = bytes > INT64_MAX / 2 ? INT64_MAX / 2 : (int64_t)bytes;
}
