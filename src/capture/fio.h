/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Iologs of fio (its option write_iolog), versions 2 and 3. An iolog lists what
 * was requested, and not how it ended: reads and writes are taken as complete.
 *
 * source.directory: the names of files begin with it; NULL: names are relative
 * to the root. A call is a line after the first one.
 */
#ifndef CAPTURE_FIO_H
#define CAPTURE_FIO_H

#include "capture/model/recording.h"

/* The first line, up to the number of the version. */
#define FIO_MAGIC "fio version "

source_reader fio_read;

#endif
