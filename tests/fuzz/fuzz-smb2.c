/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fuzz the parsers of the built-in SMB client: the input is a message of the
 * server, and a token of its login. No parser may read outside the message, and
 * all results must be within bounds.
 */
#include "smb2client/ntlm.h"
#include "smb2client/text.h"
#include "smb2client/wire.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fail(const char *what)
{
	fprintf(stderr, "fuzz-smb2: %s\n", what);
	abort();
}

/* Check that data is inside the reply, and read all of it. */
static void check_data(const struct smb2_reply *reply, const struct smb2_data *data)
{
	volatile uint8_t byte;
	uint32_t i;

	if (data->bytes < reply->bytes || data->bytes + data->size > reply->bytes + reply->size)
		fail("data is outside the reply");
	for (i = 0; i < data->size; i++)
		byte = data->bytes[i];
	(void)byte; /* clang warns about a variable that is only set */
}

static void read_listing(const struct smb2_reply *reply, const struct smb2_data *listing,
			 uint8_t class)
{
	struct smb2_entry entry;
	size_t at = 0, last = 0;
	char name[1024];
	int length;

	while (smb2_entry_next(listing, class, &at, &entry) == 1) {
		if (at <= last || at > listing->size)
			fail("a listing does not advance");
		last = at;
		check_data(reply, &entry.name);
		length = smb2_get_text(name, sizeof(name), entry.name.bytes, entry.name.size);
		if (length >= (int)sizeof(name) || (length >= 0 && name[length] != '\0'))
			fail("a name is too long");
	}
}

static void read_reply(const struct smb2_reply *reply)
{
	struct smb2_all_information information;
	struct smb2_negotiated negotiated;
	struct smb2_break broken;
	struct smb2_copied copied;
	struct smb2_created created;
	struct smb2_tree tree;
	struct smb2_data data;
	uint64_t free_bytes;
	uint16_t flags;
	uint8_t class, key[SMB2_RESUME_KEY_BYTES];
	uint32_t count;

	smb2_reply_is_interim(reply);
	smb2_reply_check(reply);
	smb2_parse_negotiate(reply, &negotiated);
	smb2_parse_tree_connect(reply, &tree);
	smb2_parse_create(reply, &created);
	smb2_parse_write(reply, &count);
	if (smb2_parse_session_setup(reply, &flags, &data) == 0)
		check_data(reply, &data);
	smb2_parse_resume_key(reply, key);
	smb2_parse_copied(reply, &copied);
	smb2_parse_break(reply, &broken);
	if (smb2_parse_ioctl(reply, &data) == 0)
		check_data(reply, &data);
	if (smb2_parse_read(reply, &data) == 0)
		check_data(reply, &data);
	if (smb2_parse_query(reply, &data) < 0)
		return;
	check_data(reply, &data);
	smb2_parse_all_information(&data, &information);
	smb2_parse_free_bytes(&data, &free_bytes);
	for (class = 0; class < 40; class ++)
		read_listing(reply, &data, class);
}

static void answer(const uint8_t *challenge, size_t size)
{
	static const struct smb2_identity identity = {
		.domain = "DOMAIN",
		.user = "user",
	};
	static const struct smb2_ntlm_nonces nonces = {.time = 1};
	uint8_t message[SMB2_NTLM_MAX_BYTES], key[SMB2_NTLM_KEY_BYTES];
	size_t bytes = 0;

	if (smb2_ntlm_authenticate(&identity, &nonces, challenge, size, message, &bytes, key) ==
		    0 &&
	    bytes > sizeof(message))
		fail("the answer to a challenge is too long");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct smb2_reply reply;
	size_t at = 0, last = 0;

	while (smb2_reply_next(data, size, &at, &reply) == 1) {
		if (at <= last || at > size)
			fail("a compound does not advance");
		last = at;
		read_reply(&reply);
	}
	answer(data, size);
	return 0;
}
