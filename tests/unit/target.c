/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "target/account.h"
#include "target/backends.h"
#include "target/target.h"

#include <errno.h>
#include <sys/prctl.h>
#include <sys/stat.h>

/* A backend that, like a file server's, has options and needs an account. */
static const char *const encrypt_values[] = {"off", "require", NULL};
static const char *const switch_values[] = {"yes", "no", NULL};
static const struct backend_option options[] = {
	{.key = "encrypt", .values = encrypt_values},
	{.key = "conf"},
	{.key = "guest", .values = switch_values},
	{.key = NULL},
};
static const struct backend_row server_row = {
	.name = "server",
	.options = options,
};
static const struct backend server = {.needs_account = true};

static struct target parsed(const char *text)
{
	struct target target;
	struct error error = {0};

	if (target_parse(text, &target, &error) < 0)
		fail_msg("%s: %s", text, error.text);
	return target;
}

static void expect_refused(const char *text, const char *why)
{
	struct target target;
	struct error error = {0};

	assert_int_equal(target_parse(text, &target, &error), -EINVAL);
	if (strstr(error.text, why) == NULL)
		fail_msg("%s: %s", text, error.text);
	target_free(&target);
}

static void a_path_is_used_unchanged(void **state)
{
	static const char *const paths[] = {
		"/mnt/a?b=c", "x@y/z", "./null:", "50%", "a;b@c",
	};
	size_t i;

	for (i = 0; i < LENGTH(paths); i++) {
		struct target target = parsed(paths[i]);

		assert_string_equal(target.path, paths[i]);
		assert_string_equal(target.scheme, "");
		assert_string_equal(target.user, "");
		assert_int_equal(target.option_count, 0);
		target_free(&target);
	}
}

static void a_file_url_has_no_options(void **state)
{
	struct target target = parsed("file:///mnt/a?b=c@d");

	assert_string_equal(target.path, "/mnt/a?b=c@d");
	target_free(&target);
}

static void unsupported_targets_are_refused(void **state)
{
	expect_refused("", "not a target");
	expect_refused("file://relative", "not a target");
	expect_refused("gopher://host/", "gopher");
	/* The password itself is not repeated. */
	expect_refused("smb://me:secret@host/share", "PASSWD");
	expect_refused("smb://dom;me:secret@host/share", "PASSWD");
}

static void expect_guess(const char *text, const char *expected)
{
	char guess[TARGET_GUESS];

	assert_string_equal(target_guess(text, guess), expected);
}

static void the_meaning_of_a_wrong_target_is_guessed(void **state)
{
	char text[2 * TARGET_GUESS] = "//host/";

	expect_guess("10.0.0.1:/export", " (for an NFS export, use nfs://10.0.0.1/export)");
	expect_guess("//host/share", " (for an SMB share, use smb://USER@host/share)");
	expect_guess("null", " (for the null target, use null:)");
	expect_guess("", "");
	expect_guess("/", "");
	expect_guess("/srv/test", "");
	expect_guess("//host", "");
	expect_guess(":/export", "");
	expect_guess("gopher://host/", "");
	/* The text may contain a password. */
	expect_guess("user:/secret@host", "");
	memset(text + strlen(text), 'x', TARGET_GUESS);
	expect_guess(text, "");
}

static void a_password_in_a_url_is_not_printed(void **state)
{
	static const char *const urls[] = {
		"smb://me:secret@host/share",
		"smb://me%3Asecret@host/share",
		"smb://me%25secret@host/share",
		"smb://me%zzsecret@host/share",
		"smb://me%00secret@host/share",
		"smb://me%3asecret%@host/share%",
		"smb://me:sec/secret@host/share",
		"smb://me:sec%2Fsecret@host/share",
		"smb://me;password=secret@host/share",
		"smb://me@host/share;password=secret",
		"smb://me@host/share?password=secret",
		"smb://me@host/share?PASS=secret",
		"smb://me@host/share?p%61ssword=secret",
		"smb://me@host/share?encrypt=off&passwd=secret",
		"smb://me@host/share?encrypt=off;passwd=secret",
		"smb://me@host/share?user=me:secret",
		"smb://me@host/share?secret",
		"smb:me:secret@host/share",
		"smb:/me:secret@host/share",
		"me:secret@host/share",
		"gopher://host/share?password=secret",
		"file://me:secret@host/share",
		"nfs://host/export?password=secret",
		"tcp:me:secret@host",
		"tcp://host?password=secret",
		"null:me:secret@host",
		"null:?password=secret",
	};
	size_t i;

	for (i = 0; i < LENGTH(urls); i++) {
		struct target target;
		struct error error = {0};

		if (target_parse(urls[i], &target, &error) != -EINVAL)
			fail_msg("%s is not refused", urls[i]);
		if (strstr(error.text, "secret") != NULL)
			fail_msg("%s: %s", urls[i], error.text);
		target_free(&target);
	}
}

static void a_url_with_separators_but_no_password_is_valid(void **state)
{
	static const char *const urls[] = {
		"tcp://DOM;me@host:445/a@b/c:d",
		"tcp://me%40realm@[::1]:445/share?options=TCP_NODELAY",
		"file:///mnt/me:word@host?password=1",
		"tcp://[::1]:7003",
	};
	size_t i;

	for (i = 0; i < LENGTH(urls); i++) {
		struct target target = parsed(urls[i]);

		assert_string_equal(target.url, urls[i]);
		target_free(&target);
	}
}

/* The engine for an SMB share whose URL names none: the built-in SMB client, if
 * throng has it and nothing needs libsmbclient. */
static const char *default_client(void)
{
	const struct backend_row *builtin = backends_find("smb", "builtin");

	return builtin->built || !backends_find("smb", "libsmbclient")->built ? "builtin"
									      : "libsmbclient";
}

/* The URL's options choose an engine (NFSv3, NFSv4, libsmbclient) before any
 * module is opened, so this works without modules. */
static void the_engine_is_chosen_by_an_option(void **state)
{
	const struct {
		const char *url, *selected_by;
	} rows[] = {
		{"smb://me@host/share", default_client()},
		{"smb://me@host/share?dialect=SMB2_02", default_client()},
		{"smb://me@host/share?dialect=NT1", "libsmbclient"},
		{"smb://me@host/share?dialect=%4eT1", "libsmbclient"},
		{"smb://me@host/share?sign=require&conf=x", "libsmbclient"},
		{"smb://me@host/share?cipher=AES-128-GCM", "builtin"},
		{"smb://me@host/share?client=libsmbclient", "libsmbclient"},
		{"smb://me@host/share?client=builtin", "builtin"},
		/* The default refuses options that no engine has together. */
		{"smb://me@host/share?conf=x&oplock=batch", default_client()},
		{"smb://me@host/share?conf=x&client=builtin", "builtin"},
		{"nfs://host/export", "3"},
		{"nfs:host", "3"},
		{"nfs://host/export?version=3", "3"},
		{"nfs://host/export?uid=0&version=4", "4"},
		{"nfs://host/export?version=%34&gid=0", "4"},
		{"nfs://host/export?gid=0&&version=4", "4"},
		{"nfs://host/export?myversion=4", "3"},
	};
	size_t i;

	setenv("THRONG_MODULES", "/nowhere", 1);
	for (i = 0; i < LENGTH(rows); i++) {
		struct target target;
		struct error error = {0};

		assert_int_equal(target_parse(rows[i].url, &target, &error), -EINVAL);
		assert_non_null(target.row);
		if (strcmp(target.row->selected_by, rows[i].selected_by) != 0)
			fail_msg("%s: %s", rows[i].url, target.row->selected_by);
		target_free(&target);
	}
	unsetenv("THRONG_MODULES");
	expect_refused("nfs://host/export?version=5", "nfs://host/export: \"5\" is not a value of "
						      "the option version; expected one of 3, 4");
	expect_refused("nfs://host/export?version=", "\"\" is not a value of the option version");
	expect_refused(
		"nfs://host/export?version=3&uid=1&version=4",
		"nfs://host/export: the option version is given twice; give this option once");
	expect_refused("nfs://host/export?uid=1&uid=1", "the option uid is given twice");
	expect_refused("smb://me@host/share?sign=off&sign=off", "the option sign is given twice");
	expect_refused("smb://me@host/share?client=x", "one of builtin, libsmbclient");
}

/* Expect that a URL selects an engine, and that the target knows if the URL names
 * this engine. There must be no modules. */
static void expect_engine(const char *url, const char *selected_by, bool named)
{
	struct target target;
	struct error ignored = {0};

	assert_int_equal(target_parse(url, &target, &ignored), -EINVAL);
	if (strcmp(target.row->selected_by, selected_by) != 0 || target.names_engine != named)
		fail_msg("%s: %s, %s", url, target.row->selected_by,
			 target.names_engine ? "named" : "not named");
	target_free(&target);
}

/* An option that selects the engine counts; without it, the first engine that has all
 * options of the URL. */
static void an_engine_has_the_options(void **state)
{
	setenv("THRONG_MODULES", "/nowhere", 1);
	expect_engine("nfs://host/export?version=4", "4", true);
	expect_engine("smb://me@host/share?dialect=NT1", "libsmbclient", false);
	expect_engine("smb://me@host/share?sign=require&conf=x", "libsmbclient", false);
	expect_engine("smb://me@host/share?encrypt=off", default_client(), false);
	expect_engine("smb://me@host/share", default_client(), false);
	/* A client that the URL names counts, even if it lacks an option. */
	expect_engine("smb://me@host/share?client=builtin&conf=x", "builtin", true);
	unsetenv("THRONG_MODULES");
}

static void percents_are_decoded(void **state)
{
	char good[] = "a%20b%25%C3%a9", cut[] = "a%2", odd[] = "%zz";
	char nul[] = "a%00b";

	assert_int_equal(target_decode(good), 0);
	assert_string_equal(good, "a b%\xc3\xa9");
	assert_int_equal(target_decode(cut), -EINVAL);
	assert_int_equal(target_decode(odd), -EINVAL);
	assert_int_equal(target_decode(nul), -EINVAL);
}

static void the_last_value_of_an_option_holds(void **state)
{
	struct target target = {.row = &server_row};
	struct error error = {0};

	assert_null(target_option(&target, "encrypt"));
	assert_int_equal(target_set_option(&target, "encrypt", "off", "x", &error), 0);
	assert_int_equal(target_set_option(&target, "conf", "/a", "x", &error), 0);
	assert_int_equal(target_set_option(&target, "encrypt", "require", "x", &error), 0);
	assert_string_equal(target_option(&target, "encrypt"), "require");
	assert_string_equal(target_option(&target, "conf"), "/a");
	assert_int_equal(target.option_count, 2);
	target_free(&target);
}

static void options_and_values_must_be_declared(void **state)
{
	struct target target = {.row = &server_row};
	struct error error = {0};

	assert_int_equal(target_set_option(&target, "encrypt", "maybe", "--encrypt", &error),
			 -EINVAL);
	assert_string_equal(error.text, "--encrypt: \"maybe\" is not a value of the option "
					"encrypt; expected one of off, require");
	error = (struct error){0};
	assert_int_equal(target_set_option(&target, "colour", "red", "x", &error), -EINVAL);
	assert_non_null(strstr(error.text, "colour"));
	assert_int_equal(target.option_count, 0);
	target_free(&target);
}

/* Return a target on a file server, with `user` in its URL. */
static struct target server_target(const char *user)
{
	return (struct target){
		.stride = 1,
		.url = strdup("smb://host/share"),
		.user = strdup(user),
		.domain = strdup(""),
		.row = &server_row,
		.backend = &server,
	};
}

/* Make a file that only its owner can read. The caller unlinks it. */
static char *auth_file(const char *text)
{
	char *path = strdup("/tmp/throng-account-XXXXXX");
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	return path;
}

static void accounts_come_from_files_in_turn(void **state)
{
	char *one = auth_file("# a comment\n\nusername = ann\n"
			      "password=a=b c \n domain = D\n");
	char *two = auth_file("username=bob\npassword = x");
	const char *files[] = {one, two, NULL};
	struct target target = server_target("");
	struct error error = {0};

	assert_int_equal(accounts_find(&target, files, &error), 0);
	assert_int_equal(target.account_count, 2);
	assert_string_equal(account_of(&target, 0)->user, "ann");
	assert_string_equal(account_of(&target, 0)->password, "a=b c");
	assert_string_equal(account_of(&target, 0)->domain, "D");
	assert_string_equal(account_of(&target, 1)->user, "bob");
	assert_string_equal(account_of(&target, 1)->password, "x");
	assert_string_equal(account_of(&target, 6)->user, "ann");
	/* The first of two targets has users 0, 2, 4 ... */
	target.stride = 2;
	assert_string_equal(account_of(&target, 0)->user, "ann");
	assert_string_equal(account_of(&target, 2)->user, "bob");
	assert_string_equal(account_of(&target, 4)->user, "ann");
	target_free(&target);
	unlink(one);
	unlink(two);
	free(one);
	free(two);
}

static void expect_file_refused(const char *text, mode_t mode, const char *why)
{
	char *file = auth_file(text);
	const char *files[] = {file, NULL};
	struct target target = server_target("me");
	struct error error = {0};

	assert_int_equal(chmod(file, mode), 0);
	assert_true(accounts_find(&target, files, &error) < 0);
	if (strstr(error.text, why) == NULL)
		fail_msg("\"%s\" instead of \"%s\"", error.text, why);
	assert_null(strstr(error.text, "secret"));
	target_free(&target);
	unlink(file);
	free(file);
}

static void a_fifo_is_refused(void **state)
{
	char *file = auth_file("");
	const char *files[] = {file, NULL};
	struct target target = server_target("me");
	struct error error = {0};

	unlink(file);
	assert_int_equal(mkfifo(file, 0600), 0);
	assert_true(accounts_find(&target, files, &error) < 0);
	assert_non_null(strstr(error.text, "not a regular file"));
	target_free(&target);
	unlink(file);
	free(file);
}

static void a_file_that_others_can_read_is_refused(void **state)
{
	expect_file_refused("password = secret\n", 0640, "mode 0600");
	expect_file_refused("password = secret\n", 0604, "mode 0600");
	expect_file_refused("secret\n", 0600, "username = X");
	expect_file_refused("colour = secret\n", 0600, "\"colour\"");
}

static void the_password_is_taken_out_of_the_environment(void **state)
{
	char first[] = "PASSWD=hush", second[] = "PASSWD=hush, too";
	char other[] = "PASSWD_FILE=kept";
	char *given[] = {first, other, second, NULL}, **before = environ;
	struct target target = server_target("me");
	struct target later = server_target("you");
	struct error error = {0};

	environ = given;
	assert_int_equal(accounts_find(&target, NULL, &error), 0);
	assert_string_equal(account_of(&target, 3)->user, "me");
	assert_string_equal(account_of(&target, 3)->password, "hush");
	/* The bytes are overwritten, since /proc/PID/environ shows them. */
	assert_null(getenv("PASSWD"));
	assert_memory_equal(first, "PASSWD=\0\0\0\0", sizeof(first));
	assert_memory_equal(second, "PASSWD=\0\0\0\0\0\0\0\0\0", sizeof(second));
	assert_string_equal(getenv("PASSWD_FILE"), "kept");
	assert_int_equal(prctl(PR_GET_DUMPABLE), 0);
	/* The password was kept for further targets. */
	assert_int_equal(accounts_find(&later, NULL, &error), 0);
	assert_string_equal(account_of(&later, 0)->password, "hush");
	environ = before;
	target_free(&target);
	target_free(&later);
}

static void only_a_guest_needs_no_user_name(void **state)
{
	struct target target = server_target("");
	struct error error = {0};

	assert_int_equal(accounts_find(&target, NULL, &error), -EINVAL);
	assert_non_null(strstr(error.text, "USER@"));
	target_free(&target);
	target = server_target("");
	assert_int_equal(target_set_option(&target, "guest", "yes", "x", &error), 0);
	assert_int_equal(accounts_find(&target, NULL, &error), 0);
	assert_string_equal(account_of(&target, 0)->password, "");
	target_free(&target);
}

int unit_target(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_path_is_used_unchanged),
		cmocka_unit_test(a_file_url_has_no_options),
		cmocka_unit_test(unsupported_targets_are_refused),
		cmocka_unit_test(the_meaning_of_a_wrong_target_is_guessed),
		cmocka_unit_test(a_password_in_a_url_is_not_printed),
		cmocka_unit_test(a_url_with_separators_but_no_password_is_valid),
		cmocka_unit_test(the_engine_is_chosen_by_an_option),
		cmocka_unit_test(an_engine_has_the_options),
		cmocka_unit_test(percents_are_decoded),
		cmocka_unit_test(the_last_value_of_an_option_holds),
		cmocka_unit_test(options_and_values_must_be_declared),
		cmocka_unit_test(accounts_come_from_files_in_turn),
		cmocka_unit_test(a_fifo_is_refused),
		cmocka_unit_test(a_file_that_others_can_read_is_refused),
		cmocka_unit_test(the_password_is_taken_out_of_the_environment),
		cmocka_unit_test(only_a_guest_needs_no_user_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
