/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/smb2/session.h"

#include "base/clock.h"
#include "target/account.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* 3.3.1.5: the limits of most servers for a copy. A server that has others says
 * so. */
enum {
	COPY_CHUNKS = 256,
	COPY_CHUNK_BYTES = 1 << 20,
	COPY_BYTES = 16 << 20,
};

/* clang-format off */
const struct smb2_word smb2_dialects[] = {
	{"SMB2_02", SMB2_02},
	{"SMB2_10", SMB2_10},
	{"SMB3_00", SMB3_00},
	{"SMB3_02", SMB3_02},
	{"SMB3_11", SMB3_11},
	{NULL, 0},
};
/* clang-format on */
const struct smb2_word smb2_signings[] = {
	{"HMAC-SHA256", SMB2_HMAC_SHA256},
	{"AES-128-CMAC", SMB2_AES_CMAC},
	{"AES-128-GMAC", SMB2_AES_GMAC},
	{NULL, -1},
};
const struct smb2_word smb2_ciphers[] = {
	{"AES-128-CCM", SMB2_AES128_CCM},
	{"AES-128-GCM", SMB2_AES128_GCM},
	{"AES-256-CCM", SMB2_AES256_CCM},
	{"AES-256-GCM", SMB2_AES256_GCM},
	{NULL, -1},
};

static const struct smb2_word oplocks[] = {
	{"batch", SMB2_OPLOCK_BATCH},
	{"lease", SMB2_OPLOCK_LEASE},
	{NULL, SMB2_OPLOCK_NONE},
};

/* Return the number of a name, or that of the last row. */
static int number_of(const struct smb2_word *words, const char *name)
{
	while (words->name != NULL && (name == NULL || strcmp(words->name, name) != 0))
		words++;
	return words->number;
}

const char *smb2_word_of(const struct smb2_word *words, int number)
{
	while (words->name != NULL && words->number != number)
		words++;
	return words->name != NULL ? words->name : "";
}

/* Set the directory on the share: the rest of "share/a/b" after the share. */
static int set_root(struct backend_session *session, const char *directory)
{
	int length;

	if (directory[0] == '\0')
		return 0;
	length = smb2_put_path(session->names, SMB2_NAME_MAX - 2, directory);
	if (length < 0)
		return length;
	session->root_bytes = (size_t)length;
	return 0;
}

/* Note a break of an oplock or lease. Return true if the server waits for an
 * answer: it does not if only an oplock for reading is broken, or if the file is
 * being closed (3.2.5.19.1, 3.2.5.19.2). */
static bool on_break(void *context, const struct smb2_break *broken)
{
	struct smb2_user *user = context;
	size_t i;

	if (broken->is_lease)
		return broken->wants_answer;
	for (i = 0; i < user->slots.used; i++) {
		struct smb2_handle *open = &user->handles[i];
		bool exclusive = open->oplock > SMB2_OPLOCK_II;

		if (open->oplock == SMB2_OPLOCK_NONE ||
		    memcmp(open->id, broken->id, SMB2_FILE_ID_BYTES) != 0)
			continue;
		open->oplock = broken->level;
		return exclusive;
	}
	/* The stream that has opened the file may not have seen the reply yet. */
	return user->opening > 0;
}

static void set_login(struct backend_session *session, struct smb2_login *login,
		      const struct target *target, const struct smb_options *options,
		      const struct account *account)
{
	*login = (struct smb2_login){
		.anonymous = account->user[0] == '\0',
		.domain = account->domain,
		.user = account->user,
		.password = account->password,
		.hashed = target_says_yes(target, "nt-hash"),
		.guest = options->guest,
		.kerberos = options->kerberos,
		.min_dialect = (uint16_t)number_of(smb2_dialects, options->min_dialect),
		.max_dialect = (uint16_t)number_of(smb2_dialects, options->max_dialect),
		.sign = options->sign,
		.encrypt = options->encrypt,
		.signing = number_of(smb2_signings, target_option(target, "signing")),
		.cipher = number_of(smb2_ciphers, target_option(target, "cipher")),
		.timeout_ns = target->timeout_s * NS_PER_S,
		.on_break = on_break,
		.context = session->user,
	};
}

/* Choose the oplock to ask for. Servers without leases may have oplocks. */
static void set_oplock(struct backend_session *session, const struct target *target)
{
	struct smb2_user *user = session->user;

	user->oplock = (enum smb2_oplock)number_of(oplocks, target_option(target, "oplock"));
	if (user->oplock == SMB2_OPLOCK_LEASE && !session->smb.has_leases)
		user->oplock = SMB2_OPLOCK_BATCH;
}

struct smb2_name smb2_root_of(const struct backend_session *session)
{
	return (struct smb2_name){session->names, session->root_bytes};
}

/* Check that a directory exists. */
static int check_directory(struct backend_session *session, struct smb2_name name)
{
	const struct smb2_create fields = {
		.access = SMB2_READ_ATTRIBUTES,
		.share = SMB2_SHARE_READ | SMB2_SHARE_WRITE | SMB2_SHARE_DELETE,
		.disposition = SMB_OPEN,
		.options = SMB_DIRECTORY_FILE,
		.name = name,
	};
	struct smb2_session *smb = smb2_begin(&session->smb);
	int rc;

	smb2_put_create(smb, &fields);
	smb2_put_close(smb, smb2_created_id);
	rc = smb2_call(&session->smb);
	if (rc < 0 && smb2_lost(smb) == 0)
		smb->status = smb2_status(smb, 0);
	return rc;
}

static struct smb2_user *make_user(void)
{
	struct smb2_user *user = malloc(sizeof(*user));

	if (user == NULL)
		return NULL;
	memset(user, 0, offsetof(struct smb2_user, held));
	smb_slots_start(&user->slots);
	user->copy_max = (struct smb2_copied){
		.chunks = COPY_CHUNKS,
		.chunk_bytes = COPY_CHUNK_BYTES,
		.total_bytes = COPY_BYTES,
	};
	return user;
}

static struct backend_session *make_session(struct smb2_user *user)
{
	struct backend_session *session = malloc(sizeof(*session));

	if (session == NULL)
		return NULL;
	memset(session, 0, offsetof(struct backend_session, names));
	session->user = user;
	return session;
}

int smb2_user_log_in(const struct target *target, unsigned user, const struct smb_options *options,
		     struct backend_session **session)
{
	const struct account *account = account_of(target, user);
	struct smb2_user *shared = make_user();
	struct backend_session *new = shared != NULL ? make_session(shared) : NULL;
	struct smb2_login login;
	struct smb_place place;
	char *directory;
	int rc;

	*session = new;
	if (new == NULL) {
		free(shared);
		return -ENOMEM;
	}
	set_login(new, &login, target, options, account);
	rc = smb_place_make(target, &place);
	if (rc == 0) {
		directory = strchrnul(place.directory, '/');
		rc = set_root(new, *directory != '\0' ? directory + 1 : "");
		*directory = '\0';
	}
	if (rc == 0) {
		login.host = place.host;
		login.port = place.port;
		login.share = place.directory;
		rc = smb2_session_start(&new->smb, &login);
	}
	if (rc == 0) {
		set_oplock(new, target);
		rc = check_directory(new, smb2_root_of(new));
	}
	smb_place_free(&place);
	return rc;
}

/* Why the last smb2_user_open() failed; NULL: the errno says it all. */
static const char *refusal;

const char *smb2_loss_reason(const struct backend_session *session)
{
	return session != NULL ? smb2_cause(&session->smb) : refusal;
}

int smb2_user_open(const struct target *target, unsigned user, struct backend_session **session)
{
	struct smb_options options;
	int rc;

	smb_options_of(target, &options);
	rc = smb2_user_log_in(target, user, &options, session);
	refusal = NULL;
	if (rc < 0 && *session != NULL) {
		refusal = smb2_cause(&(*session)->smb);
		if (refusal == NULL)
			refusal = smb_status_name((*session)->smb.status);
	}
	if (rc < 0) {
		smb2_user_close(*session);
		*session = NULL;
	}
	return rc;
}

void smb2_user_close(struct backend_session *session)
{
	if (session == NULL)
		return;
	smb2_session_end(&session->smb);
	if (!session->is_shared)
		free(session->user);
	free(session);
}

int smb2_user_share(struct backend_session *session, struct fibers *fibers,
		    struct backend_session **another)
{
	struct backend_session *made = make_session(session->user);
	int rc;

	if (made == NULL)
		return -ENOMEM;
	made->is_shared = true;
	made->root_bytes = session->root_bytes;
	memcpy(made->names, session->names, session->root_bytes);
	rc = smb2_session_share(&session->smb, fibers, &made->smb);
	if (rc < 0) {
		smb2_user_close(made);
		return rc;
	}
	*another = made;
	return 0;
}

/* Write the name of a path below the target. Return its size or -errno. */
static int write_name(const struct backend_session *session, const char *text, uint8_t *out,
		      size_t max)
{
	size_t start = session->root_bytes;
	int rc = smb_check_names(text);

	if (rc < 0)
		return rc;
	if (start + 2 > max)
		return -ENAMETOOLONG;
	memcpy(out, session->names, start);
	if (start > 0 && text[0] != '\0') {
		out[start++] = '\\';
		out[start++] = '\0';
	}
	rc = smb2_put_path(out + start, max - start, text);
	return rc < 0 ? rc : (int)start + rc;
}

void smb2_recorded(struct backend_session *session, const struct smb_request *request,
		   const char *pattern)
{
	session->recorded = request;
	session->pattern = pattern;
}

const struct smb_request smb2_unrecorded;

const struct smb_request *smb2_take_recorded(struct backend_session *session)
{
	const struct smb_request *request = session->recorded;

	session->recorded = NULL;
	return request != NULL ? request : &smb2_unrecorded;
}

const char *smb2_take_pattern(struct backend_session *session)
{
	const char *pattern = session->pattern;

	session->pattern = NULL;
	return pattern != NULL ? pattern : "*";
}

int smb2_enter(struct backend_session *session, const char *name)
{
	const struct backend_path path = {.text = name};
	struct smb2_name found;
	int rc = smb2_name_of(session, &path, 0, &found);

	if (rc == 0)
		rc = check_directory(session, found);
	if (rc < 0)
		return rc;
	memmove(session->names, found.bytes, found.size);
	session->root_bytes = found.size;
	return 0;
}

int smb2_name_of(struct backend_session *session, const struct backend_path *path, unsigned number,
		 struct smb2_name *name)
{
	size_t start = number > 0 ? session->names_bytes : session->root_bytes;
	int rc = smb2_lost(&session->smb);

	if (rc < 0)
		return rc;
	rc = write_name(session, path->text, session->names + start, SMB2_NAME_MAX);
	if (rc < 0)
		return rc;
	*name = (struct smb2_name){session->names + start, (size_t)rc};
	session->names_bytes = start + name->size;
	return 0;
}
