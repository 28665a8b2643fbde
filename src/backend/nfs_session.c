/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "backend/nfs_session.h"

#include "backend/nfs_locks.h"
#include "backend/nfs_rpc.h"
#include "backend/nfs_url.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>

enum { DEFAULT_TRANSFER_BYTES = 1 << 20 };

/* --- waiting ---------------------------------------------------------- */

/* Why a socket is of no use any more; the library does not keep it. */
static int socket_error(const struct pollfd *fd)
{
	int error_number = 0;
	socklen_t size = sizeof(error_number);

	if ((fd->revents & (POLLERR | POLLHUP)) == 0 ||
	    getsockopt(fd->fd, SOL_SOCKET, SO_ERROR, &error_number, &size) < 0)
		return -ENOTCONN;
	return error_number > 0 ? -error_number : -ENOTCONN;
}

int nfs_session_wait(struct backend_session *session, struct rpc_context *rpc)
{
	while (!session->call.answered) {
		struct pollfd fd = {
			.fd = rpc_get_fd(rpc),
			.events = (short)rpc_which_events(rpc),
		};
		int ready = poll(&fd, 1, session->timeout_ms), lost;

		if (ready < 0 && errno == EINTR)
			continue;
		if (ready <= 0) {
			session->broken = ready < 0 ? -errno : -ETIMEDOUT;
			return session->broken;
		}
		lost = (fd.revents & POLLIN) == 0 ? socket_error(&fd)
						  : -ENOTCONN;
		/* What was queued is left in the library, and an answer to it
		 * has nowhere to go: nothing more is asked after this. */
		if (rpc_service(rpc, fd.revents) < 0) {
			session->broken = lost;
			return session->broken;
		}
	}
	return session->call.rc;
}

void nfs_answered(int status, struct nfs_context *nfs, void *result,
		  void *private_data)
{
	struct nfs_call *call = private_data;

	(void)nfs;
	call->answered = true;
	/* The library's word for a time-out. */
	call->rc = status == -EINTR ? -ETIMEDOUT : status;
	if (status >= 0 && call->take != NULL)
		call->take(call, result);
}

void nfs_take_stat(struct nfs_call *call, const void *result)
{
	memcpy(call->answer, result, sizeof(struct nfs_stat_64));
}

void nfs_take_file(struct nfs_call *call, const void *result)
{
	*(const struct nfsfh **)call->answer = result;
}

/* --- connecting ------------------------------------------------------- */

/* What the library has no errno for. */
static int reason_in(const char *words, int rc)
{
	if (strstr(words, "Invalid address") != NULL)
		return -ENXIO;
	return rc == -1 || rc == -EFAULT ? -EIO : rc;
}

static void disconnect(struct backend_session *session)
{
	if (session->nfs != NULL)
		nfs_destroy_context(session->nfs);
	session->nfs = NULL;
	session->rpc = NULL;
	session->broken = 0;
}

/*
 * To NFSv4 servers two clients of one name are one that has restarted; what
 * libnfs makes up, of process and second, is not unique.
 */
static void set_identity(struct nfs_context *nfs)
{
	uint64_t numbers[3];
	char name[64];

	if (getrandom(numbers, sizeof(numbers), 0) != sizeof(numbers))
		return;
	snprintf(name, sizeof(name), "throng %016jx%016jx",
		 (uintmax_t)numbers[0], (uintmax_t)numbers[1]);
	nfs4_set_client_name(nfs, name);
	nfs4_set_verifier(nfs, (const char *)&numbers[2]);
}

/* Mounts `export`; the rest of a failure's words go into `why`. */
static int mount_export(struct backend_session *session,
			const struct nfs_place *place, const char *export,
			char *why, size_t size)
{
	struct nfs_url *url = NULL;
	int rc = -ENOMEM;

	session->nfs = nfs_init_context();
	if (session->nfs == NULL)
		return -ENOMEM;
	session->rpc = nfs_get_rpc_context(session->nfs);
	nfs_set_timeout(session->nfs, session->timeout_ms);
	nfs_umask(session->nfs, (uint16_t)session->umask);
	if (session->version == 4)
		set_identity(session->nfs);
	url = nfs_parse_url_dir(session->nfs, place->options_url);
	if (url == NULL) {
		rc = -EINVAL;
	} else {
		nfs_destroy_url(url);
		rc = NFS_PLAY(session, NULL, NULL, nfs_mount_async,
			      place->server, export);
	}
	if (rc < 0) {
		const char *words = nfs_get_error(session->nfs);

		/* Of a dead connection the library tells less than errno. */
		snprintf(why, size, "%s",
			 words != NULL && session->broken == 0 ? words : "");
		rc = reason_in(why, rc);
		disconnect(session);
	}
	return rc;
}

/*
 * Mounts the directory itself; or, where a server lets exports alone be
 * mounted, the nearest one above. Sets *rest to the path from there on.
 */
static int mount_nearest(struct backend_session *session,
			 struct nfs_place *place, const char **rest,
			 char *why, size_t size)
{
	char *end = place->directory + strlen(place->directory);
	char *cut = end;
	char ignored[1];
	int first = mount_export(session, place, place->directory, why, size);
	int rc = first;

	*rest = cut;
	if (session->version != 3)
		return first;
	while (rc == -ENOENT || rc == -EACCES || rc == -ENOTDIR ||
	       rc == -EINVAL) {
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
		rc = mount_export(session, place, place->directory, ignored,
				  sizeof(ignored));
	}
	return rc;
}

/* The handle of the mount's root: libnfs gives those of open files only. */
static int find_root(struct backend_session *session)
{
	static const int ways[] = {O_RDONLY, O_WRONLY};
	struct nfsfh *file = NULL;
	const nfs_fh3 *handle;
	size_t i;
	int rc = -EACCES;

	for (i = 0; i < 2 && rc == -EACCES; i++)
		rc = NFS_PLAY(session, nfs_take_file, &file, nfs_open_async,
			      "/", ways[i]);
	if (rc < 0)
		return rc;
	handle = nfs_handle_inside(file);
	if (handle->data.data_len > NFS_HANDLE_BYTES)
		return -EREMOTEIO;
	session->root.length = handle->data.data_len;
	memcpy(session->root.bytes, handle->data.data_val,
	       session->root.length);
	return NFS_PLAY(session, NULL, NULL, nfs_close_async, file);
}

/* Sets session->root to the target's directory. */
static int enter_directory(struct backend_session *session, const char *rest)
{
	struct backend_path path = {.text = rest};
	const struct nfs_path *parts;
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
	session->root = found.handle;
	return found.attributes.type == NF3DIR ? 0 : -ENOTDIR;
}

static int check_directory(struct backend_session *session)
{
	struct nfs_stat_64 found;
	int rc = NFS_PLAY(session, nfs_take_stat, &found, nfs_lstat64_async,
			  "/");

	if (rc < 0)
		return rc;
	return S_ISDIR(found.nfs_mode) ? 0 : -ENOTDIR;
}

static size_t transfer_size(uint64_t size)
{
	return size > 0 ? (size_t)size : DEFAULT_TRANSFER_BYTES;
}

static int connect_to(struct backend_session *session,
		      struct nfs_place *place, char *why, size_t size)
{
	const char *rest;
	int rc = mount_nearest(session, place, &rest, why, size);

	if (rc < 0)
		return rc;
	session->read_max = transfer_size(nfs_get_readmax(session->nfs));
	session->write_max = transfer_size(nfs_get_writemax(session->nfs));
	if (session->version == 3)
		rc = enter_directory(session, rest);
	else
		rc = check_directory(session);
	if (rc < 0)
		why[0] = '\0';
	return rc;
}

int nfs_session_try(const struct target *target, unsigned user,
		    struct backend_session **session, char *why, size_t size)
{
	struct backend_session *made = calloc(1, sizeof(*made));
	mode_t mask = umask(0);
	struct nfs_place place;
	int rc;

	umask(mask);
	why[0] = '\0';
	if (made == NULL)
		return -ENOMEM;
	made->first_free = -1;
	made->user = user;
	made->umask = mask;
	made->timeout_ms = (int)target->timeout_s * 1000;
	made->version = nfs_target_version(target);
	rc = nfs_place_make(target, &place);
	if (rc == 0) {
		made->uid = place.uid;
		made->gid = place.gid;
		rc = connect_to(made, &place, why, size);
	}
	if (rc == 0 && made->version == 3) {
		made->entries = malloc(NFS_ENTRIES_BYTES);
		made->server = strdup(place.server);
		rc = made->entries != NULL && made->server != NULL
			     ? 0 : -ENOMEM;
	}
	nfs_place_free(&place);
	if (rc < 0) {
		nfs_session_close(made);
		return rc;
	}
	*session = made;
	return 0;
}

int nfs_session_open(const struct target *target, unsigned user,
		     struct backend_session **session)
{
	char words[1]; /* probe reports them */

	return nfs_session_try(target, user, session, words, sizeof(words));
}

void nfs_session_close(struct backend_session *session)
{
	int i;

	while (session->made != NULL) {
		struct nfs_path *path = session->made;

		session->made = path->next;
		free(path);
	}
	nfs_locks_close(session);
	disconnect(session);
	for (i = 0; i < session->file_count; i++)
		free(session->files[i].path);
	free(session->files);
	free(session->plain[0]);
	free(session->plain[1]);
	free(session->entries);
	free(session->server);
	nfs_cache_close(&session->cache);
	free(session);
}

/* --- paths ------------------------------------------------------------ */

/* Fills a path, which is made or made larger first where it has to be. */
static int fill(struct nfs_path **path, const char *text)
{
	size_t length = strlen(text), i;
	size_t needed = 2 * length + 4;
	struct nfs_path *filled = *path;
	char *whole;

	if (filled == NULL || filled->room < needed) {
		filled = realloc(filled, sizeof(*filled) + needed);
		if (filled == NULL)
			return -ENOMEM;
		*path = filled;
		filled->room = needed;
	}
	filled->components = length > 0;
	for (i = 0; i <= length; i++) {
		bool ends = text[i] == '/';

		filled->text[i] = text[i];
		if (ends)
			filled->text[i] = '\0';
		filled->components += ends;
	}
	whole = filled->text + length + 1;
	whole[0] = '/';
	memcpy(whole + 1, text, length + 1);
	filled->whole = whole;
	return 0;
}

int nfs_path_make(struct backend_session *session, struct backend_path *path)
{
	struct nfs_path *made = NULL;

	if (fill(&made, path->text) < 0)
		return -ENOMEM;
	made->next = session->made;
	session->made = made;
	path->made = made;
	return 0;
}

const struct nfs_path *nfs_path_of(struct backend_session *session,
				   const struct backend_path *path)
{
	unsigned i;

	if (path->made != NULL)
		return path->made;
	i = session->next_plain;
	session->next_plain = 1 - i;
	if (fill(&session->plain[i], path->text) < 0)
		return NULL;
	return session->plain[i];
}

int nfs_path_keep(struct nfs_path **kept, const struct nfs_path *path)
{
	return fill(kept, path->whole + 1);
}

/* --- open files ------------------------------------------------------- */

int64_t nfs_file_take(struct backend_session *session, uint64_t flags)
{
	int taken = session->first_free;
	struct nfs_file *file;

	if (taken < 0) {
		int count = session->file_count * 2 + 16, i;
		struct nfs_file *files = realloc(
			session->files, (size_t)count * sizeof(*files));

		if (files == NULL)
			return -ENOMEM;
		memset(files + session->file_count, 0,
		       (size_t)(count - session->file_count) *
			       sizeof(*files));
		for (i = session->file_count; i < count; i++)
			files[i].next_free = i + 1 < count ? i + 1 : -1;
		taken = session->file_count;
		session->files = files;
		session->file_count = count;
	}
	file = &session->files[taken];
	session->first_free = file->next_free;
	file->flags = flags;
	file->directory = false;
	file->dirty = false;
	return taken;
}

void nfs_file_give_back(struct backend_session *session, int64_t handle)
{
	struct nfs_file *file = &session->files[handle];

	file->file = NULL;
	file->next_free = session->first_free;
	session->first_free = (int)handle;
}
