/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "verify/verifier_state.h"

/* Call the NFS procedure WRITE. */
static int64_t call_write(struct backend_session *session, const struct backend_call *call)
{
	struct flight *flight = verifier_begin_names(session, call->path->text, NULL, 0);
	struct backend_call own = *call;
	struct track_write write = {
		.file = verifier_find(call->path->text),
		.offset = call->offset,
		.size = call->size,
		.stable = call->stable != 0,
	};
	bool known = write.file != 0 && !map_file(verifier.map, write.file)->unknown;
	int64_t put;

	if (known)
		own.data = verifier_begin_write(flight, &write, write.offset + write.size);
	verifier_launch();
	put = verifier.real->procedure(session, &own);
	if (known)
		verifier_land_write(session, flight, &write, put);
	else
		verifier_land(flight);
	verifier_finish(flight);
	return put;
}

/* Call the NFS procedure READ. */
static int64_t call_read(struct backend_session *session, const struct backend_call *call)
{
	struct flight *flight = verifier_begin_names(session, call->path->text, NULL, 0);
	const struct compare_reader reader = {
		.backend = verifier.real,
		.session = session,
		.call = call,
		.buffer = call->buffer,
	};
	struct compare_read read = {
		.file = verifier_find(call->path->text),
		.offset = call->offset,
		.wanted = call->size,
	};
	int64_t got;

	verifier_begin_read(flight, &read);
	verifier_launch();
	got = verifier.real->procedure(session, call);
	verifier_end_read(flight, &reader, &read, got);
	return got;
}

/* Return how many of the paths of an NFS procedure it changes. */
static unsigned changed_names(const struct backend_call *call)
{
	switch (call->procedure) {
	case PROCEDURE_NFS_CREATE:
		return verifier_find(call->path->text) == 0;
	case PROCEDURE_NFS_MKDIR:
	case PROCEDURE_NFS_REMOVE:
	case PROCEDURE_NFS_RMDIR:
	case PROCEDURE_NFS_LINK:
		return 1;
	case PROCEDURE_NFS_RENAME:
		return 2;
	default:
		return 0;
	}
}

/* Begin an NFS procedure other than READ and WRITE. */
static void begin_procedure(struct flight *flight, const struct backend_call *call,
			    struct verifier_flush *flush)
{
	const char *path = call->path != NULL ? call->path->text : NULL;
	unsigned changed = changed_names(call);

	if (call->procedure == PROCEDURE_NFS_COMMIT)
		flush->file = verifier_find(path);
	if (changed > 0 || flush->file != 0)
		flight_use_names(&verifier.flights, flight, path,
				 call->path2 != NULL ? call->path2->text : NULL, changed);
	switch (call->procedure) {
	case PROCEDURE_NFS_REMOVE:
	case PROCEDURE_NFS_RMDIR:
		verifier_risk(flight, verifier_find(path), 0, false);
		break;
	case PROCEDURE_NFS_RENAME:
		verifier_risk_rename(flight, path, call->path2->text);
		break;
	case PROCEDURE_NFS_COMMIT:
		verifier_begin_flush(flight, flush);
		break;
	default:
		break;
	}
}

/* Note what an NFS procedure other than COMMIT has changed. */
static void note_procedure(const struct backend_call *call, int64_t rc)
{
	switch (call->procedure) {
	case PROCEDURE_NFS_CREATE:
		if (rc >= 0)
			track_open(&verifier.track, call->path->text, OPEN_CREATE);
		break;
	case PROCEDURE_NFS_MKDIR:
		track_make(&verifier.track, call->path->text, rc);
		break;
	case PROCEDURE_NFS_REMOVE:
	case PROCEDURE_NFS_RMDIR:
		track_remove(&verifier.track, call->path->text, rc);
		break;
	case PROCEDURE_NFS_RENAME:
		track_rename(&verifier.track, call->path->text, call->path2->text, rc);
		break;
	case PROCEDURE_NFS_LINK:
		track_link(&verifier.track, call->path->text, call->path2->text, rc);
		break;
	default:
		break;
	}
}

int64_t verifier_procedure(struct backend_session *session, const struct backend_call *call)
{
	struct verifier_flush flush = {.names = true};
	struct flight *flight;
	int64_t rc;

	if (call->procedure == PROCEDURE_NFS_READ)
		return call_read(session, call);
	if (call->procedure == PROCEDURE_NFS_WRITE)
		return call_write(session, call);
	flight = verifier_begin(session);
	begin_procedure(flight, call, &flush);
	verifier_launch();
	rc = verifier.real->procedure(session, call);
	if (flush.file != 0) {
		verifier_end_flush(flight, &flush, rc);
		return rc;
	}
	if (verifier_land(flight))
		note_procedure(call, rc);
	verifier_finish(flight);
	return rc;
}
