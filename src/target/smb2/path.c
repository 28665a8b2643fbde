/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/smb2/session.h"

#include "words/nt_status.h"
#include "words/smb_request.h"

#include <errno.h>
#include <string.h>

enum {
	SHARE_ALL = SMB2_SHARE_READ | SMB2_SHARE_WRITE | SMB2_SHARE_DELETE,
};

/* Append a CREATE that opens an existing file or directory. */
static void put_open(struct smb2_session *smb, struct smb2_name name, uint32_t access,
		     uint32_t options)
{
	const struct smb2_create fields = {
		.access = access | SMB2_READ_ATTRIBUTES,
		.share = SHARE_ALL,
		.disposition = SMB_OPEN,
		.options = options,
		.name = name,
	};

	smb2_put_create(smb, &fields);
}

/* Begin a message with such a CREATE. */
static struct smb2_session *start_open(struct backend_session *session, struct smb2_name name,
				       uint32_t access, uint32_t options)
{
	struct smb2_session *smb = smb2_begin(&session->smb);

	put_open(smb, name, access, options);
	return smb;
}

/* Append the CLOSE of the file that the message has opened last, and send
 * it. */
static int finish_close(struct backend_session *session)
{
	smb2_put_close(&session->smb, smb2_created_id);
	return smb2_call(&session->smb);
}

/* Append the requests that get the attributes of a name. */
static void put_stat(struct smb2_session *smb, struct smb2_name name)
{
	put_open(smb, name, 0, 0);
	smb2_put_query_file(smb, smb2_created_id, SMB2_ALL_INFORMATION);
	smb2_put_close(smb, smb2_created_id);
}

int smb2_take_query(struct backend_session *session, unsigned number, struct smb2_data *data)
{
	return smb2_parse_query(smb2_reply(&session->smb, number), data) < 0
		       ? smb2_invalid_reply(&session->smb, number)
		       : 0;
}

int smb2_take_stat(struct backend_session *session, unsigned number,
		   struct smb2_all_information *information)
{
	struct smb2_data data;

	if (smb2_parse_query(smb2_reply(&session->smb, number), &data) < 0 ||
	    smb2_parse_all_information(&data, information) < 0)
		return smb2_invalid_reply(&session->smb, number);
	return 0;
}

static int stat_name(struct backend_session *session, struct smb2_name name,
		     struct smb2_all_information *information)
{
	int rc;

	put_stat(smb2_begin(&session->smb), name);
	rc = smb2_call(&session->smb);
	return rc < 0 ? rc : smb2_take_stat(session, 1, information);
}

/* Query a file as it was recorded. The caller ignores the attributes. */
static int stat_recorded(struct backend_session *session, struct smb2_name name, uint8_t class)
{
	struct smb2_data data;
	int rc;

	smb2_put_query_file(start_open(session, name, 0, 0), smb2_created_id, class);
	rc = finish_close(session);
	return rc < 0 ? rc : smb2_take_query(session, 1, &data);
}

int smb2_stat(struct backend_session *session, const struct backend_path *path,
	      struct backend_attributes *attributes)
{
	uint8_t class = smb2_file_class_of(smb2_take_recorded(session));
	struct smb2_all_information information = {0};
	struct smb2_name name;
	int rc = smb2_name_of(session, path, 0, &name);

	if (rc == 0 && class != 0)
		rc = stat_recorded(session, name, class);
	else if (rc == 0)
		rc = stat_name(session, name, &information);
	if (rc < 0)
		return rc;
	attributes->directory = (information.attributes & SMB2_DIRECTORY) != 0;
	attributes->size_bytes = information.size_bytes;
	return 0;
}

static int unlink_name(struct backend_session *session, struct smb2_name name)
{
	start_open(session, name, SMB2_DELETE, SMB_NON_DIRECTORY_FILE | SMB_DELETE_ON_CLOSE);
	return finish_close(session);
}

/* Servers refuse to delete a read-only file, which smb2_chmod() may have made.
 * POSIX deletes it, so do the same unless the operation was recorded from an SMB
 * client. */
int smb2_unlink(struct backend_session *session, const struct backend_path *path)
{
	const struct smb_request *request = smb2_take_recorded(session);
	struct smb2_name name;
	int rc = smb2_name_of(session, path, 0, &name);

	if (rc < 0)
		return rc;
	rc = unlink_name(session, name);
	if (rc != -EACCES || request->recorded != 0 ||
	    smb2_status(&session->smb, 0) != NT_STATUS_CANNOT_DELETE)
		return rc;
	rc = smb2_set_basic(session, name, 0, 0, SMB2_NORMAL);
	return rc < 0 ? rc : unlink_name(session, name);
}

/* Append the requests that remove a directory. This is not done by the flag for
 * deletion in the CREATE, which some servers do not check for a directory that
 * is not empty. */
static void put_rmdir(struct smb2_session *smb, struct smb2_name name)
{
	static const uint8_t yes = 1;

	put_open(smb, name, SMB2_DELETE, SMB_DIRECTORY_FILE);
	smb2_put_set(smb, smb2_created_id, SMB2_DISPOSITION_INFORMATION, &yes, sizeof(yes));
	smb2_put_close(smb, smb2_created_id);
}

int smb2_rmdir(struct backend_session *session, const struct backend_path *path)
{
	struct smb2_name name;
	int rc = smb2_name_of(session, path, 0, &name);

	if (rc < 0)
		return rc;
	put_rmdir(smb2_begin(&session->smb), name);
	return smb2_call(&session->smb);
}

int smb2_mkdir(struct backend_session *session, const struct backend_path *path)
{
	struct smb2_create fields = {
		.access = SMB2_READ_ATTRIBUTES,
		.attributes = SMB2_DIRECTORY,
		.share = SHARE_ALL,
		.disposition = SMB_CREATE,
		.options = SMB_DIRECTORY_FILE,
	};
	int rc = smb2_name_of(session, path, 0, &fields.name);

	if (rc < 0)
		return rc;
	smb2_put_create(smb2_begin(&session->smb), &fields);
	return finish_close(session);
}

/* Append the requests that give the file `from` the name `to`: its only one or
 * a further one. */
static void put_name(struct smb2_session *smb, struct smb2_name from, struct smb2_name to,
		     enum smb2_file_class class, bool replace)
{
	put_open(smb, from, class == SMB2_RENAME_INFORMATION ? SMB2_DELETE : SMB2_WRITE_ATTRIBUTES,
		 0);
	smb2_put_rename(smb, smb2_created_id, class, to, replace);
	smb2_put_close(smb, smb2_created_id);
}

static int set_name(struct backend_session *session, struct smb2_name from, struct smb2_name to,
		    enum smb2_file_class class, bool replace)
{
	put_name(smb2_begin(&session->smb), from, to, class, replace);
	return smb2_call(&session->smb);
}

static bool is_directory(const struct smb2_all_information *information)
{
	return (information->attributes & SMB2_DIRECTORY) != 0;
}

/*
 * SMB never replaces a directory, which POSIX does if the directory is empty.
 * After a rename that was refused with `refusal`, find out if this is the
 * reason, which takes one round trip. Then remove the directory and rename
 * again, which takes another one. Return 0 or -errno.
 */
static int replace_directory(struct backend_session *session, struct smb2_name from,
			     struct smb2_name to, int refusal)
{
	struct smb2_session *smb = smb2_begin(&session->smb);
	struct smb2_all_information old, new;

	put_stat(smb, from);
	put_stat(smb, to);
	if (smb2_call(&session->smb) < 0 || smb2_take_stat(session, 1, &new) < 0 ||
	    smb2_take_stat(session, 4, &old) < 0)
		return smb2_lost(smb) < 0 ? smb2_lost(smb) : refusal;
	if (is_directory(&old) && !is_directory(&new))
		return -EISDIR;
	if (!is_directory(&old))
		return is_directory(&new) ? -ENOTDIR : refusal;
	smb2_begin(&session->smb);
	put_rmdir(smb, to);
	put_name(smb, from, to, SMB2_RENAME_INFORMATION, false);
	return smb2_call(&session->smb);
}

static bool is_same(struct smb2_name one, struct smb2_name other)
{
	return one.size == other.size && memcmp(one.bytes, other.bytes, one.size) == 0;
}

int smb2_rename(struct backend_session *session, const struct backend_path *from,
		const struct backend_path *to, bool replace)
{
	struct smb2_all_information information;
	struct smb2_name old, new;
	int rc = smb2_name_of(session, from, 0, &old);

	session->changed_bytes = 0;
	if (rc == 0)
		rc = smb2_name_of(session, to, 1, &new);
	if (rc < 0)
		return rc;
	if (is_same(old, new)) {
		/* Servers accept this even if nothing may be replaced. */
		rc = stat_name(session, old, &information);
		return rc < 0 || replace ? rc : -EEXIST;
	}
	rc = set_name(session, old, new, SMB2_RENAME_INFORMATION, replace);
	if (replace && (rc == -EACCES || rc == -EEXIST || rc == -EISDIR))
		rc = replace_directory(session, old, new, rc);
	if (rc == 0)
		session->user->renames++;
	return rc;
}

int smb2_link(struct backend_session *session, const struct backend_path *path,
	      const struct backend_path *existing)
{
	struct smb2_name old, new;
	int rc = smb2_name_of(session, existing, 0, &old);

	if (rc < 0)
		return rc;
	rc = smb2_name_of(session, path, 1, &new);
	if (rc < 0)
		return rc;
	return set_name(session, old, new, SMB2_LINK_INFORMATION, false);
}

int smb2_set_basic(struct backend_session *session, struct smb2_name name, uint64_t access_time,
		   uint64_t write_time, uint32_t attributes)
{
	struct smb2_session *smb = start_open(session, name, SMB2_WRITE_ATTRIBUTES, 0);

	smb2_put_set_basic(smb, smb2_created_id, access_time, write_time, attributes);
	return finish_close(session);
}

/* SMB has only the attribute READONLY, which we set if no one may write. */
int smb2_chmod(struct backend_session *session, const struct backend_path *path,
	       unsigned permissions)
{
	struct smb2_name name;
	int rc = smb2_name_of(session, path, 0, &name);

	return rc < 0 ? rc
		      : smb2_set_basic(session, name, 0, 0,
				       (permissions & 0222) == 0 ? SMB2_READONLY : SMB2_NORMAL);
}

static uint64_t earlier(uint64_t time, uint64_t seconds)
{
	uint64_t units = seconds * 10000000;

	return time > units ? time - units : 1;
}

uint64_t smb2_earlier_access(uint64_t time)
{
	return earlier(time, ACCESS_TIME_BACK_S);
}

uint64_t smb2_earlier_write(uint64_t time)
{
	return earlier(time, MODIFY_TIME_BACK_S);
}

/* This takes two round trips, the first to get the times. */
int smb2_set_path_times(struct backend_session *session, const struct backend_path *path)
{
	struct smb2_all_information information;
	struct smb2_name name;
	int rc = smb2_name_of(session, path, 0, &name);

	if (rc < 0)
		return rc;
	rc = stat_name(session, name, &information);
	if (rc < 0)
		return rc;
	return smb2_set_basic(session, name, smb2_earlier_access(information.access_time),
			      smb2_earlier_write(information.write_time), 0);
}

/* Query the share's file system. Set *data to the reply. */
static int query_space(struct backend_session *session, uint8_t class, struct smb2_data *data)
{
	int rc = smb2_lost(&session->smb);

	if (rc < 0)
		return rc;
	smb2_put_query_space(start_open(session, smb2_root_of(session), 0, 0), smb2_created_id,
			     class);
	rc = finish_close(session);
	return rc < 0 ? rc : smb2_take_query(session, 1, data);
}

int smb2_get_free_bytes(struct backend_session *session, uint64_t *free_bytes)
{
	struct smb2_data data;
	int rc = query_space(session, SMB2_FS_FULL_SIZE_INFORMATION, &data);

	if (rc == 0 && smb2_parse_free_bytes(&data, free_bytes) < 0)
		return smb2_invalid_reply(&session->smb, 1);
	return rc;
}

int smb2_statvfs(struct backend_session *session)
{
	uint8_t class = smb2_space_class_of(smb2_take_recorded(session));
	struct smb2_data data;

	return query_space(session, class != 0 ? class : SMB2_FS_FULL_SIZE_INFORMATION, &data);
}
