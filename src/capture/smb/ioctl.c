/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture/smb/job.h"

/* Copy chunks of the file that has the request's key. */
static void convert_copy(const struct smb2_job *job)
{
	const struct smb2_captured *call = job->call;
	const uint64_t key[] = {call->client, call->key};
	uint32_t source = *smb2_map_at(job->calls, &job->calls->opens_by_key, key, 2);
	uint32_t i;

	if (!smb2_call_is_ok(call)) {
		smb2_drop_status(job);
		return;
	}
	if (source == SMB2_NONE || call->list_count == 0 ||
	    job->calls->opens[source].file == NULL) {
		smb2_drop(job, "copy by the server of an unknown file or range");
		return;
	}
	for (i = 0; i < call->list_count; i++) {
		const struct smb2_call_range *chunk = &job->calls->ranges[call->list + i];
		struct recorded recorded = RECORDED(OP_COPY);

		recorded.file = job->calls->opens[source].file;
		recorded.file2 = job->open->file;
		recorded.op.offset = chunk->offset;
		recorded.op.offset2 = chunk->to;
		recorded.op.bytes = (uint32_t)chunk->length;
		recorded.op.expect = (uint32_t)chunk->length;
		recorded.op.flags = OP_COUNTED;
		smb2_add(job, &recorded);
	}
}

/* MS-FSCC 2.3, MS-SMB2 2.2.31. */
static const struct function {
	uint32_t number;
	enum account_row row;
	const char *name;
} functions[] = {
	{0x060194, ACCOUNT_FOLDED, "session"}, /* DFS_GET_REFERRALS */
	{0x140204, ACCOUNT_FOLDED, "session"}, /* VALIDATE_NEGOTIATE_INFO */
	{0x1401fc, ACCOUNT_FOLDED, "session"}, /* QUERY_NETWORK_INTERFACE */
	{0x1401d4, ACCOUNT_FOLDED, "session"}, /* LMR_REQUEST_RESILIENCY */
	{SMB2_RESUME_KEY, ACCOUNT_FOLDED, "key of a copy by the server"},
	{SMB2_PIPE_TRANSCEIVE, ACCOUNT_ELSEWHERE, ""},
	{SMB2_PIPE_WAIT, ACCOUNT_ELSEWHERE, ""},
	{0x090064, ACCOUNT_DROPPED, "object ID"},
	{0x0900c0, ACCOUNT_DROPPED, "object ID"},
	{0x09009c, ACCOUNT_DROPPED, "object ID"},
	{0x0900a4, ACCOUNT_DROPPED, "reparse point"},
	{0x0900a8, ACCOUNT_DROPPED, "reparse point"},
	{0x0900ac, ACCOUNT_DROPPED, "reparse point"},
	{0x0900c4, ACCOUNT_DROPPED, "sparse file"},
	{0x0940cf, ACCOUNT_DROPPED, "query of allocated ranges"},
	{0x0980c8, ACCOUNT_DROPPED, "range of zeros"},
	{0x098208, ACCOUNT_DROPPED, "trim"},
	{0x098344, ACCOUNT_DROPPED, "clone of a range"},
	{0x094264, ACCOUNT_DROPPED, "offloaded copy"},
	{0x098268, ACCOUNT_DROPPED, "offloaded copy"},
	{0x144064, ACCOUNT_DROPPED, "list of snapshots"},
};

void smb2_convert_ioctl(const struct smb2_job *job)
{
	const struct smb2_captured *call = job->call;
	const uint64_t key[] = {call->client, call->key};
	size_t i;

	if (call->function == SMB2_RESUME_KEY && call->key != SMB2_NONE)
		*smb2_map_at(job->calls, &job->calls->opens_by_key, key, 2) = call->open;
	if ((call->function == SMB2_SRV_COPYCHUNK || call->function == SMB2_SRV_COPYCHUNK_WRITE) &&
	    job->open != NULL && job->open->file != NULL) {
		convert_copy(job);
		return;
	}
	for (i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (functions[i].number == call->function) {
			account_set(job->account, functions[i].row, "%s", functions[i].name);
			return;
		}
	account_set(job->account, ACCOUNT_DROPPED, "ioctl 0x%06x", (unsigned)call->function);
}
