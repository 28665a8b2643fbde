/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "doc/marks.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

static void free_mark(const struct doc_mark *mark)
{
	size_t i;

	for (i = 0; i < mark->count; i++)
		free((char *)mark->spots[i].title);
	free((struct doc_spot *)mark->spots);
	free((char *)mark->name);
	free((char *)mark->legend);
}

void marks_add(struct marks *marks, const struct doc_mark *mark, size_t room)
{
	struct doc_mark added = *mark;

	added.name = mark->name != NULL ? strdup(mark->name) : NULL;
	added.legend = mark->legend != NULL ? strdup(mark->legend) : NULL;
	added.spots = calloc(room + 1, sizeof(*added.spots));
	added.count = 0;
	marks->room = room;
	if (added.spots != NULL &&
	    array_append(&marks->list, &marks->count, &added, sizeof(added)) == 0)
		return;
	marks->room = 0;
	free_mark(&added);
}

void marks_spot(struct marks *marks, const struct doc_spot *spot, char *title)
{
	struct doc_spot *added;
	struct doc_mark *mark;

	if (marks->room == 0) {
		free(title);
		return;
	}
	mark = &marks->list[marks->count - 1];
	added = (struct doc_spot *)&mark->spots[mark->count++];
	*added = *spot;
	added->title = title;
	marks->room--;
}

void marks_free(struct marks *marks)
{
	size_t i;

	for (i = 0; i < marks->count; i++)
		free_mark(&marks->list[i]);
	free(marks->list);
}
