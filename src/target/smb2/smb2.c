/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The built-in SMB client: an SMB share, through a client of our own for SMB2
 * and SMB3, which sends requests as they were recorded.
 */
#include "target/smb2/session.h"

BACKEND_EXPORTED const struct backend backend_smb2 = {
	.answers = true,
	.remote = true,
	.needs_account = true,
	.pins_open_names = true,
	.appends_blindly = true,
	.deletes_on_close = true,
	.not_in_names = SMB_NOT_IN_NAMES,
	.library_version = smb2_library_version,
	.probe = smb2_probe,
	.session_open = smb2_user_open,
	.session_close = smb2_user_close,
	.enter = smb2_enter,
	.loss_reason = smb2_loss_reason,
	.on_wait = smb2_on_wait,
	.recorded = smb2_recorded,
	.open = smb2_open,
	.close = smb2_close,
	.read = smb2_read,
	.write = smb2_write,
	.changed_bytes = smb2_changed_bytes,
	.fsync = smb2_fsync,
	.fdatasync = smb2_fsync,
	.truncate = smb2_truncate,
	.allocate = smb2_allocate,
	.copy = smb2_copy,
	.identify = smb2_identify,
	.lock = smb2_lock,
	.unlock = smb2_unlock,
	.fstat = smb2_fstat,
	.set_times = smb2_set_times,
	.stat = smb2_stat,
	.unlink = smb2_unlink,
	.rename = smb2_rename,
	.chmod = smb2_chmod,
	.set_path_times = smb2_set_path_times,
	.mkdir = smb2_mkdir,
	.rmdir = smb2_rmdir,
	.statvfs = smb2_statvfs,
	.link = smb2_link,
	.list = smb2_list,
};
