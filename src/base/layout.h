/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What throng makes below a target: <target>/clients/client<N>, and a marker.
 */
#ifndef BASE_LAYOUT_H
#define BASE_LAYOUT_H

/* The directory in which the users' directories lie. */
#define CLIENTS_NAME "clients"
/* The file in it that says which run made it. */
#define MARKER_NAME ".throng"
/* What the name of a user's directory begins with; a number follows. */
#define USER_STEM "client"

#endif
