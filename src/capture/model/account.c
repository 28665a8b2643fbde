/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture/model/account.h"

#include "base/array.h"
#include "base/units.h"
#include "base/utf8.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const char *const row_names[ACCOUNT_ROWS] = {
	[ACCOUNT_ELSEWHERE] = "elsewhere", [ACCOUNT_FOLDED] = "folded",
	[ACCOUNT_CONVERTED] = "converted", [ACCOUNT_NEAR] = "near",
	[ACCOUNT_DROPPED] = "dropped",
};
/* clang-format on */

enum {
	REASONS = 31, /* column of the reasons */
	COLUMNS = 80, /* max width */
};

/* The order in which rows are printed. */
static const enum account_row printed[] = {
	ACCOUNT_CONVERTED,
	ACCOUNT_NEAR,
	ACCOUNT_FOLDED,
	ACCOUNT_DROPPED,
};

/* Rows that have reasons. */
static bool has_reason(enum account_row row)
{
	return row != ACCOUNT_CONVERTED && row != ACCOUNT_ELSEWHERE;
}

void account_begin(struct call_account *account, uint64_t line)
{
	account_end(account);
	account->began = true;
	account->decided = false;
	account->row = ACCOUNT_CONVERTED;
	account->line = line;
}

void account_set(struct call_account *account, enum account_row row, const char *format, ...)
{
	va_list arguments;

	if (account->decided && row <= account->row)
		return;
	account->decided = true;
	account->row = row;
	account->reason[0] = (char)('0' + row);
	va_start(arguments, format);
	vsnprintf(account->reason + 1, sizeof(account->reason) - 1, format, arguments);
	va_end(arguments);
	/* A reason can have words of the source. */
	utf8_mask(account->reason);
}

static void count_reason(struct call_account *account)
{
	int is_new;
	int64_t number = intern(&account->reasons, account->reason, strlen(account->reason),
				&is_new);

	if (number < 0 ||
	    array_grow(&account->reason_counts, &account->reason_room, (size_t)number + 1,
		       sizeof(uint64_t)) < 0 ||
	    array_grow(&account->reason_lines, &account->line_room, (size_t)number + 1,
		       sizeof(uint64_t)) < 0) {
		account->failed = true;
		return;
	}
	if (is_new) {
		account->reason_counts[number] = 0;
		account->reason_lines[number] = account->line;
	}
	account->reason_counts[number]++;
}

void account_end(struct call_account *account)
{
	if (!account->began)
		return;
	account->began = false;
	account->counts[account->row]++;
	if (has_reason(account->row))
		count_reason(account);
}

bool account_is_dropped(const struct call_account *account)
{
	return account->began && account->decided && account->row == ACCOUNT_DROPPED;
}

const char *account_reason(const struct call_account *account)
{
	return account->reason + 1;
}

uint64_t account_calls(const struct call_account *account)
{
	uint64_t calls = account->began;
	size_t row;

	for (row = 0; row < ACCOUNT_ROWS; row++)
		calls += account->counts[row];
	return calls;
}

const char *account_first_dropped(const struct call_account *account, uint64_t *line)
{
	const char *first = NULL;
	size_t i;

	for (i = 0; i < account->reasons.count; i++) {
		const char *text = account->reasons.keys[i].bytes;

		if (text[0] != '0' + ACCOUNT_DROPPED ||
		    (first != NULL && account->reason_lines[i] >= *line))
			continue;
		first = text + 1;
		*line = account->reason_lines[i];
	}
	return first;
}

/* Order the reasons of a row by their counts, the largest first. */
static int compare_counts(const void *left, const void *right)
{
	const uint64_t *const *a = left, *const *b = right;

	if (**a != **b)
		return **a < **b ? 1 : -1;
	return *a < *b ? -1 : *a > *b;
}

/* Print the reasons of a row and their counts, joined by commas, from column
 * REASONS on. */
static void print_reasons(const struct call_account *account, enum account_row row,
			  const char *prefix, FILE *stream)
{
	/* Pointers into reason_counts, for qsort(). */
	const uint64_t **order = calloc(account->reasons.count + 1, sizeof(*order));
	size_t count = 0, column = strlen(prefix) + REASONS, i;
	char text[sizeof(account->reason) + UNITS_TEXT], number[UNITS_TEXT];

	for (i = 0; order != NULL && i < account->reasons.count; i++)
		if (account->reasons.keys[i].bytes[0] == '0' + (char)row)
			order[count++] = &account->reason_counts[i];
	if (order != NULL)
		qsort(order, count, sizeof(*order), compare_counts);
	for (i = 0; i < count; i++) {
		size_t reason = (size_t)(order[i] - account->reason_counts);

		snprintf(text, sizeof(text), "%s %s%s", account->reasons.keys[reason].bytes + 1,
			 units_print_count(*order[i], number), i + 1 < count ? "," : "");
		if (i > 0 && column + strlen(text) >= COLUMNS) {
			fprintf(stream, "\n%s%*s", prefix, REASONS, "");
			column = strlen(prefix) + REASONS;
		}
		column += (size_t)fprintf(stream, "%s%s", i == 0 ? "  " : " ", text);
	}
	free(order);
}

void account_print(const struct call_account *account, const char *prefix, FILE *stream)
{
	uint64_t inside = account_calls(account) - account->counts[ACCOUNT_ELSEWHERE];
	char text[UNITS_TEXT];
	size_t i;

	for (i = 0; i < sizeof(printed) / sizeof(printed[0]); i++) {
		enum account_row row = printed[i];
		uint64_t count = account->counts[row];

		fprintf(stream, "%s  %-9s %9s %6.2f %%", prefix, row_names[row],
			units_print_count(count, text),
			inside > 0 ? 100.0 * (double)count / (double)inside : 0.0);
		if (has_reason(row))
			print_reasons(account, row, prefix, stream);
		fputc('\n', stream);
	}
}

void account_free(struct call_account *account)
{
	intern_free(&account->reasons);
	free(account->reason_counts);
	free(account->reason_lines);
}
