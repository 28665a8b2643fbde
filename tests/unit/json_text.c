/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "result/json_cursor.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Write the elements of a list, or "KEY=VALUE" for the members of an object,
 * each between < and >, and how the text ends. */
static void split(const char *json, char text[256])
{
	struct json_text rest = json_text_trim((struct json_text){json, json + strlen(json)});
	struct json_text key, value;
	size_t length = 0;
	int rc;

	text[0] = '\0';
	for (;;) {
		key = (struct json_text){"", ""};
		rc = json[strcspn(json, "[{")] == '[' ? json_text_element(&rest, &value)
						      : json_text_member(&rest, &key, &value);
		if (rc <= 0)
			break;
		length += (size_t)snprintf(
			text + length, 256 - length, "<%.*s%s%.*s>", (int)(key.end - key.at),
			key.at, key.end > key.at ? "=" : "", (int)(value.end - value.at), value.at);
	}
	snprintf(text + length, 256 - length, "%s", rc == 0 ? "" : rc == -EINVAL ? "!" : "?");
}

static void texts_are_split(void **state)
{
	static const struct {
		const char *json, *split;
	} rows[] = {
		{"[]", ""},
		{" [ ] ", ""},
		{"[1]", "<1>"},
		{"[ 1 , -2.5e3,\n\ttrue ,null]", "<1><-2.5e3><true><null>"},
		{"[[1,[2]],{\"a\":[3]}]", "<[1,[2]]><{\"a\":[3]}>"},
		{"[\"a,]\", \"\\\"]\", \"\\\\\"]", "<\"a,]\"><\"\\\"]\"><\"\\\\\">"},
		{"[{\"a\":\"}\"}]", "<{\"a\":\"}\"}>"},
		{"{}", ""},
		{"{\"a\":1}", "<a=1>"},
		{" { \"a\" : [1, 2] , \"b\":{\"c\":\"{\"} } ", "<a=[1, 2]><b={\"c\":\"{\"}>"},
		/* Wrong or cut short. */
		{"[", "!"},
		{"[1", "<1>!"},
		{"[1,", "<1>!"},
		{"[1 2]", "<1>!"},
		{"[,1]", "!"},
		{"[1]]", "<1>!"},
		{"[1] 2", "<1>!"},
		{"[\"a]", "!"},
		{"[\"\\", "!"},
		{"[[1]", "<[1]>!"},
		{"[{]", "<{]>!"},
		{"{\"a\"}", "!"},
		{"{\"a\":}", "!"},
		{"{a:1}", "!"},
		{"{\"a\":1", "<a=1>!"},
		{"{\"a\":1 \"b\":2}", "<a=1>!"},
	};
	char text[256];
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		split(rows[i].json, text);
		assert_string_equal(text, rows[i].split);
	}
}

int unit_json_text(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_split),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
