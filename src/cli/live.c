/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/live.h"

#include "base/message.h"

void live_warn(struct progress *progress, const struct workers_view *view)
{
	if (view->warning == NULL)
		return;
	if (progress != NULL) {
		progress_clear(progress);
		fflush(progress->stream);
	}
	message_warning("%s", view->warning);
}

void live_tick(struct progress *progress, const struct workers_view *view)
{
	static const char *const stages[] = {
		[WORKERS_SETUP] = "set-up",
		[WORKERS_WARMUP] = "warm-up",
		[WORKERS_MEASURE] = "measure",
		[WORKERS_RAMP_DOWN] = "ramp-down",
		[WORKERS_CLEANUP] = "clean-up",
	};
	struct progress_tick tick = {
		.stage = stages[view->stage],
		.users = view->users,
		.elapsed_s = (double)view->elapsed_ns / 1e9,
		.left_s = view->left_ns == CLOCK_NEVER
				  ? -1 : (double)view->left_ns / 1e9,
		.ops = view->ops,
		.bytes = view->bytes,
		.sum_ns = view->sum_ns,
	};

	live_warn(progress, view);
	progress_show(progress, &tick);
}

void live_invalid(const struct result_repeat *repeat)
{
	struct error error = {0};
	size_t i;

	for (i = 0; i < repeat->invalid.count; i++) {
		error.set = false;
		error_set(&error, "%s", repeat->invalid.texts[i]);
		message_error(&error);
	}
}
