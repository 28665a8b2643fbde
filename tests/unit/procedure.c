/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "program/outcome.h"
#include "words/procedure.h"

#include <errno.h>
#include <inttypes.h>

/* All statuses of RFC 1813, 2.6, and the number of statuses in nlm4_stats. */
static const uint32_t nfs_statuses[] = {
	0,  1,  2,  5,  6,  13, 17,    18,    19,    20,    21,    22,    27,    28,    30,
	31, 63, 66, 69, 70, 71, 10001, 10002, 10003, 10004, 10005, 10006, 10007, 10008,
};
enum { NLM_STATUSES = 10 };

static void statuses_become_errnos(void **state)
{
	assert_int_equal(procedure_nfs_errno(0), 0);
	assert_int_equal(procedure_nfs_errno(2), ENOENT);
	assert_int_equal(procedure_nfs_errno(66), ENOTEMPTY);
	assert_int_equal(procedure_nfs_errno(10008), EBUSY);
	assert_int_equal(procedure_nlm_errno(0), 0);
	assert_int_equal(procedure_nlm_errno(1), EAGAIN);
	/* The lock manager has status numbers of its own. */
	assert_int_equal(procedure_nlm_errno(7), ESTALE);
	assert_int_equal(procedure_nfs_errno(7), -1);
}

static void other_statuses_are_unknown(void **state)
{
	size_t known = 0;
	uint32_t status;

	for (status = 0; status < 20000; status++)
		known += procedure_nfs_errno(status) >= 0;
	assert_int_equal(known, LENGTH(nfs_statuses));
	for (known = 0, status = 0; status < 20000; status++)
		known += procedure_nlm_errno(status) >= 0;
	assert_int_equal(known, NLM_STATUSES);
	assert_int_equal(procedure_nfs_errno(UINT32_MAX), -1);
}

/*
 * Statuses are compared by their outcomes, so two statuses may share an outcome
 * only if they share an errno.
 */
static void different_errnos_are_different_outcomes(void **state)
{
	size_t i, j;

	for (i = 0; i < LENGTH(nfs_statuses); i++) {
		int first = procedure_nfs_errno(nfs_statuses[i]);

		assert_true(first >= 0);
		if (first != EIO)
			assert_true(outcome_from_errno(first) != OUTCOME_IO);
		for (j = 0; j < i; j++) {
			int second = procedure_nfs_errno(nfs_statuses[j]);

			if ((outcome_from_errno(first) == outcome_from_errno(second)) !=
			    (first == second))
				fail_msg("%" PRIu32 " and %" PRIu32, nfs_statuses[i],
					 nfs_statuses[j]);
		}
	}
}

int unit_procedure(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(statuses_become_errnos),
		cmocka_unit_test(other_statuses_are_unknown),
		cmocka_unit_test(different_errnos_are_different_outcomes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
