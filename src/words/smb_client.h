/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The clients that play on SMB shares, and the words about their login.
 */
#ifndef WORDS_SMB_CLIENT_H
#define WORDS_SMB_CLIENT_H

/* They send different requests for the same load (program/recorded.h), so
 * results say which one has played. */
enum smb_client {
	SMB_CLIENT_NONE,    /* not a client of SMB */
	SMB_CLIENT_LIBRARY, /* libsmbclient */
	SMB_CLIENT_BUILTIN, /* throng's own */
	SMB_CLIENTS
};

/* How texts spell the dialect NT1, which has other requests than the others. */
#define SMB1_TEXT "SMB 1"

/* How much the options encrypt= and sign= demand; SMB_UNSET: not given. */
enum smb_strength { SMB_UNSET, SMB_OFF, SMB_REQUEST, SMB_REQUIRE };

/* The steps to a session. */
enum smb_step {
	SMB_LOG_IN,
	SMB_CONNECT,    /* to the server, and negotiate the dialect */
	SMB_OPEN_SHARE, /* and the target's directory on it */
};

#endif
