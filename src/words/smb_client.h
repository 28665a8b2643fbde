/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The clients that play on SMB shares. They send different requests for the
 * same load (program/recorded.h), so results say which one has played.
 */
#ifndef WORDS_SMB_CLIENT_H
#define WORDS_SMB_CLIENT_H

enum smb_client {
	SMB_CLIENT_NONE,    /* not a client of SMB */
	SMB_CLIENT_LIBRARY, /* libsmbclient */
	SMB_CLIENT_RAW,     /* throng's own */
	SMB_CLIENTS
};

#endif
