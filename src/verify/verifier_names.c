/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "verify/verifier_state.h"

#include <sys/stat.h>

void verifier_risk_rename(struct flight *flight, const char *from, const char *to)
{
	arena_ref old = verifier_find(from);

	/* Without a file of the old name, it may be a directory. */
	verifier_risk(flight, old, verifier_find(to), old == 0);
}

/* Begin to remove a name. */
static struct flight *begin_removal(const struct backend_session *session, const char *path)
{
	struct flight *flight = verifier_begin_names(session, path, NULL, 1);

	verifier_risk(flight, verifier_find(path), 0, false);
	verifier_launch();
	return flight;
}

static void end_removal(struct flight *flight, const char *path, int rc)
{
	if (verifier_land(flight))
		track_remove(&verifier.track, path, rc);
	verifier_finish(flight);
}

static int verifier_unlink(struct backend_session *session, const struct backend_path *path)
{
	struct flight *flight = begin_removal(session, path->text);
	int rc = verifier.real->unlink(session, path);

	end_removal(flight, path->text, rc);
	return rc;
}

static int verifier_rmdir(struct backend_session *session, const struct backend_path *path)
{
	struct flight *flight = begin_removal(session, path->text);
	int rc = verifier.real->rmdir(session, path);

	end_removal(flight, path->text, rc);
	return rc;
}

static int verifier_mkdir(struct backend_session *session, const struct backend_path *path)
{
	struct flight *flight = verifier_begin_names(session, path->text, NULL, 1);
	int rc;

	verifier_launch();
	rc = verifier.real->mkdir(session, path);
	if (verifier_land(flight))
		track_make(&verifier.track, path->text, rc);
	verifier_finish(flight);
	return rc;
}

static int verifier_rename(struct backend_session *session, const struct backend_path *from,
			   const struct backend_path *to, bool replace)
{
	struct flight *flight = verifier_begin_names(session, from->text, to->text, 2);
	int rc;

	verifier_risk_rename(flight, from->text, to->text);
	verifier_launch();
	rc = verifier.real->rename(session, from, to, replace);
	if (verifier_land(flight))
		track_rename(&verifier.track, from->text, to->text, verifier_outcome(session, rc));
	verifier_finish(flight);
	return rc;
}

static int verifier_swap(struct backend_session *session, const struct backend_path *one,
			 const struct backend_path *other)
{
	struct flight *flight = verifier_begin_names(session, one->text, other->text, 2);
	int rc;

	verifier_risk(flight, 0, 0, true);
	verifier_launch();
	rc = verifier.real->swap(session, one, other);
	if (verifier_land(flight))
		track_swap(&verifier.track, one->text, other->text, rc);
	verifier_finish(flight);
	return rc;
}

/* Begin a change of the permissions or the owner. */
static struct flight *begin_permissions(const struct backend_session *session, const char *path)
{
	struct flight *flight = verifier_begin_names(session, path, NULL, 1);
	arena_ref file = verifier_find(path);

	verifier_risk(flight, file, 0, file == 0);
	verifier_launch();
	return flight;
}

static void end_permissions(struct flight *flight, const char *path, bool readable, bool searchable,
			    int rc)
{
	if (verifier_land(flight))
		track_permissions(&verifier.track, path, readable, searchable, rc);
	verifier_finish(flight);
}

static int verifier_chmod(struct backend_session *session, const struct backend_path *path,
			  unsigned permissions)
{
	struct flight *flight = begin_permissions(session, path->text);
	int rc = verifier.real->chmod(session, path, permissions);

	end_permissions(flight, path->text, (permissions & S_IRUSR) != 0,
			(permissions & S_IXUSR) != 0, rc);
	return rc;
}

static int verifier_chown(struct backend_session *session, const struct backend_path *path,
			  uint32_t user_id, uint32_t group_id)
{
	const bool keeps = user_id == UINT32_MAX;
	struct flight *flight = begin_permissions(session, path->text);
	int rc = verifier.real->chown(session, path, user_id, group_id);

	end_permissions(flight, path->text, keeps, keeps, rc);
	return rc;
}

static int verifier_sync_parent(struct backend_session *session, const struct backend_path *path)
{
	struct flight *flight = verifier_begin_names(session, path->text, NULL, 0);
	int rc;

	verifier_launch();
	rc = verifier.real->sync_parent(session, path);
	if (verifier_land(flight))
		track_sync_parent(&verifier.track, path->text, rc);
	verifier_finish(flight);
	return rc;
}

static int verifier_link(struct backend_session *session, const struct backend_path *path,
			 const struct backend_path *existing)
{
	struct flight *flight = verifier_begin_names(session, path->text, existing->text, 1);
	int rc;

	verifier_launch();
	rc = verifier.real->link(session, path, existing);
	if (verifier_land(flight))
		track_link(&verifier.track, path->text, existing->text, rc);
	verifier_finish(flight);
	return rc;
}

void verifier_wrap_names(void)
{
	VERIFIER_WRAP(unlink);
	VERIFIER_WRAP(mkdir);
	VERIFIER_WRAP(rmdir);
	VERIFIER_WRAP(rename);
	VERIFIER_WRAP(swap);
	VERIFIER_WRAP(link);
	VERIFIER_WRAP(chmod);
	VERIFIER_WRAP(chown);
	VERIFIER_WRAP(sync_parent);
}
