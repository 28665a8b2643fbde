/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "target/backends.h"

static int lock_range(struct backend_session *session, int64_t handle, uint64_t offset,
		      uint64_t length)
{
	return 0;
}

static int lock_mode(struct backend_session *session, int64_t handle, uint64_t offset,
		     uint64_t length, unsigned mode)
{
	return lock_range(session, handle, offset, length);
}

static int link_file(struct backend_session *session, const struct backend_path *path,
		     const struct backend_path *existing)
{
	return 0;
}

static int64_t call(struct backend_session *session, const struct backend_call *made)
{
	return 0;
}

static int exchange(struct backend_session *session, uint32_t request_bytes, uint32_t reply_bytes)
{
	return 0;
}

static void an_operation_without_slot_is_unsupported(void **state)
{
	const struct backend backend = {.lock = lock_mode};
	const struct backend_facts facts = {.capabilities = CAP_ALL};

	/* A lock slot is useless without unlock; flags of open need no slot. */
	assert_int_equal(backends_capabilities(&backend, &facts),
			 CAP_SYNC_OPENS | CAP_DIRECT | CAP_LINK_CHECK | CAP_DEEP_PATHS);
}

static void the_probe_may_rule_out_a_slot(void **state)
{
	const struct backend backend = {
		.lock = lock_mode,
		.unlock = lock_range,
		.link = link_file,
		.procedure = call,
		.durable_directories = true,
	};
	const unsigned always = CAP_PROCEDURES | CAP_SYNC_PARENTS;
	struct backend_facts facts = {.capabilities = 0};

	assert_int_equal(backends_capabilities(&backend, &facts), always);
	facts.capabilities = CAP_LOCKS;
	assert_int_equal(backends_capabilities(&backend, &facts), always | CAP_LOCKS);
	facts.capabilities = CAP_LINKS;
	assert_int_equal(backends_capabilities(&backend, &facts), always | CAP_LINKS);
	facts.capabilities = CAP_LOCK_PROCEDURES;
	assert_int_equal(backends_capabilities(&backend, &facts), always | CAP_LOCK_PROCEDURES);
}

static int read_link(struct backend_session *session, const struct backend_path *path)
{
	return 0;
}

static int make_symlink(struct backend_session *session, const struct backend_path *path,
			const char *text)
{
	return 0;
}

static void a_slot_may_need_another_capability(void **state)
{
	const struct backend backend = {
		.lock_test = lock_mode,
		.symlink = make_symlink,
		.readlink = read_link,
	};
	const unsigned both = CAP_LOCK_TEST | CAP_SYMLINKS;
	struct backend_facts facts = {.capabilities = CAP_LOCKS | CAP_LINK_CHECK};

	assert_int_equal(backends_capabilities(&backend, &facts) & both, both);
	facts.capabilities = CAP_ALL & ~(unsigned)(CAP_LOCKS | CAP_LINK_CHECK);
	assert_int_equal(backends_capabilities(&backend, &facts) & both, 0);
}

static void packets_can_play_anything(void **state)
{
	const struct backend backend = {.exchange = exchange};
	const struct backend_facts facts = {.capabilities = 0};

	assert_int_equal(backends_capabilities(&backend, &facts),
			 CAP_ALL & ~(unsigned)CAP_SYNC_PARENTS);
}

int unit_capability(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_operation_without_slot_is_unsupported),
		cmocka_unit_test(the_probe_may_rule_out_a_slot),
		cmocka_unit_test(a_slot_may_need_another_capability),
		cmocka_unit_test(packets_can_play_anything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
