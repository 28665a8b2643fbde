/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/measure/compare_explain.h"

#include "target/backends.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Check if a URL has the option. */
static bool has_option(const char *url, const char *key)
{
	size_t length = strlen(key);

	while ((url = strpbrk(url, "?&")) != NULL)
		if (strncmp(++url, key, length) == 0 && url[length] == '=')
			return true;
	return false;
}

static void print_option(const struct backend_option *option, const char *url, const char *value,
			 FILE *stream)
{
	fprintf(stream, "%c%s=%s", strchr(url, '?') != NULL ? '&' : '?', option->key, value);
}

/* Print the URL of a result's first target. If the result has the option, add
 * it to the URL. If the option `selects` the client, add the client that has
 * played, unless the URL has it. */
static void print_target(const struct result_run *run, const struct backend_option *option,
			 bool selects, FILE *stream)
{
	const char *url = run->targets[0].url;
	const char *client = run->targets[0].client.name;
	size_t i;

	fprintf(stream, "'%s", url);
	if (selects && client != NULL && !has_option(url, option->key))
		print_option(option, url, client, stream);
	for (i = 0; !selects && i < run->option_count; i++)
		if (strcmp(run->options[2 * i], option->flag) == 0)
			print_option(option, url, run->options[2 * i + 1], stream);
	fputc('\'', stream);
}

void compare_explain(const struct result_run *base, const struct result_run *new, const char *name,
		     struct error *error)
{
	const struct backend_option *option;
	const char *scheme;
	struct error longer = {0};
	char *text = NULL;
	size_t bytes;
	bool selects;
	FILE *stream;

	if (name == NULL || base->target_count == 0 || new->target_count == 0)
		return;
	option = backends_find_flag(name, &scheme);
	if (option == NULL)
		return;
	selects = backends_selects(scheme, option->key);
	stream = open_memstream(&text, &bytes);
	if (stream == NULL)
		return;
	fputs("compare --base ", stream);
	print_target(base, option, selects, stream);
	fputs(" --new ", stream);
	print_target(new, option, selects, stream);
	if (fclose(stream) == 0) {
		error_set(&longer, "%s (to compare them, put the option into the targets: %s%s)",
			  error->text, text, selects ? "" : ", or run with these targets");
		*error = longer;
	}
	free(text);
}
