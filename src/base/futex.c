/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/futex.h"

#include "base/clock.h"

#include <limits.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void futex_wait(uint32_t *word, uint32_t value, uint64_t max_ns)
{
	const struct timespec time = {
		.tv_sec = (time_t)(max_ns / NS_PER_S),
		.tv_nsec = (long)(max_ns % NS_PER_S),
	};

	syscall(SYS_futex, word, FUTEX_WAIT, value, &time, NULL, 0);
}

void futex_wake(uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}
