/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words about the login to an SMB share, for both clients. */
#ifndef WORDS_SMB_LOGIN_H
#define WORDS_SMB_LOGIN_H

/* How much the options encrypt= and sign= demand; SMB_UNSET: not given. */
enum smb_strength { SMB_UNSET, SMB_OFF, SMB_REQUEST, SMB_REQUIRE };

/* The steps to a session. */
enum smb_step {
	SMB_LOG_IN,
	SMB_CONNECT,    /* to the server, and negotiate the dialect */
	SMB_OPEN_SHARE, /* and the target's directory on it */
};

#endif
