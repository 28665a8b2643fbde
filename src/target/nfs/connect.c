/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/nfs/connect.h"

#include "target/nfs/locks.h"
#include "target/nfs/rpc.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Options of libnfs that suit a benchmark; options in the URL override them.
 * With these, listings come from the server and not from a cache, an operation
 * fails at once if the connection is lost, and libnfs does not enter other
 * exports that are mounted below the target.
 */
#define DEFAULTS "dircache=0&autoreconnect=0&auto-traverse-mounts=0"

enum { DEFAULT_TRANSFER_BYTES = 1 << 20 };

const char *nfs_passed_option(const struct target *target, const char *key)
{
	const char *option = target->passed;
	size_t length = strlen(key);

	while (*option != '\0') {
		if (strncmp(option, key, length) == 0 && option[length] == '=')
			return option + length + 1;
		option += strcspn(option, "&");
		option += *option == '&';
	}
	return NULL;
}

int nfs_target_version(const struct target *target)
{
	return atoi(target_option(target, "version"));
}

/* Remove superfluous slashes: "/a//b/" becomes "/a/b". */
static void tidy(char *directory)
{
	char *out = directory, *in;

	for (in = directory; *in != '\0'; in++)
		if (*in != '/' || (in[1] != '/' && in[1] != '\0'))
			*out++ = *in;
	if (out == directory)
		*out++ = '/';
	*out = '\0';
}

static uint32_t number(const struct target *target, const char *key, uint32_t otherwise)
{
	const char *value = nfs_passed_option(target, key);

	return value != NULL ? (uint32_t)strtoul(value, NULL, 10) : otherwise;
}

int nfs_place_make(const struct target *target, struct nfs_place *place)
{
	size_t host = strcspn(target->path, "/");

	*place = (struct nfs_place){
		.server = strndup(target->path, host),
		.directory = strdup(target->path + host),
		.uid = number(target, "uid", getuid()),
		.gid = number(target, "gid", getgid()),
	};
	if (asprintf(&place->options_url, "nfs://%s%s%s/?" DEFAULTS "&version=%s&%s", target->user,
		     target->user[0] != '\0' ? "@" : "", place->server,
		     target_option(target, "version"), target->passed) < 0)
		place->options_url = NULL;
	if (place->server == NULL || place->directory == NULL || place->options_url == NULL)
		return -ENOMEM;
	/* Decode %XX here, because libnfs does it only since version 5. */
	if (host == 0 || place->directory[0] == '\0' || target_decode(place->directory) < 0)
		return -EINVAL;
	tidy(place->directory);
	return 0;
}

void nfs_place_free(struct nfs_place *place)
{
	free(place->server);
	free(place->directory);
	free(place->options_url);
}

/* Return a better -errno than `rc` for a failure that libnfs reports only by
 * its message `words`. */
static int reason_in(const char *words, int rc)
{
	if (strstr(words, "Invalid address") != NULL)
		return -ENXIO;
	if (strstr(words, "Network is unreachable") != NULL)
		return -ENETUNREACH;
	if (strstr(words, "No route to host") != NULL)
		return -EHOSTUNREACH;
	return rc == -1 || rc == -EFAULT ? -EIO : rc;
}

static void disconnect(struct nfs_connection *nfs)
{
	if (nfs->context != NULL)
		nfs_destroy_context(nfs->context);
	nfs->context = NULL;
	nfs->rpc = NULL;
}

/*
 * Set a unique client name: if two clients have the same name, an NFSv4 server
 * takes them for one client that has restarted. The default name of libnfs is
 * made of the process ID and the time in seconds, so it is not unique.
 */
static void set_identity(struct nfs_context *nfs)
{
	uint64_t numbers[3];
	char name[64];

	if (getrandom(numbers, sizeof(numbers), 0) != sizeof(numbers))
		return;
	snprintf(name, sizeof(name), "throng %016jx%016jx", (uintmax_t)numbers[0],
		 (uintmax_t)numbers[1]);
	nfs4_set_client_name(nfs, name);
	nfs4_set_verifier(nfs, (const char *)&numbers[2]);
}

/* Mount `export`. After a failure, `why` contains libnfs' message, or "". */
static int mount_export(struct backend_session *session, const struct nfs_place *place,
			const char *export, char *why, size_t size)
{
	struct nfs_connection *nfs = &session->shared->nfs;
	struct nfs_url *url = NULL;
	int rc = -ENOMEM;

	nfs->broken = 0;
	nfs->context = nfs_init_context();
	if (nfs->context == NULL)
		return -ENOMEM;
	nfs->rpc = nfs_get_rpc_context(nfs->context);
	nfs_set_timeout(nfs->context, nfs->timeout_ms);
	nfs_umask(nfs->context, (uint16_t)session->shared->umask);
	if (session->shared->version == 4)
		set_identity(nfs->context);
	url = nfs_parse_url_dir(nfs->context, place->options_url);
	if (url == NULL) {
		rc = -EINVAL;
	} else {
		nfs_destroy_url(url);
		rc = NFS_PLAY(session, NULL, NULL, nfs_mount_async, place->server, export);
	}
	if (rc < 0) {
		const char *words = nfs_get_error(nfs->context);

		/* If the connection is dead, our -errno says more than libnfs'
		 * message, so drop the message. */
		if (words == NULL || nfs->broken < 0)
			words = "";
		snprintf(why, size, "%s", words);
		rc = reason_in(why, rc);
		disconnect(nfs);
	}
	return rc;
}

/*
 * Mount the target's directory. With NFSv3, if the server does not allow that,
 * mount the nearest directory above it that can be mounted. Set *rest to the
 * path from the mounted directory to the target's directory.
 */
static int mount_nearest(struct backend_session *session, struct nfs_place *place,
			 const char **rest, char *why, size_t size)
{
	char *end = place->directory + strlen(place->directory);
	char *cut = end;
	char ignored[1];
	int first = mount_export(session, place, place->directory, why, size);
	int rc = first;

	*rest = cut;
	if (session->shared->version != 3)
		return first;
	while (rc == -ENOENT || rc == -EACCES || rc == -ENOTDIR || rc == -EINVAL) {
		char *former = cut;

		do
			cut--;
		while (cut > place->directory && *cut != '/');
		if (cut == place->directory)
			return first;
		if (former < end)
			*former = '/';
		*cut = '\0';
		*rest = cut + 1;
		rc = mount_export(session, place, place->directory, ignored, sizeof(ignored));
	}
	return rc;
}

/* Get the handle of the mounted directory. libnfs returns only handles of open
 * files, so open the directory like a file. */
static int find_root(struct backend_session *session)
{
	static const int ways[] = {O_RDONLY, O_WRONLY};
	struct nfsfh *file = NULL;
	struct nfs_handle *root = &session->shared->root;
	const nfs_fh3 *handle;
	size_t i;
	int rc = -EACCES;

	for (i = 0; i < 2 && rc == -EACCES; i++)
		rc = NFS_PLAY(session, nfs_take_file, &file, nfs_open_async, "/", ways[i]);
	if (rc < 0)
		return rc;
	handle = nfs_handle_inside(file);
	if (handle->data.data_len > NFS_HANDLE_BYTES)
		return -EREMOTEIO;
	root->length = handle->data.data_len;
	memcpy(root->bytes, handle->data.data_val, root->length);
	return NFS_PLAY(session, NULL, NULL, nfs_close_async, file);
}

/* Set shared->root to the handle of the target's directory. */
static int enter_directory(struct backend_session *session, const char *rest)
{
	struct backend_path path = {.text = rest};
	const struct nfs_path *parts;
	struct nfs_shared *shared = session->shared;
	struct nfs_found found;
	int rc = find_root(session);

	if (rc < 0)
		return rc;
	parts = nfs_path_of(session, &path);
	if (parts == NULL)
		return -ENOMEM;
	rc = nfs_rpc_find(session, parts, &found);
	if (rc < 0)
		return rc;
	shared->root = found.handle;
	return found.attributes.type == NF3DIR ? 0 : -ENOTDIR;
}

static int check_directory(struct backend_session *session)
{
	struct nfs_stat_64 found;
	int rc = NFS_PLAY(session, nfs_take_stat, &found, nfs_lstat64_async, "/");

	if (rc < 0)
		return rc;
	return S_ISDIR(found.nfs_mode) ? 0 : -ENOTDIR;
}

static size_t transfer_size(uint64_t size)
{
	return size > 0 ? (size_t)size : DEFAULT_TRANSFER_BYTES;
}

/* Send each call at once: it must not wait until the server has acknowledged those
 * before it. Before version 6, libnfs does not set this. */
static void be_prompt(const struct nfs_connection *nfs)
{
	const int yes = 1;

	setsockopt(rpc_get_fd(nfs->rpc), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
}

static int connect_to(struct backend_session *session, struct nfs_place *place, char *why,
		      size_t size)
{
	struct nfs_shared *shared = session->shared;
	const char *rest;
	struct nfs_context *nfs;
	int rc = mount_nearest(session, place, &rest, why, size);

	if (rc < 0)
		return rc;
	be_prompt(&shared->nfs);
	nfs = shared->nfs.context;
	shared->read_max = transfer_size(nfs_get_readmax(nfs));
	shared->write_max = transfer_size(nfs_get_writemax(nfs));
	if (shared->version == 3)
		rc = enter_directory(session, rest);
	else
		rc = check_directory(session);
	if (rc < 0)
		why[0] = '\0';
	return rc;
}

/* Make a session with this shared part. Return NULL if there is no memory. */
static struct backend_session *make_session(struct nfs_shared *shared)
{
	struct backend_session *made = calloc(1, sizeof(*made));

	if (made == NULL)
		return NULL;
	made->shared = shared;
	if (shared->version == 3) {
		made->entries = malloc(NFS_ENTRIES_BYTES);
		if (made->entries == NULL) {
			free(made);
			return NULL;
		}
	}
	shared->sessions++;
	return made;
}

static void disconnect_all(struct nfs_shared *shared)
{
	nfs_locks_close(shared);
	disconnect(&shared->nfs);
}

static void close_shared(struct nfs_shared *shared)
{
	int i;

	disconnect_all(shared);
	for (i = 0; i < shared->file_count; i++) {
		free(shared->files[i]->path);
		free(shared->files[i]);
	}
	free(shared->files);
	free(shared->server);
	nfs_cache_close(&shared->cache);
	free(shared);
}

/* Make the first session of a user. Return NULL if there is no memory. */
static struct backend_session *make_first(const struct target *target, unsigned user)
{
	struct nfs_shared *shared = calloc(1, sizeof(*shared));
	mode_t mask = umask(0);
	struct backend_session *made;

	umask(mask);
	if (shared == NULL)
		return NULL;
	shared->first_free = -1;
	shared->user = user;
	shared->umask = mask;
	shared->nfs.timeout_ms = (int)target->timeout_s * 1000;
	shared->version = nfs_target_version(target);
	made = make_session(shared);
	if (made == NULL)
		close_shared(shared);
	return made;
}

int nfs_session_try(const struct target *target, unsigned user, struct backend_session **session,
		    char *why, size_t size)
{
	struct backend_session *made = make_first(target, user);
	struct nfs_place place;
	int rc;

	why[0] = '\0';
	if (made == NULL)
		return -ENOMEM;
	rc = nfs_place_make(target, &place);
	if (rc == 0) {
		made->shared->uid = place.uid;
		made->shared->gid = place.gid;
		made->shared->server = strdup(place.server);
		rc = made->shared->server != NULL ? connect_to(made, &place, why, size) : -ENOMEM;
	}
	nfs_place_free(&place);
	if (rc < 0) {
		nfs_session_close(made);
		return rc;
	}
	*session = made;
	return 0;
}

int nfs_session_open(const struct target *target, unsigned user, struct backend_session **session)
{
	char words[1];

	return nfs_session_try(target, user, session, words, sizeof(words));
}

int nfs_session_share(struct backend_session *session, struct fibers *fibers,
		      struct backend_session **another)
{
	struct nfs_shared *shared = session->shared;

	*another = make_session(shared);
	if (*another == NULL)
		return -ENOMEM;
	/* A call may be slow while others are answered. Only silence ends the
	 * connection, and libnfs, which ends single calls, does not know it. */
	nfs_set_timeout(shared->nfs.context, 0);
	nfs_connection_share(&shared->nfs, fibers);
	return 0;
}

void nfs_session_close(struct backend_session *session)
{
	struct nfs_shared *shared = session->shared;

	/* libnfs now ends the calls in flight, which are parts of the sessions. */
	if (shared->nfs.broken < 0)
		disconnect_all(shared);
	shared->sessions--;
	if (shared->sessions == 1)
		nfs_connection_share(&shared->nfs, NULL);
	if (shared->sessions == 0)
		close_shared(shared);
	while (session->made != NULL) {
		struct nfs_path *path = session->made;

		session->made = path->next;
		free(path);
	}
	free(session->plain[0]);
	free(session->plain[1]);
	free(session->entries);
	free(session);
}
