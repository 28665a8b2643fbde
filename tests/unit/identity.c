/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "workdir/identity.h"

#include <sys/wait.h>

static struct identity self(void)
{
	struct identity identity;

	assert_int_equal(identity_make(&identity), 0);
	return identity;
}

static void each_run_has_its_own_id(void **state)
{
	struct identity one = self(), other = self();

	assert_int_equal(strlen(one.id), IDENTITY_ID_SIZE - 1);
	assert_string_not_equal(one.id, other.id);
}

static void a_process_of_this_namespace_is_checked(void **state)
{
	struct identity asking = self(), run = self();
	pid_t child = fork();

	if (child == 0)
		_exit(0);
	assert_int_equal(identity_state(&run, &asking), IDENTITY_ALIVE);
	/* If the start time differs, the PID was reused by another process. */
	run.started++;
	assert_int_equal(identity_state(&run, &asking), IDENTITY_DEAD);
	run = self();
	run.process = child;
	run.started = 0;
	waitpid(child, NULL, 0);
	assert_int_equal(identity_state(&run, &asking), IDENTITY_DEAD);
}

static void other_namespaces_and_machines_cannot_be_seen(void **state)
{
	struct identity asking = self(), run;

	run = asking;
	run.pid_namespace++;
	assert_int_equal(identity_state(&run, &asking), IDENTITY_UNKNOWN);
	run.pid_namespace = 0;
	assert_int_equal(identity_state(&run, &asking), IDENTITY_UNKNOWN);
	run = asking;
	strcpy(run.boot, "another");
	strcpy(run.machine, "another");
	assert_int_equal(identity_state(&run, &asking), IDENTITY_UNKNOWN);
	run = asking;
	run.boot[0] = '\0';
	assert_int_equal(identity_state(&run, &asking), IDENTITY_UNKNOWN);
	/* Values that are unknown on both sides may still differ. */
	asking.boot[0] = asking.pid_namespace = 0;
	run = asking;
	assert_int_equal(identity_state(&run, &asking), IDENTITY_UNKNOWN);
}

static void runs_before_the_last_boot_are_dead(void **state)
{
	struct identity asking = self(), run;

	strcpy(asking.machine, "machine");
	run = asking;
	strcpy(run.boot, "earlier");
	assert_int_equal(identity_state(&run, &asking), IDENTITY_DEAD);
	/* Containers made from one image share the machine id, not the name. */
	strcpy(run.host, "another");
	assert_int_equal(identity_state(&run, &asking), IDENTITY_UNKNOWN);
	run = asking;
	strcpy(run.boot, "earlier");
	asking.machine[0] = run.machine[0] = '\0';
	assert_int_equal(identity_state(&run, &asking), IDENTITY_UNKNOWN);
}

int unit_identity(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_run_has_its_own_id),
		cmocka_unit_test(a_process_of_this_namespace_is_checked),
		cmocka_unit_test(other_namespaces_and_machines_cannot_be_seen),
		cmocka_unit_test(runs_before_the_last_boot_are_dead),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
