/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The probe of an NFS target. Its messages say why the target cannot be used
 * and what to do.
 */
#include "target/nfs/session.h"

#include "target/nfs/connect.h"
#include "target/nfs/locks.h"
#include "target/nfs/rpc.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Max time to wait for answers that the run can do without: the list of exports
 * for a message, and the connection to NLM. */
enum { ASIDE_TIMEOUT_MS = 2000 };

const char *nfs_library_version(void)
{
	return NFS_VERSION;
}

/*
 * Check if the URL has the option `key` with another value than `plain` (no
 * protection), and libnfs would ignore it. Before version 6, libnfs does not
 * know these options and ignores unknown ones, so it would send everything
 * unprotected.
 */
static bool would_ignore(const struct target *target, const char *key, const char *plain)
{
#ifdef LIBNFS_API_V2
	return false;
#else
	const char *value = nfs_passed_option(target, key);
	size_t length = strlen(plain);

	return value != NULL && (strncmp(value, plain, length) != 0 ||
				 (value[length] != '\0' && value[length] != '&'));
#endif
}

/* Check the URL and the library. Refuse NFSv4 with libnfs 4, in which large
 * writes fail. */
static int check_target(const struct target *target, struct error *error)
{
	if (strchr(target->path, '/') == NULL) {
		error_set(error, "%s: expected nfs://HOST/EXPORT", target->url);
		return -EINVAL;
	}
	if (nfs_target_version(target) == 4 && nfs_get_version == NULL) {
		error_set(error, "%s: NFSv4 needs libnfs 5 or newer, but this is libnfs %s",
			  target->url, NFS_VERSION);
		return -ENOTSUP;
	}
	if (would_ignore(target, "sec", "sys") || would_ignore(target, "xprtsec", "none")) {
		error_set(error,
			  "%s: sec= and xprtsec= need libnfs 6 or newer, but this is libnfs %s",
			  target->url, NFS_VERSION);
		return -ENOTSUP;
	}
	return 0;
}

struct names {
	char text[256];
	size_t used;
};

static void add_name(struct names *names, const char *name)
{
	int length = snprintf(names->text + names->used, sizeof(names->text) - names->used, "%s%s",
			      names->used > 0 ? ", " : "", name);

	if (names->used + (size_t)length < sizeof(names->text))
		names->used += (size_t)length;
	names->text[names->used] = '\0';
}

static void take_exports(struct rpc_context *rpc, int status, void *result, void *private_data)
{
	struct nfs_call *call = private_data;
	struct exportnode node; /* a copy: libnfs does not align nodes */
	const void *next;

	nfs_call_answer(call, status == RPC_STATUS_SUCCESS ? 0 : -EIO);
	if (call->rc < 0)
		return;
	for (next = *(struct exportnode **)result; next != NULL; next = node.ex_next) {
		memcpy(&node, next, sizeof(node));
		add_name(call->answer, node.ex_dir);
	}
}

/* Ask mountd which directories the server exports. If that fails, `names`
 * remains empty. */
static void ask_exports(const struct target *target, struct names *names)
{
	struct nfs_connection mountd = {
		.rpc = rpc_init_context(),
		.timeout_ms = ASIDE_TIMEOUT_MS,
	};
	struct nfs_call call;
	struct nfs_place place;

	*names = (struct names){.used = 0};
	nfs_call_begin(&call, &mountd, NULL, names);
	if (nfs_place_make(target, &place) == 0 && mountd.rpc != NULL &&
	    mount_getexports_async(mountd.rpc, place.server, take_exports, &call) == 0)
		nfs_call_wait(&call);
	if (mountd.rpc != NULL)
		rpc_destroy_context(mountd.rpc);
	nfs_place_free(&place);
}

/* Check that the host has an address, since libnfs reports that badly. */
static int check_host(const struct target *target, struct error *error)
{
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found = NULL;
	struct nfs_place place;
	int rc = 0;

	/* nfs_session_try() reports a URL that is not valid. Only libnfs knows
	 * the addresses in brackets. */
	if (nfs_place_make(target, &place) == 0 && place.server[0] != '[')
		rc = getaddrinfo(place.server, NULL, &hints, &found);
	if (found != NULL)
		freeaddrinfo(found);
	if (rc != 0)
		error_set(error,
			  "cannot connect to %s: host \"%s\" was not found: %s (check the name of "
			  "the host; give a port as ?nfsport=N, not as :N)",
			  target->url, place.server, gai_strerror(rc));
	nfs_place_free(&place);
	return rc == 0 ? 0 : -EHOSTUNREACH;
}

/* Check if no connection was made, so that no server has refused anything. */
static bool is_unconnected(int rc)
{
	return rc == -ECONNREFUSED || rc == -ETIMEDOUT || rc == -EHOSTUNREACH ||
	       rc == -ENETUNREACH || rc == -ECONNRESET;
}

/* Check if the server may have refused a port above 1023; lower ones are for root:
 * the Linux server with EPERM or EACCES, Ganesha by denying the call. */
static bool is_port_refused(int rc, const char *words)
{
	return geteuid() != 0 &&
	       (rc == -EACCES || rc == -EPERM || (rc == -EIO && words[0] == '\0'));
}

/* Report why the target cannot be mounted. `words` is libnfs' message, or "". */
static void explain_mount(const struct target *target, int rc, const char *words,
			  struct error *error)
{
	const char *opening = words[0] != '\0' ? " (" : "";
	const char *closing = words[0] != '\0' ? ")" : "";
	struct names names = {.used = 0};

	if (is_unconnected(rc)) {
		error_set(error,
			  "cannot connect to %s: %s: no NFS server answers there; check the host, "
			  "its firewall, and the ports (?nfsport=N, with NFSv3 also mountport=N)",
			  target->url, strerror(-rc));
	} else if (is_port_refused(rc, words)) {
		error_set(error,
			  "cannot mount %s: %s%s%s%s: the server may accept only clients that run "
			  "as root; export with the option insecure, or run throng as root",
			  target->url, strerror(-rc), opening, words, closing);
	} else {
		if (words[0] != '\0' && (rc == -ENOENT || rc == -EACCES))
			ask_exports(target, &names);
		error_set(error, "cannot mount %s: %s%s%s%s%s%s", target->url, strerror(-rc),
			  opening, words, closing,
			  names.text[0] != '\0' ? ": the server may export other directories, or "
						  "may not export to this machine; its exports are "
						: "",
			  names.text);
	}
}

static int explain_write(const struct target *target, const struct backend_session *session, int rc,
			 struct error *error)
{
	if (rc == -EROFS)
		error_set(error, "cannot write to %s: %s: the export is read-only", target->url,
			  strerror(-rc));
	else if ((rc == -EACCES || rc == -EPERM) && session->shared->uid == 0)
		error_set(error,
			  "cannot write to %s: %s: the server maps root to nobody (root squash), "
			  "who may not write there; add uid=N&gid=N to the URL, or export with "
			  "no_root_squash",
			  target->url, strerror(-rc));
	else if (rc == -EACCES || rc == -EPERM)
		error_set(error,
			  "cannot write to %s: %s: user %u may not write there; add uid=N&gid=N of "
			  "another user to the URL",
			  target->url, strerror(-rc), (unsigned)session->shared->uid);
	else
		error_set(error, "cannot write to %s: %s", target->url, strerror(-rc));
	return rc;
}

/* Write a random name that no file has yet. */
static void invent_name(char *name, size_t size)
{
	uint64_t number = 0;

	if (getrandom(&number, sizeof(number), 0) != sizeof(number))
		number = (uint64_t)getpid();
	snprintf(name, size, ".throng-probe-%016jx", (uintmax_t)number);
}

static int64_t make_file(const struct backend *slots, struct backend_session *session,
			 const char *name)
{
	struct backend_path path = {.text = name};

	return slots->open(session, &path, OPEN_READ | OPEN_WRITE | OPEN_CREATE | OPEN_EXCLUSIVE);
}

static int try_write(const struct backend *slots, struct backend_session *session)
{
	char name[64];
	struct backend_path path = {.text = name};
	int64_t handle;
	int closed, removed;

	invent_name(name, sizeof(name));
	handle = make_file(slots, session, name);
	if (handle < 0)
		return (int)handle;
	closed = slots->close(session, handle);
	removed = slots->unlink(session, &path);
	return closed < 0 ? closed : removed;
}

/* Lock two files. One is not enough to know that locks work: some versions of
 * libnfs can lock only the first file of a session. */
static bool lock_two(const struct backend *slots, struct backend_session *session, const char *one,
		     const char *other)
{
	int64_t first = make_file(slots, session, one);
	int64_t second = make_file(slots, session, other);

	return first >= 0 && second >= 0 && slots->lock(session, first, 0, 1, 0) == 0 &&
	       slots->lock(session, second, 0, 1, 0) == 0 &&
	       slots->unlock(session, second, 0, 1) == 0 &&
	       slots->unlock(session, first, 0, 1) == 0 && slots->close(session, first) == 0 &&
	       slots->close(session, second) == 0;
}

/* Check if locks work. Use a separate session, since a failure may break it;
 * `session` removes the files afterwards. */
static bool can_lock(const struct target *target, struct backend_session *session)
{
	const struct backend *slots = target->backend;
	char one[64], other[64];
	struct backend_path paths[] = {{.text = one}, {.text = other}};
	struct backend_session *trying;
	bool can;

	if (slots->lock == NULL || nfs_session_open(target, 0, &trying) < 0)
		return false;
	invent_name(one, sizeof(one));
	invent_name(other, sizeof(other));
	can = lock_two(slots, trying, one, other);
	nfs_session_close(trying);
	slots->unlink(session, &paths[0]);
	slots->unlink(session, &paths[1]);
	return can;
}

static void take_space(struct nfs_call *call, const void *result)
{
	const struct statvfs *space = result;

	*(uint64_t *)call->answer = (uint64_t)space->f_bavail * space->f_frsize;
}

static void find_space(struct backend_session *session, uint64_t *free_bytes)
{
	uint64_t found;
	int rc;

	if (session->shared->version == 3)
		rc = nfs_rpc_fsstat(session, &found);
	else
		rc = NFS_PLAY(session, take_space, &found, nfs_statvfs_async, "/");
	*free_bytes = rc == 0 ? found : UINT64_MAX;
}

static void find_protection(const struct target *target, char *protection, size_t size)
{
	const char *value = nfs_passed_option(target, "sec");
	int length = value != NULL ? (int)strcspn(value, "&") : 0;

	snprintf(protection, size, "%.*s", length, value != NULL ? value : "");
	if (strcmp(protection, "sys") == 0)
		protection[0] = '\0';
}

static void find_facts(const struct target *target, struct backend_session *session,
		       struct backend_facts *facts)
{
	snprintf(facts->kind, sizeof(facts->kind), "%s",
		 session->shared->version == 3 ? "NFSv3" : "NFSv4.0");
	find_protection(target, facts->protection, sizeof(facts->protection));
	find_space(session, &facts->free_bytes);
	/* libnfs does not cache data, so it honours OPEN_DIRECT anyway. */
	facts->capabilities = CAP_LINKS | CAP_SYNC_OPENS | CAP_DIRECT;
	if (target->read_only || can_lock(target, session))
		facts->capabilities |= CAP_LOCKS;
	/* With NFSv4, libnfs resolves paths itself and follows symbolic links
	 * in them, so we must not claim CAP_LINK_CHECK. */
	if (session->shared->version == 4)
		return;
	facts->capabilities |= CAP_LINK_CHECK | CAP_DEEP_PATHS;
	if (session->shared->nfs.timeout_ms > ASIDE_TIMEOUT_MS)
		session->shared->nfs.timeout_ms = ASIDE_TIMEOUT_MS;
	if (nfs_locks_connect(session) == 0)
		facts->capabilities |= CAP_LOCK_PROCEDURES;
}

int nfs_probe_target(const struct target *target, struct backend_facts *facts, struct error *error)
{
	struct backend_session *session;
	char words[256];
	int rc = check_target(target, error);

	if (rc == 0)
		rc = check_host(target, error);
	if (rc < 0)
		return rc;
	rc = nfs_session_try(target, 0, &session, words, sizeof(words));
	if (rc < 0) {
		explain_mount(target, rc, words, error);
		return rc;
	}
	rc = target->read_only ? 0 : try_write(target->backend, session);
	if (rc < 0)
		explain_write(target, session, rc, error);
	else
		find_facts(target, session, facts);
	nfs_session_close(session);
	return rc;
}
