/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/load.h"

#include "base/units.h"
#include "load/control.h"
#include "load/dialect.h"
#include "load/number.h"
#include "load/parameters.h"
#include "load/unroll.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

/* Max number of lines for choosing a dialect. Unknown lines do not count. */
enum { SCORED_LINES = 200 };

struct loading {
	struct reader *reader;
	struct builder *builder;
	struct parameters *parameters;
	const struct dialect *dialect;
	struct unroll unroll;
	/* Number of rounds, if the previous line was a REPEAT; 0: it was
	 * not. */
	uint64_t repeat;
	uint64_t bytes_max; /* the memory limit */
	bool listed;        /* a message has listed the dialect's operations */
	/* The word that was probably meant by word `meant_at` of the current
	 * line; NULL: the line has no unknown word, or no word is near. */
	const char *meant;
	unsigned meant_at;
};

/* Add the LOOP or the ENDLOOP of a REPEAT, which becomes a loop of one
 * operation. */
static int add_repeat(struct loading *loading, const struct line *line, enum op_kind kind,
		      uint64_t repeat, struct error *error)
{
	struct op op = {
		.kind = (uint8_t)kind,
		.count = repeat,
		.handle = OP_NONE,
		.path = OP_NONE,
		.path2 = OP_NONE,
		.variable = OP_NONE,
		.line = line->number,
	};

	return dialect_add(loading->builder, line, 0, &op, CLOCK_NEVER, error);
}

/*
 * Parse the time stamp of a line, in seconds since the loop began. Parse it
 * digit by digit: a double would lose the nanoseconds in a long load.
 */
static int read_time_stamp(const struct line *line, uint64_t *due_ns, struct error *error)
{
	const char *text = line->words[0].text, *next;
	uint64_t place_ns = NS_PER_S;

	*due_ns = 0;
	for (next = text; isdigit((unsigned char)*next) && *due_ns <= PROGRAM_DUE_MAX_NS; next++)
		*due_ns = *due_ns * 10 + (uint64_t)(*next - '0') * NS_PER_S;
	if (*next == '.')
		next++;
	for (; isdigit((unsigned char)*next); next++) {
		place_ns /= 10;
		*due_ns += (uint64_t)(*next - '0') * place_ns;
	}
	if (*next == '\0' && *due_ns <= PROGRAM_DUE_MAX_NS)
		return 0;
	line_error(
		line, 0, error,
		"\"%s\" is not a time stamp; expected seconds since the loop began (0 to %" PRIu64
		")",
		text, (uint64_t)(PROGRAM_DUE_MAX_NS / NS_PER_S));
	return -EINVAL;
}

/* Return the word that a line was probably meant to have for its unknown word
 * `first`, or NULL. */
static const char *find_meant(const struct loading *loading, const struct line *line,
			      unsigned first)
{
	struct suggestion suggestion = {.word = line->words[first].text};

	/* In a recording, an unknown word is rarely misspelt. */
	if (loading->dialect->suggest == NULL)
		return NULL;
	/* After a weight or a time stamp, there are only operations. */
	if (first == 0) {
		parameters_suggest(&suggestion);
		control_suggest(&suggestion);
	} else if (builder_block(loading->builder) == OP_BRANCH) {
		suggest_offer(&suggestion, "BEGIN");
	}
	loading->dialect->suggest(&suggestion);
	return suggestion.nearest;
}

/* Refuse a line whose word `first` is not an operation. Suggest another word,
 * or list the operations once. */
static int refuse_unknown(struct loading *loading, const struct line *line, unsigned first,
			  struct error *error)
{
	const char *word = line->words[first].text;
	const char *meant = find_meant(loading, line, first);

	loading->meant = meant;
	loading->meant_at = first;
	if (meant != NULL)
		return line_error(line, first, error,
				  "\"%s\" is not an operation; did you mean %s?", word, meant);
	if (loading->listed)
		return line_error(line, first, error, "\"%s\" is not an operation", word);
	loading->listed = true;
	return line_error(line, first, error, "\"%s\" is not an operation; the %s dialect has %s",
			  word, loading->dialect->name, loading->dialect->words);
}

/* Compile an operation, whose name is word `first`. */
static int compile_named(struct loading *loading, const struct line *line, unsigned first,
			 uint64_t due_ns, struct error *error)
{
	const struct dialect *dialect = loading->dialect;
	const char *name = line->words[first].text;

	if (first > 0 && control_find(name, dialect == &dialect_native) != NULL) {
		line_error(line, first, error, "expected an operation after \"%s\", not %s",
			   line->words[0].text, name);
		return -EINVAL;
	}
	if (dialect->match(name) == 0)
		return refuse_unknown(loading, line, first, error);
	if (dialect->outcome != NULL && first + 1 == line->word_count) {
		line_error(
			line, first, error,
			"%s has no outcome; expected an outcome such as %s at the end of the line",
			name, dialect->outcome);
		return -EINVAL;
	}
	return dialect->compile(loading->builder, line, first, due_ns, error);
}

/* Compile an operation with its time stamp, if it has one. `repeat` is the
 * number of rounds from a REPEAT before it, or 0. */
static int compile_operation(struct loading *loading, const struct line *line, uint64_t repeat,
			     struct error *error)
{
	uint64_t due_ns = CLOCK_NEVER;
	unsigned first = 0;
	int rc, ended;

	if (isdigit((unsigned char)line->words[0].text[0])) {
		if (read_time_stamp(line, &due_ns, error) < 0)
			return -EINVAL;
		first = 1;
	}
	if (first == line->word_count) {
		line_error(line, first, error, "expected an operation after the time stamp");
		return -EINVAL;
	}
	if (repeat == 0)
		return compile_named(loading, line, first, due_ns, error);
	rc = add_repeat(loading, line, OP_LOOP, repeat, error);
	if (rc < 0)
		return rc;
	rc = compile_named(loading, line, first, due_ns, error);
	/* End the loop even after an error. Otherwise later lines would cause
	 * errors. */
	ended = add_repeat(loading, line, OP_ENDLOOP, repeat, error);
	return rc < 0 ? rc : ended;
}

/* Refuse a line in a MIX that begins with a letter. Report this once for each
 * MIX, as an ENDMIX may be missing. */
static int compile_weightless(struct loading *loading, const struct line *line, struct error *error)
{
	uint32_t mix = builder_report_block(loading->builder);
	struct error ignored = {0};

	compile_named(loading, line, 0, CLOCK_NEVER, &ignored);
	if (mix == 0)
		return 0;
	return line_error(line, 0, error,
			  "expected a weight before the operation, because the operation is inside "
			  "the MIX of line %" PRIu32 "; is an ENDMIX missing before this line?",
			  mix);
}

/* Read the weight of a branch, a number such as 80. */
static int read_weight(struct operand operand, uint64_t *weight)
{
	const char *text = operand_text(operand);

	if (strcmp(text + strspn(text, "0123456789."), "%") == 0)
		return operand_error(
			operand, "\"%s\" is not a weight; expected a number such as 80, without %%",
			text);
	return number_constant(operand, 1, PROGRAM_WEIGHTS_MAX, weight);
}

/* Compile a branch of a MIX: a weight, and an operation or BEGIN. */
static int compile_branch(struct loading *loading, const struct line *line, struct error *error)
{
	struct op op = {
		.kind = OP_BRANCH,
		.handle = OP_NONE,
		.path = OP_NONE,
		.path2 = OP_NONE,
		.variable = OP_NONE,
		.line = line->number,
	};
	const struct operand operand = {loading->builder, line, 0, true, error};
	struct error reason = {0};
	int begun, rc, ended;

	if (isalpha((unsigned char)line->words[0].text[0]) &&
	    loading->dialect->match(line->words[0].text) == 0)
		return refuse_unknown(loading, line, 0, error);
	if (isalpha((unsigned char)line->words[0].text[0]))
		return compile_weightless(loading, line, error);
	if (line->word_count < 2) {
		line_error(line, 0, error, "expected an operation or BEGIN after the weight");
		return -EINVAL;
	}
	begun = read_weight(operand, &op.weight);
	if (begun == 0)
		begun = dialect_add(loading->builder, line, 0, &op, CLOCK_NEVER, error);
	if (begun == -ENOMEM)
		return begun;
	/* Begin the branch even so. Otherwise its END would cause an error. */
	if (begun < 0)
		builder_begin_refused(loading->builder, OP_BRANCH, line->number);
	if (strcmp(line->words[1].text, "BEGIN") == 0) {
		if (line->word_count == 2)
			return begun;
		line_error(
			line, 2, error,
			"BEGIN must end its line; write the operations on the lines after BEGIN");
		return -EINVAL;
	}
	rc = compile_named(loading, line, 1, CLOCK_NEVER, error);
	if (begun < 0)
		rc = begun;
	ended = builder_end_branch(loading->builder, &reason);
	return rc < 0 ? rc : operand_report(operand, ended, &reason);
}

/* Refuse a line that is not an operation, if it follows a REPEAT. `repeat` is
 * as in compile_operation(). */
static int check_repeat(const struct line *line, uint64_t repeat, struct error *error)
{
	if (repeat == 0)
		return 0;
	line_error(line, 0, error, "expected an operation after REPEAT, not %s",
		   line->words[0].text);
	return -EINVAL;
}

/* Compile a line whose parameters have been replaced. `repeat` is as in
 * compile_operation(). */
static int compile_replaced(struct loading *loading, struct line *line, uint64_t repeat,
			    struct error *error)
{
	const struct control_line *control;
	bool native = loading->dialect == &dialect_native;
	int rc;

	control = control_find(line->words[0].text, native);
	if (control == NULL && builder_block(loading->builder) == OP_MIX) {
		/* Begin the branch even so. Otherwise its END would cause an
		 * error. */
		rc = compile_branch(loading, line, error);
		return rc < 0 ? rc : check_repeat(line, repeat, error);
	}
	if (control == NULL)
		return compile_operation(loading, line, repeat, error);
	if (check_repeat(line, repeat, error) < 0)
		return -EINVAL;
	return control_compile(control, loading->builder, native ? &loading->unroll : NULL, line,
			       &loading->repeat, error);
}

static int compile_words(struct loading *loading, struct line *line, struct error *error)
{
	uint64_t repeat = loading->repeat;
	int rc;

	/* REPEAT applies to one line only, even if that line is wrong. */
	loading->repeat = 0;
	if (loading->dialect == &dialect_native) {
		rc = parameters_line(loading->parameters, line, error);
		if (rc > 0)
			return check_repeat(line, repeat, error);
		if (rc < 0)
			return rc;
	}
	rc = compile_replaced(loading, line, repeat, error);
	if (rc == -EINVAL && loading->dialect == &dialect_native)
		parameters_explain(loading->parameters, error);
	return rc;
}

/* Compile a line that is refused as it was probably meant, so that later lines
 * cause no errors. */
static void compile_meant(struct loading *loading, struct line *line)
{
	struct error ignored = {0};
	bool dollars = false;
	unsigned i;

	line->words[loading->meant_at].text = (char *)loading->meant;
	/* Words with a dollar must not be replaced a second time. */
	for (i = 0; i < line->word_count; i++)
		dollars |= strchr(line->words[i].text, '$') != NULL;
	if (dollars)
		compile_replaced(loading, line, 0, &ignored);
	else
		compile_words(loading, line, &ignored);
}

static int compile_line(struct loading *loading, struct line *line, struct error *error)
{
	int rc;

	loading->meant = NULL;
	if (loading->dialect == &dialect_native)
		line_drop_comment(line);
	rc = compile_words(loading, line, error);
	if (rc == -EINVAL && loading->meant != NULL)
		compile_meant(loading, line);
	return rc;
}

/*
 * Choose the dialect that fits the first operations best. Ignore lines that are
 * malformed or unknown to all dialects. Return 0, or -errno with `error` set
 * if the file cannot be read, or if its first operation shows that it is a load
 * of another format (dialect_refusal).
 */
static int choose_dialect(struct loading *loading, struct error *error)
{
	unsigned scores[8] = {0}, best = 0, scored = 0, i;
	bool judged = false;
	struct line line;

	while (scored < SCORED_LINES) {
		struct error reason = {0};
		int rc = reader_next(loading->reader, &line, &reason);
		unsigned first, score, all = 0;
		const char *refusal;

		if (rc == 0)
			break;
		if (rc == -EINVAL)
			continue;
		if (rc < 0) {
			*error = reason;
			return rc;
		}
		first = isdigit((unsigned char)line.words[0].text[0]) && line.word_count > 1;
		if (!judged && control_find(line.words[0].text, true) == NULL) {
			judged = true;
			refusal = dialect_refusal(&line, first);
			if (refusal != NULL) {
				error_set_at(error, line.source, 0, 0, "%s", refusal);
				return -EINVAL;
			}
		}
		for (i = 0; dialects[i] != NULL; i++) {
			score = dialects[i]->match(line.words[first].text);
			scores[i] += score;
			all += score;
		}
		scored += all > 0;
	}
	for (i = 0; dialects[i] != NULL; i++)
		if (scores[i] > scores[best])
			best = i;
	loading->dialect = dialects[best];
	return reader_rewind(loading->reader, error);
}

static int check_bytes(const struct loading *loading, const struct line *line, struct error *error)
{
	char count[UNITS_TEXT], limit[UNITS_TEXT];

	if (builder_bytes(loading->builder) <= loading->bytes_max)
		return 0;
	error_set_at(error, line->source, line->number, 0,
		     "the first %s operations of the load take more than %s of memory; raise the "
		     "limit with the option --load-limit of throng",
		     units_print_count(builder_ops(loading->builder), count),
		     units_print_bytes(loading->bytes_max, limit));
	return -E2BIG;
}

/* Has an error about this line been added? */
static bool has_error(const struct errors *errors, unsigned line)
{
	size_t i;

	for (i = 0; i < errors->count && i < ERRORS_KEPT; i++)
		if (errors->kept[i].line == line)
			return true;
	return errors->count > ERRORS_KEPT;
}

/* Add an error, unless an earlier round of a REPEAT had one in the same line. */
static void add_error(struct loading *loading, struct error *error, struct errors *errors)
{
	loading->unroll.wrong = true;
	if (unroll_is_copy(&loading->unroll)) {
		if (has_error(errors, error->line))
			return;
		unroll_describe(&loading->unroll, error);
	}
	errors_add(errors, error);
}

/* Compile all lines. Continue after an error in a line, to find all errors. */
static void compile_all(struct loading *loading, struct errors *errors)
{
	struct line line;
	int rc;

	for (;;) {
		struct error error = {0};

		rc = reader_next(loading->reader, &line, &error);
		if (rc == 0)
			break;
		if (rc > 0)
			rc = compile_line(loading, &line, &error);
		else
			loading->repeat = 0;
		if (rc == 0)
			rc = check_bytes(loading, &line, &error);
		if (rc < 0)
			add_error(loading, &error, errors);
		if (rc < 0 && rc != -EINVAL)
			return;
	}
	if (loading->repeat > 0) {
		struct error error = {0};

		line_error(&line, 0, &error, "expected an operation after REPEAT");
		errors_add(errors, &error);
	}
}

struct program *load_file(const char *path, const struct load_options *options,
			  struct errors *errors)
{
	static const struct load_options none;
	struct loading loading = {.bytes_max = LOAD_BYTES_MAX};
	struct program *program = NULL;
	struct error error = {0};

	if (options == NULL)
		options = &none;
	if (options->bytes_max > 0)
		loading.bytes_max = options->bytes_max;
	if (path[0] == '\0')
		error_set(&error, "cannot open the loadfile \"\": %s", strerror(ENOENT));
	else
		loading.reader = reader_open(path, &error);
	if (loading.reader == NULL || choose_dialect(&loading, &error) < 0)
		goto done;
	loading.builder = builder_new(path, loading.dialect->name);
	if (loading.builder != NULL)
		loading.parameters = parameters_new(loading.builder, options);
	if (loading.parameters == NULL) {
		error_no_memory(&error);
		goto done;
	}
	if (loading.dialect != &dialect_native)
		builder_prologue(loading.builder, &error);
	loading.unroll = (struct unroll){
		.reader = loading.reader,
		.builder = loading.builder,
		.parameters = loading.parameters,
	};
	compile_all(&loading, errors);
	if (unroll_finish(&loading.unroll, path, &error) < 0) {
		errors_add(errors, &error);
		error = (struct error){0};
	}
	parameters_end(loading.parameters, path, errors);
	if (errors->count == 0) {
		program = builder_finish(loading.builder, &error);
		loading.builder = NULL;
	}
done:
	if (error.set)
		errors_add(errors, &error);
	parameters_free(loading.parameters);
	builder_free(loading.builder);
	reader_close(loading.reader);
	return program;
}

int load_digest(const char *path, char text[LOAD_DIGEST_TEXT], struct error *error)
{
	uint8_t buffer[64 << 10], digest[SHA256_DIGEST_SIZE];
	struct sha256_ctx context;
	FILE *file = fopen(path, "rbe");
	size_t got, i;
	int rc = 0;

	if (file == NULL) {
		rc = -errno;
		error_set_at(error, path, 0, 0,
			     "cannot open the loadfile again to compute its SHA-256: %s",
			     strerror(-rc));
		return rc;
	}
	sha256_init(&context);
	while ((got = fread(buffer, 1, sizeof(buffer), file)) > 0)
		sha256_update(&context, got, buffer);
	if (ferror(file)) {
		rc = -EIO;
		error_set_at(error, path, 0, 0,
			     "cannot read the loadfile again to compute its SHA-256: %s",
			     strerror(EIO));
	}
	fclose(file);
	sha256_digest(&context, sizeof(digest), digest);
	for (i = 0; i < sizeof(digest); i++)
		snprintf(text + 2 * i, 3, "%02x", digest[i]);
	return rc;
}
