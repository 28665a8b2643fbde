/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The marks of a chart, collected one by one. If memory is short, marks or spots are
 * left out.
 */
#ifndef DOC_MARKS_H
#define DOC_MARKS_H

#include "doc/doc.h"

struct marks {
	struct doc_mark *list;
	size_t count;
	size_t room; /* of the last mark: max number of spots */
};

/* Add a mark with copies of its texts, but without spots. `room` is the max number of
 * spots that will be added. */
void marks_add(struct marks *marks, const struct doc_mark *mark, size_t room);

/* Add a spot to the last mark. Its title, or NULL, is freed with the marks. */
void marks_spot(struct marks *marks, const struct doc_spot *spot, char *title);

void marks_free(struct marks *marks);

#endif
