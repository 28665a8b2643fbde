/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Test that the comparisons of op.h, which are for the time while the clock
 * runs, agree with the table of operations, and that op_effect() corrects the
 * table by an operation's fields.
 */
#include "unit.h"

#include "program/op.h"

#include <string.h>

static unsigned effect_of(enum op_kind kind)
{
	return op_effect(&(struct op){.kind = (uint8_t)kind});
}

static void comparisons_agree_with_the_table(void **state)
{
	unsigned kind;

	for (kind = 0; kind < OP_KINDS; kind++) {
		const char *shape = op_shape(kind);
		unsigned effect = effect_of(kind);
		bool by_name = strchr(shape, 'q') != NULL;
		bool content = kind == OP_SYMLINK || kind == OP_NFS_SYMLINK;

		print_message("%s\n", op_verb(kind));
		assert_int_equal(op_is_control(kind), op_class(kind) == OP_CLASS_CONTROL);
		assert_int_equal(op_accesses_two(kind), by_name && !content);
		assert_int_equal(op_uses_two_handles(kind), (effect & E_TO2) != 0);
		assert_int_equal(op_reads(kind), (effect & (E_READS | E_TO2)) == E_READS);
		assert_int_equal(op_writes(kind), (effect & (E_WRITES | E_TO2)) == E_WRITES);
		assert_int_equal(op_moves_attributes(kind),
				 op_needs(kind) == CAP_XATTRS && kind != OP_XATTR_REMOVE);
		assert_true((effect & E_MANY) == 0 || (effect & E_REMOVES) != 0);
		assert_int_equal(op_packet(kind) == P_NONE,
				 op_is_control(kind) || kind == OP_DELTREE);
	}
}

static void effects_follow_the_fields(void **state)
{
	static const struct {
		struct op op;
		unsigned effect;
	} rows[] = {
		{{.kind = OP_OPEN, .open_flags = OPEN_READ | OPEN_SYNC}, E_NONE},
		{{.kind = OP_OPEN, .open_flags = OPEN_CREATE}, E_MAKES},
		{{.kind = OP_OPEN, .open_flags = OPEN_TRUNCATE}, E_RESIZES},
		{{.kind = OP_OPEN, .open_flags = OPEN_DELETE_ON_CLOSE}, E_ALTERS},
		{{.kind = OP_OPEN, .open_flags = OPEN_DIRECTORY}, E_DIR},
		{{.kind = OP_CLOSE}, E_NONE},
		{{.kind = OP_CLOSE, .flags = OP_DELETE}, E_REMOVES},
		{{.kind = OP_RENAME}, E_MOVES},
		{{.kind = OP_RENAME, .mode = RENAME_SWAP}, E_SWAPS},
		{{.kind = OP_WRITE, .flags = OP_FLUSH}, E_WRITES | E_FLUSHES},
		{{.kind = OP_UNLINK, .flags = OP_SYNC_PARENT}, E_REMOVES | E_FLUSHES},
		{{.kind = OP_NFS_WRITE}, E_WRITES},
		{{.kind = OP_NFS_WRITE, .stable = 2}, E_WRITES | E_FLUSHES},
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(op_effect(&rows[i].op), rows[i].effect);
}

static void changes_are_those_of_names_or_of_open_files(void **state)
{
	assert_true(op_changes_path(&(struct op){.kind = OP_UNLINK_MATCHING}));
	assert_true(op_changes_path(&(struct op){.kind = OP_RENAME, .mode = RENAME_SWAP}));
	assert_true(op_changes_path(&(struct op){.kind = OP_NFS_SETATTR}));
	assert_false(op_changes_path(&(struct op){.kind = OP_STAT}));
	assert_false(op_changes_path(&(struct op){.kind = OP_NFS_COMMIT}));
	assert_true(op_changes_file(OP_SET_TIMES));
	assert_true(op_changes_file(OP_CLONE));
	assert_false(op_changes_file(OP_NFS_WRITE));
	assert_false(op_changes_file(OP_FSYNC));
}

int unit_op(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(comparisons_agree_with_the_table),
		cmocka_unit_test(effects_follow_the_fields),
		cmocka_unit_test(changes_are_those_of_names_or_of_open_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
