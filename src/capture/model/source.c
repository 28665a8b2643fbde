/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture/model/source.h"

#include "base/array.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct recording *source_recording(struct source *source, const char *name, bool *excluded)
{
	struct source_client client;
	size_t i;

	*excluded = source->only != NULL && strstr(name, source->only) == NULL;
	if (*excluded)
		return NULL;
	for (i = 0; i < source->client_count; i++)
		if (strcmp(source->clients[i].name, name) == 0)
			return source->clients[i].recording;
	client.name = strdup(name);
	client.recording = recording_new(source->options);
	if (client.name != NULL && client.recording != NULL &&
	    array_append(&source->clients, &source->client_count, &client, sizeof(client)) == 0)
		return client.recording;
	free(client.name);
	recording_free(client.recording);
	return NULL;
}

void source_warn(struct source *source, const char *format, ...)
{
	va_list arguments;
	char *text;
	size_t i;
	int length;

	va_start(arguments, format);
	length = vasprintf(&text, format, arguments);
	va_end(arguments);
	if (length < 0)
		return;
	for (i = 0; i < source->warning_count; i++)
		if (strcmp(source->warnings[i], text) == 0)
			break;
	if (i < source->warning_count ||
	    array_append(&source->warnings, &source->warning_count, &text, sizeof(text)) < 0)
		free(text);
}

void source_free(struct source *source)
{
	size_t i;

	for (i = 0; i < source->client_count; i++) {
		free(source->clients[i].name);
		recording_free(source->clients[i].recording);
	}
	free(source->clients);
	for (i = 0; i < source->warning_count; i++)
		free(source->warnings[i]);
	free(source->warnings);
}
