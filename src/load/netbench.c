/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The netbench dialect: an SMB client's requests and the server's statuses. It
 * is used by dbench 3 to 5 on file systems, by tbench, and by smbtorture's
 * nbench.
 */
#include "load/dialect.h"

#include "base/wildcard.h"
#include "load/arguments.h"
#include "program/recorded.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static const struct spelling spellings[] = {
	{"NTCreateX", OP_OPEN, "pabH", true},
	{"Close", OP_CLOSE, "h", false},
	{"ReadX", OP_READ, "hose", false},
	{"WriteX", OP_WRITE, "hose", false},
	{"Flush", OP_FSYNC, "h", false},
	{"LockX", OP_LOCK, "hol", false},
	{"UnlockX", OP_UNLOCK, "hol", false},
	{"Unlink", OP_UNLINK, "wx", true},
	{"Rename", OP_RENAME, "pq", true},
	{"Mkdir", OP_MKDIR, "p", true},
	{"Rmdir", OP_RMDIR, "p", true},
	{"Deltree", OP_DELTREE, "p", false},
	{"QUERY_PATH_INFORMATION", OP_STAT, "px", true},
	{"QUERY_FILE_INFORMATION", OP_FSTAT, "hx", false},
	{"SET_FILE_INFORMATION", OP_SET_TIMES, "hx", false},
	{"QUERY_FS_INFORMATION", OP_STATVFS, "x", false},
	{"FIND_FIRST", OP_LIST, "wxmn", true},
	{NULL, 0, NULL, false},
};

static unsigned match(const char *word)
{
	return dialect_match(spellings, word);
}

/* Parse the last word, the server's status. */
static int read_status(const struct line *line, outcome_set *accepts, struct error *error)
{
	unsigned last = line->word_count - 1;
	const char *text = line->words[last].text;

	if (strcmp(text, "*") == 0) {
		*accepts = OUTCOME_ANY;
	} else if (strcmp(text, "ERROR") == 0) {
		*accepts = OUTCOME_ANY_FAILURE;
	} else if (strcmp(text, "SUCCESS") == 0) {
		*accepts = OUTCOME_BIT(OK);
	} else if (outcome_from_nt_status(text, accepts) < 0) {
		line_error(line, last, error,
			   "\"%s\" is not an outcome; expected a known NT status (NT_STATUS_... or "
			   "0x...), SUCCESS, ERROR or *",
			   text);
		return -EINVAL;
	}
	return 0;
}

static uint64_t open_flags(uint64_t options, enum smb_disposition disposition)
{
	return OPEN_READ | OPEN_ATTRIBUTES | recorded_options_flags(options) |
	       recorded_disposition_flags(disposition) |
	       ((options & SMB_DIRECTORY_FILE) != 0 ? 0 : OPEN_WRITE);
}

/* Keep the fields of the request that only an SMB client needs. */
static int keep_request(struct builder *builder, struct op *op, const struct arguments *arguments,
			struct error *error)
{
	struct smb_request request = {0};

	switch (op->kind) {
	case OP_OPEN:
		smb_request_set(&request, SMB_OPTIONS, arguments->a);
		smb_request_set(&request, SMB_DISPOSITION, arguments->b);
		break;
	case OP_UNLINK:
	case OP_UNLINK_MATCHING:
		smb_request_set(&request, SMB_ATTRIBUTES, arguments->x);
		break;
	default:
		smb_request_set(&request, SMB_LEVEL, arguments->x);
		break;
	}
	return builder_request(builder, &request, &op->request, error);
}

/*
 * Apply the rules under which an outcome may differ from the recorded one
 * (throng-loadfile(5), "Outcomes"). dbench has the same rules. They make it
 * possible to repeat a load that has no Deltree.
 */
static void apply_rules(struct op *op, const struct arguments *arguments)
{
	bool recorded_ok = outcome_in(op->accepts, OUTCOME_OK);

	switch (op->kind) {
	case OP_OPEN:
		op->open_flags = open_flags(arguments->a, (enum smb_disposition)arguments->b);
		if (arguments->b == SMB_CREATE && !recorded_ok)
			op->open_flags |= OPEN_EXCLUSIVE;
		break;
	case OP_RENAME:
		if (op->accepts == OUTCOME_BIT(EXISTS))
			op->flags |= OP_NO_REPLACE;
		break;
	case OP_MKDIR:
		if (recorded_ok)
			op->accepts |= OUTCOME_BIT(EXISTS);
		break;
	case OP_DELTREE:
		if (recorded_ok)
			op->accepts |= OUTCOME_BIT(NOT_FOUND);
		break;
	case OP_LIST:
		if (recorded_ok && op->expect == 0)
			op->accepts |= OUTCOME_BIT(NOT_FOUND);
		break;
	}
	/* The recorded count applies only to a success. */
	if (op->accepts == OUTCOME_ANY || !recorded_ok)
		op->flags &= (uint16_t)~OP_COUNTED;
}

static const char *last_component(const char *path)
{
	const char *slash;

	while ((slash = strpbrk(path, "/\\")) != NULL)
		path = slash + 1;
	return path;
}

static int compile(struct builder *builder, const struct line *line, unsigned first,
		   uint64_t due_ns, struct error *error)
{
	const struct spelling *spelling = dialect_find(spellings, line->words[first].text);
	struct arguments arguments = {0};
	struct op op = {
		.kind = (uint8_t)spelling->kind,
		.flags = spelling->lookup ? OP_LOOKUP : 0,
		.handle = OP_NONE,
		.path = OP_NONE,
		.path2 = OP_NONE,
		.line = line->number,
	};
	int rc;

	rc = read_status(line, &op.accepts, error);
	if (rc == 0)
		rc = arguments_read(builder, line, first + 1, spelling->shape, &op, &arguments,
				    error);
	if (rc == 0)
		rc = arguments_end(line, first, strlen(spelling->shape), spelling->word, error);
	if (rc < 0)
		return rc;
	if (op.kind == OP_OPEN && arguments.b > SMB_OVERWRITE_IF) {
		line_error(line, first + 3, error,
			   "disposition %" PRIu64 " is out of range (0 to 5)", arguments.b);
		return -EINVAL;
	}
	if (op.kind == OP_UNLINK &&
	    wildcard_is_pattern(last_component(line->words[first + 1].text)))
		op.kind = OP_UNLINK_MATCHING;
	apply_rules(&op, &arguments);
	if (recorded_has_request(op.kind))
		rc = keep_request(builder, &op, &arguments, error);
	if (rc == 0)
		rc = builder_label(builder, spelling->word, &op.label, error);
	if (rc == 0)
		rc = dialect_add(builder, line, first, &op, due_ns, error);
	return rc;
}

const struct dialect dialect_netbench = {
	.name = "netbench",
	.words = "NTCreateX, Close, ReadX, WriteX, Flush, LockX, UnlockX, Unlink, Rename, Mkdir, "
		 "Rmdir, Deltree, QUERY_PATH_INFORMATION, QUERY_FILE_INFORMATION, "
		 "SET_FILE_INFORMATION, QUERY_FS_INFORMATION, FIND_FIRST",
	.outcome = "NT_STATUS_OK",
	.match = match,
	.compile = compile,
};
