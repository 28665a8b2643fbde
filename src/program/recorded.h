/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The recorded SMB requests of operations (program->requests): the native
 * dialect's words for their fields, and their meaning as open flags.
 */
#ifndef PROGRAM_RECORDED_H
#define PROGRAM_RECORDED_H

#include "base/error.h"
#include "program/program.h"
#include "words/smb_request.h"

/*
 * If `text` is a field of this operation, such as "level=1004", set it in
 * `request` and return true. Otherwise return false. If the text begins with the
 * name of a field, but its value is wrong, set `error`.
 */
bool recorded_parse(enum op_kind kind, const char *text, struct smb_request *request,
		    struct error *error);

/* Print a blank and a word for each recorded field of the operation. */
void recorded_print(const struct program *program, const struct op *op, FILE *stream);

/* Write the names of the operation's fields, each with a comma and a blank after
 * it, for messages: "options=, disposition=, ". Return `text`. */
enum { RECORDED_TEXT = 64 };
char *recorded_words(enum op_kind kind, char text[RECORDED_TEXT]);

/* Return the open flags that CreateOptions or a CreateDisposition imply.
 * Further options imply none. */
uint64_t recorded_options_flags(uint64_t options);
uint64_t recorded_disposition_flags(enum smb_disposition disposition);

/* Return the open flags that a DesiredAccess allows: OPEN_READ, OPEN_WRITE, or
 * both. Without rights to the data it is OPEN_READ, as for an open without
 * flags. */
uint64_t recorded_access_flags(uint32_t access);

/* Check that the recorded fields of an open have the same meaning as its flags.
 * It may ask for more access than the flags do, but not for less. Return 0, or
 * -EINVAL with `error` set. */
int recorded_check_open(const struct smb_request *request, uint64_t flags, struct error *error);

/* Return whether an operation of this kind has an op.request. */
bool recorded_has_request(enum op_kind kind);

#endif
