/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The process that a launcher starts on a host: `throng host`. It forks another one,
 * the crew, and forwards messages between it and the controller. It answers PING at
 * once, and BEAT each second, also while the crew is busy or waits for a target.
 *
 * Launchers kill what they have started if the connection breaks. Then, and if the
 * controller ends, or is not heard of for HOSTS_PATIENCE_NS while users play, the crew
 * finds its link closed, removes its files and ends.
 */
#ifndef HOSTS_WIRE_H
#define HOSTS_WIRE_H

#include "base/clock.h"
#include "hosts/link.h"

/* The time after which a silent peer counts as lost. */
#define HOSTS_PATIENCE_NS (5 * NS_PER_S)

/* Some launchers give a terminal as standard output: let it not change the bytes. */
void wire_make_raw(int fd);

/* Serve the controller on standard input and output. `crew` runs in the process that is
 * forked, and returns its exit status. Return the exit status. */
int wire_main(int (*crew)(struct link *controller));

#endif
