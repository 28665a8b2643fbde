/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "load/load.h"
#include "program/program.h"

/* Return the first operation of this kind. */
static const struct op *op_of(const struct program *program, enum op_kind kind)
{
	size_t i;

	for (i = 0; i < program->op_count; i++)
		if (program->ops[i].kind == kind)
			return &program->ops[i];
	fail_msg("no %s", op_verb(kind));
	return NULL;
}

static void dispositions_and_options_become_open_flags(void **state)
{
#define BASE (OPEN_READ | OPEN_WRITE | OPEN_ATTRIBUTES)
#define DIRECTORY (OPEN_READ | OPEN_DIRECTORY | OPEN_ATTRIBUTES)
	static const struct {
		unsigned options, disposition;
		const char *status;
		uint64_t flags;
	} rows[] = {
		{0, 0, "SUCCESS", BASE | OPEN_CREATE | OPEN_TRUNCATE},
		{0, 1, "SUCCESS", BASE},
		{0, 2, "SUCCESS", BASE | OPEN_CREATE},
		{0, 3, "SUCCESS", BASE | OPEN_CREATE},
		{0, 4, "SUCCESS", BASE | OPEN_TRUNCATE},
		{0, 5, "SUCCESS", BASE | OPEN_CREATE | OPEN_TRUNCATE},
		/* A creation (disposition 2) that was recorded as a name
		 * collision was exclusive. */
		{0, 2, "NT_STATUS_OBJECT_NAME_COLLISION", BASE | OPEN_CREATE | OPEN_EXCLUSIVE},
		{0, 3, "NT_STATUS_OBJECT_NAME_COLLISION", BASE | OPEN_CREATE},
		{0, 2, "*", BASE | OPEN_CREATE},
		{0x1, 1, "SUCCESS", DIRECTORY},
		{0x1, 2, "SUCCESS", DIRECTORY | OPEN_CREATE},
		{0x2, 1, "SUCCESS", BASE | OPEN_WRITE_THROUGH},
		{0x40, 1, "SUCCESS", BASE | OPEN_FILE},
		{0x1000, 1, "SUCCESS", BASE | OPEN_DELETE_ON_CLOSE},
		{0x1042, 1, "SUCCESS",
		 BASE | OPEN_WRITE_THROUGH | OPEN_FILE | OPEN_DELETE_ON_CLOSE},
		/* FILE_SEQUENTIAL_ONLY and FILE_NO_EA_KNOWLEDGE are ignored. */
		{0x204, 1, "SUCCESS", BASE},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		struct program *program;
		char text[128];

		snprintf(text, sizeof(text), "NTCreateX \"/client1/f\" 0x%x %u 1 %s\n",
			 rows[i].options, rows[i].disposition, rows[i].status);
		program = load_text(text);
		if (program->ops[0].open_flags != rows[i].flags)
			fail_msg("%#jx: %s", (uintmax_t)program->ops[0].open_flags, text);
		program_free(program);
	}
}

static void recorded_outcomes_become_accepted_sets(void **state)
{
#define FILE_1 "NTCreateX \"/client1/f\" 0 2 1 SUCCESS\n"
	static const struct {
		const char *text;
		enum op_kind kind;
		outcome_set accepts;
		bool counted;
	} rows[] = {
		{"Rmdir \"/client1/d\" NT_STATUS_OK\n", OP_RMDIR, OUTCOME_BIT(OK), false},
		{"Rmdir \"/client1/d\" 0x00000000\n", OP_RMDIR, OUTCOME_BIT(OK), false},
		{"Rmdir \"/client1/d\" SUCCESS\n", OP_RMDIR, OUTCOME_BIT(OK), false},
		{"Rmdir \"/client1/d\" NT_STATUS_DIRECTORY_NOT_EMPTY\n", OP_RMDIR,
		 OUTCOME_BIT(NOT_EMPTY), false},
		{"Rmdir \"/client1/d\" 0xc0000101\n", OP_RMDIR, OUTCOME_BIT(NOT_EMPTY), false},
		{"Rmdir \"/client1/d\" ERROR\n", OP_RMDIR, OUTCOME_ANY_FAILURE, false},
		{"Rmdir \"/client1/d\" *\n", OP_RMDIR, OUTCOME_ANY, false},
		/* Three statuses for a missing file are one outcome. */
		{"Unlink \"/client1/d\" 0 NT_STATUS_OBJECT_NAME_NOT_FOUND\n", OP_UNLINK,
		 OUTCOME_BIT(NOT_FOUND), false},
		{"Unlink \"/client1/d\" 0 NT_STATUS_OBJECT_PATH_NOT_FOUND\n", OP_UNLINK,
		 OUTCOME_BIT(NOT_FOUND), false},
		{"Unlink \"/client1/d\" 0 NT_STATUS_NO_SUCH_FILE\n", OP_UNLINK,
		 OUTCOME_BIT(NOT_FOUND), false},
		/* Outcomes that may differ when a load is repeated */
		{"Mkdir \"/client1/d\" NT_STATUS_OK\n", OP_MKDIR,
		 OUTCOME_BIT(OK) | OUTCOME_BIT(EXISTS), false},
		{"Mkdir \"/client1/d\" NT_STATUS_OBJECT_NAME_COLLISION\n", OP_MKDIR,
		 OUTCOME_BIT(EXISTS), false},
		{"Deltree \"/client1/d\" NT_STATUS_OK\n", OP_DELTREE,
		 OUTCOME_BIT(OK) | OUTCOME_BIT(NOT_FOUND), false},
		/* A recorded count is valid only with a recorded success. */
		{FILE_1 "ReadX 1 0 10 7 NT_STATUS_OK\n", OP_READ, OUTCOME_BIT(OK), true},
		{FILE_1 "ReadX 1 0 10 0 NT_STATUS_END_OF_FILE\n", OP_READ, OUTCOME_BIT(OK), true},
		{FILE_1 "ReadX 1 0 10 0 NT_STATUS_ACCESS_DENIED\n", OP_READ,
		 OUTCOME_BIT(DENIED) | OUTCOME_BIT(NOT_PERMITTED), false},
		{FILE_1 "ReadX 1 0 10 7 *\n", OP_READ, OUTCOME_ANY, false},
		{FILE_1 "WriteX 1 0 10 10 NT_STATUS_OK\n", OP_WRITE, OUTCOME_BIT(OK), true},
		{"FIND_FIRST \"/client1/*\" 1 10 3 NT_STATUS_OK\n", OP_LIST, OUTCOME_BIT(OK), true},
		/* Servers return either status for an empty listing. */
		{"FIND_FIRST \"/client1/x\" 1 10 0 NT_STATUS_OK\n", OP_LIST,
		 OUTCOME_BIT(OK) | OUTCOME_BIT(NOT_FOUND), true},
		{"FIND_FIRST \"/client1/x\" 1 10 0 NT_STATUS_NO_SUCH_FILE\n", OP_LIST,
		 OUTCOME_BIT(NOT_FOUND), false},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		struct program *program = load_text(rows[i].text);
		const struct op *op = op_of(program, rows[i].kind);

		if (op->accepts != rows[i].accepts)
			fail_msg("%#x: %s", op->accepts, rows[i].text);
		if (((op->flags & OP_COUNTED) != 0) != rows[i].counted)
			fail_msg("counted: %s", rows[i].text);
		program_free(program);
	}
}

static void a_rename_replaces_unless_recorded_as_a_collision(void **state)
{
	static const struct {
		const char *status;
		bool replaces;
	} rows[] = {
		{"NT_STATUS_OK", true},
		{"NT_STATUS_OBJECT_NAME_NOT_FOUND", true},
		{"*", true},
		{"NT_STATUS_OBJECT_NAME_COLLISION", false},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		struct program *program;
		char text[128];

		snprintf(text, sizeof(text), "Rename \"/client1/a\" \"/client1/b\" %s\n",
			 rows[i].status);
		program = load_text(text);
		assert_int_equal((program->ops[0].flags & OP_NO_REPLACE) == 0, rows[i].replaces);
		program_free(program);
	}
}

static void procedures_accept_what_was_recorded(void **state)
{
	static const struct {
		const char *text;
		enum op_kind kind;
		outcome_set accepts;
	} rows[] = {
		{"MKDIR3 /client1/d 0x00000000\n", OP_NFS_MKDIR, OUTCOME_BIT(OK)},
		{"MKDIR3 /client1/d *\n", OP_NFS_MKDIR, OUTCOME_ANY},
		{"CREATE3 /client1/f 0x00000000\n", OP_NFS_CREATE, OUTCOME_BIT(OK)},
		{"REMOVE3 /client1/f 0x00000001\n", OP_NFS_REMOVE, OUTCOME_BIT(NOT_PERMITTED)},
		{"WRITE3 /client1/f 0 1 0 0x00000045\n", OP_NFS_WRITE, OUTCOME_BIT(QUOTA)},
		/* In NLM the same numbers have other meanings. */
		{"GETATTR3 /client1/f 0x00000001\n", OP_NFS_GETATTR, OUTCOME_BIT(NOT_PERMITTED)},
		{"LOCK4 /client1/f 0 1 0x00000001\n", OP_NLM_LOCK, OUTCOME_BIT(LOCKED)},
		{"UNLOCK4 /client1/f 0 1 0x00000002\n", OP_NLM_UNLOCK, OUTCOME_BIT(NO_SPACE)},
		{"TEST4 /client1/f 0 1 0x00000001\n", OP_NLM_TEST, OUTCOME_BIT(LOCKED)},
		{"FSSTAT3 *\nDeltree /client1/d 0x00000000\n", OP_DELTREE,
		 OUTCOME_BIT(OK) | OUTCOME_BIT(NOT_FOUND)},
		{"FSSTAT3 *\nDeltree /client1/d 0x00000002\n", OP_DELTREE, OUTCOME_BIT(NOT_FOUND)},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		struct program *program = load_text(rows[i].text);
		const struct op *op = op_of(program, rows[i].kind);

		if (op->accepts != rows[i].accepts)
			fail_msg("%#x: %s", op->accepts, rows[i].text);
		program_free(program);
	}
}

static void write3_keeps_its_stable_how(void **state)
{
	struct program *program = load_text("WRITE3 /client1/f 7 9 2 *\n");
	const struct op *op = &program->ops[0];

	assert_int_equal(op->offset, 7);
	assert_int_equal(op->size, 9);
	assert_int_equal(op->stable, 2);
	assert_int_equal(op->flags & OP_COUNTED, 0);
	program_free(program);
}

static void bits_of_the_smb_dialect_become_open_flags(void **state)
{
	static const struct {
		unsigned bits;
		uint64_t flags;
	} rows[] = {
		{0x00, OPEN_READ},
		{0x01, OPEN_READ},
		{0x02, OPEN_WRITE},
		{0x03, OPEN_READ | OPEN_WRITE},
		{0x04, OPEN_READ | OPEN_WRITE},
		{0x08, OPEN_READ | OPEN_CREATE},
		{0x0c, OPEN_READ | OPEN_WRITE | OPEN_CREATE},
		{0x1a, OPEN_WRITE | OPEN_CREATE | OPEN_EXCLUSIVE},
		{0x22, OPEN_WRITE | OPEN_TRUNCATE},
		{0x42, OPEN_WRITE | OPEN_APPEND},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		struct program *program;
		char text[64];

		snprintf(text, sizeof(text), "OPEN /client1/f %u SUCCESS\n", rows[i].bits);
		program = load_text(text);
		if (program->ops[0].open_flags != (rows[i].flags | OPEN_FILE))
			fail_msg("%#jx: %s", (uintmax_t)program->ops[0].open_flags, text);
		program_free(program);
	}
}

static void fewer_bytes_are_a_failure_in_the_smb_dialect(void **state)
{
	static const struct {
		const char *outcome;
		outcome_set accepts;
		bool counted;
	} rows[] = {
		{"SUCCESS", OUTCOME_BIT(OK), true},
		{"ERROR", OUTCOME_ANY_FAILURE, true},
		{"*", OUTCOME_ANY, false},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		struct program *program;
		const struct op *op;
		char text[128];

		snprintf(text, sizeof(text),
			 "OPEN /client1/f 1 SUCCESS\n"
			 "READ /client1/f 5 77 %s\n",
			 rows[i].outcome);
		program = load_text(text);
		op = &program->ops[1];
		assert_int_equal(op->kind, OP_READ);
		assert_int_equal(op->handle, program->ops[0].handle);
		assert_int_equal(op->accepts, rows[i].accepts);
		assert_int_equal((op->flags & OP_COUNTED) != 0, rows[i].counted);
		assert_int_equal(op->expect, 77);
		program_free(program);
	}
}

static void names_that_servers_look_up_are_marked(void **state)
{
	static const struct {
		const char *text;
		enum op_kind kind;
		bool looks_up;
	} rows[] = {
		{FILE_1, OP_OPEN, true},
		{FILE_1 "Close 1 SUCCESS\n", OP_CLOSE, false},
		{"Unlink \"/client1/f\" 0 SUCCESS\n", OP_UNLINK, true},
		{"Unlink \"/client1/*\" 0 SUCCESS\n", OP_UNLINK_MATCHING, true},
		{"Rename /a /b SUCCESS\n", OP_RENAME, true},
		{"Mkdir /a SUCCESS\n", OP_MKDIR, true},
		{"Rmdir /a SUCCESS\n", OP_RMDIR, true},
		{"Deltree /client1 SUCCESS\n", OP_DELTREE, false},
		{"QUERY_PATH_INFORMATION /a 1 SUCCESS\n", OP_STAT, true},
		{"QUERY_FS_INFORMATION 1 SUCCESS\n", OP_STATVFS, false},
		{"FIND_FIRST /a/* 1 1 1 SUCCESS\n", OP_LIST, true},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		struct program *program = load_text(rows[i].text);
		const struct op *op = op_of(program, rows[i].kind);

		if (((op->flags & OP_LOOKUP) != 0) != rows[i].looks_up)
			fail_msg("%s", rows[i].text);
		program_free(program);
	}
}

static void numbers_are_decimal_hex_or_octal(void **state)
{
	struct program *program = load_text("NTCreateX \"/client1/f\" 0x1002 02 0x10 SUCCESS\n"
					    "WriteX 020 0x1000 0100 64 SUCCESS\n"
					    "WriteX 16 18446744073709551615 0 0 SUCCESS\n");

	assert_true((program->ops[0].open_flags & OPEN_DELETE_ON_CLOSE) != 0);
	assert_int_equal(program->ops[1].handle, program->ops[0].handle);
	assert_int_equal(program->ops[1].offset, 4096);
	assert_int_equal(program->ops[1].size, 64);
	assert_int_equal(program->ops[1].expect, 64);
	assert_true(program->ops[2].offset == UINT64_MAX);
	program_free(program);
}

static void offsets_become_formulas(void **state)
{
	static const struct {
		const char *offset, *printed;
	} rows[] = {
		{"*", "*"},
		{"*%1000", "*%1000"},
		{"*/4096", "*/4096"},
		{"*+17", "*+17"},
		{"*%0x1000/010+1", "*%4096/8+1"},
		{"*+1%2+3%4+5%6+7%8", "*+1%2+3%4+5%6+7%8"},
		{"+512", "+512"},
		{"+child", "+child"},
		{"+num_children", "+num_children"},
		{"*%10+child+num_children", "*%10+child+num_children"},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		struct program *program;
		char text[128], *printed = NULL;
		size_t bytes;
		FILE *stream = open_memstream(&printed, &bytes);

		snprintf(text, sizeof(text), FILE_1 "ReadX 1 %s 1 1 *\n", rows[i].offset);
		program = load_text(text);
		assert_int_equal(program->ops[1].flags & OP_COMPUTED, OP_COMPUTED);
		assert_int_equal(program->ops[1].offset, 0);
		program_print(program, stream);
		fclose(stream);
		snprintf(text, sizeof(text), ":read 0 %s 1 - *\n", rows[i].printed);
		if (strstr(printed, text) == NULL)
			fail_msg("\"%s\" was printed as %s", rows[i].offset, printed);
		free(printed);
		program_free(program);
	}
}

static void invalid_offsets_are_refused(void **state)
{
	static const char *const offsets[] = {
		"**",
		"*%",
		"*/",
		"*+",
		"+",
		"*%x",
		"*1",
		"*-1",
		"+1+",
		"*%-1",
		"+childx",
		"*%1x",
		"*+99999999999999999999",
		"x",
		"-1",
		"*+1+2+3+4+5+6+7+8+9",
		"+ 1",
	};
	size_t i;

	for (i = 0; i < LENGTH(offsets); i++) {
		struct errors errors;
		char text[128];

		snprintf(text, sizeof(text), FILE_1 "ReadX 1 %s 1 1 *\n", offsets[i]);
		if (try_load(text, &errors) != NULL)
			fail_msg("\"%s\" was accepted", offsets[i]);
		assert_int_equal(errors.count, 1);
		assert_int_equal(errors.kept[0].line, 2);
		assert_int_equal(errors.kept[0].column, 9);
	}
}

static void time_stamps_are_exact(void **state)
{
	static const struct {
		const char *stamp;
		uint64_t due_ns;
	} rows[] = {
		{"0", 0},
		{"0.0", 0},
		{"5.", 5 * NS_PER_S},
		{"1.5", 1500 * NS_PER_MS},
		{"0.000000001", 1},
		{"0.0000000019", 1},
		{"00012.25", 12250 * NS_PER_MS},
		{"123456789.123456789", UINT64_C(123456789123456789)},
		{"1000000000", UINT64_C(1000000000) * NS_PER_S},
	};
	static const char *const wrong[] = {
		"1000000000.1", "99999999999999999999999999", "1e3", "0x1", "1.5s", "1,5", "1.5.5",
		"1-2",
	};
	char text[128];
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		struct program *program;

		snprintf(text, sizeof(text), "%s Mkdir /a SUCCESS\n", rows[i].stamp);
		program = load_text(text);
		if (program->due_ns[0] != rows[i].due_ns)
			fail_msg("%s: %ju", rows[i].stamp, (uintmax_t)program->due_ns[0]);
		program_free(program);
	}
	for (i = 0; i < LENGTH(wrong); i++) {
		struct errors errors;

		snprintf(text, sizeof(text), "%s Mkdir /a SUCCESS\n", wrong[i]);
		if (try_load(text, &errors) != NULL)
			fail_msg("\"%s\" was accepted", wrong[i]);
		assert_non_null(strstr(errors.kept[0].text, "is not a time stamp"));
	}
}

static void a_repeat_is_a_loop_of_one(void **state)
{
	struct program *program = load_text("REPEAT 7\n"
					    "2.5 Mkdir /a SUCCESS\n"
					    "Mkdir /b SUCCESS\n");

	assert_int_equal(program->op_count, 4);
	assert_int_equal(program->ops[0].kind, OP_LOOP);
	assert_int_equal(program->ops[0].count, 7);
	assert_int_equal(program->ops[1].kind, OP_MKDIR);
	assert_int_equal(program->ops[2].kind, OP_ENDLOOP);
	assert_int_equal(program->ops[2].jump, 1);
	assert_int_equal(program->ops[3].kind, OP_MKDIR);
	assert_true(program->due_ns[1] == 2500 * NS_PER_MS);
	program_free(program);
}

static void lines_common_to_all_are_compiled(void **state)
{
	struct program *program = load_text("SLEEP 1500\n"
					    "SETSP 4\n"
					    "WAITSP 3 4\n"
					    "WRITEPATTERN  some  \"text\" \n"
					    "RANDOMSTRING 9 \"a b[cd]\"\n"
					    "Mkdir /a SUCCESS\n");
	const struct op *ops = program->ops;

	assert_int_equal(ops[0].kind, OP_SLEEP);
	assert_int_equal(ops[0].sleep_ns, 1500000);
	assert_int_equal(ops[1].kind, OP_SETSP);
	assert_int_equal(ops[1].number, 4);
	assert_int_equal(ops[2].kind, OP_WAITSP);
	assert_int_equal(ops[2].user, 3);
	assert_int_equal(ops[2].number, 4);
	assert_int_equal(ops[3].kind, OP_WRITEPATTERN);
	assert_string_equal(program->texts[ops[3].text], "some  \"text\" ");
	assert_int_equal(ops[4].kind, OP_RANDOMSTRING);
	assert_int_equal(ops[4].number, 9);
	assert_string_equal(program->texts[ops[4].text], "a b[cd]");
	program_free(program);
}

static void strings_vary_a_path_once_they_are_defined(void **state)
{
	struct program *program = load_text("Mkdir /a/$1 SUCCESS\n"
					    "Mkdir $2 SUCCESS\n"
					    "RANDOMSTRING 1 x[yz]\n"
					    "Mkdir /b/$1 SUCCESS\n"
					    "Mkdir /b/$2 SUCCESS\n");
	size_t i;

	for (i = 0; i < program->path_count; i++)
		assert_int_equal(program->paths[i].varying,
				 strcmp(program->paths[i].text, "b/$1") == 0);
	program_free(program);
}

static void the_dialect_is_detected_by_the_words(void **state)
{
	static const struct {
		const char *text, *dialect;
	} rows[] = {
		{"Mkdir /a SUCCESS\n", "netbench"},
		{"mkdir /a OK\n", "native"},
		{"x:mkdir /a OK\n", "native"},
		{"0.5 mkdir /a OK\n", "native"},
		{"0.5 Mkdir /a SUCCESS\n", "netbench"},
		/* Words in another letter case, as dbench accepts them */
		{"NTCREATEX /a 0 2 1 SUCCESS\nclose 1 SUCCESS\n", "netbench"},
		{"LOOP 2\nREPEAT 2\nstatvfs OK\nENDLOOP\n", "native"},
		{"GETATTR3 /a 0x0\n", "nfs"},
		{"getattr3 /a 0x0\n", "nfs"},
		{"Deltree /client1 0x0\nfsinfo3 0x0\n", "nfs"},
		{"LOCK4 /a 0 0 *\n", "nfs"},
		{"nfs-getattr /a OK\n", "native"},
		{"OPEN /a 0x0c SUCCESS\n", "smb"},
		/* Words of several dialects that differ only in letter case */
		{"MKDIR /a *\n", "smb"},
		{"RMDIR /a *\n", "smb"},
		{"UNLINK /a *\n", "smb"},
		{"READDIR /a *\n", "smb"},
		{"MKDIR /a *\nRMDIR /a *\nUNLINK /a *\nDeltree /client1 *\n", "smb"},
		{"Mkdir /a *\nRmdir /a *\nUnlink /a 0 *\nDeltree /client1 *\n", "netbench"},
		{"mkdir /a *\nrmdir /a *\nunlink /a *\ndeltree /client1 *\n", "native"},
		/* Several dialects fit, and this line means the same in all of
		 * them. */
		{"Deltree /client1 *\n", "netbench"},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		struct program *program = load_text(rows[i].text);

		assert_string_equal(program->dialect, rows[i].dialect);
		program_free(program);
	}
}

static void the_dialect_is_found_after_any_number_of_common_lines(void **s)
{
	char text[1000 * 8 + 64] = "";
	struct program *program;
	unsigned i;

	for (i = 0; i < 1000; i++)
		memcpy(text + 8 * i, "SLEEP 1\n", 8);
	strcpy(text + 8 * i, "mkdir /a OK\n");
	program = load_text(text);
	assert_string_equal(program->dialect, "native");
	program_free(program);
}

static void foreign_loads_are_refused_in_one_sentence(void **state)
{
#define DEVICE \
	"block-device loads are not supported; throng plays file " \
	"operations"
	static const struct {
		const char *text, *refusal;
	} rows[] = {
		{"LOOP 9\nREAD */0x1000%0x40000 4096 0x00000000\nENDLOOP\n", DEVICE},
		{"REPEAT 2\nWRITE +4096 4096 0x00000000\n", DEVICE},
		{"READ 0 4096 0x00\nFDATASYNC 0x00\n", DEVICE},
		{"0.000 TESTUNITREADY 0x00\n0.1 READ10 0 2 0 0 0x00\n", DEVICE},
		{"0.000 PROUT 0 0 0 0xdeadbeef 0x00\n", DEVICE},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		struct errors errors;

		if (try_load(rows[i].text, &errors) != NULL)
			fail_msg("was accepted: %s", rows[i].text);
		assert_int_equal(errors.count, 1);
		assert_string_equal(errors.kept[0].text, rows[i].refusal);
		assert_int_equal(errors.kept[0].line, 0);
	}
}

static void one_wrong_line_is_one_error(void **state)
{
#define UNCLOSED "the quoted text has no closing \""
	static const struct {
		const char *text;
		size_t count;
		unsigned line, column;
		const char *refusal;
	} rows[] = {
		/* REPEAT applies to one line only, even if that line is
		 * wrong. */
		{"REPEAT 3\n\"\nMkdir /a SUCCESS\n", 1, 2, 1, UNCLOSED},
		{"REPEAT 3\n\"\n", 1, 2, 1, UNCLOSED},
		{"REPEAT 3\n1x Mkdir /a SUCCESS\nMkdir /a SUCCESS\nENDLOOP\n", 2, 2, 1,
		 "\"1x\" is not a time stamp; expected seconds since the loop began (0 to "
		 "1000000000)"},
		{"REPEAT 3\nMkdir a SUCCESS\nENDLOOP\n", 2, 2, 7,
		 "\"a\" is not a path; expected a path in quotes, or with a leading slash"},
		{"REPEAT 3\nSLEEP 1\nMkdir /a SUCCESS\n", 1, 2, 1,
		 "expected an operation after REPEAT, not SLEEP"},
		{"REPEAT 3\nREPEAT 3\nMkdir /a SUCCESS\n", 1, 2, 1,
		 "expected an operation after REPEAT, not REPEAT"},
		{"Mkdir /a SUCCESS\nREPEAT 3\n", 1, 2, 1, "expected an operation after REPEAT"},
		{"open \"\nopen /a read 1 OK\n", 1, 1, 6, UNCLOSED},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		struct errors errors;

		if (try_load(rows[i].text, &errors) != NULL)
			fail_msg("was accepted: %s", rows[i].text);
		if (errors.count != rows[i].count)
			fail_msg("%zu errors, the second: %s\nin: %s", errors.count,
				 errors.kept[1].text, rows[i].text);
		assert_string_equal(errors.kept[0].text, rows[i].refusal);
		assert_int_equal(errors.kept[0].line, rows[i].line);
		assert_int_equal(errors.kept[0].column, rows[i].column);
	}
}

static void a_directory_is_not_read_as_a_loadfile(void **state)
{
	struct errors errors = {0};

	assert_null(load_file("/", NULL, &errors));
	assert_int_equal(errors.count, 1);
	assert_string_equal(errors.kept[0].source, "/");
	assert_string_equal(errors.kept[0].text, "cannot read: Is a directory");
}

int unit_load(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(dispositions_and_options_become_open_flags),
		cmocka_unit_test(recorded_outcomes_become_accepted_sets),
		cmocka_unit_test(a_rename_replaces_unless_recorded_as_a_collision),
		cmocka_unit_test(procedures_accept_what_was_recorded),
		cmocka_unit_test(write3_keeps_its_stable_how),
		cmocka_unit_test(bits_of_the_smb_dialect_become_open_flags),
		cmocka_unit_test(fewer_bytes_are_a_failure_in_the_smb_dialect),
		cmocka_unit_test(names_that_servers_look_up_are_marked),
		cmocka_unit_test(numbers_are_decimal_hex_or_octal),
		cmocka_unit_test(offsets_become_formulas),
		cmocka_unit_test(invalid_offsets_are_refused),
		cmocka_unit_test(time_stamps_are_exact),
		cmocka_unit_test(a_repeat_is_a_loop_of_one),
		cmocka_unit_test(lines_common_to_all_are_compiled),
		cmocka_unit_test(strings_vary_a_path_once_they_are_defined),
		cmocka_unit_test(the_dialect_is_detected_by_the_words),
		cmocka_unit_test(the_dialect_is_found_after_any_number_of_common_lines),
		cmocka_unit_test(foreign_loads_are_refused_in_one_sentence),
		cmocka_unit_test(one_wrong_line_is_one_error),
		cmocka_unit_test(a_directory_is_not_read_as_a_loadfile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
