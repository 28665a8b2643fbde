/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The format of recorded messages: records, each followed by `bytes` bytes.
 */
#ifndef BENCH_MESSAGES_H
#define BENCH_MESSAGES_H

#include <stdint.h>

struct bare_record {
	uint32_t sent; /* 1: sent, 0: received */
	uint32_t bytes;
	uint32_t data_bytes; /* of data that followed, which is not kept */
};

#endif
