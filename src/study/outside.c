/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/outside.h"

#include "base/array.h"
#include "base/intern.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int add_shared(struct outside *names, struct intern *known, const struct shared_name *shared)
{
	struct shared_name added = {.changed = shared->changed};
	int is_new;
	int64_t index = intern(known, shared->name, strlen(shared->name), &is_new);

	if (index < 0)
		return -ENOMEM;
	if (!is_new) {
		names->shared[index].changed |= shared->changed;
		return 0;
	}
	added.name = strdup(shared->name);
	if (added.name != NULL &&
	    array_append(&names->shared, &names->shared_count, &added, sizeof(added)) == 0)
		return 0;
	free(added.name);
	return -ENOMEM;
}

static int add_other(struct outside *names, struct intern *known, const struct program_path *path)
{
	const char *name = path->text + strlen(CLIENTS_NAME "/");
	size_t length = strcspn(name, "/");
	char *added;
	int is_new;

	if (intern(known, name, length, &is_new) < 0)
		return -ENOMEM;
	if (!is_new)
		return 0;
	added = strndup(name, length);
	if (added != NULL &&
	    array_append(&names->others, &names->other_count, &added, sizeof(added)) == 0)
		return 0;
	free(added);
	return -ENOMEM;
}

/* Tell `known` the names of earlier programs, in the order of their lists. */
static int learn(const struct outside *names, struct intern *shared, struct intern *others)
{
	size_t i;
	int is_new;

	for (i = 0; i < names->shared_count; i++)
		if (intern(shared, names->shared[i].name, strlen(names->shared[i].name), &is_new) <
		    0)
			return -ENOMEM;
	for (i = 0; i < names->other_count; i++)
		if (intern(others, names->others[i], strlen(names->others[i]), &is_new) < 0)
			return -ENOMEM;
	return 0;
}

int outside_add(struct outside *names, const struct program *program)
{
	struct intern shared = {0}, others = {0};
	int rc = learn(names, &shared, &others);
	size_t i;

	for (i = 0; i < program->shared_count && rc == 0; i++)
		rc = add_shared(names, &shared, &program->shared[i]);
	for (i = 0; i < program->path_count && rc == 0; i++)
		if (program->paths[i].place == PATH_OTHERS)
			rc = add_other(names, &others, &program->paths[i]);
	intern_free(&shared);
	intern_free(&others);
	return rc;
}

int outside_overlaps(const struct program *one, const struct program *other)
{
	const struct program *const programs[] = {one, other};
	struct outside all = {0};
	size_t count = 0, i;
	int rc = 0;

	for (i = 0; i < 2 && rc == 0; i++) {
		struct outside own = {0};

		rc = outside_add(&own, programs[i]);
		if (rc == 0)
			rc = outside_add(&all, programs[i]);
		count += own.shared_count + own.other_count;
		outside_free(&own);
	}
	if (rc == 0)
		rc = all.shared_count + all.other_count < count;
	outside_free(&all);
	return rc;
}

void outside_free(struct outside *names)
{
	size_t i;

	for (i = 0; i < names->shared_count; i++)
		free(names->shared[i].name);
	for (i = 0; i < names->other_count; i++)
		free(names->others[i]);
	free(names->shared);
	free(names->others);
	*names = (struct outside){0};
}
