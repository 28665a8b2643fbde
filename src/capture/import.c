/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Find out the format of the files to import, and read them. */
#include "capture/capture.h"

#include "capture/decode/columns.h"
#include "capture/decode/feed.h"
#include "capture/decode/tshark.h"
#include "capture/fio.h"
#include "capture/nfs/nfs.h"
#include "capture/smb/smb2.h"
#include "capture/strace/line.h"
#include "capture/strace/strace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct format {
	const char *title;
	source_reader *read;                    /* of text */
	const struct tshark_protocol *protocol; /* NULL: not of captures */
} formats[] = {
	[CAPTURE_STRACE] = {"A trace by strace", strace_read, NULL},
	[CAPTURE_SMB] = {"A capture of SMB", smb2_read_capture, &smb2_protocol},
	[CAPTURE_NFS] = {"A capture of NFS", nfs_read_capture, &nfs_protocol},
	[CAPTURE_FIO] = {"An iolog of fio", fio_read, NULL},
};

struct import {
	struct source *source;
	const struct capture_inputs *inputs;
	const char *input; /* the name of the first file */
	enum capture_format format;
	FILE *file;
	bool captured; /* the file is a capture, and not text */
};

/* Copy a pipe to a file that disappears when we end: tshark reads it twice. */
static FILE *copy(FILE *pipe)
{
	FILE *file = tmpfile();
	char bytes[BUFSIZ];
	size_t count;

	while (file != NULL && (count = fread(bytes, 1, sizeof(bytes), pipe)) > 0)
		fwrite(bytes, 1, count, file);
	if (file != NULL && (ferror(pipe) || ferror(file) || fseek(file, 0, SEEK_SET) < 0)) {
		fclose(file);
		file = NULL;
	}
	fclose(pipe);
	return file;
}

static int open_input(struct import *import, struct error *error)
{
	bool piped = strcmp(import->input, "-") == 0;

	import->file = piped ? fdopen(dup(STDIN_FILENO), "r") : fopen(import->input, "re");
	if (import->file != NULL && fseek(import->file, 0, SEEK_SET) < 0)
		import->file = copy(import->file);
	if (import->file == NULL)
		error_set(error, "cannot read \"%s\": %s", import->input, strerror(errno));
	return import->file != NULL ? 0 : -EIO;
}

/* Merge several files, which have to be traces by strace. */
static int merge_inputs(struct import *import, struct error *error)
{
	if (import->format != CAPTURE_UNKNOWN && import->format != CAPTURE_STRACE) {
		error_set(error, "import: several files can be imported together only if each of "
				 "them is a trace by strace");
		return -EINVAL;
	}
	import->format = CAPTURE_STRACE;
	import->file = tmpfile();
	if (import->file == NULL) {
		error_set(error, "cannot create a temporary file in %s: %s", P_tmpdir,
			  strerror(errno));
		return -EIO;
	}
	if (strace_merge(import->inputs->names, import->inputs->count, import->file, error) < 0)
		return -EINVAL;
	rewind(import->file);
	return 0;
}

/* Does the first line have the fields of this protocol? */
static bool has_fields(const struct tshark_protocol *protocol, const char *line)
{
	size_t count = 1;

	for (; *line != '\0'; line++)
		count += *line == COLUMNS_SEPARATOR;
	return count == protocol->field_count;
}

/* Guess the format of a text from its first line. */
static unsigned guess_text(char *line)
{
	struct strace_line parsed;

	if (strncmp(line, FIO_MAGIC, strlen(FIO_MAGIC)) == 0)
		return CAPTURE_FIO;
	if (has_fields(&smb2_protocol, line))
		return CAPTURE_SMB;
	if (has_fields(&nfs_protocol, line))
		return CAPTURE_NFS;
	return strace_line_parse(line, strlen(line), &parsed) ? CAPTURE_STRACE : CAPTURE_UNKNOWN;
}

/* Guess the format of a capture. SMB1 can be no more than the start of a
 * session, or announcements of hosts. */
static int guess_capture(struct import *import, const struct tshark_capture *capture,
			 struct error *error)
{
	unsigned found;
	int rc = tshark_find(capture, &found, error);

	if (rc < 0)
		return rc;
	if (found == 0) {
		error_set_at(error, capture->name, 0, 0,
			     capture_is_plain(fileno(capture->file))
				     ? "the capture has neither SMB nor NFS"
				     : "the capture has neither SMB on port 445 nor NFS; to find "
				       "SMB on other ports, decompress the capture, or convert the "
				       "capture to pcapng with editcap");
		return -EINVAL;
	}
	import->format = (found & TSHARK_SMB2) == 0 && (found & TSHARK_NFS) != 0 ? CAPTURE_NFS
										 : CAPTURE_SMB;
	if (import->format == CAPTURE_SMB && (found & TSHARK_NFS) != 0)
		source_warn(import->source,
			    "the capture also has NFS, which is not in this load; to make a load "
			    "of the NFS operations, use --from nfs -o PREFIX");
	return 0;
}

/* Look at the beginning of the file. Set import->captured, and import->format if
 * it is unknown. */
static int recognise(struct import *import, const struct tshark_capture *capture,
		     struct error *error)
{
	char head[512], *line = NULL;
	size_t room = 0, bytes = fread(head, 1, sizeof(head), import->file);

	import->captured = memchr(head, '\0', bytes) != NULL;
	if (bytes == 0)
		error_set_at(error, import->input, 0, 0, "%s",
			     ferror(import->file) ? strerror(errno) : "the file is empty");
	rewind(import->file);
	if (error->set)
		return -EINVAL;
	if (import->format == CAPTURE_UNKNOWN && import->captured)
		guess_capture(import, capture, error);
	else if (import->format == CAPTURE_UNKNOWN && getline(&line, &room, import->file) > 0)
		import->format = guess_text(line);
	if (import->format == CAPTURE_UNKNOWN)
		error_set_at(error, import->input, 1, 0,
			     "unknown format; expected a trace by strace, a capture, fields of "
			     "tshark, or an iolog of fio (to name the format, use --from)");
	free(line);
	rewind(import->file);
	return error->set ? -EINVAL : 0;
}

/* Prepare the recorded directory as readers want it. */
static int set_directory(struct import *import, struct error *error)
{
	const char *text = import->inputs->directory != NULL ? import->inputs->directory : "";
	bool local = formats[import->format].protocol == NULL;
	size_t length;

	text += local ? 0 : strspn(text, "/");
	import->source->root = strdup(text);
	if (import->source->root == NULL)
		return error_no_memory(error);
	length = strlen(text);
	while (length > 0 && text[length - 1] == '/')
		import->source->root[--length] = '\0';
	if (local && text[0] != '/' && text[0] != '\0')
		error_set(error,
			  "--directory: \"%s\" is not an absolute path; expected the absolute path "
			  "of the directory in which the recorded program worked",
			  text);
	if (import->format == CAPTURE_STRACE && text[0] == '\0')
		error_set(error, "import: expected --directory DIR, the directory in which the "
				 "recorded program worked");
	import->source->directory = import->source->root;
	return error->set ? -EINVAL : 0;
}

static int read_source(struct import *import, const struct tshark_capture *capture,
		       struct error *error)
{
	const struct format *format = &formats[import->format];
	const struct capture_inputs *inputs = import->inputs;
	struct source *source = import->source;

	source->title = format->title;
	source->only = inputs->client;
	source->no_mmap = inputs->no_mmap;
	source->keyed = inputs->keys != NULL || inputs->keytab != NULL;
	source->options = (inputs->times ? RECORDING_TIMES : 0) |
			  (inputs->pauses ? RECORDING_PAUSES : 0);
	if (format->protocol != NULL && import->captured)
		return tshark_read(format->protocol, capture, source, error);
	return format->read(source, import->file, error);
}

/* Check the options that only captures have. */
static int check_capture(const struct import *import, struct error *error)
{
	bool keyed = import->inputs->keys != NULL || import->inputs->keytab != NULL;

	if (keyed && !import->captured)
		error_set(error, "%s is only for encrypted captures, but \"%s\" is not a capture",
			  import->inputs->keys != NULL ? "--keys" : "--keytab", import->input);
	if (import->inputs->port == 0)
		return error->set ? -EINVAL : 0;
	if (import->format != CAPTURE_SMB || !import->captured)
		error_set(error,
			  "--port is only for captures of SMB, but \"%s\" is not a capture of SMB",
			  import->input);
	else if (!capture_is_plain(fileno(import->file)))
		error_set(error,
			  "--port: \"%s\" is neither pcap nor pcapng; decompress the file, or "
			  "convert it with editcap",
			  import->input);
	return error->set ? -EINVAL : 0;
}

static int import_files(struct import *import, struct error *error)
{
	const struct capture_inputs *inputs = import->inputs;
	struct tshark_capture capture = {
		.name = import->input,
		.keys = inputs->keys,
		.keytab = inputs->keytab,
		.port = inputs->port,
	};
	int rc = inputs->count > 1 ? merge_inputs(import, error) : open_input(import, error);

	capture.file = import->file;
	if (rc == 0 && inputs->count == 1)
		rc = recognise(import, &capture, error);
	if (rc == 0)
		rc = check_capture(import, error);
	if (rc == 0)
		rc = set_directory(import, error);
	return rc < 0 ? rc : read_source(import, &capture, error);
}

int capture_import(struct source *source, const struct capture_inputs *inputs, struct error *error)
{
	struct import import = {
		.source = source,
		.inputs = inputs,
		.input = inputs->names[0],
		.format = inputs->format,
	};
	size_t i;
	int rc;

	source->name = inputs->count > 1 ? "the merged traces" : import.input;
	/* tshark ignores a file that it cannot read. */
	if (inputs->keytab != NULL && access(inputs->keytab, R_OK) < 0) {
		error_set(error, "cannot read \"%s\": %s", inputs->keytab, strerror(errno));
		return -EACCES;
	}
	rc = import_files(&import, error);
	if (import.file != NULL)
		fclose(import.file);
	for (i = 0; i < source->client_count; i++)
		conversion_end(recording_conversion(source->clients[i].recording));
	return rc;
}
