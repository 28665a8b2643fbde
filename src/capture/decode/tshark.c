/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture/decode/tshark.h"

#include "base/array.h"
#include "capture/decode/feed.h"
#include "capture/decode/columns.h"
#include "capture/decode/keys.h"
#include "capture/decode/tool.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* tshark's words for a capture that ends within a frame. */
#define CUT_SHORT "appears to have been cut short"

/* The table of session keys in tshark's folder of settings. */
#define KEY_TABLE "smb2_seskey_list"

/* Max number of frames of SMB or NFS that a guess reads, because tshark takes
 * longer than the rest of an import. */
enum { GUESS_FRAMES = 10000 };

/* A folder of settings for tshark, which other users cannot read, as they could
 * read session keys in the words of a command. Its path is "" if there is none. */
struct folder {
	char path[PATH_MAX];
	char table[PATH_MAX + sizeof("/" KEY_TABLE)];
	sigset_t signals; /* that were blocked before */
};

/* The words of a command line. */
struct command {
	char **words; /* ended by NULL when it is finished */
	size_t count;
	bool failed; /* out of memory */
};

static void add(struct command *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void add(struct command *command, const char *format, ...)
{
	va_list arguments;
	char *word;
	int length;

	va_start(arguments, format);
	length = vasprintf(&word, format, arguments);
	va_end(arguments);
	if (length >= 0 && array_append(&command->words, &command->count, &word, sizeof(word)) == 0)
		return;
	if (length >= 0)
		free(word);
	command->failed = true;
}

/* Begin with the words for standard input and its frames. */
static void add_start(struct command *command, const char *filter)
{
	add(command, "%s", tool_tshark.name);
	add(command, "-n");
	add(command, "-r");
	add(command, "-");
	add(command, "-Y");
	add(command, "%s", filter);
	add(command, "-T");
	add(command, "fields");
}

static void add_protocol(struct command *command, const struct tshark_protocol *protocol)
{
	const char *const *preference = protocol->preferences;
	size_t i;

	add(command, "-E");
	add(command, "separator=%c", COLUMNS_SEPARATOR);
	add(command, "-E");
	add(command, "aggregator=%c", COLUMNS_AGGREGATOR);
	for (; preference != NULL && *preference != NULL; preference++) {
		add(command, "-o");
		add(command, "%s", *preference);
	}
	for (i = 0; i < protocol->field_count; i++) {
		add(command, "-e");
		add(command, "%s", protocol->fields[i]);
	}
}

/* Block or restore the signals that would end us and leave keys behind. */
static void protect(struct folder *folder, bool begin)
{
	sigset_t signals;

	if (!begin) {
		sigprocmask(SIG_SETMASK, &folder->signals, NULL);
		return;
	}
	sigemptyset(&signals);
	sigaddset(&signals, SIGHUP);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGQUIT);
	sigaddset(&signals, SIGTERM);
	sigprocmask(SIG_BLOCK, &signals, &folder->signals);
}

static void remove_folder(struct folder *folder)
{
	if (folder->path[0] == '\0')
		return;
	unlink(folder->table);
	rmdir(folder->path);
	protect(folder, false);
	folder->path[0] = '\0';
}

/* Write the session keys to a new folder, and let tshark find it. */
static int write_keys(struct folder *folder, const struct session_keys *keys, struct error *error)
{
	const char *place = getenv("TMPDIR");
	FILE *file = NULL;
	bool failed;
	size_t i;

	snprintf(folder->path, sizeof(folder->path), "%s/throng-keys-XXXXXX",
		 place != NULL && place[0] != '\0' ? place : P_tmpdir);
	protect(folder, true);
	if (mkdtemp(folder->path) != NULL) {
		snprintf(folder->table, sizeof(folder->table), "%s/" KEY_TABLE, folder->path);
		file = fopen(folder->table, "wxe");
	}
	for (i = 0; file != NULL && i < keys->count; i++)
		fprintf(file, "%s,%s,\"\",\"\"\n", keys->list[i].session, keys->list[i].key);
	failed = file == NULL || ferror(file) != 0;
	failed |= file != NULL && fclose(file) != 0;
	if (!failed && setenv("WIRESHARK_CONFIG_DIR", folder->path, 1) == 0)
		return 0;
	error_set(error,
		  "cannot write session keys for tshark to \"%s\": %s (set TMPDIR to a writable "
		  "directory)",
		  folder->path, strerror(errno));
	remove_folder(folder);
	return -EIO;
}

/* Wait until tshark has read its settings: it then writes, or ends. */
static void forget_keys(struct folder *folder, FILE *output)
{
	int first;

	if (folder->path[0] == '\0')
		return;
	first = getc(output);
	if (first != EOF)
		ungetc(first, output);
	remove_folder(folder);
}

static int add_keys(struct command *command, struct folder *folder,
		    const struct tshark_capture *capture, struct error *error)
{
	struct session_keys keys = {0};
	int rc = 0;

	if (capture->keytab != NULL) {
		add(command, "-okerberos.decrypt:TRUE");
		add(command, "-okerberos.file:%s", capture->keytab);
	}
	/* Buffers keep copies of the keys, so keep the whole process out of core
	 * dumps. */
	if (capture->keys != NULL) {
		prctl(PR_SET_DUMPABLE, 0);
		rc = session_keys_read(&keys, capture->keys, error);
	}
	if (rc == 0 && capture->keys != NULL)
		rc = write_keys(folder, &keys, error);
	/* Write each frame at once, so that the keys are removed soon. */
	if (folder->path[0] != '\0')
		add(command, "-l");
	if (keys.list != NULL)
		explicit_bzero(keys.list, keys.count * sizeof(*keys.list));
	free(keys.list);
	return rc;
}

static void free_command(struct command *command)
{
	size_t i;

	for (i = 0; i < command->count; i++)
		free(command->words[i]);
	free(command->words);
}

/* tshark while it decodes a capture. */
struct decoder {
	struct tool_run run;
	pid_t feeder; /* see capture_feed() */
};

static int refuse_input(const struct tshark_capture *capture, int rc, struct error *error)
{
	error_set(error, "cannot read \"%s\": %s", capture->name, strerror(-rc));
	return rc;
}

/* Start tshark with the command, and the capture as standard input. */
static int start(struct command *command, const struct tshark_capture *capture,
		 struct decoder *decoder, struct error *error)
{
	char *end = NULL;
	int input, rc;

	if (command->failed ||
	    array_append(&command->words, &command->count, &end, sizeof(end)) < 0)
		return error_no_memory(error);
	input = capture_feed(fileno(capture->file), capture->port, &decoder->feeder);
	if (input < 0)
		return refuse_input(capture, input, error);
	rc = tool_start(&decoder->run, &tool_tshark, (const char *const *)command->words, input,
			error);
	close(input);
	if (rc < 0)
		capture_feed_finish(decoder->feeder);
	return rc;
}

/* Wait for the end of tshark. A capture that is cut short is no error. */
static int finish(struct decoder *decoder, const struct tshark_capture *capture, bool *cut_short,
		  struct error *error)
{
	struct error failed = {0};
	int rc = tool_finish(&decoder->run, &failed);
	int read = capture_feed_finish(decoder->feeder);

	*cut_short = rc < 0 && strstr(failed.text, CUT_SHORT) != NULL;
	if (rc < 0 && !*cut_short) {
		error_set_at(error, capture->name, 0, 0, "%s", failed.text);
		return rc;
	}
	return read < 0 ? refuse_input(capture, read, error) : 0;
}

int tshark_read(const struct tshark_protocol *protocol, const struct tshark_capture *capture,
		struct source *source, struct error *error)
{
	struct command command = {0};
	struct error unread = {0};
	struct folder folder = {.path = ""};
	struct decoder decoder;
	bool cut_short;
	int rc, read;

	add_start(&command, protocol->filter);
	rc = add_keys(&command, &folder, capture, error);
	add_protocol(&command, protocol);
	if (rc == 0)
		rc = start(&command, capture, &decoder, error);
	free_command(&command);
	if (rc < 0) {
		remove_folder(&folder);
		return rc;
	}
	forget_keys(&folder, decoder.run.output);
	read = protocol->read(source, decoder.run.output, &unread);
	/* If tshark has failed, the reader's error is a consequence. */
	rc = finish(&decoder, capture, &cut_short, error);
	if (cut_short)
		source_warn(source, "the capture ends in the middle of its last frame");
	if (rc < 0 || read == 0)
		return rc;
	*error = unread;
	return read;
}

/* Return what a frame with these protocols has, such as
 * "eth:ethertype:ip:tcp:nbss:smb2". */
static unsigned found_in(const char *protocols)
{
	if (strstr(protocols, ":smb2") != NULL)
		return TSHARK_SMB2;
	/* A NULL procedure of NFS has only "rpc". */
	if (strstr(protocols, ":rpc") != NULL)
		return TSHARK_NFS;
	return TSHARK_SMB1;
}

int tshark_find(const struct tshark_capture *capture, unsigned *found, struct error *error)
{
	struct command command = {0};
	struct decoder decoder;
	unsigned frames = 0;
	char *line = NULL;
	size_t room = 0;
	bool cut_short;
	int rc;

	*found = 0;
	add_start(&command, "smb2 or smb or nfs");
	/* For NFS, as in nfs_protocol. The other one of these would take
	 * SMB's data for RPC. */
	add(&command, "-otcp.try_heuristic_first:TRUE");
	add(&command, "-e");
	add(&command, "frame.protocols");
	rc = start(&command, capture, &decoder, error);
	free_command(&command);
	if (rc < 0)
		return rc;
	for (; (~*found & (TSHARK_SMB2 | TSHARK_NFS)) != 0 && frames < GUESS_FRAMES &&
	       getline(&line, &room, decoder.run.output) > 0;
	     frames++)
		*found |= found_in(line);
	free(line);
	return finish(&decoder, capture, &cut_short, error);
}
