/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Listings of directories in the built-in SMB client.
 */
#include "target/smb2/session.h"
#include "words/nt_status.h"
#include "words/smb_request.h"

#include <errno.h>
#include <string.h>

enum {
	NAME_BYTES = 1024, /* of a name in UTF-8 */
	/* Max size of an entry: its fixed part, a name of 255 characters, and
	 * the padding before it. */
	ENTRY_BYTES = 104 + 2 * 255 + 8,
	PATTERN_BYTES = 512, /* of a pattern in UTF-16 */
	/* Requests beside the one that lists: CREATE and CLOSE. */
	OTHER_REQUESTS = 2,
};

/* A listing. */
struct listing {
	struct smb_visits visits;
	uint8_t class; /* of the entries, MS-FSCC 2.4 */
	struct smb2_name pattern;
};

/* Visit the entries of a reply. A name that is not valid UTF-16 is skipped:
 * nobody could use it. Return 0 or -EPROTO. */
static int visit_entries(struct listing *listing, const struct smb2_data *data)
{
	struct smb2_entry entry;
	char name[NAME_BYTES];
	size_t at = 0;
	int rc;

	while ((rc = smb2_entry_next(data, listing->class, &at, &entry)) == 1) {
		if (smb2_get_text(name, sizeof(name), entry.name.bytes, entry.name.size) <= 0 ||
		    strchr(name, '/') != NULL || strchr(name, '\\') != NULL)
			continue;
		smb_visit(&listing->visits, name,
			  (entry.attributes & SMB2_DIRECTORY) != 0 ? ENTRY_DIRECTORY : ENTRY_FILE);
	}
	return rc;
}

/* Take a reply to QUERY_DIRECTORY. Return 1 if there may be more entries, 0 if
 * not, or -errno. */
static int take_entries(struct backend_session *session, struct listing *listing, unsigned number)
{
	uint32_t status = smb2_status(&session->smb, number);
	struct smb2_data data;
	int rc;

	/* An empty root directory has not even ".". */
	if (status == NT_STATUS_NO_MORE_FILES || status == NT_STATUS_NO_SUCH_FILE)
		return 0;
	rc = nt_status_errno(status);
	if (rc < 0)
		return rc;
	if (smb2_parse_query(smb2_reply(&session->smb, number), &data) < 0 || data.size == 0 ||
	    visit_entries(listing, &data) < 0)
		return smb2_invalid_reply(&session->smb, number);
	return !listing->visits.ended;
}

static void put_find(struct smb2_session *smb, const uint8_t *id, const struct listing *listing,
		     uint32_t bytes)
{
	smb2_put_find(smb, id, listing->class, listing->pattern, bytes);
}

/* Append the requests that open the directory and get its first entries. */
static void put_start(struct backend_session *session, const struct listing *listing,
		      struct smb2_name name, uint32_t bytes)
{
	const struct smb2_create fields = {
		.access = SMB2_READ_DATA | SMB2_READ_ATTRIBUTES,
		.share = SMB2_SHARE_READ | SMB2_SHARE_WRITE | SMB2_SHARE_DELETE,
		.disposition = SMB_OPEN,
		.options = SMB_DIRECTORY_FILE,
		.name = name,
	};
	smb2_put_create(&session->smb, &fields);
	put_find(&session->smb, smb2_created_id, listing, bytes);
}

/* Might a reply of `size` bytes have had no room for another entry? Some
 * servers never send more than 64 KiB. */
static bool is_full(uint32_t size, uint32_t bytes)
{
	return size + ENTRY_BYTES > bytes ||
	       (size <= SMB2_PAYLOAD_PER_CREDIT && size + ENTRY_BYTES > SMB2_PAYLOAD_PER_CREDIT);
}

static uint32_t count_entries(const struct listing *listing, const struct smb2_data *data)
{
	struct smb2_entry entry;
	uint32_t count = 0;
	size_t at = 0;

	while (smb2_entry_next(data, listing->class, &at, &entry) == 1)
		count++;
	return count;
}

/*
 * May the directory have more entries than this first reply? Only a further
 * request proves that it has none, but a listing is recorded as one request.
 * Some servers end a reply although the next entry would fit, after a number of
 * entries or of bytes. So we ask further after a reply that is longer than all
 * that have been complete, and always after the server has ended one early.
 */
static bool may_continue(const struct backend_session *session, const struct listing *listing,
			 const struct smb2_data *data, uint32_t bytes)
{
	const struct smb2_complete *known = &session->user->complete_listing;

	return is_full(data->size, bytes) || session->user->lists_in_parts ||
	       data->size > known->bytes || count_entries(listing, data) > known->entries;
}

/* Remember if the first reply to a request for `bytes` bytes was complete,
 * which further requests have shown. */
static void learn(struct backend_session *session, const struct smb2_complete *first, bool complete,
		  uint32_t bytes)
{
	struct smb2_complete *known = &session->user->complete_listing;

	if (!complete) {
		if (!is_full(first->bytes, bytes))
			session->user->lists_in_parts = true;
		return;
	}
	if (first->bytes > known->bytes)
		known->bytes = first->bytes;
	if (first->entries > known->entries)
		known->entries = first->entries;
}

/*
 * List the directory in one round trip. Return 0 or -errno; or 1, before any
 * entry is visited, if the directory may have more entries than the reply.
 */
static int list_at_once(struct backend_session *session, struct listing *listing,
			struct smb2_name name)
{
	struct smb2_session *smb = &session->smb;
	uint32_t bytes = smb2_begin_listing(smb, OTHER_REQUESTS);
	struct smb2_data data;
	int rc;

	put_start(session, listing, name, bytes);
	smb2_put_close(smb, smb2_created_id);
	rc = smb2_exchange(smb);
	if (rc == 0)
		rc = nt_status_errno(smb2_status(smb, 0));
	if (rc < 0)
		return rc;
	if (smb2_status(smb, 1) == NT_STATUS_OK &&
	    smb2_parse_query(smb2_reply(smb, 1), &data) == 0 &&
	    may_continue(session, listing, &data, bytes))
		return 1;
	rc = take_entries(session, listing, 1);
	return rc < 0 ? rc : nt_status_errno(smb2_status(smb, 2));
}

/* Get the rest of a listing. Return the number of replies that have entries, or
 * -errno. */
static int list_rest(struct backend_session *session, struct listing *listing, const uint8_t *id)
{
	static const char endless[] = "a listing does not end";
	struct smb2_session *smb = &session->smb;
	int rc, count = 0;

	for (;;) {
		put_find(smb, id, listing, smb2_begin_listing(smb, OTHER_REQUESTS));
		rc = smb2_exchange(smb);
		/* The server has answered before, so its reply may be on the
		 * way when the time is up. */
		if (rc == -ETIMEDOUT && count > 0)
			return smb2_give_up(smb, rc, endless);
		if (rc == 0)
			rc = take_entries(session, listing, 0);
		if (rc <= 0)
			return rc < 0 ? rc : count;
		count++;
		if (smb2_is_overdue(smb))
			return smb2_give_up(smb, -ETIMEDOUT, endless);
	}
}

/* Visit the entries of the reply that list_all() has got, then get the rest.
 * Return 0 or -errno. */
static int continue_listing(struct backend_session *session, struct listing *listing,
			    const uint8_t *id, uint32_t bytes)
{
	struct smb2_complete first = {0};
	struct smb2_data data;
	int rc;

	if (smb2_parse_query(smb2_reply(&session->smb, 1), &data) == 0)
		first = (struct smb2_complete){
			data.size,
			count_entries(listing, &data),
		};
	rc = take_entries(session, listing, 1);
	if (rc != 1)
		return rc;
	rc = list_rest(session, listing, id);
	if (rc < 0)
		return rc;
	if (!listing->visits.ended)
		learn(session, &first, rc == 0, bytes);
	return 0;
}

/* List a directory that may have any number of entries. */
static int list_all(struct backend_session *session, struct listing *listing, struct smb2_name name)
{
	struct smb2_session *smb = &session->smb;
	uint32_t bytes = smb2_begin_listing(smb, OTHER_REQUESTS);
	struct smb2_created created;
	int rc, closed;

	put_start(session, listing, name, bytes);
	rc = smb2_exchange(smb);
	if (rc == 0)
		rc = nt_status_errno(smb2_status(smb, 0));
	if (rc < 0)
		return rc;
	if (smb2_parse_create(smb2_reply(smb, 0), &created) < 0)
		return smb2_invalid_reply(smb, 0);
	rc = continue_listing(session, listing, created.file_id, bytes);
	if (smb2_lost(smb) != 0)
		return rc;
	smb2_put_close(smb2_begin(&session->smb), created.file_id);
	closed = smb2_call(&session->smb);
	return rc < 0 ? rc : closed;
}

int smb2_list(struct backend_session *session, const struct backend_path *path,
	      backend_visit *visit, void *context)
{
	uint8_t class = smb2_entry_class_of(smb2_take_recorded(session));
	const char *pattern = smb2_take_pattern(session);
	uint8_t text[PATTERN_BYTES];
	int size = smb2_put_text(text, sizeof(text), pattern);
	struct listing listing = {
		.visits = {.visit = visit, .context = context},
		.class = class != 0 ? class : SMB2_BOTH_DIRECTORY_INFORMATION,
	};
	struct smb2_name name;
	int rc = smb2_name_of(session, path, 0, &name);

	/* The caller skips the names that do not match a pattern that cannot be
	 * sent. */
	if (size <= 0)
		size = smb2_put_text(text, sizeof(text), "*");
	listing.pattern = (struct smb2_name){text, (size_t)size};
	smb2_deadline_begin(&session->smb);
	if (rc == 0)
		rc = list_at_once(session, &listing, name);
	if (rc == 1)
		rc = list_all(session, &listing, name);
	smb2_deadline_end(&session->smb);
	if (rc < 0)
		return rc;
	smb_visit_dots(&listing.visits);
	return 0;
}
